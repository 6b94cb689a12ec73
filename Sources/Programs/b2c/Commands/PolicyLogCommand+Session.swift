import ArgumentParser
import B2CProtocol
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JSON
import JourneyLogs
import PolicyTools
import Reports
import ScenarioRunner
import TrustFramework

extension PolicyLogCommand {
    // MARK: One session

    /// Shows a session, and compares it with the policies if there are any.
    func show(_ entry: RecorderLog.Entry, _ log: RecorderLog) async throws {
        let session = log.session(entry)
        let obstacle = policies == nil ? nil : session.obstacle
        let played =
            obstacle != nil
            ? nil : try policies.map { try PlayedPolicy($0, policy: policy, of: session, bases: parents.base) }
        let view = view(entry, session, log, journey: played?.journey)
        LogReading.report(session.findings)
        for unknown in view.story.unknown {
            Machine.error.write(
                "note: \(VisibleText.of(unknown.what, keeping: [])) is not known and not shown (\(unknown.count) times)\n"
            )
        }
        if format == .text { Machine.out.write(view.text(common.style(for: Machine.out))) }
        guard let played else {
            if let html { try OutputFile.save(view.page(of: shownFiles), to: html) }
            if format == .json { Machine.out.write(data: JSONWriter.pretty(.object(view.record)) + "\n") }
            if let obstacle { throw Failure.input("the session cannot be compared with policies: \(obstacle)") }
            return
        }
        try await compare(view, played)
    }

    /// What was read, for titles.
    private var shownFiles: String {
        files.isEmpty ? fetching.shown ?? "" : files.joined(separator: ", ")
    }

    private func view(
        _ entry: RecorderLog.Entry, _ session: LogSession, _ log: RecorderLog, journey: String?
    ) -> LogView {
        let story = LoggedSession(session, journey: journey)
        var mask = LogMask(showsClaims: showClaims)
        // People have numbers in the order of the log.
        for earlier in log.entries {
            if earlier.correlationID == entry.correlationID, earlier.policyID == entry.policyID { break }
            mask.learn(LoggedSession(log.session(earlier)))
        }
        let person = mask.learn(story)
        return LogView(
            correlation: entry.correlationID, session: session, story: story, mask: mask, person: person)
    }

    // MARK: Beside the simulator

    private func compare(_ view: LogView, _ played: PlayedPolicy) async throws {
        let (story, policy) = (view.story, played.policy)
        var mask = view.mask
        let version = LogPolicyVersion(story, view.session, policy, of: policies ?? "")
        LogReading.report(version.findings)
        let session = try await PlayedSession(story, played)
        let (inputs, difference) = (session.inputs, session.difference)
        let facts = inputs.facts.map { mask.masked($0) }
        mask.learn(run: session.outcome.steps.first ?? .null)
        var record = view.record
        if let other = version.other { record["otherVersion"] = .string(other) }
        record["difference"] = difference.map { $0.json(mask, policy) } ?? .null
        if let html {
            let shown = difference.map {
                $0.json(mask, policy).merging(patch: ["stepsBefore": .integer(Int64($0.stepsBefore))])
            }
            try OutputFile.save(view.page(of: shownFiles, difference: shown), to: html)
        }
        record["rebuilt"] = .array(facts.map { .string($0) })
        var learnt: InferredSettings?
        if learn {
            // A switch could hide that the policies are others than those of the log.
            let found =
                version.other == nil
                ? try await InferredSettings(
                    story, inputs, policy, source: played.source, difference: difference)
                : InferredSettings.none
            record["settles"] = found.json
            learnt = found
        }
        if format == .json { Machine.out.write(data: JSONWriter.pretty(.object(record)) + "\n") }
        if let learnt, format == .text { Machine.out.write(learnt.text(mask)) }
        if let write {
            let written = try await LogReproduction(session, folder: write, showsClaims: showClaims).write()
            Machine.error.write("wrote \(written.files.last ?? ""), \(written.verdict)\n")
        }
        guard let difference else {
            let untried = inputs.untried
            let more =
                untried == 0
                ? ""
                : ", except for \(untried) \(untried == 1 ? "attempt" : "attempts") that a page refused and that cannot be repeated"
            if format == .text { Machine.out.write("no difference: the simulator does the same\(more)\n") }
            return
        }
        if format == .text {
            Machine.out.write(difference.text(mask, policy, common.style(for: Machine.out)))
            if !facts.isEmpty {
                Machine.out.write("it rests on what the log shows of the person:\n")
                for fact in facts { Machine.out.write("  \(VisibleText.of(fact, keeping: []))\n") }
            }
        }
        if view.session.isIncomplete {
            throw Failure.input(
                "whether the policies differ is not known: parts of the session are missing in the log, and the difference may "
                    + "come from them")
        }
        throw Failure.silent(.expectation)
    }
}
