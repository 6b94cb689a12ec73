import Determinism
import Diagnostics
import JSON
import TenantFiles
import Testing

/// Tenant files that programs write.
struct TenantDraftTests {
    private static func draft() -> TenantDraft {
        var draft = TenantDraft(name: "fabrikam")
        draft.id = GUID("99999999-2222-3333-4444-555555555555")
        draft.hosts = ["login.fabrikam.com"]
        var policy = PolicySettings()
        policy.name = "susi"
        policy.id = "B2C_1_susi"
        policy.claims = []
        policy.mfa.when = .always
        policy.tokens.accessToken = .minutes(15)
        draft.policies = [policy]
        var app = AppSettings()
        app.name = "ios"
        app.registration.clientId = "11111111-2222-3333-4444-555555555555"
        app.client.policy = "susi"
        app.client.stateCookie.lifetime = nil
        draft.apps = [app]
        var provider = ProviderSettings()
        provider.name = "gitlike"
        provider.exchange = "GitlikeExchange"
        draft.providers = [provider]
        var user = UserRecord()
        user.name = "ada"
        user.email = "ada@example.test"
        user.providers = [ProviderIdentity(provider: "gitlike")]
        user.attributes["city"] = "Bonn"
        draft.users = [user]
        return draft
    }

    @Test func `a draft has what differs from the defaults, and what policies and apps are`() {
        #expect(
            JSONValue.object(Self.draft().json) == [
                "name": "fabrikam", "id": "99999999-2222-3333-4444-555555555555", "hosts": ["login.fabrikam.com"],
                "policies": [
                    "susi": [
                        "id": "B2C_1_susi", "type": "signUpOrSignIn", "claims": [], "mfa": ["when": "always"],
                        "tokens": ["accessToken": "PT15M"],
                    ]
                ],
                "apps": [
                    "ios": [
                        "registration": ["clientId": "11111111-2222-3333-4444-555555555555"],
                        // The cookie is one of web apps: it has no effect here.
                        "client": ["kind": "msal-ios", "policy": "susi", "scopes": []],
                    ]
                ],
                "providers": ["gitlike": ["exchange": "GitlikeExchange"]],
                "users": ["ada": ["email": "ada@example.test", "providers": ["gitlike": [:]], "city": "Bonn"]],
            ])
    }

    @Test func `what is written reads as the same records`() throws {
        let draft = Self.draft()
        let bytes = Array(JSONWriter.pretty(.object(draft.json)).utf8)
        let tenant = try TenantFile.read(file: "t.json", bytes: bytes).outline
        #expect(tenant.id == draft.id && tenant.hosts == draft.hosts)
        #expect(tenant.policies == draft.policies)
        #expect(tenant.apps.map(\.registration.clientId) == draft.apps.map(\.registration.clientId))
        #expect(tenant.users.map(\.attributes) == draft.users.map(\.attributes))
        #expect(tenant.users.map(\.providers) == draft.users.map(\.providers))
    }
}
