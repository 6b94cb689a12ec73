import Testing
import Verbs

@testable import ScenarioRunner

/// What verbs have in common when they run.
@Suite struct VerbTests {
    @Test func `every verb except groups can run`() {
        let idle = Verb.allCases.filter { !($0.record is any RunnableVerb.Type) }
        #expect(idle == [.steps, .parallel])
    }

    @Test func `a value that does not fit its parameter fails the step, with its place and what was expected`()
        async throws
    {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
              "steps": [
                { "id": "fetched", "callApi": { "api": "tasks", "path": "/tasks", "token": null },
                  "faults": [ { "match": { "endpoint": "api" }, "respond": { "json": { "v": "yes" } } } ] },
                { "acquireTokenSilent": { "forceRefresh": "{{fetched/result/json/v}}" }, "expect": { "error": {} } } ] }
            """)
        #expect(
            Running.failures(report).contains(
                "acquireTokenSilent at /steps/1: acquireTokenSilent/forceRefresh: expected true or false, found \"yes\""
            ),
            "\(Running.failures(report))")
    }
}
