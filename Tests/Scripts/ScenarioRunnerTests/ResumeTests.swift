import ScenarioRunner
import Testing

/// A `resume` that names another `resume`, or the step that began the operation, goes on with the same operation.
struct ResumeTests {
    @Test(arguments: ["begun", "again", "oncemore"])
    func `a resume may be named by a later one`(_ id: String) async throws {
        let report = try await Running.run(
            """
            { "name": "resumed", "tenant": "tenants/contoso.json", "app": "ios", "steps": [
              { "id": "begun", "acquireToken": {}, "expect": { "pending": { "reason": "page" } } },
              { "id": "again", "resume": "begun", "expect": { "pending": { "reason": "page" } } },
              { "id": "oncemore", "resume": "again", "expect": { "pending": { "reason": "page" } } },
              { "resume": "\(id)", "user": "ada", "expect": { "result": { "scopes": ["https://contoso.onmicrosoft.com/tasks/read"] } } } ] }
            """)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }
}
