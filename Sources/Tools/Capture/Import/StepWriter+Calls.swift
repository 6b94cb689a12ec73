import B2CProtocol
import Browser
import HTTPMessages
import JSON
import TenantFiles
import Verbs

extension StepWriter {
    // MARK: Sign-out

    mutating func write(_ call: LogoutCall) {
        let client = call.query["client_id"].flatMap { tenant.client($0) } ?? signedIn.keys.sorted().first ?? 0
        let page = call.page.map { CapturedExpectation.page($0.name, $0.b2cCode) }
        let isRefused = call.page?.name == "error"
        let isLibrarys = isLibrarys(call, client)
        let hint = hint(call, isLibrarys: isLibrarys)
        let isSignOut = isLibrarys && hint == nil
        // Native libraries sign one account out; the session is that of the newest. MSAL.js drops all.
        let accounts = holders[client] ?? []
        let leaver = accounts.count > 1 && !tenant.clients[client].kind.traits.runsInPage ? accounts.last : nil
        var ending = CapturedExpectation.Ending()
        var step: Step
        if isSignOut {
            step = self.step(signOut(call, client, leaver), "Signs out", client: client)
            // The library waits for the way back, which does not come.
            if let page {
                step.user = UserMove.json([.closeWindow])
                ending.expect["pages"] = [page]
            }
        } else {
            step = self.step(logout(call, client, hint), "Signs out", client: client)
            if let page { ending.expect["result"] = ["page": page] }
        }
        var record: JSONObject = ["endpoint": "logout"]
        if let target = call.target { record["query"] = ["post_logout_redirect_uri": .string(target)] }
        record["response"] = call.exchange.response.map { CapturedExpectation.status($0.status) }
        ending.expect["requests"] = [.object(record)]
        append(step, ending, "\(call.exchange.place): sign-out" + (isRefused ? " that is refused" : ""))
        if !isRefused { hasSession = false }
        if isSignOut, let leaver {
            holders[client]?.removeAll { $0 == leaver }
        } else if isSignOut || !isRefused {
            signedIn[client] = nil
            holders[client] = nil
        }
    }

    /// Whether the request is one that MSAL sends to sign out.
    private func isLibrarys(_ call: LogoutCall, _ client: Int) -> Bool {
        let app = tenant.clients[client]
        return app.kind.traits.endsSession
            && app.redirectURIs.contains(call.target ?? "") && !(signedIn[client] ?? []).isEmpty
    }

    private func signOut(_ call: LogoutCall, _ client: Int, _ leaver: Int?) -> SignOut {
        SignOut {
            $0.fromBrowser = true
            $0.policy = policyName(call.policy, unlessOf: client)
            var account = AccountDescription()
            if (signedIn[client] ?? []).count > 1 { account.policy = tenant.policyName(call.policy) }
            account.person = leaver.map { tenant.people[$0].name }
            if account != AccountDescription() { $0.account = .described(account) }
        }
    }

    private func logout(_ call: LogoutCall, _ client: Int, _ hint: String?) -> Open {
        var query = JSONObject()
        if !tenant.clients[client].redirectURIs.contains(call.target ?? "") {
            query["post_logout_redirect_uri"] = call.target.map { .string($0) } ?? .null
        }
        query["id_token_hint"] = hint.map { .string($0) }
        return Open {
            $0.request.endpoint = .logout
            $0.request.policy = tenant.policyName(call.policy)
            $0.request.query = query.isEmpty ? nil : query
        }
    }

    /// What a sign-out names its session by: the token of a step, or one with the flaw that the service found.
    private mutating func hint(_ call: LogoutCall, isLibrarys: Bool) -> String? {
        guard let text = call.query["id_token_hint"], !text.isEmpty else { return nil }
        if call.page?.b2cCode == "AADB2C90240" { return "not.a-token" }
        let known = idTokens[text] ?? newestID
        // MSAL's own sign-out sends none, and drops the account, which a request by hand never does.
        let isOwn = isLibrarys && call.page == nil
        guard let newestID = known,
            !isOwn || tenant.policy(call.policy)?.settings.session.requireIdTokenInLogout == true
        else {
            context.note("\(call.exchange.place): the sign-out carried an id_token_hint, which is omitted.")
            return nil
        }
        if idTokens[text] != nil || call.page?.name != "error" { return "{{\(newestID)/result/idToken/raw}}" }
        let nobody = "00000000-0000-0000-0000-000000000001"
        var mint = MintToken { $0.value.from = "{{\(newestID)/result/idToken}}" }
        switch call.page?.b2cCode {
        case "AADB2C90235": mint.value.lifetime = .minutes(-1)
        case "AADB2C90237": mint.value.claims = ["aud": .string(nobody)]
        case "AADB2C90238": mint.value.claims = ["iss": .string("https://login.example.com/\(nobody)/v2.0/")]
        case "AADB2C90239": mint.value.key = "stranger"
        default: return "{{\(newestID)/result/idToken/raw}}"
        }
        let id = id("hint")
        append(Step(mint, id: id), "a token that is refused as a hint")
        context.note(
            "\(call.exchange.place): the token that the sign-out carried is not that of a sign-in of the capture; the script "
                + "makes one that is refused for the same reason.")
        return "{{\(id)/result/token}}"
    }

    // MARK: APIs

    mutating func writeCall(_ exchange: CapturedExchange) {
        let url = exchange.request.url
        guard let index = tenant.api(at: url) else { return }
        let hasToken = exchange.request.headers["Authorization"] != nil
        // Tools leave credentials out by default; then the order of events decides.
        let isBare =
            !hasToken && (tenant.traffic.showsCredentials || (newestID == nil && exchange.response?.status == 401))
        if newestID == nil, !isBare {
            writeMissingSignIn(
                nil, client: 0, actor: 0,
                why: "\(exchange.place): an API was called with a token that the capture does not show being issued.")
        }
        let api = tenant.apis[index]
        let path = context.tenant.people.scrubbed(url.path.isEmpty ? "/" : url.path)
        let method = exchange.request.method
        let call = CallAPI {
            $0.api = api.name
            $0.path = path
            $0.method = method == "GET" ? nil : method
            if isBare { $0.token = .none }
        }
        if url.query != nil || !exchange.request.body.isEmpty {
            context.note(
                "Queries and bodies of API calls and their answers are omitted: the API of the mock answers with an empty object."
            )
        }
        let step = step(call, "\(method) \(path)")
        var ending = CapturedExpectation.Ending()
        guard let status = exchange.response?.status else {
            ending.faults = [["match": ["endpoint": "api"], "network": "reset"]]
            ending.expect = ["error": .object(JSONObject())]
            ending.notes = [
                "\(exchange.place): no answer of the API (\(exchange.failure ?? "unknown")); the script breaks the connection."
            ]
            append(step, ending, "\(exchange.place): a call of \(api.name) without an answer")
            return
        }
        if status != (isBare && !api.isOpen(url.path) ? 401 : 200) {
            ending.respond(status, to: ["endpoint": "api"])
            if status >= 400 {
                ending.notes = [
                    "\(exchange.place): why the API answered \(status) is not in the capture; the script has it answer so."
                ]
            }
        }
        ending.expect = ["result": CapturedExpectation.status(status)]
        append(step, ending, "\(exchange.place): a call of \(api.name), \(status)")
    }

    mutating func writeUserInfo(_ exchange: CapturedExchange, _ policy: String?) {
        guard let id = newestID else {
            context.note("\(exchange.place): a userinfo request without a sign-in before it is not carried over.")
            return
        }
        let call = HTTP {
            $0.request.endpoint = .userinfo
            $0.request.policy = tenant.policyName(policy)
            $0.request.headers = ["Authorization": .string("Bearer {{\(id)/result/accessToken/raw}}")]
        }
        var step = step(call, "The userinfo endpoint")
        step.expect = exchange.response.map { ["result": CapturedExpectation.status($0.status)] }
        append(step, "\(exchange.place): userinfo")
    }
}
