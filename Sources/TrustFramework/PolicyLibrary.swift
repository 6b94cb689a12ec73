import B2CProtocol
import Diagnostics

/// All policies of a tenant, ready to run.
public enum PolicyLibrary {
    /// Compiles the user flows of a tenant, in the order of its file. `files` gives the bytes of a policy file by path.
    ///
    /// Custom policies are not built yet and refused by name. All findings of all policies are thrown together.
    public static func load(
        tenant: Tenant, files: (String) -> [UInt8]?
    ) throws(InvalidInput) -> [ResolvedPolicy] {
        var policies: [ResolvedPolicy] = []
        var findings: [Diagnostic] = []
        for settings in tenant.policies {
            if settings.type == .custom {
                findings.append(
                    Diagnostic(
                        rule: "B2C-FLOW-002", "policy \"\(settings.name)\": custom policies are not built yet",
                        remedy: "Use one of the user flow types.",
                        at: SourceLocation(
                            file: "tenant \(tenant.name)", pointer: "/policies/\(settings.name)/type")))
                continue
            }
            do throws(InvalidInput) {
                policies.append(try UserFlowCompiler.compile(settings, tenant: tenant))
            } catch {
                findings += error.diagnostics
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return policies
    }

    /// Deepest inheritance that the service takes ("Microsoft docs: service-limits").
    public static let deepestInheritance = 10

    /// Links the relying party `policyID` with its parents out of a set of policy files.
    /// - Parameter settings: Values for `{Settings:NAME}`.
    public static func link(
        policyID: String, among files: [(file: String, bytes: [UInt8])], settings: [(name: String, value: String)] = [],
        unknownElements: PolicyReader.UnknownElements = .fail, personality: Personality = .customPolicy
    ) throws(InvalidInput) -> ResolvedPolicy {
        let chain = try chain(policyID: policyID, among: files, settings: settings, unknownElements: unknownElements)
        return try PolicyLinker.link(PolicyInheritance.merge(chain), personality: personality)
    }

    /// The files of an inheritance chain, root first. Files that are no policies are passed over.
    public static func chain(
        policyID: String, among files: [(file: String, bytes: [UInt8])], settings: [(name: String, value: String)] = [],
        unknownElements: PolicyReader.UnknownElements = .fail
    ) throws(InvalidInput) -> [PolicyDocument] {
        var byID: [String: Int] = [:]
        var findings: [Diagnostic] = []
        for (place, file) in files.enumerated() {
            guard let id = PolicyReader.policyID(bytes: file.bytes)?.uppercased() else { continue }
            if let earlier = byID[id] {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-011", "a second policy \"\(id)\"; the first is \(files[earlier].file)",
                        at: SourceLocation(file: file.file, line: 1)))
            } else {
                byID[id] = place
            }
        }
        var chain: [PolicyDocument] = []
        var wanted = policyID
        var from: SourceLocation?
        while true {
            guard let place = byID[wanted.uppercased()] else {
                let near = nearestName(wanted, among: byID.keys.sorted())
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-006", "there is no policy \"\(wanted)\" among the files",
                        remedy: near.map { "Did you mean \"\($0)\"?" } ?? "Add its folder to policyFolders.", at: from))
                break
            }
            if chain.contains(where: { sameID($0.policyID, wanted) }) {
                findings.append(
                    Diagnostic(rule: "B2C-POL-006", "\"\(wanted)\" inherits from itself", at: from))
                break
            }
            guard chain.count < deepestInheritance else {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-006", "inheritance is deeper than \(deepestInheritance) levels", at: from))
                break
            }
            do throws(InvalidInput) {
                let document = try PolicyReader.read(
                    file: files[place].file, bytes: files[place].bytes, settings: settings,
                    unknownElements: unknownElements)
                chain.append(document)
                guard let base = document.basePolicy else { break }
                if let own = document.tenantID, let other = base.tenantID, !sameID(own, other) {
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-007", "BasePolicy names tenant \"\(other)\", the policy \"\(own)\"",
                            at: base.location))
                }
                wanted = base.policyID
                from = base.location
            } catch {
                findings += error.diagnostics
                break
            }
        }
        guard !findings.hasErrors else { throw InvalidInput(diagnostics: findings.inSourceOrder) }
        return chain.reversed()
    }
}
