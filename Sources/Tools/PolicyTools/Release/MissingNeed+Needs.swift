import Determinism
import Diagnostics
import PolicyRelease

extension MissingNeed {
    /// What policies need and the tenant lacks.
    ///
    /// - Throws: What keeps a policy from being read.
    package static func all(of built: BuiltPolicies, in tenant: TenantSnapshot, now: Timestamp) throws(InvalidInput)
        -> [MissingNeed]
    {
        try PolicyNeeds(built).problems(against: tenant, now: now).map { problem in
            MissingNeed(
                text: problem.sentence, place: problem.location, remedy: problem.remedy,
                isKey: problem.kind == .missingKey || problem.kind == .noActiveKey)
        }
    }
}
