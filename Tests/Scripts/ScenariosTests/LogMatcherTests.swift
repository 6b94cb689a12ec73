import JSON
import Scenarios
import Testing

/// A log, what is expected of it, and what is said; an empty text where it fits.
struct LogCase: CustomTestStringConvertible, Sendable {
    var log = LogName.requests
    let expected: String
    var says = ""

    var testDescription: String { "\(log.rawValue) \(expected)" }
}

@Suite struct LogMatcherTests {
    static let requests = #"""
        [{"number": 1, "endpoint": "discovery", "response": {"status": 200}},
         {"number": 2, "endpoint": "authorize", "query": {"prompt": "select_account"}, "response": {"status": 302}},
         {"number": 3, "endpoint": "token", "form": {"grant_type": "authorization_code"}, "response": {"status": 500}},
         {"number": 4, "endpoint": "token", "form": {"grant_type": "authorization_code"}, "response": {"status": 200}}]
        """#
    static let trace = #"""
        [{"step": 1, "ran": true}, {"profile": "login-NonInteractive", "validation": true}, {"step": 2, "ran": false}]
        """#

    @Test(arguments: [
        LogCase(expected: "4"),
        LogCase(
            expected: "3",
            says:
                #"/requests: number of requests: expected 3, actual 4; the log has {"discovery":1,"authorize":1,"token":2}"#
        ),
        LogCase(expected: #"{"$gte": 4}"#),
        LogCase(expected: #"{"$any": [1, {"$lt": 5}]}"#),
        LogCase(expected: #"{"$equals": 4}"#),
    ])
    func `a number counts all records`(row: LogCase) throws {
        try run(row, Self.requests)
    }

    @Test(arguments: [
        LogCase(expected: #"{"token": 2, "authorize": 1, "logout": 0}"#),
        LogCase(expected: #"{"token": {"$lte": 2}}"#),
        LogCase(
            expected: #"{"token": 1, "logout": {"$gte": 1}}"#,
            says: #"""
                /requests/token: number of token requests: expected 1, actual 2; the log has {"discovery":1,"authorize":1,"token":2}
                /requests/logout: number of logout requests: expected at least 1, actual 0; the log has {"discovery":1,"authorize":1,"token":2}
                """#),
    ])
    func `an object counts by endpoint`(row: LogCase) throws {
        try run(row, Self.requests)
    }

    @Test(arguments: [
        LogCase(
            expected: "[]",
            says:
                #"/requests: number of requests: expected 0, actual 4; the log has {"discovery":1,"authorize":1,"token":2}"#
        ),
        LogCase(expected: #"[{"endpoint": "authorize"}, {"endpoint": "token", "response": {"status": 200}}]"#),
        LogCase(expected: #"[{"endpoint": "token"}, {"endpoint": "token"}]"#),
        LogCase(
            expected: #"[{"endpoint": "token"}, {"endpoint": "token"}, {"endpoint": "token"}]"#,
            says: #"/requests: no request after request 4 (token) matches element 2, {"endpoint":"token"}; "#
                + "request 3 (token) does, but it comes too early or is taken already"),
        LogCase(
            expected: #"[{"endpoint": "token"}, {"endpoint": "authorize"}]"#,
            says: #"/requests: no request after request 3 (token) matches element 1, {"endpoint":"authorize"}; "#
                + "request 2 (authorize) does, but it comes too early or is taken already"),
        LogCase(
            expected: #"[{"endpoint": "authorize", "query": {"prompt": "login"}}]"#,
            says: #"/requests: no request matches element 0, {"endpoint":"authorize","query":{"prompt":"login"}}; "#
                + #"nearest is request 2 (authorize): /query/prompt: expected "login", actual "select_account""#),
        LogCase(expected: #"[{"endpoint": "token", "$times": 2}, {"endpoint": "discovery"}]"#),
        LogCase(expected: #"[{"endpoint": "token", "$times": {"$lte": 2}}]"#),
        LogCase(expected: #"[{"endpoint": "logout", "$times": 0}]"#),
        LogCase(
            expected: #"[{"endpoint": "token", "response": {"status": 200}, "$times": 2}]"#,
            says: #"/requests: number of requests like element 0 {"endpoint":"token","response":{"status":200}}: "#
                + #"expected 2, actual 1; the log has {"discovery":1,"authorize":1,"token":2}"#),
    ])
    func `an array names records in this order`(row: LogCase) throws {
        try run(row, Self.requests)
    }

    @Test(arguments: [
        LogCase(log: .trace, expected: "3"),
        LogCase(log: .trace, expected: #"[{"step": 1, "ran": true}, {"step": 2, "ran": false}]"#),
        LogCase(
            log: .trace, expected: #"{"step": 2}"#,
            says: "/trace: `trace` is compared with a number or an array, not with an object of numbers"),
        LogCase(
            log: .trace, expected: #"[{"step": 2, "ran": true}]"#,
            says: #"/trace: no trace record matches element 0, {"step":2,"ran":true}; "#
                + "nearest is trace record 1: /step: expected 2, actual 1"),
    ])
    func `a trace has no kinds`(row: LogCase) throws {
        try run(row, Self.trace)
    }

    @Test(arguments: [
        LogCase(
            expected: #""3""#,
            says: "/requests: a log is compared with a number, an object of numbers or an array, not with a text"),
        LogCase(
            expected: #"{"token": 2, "$gte": 1}"#,
            says: "/requests: `$gte` cannot be combined with counts by endpoint"),
        LogCase(
            expected: "{}",
            says: "/requests: an object without counts says nothing of a log; write 0 or [] for no requests"),
    ])
    func `other forms are refused`(row: LogCase) throws {
        try run(row, Self.requests)
    }

    @Test(arguments: LogName.allCases)
    func `an empty array means no record`(log: LogName) throws {
        #expect(LogMatcher.mismatches([], expected: [], log: log, at: .root).isEmpty)
        #expect(!LogMatcher.mismatches([["number": 1]], expected: [], log: log, at: .root).isEmpty)
    }

    @Test func `an empty log says so`() throws {
        try run(
            LogCase(
                expected: #"[{"endpoint": "token"}]"#,
                says: #"/requests: no request matches element 0, {"endpoint":"token"}; the log is empty"#), "[]")
    }

    @Test func `the nearest record is named`() throws {
        let expected = try JSONParser.parse(#"[{"endpoint": "token", "response": {"status": 400}}]"#)
        let records = try #require(try JSONParser.parse(Self.requests).arrayValue)
        let found = LogMatcher.mismatches(records, expected: expected, log: .requests, at: "/requests")
        #expect(found.map(\.record) == [2])
    }

    private func run(_ row: LogCase, _ log: String) throws {
        let records = try #require(try JSONParser.parse(log).arrayValue)
        let found = LogMatcher.mismatches(
            records, expected: try JSONParser.parse(row.expected), log: row.log,
            at: JSONPointer(tokens: [row.log.rawValue]))
        #expect(found.map(\.description).joined(separator: "\n") == row.says)
    }
}
