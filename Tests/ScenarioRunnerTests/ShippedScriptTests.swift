import Diagnostics
import Foundation
import Scenarios
import Testing

@testable import ScenarioRunner

/// The scripts that ship pass, and say the same twice.
struct ShippedScriptTests {
    /// Every scenario file below `scenarios`, by bytes.
    static let files: [String] = {
        let base = Running.root.appendingPathComponent("scenarios")
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            name.hasSuffix(".json")
                && !["schemas/", "targets/", "tenants/"].contains { name.hasPrefix($0) || name.contains("/" + $0) }
        }.map { "scenarios/\($0)" }.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }()

    @Test(arguments: files)
    func `every shipped script passes`(_ file: String) async throws {
        let bytes = try #require(Running.bytes(file))
        let scenario: Scenario
        do throws(InvalidInput) {
            scenario = try ScenarioReader.read(file: file, bytes: bytes, files: { Running.bytes($0) })
        } catch {
            Issue.record(
                "\(error.diagnostics.map { "\($0.location?.pointer ?? ""): \($0.message)" }.joined(separator: "\n"))")
            return
        }
        let options = RunOptions(
            seed: 7, keepOutcomes: true, readFile: { Running.bytes($0) }, policies: Running.policies,
            writeFile: { _, _ in nil })
        let report = await Runner.run([RunItem(scenario: scenario)], options: options)
        for scenario in report.scenarios {
            #expect(scenario.status.isGood, "\(scenario.title): \(Running.failures(scenario))")
        }
        // The same seed says the same, outcomes and all, also when other worlds run beside it.
        let again = await Runner.run([RunItem(scenario: scenario)], options: options)
        #expect(zip(report.scenarios, again.scenarios).allSatisfy { Self.text($0) == Self.text($1) })
    }

    @Test(arguments: files)
    func `every shipped script begins with its schema and its name`(_ file: String) throws {
        let text = String(decoding: try #require(Running.bytes(file)), as: UTF8.self)
        let up = String(repeating: "../", count: file.split(separator: "/").count - 2)
        #expect(text.hasPrefix("{\n  \"$schema\": \"\(up)schemas/scenario.schema.json\",\n  \"name\": \""))
    }

    private static func text(_ report: ScenarioReport) -> String {
        func text(_ step: StepReport) -> String {
            "\(step.title) \(step.status) \(step.outcome.map { "\($0)" } ?? "") [\(step.steps.map(text).joined(separator: ","))]"
        }
        return "\(report.status) \(report.elapsed) \(report.exchanges) \(report.steps.map(text).joined(separator: ";"))"
    }
}
