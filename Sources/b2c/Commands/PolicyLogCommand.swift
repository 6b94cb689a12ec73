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

/// `b2c policy log`.
struct PolicyLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Shows what policies did in a real tenant, from logs of the journey recorder, and compares.",
        discussion: """
            FILEs are exports of Application Insights: CSV of the portal, answers of the query API or the events API, rows \
            of a workspace as JSON, or the text of a message that somebody pasted. All files are one log.

              b2c policy log export.csv
              b2c policy log export.csv --correlation 0a1b2c3d
              b2c policy log export.csv --correlation 0a1b2c3d --policies policies
              b2c policy log export.csv --correlation 0a1b2c3d --policies policies --write repro

            Personal data is replaced by stand-ins. Ends with 0, with 4 if the log and the policies differ, with 2 if a \
            file cannot be read.
            """)

    /// How the log is shown.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @Argument(help: ArgumentHelp("Logs, or - for the standard input.", valueName: "file"))
    var files: [String]

    @Option(
        name: .long,
        help: ArgumentHelp("Show the session with this correlation id, or the beginning of one.", valueName: "id"))
    var correlation: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run the session with the policies of this folder and report the first difference.", valueName: "folder"))
    var policies: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A further folder where parents of the policies are found. Repeatable.", valueName: "folder")
    )
    var base: [String] = []

    @Option(name: .long, help: ArgumentHelp("Only sessions of this policy.", valueName: "id"))
    var policy: String?

    @Flag(name: .long, help: "Show claims as they are. Passwords and tokens stay hidden.")
    var showClaims = false

    @Option(name: .long, help: "How the log is shown: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
    var format: Format = .text

    @Option(
        name: .long, help: ArgumentHelp("Also write the session as a page to look at in a browser.", valueName: "file"))
    var html: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --policies: also write a tenant file, inputs and a scenario there that repeat the session, with stand-ins "
                + "for personal data.", valueName: "folder"))
    var write: String?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "With --policies: also report which switches of `authority.defaults` the session settles. Runs it once per switch."
        ))
    var learn = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        if write != nil, policies == nil {
            throw Failure.usage("--write needs --policies FOLDER: a scenario runs policies")
        }
        if learn, policies == nil { throw Failure.usage("--learn needs --policies FOLDER: it runs them") }
        let log = try read()
        report(log.findings)
        let entries = log.entries.filter { entry in
            policy.map { entry.policyID?.lowercased() == $0.lowercased() } ?? true
        }
        guard !entries.isEmpty else {
            let known = Set(log.entries.compactMap(\.policyID)).sorted()
            throw Failure.input(
                policy.map { "the log has no session of \($0). It has sessions of \(namesList(known))." }
                    ?? "the log has no session that can be read")
        }
        guard let session = try chosen(log, entries) else {
            list(log, entries)
            return
        }
        try await show(session, log)
    }

    // MARK: Reading

    private func read() throws -> RecorderLog {
        var read: [(file: String, bytes: [UInt8])] = []
        for file in files {
            let path = file == "-" ? "/dev/stdin" : file
            read.append((file, try InputFile.read(path, limit: RecorderLog.limit)))
        }
        do throws(InvalidInput) {
            return try RecorderLog(files: read)
        } catch {
            report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }

    /// Findings have places in files that may hold personal data, so their lines are not repeated.
    private func report(_ findings: [Diagnostic]) {
        for finding in findings { Machine.error.write(VisibleText.of(finding.description, keeping: []) + "\n") }
    }

    private func chosen(_ log: RecorderLog, _ entries: [RecorderLog.Entry]) throws -> RecorderLog.Entry? {
        guard let correlation else {
            guard policies != nil || html != nil else { return nil }
            guard entries.count == 1 else {
                throw Failure.usage("the log has \(entries.count) sessions: name one by --correlation")
            }
            return entries[0]
        }
        let found = log.entries(matching: correlation).filter { entry in
            policy.map { entry.policyID?.lowercased() == $0.lowercased() } ?? true
        }
        guard let first = found.first else {
            let near =
                nearestName(correlation, among: entries.map(\.correlationID)).map { " Did you mean \($0)?" } ?? ""
            throw Failure.input("the log has no session with the correlation id \(correlation).\(near)")
        }
        guard found.count == 1 else {
            let ids = found.map { "\($0.correlationID) \($0.policyID ?? "")" }
            throw Failure.usage(
                "\(found.count) sessions fit \(correlation): \(namesList(ids, limit: 5)). Write more of the id, or name the policy by --policy."
            )
        }
        return first
    }

    // MARK: The list

    private func list(_ log: RecorderLog, _ entries: [RecorderLog.Entry]) {
        var mask = LogMask(showsClaims: showClaims)
        var rows = [["BEGAN", "CORRELATION ID", "POLICY", "PERSON", "STEPS", "SECONDS", "END"]]
        var records: [JSONValue] = []
        for entry in entries {
            let session = log.session(entry)
            let story = SessionStory(session)
            let person = mask.learn(story)
            let end = Self.end(story, mask)
            let ran = story.steps.filter(\.ran).count
            let times = session.requests.compactMap { $0.time?.timestamp.milliseconds }
            let duration = (times.max() ?? 0) - (times.min() ?? 0)
            let isWhole = session.findings.allSatisfy { $0.severity == .advice }
            if format == .text {
                rows.append([
                    session.requests.first?.time.map { $0.timestamp.rfc3339 } ?? "?", entry.correlationID,
                    session.policyID ?? "?", person ?? "nobody", String(ran),
                    "\(duration / 1000).\(duration % 1000 / 100)", end.text + (isWhole ? "" : " (parts are missing)"),
                ])
            } else {
                records.append(
                    .object([
                        "correlationId": .string(entry.correlationID),
                        "began": session.requests.first?.time.map { .string($0.text) } ?? .null,
                        "policy": session.policyID.map { .string($0) } ?? .null,
                        "tenant": session.tenant.map { .string($0) } ?? .null,
                        "person": person.map { .string($0) } ?? .null, "steps": .integer(Int64(ran)),
                        "milliseconds": .integer(duration), "end": .string(end.word),
                        "error": end.error.map { .string($0) } ?? .null, "isWhole": .bool(isWhole),
                    ]))
            }
        }
        if format == .json {
            Machine.out.write(data: JSONWriter.pretty(["sessions": .array(records)]) + "\n")
        } else {
            Machine.out.write(TextTable.text(rows))
        }
    }

    private static func end(_ story: SessionStory, _ mask: LogMask) -> (word: String, error: String?, text: String) {
        switch story.end {
        case .token: return ("token", nil, "token")
        case .waiting: return ("waiting", nil, "waits for the person")
        case .error(let message):
            let line = message.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
            let shown = mask.masked(line)
            return ("error", shown, "error: \(shown)")
        }
    }

    // MARK: One session

    private func show(_ entry: RecorderLog.Entry, _ log: RecorderLog) async throws {
        var playing: (policy: ResolvedPolicy, place: PolicyPlace)?
        let session = log.session(entry)
        if let policies {
            let place = try self.place(policies, session)
            let found = try place.read(common)
            playing = (try found.linked(try found.settings(), common), place)
        }
        let story = SessionStory(session, journey: playing.map { $0.policy[$0.policy.relyingParty.defaultJourney].id })
        var mask = LogMask(showsClaims: showClaims)
        // People have numbers in the order of the log.
        for earlier in log.entries {
            if earlier.correlationID == entry.correlationID, earlier.policyID == entry.policyID { break }
            mask.learn(SessionStory(log.session(earlier)))
        }
        let person = mask.learn(story)
        report(session.findings)
        for unknown in story.unknown {
            Machine.error.write(
                "note: \(VisibleText.of(unknown.what, keeping: [])) is not known and not shown (\(unknown.count) times)\n"
            )
        }
        let outcome = mask.masked(story.outcome)
        var record: JSONObject = [
            "correlationId": .string(entry.correlationID), "policy": session.policyID.map { .string($0) } ?? .null,
            "person": person.map { .string($0) } ?? .null, "end": .string(Self.end(story, mask).word),
            "errors": .array(story.raised.map { Self.record($0, mask) }), "trace": outcome["trace"] ?? [],
        ]
        if format == .text { printText(entry, session, story, outcome, mask, person) }
        if let html {
            let page = TraceHTML(
                title: "\(session.policyID ?? "policy"), \(entry.correlationID)",
                facts: [
                    ("log", files.joined(separator: ", ")), ("person", person ?? "nobody"),
                    ("end", Self.end(story, mask).text),
                ], failure: Self.end(story, mask).error)
            try OutputFile.save(page.text(outcome, version: ToolVersion.text), to: html)
        }
        guard let playing else {
            if format == .json { Machine.out.write(data: JSONWriter.pretty(.object(record)) + "\n") }
            return
        }
        let inputs = LogInputs(story, playing.policy)
        let played = try await Self.play(inputs, playing.place, common)
        let comparison = Self.difference(story, played, playing.policy)
        record["difference"] = comparison.map { $0.json(mask, playing.policy) } ?? .null
        var learnt: LearntSwitches?
        if learn {
            let found = try await LearntSwitches(
                story, inputs, playing.policy, playing.place, common, difference: comparison)
            record["settles"] = found.json
            learnt = found
        }
        if format == .json { Machine.out.write(data: JSONWriter.pretty(.object(record)) + "\n") }
        if let learnt, format == .text { Machine.out.write(learnt.text(mask)) }
        if let write {
            let reproduction = LogReproduction(
                folder: FilePath.relative(write, to: Machine.currentFolder), place: playing.place, common: common,
                story: story, policy: playing.policy, difference: comparison, original: played, showsClaims: showClaims)
            for line in try await reproduction.write(inputs) { Machine.error.write(line + "\n") }
        }
        guard let comparison else {
            if format == .text { Machine.out.write("no difference: the simulator does the same\n") }
            return
        }
        if format == .text { Machine.out.write(comparison.text(mask, playing.policy, common.style(for: Machine.out))) }
        throw Failure.silent(.expectation)
    }

    private static func record(_ raised: SessionStory.Raised, _ mask: LogMask) -> JSONValue {
        [
            "step": .integer(Int64(raised.step)), "element": raised.element.map { .string($0) } ?? .null,
            "message": .string(mask.masked(raised.exception.deepest)), "handled": .bool(raised.isHandled),
        ]
    }

    private func printText(
        _ entry: RecorderLog.Entry, _ session: LogSession, _ story: SessionStory, _ outcome: JSONValue, _ mask: LogMask,
        _ person: String?
    ) {
        let style = common.style(for: Machine.out)
        Machine.out.write(
            "session \(entry.correlationID) of \(session.policyID ?? "?"), \(person ?? "nobody"), "
                + "\(session.requests.count) requests\n")
        Machine.out.write(TraceText(style: style).text(TraceModel(outcome: outcome)))
        for raised in story.raised {
            let message = mask.masked(raised.exception.deepest)
            let place = raised.element.map { " in \($0)" } ?? ""
            Machine.out.write(
                "\(raised.isHandled ? "message" : style.heading("error")) at step \(raised.step)\(place): "
                    + "\(VisibleText.of(message, keeping: []))\n")
            if let code = AADB2C.firstCode(in: message), let known = B2CErrorCode.named(code) {
                Machine.out.write("  means  \(known.meaning)\n  do     \(known.remedy)\n")
            }
        }
        Machine.out.write("end: \(VisibleText.of(Self.end(story, mask).text, keeping: []))\n")
    }

    // MARK: Beside the simulator

    private func place(_ folder: String, _ session: LogSession) throws -> PolicyPlace {
        guard let id = policy ?? session.policyID else {
            throw Failure.usage("the log does not name its policy: name it by --policy")
        }
        var arguments = [folder, "--policy", id]
        for folder in base { arguments += ["--base", folder] }
        return try PolicyPlace.parse(arguments)
    }

    /// Runs a session in the simulator.
    static func play(_ inputs: LogInputs, _ place: PolicyPlace, _ common: CommonOptions) async throws
        -> SignIn.Outcome
    {
        try await prepared(
            inputs.inputs, person: JSONWriter.compact(.object(inputs.person)), inputs.press, place, common
        ) {
            try await $0.perform().outcome
        }
    }

    /// Gives what plays a session with inputs.
    ///
    /// - Parameter person: A name in the inputs, or a record as JSON.
    static func prepared<Result>(
        _ inputs: JSONValue, person: String, _ press: [String], _ place: PolicyPlace, _ common: CommonOptions,
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
        _ story: SessionStory, _ outcome: SignIn.Outcome, _ policy: ResolvedPolicy
    ) -> StoryComparison.Difference? {
        StoryComparison(
            story, outcome: outcome.steps.first ?? .null, failure: outcome.failure,
            isDeclared: { policy.claimType($0) != nil }
        ).first
    }
}

extension StoryComparison.Difference {
    /// Where the element is in the policy's files.
    fileprivate func location(_ policy: ResolvedPolicy) -> SourceLocation? {
        switch element {
        case .step(let journey, let order):
            let handle = journey.flatMap { policy.journey($0) } ?? policy.relyingParty.defaultJourney
            return policy[handle].steps.first { $0.order == order }?.location ?? policy[handle].location
        case .profile(let id): return policy.profile(id).map { policy[$0].location }
        case .transformation(let id): return policy.transformation(id).map { policy[$0].location }
        case .claim(let id, let order):
            let step = policy[policy.relyingParty.defaultJourney].steps.first { $0.order == order }
            let profiles = step?.exchanges.map { policy[$0.profile] } ?? []
            let called = profiles + profiles.flatMap { $0.validationProfiles.map { policy[$0.profile] } }
            let setter = called.last { profile in
                profile.outputClaims.contains { policy[$0.claim].id.lowercased() == id.lowercased() }
            }
            return setter?.location ?? step?.location
        }
    }

    private func shown(_ text: String?, _ mask: LogMask) -> String {
        guard let text else { return "nothing" }
        guard case .claim(let id, _) = element else { return mask.masked(text) }
        return mask.masked(.string(text), of: id).stringValue ?? ""
    }

    fileprivate func json(_ mask: LogMask, _ policy: ResolvedPolicy) -> JSONValue {
        let location = location(policy)
        return [
            "message": .string(mask.masked(message)), "log": there.map { .string(shown($0, mask)) } ?? .null,
            "simulator": here.map { .string(shown($0, mask)) } ?? .null,
            "file": location.map { .string($0.file) } ?? .null,
            "line": location?.line.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    fileprivate func text(_ mask: LogMask, _ policy: ResolvedPolicy, _ style: Style) -> String {
        let place = location(policy).map { "\($0.file)" + ($0.line.map { ":\($0)" } ?? "") } ?? "policy \(policy.id)"
        return "\(style.heading("first difference")) at \(place): \(mask.masked(message))\n"
            + "  in the log        \(VisibleText.of(shown(there, mask), keeping: []))\n"
            + "  in the simulator  \(VisibleText.of(shown(here, mask), keeping: []))\n"
    }
}
