import TrustFramework

/// Claims that hold a phone number under a name that does not say so, such as a `signInName` that the policy looks up,
/// texts or stores as a number. Somebody types a number into such a field, not an address.
struct PhoneClaims {
    private let claims: Set<ClaimTypeHandle>

    init(_ policy: ResolvedPolicy) {
        let profiles = policy.reachedProfiles
        var phones: Set<ClaimTypeHandle> = []
        var others: Set<ClaimTypeHandle> = []
        for profile in profiles {
            switch profile.handler {
            case .directory:
                for claim in profile.inputClaims + profile.persistedClaims {
                    let name = claim.wireName.lowercased()
                    if name.hasSuffix("phonenumber") || name == "mobilephone" {
                        phones.insert(claim.claim)
                    } else if name.hasPrefix("signinnames.") || name.contains("email") {
                        others.insert(claim.claim)
                    }
                }
            case .phoneFactor, .azureMfa:
                for claim in profile.inputClaims where claim.wireName.lowercased().contains("phone") {
                    phones.insert(claim.claim)
                }
            default: continue
            }
        }
        // Values are passed on: what becomes a number is one.
        let passing = profiles.flatMap { $0.inputTransformations + $0.outputTransformations }.map { policy[$0] }
            .compactMap(Self.passed)
        var isGrowing = true
        while isGrowing {
            let more = passing.filter { phones.contains($0.to) && !phones.contains($0.from) }.map(\.from)
            phones.formUnion(more)
            isGrowing = !more.isEmpty
        }
        isGrowing = true
        while isGrowing {
            let more = passing.filter { others.contains($0.to) && !others.contains($0.from) }.map(\.from)
            others.formUnion(more)
            isGrowing = !more.isEmpty
        }
        claims = phones.subtracting(others)
    }

    func contains(_ claim: ClaimTypeHandle) -> Bool { claims.contains(claim) }

    /// The claims between which a transformation passes a text on without a change.
    private static func passed(_ transformation: ClaimsTransformation) -> (from: ClaimTypeHandle, to: ClaimTypeHandle)?
    {
        let from: ClaimTypeHandle?
        let to: ClaimTypeHandle?
        switch transformation.method.lowercased() {
        case "copyclaim":
            from = transformation.input("inputClaim")
            to = transformation.output("outputClaim")
        case "formatstringclaim":
            guard transformation.parameter("stringFormat") == "{0}" else { return nil }
            from = transformation.input("inputClaim")
            to = transformation.output("outputClaim")
        case "convertstringtophonenumberclaim":
            from = transformation.input("phoneNumberString")
            to = transformation.output("outputClaim")
        default: return nil
        }
        guard let from, let to else { return nil }
        return (from, to)
    }
}
