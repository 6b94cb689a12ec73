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

/// `b2c policy log`.
struct PolicyLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Shows what policies did in a real tenant, from logs of the journey recorder, and compares.",
        discussion: """
            FILEs are exports of Application Insights: CSV of the portal, answers of the query API or the events API, rows \
            of a workspace as JSON, or the text of a message that somebody pasted. All files are one log. --app and \
            --workspace ask the service instead.

              b2c policy log log.csv
              b2c policy log --workspace 3f1c9a3e-0000-4000-8000-000000000001 --since 2d
              b2c policy log log.csv --correlation 0a1b
              b2c policy log log.csv --correlation 0a1b --policies policies
              b2c policy log log.csv --correlation 0a1b --policies policies --write repro

            Personal data is replaced by stand-ins. Ends with 0, with 4 if the log and the policies differ, with 2 if a \
            file cannot be read or there is no such session, with 3 if the service gives no log.
            """)

    /// How the log is shown.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @Argument(help: ArgumentHelp("Logs, or - for the standard input.", valueName: "file"))
    var files: [String] = []

    @OptionGroup(title: "Ask the service") var fetching: LogFetchOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Show the session with this correlation id, or the beginning of one.", valueName: "id"))
    var correlation: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run the session with the policies of this folder and report the first difference.", valueName: "folder"))
    var policies: String?

    @OptionGroup var parents: ParentOptions

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
        let log = try await read()
        let entries = try log.entries(of: policy)
        // What somebody pasted may have no id to ask for.
        let isFragment = entries.count == 1 && entries[0].correlationID.isEmpty
        guard correlation != nil || policies != nil || html != nil || isFragment else { return list(log, entries) }
        try await show(try log.entry(correlation, of: policy), log)
    }

    // MARK: Reading

    private func read() async throws -> RecorderLog {
        guard let source = try fetching.source(files: files) else { return try LogReading.log(files) }
        let fetched = try await fetching.fetch(source, correlation: correlation, policy: policy)
        return try LogReading.log(files, after: fetched)
    }

    // MARK: The list

    private func list(_ log: RecorderLog, _ entries: [RecorderLog.Entry]) {
        var mask = LogMask(showsClaims: showClaims)
        // The tenant is said where there is more than one.
        let isMixed = log.tenants.count > 1
        let tenantTitle = isMixed ? ["TENANT"] : []
        var rows = [["BEGAN", "CORRELATION ID"] + tenantTitle + ["POLICY", "PERSON", "STEPS", "SECONDS", "END"]]
        var records: [JSONValue] = []
        for entry in entries {
            let session = log.session(entry)
            let story = LoggedSession(session)
            let person = mask.learn(story)
            let end = LogView.end(story, mask)
            let ran = story.steps.filter(\.ran).count
            let times = session.requests.compactMap { $0.time?.timestamp.milliseconds }
            let duration = (times.max() ?? 0) - (times.min() ?? 0)
            let isWhole = session.findings.allSatisfy { $0.severity == .advice }
            if format == .text {
                rows.append(
                    [
                        session.requests.first?.time.map { $0.timestamp.rfc3339 } ?? "?", entry.correlationID,
                    ] + (isMixed ? [session.tenant ?? "?"] : []) + [
                        session.policyID ?? "?", person ?? "nobody", String(ran),
                        "\(duration / 1000).\(duration % 1000 / 100)",
                        end.text + (isWhole ? "" : " (parts are missing)"),
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
}
