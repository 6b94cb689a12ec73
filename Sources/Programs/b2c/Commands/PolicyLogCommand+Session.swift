import ArgumentParser
import B2CProtocol
import CommandKit
import Determinism
import Diagnostics
import JSON
import JourneyLogs
import Reports
import ScenarioRunner
import TrustFramework

/// A session of a log, with stand-ins for personal data, as it is shown.
struct LogView {
    let correlation: String
    let session: LogSession
    let story: LoggedSession
    let mask: LogMask
    /// `person 1`; `nil` if no claim identifies a person.
    let person: String?

    /// Story and trace in the form of `b2c policy trace`.
    var outcome: JSONValue { mask.masked(story.outcome) }

    var end: (word: String, error: String?, text: String) { PolicyLogCommand.end(story, mask) }

    /// For `--format json`.
    var record: JSONObject {
        [
            "correlationId": .string(correlation),
            "policy": session.policyID.map { .string($0) } ?? .null,
            "person": person.map { .string($0) } ?? .null, "end": .string(end.word),
            "errors": .array(story.raised.map(record)), "trace": outcome["trace"] ?? [],
        ]
    }

    private func record(_ raised: LoggedSession.Raised) -> JSONValue {
        [
            "step": .integer(Int64(raised.step)), "element": raised.element.map { .string($0) } ?? .null,
            "message": .string(mask.masked(raised.text)), "handled": .bool(raised.isHandled),
            "causes": .array(raised.exception.texts.dropFirst().map { .string(mask.masked($0)) }),
        ]
    }

    /// For `--format text`.
    func text(_ style: Style) -> String {
        var text =
            (correlation.isEmpty ? "a session without an id" : "session \(correlation)")
            + " of \(session.policyID ?? "a policy without a name"), \(person ?? "nobody"), "
            + "\(session.requests.count) \(session.requests.count == 1 ? "request" : "requests")\n"
        text += TraceText(style: style).text(TraceModel(outcome: outcome))
        for raised in story.raised {
            let message = mask.masked(raised.text)
            let place = raised.element.map { " in \($0)" } ?? ""
            text +=
                "\(raised.isHandled ? "message" : style.heading("error")) at step \(raised.step)\(place): "
                + "\(VisibleText.of(message, keeping: []))\n"
            for cause in raised.exception.texts.dropFirst() {
                text += "  cause  \(VisibleText.of(mask.masked(cause), keeping: []))\n"
            }
            if let code = AADB2C.firstCode(in: message), let known = B2CErrorCode.named(code) {
                text += "  means  \(known.meaning)\n  do     \(known.remedy)\n"
            }
        }
        return text + "end: \(VisibleText.of(end.text, keeping: []))\n"
    }

    /// For `--html`.
    func page(of files: String, difference: JSONValue? = nil) -> String {
        var page = TraceHTML(
            title: "\(session.policyID ?? "policy"), \(correlation)",
            facts: [("log", files), ("person", person ?? "nobody"), ("end", end.text)], failure: end.error
        )
        page.difference = difference
        return page.text(outcome, version: ToolVersion.text)
    }
}

extension PolicyLogCommand {
    // MARK: One session

    /// Shows a session, and compares it with the policies if there are any.
    func show(_ entry: RecorderLog.Entry, _ log: RecorderLog) async throws {
        let session = log.session(entry)
        let obstacle = policies == nil ? nil : Self.obstacle(session)
        let played = obstacle != nil ? nil : try policies.map { try PlayedPolicy(try place($0, session), common) }
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

    /// Why a session cannot be played from its first step.
    private static func obstacle(_ session: LogSession) -> String? {
        if session.isTokenRequest { return "it is a request for tokens, such as a refresh, without a sign-in" }
        let lacksBeginning = session.findings.contains { $0.rule == "B2C-LOG-010" }
        return lacksBeginning ? "its beginning is not in the log" : nil
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

    /// The policies that a session is compared with.
    struct PlayedPolicy {
        let place: PolicyPlace
        let policy: ResolvedPolicy

        init(_ place: PolicyPlace, _ common: CommonOptions) throws {
            self.place = place
            let found = try place.read(common)
            policy = try found.linked(try found.settings(), common)
        }

        /// Id of the journey that the relying party names.
        var journey: String { policy[policy.relyingParty.defaultJourney].id }
    }

    private func compare(_ view: LogView, _ played: PlayedPolicy) async throws {
        let (story, policy) = (view.story, played.policy)
        var mask = view.mask
        let version = LogPolicyVersion(story, view.session, policy, of: policies ?? "")
        LogReading.report(version.findings)
        let inputs = LogInputs(story, policy)
        let facts = inputs.facts.map { mask.masked($0) }
        let outcome = try await Self.play(inputs, played.place, common)
        mask.learn(run: outcome.steps.first ?? .null)
        let difference = Self.difference(story, outcome, policy)
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
                    story, inputs, policy, played.place, common, difference: difference)
                : InferredSettings.none
            record["settles"] = found.json
            learnt = found
        }
        if format == .json { Machine.out.write(data: JSONWriter.pretty(.object(record)) + "\n") }
        if let learnt, format == .text { Machine.out.write(learnt.text(mask)) }
        if let write {
            let reproduction = LogReproduction(
                folder: FilePath.relative(write, to: Machine.currentFolder), place: played.place,
                common: common,
                story: story, policy: policy, difference: difference, original: outcome, showsClaims: showClaims)
            for line in try await reproduction.write(inputs) { Machine.error.write(line + "\n") }
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

    private func place(_ folder: String, _ session: LogSession) throws -> PolicyPlace {
        guard let id = policy ?? session.policyID else {
            throw Failure.usage("the log does not name its policy: name it by --policy")
        }
        return try PolicyPlace.at(folder, policy: id, parents)
    }

    /// Runs a session in the simulator.
    static func play(_ inputs: LogInputs, _ place: PolicyPlace, _ common: CommonOptions) async throws
        -> SignIn.Outcome
    {
        try await prepared(
            inputs.inputs(as: "user"), person: JSONWriter.compact(.object(inputs.person)), inputs.press,
            place, common
        ) {
            try await $0.perform().outcome
        }
    }

    /// Gives what plays a session with inputs.
    ///
    /// - Parameter person: A name in the inputs, or a record as JSON.
    static func prepared<Result>(
        _ inputs: JSONValue, person: String, _ press: [String], _ place: PolicyPlace,
        _ common: CommonOptions,
        _ use: (PolicyPlay) async throws -> Result
    ) async throws -> Result {
        guard let folder = Machine.makeTemporaryFolder() else {
            throw Failure.machine("no folder for temporary files can be made")
        }
        defer { FileSystem.removeFolder(folder) }
        let file = FilePath.join(folder, "inputs.json")
        try OutputFile.save(JSONWriter.pretty(inputs) + "\n", to: file)
        var arguments = ["--inputs", file, "--user", person]
        for button in press { arguments += ["--press", button] }
        return try await use(try PolicyPlay(place, try PlayOptions.parse(arguments), common))
    }

    static func difference(
        _ story: LoggedSession, _ outcome: SignIn.Outcome, _ policy: ResolvedPolicy
    ) -> StoryComparison.Difference? {
        StoryComparison(
            story, outcome: outcome.steps.first ?? .null, failure: outcome.failure,
            isDeclared: { policy.claimType($0) != nil }
        ).first
    }
}

extension StoryComparison.Difference {
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

    fileprivate func json(_ mask: LogMask, _ policy: ResolvedPolicy) -> JSONValue {
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

    fileprivate func text(_ mask: LogMask, _ policy: ResolvedPolicy, _ style: Style) -> String {
        let place =
            element.location(in: policy).map { "\($0.file)" + ($0.line.map { ":\($0)" } ?? "") }
            ?? "policy \(policy.id)"
        return "\(style.heading("first difference")) at \(place): \(mask.masked(message))\n"
            + "  in the log        \(VisibleText.of(shown(there, mask), keeping: []))\n"
            + "  in the simulator  \(VisibleText.of(shown(here, mask), keeping: []))"
            + (relation.map { ": \($0)" } ?? "") + "\n"
    }
}
