import AzureSignIn
import Determinism
import HTTPMessages
import JSON
import JourneyLogs
import Synchronization

/// A query API and a token endpoint of a test. It understands the queries of a fetch by their times, and answers with what
/// a test has put in its way first.
final class QueryService: Transport {
    /// What answers a request in place of rows.
    enum Trouble: Sendable {
        case answer(Int, JSONValue, Headers)
        case page(String)
        case failure(TransportError)
        case redirect(String)
    }

    private struct State {
        var rows: [(time: Timestamp, length: Int)] = []
        var most = Int.max
        var troubles: [Trouble] = []
        var requests: [RequestMessage] = []
        var now = QueryService.start
        var waits: [Int64] = []
        var lines: [String] = []
        /// Rows of which the service says nothing.
        var hidden = 0
    }

    static let start = Timestamp(milliseconds: 1_793_610_600_000)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - rows: How many, one a second before now.
    ///   - most: Rows in an answer at most; more are cut off with a partial error.
    ///   - hidden: Rows that are counted and not returned.
    init(
        rows: Int = 3, length: Int = 100, most: Int = .max, hidden: Int = 0, troubles: [Trouble] = []
    ) {
        state.withLock {
            $0.rows = (0..<rows).reversed().map { (Self.start - .seconds(Int64($0) + 1), length) }
            $0.most = most
            $0.hidden = hidden
            $0.troubles = troubles
        }
    }

    var requests: [RequestMessage] { state.withLock { $0.requests } }
    /// Seconds of each wait.
    var waits: [Int64] { state.withLock { $0.waits } }
    var lines: [String] { state.withLock { $0.lines } }
    var queries: [String] { requests.compactMap { $0.json?["query"]?.stringValue } }
    /// Bodies of token requests.
    var forms: [FormItems] { requests.compactMap(\.form) }

    /// What a fetch takes from the machine.
    func surroundings(_ variables: [String: String] = ["B2C_LOG_TOKEN": "token-1"]) -> AzureSurroundings {
        AzureSurroundings(
            transport: self, now: { self.state.withLock { $0.now } },
            wait: { instant in
                self.state.withLock {
                    $0.waits.append((instant - $0.now).wholeSeconds)
                    $0.now = instant
                }
            }, variable: { variables[$0] }, read: { _ in nil }, run: { _ in .failure(.missing) },
            identifier: { "id-1" }, say: { line in self.state.withLock { $0.lines.append(line) } })
    }

    func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        let trouble = state.withLock { state -> Trouble? in
            state.requests.append(request)
            if request.form != nil { return .answer(200, ["access_token": "token-2"], [:]) }
            return state.troubles.isEmpty ? nil : state.troubles.removeFirst()
        }
        switch trouble {
        case .answer(let status, let json, let headers)?: return .json(status, json, headers: headers)
        case .page(let text)?: return .html(200, text)
        case .failure(let error)?: throw error
        case .redirect(let url)?: return .redirect(url)
        case nil: return .json(200, answer(request.json?["query"]?.stringValue ?? ""))
        }
    }

    private func answer(_ query: String) -> JSONValue {
        let times = query.matches(of: /datetime\(([^)]+)\)/).compactMap { Timestamp(rfc3339: String($0.1)) }
        guard times.count == 2 else { return [:] }
        let (all, most, hidden) = state.withLock { ($0.rows, $0.most, $0.hidden) }
        let found = all.filter { times[0] <= $0.time && $0.time < times[1] }
        if query.contains("summarize") {
            let step = Int64(query.firstMatch(of: /, ([0-9]+)s\)/).map { String($0.1) } ?? "1") ?? 1
            var spans: [Timestamp: (Int64, Int64)] = [:]
            for row in found {
                let start = Timestamp(seconds: row.time.secondsSinceEpoch / step * step)
                let (count, length) = spans[start] ?? (0, 0)
                spans[start] = (count + 1, length + Int64(row.length))
            }
            let rows: [JSONValue] = spans.sorted { $0.key < $1.key }.map {
                [.string($0.key.rfc3339), .integer($0.value.0), .integer($0.value.1)]
            }
            return Self.table(["Start", "Found", "Characters"], rows)
        }
        let shown = found.dropFirst(hidden)
        let rows: [JSONValue] = shown.prefix(most).map { row in
            let dimensions: JSONValue = [
                "CorrelationId": .string(Sessions.correlation), "EventName": "Journey Recorder Event v1.0.0",
                "Tenant": "contoso.onmicrosoft.com", "UserJourney": "B2C_1A_loyalty",
            ]
            return [
                .string(RecorderTime(row.time).text), "[{\"Kind\":\"Headers\",\"Content\":{}}]",
                .string(JSONWriter.compact(dimensions)),
            ]
        }
        let table = Self.table(["timestamp", "message", "customDimensions"], rows)
        guard shown.count > most else { return table }
        return table.merging(patch: ["error": Self.tooLarge])
    }

    static func table(_ columns: [String], _ rows: [JSONValue]) -> JSONValue {
        [
            "tables": [
                [
                    "name": "PrimaryResult",
                    "columns": .array(columns.map { ["name": .string($0), "type": "string"] }),
                    "rows": .array(rows),
                ]
            ]
        ]
    }

    /// As the service says it (Microsoft docs: Log Analytics API, response format).
    static let tooLarge: JSONValue = [
        "code": "PartialError", "message": "There were some errors when processing your query.",
        "details": [
            [
                "code": "EngineError", "message": "Something went wrong processing your query on the server.",
                "innererror": [
                    "code": "-2133196797",
                    "message": .string(
                        "The results of this query exceed the set limit of 500000 records "
                            + "(E_QUERY_RESULT_SET_TOO_LARGE, 0x80DA0003)."), "severity": 2,
                ],
            ]
        ],
    ]

    static func error(_ code: String, _ message: String, inner: JSONValue = .null) -> JSONValue {
        var error: JSONObject = ["code": .string(code), "message": .string(message)]
        if inner != .null { error["innererror"] = inner }
        return ["error": .object(error)]
    }
}
