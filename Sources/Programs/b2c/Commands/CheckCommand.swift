import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import Exchanges
import JSON
import Reports
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework
import Validation

/// `b2c check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks scenario and tenant files, and whether each line of a scenario can fail.",
        discussion: """
            Prints everything that is wrong, each with file, line and column, what was expected, and how to fix it. \
            Scenarios without errors run, then again with one line changed at a time: a line that no run notices is a \
            warning. Ends with 2 when there is an error, and with --strict when there is a warning; with 4 when a \
            scenario fails.
            """)

    @Argument(help: "Files and folders. (default: the folder scenarios, else this one)")
    var paths: [String] = []

    @Flag(name: .long, help: "Warnings count as errors. (B2C_STRICT)")
    var strict = false

    @Flag(
        name: .long, inversion: .prefixedNo,
        help: "Run the scenarios, each with one line changed at a time. (B2C_PROVE=0 runs nothing)")
    var prove = true

    @Option(
        name: .long,
        help: ArgumentHelp("The seed of these runs. (B2C_SEED; default: 1)", valueName: "n"))
    var seed: UInt64?

    @Option(name: .long, help: "How findings are written. (B2C_FORMAT)")
    var format: FindingsFormat = .text

    @Option(name: .long, help: ArgumentHelp("Write them there instead of printing.", valueName: "file"))
    var output: String?

    @OptionGroup var proving: ProvingOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        var finder = FileFinder()
        let project = FileSystem.kind(ProjectSettings.name) == .file ? [ProjectSettings.name] : []
        for path in paths.isEmpty ? FileFinder.usualPaths + project : paths { finder.add(path) }
        let scripts = Scripts(finder.files)
        let shelf = PolicyShelf(files: .disk)
        let findings = try await Self.findings(of: finder, scripts, shelf)
        if common.isVerbose { for text in finder.passedOver { Machine.error.write("passed over: \(text)\n") } }
        let strictness = RunPlan.strictness(strict, nil)
        let strictFindings = findings.strict(strictness, where: Self.countsWhenStrict)
        let hasStrictErrors = strictFindings.hasErrors
        let writesText = chosenFormat == .text && output == nil
        if writesText {
            let counted = findings.contains(where: Self.countsWhenStrict) ? strictness : nil
            FindingsPrinter(common, sources: Scripts.sources(of: findings, known: finder.files))
                .print(findings, strictness: counted)
        }
        if chosenFormat == .text || output != nil {
            for service in LogService.annotating { service.annotate(strictFindings, on: Machine.out) }
        }
        let proves = prove && Machine.environment("B2C_PROVE") != "0"
        // A remark about one file does not keep the scenarios from being tried.
        guard !findings.hasErrors, proves, !scripts.scenarios.isEmpty || !Self.paths(of: .tenant, in: finder).isEmpty
        else {
            if !writesText { try write(strictFindings, of: finder, scripts) }
            if hasStrictErrors { throw Failure.silent(.input) }
            let good = try Self.summary(of: finder, scripts)
            return writesText ? Machine.out.write(good + "\n") : ()
        }
        var proving = proving
        if proving.format == .text { proving.format = chosenFormat }
        proving.output = proving.output ?? output
        let found = try await Proving(proving, common).report(
            on: scripts.scenarios.map(\.scenario),
            RunOptions(seed: try seed ?? EnvironmentOption.number("B2C_SEED", as: UInt64.self) ?? 1, policies: shelf),
            after: writesText ? [] : strictFindings)
        if hasStrictErrors || strictness != nil && found { throw Failure.silent(.input) }
        let good = try Self.summary(of: finder, scripts)
        if writesText { Machine.out.write(good + "\n") }
    }

    private var chosenFormat: FindingsFormat { FindingsFormat.chosen(format) }

    /// Writes findings in the format that was asked for.
    private func write(_ findings: [Diagnostic], of finder: FileFinder, _ scripts: Scripts) throws {
        let judged: [(FileKind, Int)] = [
            (.scenario, Self.paths(of: .scenario, in: finder).count),
            (.tenant, Self.paths(of: .tenant, in: finder).count),
        ]
        let report = FindingsReport(
            ValidationResult(findings: findings.shown.map { Finding($0) }, judged: judged.filter { $0.1 > 0 }),
            sources: Scripts.sources(of: findings, known: finder.files).map { FileSystem.shown($0) },
            version: ToolVersion.text, command: .check)
        try report.write(chosenFormat, to: output)
    }

    private static func paths(of content: FoundFile.Content, in finder: FileFinder) -> [String] {
        finder.files.filter { $0.content == content }.map(\.path)
    }

    /// Everything that is wrong with what was found.
    ///
    /// - Throws: ``Failure`` for a step that a path names and a script does not have.
    private static func findings(
        of finder: FileFinder, _ scripts: Scripts, _ shelf: PolicyShelf
    ) async throws -> [Diagnostic] {
        var findings = finder.findings + scripts.findings
        var compiled: Set<String> = []
        for file in finder.files where file.content == .tenant {
            compiled.insert(file.path)
            findings += check(tenant: file, shelf)
        }
        for file in finder.files where file.content == .project {
            do throws(InvalidInput) {
                _ = try ProjectSettings(bytes: file.bytes, file: file.path, profile: nil)
            } catch {
                findings += error.diagnostics
            }
        }
        for (scenario, step) in scripts.scenarios {
            if let step, scenario.ending(after: step) == nil {
                throw Failure.usage("\(scenario.file) has no step with the id \(step)")
            }
            let tenant = scenario.tenant
            guard compiled.insert(tenant.document.source.file).inserted else { continue }
            findings += PolicyChecks.findings(
                of: tenant.tenant, in: tenant.document, at: tenant.pointer, shelf: shelf, remarks: true)
            findings += lifetimes(tenant.json, in: tenant.document, at: tenant.pointer)
        }
        let start = await Runner.startFindings(
            scripts.scenarios.map(\.scenario),
            options: RunOptions(
                seed: 1, jobs: Machine.cores, readFile: { try? FileSystem.read($0) }, policies: shelf),
            inputsAreKnown: false)
        var known = Set(findings)
        for finding in start.findings where known.insert(finding).inserted { findings.append(finding) }
        return findings
    }

    /// What was checked and is good, in words.
    ///
    /// - Throws: ``Failure`` where there was nothing to check.
    private static func summary(of finder: FileFinder, _ scripts: Scripts) throws -> String {
        let tenants = paths(of: .tenant, in: finder).count
        guard tenants + scripts.scenarios.count == 0 else {
            return "\(count(scripts.scenarios.count, "scenario file")) and \(count(tenants, "tenant file")) are good"
        }
        let projects = paths(of: .project, in: finder)
        guard !projects.isEmpty else { throw Failure.usage("there is nothing to check here") }
        return "\(namesList(projects)) \(projects.count == 1 ? "is" : "are") good"
    }

    /// What policies hold beyond what is simulated stays a warning: `b2c validate` has its own line for them.
    @Sendable private static func countsWhenStrict(_ finding: Diagnostic) -> Bool {
        finding.severity == .warning && !finding.rule.hasPrefix("B2C-POL")
    }

    private static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    private static func check(tenant file: FoundFile, _ shelf: PolicyShelf) -> [Diagnostic] {
        do throws(InvalidInput) {
            let tenant = try TenantFile.read(file: file.path, bytes: file.bytes)
            return tenant.document.notes
                + RestMatchChecks.findings(tenant.document.root, in: tenant.document, at: .root)
                + PolicyChecks.findings(
                    of: tenant.outline, in: tenant.document, at: .root, shelf: shelf, remarks: true)
                + lifetimes(tenant.json, in: tenant.document, at: .root)
        } catch {
            return error.diagnostics
        }
    }

    /// Lifetimes that the mock takes and the service refuses.
    private static func lifetimes(
        _ tenant: JSONValue, in document: JSONDocument, at pointer: JSONPointer
    ) -> [Diagnostic] {
        LifetimeLimits.findings(in: tenant).map { finding in
            Diagnostic(
                .warning, rule: LifetimeLimits.rule, finding.message, remedy: finding.remedy,
                at: document.location(of: JSONPointer(tokens: pointer.tokens + finding.pointer.tokens)))
        }
    }
}
