import Clients
import Determinism
import HTTPMessages
import JSON
import Verbs

/// How the script of a page calls an address: the browser names the page's origin, asks for permission where the request
/// needs it, and keeps answers back that do not permit the page to read them (Fetch, sections 3.2 and 4.8).
struct PageFetch {
    /// The origin of the app's page.
    let origin: String
    /// Whether the browser enforces the rules (`browser.cors`).
    let isEnforced: Bool
    let lane: Lane

    /// What the script gets.
    enum Ending {
        /// The answer, as far as the script may read it.
        case answer(ResponseMessage)
        /// No answer, or one that the browser keeps back: the script sees no difference.
        case failed(TransportError?)
    }

    /// What happened in the browser, for the log of events.
    private(set) var events: [JSONObject] = []

    init(origin: String, isEnforced: Bool, lane: Lane) {
        self.origin = origin
        self.isEnforced = isEnforced
        self.lane = lane
    }

    mutating func send(_ request: RequestMessage, _ context: ExchangeContext) async -> Ending {
        let rules = CrossOrigin(origin: origin)
        var request = request
        if rules.isForeign(request.url), isEnforced, let preflight = rules.preflight(for: request) {
            do throws(TransportError) {
                let answer = try await lane.transport.send(preflight, context)
                if let refusal = rules.refusal(toPreflight: answer, for: request) {
                    await block(preflight.url, refusal, answer)
                    return .failed(nil)
                }
            } catch {
                return .failed(error)
            }
        }
        // A page's own origin is named too, except in requests that only read.
        if rules.isForeign(request.url) || !["GET", "HEAD"].contains(request.method) {
            request.headers["Origin"] = origin
        }
        do throws(TransportError) {
            let answer = try await lane.transport.send(request, context)
            guard rules.isForeign(request.url), isEnforced else { return .answer(answer) }
            if let refusal = rules.refusal(toRead: answer) {
                await block(request.url, refusal, answer)
                return .failed(nil)
            }
            return .answer(rules.readable(answer))
        } catch {
            return .failed(error)
        }
    }

    private mutating func block(_ url: WebURL, _ refusal: String, _ answer: ResponseMessage) async {
        var detail = "\(refusal), so the browser keeps the answer from the page at \(origin)"
        if let reason = answer.refusal { detail += "; \(reason)" }
        events.append([
            "type": "corsBlocked", "url": .string(url.origin + url.path), "detail": .string(detail),
        ])
        await lane.transport.keptBack(.cors, on: lane.id)
    }

    /// The error that `fetch` ends with. It has no details: a script must not learn what it may not read. Only a time
    /// limit of its own is known to it.
    static func failure(_ error: TransportError?, hasTimeout: Bool) -> ClientError {
        let isOver = hasTimeout && error == .timeout
        let name = isOver ? "TimeoutError" : "TypeError"
        var failure = ClientError(.network, domain: "fetch", code: .text(name))
        failure.name = name
        failure.description = isOver ? "The operation timed out." : "Failed to fetch"
        return failure
    }
}
