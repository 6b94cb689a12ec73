import CommandFiles
import CommandKit
import Diagnostics
import ScenarioRunner

extension ProjectSettings {
    /// Reads the file of the working folder, where there is one, and puts it behind the environment.
    ///
    /// - Parameter profile: As named by `--profile`.
    /// - Returns: `nil`: there is no file.
    /// - Throws: ``Failure``; its findings have been printed.
    static func use(profile: String?, _ common: CommonOptions) throws -> ProjectSettings? {
        let asked = profile ?? Machine.environment("B2C_PROFILE")
        guard FileSystem.kind(name) == .file else {
            if let profile {
                throw Failure.usage("--profile \(profile): there is no \(name) in this folder, which defines profiles")
            }
            return nil
        }
        let read: ProjectSettings?
        do {
            read = try ofFolder(profile: asked, common)
        } catch {
            let reports = (try? FileSystem.read(name)).map { ProjectSettings.reports(bytes: $0, profile: asked) } ?? [:]
            Machine.defaults.withLock { $0.merge(reports) { $1 } }
            throw error
        }
        guard let project = read else { return nil }
        Machine.defaults.withLock { $0.merge(project.variables) { $1 } }
        for file in project.outputs { try? FileSystem.makeFolder(FilePath.folder(file)) }
        return project
    }

    /// Reads the file of the working folder, where there is one.
    ///
    /// - Parameter profile: The profile whose keys count.
    /// - Returns: `nil`: there is no file.
    /// - Throws: ``Failure``; its findings have been printed.
    static func ofFolder(profile: String?, _ common: CommonOptions) throws -> ProjectSettings? {
        guard FileSystem.kind(name) == .file else { return nil }
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(name)
        } catch {
            throw Failure.machine("\(name) cannot be read: \(error.text)") as any Error
        }
        do throws(InvalidInput) {
            return try ProjectSettings(bytes: bytes, profile: profile)
        } catch {
            throw FindingsPrinter(common, name, bytes).failure(error.diagnostics)
        }
    }
}
