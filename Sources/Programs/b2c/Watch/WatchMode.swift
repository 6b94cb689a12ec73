import CommandFiles
import CommandKit
import Diagnostics
import Reports
import ScenarioRunner
import Scenarios

/// `b2c run --watch`: runs everything once, then again what a change touches.
final class WatchMode {
    /// How long the keyboard is listened to between two looks at the files.
    private static let interval: Int32 = 80
    /// Editors write a file in several steps.
    private static let settling: UInt32 = 25

    private let command: RunCommand
    private let terminal = WatchTerminal()
    /// How each scenario ended last, by file and case.
    private var results: [RunKey: RunStatus] = [:]
    /// The tenant file of each script, and the folders with its policies.
    private var tenants: [String: (file: String, folders: [String])] = [:]
    private var stamps: [String: FileSystem.Stamp?] = [:]
    private var names: [String: Set<String>] = [:]
    private var filter: String?

    /// - Throws: ``Failure`` for options that do not go with watching.
    init(_ command: RunCommand) throws {
        func refuse(_ option: String, _ why: String) throws {
            throw Failure.usage("--watch and \(option): \(why); use one of them")
        }
        let manner = command.manner
        if manner.step { try refuse("--step", "both ask at the terminal") }
        if manner.seeds != nil || manner.repeat != nil {
            try refuse(manner.seeds == nil ? "--repeat" : "--seeds", "a watched suite runs with one seed")
        }
        if manner.bundling.bundle != nil { try refuse("--bundle", "a bundle holds one run") }
        if command.filter.list { try refuse("--list", "one runs scenarios and the other lists them") }
        if command.filter.shard != nil || command.filter.part != nil {
            try refuse(command.filter.shard == nil ? "--part" : "--shard", "shards are for machines of a CI service")
        }
        self.command = command
    }

    func perform() async throws {
        defer { terminal.restore() }
        FileSystem.keepLog()
        try await run(nil)
        while true {
            switch terminal.next(milliseconds: Self.interval) {
            case .key("q"), .key("\u{4}"):
                return
            case .key("a"), .key("\n"):
                filter = nil
                try await run(nil)
            case .key("f"):
                let failed = Set(results.filter { !$0.value.isGood }.map(\.key.file)).sorted()
                guard !failed.isEmpty else {
                    Machine.error.write("nothing failed\n")
                    continue
                }
                try await run(failed)
            case .key("t"):
                let text = terminal.line("only scenarios whose name contains (empty: all): ")
                filter = text.isEmpty ? nil : text
                try await run(nil)
            case .key("?"), .key("h"):
                say()
            case .key, .nothing:
                try await look()
            }
        }
    }

    // MARK: Changes

    /// Runs what changed since the last look.
    private func look() async throws {
        var changed = changes()
        guard !changed.isEmpty else { return }
        while true {
            Machine.rest(milliseconds: Self.settling)
            let more = changes()
            if more.isEmpty { break }
            changed.formUnion(more)
        }
        let gone = changed.filter { FileSystem.kind($0) == nil }
        for file in gone where tenants[file] != nil {
            tenants[file] = nil
            results = results.filter { $0.key.file != file }
        }
        var scripts: Set<String> = []
        var isEverything = false
        for file in changed.subtracting(gone).union(gone.filter { tenants[$0] == nil }) {
            let touched = self.scripts(touchedBy: file)
            if touched.isEmpty, FilePath.name(file) != ".DS_Store" {
                isEverything = isEverything || stamps[file] != nil
            }
            scripts.formUnion(touched)
        }
        let shown =
            changed.sorted().prefix(3).joined(separator: ", ")
            + (changed.count > 3 ? " and \(changed.count - 3) more" : "")
        Machine.error.write("\nchanged: \(shown)\n")
        try await run(isEverything || tenants.isEmpty ? nil : scripts.sorted())
    }

    /// Files whose content is another one than at the last look, and new scripts.
    private func changes() -> Set<String> {
        var changed: Set<String> = []
        // Files that runs keep for later ones do not belong to a suite.
        for path in FileSystem.logged where path != LastFailed.file && path != LocalFolder.name {
            let stamp = FileSystem.stamp(path)
            if stamp?.isFolder == true {
                guard let known = stamps[path] else { continue }
                if known != stamp { changed.formUnion(newNames(in: path)) }
            } else if let known = stamps[path], known != stamp {
                changed.insert(path)
            }
            stamps[path] = stamp
        }
        return changed
    }

    /// Scripts that a folder has now and did not have before.
    private func newNames(in folder: String) -> Set<String> {
        let now = Set((try? FileSystem.names(in: folder)) ?? [])
        let new = now.subtracting(names[folder] ?? [])
        names[folder] = now
        return Set(new.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { FilePath.join(folder, $0) })
    }

    /// The scripts that a file belongs to; empty: all of them might.
    private func scripts(touchedBy file: String) -> Set<String> {
        if tenants[file] != nil { return [file] }
        let byTenant = tenants.filter { $0.value.file == file }
        if !byTenant.isEmpty { return Set(byTenant.keys) }
        let byFolder = tenants.filter { _, tenant in
            tenant.folders.contains { $0 == "." || file.hasPrefix($0 + "/") }
        }
        if !byFolder.isEmpty { return Set(byFolder.keys) }
        // A script that is new, or that was broken until now.
        let isScript =
            stamps[file] == nil
            || (try? FileSystem.read(file)).map { String(decoding: $0, as: UTF8.self).contains("\"steps\"") } ?? false
        return isScript && file.hasSuffix(".json") ? [file] : []
    }

    // MARK: Running

    /// - Parameter files: `nil`: everything that the arguments name.
    private func run(_ files: [String]?) async throws {
        var command = command
        if let files {
            let left = files.filter { FileSystem.kind($0) == .file }
            guard !left.isEmpty else {
                say()
                return
            }
            command.paths = left
        }
        if let filter { command.filter.name = filter }
        do {
            var run = try RunSession(command)
            run.observe = { [weak self] report, suite in self?.keep(report, suite, isWhole: files == nil) }
            try await run.perform()
        } catch let failure as Failure {
            if let text = failure.printed(by: B2C.name) { Machine.error.write(text) }
            // What cannot run does not keep its good result.
            if let files, failure.status == .input {
                for key in results.keys where files.contains(key.file) { results[key] = .failed }
            }
            // The first run shows whether the command can be used at all.
            if failure.status == .usage, files == nil, results.isEmpty, filter == nil { throw Failure.silent(.usage) }
        }
        snapshot()
        if files != nil { Machine.error.write(counts) }
        say()
    }

    private func keep(_ report: RunReport, _ suite: ChosenSuite, isWhole: Bool) {
        if isWhole, filter == nil { results = [:] }
        for scenario in report.scenarios where scenario.status != .notRun {
            results[RunKey(scenario)] = scenario.status
        }
        for scenario in suite.scenarios {
            let tenant = scenario.tenant
            let file = tenant.document.source.file
            let folder = FilePath.folder(file)
            tenants[scenario.file] = (
                file, tenant.tenant.policyFolders.map { FilePath.normalised(FilePath.join(folder, $0)) }
            )
        }
    }

    /// Everything that was read, as it is now.
    private func snapshot() {
        for path in FileSystem.logged where stamps[path] == nil {
            let stamp = FileSystem.stamp(path)
            stamps[path] = stamp
            if stamp?.isFolder == true { names[path] = Set((try? FileSystem.names(in: path)) ?? []) }
        }
    }

    private var counts: String {
        let bad = results.values.count { !$0.isGood }
        return "all \(results.count): \(results.count - bad) passed, \(bad) failed\n"
    }

    private func say() {
        let only = filter.map { "names with \"\($0)\"; " } ?? ""
        Machine.error.write(
            "watching \(tenants.count) scripts; \(only)a runs all, f what failed, t filters by name, q quits\n")
    }
}
