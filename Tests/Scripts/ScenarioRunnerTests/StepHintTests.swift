import ScenarioRunner
import Testing

/// A step that fails because its script says too little gets one sentence with the fix.
struct StepHintTests {
    private static let unregistered =
        #""configure": { "apps": { "ios": { "registration": { "redirectUris": { "native": ["msauth.com.contoso.other://auth"] } } } } },"#

    private static func problems(_ steps: String, head: String = "") async throws -> [String] {
        let scenario = try Running.scenario(
            """
            { "name": "x", "tenant": "tenants/contoso.json", "app": "ios", \(head) "steps": [ \(steps) ] }
            """)
        let report = await Runner.run(
            scenario, options: RunOptions(seed: 7, policies: Running.policies))
        return try #require(report.scenarios.first?.steps.last).problems
    }

    @Test(arguments: [
        (
            #"{ "acquireToken": {} }"#, "",
            "nobody answers the page `signIn`: add `\"user\": \"ada\"`"
        ),
        (
            #"{ "acquireToken": { "policy": "reset" } }"#, "",
            "nobody answers the page `verifyEmail`: add `\"user\": \"ada\"`"
        ),
        (
            #"{ "acquireToken": {}, "user": [ { "press": "signUp" } ] }"#, "",
            "the actions of `user` end before the page `signUp` is answered: add an action that presses something, or "
                + "`\"nina\"` at the end"
        ),
        (
            #"{ "open": { "endpoint": "authorize" }, "expect": { "result": { "response": { "code": { "$exists": true } } } } }"#,
            "", "nobody answers the page `signIn`: add `\"user\": \"ada\"`"
        ),
        (
            #"{ "acquireToken": {}, "user": "ada" }"#, unregistered,
            "the tenant does not know this redirect URI of the app `ios`: write `\"redirectUri\": "
                + "\"msauth.com.contoso.other://auth\"` in `client`, or add the URI to `redirectUris` of `registration`"
        ),
        (
            #"{ "acquireTokenSilent": {} }"#, "",
            "nobody has signed in: add the step `{ \"acquireToken\": {}, \"user\": \"ada\" }` before this one"
        ),
    ])
    func `the first mistakes get the fix`(steps: String, head: String, hint: String) async throws {
        let problems = try await Self.problems(steps, head: head)
        #expect(problems.contains(hint), "\(problems)")
    }

    @Test(arguments: [
        // Another reason.
        #"{ "acquireToken": {}, "user": "ada", "expect": { "result": { "idToken": { "claims": { "name": "Eve" } } } } }"#,
        #"{ "acquireToken": {}, "user": [ { "window": "back" } ] }"#,
        #"{ "acquireToken": {}, "user": "ada" }, { "removeAccount": {} }, { "acquireTokenSilent": {} }"#,
        // The person is there, and the page refuses.
        #"{ "acquireToken": {}, "user": [ { "fill": { "password": "wrong" }, "as": "ada" }, "ada" ], "expect": { "requests": 0 } }"#,
        // What the script expects of the waiting operation is wrong.
        #"{ "acquireToken": {}, "expect": { "pending": { "page": { "name": "signUp" } } } }"#,
    ])
    func `a step that fails for another reason gets no hint`(steps: String) async throws {
        #expect(try await Self.problems(steps) == [])
    }
}
