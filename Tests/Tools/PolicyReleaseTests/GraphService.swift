import AzureSignIn
import Determinism
import HTTPMessages
import JSON
import PolicyRelease
import Synchronization

/// A Microsoft Graph and a token endpoint of a test. Each route answers with what a test has put there, in this order; its
/// last answer stays.
final class GraphService: Transport {
    enum Answer: Sendable {
        case response(ResponseMessage)
        case failure(TransportError)

        static func json(_ status: Int, _ json: JSONValue, _ headers: Headers = [:]) -> Answer {
            .response(.json(status, json, headers: headers))
        }
    }

    private struct State {
        var routes: [String: [Answer]]
        var requests: [RequestMessage] = []
        var tokens = 0
        var now = GraphService.start
        var waits: [Int64] = []
    }

    static let start = Timestamp(milliseconds: 1_793_610_600_000)
    private let state: Mutex<State>
    /// Tokens of the token endpoint, the last one as often as it is asked for.
    private let tokens: [String]

    /// - Parameter routes: By method and what follows the host, such as `GET /beta/trustFramework/policies`.
    init(_ routes: [String: [Answer]], tokens: [String] = ["token-1"]) {
        state = Mutex(State(routes: routes))
        self.tokens = tokens
    }

    /// Requests to Graph.
    var requests: [RequestMessage] { state.withLock { $0.requests.filter { $0.form == nil } } }
    /// Requests for tokens.
    var tokenRequests: [RequestMessage] { state.withLock { $0.requests.filter { $0.form != nil } } }
    /// Seconds of each wait.
    var waits: [Int64] { state.withLock { $0.waits } }

    static let secret = [
        "AZURE_TENANT_ID": "contoso.onmicrosoft.com", "AZURE_CLIENT_ID": "3f1c9a3e-0000-4000-8000-000000000001",
        "AZURE_CLIENT_SECRET": "app-secret-value",
    ]

    func graph(
        _ variables: [String: String] = GraphService.secret, api: String? = nil,
        az: Result<String, AzureSurroundings.ProgramProblem> = .failure(.missing)
    ) throws(AzureProblem) -> PolicyGraph {
        let surroundings = AzureSurroundings(
            transport: self, now: { self.state.withLock { $0.now } },
            wait: { instant in
                self.state.withLock {
                    $0.waits.append((instant - $0.now).wholeSeconds)
                    $0.now = instant
                }
            }, variable: { variables[$0] }, read: { _ in nil }, run: { _ in az }, identifier: { "id-1" }, say: { _ in })
        return try PolicyGraph(GraphSource(api: api), surroundings)
    }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        let answer = state.withLock { state -> Answer in
            state.requests.append(request)
            if request.form != nil {
                let token = tokens[min(state.tokens, tokens.count - 1)]
                state.tokens += 1
                return .json(200, ["access_token": .string(token)])
            }
            let route = "\(request.method) \(request.url.requestTarget)"
            guard let answers = state.routes[route], let first = answers.first else {
                return .response(.html(404, "<html>nothing at \(route)</html>"))
            }
            if answers.count > 1 { state.routes[route]?.removeFirst() }
            return first
        }
        switch answer {
        case .response(let response): return response
        case .failure(let error): throw error
        }
    }

    /// The form in which Graph refuses (thread microsoft-graph-docs-contrib#2254).
    static func refusal(_ code: String, _ message: String) -> JSONValue {
        [
            "error": [
                "code": .string(code), "message": .string(message),
                "innerError": [
                    "correlationId": "c0ffee00-0000-4000-8000-000000000001", "date": "2026-11-02T09:00:00",
                    "request-id": "c0ffee00-0000-4000-8000-000000000002",
                ],
            ]
        ]
    }

    static func xml(_ status: Int, _ text: String) -> Answer {
        .response(ResponseMessage(status: status, headers: ["Content-Type": "application/xml"], body: Array(text.utf8)))
    }
}

/// Unsigned tokens.
enum GraphTokens {
    /// `appid` is the Azure CLI, `scp` is `User.Read`.
    static let person =
        "eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwczovL2dyYXBoLm1pY3Jvc29mdC5jb20iLCJhcHBpZCI6IjA0YjA3Nzk1LThkZGItNDYxYS1iYmVl"
        + "LTAyZjllMWJmN2I0NiIsInNjcCI6IlVzZXIuUmVhZCIsInRpZCI6InQtMSJ9.c2ln"
    /// `roles` is `Policy.Read.All`, `tid` is ``tenant``.
    static let reader =
        "eyJhbGciOiJub25lIn0.eyJhcHBpZCI6IjNmMWM5YTNlLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMSIsInJvbGVzIjpbIlBvbGljeS5SZWFk"
        + "LkFsbCJdLCJ0aWQiOiI3ZjAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEifQ.c2ln"
    /// Without `roles` and `scp`.
    static let none =
        "eyJhbGciOiJub25lIn0.eyJhcHBpZCI6IjNmMWM5YTNlLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMSIsInRpZCI6IjdmMDAwMDAwLTAwMDAt"
        + "NDAwMC04MDAwLTAwMDAwMDAwMDAwMSJ9.c2ln"
    static let tenant = "7f000000-0000-4000-8000-000000000001"
}
