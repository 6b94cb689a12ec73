/// The only place where a lane of a world waits. It lets one lane through at a time and moves virtual time.
///
/// The rule that makes a script give one order: a lane is chosen only at moments when every open lane waits. How the
/// system schedules the tasks between those moments then makes no difference, since at each of them the set of waiting
/// lanes and their reasons is a function of the choices made before.
///
/// At such a moment, in this order:
/// 1. A barrier that all its lanes have reached is freed: they are ready.
/// 2. Of the lanes that are ready one goes on. Lanes that have just been opened start first, in the order written. The
///    others go in rounds: each ready lane once, in the order written, then the next round. ``LaneOrder/drawn(_:)``
///    replaces this rule.
/// 3. If none is ready, time moves to the earliest instant a lane sleeps until, and that lane is ready.
/// 4. If none sleeps, it is a deadlock. Each of the waiting lanes gets that error, one after another in the order written.
///
/// A lane that opens branches is suspended until the last branch closes; then it goes on by itself.
///
/// Tasks may call in at any time; all state is the actor's.
public actor Turnstile {
    /// What a lane waits for.
    public enum Reason: Sendable {
        /// Its turn, nothing else.
        case turn
        /// Base time; nobody really waits.
        case until(Timestamp)
        /// All lanes that name this barrier, as counted when they were opened. A name that was not counted is a barrier
        /// for one lane.
        case barrier(String)
        /// `signal(_:)` with this name, called after the wait has begun.
        case signal(String)
    }

    private struct Seat {
        var id: LaneID
        var state: State
        /// Has been let through once.
        var started = false
        /// The round in which it was let through last.
        var round = -1
    }

    private enum State {
        case running
        /// Has so many open branches of its own.
        case parked(branches: Int)
        case waiting(Wait)
    }

    private struct Wait {
        var reason: Reason
        /// Distinguishes this wait of the lane from its earlier ones.
        var ticket: Int
        /// Barrier or signal have come.
        var freed = false
        var failure: WorldError?
        /// Carries a result because a throwing continuation erases the error's type.
        var continuation: CheckedContinuation<Result<Void, WorldError>, Never>
    }

    private struct BarrierState {
        /// The lane that opened the group to which the name belongs.
        var group: LaneID
        var name: String
        var count: Int
        /// At least so many wait there.
        var arrived = 0
    }

    /// A lane that may go on, if it still waits with this ticket.
    private struct Candidate: Comparable, Sendable {
        var lane: LaneID
        var ticket: Int

        static func < (a: Candidate, b: Candidate) -> Bool { a.lane < b.lane }
    }

    /// A lane that sleeps.
    private struct Sleeper: Comparable, Sendable {
        var until: Timestamp
        var candidate: Candidate

        static func < (a: Sleeper, b: Sleeper) -> Bool {
            a.until == b.until ? a.candidate < b.candidate : a.until < b.until
        }
    }

    private let time: VirtualTime
    private var order: OrderOfTurns
    /// In the order of `LaneID`, always: choices must not depend on who came first.
    private var seats: [Seat] = [Seat(id: .main, state: .running, started: true)]
    private var barriers: [BarrierState] = []
    private var isShut = false
    private var round = 0
    private var tickets = 0
    /// Seats that neither wait nor are parked.
    private var moving = 1
    /// Lanes that are ready, by what they have coming, for the order as written: a look at every seat for each turn would
    /// take quadratic time.
    private var failing = Heap<Candidate>()
    private var starting = Heap<Candidate>()
    private var unserved = Heap<Candidate>()
    private var served = Heap<Candidate>()
    private var sleepers = Heap<Sleeper>()
    private var mayBeFull = false
    /// Seats that were looked at so far: for tests that double the number of lanes.
    package private(set) var looks = 0

    /// - Parameters:
    ///   - time: The world's base time, which the turnstile moves.
    ///   - order: Which of the ready lanes goes on.
    public init(time: VirtualTime, order: LaneOrder = .asWritten) {
        self.time = time
        self.order = OrderOfTurns(order)
    }

    /// Opens the branches of one `parallel` step; the lane that opens them waits until all are closed.
    ///
    /// Call it before the branches' tasks start. Each branch should first wait for its turn, so that nothing it does
    /// comes before that.
    ///
    /// - Parameters:
    ///   - lanes: Branches of one lane.
    ///   - barriers: Name to the number of lanes below this group that will wait there. An inner group may use a name
    ///     again; it is then another barrier.
    public func open(lanes: [LaneID], barriers counts: [String: Int]) {
        guard let parent = lanes.first?.parent else { return }
        var opened = 0
        for lane in lanes where lane.parent == parent && index(of: lane) == nil {
            seats.insert(Seat(id: lane, state: .running), at: place(of: lane))
            moving += 1
            opened += 1
        }
        guard opened > 0, let position = index(of: parent) else { return }
        if case .running = seats[position].state { moving -= 1 }
        if case .parked(let branches) = seats[position].state {
            opened += branches
        }
        seats[position].state = .parked(branches: opened)
        for name in counts.keys.sorted() {
            barriers.append(BarrierState(group: parent, name: name, count: counts[name] ?? 1))
        }
    }

    /// Waits until the reason has come and it is the lane's turn.
    ///
    /// Outside `parallel` there is one lane: it goes on at once, `until` moving base time there. A signal is the
    /// exception, as nobody is left to give it: that is a deadlock.
    ///
    /// - Throws: `WorldError.deadlock`; `.closed` when the world was shut down, the lane is not open, has open branches
    ///   of its own or waits already.
    public func wait(_ lane: LaneID, for reason: Reason) async throws(WorldError) {
        guard !isShut, let position = index(of: lane), case .running = seats[position].state else {
            throw .closed
        }
        if seats.count == 1 {
            switch reason {
            case .turn, .barrier: return
            case .until(let instant): return time.advance(to: instant)
            case .signal: throw .deadlock([(lane: lane, waitsFor: describe(reason))])
            }
        }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, WorldError>, Never>) in
            tickets += 1
            moving -= 1
            seats[position].state = .waiting(Wait(reason: reason, ticket: tickets, continuation: continuation))
            expect(position, reason)
            letOneThrough()
        }
        try result.get()
    }

    /// Frees the lanes that wait for this signal now; each still needs its turn. A signal for which nobody waits is
    /// forgotten.
    public func signal(_ name: String) {
        for position in seats.indices {
            guard case .waiting(var wait) = seats[position].state, case .signal(name) = wait.reason else { continue }
            guard !wait.freed else { continue }
            wait.freed = true
            seats[position].state = .waiting(wait)
            ready(position)
        }
    }

    /// Ends a lane. Branches it has left open end with it.
    public func close(_ lane: LaneID) {
        guard let position = index(of: lane), let parent = lane.parent else { return }
        // What a lane has opened stands right behind it.
        var end = position + 1
        while end < seats.count, seats[end].id.path.starts(with: lane.path) { end += 1 }
        let ended = seats[position..<end]
        seats.removeSubrange(position..<end)
        if !barriers.isEmpty { barriers.removeAll { $0.group.path.starts(with: lane.path) } }
        for seat in ended {
            if case .running = seat.state { moving -= 1 }
            guard seat.id != lane, case .waiting(let wait) = seat.state else { continue }
            wait.continuation.resume(returning: .failure(.closed))
        }
        if let above = index(of: parent), case .parked(let branches) = seats[above].state {
            if branches > 1 {
                seats[above].state = .parked(branches: branches - 1)
            } else {
                seats[above].state = .running
                moving += 1
                barriers.removeAll { $0.group == parent }
            }
        }
        letOneThrough()
    }

    /// Ends the world: every wait, now and later, throws `closed`.
    public func shutDown() {
        isShut = true
        let ended = seats
        seats = [Seat(id: .main, state: .running, started: true)]
        moving = 1
        barriers = []
        failing.removeAll()
        starting.removeAll()
        unserved.removeAll()
        served.removeAll()
        sleepers.removeAll()
        for seat in ended {
            if case .waiting(let wait) = seat.state { wait.continuation.resume(returning: .failure(.closed)) }
        }
    }

    // MARK: The choice

    private func letOneThrough() {
        guard moving == 0 else { return }
        freeFullBarriers()
        guard let chosen = order.isDrawn ? drawn() : next(), case .waiting(let wait) = seats[chosen].state else {
            return
        }
        seats[chosen].state = .running
        moving += 1
        seats[chosen].started = true
        seats[chosen].round = round
        order.last = seats[chosen].id
        wait.continuation.resume(returning: wait.failure.map { .failure($0) } ?? .success(()))
    }

    /// Notes what a lane that has begun to wait waits for.
    private func expect(_ position: Int, _ reason: Reason) {
        switch reason {
        case .turn: ready(position)
        case .until(let instant):
            guard !order.isDrawn, let candidate = candidate(position) else { return }
            sleepers.insert(Sleeper(until: instant, candidate: candidate))
        case .barrier(let name):
            guard let barrier = barrier(named: name, for: seats[position].id) else {
                mayBeFull = true
                return
            }
            barriers[barrier].arrived += 1
            if barriers[barrier].arrived >= barriers[barrier].count { mayBeFull = true }
        case .signal: break
        }
    }

    private func candidate(_ position: Int) -> Candidate? {
        guard case .waiting(let wait) = seats[position].state else { return nil }
        return Candidate(lane: seats[position].id, ticket: wait.ticket)
    }

    /// Puts a lane among those that may go on.
    private func ready(_ position: Int) {
        guard !order.isDrawn, let candidate = candidate(position) else { return }
        if hasFailed(position) {
            failing.insert(candidate)
        } else if !seats[position].started {
            starting.insert(candidate)
        } else if seats[position].round == round {
            served.insert(candidate)
        } else {
            unserved.insert(candidate)
        }
    }

    /// The seat of a candidate that still waits.
    private func seat(of candidate: Candidate) -> Int? {
        guard let position = index(of: candidate.lane), case .waiting(let wait) = seats[position].state,
            wait.ticket == candidate.ticket
        else { return nil }
        return position
    }

    private func first(_ heap: inout Heap<Candidate>) -> Int? {
        while let candidate = heap.removeLeast() {
            if let position = seat(of: candidate) { return position }
        }
        return nil
    }

    /// The lane that goes on in the order as written.
    private func next() -> Int? {
        wake(until: time.now)
        if let position = firstReady() { return position }
        while let sleeper = sleepers.least {
            guard seat(of: sleeper.candidate) != nil else {
                sleepers.removeLeast()
                continue
            }
            time.advance(to: sleeper.until)
            wake(until: time.now)
            return firstReady()
        }
        reportDeadlock()
        return firstReady()
    }

    private func firstReady() -> Int? {
        if let position = first(&failing) ?? first(&starting) ?? first(&unserved) { return position }
        // Everybody who can has had a turn: the next round.
        guard let position = first(&served) else { return nil }
        round += 1
        swap(&unserved, &served)
        return position
    }

    /// Makes those ready whose instant has come.
    private func wake(until now: Timestamp) {
        while let sleeper = sleepers.least, sleeper.until <= now {
            sleepers.removeLeast()
            if let position = seat(of: sleeper.candidate) { ready(position) }
        }
    }

    /// The lane that goes on in a drawn order, which looks at all of them.
    private func drawn() -> Int? {
        var ready = readySeats()
        if ready.isEmpty, let next = earliestSleeper() {
            time.advance(to: next)
            ready = readySeats()
        }
        if ready.isEmpty {
            reportDeadlock()
            ready = readySeats()
        }
        return choose(among: ready)
    }

    private func readySeats() -> [Int] {
        let now = time.now
        looks += seats.count
        return seats.indices.filter { position in
            guard case .waiting(let wait) = seats[position].state else { return false }
            if wait.freed || wait.failure != nil { return true }
            return switch wait.reason {
            case .turn: true
            case .until(let instant): instant <= now
            case .barrier, .signal: false
            }
        }
    }

    private func choose(among ready: [Int]) -> Int? {
        guard !ready.isEmpty else { return nil }
        if let doomed = ready.first(where: { hasFailed($0) }) { return doomed }
        if !order.drawsStarts, let new = ready.first(where: { !seats[$0].started }) { return new }
        if order.goesInRounds {
            var candidates = ready.filter { seats[$0].round != round }
            if candidates.isEmpty {
                round += 1
                candidates = ready
            }
            return order.pick(candidates)
        }
        if order.staysWithLast(), let last = ready.first(where: { seats[$0].id == order.last }) { return last }
        return order.pick(ready)
    }

    private func hasFailed(_ position: Int) -> Bool {
        guard case .waiting(let wait) = seats[position].state else { return false }
        return wait.failure != nil
    }

    private func earliestSleeper() -> Timestamp? {
        var earliest: Timestamp?
        for seat in seats {
            guard case .waiting(let wait) = seat.state, case .until(let instant) = wait.reason else { continue }
            earliest = min(earliest ?? instant, instant)
        }
        return earliest
    }

    private func freeFullBarriers() {
        guard mayBeFull else { return }
        mayBeFull = false
        looks += seats.count
        var arrived: [(barrier: Int?, name: String, positions: [Int])] = []
        for position in seats.indices {
            guard case .waiting(let wait) = seats[position].state, !wait.freed, case .barrier(let name) = wait.reason
            else { continue }
            let barrier = self.barrier(named: name, for: seats[position].id)
            if let known = arrived.firstIndex(where: { $0.barrier == barrier && $0.name == name }) {
                arrived[known].positions.append(position)
            } else {
                arrived.append((barrier, name, [position]))
            }
        }
        for arrival in arrived {
            let count = arrival.barrier.map { barriers[$0].count } ?? 1
            guard arrival.positions.count >= count else { continue }
            if let barrier = arrival.barrier { barriers[barrier].arrived = 0 }
            for position in arrival.positions {
                guard case .waiting(var wait) = seats[position].state else { continue }
                wait.freed = true
                seats[position].state = .waiting(wait)
                ready(position)
            }
        }
    }

    /// The barrier of that name of the innermost group the lane is in.
    private func barrier(named name: String, for lane: LaneID) -> Int? {
        barriers.indices
            .filter { barriers[$0].name == name && lane.path.starts(with: barriers[$0].group.path) }
            .max { barriers[$0].group.path.count < barriers[$1].group.path.count }
    }

    private func reportDeadlock() {
        var waiting: [(lane: LaneID, waitsFor: String)] = []
        for seat in seats {
            guard case .waiting(let wait) = seat.state else { continue }
            waiting.append((seat.id, describe(wait.reason)))
        }
        for position in seats.indices {
            guard case .waiting(var wait) = seats[position].state else { continue }
            wait.failure = .deadlock(waiting)
            seats[position].state = .waiting(wait)
            ready(position)
        }
    }

    private func describe(_ reason: Reason) -> String {
        switch reason {
        case .turn: "its turn"
        case .until(let instant): instant.rfc3339
        case .barrier(let name): "barrier \"\(name)\""
        case .signal(let name): "signal \"\(name)\""
        }
    }

    private func index(of lane: LaneID) -> Int? {
        let place = place(of: lane)
        return place < seats.count && seats[place].id == lane ? place : nil
    }

    /// The index at which a lane is, or would be inserted, among the seats.
    private func place(of lane: LaneID) -> Int {
        var low = 0
        var high = seats.count
        while low < high {
            looks += 1
            let middle = low + (high - low) / 2
            if seats[middle].id < lane { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
