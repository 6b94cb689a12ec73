import AuthorityHosting
import CommandKit
import Determinism
import Diagnostics
import TenantFiles
import TrustFramework
import Validation

extension Project {
    /// Everything that `b2c validate` checks under some paths, as it is now.
    ///
    /// - Parameters:
    ///   - file: The file of the tenant.
    ///   - values: Values for `{Settings:NAME}`: of the file that is named, else of those beside the policies.
    /// - Throws: ``Failure`` if a settings file cannot be read. What is wrong with it has been printed.
    package init(
        at paths: [String], tenant: Tenant? = nil, of file: String? = nil, values: PolicyValueSource, now: Timestamp
    ) throws {
        var finder = ProjectFinder()
        for path in paths { finder.add(path) }
        self.init(
            files: finder.files, unreadable: finder.unreadable, passedOver: finder.passedOver, tenant: tenant, now: now)
        policySettings = try Self.settings(
            finder.files, of: values, beside: { PolicySettingsFile.path(beside: $0) },
            read: { try values.read($0).values })
        if lacksSettings(values) {
            throw Failure.usage("--environment needs --settings: no appsettings.json lies beside the policies")
        }
        if let tenant, let file {
            let pages = PageFiles(tenant, folder: FilePath.folder(FilePath.relative(file, to: Machine.currentFolder))) {
                try? FileSystem.read($0)
            }
            missingPage = { pages.missing(for: $0) }
        }
    }

    /// Whether an environment is named, and policies that need its values have no settings file.
    func lacksSettings(_ values: PolicyValueSource) -> Bool {
        values.settings == nil && values.environment != nil && policySettings.byFolder.isEmpty
            && files(.policy).contains { PolicySettingsFile.hasPlaceholder($0.source.bytes) }
    }

    /// Values for `{Settings:NAME}` by folder.
    ///
    /// - Parameters:
    ///   - beside: Finds the settings file of a folder.
    ///   - read: Brings the values of a settings file.
    static func settings(
        _ files: [ProjectFile], of values: PolicyValueSource, beside: (String) -> String?,
        read: (String) throws -> [(name: String, value: String)]
    ) rethrows -> PolicySettingsByFolder {
        if let settings = values.settings {
            return PolicySettingsByFolder(all: try read(FilePath.relative(settings, to: Machine.currentFolder)))
        }
        var known = PolicySettingsByFolder()
        for folder in Set(files.filter { $0.kind == .policy }.map(\.folder)).sorted() {
            guard let path = beside(folder.isEmpty ? "." : folder) else { continue }
            known.byFolder[folder] = try read(path)
        }
        return known
    }

    /// What the readers of scenarios and tenant files find in them.
    package var scriptFindings: [Finding] {
        let found = files.compactMap { file in
            file.kind == .scenario
                ? FoundFile(path: file.path, content: .scenario, bytes: file.source.bytes, step: nil) : nil
        }
        let tenants = files.filter { $0.kind == .tenant }
        return (Scripts(found).findings + tenants.flatMap(Self.notes)).map { Finding($0) }
    }

    /// What the reader of tenant files finds in one.
    static func notes(on tenant: ProjectFile) -> [Diagnostic] {
        do throws(InvalidInput) {
            return try TenantFile.read(file: tenant.path, bytes: tenant.source.bytes).document.notes
        } catch {
            return error.diagnostics
        }
    }
}
