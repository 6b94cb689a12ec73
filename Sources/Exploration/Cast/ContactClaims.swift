import TrustFramework

/// What somebody types into a field whose name does not say so: a claim such as `memberName` is a phone number, an address
/// or a user name where the policy looks it up, signs in, texts or stores it as one.
struct ContactClaims {
    private let phones: Set<ClaimTypeHandle>
    private let addresses: Set<ClaimTypeHandle>
    private let userNames: Set<ClaimTypeHandle>

    init(_ policy: ResolvedPolicy) {
        let profiles = policy.reachedProfiles
        var phones: Set<ClaimTypeHandle> = []
        var addresses: Set<ClaimTypeHandle> = []
        var userNames: Set<ClaimTypeHandle> = []
        // The password sign-in takes every kind of name, so it counts only where nothing else says more.
        var anyNames: Set<ClaimTypeHandle> = []
        for profile in profiles {
            switch profile.handler {
            case .directory:
                for claim in profile.inputClaims + profile.persistedClaims {
                    let name = claim.wireName.lowercased()
                    if name.hasSuffix("phonenumber") || name == "mobilephone" {
                        phones.insert(claim.claim)
                    } else if name.contains("email") {
                        addresses.insert(claim.claim)
                    } else if name.hasPrefix("signinnames.") {
                        userNames.insert(claim.claim)
                    } else if name == "signinnames" {
                        anyNames.insert(claim.claim)
                    }
                }
            case .passwordSignIn:
                anyNames.formUnion(profile.inputClaims.filter { sameID($0.wireName, "username") }.map(\.claim))
            case .phoneFactor, .azureMfa:
                for claim in profile.inputClaims where claim.wireName.lowercased().contains("phone") {
                    phones.insert(claim.claim)
                }
            default: continue
            }
        }
        let passing = profiles.flatMap { $0.inputTransformations + $0.outputTransformations }.map { policy[$0] }
            .compactMap(Self.passed)
        func grown(_ claims: Set<ClaimTypeHandle>) -> Set<ClaimTypeHandle> { Self.grown(claims, by: passing) }
        self.addresses = grown(addresses)
        self.phones = grown(phones).subtracting(self.addresses).subtracting(grown(userNames))
        self.userNames = grown(userNames).union(grown(anyNames)).subtracting(self.addresses).subtracting(self.phones)
    }

    func isPhone(_ claim: ClaimTypeHandle) -> Bool { phones.contains(claim) }
    func isAddress(_ claim: ClaimTypeHandle) -> Bool { addresses.contains(claim) }
    func isUserName(_ claim: ClaimTypeHandle) -> Bool { userNames.contains(claim) }

    /// Values are passed on: what becomes a number is one.
    private static func grown(
        _ claims: Set<ClaimTypeHandle>, by passing: [(from: ClaimTypeHandle, to: ClaimTypeHandle)]
    ) -> Set<ClaimTypeHandle> {
        var claims = claims
        var isGrowing = true
        while isGrowing {
            let more = passing.filter { claims.contains($0.to) && !claims.contains($0.from) }.map(\.from)
            claims.formUnion(more)
            isGrowing = !more.isEmpty
        }
        return claims
    }

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
