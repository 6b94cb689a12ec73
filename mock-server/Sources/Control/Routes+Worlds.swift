import AuthorityHosting
import B2CProtocol
import Determinism
import Diagnostics
import JSON
import MockAuthority
import TrustFramework

extension ControlRoutes {
    static let worlds: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/worlds", id: "listWorlds", doc: "Lists the worlds, the default one first.",
            answer: .init(
                status: 200, doc: "The worlds.",
                shape: ControlShapes.answer(
                    "worlds", [Field("worlds", .array(of: ControlShapes.world), "The worlds.")])),
            isOfWorld: false
        ) { call throws(ControlFault) in
            .json(200, ["worlds": .array(call.worlds.names.compactMap { call.worlds.world(named: $0) }.map(row))])
        },
        ControlRoute(
            method: "POST", path: "/worlds", id: "createWorld",
            doc: "Makes a world of its own, to be named in the header B2C-World from then on.",
            body: ControlShapes.newWorld,
            answer: .init(status: 201, doc: "The world.", shape: ControlShapes.world), faults: [.findings],
            isOfWorld: false, example: ["tenant": ["name": "contoso"], "seed": 7, "now": "2026-01-15T12:00:00Z"]
        ) { call throws(ControlFault) in
            let world = try await create(call)
            return .json(201, row(world))
        },
        ControlRoute(
            method: "DELETE", path: "/worlds/{world}", id: "removeWorld", doc: "Ends a world. The default one stays.",
            parts: [("world", "The world's name.")],
            answer: .init(status: 204, doc: "It is gone.", shape: nil), faults: [.notFound, .conflict],
            isOfWorld: false
        ) { call throws(ControlFault) in
            let name = call.parameter("world")
            guard name != Worlds.defaultName else {
                throw ControlFault(.conflict, "the default world stays; POST /reset empties it")
            }
            guard call.worlds.remove(name) else { throw ControlCall.noWorld(name, call.worlds) }
            return .nothing
        },
        ControlRoute(
            method: "POST", path: "/reset", id: "reset",
            doc: "Forgets journeys, grants, sessions and messages, or everything since the start.",
            body: ControlShapes.reset, answer: .init(status: 204, doc: "It is done.", shape: nil), example: [:]
        ) { call throws(ControlFault) in
            let world = try call.world()
            if call.text("to") == "start" {
                await world.restart()
            } else {
                try done(await world.command(.reset))
            }
            world.note("reset")
            return .nothing
        },
    ]

    private static func row(_ world: ServerWorld) -> JSONValue {
        [
            "world": .string(world.name), "tenant": .string(world.tenant.tenant.name),
            "now": .string(world.time.now().rfc3339), "virtual": .bool(world.isVirtual),
        ]
    }

    private static func create(_ call: ControlCall) async throws(ControlFault) -> ServerWorld {
        var number: UInt64 = 0
        if let value = call.body["seed"] {
            guard let read = value.intValue.flatMap(UInt64.init(exactly:)) ?? value.stringValue.flatMap(UInt64.init)
            else { throw ControlFault(.malformed, "`seed` is a number from 0 to \(UInt64.max)") }
            number = read
        }
        let seed =
            call.text("seedPath").map { SeededGenerator(seed: number, stream: $0) } ?? SeededGenerator(seed: number)
        let now = call.text("now").flatMap { Timestamp(rfc3339: $0) } ?? call.worlds.clock.now()
        do throws(InvalidInput) {
            let tenant = try CompiledTenant.compile(
                call.body["tenant"] ?? [:], shelf: policies(call.body).map { PolicyShelf(files: .texts($0)) },
                folder: call.text("folder") ?? ".")
            return await call.worlds.make(seed: seed, tenant: tenant, now: now)
        } catch {
            throw ControlFault(error)
        }
    }

    /// The custom policies that a body brings, by path.
    static func policies(_ body: JSONObject) -> [String: String]? {
        guard let members = body["policies"]?.objectValue?.members else { return nil }
        var texts: [String: String] = [:]
        for (path, text) in members { texts[path] = text.stringValue }
        return texts
    }

    static let clock: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/clock", id: "readClock", doc: "Reads the world's clock.",
            answer: .init(status: 200, doc: "The clock.", shape: ControlShapes.clock)
        ) { call throws(ControlFault) in .json(200, clock(try call.world())) },
        ControlRoute(
            method: "PATCH", path: "/clock", id: "moveClock", doc: "Moves, stops or skews the world's clock.",
            body: ControlShapes.clockChange,
            answer: .init(status: 200, doc: "The clock as it stands now.", shape: ControlShapes.clock),
            faults: [.conflict], example: ["advance": "PT61M"]
        ) { call throws(ControlFault) in
            let world = try call.world()
            try move(world, call)
            world.note("clock", ["now": .string(world.time.now().rfc3339)])
            return .json(200, clock(world))
        },
    ]

    private static func clock(_ world: ServerWorld) -> JSONValue {
        [
            "now": .string(world.time.now().rfc3339), "frozen": .bool(world.time.isFrozen),
            "virtual": .bool(world.isVirtual),
            "skew": .string((world.time.isFrozen ? TimeSpan.zero : world.time.offset).iso8601),
        ]
    }

    private static func move(_ world: ServerWorld, _ call: ControlCall) throws(ControlFault) {
        let time = world.time
        let target = call.text("now").flatMap { Timestamp(rfc3339: $0) }
        let span = call.text("advance").flatMap { TimeSpan(iso8601: $0) }
        if world.isVirtual {
            if call.body["freeze"] == false || call.body["skew"] != nil {
                throw ControlFault(
                    .conflict, "the time of a world that was made stands still; move it by `now` or `advance`")
            }
            if let target, target < time.now() {
                throw ControlFault(
                    .conflict, "the time of a world that was made goes forward only; it shows \(time.now().rfc3339)")
            }
            if let span, span < .zero {
                throw ControlFault(.conflict, "the time of a world that was made goes forward only")
            }
        }
        if let freeze = call.body["freeze"]?.boolValue { time.freeze(freeze) }
        if let skew = call.text("skew").flatMap({ TimeSpan(iso8601: $0) }) {
            guard !time.isFrozen else {
                throw ControlFault(.conflict, "a clock that stands still has no skew; set it by `now`")
            }
            time.setSkew(skew)
        }
        if let target { time.set(target) }
        if let span { time.advance(by: span) }
    }
}
