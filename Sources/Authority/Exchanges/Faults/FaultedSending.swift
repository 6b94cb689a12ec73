import Determinism
import HTTPMessages
import JSON

/// A callback on its way to an app, after the rules: who gets it, and how often (0: never).
public typealias CallbackDelivery = (url: WebURL, form: FormItems?, client: String, copies: Int)

/// How one exchange goes, with a rule that strikes it or without one. The runner, the server and the apps under test
/// all send through it.
public struct FaultedSending: Sendable {
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

    /// A callback as it is handed over: what, which client gets it, and how often.
    public mutating func callback(_ url: WebURL, _ form: FormItems?, client: String) -> CallbackDelivery {
        guard let changed = rule?.applied(toCallback: url, form, client: client) else { return (url, form, client, 1) }
        effect = changed.effect
        return (changed.url, changed.form, changed.client, changed.copies)
    }

    /// Notes that no part of the rule has an effect.
    public mutating func idle(because reason: String) {
        effect = ChangeEffect()
        for part in rule?.parts ?? [] { effect.idle(part, reason) }
    }

    /// Sends the request and returns what the caller gets: the answer with the changes that the rule makes, and the
    /// time that passes until then.
    ///
    /// - Parameters:
    ///   - request: As it leaves, after ``request(_:)``.
    ///   - deliver: Takes the request to the peer, once for each copy.
    public mutating func answer(
        to request: RequestMessage, deliver: (RequestMessage) async -> Delivery
    ) async -> Delivery {
        var delay = rule?.delay ?? .zero
        if let error = rule?.network, !Self.strikesLate(error) {
            effect.hold(FaultRule.networkPart)
            idle([FaultRule.delayPart, FaultRule.copiesPart] + orderParts, "nothing leaves (`\(error.word)`)")
            return .failure(error, delay: error == .timeout ? timeout ?? .zero : .zero)
        }
        var answer = Delivery.failure(.reset)
        if let standIn = rule?.respond {
            // The peer is never asked, so this is a change also where it would have said the same.
            effect.hold(FaultRule.respondPart)
            answer = .response(standIn.message)
        } else {
            var obeyed = false
            for _ in 0..<max(1, rule?.copies ?? 1) {
                answer = await deliver(request)
                delay = delay + answer.delay
                if let orders = answer.obeyed, rule?.orders != nil {
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
            return .failure(.timeout, delay: timeout)
        }
        if let error = rule?.network {
            effect.hold(FaultRule.networkPart)
            return .failure(error, delay: delay)
        }
        answer.delay = delay
        guard let patch = rule?.response else { return answer }
        switch answer.outcome {
        case .success(let response): answer.outcome = .success(patch.applied(to: response, &effect))
        case .failure(let error): idle(patch.parts, "no answer came (`\(error.word)`)")
        }
        return answer
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
