import Diagnostics
import JSON
import Validation

/// The findings of a validation in the forms that people and machines read.
public enum FindingsFormat: String, CaseIterable, Sendable {
    /// For a person: the line, a caret, the remedy.
    case text
    /// Ours, documented in `docs/validate.md`.
    case json
    /// SARIF 2.1.0, as code scanning services take it.
    case sarif
    /// Commands for annotations in GitHub Actions.
    case github
    /// Commands for issues in Azure Pipelines.
    case azure
    /// A code quality report, as GitLab reads it.
    case gitlab
    /// JUnit XML: a test case a file.
    case junit
    /// For a comment or a summary.
    case markdown
    /// One page that opens offline.
    case html
}

/// Writes what a command found in files. One pure function a format.
public struct FindingsReport: Sendable {
    /// What reports findings.
    public struct Command: Sendable {
        /// As it is called, such as `b2c validate`.
        let name: String
        /// Whether a file with errors keeps it from its work: then that is an error, and not a test that failed.
        let isStopped: Bool

        /// `b2c run`, which runs nothing if a file has an error.
        public static let run = Command(name: "b2c run", isStopped: true)
        /// `b2c check`.
        public static let check = Command(name: "b2c check", isStopped: true)
        /// `b2c validate`.
        public static let validate = Command(name: "b2c validate", isStopped: false)
        /// `b2c policy plan`, whose findings are about what a release changes.
        public static let plan = Command(name: "b2c policy plan", isStopped: false)
        /// `b2c policy drift`.
        public static let drift = Command(name: "b2c policy drift", isStopped: false)
        /// `b2c policy migrate`, whose findings are verdicts.
        public static let migrate = Command(name: "b2c policy migrate", isStopped: false)
        /// `b2c extension test`, whose findings are failed cases.
        public static let extensionTest = Command(name: "b2c extension test", isStopped: false)
    }

    private let result: ValidationResult
    private let sources: [SourceText]
    private let version: String
    private let command: Command
    /// What else was seen, for the formats that programs read: members of the JSON report, properties of the SARIF run.
    public var properties = JSONObject()

    /// Cases that were tried, in place of files.
    public var cases: [Case] = []

    /// Something that was tried.
    public struct Case: Sendable {
        /// What it shows.
        public enum Result: Sendable {
            case passed
            case failed(Diagnostic)
            case skipped(reason: String)
        }

        let name: String
        let result: Result

        public init(_ name: String, _ result: Result) {
            self.name = name
            self.result = result
        }
    }

    /// - Parameters:
    ///   - sources: texts whose lines may be shown.
    ///   - version: of this program.
    public init(
        _ result: ValidationResult, sources: [SourceText], version: String, command: Command = .validate
    ) {
        self.result = result
        self.command = command
        self.sources = sources
        self.version = version
    }

    /// The report in a format; ends in a line feed unless it is empty.
    ///
    /// - Parameter path: Names a file from the folder of the repository, for annotations.
    public func text(
        _ format: FindingsFormat, color: Bool = false, path: (String) -> String = { $0 }
    ) -> String {
        func issues() -> [ReportIssue] {
            ReportIssue.all(result.diagnostics, sources: sources, path: path)
        }
        return switch format {
        case .text: plain(color: color)
        case .json: JSONWriter.pretty(json) + "\n"
        case .sarif:
            JSONWriter.pretty(SARIF(tool: command.name, version: version, properties: properties).log(result)) + "\n"
        case .github: issues().map { WorkflowCommands.gitHub($0) + "\n" }.joined()
        case .azure: issues().map { WorkflowCommands.azure($0) + "\n" }.joined()
        case .gitlab: GitLabReport.text(issues())
        case .junit:
            cases.isEmpty ? FindingsXML.junit(result, of: command) : FindingsXML.junit(cases, of: command)
        case .markdown:
            MarkdownReport.text(
                issues(), "## \(command.name): \(MarkdownReport.escaped(headline))\n", noun: "finding")
        case .html: FindingsPage.text(result, sources: sources, version: version, title: command.name, headline)
        }
    }

    /// The result in a few words.
    private var headline: String {
        command.isStopped && result.hasErrors ? "nothing ran: \(SeverityCounts.text(result.diagnostics))" : summary
    }

    private func plain(color: Bool) -> String {
        var text = ""
        if !result.findings.isEmpty {
            text += DiagnosticRenderer(color: color, sources: sources).render(result.diagnostics) + "\n\n"
        }
        return text + summary + "\n"
    }

    /// How much was checked and found, in a line.
    public var summary: String {
        var judged = result.judged.map { "\($0.count) \($0.count == 1 ? $0.kind.title : $0.kind.plural)" }
        if !cases.isEmpty { judged.append("\(cases.count) \(cases.count == 1 ? "case" : "cases")") }
        var parts = result.findings.isEmpty ? [] : [SeverityCounts.text(result.diagnostics)]
        if !result.suppressed.isEmpty { parts.append("\(result.suppressed.count) suppressed") }
        return (judged.isEmpty ? "nothing to check" : judged.joined(separator: ", ")) + ": "
            + (parts.isEmpty ? "all good" : parts.joined(separator: ", "))
    }

    private var json: JSONValue {
        var root = JSONObject()
        root["version"] = 1
        root["judged"] = .object(JSONObject(result.judged.map { ($0.kind.rawValue, .integer(Int64($0.count))) }))
        root["findings"] = .array(result.findings.map { .object(Self.json($0)) })
        root["suppressed"] = .array(
            result.suppressed.map { entry in
                var object = Self.json(entry.finding)
                object["reason"] = .string(entry.reason)
                return .object(object)
            })
        for (name, value) in properties.members { root[name] = value }
        return .object(root)
    }

    static func json(_ finding: Finding) -> JSONObject {
        let diagnostic = finding.diagnostic
        var object = JSONObject()
        object["rule"] = .string(diagnostic.rule)
        object["severity"] = .string(diagnostic.severity.rawValue)
        object["message"] = .string(diagnostic.message)
        object["remedy"] = diagnostic.remedy.map { .string($0) }
        if let place = diagnostic.location {
            object["file"] = .string(place.file)
            object["line"] = place.line.map { .integer(Int64($0)) }
            object["column"] = place.column.map { .integer(Int64($0)) }
            object["length"] = place.line == nil ? nil : .integer(Int64(place.length))
            object["pointer"] = place.pointer.map { .string($0) }
        }
        object["corrected"] = finding.corrected.map { .string($0) }
        object["fixable"] = finding.fix.map { .bool($0.isSafe) }
        return object
    }
}

/// How many findings there are of each severity.
public enum SeverityCounts {
    /// `1 error, 2 warnings, 1 advice`.
    public static func text(_ findings: [Diagnostic]) -> String {
        let words = [(Severity.error, "errors"), (.warning, "warnings"), (.advice, "advice")]
        return words.compactMap { severity, many in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(count == 1 ? severity.rawValue : many)"
        }
        .joined(separator: ", ")
    }
}
