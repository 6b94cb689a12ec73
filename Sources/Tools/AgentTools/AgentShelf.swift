import CommandKit
import PolicyTools
import Synchronization
import TrustFramework

/// Policies that calls have read and linked, for later calls while their files stay as they are.
final class AgentShelf: Sendable {
    private struct Kept {
        let source: PolicySource
        let policies: PlacedPolicies
        let files: WatchedFiles
    }

    /// Places that are kept.
    private static let most = 4

    private let kept = Mutex<[Kept]>([])

    /// The policies of a place. Files outside of the workspace are not read.
    func policies(_ source: PolicySource, in workspace: AgentWorkspace) throws -> PlacedPolicies {
        let known = kept.withLock { $0.first { $0.source == source } }
        if let known, known.files.areUnchanged { return known.policies }
        let files = WatchedFiles(workspace)
        files.watch(source)
        var policies = try source.read()
        if let settings = policies.json["policySettingsFile"]?.stringValue { _ = try workspace.path(inside: settings) }
        policies.shelf = PolicyShelf(files: files.policyFiles)
        let new = Kept(source: source, policies: policies, files: files)
        kept.withLock { kept in kept = [new] + kept.filter { $0.source != source }.prefix(Self.most - 1) }
        return policies
    }
}

/// Remembers how files were when they were read.
private final class WatchedFiles: Sendable {
    private let workspace: AgentWorkspace
    /// By path; no stamp: there was nothing.
    private let stamps = Mutex<[String: FileSystem.Stamp?]>([:])

    init(_ workspace: AgentWorkspace) { self.workspace = workspace }

    /// Whether all of them are as they were.
    var areUnchanged: Bool { stamps.withLock { $0 }.allSatisfy { FileSystem.stamp($0.key) == $0.value } }

    private func watch(_ path: String) {
        let stamp = FileSystem.stamp(path)
        stamps.withLock { if $0[path] == nil { $0[path] = .some(stamp) } }
    }

    /// What `PolicySource.read()` looks at by itself.
    func watch(_ source: PolicySource) {
        if let tenant = source.tenant { return watch(tenant) }
        let place = source.place ?? "."
        let folder = FileSystem.kind(place) == .folder ? place : FilePath.folder(place)
        for path in [place, folder] + PolicySettingsFile.candidates(beside: folder) { watch(path) }
        for name in (try? FileSystem.names(in: folder)) ?? [] where name.lowercased().hasSuffix(".xml") {
            watch(FilePath.join(folder, name))
        }
    }

    var policyFiles: PolicyFiles {
        PolicyFiles(
            read: { path in
                self.watch(path)
                return self.workspace.read(path)
            },
            list: { folder in
                self.watch(folder)
                return try? FileSystem.names(in: folder)
            },
            refusal: { path in
                (try? self.workspace.path(inside: path)) == nil ? "is outside of the root folder of this server" : nil
            })
    }
}
