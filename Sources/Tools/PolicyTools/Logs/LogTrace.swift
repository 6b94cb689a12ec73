import B2CProtocol
import Capture
import Determinism
import Diagnostics
import JSON
import JourneyLogs
import TrustFramework

/// What the policy did in a log, beside a capture of the same sign-in and beside a run of what was written.
struct LogTrace {
    let joined: LogSupplement.Joined
    private var standIns: JoinedStandIns

    init(_ joined: LogSupplement.Joined, _ standIns: JoinedStandIns) {
        self.joined = joined
        self.standIns = standIns
    }

    private var signIn: CaptureImport.CapturedSignIn { joined.signIn }
    private var story: LoggedSession { joined.story }

    // MARK: In words

    /// The steps as the log has them, and the claims that only the log has: for the description of a script's step.
    mutating func description() -> String {
        var parts: [String] = []
        for step in story.steps {
            var text = "\(step.order)"
            if let policy = joined.policy.map({ $0[$0.relyingParty.defaultJourney].id }) ?? story.steps.first?.journey,
                step.journey != policy
            {
                text += " of \(step.journey)"
            }
            if !step.ran {
                let why = step.because.isEmpty ? "" : " (\(standIns.replaced(in: step.because)))"
                parts.append(text + " skipped" + why)
                continue
            }
            var items: [String] = []
            for item in step.items where item.kind != .transformation {
                items.append(item.id + (item.error == nil ? "" : " failed"))
            }
            parts.append(text + " ran" + (items.isEmpty ? "" : " (\(items.joined(separator: ", ")))"))
        }
        var text = "Steps in the log: \(parts.joined(separator: "; "))."
        let shown = Set((signIn.claims ?? []).map { $0.lowercased() })
        let hidden = story.claims.keys.filter { !shown.contains($0.lowercased()) }
        if !hidden.isEmpty { text += " Claims that only the log has: \(namesList(hidden.sorted(), limit: 20))." }
        return text
    }

    // MARK: Beside the capture

    /// How the capture and the log differ, a sentence or two each.
    mutating func differences() -> [String] {
        var found: [String] = []
        let last = story.steps.last.map { "step \($0.order)" } ?? "no step"
        switch (signIn.end, story.end) {
        case (.answered, .error(let text)):
            found.append("the app got its answer, and the log ends with an error: \(shown(text))")
        case (.failed(let code), .token):
            found.append(
                "the capture shows \(code.map { "the error \($0)" } ?? "an error"), and the log has none: its session ends with a token"
            )
        case (.failed(let code), .waiting):
            found.append(
                "the capture shows \(code.map { "the error \($0)" } ?? "an error"), and the log has none: it ends at \(last)"
            )
        case (.failed(let code?), .error(let text)):
            if let other = AADB2C.firstCode(in: text), other != code {
                found.append("the capture shows the error \(code), and the log \(other)")
            }
        case (.answered, .waiting):
            found.append(
                "the app got its answer, and the log ends at \(last): rows of the end are missing. Export a time range that ends "
                    + "minutes after the sign-in.")
        case (.open, .token), (.open, .error):
            var end = "a token"
            if case .error(let text) = story.end { end = "an error: \(shown(text))" }
            found.append("the capture ends before the sign-in does: the log goes on to \(last) and ends with \(end)")
        case (.answered, .token), (.failed, .error), (.open, .waiting), (_, .unknown): break
        }
        return found
    }

    private mutating func shown(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? text
        return standIns.replaced(in: line)
    }

    // MARK: Beside a run

    /// Compares with a run of the written step.
    ///
    /// - Parameter outcome: Of the step, with its log `trace`.
    /// - Returns: Records of `trace` that both have, and the first difference in words.
    mutating func compared(_ outcome: JSONValue) -> (records: [JSONValue], difference: String?) {
        let difference = difference(outcome)
        var records: [JSONValue] = []
        var before = JSONObject()
        var steps = 0
        for record in outcome["trace"]?.arrayValue ?? [] {
            if steps == difference?.stepsBefore ?? story.steps.count { break }
            guard let order = record["step"] else { continue }
            if let profile = record["profile"] {
                let items = story.steps[steps].items
                // A page that was refused has no record of its own in a log.
                let isLogged = items.contains {
                    $0.id == profile.stringValue && ($0.error != nil) == (record["error"] != nil)
                }
                guard record["skipped"] == nil, isLogged else { continue }
                var expected: JSONObject = ["step": order, "profile": profile]
                if record["validation"] == true { expected["validation"] = true }
                if record["error"] != nil { expected["error"] = ["$exists": true] }
                records.append(.object(expected))
                continue
            }
            var expected = JSONObject()
            for name in ["journey", "step", "ran"] { expected[name] = record[name] }
            let claims = record["claims"]?.objectValue ?? before
            let common = common(claims, story.steps[steps].claims).filter { before[$0.key] != $0.value }
            if !common.isEmpty { expected["claims"] = .object(JSONObject(common.map { ($0.key, $0.value) })) }
            before = claims
            steps += 1
            records.append(.object(expected))
        }
        return (records, difference.map(text))
    }

    /// Claims that have a value in the run which is that of the log, with the stand-in.
    private mutating func common(_ claims: JSONObject, _ logged: JSONObject) -> [(key: String, value: JSONValue)] {
        var found: [(key: String, value: JSONValue)] = []
        for (name, value) in claims.members where LogReproduction.isStable(name, value) {
            guard let there = logged[name] else { continue }
            let type = joined.policy.flatMap { policy in policy.claimType(name).map { policy[$0].dataType } } ?? .string
            if LogInputs.typed(standIns.replaced(there, of: name), type) == value { found.append((name, value)) }
        }
        return found
    }

    /// The first difference in steps and technical profiles. Claims and messages have stand-ins, and the capture knows the end
    /// better.
    private func difference(_ outcome: JSONValue) -> SessionComparison.StepDifference? {
        let found = SessionComparison(
            story, outcome: outcome, failure: nil, comparesMessages: false, isDeclared: { _ in false }
        ).first
        return switch found?.expected {
        case .record?: found
        case .result?, .error?, .page?, nil: nil
        }
    }

    private func text(_ difference: SessionComparison.StepDifference) -> String {
        let place = joined.policy.flatMap { difference.element.location(in: $0) }.map {
            " (\($0.file)" + ($0.line.map { ":\($0)" } ?? "") + ")"
        }
        return "\(difference.message)\(place ?? ""); from there on the script expects nothing of the log's steps"
    }
}
