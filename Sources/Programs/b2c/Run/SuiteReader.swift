import CommandFiles
import CommandKit
import Diagnostics
import Scenarios
import TenantFiles

/// Finds and reads the scenarios of a run, and prints what is wrong with them. If one file has an error, nothing runs.
struct SuiteReader {
    let findings: RunFindings

    /// Scenarios, each with the step after which it ends.
    typealias Found = [(scenario: Scenario, step: String?)]

    /// The scenarios at paths.
    ///
    /// - Parameters:
    ///   - named: Paths of the command line.
    ///   - usual: Paths that count where none are named; empty: the folder `scenarios`, else the working folder.
    ///   - target: The target, whose tenant file takes the place of the scripts' own.
    /// - Throws: ``Failure``: nothing can run, or there is nothing to run.
    func scenarios(named: [String], usual: [String], target: TargetFile?) throws -> Found {
        let paths = named.isEmpty ? usual : named
        var finder = FileFinder()
        var found: [Diagnostic] = []
        for path in paths.isEmpty ? FileFinder.usualPaths : paths {
            if FileSystem.kind(path) == .file, let bytes = try? FileSystem.read(path),
                let finding = ForeignFile.finding(path, bytes)
            {
                found.append(finding)
            } else {
                finder.add(path)
            }
        }
        found += finder.findings + Self.notScenarios(named, among: finder.files)
        let scripts = Scripts(finder.files, tenant: target.flatMap { TargetArgument.tenant(of: $0) })
        found += scripts.findings
        if findings.common.isVerbose {
            for text in finder.passedOver { Machine.error.write("passed over: \(text)\n") }
        }
        if found.strict(findings.strictness).hasErrors {
            throw findings.nothingRan(found, files: finder.files, isStrict: true)
        }
        findings.print(found, files: finder.files)
        if scripts.scenarios.isEmpty {
            let folder = (paths.isEmpty ? FileFinder.usualPaths : paths).first ?? "."
            throw Failure.usage("there are no scenarios to run here: \(ForeignFile.emptiness(of: folder))")
        }
        return scripts.scenarios
    }

    /// The scenarios of a bundle.
    func scenarios(in replay: Replay) throws -> Found {
        let scripts = Scripts(replay.found, read: { replay.files.read($0) }, policies: replay.policies)
        if scripts.findings.hasErrors { throw findings.nothingRan(scripts.findings, files: replay.found) }
        findings.print(scripts.findings, files: replay.found)
        return scripts.scenarios
    }

    /// Findings about files that were named and hold something else.
    private static func notScenarios(_ named: [String], among files: [FoundFile]) -> [Diagnostic] {
        named.flatMap { path in
            files.filter { $0.content != .scenario && $0.path == FilePath.normalised(path) }.map { file in
                let isTenant = file.content == .tenant
                return Diagnostic(
                    rule: "B2C-CLI-002",
                    "this is \(isTenant ? "a tenant file" : "the project file"), not a scenario",
                    remedy: isTenant
                        ? "`b2c serve \(path)` serves it, and `b2c check \(path)` checks it. A scenario names it by "
                            + "\"tenant\"."
                        : "`b2c run` without a path runs what it names.", at: SourceLocation(file: file.path))
            }
        }
    }
}
