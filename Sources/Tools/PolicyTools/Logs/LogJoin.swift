import Capture
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import JourneyLogs
import ScenarioRunner
import TrustFramework

/// Puts a capture together with a log of the same sign-ins and with the policies that ran.
package struct LogJoin {
    package let signIns: [CaptureImport.SignIn]
    /// The capture's file, for messages.
    package let file: String

    /// Which session each sign-in is, a line each.
    package private(set) var sessions: [String] = []
    /// How capture, log and simulator differ, a line each.
    package private(set) var differences: [String] = []

    private var supplement = LogSupplement()
    private var notes: [String] = []

    package init(signIns: [CaptureImport.SignIn], file: String) {
        self.signIns = signIns
        self.file = file
    }

    // MARK: Reading

    /// Reads the policies of a folder, as far as the capture names them.
    ///
    /// - Parameter target: The folder that the files are written to.
    /// - Throws: ``Failure`` when the folder has no policies, or one that is needed does not link.
    package mutating func read(policies: String, bases: [String], folder target: String) throws {
        let found = try PolicySource(place: policies, bases: bases).read()
        var wanted: [String] = []
        for id in signIns.compactMap(\.policy) where !wanted.contains(id) { wanted.append(id) }
        for id in wanted {
            guard let settings = found.tenant.policies.first(where: { sameID($0.id, id) }) else {
                notes.append("\(policies) has no policy \(id) that apps can call: a user flow takes its place.")
                continue
            }
            supplement.policies.append((settings.name, try found.linked(settings)))
        }
        guard !supplement.policies.isEmpty else {
            throw Failure.input(
                "\(policies) has none of the policies of \(file): \(namesList(wanted)). It has "
                    + "\(namesList(found.tenant.policies.map(\.id)))")
        }
        supplement.folder = ExplorationFolder.moved(found.json, to: FilePath.join(target, "tenants"))
    }

    private func policy(_ id: String?) -> ResolvedPolicy? {
        supplement.policies.first { known in id.map { sameID(known.policy.id, $0) || sameID(known.name, $0) } ?? false
        }?
        .policy
    }

    /// Reads the log and finds the session of each sign-in.
    ///
    /// - Throws: ``Failure`` when a file is not a log, or when no sign-in has a session.
    package mutating func read(log files: [String]) throws {
        guard !signIns.isEmpty else {
            throw Failure.input(
                "\(file) has no sign-in, so nothing of it can be in the log. Begin the capture before the person presses sign in."
            )
        }
        let log = try LogReading.log(files)
        let matches = SessionMatches(signIns, log)
        guard !matches.pairs.isEmpty else {
            throw Failure.input(
                "no sign-in of \(file) is in the log:\n"
                    + matches.problems.map { "  \(VisibleText.of($0, keeping: []))\n" }.joined()
                    + "Without --log the capture is imported alone.")
        }
        notes += matches.problems
        for pair in matches.pairs {
            LogReading.report(pair.session.findings)
            let policy = policy(pair.signIn.policy)
            let journey = policy.map { $0[$0.relyingParty.defaultJourney].id }
            let story = LoggedSession(pair.session, journey: journey)
            for unknown in story.unknown {
                FindingCollector.warn(
                    "\(VisibleText.of(unknown.what, keeping: [])) is not known and not used (\(unknown.count) times)",
                    as: "note")
            }
            let ran = story.steps.filter(\.ran).count
            sessions.append(
                "\(pair.signIn.place): \(pair.session.correlationID), \(pair.because); \(ran) of \(story.steps.count) steps ran"
            )
            supplement.joined.append(LogSupplement.Joined(signIn: pair.signIn, story: story, policy: policy))
        }
    }

    // MARK: Writing

    /// The files, with what the log and the policies add. They pass in the simulator.
    package mutating func files(
        _ rehearsal: inout ImportRehearsal, rounds: inout Int
    ) async throws(InvalidInput) -> CaptureImport.Files {
        rehearsal.options.notes += notes
        rehearsal.options.given = Set(
            supplement.policies.flatMap { [$0.name.lowercased(), $0.policy.id.lowercased()] })
        rehearsal.options.constants = supplement.policies.reduce(into: []) {
            $0.formUnion(LogStandIns.constants($1.policy))
        }
        rehearsal.supplement = supplement
        let explained = supplement.joined.filter { $0.policy != nil }
        var first = rehearsal
        first.options.explained = Set(explained.map(\.signIn.place))
        var files = try await first.files(rounds: &rounds)
        let failed = explained.filter { first.fidelity($0.signIn) > .asCaptured }
        if !failed.isEmpty {
            // What the log has does not lead to what the capture shows: the script has the service refuse as in the capture.
            var second = rehearsal
            second.options.explained = first.options.explained.subtracting(failed.map(\.signIn.place))
            let other = try await second.files(rounds: &rounds)
            if Self.loss(second) < Self.loss(first) { (first, files) = (second, other) }
        }
        rehearsal = first
        return await traced(files, rehearsal, rounds: &rounds)
    }

    /// How much less than the capture shows was written.
    private static func loss(_ rehearsal: ImportRehearsal) -> Int {
        rehearsal.options.attempts.values.reduce(0) { $0 + $1.fidelity.rawValue }
    }

    /// The files with the steps of the log in the script, and with differences in its description.
    private mutating func traced(
        _ files: CaptureImport.Files, _ rehearsal: ImportRehearsal, rounds: inout Int
    ) async -> CaptureImport.Files {
        guard !supplement.joined.isEmpty else { return files }
        var files = files
        rounds += 1
        let played = await rehearsal.play(files, seed: 1, keepsOutcomes: true)
        let standIns = JoinedStandIns(
            files.standIns, policies: supplement.policies.map(\.policy), stories: supplement.joined.map(\.story))
        var traced: [Int: String] = [:]
        for joined in supplement.joined {
            let place = joined.signIn.place
            var trace = LogTrace(joined, standIns)
            differences += trace.differences().map { "\(place): \($0)" }
            guard let index = files.origins.lastIndex(of: joined.signIn.origin),
                files.draft.steps.indices.contains(index)
            else {
                continue
            }
            files.draft.steps[index].description = trace.description()
            // What was written with less takes another way, and a note says so.
            guard joined.policy != nil, rehearsal.fidelity(joined.signIn) < .endOnly,
                let played, played.steps.indices.contains(index),
                played.steps[index].status == .passed, let outcome = played.steps[index].outcome
            else { continue }
            let (records, difference) = trace.compared(outcome)
            if let difference { differences.append("\(place): \(difference)") }
            guard !records.isEmpty else { continue }
            files.draft.steps[index].expect = (files.draft.steps[index].expect ?? [:]).merging(
                patch: ["trace": .array(records)])
            traced[index] = place
        }
        await removeUnstable(&files, traced, rehearsal, rounds: &rounds)
        if !differences.isEmpty {
            files.draft.description =
                (files.draft.description ?? "") + "\nThe capture and the log differ:\n- "
                + differences.joined(separator: "\n- ")
        }
        return files
    }

    /// Within what a step expects.
    private static let trace = JSONPointer(tokens: ["trace"])

    /// Takes out steps of the log that another run does not repeat: nothing that is drawn at random may be expected.
    private mutating func removeUnstable(
        _ files: inout CaptureImport.Files, _ traced: [Int: String], _ rehearsal: ImportRehearsal, rounds: inout Int
    ) async {
        guard !traced.isEmpty else { return }
        for seed: UInt64 in [2, 1] {
            rounds += 1
            guard let played = await rehearsal.play(files, seed: seed), !played.status.isGood else { continue }
            for (index, place) in traced.sorted(by: { $0.key < $1.key })
            where played.steps.indices.contains(index) && played.steps[index].status == .failed {
                guard files.draft.steps[index].expect?.value(at: Self.trace) != nil else { continue }
                files.draft.steps[index].expect?.set(nil, at: Self.trace)
                differences.append(
                    "\(place): the steps of the log do not repeat with every seed; the script does not expect them")
            }
        }
    }
}
