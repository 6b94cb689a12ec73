import CommandFiles
import CommandKit
import Diagnostics
import JSON
import JourneyLogs
import Reports
import ScenarioRunner
import TrustFramework

/// The policies that a session is compared with.
package struct PlayedPolicy {
    package let source: PolicySource
    package let policy: ResolvedPolicy

    package init(_ source: PolicySource) throws {
        self.source = source
        let found = try source.read()
        policy = try found.linked(try found.settings())
    }

    /// Id of the journey that the relying party names.
    package var journey: String { policy[policy.relyingParty.defaultJourney].id }
}

/// Plays sessions of a log with the policies that are at hand.
package enum LogPlay {
    /// Runs a session in the simulator.
    package static func outcome(_ inputs: LogInputs, _ source: PolicySource) async throws -> SignIn.Outcome {
        try await prepared(
            inputs.inputs(as: "user"), person: JSONWriter.compact(.object(inputs.person)), press: inputs.press, source
        ).perform().outcome
    }

    /// What plays a session with inputs.
    ///
    /// - Parameter person: A name in the inputs, or a record as JSON.
    static func prepared(
        _ inputs: PlayInputs, person: String, press: [String], _ source: PolicySource
    ) throws -> PolicyPlay {
        try PolicyPlay(source, PlaySettings(user: person, press: press, inputs: .value(inputs)))
    }

    package static func difference(
        _ story: LoggedSession, _ outcome: SignIn.Outcome, _ policy: ResolvedPolicy
    ) -> SessionComparison.StepDifference? {
        SessionComparison(
            story, outcome: outcome.steps.first ?? .null, failure: outcome.failure,
            isDeclared: { policy.claimType($0) != nil }
        ).first
    }
}

extension SessionComparison.StepDifference {
    private func shown(_ text: String?, _ mask: LogMask) -> String {
        guard let text else { return "nothing" }
        guard case .claim(let id, _, _, _) = element else { return mask.masked(text) }
        return mask.masked(.string(text), of: id).stringValue ?? ""
    }

    /// How the simulator's value relates to that of the log, which stand-ins do not show.
    private var relation: String? {
        guard case .claim = element, let here, let there else { return nil }
        return TextRelation.words(here, to: there)
    }

    package func json(_ mask: LogMask, _ policy: ResolvedPolicy) -> JSONValue {
        let location = element.location(in: policy)
        return [
            "message": .string(mask.masked(message)),
            "log": there.map { .string(shown($0, mask)) } ?? .null,
            "simulator": here.map { .string(shown($0, mask)) } ?? .null,
            "relation": relation.map { .string($0) } ?? .null,
            "file": location.map { .string($0.file) } ?? .null,
            "line": location?.line.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    package func text(_ mask: LogMask, _ policy: ResolvedPolicy, _ style: Style) -> String {
        let place =
            element.location(in: policy).map { "\($0.file)" + ($0.line.map { ":\($0)" } ?? "") }
            ?? "policy \(policy.id)"
        return "\(style.heading("first difference")) at \(place): \(mask.masked(message))\n"
            + "  in the log        \(VisibleText.of(shown(there, mask), keeping: []))\n"
            + "  in the simulator  \(VisibleText.of(shown(here, mask), keeping: []))"
            + (relation.map { ": \($0)" } ?? "") + "\n"
    }
}
