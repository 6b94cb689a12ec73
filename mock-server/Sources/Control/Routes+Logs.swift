import Determinism
import Diagnostics
import JSON
import MockAuthority

extension ControlRoutes {
    private static let since = ControlRoute.Query(
        name: "since", kind: .number(0...1_000_000_000_000), doc: "Only what came after this place; 0.")
    private static let limit = ControlRoute.Query(
        name: "limit", kind: .number(1...10_000), doc: "At most so many; 1000.")

    static let logs: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/events", id: "readEvents",
            doc: "Reads the world's journal: requests, traces, messages, refusals, control calls, in one order.",
            query: [since, limit, secrets],
            answer: .init(status: 200, doc: "The entries.", shape: ControlShapes.journal)
        ) { call throws(ControlFault) in
            let world = try call.world()
            let page = try page(call, world, types: [])
            let events = await shown(page, of: world, to: call) { .object($0.json(world.classifier)) }
            return .json(
                200, ["next": .integer(Int64(page.next)), "dropped": .bool(page.dropped), "events": events])
        },
        ControlRoute(
            method: "GET", path: "/events/stream", id: "streamEvents",
            doc: "The same as server-sent events: `id` is the place, `event` the type, `data` the entry.",
            query: [since, secrets],
            answer: .init(status: 200, doc: "The entries as they happen.", shape: nil, isStream: true),
            faults: [.busy]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let last = call.request.headers["Last-Event-ID"].flatMap { Int($0) }
            var since = try call.number("since", in: 0...1_000_000_000_000, otherwise: 0)
            if let last { since = last }
            guard let chunks = EventStream.chunks(world, since: since, showsSecrets: call.showsSecrets) else {
                throw ControlFault(.busy, "\(Journal.mostReaders) readers listen to this world already")
            }
            return .events(chunks)
        },
        ControlRoute(
            method: "GET", path: "/requests", id: "readRequests",
            doc: "Reads the log of requests with the reason of each refusal.", query: [since, limit, secrets],
            answer: .init(status: 200, doc: "The records.", shape: ControlShapes.requests)
        ) { call throws(ControlFault) in
            let world = try call.world()
            let page = try page(call, world, types: ["request"])
            let records = await shown(page, of: world, to: call) { entry in
                var record: JSONObject = ["seq": .integer(Int64(entry.sequence))]
                for (name, value) in entry.json(world.classifier)["request"]?.objectValue?.members ?? [] {
                    record[name] = value
                }
                return .object(record)
            }
            return .json(200, ["next": .integer(Int64(page.next)), "requests": records])
        },
    ]

    /// The entries of a page as JSON, without secrets unless the call asks for them.
    private static func shown(
        _ page: Journal.EntryPage, of world: ServerWorld, to call: ControlCall,
        describe: @escaping @Sendable (Journal.Entry) -> JSONValue
    ) async -> JSONValue {
        let showsSecrets = call.showsSecrets
        return await ControlMask.aside {
            let value = JSONValue.array(page.entries.map(describe))
            guard !showsSecrets else { return value }
            return ControlMask.masked(value, world.tenant.tenant, codes: world.journal.codes(upTo: page.next))
        }
    }

    private static func page(
        _ call: ControlCall, _ world: ServerWorld, types: [String]
    ) throws(ControlFault) -> Journal.EntryPage {
        world.journal.page(
            since: try call.number("since", in: 0...1_000_000_000_000, otherwise: 0),
            limit: try call.number("limit", in: 1...10_000, otherwise: 1000), types: types)
    }

    static let state: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/state", id: "exportState",
            doc: "Writes out the world: settings, people, inbox, clock. It contains passwords as they are.",
            answer: .init(status: 200, doc: "The document.", shape: ControlShapes.state)
        ) { call throws(ControlFault) in
            let world = try call.world()
            var document: JSONObject = ["format": "b2c-harness/state", "version": 1]
            document["clock"] = ["now": .string(world.time.now().rfc3339), "frozen": .bool(world.time.isFrozen)]
            document["tenant"] = world.declared.json
            for (name, value) in try value(await world.command(.export)).objectValue?.members ?? [] {
                document[name] = value
            }
            return .json(200, .object(document))
        },
        ControlRoute(
            method: "PUT", path: "/state", id: "importState",
            doc:
                "Makes the world what the document says, or, with an error, changes nothing. Journeys, grants and sessions are forgotten. "
                + "The body has at most 32 MB, about 50,000 accounts; more is answered with 413. `--state FILE` has no such limit.",
            body: ControlRoutes.stateBody, answer: .init(status: 204, doc: "It is done.", shape: nil),
            faults: [.findings, .conflict]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let answer: ControlAnswer
            do throws(InvalidInput) {
                answer = try await world.restore(tenant: call.body["tenant"] ?? [:], .object(call.body)) {
                    setClock(of: world, call.body["clock"] ?? [:])
                }
            } catch {
                throw ControlFault(error)
            }
            try done(answer)
            world.note("import")
            return .nothing
        },
    ]

    private static func setClock(of world: ServerWorld, _ clock: JSONValue) {
        guard let now = clock["now"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }) else { return }
        if !world.isVirtual, let frozen = clock["frozen"]?.boolValue { world.time.freeze(frozen) }
        world.time.set(now)
    }

    private static var stateBody: ObjectShape {
        guard case .object(let shape) = ControlShapes.state else { return ControlShapes.nothing }
        return shape
    }
}
