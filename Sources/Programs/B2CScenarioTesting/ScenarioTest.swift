import Diagnostics
import Exchanges
import Foundation
import Reports
import ScenarioRunner
import Scenarios
import TrustFramework

/// A scenario file, or one of its cases, as a test case of another package.
///
/// ```swift
/// @Test(arguments: try ScenarioTest.all(in: folder)) func scenario(_ test: ScenarioTest) async throws {
///     try await test.run()
/// }
/// ```
///
/// It runs in this process, as `b2c run` does, and has the same seeds: the same seed gives the same run.
public struct ScenarioTest: Sendable, CustomStringConvertible {
    /// The path of the file, from the folder that was named.
    public let file: String
    /// The scenario's name.
    public let name: String
    /// The case; `nil`: the scenario has none.
    public let caseName: String?

    private let scenario: Scenario
    private let disk: Disk

    /// `sign-in/wrong-password.json: Ada mistypes her password [twice]`.
    public var description: String { "\(file): \(name)" + (caseName.map { " [\($0)]" } ?? "") }

    /// The scenarios of a folder and the folders in it, one for each case, in the order of names.
    ///
    /// - Parameter folder: A folder, or one file.
    /// - Throws: ``ScenarioTestError`` with everything that is wrong with any of the files, or if there are no scenarios.
    public static func all(in folder: URL) throws -> [ScenarioTest] {
        let disk = Disk()
        let tenants = TenantLibrary(
            files: disk.read, policies: PolicyShelf(files: PolicyFiles(read: disk.read, list: disk.list)),
            names: { disk.list($0) ?? [] })
        var tests: [ScenarioTest] = []
        var findings: [Diagnostic] = []
        for path in disk.scripts(at: folder.path) {
            guard let bytes = disk.read(path) else { continue }
            do throws(InvalidInput) {
                let scenario = try ScenarioReader.read(file: path, bytes: bytes, tenants: tenants)
                let file =
                    path == folder.path ? folder.lastPathComponent : String(path.dropFirst(folder.path.count + 1))
                tests += CaseExpansion.variants(of: scenario).map {
                    ScenarioTest(
                        file: file, name: scenario.name, caseName: $0.caseName, scenario: scenario, disk: disk)
                }
            } catch {
                findings += error.diagnostics
            }
        }
        if findings.contains(where: { $0.severity == .error }) {
            throw ScenarioTestError(DiagnosticRenderer(color: false, sources: []).renderGrouped(findings))
        }
        guard !tests.isEmpty else { throw ScenarioTestError("\(folder.path) has no scenarios") }
        return tests
    }

    /// Runs the scenario, or its case.
    ///
    /// - Parameter seed: All randomness comes from it.
    /// - Returns: Why it was skipped; `nil`: it passed, or failed as it is expected to.
    /// - Throws: ``ScenarioTestError`` with what `b2c run` prints about the failure, secrets masked.
    @discardableResult
    public func run(seed: UInt64 = 1) async throws -> String? {
        var options = RunOptions(
            seed: seed, cases: caseName.map { [$0] } ?? [], readFile: disk.read,
            policies: PolicyShelf(files: PolicyFiles(read: disk.read, list: disk.list)))
        let start = await Runner.startFindings([scenario], options: options, inputsAreKnown: true)
        guard !start.findings.contains(where: { $0.severity == .error }) else {
            throw ScenarioTestError(DiagnosticRenderer(color: false, sources: []).render(start.findings))
        }
        options.prepared = start.prepared
        let report = await Runner.run(scenario, options: options)
        guard !report.isGood else { return report.scenarios.first { $0.status == .skipped }?.reason }
        let secrets = KnownSecret.secrets(of: scenario.tenant.tenant)
        let masked = Redaction(byFile: [scenario.file: secrets]).redacted(report)
        throw ScenarioTestError(ConsoleReport(style: Style(usesColor: false), isQuiet: true).text(masked))
    }
}

/// What is wrong with a scenario, or what failed in it.
public struct ScenarioTestError: Error, CustomStringConvertible, LocalizedError {
    /// In words, on several lines.
    public let description: String

    init(_ description: String) { self.description = description }

    public var errorDescription: String? { description }
}

/// Files of the machine, by path.
private struct Disk: Sendable {
    /// Folders whose files are not scenarios.
    private static let others: Set<String> = ["schemas", "policies", "node_modules"]

    @Sendable func read(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) }
    }

    @Sendable func list(_ folder: String) -> [String]? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted()
    }

    /// The files with steps at a path, in the order of names.
    func scripts(at path: String) -> [String] {
        guard let names = list(path) else { return isScript(path) ? [path] : [] }
        return names.filter { !$0.hasPrefix(".") && !Self.others.contains($0) }.flatMap { name -> [String] in
            let below = "\(path)/\(name)"
            return name.hasSuffix(".json")
                ? (isScript(below) ? [below] : []) : list(below) == nil ? [] : scripts(at: below)
        }
    }

    /// Whether a file is a scenario: a tenant file has no steps.
    private func isScript(_ path: String) -> Bool {
        read(path).map { String(decoding: $0, as: UTF8.self).contains("\"steps\"") } ?? false
    }
}
