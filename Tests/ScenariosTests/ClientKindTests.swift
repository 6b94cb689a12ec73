import Testing

@testable import Scenarios

/// Apps of kinds that are not built can be played on the wire; what their library would do is refused.
@Suite struct ClientKindTests {
    private func findings(_ steps: String) -> String {
        let text = """
            { "name": "n", "app": "spa", "tenant": { "name": "contoso", "policies": { "susi": {} },
              "apps": { "ios": {}, "spa": { "client": { "kind": "msal-android" } } } }, "steps": [\(steps)] }
            """
        return ScenarioFiles.findings("kinds.json", Array(text.utf8))
    }

    @Test(arguments: [
        #"{ "open": { "endpoint": "authorize" } }"#, #"{ "http": { "endpoint": "token" } }"#,
        #"{ "restart": "browser" }"#,
        #"{ "inspect": "cookies" }"#, #"{ "client": "ios", "acquireToken": {} }"#,
        #"{ "steps": [ { "open": { "endpoint": "authorize", "frame": true } } ] }"#,
    ])
    func `what a browser or a plain request does is played for every kind`(step: String) {
        #expect(findings(step) == "")
    }

    @Test(arguments: [
        #"{ "acquireToken": {} }"#, #"{ "client": "spa", "acquireTokenSilent": {} }"#, #"{ "inspect": "cache" }"#,
        #"{ "restart": "app" }"#, #"{ "steps": [ { "accounts": {} } ] }"#,
    ])
    func `what the library does is refused by name`(step: String) {
        #expect(findings(step).contains("the client kind msal-android, which is not built yet"))
    }
}
