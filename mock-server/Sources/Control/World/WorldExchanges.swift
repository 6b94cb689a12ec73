import AuthorityHosting
import Determinism
import Exchanges
import HTTPMessages
import JSON
import Synchronization
import TenantFiles

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

    /// Takes a request to the part that answers it.
    typealias Dispatch = @Sendable (RequestMessage, ExchangeContext) async -> Delivery

    private struct State {
        var recorder: ExchangeRecorder
        var group: Int?
        var strikes = Strikes.all
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
        state = Mutex(
            State(recorder: ExchangeRecorder(classifier: tenant.classifier, random: random, isServer: true)))
    }

    /// Names endpoints, policies and apps.
    var classifier: ExchangeClassifier { state.withLock { $0.recorder.classifier } }

    /// Names them by a changed tenant from now on.
    func classify(by tenant: CompiledTenant) {
        let classifier = tenant.classifier
        state.withLock { $0.recorder.classifier = classifier }
    }

    // MARK: Rules

    /// Puts rules in force in place of those that are.
    func put(_ list: [FaultRule], strikes: Strikes = .all, counts: [FaultRules.Count] = []) {
        state.withLock { state in
            if let group = state.group { _ = state.recorder.rules.pop(group) }
            state.strikes = strikes
            state.group = state.recorder.rules.push(list, counts: counts)
        }
    }

    /// The rules in force with what each has done, and which exchanges they strike.
    func standing() -> (rules: [(rule: FaultRule, count: FaultRules.Count)], strikes: Strikes) {
        state.withLock { state in (state.group.map { state.recorder.rules.standing(of: $0) } ?? [], state.strikes) }
    }

    /// Takes all rules out of force.
    ///
    /// - Returns: Those that had to change something and did not.
    func clear() -> [FaultRules.Unused] {
        state.withLock { state in
            defer { state.group = nil }
            return state.group.map { state.recorder.rules.pop($0) } ?? []
        }
    }

    /// What the caller's own rule asks of the authority for an exchange that comes under this number.
    func order(_ asked: PeerOrders, exchange: String) {
        state.withLock { $0.recorder.orders.add(asked, exchange: exchange) }
    }

    /// Forgets rules and orders.
    func reset() {
        _ = clear()
        state.withLock { $0.recorder.orders = StandingOrders() }
    }

    // MARK: Exchanges

    /// The answer to a request from outside. The caller waits for its delay or passes it on.
    ///
    /// - Parameters:
    ///   - context: With a number if a runner gave the exchange one.
    ///   - finish: Runs when the answer is known and before it is written down: what happened on the way comes before.
    func delivery(
        of request: RequestMessage, _ context: ExchangeContext, by deliver: Dispatch,
        finish: () -> Void
    ) async -> Delivery {
        let (exchange, answer) = await send(request, context, isOwn: false, by: deliver)
        let number = exchange.number
        let waited = state.withLock { state in
            state.recorder.forgetNested(of: number)
            return state.waited.removeValue(forKey: number) ?? .zero
        }
        finish()
        journal.append(.exchange(exchange))
        return Delivery(answer.outcome, delay: answer.delay + waited, obeyed: answer.obeyed)
    }

    /// What comes of a call that the authority or an API makes.
    ///
    /// - Parameter pass: Lets so much time pass: really, or by moving the world's clock.
    func call(
        _ request: RequestMessage, _ context: ExchangeContext, by deliver: Dispatch,
        pass: (TimeSpan) async -> Void
    ) async throws(TransportError) -> ResponseMessage {
        let (exchange, answer) = await send(request, context, isOwn: true, by: deliver)
        state.withLock { $0.recorder.forgetNested(of: exchange.number) }
        if answer.delay > .zero {
            await pass(answer.delay)
            let cause = Self.outermost(exchange.number)
            state.withLock { $0.waited[cause, default: .zero] = ($0.waited[cause] ?? .zero) + answer.delay }
        }
        journal.append(.exchange(exchange))
        return try answer.outcome.get()
    }

    private func send(
        _ request: RequestMessage, _ context: ExchangeContext, isOwn: Bool, by deliver: Dispatch
    ) async -> (Exchange, Delivery) {
        let now = clock.now()
        var underWay = state.withLock { state in
            state.recorder.begin(request, context, at: now, mayBeChanged: isOwn || state.strikes == .all)
        }
        let answer = await underWay.answer(by: deliver)
        state.withLock { $0.recorder.note(&underWay) }
        underWay.exchange.record(answer.outcome)
        return (underWay.exchange, answer)
    }

    /// `4` of `4.1.2`.
    private static func outermost(_ number: String) -> String { String(number.prefix { $0 != "." }) }
}
