import ScenarioRunner
import Testing

/// Header values that only turn out to hold a line break while a script runs. One that is known before is refused when the
/// script is read.
struct HeaderValueTests {
    static let steps = [
        #"{ "http": { "url": "https://contoso.b2clogin.com/", "headers": { "X-Y": "{{source/result/json/v}}" } } }"#,
        #"{ "callApi": { "api": "tasks", "path": "/tasks", "headers": { "X-Y": "{{source/result/json/v}}" } } }"#,
        #"{ "callApi": { "api": "tasks", "path": "/tasks", "token": "{{source/result/json/v}}" } }"#,
        #"{ "acquireToken": {}, "user": "ada", "faults": [ { "match": { "endpoint": "token" }, "request": { "headers": { "X-Y": "{{source/result/json/v}}" } } } ] }"#,
        #"{ "acquireToken": {}, "user": "ada", "faults": [ { "match": { "endpoint": "token" }, "respond": { "headers": { "X-Y": "{{source/result/json/v}}" } } } ] }"#,
        #"{ "acquireToken": { "loginHint": "{{source/result/json/v}}" }, "user": "ada" }"#,
    ]

    @Test(arguments: steps.indices) func `the step fails and says why`(_ index: Int) async throws {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
              "steps": [
                { "id": "source", "callApi": { "api": "tasks", "path": "/tasks", "token": null },
                  "faults": [ { "match": { "endpoint": "api" }, "respond": { "json": { "v": "a\\r\\nX-Admin: 1" } } } ] },
                \(Self.steps[index]) ] }
            """)
        let text = Running.failures(report)
        let isSentInAHeader = index != 5
        #expect((report.status == .failed) == isSentInAHeader, "\(text)")
        if isSentInAHeader { #expect(text.contains("carriage return (U+000D)"), "\(text)") }
    }

    /// In an address the same text is percent-encoded.
    @Test func `a value in an address is encoded`() async throws {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios", "steps": [
              { "acquireToken": { "extraQueryParameters": { "note": "a\\r\\nX-Admin: 1" } }, "user": "ada",
                "expect": { "requests": [ { "endpoint": "authorize", "url": { "$contains": "note=a%0D%0AX-Admin" }, "headers": { "x-admin": { "$exists": false } } } ] } } ] }
            """)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }
}
