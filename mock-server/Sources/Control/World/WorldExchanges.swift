import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Scenarios
import Synchronization

/// What every exchange of a server's world passes through, from outside and from its own authority and APIs alike: it
/// numbers and records them and lets fault rules strike.
final class WorldExchanges: Sendable {
    /// Which exchanges rules strike.
    enum Strikes: String, Sendable, CaseIterable {
        /// All.
        case all
        /// Those that the server itself sends: the caller sees to the others.
        case own
    }

    /// Takes a request to whoever answers it.
    typealias Deliver = @Sendable (RequestMessage, ExchangeContext) async -> Delivery

    private struct State {
        var rules: FaultRules
        var group: Int?
        var strikes = Strikes.all
        var orders: [(exchange: String, orders: PeerOrders)] = []
        var classifier: ExchangeClassifier
        var top = 0
        /// How many calls have been made for an exchange under way.
        var nested: [String: Int] = [:]
        /// Base time that calls made for an exchange under way have taken.
        var waited: [String: TimeSpan] = [:]
    }

    let journal: Journal
    private let clock: any WallClock
    private let state: Mutex<State>

    /// - Parameters:
    ///   - clock: True time of the world.
    ///   - random: What rules with a probability draw from.
    init(tenant: CompiledTenant, clock: any WallClock, journal: Journal, random: SeededGenerator) {
        self.clock = clock
        self.journal = journal
        state = Mutex(State(rules: FaultRules(random: random), classifier: tenant.classifier))
    }

    /// Names endpoints, policies and apps.
    var classifier: ExchangeClassifier { state.withLock { $0.classifier } }

    /// Names them by a changed tenant from now on.
    func classify(by tenant: CompiledTenant) {
        let classifier = tenant.classifier
        state.withLock { $0.classifier = classifier }
    }

    // MARK: Rules

    /// Puts rules in force in place of those that are.
    func put(_ list: [FaultRule], strikes: Strikes = .all, counts: [FaultRules.Count] = []) {
        state.withLock { state in
            if let group = state.group { _ = state.rules.pop(group) }
            state.strikes = strikes
            state.group = state.rules.push(list, counts: counts)
        }
    }

    /// The rules in force with what each has done, and which exchanges they strike.
    func standing() -> (rules: [(rule: FaultRule, count: FaultRules.Count)], strikes: Strikes) {
        state.withLock { state in (state.group.map { state.rules.standing(of: $0) } ?? [], state.strikes) }
    }

    /// Takes all rules out of force.
    ///
    /// - Returns: Those that had to change something and did not.
    func clear() -> [FaultRules.Unused] {
        state.withLock { state in
            defer { state.group = nil }
            return state.group.map { state.rules.pop($0) } ?? []
        }
    }

    /// What the caller's own rule asks of the authority for an exchange that comes under this number.
    func order(_ asked: PeerOrders, exchange: String) {
        state.withLock { state in
            state.orders.removeAll { $0.exchange == exchange }
            if state.orders.count >= 1000 { state.orders.removeFirst() }
            state.orders.append((exchange, asked))
        }
    }

    /// Forgets rules and orders.
    func reset() {
        _ = clear()
        state.withLock { $0.orders = [] }
    }

    // MARK: Exchanges

    /// What comes of a request from outside; its delay is for the caller to wait or to tell.
    ///
    /// - Parameters:
    ///   - context: With a number if a runner gave the exchange one.
    ///   - finish: Runs when the answer is known and before it is written down: what happened on the way comes before.
    func delivery(
        of request: RequestMessage, _ context: ExchangeContext, by deliver: @escaping Deliver,
        finish: () -> Void
    ) async -> Delivery {
        var begun = begin(request, context, isOwn: false)
        let answer = await send(&begun, timeout: context.timeout, by: deliver)
        let exchange = begun.exchange
        let number = exchange.number
        let waited = state.withLock { state in
            state.nested[number] = nil
            return state.waited.removeValue(forKey: number) ?? .zero
        }
        finish()
        record(exchange, answer.outcome)
        return Delivery(answer.outcome, delay: answer.delay + waited)
    }

    /// What comes of a call that the authority or an API makes.
    ///
    /// - Parameter pass: Lets so much time pass: really, or by moving the world's clock.
    func call(
        _ request: RequestMessage, _ context: ExchangeContext, by deliver: @escaping Deliver,
        pass: (TimeSpan) async -> Void
    ) async throws(TransportError) -> ResponseMessage {
        var begun = begin(request, context, isOwn: true)
        let answer = await send(&begun, timeout: context.timeout, by: deliver)
        let exchange = begun.exchange
        if answer.delay > .zero {
            await pass(answer.delay)
            let cause = Self.outermost(exchange.number)
            state.withLock { $0.waited[cause, default: .zero] = ($0.waited[cause] ?? .zero) + answer.delay }
        }
        record(exchange, answer.outcome)
        return try answer.outcome.get()
    }

    /// An exchange that departs.
    private struct Begun {
        var exchange: Exchange
        /// What the caller's own rule asks of the authority.
        var orders: PeerOrders?
        /// The rule of the world that strikes it.
        var strike: FaultRules.Strike?
        var sending = FaultedSending(rule: nil, timeout: nil)
    }

    private func begin(_ request: RequestMessage, _ context: ExchangeContext, isOwn: Bool) -> Begun {
        let now = clock.now()
        return state.withLock { state in
            let number: String
            if let own = context.number {
                number = own
                // Whoever sends without numbers, such as a real browser, comes after those that were given.
                if let top = Int(own) { state.top = max(state.top, top) }
            } else if let parent = context.parent {
                state.nested[parent, default: 0] += 1
                number = "\(parent).\(state.nested[parent] ?? 1)"
            } else {
                state.top += 1
                number = "\(state.top)"
            }
            // Endpoint and policy are found when a rule or a reader asks for them.
            var exchange = Exchange(
                number: number, at: now, context: context, endpoint: "", policy: nil, request: request)
            exchange.context.number = number
            var orders: PeerOrders?
            if let index = state.orders.firstIndex(where: { $0.exchange == number }) {
                orders = state.orders.remove(at: index).orders
            }
            var begun = Begun(exchange: exchange, orders: orders)
            guard !state.rules.isEmpty, isOwn || state.strikes == .all else { return begun }
            exchange = exchange.classified(by: state.classifier)
            let record = exchange.requestJSON
            begun.strike = state.rules.strike(lane: .main, record: { .object(record) })
            begun.sending = FaultedSending(rule: begun.strike?.rule, timeout: context.timeout)
            if begun.strike?.rule.request != nil {
                exchange.request = begun.sending.request(request)
                exchange.endpoint = ""
                exchange = exchange.classified(by: state.classifier)
            }
            begun.exchange = exchange
            return begun
        }
    }

    private func send(
        _ begun: inout Begun, timeout: TimeSpan?, by deliver: @escaping Deliver
    ) async -> FaultedSending.Answer {
        var context = begun.exchange.context
        context.orders = begun.strike?.rule.orders ?? begun.orders
        let inner = context
        begun.sending.timeout = timeout
        let answer = await begun.sending.answer(to: begun.exchange.request) { request in
            let delivery = await deliver(request, inner)
            return (delivery.outcome, delivery.delay)
        }
        if let strike = begun.strike {
            let effect = begun.sending.effect
            begun.exchange.altered = effect.changes
            state.withLock { $0.rules.note(effect, of: strike) }
        } else if begun.orders != nil, case .success(let response) = answer.outcome {
            begun.exchange.altered = response.obeyed?.changes ?? false
        }
        return answer
    }

    private func record(_ exchange: Exchange, _ outcome: Result<ResponseMessage, TransportError>) {
        var exchange = exchange
        switch outcome {
        case .success(let response): exchange.response = response
        case .failure(let error): exchange.networkError = error
        }
        journal.append(.exchange(exchange))
    }

    /// `4` of `4.1.2`.
    private static func outermost(_ number: String) -> String { String(number.prefix { $0 != "." }) }
}
