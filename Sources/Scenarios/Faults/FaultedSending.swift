import Determinism
import HTTPMessages
import JSON

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

    /// What the rule has changed so far, part by part.
    public private(set) var effect = ChangeEffect()

    /// The request as it leaves.
    public mutating func request(_ request: RequestMessage) -> RequestMessage {
        rule?.request?.applied(to: request, &effect) ?? request
    }

    /// Notes that nothing of the rule comes to pass.
    public mutating func idle(because reason: String) {
        effect = ChangeEffect()
        for part in rule?.parts ?? [] { effect.idle(part, reason) }
    }

    /// Sends, and tells what the caller gets: the answer with the changes the rule makes, and the time that passes
    /// until then.
    ///
    /// - Parameters:
    ///   - request: As it leaves, after ``request(_:)``.
    ///   - deliver: Takes the request to the peer, once for each copy.
    public mutating func answer(
        to request: RequestMessage, deliver: (RequestMessage) async -> Answer
    ) async -> Answer {
        var delay = rule?.delay ?? .zero
        if let error = rule?.network, !Self.strikesLate(error) {
            effect.hold(FaultRule.networkPart)
            idle([FaultRule.delayPart, FaultRule.copiesPart] + orderParts, "nothing leaves (`\(error.word)`)")
            return (.failure(error), error == .timeout ? timeout ?? .zero : .zero)
        }
        var outcome: Result<ResponseMessage, TransportError>
        if let standIn = rule?.respond {
            // The peer is never asked, so this is a change also where it would have said the same.
            effect.hold(FaultRule.respondPart)
            outcome = .success(standIn.message)
        } else {
            outcome = .failure(.reset)
            var obeyed = false
            for _ in 0..<max(1, rule?.copies ?? 1) {
                let answer = await deliver(request)
                delay = delay + answer.delay
                outcome = answer.outcome
                if case .success(let response) = outcome, let orders = response.obeyed, rule?.orders != nil {
                    effect.add(orders)
                    obeyed = true
                }
            }
            if !obeyed { idle(orderParts, "the authority has not answered the request") }
            if let copies = rule?.copies {
                effect.note(FaultRule.copiesPart, isChange: copies > 1, else: "once is how often it is sent anyway")
            }
        }
        if let late = rule?.delay {
            effect.note(FaultRule.delayPart, isChange: late > .zero, else: "it lets no time pass")
        }
        if let timeout, delay > timeout {
            idle([FaultRule.networkPart] + (rule?.response?.parts ?? []), "the caller had given up by then")
            return (.failure(.timeout), timeout)
        }
        if let error = rule?.network {
            effect.hold(FaultRule.networkPart)
            return (.failure(error), delay)
        }
        guard let patch = rule?.response else { return (outcome, delay) }
        switch outcome {
        case .success(let response): outcome = .success(patch.applied(to: response, &effect))
        case .failure(let error): idle(patch.parts, "no answer came (`\(error.word)`)")
        }
        return (outcome, delay)
    }

    private var orderParts: [JSONPointer] { rule?.orders?.parts ?? [] }

    /// Notes those of the parts that the rule has.
    private mutating func idle(_ parts: [JSONPointer], _ reason: String) {
        guard let rule, !parts.isEmpty else { return }
        let own = rule.parts
        for part in parts where own.contains(part) { effect.idle(part, reason) }
    }

    /// These two lose the answer of a peer that has acted; the others keep the request from leaving.
    private static func strikesLate(_ error: TransportError) -> Bool { error == .reset || error == .truncated }
}
