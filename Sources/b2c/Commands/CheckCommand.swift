import ArgumentParser
import CommandKit
import Diagnostics
import Exchanges
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework

/// `b2c check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks scenario and tenant files and runs nothing.",
        discussion: """
            Prints everything that is wrong, each with file, line and column, what was expected, and how to fix it. \
            Ends with 2 when there is an error, and with --strict when there is a warning; with 4 when --prove finds a \
            scenario that fails.
            """)

    @Argument(help: "Files and folders. (default: the folder scenarios, else this one)")
    var paths: [String] = []

    @Flag(name: .long, help: "Warnings count as errors. (B2C_STRICT)")
    var strict = false

    @Flag(
        name: .long,
        help:
            "Also run every scenario with one line changed at a time, and report the lines that no run notices. (B2C_PROVE)"
    )
    var prove = false

    @Option(
        name: .long,
        help: ArgumentHelp("The seed of the runs of --prove. (B2C_SEED; default: 1)", valueName: "n"))
    var seed: UInt64?

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
        FindingsPrinter(
            color: common.style(for: Machine.error).usesColor,
            sources: Scripts.sources(of: findings, known: finder.files)
        )
        .print(findings)
        let isStrict = strict || Twin.isOn("B2C_STRICT")
        if findings.hasErrors { throw Failure.silent(.input) }
        let hasRemarks = isStrict && findings.contains(where: Self.countsWhenStrict)
        let proves = prove || Twin.isOn("B2C_PROVE")
        // A remark about one file does not keep the scenarios from being tried.
        if hasRemarks, !proves { throw Failure.silent(.input) }
        let good = try Self.summary(of: finder.files, scripts)
        guard proves, !scripts.scenarios.isEmpty || finder.files.contains(where: { $0.content == .tenant }) else {
            if hasRemarks { throw Failure.silent(.input) }
            return Machine.out.write(good + "\n")
        }
        let found = try await Proving(proving, common).report(
            on: scripts.scenarios.map(\.scenario),
            RunOptions(seed: try seed ?? Twin.number("B2C_SEED", as: UInt64.self) ?? 1, policies: shelf))
        if hasRemarks || isStrict && found { throw Failure.silent(.input) }
        Machine.out.write(good + "\n")
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
    private static func summary(of files: [FoundFile], _ scripts: Scripts) throws -> String {
        let tenants = files.count { $0.content == .tenant }
        guard tenants + scripts.scenarios.count == 0 else {
            return "\(count(scripts.scenarios.count, "scenario file")) and \(count(tenants, "tenant file")) are good"
        }
        let projects = files.filter { $0.content == .project }.map(\.path)
        guard !projects.isEmpty else { throw Failure.usage("there is nothing to check here") }
        return "\(namesList(projects)) \(projects.count == 1 ? "is" : "are") good"
    }

    /// What policies hold beyond what is simulated stays a warning: `b2c validate` has its own line for them.
    private static func countsWhenStrict(_ finding: Diagnostic) -> Bool {
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
