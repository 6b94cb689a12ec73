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

    /// - Parameters:
    ///   - folder: Where the policies are.
    ///   - id: The policy; `nil`: the one that the log names.
    ///   - bases: Further folders where parents are found.
    package init(_ folder: String, policy id: String?, of session: LogSession, bases: [String] = []) throws {
        guard let id = id ?? session.policyID else {
            throw Failure.usage("the log does not name its policy: name it by --policy")
        }
        source = PolicySource(place: folder, policy: id, bases: bases)
        let found = try source.read()
        policy = try found.linked(try found.settings())
    }

    /// Id of the journey that the relying party names.
    package var journey: String { policy[policy.relyingParty.defaultJourney].id }
}

/// A session of a log beside the simulator, which played it with policies.
package struct PlayedSession {
    package let story: LoggedSession
    package let played: PlayedPolicy
    /// What the person did and who they are, as far as the log shows.
    package let inputs: LogInputs
    /// How the session ran with the values of the log.
    package let outcome: SignIn.Outcome
    package let difference: SessionComparison.StepDifference?

    package init(_ story: LoggedSession, _ played: PlayedPolicy) async throws {
        (self.story, self.played) = (story, played)
        inputs = LogInputs(story, played.policy)
        outcome = try await LogPlay.outcome(inputs, played.source)
        difference = LogPlay.difference(story, outcome, played.policy)
    }
}

extension LogSession {
    /// Why it cannot be played from its first step; `nil`: it can.
    package var obstacle: String? {
        if isTokenRequest { return "it is a request for tokens, such as a refresh, without a sign-in" }
        let lacksBeginning = findings.contains { $0.rule == "B2C-LOG-010" }
        return lacksBeginning ? "its beginning is not in the log" : nil
    }
}

/// Plays sessions of a log with the policies that are at hand.
package enum LogPlay {
    /// Runs a session in the simulator.
    static func outcome(_ inputs: LogInputs, _ source: PolicySource) async throws -> SignIn.Outcome {
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

    static func difference(
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
