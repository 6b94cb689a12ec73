import B2CProtocol
import Determinism
import Diagnostics
import JSON
import MockAuthority

extension ControlRoutes {
    static let tenant: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/tenant", id: "readTenant", doc: "Reads the tenant's settings.", query: [secrets],
            answer: .init(status: 200, doc: "The settings.", shape: ControlShapes.tenant)
        ) { call throws(ControlFault) in
            .json(200, call.shown(settings(of: try call.world())))
        },
        ControlRoute(
            method: "PATCH", path: "/tenant", id: "configure",
            doc: "Lays a merge patch over the tenant file. What was issued stays as it is.", query: [secrets],
            body: ControlShapes.tenantChange,
            answer: .init(status: 200, doc: "The settings after the change.", shape: ControlShapes.tenant),
            faults: [.findings],
            example: ["patch": ["policies": ["susi": ["tokens": ["accessToken": "PT5M"]]]]]
        ) { call throws(ControlFault) in
            let world = try call.world()
            try await configure(
                world, call.body["patch"] ?? [:], policies: policies(call.body), folder: call.text("folder"))
            world.note("configure", ["patch": call.body["patch"] ?? [:]])
            return .json(200, call.shown(settings(of: world)))
        },
    ]

    /// The settings of a world, and what follows from those of each app.
    private static func settings(of world: ServerWorld) -> JSONValue {
        var apps = JSONObject()
        for app in world.tenant.tenant.apps {
            apps[app.name] =
                switch app.redirect {
                case .success(let found): ["redirectUri": .string(found.uri)]
                case .failure(let none): ["redirectUri": .null, "problem": .string(none.reason)]
                }
        }
        return ["tenant": world.tenant.tenant.json, "written": world.declared.json, "apps": .object(apps)]
    }

    /// Lays a patch over the tenant file of a world.
    static func configure(
        _ world: ServerWorld, _ patch: JSONValue, policies: [String: String]? = nil, folder: String? = nil
    ) async throws(ControlFault) {
        do throws(InvalidInput) {
            try await world.configure(patch, policies: policies, folder: folder)
        } catch {
            throw ControlFault(error)
        }
    }

    // MARK: people

    private static let name = (name: "name", doc: "The person's name, or how the account signs in.")
    static let pages: [ControlRoute.Query] = [
        .init(name: "from", kind: .number(0...1_000_000_000), doc: "Passes over so many."),
        .init(name: "limit", kind: .number(1...10_000), doc: "At most so many; 1000."),
    ]

    static let users: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/users", id: "listUsers", doc: "Lists the people, a page at a time.",
            query: pages + [secrets], answer: .init(status: 200, doc: "The people.", shape: ControlShapes.users)
        ) { call throws(ControlFault) in
            let world = try call.world()
            let (rows, next) = try await page(.users, call, world)
            return .json(200, call.shown(["users": rows, "next": next]))
        },
        ControlRoute(
            method: "POST", path: "/users", id: "addUser", doc: "Adds a person.", query: [secrets],
            body: ControlShapes.newUser, answer: .init(status: 201, doc: "The person.", shape: ControlShapes.user),
            faults: [.conflict, .findings],
            example: [
                "name": "eve", "user": ["email": "eve@example.test", "password": "Evening-2026", "displayName": "Eve"],
            ]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let name = call.text("name") ?? ""
            guard try await person(name, world) == nil else {
                throw ControlFault(.conflict, "there is a person `\(name)` already; PATCH /users/\(name) changes them")
            }
            try await configure(world, ["users": .object([name: call.body["user"] ?? [:]])])
            world.note("users", ["added": .string(name)])
            return .json(201, call.shown(try await row(name, world)))
        },
        ControlRoute(
            method: "GET", path: "/users/{name}", id: "readUser", doc: "Reads one person.", parts: [name],
            query: [secrets], answer: .init(status: 200, doc: "The person.", shape: ControlShapes.user),
            faults: [.notFound]
        ) { call throws(ControlFault) in
            .json(200, call.shown(try await row(call.parameter("name"), try call.world())))
        },
        ControlRoute(
            method: "PATCH", path: "/users/{name}", id: "changeUser",
            doc: "Changes a person. A new password revokes older refresh tokens.", parts: [name], query: [secrets],
            body: ControlShapes.userPatch,
            answer: .init(status: 200, doc: "The person after the change.", shape: ControlShapes.user),
            faults: [.notFound, .findings], example: ["accountEnabled": false]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let name = call.parameter("name")
            let row = try await row(name, world)
            var change = call.body
            if world.tenant.tenant.user(named: name) == nil {
                // An account that somebody made by signing up becomes a person of the tenant file.
                try done(await world.command(.adopt(objectID: objectID(row), name: name)))
                for key in ["objectId", "email", "username"] where change[key] == nil { change[key] = row[key] }
            }
            try await configure(world, ["users": .object([name: .object(change)])])
            world.note("users", ["changed": .string(name)])
            return .json(200, call.shown(try await Self.row(name, world)))
        },
        ControlRoute(
            method: "DELETE", path: "/users/{name}", id: "removeUser", doc: "Removes a person and their account.",
            parts: [name], answer: .init(status: 204, doc: "They are gone.", shape: nil), faults: [.notFound]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let name = call.parameter("name")
            let row = try await row(name, world)
            if world.tenant.tenant.user(named: name) == nil {
                try done(await world.command(.removeAccount(objectID(row))))
            } else {
                try await configure(world, ["users": .object([name: .null])])
            }
            world.note("users", ["removed": .string(name)])
            return .nothing
        },
    ]

    private static func objectID(_ row: JSONValue) throws(ControlFault) -> GUID {
        guard let id = row["objectId"]?.stringValue.flatMap({ GUID($0) }) else {
            throw ControlFault(.conflict, "this person has no account")
        }
        return id
    }

    private static func person(_ name: String, _ world: ServerWorld) async throws(ControlFault) -> JSONValue? {
        let row = try value(await world.command(.user(name)))
        // `nil` alone would be the JSON null here.
        return row.isNull ? JSONValue?.none : row
    }

    static func row(_ name: String, _ world: ServerWorld) async throws(ControlFault) -> JSONValue {
        if let row = try await person(name, world) { return row }
        // Those that somebody made at run time may be very many.
        let known = world.tenant.tenant.users.prefix(1000).map(\.name)
        let near = nearestName(name, among: known).map { "; did you mean `\($0)`?" } ?? ""
        throw ControlFault(.notFound, "there is no person `\(name)`\(near)")
    }

    /// A page of rows, and where the next begins.
    static func page(
        _ state: InspectedState, _ call: ControlCall, _ world: ServerWorld
    ) async throws(ControlFault) -> (rows: JSONValue, next: JSONValue) {
        let from = try call.number("from", in: 0...1_000_000_000, otherwise: 0)
        let limit = try call.number("limit", in: 1...10_000, otherwise: 1000)
        let rows = try value(await world.command(.page(state, from: from, limit: limit)))
        let count = rows.arrayValue?.count ?? rows.objectValue?.count ?? 0
        return (rows, count < limit ? .null : .integer(Int64(from + count)))
    }

    static let sessions: [ControlRoute] = [
        ControlRoute(
            method: "GET", path: "/sessions", id: "listSessions",
            doc: "Lists the single sign-on sessions, a page at a time.", query: pages,
            answer: .init(status: 200, doc: "The sessions.", shape: ControlShapes.sessions)
        ) { call throws(ControlFault) in
            let (rows, next) = try await page(.sessions, call, try call.world())
            return .json(200, ["sessions": rows, "next": next])
        },
        ControlRoute(
            method: "DELETE", path: "/sessions", id: "endSessions", doc: "Ends all sessions; grants stay.",
            answer: .init(status: 200, doc: "How many were ended.", shape: ControlShapes.ended)
        ) { call throws(ControlFault) in
            let world = try call.world()
            let answer = try value(await world.command(.endSessions(nil)))
            world.note("sessions", ["ended": answer])
            return .json(200, ["ended": answer])
        },
        ControlRoute(
            method: "DELETE", path: "/sessions/{id}", id: "endSession", doc: "Ends one session.",
            parts: [("id", "The session's id.")], answer: .init(status: 204, doc: "It is over.", shape: nil),
            faults: [.notFound]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let text = call.parameter("id")
            guard let id = GUID(text), try value(await world.command(.endSessions(id))).intValue == 1 else {
                throw ControlFault(.notFound, "there is no session `\(text.prefix(60))`")
            }
            world.note("sessions", ["ended": 1])
            return .nothing
        },
    ]
}
