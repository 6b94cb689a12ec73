import B2CProtocol
import Determinism
import HTTPMessages
import Scenarios
import Synchronization

/// One exchange of a world's request log.
struct LoggedExchange: Sendable {
    /// Its place in the log, counted from 1 in the order of departure. It never changes.
    let position: Int
    /// The exchange itself: `exchange.number` is `4`, or `4.1` for what was asked while 4 was answered.
    var exchange: Exchange
    /// How much later than at once the answer arrives, in base time.
    var delay: TimeSpan = .zero
    /// Whether the answer, or the reason for none, is there yet.
    var isFinished = false
}

/// The newest exchanges of a world: requests that came in, and the calls that authority and APIs made because of them.
///
/// Bounded by count and by bytes; the oldest give way.
final class RequestLog: Sendable {
    private struct State {
        var entries: [LoggedExchange] = []
        /// Position of the first entry.
        var first = 1
        var bytes = 0
        var top = 0
        var nested: [String: Int] = [:]
    }

    /// Exchanges kept.
    static let countLimit = 4_000
    /// Bytes of bodies kept.
    static let byteLimit = 8 << 20

    private let state = Mutex(State())

    init() {}

    /// Puts down that a request has come or gone.
    ///
    /// - Parameter number: The number that the sender gave it; without one it gets the next, `4` or `4.1` under its
    ///   context's parent.
    func begin(
        _ request: RequestMessage, _ context: ExchangeContext, number: String? = nil, at now: Timestamp
    ) -> (position: Int, number: String) {
        state.withLock { state in
            let given: String
            if let number {
                given = number
            } else if let parent = context.parent {
                state.nested[parent, default: 0] += 1
                given = "\(parent).\(state.nested[parent] ?? 1)"
            } else {
                state.top += 1
                given = "\(state.top)"
            }
            // Endpoint and policy are found when the log is read.
            let exchange = Exchange(
                number: given, at: now, context: context, endpoint: "", policy: nil, request: request)
            state.bytes += Self.size(exchange)
            state.entries.append(LoggedExchange(position: state.first + state.entries.count, exchange: exchange))
            Self.trim(&state)
            return (state.first + state.entries.count - 1, given)
        }
    }

    /// Puts down what came of it.
    func finish(_ position: Int, _ outcome: Result<ResponseMessage, TransportError>, delay: TimeSpan) {
        state.withLock { state in
            let index = position - state.first
            guard state.entries.indices.contains(index) else { return }
            switch outcome {
            case .success(let response):
                state.entries[index].exchange.response = response
                state.bytes += response.body.count
            case .failure(let error): state.entries[index].exchange.networkError = error
            }
            state.entries[index].delay = delay
            state.entries[index].isFinished = true
            if state.entries[index].exchange.context.parent == nil {
                state.nested[state.entries[index].exchange.number] = nil
            }
            Self.trim(&state)
        }
    }

    /// The exchanges behind a position that are still kept, oldest first, with endpoint and policy as the tenant has
    /// them.
    func entries(since position: Int, classifier: ExchangeClassifier) -> [LoggedExchange] {
        let found = state.withLock { state in
            Array(state.entries.dropFirst(max(0, position - state.first + 1)))
        }
        return found.map { entry in
            var entry = entry
            let what = classifier.classify(entry.exchange.request, from: entry.exchange.context.from)
            entry.exchange.endpoint = what.endpoint
            entry.exchange.policy = what.policy
            return entry
        }
    }

    /// Position of the newest exchange; 0 when there was none.
    var last: Int { state.withLock { $0.first + $0.entries.count - 1 } }

    /// Forgets all exchanges. Positions and numbers go on.
    func clear() {
        state.withLock { state in
            state.first += state.entries.count
            state.entries = []
            state.bytes = 0
            state.nested = [:]
        }
    }

    private static func size(_ exchange: Exchange) -> Int {
        exchange.request.body.count + (exchange.response?.body.count ?? 0) + 1_024
    }

    private static func trim(_ state: inout State) {
        guard state.entries.count > countLimit || state.bytes > byteLimit else { return }
        // Some more than needed, so that it is not done at every request.
        var gone = 0
        var bytes = state.bytes
        while gone < state.entries.count - 1,
            state.entries.count - gone > countLimit - countLimit / 8 || bytes > byteLimit - byteLimit / 8
        {
            bytes -= size(state.entries[gone].exchange)
            gone += 1
        }
        state.entries.removeFirst(gone)
        state.first += gone
        state.bytes = bytes
    }
}
