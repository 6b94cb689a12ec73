import Diagnostics
import TrustFramework

/// A check of `b2c validate`: its findings have the severity of their rule.
protocol PolicyRuleCheck: PolicyCheck {
    var findings: [Finding] { get set }
}

extension PolicyRuleCheck {
    mutating func record(_ finding: Diagnostic, corrected: String?) {
        findings.append(Finding(finding, corrected: corrected))
    }

    func severity(of rule: String) -> Severity { Rules.named(rule)?.severity ?? .error }

    /// Reports that a name is missing, at the place where it is misspelt if there is one.
    mutating func reportMissing(
        _ name: String, _ rule: String, message: String, writtenAs near: (name: String, location: SourceLocation)?,
        remedy: String, at location: SourceLocation, severity: Severity? = nil
    ) {
        report(
            rule, message, remedy: near.map { "It is written \"\($0.name)\" here." } ?? remedy,
            at: near?.location ?? location, severity: severity, corrected: near.map { _ in name })
    }

    /// A regular expression of .NET (B2C-POL-050).
    mutating func check(pattern: String?, _ what: String, remedy: String? = nil, at location: SourceLocation) {
        guard let problem = pattern.flatMap(PolicyChecker.patternProblem) else { return }
        report("B2C-POL-050", "\(what) is not a regular expression: \(problem)", remedy: remedy, at: location)
    }
}

extension PolicyDraft.Profile {
    /// The first metadata key that is near a name.
    func slip(of key: String, except other: String? = nil) -> (name: String, location: SourceLocation)? {
        element.metadata.first { $0.key != other && nearestName($0.key, among: [key]) != nil }
            .map { ($0.key, $0.location) }
    }
}

/// Whether a text is filled in by a tool before upload, or by the service at sign-in.
package func isFilledLater(_ text: String) -> Bool { text.contains("{") || text.contains("__") || text.contains("#{") }
