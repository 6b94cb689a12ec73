import Browser
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles
import Verbs

extension ControlRoutes {
    static let signIns: [ControlRoute] = [
        ControlRoute(
            method: "POST", path: "/sign-ins", id: "signIn",
            doc:
                "Plays a person at a sign-in address in a browser inside the server: they fill the pages from their record, "
                + "read codes from the inbox, and stop where a page refuses. They do not read captchas.",
            query: [secrets], body: ControlShapes.signIn,
            answer: .init(status: 200, doc: "Where it ended.", shape: ControlShapes.signedIn),
            faults: [.notFound, .conflict],
            example: [
                "url":
                    "http://localhost:9400/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?client_id=11111111-2222-4333-8444-555555555555&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2F&scope=openid",
                "person": "ada",
            ]
        ) { call throws(ControlFault) in
            let world = try call.world()
            let visit = try await visit(call, world)
            let before = try await inbox(of: world)
            let outcome = await visit.play()
            let after = try await inbox(of: world)
            var json = Self.json(outcome)
            json["messages"] = .array(Array(after.dropFirst(after.starts(with: before) ? before.count : 0)))
            world.note("signIn", ["person": .string(visit.person?.name ?? ""), "end": json["end"] ?? .null])
            let answer = JSONValue.object(json)
            return .json(
                200,
                call.showsSecrets
                    ? answer : ControlMask.masked(answer, world.tenant.tenant, codes: world.journal.codes(upTo: .max)))
        }
    ]

    private static func inbox(of world: ServerWorld) async throws(ControlFault) -> [JSONValue] {
        // A directory tenant sends nothing.
        guard case .value(let messages) = await world.command(.inspect(.inbox)) else { return [] }
        return messages.arrayValue ?? []
    }

    // MARK: What a call asks for

    private static func visit(_ call: ControlCall, _ world: ServerWorld) async throws(ControlFault) -> Visit {
        let url = try address(call, world)
        var person: UserRecord?
        if let name = call.text("person") { person = try await record(of: name, world) }
        if let members = call.body["user"]?.objectValue {
            var changed = person ?? UserRecord { $0.name = members["email"]?.stringValue ?? "somebody" }
            apply(members, to: &changed)
            person = changed
        }
        if let password = call.text("password") { person?.password = password }
        let items = url.queryItems
        return Visit(
            world: world, url: url,
            redirect: call.text("redirectUri") ?? items["redirect_uri"] ?? items["post_logout_redirect_uri"],
            browser: call.text("browser"), person: person, actions: try await actions(call, world),
            cancels: call.body["cancel"]?.boolValue ?? false, provider: call.text("provider"))
    }

    /// The address of the call, which must be one of this server.
    private static func address(_ call: ControlCall, _ world: ServerWorld) throws(ControlFault) -> WebURL {
        let text = call.text("url") ?? ""
        if let url = WebURL(text), ["http", "https"].contains(url.scheme), let host = url.host {
            if world.place(of: host) != .elsewhere { return url }
            // A world that was made answers at its own hosts only.
            if world.isDefault, url.host == call.request.url.host || world.ownAddresses.contains(url) { return url }
        }
        let own = world.isDefault ? "\(call.request.url.origin)/ or " : ""
        let host = world.tenant.tenant.hosts.first ?? "\(world.tenant.tenant.name).b2clogin.com"
        throw ControlFault(
            .malformed,
            "`url` is not an address of this server: expected one that begins with \(own)https://\(host)/, not "
                + "\(text.prefix(200))")
    }

    private static func actions(
        _ call: ControlCall, _ world: ServerWorld
    ) async throws(ControlFault) -> [UserScript.Entry] {
        guard let list = call.body["actions"] else { return [] }
        let plan: UserPlan
        do throws(UserPlanError) {
            plan = try await UserPlan.read(list, in: NoValues())
        } catch {
            switch error {
            case .value(let value): throw ControlFault(.malformed, "actions\(value.pointer): \(value.description)")
            case .malformed(let fault): throw ControlFault(.malformed, "actions\(fault.pointer): \(fault.message)")
            }
        }
        var entries: [UserScript.Entry] = []
        for move in plan.actions {
            switch move {
            case .person(let name): entries.append(.person(Person(record: try await record(of: name, world))))
            case .action(let action):
                guard action.wait == nil, action.barrier == nil else {
                    throw ControlFault(
                        .malformed,
                        "actions\(action.pointer): `wait` and `barrier` are for scripts; PATCH \(ControlAPI.prefix)/clock "
                            + "moves the clock between two calls")
                }
                var person: Person?
                if let name = action.person { person = Person(record: try await record(of: name, world)) }
                let values = action.fill.members.map { (field: $0.key, value: $0.value) }
                entries.append(.action(action.userAction(as: person) { .values(values) }))
            }
        }
        return entries
    }

    // MARK: People

    /// What somebody knows by now: the tenant file's record, and what the directory has since.
    private static func record(of name: String, _ world: ServerWorld) async throws(ControlFault) -> UserRecord {
        let row = try await row(name, world)
        var record = world.tenant.tenant.user(named: name) ?? UserRecord { $0.name = name }
        apply(row.objectValue ?? JSONObject(), to: &record)
        if record.totpSecret == nil { record.totpSecret = world.visitors.secret(of: name) }
        return record
    }

    /// Members of an account that are the service's, and no page asks for.
    private static let ofService: Set = [
        "objectId", "accountEnabled", "locked", "forcePasswordChange", "refreshTokensValidFrom", "identities",
        "providers", "homeTenant",
    ]

    private static func apply(_ members: JSONObject, to record: inout UserRecord) {
        for (name, value) in members.members {
            switch name {
            case "registered": record.registered = value.boolValue ?? record.registered
            case "answersCalls": record.answersCalls = value.boolValue ?? record.answersCalls
            case "email": record.email = value.stringValue
            case "username": record.username = value.stringValue
            case "password": record.password = value.stringValue
            case "newPassword": record.newPassword = value.stringValue
            case "phone": record.phone = value.stringValue
            case "totpSecret": record.totpSecret = value.stringValue
            case let name where ofService.contains(name): continue
            default: record.attributes[name] = value.isNull ? nil : value
            }
        }
    }

    // MARK: Answers

    private static func json(_ outcome: Visit.Outcome) -> JSONObject {
        var json = JSONObject()
        switch outcome.end {
        case .callback(let url, let form):
            json["end"] = "callback"
            var callback = JSONObject()
            callback["url"] = .string(url.description)
            if let form { callback["form"] = object(form.items) }
            callback["parameters"] = object(url.queryItems.items + url.fragmentItems.items + (form?.items ?? []))
            json["callback"] = .object(callback)
        case .page: json["end"] = "page"
        case .closed: json["end"] = "closed"
        case .failed(let why):
            json["end"] = "failed"
            json["problem"] = .string(why)
        }
        if let page = outcome.page { json["page"] = page.json }
        if !outcome.accepted.isEmpty {
            json["accepted"] = object(outcome.accepted.map { (name: $0.member, value: $0.value) })
        }
        if !outcome.missing.isEmpty { json["missing"] = .array(outcome.missing.map { .string($0) }) }
        return json
    }

    private static func object(_ items: [(name: String, value: String)]) -> JSONValue {
        var object = JSONObject()
        for item in items { object[item.name] = .string(item.value) }
        return .object(object)
    }
}

/// Actions of a call have no script whose values they could use.
private struct NoValues: ValueScope {
    func value(of reference: ValueReference) async throws(ValueError) -> JSONValue {
        throw ValueError(reference: reference.root, message: "a call has no values to fill in; write the value itself")
    }
}
