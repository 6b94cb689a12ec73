import CommandFiles
import CommandKit
import Diagnostics
import Reports

/// How a run reports what is wrong with its files.
struct RunFindings {
    let common: CommonOptions
    /// Whether nothing of the run is shown.
    let isSilent: Bool
    /// Brings the text that a finding points into.
    let read: @Sendable (String) -> [UInt8]?
    /// What makes warnings errors; `nil`: they are warnings.
    let strictness: String?
    /// Where annotations go.
    let outputs: RunReports

    /// Prints findings with their lines, and annotates them.
    func print(_ findings: [Diagnostic], files: [FoundFile] = []) {
        let shown = shown(findings)
        printed(shown, files)
        outputs.annotate(shown)
    }

    /// The end of a run that did not begin, printed. Where nothing is shown of the run, the first error is its text.
    ///
    /// - Parameters:
    ///   - isStrict: Whether warnings count as errors where the run is strict.
    ///   - withAdvice: Whether advice is among the findings although the run is not verbose.
    func nothingRan(
        _ findings: [Diagnostic], files: [FoundFile] = [], isStrict: Bool = false, withAdvice: Bool = false
    ) -> Failure {
        let strictness = isStrict ? strictness : nil
        let strict = findings.strict(strictness)
        if isSilent, let first = strict.first(where: { $0.severity == .error }) {
            return Failure.whole(.input, first.message)
        }
        printed(withAdvice ? findings : shown(findings), files, strictness: strictness)
        Machine.error.write("nothing ran\n")
        return Failure.found(withAdvice ? strict : shown(strict))
    }

    private func shown(_ findings: [Diagnostic]) -> [Diagnostic] {
        findings.filter { $0.severity > .advice || common.isVerbose }
    }

    private func printed(_ findings: [Diagnostic], _ files: [FoundFile], strictness: String? = nil) {
        guard !isSilent else { return }
        FindingsPrinter(common, sources: Scripts.sources(of: findings, known: files, read: read))
            .print(findings, strictness: strictness)
    }
}
