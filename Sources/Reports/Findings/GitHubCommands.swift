import Diagnostics
import Validation

/// Workflow commands that GitHub Actions turns into annotations of a pull request.
enum GitHubCommands {
    static func text(_ findings: [Finding]) -> String {
        findings.map { line($0.diagnostic) + "\n" }.joined()
    }

    private static func line(_ diagnostic: Diagnostic) -> String {
        let kind =
            switch diagnostic.severity {
            case .error: "error"
            case .warning: "warning"
            case .advice: "notice"
            }
        var properties: [String] = []
        if let place = diagnostic.location {
            properties.append("file=\(property(place.file))")
            if let line = place.line { properties.append("line=\(line)") }
            if let column = place.column {
                properties.append("col=\(column)")
                properties.append("endColumn=\(column + max(place.length, 1))")
            }
        }
        properties.append("title=\(property(diagnostic.rule))")
        let text = diagnostic.message + (diagnostic.remedy.map { ". \($0)" } ?? "")
        return "::\(kind) \(properties.joined(separator: ","))::\(data(text))"
    }

    private static func data(_ text: String) -> String {
        escaped(text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")])
    }

    private static func property(_ text: String) -> String {
        escaped(text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")])
    }

    private static func escaped(_ text: String, _ table: [(Unicode.Scalar, String)]) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let entry = table.first(where: { $0.0 == scalar }) {
                result += entry.1
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
