import JSON
import TrustFramework

/// Which values the policy distinguishes, by claim type: what its preconditions and comparisons name.
struct ClaimClasses {
    /// By claim type id in lower case, in the order of the policy.
    private(set) var literals: [String: [String]] = [:]

    /// - Parameter trims: The default `trimsPreconditionValues`.
    init(_ policy: ResolvedPolicy, trims: Bool) {
        func take(_ preconditions: [Precondition]) {
            for precondition in preconditions {
                guard precondition.type == .claimEquals, let claim = precondition.claims.first,
                    let value = precondition.value(trimmed: trims)
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
    }

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
