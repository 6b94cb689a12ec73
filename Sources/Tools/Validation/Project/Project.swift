import Determinism
import Diagnostics
import TenantFiles

/// Everything that one call checks together: files that belong to each other, and the user's settings for them.
public struct Project: Sendable {
    /// The files, in the order of their paths.
    public var files: [ProjectFile]
    /// Files that could not be read, with the reason.
    public var unreadable: [(path: String, reason: String)]
    /// Files and folders that were passed over, with the reason: too large, of no kind that is checked, links.
    public var passedOver: [(path: String, reason: String)]
    /// The tenant that apps are to work with, where one was named.
    public var tenant: Tenant?
    /// The moment that certificates and tokens are checked at.
    public var now: Timestamp
    /// Values for `{Settings:NAME}` of custom policies.
    public var policySettings = PolicySettingsByFolder()

    /// What earlier validations found, for a project that is validated again and again; `nil`: nothing is kept.
    package var memory: PolicyMemory?

    /// The file that `pages` of the tenant file names for the address of a template, where that file does not exist.
    public var missingPage: @Sendable (String) -> String? = { _ in nil }

    public init(
        files: [ProjectFile], unreadable: [(path: String, reason: String)] = [],
        passedOver: [(path: String, reason: String)] = [], tenant: Tenant? = nil, now: Timestamp
    ) {
        self.files = files
        self.unreadable = unreadable
        self.passedOver = passedOver
        self.tenant = tenant
        self.now = now
    }

    /// The files of some kinds.
    public func files(_ kinds: FileKind...) -> [ProjectFile] {
        files.filter { kinds.contains($0.kind) }
    }
}

/// What came of a validation.
public struct ValidationResult: Sendable {
    /// What is to be reported, by file, line and column.
    public var findings: [Finding]
    /// What somebody decided to live with, with the reason they gave.
    public var suppressed: [(finding: Finding, reason: String)]
    /// How many files of each kind were checked, in the order of `FileKind`.
    public var judged: [(kind: FileKind, count: Int)]

    public init(
        findings: [Finding], suppressed: [(finding: Finding, reason: String)] = [],
        judged: [(kind: FileKind, count: Int)] = []
    ) {
        self.findings = findings
        self.suppressed = suppressed
        self.judged = judged
    }

    /// The findings alone.
    public var diagnostics: [Diagnostic] { findings.map(\.diagnostic) }
    /// Whether any finding is an error.
    public var hasErrors: Bool { diagnostics.hasErrors }
}

/// Values for `{Settings:NAME}` in the policies of a project: for all of them, or for those of a folder.
public struct PolicySettingsByFolder: Sendable {
    /// For policies of every folder.
    public var all: [(name: String, value: String)]
    /// For policies of a folder and of those below it; the nearest counts.
    public var byFolder: [String: [(name: String, value: String)]]

    public init(
        all: [(name: String, value: String)] = [], byFolder: [String: [(name: String, value: String)]] = [:]
    ) {
        self.all = all
        self.byFolder = byFolder
    }

    /// The values for the policies of a folder.
    func values(_ folder: String) -> [(name: String, value: String)] {
        var folder = folder
        while !byFolder.isEmpty {
            if let found = byFolder[folder] { return found + all }
            guard !folder.isEmpty else { break }
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return all
    }
}
