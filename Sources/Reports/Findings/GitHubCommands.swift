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
            properties.append("file=\(WorkflowCommands.gitHubProperty(place.file))")
            if let line = place.line { properties.append("line=\(line)") }
            if let column = place.column {
                properties.append("col=\(column)")
                properties.append("endColumn=\(column + max(place.length, 1))")
            }
        }
        properties.append("title=\(WorkflowCommands.gitHubProperty(diagnostic.rule))")
        let text = diagnostic.message + (diagnostic.remedy.map { ". \($0)" } ?? "")
        return "::\(kind) \(properties.joined(separator: ","))::\(WorkflowCommands.gitHubData(text))"
    }
}
