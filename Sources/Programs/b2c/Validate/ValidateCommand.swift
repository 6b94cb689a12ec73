import ArgumentParser
import B2CProtocol
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JOSE
import JSON
import PolicyTools
import Reports
import TenantFiles
import Validation

extension FindingsFormat: ExpressibleByArgument {}

/// `b2c validate`.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Finds what would fail at sign-in or at policy upload, before anyone signs in.",
        discussion: """
            Files are recognized by their content: custom policies, app registrations, app projects, discovery documents, \
            tenant files, scenarios. Folders of dependencies and build products are passed over.

              b2c validate .                                    everything here
              b2c validate --redirect-uri msauth.com.contoso.app://auth --platform native
              b2c validate --token token.txt --keys keys.json --audience API
              b2c validate --discovery $AUTHORITY/v2.0/.well-known/openid-configuration
              b2c validate . --format sarif --output b2c.sarif  for code scanning

            Ends with 0 when there is no error, 4 when there is one, 2 when a file cannot be read. \
            `b2c explain RULE` shows what a rule demands and why.
            """)

    @Argument(help: "Files and folders. (default: this folder, unless a URI or token is given)")
    var paths: [String] = []

    @Option(name: .long, help: ArgumentHelp("The tenant that apps and tokens belong to.", valueName: "file"))
    var tenant: String?

    @OptionGroup var policyValues: PolicyValueOptions

    @Option(name: .long, help: "How findings are written. (B2C_FORMAT)")
    var format: FindingsFormat = .text

    @Option(name: .long, help: ArgumentHelp("Write them there instead of printing.", valueName: "file"))
    var output: String?

    @Option(name: .long, help: ArgumentHelp("End with 4 from this severity on.", valueName: "severity"))
    var failOn: FailOn = .error

    @Flag(name: .long, help: "Show a diff of the safe fixes, then apply them.")
    var fix = false

    @Flag(name: .long, help: "Show a diff of the safe fixes and change nothing.")
    var diff = false

    @Option(name: .long, help: ArgumentHelp("Leave out the findings of this file.", valueName: "file"))
    var baseline: String?

    @Option(name: .long, help: ArgumentHelp("Write today's findings as a baseline.", valueName: "file"))
    var writeBaseline: String?

    @Flag(name: .long, help: "Check again whenever a file changes.")
    var watch = false

    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A redirect URI to check.", valueName: "uri"))
    var redirectUri: [String] = []

    @Option(name: .long, help: "The platform the redirect URI is registered for: native, spa, web.")
    var platform: PlatformName = .native

    @Option(
        name: .long, help: ArgumentHelp("A token to check, or a file with one; - reads it.", valueName: "token"))
    var token: String?

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Discovery documents") var discoveryOptions: DiscoveryOptions
    @OptionGroup(title: "Options for --token") var tokenOptions: TokenOptions

    enum FailOn: String, CaseIterable, ExpressibleByArgument {
        case error, warning, advice
        var severity: Severity { Severity(rawValue: rawValue) ?? .error }
    }

    enum PlatformName: String, CaseIterable, ExpressibleByArgument {
        case native, spa, web
        var platform: RedirectPlatform { RedirectPlatform(rawValue: rawValue) ?? .native }
    }

    func run() async throws {
        let known = try tenant.map { try TenantArgument.read($0).outline }
        if let token {
            guard paths.isEmpty, redirectUri.isEmpty else {
                throw Failure.usage("--token is checked alone, without paths and redirect URIs")
            }
            return try await TokenJudgement(
                options: tokenOptions, discovery: discoveryOptions, common: common, tenant: known,
                format: FindingsFormat.chosen(format)
            ).run(token)
        }
        if let text = discoveryOptions.discovery {
            guard paths.isEmpty, redirectUri.isEmpty, !watch, !fix, !diff, baseline == nil, writeBaseline == nil else {
                throw Failure.usage("--discovery goes with --token, --tenant, --format, --output and --fail-on only")
            }
            let (result, sources) = try await DiscoveryJudgement(
                options: discoveryOptions, common: common, tenant: known
            ).result(text)
            return try report(result, sources: sources)
        }
        guard discoveryOptions.caFile == nil, discoveryOptions.connectTo == nil else {
            throw Failure.usage("--ca-file and --connect-to go with --discovery URL")
        }
        guard watch else {
            try once(known)
            return
        }
        guard output == nil, !fix, !diff, writeBaseline == nil else {
            throw Failure.usage("--watch goes with neither --output, --fix, --diff nor --write-baseline")
        }
        var last: [Fingerprint] = []
        while true {
            let now = Fingerprint.all(under: searched)
            if now != last {
                last = now
                do {
                    try once(known)
                } catch let failure as Failure {
                    if failure.status == .usage { throw failure }
                    if let text = failure.printed(by: B2C.name) { Machine.error.write(text) }
                }
                Machine.error.write("watching; Ctrl-C ends\n")
            }
            Machine.rest(milliseconds: 300)
        }
    }

    private var searched: [String] { paths.isEmpty && redirectUri.isEmpty ? ["."] : paths }

    private func once(_ tenant: Tenant?, afterFixing: Bool = false) throws {
        let project = try Project(
            at: searched, tenant: tenant, of: self.tenant, values: policyValues.source, now: Machine.clock.now())
        var more = project.scriptFindings
        for uri in redirectUri {
            more += RedirectURIJudgement.findings(uri, platform: platform.platform)
        }
        var result = Validator.validate(project, more: more)
        let sources = project.files.map(\.source)
        if let writeBaseline {
            let text = JSONWriter.pretty(Baseline(result.findings, sources: sources).json) + "\n"
            try OutputFile.save(text, to: writeBaseline)
            let count = result.findings.count
            Machine.error.write("\(writeBaseline): \(count) \(count == 1 ? "finding" : "findings")\n")
            return
        }
        if let baseline { result = try subtract(baseline, from: result, sources: sources) }
        // What is reported afterwards is what is left, by the files as they are then.
        if (fix || diff) && !afterFixing, try applyFixes(result, project) { return try once(tenant, afterFixing: true) }
        try report(result, sources: sources, isIncomplete: !project.unreadable.isEmpty)
    }

    /// Writes what was found, and ends accordingly.
    private func report(_ result: ValidationResult, sources: [SourceText], isIncomplete: Bool = false) throws {
        let shown = sources.map { FileSystem.shown($0) }
        let report = FindingsReport(result, sources: shown, version: ToolVersion.text)
        let format = FindingsFormat.chosen(format)
        try report.write(format, to: output, color: output == nil && common.style(for: Machine.out).usesColor)
        if output != nil { Machine.error.write(report.summary + "\n") }
        if format == .text || output != nil {
            for service in LogService.annotating { service.annotate(result.diagnostics, on: Machine.out) }
        }
        if isIncomplete { throw Failure.silent(.input) }
        let line = failOn.severity
        if result.diagnostics.contains(where: { $0.severity >= line }) { throw Failure.silent(.expectation) }
    }

    private func subtract(
        _ path: String, from result: ValidationResult, sources: [SourceText]
    ) throws -> ValidationResult {
        let bytes = try InputFile.read(path)
        let baseline: Baseline
        do throws(InvalidInput) {
            baseline = try Baseline(file: path, bytes: bytes)
        } catch {
            throw FindingsPrinter(common, path, bytes).failure(error.diagnostics)
        }
        let parts = baseline.subtract(from: result.findings, sources: sources)
        if !parts.gone.isEmpty {
            let count = parts.gone.count
            Machine.error.write(
                "\(path): \(count) of its findings \(count == 1 ? "has" : "have") gone; write it again to drop them\n")
        }
        var rest = result
        rest.findings = parts.rest
        rest.suppressed += parts.known.map { ($0, "in the baseline \(path)") }
        return rest
    }

    /// Shows the safe fixes and, with `--fix`, applies them.
    ///
    /// - Returns: Whether a file has changed.
    private func applyFixes(_ result: ValidationResult, _ project: Project) throws -> Bool {
        var count = 0
        for file in project.files {
            let fixes = result.findings.compactMap(\.fix).filter { $0.file == file.path && $0.isSafe }
            guard !fixes.isEmpty else { continue }
            let (bytes, applied) = Fix.apply(fixes, to: file.source.bytes)
            Machine.error.write(UnifiedDiff.text(file: file.path, old: file.source.bytes, new: bytes))
            count += applied.count
            if fix {
                do throws(FileSystem.Problem) {
                    try FileSystem.write(bytes, to: file.path)
                } catch {
                    throw Failure.machine("\(file.path) cannot be written: \(error.text)")
                }
            }
        }
        let word = count == 1 ? "fix" : "fixes"
        Machine.error.write(fix ? "\(count) \(word) applied\n\n" : "\(count) safe \(word); --fix applies them\n\n")
        return fix && count > 0
    }
}

/// What shows that a file was changed: its path, size and time of change.
private struct Fingerprint: Equatable {
    var path: String
    let stamp: FileSystem.Stamp

    static func all(under paths: [String]) -> [Fingerprint] {
        var all: [Fingerprint] = []
        for path in paths { add(path, to: &all, depth: 0) }
        return all
    }

    private static func add(_ path: String, to all: inout [Fingerprint], depth: Int) {
        guard let kind = FileSystem.kind(path), depth < 40 else { return }
        if kind == .folder {
            // Nothing but what the finder would take: a log that grows here does not count.
            for name in (try? FileSystem.names(in: path)) ?? [] {
                let inner = FilePath.join(path, name)
                switch FileSystem.kind(inner) {
                case .folder where ProjectFinder.takes(folder: name) && !FileSystem.isLink(inner):
                    add(inner, to: &all, depth: depth + 1)
                case .file where ProjectFinder.takes(file: name): add(inner, to: &all, depth: depth + 1)
                default: continue
                }
            }
        } else if let stamp = FileSystem.stamp(path) {
            all.append(Fingerprint(path: path, stamp: stamp))
        }
    }
}
