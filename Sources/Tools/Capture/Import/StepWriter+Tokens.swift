import HTTPMessages
import JSON
import Verbs

extension StepWriter {
    mutating func write(_ call: TokenCall, actor: Int?) {
        let client = client(call.clientID)
        switch call.grant {
        case "refresh_token": writeRefresh(call, client: client, actor: actor)
        case "password": writePassword(call, client: client, actor: actor)
        case "authorization_code": writeOrphan(call, client: client, actor: actor)
        case nil where call.exchange.lacksRequestBody:
            context.note(
                "\(call.exchange.place): what was sent to the token endpoint is not in the capture; taken for a refresh."
            )
            writeRefresh(call, client: client, actor: actor)
        default:
            context.note(
                "\(call.exchange.place): a token request of the grant \(call.grant ?? "(none)") is not carried over.")
        }
    }

    private mutating func writeRefresh(_ call: TokenCall, client: Int, actor: Int?) {
        // Nobody signs in there, so no library has an account whose tokens it could refresh.
        if tenant.policy(call.policy)?.settings.type == .ropc {
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
        let id = id("refresh")
        let step = step(refresh(call, client, actor, from: policies), Self.title(call), client: client, id: id)
        append(
            step, CapturedExpectation(context).of(call, grant: "refresh_token"),
            "\(call.exchange.place): a refresh" + (call.isGood ? "" : " that is refused"))
        guard call.isGood else { return }
        newestID = id
        if let token = call.json?["id_token"]?.stringValue { idTokens[token] = id }
    }

    /// The silent call that sends a refresh token.
    ///
    /// - Parameter policies: Those that the app had tokens of.
    private func refresh(
        _ call: TokenCall, _ client: Int, _ actor: Int?, from policies: Set<String>
    ) -> AcquireTokenSilent {
        AcquireTokenSilent {
            $0.forceRefresh = true
            if tenant.clients[client].kind.traits.runsInPage { $0.via = .cacheOrRefresh }
            $0.target.policy = policyName(call.policy, unlessOf: client)
            $0.target.scopes = scopes(call.form["scope"], unlessOf: client)
            var account = AccountDescription()
            if policies.count > 1 {
                $0.target.policy = tenant.policyName(call.policy)
                account.policy = $0.target.policy
            }
            if let people = holders[client], people.count > 1,
                let person = people.last(where: { $0 == actor }) ?? people.last
            {
                account.person = tenant.people[person].name
            }
            if account != AccountDescription() { $0.account = .described(account) }
        }
    }

    private static func title(_ call: TokenCall) -> String {
        "Tokens are refreshed" + (call.isGood ? "" : ", in vain")
    }

    // MARK: By hand

    private mutating func writePassword(_ call: TokenCall, client: Int, actor: Int?) {
        let person = actor ?? 0
        let typed = call.form["password"]
        let isWrong =
            typed != nil && typed != tenant.people[person].password && call.b2cCode == "AADB2C90225"
        var form = passwordForm(person)
        if isWrong { form["password"] = .string(context.tenant.people.wrongPassword(typed ?? "")) }
        for name in ["scope", "response_type"] { form[name] = call.form[name].map { .string($0) } }
        appendByHand(
            form, call, title: "The password grant", natural: "AADB2C90225",
            line: "\(call.exchange.place): the password grant")
    }

    /// A refresh token of a policy without pages is redeemed as it was brought: by a request of the script.
    private mutating func writeRefreshByHand(_ call: TokenCall, client: Int, actor: Int?) {
        let before =
            granted[client]?[call.policy ?? ""] ?? writeMissingGrant(call, client: client, person: actor ?? 0)
        var form: JSONObject = [
            "grant_type": "refresh_token", "refresh_token": .string("{{\(before)/result/json/refresh_token}}"),
        ]
        form["scope"] = call.form["scope"].map { .string($0) }
        appendByHand(
            form, call, title: Self.title(call), natural: nil,
            line: "\(call.exchange.place): a refresh" + (call.isGood ? "" : " that is refused"))
    }

    /// A password grant that the capture does not show, and whose refresh token it shows.
    private mutating func writeMissingGrant(_ call: TokenCall, client: Int, person: Int) -> String {
        let why = "\(call.exchange.place): a refresh token was used that the capture does not show being issued."
        let name = id("before")
        var form = passwordForm(person)
        form["scope"] = .string(
            call.form["scope"] ?? "openid offline_access \(tenant.clients[client].clientID)")
        form["response_type"] = "token id_token"
        var step = step(
            request(form, call), "Before the capture began: the password grant", client: client, id: name)
        step.expect = ["result": ["status": 200]]
        append(step, "a password grant that the capture does not show: \(why)")
        context.note("\(why) The script has \(tenant.people[person].name)'s password granted first.")
        granted[client, default: [:]][call.policy ?? ""] = name
        return name
    }

    private func passwordForm(_ person: Int) -> JSONObject {
        let people = tenant.people
        let name = people[person].hasEmail ? people.email(of: person) : "user\(person + 1)"
        return [
            "grant_type": "password", "username": .string(name), "password": .string(people.password(of: person)),
        ]
    }

    private func request(_ form: JSONObject, _ call: TokenCall) -> HTTP {
        HTTP {
            $0.request.endpoint = .token
            $0.request.policy = tenant.policyName(call.policy)
            $0.request.form = form
        }
    }

    /// Appends a request for tokens that no library sends: what it expects, and where its tokens are.
    ///
    /// - Parameter natural: The code with which the mock refuses by itself.
    private mutating func appendByHand(
        _ form: JSONObject, _ call: TokenCall, title: String, natural: String?, line: String
    ) {
        let client = client(call.clientID)
        var step = step(request(form, call), title, client: client)
        if call.isGood, call.json?["refresh_token"] != nil {
            let id = id("granted")
            step.id = id
            granted[client, default: [:]][call.policy ?? ""] = id
        }
        var result =
            call.exchange.response.flatMap { CapturedExpectation.status($0.status).objectValue } ?? JSONObject()
        if let error = call.error { result["json"] = ["error": .string(error)] }
        result["b2cCode"] = call.b2cCode.map { .string($0) }
        var ending = CapturedExpectation.Ending(expect: ["result": .object(result)])
        if let code = call.b2cCode, code != natural {
            ending.faults = [["match": ["endpoint": "token"], "b2cError": .string(code)]]
        }
        append(step, ending, line)
    }
}
