import B2CProtocol
import Browser
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import Verbs

extension StepWriter {
    mutating func write(_ flow: Flow, actor: Int?) {
        let client = client(flow.clientID)
        if flow.isSilent {
            writeSilent(flow, client: client, actor: actor)
            return
        }
        prepareBrowser(for: flow, client: client, actor: actor)
        settle(flow, actor)
        if isOdd(flow, client), attempt.fidelity == .asCaptured {
            writeOpened(flow, client: client, actor: actor)
            return
        }
        let id = id("signIn")
        var step = step(parameters(flow, client), title(flow), client: client, id: id)
        // Nothing of how an account was made can be played: it is there from the start.
        if attempt.fidelity >= .accountGiven, flow.endsWell,
            !holders.values.contains(where: { $0.contains(actor ?? 0) })
        {
            context.tenant.people[actor ?? 0].record.registered = true
        }
        var acts = ActionWriter(flow: flow, actor: actor, context: context, attempt: attempt)
        acts.run()
        // An app begins nothing new while the person is still at its last page.
        let isClosed = flow.isLeftOpen && isFollowed(flow)
        if isClosed { acts.close() }
        step.user = acts.user
        var ending = CapturedExpectation(context).of(flow, client: client, acts: acts)
        if isClosed { ending.close(flow) }
        ending.reduce(to: attempt.fidelity, flow)
        ending.faults = acts.faults + ending.faults
        append(step, ending, "\(flow.place): \(title(flow))")
        guard flow.endsWell else { return }
        hasSession = true
        if flow.token?.isGood ?? true { note(tokensOf: id, flow.policy, client: client, actor: actor) }
        if let token = flow.token?.json?["id_token"]?.stringValue { idTokens[token] = id }
    }

    /// Notes that a step brought tokens, and whose.
    private mutating func note(tokensOf id: String, _ policy: String?, client: Int, actor: Int?) {
        signedIn[client, default: []].insert(policy ?? "")
        hold(actor ?? 0, client)
        newestID = id
    }

    // MARK: Before a sign-in

    /// Gives the browser the session that it has by then in the capture, or takes it away.
    private mutating func prepareBrowser(for flow: Flow, client: Int, actor: Int?) {
        let shown = flow.pages.map(\.record.name)
        let asksPassword =
            shown.first == "signIn" || flow.stopsAtUnseenPage
            || (shown.isEmpty && flow.acts.contains { $0.submitted.flatMap { CapturedTenant.password(in: $0) } != nil })
        let isPlain = attempt.fidelity >= .accountGiven
        if hasSession, asksPassword || (isPlain && flow.ending == nil), !flow.prompts.contains("login") {
            let restart = Restart {
                $0.what = .browser
                $0.wipe = [.cookies]
            }
            append(Step(restart), "the browser has no session any more, or another one")
            context.note(
                "\(flow.place): the page to sign in was shown though somebody had signed in before; the script clears the cookies there."
            )
            hasSession = false
        }
        guard !hasSession else { return }
        if shown.isEmpty, flow.acts.isEmpty, !flow.lacksPages, flow.endsWell {
            writeMissingSignIn(
                flow.policy, client: client, actor: actor,
                why: "\(flow.place): the browser had a session already when the capture began.")
        } else if tenant.policy(flow.policy)?.settings.type == .profileEditing, let first = shown.first,
            first != "signIn",
            first != "error", !context.options.explained.contains(flow.place)
        {
            writeMissingSignIn(
                flow.policy, client: client, actor: actor,
                why: "\(flow.place): the profile page was shown at once, so the browser had a session already.")
        }
    }

    /// A sign-in that the capture does not show and that what it shows needs.
    mutating func writeMissingSignIn(_ policy: String?, client: Int, actor: Int?, why: String) {
        func signsIn(_ policy: PolicyGuess) -> Bool { [.signUpOrSignIn, .signIn].contains(policy.settings.type) }
        let usable = tenant.policies.first(where: signsIn)
        let own = tenant.policy(policy)
        let chosen = own.flatMap { signsIn($0) ? $0 : usable } ?? own ?? usable
        let person = actor ?? 0
        let name = id("before")
        let call = AcquireToken { $0.target.policy = policyName(chosen?.id, unlessOf: client) }
        var step = step(call, "Before the capture began: somebody signs in", client: client, id: name)
        step.user = UserMove.json(waysIn(of: person, at: chosen))
        append(step, "a sign-in that the capture does not show: \(why)")
        context.note("\(why) The script signs \(tenant.people[person].name) in first.")
        hasSession = true
        note(tokensOf: name, chosen?.id.lowercased(), client: client, actor: person)
    }

    /// How somebody signs in where the capture does not show it: with their provider where the policy offers it, else with a
    /// password.
    private func waysIn(of person: Int, at policy: PolicyGuess?) -> [UserMove] {
        let record = tenant.people[person]
        let provider = tenant.providers.first {
            record.uses($0.name) && policy?.settings.providers.contains($0.name) ?? false
        }
        guard let provider, record.password == nil, !record.usesPassword else {
            context.tenant.people[person].usesPassword = true
            return [.person(record.name)]
        }
        return [.press(provider.exchange), .action(.signInAtProvider(as: record.name)), .person(record.name)]
    }

    /// Brings people to where the capture has them by now: telephones that nobody answers, accounts that are made again.
    private mutating func settle(_ flow: Flow, _ actor: Int?) {
        guard let actor else { return }
        for act in flow.acts {
            guard act.isCall, act.refusal == nil else { continue }
            let isSilent = act.unanswered != nil
            guard isSilent != silentPhones.contains(actor) else { break }
            if isSilent { silentPhones.insert(actor) } else { silentPhones.remove(actor) }
            change(
                actor, ["answersCalls": .bool(!isSilent)],
                isSilent ? "nobody answers the telephone" : "the telephone is answered again")
            break
        }
        settle(flow.idToken, actor, typed: flow)
        let signsUp = flow.endsWell && flow.acts.contains { $0.isSubmit && $0.page?.record.name == "signUp" }
        guard signsUp else { return }
        if hasAccount.contains(actor) {
            change(actor, ["registered": false], "an account is deleted")
            context.note("\(flow.place): an account was made that was there already; the script deletes it before.")
            context.tenant.people[actor].hasNewPassword = false
        }
        hasAccount.insert(actor)
    }

    /// What somebody's record says now, and what it said before: it was changed where the capture does not show it.
    mutating func settle(_ claims: JSONObject?, _ person: Int, typed flow: Flow? = nil) {
        var typed: Set<String> = []
        for act in flow?.acts ?? [] {
            if case .submit(let form) = act.kind { typed.formUnion(form.items.map(\.name)) }
        }
        let isAtProvider = flow?.acts.contains { $0.isProvider } ?? false
        var changes = JSONObject()
        for (name, value) in claims?.members ?? [] {
            guard let attribute = CapturedTenant.attribute(ofClaim: name) else { continue }
            let now = context.tenant.people.attribute(attribute, value)
            if CapturedTenant.isNothing(now), UserFlowAttribute.refusesEmptyText(attribute) { continue }
            let before = attributes[person]?[attribute] ?? tenant.people[person].record.attributes[attribute]
            attributes[person, default: JSONObject()][attribute] = now
            guard let before, before != now, !typed.contains(attribute), !isAtProvider else { continue }
            changes[attribute] = now
        }
        guard !changes.isEmpty else { return }
        let name = tenant.people[person].name
        change(person, changes, "the record of \(name) is changed: \(changes.keys.joined(separator: ", "))")
        context.note(
            "What \(name)'s record says was changed where the capture does not show it; the script changes it.")
    }

    /// Changes somebody's record.
    private mutating func change(_ person: Int, _ patch: JSONObject, _ line: String) {
        let users = JSONObject([(tenant.people[person].name, .object(patch))])
        append(Step(Configure { $0.value = ["users": .object(users)] }), line)
    }

    /// Whether the same app went on after this one.
    private func isFollowed(_ flow: Flow) -> Bool {
        lastAsked[flow.clientID].map { $0 > origin } ?? false
    }

    // MARK: The call

    private func title(_ flow: Flow) -> String {
        let id = tenant.policy(flow.policy)?.id ?? "sign-in"
        switch flow.ending {
        case .error(let oauth, let code): return "\(id) ends with \(code ?? oauth)"
        case .page(let code): return "\(id) ends on an error page" + (code.map { ", \($0)" } ?? "")
        case .code, .tokens: return "\(id)"
        case nil: return "\(id) is left open"
        }
    }

    /// Parameters that libraries send by themselves, or that steps have words of their own for.
    private static let known: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "login_hint", "domain_hint", "client_info", "claims", "client-request-id",
        "return-client-request-id", "haschrome", "instance_aware", "p", "sid", "x-anchormailbox", "id_token_hint",
        "request", "client_assertion", "client_assertion_type", "client_secret", "clidata", "x-ms-lib-capability",
    ]

    private static let prompts: [(word: String, kind: PromptKind)] = [
        ("login", .login), ("select_account", .selectAccount), ("consent", .consent), ("create", .create),
    ]

    private func parameters(_ flow: Flow, _ client: Int) -> AcquireToken {
        let app = tenant.clients[client]
        var call = AcquireToken()
        call.target.policy = policyName(flow.policy, unlessOf: client)
        call.target.scopes = scopes(flow.query["scope"], unlessOf: client)
        call.prompt = Self.prompts.first { flow.prompts.contains($0.word) }?.kind
        if let hint = flow.query["login_hint"], !hint.isEmpty { call.loginHint = hintText(hint) }
        if let hint = flow.query["domain_hint"], !hint.isEmpty { call.domainHint = hint }
        for item in flow.query.items {
            let name = item.name.lowercased()
            guard !Self.known.contains(name), !name.hasPrefix("x-client-"), !name.hasPrefix("x-app-") else { continue }
            let isSecret = SecretKind.parameter(item.name, item.value) != nil && !item.value.isEmpty
            let value = isSecret ? "REMOVED" : context.tenant.people.scrubbed(item.value)
            call.extraQueryParameters[item.name] = .string(value)
            if value.contains("REMOVED") {
                context.note("\(flow.place): the value of the parameter \(item.name) was taken out.")
            }
        }
        for name in ["claims", "id_token_hint", "request"] where flow.query[name] != nil {
            context.note("\(flow.place): the parameter \(name) of the authorization request is omitted.")
        }
        if let mode = flow.query["response_mode"], mode != app.responseMode,
            !app.kind.traits.runsOnServer || mode != "fragment"
        {
            context.note("\(flow.place): response_mode=\(mode) differs from the app's first request.")
        }
        if flow.isPosted {
            context.note("\(flow.place): the authorization request was posted; the script sends it as GET.")
        }
        return call
    }

    /// A hint names somebody: an address, or a user name.
    private func hintText(_ hint: String) -> String {
        let text = context.tenant.people.scrubbed(hint)
        guard text == hint, !text.contains("@") else { return text }
        let person = context.tenant.people.person(signInName: hint)
        return "user\(person + 1)"
    }

    // MARK: By hand

    /// Parameters of a request that no library sends of itself, as by hand or from the app's own page.
    private func isOdd(_ flow: Flow, _ client: Int) -> Bool {
        guard !flow.isPosted, !flow.query.isEmpty, !flow.isBlind else { return false }
        let app = tenant.clients[client]
        if flow.query["client_id"] == nil || flow.query["response_type"] == nil { return true }
        if !app.kind.traits.runsOnServer {
            if flow.query["response_type"] != "code" || flow.query["code_challenge"] == nil { return true }
            if let method = flow.query["code_challenge_method"], method != "S256" { return true }
        }
        // Libraries refuse a fragment before they send anything (RFC 6749, section 3.1.2).
        return flow.query["redirect_uri"] != app.redirectURIs.first
            || flow.query["redirect_uri"]?.contains("#") ?? false
    }

    /// Opens the address itself, and redeems what comes back.
    private mutating func writeOpened(_ flow: Flow, client: Int, actor: Int?) {
        let id = id("opened")
        let call = parameters(flow, client)
        let query = openedQuery(flow, call)
        let open = Open {
            $0.request.endpoint = .authorize
            $0.request.policy = tenant.policyName(flow.policy)
            $0.request.query = query
        }
        var step = step(open, title(flow), client: client, id: id)
        var acts = ActionWriter(flow: flow, actor: actor, context: context, attempt: attempt)
        acts.run()
        step.user = UserMove.json(acts.actions.map { .action($0) })
        let expectation = CapturedExpectation(context)
        var ending = expectation.of(flow, client: client, acts: acts)
        var requests = ending.expect["requests"]?.arrayValue ?? []
        if flow.token != nil, !requests.isEmpty { requests.removeLast() }
        ending.expect = expectation.ofOpened(flow)
        ending.expect["requests"] = .array(requests)
        if flow.endsWell {
            ending.faults = []
            ending.notes = []
        }
        ending.faults = acts.faults + ending.faults
        append(step, ending, "\(flow.place): \(title(flow))")
        if flow.endsWell { hasSession = true }
        guard let token = flow.token else { return }
        let redeem = HTTP {
            $0.request.endpoint = .token
            $0.request.policy = tenant.policyName(token.policy)
            $0.request.from = id
        }
        let redeemed = self.step(redeem, "The code is redeemed", client: client, id: self.id("redeemed"))
        var last = expectation.of(token, grant: "authorization_code")
        last.expect = ["requests": last.expect["requests"] ?? []]
        append(redeemed, last, "\(token.exchange.place): the code is redeemed")
    }

    /// The query of a request by hand: what differs from that of the app, and `null` for what it does without.
    private func openedQuery(_ flow: Flow, _ call: AcquireToken) -> JSONObject {
        var query = JSONObject()
        for name in ["client_id", "redirect_uri", "response_type", "scope", "nonce", "code_challenge"]
        where flow.query[name] == nil { query[name] = .null }
        for name in ["redirect_uri", "response_type", "response_mode", "code_challenge_method"] {
            query[name] = flow.query[name].map { .string($0) } ?? (name == "response_mode" ? nil : .null)
        }
        if let scope = flow.query["scope"] { query["scope"] = .string(context.tenant.people.scrubbed(scope)) }
        if let prompt = flow.query["prompt"] { query["prompt"] = .string(prompt) }
        if let hint = call.loginHint { query["login_hint"] = .string(hint) }
        if let hint = call.domainHint { query["domain_hint"] = .string(hint) }
        for (name, value) in call.extraQueryParameters.members { query[name] = value }
        return query
    }

    // MARK: Without the person

    private mutating func writeSilent(_ flow: Flow, client: Int, actor: Int?) {
        if flow.endsWell, !hasSession {
            writeMissingSignIn(
                flow.policy, client: client, actor: actor,
                why: "\(flow.place): a request without the person was answered, so the browser had a session already.")
        }
        let title = "\(tenant.policy(flow.policy)?.id ?? "policy") without the person"
        let line = "\(flow.place): \(title)"
        let expectation = CapturedExpectation(context)
        if tenant.clients[client].kind.traits.runsInPage, !(signedIn[client] ?? []).isEmpty {
            let silent = AcquireTokenSilent {
                $0.via = .iframe
                $0.target.policy = policyName(flow.policy, unlessOf: client)
                $0.target.scopes = scopes(flow.query["scope"], unlessOf: client)
            }
            append(
                step(silent, title, client: client), expectation.of(flow, client: client, acts: nil), line)
            return
        }
        let open = Open {
            $0.request.endpoint = .authorize
            $0.request.policy = tenant.policyName(flow.policy)
            $0.request.query = ["prompt": "none"]
            $0.frame = true
        }
        var ending = CapturedExpectation.Ending(expect: expectation.ofOpened(flow))
        if case .error(_, let code?) = flow.ending, hasSession {
            ending.faults = [["match": ["endpoint": "authorize"], "b2cError": .string(code)]]
        }
        append(step(open, title, client: client), ending, line)
    }

    /// A code whose sign-in the capture does not show.
    mutating func writeOrphan(_ call: TokenCall, client: Int, actor: Int?) {
        context.note(
            "\(call.exchange.place): a code is redeemed whose sign-in is not in the capture; the script signs "
                + "\(tenant.people[actor ?? 0].name) in.")
        var flow = Flow(exchange: call.exchange, form: .tfp, policy: call.policy, query: FormItems())
        flow.ending = .code(nil)
        flow.token = call
        flow.lacksPages = true
        let id = id("signIn")
        var step = step(
            parameters(flow, client), tenant.policy(call.policy)?.id ?? "sign-in", client: client, id: id)
        step.user = .string(tenant.people[actor ?? 0].name)
        append(
            step, CapturedExpectation(context).of(flow, client: client, acts: nil),
            "\(call.exchange.place): a code is redeemed")
        hasSession = true
        if call.isGood { note(tokensOf: id, call.policy, client: client, actor: actor) }
    }
}

extension UserMove {
    /// What a script writes as `user`: a list, except for a person alone.
    static func json(_ moves: [UserMove]) -> JSONValue? {
        switch moves.first {
        case nil: nil
        case .person? where moves.count == 1: moves[0].json
        default: .array(moves.map(\.json))
        }
    }
}
