import Determinism
import Exchanges
import HTTPMessages
import Journeys
import MockAuthority
import Synchronization
import TenantFiles
import TrustFramework

/// Owns one authority, B2C or plain directory, and answers requests for it.
///
/// Deciding happens under a lock and is short; calls that a journey asks for, rendering and signing happen outside, so
/// that other requests are decided meanwhile. It is a lock and no actor: with a task executor of its own, as a server's
/// connections have, every hop to an actor is a turn of the event loop, and costs more than most decisions.
public final class AuthorityHost: DelayingResponder {
    private let state: Mutex<State>
    private let clock: any WallClock
    private let callouts: any Transport
    private let store: any StateStore
    private let recorder: JourneyRecorder?
    private let news = Mutex(News())

    fileprivate struct State {
        // Exactly one of the two is there. Neither is ever copied: both are changed in place.
        var authority: Authority?
        var directory: WorkforceAuthority?
        /// For the answers that are the cloud's and no tenant's.
        var random: SeededGenerator
        var unnumbered = 0

        // Changes not written yet, and the callers waiting for them.
        var pending: [RowChange] = []
        var sequence: UInt64 = 0
        var durable: UInt64 = 0
        var isWriting = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var failure: String?

        mutating func note(_ changes: [RowChange]) {
            pending += changes
            sequence += UInt64(changes.count)
        }
    }

    /// What has happened, under a lock of its own: those who look after each request do not wait for decisions.
    private struct News {
        /// With the newest change there was then: no reply shows it before that is durable.
        var events: [(event: AuthorityEvent, sequence: UInt64)] = []
        /// How many events have been taken away.
        var taken = 0
        var durable: UInt64 = 0
    }

    /// - Parameters:
    ///   - policies: The tenant's policies, linked; none for a plain directory tenant.
    ///   - seed: Everything the authority draws comes from streams of it.
    ///   - clock: True time.
    ///   - callouts: The way to REST services and identity providers; its requests are from `authority`.
    ///   - store: Where rows are kept.
    ///   - kept: What it has kept of an earlier run.
    ///   - servesAnyAddress: Whether requests to other hosts than the tenant's are answered too.
    ///   - recorder: Records the journeys of custom policies; `nil`: nobody does.
    public init(
        tenant: Tenant, policies: [ResolvedPolicy], seed: SeededGenerator, clock: any WallClock,
        callouts: any Transport, store: any StateStore = MemoryStore(), kept: KeptState? = nil,
        servesAnyAddress: Bool = false, recorder: JourneyRecorder? = nil
    ) {
        self.recorder = recorder
        self.clock = clock
        self.callouts = callouts
        self.store = store
        var state = State(random: seed.stream("authority/cloud"))
        // A later start revokes nothing that was issued to people of the tenant file.
        let begun = kept?.started ?? clock.now()
        if tenant.kind == .workforce {
            var made = WorkforceAuthority(tenant: tenant, seed: seed, now: begun)
            made.recordsChanges = store.keepsState
            if let kept { made.resume(kept) }
            state.directory = made
        } else {
            var made = Authority(tenant: tenant, policies: policies, seed: seed, now: begun)
            made.recordsChanges = store.keepsState
            let rows = kept.map { made.resume($0) } ?? []
            if store.keepsState { state.note(rows) }
            made.servesAnyAddress = servesAnyAddress
            made.recordsTurns = recorder != nil
            state.authority = made
        }
        self.state = Mutex(state)
    }

    /// The same on the time of a world.
    public convenience init(
        tenant: Tenant, policies: [ResolvedPolicy], seed: SeededGenerator, time: VirtualTime, callouts: any Transport
    ) {
        self.init(
            tenant: tenant, policies: policies, seed: seed, clock: SkewedClock(time, since: time.now),
            callouts: callouts)
    }

    /// The hosts at which a tenant's authority answers. Microsoft's own is always among them: instance discovery for
    /// the world is there, and for a plain directory the other names of the same cloud.
    public static func hosts(of tenant: Tenant) -> [String] {
        let cloud = tenant.kind == .workforce ? InstanceDiscovery.publicCloud : [InstanceDiscovery.host]
        return tenant.hosts + cloud.filter { !tenant.hosts.contains($0) }
    }

    // MARK: requests

    public func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        // When the answer goes out, its rows are there.
        defer { recorder?.flush() }
        var step = decide(request, context)
        while true {
            switch step.reply {
            case .callOut(let id, let asked, let timeout):
                let result = await perform(asked, timeout: timeout, for: context)
                step = decide(.calloutFinished(id, result))
            case .send(let draft, let delay):
                if store.keepsState {
                    guard await isDurable(upTo: step.sequence) else { return .failure(.reset) }
                }
                return .response(draft.rendered(), delay: delay, obeyed: draft.obeyed)
            case .drop(let delay):
                return .failure(.reset, delay: delay)
            case .answered:
                return .failure(.other("the authority answered a request as if it were a command"))
            }
        }
    }

    /// One call for a journey: from the authority, in the lane and under the number of the exchange that caused it.
    private func perform(
        _ request: RequestMessage, timeout: TimeSpan, for cause: ExchangeContext
    ) async -> CalloutResult {
        let receipt = ExchangeReceipt()
        let own = ExchangeContext(
            lane: cause.lane, from: .authority, timeout: timeout, parent: cause.number ?? cause.parent,
            receipt: receipt)
        let outcome: Result<ResponseMessage, TransportError>
        do throws(TransportError) {
            outcome = .success(try await callouts.send(request, own))
        } catch {
            outcome = .failure(error)
        }
        return CalloutResult(outcome, exchange: receipt.number)
    }

    // MARK: commands

    /// Carries out a command from outside the wire.
    public func command(_ command: ControlCommand) async -> ControlAnswer { await carryOut([command]) }

    /// Carries out commands one after the other, up to the first that is refused, with nothing in between. What they
    /// change becomes durable at once or not at all.
    ///
    /// - Parameter rows: Rows of others that belong to the change.
    /// - Returns: The answer to the last that was carried out.
    public func carryOut(_ commands: [ControlCommand], keeping rows: [RowChange] = []) async -> ControlAnswer {
        let last: ControlAnswer = state.withLock { state in
            var last = ControlAnswer.done
            for command in commands {
                guard case .answered(let answer) = decide(.command(command), in: &state).reply else {
                    return .refused("the authority answered a command as if it were a request")
                }
                last = answer
                if case .refused = answer { break }
            }
            if store.keepsState { state.note(rows) }
            return last
        }
        if await settle() { return last }
        return .refused(state.withLock { $0.failure } ?? "the state store has failed")
    }

    /// Waits until everything that has happened so far is durable.
    ///
    /// - Returns: Whether it is; not when the store has failed.
    public func settle() async -> Bool {
        guard store.keepsState else { return true }
        let sequence = state.withLock { state in
            state.note(store.drainOwnChanges())
            return state.sequence
        }
        return await isDurable(upTo: sequence)
    }

    /// What has happened since the last time, in order. What a store does not have yet is left for the next time.
    public func drainEvents() -> [AuthorityEvent] {
        drainNumberedEvents().events
    }

    /// The same with the number of the first: the events of an authority are numbered from 0, so that two who take at
    /// the same time can put them in order.
    public func drainNumberedEvents() -> (first: Int, events: [AuthorityEvent]) {
        news.withLock { news in
            guard !news.events.isEmpty else { return (news.taken, []) }
            let durable = news.durable
            let count = news.events.firstIndex { $0.sequence > durable } ?? news.events.count
            let first = news.taken
            let events = news.events.prefix(count).map(\.event)
            news.taken += count
            news.events.removeFirst(count)
            return (first, events)
        }
    }

    // MARK: deciding

    /// A decision as far as the host needs it.
    private struct HostedDecision: Sendable {
        var reply: HostedReply
        /// The newest change there was when it was decided, of whichever request: the reply may show it.
        var sequence: UInt64
    }

    private func decide(_ request: RequestMessage, _ context: ExchangeContext) -> HostedDecision {
        state.withLock { state in
            if state.authority != nil,
                let draft = InstanceDiscovery.draft(for: request, random: &state.random, at: clock.now())
            {
                return HostedDecision(reply: .send(.workforce(draft), after: .zero), sequence: state.sequence)
            }
            var number = context.number
            if number == nil {
                state.unnumbered += 1
                number = "host/\(state.unnumbered)"
            }
            if let orders = context.orders as? PeerOrders {
                let step = decide(.command(.obey(orders, exchange: number ?? "")), in: &state)
                if case .answered(.refused(let why)) = step.reply {
                    tell([.notSimulated(exchange: number ?? "", what: why)], at: step.sequence)
                }
            }
            return decide(.request(request, ExchangeID(number ?? "")), in: &state)
        }
    }

    private func decide(_ input: Input) -> HostedDecision {
        state.withLock { decide(input, in: &$0) }
    }

    private func decide(_ input: Input, in state: inout State) -> HostedDecision {
        if let failure = state.failure {
            return HostedDecision(reply: Self.stopped(input, failure), sequence: state.sequence)
        }
        let now = clock.now()
        // Optional chaining changes the value in place.
        if let decision = state.directory?.handle(input, at: now) {
            conclude(decision.changes, decision.events, in: &state)
            return HostedDecision(reply: HostedReply(decision.reply), sequence: state.sequence)
        }
        guard let decision = state.authority?.handle(input, at: now) else {
            return HostedDecision(reply: .drop(after: .zero), sequence: state.sequence)
        }
        if !decision.turns.isEmpty { recorder?.note(decision.turns) }
        conclude(decision.changes, decision.events, in: &state)
        return HostedDecision(reply: HostedReply(decision.reply), sequence: state.sequence)
    }

    private func conclude(_ changes: [RowChange], _ events: [AuthorityEvent], in state: inout State) {
        if store.keepsState {
            state.note(changes)
            state.note(store.drainOwnChanges())
        }
        tell(events, at: state.sequence)
    }

    private func tell(_ events: [AuthorityEvent], at sequence: UInt64) {
        guard !events.isEmpty else { return }
        news.withLock { news in
            for event in events { news.events.append((event, sequence)) }
        }
    }

    private static func stopped(_ input: Input, _ failure: String) -> HostedReply {
        if case .command = input { return .answered(.refused(failure)) }
        return .drop(after: .zero)
    }

    // MARK: durability

    /// Waits until the store has everything up to a change. One caller writes all that is pending, the others wait for
    /// it. False when the store has failed: nothing may be answered any more.
    private func isDurable(upTo wanted: UInt64) async -> Bool {
        guard store.keepsState else { return true }
        while true {
            switch state.withLock({ $0.turn(upTo: wanted) }) {
            case .over(let isDurable): return isDurable
            case .wait:
                await withCheckedContinuation { continuation in
                    let hasEnded = state.withLock { state in
                        if state.isWriting { state.waiting.append(continuation) }
                        return !state.isWriting
                    }
                    if hasEnded { continuation.resume() }
                }
            case .write(let batch, let last):
                let woken: [CheckedContinuation<Void, Never>]
                do {
                    try await store.commit(batch, upTo: last)
                    news.withLock { $0.durable = last }
                    woken = state.withLock { $0.written(upTo: last, failure: nil) }
                } catch {
                    woken = state.withLock { $0.written(upTo: nil, failure: "the state store has failed: \(error)") }
                }
                for continuation in woken { continuation.resume() }
            }
        }
    }
}

extension AuthorityHost.State {
    /// What somebody who waits for a change has to do.
    fileprivate enum WriteTurn {
        /// Nothing more: it is durable, or never will be.
        case over(Bool)
        /// Another writes.
        case wait
        case write([RowChange], upTo: UInt64)
    }

    fileprivate mutating func turn(upTo wanted: UInt64) -> WriteTurn {
        if failure != nil { return .over(false) }
        if durable >= wanted { return .over(true) }
        if isWriting { return .wait }
        isWriting = true
        defer { pending = [] }
        return .write(pending, upTo: sequence)
    }

    /// Notes the end of a write and hands over those who wait for it.
    fileprivate mutating func written(
        upTo last: UInt64?, failure: String?
    ) -> [CheckedContinuation<Void, Never>] {
        if let last { durable = last }
        self.failure = failure
        isWriting = false
        defer { waiting = [] }
        return waiting
    }
}
