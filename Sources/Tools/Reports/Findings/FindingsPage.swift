import Diagnostics
import JSON
import ScenarioRunner
import Validation
import Viewer

/// Findings as one HTML page that opens offline: each with its place, the lines around it, the remedy and its rule.
enum FindingsPage {
    /// The page as a text that ends in a line feed.
    ///
    /// - Parameters:
    ///   - title: The command that found them.
    ///   - head: The result in a few words.
    static func text(
        _ result: ValidationResult, sources: [SourceText], version: String, title: String, _ head: String
    ) -> String {
        let findings = result.diagnostics.map { finding -> JSONValue in
            var object: JSONObject = [
                "rule": .string(finding.rule), "severity": .string(finding.severity.rawValue),
                "message": .string(finding.message),
            ]
            object["remedy"] = finding.remedy.map { .string($0) }
            guard let place = finding.location else { return .object(object) }
            object["place"] = .string(place.description)
            object["file"] = .string(place.file)
            let source = sources.first { $0.file == place.file }
            object["source"] = source.flatMap { SourceExcerpt(of: $0, at: place) }.map { .object($0.json) }
            return .object(object)
        }
        return Viewer.page(
            .findings, title: "\(title): \(head)",
            data: [
                "command": .string(title), "head": .string(head), "version": .string(version),
                "isGood": .bool(!result.hasErrors), "findings": .array(findings),
            ])
    }
}
