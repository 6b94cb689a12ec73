import Diagnostics
import TestSupport
import Testing

@testable import Scenarios

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

    @Test(arguments: [
        ("4-frame-renewal", 4, 44, "the app `spa` is of the client kind msal-browser, which is not built yet"),
        ("5-two-silent-calls", 4, 44, "the app `spa` is of the client kind msal-browser, which is not built yet"),
        ("6-clock-skew", 4, 44, "the app `desk` is of the client kind appauth, which is not built yet"),
    ])
    func `what needs something later is refused by name`(name: String, line: Int, column: Int, message: String) throws {
        do throws(InvalidInput) {
            _ = try ScenarioFiles.read("Tests/Corpus/Scenarios/examples/\(name).json")
            Issue.record("accepted")
        } catch {
            let finding = try #require(error.diagnostics.first)
            #expect(error.diagnostics.map(\.message) == [message])
            #expect(finding.rule == ScenarioRule.notBuiltYet.rawValue)
            #expect(finding.location?.line == line && finding.location?.column == column)
        }
    }
}
