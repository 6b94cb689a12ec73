import CommandKit
import Determinism
import Diagnostics
import Synchronization
import TrustFramework
import Validation

/// The files of folders as an editor has them: texts that are open, and for all others the disk.
package final class WorkspaceFiles: Sendable {
    private struct State: Sendable {
        /// Folders as commands show them.
        var roots: [String]
        /// What is on the disk below the roots and beside open texts, in the order of the finder.
        var files: [ProjectFile] = []
        var unreadable: [(path: String, reason: String)] = []
        var passedOver: [(path: String, reason: String)] = []
        /// The same by path, and when it was read.
        var onDisk: [String: ProjectFile] = [:]
        var stamps: [String: FileSystem.Stamp] = [:]
        /// How often the disk was to be looked at, and how often it had been when all that was found.
        var wanted = 1
        var found = 0
        /// Texts that are open.
        var open: [String: ProjectFile] = [:]
        /// Other files that were asked for.
        var others: [String: (stamp: FileSystem.Stamp, bytes: [UInt8])] = [:]
        /// Whether a text has placeholders for settings.
        var placeholders: [String: (bytes: [UInt8], has: Bool)] = [:]
        /// The values that a settings file had when it could be read last.
        var settings: [String: [(name: String, value: String)]] = [:]
    }

    /// The rule of settings files.
    package static let settingsRule = "B2C-POL-092"

    /// So many bytes of files that are not checked are kept.
    private static let mostOthers = 32 << 20

    private let state: Mutex<State>
    /// One look at the disk at a time; a second one that waits takes what the first one found.
    private let turn = Mutex<Void>(())

    /// - Parameter roots: Folders as commands show them, such as `.`. One that does not exist yet counts once it does.
    package init(roots: [String]) { state = Mutex(State(roots: roots.map(Self.shown))) }

    /// Takes other folders.
    package func setRoots(_ roots: [String]) {
        state.withLock { state in
            state.roots = roots.map(Self.shown)
            state.wanted += 1
        }
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
            if isNew { state.wanted += 1 }
        }
    }

    /// The disk is looked at again once somebody asks: files were saved, made or removed outside of the editor. Takes no
    /// time.
    package func refresh() { state.withLock { $0.wanted += 1 } }

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

    /// The same with the number of this look at the disk; `nil` if there was none after the one with the number `last`.
    package func files(since last: Int) -> (files: [ProjectFile], number: Int)? {
        look()
        let number = state.withLock { $0.found }
        return number == last ? nil : (files, number)
    }

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
                    let read = try PolicyEnvironments.read(file: path, bytes: self.read(path))
                        .environment(values.environment).values
                    self.state.withLock { $0.settings[path] = read }
                    return read
                } catch {
                    // Policies have no findings because of a mistake there.
                    problems += error.diagnostics
                    return self.state.withLock { $0.settings[path] } ?? []
                }
            })
        if project.lacksSettings(values), let name = values.environment {
            let message = "the environment \(name) has no values: no appsettings.json lies beside the policies"
            problems.append(Diagnostic(rule: Self.settingsRule, message))
        }
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
        look()
        return state.withLock { state in
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

    /// Looks at the disk if it has to be. Files that have not changed are not read. Texts are opened and closed meanwhile.
    private func look() {
        turn.withLock { _ in
            let known = state.withLock { $0 }
            guard known.found != known.wanted else { return }
            var stamps: [String: FileSystem.Stamp] = [:]
            var finder = ProjectFinder { path in
                guard let stamp = FileSystem.stamp(path) else { return nil }
                stamps[path] = stamp
                return known.stamps[path] == stamp ? known.onDisk[path] : nil
            }
            for root in known.roots where FileSystem.kind(root) != nil { finder.add(root) }
            let found = Set(finder.files.map(\.path))
            for path in known.open.keys.sorted() where !found.contains(path) {
                let folder = FilePath.folder(path)
                for name in (try? FileSystem.names(in: folder)) ?? [] where name.lowercased().hasSuffix(".xml") {
                    let beside = FilePath.join(folder, name)
                    if FileSystem.kind(beside) == .file { finder.addFile(beside, isNamed: false) }
                }
            }
            let onDisk = Dictionary(finder.files.map { ($0.path, $0) }) { first, _ in first }
            state.withLock { state in
                state.files = finder.files
                state.unreadable = finder.unreadable
                state.passedOver = finder.passedOver
                state.onDisk = onDisk
                state.stamps = stamps
                state.placeholders = state.placeholders.filter { onDisk[$0.key] != nil || state.open[$0.key] != nil }
                state.found = known.wanted
            }
        }
    }

    /// Whether a path comes first where folders are walked name by name.
    private static func isBefore(_ path: String, _ other: String) -> Bool {
        path.split(separator: "/").lexicographicallyPrecedes(other.split(separator: "/")) {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }
}
