import Diagnostics
import JSON
import TenantFiles
import Testing

struct TenantFileTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var rule: String
        var place: String
        var says: [String]
        var testDescription: String { text }

        init(_ text: String, _ rule: String, _ place: String, _ says: String...) {
            self.text = text
            self.rule = rule
            self.place = place
            self.says = says
        }
    }

    static let bad = [
        Bad(
            "{\"name\": \"t\", \"apis\": {\"a\": {\"scopes\": [\"read\", \"x\\nLD_PRELOAD=/x\"]}}}", "B2C-TEN-027",
            "1:49",
            "x\\u{a}LD_PRELOAD=/x", "control character"),
        Bad("{\"name\": \"t\", \"apis\": {\"a\": {\"appIdUri\": \"x\\u009b\"}}}", "B2C-TEN-027", "1:42", "x\\u{9b}"),
        Bad("{\"name\": \"t\", \"apis\": {\"a\\u0001\": {}}}", "B2C-TEN-027", "1:24", "a\\u{1}"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"id\": \"B2C_1_\\u001b\"}}}", "B2C-TEN-027", "1:40",
            "B2C_1_\\u{1b}"),
        Bad(
            "{\"name\": \"t\", \"apps\": {\"a\": {\"registration\": {\"redirectUris\": {\"web\": [\"https://a.test\\r\"]}}}}}",
            "B2C-TEN-027", "1:72", "https://a.test\\u{d}"),
        Bad("{}", "B2C-TEN-003", "1:1", "name"),
        Bad("{\"name\": \"a b\"}", "B2C-TEN-008", "1:10", "letters, digits and -"),
        Bad("{\"name\": \"t\", \"polices\": {}}", "B2C-TEN-002", "1:15", "policies"),
        Bad("{\"name\": \"t\", \"policies\": {\"p\": {\"type\": \"signin\"}}}", "B2C-TEN-004", "1:42", "signIn"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"tokens\": {\"idToken\": \"1h\"}}}}", "B2C-TEN-008", "1:56", "1h"
        ),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"providers\": [\"facbook\"]}}, \"providers\": {\"facebook\": {}}}",
            "B2C-TEN-022", "1:48", "facbook", "facebook"),
        Bad("{\"name\": \"t\", \"policies\": {\"p\": {\"providers\": [\"x\"]}}}", "B2C-TEN-022", "1:48", "has none"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"attributes\": [\"dispalyName\"]}}}", "B2C-TEN-022", "1:49",
            "displayName"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"attributes\": [\"objectId\"]}}}", "B2C-TEN-027", "1:49",
            "asked for"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"claims\": [\"objektId\"]}}}", "B2C-TEN-022", "1:45", "objectId"),
        Bad("{\"name\": \"t\", \"policies\": {\"p\": {\"type\": \"custom\"}}}", "B2C-TEN-024", "1:33", "file"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"texts\": {\"dee\": \"a.json\"}}}}", "B2C-TEN-027", "1:44",
            "\"dee\"", "Did you mean \"de\"?"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"texts\": {\"zh-CN\": \"a.json\"}}}}", "B2C-TEN-027", "1:44",
            "Did you mean \"zh-hans\"?"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"texts\": {\"german\": \"a.json\"}}}}", "B2C-TEN-027", "1:44",
            "Did you mean \"de\"?"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"texts\": {\"de\": \"a.json\", \"DE\": \"b.json\"}}}}",
            "B2C-TEN-026", "1:60", "one language"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"languages\": [\"en\", \"fr\"], \"texts\": {\"de\": \"a.json\"}}}}",
            "B2C-TEN-026", "1:71", "Add \"de\" to `languages`"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"type\": \"ropc\", \"texts\": {\"de\": \"a.json\"}}}}",
            "B2C-TEN-028", "1:50", "ropc"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"tokens\": {\"keySet\": \"servce\"}}}}", "B2C-TEN-022", "1:55",
            "service"),
        Bad(
            "{\"name\": \"t\", \"policies\": {\"p\": {\"id\": \"B2C_1_a\"}, \"q\": {\"id\": \"b2c_1_A\"}}}",
            "B2C-TEN-023", "1:64", "\"p\"", "\"q\""),
        Bad(
            "{\"name\": \"t\", \"apps\": {\"a\": {\"client\": {\"policy\": \"susie\"}}}, \"policies\": {\"susi\": {}}}",
            "B2C-TEN-022", "1:51", "susi"),
        Bad(
            "{\"name\": \"t\", \"apps\": {\"a\": {\"client\": {\"quirks\": [\"metadataBeforeCach\"]}}}}", "B2C-TEN-004",
            "1:52",
            "metadataBeforeCache"),
        Bad(
            "{\"name\": \"t\", \"apps\": {\"a\": {\"registration\": {\"scopes\": [\"https://t.onmicrosoft.com/api/raed\"]}}}, \"apis\": {\"api\": {}}}",
            "B2C-TEN-022", "1:58", "https://t.onmicrosoft.com/api/read"),
        Bad(
            "{\"name\": \"t\", \"apps\": {\"a\": {\"registration\": {\"graph\": [\"User.ReadWriteAll\"]}}}}",
            "B2C-TEN-004",
            "1:57", "User.ReadWrite.All"),
        Bad(
            "{\"name\": \"t\", \"kind\": \"workforce\", \"apps\": {\"a\": {\"registration\": {\"graph\": [\"User.Read.All\"]}}}}",
            "B2C-TEN-028",
            "1:68", "B2C"),
        Bad("{\"name\": \"t\", \"apis\": {\"a\": {\"routes\": {\"tasks\": {}}}}}", "B2C-TEN-027", "1:41", "/tasks"),
        Bad(
            "{\"name\": \"t\", \"apis\": {\"a\": {\"routes\": {\"/\": {\"scopes\": [\"write\"]}}}}}", "B2C-TEN-022",
            "1:58", "read"),
        Bad(
            "{\"name\": \"t\", \"apis\": {\"a\": {\"validation\": {\"metadata\": [\"p\"]}}}}", "B2C-TEN-022", "1:58",
            "policy"),
        Bad("{\"name\": \"t\", \"users\": {\"u\": {\"providers\": {\"g\": {}}}}}", "B2C-TEN-022", "1:45", "provider"),
        Bad(
            "{\"name\": \"t\", \"users\": {\"u\": {\"email\": \"a@b.test\"}, \"v\": {\"email\": \"A@b.test\"}}}",
            "B2C-TEN-023", "1:68", "e-mail"),
        Bad(
            "{\"name\": \"t\", \"rest\": {\"r\": {\"passThrough\": true, \"reply\": {}}}}", "B2C-TEN-026", "1:45",
            "real service"),
        Bad("{\"name\": \"t\", \"providers\": {\"s\": {\"type\": \"saml\"}}}", "B2C-TEN-007", "1:43", "not built yet"),
        Bad("{\"name\": \"t\", \"hosts\": [\"https://t.b2clogin.com\"]}", "B2C-TEN-027", "1:25", "host name"),
        Bad(
            "{\"name\": \"t\", \"kind\": \"workforce\", \"policies\": {\"p\": {}}}", "B2C-TEN-026", "1:36", "workforce"),
        Bad("{\"name\": \"t\", \"name\": \"u\"}", "B2C-JSON-004", "1:15", "name"),
    ]

    @Test(arguments: bad)
    func `every fault has its place and its remedy`(_ example: Bad) throws {
        let findings = Contoso.findings(example.text)
        let finding = try #require(findings.first)
        #expect(findings.count == 1, "\(findings)")
        if example.rule != "B2C-JSON-004" { #expect(finding.rule == example.rule) }
        #expect(finding.location?.description == "contoso.json:\(example.place)")
        for word in example.says {
            #expect("\(finding.message) \(finding.remedy ?? "")".contains(word), "\(finding)")
        }
    }

    @Test func `all findings come at once, in order`() {
        let findings = Contoso.findings(
            """
            { "name": "t",
              "policies": { "p": { "providers": ["x"], "claims": ["nmae"] } },
              "apps": { "a": { "client": { "policy": "q" } } },
              "rest": { "r": { "passThrough": true, "reply": {} } } }
            """)
        #expect(findings.map { $0.location?.line } == [2, 2, 3, 4])
    }

    @Test func `texts that are filled in later are accepted`() throws {
        let file = try Contoso.read(
            """
            { "name": "t", "policies": { "p": { "keepSignedIn": "{{days}}", "forcedReset": "{{reset}}" } },
              "apps": { "a": { "client": { "policy": "{{policy}}" } } },
              "users": { "u": { "password": "{{secret/PASSWORD}}", "registered": "{{known}}", "refreshTokensValidFrom": "{{now}}" } } }
            """)
        #expect(file.outline.policies[0].keepSignedIn == nil)
        #expect(file.outline.users[0].password == "{{secret/PASSWORD}}")
        #expect(file.json["users", "u", "registered"] == "{{known}}")
        #expect(throws: InvalidInput.self) { try Tenant(json: file.json) }
    }

    @Test(arguments: [
        "{\"browser\": {\"thirdPartyCookies\": \"block\"}}", "{\"policies\": {\"susi\": {\"keepSignedIn\": \"P7D\"}}}",
        "{\"users\": {\"ada\": null, \"bob\": {\"email\": \"bob@example.test\"}}}",
        "{\"apps\": {\"ios\": {\"client\": {\"policy\": \"edit\", \"scopes\": null}}}}",
        "{\"policies\": {\"new\": {\"type\": \"signIn\"}}, \"apps\": {\"ios\": {\"client\": {\"policy\": \"new\"}}}}",
        "{\"device\": {\"clock\": {\"skew\": \"{{skew}}\"}}}", "{}", "{\"authority\": {\"throttle\": null}}",
        "{\"rest\": {\"tier\": {\"match\": {\"json\": {\"email\": \"{{users/nina/email}}\"}}, \"reply\": {\"status\": 200, \"json\": {\"tier\": \"gold\"}}}}}",
    ])
    func `good patches are taken`(_ patch: String) throws {
        #expect(try Contoso.patchFindings(patch) == [])
    }

    @Test(arguments: [
        ("{\"polices\": {}}", "policies"), ("{\"apps\": {\"ios\": {\"client\": {\"policy\": \"sus\"}}}}", "susi"),
        ("{\"policies\": {\"susi\": {\"keepSignedIn\": 7}}}", "keepSignedIn"),
        ("{\"users\": {\"bob\": {\"email\": \"ada@example.test\"}}}", "ada"),
        ("{\"rest\": {\"r\": {\"passThrough\": true, \"reply\": {}}}}", "real service"),
    ])
    func `bad patches are refused`(_ patch: String, _ word: String) throws {
        let findings = try Contoso.patchFindings(patch)
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect("\(finding.message) \(finding.remedy ?? "")".contains(word))
        #expect(finding.location?.file == "patch.json")
    }

    @Test func `names are those that scripts use`() throws {
        let names = try Contoso.file().outline.names
        #expect(names[.policy] == ["susi", "edit", "reset", "loyalty"])
        #expect(names[.person] == ["ada", "nina"])
        #expect(names[.app] == ["ios", "spa", "desk"])
        #expect(names[.key] == ["k1", "tenant", "grants"])
    }
}

struct TenantShapeTests {
    /// Every object shape below a shape, with its path.
    static func objects(_ shape: Shape, _ path: String = "") -> [(path: String, shape: ObjectShape)] {
        switch shape {
        case .object(let object):
            [(path, object)] + object.fields.flatMap { objects($0.shape, "\(path)/\($0.name)") }
        case .map(let value, _, _): objects(value, "\(path)/*")
        case .array(let element): objects(element, path)
        case .anyOf(let shapes): shapes.flatMap { objects($0, path) }
        case .nullable(let inner): objects(inner, path)
        default: []
        }
    }

    /// Every enumerated word below a shape.
    static func choices(_ shape: Shape) -> [Choice] {
        switch shape {
        case .oneOf(let choices): choices
        case .object(let object): object.fields.flatMap { choices($0.shape) }
        case .map(let value, _, _): choices(value)
        case .array(let element): choices(element)
        case .anyOf(let shapes): shapes.flatMap(choices)
        case .nullable(let inner): choices(inner)
        default: []
        }
    }

    @Test func `every key and word is explained`() {
        let objects = Self.objects(TenantShapes.root)
        #expect(objects.count > 25)
        for (path, object) in objects {
            #expect(!object.doc.isEmpty && !object.title.isEmpty, "\(path)")
            #expect(Set(object.fields.map(\.name)).count == object.fields.count, "\(path)")
            for field in object.fields {
                #expect(field.doc.hasSuffix("."), "\(path)/\(field.name)")
            }
        }
        for choice in Self.choices(TenantShapes.root) {
            #expect(choice.doc.hasSuffix("."), "\(choice.value)")
        }
    }

    /// The keys of the language reference, section by section.
    @Test(arguments: [
        (
            "",
            "$schema name id kind live hosts policies apps apis users providers rest keySets policyKeys pages policySettings policySettingsFile policyEnvironment policyFolders authority device browser inbox"
        ),
        (
            "/policies/*",
            "id type file production signInName emailVerification forgotPassword attributes claims providers mfa keepSignedIn forcedReset captcha languages texts pageTemplate template session tokens"
        ),
        ("/policies/*/mfa", "method when session maxTries resendAfter codeLifetime"),
        ("/policies/*/session", "scope lifetime rolling requireIdTokenInLogout"),
        (
            "/policies/*/tokens",
            "accessToken idToken refreshToken slidingWindow refreshTokenReuse issuer policyClaim subject jsonNumbers keySet"
        ),
        ("/apps/*", "registration client platform"),
        (
            "/apps/*/registration",
            "clientId secrets federatedCredentials enabled logoutUrl redirectUris scopes consent implicit ropc signInAudience graph userAdministrator"
        ),
        ("/apps/*/registration/federatedCredentials", "issuer subject audience"),
        (
            "/apps/*/platform",
            "os apiLevel bundleId teamId origin urlSchemes querySchemes precheck keychainGroups keychainGroup networkEntitlement presenter webview ephemeral forwardsOpenUrl manifest signatureHash"
        ),
        (
            "/apps/*/client",
            "kind clientId clientSecret redirectUri policy authority authorityForm authorityType knownAuthorities scopes prompt extraQueryParameters responseType responseMode interaction accountMode storage storageEncrypted temporaryStorage handlesRedirect cacheAttached singleFlight requestState expiryBuffer throttling extendedLifetime serverRetries iframeTimeout stateCookie loadUserInfo useBroker checks quirks"
        ),
        (
            "/apps/*/client/checks",
            "knownAuthority discoveryIssuer state nonce issuer audience expiry skew issuedAtWindow atHash account policyClaim redirectUri accessToken reservedScopes clientIdScope"
        ),
        ("/apis/*", "baseUrl appIdUri clientId scopes allowedOrigins clock routes validation"),
        (
            "/apis/*/validation",
            "metadata issuers audiences signature issuer audience expiry policyClaim algorithms skew keys keysLifetime requireClaims"
        ),
        (
            "/users/*",
            "registered email username password newPassword phone answersCalls totpSecret objectId providers linked accountEnabled locked forcePasswordChange refreshTokensValidFrom homeTenant"
        ),
        ("/providers/*", "type exchange domain issuer claims redirectUris userAgents session logout opensNewTab"),
        ("/rest/*", "match reply delay passThrough"), ("/keySets/*", "use publish"),
        ("/policyKeys/*", "secret key certificate"),
        (
            "/authority",
            "codeLifetime lockout throttle headerLimit wrongRedirectUri grantMismatchOrder extensionsApp extensionsAppId unknownElements keySetExistsStatus defaults"
        ),
        ("/device", "network clock broker mode locale keychain"),
        ("/browser", "cookies thirdPartyCookies sameSite cors framing acceptLanguage userAgent available storageQuota"),
    ])
    func `keys are those of the reference`(_ path: String, _ keys: String) throws {
        let shape = try #require(Self.objects(TenantShapes.root).first { $0.path == path }?.shape)
        #expect(Set(shape.fields.map(\.name)) == Set(keys.split(separator: " ").map(String.init)))
    }
}
