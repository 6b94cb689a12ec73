import CommandKit
import Diagnostics
import Reports

extension FindingsFormat {
    /// Writes a report of this format.
    func write(_ text: String, to output: Output) {
        switch self {
        case .text: output.write(text)
        case .github: output.write(commands: text, of: .gitHub)
        default: output.write(data: text)
        }
    }

    /// Writes a report of this format to a file, or ends the command with a sentence that names the file.
    func save(_ text: String, to file: String) throws {
        guard file != OutputFile.standardOutput else { return write(text, to: Machine.out) }
        try OutputFile.save(text, to: file)
    }
}

/// Prints findings with the lines they are about.
struct FindingsPrinter {
    private let renderer: DiagnosticRenderer

    init(color: Bool, sources: [SourceText]) {
        renderer = DiagnosticRenderer(color: color, sources: sources.map { FileSystem.shown($0) })
    }

    /// All findings in the order of the files, once each, and how many there are.
    func print(_ findings: [Diagnostic]) {
        var seen: Set<Diagnostic> = []
        let all = findings.filter { seen.insert($0).inserted }
        guard !all.isEmpty else { return }
        Machine.error.write(renderer.renderGrouped(all) + "\n")
        let errors = all.count { $0.severity == .error }
        let others = all.count - errors
        var parts: [String] = []
        if errors > 0 { parts.append("\(errors) \(errors == 1 ? "error" : "errors")") }
        if others > 0 { parts.append("\(others) \(others == 1 ? "remark" : "remarks")") }
        Machine.error.write("\n" + parts.joined(separator: ", ") + "\n")
    }
}
