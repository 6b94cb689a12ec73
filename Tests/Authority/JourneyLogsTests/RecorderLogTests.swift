import Determinism
import Diagnostics
import JSON
import JourneyLogs
import Testing

/// Logs in all forms in which they reach a file.
struct RecorderLogTests {
    private static let messages = [
        Sessions.message(
            "Event:AUTH",
            [
                .transition(RecorderTransition(eventName: "AUTH", stateName: "Initial")),
                .handlerResult(
                    RecorderResult(
                        statebag: RecorderStatebag(claims: ["name": "Zoë, \"Z\"; \u{1F600}\nline", "x": "\t|\\"]))),
            ]),
        Sessions.message("Event:API", [.unknown(["Kind": "Weather", "Content": .null])]),
    ]

    private static func log(_ bytes: [UInt8], _ file: String = "log.json") throws -> RecorderLog {
        try RecorderLog(files: [(file, bytes)])
    }

    private static func sessions(_ log: RecorderLog) -> [LogSession] { log.entries.map { log.session($0) } }

    @Test(arguments: Exports.forms.map(\.name))
    func `a session is the same in every form`(_ name: String) throws {
        let form = try #require(Exports.forms.first { $0.name == name })
        let log = try Self.log(form.write(Sessions.rows(Self.messages)))
        #expect(log.findings.isEmpty)
        let session = try #require(Self.sessions(log).first)
        #expect(log.entries.count == 1)
        #expect(session.requests.map(\.message) == Self.messages)
        #expect(session.requests.map(\.time) == [Sessions.time(0), Sessions.time(1000)])
        #expect(session.findings.isEmpty)
        #expect(session.correlationID == Sessions.correlation)
        #expect(session.policyID == "B2C_1A_loyalty")
        #expect(session.tenant == "contoso.onmicrosoft.com")
    }

    /// Each form is cut at many places: what is whole before the place is read, and the cut is said.
    @Test(arguments: Exports.forms.map(\.name))
    func `a file that is cut off gives what is whole`(_ name: String) throws {
        let form = try #require(Exports.forms.first { $0.name == name })
        let bytes = form.write(Sessions.rows(Self.messages + Self.messages))
        for part in stride(from: 5, to: 100, by: 6) where name != "CSV with tabs in UTF-16" {
            let cut = Array(bytes.prefix(bytes.count * part / 100))
            do throws(InvalidInput) {
                let log = try RecorderLog(files: [("log", cut)])
                let sessions = Self.sessions(log)
                let clips = sessions.flatMap { $0.requests.flatMap(\.message.clips) }
                let said = !log.findings.isEmpty || sessions.contains { !$0.findings.isEmpty }
                // A cut between two rows of a file without an end is not noticed by anybody.
                let hasEnd = name != "JSON lines" && !name.contains("CSV")
                #expect(said || !hasEnd, "\(name) at \(part) %")
                #expect(clips.allSatisfy { clip in Self.messages.contains { $0.clips.contains(clip) } })
            } catch {
                #expect(error.diagnostics.allSatisfy { $0.remedy != nil && $0.location != nil }, "\(name) at \(part) %")
            }
        }
    }

    @Test func `sessions are separated by correlation id and policy and sorted by time`() throws {
        let other = "0a1b2c3d-0000-4000-8000-00000000bebe"
        let rows =
            Sessions.rows(Self.messages, from: 60_000)
            + Sessions.rows([Sessions.message("Event:AUTH", correlation: other, [])], correlation: other)
            + Sessions.rows(Self.messages, policy: "B2C_1A_edit", from: 90_000)
        let log = try Self.log(Array(Exports.queryAPI(rows).utf8))
        #expect(log.entries.map(\.correlationID) == [other, Sessions.correlation, Sessions.correlation])
        #expect(log.entries.map(\.policyID) == ["B2C_1A_loyalty", "B2C_1A_loyalty", "B2C_1A_edit"])
        #expect(log.entries(matching: "0A1B2C3D-0000-4000-8000-00000000bebe").count == 1)
        #expect(log.entries(matching: "0a1b2c3d").count == 3)
        #expect(log.entries(matching: "").isEmpty)
    }

    // MARK: Pieces

    /// A message whose pieces begin and end at different depths, as those of a tenant do.
    private static func long(_ seed: UInt64) -> RecorderMessage {
        var generator = SeededGenerator(seed: seed)
        var exception: RecorderException?
        for _ in 0..<7 {
            exception = RecorderException(message: "[{]}\"\\," + generator.digits(500), inner: exception)
        }
        return Sessions.message(
            "Event:API",
            [
                .handlerResult(
                    RecorderResult(statebag: RecorderStatebag(claims: ["a": .string(generator.digits(300))]))),
                .handlerResult(RecorderResult(result: false, exception: exception)),
                .action(RecorderHandler.name("SendErrorHandler")),
            ])
    }

    @Test(arguments: 0..<30)
    func `pieces are joined in any order, doubled or not`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let messages = [Self.long(seed), Self.messages[0], Self.long(seed + 100)]
        var rows = Sessions.rows(messages, limit: 700)
        if seed % 3 == 0 { rows += rows.prefix(4) }
        let log = try Self.log(Array(Exports.queryAPI(generator.shuffled(rows)).utf8))
        let session = try #require(Self.sessions(log).first)
        #expect(session.requests.map(\.message) == messages)
        #expect(session.findings.contains { $0.rule == "B2C-LOG-005" } == (seed % 3 == 0))
        #expect(session.findings.allSatisfy { $0.severity == .advice })
    }

    /// Then the order of the file counts, and what begins and ends a message.
    @Test func `pieces of one time are joined, also when the last is first`() throws {
        let messages = [Self.long(3), Self.long(4)]
        for limit in [700, 2600] {
            var rows = Sessions.rows(messages, limit: limit)
            for index in rows.indices { rows[index].time.rest = 0 }
            if limit == 2600 {
                try #require(rows.count == 4)
                rows.swapAt(0, 1)
            }
            let session = try #require(Self.sessions(try Self.log(Array(Exports.csv(rows).utf8))).first)
            #expect(session.requests.map(\.message) == messages)
        }
    }

    /// The first piece and the last make JSON without those between them.
    @Test func `no piece is left behind`() throws {
        let message = Sessions.message("Event:API", [.action(String(repeating: "abcdefghij", count: 300))])
        var rows = Sessions.rows([message], limit: 700)
        for index in rows.indices { rows[index].time.rest = 0 }
        for order in [rows, rows.reversed(), [rows[0], rows[4], rows[1], rows[3], rows[2]]] {
            let session = try #require(Self.sessions(try Self.log(Array(Exports.csv(order).utf8))).first)
            #expect(session.requests.map(\.message.clips.count) == [2])
            #expect(session.requests.first?.isPartial == false)
        }
    }

    @Test(arguments: 0..<4)
    func `a missing piece is said and the clips of the others are read`(_ missing: Int) throws {
        let message = Self.long(7)
        var rows = Sessions.rows([message], limit: 700)
        try #require(rows.count > 3)
        rows.remove(at: missing % rows.count)
        let log = try Self.log(Array(Exports.csv(rows).utf8), "log.csv")
        let session = try #require(Self.sessions(log).first)
        let clips = session.requests.flatMap(\.message.clips)
        #expect(!clips.isEmpty)
        #expect(clips.allSatisfy { message.clips.contains($0) })
        #expect(session.requests.allSatisfy { $0.isPartial })
        let finding = try #require(session.findings.first { $0.severity == .warning })
        #expect(finding.rule == "B2C-LOG-004")
        #expect(finding.location?.file == "log.csv")
    }

    // MARK: Fragments

    @Test func `a message that somebody pasted is read with any quotation marks`() throws {
        let text = JSONWriter.compact(Self.messages[0].json)
        let escaped = String(JSONWriter.compact(.string(text)).dropFirst().dropLast())
        let doubled = text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        for pasted in [
            text, "See this:\n```json\n\(text)\n```\n", escaped, doubled, JSONWriter.pretty(Self.messages[0].json),
        ] {
            let session = try #require(Self.sessions(try Self.log(Array(pasted.utf8))).first)
            #expect(session.requests.map(\.message) == [Self.messages[0]])
            #expect(session.correlationID == Sessions.correlation)
        }
    }

    /// Lines of at most so many characters, broken at blanks or anywhere.
    private static func wrapped(_ text: String, _ width: Int, atBlanks: Bool) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while rest.count > width {
            let full = rest.prefix(width)
            let blank = atBlanks ? full.lastIndex(of: " ") : nil
            lines.append(String(rest[..<(blank ?? full.endIndex)]))
            rest = rest[(blank.map { rest.index(after: $0) } ?? full.endIndex)...]
        }
        return lines + [String(rest)]
    }

    /// Mails and forums show a message in forms that are not JSON.
    private static let mails: [@Sendable (String) -> String] = [
        { "Hi,\n\nsee below.\n\n" + $0.split(separator: "\n").map { "> " + $0 }.joined(separator: "\n") },
        { $0.split(separator: "\n").map { ">> " + $0 }.joined(separator: "\r\n") },
        { $0.replacing("\"", with: "\u{201D}") }, { "\u{201C}" + $0.replacing("\"", with: "\u{201C}") },
        { $0.replacing("\"", with: "&quot;") },
        { wrapped($0.replacing("\n", with: " "), 76, atBlanks: false).joined(separator: "\n") },
        { wrapped($0.replacing("\n", with: " "), 76, atBlanks: false).map { "> " + $0 }.joined(separator: "\n") },
    ]

    @Test(arguments: mails.indices)
    func `a message in a mail is read`(_ index: Int) throws {
        let text = JSONWriter.pretty(Self.messages[0].json)
        let session = try #require(Self.sessions(try Self.log(Array(Self.mails[index](text).utf8))).first)
        #expect(session.requests.map(\.message) == [Self.messages[0]])
    }

    /// `Format-List` of PowerShell: a property a line, wrapped below itself at the width of the window.
    @Test(arguments: [80, 120])
    func `a listing is read, at any width`(_ width: Int) throws {
        var text = ""
        for row in Sessions.rows(Self.messages) {
            let cells = [
                ("timestamp", row.time.text), ("message", row.message),
                ("customDimensions", JSONWriter.compact(.object(row.dimensions.json))), ("itemId", row.itemID ?? ""),
            ]
            for (name, value) in cells {
                let lines = Self.wrapped(value, width - 20, atBlanks: name == "customDimensions")
                text += name.padding(18) + ": " + lines.joined(separator: "\n" + "".padding(20)) + "\n"
            }
            text += "\n"
        }
        let log = try Self.log(Array(text.utf8))
        let session = try #require(Self.sessions(log).first)
        #expect(session.requests.map(\.message) == Self.messages)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let beginnings = lines.indices.filter { lines[$0].hasPrefix("timestamp") }.map { $0 + 1 }
        #expect(session.requests.map(\.location.line) == beginnings)
        #expect(log.findings.isEmpty && log.entries.map(\.policyID) == ["B2C_1A_loyalty"], "\(log.findings)")
    }

    @Test func `of a message that was cut off the whole clips are read`() throws {
        let text = JSONWriter.compact(Self.messages[0].json)
        let log = try Self.log(Array(text.dropLast(40).utf8), "issue.txt")
        let session = try #require(Self.sessions(log).first)
        #expect(session.requests.flatMap(\.message.clips) == Array(Self.messages[0].clips.prefix(2)))
        let finding = try #require(log.findings.first)
        #expect(finding.message == "a clip is cut off here; 2 clips are read")
        let before = try #require(text.components(before: #"{"Kind":"HandlerResult""#))
        #expect(finding.location?.column == before.unicodeScalars.count + 1)
    }

    // MARK: Texts other than logs

    @Test(arguments: [
        ("", "the file is empty"), (" \n", "the file is empty"),
        ("<!DOCTYPE html><html></html>", "this is HTML or XML, not a log"),
        ("hello", "this is not a log of the journey recorder"),
        ("[]", "the log has no rows"), (#"{"tables":[{"name":"PrimaryResult","columns":[],"rows":[]}]}"#, nil),
        (
            #"{"error":{"code":"InsufficientAccessError","message":"no access"}}"#,
            "the service answered with an error instead of a log: InsufficientAccessError: no access"
        ),
        (#"[{"Kind":"Headers","Content":{"Corr"#, "no clip of this message is whole"),
        ("timestamp,customDimensions\n1,2\n", "this is not a log of the journey recorder"),
    ])
    func `what is not a log is refused with a remedy`(_ text: String, _ message: String?) throws {
        do throws(InvalidInput) {
            let log = try RecorderLog(files: [("file", Array(text.utf8))])
            #expect(message == nil)
            #expect(log.findings.allSatisfy { $0.remedy != nil })
            #expect(!log.findings.isEmpty)
        } catch {
            let finding = try #require(error.diagnostics.first)
            #expect(finding.message == message)
            #expect(finding.remedy != nil)
            #expect(finding.location?.line == 1)
        }
    }

    @Test func `rows of other programs are counted and not read`() throws {
        var rows = Sessions.rows(Self.messages)
        rows[0].dimensions.eventName = "Heartbeat"
        let log = try Self.log(Array(Exports.queryAPI(rows).utf8))
        #expect(log.entries.count == 1)
        #expect(log.findings.map(\.message) == ["1 row is of other programs and not read"])
    }

    /// Rows of other programs in the forms in which a query without a filter returns them.
    private static let foreign: [String] = [
        #"{"timestamp":"2026-11-02T09:10:00Z","message":"GET /basket took 12 ms","customDimensions":{"CategoryName":"Shop"}}"#,
        #"{"timestamp":"2026-11-02T09:10:00Z","message":"{\"level\":\"info\"}","customDimensions":"{\"CorrelationId\":\"a1\"}"}"#,
        #"{"timestamp":"2026-11-02T09:10:00Z","name":"GET /basket","customDimensions":{"AspNetCoreEnvironment":"Production"}}"#,
        #"{"timestamp":"2026-11-02T09:10:00Z","message":"","customDimensions":{}}"#,
    ]

    @Test func `rows of programs that do not name themselves become no session`() throws {
        let own = Exports.rows(Sessions.rows(Self.messages)).map { JSONWriter.compact($0) }
        let log = try Self.log(Array((Self.foreign + own + Self.foreign).joined(separator: "\n").utf8))
        #expect(log.entries.map(\.correlationID) == [Sessions.correlation])
        #expect(Self.sessions(log).first?.requests.map(\.message) == Self.messages)
        #expect(log.findings.map(\.message) == ["8 rows are of other programs and not read"])
        let none = try Self.log(Array(Self.foreign.joined(separator: "\n").utf8))
        #expect(none.entries.isEmpty && none.findings.map(\.message) == ["4 rows are of other programs and not read"])
    }

    /// Without columns a piece of a message is known by the one that it continues.
    @Test func `pieces without columns stay, whatever is between them`() throws {
        let rows = Sessions.rows([Self.long(5)], limit: 700).map { row in
            ["timestamp": .string(row.time.text), "message": .string(row.message)] as JSONValue
        }
        var lines = rows.map { JSONWriter.compact($0) }
        lines.insert(#"{"timestamp":"2026-11-02T09:10:00Z","message":"GET /basket took 12 ms"}"#, at: 1)
        let log = try Self.log(Array(lines.joined(separator: "\n").utf8))
        #expect(Self.sessions(log).flatMap(\.requests).map(\.message) == [Self.long(5)])
        #expect(log.findings.map(\.message) == ["1 row is of other programs and not read"])
    }

    @Test func `a sampled log says so`() throws {
        var rows = Sessions.rows(Self.messages)
        rows[1].itemCount = 5
        let log = try Self.log(Array(Exports.csv(rows).utf8))
        #expect(log.findings.first?.message.hasPrefix("the log was sampled: 1 of 2 rows") == true)
    }

    @Test func `a session whose beginning is missing says so`() throws {
        let whole = try Self.log(Array(Exports.csv(Sessions.rows(Self.messages)).utf8))
        #expect(Self.sessions(whole).flatMap(\.findings).isEmpty)
        let late = try Self.log(Array(Exports.csv(Array(Sessions.rows(Self.messages).dropFirst())).utf8), "log.csv")
        #expect(
            Self.sessions(late).flatMap(\.findings).map(\.description) == [
                "log.csv:2:1: advice: the beginning of this session is not in the log: its first request is Event:API "
                    + "[B2C-LOG-010] (Export from an earlier time: the session began before it.)"
            ])
    }

    @Test func `tenants that are mixed are named`() throws {
        var rows = Sessions.rows(Self.messages)
        rows[1].dimensions.tenant = "fabrikam.onmicrosoft.com"
        let log = try Self.log(Array(Exports.csv(rows).utf8))
        #expect(log.tenants == ["contoso.onmicrosoft.com", "fabrikam.onmicrosoft.com"])
        #expect(log.findings.map(\.rule) == ["B2C-LOG-007"])
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// What is before the first place of a text.
    fileprivate func components(before text: String) -> Substring? {
        firstRange(of: text).map { self[..<$0.lowerBound] }
    }
}
