import Diagnostics
import Scenarios
import TestSupport
import Testing

/// The examples of the language reference.
@Suite struct ExampleTests {
    @Test(arguments: [
        "1-happy-sign-in", "2-silent-interaction-required", "3-forgot-password", "7-custom-policy", "8-key-roll-over",
    ])
    func `what needs nothing later is accepted`(name: String) throws {
        let scenario = try ScenarioFiles.read("Tests/Corpus/Scenarios/examples/\(name).json")
        #expect(scenario.advice.isEmpty)
        #expect(scenario.app == "ios")
    }

    @Test(arguments: [("4-frame-renewal", "spa"), ("5-two-silent-calls", "spa"), ("6-clock-skew", "desk")])
    func `examples of other kinds of clients are accepted`(name: String, app: String) throws {
        let scenario = try ScenarioFiles.read("Tests/Corpus/Scenarios/examples/\(name).json")
        #expect(scenario.advice.isEmpty)
        #expect(scenario.app == app)
    }
}
