import B2CProtocol
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import Records

extension ControlRoutes {
    /// Bounds of what stays with a world after a call.
    static let (mostPublished, mostRules, mostOrderBytes) = (64, 1000, 64 << 10)

    static let keys: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/keys", id: "listKeys", doc: "Lists the key sets with the public keys.",
            answer: .init(status: 200, doc: "The key sets.", shape: ControlShapes.keys)
        ) { call throws(ControlFault) in
            .json(200, ["keySets": try await value(call.world().command(.inspect(.keys)))])
        },
        ControlRoute(
            method: "POST", path: "/keys/{set}/rotate", id: "rotateKeys",
            doc: "Lets a key set sign with another key from now on.",
            parts: [("set", "Name of the key set: `service` signs for user flows.")],
            body: ControlShapes.rotation, answer: .init(status: 200, doc: "The key sets.", shape: ControlShapes.keys),
            faults: [.notFound, .conflict, .findings], example: ["keepPublished": true]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let tenant = world.tenant.tenant
            let name = call.parameter("set")
            guard let set = tenant.keySet(named: name) else {
                let near = nearestName(name, among: tenant.keySets.map(\.name)).map { "; did you mean `\($0)`?" } ?? ""
                throw ControlFault(.notFound, "there is no key set `\(name.prefix(60))`\(near)")
            }
            let taken = tenant.keySets.flatMap { [$0.use] + $0.publish }
            let key = call.text("key") ?? (2...).lazy.map { "k\($0)" }.first { !taken.contains($0) } ?? "k2"
            let old = call.body["keepPublished"]?.boolValue == false ? [] : set.publish.filter { $0 != key }
            guard old.count < mostPublished else {
                throw ControlFault(
                    .conflict,
                    "the key set publishes \(old.count) keys, and at most \(mostPublished) can be published; "
                        + "`\"keepPublished\": false` publishes the new one alone")
            }
            let change: JSONValue = [
                "use": .string(key), "publish": .array((old + [key]).map { .string($0) }),
            ]
            try await configure(world, ["keySets": .object([name: change])])
            world.note("keys", ["set": .string(name), "use": .string(key)])
            return .json(200, ["keySets": try value(await world.command(.inspect(.keys)))])
        },
    ]

    static let inbox: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/inbox", id: "readInbox",
            doc: "Lists the e-mails, SMS and calls that went out, with their codes.",
            query: [
                .init(name: "to", kind: .text, doc: "Only those to this address or number, or to this person.")
            ], answer: .init(status: 200, doc: "The messages, oldest first.", shape: ControlShapes.inbox)
        ) { call throws(ControlFault) in
            let world = try call.world()
            var messages = try value(await world.command(.inspect(.inbox))).arrayValue ?? []
            if let to = call.request.url.queryItems["to"] {
                let person = world.tenant.tenant.user(named: to)
                let addresses = ([to, person?.email, person?.phone] as [String?]).compactMap { $0?.lowercased() }
                messages = messages.filter { addresses.contains($0["to"]?.stringValue?.lowercased() ?? "") }
            }
            return .json(200, ["messages": .array(messages)])
        },
        ControlRoute(
            method: "DELETE", path: "/inbox", id: "clearInbox", doc: "Forgets the messages; codes in them stay good.",
            answer: .init(status: 204, doc: "It is empty.", shape: nil)
        ) { call throws(ControlFault) in
            try await done(call.world().command(.clearInbox))
            return .nothing
        },
    ]

    static let faults: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/faults", id: "readFaults", doc: "Lists the fault rules in force and what they did.",
            answer: .init(status: 200, doc: "The rules.", shape: ControlShapes.standing)
        ) { call throws(ControlFault) in .json(200, standing(try call.world())) },
        ControlRoute(
            method: "PUT", path: "/faults", id: "putFaults", doc: "Puts fault rules in force in place of others.",
            body: ControlShapes.faults,
            answer: .init(status: 200, doc: "The rules.", shape: ControlShapes.standing), faults: [.findings],
            example: ["rules": [["match": ["endpoint": "token"], "times": 1, "network": "reset"]]]
        ) { call throws(ControlFault) in
            let world = try call.world()
            guard let document = call.document else { throw ControlFault(.malformed, "the body is missing") }
            let count = call.body["rules"]?.arrayValue?.count ?? 0
            guard count <= mostRules else {
                throw ControlFault(.malformed, "`rules` has \(count) rules, and at most \(mostRules) can be in force")
            }
            let rules: [FaultRule]
            do throws(InvalidInput) {
                rules = try FaultRule.rules(in: document, at: JSONPointer(tokens: ["rules"]))
            } catch {
                throw ControlFault(error)
            }
            if let rule = rules.first(where: \.isForCallbacks) {
                throw ControlFault(
                    .conflict,
                    "the rule at \(rule.pointer) is for callbacks, which are handed over on the app's side of the wire")
            }
            let counts = try (call.body["counts"]?.arrayValue ?? []).map { count throws(ControlFault) in
                for name in ["met", "fired"] where count[name] != nil && count.count(name) == nil {
                    throw ControlFault(.malformed, "`counts` holds numbers from 0 to 2^53 - 1")
                }
                return FaultRules.Count(json: count)
            }
            world.exchanges.put(
                rules, strikes: call.text("strikes").flatMap(WorldExchanges.Strikes.init) ?? .all, counts: counts)
            world.note("faults", ["rules": .integer(Int64(rules.count))])
            return .json(200, standing(world))
        },
        ControlRoute(
            method: "DELETE", path: "/faults", id: "clearFaults",
            doc:
                "Removes the rules and reports which never fired, or changed nothing with one of their parts.",
            answer: .init(status: 200, doc: "The rules that did not do their work.", shape: ControlShapes.unused)
        ) { call throws(ControlFault) in
            let world = try call.world()
            let unused = world.exchanges.clear()
            world.note("faults", ["rules": 0])
            return .json(
                200,
                [
                    "unused": .array(unused.map(\.rule.json)), "reasons": .array(unused.map { .string($0.text) }),
                ])
        },
        ControlRoute(
            method: "POST", path: "/faults/effects", id: "orderEffects",
            doc: "Asks for the authority's part of a rule that struck at the caller's side, for one exchange.",
            body: ControlShapes.effects, answer: .init(status: 204, doc: "It is noted.", shape: nil),
            faults: [.findings], example: ["exchange": "4", "b2cError": "AADB2C90035"]
        ) { call throws(ControlFault) in
            guard call.request.body.count <= mostOrderBytes else {
                throw ControlFault(
                    .tooLarge,
                    "the body has \(call.request.body.count) bytes, and the effects for one exchange at most "
                        + "\(mostOrderBytes) (\(mostOrderBytes >> 10) kB)")
            }
            let world = try call.world()
            var rule = JSONObject()
            for key in ["claims", "b2cError"] { rule[key] = call.body[key] }
            let orders: PeerOrders?
            do throws(MalformedValue) {
                orders = try FaultRule.rules(from: [.object(rule)]).first?.orders
            } catch {
                throw ControlFault(.malformed, error.message)
            }
            guard let orders else { throw ControlFault(.malformed, "`claims` or `b2cError` is needed") }
            world.exchanges.order(orders, exchange: call.text("exchange") ?? "")
            return .nothing
        },
    ]

    private static func standing(_ world: ServerWorld) -> JSONValue {
        let (rules, strikes) = world.exchanges.standing()
        return [
            "strikes": .string(strikes.rawValue),
            "rules": .array(
                rules.map { entry in
                    var json: JSONObject = ["rule": entry.rule.json]
                    for (name, value) in entry.count.json.members { json[name] = value }
                    return .object(json)
                }),
        ]
    }

    static let tokens: [ControlRoute] = [
        ControlRoute(
            method: "POST", path: "/tokens", id: "mintToken", doc: "Makes a token that no journey issued.",
            body: ControlShapes.mint, answer: .init(status: 200, doc: "The token.", shape: ControlShapes.token),
            faults: [.conflict], example: ["claims": ["sub": "somebody"], "lifetime": "-PT5M"]
        ) { call throws(ControlFault) in
            let order = MintOrder.decode(.object(call.body), SettingsCursor()) ?? MintOrder()
            return .json(200, try await value(call.world().command(.mint(order.withLifetime))))
        }
    ]

    static let apis: [ControlRoute] = [
        ControlRoute(
            method: "POST", path: "/apis/{name}/restart", id: "restartAPI",
            doc: "Lets a protected API forget the keys and metadata it has read.",
            parts: [("name", "Name of the API in the tenant file; `*` for all.")], body: ControlShapes.nothing,
            answer: .init(status: 204, doc: "It has forgotten.", shape: nil), faults: [.notFound], example: [:]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let name = call.parameter("name")
            let known = world.tenant.tenant.apis.map(\.name)
            guard name == "*" || known.contains(name) else {
                let near = nearestName(name, among: known).map { "; did you mean `\($0)`?" } ?? ""
                throw ControlFault(.notFound, "there is no API `\(name.prefix(60))`\(near)")
            }
            await world.environment.restartAPI(name == "*" ? nil : name)
            world.note("restart", ["api": .string(name)])
            return .nothing
        }
    ]
}
