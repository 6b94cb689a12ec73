import CommandFiles
import CommandKit
import Diagnostics
import PolicyRelease
import TrustFramework

/// A folder of policy files with its settings file, as commands that release policies read it.
package struct ReleaseFolder {
    /// The folder, or the one policy file that was named.
    package let path: String
    /// Policy files in the order of their names.
    package let files: [(path: String, bytes: [UInt8])]
    /// The settings file; `nil`: there is none.
    package let settings: (path: String, bytes: [UInt8], environments: PolicyEnvironments)?
    /// The environment that was named.
    private let wanted: String?

    /// Reads the policies of a folder. Those of folders below it are not read: a build for several environments may be there.
    ///
    /// - Throws: ``Failure`` if there is no such folder or a file cannot be read.
    package init(_ folder: String, _ values: PolicyValueSource) throws {
        path = FilePath.relative(folder, to: Machine.currentFolder)
        let isFolder = FileSystem.kind(path) == .folder
        guard isFolder || FileSystem.kind(path) != nil else {
            let names = (try? FileSystem.names(in: FilePath.folder(path))) ?? []
            let near = nearestName(FilePath.name(path), among: names).map { ". Did you mean \($0)?" } ?? ""
            throw Failure.usage("there is no folder \(path)\(near)")
        }
        let directory = isFolder ? path : FilePath.folder(path)
        files = try (isFolder ? Self.names(in: path) : [FilePath.name(path)]).compactMap { name in
            try Self.policy(FilePath.join(directory, name))
        }
        wanted = values.environment
        settings = try Self.settings(values, beside: directory)
    }

    private static func names(in folder: String) throws -> [String] {
        do throws(FileSystem.Problem) {
            return try FileSystem.names(in: folder)
        } catch {
            throw Failure.input("\(folder) cannot be read: \(error.text)") as any Error
        }
    }

    /// A file if it is a policy.
    private static func policy(_ file: String) throws -> (path: String, bytes: [UInt8])? {
        guard file.lowercased().hasSuffix(".xml"), FileSystem.kind(file) != .folder else { return nil }
        do throws(FileSystem.Problem) {
            let bytes = try FileSystem.read(file)
            return PolicyBuild.isPolicy(bytes) ? (file, bytes) : nil
        } catch {
            throw Failure.input("\(file) cannot be read: \(error.text)") as any Error
        }
    }

    private static func settings(
        _ values: PolicyValueSource, beside folder: String
    ) throws -> (path: String, bytes: [UInt8], environments: PolicyEnvironments)? {
        let named = values.settings.map { FilePath.relative($0, to: Machine.currentFolder) }
        guard let path = named ?? PolicySettingsFile.any(beside: folder) else { return nil }
        do throws(InvalidInput) {
            let bytes = try? FileSystem.read(path)
            return (path, bytes ?? [], try PolicyEnvironments.read(file: path, bytes: bytes))
        } catch {
            PlacedPolicies.report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }

    /// The environment that was named, else the first; `nil`: there is no settings file.
    package func environment() throws -> PolicyEnvironments.Environment? {
        guard let settings else {
            if wanted != nil {
                throw Failure.usage("--environment needs --settings: \(path) has no appsettings.json")
            }
            return nil
        }
        do throws(InvalidInput) {
            return try settings.environments.environment(wanted)
        } catch {
            PlacedPolicies.report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }

    /// Builds the policies. Prints what is wrong; a parent that is not in the folder only if nobody knows the tenant yet.
    ///
    /// - Parameters:
    ///   - folder: A folder of policy files, or one file.
    ///   - tenant: The domain of the tenant, where the settings do not name one.
    package static func build(
        _ folder: String, _ values: PolicyValueSource, tenant: String?
    ) throws -> BuiltPolicies {
        let folder = try ReleaseFolder(folder, values)
        let (policies, findings) = PolicyBuild.build(
            folder.files, environment: try folder.environment(), tenant: tenant)
        let shown = findings.filter { policies == nil || tenant == nil || $0.rule != "B2C-POL-006" }
        if !shown.isEmpty { PlacedPolicies.report(shown) }
        guard let policies else { throw Failure.silent(.input) }
        guard !policies.policies.isEmpty else { throw Failure.usage("\(folder.path) has no policy files") }
        return policies
    }
}
