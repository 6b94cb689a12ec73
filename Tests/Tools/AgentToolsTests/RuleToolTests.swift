import JSON
import ModelContext
import Testing

/// `rule`.
struct RuleToolTests {
    @Test func `a rule has its demand, examples, source and page`() async throws {
        let rule = try await AgentCalls("rule-good").call("rule", ["id": "b2c-pol-001"])
        #expect(!rule.isError && rule.verdict.hasPrefix("B2C-POL-001"))
        for key in ["demands", "severity", "why", "wrong", "right", "source"] {
            #expect(rule.structured[key]?.stringValue?.isEmpty == false, "\(key)")
        }
        #expect(rule.structured["page"] == "b2c://rules/B2C-POL-001")
    }

    @Test func `rules of explorations and of scenarios are known too`() async throws {
        let calls = try AgentCalls("rule-others")
        #expect(try await calls.call("rule", ["id": "B2C-EXP-037"]).structured["found by"] == "b2c policy explore")
        #expect(try await calls.call("rule", ["id": "B2C-SCN-020"]).structured["demands"] != nil)
    }

    @Test func `an unknown id is an error with ids near it`() async throws {
        let answer = try await AgentCalls("rule-unknown").call("rule", ["id": "B2C-POL-01"])
        #expect(answer.isError && answer.verdict.contains("Near it: ") && answer.verdict.contains("B2C-POL-0"))
    }
}
