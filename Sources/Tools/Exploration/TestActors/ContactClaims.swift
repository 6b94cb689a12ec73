import TrustFramework

/// What somebody types into a field whose name does not say so: a claim such as `memberName` is a phone number, an address
/// or a user name where the policy looks it up, signs in, texts or stores it as one.
struct ContactClaims {
    private let phones: Set<ClaimTypeHandle>
    private let addresses: Set<ClaimTypeHandle>
    private let userNames: Set<ClaimTypeHandle>
    /// What the policy writes before a text to make a phone number of it, such as `+44`.
    private let prefixes: [ClaimTypeHandle: String]

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
        let used = profiles.flatMap { $0.inputTransformations + $0.outputTransformations }.map { policy[$0] }
        phones.formUnion(used.compactMap(Self.number))
        let passing = used.compactMap(Self.passed)
        func grown(_ claims: Set<ClaimTypeHandle>) -> Set<ClaimTypeHandle> { Self.grown(claims, by: passing) }
        self.addresses = grown(addresses)
        self.phones = grown(phones).subtracting(self.addresses).subtracting(grown(userNames))
        self.userNames = grown(userNames).union(grown(anyNames)).subtracting(self.addresses).subtracting(self.phones)
        let numbers = self.phones
        prefixes = Dictionary(
            used.compactMap(Self.prefixed).filter { numbers.contains($0.to) }.map { ($0.from, $0.prefix) },
            uniquingKeysWith: { first, _ in first })
    }

    func isPhone(_ claim: ClaimTypeHandle) -> Bool { phones.contains(claim) || prefixes[claim] != nil }

    /// A phone number in the forms in which people write it, first that which the policy makes a number of.
    ///
    /// - Parameter phone: With its country, as `+442079460000`.
    func forms(of phone: String, for claim: ClaimTypeHandle?) -> [String] {
        let digits = String(phone.filter { ("0"..."9").contains($0) })
        let national = String(digits.dropFirst(2))
        let forms = [phone, digits, "0" + national, national]
        guard let prefix = claim.flatMap({ prefixes[$0] }) else { return forms }
        return [prefix == "+" ? digits : national] + forms
    }

    /// By which kind of name the policy looks up accounts, by claim: `email`, `username` or `phone`.
    static func keys(of policy: ResolvedPolicy) -> [ClaimTypeHandle: String] {
        var keys: [ClaimTypeHandle: String] = [:]
        for profile in policy.reachedProfiles where profile.handler == .directory {
            guard let key = profile.inputClaims.first else { continue }
            switch key.wireName.lowercased() {
            case "signinnames.phonenumber": keys[key.claim] = "phone"
            case "signinnames.username": keys[key.claim] = "username"
            case "signinnames", "signinnames.emailaddress", "email", "othermails": keys[key.claim] = "email"
            default: continue
            }
        }
        let passing = policy.reachedProfiles.flatMap { $0.inputTransformations + $0.outputTransformations }
            .map { policy[$0] }.compactMap(passed)
        for (key, name) in keys { for claim in grown([key], by: passing) { keys[claim] = name } }
        return keys
    }

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

    /// The claim that a transformation reads a phone number from.
    private static func number(_ transformation: ClaimsTransformation) -> ClaimTypeHandle? {
        switch transformation.method.lowercased() {
        case "convertstringtophonenumberclaim": transformation.input("phoneNumberString")
        case "getnationalnumberandcountrycodefromphonenumberstring": transformation.input("phoneNumber")
        default: nil
        }
    }

    /// The claim that a transformation writes a country's code before, and that code, or `+` alone.
    private static func prefixed(
        _ transformation: ClaimsTransformation
    ) -> (from: ClaimTypeHandle, to: ClaimTypeHandle, prefix: String)? {
        guard transformation.method.lowercased() == "formatstringclaim",
            let format = transformation.parameter("stringFormat"), format.hasPrefix("+"), format.hasSuffix("{0}"),
            let from = transformation.input("inputClaim"), let to = transformation.output("outputClaim")
        else { return nil }
        return (from, to, String(format.dropLast(3)))
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
