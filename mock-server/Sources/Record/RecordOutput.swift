import Capture
import CommandKit
import Diagnostics
import JSON

/// Writes what was recorded: a script and a tenant file.
struct RecordOutput: Sendable {
    /// The folder to write to.
    let folder: String
    /// The name of both files; nil: by the policies.
    let name: String?

    /// Stops before anything is recorded that could not be written.
    func check() throws {
        guard FileSystem.kind(folder) != nil else { return }
        guard FileSystem.kind(folder) == .folder else {
            throw Failure.usage("--output \(folder): this is not a folder")
        }
    }

    /// Writes the files.
    ///
    /// - Returns: What is printed about them.
    func write(_ proxy: RecordingProxy, of target: String) throws -> String {
        var notes: [String] = []
        if proxy.isFull { notes.append("The recording was full before its end; what came later is not in it.") }
        let exchanges = proxy.exchanges
        guard !exchanges.isEmpty else {
            throw Failure.machine("nothing came through the proxy, so nothing was written")
        }
        let files: CaptureImport.Files
        do throws(InvalidInput) {
            files = try CaptureImport.files(
                from: exchanges,
                CaptureImport.Options(name: name, source: "a recording of \(target)", notes: notes))
        } catch {
            let text = error.diagnostics.first.map { $0.message + ($0.remedy.map { ". \($0)" } ?? "") } ?? ""
            throw Failure.machine("nothing was written: \(text)") as any Error
        }
        // Nobody can be asked any more, so nothing that is there is replaced.
        let free = freeName(files.name)
        var scenario = files.scenario
        if free != files.name { scenario["tenant"] = .string("tenants/\(free).json") }
        let script = path("\(free).json")
        let tenant = path("tenants/\(free).json")
        try write(tenant, files.tenant)
        try write(script, scenario)
        var text = "\nwrote  \(tenant)\nwrote  \(script)\n\n"
        for line in files.steps { text += "  \(line)\n" }
        if !files.notes.isEmpty { text += "\nNot carried over, or guessed:\n" }
        for note in files.notes { text += "  - \(note)\n" }
        return text + "\nRun it:\n  b2c run \(script)\n"
    }

    private func freeName(_ name: String) -> String {
        func isTaken(_ name: String) -> Bool {
            FileSystem.kind(path("\(name).json")) != nil || FileSystem.kind(path("tenants/\(name).json")) != nil
        }
        guard isTaken(name) else { return name }
        for number in 2..<10_000 where !isTaken("\(name)-\(number)") { return "\(name)-\(number)" }
        return name
    }

    private func path(_ name: String) -> String { FilePath.join(folder, name) }

    private func write(_ path: String, _ json: JSONObject) throws {
        do throws(FileSystem.Problem) {
            try FileSystem.makeFolder(FilePath.folder(path))
            try FileSystem.write(Array((JSONWriter.pretty(.object(json)) + "\n").utf8), to: path, mode: 0o644)
        } catch {
            throw Failure.machine("\(path) cannot be written: \(error.text)") as any Error
        }
    }
}
