import Diagnostics
import Foundation
import JSON
import ScenarioRunner
import Scenarios
import Testing
import TrustFramework

/// Running scripts in tests: from texts, over the shipped tenant file.
enum Running {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: root.appendingPathComponent(path).path).map { Array($0) }
    }

    /// The repository's policy files, each read once.
    static let policies = PolicyShelf(
        files: PolicyFiles(
            read: { bytes($0) },
            list: { names(in: $0) }))

    /// The names in a folder of the repository.
    static func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
    }

    /// Reads a script whose path is relative to the repository.
    static func scenario(_ text: String, file: String = "scenarios/test.json") throws -> Scenario {
        do throws(InvalidInput) {
            return try ScenarioReader.read(file: file, bytes: Array(text.utf8), files: { bytes($0) })
        } catch {
            Issue.record(
                "\(error.diagnostics.map { "\($0.location?.pointer ?? ""): \($0.message)" }.joined(separator: "\n"))")
            throw error
        }
    }

    static func run(_ text: String, seed: UInt64 = 7, keepOutcomes: Bool = false) async throws -> ScenarioReport {
        let report = await Runner.run(
            try scenario(text), options: RunOptions(seed: seed, keepOutcomes: keepOutcomes, policies: policies))
        return try #require(report.scenarios.first)
    }

    /// The failures of a report in words.
    static func failures(_ report: ScenarioReport) -> String {
        var lines: [String] = []
        func add(_ steps: [StepReport]) {
            for step in steps where step.status == .failed {
                lines.append(
                    "\(step.title): \((step.problems + step.mismatches.map(\.description)).joined(separator: "; "))")
                for exchange in step.tellingExchanges {
                    lines.append(String(JSONWriter.compact(exchange).prefix(700)))
                }
                add(step.steps)
            }
        }
        add(report.steps)
        return ([report.reason ?? ""] + lines).joined(separator: "\n")
    }
}
