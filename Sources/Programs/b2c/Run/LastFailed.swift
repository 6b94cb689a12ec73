import CommandFiles
import CommandKit
import Diagnostics
import JSON
import ScenarioRunner
import Scenarios

/// What failed in the last run, for `--last-failed`.
///
/// Each run keeps it in a file of the working folder. While nothing has failed there is no such file.
package struct LastFailed {
    static let file = ".b2c/last-failed.json"

    private var failed: [RunKey] = []

    package init(failed: [RunKey]) { self.failed = failed }

    /// Whether an earlier run has written the file.
    private static var isKept: Bool { FileSystem.kind(file) == .file }

    /// Reads the file; nothing has failed where there is none.
    ///
    /// - Throws: ``Failure`` when the file is not one that b2c wrote.
    init() throws {
        guard Self.isKept else { return }
        do {
            let json = try JSONParser.parse(try FileSystem.read(Self.file))
            guard json["version"] == 1, let entries = json["failed"]?.arrayValue else { throw Unreadable() }
            failed = try entries.map { entry in
                guard let file = entry["file"]?.stringValue else { throw Unreadable() }
                return RunKey(file: file, caseName: entry["case"]?.stringValue)
            }
        } catch {
            throw Failure.input("\(Self.file) is not a file that b2c wrote: remove it, and everything runs again")
        }
    }

    private struct Unreadable: Error {}

    /// Those of the scenarios that failed; all where none of them did.
    func choose(_ scenarios: [Scenario]) -> (chosen: [Scenario], count: Int) {
        let known = Set(failed)
        var count = 0
        let chosen = scenarios.keeping { scenario, name in
            let isKnown = known.contains(RunKey(file: scenario.file, caseName: name))
            if isKnown { count += 1 }
            return isKnown
        }
        return chosen.isEmpty ? (scenarios, 0) : (chosen, count)
    }

    /// Takes the results of a run and writes the file. What did not run stays as it was.
    func update(_ report: RunReport) throws(FileSystem.Problem) {
        // A script that is gone cannot run again.
        var failed = failed.filter { FileSystem.kind($0.file) == .file }
        for scenario in report.scenarios where scenario.status != .notRun {
            let key = RunKey(scenario)
            failed.removeAll { $0 == key }
            if !scenario.status.isGood { failed.append(key) }
        }
        guard !failed.isEmpty || Self.isKept else { return }
        let entries = failed.map { key -> JSONValue in
            var entry: JSONObject = ["file": .string(key.file)]
            entry["case"] = key.caseName.map { .string($0) }
            return .object(entry)
        }
        try LocalFolder.make()
        try FileSystem.write(
            Array((JSONWriter.pretty(["version": 1, "failed": .array(entries)]) + "\n").utf8), to: Self.file)
    }
}
