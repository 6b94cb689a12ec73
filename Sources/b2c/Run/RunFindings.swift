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

    /// Prints findings with their lines.
    ///
    /// - Parameter withAdvice: Whether advice is among them although the run is not verbose.
    func print(_ findings: [Diagnostic], files: [FoundFile] = [], withAdvice: Bool = false) {
        guard !isSilent else { return }
        let shown = findings.filter { $0.severity > .advice || withAdvice || common.isVerbose }
        FindingsPrinter(
            color: common.style(for: Machine.error).usesColor,
            sources: Scripts.sources(of: shown, known: files, read: read)
        )
        .print(shown)
    }

    /// The end of a run that did not begin, printed. Where nothing is shown of the run, the first error is its text.
    func nothingRan(_ findings: [Diagnostic], files: [FoundFile] = []) -> Failure {
        if isSilent, let first = findings.first(where: { $0.severity == .error }) {
            return Failure.whole(.input, first.message)
        }
        print(findings, files: files)
        Machine.error.write("nothing ran\n")
        return Failure.silent(.input)
    }
}
