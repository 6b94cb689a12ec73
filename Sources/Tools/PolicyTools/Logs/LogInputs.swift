import B2CProtocol
import Determinism
import JSON
import JourneyLogs
import TrustFramework

/// What a session of a log needs to be played again: the person, what they chose, and what providers and services
/// answered.
package struct LogInputs {
    /// The person's record. Passwords are made up: a log does not have them.
    package private(set) var person: JSONObject = ["password": "Password-1843", "newPassword": "Password-1844"]
    /// Ids of buttons that the person pressed.
    package private(set) var press: [String] = []
    private var request = JSONObject()
    private var stubs = JSONObject()
    /// What goes wrong between the authority and others.
    private var faults: [JSONValue] = []
    /// What the person does page by page, if they do not get through.
    private var acts: [LogAct]?
    /// What they typed on a page that their record does not have, by its technical profile.
    private var typed: [String: JSONObject] = [:]
    private var account: (exists: Bool, why: String)?
    /// Attempts that a page refused and that the run does not repeat.
    package private(set) var untried = 0
    /// What of the person the log does not say but shows, in sentences.
    package private(set) var facts: [String] = []

    /// For `--inputs`, with what the person does if they do not get through.
    ///
    /// - Parameter name: The person's name in the tenant file.
    package func inputs(as name: String) -> PlayInputs {
        var inputs = PlayInputs()
        if !request.isEmpty { inputs[.request] = .object(request) }
        if !stubs.isEmpty { inputs[.configure] = ["rest": .object(stubs)] }
        if !faults.isEmpty { inputs[.faults] = .array(faults) }
        inputs[.user] = acts.map { .array($0.flatMap { $0.moves(as: name) }.map(\.json)) }
        return inputs
    }

    package init(_ story: LoggedSession, _ policy: ResolvedPolicy) {
        var providers = JSONObject()
        var isLocal = false
        for step in story.steps {
            let repeats = !LogAct.attempts(step, policy).isEmpty
            let refusals = step.items.filter { $0.kind == .validation && $0.isRetried && $0.error != nil }.count
            if !repeats { untried += refusals }
            for item in step.items where item.kind != .transformation {
                guard let handle = policy.profile(item.id) else { continue }
                let profile = policy[handle]
                // A service answers attempts that are repeated as it did.
                if profile.handler == .rest, !item.isRetried || repeats { addStub(item, profile, policy) }
                // What refused the attempts that are repeated in a step that was left says whose account it is.
                if item.isRetried, !(repeats && !step.isFinished && profile.handler == .directory) { continue }
                switch profile.handler {
                case .rest: break
                case .selfAsserted: addTyped(item, of: step, profile, policy)
                case .phoneFactor: addPhone(step, profile, policy)
                case .directory: addAccount(item, of: step, profile, policy)
                case _ where LogAct.isLogin(item, policy):
                    isLocal = true
                    addSignIn(item, policy)
                default:
                    guard profile.handler.isFederation else { continue }
                    var claims = JSONObject()
                    for (partner, claim) in Self.names(item, profile, policy) {
                        if let value = item.output[claim] { claims[partner] = value }
                    }
                    providers[FolderWorld.providerName(profile)] = .object(claims)
                }
            }
        }
        // Names to sign in with are unique in a directory: those of the demonstration's people are theirs.
        for name in Self.signInNames where person[name] == nil { person[name] = .null }
        if !providers.isEmpty {
            person["providers"] = .object(providers)
            // A password would give the account a name to sign in with beside the provider.
            if !isLocal, !LogAct.isSignUp(story, policy) { person["password"] = .null }
        }
        addRecord(story, policy, hasProvider: !providers.isEmpty)
        press = LogAct.pressed(story, policy).map { [$0] } ?? []
        var further = JSONObject()
        for member in story.request?["AdditionalParameters"]?.objectValue?.members ?? []
        where !Self.isOwn(member.key.lowercased()) && member.value.stringValue != "***" {
            further[member.key] = member.value
        }
        if !further.isEmpty { request["extraQueryParameters"] = .object(further) }
        if case .error(let text) = story.end, let fault = LogPartner.providerFault(text, story, policy) {
            faults.append(fault)
        }
        acts = LogAct.acts(story, policy, typed: typed)
    }

    // MARK: The person

    /// Whether the person had an account and what they sign in with, where no step of the session shows it.
    private mutating func addRecord(_ story: LoggedSession, _ policy: ResolvedPolicy, hasProvider: Bool) {
        if account == nil {
            if story.claims["newUser"]?.stringValue?.lowercased() == "true" {
                settle(exists: false, "newUser is true")
            } else if LogAct.isSignUp(story, policy) {
                settle(exists: false, "the person came to a page that makes an account")
            } else if hasProvider {
                settle(exists: false, "no account was read for the one at the identity provider")
            }
        }
        if account?.exists == false { person["registered"] = false }
        if person["email"] == nil {
            let names = ["signInName", "signInNames.emailAddress"].compactMap { person[$0] ?? story.claims[$0] }
            if let name = names.lazy.compactMap(\.stringValue).first {
                person[name.contains("@") ? "email" : "username"] = .string(name)
            }
        }
    }

    /// Whether the person had an account before the session; the first that shows it counts.
    private mutating func settle(exists: Bool, _ why: String) {
        guard account == nil else { return }
        account = (exists, why)
        facts.append("the person had \(exists ? "an" : "no") account: \(why)")
    }

    /// What was typed is in the claims after the step, also if the log shows it with a validation profile.
    private mutating func addTyped(
        _ item: LoggedSession.Item, of step: LoggedStep, _ profile: TechnicalProfile, _ policy: ResolvedPolicy
    ) {
        for claim in profile.outputClaims where claim.defaultValue == nil {
            let id = policy[claim.claim].id
            guard let value = step.claims[id] ?? item.output[id] else { continue }
            if let known = person[id], known != value, policy[claim.claim].isTyped {
                typed[profile.id, default: JSONObject()][id] = value
            } else {
                type(id, value)
            }
        }
    }

    /// What the directory said of the account.
    private mutating func addAccount(
        _ item: LoggedSession.Item, of step: LoggedStep, _ profile: TechnicalProfile, _ policy: ResolvedPolicy
    ) {
        let creates = profile.metadata["RaiseErrorIfClaimsPrincipalAlreadyExists"]?.lowercased() == "true"
        switch profile.metadata["Operation"]?.lowercased() {
        case "write":
            let isNew = profile.outputClaims.first { $0.wireName == "newClaimsPrincipalCreated" }
                .flatMap { item.output[policy[$0.claim].id] ?? step.claims[policy[$0.claim].id] }
                .flatMap { $0.boolValue ?? $0.stringValue.map { $0.lowercased() == "true" } }
            if item.error != nil {
                if creates { settle(exists: true, "\(item.id) found that it exists") }
            } else if let isNew {
                settle(exists: !isNew, "\(item.id) returned newUser \(isNew)")
            } else if creates {
                settle(exists: false, "\(item.id) made it")
            }
        case "read":
            guard item.error == nil, !item.received.isEmpty else {
                if item.error != nil { settle(exists: false, "\(item.id) did not find it") }
                return
            }
            settle(exists: true, "\(item.id) read it")
            for (partner, claim) in Self.names(item, profile, policy) {
                let isPhone = partner == "strongAuthenticationPhoneNumber"
                let name = isPhone ? "phone" : partner
                if let value = item.output[claim] ?? step.claims[claim] {
                    if isPhone, person[name] == nil {
                        facts.append("the account has a phone number: \(item.id) read it")
                    }
                    type(name, Self.typed(value, policy.claimType(claim).map { policy[$0].dataType } ?? .string))
                } else if person[name] == nil {
                    // What is asked for and not returned the account does not have.
                    person[name] = .null
                }
            }
        default: break
        }
    }

    /// The number that the person typed where the account had none.
    private mutating func addPhone(_ step: LoggedStep, _ profile: TechnicalProfile, _ policy: ResolvedPolicy) {
        let typed = profile.outputClaims.first { $0.wireName.hasPrefix("Verified.") }
        guard let value = typed.flatMap({ step.claims[policy[$0.claim].id] }) else { return }
        // The account has no number that was asked for and not returned.
        if person["phone"] == .null { person["strongAuthenticationPhoneNumber"] = "" }
        type("phone", value)
    }

    private mutating func addSignIn(_ item: LoggedSession.Item, _ policy: ResolvedPolicy) {
        switch DirectoryAnswer(item, policy) {
        case nil: settle(exists: true, "\(item.id) signed in")
        case .wrongPassword?: settle(exists: true, "\(item.id) refused the password alone")
        case .unknownAccount?: settle(exists: false, "\(item.id) did not find it")
        case .locked?:
            settle(exists: true, "\(item.id) found it locked")
            person["locked"] = true
        case .disabled?:
            settle(exists: true, "\(item.id) found it disabled")
            person["accountEnabled"] = false
        }
    }

    /// The same with stand-ins for personal data. Passwords stay: they are made up.
    package func replaced(_ standIns: inout LogStandIns) -> LogInputs {
        var copy = self
        copy.person =
            standIns.replaced(.object(person), besides: ["password", "newPassword"]).objectValue ?? JSONObject()
        for (name, stub) in stubs.members {
            var stub = stub.objectValue ?? JSONObject()
            let replies: [JSONValue] = (stub["reply"]?.arrayValue ?? []).map { reply in
                guard let message = reply["json", "userMessage"] else {
                    return standIns.replaced(reply)
                }
                let shown = message.stringValue.map { standIns.replaced(in: $0) } ?? ""
                return reply.merging(patch: ["json": ["userMessage": .string(shown)]])
            }
            stub["reply"] = .array(replies)
            copy.stubs[name] = .object(stub)
        }
        copy.request = standIns.replaced(.object(request)).objectValue ?? JSONObject()
        copy.faults = faults.map { Self.replaced($0, &standIns) }
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
        let isEmpty = value == .null || value == "" || value.arrayValue?.isEmpty == true
        guard !isEmpty, value != "***", person[claim] == nil || person[claim] == .null else { return }
        // The directory gives ids.
        if ["objectid", "userprincipalname", "newuser", "authenticationsource"].contains(claim.lowercased()) { return }
        person[claim] = value
    }

    private mutating func addStub(_ item: LoggedSession.Item, _ profile: TechnicalProfile, _ policy: ResolvedPolicy) {
        guard let match = LogPartner.match(item, profile) else { return }
        var answer = JSONObject()
        for (partner, claim) in Self.names(item, profile, policy, withDefaults: true) {
            guard let value = item.output[claim] else { continue }
            // A default value is the policy's own.
            let output = profile.outputClaims.first { policy[$0.claim].id == claim }
            if let standard = output?.defaultValue, value.stringValue == standard { continue }
            answer[partner] = Self.typed(value, policy.claimType(claim).map { policy[$0].dataType } ?? .string)
        }
        var reply: JSONValue = ["status": 200, "json": .object(answer)]
        switch item.error.map({ LogPartner.CallFailure($0.texts) }) {
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

    /// Names under which claims came from outside, with the claims: as the log says, because the policy may be another than
    /// the one that wrote it; of the others as the policy says.
    private static func names(
        _ item: LoggedSession.Item, _ profile: TechnicalProfile, _ policy: ResolvedPolicy, withDefaults: Bool = false
    ) -> [(partner: String, claim: String)] {
        var names = item.received
        for output in profile.outputClaims where withDefaults || output.defaultValue == nil {
            let claim = policy[output.claim].id
            let isKnown = names.contains { $0.claim == claim || $0.partner == output.wireName }
            if !isKnown { names.append((output.wireName, claim)) }
        }
        return names
    }

    /// A claim's text as JSON of its type.
    static func typed(_ value: JSONValue, _ type: DataType) -> JSONValue {
        guard let text = value.stringValue else { return value }
        switch type {
        case .boolean:
            return ["true", "false"].contains(text.lowercased()) ? .bool(text.lowercased() == "true") : value
        case .int, .long: return Int64(text).map { .integer($0) } ?? value
        case .stringCollection:
            if let list = (try? JSONParser.parse(text))?.arrayValue { return .array(list) }
            return .array([value])
        default: return value
        }
    }
}

extension ClaimType {
    /// Whether a person types or chooses its value on a page. Passwords are made up.
    fileprivate var isTyped: Bool {
        switch userInputType {
        case .textBox, .emailBox, .dateTimeDropdown, .radioSingleSelect, .dropdownSingleSelect, .checkboxMultiSelect:
            true
        case .password, .readonly, .paragraph, .button, nil: false
        }
    }
}
