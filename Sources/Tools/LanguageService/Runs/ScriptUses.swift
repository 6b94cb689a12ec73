import CommandFiles
import Diagnostics
import JSON
import ScenarioRunner
import Scenarios
import Synchronization
import TrustFramework

/// Which scripts use the elements of policies: found by running them, kept while the files stay as they are.
package final class ScriptUses: Sendable {
    /// Scripts that are run to find out, at most.
    private static let mostScripts = 60

    /// What one script did.
    private struct Use: Sendable {
        /// Technical profiles that ran, in small letters; `nil`: the script cannot run.
        var profiles: Set<String>?
        /// The texts that it was found with, by path; `nil`: the workspace had none.
        var texts: [String: LanguageFile?]

        func isCurrent(in workspace: LanguageWorkspace) -> Bool {
            texts.allSatisfy { workspace.file($0.key) === $0.value }
        }
    }

    /// By path of the script: what is known, or about to be.
    private let known = Mutex<[String: Task<Use, Never>]>([:])

    package init() {}

    /// Paths of the scripts that run a technical profile of a policy file, or of one that inherits from it, and how
    /// many scripts have errors, so that what they run is not known.
    ///
    /// - Returns: `nil` if too many scripts would have to run to know it, or the task was cancelled.
    /// - Throws: ``LanguageRefusal`` if the workspace has no such file, or the file and its parents no such profile.
    package func scripts(
        running profile: String, of file: String, in workspace: LanguageWorkspace, runs: LanguageRuns
    ) async throws -> (paths: [String], broken: Int)? {
        guard workspace.file(file) != nil else {
            throw LanguageRefusal("there is no file \(file). Save it, or choose a policy of this folder.")
        }
        let names = workspace.names(of: .technicalProfile, seenFrom: file)
        guard names.contains(where: { sameID($0, profile) }) else {
            let near = didYouMean(nearestName(profile, among: names)) ?? "Name a profile of the file or of its parents."
            throw LanguageRefusal("\(file) has no technical profile \(profile). \(near)")
        }
        let family = Set([file] + workspace.families.descendants(file))
        let candidates = workspace.files.values.filter { script in
            script.kind == .scenario
                && (Self.policies(of: script, in: workspace)?.contains { family.contains($0) } ?? true)
        }
        guard candidates.count <= Self.mostScripts else { return nil }
        known.withLock { known in known = known.filter { workspace.file($0.key) != nil } }
        var (paths, broken): ([String], Int) = ([], 0)
        for path in candidates.map(\.path).sorted() {
            let use = await use(of: path, in: workspace, runs)
            if Task.isCancelled { return nil }
            guard let profiles = use.profiles else {
                broken += 1
                continue
            }
            if profiles.contains(profile.lowercased()) { paths.append(path) }
        }
        return (paths, broken)
    }

    /// The files of the custom policies that a script's tenant has and that the script or an app of the tenant names;
    /// `nil`: a text is broken and may have lost some.
    private static func policies(of script: LanguageFile, in workspace: LanguageWorkspace) -> [String]? {
        func isBroken(_ json: JSONOutline) -> Bool { json.nodes.contains { $0.kind == .missing || !$0.isClosed } }
        guard let json = script.json, !isBroken(json) else { return nil }
        guard let tenant = json.node(at: "tenant") else { return [] }
        let file = json.nodes[tenant].text.map { workspace.file(ScenarioPath.resolve($0, from: script.path)) } ?? script
        guard let file, let outline = file.json else { return [] }
        guard !isBroken(outline) else { return nil }
        guard let policies = outline.node(at: file === script ? "tenant/policies" : "policies") else { return [] }
        let apps = outline.node(at: file === script ? "tenant/apps" : "apps").map { outline.nodes[$0].value } ?? 0..<0
        func isNamed(_ policy: String) -> Bool {
            outline.nodes[policies].children.count == 1 || json.nodes.contains { $0.text == policy }
                || outline.nodes.contains { $0.text == policy && apps.contains($0.value.lowerBound) }
        }
        return outline.nodes[policies].children.compactMap { policy in
            guard isNamed(outline.nodes[policy].token) else { return nil }
            let member = outline.nodes[policy].children.first { outline.nodes[$0].token == "file" }
            return member.flatMap { outline.nodes[$0].text }.map { ScenarioPath.resolve($0, from: file.path) }
        }
    }

    /// What a script does. It runs once, however many ask.
    private func use(of path: String, in workspace: LanguageWorkspace, _ runs: LanguageRuns) async -> Use {
        while true {
            let before = known.withLock { $0[path] }
            if let use = await before?.value, use.isCurrent(in: workspace) { return use }
            let task = known.withLock { known -> Task<Use, Never>? in
                guard known[path] == before else { return nil }
                let task = Task { await Self.run(path, in: workspace, runs) }
                known[path] = task
                return task
            }
            if let task { return await task.value }
        }
    }

    private static func run(_ path: String, in workspace: LanguageWorkspace, _ runs: LanguageRuns) async -> Use {
        let watch = ProfileWatch(workspace, path)
        var watched = runs
        watched.read = { watch.read($0) ?? runs.read($0) }
        let coverage = PolicyCoverage()
        guard let scenario = (try? watched.scenarios([path]))?.first else {
            return Use(profiles: nil, texts: watch.texts)
        }
        let inputs = (try? watched.inputs(for: [scenario])) ?? RunInputs(for: [scenario], target: nil)
        var options = inputs.options(files: watched.files)
        options.coverage = coverage
        let start = await PolicyChecks.start(of: [scenario], options)
        guard !start.findings.hasErrors else { return Use(profiles: nil, texts: watch.texts) }
        options.prepared = start.prepared
        _ = await Runner.run(scenario, options: options)
        return Use(profiles: coverage.profilesThatRan, texts: watch.texts)
    }

    /// Remembers which files of a workspace were read.
    private final class ProfileWatch: Sendable {
        private let workspace: LanguageWorkspace
        private let seen: Mutex<[String: LanguageFile?]>

        init(_ workspace: LanguageWorkspace, _ path: String) {
            self.workspace = workspace
            seen = Mutex([path: workspace.file(path)])
        }

        var texts: [String: LanguageFile?] { seen.withLock { $0 } }

        func read(_ path: String) -> [UInt8]? {
            let file = workspace.file(path)
            seen.withLock { $0[path] = .some(file) }
            return file?.source.bytes
        }
    }
}
