import Diagnostics

/// What kept a step from being carried out as written.
struct StepProblem: Error, Sendable {
    var text: String

    init(_ text: String) { self.text = text }

    /// What is wrong with a tenant, each with its place in a policy file where it has one.
    static func sentence(_ error: InvalidInput) -> String {
        error.diagnostics.filter { $0.severity == .error }.map { finding in
            guard let place = finding.location, place.line != nil else { return finding.message }
            return "\(place): \(finding.message)"
        }.joined(separator: "; ")
    }
}
