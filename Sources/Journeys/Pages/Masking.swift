import TrustFramework

/// How a shown value is partly hidden (Microsoft docs: claimsschema, Mask). The claim itself is unchanged.
enum Masking {
    static func shown(_ value: String, of type: ClaimType) throws(ProfileFailure) -> String {
        guard let mask = type.mask else { return value }
        switch mask.type {
        case .simple:
            // The mask replaces so many characters as it has itself (inferred).
            return mask.text + value.dropFirst(min(mask.text.count, value.count))
        case .regex:
            guard let expression = mask.regex else { return value }
            return try TextPattern.inPolicy(expression, at: mask.location).replacing(in: value, with: mask.text)
        }
    }

    /// A phone number as the phone page lists it: `XXX-XXX-1234`.
    static func phone(_ number: String) -> String { "XXX-XXX-" + number.suffix(4) }
}
