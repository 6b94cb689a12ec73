import CommandFiles
import CommandKit
import Diagnostics
import ScenarioRunner
import Scenarios
import Synchronization
import TrustFramework

/// The scenarios that come with the program: beside it in a package, or in the clone that it was built in.
package enum ShippedScripts {
    /// The folder above `scenarios`; `nil`: the program was copied somewhere alone.
    package static var home: String? {
        guard let program = Machine.program else { return nil }
        var folder = FilePath.folder(program)
        // A package has bin beside share; a build is a few folders below the clone.
        for _ in 0..<5 {
            for home in [FilePath.join(folder, "share/b2c-harness"), folder]
            where FileSystem.kind(FilePath.join(home, "scenarios/bugs")) == .folder { return home }
            let above = FilePath.folder(folder)
            if above == folder { return nil }
            folder = above
        }
        return nil
    }

    /// Copies a script with everything that it reads (tenant file, policies, templates) into a folder, under the same paths.
    /// Files that exist stay as they are.
    ///
    /// - Parameter script: Its path below the home, such as `scenarios/bugs/B47-forgot-password-as-a-generic-error.json`.
    /// - Returns: The paths, and which of them were written: the others exist already.
    /// - Throws: ``Failure`` if this program has no scenarios with it, or a file cannot be written.
    package static func write(_ script: String, into folder: String) throws -> [(path: String, isNew: Bool)] {
        guard let home else {
            throw Failure.machine(
                "this b2c has no scenarios beside it: install a package, or use the clone of the repository, which has \(script)"
            )
        }
        var finder = FileFinder()
        finder.add(FilePath.join(home, script))
        let paths = Mutex(Set(finder.files.map(\.path)))
        var files = PolicyFiles.disk
        files.read = { path in
            _ = paths.withLock { $0.insert(path) }
            return try? FileSystem.read(path)
        }
        let scripts = Scripts(finder.files, read: files.read, policies: files)
        // Linking reads the policies and their parents.
        for (scenario, _) in scripts.scenarios {
            let tenant = scenario.tenant
            _ = PolicyChecks.findings(
                of: tenant.tenant, in: tenant.document, at: tenant.pointer, shelf: PolicyShelf(files: files),
                remarks: false)
        }
        let root = FilePath.absolute(FilePath.join(home, "scenarios"))
        let read = paths.withLock { $0 }.map { FilePath.normalised(FilePath.absolute($0)) }
            .filter { $0.hasPrefix(root + "/") && FileSystem.kind($0) == .file }
        func save(
            _ bytes: () throws(FileSystem.Problem) -> [UInt8], to name: some StringProtocol
        ) throws -> (path: String, isNew: Bool) {
            let path = FilePath.normalised(FilePath.join(folder, "scenarios" + name))
            if FileSystem.kind(path) != nil { return (path, false) }
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(path))
                try FileSystem.write(try bytes(), to: path)
            } catch {
                throw Failure.machine("\(path) cannot be written: \(error.text)") as any Error
            }
            return (path, true)
        }
        // What `$schema` of the files names, for editors.
        for (name, schema) in [("scenario", SchemaText.scenario()), ("tenant", SchemaText.tenant())] {
            let bytes = Array(SchemaText.text(of: schema).utf8)
            _ = try save({ () throws(FileSystem.Problem) in bytes }, to: "/schemas/\(name).schema.json")
        }
        return try Set(read).sorted().map { source in
            try save({ () throws(FileSystem.Problem) in try FileSystem.read(source) }, to: source.dropFirst(root.count))
        }
    }
}
