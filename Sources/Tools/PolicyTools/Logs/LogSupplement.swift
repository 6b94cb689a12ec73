import Capture
import Diagnostics
import HTTPMessages
import JSON
import JourneyLogs
import TrustFramework

/// What a log knows and a capture does not, as parts of the tenant file of an import: answers of services and identity
/// providers, and claims of accounts. With the policies at hand they take the place of the user flows that an import writes.
struct LogSupplement {
    /// A sign-in with what the log says of it.
    struct Joined {
        var signIn: CaptureImport.CapturedSignIn
        var story: LoggedSession
        /// The policy that ran, if its files are at hand.
        var policy: ResolvedPolicy?
    }

    var joined: [Joined] = []
    /// Policies that take the place of user flows, with their names in `folder`.
    var policies: [(name: String, policy: ResolvedPolicy)] = []
    /// The tenant of the policy files, with paths as the tenant file needs them.
    var folder: JSONValue = [:]

    /// The files with what the log adds.
    func files(_ files: CaptureImport.Files) -> CaptureImport.Files {
        var copy = files
        var stubs = ServiceStubs()
        copy.tenant = tenant(files, &stubs)
        // A stub answers. That a service did not is a fault of the step.
        for (origin, rules) in stubs.faults {
            guard let index = files.origins.lastIndex(of: origin), files.draft.steps.indices.contains(index) else {
                continue
            }
            let known = files.draft.steps[index].faults?.arrayValue ?? []
            copy.draft.steps[index].faults = .array(known + rules)
        }
        return copy
    }

    private func tenant(_ files: CaptureImport.Files, _ stubs: inout ServiceStubs) -> JSONObject {
        var tenant = files.tenant
        placePolicies(&tenant)
        var standIns = JoinedStandIns(
            files.standIns, policies: policies.map(\.policy), stories: joined.map(\.story))
        var users = tenant["users"]?.objectValue ?? JSONObject()
        let providers = tenant["providers"]?.objectValue ?? JSONObject()
        var known: Set<String> = []
        for one in joined {
            let name = files.people[one.signIn.origin]
            var person = name.flatMap { users[$0]?.objectValue }
            // Who gets an account in their first sign-in has none before it.
            if let name, known.insert(name).inserted, person?["registered"] == nil, makesAccount(one) {
                person?["registered"] = false
            }
            for (step, item) in one.story.steps.flatMap({ step in step.items.map { (step, $0) } }) {
                let profile = one.policy.flatMap { policy in policy.profile(item.id).map { policy[$0] } }
                switch Role(item, profile) {
                case .service:
                    stubs.add(item, profile, one.policy, origin: one.signIn.origin, with: &standIns)
                case .account: addAccount(item, profile, of: step, to: &person, with: &standIns)
                case .page:
                    if let profile, let policy = one.policy {
                        addTyped(profile, policy, of: step, to: &person, with: &standIns)
                    }
                case .provider: addProvider(item, of: one, providers, to: &person, with: &standIns)
                case .other: break
                }
            }
            if let name, let person { users[name] = .object(person) }
        }
        if !stubs.json.isEmpty { tenant["rest"] = .object(stubs.json) }
        if !users.isEmpty { tenant["users"] = .object(users) }
        return tenant
    }

    // MARK: Policies

    private func placePolicies(_ tenant: inout JSONObject) {
        guard !policies.isEmpty else { return }
        var entries = tenant["policies"]?.objectValue ?? JSONObject()
        for (name, entry) in entries.members {
            guard let id = entry["id"]?.stringValue,
                let found = policies.first(where: { sameID($0.policy.id, id) || sameID($0.name, id) })
            else { continue }
            var placed: JSONObject = ["id": .string(found.name), "type": "custom"]
            placed["file"] = folder["policies", found.name, "file"]
            entries[name] = .object(placed)
        }
        tenant["policies"] = .object(entries)
        for name in ["policyFolders", "policySettingsFile", "policyEnvironment", "policySettings"] {
            if let value = folder[name] { tenant[name] = value }
        }
        placeProviders(&tenant)
    }

    /// Gives providers what their policies say of them. An import knows them by their claims exchanges.
    private func placeProviders(_ tenant: inout JSONObject) {
        let world = FolderWorld.settings(app: "app", policy: "policy", for: policies.map(\.policy))
        var providers = tenant["providers"]?.objectValue ?? JSONObject()
        for (name, entry) in world["providers"]?.objectValue?.members ?? [] {
            let exchange = entry["exchange"]?.stringValue ?? ""
            let known = providers.members.first {
                $0.value["exchange"]?.stringValue.map { sameID($0, exchange) } ?? false
            }
            providers[known?.key ?? name] = entry.merging(patch: known?.value ?? [:])
        }
        if !providers.isEmpty { tenant["providers"] = .object(providers) }
    }

    // MARK: People

    /// What a technical profile of a log is about.
    private enum Role {
        case service, account, page, provider, other

        init(_ item: LoggedSession.Item, _ profile: TechnicalProfile?) {
            guard item.kind != .transformation else {
                self = .other
                return
            }
            let handler = item.handler.lowercased()
            // Records of validation may have no handler. Of what validates, only services have an address.
            let isCalled = profile == nil && item.kind == .validation && item.url != nil
            if handler.hasSuffix("restfulprovider") || profile?.handler == .rest || isCalled {
                self = .service
            } else if handler.hasSuffix("azureactivedirectoryprovider") || profile?.handler == .directory {
                self = .account
            } else if profile?.handler == .selfAsserted {
                self = .page
            } else if profile?.handler.isFederation ?? (item.kind == .profile && handler.hasSuffix("protocolprovider"))
            {
                self = .provider
            } else {
                self = .other
            }
        }
    }

    /// Members of a person's record that the directory gives, or that the record already has as names to sign in with.
    private static let given: Set<String> = [
        "objectid", "sub", "tenantid", "userprincipalname", "newuser", "authenticationsource", "email", "emails",
        "signinname",
        "username", "alternativesecurityid", "alternativesecurityids", "useridentities", "accountenabled",
        "identityprovider",
        "issueruserid", "mailnickname", "mail", "newclaimsprincipalcreated", "othermails", "phone", "linked",
        "registered", "providers", "locked",
    ]

    private func add(
        _ name: String, _ value: JSONValue?, to person: inout JSONObject?, with standIns: inout JoinedStandIns
    ) {
        guard let value, value != .null, !JoinedStandIns.isSecret(name, value), person?[name] == nil,
            !Self.given.contains(name.lowercased()), !name.lowercased().hasPrefix("signinnames.")
        else { return }
        person?[name] = standIns.replaced(value, of: name)
    }

    /// Whether an account was made.
    private func makesAccount(_ one: Joined) -> Bool {
        one.story.steps.flatMap(\.items).contains { item in
            guard item.kind != .transformation, item.error == nil else { return false }
            guard let policy = one.policy else { return item.received.contains { $0.claim.lowercased() == "newuser" } }
            guard let profile = policy.profile(item.id).map({ policy[$0] }), profile.handler == .directory else {
                return false
            }
            return profile.metadata["Operation"]?.lowercased() == "write"
                && profile.metadata["RaiseErrorIfClaimsPrincipalAlreadyExists"]?.lowercased() == "true"
        }
    }

    /// Claims that the policy read of the account.
    private func addAccount(
        _ item: LoggedSession.Item, _ profile: TechnicalProfile?, of step: LoggedStep,
        to person: inout JSONObject?, with standIns: inout JoinedStandIns
    ) {
        // What was written is what the person typed. Only the policy says which of the two it is.
        let operation = profile?.metadata["Operation"]?.lowercased()
        if operation.map({ $0 != "read" }) ?? item.received.contains(where: { $0.claim.lowercased() == "newuser" }) {
            return
        }
        for (partner, claim) in item.received {
            let name = partner.hasPrefix("strongAuthenticationPhone") ? "" : partner
            if !name.isEmpty { add(name, item.output[claim] ?? step.claims[claim], to: &person, with: &standIns) }
        }
    }

    /// Claims that the person typed, of pages that a user flow does not have.
    private func addTyped(
        _ profile: TechnicalProfile, _ policy: ResolvedPolicy, of step: LoggedStep,
        to person: inout JSONObject?, with standIns: inout JoinedStandIns
    ) {
        for claim in profile.outputClaims where claim.defaultValue == nil {
            let type = policy[claim.claim]
            guard let input = type.userInputType, ![.readonly, .paragraph, .button, .password].contains(input) else {
                continue
            }
            add(type.id, step.claims[type.id], to: &person, with: &standIns)
        }
    }

    /// Claims that an identity provider sent. The log names the technical profile, the tenant file the claims exchange.
    private func addProvider(
        _ item: LoggedSession.Item, of one: Joined, _ providers: JSONObject, to person: inout JSONObject?,
        with standIns: inout JoinedStandIns
    ) {
        let chosen = one.signIn.providers + one.story.chosen
        let named = providers.members.filter { entry in
            entry.value["exchange"]?.stringValue.map { exchange in chosen.contains { sameID($0, exchange) } } ?? false
        }
        guard named.count == 1, let name = named.first?.key, !item.received.isEmpty else { return }
        var accounts = person?["providers"]?.objectValue ?? JSONObject()
        var claims = accounts[name]?.objectValue ?? JSONObject()
        for (partner, claim) in item.received where claims[partner] == nil {
            guard let value = item.output[claim], !JoinedStandIns.isSecret(partner, value) else { continue }
            claims[partner] = standIns.replaced(value, of: claim)
        }
        accounts[name] = .object(claims)
        person?["providers"] = .object(accounts)
    }
}

/// Stubs for the services that sessions of a log called: one for each address, with the answers in their order.
private struct ServiceStubs {
    private(set) var json = JSONObject()
    /// Fault rules for calls without an answer, by the number of the sign-in that made them.
    private(set) var faults: [Int: [JSONValue]] = [:]
    /// Names of stubs by the address that they match.
    private var names: [JSONValue: String] = [:]

    mutating func add(
        _ item: LoggedSession.Item, _ profile: TechnicalProfile?, _ policy: ResolvedPolicy?, origin: Int,
        with standIns: inout JoinedStandIns
    ) {
        guard let address = item.url ?? profile?.metadata["ServiceUrl"] else { return }
        let match: JSONValue
        if let url = WebURL(address), url.host != nil {
            let place = url.origin + standIns.replaced(inPath: url.path)
            match = url.query == nil ? .string(place) : ["$startsWith": .string(place + "?")]
        } else {
            // A placeholder that the policy's settings leave open.
            match = .string(standIns.replaced(in: address))
        }
        let reply: JSONValue
        switch item.error.map({ LogPartner.CallFailure($0.texts.map { standIns.replaced(in: $0) }) }) {
        case nil: reply = answer(item, profile, policy, with: &standIns)
        case .answer(let failed)?: reply = failed
        case .network(let word)?:
            let rule: JSONValue = [
                "match": ["endpoint": "rest", "url": match], "network": .string(word), "optional": true,
            ]
            faults[origin, default: []].append(rule)
            return
        }
        guard let name = names[match] else {
            names[match] = item.id
            json[item.id] = ["match": ["url": match], "reply": [reply]]
            return
        }
        var replies = json[name]?["reply"]?.arrayValue ?? []
        replies.append(reply)
        json[name] = ["match": ["url": match], "reply": .array(replies)]
    }

    private func answer(
        _ item: LoggedSession.Item, _ profile: TechnicalProfile?, _ policy: ResolvedPolicy?,
        with standIns: inout JoinedStandIns
    ) -> JSONValue {
        var answer = JSONValue.object(JSONObject())
        let isNested = profile?.metadata["ResolveJsonPathsInJsonTokens"]?.lowercased() == "true"
        for (partner, claim) in received(item, profile, policy) {
            guard let value = item.output[claim], !JoinedStandIns.isSecret(claim, value) else { continue }
            let output = profile?.outputClaims.first { policy?[$0.claim].id == claim }
            // A default value is the policy's own.
            if let standard = output?.defaultValue, value.stringValue == standard { continue }
            let type = output.flatMap { output in policy.map { $0[output.claim].dataType } } ?? .string
            let typed = LogInputs.typed(standIns.replaced(value, of: claim), type)
            let path = isNested ? partner.split(separator: ".").map(String.init) : [partner]
            answer = answer.merging(patch: path.reversed().reduce(typed) { .object(JSONObject([($1, $0)])) })
        }
        return ["status": 200, "json": answer]
    }

    /// Names under which the service returned claims, with the claims: as the log says, else as the policy does.
    private func received(
        _ item: LoggedSession.Item, _ profile: TechnicalProfile?, _ policy: ResolvedPolicy?
    ) -> [(partner: String, claim: String)] {
        var found = item.received
        for output in profile?.outputClaims ?? [] {
            guard let id = policy?[output.claim].id, !found.contains(where: { $0.claim == id }) else { continue }
            found.append((output.wireName, id))
        }
        return found
    }
}
