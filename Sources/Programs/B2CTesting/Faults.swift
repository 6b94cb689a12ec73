import HTTPMessages
import Synchronization

/// Requests that fail on purpose.
public final class Faults: Sendable {
    /// What happens to a request.
    public enum Fault: Sendable, Hashable {
        /// This status with this body.
        case status(Int, body: String = "")
        /// The device has no network.
        case offline
        /// No answer comes in time.
        case timeout
        /// The connection breaks.
        case connectionLost
    }

    private struct RequestRule {
        var path: String
        var left: Int
        var fault: Fault
    }

    private let rules = Mutex<[RequestRule]>([])

    init() {}

    /// Lets the next requests fail.
    ///
    /// - Parameters:
    ///   - times: How many.
    ///   - path: Only those whose path contains this, such as `/token`; all by default.
    public func fail(_ times: Int = 1, at path: String = "", with fault: Fault) {
        rules.withLock { $0.append(RequestRule(path: path, left: times, fault: fault)) }
    }

    /// Takes all rules out of force.
    public func clear() { rules.withLock { $0 = [] } }

    func take(for request: RequestMessage) -> Fault? {
        rules.withLock { rules in
            guard let index = rules.firstIndex(where: { $0.path.isEmpty || request.url.path.contains($0.path) }) else {
                return nil
            }
            let fault = rules[index].fault
            rules[index].left -= 1
            if rules[index].left <= 0 { rules.remove(at: index) }
            return fault
        }
    }
}
