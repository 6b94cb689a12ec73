import B2CProtocol
import Diagnostics
import JSON
import TrustFramework

/// The classes of people that come to a policy: one person of each, made up from what the policy asks of claims.
struct Roster {
    /// Somebody of the made-up tenant.
    struct Person: Sendable {
        var name: String
        /// What sets the person apart, for a sentence.
        var words: String
        var record: JSONObject
        /// Whether there is an account at the start.
        var hasAccount: Bool

        func text(_ key: String) -> String? { record[key]?.stringValue }
    }

    /// The password that people choose when a page asks for a new one.
    static let newPassword = "Password-1844"

    let people: [Person]
    /// The made-up tenant with its providers, without people: each comes alone.
    let tenant: JSONValue

    init(policy: ResolvedPolicy, tenantName: String, values: ClaimClasses) {
        var providers = JSONObject()
        var identities = JSONObject()
        for profile in policy.profiles where profile.handler.isFederation {
            providers[Self.key(of: profile)] = [
                "type": profile.handler == .openIdConnectProvider ? "oidc" : "oauth2",
                "domain": .string(Self.issuer(of: profile, policy)),
            ]
            let claim = profile.handler == .openIdConnectProvider ? "sub" : "id"
            identities[Self.key(of: profile)] = [claim: .string(Self.subject)]
        }
        tenant = ["name": .string(tenantName), "providers": .object(providers)]
        var people = [
            Self.person("nina", "nobody that the directory knows", ["registered": false]),
            Self.person("ada", "a local account without a phone number", ["phone": nil]),
            Self.person("bob", "a local account with a phone number", [:]),
            Self.person("dan", "a disabled local account", ["accountEnabled": false, "phone": nil]),
            Self.person(
                "rex", "an account that must change its password", ["forcePasswordChange": true, "phone": nil]),
        ]
        if !providers.isEmpty {
            people.append(
                Self.person(
                    "kay", "an account at an identity provider that has signed in before",
                    ["password": nil, "phone": nil, "providers": .object(identities)]))
            people.append(
                Self.person(
                    "ken", "a disabled account at an identity provider",
                    ["password": nil, "phone": nil, "accountEnabled": false, "providers": .object(identities)]))
        }
        // Both sides of what the policy asks of attributes of the directory.
        for (attribute, value) in values.attributes {
            people.append(
                Self.person(
                    "ann\(people.count)", "a local account with \(attribute) \(value)", [attribute: .string(value)]))
        }
        self.people = people
    }

    /// What every provider calls the person who signs in there.
    static let subject = "subject-1843"

    static func key(of profile: TechnicalProfile) -> String { profile.id.lowercased() }

    /// What accounts of a provider have as their issuer: the default of the claim that names it, else the domain.
    static func issuer(of profile: TechnicalProfile, _ policy: ResolvedPolicy) -> String {
        profile.outputClaims.first { sameID(policy[$0.claim].id, "identityProvider") && $0.defaultValue != nil }?
            .defaultValue ?? profile.domains.first ?? profile.id.lowercased()
    }

    private static func person(_ name: String, _ words: String, _ more: JSONValue) -> Person {
        let record: JSONValue = [
            "email": .string("\(name)@example.test"), "username": .string("\(name)lovelace"),
            "password": "Password-1843", "displayName": .string(name.capitalized + " Lovelace"),
            "givenName": .string(name.capitalized), "surname": "Lovelace", "city": "London", "country": "GB",
            "postalCode": "SW1", "phone": "+442079460000", "jobTitle": "Analyst", "streetAddress": "St James's Square",
            "state": "London",
        ]
        let whole = record.merging(patch: more).objectValue ?? JSONObject()
        return Person(
            name: name, words: words, record: whole, hasAccount: whole["registered"]?.boolValue ?? true)
    }
}

/// Which values the policy tells apart, by claim type: what its preconditions and comparisons name.
struct ClaimClasses {
    /// By claim type id in lower case, in the order of the policy.
    private(set) var literals: [String: [String]] = [:]
    /// Attributes that the directory returns and preconditions ask for, each with a value.
    private(set) var attributes: [(name: String, value: String)] = []

    init(_ policy: ResolvedPolicy) {
        var asked: Set<ClaimTypeHandle> = []
        func take(_ preconditions: [Precondition]) {
            for precondition in preconditions {
                asked.formUnion(precondition.claims)
                guard precondition.type == .claimEquals, let claim = precondition.claims.first,
                    let value = precondition.value
                else { continue }
                add(value, to: policy[claim].id)
            }
        }
        for journey in policy.journeys { for step in journey.steps { take(step.preconditions) } }
        for profile in policy.profiles {
            for validation in profile.validationProfiles { take(validation.preconditions) }
        }
        for transformation in policy.transformations {
            guard let value = transformation.parameter("compareTo") ?? transformation.parameter("matchTo") else {
                continue
            }
            for input in transformation.inputClaims { add(value, to: policy[input.claim].id) }
        }
        for profile in policy.profiles where profile.handler == .directory {
            for output in profile.outputClaims where asked.contains(output.claim) {
                let name = output.wireName
                guard name.lowercased().hasPrefix("extension_") || Self.plain.contains(name.lowercased()),
                    !attributes.contains(where: { sameID($0.name, name) })
                else { continue }
                let type = policy[output.claim]
                let known = literals[type.id.lowercased()] ?? []
                let values = known.isEmpty ? [type.dataType == .boolean ? "true" : "1"] : known
                for value in values.prefix(3) { attributes.append((name, value)) }
            }
        }
    }

    private static let plain: Set<String> = [
        "jobtitle", "city", "country", "usagelocation", "department", "companyname",
    ]

    private mutating func add(_ value: String, to claim: String) {
        let key = claim.lowercased()
        if literals[key]?.containsText(value) != true { literals[key, default: []].append(value) }
    }

    /// The values to try for a claim of a type, the first being the usual one.
    func values(of type: ClaimType) -> [String] {
        var values = literals[type.id.lowercased()] ?? []
        if type.dataType == .boolean { values += ["true", "false"] }
        var seen: Set<String> = []
        return values.filter { seen.insert($0.lowercased()).inserted }
    }
}
