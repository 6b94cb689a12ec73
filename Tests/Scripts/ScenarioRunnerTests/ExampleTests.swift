import ScenarioRunner
import Testing

/// The language reference's examples that need nothing of a later release.
struct ExampleTests {
    static let examples: [(name: String, steps: String)] = [
        (
            "happy sign-in",
            """
            { "acquireToken": {}, "user": "ada",
              "expect": { "result": { "idToken": { "claims": { "tfp": "B2C_1_susi", "name": "Ada" } } } } },
            { "acquireTokenSilent": {}, "expect": { "requests": 0 } }
            """
        ),
        (
            "a dead refresh token",
            """
            { "id": "first", "acquireToken": { "prompt": "selectAccount" }, "user": "ada",
              "expect": { "requests": [ { "endpoint": "authorize",
                "query": { "prompt": "select_account", "code_challenge_method": "S256" } } ] } },
            { "advanceClock": "P15D" },
            { "acquireTokenSilent": {},
              "expect": { "error": { "kind": "interactionRequired", "code": -50002, "oauthError": "invalid_grant",
                "b2cCode": "AADB2C90080" } } },
            { "acquireToken": {}, "user": "ada",
              "expect": { "result": { "account": { "identifier": "{{first/result/account/identifier}}" } },
                "pages": { "signIn": 1 } } },
            { "signOut": { "fromBrowser": true }, "expect": { "requests": { "logout": 1 } } }
            """
        ),
        (
            "forgot password",
            """
            { "acquireToken": {}, "user": [ { "on": "signIn", "press": "forgotPassword" } ],
              "expect": { "error": { "kind": "userCanceled", "oauthError": "access_denied", "b2cCode": "AADB2C90118" },
                "requests": { "token": 0 } } },
            { "acquireToken": { "policy": "reset" }, "user": "ada",
              "expect": { "pages": { "verifyEmail": 1, "newPassword": 1 }, "messages": { "email": 1 } } },
            { "acquireToken": { "prompt": "login" },
              "user": [ { "as": "ada", "fill": { "password": "Analytical-1843" } },
                { "on": { "name": "signIn", "error": { "$exists": true } }, "as": "ada" } ] }
            """
        ),
        (
            "key roll-over",
            """
            { "id": "old", "acquireToken": {}, "user": "ada" },
            { "callApi": { "api": "tasks", "path": "/tasks" }, "expect": { "result": { "status": 200 } } },
            { "configure": { "keySets": { "service": { "use": "k2", "publish": ["k1", "k2"] } } } },
            { "acquireTokenSilent": { "forceRefresh": true },
              "expect": { "result": { "accessToken": { "header": { "kid": "{{keys/k2/kid}}" } } } } },
            { "callApi": { "api": "tasks", "path": "/tasks" },
              "expect": { "result": { "status": 200 }, "requests": [ { "endpoint": "keys", "from": "api" } ] } },
            { "callApi": { "api": "tasks", "path": "/tasks", "token": "{{old/result/accessToken}}" },
              "expect": { "result": { "status": 200 } } }
            """
        ),
    ]

    @Test(arguments: examples)
    func `the examples of the reference pass`(_ example: (name: String, steps: String)) async throws {
        let report = try await Running.run(
            """
            { "name": "\(example.name)", "tenant": "tenants/contoso.json", "app": "ios", "steps": [ \(example.steps) ] }
            """)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }
}
