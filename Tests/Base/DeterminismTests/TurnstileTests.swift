import Determinism
import Synchronization
import Testing

/// What lanes did, in the order they did it.
private final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

private let start = Timestamp(seconds: 1_768_478_400)

/// A world with a main lane; branches are run the way a `parallel` step runs them.
private struct World: Sendable {
    let time = VirtualTime(start)
    let turnstile: Turnstile
    let journal = Journal()

    /// - Parameter seed: Draws the order of turns; `nil`: they go in the order written.
    init(seed: UInt64? = nil) {
        turnstile = Turnstile(time: time, order: seed.map { .drawn(SeededGenerator(seed: $0)) } ?? .asWritten)
    }

    func parallel(
        in parent: LaneID = .main, barriers: [String: Int] = [:],
        _ branches: [@Sendable (World, LaneID) async throws -> Void]
    ) async {
        let lanes = branches.indices.map { parent.branch($0) }
        await turnstile.open(lanes: lanes, barriers: barriers)
        await withTaskGroup(of: Void.self) { group in
            // Started in the opposite order: the order of tasks must not show.
            for index in branches.indices.reversed() {
                group.addTask {
                    do {
                        try await turnstile.wait(lanes[index], for: .turn)
                        try await branches[index](self, lanes[index])
                    } catch {
                        journal.note("\(lanes[index]): \(error)")
                    }
                    await turnstile.close(lanes[index])
                }
            }
        }
    }

    var elapsed: TimeSpan { time.now - start }
}

@Suite struct TurnstileTests {
    /// Four lanes with turns, a pause, a barrier, a signal and branches of their own.
    private func busyWorld(seed: UInt64? = nil) async -> [String] {
        let world = World(seed: seed)
        await world.parallel(
            barriers: ["both": 2],
            [
                { world, lane in
                    for n in 1...4 {
                        world.journal.note("a\(n) \(world.elapsed)")
                        try await world.turnstile.wait(lane, for: .turn)
                    }
                    try await world.turnstile.wait(lane, for: .barrier("both"))
                    world.journal.note("a met \(world.elapsed)")
                },
                { world, lane in
                    world.journal.note("b1")
                    try await world.turnstile.wait(lane, for: .until(world.time.now + .seconds(3)))
                    world.journal.note("b slept \(world.elapsed)")
                    try await world.turnstile.wait(lane, for: .barrier("both"))
                    world.journal.note("b met")
                    await world.turnstile.signal("refreshed")
                    try await world.turnstile.wait(lane, for: .turn)
                    world.journal.note("b end")
                },
                { world, lane in
                    world.journal.note("c1")
                    try await world.turnstile.wait(lane, for: .signal("refreshed"))
                    world.journal.note("c joined")
                },
                { world, lane in
                    await world.parallel(
                        in: lane,
                        (0..<3).map { n in
                            { @Sendable world, inner in
                                for k in 0..<3 {
                                    world.journal.note("d\(n)\(k)")
                                    try await world.turnstile.wait(inner, for: .turn)
                                }
                            }
                        })
                    world.journal.note("d end")
                    try await world.turnstile.wait(lane, for: .until(world.time.now + .seconds(1)))
                    world.journal.note("d slept \(world.elapsed)")
                },
            ])
        world.journal.note("main \(world.elapsed)")
        return world.journal.all
    }

    @Test(arguments: [nil, 1, 2, 3, 4, 5, 6] as [UInt64?])
    func `one seed gives one order`(seed: UInt64?) async {
        let first = await busyWorld(seed: seed)
        #expect(first.count == 23)
        #expect(first.last == "main PT3S")
        for _ in 0..<200 {
            let again = await busyWorld(seed: seed)
            #expect(again == first)
        }
    }

    @Test func `seeds give different orders`() async {
        var orders: Set<[String]> = []
        for seed in 0..<40 { orders.insert(await busyWorld(seed: UInt64(seed))) }
        #expect(orders.count > 20)
    }

    @Test func `branches start and take turns in the order written`() async {
        let world = World()
        await world.parallel(
            (0..<4).map { n in
                { @Sendable world, lane in
                    world.journal.note("start \(n)")
                    for turn in 1...(3 + n % 2) {
                        try await world.turnstile.wait(lane, for: .turn)
                        world.journal.note("\(n) turn \(turn)")
                    }
                }
            })
        #expect(
            world.journal.all == [
                "start 0", "start 1", "start 2", "start 3", "0 turn 1", "1 turn 1", "2 turn 1", "3 turn 1", "0 turn 2",
                "1 turn 2", "2 turn 2", "3 turn 2", "0 turn 3", "1 turn 3", "2 turn 3", "3 turn 3", "1 turn 4",
                "3 turn 4",
            ])
    }

    /// Branches of branches take turns with all others, and a branch that sleeps comes back at its place.
    @Test func `inner branches and sleepers keep the order written`() async {
        let world = World()
        await world.parallel([
            { world, lane in
                await world.parallel(
                    in: lane,
                    (0..<2).map { n in
                        { @Sendable world, inner in
                            for turn in 1...3 {
                                try await world.turnstile.wait(inner, for: .turn)
                                world.journal.note("a\(n)\(turn)")
                            }
                        }
                    })
            },
            { world, lane in
                for turn in 1...2 {
                    try await world.turnstile.wait(lane, for: .turn)
                    world.journal.note("b\(turn)")
                }
                try await world.turnstile.wait(lane, for: .until(start + .seconds(1)))
                world.journal.note("b slept")
            },
            { world, lane in
                try await world.turnstile.wait(lane, for: .until(start + .seconds(1)))
                world.journal.note("c slept")
            },
        ])
        #expect(world.journal.all == ["a01", "a11", "b1", "a02", "a12", "b2", "a03", "a13", "b slept", "c slept"])
    }

    /// All the ways in which two lanes of two turns each can go, starts included, and no lane is lost.
    @Test func `seeds reach every order`() async {
        var orders: Set<[String]> = []
        for seed in 0..<400 {
            let world = World(seed: UInt64(seed))
            await world.parallel(
                (0..<2).map { n in
                    { @Sendable world, lane in
                        for turn in 0..<3 {
                            if turn > 0 { try await world.turnstile.wait(lane, for: .turn) }
                            world.journal.note("\(n)")
                        }
                    }
                })
            #expect(world.journal.all.sorted() == ["0", "0", "0", "1", "1", "1"])
            orders.insert(world.journal.all)
        }
        // Six turns, three of each lane.
        #expect(orders.count == 20)
    }

    /// A lane that waits for the work of another gets it in every order.
    @Test func `nobody is passed over`() async {
        for seed in 0..<60 {
            let world = World(seed: UInt64(seed))
            let isDone = Mutex(false)
            await world.parallel([
                { world, lane in
                    while !isDone.withLock({ $0 }) { try await world.turnstile.wait(lane, for: .turn) }
                    world.journal.note("first")
                },
                { world, lane in
                    for _ in 0..<20 { try await world.turnstile.wait(lane, for: .turn) }
                    isDone.withLock { $0 = true }
                    world.journal.note("second")
                },
            ])
            #expect(world.journal.all == ["second", "first"])
        }
    }

    @Test func `only one lane runs at a time`() async {
        let world = World(seed: 3)
        let running = Mutex(0)
        let most = Mutex(0)
        await withoutEscapingCounters { enter, leave in
            await world.parallel(
                (0..<6).map { _ in
                    { @Sendable world, lane in
                        for _ in 0..<20 {
                            try await world.turnstile.wait(lane, for: .turn)
                            enter()
                            await Task.yield()
                            leave()
                        }
                    }
                })
        } counter: { change in
            running.withLock { count in
                count += change
                most.withLock { $0 = max($0, count) }
            }
        }
        #expect(most.withLock { $0 } == 1)
    }

    private func withoutEscapingCounters(
        _ body: (_ enter: @escaping @Sendable () -> Void, _ leave: @escaping @Sendable () -> Void) async -> Void,
        counter: @escaping @Sendable (Int) -> Void
    ) async {
        await body({ counter(1) }, { counter(-1) })
    }

    @Test func `time moves only when all wait`() async {
        let world = World()
        await world.parallel([
            { world, lane in
                try await world.turnstile.wait(lane, for: .until(start + .minutes(10)))
                world.journal.note("late \(world.elapsed)")
            },
            { world, lane in
                for _ in 0..<5 {
                    world.journal.note("busy \(world.elapsed)")
                    try await world.turnstile.wait(lane, for: .turn)
                }
                try await world.turnstile.wait(lane, for: .until(start + .minutes(2)))
                world.journal.note("early \(world.elapsed)")
                world.time.advance(by: .hours(1))
            },
        ])
        let all = world.journal.all
        #expect(all.filter { $0 == "busy PT0S" }.count == 5)
        #expect(Array(all.suffix(2)) == ["early PT2M", "late PT1H2M"])
    }

    @Test func `nothing waits outside parallel`() async throws {
        let world = World()
        try await world.turnstile.wait(.main, for: .turn)
        try await world.turnstile.wait(.main, for: .barrier("alone"))
        try await world.turnstile.wait(.main, for: .until(start + .seconds(90)))
        #expect(world.elapsed == .seconds(90))
        try await world.turnstile.wait(.main, for: .until(start))
        #expect(world.elapsed == .seconds(90))
        await #expect { try await world.turnstile.wait(.main, for: .signal("refresh")) } throws: { error in
            "\(error)" == "deadlock: main waits for signal \"refresh\""
        }
    }

    @Test func `a deadlock names every lane, and the world goes on`() async throws {
        let world = World()
        await world.parallel(
            barriers: ["meet": 3],
            [
                { world, lane in try await world.turnstile.wait(lane, for: .barrier("meet")) },
                { world, lane in try await world.turnstile.wait(lane, for: .signal("refresh")) },
                { _, _ in },
                { world, lane in try await world.turnstile.wait(lane, for: .barrier("meet")) },
            ])
        let text =
            "deadlock: branch 1 waits for barrier \"meet\", branch 2 waits for signal \"refresh\", "
            + "branch 4 waits for barrier \"meet\""
        #expect(world.journal.all == ["branch 1: \(text)", "branch 2: \(text)", "branch 4: \(text)"])
        // What follows, such as `finally`, still has its turns.
        try await world.turnstile.wait(.main, for: .turn)
    }

    @Test func `barriers serve again, and inner names are others`() async {
        let world = World()
        await world.parallel(
            barriers: ["x": 2],
            [
                { world, lane in
                    for round in 1...3 {
                        try await world.turnstile.wait(lane, for: .barrier("x"))
                        world.journal.note("round \(round)")
                    }
                },
                { world, lane in
                    await world.parallel(
                        in: lane, barriers: ["x": 2],
                        (0..<2).map { _ in
                            { @Sendable world, inner in
                                try await world.turnstile.wait(inner, for: .barrier("x"))
                                world.journal.note("inner")
                            }
                        })
                    for round in 1...3 {
                        try await world.turnstile.wait(lane, for: .barrier("x"))
                        world.journal.note("round \(round)")
                    }
                },
            ])
        #expect(
            world.journal.all == [
                "inner", "inner", "round 1", "round 1", "round 2", "round 2", "round 3", "round 3",
            ])
    }

    @Test func `signals are not kept`() async {
        let world = World()
        await world.parallel([
            { world, _ in await world.turnstile.signal("early") },
            { world, lane in try await world.turnstile.wait(lane, for: .signal("early")) },
        ])
        #expect(world.journal.all == ["branch 2: deadlock: branch 2 waits for signal \"early\""])
    }

    @Test func `closed lanes and worlds are refused`() async {
        let world = World()
        await #expect(throws: WorldError.self) {
            try await world.turnstile.wait(LaneID(path: [7]), for: .turn)
        }
        await world.turnstile.close(LaneID(path: [7]))
        await world.parallel([
            { world, lane in try await world.turnstile.wait(lane, for: .turn) },
            { world, _ in await world.turnstile.shutDown() },
        ])
        #expect(world.journal.all == ["branch 1: the world is closed"])
        await #expect(throws: WorldError.self) { try await world.turnstile.wait(.main, for: .turn) }
    }

    @Test func `a parent waits nowhere while branches are open`() async {
        let turnstile = Turnstile(time: VirtualTime(start))
        await turnstile.open(lanes: [LaneID(path: [0])], barriers: [:])
        await #expect(throws: WorldError.self) { try await turnstile.wait(.main, for: .turn) }
        await turnstile.close(LaneID(path: [0]))
        await #expect(throws: Never.self) { try await turnstile.wait(.main, for: .turn) }
    }
}

/// Very many lanes: the work per turn must not grow with their number.
@Suite struct TurnstileWorkTests {
    private func looks(lanes count: Int, turns: Int) async -> Int {
        let world = World()
        let branch: @Sendable (World, LaneID) async throws -> Void = { world, lane in
            for turn in 0..<turns {
                try await world.turnstile.wait(lane, for: .turn)
                try await world.turnstile.wait(lane, for: .until(world.time.now + .seconds(Int64(turn % 3))))
            }
            try await world.turnstile.wait(lane, for: .barrier("all"))
        }
        await world.parallel(barriers: ["all": count], Array(repeating: branch, count: count))
        return await world.turnstile.looks
    }

    @Test func `twice the lanes take little more than twice the looks`() async {
        let few = await looks(lanes: 100, turns: 5)
        let many = await looks(lanes: 200, turns: 5)
        #expect(few > 100)
        #expect(Double(many) < 2.6 * Double(few), "\(few) and \(many)")
    }
}
