import Determinism
import Diagnostics
import JSON
import TenantFiles
import Testing

struct TenantReadingTests {
    @Test func `the file of the reference is read`() throws {
        let tenant = try Contoso.tenant()
        #expect(tenant.name == "contoso" && tenant.domain == "contoso.onmicrosoft.com" && tenant.kind == .b2c)
        #expect(tenant.hosts == ["contoso.b2clogin.com"] && tenant.host == "contoso.b2clogin.com")
        #expect(tenant.policies.map(\.name) == ["susi", "edit", "reset", "loyalty"])
        #expect(tenant.apps.map(\.name) == ["ios", "spa", "desk"])
        #expect(tenant.users.map(\.name) == ["ada", "nina"])
        #expect(tenant.policy(id: "b2c_1_SUSI")?.name == "susi")
        #expect(tenant.policy(named: "reset")?.type == .passwordReset)
        #expect(tenant.policy(named: "nope") == nil && tenant.app(named: "x") == nil && tenant.user(named: "x") == nil)
    }

    @Test func `what is not built yet is reported for the entry, not as a fault of the file`() throws {
        let tenant = try Contoso.tenant()
        #expect(tenant.policy(named: "susi")?.unsupported == nil)
        #expect((tenant.policy(named: "loyalty")?.unsupported != nil) == !PolicyType.supported.contains(.custom))
    }

    /// The members of an app besides its platform, its redirect URI, and whether its secret is sent there.
    @Test(arguments: [
        (#"{"client":{"kind":"msal-ios"}}"#, "msauth.com.contoso.a://auth", false),
        (#"{"client":{"kind":"web"},"registration":{"secrets":["s"]}}"#, "https://a.contoso.test/auth/callback", true),
        (
            #"{"client":{"kind":"msal-browser","redirectUri":"http://localhost:3000/"},"registration":{"secrets":["s"],"#
                + #""redirectUris":{"web":["https://old.test/"],"spa":["http://localhost:3000/"]}}}"#,
            "http://localhost:3000/", false
        ),
        (
            #"{"client":{"kind":"msal-browser"},"registration":{"redirectUris":{"web":["https://old.test/"],"#
                + #""spa":["http://localhost:3000/"]}}}"#, "http://localhost:3000/", false
        ),
        (
            #"{"client":{"kind":"msal-browser"},"registration":{"secrets":["s"],"redirectUris":{"web":["https://old.test/"]}}}"#,
            "https://old.test/", true
        ),
        (
            #"{"client":{"kind":"msal-browser","redirectUri":"https://not.registered.test/"},"#
                + #""registration":{"redirectUris":{"spa":["http://localhost:3000/"]}}}"#,
            "https://not.registered.test/", false
        ),
    ])
    func `an app has one redirect URI, and a secret for web addresses alone`(app: String, uri: String, secret: Bool)
        throws
    {
        let text = #"{"name":"contoso","policies":{"susi":{"type":"signUpOrSignIn"}},"apps":{"a":\#(app)}}"#
        let tenant = try Tenant(json: try JSONParser.parse(Array(text.utf8)))
        let app = try #require(tenant.app(named: "a"))
        #expect(app.redirectURI == uri)
        #expect((app.secret(at: uri) != nil) == secret)
    }

    @Test func `apps are derived from names`() throws {
        let tenant = try Contoso.tenant()
        let ios = try #require(tenant.app(named: "ios"))
        #expect(GUID(ios.client.clientId) != nil)
        #expect(ios.client.clientId == ios.registration.clientId)
        #expect(tenant.app(clientId: ios.client.clientId.uppercased())?.name == "ios")
        #expect(ios.client.redirectUri == "msauth.com.contoso.tasks://auth")
        #expect(ios.registration.redirectUris == RedirectURISets { $0.native = ["msauth.com.contoso.tasks://auth"] })
        #expect(ios.registration.scopes == ["https://contoso.onmicrosoft.com/tasks/read"])
        #expect(ios.client.scopes == ["https://contoso.onmicrosoft.com/tasks/read"])
        #expect(ios.platform.urlSchemes == ["msauth.com.contoso.tasks"])
        #expect(ios.platform.querySchemes == ["msauthv2", "msauthv3"])
        #expect(ios.platform.keychainGroup == "com.microsoft.adalcache")
        #expect(ios.platform.keychainGroups == ["com.microsoft.adalcache"])
        #expect(ios.platform.teamId.utf8.count == 10)
        #expect(ios.client.authorityForm == .tfp && ios.client.knownAuthorities == .all)

        let spa = try #require(tenant.app(named: "spa"))
        #expect(spa.client.redirectUri == "https://tasks.contoso.test/")
        #expect(spa.registration.redirectUris == RedirectURISets { $0.spa = ["https://tasks.contoso.test/"] })
        #expect(spa.platform.os == .web && spa.client.checks.nonce == .atSignIn)

        let desk = try #require(tenant.app(named: "desk"))
        #expect(desk.registration.redirectUris.native == ["com.contoso.desk://oauth/callback"])
        #expect(desk.client.checks.issuedAtWindow == .minutes(10))
        #expect(Set(tenant.apps.map(\.client.clientId)).count == 3)
    }

    @Test func `people, APIs, keys and providers are read`() throws {
        let tenant = try Contoso.tenant()
        let ada = try #require(tenant.user(named: "ada"))
        #expect(ada.registered && ada.username == "ada" && ada.email == "ada@example.test")
        #expect(ada.attributes["displayName"] == "Ada" && ada.attributes.count == 1)
        #expect(ada.objectId != .empty && ada.objectId != tenant.user(named: "nina")?.objectId)
        #expect(tenant.user(named: "nina")?.registered == false)

        let tasks = try #require(tenant.api(named: "tasks"))
        #expect(tasks.baseUrl == "https://tasks.api.contoso.test")
        #expect(tasks.validation.audiences == [tasks.clientId])
        #expect(tasks.validation.metadata.prefix(3) == ["susi", "edit", "reset"])
        #expect(
            tasks.routes == [
                APIRoute {
                    $0.path = "/tasks"
                    $0.scopes = ["read"]
                    $0.json = []
                }
            ])
        let found = try #require(tenant.api(scope: "https://contoso.onmicrosoft.com/tasks/write"))
        #expect(found.api.name == "tasks" && found.scope == "write")
        #expect(tenant.api(scope: "openid") == nil)
        #expect(tenant.api(clientId: tasks.clientId.uppercased())?.name == "tasks")

        #expect(
            tenant.keySet(named: "service")
                == KeySetSettings {
                    $0.name = "service"
                    $0.use = "k1"
                    $0.publish = ["k1"]
                })
        #expect(tenant.keySets.map(\.name) == ["service", "tenant", "grants"])
        #expect(Set(tenant.keyNames).count == 3)

        let facebook = try #require(tenant.provider(named: "facebook"))
        #expect(facebook.exchange == "FacebookExchange" && facebook.domain == "facebook.com")
        #expect(facebook.issuer == "https://facebook.provider.test" && facebook.type == .oauth2)
    }

    @Test func `a tenant needs nothing but its name`() throws {
        let tenant = try Tenant(json: ["name": "fabrikam"])
        #expect(tenant.host == "fabrikam.b2clogin.com" && tenant.policies.isEmpty)
        #expect(tenant == Tenant(name: "fabrikam"))
        #expect(tenant.id == Tenant(name: "fabrikam").id && tenant.id != Tenant(name: "contoso").id)
        var authority = AuthoritySettings()
        authority.extensionsAppId = tenant.authority.extensionsAppId
        #expect(tenant.authority == authority && tenant.device == DeviceSettings())
        #expect(tenant.authority.extensionsAppId != .empty)
        #expect(tenant.isNamed("FABRIKAM.onmicrosoft.com") && tenant.isNamed(tenant.id.uppercase))
        #expect(!tenant.isNamed("contoso.onmicrosoft.com"))
    }

    @Test func `a workforce tenant is read`() throws {
        let tenant = try Tenant(json: [
            "name": "woodgrove", "kind": "workforce", "apps": ["mac": ["client": ["kind": "msal-macos"]]],
        ])
        let mac = try #require(tenant.app(named: "mac"))
        #expect(tenant.host == "login.microsoftonline.com")
        #expect(mac.client.authorityType == .workforce && mac.client.scopes == ["User.Read"])
        #expect(mac.platform.os == .macos && mac.platform.bundleId == "com.woodgrove.mac")
        #expect(mac.platform.keychainGroup == "com.microsoft.identity.universalstorage")
        #expect(mac.registration.scopes == ["User.Read"])
    }

    @Test func `without an API the client id is the scope`() throws {
        let tenant = try Tenant(json: ["name": "t", "policies": ["susi": [:]], "apps": ["ios": [:]]])
        let ios = try #require(tenant.app(named: "ios"))
        #expect(ios.client.scopes == [ios.client.clientId])
        #expect(ios.client.policy == "susi")
        #expect(tenant.policies[0].id == "susi")
        #expect(tenant.policies[0].attributes == ["displayName"])
    }

    @Test func `written values win over derived ones`() throws {
        let json = try JSONParser.parse(
            """
            {"name": "t", "id": "775527ff-9a37-4307-8b3d-cc311f58d925", "hosts": ["login.t.test", "t.b2clogin.com"],
             "apps": {"a": {"registration": {"clientId": "id-a", "secrets": ["s1"], "redirectUris": {"spa": ["https://a.test"]}, "scopes": []},
                            "client": {"kind": "msal-macos", "redirectUri": "x://y", "scopes": ["s"], "checks": {"nonce": "required"}, "knownAuthorities": ["https://h/tfp/t/p"]},
                            "platform": {"urlSchemes": [], "keychainGroup": "", "os": "ios"}}},
             "keySets": {"service": {"use": "k2"}, "tenant": {"publish": ["t1", "t2"]}},
             "users": {"u": {"username": "uu", "objectId": "00000000-0000-4000-8000-000000000001", "extension_Role": "boss", "employeeIds": ["1"]}}}
            """)
        let tenant = try Tenant(json: json)
        let app = tenant.apps[0]
        #expect(tenant.id.description == "775527ff-9a37-4307-8b3d-cc311f58d925" && tenant.host == "login.t.test")
        #expect(app.client.clientId == "id-a" && app.client.clientSecret == "s1")
        #expect(app.registration.redirectUris == RedirectURISets { $0.spa = ["https://a.test"] })
        #expect(app.registration.scopes.isEmpty && app.client.scopes == ["s"])
        #expect(app.client.checks.nonce == .required && app.client.checks.state)
        #expect(app.client.knownAuthorities == .urls(["https://h/tfp/t/p"]))
        #expect(app.platform.urlSchemes.isEmpty && app.platform.keychainGroup.isEmpty && app.platform.os == .ios)
        #expect(
            tenant.keySet(named: "service")
                == KeySetSettings {
                    $0.name = "service"
                    $0.use = "k2"
                    $0.publish = ["k2"]
                })
        #expect(
            tenant.keySet(named: "tenant")
                == KeySetSettings {
                    $0.name = "tenant"
                    $0.use = "t1"
                    $0.publish = ["t1", "t2"]
                })
        #expect(
            tenant.users[0].username == "uu" && tenant.users[0].attributes.keys == ["extension_Role", "employeeIds"])
    }

    @Test func `shared settings lie beneath each policy`() throws {
        let json = try JSONParser.parse(
            """
            {"name": "t", "policies": {
              "*": {"session": {"scope": "policy", "lifetime": "PT1H"}, "claims": ["objectId"], "keepSignedIn": "P7D"},
              "a": {"session": {"lifetime": "PT2H"}},
              "b": {"claims": ["displayName"], "keepSignedIn": "off", "type": "signIn"}}}
            """)
        let tenant = try Tenant(json: json)
        #expect(tenant.policies.map(\.name) == ["a", "b"])
        let (a, b) = (tenant.policies[0], tenant.policies[1])
        #expect(a.session.scope == .policy && a.session.lifetime == .hours(2) && a.claims == ["objectId"])
        #expect(a.keepSignedIn == .days(7) && b.keepSignedIn == nil)
        #expect(b.session.lifetime == .hours(1) && b.claims == ["displayName"] && b.type == .signIn)
    }

    static let tenants = [
        Contoso.text,
        "{\"name\": \"w\", \"kind\": \"workforce\", \"apps\": {\"a\": {}}, \"users\": {\"u\": {\"homeTenant\": \"personal\"}}}",
        """
        {"name": "t", "policies": {"*": {"mfa": {"method": "totp", "when": "always"}}, "p": {"languages": ["en", "de"], "template": {"url": "https://x.test/t"}, "tokens": {"slidingWindow": "off"}}},
         "rest": {"r": {"match": {"url": "https://x"}, "reply": [{"status": 409, "json": {"a": 1}}, {"status": 200}], "delay": "PT2S"}, "s": {"reply": {"body": "x"}}},
         "providers": {"idp": {"redirectUris": ["https://r"], "claims": {"sub": "1"}}}, "policyKeys": {"B2C_1A_x": {"secret": "s"}},
         "policySettings": {"A": "1"}, "authority": {"throttle": {"requests": 5, "per": "PT1M"}, "defaults": {"laterThanIncludesEqual": false}},
         "device": {"clock": {"skew": "-PT5M", "rate": 1.01}}, "users": {"u": {"providers": {"idp": {"sub": "9"}}, "refreshTokensValidFrom": "2026-01-01T00:00:00Z"}},
         "apps": {"a": {"client": {"kind": "msal-android", "checks": {"issuedAtWindow": "PT3M"}, "extraQueryParameters": {"q": "1"}}, "platform": {"manifest": {"scheme": "s"}}}}}
        """,
    ]

    @Test(arguments: tenants)
    func `a file with all defaults filled in reads the same`(_ text: String) throws {
        let tenant = try Tenant(json: JSONParser.parse(text))
        let filled = tenant.json
        #expect(try Tenant(json: filled) == tenant)
        #expect(try Tenant(json: filled).json == filled)
        // What is written is a good tenant file itself.
        #expect(Contoso.findings(JSONWriter.pretty(filled)).map(\.description) == [])
    }

    @Test func `filled-in values can be read`() throws {
        let json = try Contoso.tenant().json
        #expect(json["apps", "ios", "client", "redirectUri"] == "msauth.com.contoso.tasks://auth")
        #expect(json["users", "ada", "password"] == "Analytical-1843")
        #expect(json["users", "ada", "displayName"] == "Ada")
        #expect(json["policies", "susi", "tokens", "accessToken"] == "PT1H")
        #expect(json["policies", "susi", "keepSignedIn"] == "off")
        #expect(json["authority", "lockout", "threshold"] == 10)
        #expect(json["keySets", "service", "publish"] == ["k1"])
        #expect(json["hosts"] == ["contoso.b2clogin.com"])
    }

    @Test func `decoding names every fault by its pointer`() {
        do {
            _ = try Tenant(json: [
                "name": "t", "authority": ["codeLifetime": "10"], "hots": [],
                "apps": ["a": ["client": ["kind": "msal"]]], "users": ["u": 1],
            ])
            Issue.record("the tenant was read")
        } catch {
            let text = error.description
            #expect(error.diagnostics.count == 4)
            #expect(text.contains("/authority/codeLifetime") && text.contains("/apps/a/client/kind"))
            #expect(text.contains("did you mean \"hosts\"") && text.contains("/users/u"))
        }
    }

    @Test func `patches change a tenant`() throws {
        let base = try Contoso.file().json
        let patch = try JSONParser.parse(
            "{\"keySets\": {\"service\": {\"use\": \"k2\", \"publish\": [\"k1\", \"k2\"]}}, \"users\": {\"ada\": null}}"
        )
        let tenant = try Tenant(json: base.merging(patch: patch))
        #expect(tenant.keyNames == ["k2", "k1", "tenant", "grants"])
        #expect(tenant.user(named: "ada") == nil && tenant.users.count == 1)
        #expect(tenant.apps[0].client.clientId == (try Contoso.tenant()).apps[0].client.clientId)
    }
}
