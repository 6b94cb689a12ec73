import Scenarios
import Testing

@testable import JSON
@testable import ScenarioRunner

/// Reading and running a script of twice as many steps asks for twice as many places, and each costs the same.
struct LengthTests {
    private static func script(_ count: Int) -> String {
        let steps = (0..<count).map { index in
            switch index % 3 {
            case 0: #"{ "id": "s\#(index)", "accounts": {}, "expect": { "requests": 0 } }"#
            case 1: #"{ "steps": [ { "advanceClock": "PT1S" }, { "advanceClock": "PT{{s\#(index - 1)/elapsed}}S" } ] }"#
            default: #"{ "currentAccount": {}, "then": [ { "accounts": {} } ] }"#
            }
        }
        return """
            { "name": "x", "tenant": "tenants/contoso.json", "app": "ios", "steps": [ \(steps.joined(separator: ",\n")) ] }
            """
    }

    private static func work(_ count: Int) async throws -> Int {
        let scenario = try Running.scenario(script(count))
        let report = await Runner.run(
            scenario, options: RunOptions(seed: 7, policies: Running.policies))
        #expect(report.isGood, "\(report.scenarios.map(Running.failures))")
        #expect(report.scenarios.first?.steps.count == count)
        return scenario.document.stepsOfQuestions
    }

    @Test func `twice the steps take twice the work`() async throws {
        let few = try await Self.work(150)
        let many = try await Self.work(300)
        #expect(few >= 150)
        #expect(many < few * 21 / 10)
    }
}
