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

        /// Has something answer with a status in place of the mock.
        mutating func respond(_ status: Int, to match: JSONValue) {
            faults.append(["match": match, "respond": CapturedExpectation.status(status)])
        }

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

    /// An answer as an expectation or a rule has it.
    static func status(_ status: Int) -> JSONValue { ["status": .integer(Int64(status))] }

    /// A page as an expectation names it.
    static func page(_ name: String, _ code: String?) -> JSONValue {
        var page: JSONObject = ["name": .string(name)]
        page["b2cCode"] = code.map { .string($0) }
        return .object(page)
    }

    /// The order to refuse with a code, as the flow was refused.
    private static func refusal(_ code: String, _ flow: Flow) -> JSONValue {
        let delivery: RefusalOrders.RefusalDelivery = if case .page = flow.ending { .page } else { .redirect }
        return RefusalOrders(code: code, delivery: delivery).json
    }

    /// Refusals that come by themselves when the person acts as in the capture.
    private static let natural: Set<String> = ["AADB2C90118", "AADB2C90091"]

    func of(_ flow: Flow, client: Int, acts: ActionWriter?) -> Ending {
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
                ending.respond(status, to: ["endpoint": "authorize"])
                ending.notes.append(
                    "\(flow.place): why the request was answered with HTTP \(status) is not in the capture; the script has it "
                        + "answered so.")
            }
        case nil:
            var pending = JSONObject()
            if flow.isAtProvider {
                pending["page"] = flow.providerStatus.map { Self.status($0) }
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
    private func comesByItself(_ code: String, _ flow: Flow, _ acts: ActionWriter?) -> Bool {
        if Self.natural.contains(code) { return flow.acts.contains { $0.isPress } }
        guard let acts, !acts.isShort else { return false }
        // The error at which a page gave up reaches the app as well.
        if acts.saidByPages.contains(code) { return true }
        guard let last = flow.acts.last, last.isProvider else { return false }
        // Cancelled there.
        if code == "AADB2C90273" { return last.providerError == "access_denied" }
        // Somebody without an account, where none can be made.
        return ["AADB2C99002", "AADB2C90053"].contains(code) && tenant.policy(flow.policy)?.settings.type == .signIn
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
            ending.respond(500, to: ["endpoint": "provider", "from": "authority", "method": "POST"])
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
        if !flow.isSilent, let mode = flow.query["response_mode"], mode == tenant.clients[client].responseMode {
            query["response_mode"] = .string(mode)
        }
        record["query"] = .object(query)
        if !flow.isRefusedUntouched { record["response"] = flow.status.map { Self.status($0) } }
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
        var rule: JSONObject = ["match": Self.match(grant), "times": .integer(Int64(call.earlier.count))]
        rule["respond"] = first.response.map { Self.status($0.status) }
        if first.response == nil { rule["network"] = "reset" }
        return [.object(rule)]
    }

    private static func match(_ grant: String) -> JSONValue {
        ["endpoint": "token", "form": ["grant_type": .string(grant)]]
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
        json["expires_in"] = call.json?["expires_in"]?.intValue.map { .integer($0) }
        for name in ["access_token", "id_token", "refresh_token"] where call.json?[name] != nil {
            json[name] = ["$exists": true]
        }
        if !json.isEmpty { answer["json"] = .object(json) }
        record["response"] = .object(answer)
        return record
    }

    // MARK: Results

    private func result(_ flow: Flow) -> JSONObject {
        var result = result(idToken: flow.idToken, policy: flow.policy)
        let access = ["aud", "scp", "azp"].compactMap { name in flow.accessToken?[name].map { (name, $0) } }
        if !access.isEmpty { result["accessToken"] = ["claims": .object(JSONObject(access))] }
        return result
    }

    private func result(idToken: JSONObject?, policy: String?) -> JSONObject {
        var result = JSONObject()
        result["idToken"] = idToken.map { ["claims": .object(expected($0, policy: policy))] }
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
            ending.expect["result"] = .object(result(idToken: call.claims("id_token"), policy: call.policy))
            return ending
        }
        let match = Self.match(grant)
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
                json["error_description"] = .string(context.said(text))
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
        var response = JSONObject()
        switch flow.ending {
        case .code: response["code"] = ["$exists": true]
        case .tokens: for name in flow.frontTokens.keys.sorted() { response[name] = ["$exists": true] }
        case .error(let oauth, let code):
            response["error"] = .string(oauth)
            response["error_description"] = code.map { ["$startsWith": .string($0)] }
        case .page(let code): return ["result": ["page": Self.page("error", code)]]
        case nil: return flow.page.map { ["result": ["page": Self.page($0.record.name, nil)]] } ?? JSONObject()
        }
        return ["result": ["response": .object(response)]]
    }
}
