import CommandKit
import Determinism
import Diagnostics
import Synchronization
import TrustFramework
import Validation

/// The files of folders as an editor has them: texts that are open, and for all others the disk.
package final class WorkspaceFiles: Sendable {
    private struct State: Sendable {
        /// What is on the disk below the roots and beside open texts, in the order of the finder.
        var files: [ProjectFile] = []
        var unreadable: [(path: String, reason: String)] = []
        var passedOver: [(path: String, reason: String)] = []
        /// The same by path, and when it was read.
        var onDisk: [String: ProjectFile] = [:]
        var stamps: [String: FileSystem.Stamp] = [:]
        /// Whether all that is what the disk had when it was last to be looked at.
        var isFound = false
        /// Texts that are open.
        var open: [String: ProjectFile] = [:]
        /// Other files that were asked for.
        var others: [String: (stamp: FileSystem.Stamp, bytes: [UInt8])] = [:]
        /// Whether a text has placeholders for settings.
        var placeholders: [String: (bytes: [UInt8], has: Bool)] = [:]
    }

    /// So many bytes of files that are not checked are kept.
    private static let mostOthers = 32 << 20

    private let roots: [String]
    private let state = Mutex(State())

    /// - Parameter roots: Folders as commands show them, such as `.`.
    package init(roots: [String]) {
        self.roots = roots.map(Self.shown)
    }

    /// A path as commands show it.
    private static func shown(_ path: String) -> String { FilePath.relative(path, to: Machine.currentFolder) }

    /// Takes a text that is open in the editor; `nil`: it is closed, and the disk counts again.
    package func open(_ path: String, _ bytes: [UInt8]?) {
        let path = Self.shown(path)
        let file = bytes.map { ProjectFile(path: path, bytes: $0) }
        state.withLock { state in
            let isNew = (state.open[path] == nil) != (file == nil)
            state.open[path] = file
            // Files beside it come or go with a text outside of the roots; a text that is closed was perhaps saved.
            if isNew { state.isFound = false }
        }
    }

    /// Looks at the disk again: files were saved, made or removed outside of the editor.
    package func refresh() { state.withLock { $0.isFound = false } }

    /// The content of a file; `nil` if there is none.
    package func read(_ path: String) -> [UInt8]? {
        let path = Self.shown(path)
        if let open = state.withLock({ $0.open[path] }) { return open.source.bytes }
        guard let stamp = FileSystem.stamp(path), !stamp.isFolder else { return nil }
        let known = state.withLock { state -> [UInt8]? in
            if state.stamps[path] == stamp, let file = state.onDisk[path] { return file.source.bytes }
            return state.others[path].flatMap { $0.stamp == stamp ? $0.bytes : nil }
        }
        if let known { return known }
        guard let bytes = try? FileSystem.read(path) else { return nil }
        state.withLock { state in
            let size = state.others.values.reduce(bytes.count) { $0 + $1.bytes.count }
            if size > Self.mostOthers { state.others = [:] }
            state.others[path] = (stamp, bytes)
        }
        return bytes
    }

    /// The names in a folder, sorted, those of open texts included; `nil` if there is none.
    package func names(in folder: String) -> [String]? {
        let folder = Self.shown(folder)
        let onDisk = try? FileSystem.names(in: folder)
        let open = state.withLock { $0.open.keys.filter { FilePath.folder($0) == folder }.map { FilePath.name($0) } }
        let new = open.filter { name in !(onDisk ?? []).contains(name) }
        guard !new.isEmpty else { return onDisk }
        return ((onDisk ?? []) + new).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Policies and texts as the editor has them.
    package var policyFiles: PolicyFiles {
        PolicyFiles(
            read: { self.read($0) }, list: { self.names(in: $0) },
            refusal: { path in
                self.state.withLock { $0.open[Self.shown(path)] } == nil ? PolicyFiles.disk.refusal(path) : nil
            })
    }

    /// Everything that `b2c validate` checks below the roots, and texts that are open elsewhere.
    package var files: [ProjectFile] { found().files }

    /// The texts that are open, in the order of their paths.
    package var openFiles: [ProjectFile] { state.withLock { $0.open.values.sorted { $0.path < $1.path } } }

    /// What `b2c validate` checks below the roots, with the texts as the editor has them, and what is wrong with settings
    /// files.
    package func project(
        values: PolicyValueSource, memory: PolicyMemory? = nil, now: Timestamp
    ) -> (project: Project, problems: [Diagnostic]) {
        let found = found()
        var project = Project(
            files: found.files, unreadable: found.unreadable, passedOver: found.passedOver, now: now)
        project.memory = memory
        var problems: [Diagnostic] = []
        project.policySettings = Project.settings(
            project.files, of: values,
            beside: { folder in
                PolicySettingsFile.path(
                    beside: folder, names: { self.names(in: $0) ?? [] }, read: self.read,
                    hasPlaceholder: self.hasPlaceholder)
            },
            read: { path in
                do throws(InvalidInput) {
                    return try PolicyEnvironments.read(file: path, bytes: self.read(path))
                        .environment(values.environment).values
                } catch {
                    problems += error.diagnostics
                    return []
                }
            })
        return (project, problems)
    }

    /// Whether a policy has placeholders for settings.
    private func hasPlaceholder(_ path: String) -> Bool {
        guard let bytes = read(path) else { return false }
        if let known = state.withLock({ $0.placeholders[path] }), known.bytes == bytes { return known.has }
        let has = PolicySettingsFile.hasPlaceholder(bytes)
        state.withLock { $0.placeholders[path] = (bytes, has) }
        return has
    }

    /// The files in their order, with those that are open.
    private func found() -> (
        files: [ProjectFile], unreadable: [(path: String, reason: String)], passedOver: [(path: String, reason: String)]
    ) {
        state.withLock { state in
            if !state.isFound { find(&state) }
            var files = state.files
            var passedOver = state.passedOver.filter { state.open[$0.path] == nil }
            var new = state.open
            for place in files.indices {
                guard let open = new.removeValue(forKey: files[place].path) else { continue }
                files[place] = open
            }
            for file in new.values.sorted(by: { $0.path < $1.path }) where ProjectFinder.takes(file: file.name) {
                files.insert(file, at: files.firstIndex { Self.isBefore(file.path, $0.path) } ?? files.endIndex)
            }
            files.removeAll { file in
                guard file.source.bytes.count > ProjectFinder.largest else { return false }
                passedOver.append((file.path, ProjectFinder.tooLarge))
                return true
            }
            return (files, state.unreadable.filter { state.open[$0.path] == nil }, passedOver)
        }
    }

    /// Looks at the disk. Files that have not changed are not read.
    private func find(_ state: inout State) {
        let known = (files: state.onDisk, stamps: state.stamps)
        var stamps: [String: FileSystem.Stamp] = [:]
        var finder = ProjectFinder { path in
            guard let stamp = FileSystem.stamp(path) else { return nil }
            stamps[path] = stamp
            return known.stamps[path] == stamp ? known.files[path] : nil
        }
        for root in roots { finder.add(root) }
        let found = Set(finder.files.map(\.path))
        for path in state.open.keys.sorted() where !found.contains(path) {
            let folder = FilePath.folder(path)
            for name in (try? FileSystem.names(in: folder)) ?? [] where name.lowercased().hasSuffix(".xml") {
                let beside = FilePath.join(folder, name)
                if FileSystem.kind(beside) == .file { finder.addFile(beside, isNamed: false) }
            }
        }
        state.files = finder.files
        state.unreadable = finder.unreadable
        state.passedOver = finder.passedOver
        state.onDisk = Dictionary(finder.files.map { ($0.path, $0) }) { first, _ in first }
        state.stamps = stamps
        state.placeholders = state.placeholders.filter { state.onDisk[$0.key] != nil || state.open[$0.key] != nil }
        state.isFound = true
    }

    /// Whether a path comes first where folders are walked name by name.
    private static func isBefore(_ path: String, _ other: String) -> Bool {
        path.split(separator: "/").lexicographicallyPrecedes(other.split(separator: "/")) {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }
}
