import Determinism
import HTTPMessages
import JOSE
import JSON
import JourneyLogs
import MockAuthority
import Synchronization
import TenantFiles

/// The query APIs of Application Insights and of Log Analytics over the rows of the journey recorder (Microsoft docs:
/// Application Insights REST API, Log Analytics API).
///
/// `GET` and `POST /v1/apps/ID/query` on `api.applicationinsights.io`, `/v1/workspaces/ID/query` on
/// `api.loganalytics.io`. There is one log, so every id leads to it.
public final class LogQueryAPI: Responder {
    /// A host with its path and its table.
    struct Service: Sendable {
        var host: String
        /// The segment of the path before the id.
        var collection: String
        var table: String
        var read: @Sendable ([RecorderRow]) -> LogTable
        /// The column that a time span is about.
        var timeColumn: String
        /// The audience of its tokens.
        var audience: String { "https://\(host)" }
    }

    static let services = [
        Service(
            host: "api.applicationinsights.io", collection: "apps", table: "traces", read: { LogTable.traces($0) },
            timeColumn: "timestamp"),
        Service(
            host: "api.loganalytics.io", collection: "workspaces", table: "AppTraces",
            read: { LogTable.appTraces($0) }, timeColumn: "TimeGenerated"),
    ]

    /// The hosts it answers at.
    public static var hosts: [String] { services.map(\.host) }

    /// The application permission that both need (Microsoft docs: Log Analytics API, access).
    static let permission = "Data.Read"

    /// Rows of an answer at most, and bytes (Microsoft docs: service limits of log queries).
    static let mostRows = 500_000
    static let mostBytes = 100_000_000

    private struct State {
        var keys: JWKSet
        var random: SeededGenerator
    }

    private let recorder: JourneyRecorder
    private let clock: any WallClock
    private let state: Mutex<State>

    public init(recorder: JourneyRecorder, tenant: Tenant, seed: SeededGenerator, clock: any WallClock) {
        self.recorder = recorder
        self.clock = clock
        state = Mutex(State(keys: Self.keys(tenant), random: seed.stream("log queries")))
    }

    /// Goes on with the keys of a changed tenant.
    public func configure(tenant: Tenant) { state.withLock { $0.keys = Self.keys(tenant) } }

    private static func keys(_ tenant: Tenant) -> JWKSet {
        JWKSet(keys: (tenant.keySet(named: "service")?.publish ?? []).map { TestKeys.named($0).jwk })
    }

    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        let id = state.withLock { $0.random.guid() }.description
        do throws(LogQueryRefusal) {
            let table = try answer(request)
            let body = JSONWriter.compactBytes(table.json)
            guard body.count <= Self.mostBytes else { throw .tooLarge(body.count) }
            var response = ResponseMessage(status: 200, headers: ["Content-Type": "application/json; charset=utf-8"])
            response.body = body
            response.headers.append("x-ms-correlation-request-id", id)
            return response
        } catch {
            var response = ResponseMessage.json(error.status, error.json(correlationID: id))
            if error.status == 401 {
                response.headers.append(
                    "WWW-Authenticate", "Bearer authorization_uri=\"https://login.windows.net/common/oauth2/authorize\""
                )
            }
            response.refusal = error.why
            return response
        }
    }

    private func answer(_ request: RequestMessage) throws(LogQueryRefusal) -> LogTable {
        guard let service = Self.services.first(where: { $0.host == request.url.host }) else {
            throw .noSuchPath(request.url.path)
        }
        let parts = request.url.path.split(separator: "/").map { String($0) }
        guard parts.count == 4, parts[0].lowercased() == "v1", parts[1].lowercased() == service.collection,
            parts[3].lowercased() == "query"
        else { throw .noSuchPath(request.url.path, service) }
        guard ["GET", "POST"].contains(request.method) else { throw .noSuchMethod(request.method) }
        try check(request.headers["Authorization"], service)
        let (text, span) = try Self.question(request)
        let now = clock.now()
        var table = service.read(recorder.rows)
        let query: LogQuery
        do throws(LogQueryFault) {
            query = try LogQuery(text, on: service.table, columns: table.columns)
        } catch {
            throw .badQuery(error)
        }
        if let span, let place = table.place(of: service.timeColumn) {
            let range = try Self.range(span, now: now)
            table.rows.removeAll { row in
                guard case .datetime(let time) = row[place] else { return true }
                return !range.contains(time.timestamp)
            }
        }
        let result = query.run(on: table, now: RecorderTime(now))
        guard result.rows.count <= Self.mostRows else { throw .tooLarge(result.rows.count) }
        return result
    }

    // MARK: Question

    private static func question(_ request: RequestMessage) throws(LogQueryRefusal) -> (query: String, span: String?) {
        if request.method == "GET" {
            let items = request.url.queryItems
            guard let query = items["query"] else { throw .badProperty("the parameter query is missing") }
            return (query, items["timespan"])
        }
        guard let body = request.json?.objectValue else {
            throw .badProperty("the body is not a JSON object with a member query")
        }
        guard let query = body["query"]?.stringValue else {
            throw .badProperty("the member query is missing in the body, or is not a text")
        }
        if let span = body["timespan"], span.stringValue == nil, !span.isNull {
            throw .badProperty("timespan is not a text: expected an ISO 8601 duration, such as PT12H")
        }
        return (query, body["timespan"]?.stringValue ?? request.url.queryItems["timespan"])
    }

    /// A time span: a duration up to now, or two times, or a time and a duration, with a slash between them (ISO 8601
    /// time intervals).
    static func range(_ text: String, now: Timestamp) throws(LogQueryRefusal) -> ClosedRange<Timestamp> {
        func time(_ part: String) -> Timestamp? {
            LogQueryParser.datetime(part)?.timestamp
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        var range: (Timestamp, Timestamp)?
        if parts.count == 1, let span = TimeSpan(iso8601: parts[0]) {
            range = (now - span, now)
        } else if parts.count == 2 {
            switch (time(parts[0]), time(parts[1]), TimeSpan(iso8601: parts[0]), TimeSpan(iso8601: parts[1])) {
            case (let start?, let end?, _, _): range = (start, end)
            case (let start?, nil, _, let span?): range = (start, start + span)
            case (nil, let end?, let span?, _): range = (end - span, end)
            default: break
            }
        }
        guard let range, range.0 <= range.1 else {
            throw .badProperty(
                "timespan is \"\(text)\": expected an ISO 8601 duration such as PT12H, or an interval such as "
                    + "2026-11-02T00:00:00Z/P1D")
        }
        return range.0...range.1
    }

    // MARK: Token

    private func check(_ authorization: String?, _ service: Service) throws(LogQueryRefusal) {
        guard let authorization else { throw .noToken }
        guard authorization.lowercased().hasPrefix("bearer "),
            let token = JWS(compact: String(authorization.dropFirst(7).drop { $0 == " " })), let claims = token.claims
        else { throw .badToken("the Authorization field has no JSON web token") }
        let audience = claims["aud"]?.stringValue ?? ""
        guard audience == service.audience || audience == service.audience + "/" else {
            throw .wrongAudience(audience, service)
        }
        if case .failure(let problem) = token.verify(in: state.withLock({ $0.keys })) { throw .badToken("\(problem)") }
        let now = clock.now().secondsSinceEpoch
        guard let expiry = claims["exp"]?.intValue, now < expiry, (claims["nbf"]?.intValue ?? 0) <= now + 300 else {
            throw .badToken(
                "the token expires at "
                    + (claims["exp"]?.intValue.map { Timestamp(seconds: $0).rfc3339 } ?? "no time"))
        }
        guard claims["roles"]?.arrayValue?.contains(.string(Self.permission)) ?? false else {
            throw .noPermission
        }
    }
}

/// Why a query is refused (Microsoft docs: Log Analytics API errors). Codes and messages are documented there; those for a
/// path, a method and a size are inferred.
struct LogQueryRefusal: Error {
    var status: Int
    var code: String
    var message: String
    var inner: JSONObject?
    /// For the developer.
    var why: String

    init(_ status: Int, _ code: String, _ message: String, inner: JSONObject? = nil, why: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.inner = inner
        self.why = why ?? message
    }

    func json(correlationID: String) -> JSONValue {
        var error: JSONObject = [
            "message": .string(message), "code": .string(code), "correlationId": .string(correlationID),
        ]
        error["innererror"] = inner.map { .object($0) }
        return ["error": .object(error)]
    }

    static let noToken = LogQueryRefusal(
        401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.")

    static func badToken(_ why: String) -> LogQueryRefusal {
        LogQueryRefusal(403, "InvalidAuthenticationToken", "The access token is invalid.", why: why)
    }

    static func wrongAudience(_ audience: String, _ service: LogQueryAPI.Service) -> LogQueryRefusal {
        LogQueryRefusal(
            403, "InvalidAuthenticationTokenAudience",
            "The access token has been obtained from wrong audience or resource '\(audience)'. It should exactly match "
                + "(including forward slash) with one of the allowed audiences '\(service.audience)','\(service.audience)/'.",
            why: "the token is for \(audience); ask for the scope \(service.audience)/.default")
    }

    static let noPermission = LogQueryRefusal(
        403, "InsufficientAccessError",
        "The provided credentials have insufficient access to perform the requested operation",
        why: "the token has no role \(LogQueryAPI.permission): registration.consent of the app is not granted")

    static func badQuery(_ fault: LogQueryFault) -> LogQueryRefusal {
        LogQueryRefusal(
            400, "BadArgumentError", "The request had some invalid properties", inner: fault.json,
            why: "\(fault.message) at line \(fault.line), position \(fault.position)")
    }

    static func badProperty(_ why: String) -> LogQueryRefusal {
        LogQueryRefusal(
            400, "BadArgumentError", "The request had some invalid properties",
            inner: ["code": "ValidationError", "message": .string(why)], why: why)
    }

    static func noSuchPath(_ path: String, _ service: LogQueryAPI.Service? = nil) -> LogQueryRefusal {
        let known = service.map { "; expected /v1/\($0.collection)/ID/query" } ?? ""
        return LogQueryRefusal(
            404, "PathNotFoundError", "The requested path does not exist", why: "\(path) is not simulated\(known)")
    }

    static func noSuchMethod(_ method: String) -> LogQueryRefusal {
        LogQueryRefusal(
            405, "BadArgumentError", "The requested path does not support the method \(method)",
            why: "a query is asked with GET or POST")
    }

    static func tooLarge(_ size: Int) -> LogQueryRefusal {
        LogQueryRefusal(
            400, "ResponsePayloadTooLarge",
            "The answer has \(size) rows or bytes, more than the service returns: ask for less with take, project or a "
                + "shorter timespan")
    }
}
