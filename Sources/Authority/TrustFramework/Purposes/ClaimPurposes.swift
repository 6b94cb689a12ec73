import B2CProtocol

/// What a policy uses its claims for, from what it does with them: a claim such as `memberName` is a phone number, an address
/// or a user name where the policy looks it up, signs in, texts or stores it as one.
package struct ClaimPurposes: Sendable {
    private var purposes: [ClaimTypeHandle: ClaimPurpose] = [:]
    /// Claims with which something signs in that takes every kind of name.
    private var anyNames: Set<ClaimTypeHandle> = []
    /// By which kind of name the policy looks up accounts, by claim.
    package private(set) var keys: [ClaimTypeHandle: ClaimPurpose] = [:]
    /// What the policy writes before a text to make a phone number of it, such as `+44`.
    private var prefixes: [ClaimTypeHandle: String] = [:]
    package let policy: ResolvedPolicy

    /// Looks at what the relying party can lead to.
    package init(_ policy: ResolvedPolicy) {
        self.policy = policy
        let reach = ReachableElements(policy)
        let profiles = reach.profiles.map { policy[$0] }
        let used = reach.transformations.map { policy[$0] }
        let passing = used.compactMap(Self.passed)
        var uses = profiles.flatMap(Self.uses) + used.flatMap(Self.uses)
        // Where a policy uses a claim for several of these, the first counts: an address can be a user name too.
        let order: [ClaimPurpose] = [.email, .username, .phone]
        uses =
            order.flatMap { first in uses.filter { $0.purpose == first } }
            + uses.filter { !order.contains($0.purpose) }
        for (claim, purpose) in uses {
            let claims = Self.grown(claim, by: passing)
            if purpose == .signInName {
                anyNames.formUnion(claims)
            } else {
                purposes.merge(claims.map { ($0, purpose) }) { known, _ in known }
            }
        }
        for profile in profiles where profile.handler == .directory {
            guard let key = profile.inputClaims.first, let purpose = ClaimPurpose(attribute: key.wireName) else {
                continue
            }
            for claim in Self.grown(key.claim, by: passing) { keys[claim] = purpose }
        }
        for (from, to, prefix) in used.compactMap(Self.prefixed) where purposes[to] == .phone && prefixes[from] == nil {
            prefixes[from] = prefix
            if purposes[from] == nil { purposes[from] = .phone }
        }
        for (claim, purpose) in outside(profiles, used)
        where purposes[claim] == nil && !anyNames.contains(claim) {
            purposes[claim] = purpose
        }
    }

    /// The purpose of a claim; `nil` where nothing says it.
    ///
    /// - Parameter partner: The name that a protocol or a service has for it.
    package func of(_ claim: ClaimTypeHandle, as partner: String? = nil) -> ClaimPurpose? {
        let type = policy[claim]
        if [.boolean, .date, .dateTime].contains(type.dataType) { return nil }
        if let known = purposes[claim] { return known }
        if type.dataType == .phoneNumber { return .phone }
        if type.userInputType == .emailBox { return .email }
        let named = partner.flatMap { ClaimPurpose(partner: $0) }
        if let named, !ClaimPurpose.vague.contains(named) { return named }
        return ClaimPurpose(spelled: type.id) ?? named ?? (anyNames.contains(claim) ? .signInName : nil)
    }

    /// The purpose of a field of a page, which may have no claim.
    package func of(_ field: PageField) -> ClaimPurpose? {
        if let known = policy.claimType(field.id).flatMap({ of($0) }) { return known }
        return field.inputType == .emailBox ? .email : ClaimPurpose(spelled: field.id)
    }

    /// A phone number in the forms in which people write it, first that which the policy makes a number of.
    ///
    /// - Parameter phone: With its country, as `+442079460000`.
    package func forms(of phone: String, for claim: ClaimTypeHandle?) -> [String] {
        let digits = String(phone.filter { ("0"..."9").contains($0) })
        let national = String(digits.dropFirst(2))
        let forms = [phone, digits, "0" + national, national]
        guard let prefix = claim.flatMap({ prefixes[$0] }) else { return forms }
        return [prefix == "+" ? digits : national] + forms
    }

    // MARK: What the policy does with claims

    private typealias Use = (claim: ClaimTypeHandle, purpose: ClaimPurpose)

    private static func uses(_ profile: TechnicalProfile) -> [Use] {
        func uses(_ claims: [ProfileClaim], _ purpose: (String) -> ClaimPurpose?) -> [Use] {
            claims.compactMap { claim in purpose(claim.wireName).map { (claim.claim, $0) } }
        }
        switch profile.handler {
        case .directory: return uses(profile.inputClaims + profile.persistedClaims) { ClaimPurpose(attribute: $0) }
        case .passwordSignIn: return uses(profile.inputClaims) { sameID($0, "username") ? .signInName : nil }
        case .phoneFactor, .azureMfa:
            return uses(profile.inputClaims) { $0.lowercased().contains("phone") ? .phone : nil }
        case .aadSspr: return uses(profile.inputClaims) { sameID($0, "emailAddress") ? .email : nil }
        case .selfAsserted: return uses(profile.outputClaims) { sameID($0, "Verified.Email") ? .email : nil }
        default: return []
        }
    }

    private static func uses(_ transformation: ClaimsTransformation) -> [Use] {
        let roles: KeyValuePairs<String, ClaimPurpose> =
            switch transformation.method.lowercased() {
            case "convertstringtophonenumberclaim": ["phoneNumberString": .phone, "country": .country]
            case "getnationalnumberandcountrycodefromphonenumberstring": ["phoneNumber": .phone]
            case "parsedomain": ["emailAddress": .email]
            case "createalternativesecurityid": ["key": .subject]
            case "createuseridentity": ["issuerUserId": .subject]
            default: [:]
            }
        return roles.compactMap { role, purpose in transformation.input(role).map { ($0, purpose) } }
    }

    /// What claims are called outside of the policy: by providers, by services and in the token.
    private func outside(_ profiles: [TechnicalProfile], _ used: [ClaimsTransformation]) -> [Use] {
        let sent = profiles.flatMap {
            $0.handler == .rest ? $0.inputClaims : $0.handler.isFederation ? $0.outputClaims : []
        }
        let named = (sent + policy.relyingParty.outputClaims).map { ($0.claim, $0.wireName) }
        let written = used.filter { sameID($0.method, "GenerateJson") }.flatMap(\.inputClaims).map {
            ($0.claim, $0.role)
        }
        // Both may be paths into JSON.
        return (named + written).compactMap { claim, name in
            guard !sameID(name, policy[claim].id),
                let purpose = name.split(separator: ".").last.flatMap({ ClaimPurpose.protocolName(String($0)) }),
                !ClaimPurpose.vague.contains(purpose)
            else { return nil }
            return (claim, purpose)
        }
    }

    /// A claim and those of which the policy makes it: values are passed on, and what becomes a number is one.
    private static func grown(
        _ claim: ClaimTypeHandle, by passing: [(from: ClaimTypeHandle, to: ClaimTypeHandle)]
    ) -> Set<ClaimTypeHandle> {
        var claims: Set<ClaimTypeHandle> = [claim]
        while let more = passing.first(where: { claims.contains($0.to) && !claims.contains($0.from) }) {
            claims.insert(more.from)
        }
        return claims
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
    private static func passed(
        _ transformation: ClaimsTransformation
    ) -> (from: ClaimTypeHandle, to: ClaimTypeHandle)? {
        let method = transformation.method.lowercased()
        let isFormat = method == "formatstringclaim" && transformation.parameter("stringFormat") == "{0}"
        guard isFormat || method == "copyclaim" || method == "convertstringtophonenumberclaim",
            let from = transformation.input("inputClaim") ?? transformation.input("phoneNumberString"),
            let to = transformation.output("outputClaim")
        else { return nil }
        return (from, to)
    }
}
