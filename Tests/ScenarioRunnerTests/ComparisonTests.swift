import JSON
import Testing

@testable import ScenarioRunner

/// What two targets show of one script, set beside one another.
@Suite struct ComparisonTests {
    private func report(_ change: String = "", seed: UInt64 = 7) async throws -> RunReport {
        let script = """
            { "name": "compared", "tenant": "tenants/contoso.json", "app": "ios"\(change), "steps": [
              { "id": "first", "acquireToken": {}, "user": "ada" },
              { "id": "wrong", "acquireToken": { "prompt": "login" },
                "user": [ { "as": "ada", "fill": { "password": "Wrong-2026" } } ],
                "expect": { "pending": { "reason": "page" } } } ] }
            """
        let scenario = try Running.scenario(script)
        var report = await Runner.run(
            [RunItem(scenario: scenario)], options: RunOptions(seed: seed, keepOutcomes: true))
        report.target = change.isEmpty ? "one" : "other"
        return report
    }

    @Test func `two runs with other seeds do not differ`() async throws {
        let comparison = Comparison(try await report(), try await report(seed: 8))
        #expect(comparison.differences == [])
        #expect(comparison.facts > 100)
        #expect(comparison.isGood)
    }

    static let changed = """
        , "configure": { "policies": { "susi": { "claims": ["objectId"], "tokens": { "policyClaim": "acr" } } } }
        """

    @Test func `a changed setting shows where it shows on the wire`() async throws {
        let comparison = Comparison(try await report(), try await report(Self.changed))
        let places = comparison.differences.map(\.place)
        #expect(places.contains("result/idToken/claims/tfp"))
        #expect(places.contains("result/idToken/claims/acr"))
        #expect(places.contains("result/idToken/claims/name"))
        #expect(!places.contains { $0.contains("/exp") || $0.contains("/iat") })
        #expect(!comparison.isGood)
        #expect(comparison.text.contains("differs result/idToken/claims/acr"))
        #expect(comparison.json["good"] == .bool(false))
    }

    @Test func `known differences do not count, and one that is gone is told`() async throws {
        let first = try await report()
        let second = try await report(Self.changed)
        let all = try ExpectedDifference.read(Comparison(first, second).asExpected)
        #expect(Comparison(first, second, expected: all).isGood)
        let wild = try ExpectedDifference.read([
            "differences": [
                ["place": "result/*/claims/*", "reason": "another policy"], ["place": "requests/**", "reason": "too"],
                ["place": "pages/9/title", "reason": "is not there"],
            ]
        ])
        let comparison = Comparison(first, second, expected: wild)
        #expect(comparison.unused.map(\.place) == ["pages/9/title"])
        #expect(
            comparison.differences.filter { $0.place.hasPrefix("result/idToken") }.allSatisfy { $0.expected != nil })
    }

    @Test(arguments: [
        (#"{"differences": 3}"#, "{\"differences\": [...]}"), (#"{"differences": [{"place": "a"}]}"#, "/differences/0"),
        (#"{"differences": [{"place": "a", "reason": "b", "stp": "c"}]}"#, "stp"),
    ])
    func `a wrong file of expected differences is told`(_ text: String, _ word: String) throws {
        let error = #expect(throws: TargetProblem.self) { try ExpectedDifference.read(try JSONParser.parse(text)) }
        #expect(error?.text.contains(word) == true)
    }

    @Test(arguments: [
        ("eyJhbGciOi.eyJzdWIi.c2ln", "<token>"), ("6a1d2c3b-0000-4000-8000-000000000001", "<id>"),
        (
            "Correlation ID: 6a1d2c3b-0000-4000-8000-000000000001 at 2026-01-15 12:00:00Z",
            "Correlation ID: <id> at <day> <clock>Z"
        ),
        ("B2C_1_susi", "B2C_1_susi"), ("https://contoso.b2clogin.com/a", "https://contoso.b2clogin.com/a"),
        ("no-cache, no-store", "no-cache, no-store"),
    ])
    func `what no two runs have in common is reduced to its kind`(_ text: String, _ kind: String) {
        #expect(Kinds.reduced(text) == kind)
    }
}
