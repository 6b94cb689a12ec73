import TenantFiles

/// How policies are merged where the service changed or the documentation says nothing: the settings of `authority.defaults`
/// that linking reads. A policy is linked once for each set of them.
public struct MergeRules: Hashable, Sendable {
    let childValidationProfilesFirst: Bool
    let inheritedClaimsFirst: Bool
    let preconditionsAreUnited: Bool
    let inheritanceBeforeIncludes: Bool

    public init(_ defaults: PolicyDefaults = PolicyDefaults()) {
        childValidationProfilesFirst = defaults.childValidationProfilesFirst
        inheritedClaimsFirst = defaults.inheritedClaimsFirst
        preconditionsAreUnited = defaults.preconditionsAreUnited
        inheritanceBeforeIncludes = defaults.inheritanceBeforeIncludes
    }
}
