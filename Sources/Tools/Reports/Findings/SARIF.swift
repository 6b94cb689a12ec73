import Diagnostics
import JSON
import Validation

/// The Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
struct SARIF {
    let tool: String
    let version: String
    /// What else a run says, by name.
    var properties = JSONObject()

    /// A log with one run.
    func log(_ result: ValidationResult) -> JSONValue {
        let all = result.findings.map { ($0, nil as String?) } + result.suppressed.map { ($0.finding, $0.reason) }
        var ids: [String] = []
        for (finding, _) in all where !ids.contains(finding.diagnostic.rule) { ids.append(finding.diagnostic.rule) }
        ids.sort()
        let results = all.map { finding, reason in JSONValue.object(self.result(finding, reason, ids)) }
        var run: JSONObject = [
            "tool": [
                "driver": [
                    "name": .string(tool), "version": .string(version),
                    "rules": .array(ids.map { .object(rule($0)) }),
                ]
            ],
            "columnKind": "unicodeCodePoints",
            "results": .array(results),
        ]
        if !properties.isEmpty { run["properties"] = .object(properties) }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [.object(run)],
        ]
    }

    private func rule(_ id: String) -> JSONObject {
        var object: JSONObject = ["id": .string(id)]
        guard let rule = Rules.named(id) else { return object }
        object["shortDescription"] = ["text": .string(rule.demand)]
        object["fullDescription"] = ["text": .string(rule.reason)]
        object["help"] = ["text": .string("Wrong: \(rule.bad)\nRight: \(rule.good)\nSource: \(rule.source)")]
        object["defaultConfiguration"] = ["level": .string(level(rule.severity))]
        return object
    }

    private func level(_ severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .advice: "note"
        }
    }

    private func result(_ finding: Finding, _ reason: String?, _ ids: [String]) -> JSONObject {
        let diagnostic = finding.diagnostic
        var object = JSONObject()
        object["ruleId"] = .string(diagnostic.rule)
        object["ruleIndex"] = .integer(Int64(ids.firstIndex(of: diagnostic.rule) ?? -1))
        object["level"] = .string(level(diagnostic.severity))
        let text = diagnostic.message + (diagnostic.remedy.map { " " + $0 } ?? "")
        object["message"] = ["text": .string(text)]
        if let place = diagnostic.location {
            var physical: JSONObject = ["artifactLocation": ["uri": .string(Self.uri(place.file))]]
            if let line = place.line {
                var region: JSONObject = ["startLine": .integer(Int64(line))]
                if let column = place.column {
                    region["startColumn"] = .integer(Int64(column))
                    region["endColumn"] = .integer(Int64(column + max(place.length, 1)))
                }
                physical["region"] = .object(region)
            }
            object["locations"] = [["physicalLocation": .object(physical)]]
        }
        if let reason {
            object["suppressions"] = [["kind": "external", "justification": .string(reason)]]
        }
        return object
    }

    /// A path as a relative reference (RFC 3986): what is neither unreserved nor a slash is percent-encoded.
    private static func uri(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "-._~/".utf8.contains(byte)
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = Array("0123456789ABCDEF")
                text += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return path.hasPrefix("/") ? "file://" + text : text
    }
}
