import CommandFiles
import Diagnostics
import JSON

/// Builds facts of answers.
enum AgentFact {
    /// An object without members that are `nil` or an empty list, and with a place.
    static func object(_ members: KeyValuePairs<String, JSONValue?>, at location: SourceLocation? = nil) -> JSONValue {
        let place: KeyValuePairs<String, JSONValue?> = [
            "file": .text(location?.file), "line": .number(location?.line), "column": .number(location?.column),
        ]
        return .object(
            JSONObject(
                (Array(members) + Array(place)).compactMap { name, value in
                    value.flatMap { $0 == [] ? nil : (name, $0) }
                }))
    }

    static func finding(_ finding: Diagnostic) -> JSONValue {
        object(
            [
                "rule": .text(finding.rule), "severity": .text(finding.severity.rawValue),
                "message": .text(finding.message), "remedy": .text(finding.remedy),
            ], at: finding.location)
    }

    static func findings(_ findings: [Diagnostic]) -> JSONValue { .array(findings.shown.map(finding)) }
}

extension JSONValue {
    /// `nil` for no text.
    static func text(_ text: String?) -> JSONValue? { text.flatMap { $0.isEmpty ? nil : .string($0) } }
    static func number(_ number: Int?) -> JSONValue? { number.map { .integer(Int64($0)) } }
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
