import Diagnostics
import JSON
import JourneyLogs
import Testing

/// Logs that are large, broken in every row, or made to be slow to read.
struct LogLimitsTests {
    private static func findings(_ text: String) throws -> [Diagnostic] {
        try RecorderLog(files: [("log", Array(text.utf8))]).findings
    }

    private static let header = "timestamp,message,customDimensions\n"

    /// A row of the table is what is wrong with each row of a log.
    @Test(arguments: [
        (header, "2026-11-02T09:10:11Z,x\n", "more rows have another number of cells"),
        (header, "yesterday,x,{}\n", "more rows have no time that can be read"),
        ("", "{\"timestamp\":\"2026-11-02T09:10:11Z\",\"event\":1}\n", "more rows are not rows of a log"),
    ])
    func `what is wrong with every row is said six times`(_ head: String, _ row: String, _ rest: String) throws {
        let found = try Self.findings(head + String(repeating: row, count: 2000))
        let listed = found.filter { $0.location?.line != nil }
        #expect(listed.count == 5, "\(found.map(\.description))")
        #expect(found.contains { $0.message.hasPrefix("1995 ") && $0.message.contains(rest) }, "\(found)")
    }

    @Test func `a cell that is not a time is not repeated`() throws {
        let found = try Self.findings(Self.header + "ada.lovelace@kestrel.test,x,{}\n")
        #expect(found.map(\.message).joined().contains("the 25 characters of the column timestamp are not a time"))
        #expect(!found.map(\.description).joined().contains("lovelace"))
    }

    @Test func `places are counted in characters, in long lines and behind them`() throws {
        let long = String(repeating: "ä€", count: 5000)
        let rows =
            "[{\"timestamp\":\"a\",\"message\":\"\(long)\"},{\"timestamp\":\"b\",\"message\":\"\(long)\"},\n"
            + "{\"timestamp\":\"c\",\"message\":\"x\"},  {\"timestamp\":\"d\",\"message\":\"x\"}]"
        let places = try Self.findings(rows).compactMap(\.location)
        #expect(places.map(\.line) == [1, 1, 2, 2])
        #expect(places.map(\.column) == [2, 10_033, 1, 35])
    }

    @Test func `messages that are all cut are listed five times and counted`() throws {
        let piece = "[{\"Kind\":\"Headers\",\"Content\":{\"CorrelationId\":\"0a1b\"".replacing("\"", with: "\"\"")
        let rows = (0..<600).map { "2026-11-02T09:10:11.\($0 + 100)Z,\"\(piece) \($0)\",{}\n" }.joined()
        let log = try RecorderLog(files: [("log", Array((Self.header + rows).utf8))])
        let findings = log.entries.flatMap { log.session($0).findings }
        #expect(findings.filter { $0.message.contains("is not whole") }.count == 5)
        #expect(findings.contains { $0.message == "595 more messages are not whole: the first 5 are listed" })
    }

    @Test func `sessions of many tenants name each tenant once`() throws {
        let rows = (0..<500).map {
            "2026-11-02T09:10:11Z,x,\"{\"\"EventName\"\":\"\"Journey Recorder Event\"\",\"\"Tenant\"\":\"\"T\($0 % 250)\"\"}\"\n"
        }
        .joined()
        #expect(try RecorderLog(files: [("log", Array((Self.header + rows).utf8))]).tenants.count == 250)
    }

    // MARK: Addresses in messages

    @Test(arguments: [
        ("write to eve@fabrikam.com.", "write to <email>."),
        ("eve%40fabrikam.com&x=1", "<email>&x=1"),
        ("?a=eve%40fabrikam.com%40x.y", "?a=<email>%40x.y"),
        ("a@b@fabrikam.com", "a@<email>"),
        ("person1@example.com and eve@localhost", "person1@example.com and eve@localhost"),
        ("call +442079460771 or %2B442079460771", "call <phone> or <phone>"),
        ("1+1 is 2, +4420 is short", "1+1 is 2, +4420 is short"),
        ("@fabrikam.com, eve@", "@fabrikam.com, eve@"),
        (String(repeating: "a", count: 100_000), String(repeating: "a", count: 100_000)),
        (String(repeating: "a%40", count: 50_000), String(repeating: "a%40", count: 50_000)),
    ])
    func `addresses and numbers that no claim has are replaced`(_ text: String, _ shown: String) {
        #expect(LogMask(showsClaims: false).masked(text) == shown)
    }
}
