import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

/// Directory tenant: sign-in.
@Suite struct WorkforceSignInTests {
    @Test func `the page asks for name and password`() async throws {
        let world = try WorkforceWorld()
        let page = try await world.authorize("common", [("login_hint", "ada@contoso.test")])
        #expect(page.status == 200)
        for part in [
            "<meta name=\"b2c-harness-page\" content=\"signIn\">",
            "<form method=\"post\" action=\"/common/login\">", "<label for=\"username\">",
            "id=\"username\" name=\"username\" type=\"text\" value=\"ada@contoso.test\"",
            "id=\"password\" name=\"password\" type=\"password\"",
            "id=\"signIn\" name=\"action\" value=\"accept\"", "id=\"cancel\" name=\"action\" value=\"cancel\"",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
    }

    @Test(arguments: [
        ("ada", "common", true), ("ada", "organizations", true), ("ada", "consumers", false),
        ("ada", "contoso.onmicrosoft.com", true), ("ada", "fabrikam.onmicrosoft.com", false),
        ("pat", "common", true), ("pat", "organizations", false), ("pat", "consumers", true),
        ("pat", "contoso.onmicrosoft.com", true), ("fay", "common", true),
        ("fay", "fabrikam.onmicrosoft.com", true), ("fay", "contoso.onmicrosoft.com", true),
    ])
    func `an authority takes its accounts, and the answer says who and where from`(
        name: String, segment: String, admitted: Bool
    ) async throws {
        let world = try WorkforceWorld()
        let person = try world.person(name)
        let answer = try await world.signIn(
            try await world.authorize(segment), person.user.email ?? "", person.user.password ?? "")
        guard admitted else {
            #expect(answer.status == 200)
            #expect(answer.text.contains("role=\"alert\""))
            #expect(answer.refusal?.contains("AADSTS50020") == true)
            return
        }
        let items = try #require(answer.location?.queryItems)
        #expect(items["state"] == "s1")
        #expect(items["client_info"] == person.clientInfo.encoded)
        let members = try #require(try await world.redeem(answer, segment).json)
        #expect(members["client_info"]?.stringValue == person.clientInfo.encoded)
        let claims = try WorkforceWorld.claims(members)
        let tenant = segment.hasPrefix("contoso") ? world.tenant.id : person.homeTenantID
        #expect(claims["tid"]?.stringValue == tenant.description)
        #expect(claims["iss"]?.stringValue == "https://login.microsoftonline.com/\(tenant)/v2.0")
        #expect(claims["oid"]?.stringValue == person.objectID(in: tenant)?.description)
        #expect(claims["preferred_username"]?.stringValue == person.user.email)
        #expect(claims["name"]?.stringValue == person.displayName)
        #expect(claims["aud"]?.stringValue == WorkforceWorld.clientID)
        #expect(claims["ver"] == "2.0")
    }

    @Test func `personal accounts have their own tenant`() throws {
        let world = try WorkforceWorld()
        let pat = try world.person("pat")
        #expect(pat.clientInfo.utid == "9188040d-6c67-4c5b-b112-36a304b66dad")
        #expect(pat.clientInfo.uid.hasPrefix("00000000-0000-0000-"))
        #expect(try world.person("ada").clientInfo.utid == world.tenant.id.description)
        #expect(try world.person("fay").homeTenantID == GUID.derived(from: "tenant/fabrikam"))
    }

    @Test(
        arguments: [
            ("nobody@contoso.test", "x", [:], "50034"), ("who@contoso.test", "x", [:], "50034"),
            ("ada@contoso.test", "wrong", [:], "50126"), ("ada@contoso.test", "", [:], "50126"),
            ("ada@contoso.test", "Analytical-1843", ["locked": true], "50053"),
            ("ada@contoso.test", "Analytical-1843", ["accountEnabled": false], "50057"),
            ("ada@contoso.test", "Analytical-1843", ["forcePasswordChange": true], "50055"),
        ] as [(String, String, JSONValue, String)])
    func `a refused sign-in says why on the page`(name: String, password: String, change: JSONValue, code: String)
        async throws
    {
        let world = try WorkforceWorld(["users": ["ada": change]])
        let answer = try await world.signIn(try await world.authorize(), name, password)
        #expect(answer.status == 200)
        #expect(answer.text.contains("id=\"error\" role=\"alert\""))
        #expect(answer.refusal?.hasPrefix("AADSTS\(code)") == true)
        let again = try await world.authorize("common", [("prompt", "none")])
        #expect(again.location?.queryItems["error"] == "login_required")
    }

    @Test func `too many wrong passwords lock for a while`() async throws {
        let world = try WorkforceWorld(["authority": ["lockout": ["threshold": 2, "duration": "PT1M"]]])
        for expected in ["50126", "50126", "50053"] {
            let answer = try await world.signIn(try await world.authorize(), "ada@contoso.test", "wrong")
            #expect(answer.refusal?.hasPrefix("AADSTS\(expected)") == true)
        }
        #expect(try await world.signIn(try await world.authorize()).refusal?.hasPrefix("AADSTS50053") == true)
        world.clock.time.advance(by: .minutes(1))
        #expect(try await world.signIn(try await world.authorize()).status == 302)
    }

    @Test func `any name of a person will do`() async throws {
        for name in ["ADA@contoso.test", "ada"] {
            let world = try WorkforceWorld()
            #expect(try await world.signIn(try await world.authorize(), name).status == 302)
        }
    }

    /// What a request shows when nobody, Ada, or Ada and Bob are signed in.
    static let prompts: [([(String, String?)], String, String, String)] = [
        ([], "password", "ada", "picker"),
        ([("login_hint", "ada@contoso.test")], "password", "ada", "ada"),
        ([("login_hint", "bob@contoso.test")], "password", "password", "bob"),
        ([("login_hint", "fay@fabrikam.test")], "password", "password", "password"),
        ([("prompt", "select_account")], "password", "picker", "picker"),
        ([("prompt", "login")], "password", "password", "password"),
        ([("prompt", "login"), ("login_hint", "ada@contoso.test")], "password", "password", "password"),
        ([("prompt", "none")], "login_required", "ada", "interaction_required"),
        ([("prompt", "none"), ("login_hint", "bob@contoso.test")], "login_required", "login_required", "bob"),
        ([("prompt", "consent")], "password", "consent", "picker"),
        ([("prompt", "create")], "invalid_request", "invalid_request", "invalid_request"),
    ]

    @Test(arguments: prompts)
    func `prompts decide whether a session counts`(
        changes: [(String, String?)], nobody: String, one: String, two: String
    ) async throws {
        let world = try WorkforceWorld()
        func seen() async throws -> String {
            let answer = try await world.authorize("common", changes)
            if let items = answer.location?.queryItems {
                if let error = items["error"] { return error }
                let info = try #require(items["client_info"].flatMap { ClientInfo(encoded: $0) })
                return try #require(world.tenant.workforceIdentities.first { $0.clientInfo == info }).user.name
            }
            if answer.text.contains("content=\"consent\"") { return "consent" }
            return answer.text.contains("id=\"password\"") ? "password" : "picker"
        }
        #expect(try await seen() == nobody)
        _ = try await world.tokens("ada")
        #expect(try await seen() == one)
        _ = try await world.tokens("bob")
        #expect(try await seen() == two)
    }

    @Test func `login_req means the account`() async throws {
        let world = try WorkforceWorld()
        _ = try await world.tokens("ada")
        _ = try await world.tokens("bob")
        let ada = try world.person("ada").clientInfo
        let answer = try await world.authorize("common", [("login_req", ada.uid), ("domain_req", ada.utid)])
        #expect(answer.location?.queryItems["client_info"] == ada.encoded)
    }

    @Test func `the picker takes a known account without a password, and asks a stranger for one`() async throws {
        let world = try WorkforceWorld()
        _ = try await world.tokens("ada")
        let picker = try await world.authorize("common", [("prompt", "select_account")])
        #expect(picker.text.contains("ada@contoso.test: signed in"))
        let known = try await world.press(picker, "accept", ["username": "ada@contoso.test"])
        #expect(known.location?.queryItems["code"] != nil)
        let stranger = try await world.press(picker, "accept", ["username": "bob@contoso.test"])
        #expect(stranger.text.contains("value=\"bob@contoso.test\""))
        let answer = try await world.signIn(stranger, "bob@contoso.test", "Builder-1999")
        #expect(answer.location?.queryItems["client_info"] == (try world.person("bob").clientInfo.encoded))
    }

    @Test func `sessions end by time, by password and by deletion`() async throws {
        let world = try WorkforceWorld()
        func isSignedIn() async throws -> Bool {
            try await world.authorize("common", [("prompt", "none")]).location?.queryItems["code"] != nil
        }
        _ = try await world.tokens()
        world.clock.time.advance(by: .hours(23))
        #expect(try await isSignedIn())
        world.clock.time.advance(by: .hours(2))
        #expect(try await !isSignedIn())
        _ = try await world.tokens()
        world.clock.time.advance(by: .seconds(1))
        try await world.configure(["users": ["ada": ["password": "New-1"]]])
        #expect(try await !isSignedIn())
        _ = try await world.tokens()
        #expect(try await isSignedIn())
        try await world.configure(["users": ["ada": nil]])
        #expect(try await !isSignedIn())
    }

    @Test(
        arguments: [
            ([("client_id", nil)], "900144"), ([("client_id", "x")], "700016"),
            ([("client_id", "41111111-2222-4333-8444-555555555555")], "7000112"),
            ([("redirect_uri", "msauth.com.contoso.graph://auth/")], "50011"),
            ([("redirect_uri", "https://evil.test/")], "50011"),
        ] as [([(String, String?)], String)])
    func `errors of the request itself go to no redirect URI`(changes: [(String, String?)], code: String) async throws {
        let world = try WorkforceWorld()
        let answer = try await world.authorize("common", changes)
        #expect(answer.status == 400)
        #expect(answer.headers["Location"] == nil)
        #expect(WorkforceWorld.code(answer) == code)
        #expect(answer.text.contains("id=\"errorDetail\""))
        #expect(answer.text.contains("Trace ID: "))
        #expect(answer.refusal?.contains("AADSTS\(code)") == true)
    }

    @Test(
        arguments: [
            ([("response_type", nil)], "invalid_request", "900144"),
            ([("response_type", "id_token")], "unsupported_response_type", "700054"),
            ([("response_mode", "x")], "invalid_request", "9002313"),
            ([("scope", nil)], "invalid_request", "900144"), ([("scope", " ")], "invalid_request", "900144"),
            ([("scope", "User.Rade")], "invalid_client", "650053"),
            ([("scope", "https://tasks.contoso.test/erase")], "invalid_client", "650053"),
            ([("scope", "https://nothing.test/read")], "invalid_resource", "500011"),
            ([("scope", ".default User.Read")], "invalid_scope", "70011"),
            ([("prompt", "admin_consent")], "invalid_request", "90023"),
            ([("code_challenge_method", "S512")], "invalid_request", "9002313"),
            (
                [
                    ("client_id", "31111111-2222-4333-8444-555555555555"),
                    ("redirect_uri", "https://spa.contoso.test/"), ("code_challenge", nil),
                ], "invalid_request", "900144"
            ),
        ] as [([(String, String?)], String, String)])
    func `refusals of the app go to the redirect URI`(changes: [(String, String?)], error: String, code: String)
        async throws
    {
        let world = try WorkforceWorld()
        let answer = try await world.authorize("common", changes)
        #expect(answer.status == 302)
        #expect(answer.location?.queryItems["error"] == error)
        #expect(answer.location?.queryItems["state"] == "s1")
        #expect(WorkforceWorld.code(answer) == code)
    }

    @Test(arguments: [("query", "?code="), ("fragment", "#code="), ("form_post", "name='code'")])
    func `each response mode has its answer`(mode: String, part: String) async throws {
        let world = try WorkforceWorld()
        let answer = try await world.signIn(try await world.authorize("common", [("response_mode", mode)]))
        #expect((answer.headers["Location"] ?? answer.text).contains(part))
        let cancelled = try await world.press(
            try await world.authorize("common", [("response_mode", mode), ("prompt", "login")]), "cancel")
        #expect((cancelled.headers["Location"] ?? cancelled.text).contains("access_denied"))
    }

    @Test func `a lost context is a page`() async throws {
        let world = try WorkforceWorld()
        for path in ["/common/login", "/common/consent"] {
            for form: FormItems in [["username": "ada"], ["ctx": "x", "username": "ada"]] {
                let answer = try await world.browse(.post(world.address(path), form: form))
                #expect(WorkforceWorld.code(answer) == "165000")
            }
        }
        let page = try await world.authorize()
        world.clock.time.advance(by: .hours(1))
        #expect(WorkforceWorld.code(try await world.signIn(page)) == "165000")
    }

    @Test func `the correlation id is the caller's`() async throws {
        let world = try WorkforceWorld()
        let id = "0f0e0d0c-1111-4222-8333-444455556666"
        let answer = try await world.authorize(
            "common", [("prompt", "none"), ("client-request-id", id), ("return-client-request-id", "true")])
        #expect(answer.location?.queryItems["error_description"]?.contains("Correlation ID: \(id)") == true)
        #expect(answer.headers["client-request-id"] == id)
        #expect(answer.headers["x-ms-request-id"]?.count == 36)
    }
}

/// Directory tenant: consent.
@Suite struct WorkforceConsentTests {
    @Test(arguments: [
        ("granted", "User.Read openid", "code"), ("granted", "https://tasks.contoso.test/read", "code"),
        ("granted", "Calendars.Read", "consent"), ("granted", "User.Read.All", "admin"),
        ("user", "User.Read openid", "consent"), ("user", "openid profile", "consent"),
        ("user", "Directory.Read.All", "admin"), ("adminOnly", "User.Read", "admin"),
    ])
    func `consent is asked for unless a person or an administrator gave it for these scopes`(
        consent: String, scope: String, expected: String
    ) async throws {
        let world = try WorkforceWorld(["apps": ["graph": ["registration": ["consent": .string(consent)]]]])
        let answer = try await world.signIn(try await world.authorize("common", [("scope", scope)]))
        switch expected {
        case "code": #expect(answer.location?.queryItems["code"] != nil)
        case "consent":
            #expect(answer.text.contains("<meta name=\"b2c-harness-page\" content=\"consent\">"))
            #expect(answer.text.contains("id=\"accept\" name=\"action\" value=\"accept\""))
            let accepted = try await world.press(answer)
            #expect(accepted.location?.queryItems["code"] != nil)
            // Given once, given for good.
            let again = try await world.authorize("common", [("scope", scope)])
            #expect(again.location?.queryItems["code"] != nil)
        default:
            #expect(answer.text.contains("content=\"consent\""))
            #expect(answer.text.contains("Need admin approval"))
            #expect(!answer.text.contains("value=\"accept\""))
            for action in ["cancel", "accept"] {
                let refused = try await world.press(answer, action)
                #expect(refused.location?.queryItems["error"] == "access_denied")
                #expect(WorkforceWorld.code(refused) == "90094")
            }
        }
    }

    @Test func `declining goes to the app`() async throws {
        let world = try WorkforceWorld(["apps": ["graph": ["registration": ["consent": "user"]]]])
        let page = try await world.signIn(try await world.authorize())
        let answer = try await world.press(page, "cancel")
        #expect(answer.location?.queryItems["error"] == "access_denied")
        #expect(WorkforceWorld.code(answer) == "65004")
        #expect(answer.location?.queryItems["state"] == "s1")
        #expect(try await world.authorize().text.contains("content=\"consent\""))
    }

    @Test func `only new scopes are asked for`() async throws {
        let world = try WorkforceWorld(["apps": ["graph": ["registration": ["consent": "user"]]]])
        let first = try await world.signIn(try await world.authorize("common", [("scope", "User.Read openid")]))
        #expect(first.text.contains("<p>User.Read</p>"))
        _ = try await world.press(first)
        let second = try await world.authorize("common", [("scope", "User.Read openid Mail.Read")])
        #expect(second.text.contains("<p>Mail.Read</p>"))
        #expect(!second.text.contains("<p>User.Read</p>"))
        // prompt=consent shows the page although nothing is missing.
        let again = try await world.authorize("common", [("scope", "User.Read"), ("prompt", "consent")])
        #expect(again.text.contains("<p>User.Read</p>"))
        #expect(try await world.press(again).location?.queryItems["code"] != nil)
    }

    @Test func `silent requests are refused if consent is missing`() async throws {
        let world = try WorkforceWorld()
        let members = try await world.tokens()
        let answer = try await world.authorize("common", [("prompt", "none"), ("scope", "Mail.Read")])
        #expect(answer.location?.queryItems["error"] == "consent_required")
        #expect(WorkforceWorld.code(answer) == "65001")
        let refused = try await world.refresh(
            members["refresh_token"]?.stringValue ?? "", "common", [("scope", "Mail.Read offline_access")])
        #expect(refused.status == 400)
        #expect(refused.json?["error"] == "invalid_grant")
        #expect(refused.json?["suberror"] == "consent_required")
    }

    @Test func `consent is one person's for one app`() async throws {
        let world = try WorkforceWorld(["apps": ["graph": ["registration": ["consent": "user"]]]])
        _ = try await world.tokens("ada")
        let bob = try await world.signIn(
            try await world.authorize("common", [("prompt", "login")]), "bob@contoso.test", "Builder-1999")
        #expect(bob.text.contains("content=\"consent\""))
        // An administrator's consent for all does away with the page.
        try await world.configure(["apps": ["graph": ["registration": ["consent": "granted"]]]])
        #expect(try await world.press(bob).location?.queryItems["code"] != nil)
    }
}
