import ScenarioRunner
import Testing

/// `callApi` of a page: the browser names the origin, asks in advance and keeps back what the page may not read.
struct PageCallTests {
    struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var app = "spa"
        /// Settings of the API `tasks`.
        var api = #"{ "allowedOrigins": ["https://tasks.contoso.test"] }"#
        /// Members of the step.
        var step: String
    }

    private static let dead = #"""
        "error": { "kind": "network", "name": "TypeError", "description": "Failed to fetch", "httpStatus": { "$exists": false } }
        """#

    static let calls = [
        Call(
            testDescription: "a call with a token asks first",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "expect": { "result": { "status": 200 }, "requests": [
                  { "method": "OPTIONS", "headers": { "origin": "https://tasks.contoso.test", "access-control-request-headers": "authorization", "authorization": { "$exists": false } }, "response": { "status": 204 } },
                  { "method": "GET", "headers": { "origin": "https://tasks.contoso.test" } } ] }
                """#),
        Call(
            testDescription: "a plain read does not ask",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks", "token": null },
                "expect": { "result": { "status": 401, "headers": { "www-authenticate": { "$exists": false } } }, "requests": { "api": 1 } }
                """#),
        Call(
            testDescription: "JSON asks first",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks", "token": null, "json": { "a": 1 } },
                "expect": { "requests": [ { "method": "OPTIONS", "headers": { "access-control-request-method": "POST", "access-control-request-headers": "content-type" } }, { "method": "POST" } ] }
                """#),
        Call(
            testDescription: "an API without CORS headers", api: "{}",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "expect": { \#(dead), "requests": [ { "method": "OPTIONS", "blocked": "cors", "refusal": { "$contains": "allowedOrigins" } }, { "method": "GET", "$times": 0 } ],
                  "events": [ { "type": "corsBlocked", "url": { "$contains": "/tasks" }, "detail": { "$contains": "Access-Control-Allow-Origin" } } ] }
                """#),
        Call(
            testDescription: "a plain read of an API without CORS headers", api: "{}",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks", "token": null },
                "expect": { \#(dead), "requests": [ { "method": "GET", "blocked": "cors", "response": { "status": 401 } } ] }
                """#),
        Call(
            testDescription: "an API that allows another origin", api: #"{ "allowedOrigins": ["https://other.test"] }"#,
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" }, "expect": { \#(dead) }
                """#),
        Call(
            testDescription: "an API that allows all", api: #"{ "allowedOrigins": ["*"] }"#,
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" }, "expect": { "result": { "status": 200 } }
                """#),
        Call(
            testDescription: "the preflight does not allow the token",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "faults": [ { "match": { "method": "OPTIONS" }, "response": { "headers": { "Access-Control-Allow-Headers": "*" } } } ],
                "expect": { \#(dead), "events": [ { "type": "corsBlocked", "detail": { "$contains": "authorization" } } ] }
                """#),
        Call(
            testDescription: "the preflight is refused",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "faults": [ { "match": { "method": "OPTIONS" }, "response": { "status": 401 } } ],
                "expect": { \#(dead), "events": [ { "type": "corsBlocked", "detail": { "$contains": "401" } } ] }
                """#),
        Call(
            testDescription: "the preflight does not allow the method",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks", "method": "DELETE" },
                "faults": [ { "match": { "method": "OPTIONS" }, "response": { "headers": { "Access-Control-Allow-Methods": "GET" } } } ],
                "expect": { \#(dead), "events": [ { "type": "corsBlocked", "detail": { "$contains": "DELETE" } } ] }
                """#),
        Call(
            testDescription: "the answer itself lacks the permission",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "faults": [ { "match": { "method": "GET" }, "response": { "headers": { "Access-Control-Allow-Origin": null } } } ],
                "expect": { \#(dead), "requests": [ { "method": "OPTIONS" }, { "method": "GET", "blocked": "cors" } ] }
                """#),
        Call(
            testDescription: "a dead network looks the same",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "faults": [ { "match": { "endpoint": "api" }, "network": "reset" } ],
                "expect": { \#(dead), "events": { "corsBlocked": 0 } }
                """#),
        Call(
            testDescription: "Graph allows pages",
            step: #"""
                "callApi": { "url": "https://graph.microsoft.com/v1.0/me" }, "expect": { "result": { "status": 401 } }
                """#),
        Call(
            testDescription: "an app outside a browser has no origin", app: "ios", api: "{}",
            step: #"""
                "callApi": { "api": "tasks", "path": "/tasks" },
                "expect": { "result": { "status": 200 }, "requests": [ { "endpoint": "api", "headers": { "origin": { "$exists": false } }, "$times": 1 } ] }
                """#),
    ]

    @Test(arguments: calls)
    func `the rules of the browser apply`(_ call: Call) async throws {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "\(call.app)",
              "configure": { "apis": { "tasks": \(call.api) }, "apps": { "\(call.app)": { "client": { "scopes": ["https://contoso.onmicrosoft.com/tasks/read"] } } } },
              "steps": [ { "acquireToken": {}, "user": "ada" }, { \(call.step) } ] }
            """)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test func `each tab has the rules of its browser`() async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "spa",
              "clients": { "lax": { "app": "spa", "browser": "other" } }, "steps": [
                { "client": "lax", "configure": { "browser": { "cors": false } } },
                { "client": "lax", "callApi": { "api": "tasks", "path": "/tasks", "token": null }, "expect": { "result": { "status": 401 } } },
                { "callApi": { "api": "tasks", "path": "/tasks", "token": null }, "expect": { "error": { "kind": "network" } } } ] }
            """#)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test func `a page cannot set what its browser sets`() async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "spa", "steps": [
                { "callApi": { "api": "tasks", "path": "/tasks", "headers": { "Origin": "https://other.test" } } } ] }
            """#)
        #expect(Running.failures(report).contains("a page cannot set `Origin`"), "\(Running.failures(report))")
    }

    @Test(arguments: [
        (#"{ "Authorization": "Bearer forged" }"#, "Bearer forged"),
        (#"{ "authorization": "Basic eDp5" }"#, "Basic eDp5"),
    ])
    func `a written token wins`(_ headers: String, _ sent: String) async throws {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios", "steps": [
                { "acquireToken": { "scopes": ["https://contoso.onmicrosoft.com/tasks/read"] }, "user": "ada" },
                { "callApi": { "api": "tasks", "path": "/tasks", "headers": \(headers) },
                  "expect": { "result": { "status": 401 }, "requests": [ { "endpoint": "api", "headers": { "authorization": "\(sent)" } } ] } } ] }
            """)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test(arguments: [
        #"{ "callApi": { "api": "tasks", "path": "/tasks", "headers": "{{h}}", "token": "other" } }"#,
        #"{ "http": { "endpoint": "discovery", "headers": "{{h}}", "cookies": true } }"#,
    ])
    func `two sources of one field are refused when they are known`(_ step: String) async throws {
        let report = try await Running.run(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
              "variables": { "h": { "Authorization": "Bearer x", "Cookie": "a=b" } }, "steps": [ \(step) ] }
            """)
        #expect(Running.failures(report).contains("remove one of them"), "\(Running.failures(report))")
    }
}
