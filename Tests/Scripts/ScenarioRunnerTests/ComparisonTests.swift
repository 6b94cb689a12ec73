import Diagnostics
import JSON
import Scenarios
import Testing

@testable import ScenarioRunner

/// What `b2c compare` finds different, and what it does not.
struct ComparisonTests {
    /// The outcome of a sign-in, as a step keeps it.
    static let signIn = """
        { "result": {
            "idToken": { "raw": "eyJ.x.y", "header": { "alg": "RS256", "kid": "k1" },
              "claims": { "ver": "1.0", "tfp": "B2C_1_susi", "name": "Ada", "iat": 1768478400,
                "oid": "5c0d1e2f-0000-4000-8000-000000000001", "emails": ["a@x.test", "b@x.test"] } },
            "account": { "username": "ada" } },
          "requests": [
            { "number": "1", "endpoint": "discovery", "from": "client", "response": { "status": 200,
                "headers": { "date": "Thu", "cache-control": "no-store" },
                "json": { "issuer": "https://c.test/0f6b7a52-6d9c-4c0f-9a31-5f2f0e0a9b11/v2.0/", "scopes_supported": ["openid"],
                  "claims_supported": ["a", "b"] } } },
            { "number": "2", "endpoint": "authorize", "from": "browser", "response": { "status": 200,
                "headers": { "set-cookie": ["x-ms-cpim-cache|abc_0=m1.x; domain=c.test; path=/; secure; HttpOnly",
                  "x-ms-cpim-trans=eyJ; path=/; expires=Thu"], "x-frame-options": "DENY" } } },
            { "number": "3", "endpoint": "discovery", "from": "authority", "response": { "status": 500 } } ],
          "pages": [ { "number": 1, "name": "signIn", "title": "Sign in", "buttons": ["next", "cancel"],
              "fields": { "email": { "label": "Email", "value": "", "required": true, "readOnly": false, "options": [] } } } ],
          "messages": [], "events": [] }
        """

    static let failure = """
        { "error": { "kind": "serverError", "b2cCode": "AADB2C90088",
            "message": "AADB2C90088: wrong policy\\r\\nCorrelation ID: 0f6b7a52-6d9c-4c0f-9a31-5f2f0e0a9b11\\r\\nTimestamp: 2026-01-15 12:00:00Z" } }
        """

    private func report(_ outcome: JSONValue?, status: RunStatus = .passed, target: String) -> RunReport {
        let step = StepReport(
            id: "signIn", title: "signIn", verb: "acquireToken", location: SourceLocation(file: "s.json"), client: nil,
            status: outcome == nil ? .failed : .passed, mismatches: [], problems: outcome == nil ? ["no world"] : [],
            at: Scenario.usualClock, elapsed: .zero, outcome: outcome, tellingExchanges: [], steps: [])
        let scenario = ScenarioReport(
            file: "s.json", name: "Signs in", caseName: nil, tags: [], status: status,
            reason: status == .passed ? nil : "because", steps: [.skipped, .blocked].contains(status) ? [] : [step],
            started: Scenario.usualClock, elapsed: .zero, exchanges: 0)
        return RunReport(seed: 7, target: target, scenarios: [scenario])
    }

    private func comparison(
        _ one: String, _ other: String, expected: [ExpectedDifference] = [], leavesOutBrowsers: Bool = false
    ) throws -> Comparison {
        Comparison(
            report(try JSONParser.parse(one), target: "mock"), report(try JSONParser.parse(other), target: "live"),
            expected: expected, leavesOutBrowsers: leavesOutBrowsers)
    }

    /// What is changed in the outcome, and the places that then differ.
    static let changes: [(from: String, to: String, places: [String])] = [
        // By nature no two runs have these in common.
        ("\"iat\": 1768478400", "\"iat\": 1799999999", []), ("eyJ.x.y", "eyJ.z.z", []),
        ("5c0d1e2f-0000-4000-8000-000000000001", "5c0d1e2f-0000-4000-8000-000000000002", []),
        ("\"date\": \"Thu\"", "\"date\": \"Fri\"", []), ("cache|abc_0=m1.x", "cache|def_0=m1.y", []),
        ("[\"openid\"]", "[\"openid\" ]", []), ("[\"a\", \"b\"]", "[\"b\", \"a\"]", []),
        ("0f6b7a52-6d9c-4c0f-9a31-5f2f0e0a9b11/v2.0", "1f6b7a52-6d9c-4c0f-9a31-5f2f0e0a9b12/v2.0", []),
        ("\"status\": 500", "\"status\": 200", []), ("expires=Thu", "expires=Fri", []),
        // Discovery.
        ("\"scopes_supported\": [\"openid\"],", "", ["requests/discovery/1/json/scopes_supported"]),
        ("[\"a\", \"b\"]", "[\"a\"]", ["requests/discovery/1/json/claims_supported"]),
        ("\"issuer\":", "\"issuer2\":", ["requests/discovery/1/json/issuer", "requests/discovery/1/json/issuer2"]),
        // Claims.
        ("\"name\": \"Ada\"", "\"name\": \"Bea\"", ["result/idToken/claims/name"]),
        ("\"ver\": \"1.0\"", "\"ver\": 1", ["result/idToken/claims/ver"]),
        (", \"b@x.test\"", "", ["result/idToken/claims/emails"]),
        ("\"kid\": \"k1\"", "\"kid\": \"k2\"", ["result/idToken/header/kid"]),
        // Pages.
        ("\"label\": \"Email\"", "\"label\": \"E-mail\"", ["pages/1/fields/email/label"]),
        ("\"required\": true", "\"required\": false", ["pages/1/fields/email/required"]),
        ("\"next\", \"cancel\"", "\"next\"", ["pages/1/buttons"]),
        ("\"title\": \"Sign in\"", "\"title\": \"Hello\"", ["pages/1/title"]),
        (
            "\"email\": { \"label\"", "\"signInName\": { \"label\"",
            ["label", "options", "readOnly", "required"].flatMap {
                ["pages/1/fields/email/\($0)", "pages/1/fields/signInName/\($0)"]
            }
        ),
        // Answers.
        (
            "\"cache-control\": \"no-store\"", "\"cache-control\": \"private\"",
            ["requests/discovery/1/headers/cache-control"]
        ),
        (", \"x-frame-options\": \"DENY\"", "", ["requests/authorize/1/headers/x-frame-options"]),
        ("; secure; HttpOnly", "; HttpOnly", ["requests/authorize/1/cookies/x-ms-cpim-cache"]),
        ("x-ms-cpim-trans=eyJ;", "x-ms-cpim-trans=;", ["requests/authorize/1/cookies/x-ms-cpim-trans"]),
        (
            "\"from\": \"browser\", \"response\": { \"status\": 200",
            "\"from\": \"browser\", \"response\": { \"status\": 302", ["requests/authorize/1/status"]
        ),
    ]

    @Test(arguments: changes)
    func `facts differ, times and names do not`(_ row: (from: String, to: String, places: [String])) throws {
        #expect(Self.signIn.contains(row.from))
        let found = try comparison(Self.signIn, Self.signIn.replacing(row.from, with: row.to))
        #expect(found.differences.map(\.place).sorted() == row.places.sorted())
        #expect(found.isGood == row.places.isEmpty)
        #expect(found.facts > 15)
    }

    @Test func `codes of errors differ, their correlation does not`() throws {
        let other = Self.failure.replacing("0f6b7a52", with: "aaaaaaaa").replacing("12:00:00", with: "13:01:02")
        #expect(try comparison(Self.failure, other).differences.isEmpty)
        let wrong = try comparison(Self.failure, Self.failure.replacing("90088", with: "90080"))
        #expect(wrong.differences.map(\.place) == ["error/b2cCode", "error/message"])
        #expect(wrong.text.contains("    mock: \"AADB2C90088\"\n    live: \"AADB2C90080\""), "\(wrong.text)")
    }

    @Test func `what a real browser asks for is not a fact`() throws {
        let without = Self.signIn.replacing("\"endpoint\": \"authorize\"", with: "\"endpoint\": \"gone\"")
        #expect(!(try comparison(Self.signIn, without).differences.isEmpty))
        #expect(try comparison(Self.signIn, without, leavesOutBrowsers: true).differences.isEmpty)
    }

    @Test func `a known difference counts as one, and one that is gone is reported`() throws {
        let known = try ExpectedDifference.read(
            try JSONParser.parse(
                """
                { "differences": [ { "place": "result/*/claims/name", "reason": "another person" },
                    { "place": "requests/**", "reason": "never" },
                    { "place": "result/idToken", "reason": "too short" },
                    { "place": "result/idToken/claims/name", "reason": "of another script", "scenario": "Other" } ] }
                """))
        let other = Self.signIn.replacing("\"Ada\"", with: "\"Bea\"")
        let found = try comparison(Self.signIn, other, expected: known)
        #expect(found.isGood)
        #expect(found.differences.map(\.expected) == ["another person"])
        #expect(found.unused.map(\.reason) == ["never", "too short", "of another script"])
        #expect(found.json["good"] == true)
        #expect(found.json["notFound"]?.arrayValue?.count == 3)
        #expect(found.text.contains("no longer differs: requests/** (never)"))
        // Written out again, the reason is kept, and what is new waits for one.
        let both = try comparison(Self.signIn, other.replacing("no-store", with: "private"), expected: known)
        #expect(
            both.asExpected["differences"]
                == [
                    ["place": "result/idToken/claims/name", "reason": "another person"],
                    [
                        "place": "requests/discovery/1/headers/cache-control",
                        "reason": "never",
                    ],
                ])
        let fresh = try comparison(Self.signIn, other)
        #expect(fresh.asExpected["differences"]?[0]?["reason"] == "recorded, not explained yet")
        let again = try ExpectedDifference.read(fresh.asExpected)
        #expect(try comparison(Self.signIn, other, expected: again).isGood)
    }

    @Test(arguments: [
        ("[]", "holds {\"differences\": [...]}"),
        ("{ \"differences\": [ { \"place\": \"x\" } ] }", "/differences/0 needs"),
        ("{ \"differences\": [ { \"place\": \"x\", \"reason\": \"y\", \"why\": 1 } ] }", "unknown key \"why\""),
        ("{ \"differences\": [ { \"place\": 1, \"reason\": \"y\" } ] }", "/differences/0 needs"),
    ])
    func `a file of known differences is read or refused`(_ row: (text: String, words: String)) throws {
        let json = try JSONParser.parse(row.text)
        do throws(TargetProblem) {
            _ = try ExpectedDifference.read(json)
            Issue.record("read")
        } catch {
            #expect(error.text.contains(row.words), "\(error.text)")
        }
    }

    @Test(arguments: [RunStatus.skipped, .blocked, .notRun])
    func `what ran on one of them only is not compared`(_ status: RunStatus) throws {
        let outcome = try JSONParser.parse(Self.signIn)
        let found = Comparison(
            report(outcome, target: "mock"),
            report(status == .notRun ? Optional<JSONValue>.none : outcome, status: status, target: "live"))
        #expect(!found.isGood)
        #expect(found.unexpected.isEmpty)
        #expect(found.incomplete.first?.reason == "\(status.rawValue) on live: because")
        #expect(found.text.contains("not compared: Signs in: "))
    }
}
