import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// Numbers the exchanges of a world, finds the rule that changes each, and makes their records. It is a value: the sender
/// asks it once when a request departs and once when its answer is known.
public struct ExchangeRecorder: Sendable {
    /// The rules in force.
    public var rules: FaultRules
    /// Names endpoints, policies and apps.
    public var classifier: ExchangeClassifier
    /// What the senders' own rules ask of the peer for exchanges to come.
    public var orders = StandingOrders()
    /// Whether requests come from outside.
    private let isServer: Bool
    private var top = 0
    /// How many exchanges have been made for one that is under way.
    private var nested: [String: Int] = [:]

    /// - Parameters:
    ///   - random: What rules with a `rate` draw from.
    ///   - isServer: Requests come from outside. Then the client is the app that the request names, and endpoint and policy
    ///     are found when a rule or a reader asks for them, by ``Exchange/classified(by:namingClient:)``.
    public init(classifier: ExchangeClassifier, random: SeededGenerator, isServer: Bool = false) {
        self.classifier = classifier
        self.isServer = isServer
        rules = FaultRules(random: random)
    }

    /// A request departs.
    ///
    /// - Parameters:
    ///   - context: Its own number, if it has one already, is kept.
    ///   - endpoint: The word for the place where it goes, if that does not follow from the address. Then it is not sent, and
    ///     the changes of a rule are the caller's to make.
    ///   - mayBeChanged: Whether rules apply to it.
    public mutating func begin(
        _ request: RequestMessage, _ context: ExchangeContext, at now: Timestamp, as endpoint: String? = nil,
        mayBeChanged: Bool = true
    ) -> ExchangeUnderWay {
        let number = number(for: context)
        var exchange = Exchange(
            number: number, at: now, context: context, endpoint: "", policy: nil, request: request)
        exchange.context.number = number
        context.receipt?.note(number: number)
        exchange.context.receipt = nil
        let hasRules = mayBeChanged && !rules.isEmpty
        if hasRules || !isServer { exchange = exchange.classified(by: classifier, namingClient: isServer) }
        if let endpoint { exchange.endpoint = endpoint }
        let strike = hasRules ? rules.strike(lane: exchange.lane) { [exchange] in .object(exchange.requestJSON) } : nil
        var sending = FaultedSending(rule: strike?.rule, timeout: context.timeout)
        if endpoint == nil, strike?.rule.request != nil {
            exchange.request = sending.request(request)
            exchange.endpoint = ""
            exchange = exchange.classified(by: classifier, namingClient: isServer)
        }
        return ExchangeUnderWay(
            exchange: exchange, strike: strike, sending: sending, ordered: orders.take(exchange: number))
    }

    private mutating func number(for context: ExchangeContext) -> String {
        if let own = context.number {
            // Requests without numbers, such as those of a real browser, come after those with one.
            if let number = Int(own) { passed(number) }
            return own
        }
        guard let parent = context.parent else {
            top += 1
            return "\(top)"
        }
        nested[parent, default: 0] += 1
        return "\(parent).\(nested[parent] ?? 1)"
    }

    /// Somebody else has given an exchange this number.
    public mutating func passed(_ number: Int) { top = max(top, number) }

    /// Nothing more is asked for while this exchange is under way.
    public mutating func forgetNested(of number: String) { nested[number] = nil }

    /// Notes what came of the rule that applied to an exchange, if one did.
    public mutating func note(_ underWay: inout ExchangeUnderWay) {
        guard let strike = underWay.strike else { return }
        underWay.exchange.altered = underWay.sending.effect.changes
        rules.note(underWay.sending.effect, of: strike)
    }
}

/// An exchange whose answer is not known yet.
public struct ExchangeUnderWay: Sendable {
    /// As it left.
    public var exchange: Exchange
    /// The rule that applies to it.
    public let strike: FaultRules.Strike?
    /// How it goes.
    public var sending: FaultedSending
    fileprivate let ordered: PeerOrders?

    /// The instructions that the peer gets with the request.
    public var context: ExchangeContext {
        var context = exchange.context
        context.orders = strike?.rule.orders ?? ordered
        return context
    }

    /// Sends the request, and returns the answer with the changes of the rule and the time until it arrives.
    ///
    /// - Parameter deliver: Takes the request to the peer, once for each copy.
    public mutating func answer(
        by deliver: (RequestMessage, ExchangeContext) async -> Delivery
    ) async -> Delivery {
        let context = context
        let answer: Delivery
        if sending.rule == nil, sending.timeout == nil {
            // Nearly every exchange of a server: nothing changes it on its way.
            answer = await deliver(exchange.request, context)
        } else {
            answer = await sending.answer(to: exchange.request) { await deliver($0, context) }
        }
        if ordered != nil { exchange.altered = answer.obeyed?.changes ?? false }
        return answer
    }
}
