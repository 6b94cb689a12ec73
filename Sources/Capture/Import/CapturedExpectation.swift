import B2CProtocol
import Exchanges
import HTTPMessages
import JSON

/// What a step of the script expects: what the capture showed, without what is secret, personal or different every time.
struct CapturedExpectation {
    private let context: ScriptContext
    private var tenant: CapturedTenant { context.tenant }

    init(_ context: ScriptContext) {
        self.context = context
    }

    /// An expectation, and rules that make the mock behave as the capture where the cause is out of sight.
    struct Ending {
        var expect = JSONObject()
        var faults: [JSONValue] = []
        var notes: [String] = []

        /// Has the person close the window, because the app begins something new while the flow is open.
        mutating func close(_ flow: Flow) {
            if case .page = flow.ending, let page = expect["pending"]?["page"] { expect["pages"] = [page] }
            expect["pending"] = nil
            expect["error"] = ["kind": "userCanceled"]
            if flow.ending == nil {
                notes = ["\(flow.place): the flow did not end, and another one began: the script closes the window."]
            }
        }

        /// Leaves as much of it as a step of this fidelity expects.
        mutating func reduce(to fidelity: Fidelity, _ flow: Flow) {
            guard fidelity > .asCaptured else { return }
            expect["requests"] = nil
            guard fidelity > .withoutRequests else { return }
            if let code = flow.knownCode {
                faults = [
                    ["match": ["endpoint": "authorize"], "b2cError": CapturedExpectation.refusal(code, flow)]
                ]
            } else if fidelity >= .accountGiven, !flow.endsWell {
                // Nobody acts any more.
                expect = ["pending": .object(JSONObject())]
            } else {
                for name in ["result", "error", "pending"] where expect[name] != nil {
                    expect[name] = .object(JSONObject())
                }
            }
        }
    }

    /// A page as an expectation names it.
    static func page(_ name: String, _ code: String?) -> JSONValue {
        var page: JSONObject = ["name": .string(name)]
        page["b2cCode"] = code.map { .string($0) }
        return .object(page)
    }

    /// The order to refuse with a code, as the flow was refused.
    private static func refusal(_ code: String, _ flow: Flow) -> JSONValue {
        let delivery: RefusalOrders.Delivery = if case .page = flow.ending { .page } else { .redirect }
        return RefusalOrders(code: code, delivery: delivery).json
    }

    /// Refusals that come by themselves when the person acts as in the capture.
    private static let natural: Set<String> = ["AADB2C90118", "AADB2C90091"]

    func of(_ flow: Flow, client: Int, acts: ActWriter?) -> Ending {
        var ending = Ending()
        var requests: [JSONValue] = flow.query.isEmpty ? [] : [authorize(flow, client)]
        requests += acts?.requests ?? []
        let policy = tenant.policyName(flow.policy)
        switch flow.ending {
        case .code, .tokens:
            if let call = flow.token, !call.isGood {
                let refused = of(call, grant: "authorization_code")
                ending.expect["error"] = refused.expect["error"]
                ending.faults += refused.faults
                ending.notes += refused.notes
            } else {
                ending.expect["result"] = .object(result(flow))
            }
            if let call = flow.token {
                requests += records(call, grant: "authorization_code", policy: policy)
                ending.faults += downtime(call, grant: "authorization_code")
            }
        case .error(let oauth, let code):
            ending.expect["error"] = .object(error(oauth, code))
            if let code, !comesByItself(code, flow, acts) {
                refuse(code, flow, &ending)
            } else if code == nil {
                ending.notes.append(
                    "\(flow.place): the error \(oauth) has no code of B2C; the script expects it as it is.")
            }
        case .page(let code):
            ending.expect["pending"] = ["page": Self.page("error", code)]
            if let code {
                // Where to send people back to is in the request itself.
                if !["AADB2C90006", "AADB2C90007", "AADB2C90287"].contains(code) { refuse(code, flow, &ending) }
            } else if flow.acts.isEmpty, let status = flow.status, status >= 400 {
                ending.faults.append([
                    "match": ["endpoint": "authorize"], "respond": ["status": .integer(Int64(status))],
                ])
                ending.notes.append(
                    "\(flow.place): why the request was answered with HTTP \(status) is not in the capture; the script has it "
                        + "answered so.")
            }
        case nil:
            var pending = JSONObject()
            if flow.isAtProvider {
                if let status = flow.providerStatus { pending["page"] = ["status": .integer(Int64(status))] }
            } else if let name = flow.page?.record.name {
                pending["page"] = Self.page(tenant.pageName(name, of: flow), nil)
            }
            ending.expect["pending"] = .object(pending)
            ending.notes.append("\(flow.place): how the flow ended is not in the capture; the script leaves it open.")
        }
        ending.expect["requests"] = .array(requests)
        return ending
    }

    /// Whether the flow ends so because of what the person does in it.
    private func comesByItself(_ code: String, _ flow: Flow, _ acts: ActWriter?) -> Bool {
        if Self.natural.contains(code) { return flow.acts.contains { $0.isPress } }
        guard let acts, !acts.isShort else { return false }
        // The error at which a page gave up reaches the app as well.
        if acts.saidByPages.contains(code) { return true }
        guard let last = flow.acts.last, case .provider = last.kind else { return false }
        switch code {
        // Cancelled there.
        case "AADB2C90273": return last.providerError == "access_denied"
        // Somebody without an account, where none can be made.
        case "AADB2C99002", "AADB2C90053":
            return tenant.policy(flow.policy)?.type == .signIn
        default: return false
        }
    }

    /// Has the service refuse with a code whose cause the capture does not show.
    private func refuse(_ code: String, _ flow: Flow, _ ending: inout Ending) {
        if context.options.explained.contains(flow.place) { return }
        guard B2CErrorCode.named(code) != nil else {
            ending.notes.append("\(flow.place): the mock does not know \(code), with which the flow ended.")
            return
        }
        if code == "AADB2C90289" {
            // What the service asks of the provider, no browser sees.
            ending.faults.append([
                "match": ["endpoint": "provider", "from": "authority", "method": "POST"], "respond": ["status": 500],
            ])
            ending.notes.append(
                "\(flow.place): what the identity provider answered to the service is not in the capture; the script has it fail."
            )
            return
        }
        // The request that brought it in the capture brings it here.
        let (word, before) = flow.isRefusedUntouched ? ("authorize", 0) : flow.lastRead ?? ("authorize", 0)
        var rule: JSONObject = [
            "match": word == "authorize"
                ? ["endpoint": "authorize"] : ["endpoint": "page", "path": ["$endsWith": .string("/\(word)")]]
        ]
        if before > 0 { rule["skip"] = .integer(Int64(before)) }
        rule["b2cError"] = Self.refusal(code, flow)
        ending.faults.append(.object(rule))
        ending.notes.append(
            "\(flow.place): why the service refused with \(code) is not in the capture; the script has it refuse so.")
    }

    private func error(_ oauth: String?, _ code: String?) -> JSONObject {
        var error = JSONObject()
        error["oauthError"] = oauth.map { .string($0) }
        error["b2cCode"] = code.map { .string($0) }
        return error
    }

    // MARK: Requests

    private func authorize(_ flow: Flow, _ client: Int) -> JSONValue {
        var record: JSONObject = ["endpoint": "authorize"]
        record["policy"] = tenant.policyName(flow.policy).map { .string($0) }
        var query = JSONObject()
        // A hidden frame has a page of its own to come back to, which the client of the mock does not distinguish from
        // the app's.
        let names =
            ["response_type", "prompt", "ui_locales", "domain_hint", "code_challenge_method"]
            + (flow.isSilent ? [] : ["redirect_uri"])
        for name in names {
            if let value = flow.query[name], !value.isEmpty { query[name] = .string(value) }
        }
        if !flow.isSilent, tenant.clients[client].responseMode == flow.query["response_mode"],
            let mode = flow.query["response_mode"]
        {
            query["response_mode"] = .string(mode)
        }
        record["query"] = .object(query)
        if let status = flow.status, !flow.isRefusedUntouched {
            record["response"] = ["status": .integer(Int64(status))]
        }
        return .object(record)
    }

    /// Records of a request for tokens, and of those before it that the library sent in vain.
    private func records(_ call: TokenCall, grant: String, policy: String?) -> [JSONValue] {
        call.earlier.map { exchange in
            var one = call
            one.exchange = exchange
            return .object(record(one, grant: grant, policy: policy))
        } + [.object(record(call, grant: grant, policy: policy))]
    }

    /// Has the endpoint fail as often as it did before a request went through.
    private func downtime(_ call: TokenCall, grant: String) -> [JSONValue] {
        guard call.isGood, let first = call.earlier.first else { return [] }
        var rule: JSONObject = [
            "match": ["endpoint": "token", "form": ["grant_type": .string(grant)]],
            "times": .integer(Int64(call.earlier.count)),
        ]
        if let status = first.response?.status {
            rule["respond"] = ["status": .integer(Int64(status))]
        } else {
            rule["network"] = "reset"
        }
        return [.object(rule)]
    }

    private func record(_ call: TokenCall, grant: String, policy: String?) -> JSONObject {
        var record: JSONObject = ["endpoint": "token"]
        record["policy"] = policy.map { .string($0) }
        record["form"] = ["grant_type": .string(grant)]
        guard let response = call.exchange.response else {
            record["response"] = ["networkError": ["$exists": true]]
            return record
        }
        var answer: JSONObject = ["status": .integer(Int64(response.status))]
        var json = JSONObject()
        json["error"] = call.error.map { .string($0) }
        if let seconds = call.json?["expires_in"]?.intValue { json["expires_in"] = .integer(seconds) }
        for name in ["access_token", "id_token", "refresh_token"] where call.json?[name] != nil {
            json[name] = ["$exists": true]
        }
        if !json.isEmpty { answer["json"] = .object(json) }
        record["response"] = .object(answer)
        return record
    }

    // MARK: Results

    private func result(_ flow: Flow) -> JSONObject {
        var result = JSONObject()
        result["idToken"] = flow.idToken.map { ["claims": .object(expected($0, policy: flow.policy))] }
        let access = ["aud", "scp", "azp"].compactMap { name in flow.accessToken?[name].map { (name, $0) } }
        if !access.isEmpty { result["accessToken"] = ["claims": .object(JSONObject(access))] }
        return result
    }

    /// Claims of an ID token: values that are not personal, and that the others exist.
    private func expected(_ claims: JSONObject, policy: String?) -> JSONObject {
        var expected = JSONObject()
        for (name, value) in claims.members {
            switch name {
            case "aud", "ver", "idp", "newUser": expected[name] = value
            case "tfp", "acr": expected[name] = tenant.policy(policy).map { .string($0.id) }
            case "sub", "oid": expected[name] = ["$exists": true]
            case "emails":
                let addresses = value.arrayValue?.compactMap(\.stringValue) ?? []
                expected[name] = .array(addresses.map { .string(context.tenant.people.scrubbed($0)) })
            default:
                guard let attribute = CapturedTenant.attribute(ofClaim: name) else { continue }
                expected[name] = context.tenant.people.attribute(attribute, value)
            }
        }
        return expected
    }

    // MARK: Silent calls

    func of(_ call: TokenCall, grant: String) -> Ending {
        var ending = Ending()
        let policy = tenant.policyName(call.policy)
        ending.expect["requests"] = .array(records(call, grant: grant, policy: policy))
        if call.isGood {
            ending.faults = grant == "authorization_code" ? [] : downtime(call, grant: grant)
            var result = JSONObject()
            if let claims = call.claims("id_token") {
                result["idToken"] = ["claims": .object(expected(claims, policy: call.policy))]
            }
            ending.expect["result"] = .object(result)
            return ending
        }
        let match: JSONValue = ["endpoint": "token", "form": ["grant_type": .string(grant)]]
        guard let response = call.exchange.response else {
            ending.faults = [["match": match, "network": "reset"]]
            ending.expect["error"] = .object(JSONObject())
            ending.notes = [
                "\(call.exchange.place): no answer from the token endpoint (\(call.exchange.failure ?? "unknown")); the script breaks the connection."
            ]
            return ending
        }
        if let code = call.b2cCode, B2CErrorCode.named(code) != nil {
            ending.faults = [["match": match, "b2cError": .string(code)]]
            ending.expect["error"] = .object(error(call.error, code))
            ending.notes = [
                "\(call.exchange.place): why the service refused with \(code) is not in the capture; the script has it refuse so."
            ]
            return ending
        }
        var respond: JSONObject = ["status": .integer(Int64(response.status))]
        // How long the client is to hold back.
        if let pause = response.headers["Retry-After"] { respond["headers"] = ["Retry-After": .string(pause)] }
        if let error = call.error {
            var json: JSONObject = ["error": .string(error)]
            if let text = call.json?["error_description"]?.stringValue {
                json["error_description"] = .string(context.tenant.people.scrubbed(text))
            }
            respond["json"] = .object(json)
        }
        ending.faults = [["match": match, "respond": .object(respond)]]
        ending.expect["error"] = .object(error(call.error, nil))
        ending.notes = [
            "\(call.exchange.place): the token endpoint answered \(response.status); the script has it answer so."
        ]
        return ending
    }

    /// What opening an authorization request without a library brings.
    func ofOpened(_ flow: Flow) -> JSONObject {
        switch flow.ending {
        case .code: return ["result": ["response": ["code": ["$exists": true]]]]
        case .tokens:
            let names = flow.frontTokens.keys.sorted()
            return ["result": ["response": .object(JSONObject(names.map { ($0, ["$exists": true]) }))]]
        case .error(let oauth, let code):
            var response: JSONObject = ["error": .string(oauth)]
            if let code { response["error_description"] = ["$startsWith": .string(code)] }
            return ["result": ["response": .object(response)]]
        case .page(let code):
            return ["result": ["page": Self.page("error", code)]]
        case nil:
            guard let name = flow.page?.record.name else { return JSONObject() }
            return ["result": ["page": Self.page(name, nil)]]
        }
    }
}
