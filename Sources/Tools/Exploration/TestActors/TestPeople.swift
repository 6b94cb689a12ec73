import B2CProtocol
import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework

/// Somebody of the made-up tenant.
struct TestPerson: Sendable {
    var name: String
    /// What sets the person apart, for a sentence.
    var words: String
    var record: JSONObject
    /// Whether there is an account at the start.
    var hasAccount: Bool

    func text(_ key: String) -> String? { record[key]?.stringValue }
}

/// The classes of people that come to a policy: one person of each, made up from what the policy asks of claims.
///
/// Beside each of them there is a second account, that of ``second``: somebody may type its address, or a provider may hand
/// it over.
struct TestPeople {
    /// The password that people choose when a page asks for a new one.
    static let newPassword = "Password-1844"

    let people: [TestPerson]
    /// Attributes of the directory that the policy distinguishes, each with a value.
    let attributes: [(name: String, value: String, claim: ClaimTypeHandle)]
    let tenantName: String
    /// The made-up tenant with its providers, without people: each comes alone.
    let tenant: JSONValue
    /// What of the directory nobody has, because the list of people is long enough.
    let untried: [Untried]

    /// People with an attribute of the directory at most.
    private static let mostWithAttributes = 12

    /// Somebody whose account is there beside the person's own, with other secrets.
    static let second = person(
        "eve", "another account",
        ["password": "Password-1850", "newPassword": "Password-1851", "phone": "+442079460005"])

    /// The names, addresses and numbers of the second person, in lower case.
    static let secondNames = Set(["email", "username", "phone"].compactMap { second.text($0)?.lowercased() })

    init(policy: ResolvedPolicy, tenantName: String, values: ValueClasses, purposes: ClaimPurposes) {
        self.tenantName = tenantName
        let (providers, identities) = Self.providers(of: policy)
        tenant = ["name": .string(tenantName), "providers": .object(providers)]
        // Both sides of what the policy asks of attributes of the directory.
        attributes = Self.attributes(values, purposes)
        let reached = values.reach.profiles.map { policy[$0] }
        var people = Self.local
        if !providers.isEmpty { people += Self.federated(identities) }
        people += Self.linked(identities, reached) + Self.withAuthenticator(reached)
        people += Self.atRisk(reached, after: people.count)
        // Accounts that sign in with another name, such as a phone number.
        var names: JSONObject = [:]
        for name in Self.signInNames(reached) {
            names[name] = ClaimPurpose(attribute: name) == .phone ? "+442079460000" : "pialovelace"
        }
        if !names.isEmpty { people += Self.named(names) }
        for attribute in attributes.prefix(Self.mostWithAttributes) {
            let name = "ann\(people.count)"
            let value = attribute.value.replacing(ValueClasses.local, with: name)
            people.append(
                Self.person(
                    name, "a local account with \(attribute.name) \(value)",
                    JSONValue.object(names).merging(patch: [attribute.name: .string(value)])))
        }
        for domain in Self.domains(policy, values) {
            let name = "ann\(people.count)"
            people.append(
                Self.person(
                    name, "a local account with an address at \(domain)",
                    ["email": .string("\(name)@\(domain)"), "phone": nil]))
        }
        let kept = Self.kept(purposes, reached, distinguished: Set(attributes.map { $0.name.lowercased() }))
        self.people = people.map { person in
            var person = person
            if person.hasAccount {
                for (name, value) in kept where person.record[name] == nil {
                    let text = value.stringValue?.replacing(ValueClasses.local, with: person.name)
                    person.record[name] = text.map { .string($0) } ?? value
                }
            }
            return person
        }
        untried = attributes.dropFirst(Self.mostWithAttributes).map { attribute in
            Untried(
                "directory attribute \(attribute.name)", "an account with \(attribute.value)",
                claims: [attribute.claim], at: policy[attribute.claim].location)
        }
    }

    // MARK: People

    /// The identity providers of the tenant by key, and the identity that people have at each.
    private static func providers(of policy: ResolvedPolicy) -> (providers: JSONObject, identities: JSONObject) {
        var providers = JSONObject()
        var identities = JSONObject()
        for profile in policy.profiles where profile.handler.isFederation {
            providers[key(of: profile)] = [
                "type": profile.handler == .openIdConnectProvider ? "oidc" : "oauth2",
                "domain": .string(issuer(of: profile, policy)),
            ]
            let claim = profile.handler == .openIdConnectProvider ? "sub" : "id"
            identities[key(of: profile)] = [claim: .string(subject)]
        }
        return (providers, identities)
    }

    private static let local = [
        person("nina", "nobody that the directory knows", ["registered": false]),
        person("ada", "a local account without a phone number", ["phone": nil]),
        person("bob", "a local account with a phone number", [:]),
        person("dan", "a disabled local account", ["accountEnabled": false, "phone": nil]),
        person("rex", "an account that must change its password", ["forcePasswordChange": true, "phone": nil]),
    ]

    private static func federated(_ identities: JSONObject) -> [TestPerson] {
        [
            person(
                "kay", "an account at an identity provider that has signed in before",
                ["password": nil, "phone": nil, "providers": .object(identities)]),
            person(
                "ken", "a disabled account at an identity provider",
                ["password": nil, "phone": nil, "accountEnabled": false, "providers": .object(identities)]),
        ]
    }

    private static func linked(_ identities: JSONObject, _ reached: [TechnicalProfile]) -> [TestPerson] {
        guard reached.contains(where: { $0.handler == .passwordSignIn }),
            reached.contains(where: { $0.handler.isFederation })
        else { return [] }
        return [
            person(
                "lia", "a local account that is linked with an identity provider",
                ["phone": nil, "providers": .object(identities)])
        ]
    }

    private static func withAuthenticator(_ reached: [TechnicalProfile]) -> [TestPerson] {
        let operations = reached.filter { $0.handler == .azureMfa }.map { $0.metadata["Operation"]?.lowercased() ?? "" }
        guard operations.contains(where: { ["getavailabledevices", "verifyotp"].contains($0) }) else { return [] }
        return [
            person(
                "tom", "an account with an authenticator app",
                ["totpSecret": .string(authenticatorKey), "phone": nil])
        ]
    }

    private static func atRisk(_ reached: [TechnicalProfile], after count: Int) -> [TestPerson] {
        guard reached.contains(where: { $0.handler == .conditionalAccess }) else { return [] }
        return ["medium", "high", "chg_pwd", "block"].enumerated().map { number, risk in
            person("ria\(count + number)", "a local account with risk \(risk)", ["risk": .string(risk)])
        }
    }

    /// - Parameter names: Sign-in names by their attribute.
    private static func named(_ names: JSONObject) -> [TestPerson] {
        var alone = names
        alone["password"] = .null
        let others = JSONValue.object(alone)
        let list = names.keys.joined(separator: ", ")
        return [
            person("pia", "an account that signs in with \(list)", others),
            person(
                "pit", "a disabled account that signs in with \(list)",
                others.merging(patch: ["accountEnabled": false])),
        ]
    }

    /// The key of the authenticator app of the account that has one, in base32.
    static let authenticatorKey = "JBSWY3DPEHPK3PXP"

    /// Attributes that the directory returns and the policy distinguishes, each with a value.
    private static func attributes(
        _ values: ValueClasses, _ purposes: ClaimPurposes
    ) -> [(name: String, value: String, claim: ClaimTypeHandle)] {
        let policy = purposes.policy
        var found: [(name: String, value: String, claim: ClaimTypeHandle)] = []
        let written = written(by: policy)
        for handle in values.reach.profiles where policy[handle].handler == .directory {
            for output in policy[handle].outputClaims {
                let name = output.wireName
                // A claim that has its value by default, and that nothing writes, is not an attribute.
                let isAttribute =
                    output.defaultValue == nil || name.lowercased().hasPrefix("extension_")
                    || written.contains(name.lowercased())
                guard isAttribute, !isOwnAttribute(name, .directory), !found.contains(where: { sameID($0.name, name) })
                else {
                    continue
                }
                var all = values.of(output.claim)
                if all.isEmpty, values.presence.contains(output.claim) {
                    switch policy[output.claim].dataType {
                    case .boolean: all = ["true"]
                    case .int, .long: all = ["1"]
                    case .date, .dateTime: all = ["2000-01-15T00:00:00Z"]
                    default: all = [purposes.of(output.claim, as: name) == .email ? ValueClasses.address : "1"]
                    }
                }
                for value in all.prefix(3) { found.append((name, value, output.claim)) }
            }
        }
        return found
    }

    /// Attributes that a page or a profile needs and the policy itself writes: accounts have them.
    private static func kept(
        _ purposes: ClaimPurposes, _ reached: [TechnicalProfile], distinguished: Set<String>
    ) -> [(name: String, value: JSONValue)] {
        var needed: Set<ClaimTypeHandle> = []
        for profile in reached {
            let shown = profile.handler == .selfAsserted ? Set(profile.outputClaims.map(\.claim)) : []
            for input in profile.inputClaims where input.required || shown.contains(input.claim) {
                needed.insert(input.claim)
            }
        }
        let written = written(by: purposes.policy)
        var found: [(name: String, value: JSONValue)] = []
        for profile in reached where profile.handler == .directory {
            for output in profile.outputClaims where needed.contains(output.claim) {
                let name = output.wireName
                guard written.contains(name.lowercased()), !isOwnAttribute(name, .directory),
                    !distinguished.contains(name.lowercased()), !found.contains(where: { sameID($0.name, name) })
                else { continue }
                let type = purposes.policy[output.claim]
                let value: JSONValue? =
                    switch type.dataType {
                    case .boolean: true
                    case .int, .long: 1
                    case .date: "2000-01-15"
                    case .dateTime: "2000-01-15T00:00:00Z"
                    case .string: .string(text(of: type, for: purposes.of(output.claim, as: name)))
                    default: nil
                    }
                if let value { found.append((name, value)) }
            }
        }
        return found
    }

    /// The attributes that the policy writes, in lower case.
    private static func written(by policy: ResolvedPolicy) -> Set<String> {
        let writers = policy.profiles.filter { $0.handler == .directory }
        return Set(writers.flatMap(\.persistedClaims).map { $0.wireName.lowercased() })
    }

    /// A text that a field of a type takes.
    private static func text(of type: ClaimType, for purpose: ClaimPurpose?) -> String {
        if let item = type.enumeration.first { return item.value }
        if purpose == .email { return ValueClasses.address }
        if purpose == .phone { return "+442079460009" }
        return type.pattern.flatMap { TextPattern.examples(of: $0.regularExpression).first } ?? "text"
    }

    /// Names that accounts sign in with beside an address and a user name.
    private static func signInNames(_ profiles: [TechnicalProfile]) -> [String] {
        var found: [String] = []
        for profile in profiles where profile.handler == .directory {
            for claim in profile.inputClaims + profile.persistedClaims {
                let name = claim.wireName.lowercased()
                guard name.hasPrefix("signinnames."), !["emailaddress", "username"].contains(name.dropFirst(12)),
                    !found.contains(where: { sameID($0, claim.wireName) })
                else { continue }
                found.append(claim.wireName)
            }
        }
        return found
    }

    /// Domains of addresses that the policy distinguishes.
    private static func domains(_ policy: ResolvedPolicy, _ values: ValueClasses) -> [String] {
        var found: [String] = []
        for claim in policy.claimTypes {
            for value in values.of(claim.handle) where value.hasPrefix(ValueClasses.local + "@") {
                let domain = String(value.dropFirst(ValueClasses.local.count + 1))
                if domain != "example.test", !domain.isEmpty, !found.contains(domain) { found.append(domain) }
            }
        }
        return Array(found.prefix(3))
    }

    /// Whether a name is that of something each made-up person has anyway: nobody needs it from the policy.
    static func isOwnAttribute(_ name: String, _ handler: ProfileHandler) -> Bool {
        let name = name.lowercased()
        if handler == .directory {
            return owned.contains(name) || name.hasPrefix("signinname")
        }
        let purposes: [ClaimPurpose] = [.email, .displayName, .givenName, .surname, .phone]
        return name.contains("objectid") || ClaimPurpose(partner: name).map(purposes.contains) == true
    }

    private static let owned: Set<String> = [
        "objectid", "userprincipalname", "accountenabled", "alternativesecurityid", "alternativesecurityids",
        "useridentities", "othermails", "emails", "email", "strongauthenticationphonenumber",
        "strongauthenticationappsecretkey", "displayname", "givenname", "surname",
        "refreshtokensvalidfromdatetime", "createddatetime", "creationtype", "usertype", "forcechangepasswordnextlogin",
        "forcepasswordchangenextsignin", "forcepasswordchange", "newuser", "passwordpolicies",
    ]

    /// What every provider calls the person who signs in there.
    static let subject = "subject-1843"

    static func key(of profile: TechnicalProfile) -> String { profile.id.lowercased() }

    /// What accounts of a provider have as their issuer: the default of the claim that names it, else the domain.
    static func issuer(of profile: TechnicalProfile, _ policy: ResolvedPolicy) -> String {
        profile.outputClaims.first { sameID(policy[$0.claim].id, "identityProvider") && $0.defaultValue != nil }?
            .defaultValue ?? profile.domains.first ?? profile.id.lowercased()
    }

    private static func person(_ name: String, _ words: String, _ more: JSONValue) -> TestPerson {
        let record: JSONValue = [
            "email": .string("\(name)@example.test"), "username": .string("\(name)lovelace"),
            "password": "Password-1843", "displayName": .string(name.capitalized + " Lovelace"),
            "givenName": .string(name.capitalized), "surname": "Lovelace", "city": "London", "country": "GB",
            "postalCode": "SW1", "phone": "+442079460000", "jobTitle": "Analyst", "streetAddress": "St James's Square",
            "state": "London",
        ]
        let whole = record.merging(patch: more).objectValue ?? JSONObject()
        return TestPerson(
            name: name, words: words, record: whole, hasAccount: whole["registered"]?.boolValue ?? true)
    }
}

extension ResolvedPolicy {
    /// Attributes of the directory by which the policy distinguishes accounts, each with a value that it compares with.
    public func distinguishedAttributes(at now: Timestamp) -> [(name: String, value: String)] {
        let values = ValueClasses(self, now: now, trims: true)
        return TestPeople(policy: self, tenantName: "contoso", values: values, purposes: ClaimPurposes(self)).attributes
            .map { ($0.name, $0.value) }
    }
}
