import B2CProtocol
import Determinism
import HTTPMessages
import TenantFiles

/// What people have allowed apps.
struct ConsentBook: Sendable {
    /// Permissions by app and home account, in the order they were given.
    private var granted: [String: [WorkforceScope]] = [:]
    private var touched: [String] = []
    /// Whether the keys of changed rows are collected for a state store.
    var recordsTouched = false

    private func row(_ app: WorkforceApp, _ person: WorkforceIdentity) -> String {
        "\(app.clientID.lowercased()) \(person.clientInfo.homeAccountID)"
    }

    func has(_ scope: WorkforceScope, _ app: WorkforceApp, _ person: WorkforceIdentity) -> Bool {
        granted[row(app, person)]?.contains { $0.key == scope.key } ?? false
    }

    /// What somebody has allowed an app to do at one resource.
    func scopes(of resource: WorkforceScope.Resource, _ app: WorkforceApp, _ person: WorkforceIdentity)
        -> [WorkforceScope]
    {
        (granted[row(app, person)] ?? []).filter { $0.resource == resource }
    }

    mutating func grant(_ scopes: [WorkforceScope], _ app: WorkforceApp, _ person: WorkforceIdentity) {
        let key = row(app, person)
        for scope in scopes where !has(scope, app, person) { granted[key, default: []].append(scope) }
        if recordsTouched { touched.append(key) }
    }

    mutating func removeAll() {
        if recordsTouched { touched += granted.keys.sorted() }
        granted = [:]
    }

    /// A row as a state store keeps it.
    subscript(key: String) -> [WorkforceScope]? {
        get { granted[key] }
        set { granted[key] = newValue }
    }

    mutating func drainTouched() -> [String] {
        defer { touched = [] }
        return touched
    }
}

extension WorkforceAuthority {
    /// Whether an app may have a permission for somebody: by the administrator for all, or by the person.
    func isGranted(_ scope: WorkforceScope, _ app: WorkforceApp, _ person: WorkforceIdentity) -> Bool {
        if app.settings.consent == .granted,
            scope.resource == .basic || app.permissions.contains(where: { $0.key == scope.key })
        {
            return true
        }
        return consents.has(scope, app, person)
    }

    /// Goes on once it is known who the person is: consent where it is wanted, then the code.
    mutating func proceed(
        _ flow: WorkforceFlow, _ person: WorkforceIdentity, since authTime: Timestamp, _ call: WorkforceCall
    ) -> WorkforceDraft {
        let request = flow.request
        let wanted = request.scopes.expanded(for: request.app, isPersonal: person.isPersonal)
        let missing = wanted.filter { !isGranted($0, request.app, person) }
        if missing.isEmpty, request.prompt != .consent {
            return code(for: request, person, wanted, since: authTime, call)
        }
        if request.prompt == Prompt.none {
            return deliver(.consentNeeded(request.app, silent: true), call, request)
        }
        var flow = flow
        flow.person = person.user.name
        flow.authTime = authTime
        let isForAdmins = request.app.settings.consent == .adminOnly || missing.contains(where: \.needsAdmin)
        if isForAdmins && !missing.isEmpty { return adminPage(flow, missing, call) }
        return consentPage(flow, missing.isEmpty ? wanted : missing, call)
    }

    private mutating func consentPage(
        _ flow: WorkforceFlow, _ scopes: [WorkforceScope], _ call: WorkforceCall
    ) -> WorkforceDraft {
        let html = PlainPage.form(
            name: "consent", title: "Permissions requested",
            lines: ["\(flow.request.app.name) would like to have:"] + scopes.map(\.name),
            action: "/\(flow.request.place.segment)/consent", hidden: [(Self.contextField, keep(flow, call))],
            buttons: [
                PlainPage.Button(id: "accept", value: "accept", text: "Accept"),
                PlainPage.Button(id: "cancel", value: "cancel", text: "Cancel"),
            ])
        return WorkforceDraft(headers: WorkforceDraft.fields(call), body: .html(html))
    }

    private mutating func adminPage(
        _ flow: WorkforceFlow, _ scopes: [WorkforceScope], _ call: WorkforceCall
    ) -> WorkforceDraft {
        let html = PlainPage.form(
            name: "consent", title: "Need admin approval",
            lines: [
                "\(flow.request.app.name) needs permissions that only an administrator can grant: "
                    + scopes.map(\.name).joined(separator: ", ")
            ],
            action: "/\(flow.request.place.segment)/consent", hidden: [(Self.contextField, keep(flow, call))],
            buttons: [
                PlainPage.Button(
                    id: "cancel", value: "cancel", text: "Return to the application without granting consent")
            ])
        return WorkforceDraft(
            headers: WorkforceDraft.fields(call), body: .html(html),
            refusal: WorkforceError.adminNeeded(flow.request.app).why)
    }

    /// The post of a consent page.
    mutating func consentPosted(_ call: WorkforceCall) -> WorkforceDraft {
        guard let flow = takeFlow(call), let name = flow.person, let authTime = flow.authTime else {
            return lostFlow(call)
        }
        guard let person = configuration.person(named: name) else {
            return deliver(.unknownUser(name), call, flow.request)
        }
        let app = flow.request.app
        let wanted = flow.request.scopes.expanded(for: app, isPersonal: person.isPersonal)
        let missing = wanted.filter { !isGranted($0, app, person) }
        let isForAdmins =
            !missing.isEmpty && (app.settings.consent == .adminOnly || missing.contains(where: \.needsAdmin))
        guard call.form["action"] == "accept", !isForAdmins else {
            return deliver(isForAdmins ? .adminNeeded(app) : .consentDeclined, call, flow.request)
        }
        consents.grant(wanted, app, person)
        return code(for: flow.request, person, wanted, since: authTime, call)
    }
}
