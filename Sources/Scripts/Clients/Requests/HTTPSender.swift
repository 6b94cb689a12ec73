import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// Sends one request the way the library does: once more after a pause when the server or the network fails
/// (MSIDHttpRequest.m, MSIDAADRequestErrorHandler.m).
struct HTTPSender: Sendable {
    /// Seconds after which the library gives a request up.
    static let timeout = TimeSpan.seconds(300)

    /// The client's name in the script.
    let client: String
    /// The device's name in the script.
    let device: String
    /// How often a failed request is sent again.
    let retries: Int
    /// After which failures.
    let retry: RetryRule
    /// False for a sandboxed macOS app without the network entitlement: no name resolves.
    let networkAllowed: Bool
    /// The origin of the script that sends: the browser hands it no answer that does not allow this origin.
    var origin: String?
    /// Whether the browser keeps to that.
    var enforcesCORS = true

    /// Sends the request and reads its answer as JSON: of HTTP 200, 400 and 401 the body, of any other status an error.
    func json(
        _ request: RequestMessage, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> Result<JSONValue, LibraryError> {
        switch try await send(request, lane, &events) {
        case .failure(let error): return .failure(error)
        case .success(let response):
            guard [200, 400, 401].contains(response.status) else { return .failure(Self.unhandled(response)) }
            do throws(InvalidInput) {
                return .success(try JSONParser.parse(response.body))
            } catch {
                return .failure(.notJSON)
            }
        }
    }

    private func send(
        _ request: RequestMessage, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> Result<ResponseMessage, LibraryError> {
        var left = retries
        while true {
            let outcome: Result<ResponseMessage, TransportError>
            if networkAllowed {
                outcome = await allowed(await attempt(request, lane), of: request, lane, &events)
            } else {
                outcome = .failure(.dns)
            }
            var pause = retry.pause
            let reason: String
            switch outcome {
            case .success(let response):
                guard left > 0, retry.repeats(after: response) else { return .success(response) }
                reason = "\(response.status)"
            case .failure(let error):
                let code = URLErrorTable.code(of: error)
                guard left > 0, retry.after.contains(code) else { return .failure(.network(error)) }
                if error == .offline { pause = retry.offlinePause }
                reason = error.word
            }
            left -= 1
            events.retry(url: request.url.description, reason: reason, after: pause.seconds)
            try await lane.pause(pause)
        }
    }

    /// What a script is given of an answer (Fetch, section 3.2.5): without permission it looks like a dead network.
    private func allowed(
        _ outcome: Result<ResponseMessage, TransportError>, of request: RequestMessage, _ lane: Lane,
        _ events: inout EventLog
    ) async -> Result<ResponseMessage, TransportError> {
        guard let origin, enforcesCORS, case .success(let response) = outcome else { return outcome }
        guard let refusal = CrossOrigin(origin: origin).refusal(toRead: response) else { return outcome }
        events.corsBlocked(request.url.origin + request.url.path, refusal)
        await lane.transport.keptBack(.cors, on: lane.id)
        return .failure(.other("the browser blocked the answer: no Access-Control-Allow-Origin for \(origin)"))
    }

    private func attempt(_ request: RequestMessage, _ lane: Lane) async -> Result<ResponseMessage, TransportError> {
        var request = request
        if let origin { request.headers["Origin"] = origin }
        let context = ExchangeContext(
            lane: lane.id, from: .client, client: client, device: device, timeout: Self.timeout)
        do throws(TransportError) {
            return .success(try await lane.transport.send(request, context))
        } catch {
            return .failure(error)
        }
    }

    /// The error of a status the library does not read the body of.
    private static func unhandled(_ response: ResponseMessage) -> LibraryError {
        var error = LibraryError(.serverUnhandledResponse, HTTPStatusText.text(response.status))
        error.httpStatus = response.status
        error.retryAfterText = response.headers["Retry-After"]
        if response.status == 403 || response.status == 404 {
            error.underlying = LibraryError(.unexpectedHttpResponse, HTTPStatusText.text(response.status))
        }
        return error
    }
}

/// After which failures a library sends a request again by itself.
struct RetryRule: Sendable {
    /// How long it waits before.
    var pause: TimeSpan
    /// How long it waits without a network.
    var offlinePause: TimeSpan
    /// The failures of the transport, by their number (`URLErrorTable`).
    var after: [Int]
    /// An answer that says how long to wait is not asked for again at once.
    var heedsRetryAfter: Bool

    /// That of MSAL for Apple systems (MSIDAADRequestErrorHandler.m).
    static let standard = RetryRule(
        pause: .milliseconds(500), offlinePause: .seconds(2 as Int64), after: URLErrorTable.retried,
        heedsRetryAfter: false)

    func repeats(after response: ResponseMessage) -> Bool {
        (500...599).contains(response.status) && !(heedsRetryAfter && response.headers["Retry-After"] != nil)
    }
}

/// Status texts as Foundation words them.
enum HTTPStatusText {
    static func text(_ status: Int) -> String {
        switch status {
        case 403: "forbidden"
        case 404: "not found"
        case 405: "method not allowed"
        case 429: "too many requests"
        case 500: "internal server error"
        case 502: "bad gateway"
        case 503: "service unavailable"
        case 504: "gateway timed out"
        case 500...599: "server error"
        case 400...499: "client error"
        case 300...399: "redirected"
        default: "no error"
        }
    }
}
