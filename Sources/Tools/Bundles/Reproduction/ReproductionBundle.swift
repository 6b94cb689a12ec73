import JSON

/// A run with everything that it depended on, for repeating it bit for bit somewhere else; `docs/reproduce.md` describes
/// the file.
public struct ReproductionBundle: Hashable, Sendable {
    /// The newest version of the format that is read. It is raised when an older reader would misunderstand what stands
    /// in a bundle.
    public static let version: Int64 = 2

    /// The version that this bundle is written in: the oldest that says everything, so that older readers take it where
    /// they can.
    var version: Int64 { drawsOrder ? 2 : 1 }

    /// A file that the run read.
    public struct File: Hashable, Sendable {
        /// Its path as seen from the folder in which the run was started; may begin with `..`.
        public var path: String
        /// Its content at that time.
        public var bytes: [UInt8]

        /// A file under a path.
        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// A script that was run.
    public struct Script: Hashable, Sendable {
        /// The path of its file.
        public var path: String
        /// The id of the last step that ran; `nil`: all steps.
        public var step: String?
        /// True time at the first step, RFC 3339.
        public var clock: String

        /// A script.
        public init(path: String, step: String? = nil, clock: String) {
            self.path = path
            self.step = step
            self.clock = clock
        }
    }

    /// A value under a name.
    public struct Named: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A value under a name.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What made a bundle.
    public struct Producer: Hashable, Sendable {
        /// Version of b2c.
        public var tool: String
        /// Version of the Swift compiler that built it.
        public var swift: String
        /// The operating system and the processor, such as `Linux x86_64`.
        public var system: String

        /// What made a bundle.
        public init(tool: String, swift: String, system: String) {
            self.tool = tool
            self.swift = swift
            self.system = system
        }

        /// One line for people: `b2c 0.1.0 (Swift 6.3, Linux x86_64)`.
        public var text: String { "b2c \(tool) (Swift \(swift), \(system))" }
    }

    /// What made it.
    public var maker: Producer
    /// The number from which all randomness came.
    public var seed: UInt64
    /// Whether the order of parallel lanes was drawn from the seed.
    public var drawsOrder: Bool
    /// The scripts in the order in which they were run.
    public var scripts: [Script]
    /// Only these cases of scripts that have cases; empty: all.
    public var cases: [String]
    /// Whether the run stopped after the first failure.
    public var bail: Bool
    /// Values of variables, as given.
    public var variables: [Named]
    /// What the scripts read of the environment.
    public var environment: [Named]
    /// The names of the secrets that were given. Their values are not in the bundle.
    public var secrets: [String]
    /// Where stand-ins took the place of secrets that somebody had written down, in words for people.
    public var replaced: [String]
    /// Whether what was written into scripts and tenant files is there as it was.
    public var keepsSecrets: Bool
    /// Every file that was read.
    public var files: [File]
    /// The JSON report of the run, without secrets.
    public var report: [UInt8]
    /// The JSON report with all outcomes, without secrets.
    public var trace: [UInt8]

    /// A run with everything that it depended on.
    public init(
        maker: Producer, seed: UInt64, drawsOrder: Bool = false, scripts: [Script], cases: [String] = [],
        bail: Bool = false,
        variables: [Named] = [], environment: [Named] = [], secrets: [String] = [], replaced: [String] = [],
        keepsSecrets: Bool = false, files: [File], report: [UInt8], trace: [UInt8]
    ) {
        self.maker = maker
        self.seed = seed
        self.drawsOrder = drawsOrder
        self.scripts = scripts
        self.cases = cases
        self.bail = bail
        self.variables = variables
        self.environment = environment
        self.secrets = secrets
        self.replaced = replaced
        self.keepsSecrets = keepsSecrets
        self.files = files
        self.report = report
        self.trace = trace
    }
}

/// Why a bundle cannot be made or read: a sentence without its end.
public struct BundleProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    init(_ text: String) {
        description = text
    }
}

/// The names of the entries.
enum BundleEntry {
    static let manifest = "bundle.json"
    /// The hash of the manifest, in the form that `sha256sum -c` reads.
    static let seal = "bundle.json.sha256"
    static let guide = "README.txt"
    static let report = "report.json"
    static let trace = "trace.json"
    static let files = "files/"

    /// The entry for a path: `..` and the root of the disk cannot be in the name of an entry.
    static func name(for path: String) -> String {
        var parts = path.split(separator: "/").map { $0 == ".." ? "_up" : String($0) }
        if path.hasPrefix("/") { parts.insert("_root", at: 0) }
        return files + parts.joined(separator: "/")
    }
}
