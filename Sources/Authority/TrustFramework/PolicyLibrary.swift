import Diagnostics
import TenantFiles

/// Policies out of files: which of them a relying party inherits from, and the whole linked.
public enum PolicyLibrary {
    /// All policies of a tenant in the order of its file: user flows compiled, custom policies read and linked.
    ///
    /// - Parameters:
    ///   - folder: The folder of the tenant file; paths in it are relative to that.
    ///   - files: The policy files.
    /// - Throws: All findings of all policies together.
    public static func load(
        tenant: Tenant, folder: String = ".", files: PolicyFiles
    ) throws(InvalidInput) -> [ResolvedPolicy] {
        try PolicyShelf(files: files).load(tenant: tenant, folder: folder)
    }

    /// As above with files that are read and not listed: a parent in a file of its own is not found.
    public static func load(
        tenant: Tenant, files: @escaping @Sendable (String) -> [UInt8]?
    ) throws(InvalidInput) -> [ResolvedPolicy] {
        try load(tenant: tenant, files: PolicyFiles(read: files))
    }

    /// Deepest inheritance that the service takes ("Microsoft docs: service-limits").
    public static let deepestInheritance = 10

    /// Links the relying party `policyID` with its parents out of a set of policy files.
    /// - Parameters:
    ///   - settings: Values for `{Settings:NAME}`.
    ///   - tenantDomain: What stands for `yourtenant.onmicrosoft.com`; `nil` leaves it.
    public static func link(
        policyID: String, among files: [(file: String, bytes: [UInt8])], settings: [(name: String, value: String)] = [],
        tenantDomain: String? = nil, unknownElements: PolicyReader.UnknownElementHandling = .fail,
        personality: Personality = .customPolicy
    ) throws(InvalidInput) -> ResolvedPolicy {
        let chain = try chain(
            policyID: policyID, among: files, settings: settings, tenantDomain: tenantDomain,
            unknownElements: unknownElements)
        return try PolicyLinker.link(PolicyInheritance.merge(chain), personality: personality)
    }

    /// The files of an inheritance chain, root first. Files other than policies are ignored. The built-in base needs no
    /// file.
    public static func chain(
        policyID: String, among files: [(file: String, bytes: [UInt8])], settings: [(name: String, value: String)] = [],
        tenantDomain: String? = nil, unknownElements: PolicyReader.UnknownElementHandling = .fail
    ) throws(InvalidInput) -> [PolicyDocument] {
        var byID: [String: Int] = [:]
        var known: [String] = []
        var doubles: [String: Diagnostic] = [:]
        for (place, file) in files.enumerated() {
            guard let read = PolicyReader.policyID(bytes: file.bytes) else { continue }
            let written = PolicySettingsText.filled(read, settings)
            let id = written.uppercased()
            if let earlier = byID[id] {
                doubles[id] = Diagnostic(
                    rule: "B2C-POL-011", "a second policy \"\(written)\"; the first is \(files[earlier].file)",
                    at: SourceLocation(file: file.file, line: 1))
            } else {
                byID[id] = place
                known.append(written)
            }
        }
        return try chain(policyID: policyID, known: { known.sorted() }) { id throws(InvalidInput) in
            // A second file of an id stops the chains that need the id, and no other.
            if let double = doubles[id.uppercased()] { throw InvalidInput(double) }
            guard let place = byID[id.uppercased()] else { return try UserFlowCompiler.builtIn(id) }
            return try PolicyReader.read(
                file: files[place].file, bytes: files[place].bytes, settings: settings,
                tenantDomain: tenantDomain, unknownElements: unknownElements)
        }
    }

    /// Walks from a policy to the root of its inheritance.
    ///
    /// - Parameters:
    ///   - known: The ids there are, for the nearest name.
    ///   - find: The document of an id, in any letter case; `nil` where there is none.
    /// - Returns: The documents, root first.
    static func chain(
        policyID: String, known: () -> [String], find: (String) throws(InvalidInput) -> PolicyDocument?
    ) throws(InvalidInput) -> [PolicyDocument] {
        var chain: [PolicyDocument] = []
        var findings: [Diagnostic] = []
        var wanted = policyID
        var from: SourceLocation?
        while true {
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
                guard let document = try find(wanted) else {
                    let near = nearestName(wanted, among: known())
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-006", "there is no policy \"\(wanted)\" among the files",
                            remedy: near.map { "Did you mean \"\($0)\"?" }
                                ?? "Name the folder it is in: policyFolders in the tenant file, --base on the command line.",
                            at: from))
                    break
                }
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
