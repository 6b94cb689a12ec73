import CommandKit
import Diagnostics
import Synchronization

/// Takes what functions of the commands print about policies and scripts, for callers that do not print.
package final class FindingCollector: Sendable {
    /// Where findings and warnings of this task go; `nil`: to the error output.
    @TaskLocal package static var current: FindingCollector?

    private let state = Mutex<(findings: [Diagnostic], warnings: [String])>(([], []))

    package init() {}

    /// Findings in the order in which they came, once each.
    package var findings: [Diagnostic] { state.withLock { $0.findings } }
    /// Warnings without a place, in sentences.
    package var warnings: [String] { state.withLock { $0.warnings } }

    package func add(_ findings: [Diagnostic]) {
        state.withLock { state in state.findings += findings.filter { !state.findings.contains($0) } }
    }

    /// Prints a warning, or hands it to the collector of this task.
    ///
    /// - Parameter word: What precedes it in print.
    package static func warn(_ sentence: String, as word: String = "warning") {
        guard let current else { return Machine.error.write("\(word): \(sentence)\n") }
        current.state.withLock { if !$0.warnings.contains(sentence) { $0.warnings.append(sentence) } }
    }
}
