import B2CProtocol
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import TenantFiles

/// Writes the steps of a script, and keeps track of what the mock will know by then: who is signed in where.
struct StepWriter {
    var writing: Writing
    private(set) var steps: [JSONObject] = []
    /// One line for each step: what it was made of.
    private(set) var lines: [String] = []
    /// For each step the position in the story of what it was made of.
    private(set) var origins: [Int] = []
    private var origin = 0

    /// The browser has a single sign-on session by now.
    private var hasSession = false
    /// Apps that have tokens, with the policies that they got them from.
    private var signedIn: [Int: Set<String>] = [:]
    /// People who have accounts in apps, the newest last.
    private var holders: [Int: [Int]] = [:]
    /// The newest step that brought tokens.
    private var newestID: String?
    private var ids = UniqueNames()
    private var last: Timestamp?
    /// Passwords as they are by now, by person: the first, or the one that was set since.
    private var hasNewPassword: Set<Int> = []
    /// People who made an account in the capture and have it still.
    private var hasAccount: Set<Int> = []
    /// People who let the telephone ring.
    private var silentPhones: Set<Int> = []
    /// Attributes as they are by now, where they are not as in the tenant file.
    private var attributes: [Int: JSONObject] = [:]
    /// The newest step that brought tokens for a password, or with the refresh token of such a step, by app and policy.
    private var granted: [Int: [String: String]] = [:]
    /// Steps by the ID token that they brought, as the capture writes it.
    private var idTokens: [String: String] = [:]
    /// What is waited for, once it is shorter than usual: a client that holds back, an account that is locked.
    private var isHeldBack = false

    init(_ writing: Writing) {
        self.writing = writing
    }

    mutating func run() {
        for (index, item) in writing.story.items.enumerated() {
            origin = index
            wait(until: item.started, for: item)
            last = max(last ?? item.started, Story.end(item))
            if isLeftOut(item) { continue }
            switch item {
            case .flow(let flow): write(flow, actor: writing.actors[index])
            case .token(let call): write(call, actor: writing.actors[index])
            case .logout(let call): write(call)
            case .api(let exchange): writeCall(exchange)
            case .userInfo(let exchange, let policy): writeUserInfo(exchange, policy)
            }
            if Self.mayBeHeldBack(item) { isHeldBack = Self.holdsBack(item) }
            takeOut(item)
        }
    }

    /// What cannot be played at all is omitted: a script that fails shows nothing.
    private mutating func isLeftOut(_ item: Story.Item) -> Bool {
        guard let tried = writing.options.tried[origin], let why = tried.last else { return false }
        let what: String
        switch item {
        case .flow(let flow) where !flow.isSilent:
            guard tried.count > 3 else { return false }
            what = "the sign-in"
        case .flow: what = "the request without the person"
        case .token(let call):
            guard call.grant != "authorization_code" || tried.count > 2 else { return false }
            what = "the request for tokens"
        case .logout: what = "the sign-out"
        case .api: what = "the call of the API"
        case .userInfo: what = "the call of the userinfo endpoint"
        }
        writing.note(
            "\(Story.place(item)): \(what) is not in the script, because the mock does not play it as it was captured "
                + "(\(why)); write the step in once you know what led to it.")
        return true
    }

    /// Takes out of the step what does not hold against the mock, and says so.
    private mutating func takeOut(_ item: Story.Item) {
        guard let unmet = writing.options.unmet[origin], !unmet.isEmpty, origins.last == origin,
            let last = steps.popLast()
        else { return }
        var step = JSONValue.object(last)
        for one in unmet { step.set(nil, at: one.pointer) }
        steps.append(step.objectValue ?? last)
        writing.note(
            "\(Story.place(item)): the mock does not do all that the capture shows, and the script does not expect it: "
                + unmet.map(\.why).joined(separator: "; "))
    }

    // MARK: Parts of steps

    private mutating func append(_ step: JSONObject, _ line: String) {
        steps.append(step)
        lines.append(line)
        origins.append(origin)
    }

    private static func mayBeHeldBack(_ item: Story.Item) -> Bool {
        switch item {
        case .token, .flow: true
        case .logout, .api, .userInfo: false
        }
    }

    /// Whether something is refused for a while after it: libraries do not ask again at once, accounts stay locked.
    private static func holdsBack(_ item: Story.Item) -> Bool {
        switch item {
        case .token(let call): !call.isGood
        case .flow(let flow):
            flow.acts.contains { act in
                RefusalReason(act.refusal?.code, act.refusal?.message) == .locked && act.refusal != nil
            }
        case .logout, .api, .userInfo: false
        }
    }

    /// Time passes where it may count: tokens end, sessions end.
    private mutating func wait(until time: Timestamp, for item: Story.Item) {
        let isShort = isHeldBack && Self.mayBeHeldBack(item)
        guard let last, time - last >= (isShort ? .seconds(1) : .minutes(5)) else { return }
        let span = TimeSpan.seconds((time - last).wholeSeconds)
        append(["advanceClock": .string(span.iso8601)], "time passes: \(span.iso8601)")
    }

    private func step(_ name: String, client: Int) -> JSONObject {
        var step = JSONObject()
        step["name"] = .string(name)
        if client != 0 { step["client"] = .string(writing.clients[client].name) }
        return step
    }

    private mutating func id(_ word: String) -> String {
        ids.take(word)
    }

    private func client(_ id: String?) -> Int { writing.client(id) ?? 0 }

    // MARK: Sign-ins

    /// A sign-in that the capture does not show and that what it shows needs.
    private mutating func writeMissingSignIn(_ policy: String?, client: Int, actor: Int?, why: String) {
        let usable = writing.policies.first { [.signUpOrSignIn, .signIn].contains($0.type) }
        let own = policy.flatMap { writing.policyIndex[$0] }.map { writing.policies[$0] }
        let chosen = own.map { [.signUpOrSignIn, .signIn].contains($0.type) ? $0 : usable ?? $0 } ?? usable
        let person = actor ?? 0
        let name = id("before")
        var step = step("Before the capture began: somebody signs in", client: client)
        step["id"] = .string(name)
        var call = JSONObject()
        if let chosen, writing.policyName(writing.clients[client].policy) != chosen.name {
            call["policy"] = .string(chosen.name)
        }
        step["acquireToken"] = .object(call)
        step["user"] = waysIn(of: person, at: chosen)
        append(step, "a sign-in that the capture does not show: \(why)")
        writing.note("\(why) The script signs \(writing.people[person].name) in first.")
        hasSession = true
        signedIn[client, default: []].insert(chosen?.id.lowercased() ?? "")
        hold(person, client)
        newestID = name
    }

    /// How somebody signs in where the capture does not show it: with their provider where the policy offers it, else with a
    /// password.
    private mutating func waysIn(of person: Int, at policy: PolicyGuess?) -> JSONValue {
        let record = writing.people[person]
        let name = JSONValue.string(record.name)
        let provider = writing.providers.first {
            record.providers.contains($0.name) && policy?.providers.contains($0.name) ?? false
        }
        guard let provider, record.password == nil, !record.usesPassword else {
            writing.people[person].usesPassword = true
            return name
        }
        return [["press": .string(provider.exchange)], ["on": "provider", "as": name, "optional": true], name]
    }

    private func policy(_ id: String?) -> PolicyGuess? { writing.policy(id) }

    private mutating func write(_ flow: Flow, actor: Int?) {
        let client = client(flow.clientID)
        if flow.isSilent {
            writeSilent(flow, client: client, actor: actor)
            return
        }
        let shown = flow.pages.map(\.record.name)
        let asksPassword =
            shown.first == "signIn" || flow.stopsAtUnseenPage
            || (shown.isEmpty && flow.acts.contains { Self.typesPassword($0) })
        let isPlain = (writing.options.tried[origin] ?? []).count > 2
        if hasSession, asksPassword || (isPlain && flow.ending == nil), !flow.prompts.contains("login") {
            append(
                ["restart": ["what": "browser", "wipe": ["cookies"]]],
                "the browser has no session any more, or another one")
            writing.note(
                "\(flow.place): the page to sign in was shown though somebody had signed in before; the script clears the cookies there."
            )
            hasSession = false
        }
        if !hasSession, shown.isEmpty, flow.acts.isEmpty, !flow.lacksPages, flow.endsWell {
            writeMissingSignIn(
                flow.policy, client: client, actor: actor,
                why: "\(flow.place): the browser had a session already when the capture began.")
        } else if !hasSession, policy(flow.policy)?.type == .profileEditing, let first = shown.first, first != "signIn",
            first != "error"
        {
            writeMissingSignIn(
                flow.policy, client: client, actor: actor,
                why: "\(flow.place): the profile page was shown at once, so the browser had a session already.")
        }
        settle(flow, actor)
        if isOdd(flow, client), writing.options.tried[origin] == nil {
            writeOpened(flow, client: client, actor: actor)
            return
        }
        var step = step(title(flow), client: client)
        let id = id("signIn")
        step["id"] = .string(id)
        step["acquireToken"] = .object(parameters(flow, client))
        let tried = writing.options.tried[origin] ?? []
        // Nothing of how an account was made can be played: it is there from the start.
        if tried.count > 2, flow.endsWell, !holders.values.contains(where: { $0.contains(actor ?? 0) }) {
            writing.people[actor ?? 0].isRegistered = true
        }
        var acts = ActWriter(
            flow: flow, actor: actor, writing: writing, hasNewPassword: hasNewPassword, tried: tried)
        acts.run()
        // An app begins nothing new while the person is still at its last page.
        let isLeft = if case .page = flow.ending { true } else { flow.ending == nil }
        let isClosed = isLeft && isFollowed(flow)
        if isClosed { acts.close() }
        writing = acts.writing
        hasNewPassword = acts.hasNewPassword
        let actions = acts.actions.map { JSONValue.object($0) }
        if let person = acts.person {
            step["user"] = actions.isEmpty ? .string(person) : .array(actions + [.string(person)])
        } else if !actions.isEmpty {
            step["user"] = .array(actions)
        }
        var faults = acts.faults
        var expectation = CapturedExpectation(writing: writing)
        var ending = expectation.of(flow, client: client, acts: acts)
        if isClosed {
            if case .page = flow.ending, let page = ending.expect["pending"]?["page"] {
                ending.expect["pages"] = [page]
            }
            ending.expect["pending"] = nil
            ending.expect["error"] = ["kind": "userCanceled"]
            ending.notes =
                flow.ending != nil
                ? ending.notes
                : ["\(flow.place): the flow did not end, and another one began: the script closes the window."]
        }
        if !tried.isEmpty { ending.expect["requests"] = nil }
        if tried.count > 1, let code = flow.knownCode {
            let delivery: RefusalOrders.Delivery = if case .page = flow.ending { .page } else { .redirect }
            ending.faults = [
                ["match": ["endpoint": "authorize"], "b2cError": RefusalOrders(code: code, delivery: delivery).json]
            ]
        } else if tried.count > 2, !flow.endsWell {
            // Nobody acts any more.
            ending.expect = ["pending": .object(JSONObject())]
        } else if tried.count > 1 {
            for name in ["result", "error", "pending"] where ending.expect[name] != nil {
                ending.expect[name] = .object(JSONObject())
            }
        }
        faults += ending.faults
        for note in ending.notes { writing.note(note) }
        if !faults.isEmpty { step["faults"] = .array(faults) }
        step["expect"] = .object(ending.expect)
        append(step, "\(flow.place): \(title(flow))")
        if flow.endsWell {
            hasSession = true
            if flow.token?.isGood ?? true {
                signedIn[client, default: []].insert(flow.policy ?? "")
                hold(actor ?? 0, client)
                newestID = id
            }
            if let token = flow.token?.json?["id_token"]?.stringValue { idTokens[token] = id }
        }
    }

    /// Parameters of a request that no library sends of itself, as by hand or from the app's own page.
    private func isOdd(_ flow: Flow, _ client: Int) -> Bool {
        guard !flow.isPosted, !flow.query.isEmpty, !flow.isBlind else { return false }
        let app = writing.clients[client]
        if flow.query["client_id"] == nil || flow.query["response_type"] == nil { return true }
        if app.kind != .web {
            if flow.query["response_type"] != "code" || flow.query["code_challenge"] == nil { return true }
            if let method = flow.query["code_challenge_method"], method != "S256" { return true }
        }
        // Libraries refuse a fragment before they send anything (RFC 6749, section 3.1.2).
        return flow.query["redirect_uri"] != app.redirectURIs.first
            || flow.query["redirect_uri"]?.contains("#") ?? false
    }

    /// Opens the address itself, and redeems what comes back.
    private mutating func writeOpened(_ flow: Flow, client: Int, actor: Int?) {
        var step = step(title(flow), client: client)
        let id = id("opened")
        step["id"] = .string(id)
        var query = JSONObject()
        for name in ["client_id", "redirect_uri", "response_type", "scope", "nonce", "code_challenge"]
        where flow.query[name] == nil { query[name] = .null }
        for name in ["redirect_uri", "response_type", "response_mode", "code_challenge_method"] {
            query[name] = flow.query[name].map { .string($0) } ?? (name == "response_mode" ? nil : .null)
        }
        var call = parameters(flow, client)
        if let scope = flow.query["scope"] { query["scope"] = .string(writing.people.scrubbed(scope)) }
        if let prompt = flow.query["prompt"] { query["prompt"] = .string(prompt) }
        if let hint = call["loginHint"] { query["login_hint"] = hint }
        if let hint = call["domainHint"] { query["domain_hint"] = hint }
        for (name, value) in call["extraQueryParameters"]?.objectValue?.members ?? [] { query[name] = value }
        call = ["endpoint": "authorize"]
        call["policy"] = policy(flow.policy).map { .string($0.name) }
        call["query"] = .object(query)
        step["open"] = .object(call)
        var acts = ActWriter(flow: flow, actor: actor, writing: writing, hasNewPassword: hasNewPassword)
        acts.run()
        writing = acts.writing
        hasNewPassword = acts.hasNewPassword
        if !acts.actions.isEmpty { step["user"] = .array(acts.actions.map { .object($0) }) }
        var expectation = CapturedExpectation(writing: writing)
        let ending = expectation.of(flow, client: client, acts: acts)
        var expect = expectation.ofOpened(flow)
        var requests = ending.expect["requests"]?.arrayValue ?? []
        if flow.token != nil, !requests.isEmpty { requests.removeLast() }
        expect["requests"] = .array(requests)
        let isTaken = flow.endsWell
        let faults = acts.faults + (isTaken ? [] : ending.faults)
        if !faults.isEmpty { step["faults"] = .array(faults) }
        for note in isTaken ? [] : ending.notes { writing.note(note) }
        step["expect"] = .object(expect)
        append(step, "\(flow.place): \(title(flow))")
        if isTaken { hasSession = true }
        guard let token = flow.token else { return }
        var redeemed = self.step("The code is redeemed", client: client)
        redeemed["id"] = .string(self.id("redeemed"))
        var request: JSONObject = ["endpoint": "token", "from": .string(id)]
        request["policy"] = policy(token.policy).map { .string($0.name) }
        redeemed["http"] = .object(request)
        let last = expectation.of(token, grant: "authorization_code")
        if !last.faults.isEmpty { redeemed["faults"] = .array(last.faults) }
        for note in last.notes { writing.note(note) }
        redeemed["expect"] = ["requests": last.expect["requests"] ?? []]
        append(redeemed, "\(token.exchange.place): the code is redeemed")
    }

    /// Brings people to where the capture has them by now: telephones that nobody answers, accounts that are made again.
    private mutating func settle(_ flow: Flow, _ actor: Int?) {
        guard let actor else { return }
        let name = writing.people[actor].name
        for act in flow.acts {
            guard case .sendCode(_, true) = act.kind, act.refusal == nil else { continue }
            let isSilent = act.unanswered != nil
            guard isSilent != silentPhones.contains(actor) else { break }
            if isSilent { silentPhones.insert(actor) } else { silentPhones.remove(actor) }
            append(
                ["configure": ["users": [name: ["answersCalls": .bool(!isSilent)]]]],
                isSilent ? "nobody answers the telephone" : "the telephone is answered again")
            break
        }
        settle(flow.token?.claims("id_token") ?? flow.frontTokens["id_token"], actor, typed: flow)
        let signsUp = flow.endsWell && flow.acts.contains { $0.isSubmit && $0.page?.record.name == "signUp" }
        guard signsUp else { return }
        if hasAccount.contains(actor) {
            append(["configure": ["users": [name: ["registered": false]]]], "an account is deleted")
            writing.note("\(flow.place): an account was made that was there already; the script deletes it before.")
            hasNewPassword.remove(actor)
        }
        hasAccount.insert(actor)
    }

    /// What somebody's record says now, and what it said before: it was changed where the capture does not show it.
    private mutating func settle(_ claims: JSONObject?, _ person: Int, typed flow: Flow? = nil) {
        var typed: Set<String> = []
        for act in flow?.acts ?? [] {
            if case .submit(let form) = act.kind { typed.formUnion(form.items.map(\.name)) }
        }
        let isAtProvider = flow?.acts.contains { if case .provider = $0.kind { true } else { false } } ?? false
        var changes = JSONObject()
        for (name, value) in claims?.members ?? [] {
            guard let attribute = Writing.attribute(ofClaim: name) else { continue }
            let now = writing.people.attribute(attribute, value)
            if Writing.isNothing(now), UserFlowAttribute.refusesEmptyText(attribute) { continue }
            let before = attributes[person]?[attribute] ?? writing.people[person].attributes[attribute]
            attributes[person, default: JSONObject()][attribute] = now
            guard let before, before != now, !typed.contains(attribute), !isAtProvider else { continue }
            changes[attribute] = now
        }
        guard !changes.isEmpty else { return }
        let name = writing.people[person].name
        append(
            ["configure": ["users": [name: .object(changes)]]],
            "the record of \(name) is changed: \(changes.keys.joined(separator: ", "))")
        writing.note(
            "What \(name)'s record says was changed where the capture does not show it; the script changes it.")
    }

    /// Whether the same app went on after this one.
    private func isFollowed(_ flow: Flow) -> Bool {
        let later = writing.story.items.drop { item in
            if case .flow(let other) = item { other.place != flow.place } else { true }
        }
        return later.dropFirst().contains { item in
            switch item {
            case .flow(let other): !other.isSilent && other.clientID == flow.clientID
            case .token(let call): call.clientID == flow.clientID
            case .logout, .api, .userInfo: false
            }
        }
    }

    private static func typesPassword(_ act: Flow.Act) -> Bool {
        if case .submit(let form) = act.kind { Writing.password(in: form) != nil } else { false }
    }

    private func title(_ flow: Flow) -> String {
        let id = policy(flow.policy)?.id ?? "sign-in"
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

    private mutating func parameters(_ flow: Flow, _ client: Int) -> JSONObject {
        let app = writing.clients[client]
        var call = JSONObject()
        if let policy = policy(flow.policy), writing.policyName(app.policy) != policy.name {
            call["policy"] = .string(policy.name)
        }
        if let scope = flow.query["scope"] {
            let scopes = Writing.scopes(scope)
            if scopes != app.scopes { call["scopes"] = .array(scopes.map { .string($0) }) }
        }
        let prompts = [
            ("login", "login"), ("select_account", "selectAccount"), ("consent", "consent"), ("create", "create"),
        ]
        if let word = prompts.first(where: { flow.prompts.contains($0.0) })?.1 { call["prompt"] = .string(word) }
        if let hint = flow.query["login_hint"], !hint.isEmpty { call["loginHint"] = .string(hintText(hint)) }
        if let hint = flow.query["domain_hint"], !hint.isEmpty { call["domainHint"] = .string(hint) }
        var extra = JSONObject()
        for item in flow.query.items {
            let name = item.name.lowercased()
            guard !Self.known.contains(name), !name.hasPrefix("x-client-"), !name.hasPrefix("x-app-") else { continue }
            let isSecret = SecretKind.parameter(item.name, item.value) != nil && !item.value.isEmpty
            let value = isSecret ? "REMOVED" : writing.people.scrubbed(item.value)
            extra[item.name] = .string(value)
            if value.contains("REMOVED") {
                writing.note("\(flow.place): the value of the parameter \(item.name) was taken out.")
            }
        }
        if !extra.isEmpty { call["extraQueryParameters"] = .object(extra) }
        for name in ["claims", "id_token_hint", "request"] where flow.query[name] != nil {
            writing.note("\(flow.place): the parameter \(name) of the authorization request is omitted.")
        }
        if let mode = flow.query["response_mode"], mode != app.responseMode, app.kind != .web || mode != "fragment" {
            writing.note("\(flow.place): response_mode=\(mode) differs from the app's first request.")
        }
        if flow.isPosted {
            writing.note("\(flow.place): the authorization request was posted; the script sends it as GET.")
        }
        return call
    }

    /// A hint names somebody: an address, or a user name.
    private mutating func hintText(_ hint: String) -> String {
        let text = writing.people.scrubbed(hint)
        guard text == hint, !text.contains("@") else { return text }
        let person = writing.people.person(signInName: hint)
        return "user\(person + 1)"
    }

    // MARK: Without the person

    private mutating func writeSilent(_ flow: Flow, client: Int, actor: Int?) {
        let app = writing.clients[client]
        if flow.endsWell, !hasSession {
            writeMissingSignIn(
                flow.policy, client: client, actor: actor,
                why: "\(flow.place): a request without the person was answered, so the browser had a session already.")
        }
        let name = policy(flow.policy)?.name
        var step = step("\(policy(flow.policy)?.id ?? "policy") without the person", client: client)
        var expectation = CapturedExpectation(writing: writing)
        if app.kind == .msalBrowser, !(signedIn[client] ?? []).isEmpty {
            var call: JSONObject = ["via": "iframe"]
            if let name, writing.policyName(app.policy) != name { call["policy"] = .string(name) }
            if let scope = flow.query["scope"], Writing.scopes(scope) != app.scopes {
                call["scopes"] = .array(Writing.scopes(scope).map { .string($0) })
            }
            step["acquireTokenSilent"] = .object(call)
            let ending = expectation.of(flow, client: client, acts: nil)
            if !ending.faults.isEmpty { step["faults"] = .array(ending.faults) }
            for note in ending.notes { writing.note(note) }
            step["expect"] = .object(ending.expect)
        } else {
            var open: JSONObject = ["endpoint": "authorize"]
            open["policy"] = name.map { .string($0) }
            open["query"] = ["prompt": "none"]
            open["frame"] = true
            step["open"] = .object(open)
            step["expect"] = .object(expectation.ofOpened(flow))
            if case .error(_, let code?) = flow.ending, hasSession {
                step["faults"] = [["match": ["endpoint": "authorize"], "b2cError": .string(code)]]
            }
        }
        append(step, "\(flow.place): \(policy(flow.policy)?.id ?? "policy") without the person")
    }

    private mutating func write(_ call: TokenCall, actor: Int?) {
        let client = client(call.clientID)
        switch call.grant {
        case "refresh_token": writeRefresh(call, client: client, actor: actor)
        case "password": writePassword(call, client: client, actor: actor)
        case "authorization_code": writeOrphan(call, client: client, actor: actor)
        case nil where call.exchange.lacksRequestBody:
            writing.note(
                "\(call.exchange.place): what was sent to the token endpoint is not in the capture; taken for a refresh."
            )
            writeRefresh(call, client: client, actor: actor)
        default:
            writing.note(
                "\(call.exchange.place): a token request of the grant \(call.grant ?? "(none)") is not carried over.")
        }
    }

    private mutating func writeRefresh(_ call: TokenCall, client: Int, actor: Int?) {
        // Nobody signs in there, so no library has an account whose tokens it could refresh.
        if policy(call.policy)?.type == .ropc {
            writeRefreshByHand(call, client: client, actor: actor)
            return
        }
        let policies = signedIn[client] ?? []
        if policies.isEmpty || !(call.policy.map { policies.contains($0) } ?? true) {
            writeMissingSignIn(
                call.policy, client: client, actor: actor,
                why: "\(call.exchange.place): a refresh token was used that the capture does not show being issued.")
        }
        if call.isGood, let actor { settle(call.claims("id_token"), actor) }
        let app = writing.clients[client]
        var step = step("Tokens are refreshed" + (call.isGood ? "" : ", in vain"), client: client)
        let id = id("refresh")
        step["id"] = .string(id)
        var silent: JSONObject = ["forceRefresh": true]
        if app.kind == .msalBrowser { silent["via"] = "cacheOrRefresh" }
        if let name = policy(call.policy)?.name, writing.policyName(app.policy) != name || policies.count > 1 {
            silent["policy"] = .string(name)
        }
        if let scope = call.form["scope"], Writing.scopes(scope) != app.scopes {
            silent["scopes"] = .array(Writing.scopes(scope).map { .string($0) })
        }
        var account = JSONObject()
        if policies.count > 1, let name = policy(call.policy)?.name { account["policy"] = .string(name) }
        if let people = holders[client], people.count > 1,
            let person = people.last(where: { $0 == actor }) ?? people.last
        {
            account["person"] = .string(writing.people[person].name)
        }
        if !account.isEmpty { silent["account"] = .object(account) }
        step["acquireTokenSilent"] = .object(silent)
        var expectation = CapturedExpectation(writing: writing)
        let ending = expectation.of(call, grant: "refresh_token")
        if !ending.faults.isEmpty { step["faults"] = .array(ending.faults) }
        for note in ending.notes { writing.note(note) }
        step["expect"] = .object(ending.expect)
        append(step, "\(call.exchange.place): a refresh" + (call.isGood ? "" : " that is refused"))
        if call.isGood {
            newestID = id
            if let token = call.json?["id_token"]?.stringValue { idTokens[token] = id }
        }
    }

    private mutating func writeOrphan(_ call: TokenCall, client: Int, actor: Int?) {
        writing.note(
            "\(call.exchange.place): a code is redeemed whose sign-in is not in the capture; the script signs "
                + "\(writing.people[actor ?? 0].name) in.")
        var flow = Flow(
            started: call.exchange.started, place: call.exchange.place, host: call.exchange.request.url.authority,
            form: .tfp, policy: call.policy, query: FormItems())
        flow.ending = .code(nil)
        flow.token = call
        flow.lacksPages = true
        var step = step("\(policy(call.policy)?.id ?? "sign-in")", client: client)
        let id = id("signIn")
        step["id"] = .string(id)
        step["acquireToken"] = .object(parameters(flow, client))
        step["user"] = .string(writing.people[actor ?? 0].name)
        var expectation = CapturedExpectation(writing: writing)
        let ending = expectation.of(flow, client: client, acts: nil)
        if !ending.faults.isEmpty { step["faults"] = .array(ending.faults) }
        for note in ending.notes { writing.note(note) }
        step["expect"] = .object(ending.expect)
        append(step, "\(call.exchange.place): a code is redeemed")
        hasSession = true
        if call.isGood {
            signedIn[client, default: []].insert(call.policy ?? "")
            hold(actor ?? 0, client)
            newestID = id
        }
    }

    private mutating func hold(_ person: Int, _ client: Int) {
        holders[client, default: []].removeAll { $0 == person }
        holders[client, default: []].append(person)
    }

    private mutating func writePassword(_ call: TokenCall, client: Int, actor: Int?) {
        let person = actor ?? 0
        var step = step("The password grant", client: client)
        var form: JSONObject = ["grant_type": "password"]
        let record = writing.people[person]
        form["username"] = .string(signInName(of: person))
        let typed = call.form["password"]
        let isWrong = typed != nil && typed != record.password && call.b2cCode == "AADB2C90225"
        form["password"] = .string(
            isWrong ? writing.people.wrongPassword(typed ?? "") : writing.people.password(of: person))
        for name in ["scope", "response_type"] where call.form[name] != nil {
            form[name] = .string(call.form[name] ?? "")
        }
        var request: JSONObject = ["endpoint": "token"]
        request["policy"] = policy(call.policy).map { .string($0.name) }
        request["form"] = .object(form)
        step["http"] = .object(request)
        appendByHand(step, call, natural: "AADB2C90225", "\(call.exchange.place): the password grant")
    }

    /// A refresh token of a policy without pages is redeemed as it was brought: by a request of the script.
    private mutating func writeRefreshByHand(_ call: TokenCall, client: Int, actor: Int?) {
        let key = call.policy ?? ""
        let before = granted[client]?[key] ?? writeMissingGrant(call, client: client, person: actor ?? 0)
        var form: JSONObject = [
            "grant_type": "refresh_token", "refresh_token": .string("{{\(before)/result/json/refresh_token}}"),
        ]
        form["scope"] = call.form["scope"].map { .string($0) }
        var request: JSONObject = ["endpoint": "token"]
        request["policy"] = policy(call.policy).map { .string($0.name) }
        request["form"] = .object(form)
        var step = step("Tokens are refreshed" + (call.isGood ? "" : ", in vain"), client: client)
        step["http"] = .object(request)
        appendByHand(
            step, call, natural: nil,
            "\(call.exchange.place): a refresh" + (call.isGood ? "" : " that is refused"))
    }

    /// A password grant that the capture does not show, and whose refresh token it shows.
    private mutating func writeMissingGrant(_ call: TokenCall, client: Int, person: Int) -> String {
        let why = "\(call.exchange.place): a refresh token was used that the capture does not show being issued."
        let name = id("before")
        var step = step("Before the capture began: the password grant", client: client)
        step["id"] = .string(name)
        var request: JSONObject = ["endpoint": "token"]
        request["policy"] = policy(call.policy).map { .string($0.name) }
        let scope = call.form["scope"] ?? "openid offline_access \(writing.clients[client].clientID)"
        request["form"] = [
            "grant_type": "password", "username": .string(signInName(of: person)),
            "password": .string(writing.people.password(of: person)), "scope": .string(scope),
            "response_type": "token id_token",
        ]
        step["http"] = .object(request)
        step["expect"] = ["result": ["status": 200]]
        append(step, "a password grant that the capture does not show: \(why)")
        writing.note("\(why) The script has \(writing.people[person].name)'s password granted first.")
        granted[client, default: [:]][call.policy ?? ""] = name
        return name
    }

    private func signInName(of person: Int) -> String {
        writing.people[person].hasEmail ? writing.people.email(of: person) : "user\(person + 1)"
    }

    /// Ends the step of a request for tokens that no library sends: what it expects, and where its tokens are.
    ///
    /// - Parameter natural: The code with which the mock refuses by itself.
    private mutating func appendByHand(_ start: JSONObject, _ call: TokenCall, natural: String?, _ line: String) {
        var step = start
        if call.isGood, call.json?["refresh_token"] != nil {
            let id = id("granted")
            step["id"] = .string(id)
            granted[client(call.clientID), default: [:]][call.policy ?? ""] = id
        }
        var result = JSONObject()
        if let status = call.exchange.response?.status { result["status"] = .integer(Int64(status)) }
        if let error = call.error { result["json"] = ["error": .string(error)] }
        result["b2cCode"] = call.b2cCode.map { .string($0) }
        if let code = call.b2cCode, code != natural {
            step["faults"] = [["match": ["endpoint": "token"], "b2cError": .string(code)]]
        }
        step["expect"] = ["result": .object(result)]
        append(step, line)
    }

    // MARK: Sign-out, APIs

    private mutating func write(_ call: LogoutCall) {
        let client = call.query["client_id"].flatMap { writing.client($0) } ?? signedIn.keys.sorted().first ?? 0
        let app = writing.clients[client]
        let target = call.query["post_logout_redirect_uri"]
        let isOwn = app.redirectURIs.contains(target ?? "")
        let isMSAL = [.msalIOS, .msalMacOS, .msalBrowser].contains(app.kind)
        let policies = signedIn[client] ?? []
        let isRefused = call.page?.name == "error"
        var page = JSONObject()
        if let shown = call.page {
            page["name"] = .string(shown.name)
            page["b2cCode"] = shown.b2cCode.map { .string($0) }
        }
        // MSAL's own sign-out sends none, and lets go of the account, which no request by hand does.
        let isLibrarys =
            isMSAL && isOwn && !policies.isEmpty && call.page == nil
            && policy(call.policy)?.requiresIDTokenAtLogout != true
        if isLibrarys, call.query["id_token_hint"] != nil {
            writing.note("\(call.exchange.place): the sign-out carried an id_token_hint, which is omitted.")
        }
        let hint = isLibrarys ? nil : hint(call)
        // Native libraries sign one account out; the session is that of the newest. MSAL.js lets go of all.
        let accounts = holders[client] ?? []
        let leaver = accounts.count > 1 && app.kind != .msalBrowser ? accounts.last : nil
        var step = step("Signs out", client: client)
        var expect = JSONObject()
        var record: JSONObject = ["endpoint": "logout"]
        if isMSAL, isOwn, !policies.isEmpty, hint == nil {
            var parameters: JSONObject = ["fromBrowser": true]
            var account = JSONObject()
            if let policy = policy(call.policy) {
                if policies.count > 1 { account["policy"] = .string(policy.name) }
                if writing.policyName(app.policy) != policy.name { parameters["policy"] = .string(policy.name) }
            }
            if let leaver { account["person"] = .string(writing.people[leaver].name) }
            if !account.isEmpty { parameters["account"] = .object(account) }
            step["signOut"] = .object(parameters)
            // The library waits for the way back, which does not come.
            if !page.isEmpty {
                step["user"] = [["window": "close"]]
                expect["pages"] = [.object(page)]
            }
        } else {
            var open: JSONObject = ["endpoint": "logout"]
            open["policy"] = policy(call.policy).map { .string($0.name) }
            var query = JSONObject()
            if target == nil { query["post_logout_redirect_uri"] = .null }
            if !isOwn, let target { query["post_logout_redirect_uri"] = .string(target) }
            query["id_token_hint"] = hint.map { .string($0) }
            if !query.isEmpty { open["query"] = .object(query) }
            step["open"] = .object(open)
            if !page.isEmpty { expect["result"] = ["page": .object(page)] }
        }
        if let target { record["query"] = ["post_logout_redirect_uri": .string(target)] }
        if let status = call.exchange.response?.status { record["response"] = ["status": .integer(Int64(status))] }
        expect["requests"] = [.object(record)]
        step["expect"] = .object(expect)
        append(step, "\(call.exchange.place): sign-out" + (isRefused ? " that is refused" : ""))
        if !isRefused { hasSession = false }
        if step["signOut"] != nil, let leaver {
            holders[client]?.removeAll { $0 == leaver }
        } else if step["signOut"] != nil || !isRefused {
            signedIn[client] = nil
            holders[client] = nil
        }
    }

    /// What a sign-out names its session by: the token of a step, or one with the flaw that the service found.
    private mutating func hint(_ call: LogoutCall) -> String? {
        guard let text = call.query["id_token_hint"], !text.isEmpty else { return nil }
        if call.page?.b2cCode == "AADB2C90240" { return "not.a-token" }
        if let id = idTokens[text] ?? (call.page?.name == "error" ? nil : newestID) {
            return "{{\(id)/result/idToken/raw}}"
        }
        guard let newestID else {
            writing.note("\(call.exchange.place): the sign-out carried an id_token_hint, which is omitted.")
            return nil
        }
        var mint: JSONObject = ["from": .string("{{\(newestID)/result/idToken}}")]
        switch call.page?.b2cCode {
        case "AADB2C90235": mint["lifetime"] = "-PT1M"
        case "AADB2C90237": mint["claims"] = ["aud": "00000000-0000-0000-0000-000000000001"]
        case "AADB2C90238":
            mint["claims"] = ["iss": "https://login.example.com/00000000-0000-0000-0000-000000000001/v2.0/"]
        case "AADB2C90239": mint["key"] = "stranger"
        default: return "{{\(newestID)/result/idToken/raw}}"
        }
        let id = id("hint")
        append(["id": .string(id), "mintToken": .object(mint)], "a token that is refused as a hint")
        writing.note(
            "\(call.exchange.place): the token that the sign-out carried is not that of a sign-in of the capture; the script "
                + "makes one that is refused for the same reason.")
        return "{{\(id)/result/token}}"
    }

    private mutating func writeCall(_ exchange: CapturedExchange) {
        let url = exchange.request.url
        guard let index = writing.api(at: url) else { return }
        let hasToken = exchange.request.headers["Authorization"] != nil
        // Tools leave credentials out by default; then the order of events decides.
        let isBare =
            !hasToken && (writing.traffic.showsCredentials || (newestID == nil && exchange.response?.status == 401))
        if newestID == nil, !isBare {
            writeMissingSignIn(
                nil, client: 0, actor: 0,
                why: "\(exchange.place): an API was called with a token that the capture does not show being issued.")
        }
        let api = writing.apis[index]
        var step = JSONObject()
        let path = writing.people.scrubbed(url.path.isEmpty ? "/" : url.path)
        step["name"] = .string("\(exchange.request.method) \(path)")
        var call: JSONObject = ["api": .string(api.name), "path": .string(path)]
        if exchange.request.method != "GET" { call["method"] = .string(exchange.request.method) }
        if isBare { call["token"] = .null }
        step["callApi"] = .object(call)
        if url.query != nil || !exchange.request.body.isEmpty {
            writing.note(
                "Queries and bodies of API calls and their answers are omitted: the API of the mock answers with an empty object."
            )
        }
        guard let status = exchange.response?.status else {
            step["faults"] = [["match": ["endpoint": "api"], "network": "reset"]]
            step["expect"] = ["error": .object(JSONObject())]
            writing.note(
                "\(exchange.place): no answer of the API (\(exchange.failure ?? "unknown")); the script breaks the connection."
            )
            append(step, "\(exchange.place): a call of \(api.name) without an answer")
            return
        }
        let isOpen = api.openPaths.contains(url.path)
        if status != (isBare && !isOpen ? 401 : 200) {
            step["faults"] = [["match": ["endpoint": "api"], "respond": ["status": .integer(Int64(status))]]]
            if status >= 400 {
                writing.note(
                    "\(exchange.place): why the API answered \(status) is not in the capture; the script has it answer so."
                )
            }
        }
        step["expect"] = ["result": ["status": .integer(Int64(status))]]
        append(step, "\(exchange.place): a call of \(api.name), \(status)")
    }

    private mutating func writeUserInfo(_ exchange: CapturedExchange, _ policyID: String?) {
        guard let id = newestID else {
            writing.note("\(exchange.place): a userinfo request without a sign-in before it is not carried over.")
            return
        }
        var step = JSONObject()
        step["name"] = "The userinfo endpoint"
        var request: JSONObject = ["endpoint": "userinfo"]
        request["policy"] = policy(policyID).map { .string($0.name) }
        request["headers"] = ["Authorization": .string("Bearer {{\(id)/result/accessToken/raw}}")]
        step["http"] = .object(request)
        if let status = exchange.response?.status { step["expect"] = ["result": ["status": .integer(Int64(status))]] }
        append(step, "\(exchange.place): userinfo")
    }
}

extension Flow {
    /// Some page was shown at once, whose HTML the capture lacks, and nothing more is known: a person with a session sees none.
    fileprivate var stopsAtUnseenPage: Bool {
        ending == nil && pages.isEmpty && acts.isEmpty && lacksPages && status == 200
    }

    /// The code that it ended with, where the mock can refuse with it.
    var knownCode: String? {
        switch ending {
        case .error(_, let code?), .page(let code?): B2CErrorCode.named(code) == nil ? nil : code
        default: nil
        }
    }

    /// A code or tokens came back.
    var endsWell: Bool {
        switch ending {
        case .code, .tokens: true
        case .error, .page, nil: false
        }
    }
}
