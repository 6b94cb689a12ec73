import Determinism
import HTTPMessages

/// How one exchange goes when a rule has struck it, or none has: the one account of it, whoever sends.
public struct FaultedSending: Sendable {
    /// What came back at the far side, and how much later than at once.
    public typealias Answer = (outcome: Result<ResponseMessage, TransportError>, delay: TimeSpan)

    /// The rule that struck, if one did.
    public var rule: FaultRule?
    /// How long the caller waits, in base time; `nil` for ever.
    public var timeout: TimeSpan?

    public init(rule: FaultRule?, timeout: TimeSpan?) {
        self.rule = rule
        self.timeout = timeout
    }

    /// The request as it leaves.
    public func request(_ request: RequestMessage) -> RequestMessage { rule?.request?.applied(to: request) ?? request }

    /// Sends, and tells what the caller gets: the answer with the changes the rule makes, and the time that passes
    /// until then.
    ///
    /// - Parameters:
    ///   - request: As it leaves, after ``request(_:)``.
    ///   - deliver: Takes the request to the peer, once for each copy.
    public func answer(
        to request: RequestMessage, deliver: (RequestMessage) async -> Answer
    ) async -> Answer {
        var delay = rule?.delay ?? .zero
        if let error = rule?.network, !Self.strikesLate(error) {
            return (.failure(error), error == .timeout ? timeout ?? .zero : .zero)
        }
        var outcome: Result<ResponseMessage, TransportError>
        if let standIn = rule?.respond {
            outcome = .success(standIn.message)
        } else {
            outcome = .failure(.reset)
            for _ in 0..<max(1, rule?.copies ?? 1) {
                let answer = await deliver(request)
                delay = delay + answer.delay
                outcome = answer.outcome
            }
        }
        if let timeout, delay > timeout { return (.failure(.timeout), timeout) }
        if let error = rule?.network { return (.failure(error), delay) }
        if let patch = rule?.response, case .success(let response) = outcome {
            outcome = .success(patch.applied(to: response))
        }
        return (outcome, delay)
    }

    /// These two lose the answer of a peer that has acted; the others keep the request from leaving.
    private static func strikesLate(_ error: TransportError) -> Bool { error == .reset || error == .truncated }
}
