import Diagnosis
import Foundation
import JSON
import ScenarioRunner
import Scenarios
import TestSupport
import Testing
import TrustFramework

/// What the shipped scripts produce is explained: an error of `B26-...json` leads to B26.
@Suite struct ScriptErrorTests {
    /// Scripts of the catalogue and of the further reports, by their entry.
    static let scripts: [(id: String, file: String)] = Cause.played.compactMap { cause in
        guard let script = cause.script,
            FileManager.default.fileExists(atPath: TestFiles.root().appendingPathComponent(script).path)
        else { return nil }
        return (cause.id, script)
    }

    /// Entries whose scripts end in an error that says nothing of the bug, with what it says: the bug is in what the app
    /// does, and the error is that of a correct library, or of a person who closes the window at the end.
    static let silent: Set<String> = [
        // The person closes or cancels.
        "B71", "B116", "B132", "R06", "R15",
        // A refresh token is refused as revoked, rightly.
        "B90", "B107", "B140",
        // A library refuses a state that is not its own, whatever altered it.
        "B141", "B148",
        // The simulator says that brokers are not built.
        "B121",
    ]

    @Test(arguments: scripts)
    func `the errors of a script lead to its entry`(_ row: (id: String, file: String)) async throws {
        let texts = try await Self.errors(of: row.file)
        guard !texts.isEmpty, !Self.silent.contains(row.id) else { return }
        let named = texts.map { text in explained(text).causes.map(\.cause.id) }
        #expect(
            named.contains { $0.contains(row.id) },
            "\(row.id): \(zip(texts, named).map { "\($0.prefix(300)) -> \($1)" }.joined(separator: "\n"))")
    }

    @Test func `entries that are not expected here have an error all the same`() async throws {
        for row in Self.scripts where Self.silent.contains(row.id) {
            let texts = try await Self.errors(of: row.file)
            #expect(!texts.isEmpty, "\(row.id) has no error: take it out of the list")
            let named = texts.flatMap { explained($0).causes.map(\.cause.id) }
            #expect(!named.contains(row.id), "\(row.id) is explained now: take it out of the list")
        }
    }

    // MARK: Running

    private static func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: TestFiles.root().appendingPathComponent(path).path).map { Array($0) }
    }

    private static let policies = PolicyShelf(
        files: PolicyFiles(
            read: { bytes($0) },
            list: { folder in
                let path = TestFiles.root().appendingPathComponent(folder).path
                return try? FileManager.default.contentsOfDirectory(atPath: path).sorted()
            }))

    /// The errors of all steps, each once, as an app could print them.
    private static func errors(of file: String) async throws -> [String] {
        let scenario = try ScenarioReader.read(
            file: file, bytes: try #require(bytes(file)), files: { bytes($0) })
        let options = RunOptions(
            seed: 7, keepOutcomes: true, readFile: { bytes($0) }, policies: policies, writeFile: { _, _ in nil })
        let report = await Runner.run(scenario, options: options)
        var texts: [String] = []
        func add(_ steps: [StepReport]) {
            for step in steps {
                if let error = step.outcome?["error"], error.objectValue != nil {
                    let text = JSONWriter.compact(error)
                    if !texts.contains(text) { texts.append(text) }
                }
                add(step.steps)
            }
        }
        for scenario in report.scenarios { add(scenario.steps) }
        return texts
    }
}
