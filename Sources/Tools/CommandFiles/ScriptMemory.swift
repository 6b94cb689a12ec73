import Diagnostics
import JSON
import Scenarios
import Synchronization
import TrustFramework
import Validation

/// What is wrong with scenarios and tenant files, kept as long as a file and all that was read for it stay as they are.
package final class ScriptMemory: Sendable {
    /// What was read for the scenarios of a tenant: content, or that there is none.
    private final class Reads: Sendable {
        private let files = Mutex<[String: [UInt8]?]>([:])
        private let folders = Mutex<[String: [String]?]>([:])

        func read(_ path: String, _ workspace: WorkspaceFiles) -> [UInt8]? {
            let bytes = workspace.read(path)
            // What was read first counts: that is what readers keep.
            files.withLock { if $0[path] == nil { $0[path] = .some(bytes) } }
            return bytes
        }

        func names(in folder: String, _ workspace: WorkspaceFiles) -> [String]? {
            let names = workspace.names(in: folder)
            folders.withLock { if $0[folder] == nil { $0[folder] = .some(names) } }
            return names
        }

        /// Whether all of it is still the same.
        func isCurrent(_ workspace: WorkspaceFiles) -> Bool {
            files.withLock { $0 }.allSatisfy { workspace.read($0.key) == $0.value }
                && folders.withLock { $0 }.allSatisfy { workspace.names(in: $0.key) == $0.value }
        }
    }

    private struct TenantCache: Sendable {
        var tenants: TenantLibrary
        var reads: Reads
    }

    private struct Kept: Sendable {
        var bytes: [UInt8]
        /// `nil` of a tenant file.
        var reads: Reads?
        var findings: [Finding]
        /// The name of a scenario that can run.
        var name: String?
    }

    private struct State: Sendable {
        var kept: [String: Kept] = [:]
        /// Tenants with their linked policies, which are large: those of the last scenarios.
        var libraries = RecentlyUsed<String, TenantCache>(limit: 2)
    }

    private let state = Mutex(State())

    package init() {}

    /// What is wrong with the scenarios and tenant files of a workspace.
    ///
    /// - Parameter isCancelled: Asked before each file.
    /// - Returns: `nil` if it was cancelled.
    package func findings(
        _ files: [ProjectFile], in workspace: WorkspaceFiles, isCancelled: () -> Bool
    ) -> [Finding]? {
        let scripts = files.filter { $0.kind == .scenario || $0.kind == .tenant }
        /// Whether what was read is current, each asked once.
        var current: [ObjectIdentifier: Bool] = [:]
        // The scenarios of one tenant together, so that it is read once.
        let byTenant = Dictionary(grouping: scripts, by: Self.tenant(of:)).sorted { $0.key < $1.key }
        for file in byTenant.flatMap(\.value) {
            if isCancelled() { return nil }
            _ = kept(file, in: workspace, &current)
        }
        let all = scripts.map { ($0, kept($0, in: workspace, &current)) }
        let named = all.compactMap { file, kept in
            kept.name.flatMap { name in file.document.map { (name, $0) } }
        }
        let paths = Set(scripts.map(\.path))
        state.withLock { state in state.kept = state.kept.filter { paths.contains($0.key) } }
        return all.flatMap(\.1.findings) + Scripts.equalNames(named).map { Finding($0) }
    }

    /// What is wrong with one file, apart from names that others have too.
    package func findings(_ file: ProjectFile, in workspace: WorkspaceFiles) -> [Finding] {
        guard file.kind == .scenario || file.kind == .tenant else { return [] }
        var current: [ObjectIdentifier: Bool] = [:]
        return kept(file, in: workspace, &current).findings
    }

    private func kept(
        _ file: ProjectFile, in workspace: WorkspaceFiles, _ current: inout [ObjectIdentifier: Bool]
    ) -> Kept {
        func isCurrent(_ reads: Reads) -> Bool {
            if let known = current[ObjectIdentifier(reads)] { return known }
            let isCurrent = reads.isCurrent(workspace)
            current[ObjectIdentifier(reads)] = isCurrent
            return isCurrent
        }
        let known = state.withLock { $0.kept[file.path] }
        if let known, known.bytes == file.source.bytes, known.reads.map(isCurrent) ?? true { return known }
        let new: Kept
        if file.kind == .tenant {
            new = Kept(
                bytes: file.source.bytes, findings: Project.notes(on: file).map { Finding($0) })
        } else {
            let key = Self.tenant(of: file)
            let last = state.withLock { $0.libraries.value(key) }
            let library = last.flatMap { isCurrent($0.reads) ? $0 : nil } ?? Self.library(workspace)
            state.withLock { $0.libraries.keep(library, for: key) }
            new = Self.read(file, library)
            // It was read just now; and more may have been read for it than was known before.
            current[ObjectIdentifier(library.reads)] = true
        }
        state.withLock { $0.kept[file.path] = new }
        return new
    }

    /// The path of a scenario's tenant file; of all that name none, nothing.
    private static func tenant(of file: ProjectFile) -> String {
        file.document?.root["tenant"]?.stringValue.map { ScenarioPath.resolve($0, from: file.path) } ?? ""
    }

    private static func library(_ workspace: WorkspaceFiles) -> TenantCache {
        let reads = Reads()
        let policies = PolicyFiles(
            read: { reads.read($0, workspace) }, list: { reads.names(in: $0, workspace) },
            refusal: workspace.policyFiles.refusal)
        return TenantCache(
            tenants: TenantLibrary(
                files: { reads.read($0, workspace) }, policies: PolicyShelf(files: policies),
                names: { reads.names(in: $0, workspace) ?? [] }),
            reads: reads)
    }

    private static func read(_ file: ProjectFile, _ library: TenantCache) -> Kept {
        do throws(InvalidInput) {
            let scenario = try ScenarioReader.read(
                file: file.path, bytes: file.source.bytes, tenants: library.tenants)
            return Kept(
                bytes: file.source.bytes, reads: library.reads, findings: scenario.advice.map { Finding($0) },
                name: scenario.name)
        } catch {
            return Kept(
                bytes: file.source.bytes, reads: library.reads, findings: error.diagnostics.map { Finding($0) })
        }
    }
}
