import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// Who is signed in at a browser, in the order they came.
struct WorkforceSession: Sendable {
    struct WorkforceAccount: Sendable {
        /// The person's name in the tenant file.
        var person: String
        var since: Timestamp
    }

    var accounts: [WorkforceAccount] = []

    /// How long a session lasts after its last use, when the browser is not closed (Microsoft docs: session lifetime of
    /// persistent sessions; that browser sessions end after a day is inferred).
    static let lifetime = TimeSpan.hours(24)
    static let cookieName = "ESTSAUTH"
    static let cookieLength = 300
}

/// A sign-in between its pages.
struct WorkforceFlow: Sendable {
    var request: WorkforceAuthorizeRequest
    /// Who has signed in, once they have.
    var person: String?
    var authTime: Timestamp?

    static let lifetime = TimeSpan.minutes(60)
    static let contextLength = 120
}

extension WorkforceAuthority {
    /// The authorization endpoint: from the session where the request allows it, else by pages.
    mutating func authorize(_ call: WorkforceCall, _ place: WorkforcePlace) -> WorkforceDraft {
        var query = call.query
        if call.request.method == "POST" { query.append(contentsOf: call.form) }
        let request: WorkforceAuthorizeRequest
        switch check(query, place) {
        case .success(let good): request = good
        case .failure(let refusal):
            guard let target = refusal.target else { return failed(call, refusal.error, asJSON: false) }
            return deliver(refusal.error, call, to: target.redirectURI, target.mode, state: target.state)
        }
        let signedIn = signedInPeople(call).filter { place.audience.admits($0.person) }
        let meant = signedIn.filter { request.means($0.person) }
        switch request.prompt {
        case Prompt.none?:
            guard let only = meant.first else { return deliver(.signInNeeded, call, request) }
            guard meant.count == 1 else { return deliver(.severalSessions, call, request) }
            return proceed(WorkforceFlow(request: request), only.person, since: only.since, call)
        case .login?:
            return signInPage(WorkforceFlow(request: request), call, typed: request.loginHint ?? "")
        case .selectAccount?:
            guard !signedIn.isEmpty else {
                return signInPage(WorkforceFlow(request: request), call, typed: request.loginHint ?? "")
            }
            return pickerPage(WorkforceFlow(request: request), call, signedIn.map(\.person))
        case .consent?, nil:
            if meant.count == 1 {
                return proceed(WorkforceFlow(request: request), meant[0].person, since: meant[0].since, call)
            }
            if meant.isEmpty {
                return signInPage(WorkforceFlow(request: request), call, typed: request.loginHint ?? "")
            }
            return pickerPage(WorkforceFlow(request: request), call, meant.map(\.person))
        }
    }

    // MARK: pages

    private mutating func signInPage(
        _ flow: WorkforceFlow, _ call: WorkforceCall, typed: String, error: String? = nil, refusal: String? = nil
    ) -> WorkforceDraft {
        let context = keep(flow, call)
        let html = PlainPage.form(
            name: "signIn", title: "Sign in", lines: ["to continue to \(flow.request.app.name)"], error: error,
            action: "/\(flow.request.place.segment)/login", hidden: [(Self.contextField, context)],
            inputs: [
                PlainPage.TextInput(id: "username", label: "Email, phone, or user name", value: typed),
                PlainPage.TextInput(id: "password", label: "Password", type: "password"),
            ],
            buttons: [
                PlainPage.Button(id: "signIn", value: "accept", text: "Sign in"),
                PlainPage.Button(id: "cancel", value: "cancel", text: "Cancel"),
            ])
        return WorkforceDraft(headers: pageFields(call), body: .html(html), refusal: refusal)
    }

    /// The account picker: a name of the list needs no password, any other leads to the sign-in page.
    private mutating func pickerPage(
        _ flow: WorkforceFlow, _ call: WorkforceCall, _ people: [WorkforceIdentity]
    ) -> WorkforceDraft {
        let context = keep(flow, call)
        let html = PlainPage.form(
            name: "signIn", title: "Pick an account", lines: people.map { "\($0.userPrincipalName): signed in" },
            action: "/\(flow.request.place.segment)/login", hidden: [(Self.contextField, context)],
            inputs: [PlainPage.TextInput(id: "username", label: "One of these, or another account")],
            buttons: [
                PlainPage.Button(id: "continue", value: "accept", text: "Next"),
                PlainPage.Button(id: "cancel", value: "cancel", text: "Cancel"),
            ])
        return WorkforceDraft(headers: pageFields(call), body: .html(html))
    }

    private func pageFields(_ call: WorkforceCall) -> Headers {
        var headers = WorkforceDraft.fields(call)
        headers.append("X-Frame-Options", "DENY")
        return headers
    }

    /// The post of the sign-in page or the picker.
    mutating func signInPosted(_ call: WorkforceCall) -> WorkforceDraft {
        guard let flow = takeFlow(call) else { return lostFlow(call) }
        let action = call.form["action"]
        if action == "cancel" || action == "deny" { return deliver(.signInCancelled, call, flow.request) }
        let typed = call.form["username"] ?? ""
        guard !typed.isEmpty else {
            return signInPage(flow, call, typed: "", error: "Enter a user name.")
        }
        guard let person = configuration.person(typed: typed) else {
            return signInPage(
                flow, call, typed: typed, error: "There is no account with that user name.",
                refusal: WorkforceError.unknownUser(typed).why)
        }
        if !flow.request.place.audience.admits(person) { return strangerPage(flow, call, person: person, typed: typed) }
        guard let password = call.form["password"] else {
            // The picker: no password was asked for.
            if flow.request.prompt != .login,
                let session = signedInPeople(call).first(where: { $0.person.user.name == person.user.name })
            {
                return proceed(flow, session.person, since: session.since, call)
            }
            return signInPage(flow, call, typed: typed)
        }
        if let error = authenticate(person, password, call) {
            return signInPage(flow, call, typed: typed, error: error.message, refusal: error.why)
        }
        var draft = proceed(flow, person, since: call.now, call)
        draft.headers.append("Set-Cookie", signIn(person, call))
        return draft
    }

    /// What somebody sees whose account is not for this authority.
    private mutating func strangerPage(
        _ flow: WorkforceFlow, _ call: WorkforceCall, person: WorkforceIdentity, typed: String
    ) -> WorkforceDraft {
        let text: String
        switch flow.request.place.audience {
        case .organizations: text = "A personal account cannot be used here. Use a work or school account."
        case .consumers: text = "A work or school account cannot be used here. Use a personal account."
        case .common, .tenant:
            text = "The account \(typed) does not exist in this directory and must be added as a guest first."
        }
        return signInPage(
            flow, call, typed: typed, error: text,
            refusal: "AADSTS50020: \(person.user.name) may not sign in at \(flow.request.place.segment)")
    }

    private mutating func authenticate(
        _ person: WorkforceIdentity, _ password: String, _ call: WorkforceCall
    ) -> WorkforceError? {
        let user = person.user
        var standing = standings[user.name] ?? WorkforceStanding()
        defer { standings[user.name] = standing }
        if user.locked || standing.lockedUntil.map({ $0 > call.now }) == true { return .locked }
        guard let own = user.password, sameText(own, password) else {
            standing.failures += 1
            let lockout = configuration.tenant.authority.lockout
            if standing.failures >= lockout.threshold {
                standing.lockedUntil = call.now + lockout.duration
                standing.failures = 0
            }
            return .badPassword
        }
        guard user.accountEnabled else { return .disabledUser }
        if user.forcePasswordChange {
            return WorkforceError(
                50055, "invalid_grant", "The password has expired.",
                detail: "not simulated: changing a password on a directory tenant")
        }
        standing.failures = 0
        return nil
    }

    // MARK: session

    /// The people of the browser's session, in the order they signed in; those who are gone or disabled left out.
    func signedInPeople(_ call: WorkforceCall) -> [(person: WorkforceIdentity, since: Timestamp)] {
        guard let id = sessionID(call), let session = sessions.row(id, at: call.now) else { return [] }
        return session.accounts.compactMap { account in
            guard let person = configuration.person(named: account.person), person.user.accountEnabled,
                account.since >= validFrom(person)
            else { return nil }
            return (person, account.since)
        }
    }

    func sessionID(_ call: WorkforceCall) -> GUID? {
        call.cookie(WorkforceSession.cookieName)
            .flatMap { texts.read(cookie: $0, length: WorkforceSession.cookieLength)?.id }
    }

    /// Adds somebody to the browser's session. The `Set-Cookie` field.
    private mutating func signIn(_ person: WorkforceIdentity, _ call: WorkforceCall) -> String {
        let known = sessionID(call)
        var session = known.flatMap { sessions.take($0, at: call.now) } ?? WorkforceSession()
        let id = known ?? random.guid()
        session.accounts.removeAll { $0.person == person.user.name }
        session.accounts.append(WorkforceSession.WorkforceAccount(person: person.user.name, since: call.now))
        sessions.putBack(id, session, expires: call.now + WorkforceSession.lifetime)
        return Self.cookie(
            WorkforceSession.cookieName, texts.cookie(id, round: 0, length: WorkforceSession.cookieLength), call)
    }

    static func cookie(_ name: String, _ value: String, _ call: WorkforceCall, expires: String? = nil) -> String {
        let expiry = expires.map { "; expires=\($0)" } ?? ""
        return
            "\(name)=\(value); domain=\(call.request.url.host ?? "")\(expiry); path=/; secure; HttpOnly; SameSite=None"
    }

    // MARK: flows

    /// The hidden field in which a page carries the flow it belongs to.
    static let contextField = "ctx"

    /// Keeps a flow while a page shows. The text that the page sends back.
    mutating func keep(_ flow: WorkforceFlow, _ call: WorkforceCall) -> String {
        let id = random.guid()
        flows.insert(id, flow, expires: call.now + WorkforceFlow.lifetime)
        return texts.cookie(id, round: 0, length: WorkforceFlow.contextLength)
    }

    mutating func takeFlow(_ call: WorkforceCall) -> WorkforceFlow? {
        guard call.request.method == "POST", let text = call.form[Self.contextField],
            let id = texts.read(cookie: text, length: WorkforceFlow.contextLength)?.id
        else { return nil }
        // The row stays: going back in the browser and posting again is allowed.
        return flows.row(id, at: call.now)
    }

    func lostFlow(_ call: WorkforceCall) -> WorkforceDraft {
        failed(
            call,
            WorkforceError(
                165_000, "invalid_request", "The request lacks the context of the sign-in, or it has expired."),
            asJSON: false)
    }

    // MARK: answers

    func deliver(
        _ error: WorkforceError, _ call: WorkforceCall, _ request: WorkforceAuthorizeRequest
    ) -> WorkforceDraft {
        deliver(error, call, to: request.redirectURI, request.mode, state: request.state)
    }

    func deliver(
        _ error: WorkforceError, _ call: WorkforceCall, to uri: String, _ mode: ResponseMode, state: String?
    ) -> WorkforceDraft {
        var items = error.members(call)
        if let state { items.append("state", state) }
        return WorkforceDraft(
            headers: WorkforceDraft.fields(call), body: .parameters(items, to: uri, mode), refusal: error.why)
    }
}
