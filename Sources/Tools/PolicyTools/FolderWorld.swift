import AuthorityHosting
import Exploration
import JSON
import TrustFramework

/// What a folder of policies without a tenant file needs to be played: an app, the identity providers that the policies
/// name, and an account at each for the people who sign in there.
package enum FolderWorld {
    /// A patch over the tenant of a folder.
    package static func settings(app: String, policy: String, for policies: [ResolvedPolicy]) -> JSONValue {
        var providers = JSONObject()
        for policy in policies {
            for (profile, exchanges) in federation(of: policy) {
                let name = providerName(profile)
                if providers[name] == nil { providers[name] = .object(provider(profile, exchanges)) }
            }
        }
        let purposes = policies.map { ClaimPurposes($0) }
        func accounts(_ person: String) -> JSONValue {
            var accounts = JSONObject()
            for purposes in purposes {
                for (profile, _) in federation(of: purposes.policy) {
                    let name = providerName(profile)
                    let known = accounts[name]?.objectValue ?? JSONObject()
                    let claims = ProviderClaims.claims(of: person, at: profile, in: purposes)
                    accounts[name] = JSONValue.object(claims).merging(patch: .object(known))
                }
            }
            return .object(accounts)
        }
        var registration: JSONObject = ["ropc": true, "implicit": ["idToken": true, "accessToken": true]]
        if let listed = policies.lazy.compactMap(\.listedClient).first {
            registration["clientId"] = .string(listed.description)
        }
        let settings: JSONValue = [
            "client": ["kind": "msal-ios", "policy": .string(policy)], "registration": .object(registration),
        ]
        return [
            "apps": .object(JSONObject([(app, settings)])), "providers": .object(providers),
            "users": [
                DemoPeople.local: ["providers": accounts(DemoPeople.local), "linked": false],
                DemoPeople.stranger: ["providers": accounts(DemoPeople.stranger)],
                DemoPeople.linked: ["providers": accounts(DemoPeople.linked)],
                DemoPeople.both: ["providers": accounts(DemoPeople.both)],
            ],
        ]
    }

    /// Identity providers that can be simulated.
    private static func federation(
        of policy: ResolvedPolicy
    ) -> [(profile: TechnicalProfile, exchanges: [String])] {
        ProviderAddresses.federation(of: policy).filter { $0.profile.handler != .samlProvider }
    }

    /// What of the policies a tenant file cannot have, in sentences, each once.
    package static func notes(for policies: [ResolvedPolicy]) -> [String] {
        var notes: [String] = []
        for policy in policies {
            if let foreign = policy.foreignParty {
                notes.append("\(policy.id) is \(foreign.what), which is not simulated (\(foreign.location))")
            }
            for (profile, _) in ProviderAddresses.federation(of: policy) where profile.handler == .samlProvider {
                let note =
                    "the SAML identity provider \(profile.id) is not simulated, so the tenant file lacks it"
                    + " (\(profile.location))"
                if !notes.contains(note) { notes.append(note) }
            }
        }
        return notes
    }

    private static func provider(_ profile: TechnicalProfile, _ exchanges: [String]) -> JSONObject {
        var entry = JSONObject()
        entry["type"] = profile.handler == .oauth2Provider ? "oauth2" : "oidc"
        entry["exchange"] = exchanges.first.map { .string($0) }
        entry["domain"] = profile.domains.first.map { .string($0) }
        if let prefix = profile.metadata["ValidTokenIssuerPrefixes"]?.split(separator: ",").first {
            let text = prefix.hasSuffix("/") ? String(prefix.dropLast()) : String(prefix)
            entry["issuer"] = .string(text + "/stub")
        } else if let issuer = profile.metadata["issuer"] {
            entry["issuer"] = .string(issuer)
        }
        return entry
    }

    /// The first part of the domain that a claims provider has, else the technical profile's id.
    static func providerName(_ profile: TechnicalProfile) -> String {
        if let domain = profile.domains.first?.split(separator: ".").first { return String(domain).lowercased() }
        return profile.id
    }
}
