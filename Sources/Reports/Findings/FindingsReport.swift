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
    /// JUnit XML: a test case a file.
    case junit
    /// Checkstyle XML.
    case checkstyle
}

/// Writes what a validation found. One pure function a format.
public struct FindingsReport: Sendable {
    private let result: ValidationResult
    private let sources: [SourceText]
    private let version: String
    /// What else was seen, for the formats that programs read: members of the JSON report, properties of the SARIF run.
    public var properties = JSONObject()

    /// - Parameters:
    ///   - sources: texts whose lines may be shown.
    ///   - version: of this program.
    public init(_ result: ValidationResult, sources: [SourceText], version: String) {
        self.result = result
        self.sources = sources
        self.version = version
    }

    /// The report in a format; ends in a line feed unless it is empty.
    public func text(_ format: FindingsFormat, color: Bool = false) -> String {
        switch format {
        case .text: plain(color: color)
        case .json: JSONWriter.pretty(json) + "\n"
        case .sarif: JSONWriter.pretty(SARIF(version: version, properties: properties).log(result)) + "\n"
        case .github: GitHubCommands.text(result.findings)
        case .junit: FindingsXML.junit(result)
        case .checkstyle: FindingsXML.checkstyle(result)
        }
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
        let judged = result.judged.map { "\($0.count) \($0.count == 1 ? $0.kind.title : $0.kind.plural)" }
        var parts: [String] = []
        for (severity, one, many) in [
            (Severity.error, "error", "errors"), (.warning, "warning", "warnings"), (.advice, "advice", "advice"),
        ] {
            let count = result.diagnostics.count { $0.severity == severity }
            if count > 0 { parts.append("\(count) \(count == 1 ? one : many)") }
        }
        if !result.suppressed.isEmpty { parts.append("\(result.suppressed.count) suppressed") }
        return (judged.isEmpty ? "nothing to check" : judged.joined(separator: ", ")) + ": "
            + (parts.isEmpty ? "all good" : parts.joined(separator: ", "))
    }

    private var json: JSONValue {
        var root = JSONObject()
        root["version"] = 1
        root["judged"] = .object(JSONObject(result.judged.map { ($0.kind.rawValue, .integer(Int64($0.count))) }))
        root["findings"] = .array(result.findings.map { .object(json($0)) })
        root["suppressed"] = .array(
            result.suppressed.map { entry in
                var object = json(entry.finding)
                object["reason"] = .string(entry.reason)
                return .object(object)
            })
        for (name, value) in properties.members { root[name] = value }
        return .object(root)
    }

    private func json(_ finding: Finding) -> JSONObject {
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
