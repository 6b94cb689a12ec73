/// What a run exercised of policy files, and what not.
public struct CoverageReport: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case step, precondition, profile, transformation

        /// The word for several.
        public var plural: String {
            switch self {
            case .step: "orchestration steps"
            case .precondition: "preconditions"
            case .profile: "technical profiles"
            case .transformation: "claims transformations"
            }
        }
    }

    /// The two ways a precondition can go.
    public struct Branches: Sendable, Hashable {
        /// How often it left its step out.
        public var skipped: Int
        /// How often it did not.
        public var passed: Int

        public init(skipped: Int, passed: Int) {
            self.skipped = skipped
            self.passed = passed
        }

        /// How many of the two happened.
        public var covered: Int { (skipped > 0 ? 1 : 0) + (passed > 0 ? 1 : 0) }
    }

    /// A part of a policy file.
    public struct Item: Sendable, Hashable {
        public var kind: Kind
        public var id: String
        public var line: Int
        /// How often it ran; of a precondition, how often it was looked at.
        public var hits: Int
        public var branches: Branches?

        public init(kind: Kind, id: String, line: Int, hits: Int, branches: Branches? = nil) {
            self.kind = kind
            self.id = id
            self.line = line
            self.hits = hits
            self.branches = branches
        }

        /// Whether all of it has been exercised.
        public var isCovered: Bool { hits > 0 && (branches.map { $0.covered == 2 } ?? true) }
    }

    /// A policy file, its parts in the order of lines.
    public struct File: Sendable {
        public var path: String
        public var items: [Item]

        public init(path: String, items: [Item]) {
            self.path = path
            self.items = items
        }
    }

    /// By the bytes of their paths.
    public var files: [File]

    public init(files: [File]) { self.files = files }

    /// All parts of a kind.
    public func items(_ kind: Kind) -> [Item] { files.flatMap(\.items).filter { $0.kind == kind } }
}
