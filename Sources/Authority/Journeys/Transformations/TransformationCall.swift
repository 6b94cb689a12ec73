import B2CProtocol
import Determinism
import TrustFramework

/// One run of a claims transformation: its claims by role, its parameters by id, and what it may use.
struct TransformationCall {
    let transformation: ClaimsTransformation
    /// The technical profile that runs it.
    let profile: TechnicalProfile
    /// The page that called the profile, if one did.
    let page: ProfileHandle?
    var bag: ClaimsBag
    let journey: JourneyCall
    var random: SeededGenerator

    /// The value of an input claim by its role.
    func input(_ role: String) -> ClaimValue? { transformation.input(role).flatMap { bag[$0] } }

    func text(_ role: String) -> String? { input(role)?.text }

    /// A parameter with the expressions that the documentation allows filled in.
    func parameter(_ id: String) -> String? {
        guard let text = transformation.parameter(id) else { return nil }
        return text.utf8.contains(UInt8(ascii: "{")) ? expressions(text) : text
    }

    func flag(_ id: String, default standard: Bool) -> Bool {
        transformation.parameter(id).flatMap(ClaimText.boolean) ?? standard
    }

    func number(_ id: String) -> Int? { transformation.parameter(id).flatMap { Int($0.trimmingSpaces) } }

    /// Whether a comparison ignores letter case: parameter `ignoreCase`, absent = it counts (inferred).
    var ignoresCase: Bool { flag("ignoreCase", default: !journey.environment.switches.comparisonsCountCase) }

    /// Writes an output claim by its role; `nil` takes it out of the bag. A role that is not asked for is left alone.
    mutating func set(_ role: String, _ value: ClaimValue?) {
        guard let claim = transformation.output(role) else { return }
        bag[claim] = value.flatMap { $0.converted(to: journey.policy[claim].dataType) }
    }

    mutating func set(_ role: String, text: String?) { set(role, text.map(ClaimValue.text)) }

    mutating func set(_ role: String, flag: Bool) { set(role, .boolean(flag)) }

    /// An assertion that does not hold.
    func failed(_ key: String, _ message: String) -> ProfileFailure {
        ProfileFailure(
            messageKey: key, message: message, detail: "claims transformation \(transformation.id): \(message)")
    }

    /// Something the transformation cannot work with.
    func fault(_ message: String) -> ProfileFailure {
        ProfileFailure(
            code: .c90037, message: message, detail: "claims transformation \(transformation.id): \(message)")
    }

    private func expressions(_ text: String) -> String {
        var result = text
        for (name, value) in [
            ("{TechnicalProfileId}", profile.id), ("{RelyingPartyTenantId}", journey.environment.tenantDomain),
            ("{TrustFrameworkTenantId}", journey.environment.tenantDomain),
            ("{AuthenticatorIssuer}", journey.environment.tenantDomain), ("{PolicyId}", journey.policy.id),
        ] where result.contains(name) {
            result = result.replacing(name, with: value)
        }
        return result
    }
}
