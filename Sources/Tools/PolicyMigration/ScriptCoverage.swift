import CommandFiles
import CommandKit
import Diagnostics
import ScenarioRunner
import TrustFramework

/// Which scripts run which parts of policies.
package struct ScriptCoverage: Sendable {
    private var scripts: [Key: [String]] = [:]

    private struct Key: Hashable {
        var file: String
        var line: Int

        init(_ file: String, _ line: Int) { (self.file, self.line) = (FilePath.normalised(file), line) }
    }

    /// Runs scripts in this process.
    ///
    /// - Parameter paths: Scenario files, or folders of them.
    /// - Throws: ``Failure`` if a file cannot be read; what is wrong was printed.
    package init(running paths: [String], _ common: CommonOptions) async throws {
        var finder = FileFinder()
        for path in paths { finder.add(path) }
        let read = Scripts(finder.files)
        let findings = finder.findings + read.findings
        guard !findings.hasErrors else {
            throw FindingsPrinter(common, sources: Scripts.sources(of: findings, known: finder.files)).failure(findings)
        }
        for (scenario, _) in read.scenarios {
            let counted = PolicyCoverage()
            let options = RunOptions(
                seed: 1, readFile: { try? FileSystem.read($0) }, policies: PolicyShelf(files: .disk), coverage: counted)
            _ = await Runner.run(scenario, options: options)
            for file in counted.report.files {
                for item in file.items where item.hits > 0 {
                    let key = Key(file.path, item.line)
                    if scripts[key]?.last != scenario.file { scripts[key, default: []].append(scenario.file) }
                }
            }
        }
    }

    /// The files of the scripts that run something at one of these places.
    func scripts(at places: [SourceLocation]) -> [String] {
        Set(places.flatMap { scripts[Key($0.file, $0.line ?? 0)] ?? [] }).sorted()
    }
}
