import Diagnostics
import Markup
import TrustFramework

/// Brings the policies of a tenant into a folder.
public enum PolicyPull {
    /// What happens to a policy.
    public enum Change: String, Sendable {
        /// Only the tenant has it: it gets a file.
        case added
        /// The tenant has something else than the file builds to.
        case changed
        /// The file builds to what the tenant has.
        case unchanged
        /// Only the folder has it: its file stays.
        case onlyInFolder = "only in the folder"
    }

    /// A policy of the tenant or of the folder.
    public struct Entry: Hashable, Sendable {
        public var id: String
        public var file: String
        public var change: Change
    }

    /// What a folder has.
    public struct Folder: Sendable {
        /// Policy files: paths as findings show them, and bytes.
        public var files: [(path: String, bytes: [UInt8])]
        /// The settings file; `nil`: there is none.
        public var settings: [UInt8]?
        /// The environment of the tenant; `nil`: the settings file has none, and it is added.
        public var environment: PolicyEnvironments.Environment?

        public init(
            files: [(path: String, bytes: [UInt8])], settings: [UInt8]?, environment: PolicyEnvironments.Environment?
        ) {
            self.files = files
            self.settings = settings
            self.environment = environment
        }
    }

    /// What is written.
    public struct Outcome: Sendable {
        /// By id: those of the tenant in its order, then those that only the folder has.
        public var entries: [Entry]
        /// Files that are new or differ from what the folder has.
        public var files: [(path: String, bytes: [UInt8])]
        /// The settings file; `nil`: it stays as it is.
        public var settings: [UInt8]?
        /// The settings that were added to it.
        public var added: [(name: String, value: String)]
        /// The domain of the tenant.
        public var tenant: String
    }

    /// Merges what a tenant has into a folder.
    ///
    /// - Parameters:
    ///   - tenant: The tenant, with the policies that are wanted.
    ///   - wanted: Ids of those; `nil`: all.
    ///   - name: The name of an environment that is added to the settings file.
    ///   - path: The path of a new file by its name.
    /// - Returns: Nothing if the folder cannot be built, or a policy of the tenant cannot be read; findings may be warnings.
    public static func pull(
        _ tenant: TenantSnapshot, wanted: Set<String>? = nil, into folder: Folder, naming name: String,
        path: (String) -> String
    ) -> (outcome: Outcome?, findings: [Diagnostic]) {
        let domain = domain(of: tenant, folder.environment)
        let (built, problems) = PolicyBuild.build(
            folder.files, environment: folder.environment, tenant: domain)
        guard let built else { return (nil, problems) }
        var settings = TenantSettings(
            folder.environment?.values ?? [("Environment", name), ("Tenant", domain)])
        var outcome = Outcome(entries: [], files: [], settings: nil, added: [], tenant: domain)
        var findings: [Diagnostic] = []
        for policy in tenant.policies {
            do throws(InvalidInput) {
                let (file, bytes, change) = try pulled(
                    policy, into: folder, built, domain: domain, settings: &settings, path: path)
                if let bytes { outcome.files.append((file, bytes)) }
                outcome.entries.append(Entry(id: policy.id, file: file, change: change))
                guard change == .added, let bytes else { continue }
                let values = PolicyBuild.settings(nil, domain, file: file)
                let text = PolicyText(path: file, bytes: bytes, settings: settings.values + values, tenant: domain)
                if PolicyMeaning.canonical(text.bytes) != PolicyMeaning.canonical(policy.bytes) {
                    findings.append(
                        Diagnostic(
                            .warning, rule: "B2C-POL-012", "\(policy.id) has a placeholder in the tenant",
                            remedy: "A build fills it in. Write a value in the file.", at: SourceLocation(file: file)))
                }
            } catch {
                findings += error.diagnostics
            }
        }
        for policy in built.policies where tenant.policy(policy.id) == nil {
            guard wanted.map({ $0.contains { sameID($0, policy.id) } }) ?? true else { continue }
            outcome.entries.append(Entry(id: policy.id, file: policy.file, change: .onlyInFolder))
        }
        guard !findings.hasErrors else { return (nil, findings) }
        outcome.added = settings.added
        let isNew = folder.environment == nil && outcome.entries.contains { $0.change == .added }
        if !settings.added.isEmpty || isNew {
            outcome.settings = TenantSettings.file(
                folder.settings, environment: folder.environment?.name ?? name, tenant: domain, adding: settings.added)
        }
        return (outcome, findings)
    }

    /// The tenant's domain as the environment or its policies write it.
    private static func domain(
        of tenant: TenantSnapshot, _ environment: PolicyEnvironments.Environment?
    ) -> String {
        if let domain = PolicyBuild.domain(environment, nil) { return domain }
        let written = tenant.policies.lazy.compactMap { PolicyReader.peekTenantID($0.bytes) }.first { written in
            tenant.organization.domains.contains { sameID($0, written) }
        }
        return written ?? tenant.organization.domains.first ?? tenant.organization.id
    }

    /// The file of a policy, and its new bytes if it is not to stay as it is.
    private static func pulled(
        _ policy: TenantPolicy, into folder: Folder, _ built: BuiltPolicies, domain: String,
        settings: inout TenantSettings, path: (String) -> String
    ) throws(InvalidInput) -> (file: String, bytes: [UInt8]?, change: Change) {
        let shown = PolicyText(path: policy.id, bytes: policy.bytes, settings: [], tenant: nil).source
        let tree = try XMLTree(policy: shown, limit: .max)
        guard let own = built.policy(policy.id), let file = folder.files.first(where: { $0.path == own.file }) else {
            let file = path(policy.id + ".xml")
            try checkName(policy.id, file, folder)
            return (file, settings.template(of: tree, tenant: domain, adds: true), .added)
        }
        let text = PolicyText(
            path: file.path, bytes: file.bytes,
            settings: PolicyBuild.settings(folder.environment, domain, file: file.path), tenant: domain)
        let template = settings.template(of: tree, tenant: domain, adds: false)
        let merged = try PolicyMerge(
            text, tenant: shown, template: SourceText(file: policy.id, bytes: template)
        ).merged()
        return merged == text.file ? (file.path, nil, .unchanged) : (file.path, merged, .changed)
    }

    /// An id becomes the name of a file, and comes from outside.
    private static func checkName(_ id: String, _ file: String, _ folder: Folder) throws(InvalidInput) {
        if id.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_.\-]{0,199}/) == nil {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-005", "the tenant has a policy \"\(id)\", which cannot be the name of a file",
                    remedy: "A PolicyId has letters, digits, - and _."))
        }
        if folder.files.contains(where: { sameID($0.path, file) }) {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-011", "\(file) is another policy than \(id)", remedy: "Rename the file.",
                    at: SourceLocation(file: file)))
        }
    }
}
