import Capture
import Diagnostics
import JSON
import Reports
import ScenarioRunner
import Scenarios

/// Plays what is made of a capture before it is written. Captures lack this and that, and a guess may not hold: a step that
/// fails is written again with less, and what fails all the same is said.
struct ImportRehearsal {
    let exchanges: [CapturedExchange]
    var options: CaptureImport.Options

    /// The files as they are to be written.
    ///
    /// - Throws: ``InvalidInput`` where nothing can be made of the capture.
    func files() async throws(InvalidInput) -> CaptureImport.Files {
        var options = options
        var files = try CaptureImport.files(from: exchanges, options)
        // Each step gets two tries with less, so this ends.
        for _ in 0...(2 * files.steps.count) {
            guard let failure = await Self.failure(of: files) else { return files }
            guard let step = failure.step, options.tried[step, default: []].count < 2,
                files.scenario["steps"]?[step]?["acquireToken"] != nil
            else {
                options.notes.append("The script does not pass as it stands: \(failure.why)")
                return try CaptureImport.files(from: exchanges, options)
            }
            options.tried[step, default: []].append(failure.why)
            files = try CaptureImport.files(from: exchanges, options)
        }
        return files
    }

    /// The first step that fails, with why; `nil`: the script passes. What cannot be read is left to who checks the files.
    private static func failure(of files: CaptureImport.Files) async -> (step: Int?, why: String)? {
        let path = "\(files.name).json"
        let contents = [
            path: Array(JSONWriter.pretty(.object(files.scenario)).utf8),
            files.tenantPath: Array(JSONWriter.pretty(.object(files.tenant)).utf8),
        ]
        let read: @Sendable (String) -> [UInt8]? = { contents[$0] }
        guard let bytes = read(path),
            let scenario = try? ScenarioReader.read(file: path, bytes: bytes, tenants: TenantLibrary(files: read))
        else { return nil }
        let report = Redaction().redacted(
            await Runner.run([RunItem(scenario: scenario)], options: RunOptions(seed: 1, readFile: read)) { _ in })
        guard let played = report.scenarios.first, !played.status.isGood else { return nil }
        guard let index = played.steps.firstIndex(where: { $0.status == .failed }) else {
            return (nil, played.reason ?? "it ended as \(played.status.rawValue)")
        }
        let step = played.steps[index]
        let failed = played.failedStep ?? step
        let why = failed.problems.first ?? failed.mismatches.first?.text ?? "it failed"
        return (index, "step \(index + 1), \(step.title): " + Self.short(why))
    }

    /// One line of a reason; the whole of it is what a run shows.
    private static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
        return line.count > 240 ? line.prefix(240) + "..." : line
    }
}
