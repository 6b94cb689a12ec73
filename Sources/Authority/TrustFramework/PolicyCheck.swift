import Diagnostics

/// What looks at a policy and reports what is wrong: the reader, the linker and the checks of `b2c validate`.
package protocol PolicyCheck {
    /// Keeps a finding. `corrected` is the value that would be right, where there is exactly one.
    mutating func record(_ finding: Diagnostic, corrected: String?)

    /// The severity of a rule's findings, unless a check gives another one.
    func severity(of rule: String) -> Severity
}

extension PolicyCheck {
    package func severity(of rule: String) -> Severity { .error }

    /// Reports that a rule is broken.
    package mutating func report(
        _ rule: String, _ message: String, remedy: String? = nil, at location: SourceLocation?,
        severity: Severity? = nil, corrected: String? = nil
    ) {
        let severity = severity ?? self.severity(of: rule)
        record(Diagnostic(severity, rule: rule, message, remedy: remedy, at: location), corrected: corrected)
    }
}

/// The remedy for a name that is near another one; `nil` if it is near none.
package func didYouMean(_ name: String?, quoted: Bool = false) -> String? {
    name.map { quoted ? "Did you mean \"\($0)\"?" : "Did you mean \($0)?" }
}
