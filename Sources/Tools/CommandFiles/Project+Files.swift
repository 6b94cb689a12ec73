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
        policySettings = try Self.settings(finder.files, values)
        if let tenant, let file {
            let pages = PageFiles(tenant, folder: FilePath.folder(FilePath.relative(file, to: Machine.currentFolder))) {
                try? FileSystem.read($0)
            }
            missingPage = { pages.missing(for: $0) }
        }
    }

    private static func settings(_ files: [ProjectFile], _ values: PolicyValueSource) throws -> PolicySettingsByFolder {
        if let settings = values.settings {
            let path = FilePath.relative(settings, to: Machine.currentFolder)
            return PolicySettingsByFolder(all: try values.read(path).values)
        }
        var known = PolicySettingsByFolder()
        for folder in Set(files.filter { $0.kind == .policy }.map(\.folder)) {
            guard let path = PolicySettingsFile.path(beside: folder.isEmpty ? "." : folder) else { continue }
            known.byFolder[folder] = try values.read(path).values
        }
        if values.environment != nil, known.byFolder.isEmpty {
            throw Failure.usage("--environment needs --settings: no appsettings.json lies beside the policies")
        }
        return known
    }

    /// What the readers of scenarios and tenant files find in them.
    package var scriptFindings: [Finding] {
        let found = files.compactMap { file -> FoundFile? in
            switch file.kind {
            case .scenario: FoundFile(path: file.path, content: .scenario, bytes: file.source.bytes, step: nil)
            case .tenant: FoundFile(path: file.path, content: .tenant, bytes: file.source.bytes, step: nil)
            default: nil
            }
        }
        var findings = Scripts(found).findings
        for file in found where file.content == .tenant {
            do throws(InvalidInput) {
                findings += try TenantFile.read(file: file.path, bytes: file.bytes).document.notes
            } catch {
                findings += error.diagnostics
            }
        }
        return findings.map { Finding($0) }
    }
}
