import JSON
import Scenarios
import Testing

/// An outcome, its `expect`, and what is said; an empty text where it fits.
struct ExpectationCase: CustomTestStringConvertible, Sendable {
    let outcome: String
    let expect: String?
    var says = ""

    var testDescription: String { expect ?? "nothing expected" }
}

@Suite struct ExpectationTests {
    private static let success = #"{"result": {"fromCache": true}, "elapsed": 0, "requests": []}"#
    private static let failure =
        #"{"error": {"kind": "server", "code": -50000, "oauthError": "invalid_grant"}, "requests": [{"endpoint": "token"}]}"#
    private static let waiting =
        #"{"pending": {"reason": "page", "page": {"name": "signUp", "error": "Try again later"}}}"#

    @Test(arguments: [
        ExpectationCase(outcome: success, expect: nil),
        ExpectationCase(outcome: success, expect: #"{"requests": 0}"#),
        ExpectationCase(
            outcome: failure, expect: nil,
            says: "/error: the step ended in the error kind server, code -50000, oauthError invalid_grant"),
        ExpectationCase(outcome: failure, expect: #"{"error": {"kind": "server"}}"#),
        ExpectationCase(
            outcome: failure, expect: #"{"requests": {"token": 1}}"#,
            says: "/error: the step ended in the error kind server, code -50000, oauthError invalid_grant"),
        ExpectationCase(
            outcome: failure, expect: #"{"error": {"kind": "network"}}"#,
            says: #"/error/kind: expected "network", actual "server""#),
        ExpectationCase(
            outcome: waiting, expect: nil,
            says: #"/pending: the step is pending: "page" `signUp`, which says "Try again later""#),
        ExpectationCase(outcome: waiting, expect: #"{"pending": {"page": {"error": {"$contains": "again"}}}}"#),
        ExpectationCase(
            outcome: success, expect: #"{"error": {"kind": "server"}}"#,
            says: #"/error: expected {"kind":"server"}, but the step succeeded"#),
        ExpectationCase(
            outcome: failure, expect: #"{"result": {"fromCache": true}}"#,
            says: """
                /error: the step ended in the error kind server, code -50000, oauthError invalid_grant
                /result: expected {"fromCache":true}, but the step ended in the error kind server, code -50000, \
                oauthError invalid_grant
                """),
        ExpectationCase(outcome: success, expect: #"{"error": {"$exists": false}}"#),
        ExpectationCase(outcome: failure, expect: #"{"$any": [{"error": {"kind": "server"}}, {"result": {}}]}"#),
        ExpectationCase(outcome: success, expect: #"{"$any": [{"error": {"kind": "server"}}, {"result": {}}]}"#),
        ExpectationCase(
            outcome: failure, expect: #"{"$any": [{"error": {"kind": "network"}}, {"requests": 1}]}"#,
            says: "/error: the step ended in the error kind server, code -50000, oauthError invalid_grant"),
        ExpectationCase(outcome: failure, expect: #"{"$all": [{"error": {"kind": "server"}}, {"requests": 1}]}"#),
        ExpectationCase(
            outcome: success, expect: #"{"$not": {"requests": 0}}"#,
            says: #"expected an outcome that does not match {"requests":0}"#),
        ExpectationCase(outcome: success, expect: #"{"$not": {"requests": [{"endpoint": "token"}]}}"#),
        ExpectationCase(outcome: success, expect: #"{"$not": {"error": {"kind": "network"}}}"#),
        ExpectationCase(
            outcome: success, expect: #"{"error": {"$not": {"kind": "network"}}}"#,
            says: #"/error: expected {"$not":{"kind":"network"}}, but the step succeeded"#),
        ExpectationCase(
            outcome: success, expect: #"{"$not": {"result": {"fromCach": false}}}"#,
            says: #"expected an outcome that does not match {"result":{"fromCach":false}}, "#
                + "but /result/fromCach is absent; use $exists to test absence"),
        ExpectationCase(
            outcome: success, expect: #"{"$not": {"callback": {"url": "x"}}}"#,
            says: #"expected an outcome that does not match {"callback":{"url":"x"}}, "#
                + "but /callback is absent; use $exists to test absence"),
        ExpectationCase(
            outcome: failure, expect: #"{"$not": {"error": {"kind": "network"}}}"#,
            says: "/error: the step ended in the error kind server, code -50000, oauthError invalid_grant"),
    ])
    func `success is expected unless something else is`(row: ExpectationCase) throws {
        try run(row)
    }

    @Test(arguments: [
        ExpectationCase(
            outcome:
                #"{"steps": [{"result": {}, "requests": [{"endpoint": "token"}]}, {"result": {}, "requests": []}], "requests": [{"endpoint": "token"}]}"#,
            expect: #"{"requests": {"token": 1}, "steps": [{"requests": {"token": 1}}, {"requests": 0}]}"#),
        ExpectationCase(
            outcome: #"{"steps": [{"result": {}, "requests": []}]}"#, expect: #"{"steps": [{"requests": 1}]}"#,
            says: "/steps/0/requests: number of requests: expected 1, actual 0"),
        ExpectationCase(
            outcome: #"{"steps": []}"#, expect: #"{"steps": [{"requests": 1}]}"#,
            says: "/steps: expected 1 element, actual 0: []"),
    ])
    func `the outcomes of a group are outcomes`(row: ExpectationCase) throws {
        try run(row)
    }

    private func run(_ row: ExpectationCase) throws {
        let found = Expectation.mismatches(
            outcome: try JSONParser.parse(row.outcome), expected: try row.expect.map { try JSONParser.parse($0) })
        #expect(found.map(\.description).joined(separator: "\n") == row.says)
    }
}
