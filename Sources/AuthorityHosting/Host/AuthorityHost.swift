import B2CProtocol
import Determinism
import HTTPMessages
import Journeys
import MockAuthority
import Synchronization
import TrustFramework

/// Owns one authority, B2C or plain directory, and answers requests for it.
///
/// Deciding happens inside the actor and is short; calls that a journey asks for, rendering and signing happen outside,
/// so that other requests are decided meanwhile.
public actor AuthorityHost: DelayingResponder {
    // Exactly one of the two is there. Neither is ever copied: both are changed in place.
    private var authority: Authority?
    private var directory: WorkforceAuthority?

    private let clock: any WallClock
    private let callouts: any Transport
    private let store: any StateStore
    private let news = Mutex(News())
    private var unnumbered = 0
    /// For the answers that are the cloud's and no tenant's.
    private var random: SeededGenerator

    // What the store has yet to be told, and who waits for it.
    private var pending: [RowChange] = []
    private var sequence: UInt64 = 0
    private var durable: UInt64 = 0 {
        didSet {
            let durable = durable
            news.withLock { $0.durable = durable }
        }
    }
    private var isWriting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var failure: String?

    /// What has happened, outside the actor: those who look after each request need not wait their turn.
    private struct News {
        /// With the newest change there was then: nobody is told before that is durable.
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
    public init(
        tenant: Tenant, policies: [ResolvedPolicy], seed: SeededGenerator, clock: any WallClock,
        callouts: any Transport, store: any StateStore = MemoryStore(), kept: KeptState? = nil,
        servesAnyAddress: Bool = false
    ) {
        self.clock = clock
        self.callouts = callouts
        self.store = store
        random = seed.stream("authority/cloud")
        if tenant.kind == .workforce {
            var made = WorkforceAuthority(tenant: tenant, seed: seed, now: clock.now())
            made.recordsChanges = store.keepsState
            if let kept { made.resume(kept) }
            directory = made
        } else {
            var made = Authority(tenant: tenant, policies: policies, seed: seed, now: clock.now())
            made.recordsChanges = store.keepsState
            if let kept { pending = made.resume(kept) }
            sequence = UInt64(pending.count)
            made.servesAnyAddress = servesAnyAddress
            authority = made
        }
    }

    /// The same on the time of a world.
    public init(
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

    public nonisolated func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        var step = await decide(request, context)
        while true {
            switch step.reply {
            case .callOut(let id, let asked, let timeout):
                let result = await perform(asked, timeout: timeout, for: context)
                step = await decide(.calloutFinished(id, result))
            case .send(let draft, let delay):
                guard await isDurable(upTo: step.sequence) else { return .failure(.reset) }
                return .response(draft.rendered(), delay: delay)
            case .drop(let delay):
                return .failure(.reset, delay: delay)
            case .answered:
                return .failure(.other("the authority answered a request as if it were a command"))
            }
        }
    }

    /// One call for a journey: from the authority, in the lane and under the number of the exchange that caused it.
    private nonisolated func perform(
        _ request: RequestMessage, timeout: TimeSpan, for cause: ExchangeContext
    ) async -> CalloutResult {
        let own = ExchangeContext(
            lane: cause.lane, from: .authority, timeout: timeout, parent: cause.number ?? cause.parent)
        do throws(TransportError) {
            return .answered(try await callouts.send(request, own))
        } catch {
            return .failed(error)
        }
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
        var last = ControlAnswer.done
        for command in commands {
            guard case .answered(let answer) = decide(.command(command)).reply else {
                return .refused("the authority answered a command as if it were a request")
            }
            last = answer
            if case .refused = answer { break }
        }
        if store.keepsState { note(rows) }
        return await settle() ? last : .refused(failure ?? "the state store has failed")
    }

    /// Waits until everything that has happened so far is durable.
    ///
    /// - Returns: Whether it is; not when the store has failed.
    public func settle() async -> Bool {
        guard store.keepsState else { return true }
        note(store.takeOwnChanges())
        return await isDurable(upTo: sequence)
    }

    /// What has happened since the last time, in order. What a store does not have yet is left for the next time.
    public nonisolated func takeEvents() -> [AuthorityEvent] {
        takeNumberedEvents().events
    }

    /// The same with the number of the first: the events of an authority are numbered from 0, so that two who take at
    /// the same time can put them in order.
    public nonisolated func takeNumberedEvents() -> (first: Int, events: [AuthorityEvent]) {
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
    private struct Step: Sendable {
        var reply: HostedReply
        /// The newest change there was when it was decided, of whichever request: the reply may show it.
        var sequence: UInt64
    }

    private func decide(_ request: RequestMessage, _ context: ExchangeContext) -> Step {
        if authority != nil, let draft = InstanceDiscovery.draft(for: request, random: &random, at: clock.now()) {
            return Step(reply: .send(.workforce(draft), after: .zero), sequence: sequence)
        }
        var number = context.number
        if number == nil {
            unnumbered += 1
            number = "host/\(unnumbered)"
        }
        if let orders = context.orders {
            let step = decide(.command(.obey(orders, exchange: number ?? "")))
            if case .answered(.refused(let why)) = step.reply {
                tell([.notSimulated(exchange: number ?? "", what: why)], at: step.sequence)
            }
        }
        return decide(.request(request, ExchangeID(number ?? "")))
    }

    private func decide(_ input: Input) -> Step {
        if let failure {
            return Step(reply: Self.stopped(input, failure), sequence: sequence)
        }
        let now = clock.now()
        // Optional chaining changes the value where it stands.
        if let decision = directory?.handle(input, at: now) {
            if store.keepsState {
                note(decision.changes)
                note(store.takeOwnChanges())
            }
            tell(decision.events, at: sequence)
            return Step(reply: HostedReply(decision.reply), sequence: sequence)
        }
        guard let decision = authority?.handle(input, at: now) else {
            return Step(reply: .drop(after: .zero), sequence: sequence)
        }
        if store.keepsState {
            note(decision.changes)
            note(store.takeOwnChanges())
        }
        tell(decision.events, at: sequence)
        return Step(reply: HostedReply(decision.reply), sequence: sequence)
    }

    private func tell(_ events: [AuthorityEvent], at sequence: UInt64) {
        guard !events.isEmpty else { return }
        news.withLock { news in
            for event in events { news.events.append((event, sequence)) }
        }
    }

    private func note(_ changes: [RowChange]) {
        pending += changes
        sequence += UInt64(changes.count)
    }

    private static func stopped(_ input: Input, _ failure: String) -> HostedReply {
        if case .command = input { return .answered(.refused(failure)) }
        return .drop(after: .zero)
    }

    // MARK: durability

    /// Waits until the store has everything up to a change. One caller writes all that is pending, the others wait for
    /// it. False when the store has failed: nothing may be answered any more.
    private func isDurable(upTo wanted: UInt64) async -> Bool {
        while durable < wanted, failure == nil {
            if isWriting {
                await withCheckedContinuation { waiting.append($0) }
                continue
            }
            isWriting = true
            let batch = pending
            let last = sequence
            pending = []
            do {
                try await store.commit(batch, upTo: last)
                durable = last
            } catch {
                failure = "the state store has failed: \(error)"
            }
            isWriting = false
            let woken = waiting
            waiting = []
            for continuation in woken { continuation.resume() }
        }
        return failure == nil
    }
}
