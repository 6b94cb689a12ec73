import Diagnostics
import TrustFramework

/// Rules about how the technical profiles of a policy use attributes and claims together. Each finding has the shortest
/// path that runs the profile.
extension Exploration {
    func attributeRules() -> [ExplorationFinding] {
        mismatches() + attributesOfSome() + twoSources() + namesOfOthers() + sharedIssuers()
    }

    /// Directory profiles that ran, with what each writes.
    private var writers: [TechnicalProfile] {
        policy.profiles.filter { $0.handler == .directory && sameID($0.metadata["Operation"] ?? "", "Write") }
    }

    private var readers: [TechnicalProfile] {
        policy.profiles.filter { $0.handler == .directory && !sameID($0.metadata["Operation"] ?? "", "DeleteClaims") }
    }

    private func hasRun(_ profile: TechnicalProfile) -> Bool { coverage.succeeded.contains(profile.handle) }

    private func trail(of profile: TechnicalProfile) -> Int? { coverage.firstSuccess[profile.handle] }

    // MARK: Written and read

    /// One attribute that two profiles write from different claims, or a claim that is written to one attribute and read
    /// from another.
    private func mismatches() -> [ExplorationFinding] {
        var found: [ExplorationFinding] = []
        var written: [String: (claim: ProfileClaim, profile: TechnicalProfile)] = [:]
        for profile in writers {
            for persisted in profile.persistedClaims {
                let attribute = persisted.wireName.lowercased()
                guard let first = written[attribute] else {
                    written[attribute] = (persisted, profile)
                    continue
                }
                guard first.claim.claim != persisted.claim, hasRun(profile) || hasRun(first.profile),
                    !areLinked(first.claim.claim, persisted.claim)
                else { continue }
                let second = (claim: persisted, profile: profile)
                let (here, there) = hasRun(profile) ? (second, first) : (first, second)
                found.append(
                    ExplorationFinding(
                        rule: .attributeMismatch,
                        names: [
                            here.claim.wireName, policy[here.claim.claim].id,
                            "\(there.profile.id) writes it from \(policy[there.claim.claim].id)",
                        ],
                        trail: trail(of: here.profile), other: trail(of: there.profile),
                        location: here.claim.location))
            }
        }
        for profile in writers where hasRun(profile) {
            for persisted in profile.persistedClaims {
                // Where the claim is read from, if it is read from one attribute only.
                let sources = readers.flatMap { reader in
                    reader.outputClaims.filter { $0.claim == persisted.claim && $0.defaultValue == nil }.map {
                        (reader, $0)
                    }
                }
                let names = Set(sources.map { $0.1.wireName.lowercased() })
                guard names.count == 1, let (reader, source) = sources.first,
                    !names.contains(persisted.wireName.lowercased()),
                    // Another claim is read from the attribute that this one is written to.
                    readers.contains(where: { reader in
                        reader.outputClaims.contains {
                            sameID($0.wireName, persisted.wireName) && $0.claim != persisted.claim
                                && !areLinked($0.claim, persisted.claim)
                        }
                    }) || isWritten(source.wireName, besides: persisted.claim)
                else { continue }
                found.append(
                    ExplorationFinding(
                        rule: .attributeMismatch,
                        names: [
                            persisted.wireName, policy[persisted.claim].id,
                            "\(reader.id) reads that claim from \(source.wireName)",
                        ],
                        trail: trail(of: profile), location: persisted.location))
            }
        }
        return found
    }

    private func isWritten(_ attribute: String, besides claim: ClaimTypeHandle) -> Bool {
        writers.contains { $0.persistedClaims.contains { sameID($0.wireName, attribute) && $0.claim != claim } }
    }

    /// Whether a transformation makes one claim of the other, or one is the verified form of the other.
    private func areLinked(_ a: ClaimTypeHandle, _ b: ClaimTypeHandle) -> Bool {
        let isMade = policy.transformations.contains { transformation in
            let inputs = transformation.inputClaims.map(\.claim)
            let outputs = transformation.outputClaims.map(\.claim)
            return inputs.contains(a) && outputs.contains(b) || inputs.contains(b) && outputs.contains(a)
        }
        return isMade || sameID(policy[a].id, "Verified." + policy[b].id)
            || sameID(policy[b].id, "Verified." + policy[a].id)
    }

    /// Attributes that have a part in signing in, or that belong to one kind of account.
    private static func isOfKind(_ attribute: String) -> Bool {
        let name = attribute.lowercased()
        return name.hasPrefix("signinnames.") || name.hasPrefix("strongauthentication")
            || [
                "password", "passwordpolicies", "alternativesecurityid", "alternativesecurityids", "useridentities",
                "identities", "mailnickname", "othermails", "userprincipalname", "objectid", "accountenabled", "mail",
                "email", "emails", "forcechangepasswordnextlogin",
            ].contains(name)
    }

    /// What one profile writes to a new account and another profile does not.
    private func attributesOfSome() -> [ExplorationFinding] {
        let creators = writers.filter { profile in
            coverage.created.contains(profile.handle) && !profile.persistedClaims.isEmpty
        }
        var found: [ExplorationFinding] = []
        var known: Set<String> = []
        for one in creators {
            for persisted in one.persistedClaims where !Self.isOfKind(persisted.wireName) {
                let lacking = creators.first { other in
                    !other.persistedClaims.contains { sameID($0.wireName, persisted.wireName) }
                }
                guard let lacking, known.insert(persisted.wireName.lowercased()).inserted else { continue }
                found.append(
                    ExplorationFinding(
                        rule: .attributeOfSome, names: [one.id, persisted.wireName, lacking.id],
                        trail: trail(of: lacking), other: trail(of: one), location: lacking.location))
            }
        }
        return found
    }

    // MARK: Meanings

    /// A claim that two profiles read from different attributes.
    private func twoSources() -> [ExplorationFinding] {
        var found: [ExplorationFinding] = []
        var first: [ClaimTypeHandle: (claim: ProfileClaim, profile: TechnicalProfile)] = [:]
        for profile in readers where hasRun(profile) {
            for output in profile.outputClaims where output.defaultValue == nil {
                guard let known = first[output.claim] else {
                    first[output.claim] = (output, profile)
                    continue
                }
                guard !sameID(known.claim.wireName, output.wireName) else { continue }
                found.append(
                    ExplorationFinding(
                        rule: .twoMeanings,
                        names: [
                            policy[output.claim].id,
                            "is \(output.wireName) in \(profile.id) and \(known.claim.wireName) in \(known.profile.id)",
                        ],
                        trail: trail(of: profile), other: trail(of: known.profile), location: output.location))
            }
        }
        return found
    }

    /// A claim of the token under the OpenID Connect name of another claim.
    private func namesOfOthers() -> [ExplorationFinding] {
        policy.relyingParty.outputClaims.compactMap { output in
            guard let name = output.partnerName, !sameID(name, "sub"),
                let issue = issues.first(where: { $0.claims[output.wireName] != nil })
            else { return nil }
            func isName(of type: ClaimType) -> Bool {
                sameID(type.id, name)
                    || type.defaultPartnerClaimTypes.contains {
                        $0.protocolName == .openIdConnect && sameID($0.partnerClaimType, name)
                    }
            }
            guard !isName(of: policy[output.claim]),
                let other = policy.claimTypes.first(where: { isName(of: $0) && $0.handle != output.claim }),
                // The other claim has a value of its own in this policy.
                policy.profiles.contains(where: { hasRun($0) && $0.outputClaims.contains { $0.claim == other.handle } }
                ),
                !areLinked(output.claim, other.handle)
            else { return nil }
            return ExplorationFinding(
                rule: .twoMeanings,
                names: [name, "of the token holds \(policy[output.claim].id), and \(name) is the name of \(other.id)"],
                trail: issue.trail, location: output.location)
        }
    }

    /// Two identity providers that make the same identities.
    private func sharedIssuers() -> [ExplorationFinding] {
        let issuerClaims = Set(
            policy.transformations.filter {
                ["createalternativesecurityid", "createuseridentity"].contains($0.method.lowercased())
            }.compactMap { $0.input("identityProvider") ?? $0.input("issuer") })
        var found: [ExplorationFinding] = []
        var known: [String: TechnicalProfile] = [:]
        for profile in policy.profiles where profile.handler.isFederation && hasRun(profile) {
            for output in profile.outputClaims where issuerClaims.contains(output.claim) {
                guard let value = output.defaultValue, !value.contains("{") else { continue }
                guard let other = known[value.lowercased()] else {
                    known[value.lowercased()] = profile
                    continue
                }
                guard address(of: other) != address(of: profile) else { continue }
                found.append(
                    ExplorationFinding(
                        rule: .issuerShared, names: [profile.id, other.id, value], trail: trail(of: profile),
                        other: trail(of: other), location: output.location))
            }
        }
        return found
    }

    private func address(of profile: TechnicalProfile) -> String {
        let text = profile.metadata["METADATA"] ?? profile.metadata["authorization_endpoint"] ?? profile.id
        return String(text.lowercased().split(separator: "/").dropFirst().first ?? text.lowercased()[...])
    }
}
