import B2CProtocol
import Determinism
import JSON
import JourneyLogs
import TrustFramework

/// What a session of a log needs to be played again: the person, what they chose, and what providers and services
/// answered.
struct LogInputs {
    /// The person's record. Passwords are made up: a log does not have them.
    private(set) var person: JSONObject = ["password": "Password-1843", "newPassword": "Password-1844"]
    /// Ids of buttons that the person pressed.
    private(set) var press: [String] = []
    /// For `--inputs`.
    private(set) var inputs: JSONValue = [:]

    private var stubs = JSONObject()
    /// What goes wrong between the authority and others.
    private var faults: [JSONValue] = []
    /// What the person does page by page, if they do not get through.
    private var acts: [LogAct]?

    /// For `--inputs`, with what the person does if they do not get through.
    ///
    /// - Parameter name: The person's name in the tenant file.
    func inputs(as name: String) -> JSONValue {
        guard let acts else { return inputs }
        return inputs.merging(patch: ["user": .array(acts.map { $0.json(as: name) })])
    }

    init(_ story: SessionStory, _ policy: ResolvedPolicy) {
        var isNew = false
        var providers = JSONObject()
        for (step, item) in story.steps.flatMap({ step in step.items.map { (step, $0) } })
        where item.kind != .transformation && !item.isRetried {
            guard let handle = policy.profile(item.id) else { continue }
            let profile = policy[handle]
            switch profile.handler {
            case .rest: addStub(item, profile, policy)
            case .selfAsserted:
                // What was typed is in the claims after the step, also if the log shows it with a validation profile.
                for claim in profile.outputClaims where claim.defaultValue == nil {
                    let id = policy[claim.claim].id
                    if let value = step.claims[id] ?? item.output[id] { type(id, value) }
                }
            case .directory:
                if profile.metadata["Operation"]?.lowercased() == "write",
                    profile.metadata["RaiseErrorIfClaimsPrincipalAlreadyExists"]?.lowercased() == "true"
                {
                    isNew = true
                } else if profile.metadata["Operation"]?.lowercased() == "read" {
                    for claim in profile.outputClaims {
                        let id = policy[claim.claim].id
                        if let value = item.output[id] { type(claim.wireName, value) }
                    }
                }
            default:
                guard profile.handler.isFederation else { continue }
                var claims = JSONObject()
                for claim in profile.outputClaims where claim.defaultValue == nil {
                    if let value = item.output[policy[claim.claim].id] { claims[claim.wireName] = value }
                }
                providers[FolderWorld.providerName(profile)] = .object(claims)
            }
        }
        // Names to sign in with are unique in a directory: those of the demonstration's people are theirs.
        for name in Self.signInNames where person[name] == nil { person[name] = .null }
        if !providers.isEmpty { person["providers"] = .object(providers) }
        if story.claims["newUser"]?.stringValue?.lowercased() == "true" { isNew = true }
        if LogAct.isSignUp(story, policy) { isNew = true }
        if isNew || !providers.isEmpty { person["registered"] = false }
        if person["email"] == nil, let name = (person["signInName"] ?? story.claims["signInName"])?.stringValue {
            person[name.contains("@") ? "email" : "username"] = .string(name)
        }
        // Other choices follow from the person: a person without an account signs up.
        let steps = policy[policy.relyingParty.defaultJourney].steps
        let providerExchanges = steps.flatMap(\.exchanges).filter { policy[$0.profile].handler.isFederation }.map(\.id)
        press = story.chosen.filter { id in providerExchanges.contains { sameID($0, id) } }
        if press.isEmpty, LogAct.pressesSignUp(story, policy) { press = ["signUp"] }
        var request = JSONObject()
        var further = JSONObject()
        for member in story.request?["AdditionalParameters"]?.objectValue?.members ?? []
        where !Self.isOwn(member.key.lowercased()) && member.value.stringValue != "***" {
            further[member.key] = member.value
        }
        if !further.isEmpty { request["extraQueryParameters"] = .object(further) }
        var all = JSONObject()
        if !request.isEmpty { all["request"] = .object(request) }
        if !stubs.isEmpty { all["configure"] = ["rest": .object(stubs)] }
        if case .error(let text) = story.end, let fault = LogPartner.providerFault(text, story, policy) {
            faults.append(fault)
        }
        if !faults.isEmpty { all["faults"] = .array(faults) }
        inputs = .object(all)
        acts = LogAct.acts(story, policy)
        if LogAct.isUnknownAccount(story, policy) { person["registered"] = false }
    }

    /// The same with stand-ins for personal data. Passwords stay: they are made up.
    func replaced(_ standIns: inout LogStandIns) -> LogInputs {
        var copy = self
        copy.person =
            standIns.replaced(.object(person), besides: ["password", "newPassword"]).objectValue ?? JSONObject()
        var stubs = JSONObject()
        for (name, stub) in self.stubs.members {
            var stub = stub.objectValue ?? JSONObject()
            let replies: [JSONValue] = (stub["reply"]?.arrayValue ?? []).map { reply in
                guard let message = reply["json", "userMessage"] else {
                    return standIns.replaced(reply)
                }
                let shown = message.stringValue.map { standIns.replaced(in: $0) } ?? ""
                return reply.merging(patch: ["json": ["userMessage": .string(shown)]])
            }
            stub["reply"] = .array(replies)
            stubs[name] = .object(stub)
        }
        copy.stubs = stubs
        var all = inputs.objectValue ?? JSONObject()
        all["request"] = all["request"].map { standIns.replaced($0) }
        all["faults"] = all["faults"]?.arrayValue.map { rules in .array(rules.map { Self.replaced($0, &standIns) }) }
        if !stubs.isEmpty { all["configure"] = ["rest": .object(stubs)] }
        copy.inputs = .object(all)
        return copy
    }

    /// A fault rule with stand-ins in what a provider says of its error.
    private static func replaced(_ rule: JSONValue, _ standIns: inout LogStandIns) -> JSONValue {
        var rule = rule
        for part in ["form", "query"] {
            let place = JSONPointer(tokens: ["request", part, "error_description"])
            if let text = rule.value(at: place)?.stringValue {
                rule.set(.string(standIns.replaced(in: text)), at: place)
            }
        }
        return rule
    }

    private static let signInNames = [
        "username", "userName", "userId", "loginName", "nickname", "signInNames.phoneNumber",
        "strongAuthenticationEmailAddress",
    ]

    /// Whether a client writes a parameter by itself. MSAL describes itself and the app in those of two prefixes.
    private static func isOwn(_ name: String) -> Bool {
        ownParameters.contains(name) || name.hasPrefix("x-client-") || name.hasPrefix("x-app-")
    }

    /// Parameters that a client writes by itself.
    private static let ownParameters: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "p", "prompt",
        "code_challenge", "code_challenge_method", "client-request-id", "client_info", "haschrome",
        "return-client-request-id",
        "id_token_hint", "code", "grant_type", "refresh_token",
    ]

    private mutating func type(_ claim: String, _ value: JSONValue) {
        guard let text = value.stringValue, !text.isEmpty, text != "***", person[claim] == nil else { return }
        // The directory gives ids.
        if ["objectid", "userprincipalname", "newuser", "authenticationsource"].contains(claim.lowercased()) { return }
        person[claim] = value
    }

    private mutating func addStub(_ item: SessionStory.Item, _ profile: TechnicalProfile, _ policy: ResolvedPolicy) {
        guard let match = LogPartner.match(item, profile) else { return }
        var answer = JSONObject()
        for claim in profile.outputClaims {
            let id = policy[claim.claim].id
            guard let value = item.output[id] else { continue }
            // A default value is the policy's own.
            if claim.defaultValue != nil, value.stringValue == claim.defaultValue { continue }
            answer[claim.wireName] = Self.typed(value, policy[claim.claim].dataType)
        }
        var reply: JSONValue = ["status": 200, "json": .object(answer)]
        switch item.error.map({ LogPartner.Failure($0.deepest) }) {
        case nil: break
        case .network(let word)?:
            faults.append(["match": match, "network": .string(word), "optional": true])
        case .answer(let failed)?: reply = failed
        }
        if case .object(var stub)? = stubs[profile.id], let replies = stub["reply"]?.arrayValue {
            stub["reply"] = .array(replies + [reply])
            stubs[profile.id] = .object(stub)
        } else {
            stubs[profile.id] = ["match": match, "reply": [reply]]
        }
    }

    /// A claim's text as JSON of its type.
    static func typed(_ value: JSONValue, _ type: DataType) -> JSONValue {
        guard let text = value.stringValue else { return value }
        switch type {
        case .boolean:
            return ["true", "false"].contains(text.lowercased()) ? .bool(text.lowercased() == "true") : value
        case .int, .long: return Int64(text).map { .integer($0) } ?? value
        default: return value
        }
    }
}
