import CommandFiles
import Determinism
import Diagnostics
import ScenarioRunner
import Synchronization
import TenantFiles
import Validation

/// What is wrong in a workspace, kept up to date with little work: the same that `b2c validate` reports of its folders,
/// and what is wrong with target and project files that are open.
package final class WorkspaceFindings: Sendable {
    private let values: PolicyValueSource
    private let clock: any WallClock
    private let policies = PolicyMemory()
    private let scripts = ScriptMemory()
    private let published = Mutex<[String: [Finding]]>([:])
    /// What was found in scenarios and tenant files last.
    private let scripted = Mutex<[Finding]>([])
    /// One search at a time: the next one waits until this one notices that it is cancelled.
    private let turn = Mutex<Void>(())

    /// - Parameters:
    ///   - values: Values for `{Settings:NAME}`: of the file that is named, else of those beside the policies.
    package init(values: PolicyValueSource, clock: any WallClock) {
        (self.values, self.clock) = (values, clock)
    }

    /// Finds everything again.
    ///
    /// - Parameters:
    ///   - files: The files as they are.
    ///   - focus: The file that was just edited: what concerns it comes first.
    ///   - isCancelled: Asked often; `true` ends the search, and nothing more is published.
    ///   - publish: Takes all findings of one file, also when there are none any more; called for files whose findings
    ///     differ from what was published last, and for `focus` always. `file` is empty for an environment without a
    ///     settings file.
    package func update(
        _ files: WorkspaceFiles, focus: String?, isCancelled: @Sendable () -> Bool,
        publish: (_ file: String, _ findings: [Finding]) -> Void
    ) {
        turn.withLock { _ in
            guard !isCancelled() else { return }
            let (project, problems) = files.project(values: values, memory: policies, now: clock.now())
            let open = files.openFiles.flatMap(Self.findings) + problems.map { Finding($0) }
            var steps = StepwiseValidation(project)

            if let focus {
                let own = steps.chains(of: focus)
                var left = StepwiseValidation.firstChains
                for chain in own where left > 0 && !steps.isChecked(chain) {
                    guard !isCancelled() else { return }
                    steps.check(chain)
                    left -= 1
                }
                let more = project.files.first { $0.path == focus }.map { scripts.findings($0, in: files) } ?? []
                let first = steps.findings(in: focus, more: more + open)
                guard !isCancelled() else { return }
                published.withLock { $0[focus] = first.isEmpty ? nil : first }
                publish(focus, first)
                for chain in own where !steps.isChecked(chain) {
                    guard !isCancelled() else { return }
                    steps.check(chain)
                }
            }
            for chain in steps.chains() where !steps.isChecked(chain) {
                guard !isCancelled() else { return }
                steps.check(chain)
            }
            // Scenarios may take seconds: what else is wrong with policies does not wait for them.
            if project.files.contains(where: { $0.kind == .scenario }) {
                let known = scripted.withLock { $0 }.filter { $0.diagnostic.location?.file != focus }
                let result = steps.result(more: known + open)
                let kept = Set(project.files(.policy).map(\.path))
                publishChanges(result, in: { kept.contains($0) }, isCancelled: isCancelled, publish: publish)
            }
            guard let new = scripts.findings(project.files, in: files, isCancelled: isCancelled) else { return }
            scripted.withLock { $0 = new }
            publishChanges(
                steps.result(more: new + open), in: { _ in true }, isCancelled: isCancelled, publish: publish)
        }
    }

    /// Publishes the files that have other findings than what was published of them last.
    private func publishChanges(
        _ result: ValidationResult, in isWanted: (String) -> Bool, isCancelled: () -> Bool,
        publish: (_ file: String, _ findings: [Finding]) -> Void
    ) {
        var byFile = Dictionary(grouping: result.findings) { $0.diagnostic.location?.file ?? "" }
        byFile[""]?.removeAll { $0.diagnostic.rule != WorkspaceFiles.settingsRule }
        let last = published.withLock { $0 }
        for file in Set(last.keys).union(byFile.keys).sorted() where isWanted(file) {
            let found = byFile[file] ?? []
            guard last[file] ?? [] != found else { continue }
            guard !isCancelled() else { return }
            published.withLock { $0[file] = found.isEmpty ? nil : found }
            publish(file, found)
        }
    }

    /// The findings of a file as published last.
    package func findings(of path: String) -> [Finding] { published.withLock { $0[path] ?? [] } }

    /// What is wrong with a target or project file, which `b2c validate` does not look at.
    private static func findings(_ file: ProjectFile) -> [Finding] {
        do throws(InvalidInput) {
            switch LanguageKind.of(path: file.path, bytes: file.source.bytes, known: nil) {
            case .target:
                let target = try TargetFile.read(file: file.path, bytes: file.source.bytes)
                return (target.document.notes + target.unreadableTexts).map { Finding($0) }
            case .project: _ = try ProjectSettings(bytes: file.source.bytes, file: file.path, profile: nil)
            default: break
            }
            return []
        } catch {
            return error.diagnostics.map { Finding($0) }
        }
    }
}
