import CommandKit
import Determinism
import Diagnostics
import JSON
import ScenarioRunner

/// Wall times of former runs, by which shards are divided.
struct Timings {
    private var times: [RunKey: Int64] = [:]

    /// Reads the file; there are no times where there is none.
    ///
    /// - Throws: ``Failure`` when the file is not one that b2c wrote.
    init(file: String) throws {
        guard FileSystem.kind(file) != nil else { return }
        do {
            let json = try JSONParser.parse(try FileSystem.read(file))
            guard json["version"] == 1, let entries = json["timings"]?.arrayValue else { throw Unreadable() }
            for entry in entries {
                guard let script = entry["file"]?.stringValue, let time = entry["milliseconds"]?.intValue,
                    (0...86_400_000).contains(time)
                else { throw Unreadable() }
                times[RunKey(file: script, caseName: entry["case"]?.stringValue)] = time
            }
        } catch {
            throw Failure.input(
                "--timings \(file): this is not a file of timings: remove it, and a run writes a new one")
        }
    }

    private struct Unreadable: Error {}

    /// `nil`: not known.
    func milliseconds(of file: String, _ name: String?) -> Int64? { times[RunKey(file: file, caseName: name)] }

    /// Puts the times of a run into the file. Those of other scenarios stay while their files exist.
    static func update(_ file: String, _ scenarios: [(report: ScenarioReport, time: TimeSpan)]) throws(FileSystem
        .Problem)
    {
        var timings = (try? Timings(file: file)) ?? Timings()
        timings.times = timings.times.filter { FileSystem.kind($0.key.file) == .file }
        for (report, time) in scenarios where report.status != .notRun && report.status != .skipped {
            timings.times[RunKey(report)] = time.milliseconds
        }
        let entries = timings.times.sorted {
            ($0.key.file, $0.key.caseName ?? "") < ($1.key.file, $1.key.caseName ?? "")
        }.map { key, time -> JSONValue in
            var entry: JSONObject = ["file": .string(key.file)]
            entry["case"] = key.caseName.map { .string($0) }
            entry["milliseconds"] = .integer(time)
            return .object(entry)
        }
        try FileSystem.write(
            Array((JSONWriter.pretty(["version": 1, "timings": .array(entries)]) + "\n").utf8), to: file)
    }

    private init() {}
}
