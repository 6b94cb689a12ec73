import AuthorityHosting
import Validation

/// What is checked of a policy that is uploaded over Microsoft Graph: the rules of `b2c policy check` that the service has
/// too, in its words.
enum UploadRules {
    static let rules: PolicyUploadRules = { id, chain, domain, keySets in
        let findings = UploadCheck.findings(of: id, chain: chain, tenantDomain: domain, keySets: keySets)
        guard findings.contains(where: { $0.diagnostic.severity == .error }) else { return nil }
        return UploadCheck.message(findings, policyID: id, tenantDomain: domain)
    }
}
