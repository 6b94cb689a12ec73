import CommandKit
import Diagnostics
import Reports

extension FindingsFormat {
    /// The format that an option names, else the environment.
    package static func chosen(_ given: FindingsFormat) -> FindingsFormat {
        guard given == .text, let name = Machine.environment("B2C_FORMAT") else { return given }
        return FindingsFormat(rawValue: name.lowercased()) ?? given
    }

    /// Writes a report of this format.
    package func write(_ text: String, to output: Output) {
        switch self {
        case .text: output.write(text)
        case .github: output.write(commands: text, of: .gitHub)
        case .azure: output.write(commands: text, of: .azure)
        default: output.write(data: text)
        }
    }

    /// Writes a report of this format to a file, or ends the command with a sentence that names the file.
    package func save(_ text: String, to file: String) throws {
        guard file != OutputFile.standardOutput else { return write(text, to: Machine.out) }
        try OutputFile.save(text, to: file)
    }

    /// Names a file from the folder of the repository, which is where the service that reads this format looks for it.
    package func path(_ file: String) -> String {
        switch self {
        case .github: Self.path(file, in: "GITHUB_WORKSPACE")
        case .azure: Self.path(file, in: "BUILD_SOURCESDIRECTORY")
        case .gitlab: Self.path(file, in: "CI_PROJECT_DIR")
        default: file
        }
    }

    /// - Parameter variable: Names the folder of the repository. It counts if it contains the working folder.
    private static func path(_ file: String, in variable: String) -> String {
        guard let root = Machine.environment(variable), root.hasPrefix("/") else { return file }
        let here = FilePath.relative(Machine.currentFolder, to: root)
        guard !here.hasPrefix("..") else { return file }
        return file.hasPrefix("/") ? FilePath.relative(file, to: root) : FilePath.normalised(FilePath.join(here, file))
    }
}

extension LogService {
    /// The format of annotations.
    private var format: FindingsFormat { self == .gitHub ? .github : .azure }

    /// The services whose log this is, for commands without options for them.
    package static var annotating: [LogService] {
        allCases.filter { Machine.environment($0.variable)?.lowercased() == "true" }
    }

    /// Names a file as the service looks for it.
    package func path(_ file: String) -> String { format.path(file) }

    /// Annotates findings where the service shows them.
    package func annotate(_ findings: [Diagnostic], on output: Output) {
        output.write(commands: WorkflowCommands.text(findings.shown, of: self, path: path), of: self)
    }
}

extension FindingsReport {
    /// Writes findings to a file, or prints them.
    package func write(_ format: FindingsFormat, to file: String?, color: Bool = false) throws {
        let text = text(format, color: color, path: format.path)
        if let file { try format.save(text, to: file) } else { format.write(text, to: Machine.out) }
    }
}

/// Prints findings with the lines they are about.
package struct FindingsPrinter {
    private let renderer: DiagnosticRenderer

    package init(color: Bool = Machine.error.style.usesColor, sources: [SourceText]) {
        renderer = DiagnosticRenderer(color: color, sources: sources.map { FileSystem.shown($0) })
    }

    package init(_ common: CommonOptions, sources: [SourceText]) {
        self.init(color: common.style(for: Machine.error).usesColor, sources: sources)
    }

    /// - Parameters:
    ///   - file: The file that findings are about.
    ///   - bytes: Its content.
    package init(_ common: CommonOptions, _ file: String, _ bytes: [UInt8]) {
        self.init(common, sources: [SourceText(file: file, bytes: bytes)])
    }

    /// All findings in the order of the files, once each, and how many there are.
    ///
    /// - Parameter strictness: What makes warnings errors; `nil`: they are warnings.
    package func print(_ findings: [Diagnostic], strictness: String? = nil) {
        var seen: Set<Diagnostic> = []
        let all = findings.filter { seen.insert($0).inserted }
        guard !all.isEmpty else { return }
        if let collector = FindingCollector.current { return collector.add(all) }
        Machine.error.write(sentences: renderer.renderGrouped(all) + "\n\n" + SeverityCounts.text(all) + "\n")
        let count = all.count { $0.severity == .warning }
        guard let strictness, count > 0 else { return }
        Machine.error.write(
            sentences:
                "\(count == 1 ? "the warning counts as an error" : "warnings count as errors") because of \(strictness)\n"
        )
    }

    /// Prints findings that end the command.
    package func failure(_ findings: [Diagnostic]) -> Failure {
        print(findings)
        return Failure.found(findings)
    }
}

extension [Diagnostic] {
    /// As reports have them: what is about a link to a file outside has none of that file's words.
    package var shown: [Diagnostic] {
        map { finding in
            guard let file = finding.location?.file, FileSystem.linkOutside(file) != nil else { return finding }
            var finding = finding
            finding.message = DiagnosticRenderer.withoutQuotations(finding.message)
            finding.remedy = finding.remedy.map { DiagnosticRenderer.withoutQuotations($0) }
            return finding
        }
    }

    /// With warnings as errors, each of which says why.
    ///
    /// - Parameters:
    ///   - strictness: What makes them errors; `nil`: nothing.
    ///   - counts: Which warnings that is true of.
    package func strict(_ strictness: String?, where counts: (Diagnostic) -> Bool = { $0.severity == .warning })
        -> [Diagnostic]
    {
        guard let strictness else { return self }
        return map { finding in
            guard counts(finding) else { return finding }
            var finding = finding
            finding.severity = .error
            let reason = "This warning counts as an error because of \(strictness)."
            finding.remedy = finding.remedy.map { "\($0) \(reason)" } ?? reason
            return finding
        }
    }
}
