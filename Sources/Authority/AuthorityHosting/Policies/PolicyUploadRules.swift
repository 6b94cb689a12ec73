import Diagnostics
import TrustFramework

/// What a tenant checks of a policy that is uploaded, with its parents in the tenant.
///
/// The rules of `b2c policy check` are in a module that depends on the authority, so the program gives them.
///
/// - Parameters:
///   - policyID: The policy that is uploaded.
///   - chain: Its file and those of its parents, root first.
///   - tenantDomain: The tenant.
///   - keySets: Ids of the tenant's key sets.
/// - Returns: The whole message of the service; `nil`: the policy is accepted.
public typealias PolicyUploadRules =
    @Sendable (
        _ policyID: String, _ chain: [(file: String, bytes: [UInt8])], _ tenantDomain: String, _ keySets: Set<String>
    ) -> String?

/// The checks where a program gives no others: whether the chain can be read and linked.
enum UploadLinking {
    static let rules: PolicyUploadRules = { id, chain, domain, _ in
        do throws(InvalidInput) {
            let documents = try PolicyLibrary.chain(policyID: id, among: chain, tenantDomain: domain)
            _ = try PolicyLinker.link(PolicyInheritance.merge(documents), personality: .customPolicy)
            return nil
        } catch {
            // A base has no relying party, which is an error only of a policy that apps call.
            let errors = error.diagnostics.filter { $0.severity == .error && $0.rule != "B2C-POL-013" }
            return errors.isEmpty ? nil : message(errors.map(\.message), id, domain)
        }
    }

    /// Errors in the form of the service: run together, the id in upper case in front
    /// (azure-ad-b2c/samples#278, Azure-Samples/active-directory-b2c-custom-policy-starterpack#57).
    static func message(_ errors: [String], _ id: String, _ domain: String) -> String {
        "Validation failed: \(errors.count) validation error(s) found in policy \"\(id.uppercased())\" of tenant "
            + "\"\(domain)\"." + errors.map { $0 + "." }.joined()
    }
}
