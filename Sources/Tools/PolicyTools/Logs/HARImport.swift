import Capture
import CommandFiles
import CommandKit
import Diagnostics
import JSON

/// A HAR file on its way into a script and a tenant file.
package struct HARImport {
    /// The HAR file.
    package var file: String
    /// Logs of the journey recorder with the same sign-ins.
    package var logs: [String] = []
    /// The folder of the policies that the script runs; `nil`: user flows with the same pages.
    package var policies: String?
    /// Further folders where parents of the policies are found.
    package var bases: [String] = []
    /// Where the files go. (default: the folder `scenarios` if it exists, else the current one)
    package var folder = FileSystem.kind("scenarios") == .folder ? "scenarios" : "."
    /// Name of both files, without ending; `nil`: by the policies.
    package var name: String?
    /// Whether files of that name are replaced.
    package var replaces = false

    package init(_ file: String) { self.file = file }

    /// What was made of the capture.
    package struct Written {
        /// Paths of the two files.
        package var script: String, tenant: String
        package var files: CaptureImport.Files
        /// The capture beside the log.
        package var join: LogJoin
        /// How often the script was played before it was written.
        package var rounds = 0
        /// What the check of the written files finds, as `b2c check` does.
        package var findings: [Diagnostic] = []
    }

    /// A file of that name exists.
    package struct Taken: Error {
        package var path: String
    }

    /// Makes the files and writes them.
    ///
    /// - Throws: ``Taken``; ``Failure`` for what cannot be read, has no sign-in, or cannot be written. Findings are printed.
    package func write() async throws -> Written {
        if !bases.isEmpty, policies == nil { throw Failure.usage("--base goes with --policies FOLDER") }
        let bytes = try InputFile.read(file, limit: HARFile.limit)
        let folder = FilePath.normalised(folder)
        var written: Written
        do {
            let archive = try HARFile(file: FilePath.relative(file, to: Machine.currentFolder), bytes: bytes)
            // For the description: no folders, which say whose machine it was.
            let source = FilePath.name(file) + (archive.creator.map { ", written by \($0)" } ?? "")
            let reading = try CaptureImport.Reading(archive.exchanges, source: source)
            var rehearsal = ImportRehearsal(
                reading, CaptureImport.Options(name: name, source: source, notes: archive.notes))
            rehearsal.folder = folder
            var join = LogJoin(signIns: reading.signIns, file: file)
            if let policies { try join.read(policies: policies, bases: bases, folder: folder) }
            if !logs.isEmpty { try join.read(log: logs) }
            var rounds = 0
            let files = try await join.files(&rehearsal, rounds: &rounds)
            written = Written(
                script: FilePath.join(folder, "\(files.name).json"), tenant: FilePath.join(folder, files.tenantPath),
                files: files, join: join, rounds: rounds)
        } catch let error as InvalidInput {
            let path = FilePath.relative(file, to: Machine.currentFolder)
            throw FindingsPrinter(sources: [SourceText(file: path, bytes: bytes)]).failure(error.diagnostics)
        }
        try save([(written.tenant, written.files.tenant), (written.script, written.files.scenario)])
        // No script is called done that does not run.
        var finder = FileFinder()
        for path in [written.script, written.tenant] { finder.add(path) }
        written.findings = finder.findings + Scripts(finder.files).findings
        return written
    }

    private func save(_ files: [(path: String, json: JSONObject)]) throws {
        for file in files where !replaces && FileSystem.kind(file.path) != nil {
            throw Taken(path: file.path)
        }
        for file in files {
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(file.path))
                try FileSystem.write(Array((JSONWriter.pretty(.object(file.json)) + "\n").utf8), to: file.path)
            } catch {
                throw Failure.machine("\(file.path) cannot be written: \(error.text)") as any Error
            }
        }
    }
}
