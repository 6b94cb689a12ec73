import TenantFiles
import TrustFramework

/// How a shown value is partly hidden (Microsoft docs: claimsschema, Mask). The claim itself is unchanged.
enum ClaimMask {
    static func shown(
        _ value: String, of type: ClaimType, _ defaults: PolicyDefaults
    ) throws(ProfileFailure) -> String {
        guard let mask = type.mask else { return value }
        switch mask.type {
        case .simple:
            guard defaults.simpleMaskHidesItsLength else { return mask.text }
            // The mask replaces so many characters as it has itself (inferred).
            return mask.text + value.dropFirst(min(mask.text.count, value.count))
        case .regex:
            guard let expression = mask.regex else { return value }
            let pattern = try TextPattern.inPolicy(expression, at: mask.location)
            guard let shown = pattern.replacing(in: value, with: mask.text) else {
                throw TextPattern.tooLong(expression, at: mask.location)
            }
            return shown
        }
    }

    /// A phone number as the phone page lists it: `XXX-XXX-1234`.
    static func phone(_ number: String) -> String { "XXX-XXX-" + number.suffix(4) }
}
