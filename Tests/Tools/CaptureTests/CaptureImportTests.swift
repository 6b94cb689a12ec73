import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Testing

@testable import Capture

/// Captures made by hand, as browsers and proxies would have them, and what is made of them.
struct CaptureImportTests {
    private typealias Tape = CaptureTape

    private static let base = "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com/b2c_1a_signup_signin"
    private static let id = "11111111-2222-3333-4444-555555555555"

    private static func authorize(_ more: String = "", redirect: String = "https%3A%2F%2Fapp.fabrikam.com%2F") -> String
    {
        "\(base)/oauth2/v2.0/authorize?client_id=\(id)&redirect_uri=\(redirect)&response_type=code&scope=openid%20offline_access"
            + "&state=s&code_challenge=abc&code_challenge_method=S256\(more)"
    }

    /// The page to sign in as a real tenant serves it: no comments that name policies, settings that are not JSON.
    private static let signIn = """
        <html><script>var CP = {"list":[]}; var SA_FIELDS = {"AttributeFields":[{"UX_INPUT_TYPE":"EmailBox","USER_INPUT_TYPE":"EmailBox","ID":"signInName","DN":"Email Address"},{"UX_INPUT_TYPE":"Password","USER_INPUT_TYPE":"Password","ID":"password","DN":"Password"}]};
        var CONTENT = {}; var SETTINGS = {"remoteResource":"https://x/","retryLimit":3,"api":"CombinedSigninAndSignup","csrf":"c","transId":"StateProperties=abc","config":{"showSignupLink":"True","operatingMode":"Email"},"hosts":{"tenant":"/fabrikam.onmicrosoft.com/B2C_1A_signup_signin","policy":"B2C_1A_signup_signin","static":"https://x/"},"locale":{"lang":"en"},"sanitizerPolicy":{onTag: function (tag) { return tag; }}};
        </script></html>
        """

    private static func token(_ claims: JSONObject) -> String {
        JWSText.unsigned(claims)
    }

    private static func post(
        _ tape: inout Tape, _ password: String, _ answer: JSONValue, person: String = "Jane.Doe@fabrikam.com"
    ) throws {
        try tape.add(
            "POST", "\(base)/SelfAsserted?tx=StateProperties=abc&p=B2C_1A_signup_signin",
            ["X-CSRF-TOKEN": "secret-csrf"],
            form: ["request_type": "RESPONSE", "signInName": person, "password": password], answer: .json(200, answer))
    }

    private static func redeem(_ tape: inout Tape, _ claims: JSONObject) throws {
        try tape.add(
            "GET",
            "\(base)/api/CombinedSigninAndSignup/confirmed?csrf_token=c&tx=StateProperties=abc&p=B2C_1A_signup_signin",
            answer: .redirect("https://app.fabrikam.com/?state=s&code=the-code-itself"))
        try tape.add("GET", "https://app.fabrikam.com/?state=s&code=the-code-itself")
        try tape.add(
            "POST", "\(base)/oauth2/v2.0/token", ["Origin": "https://app.fabrikam.com"],
            form: [
                "client_id": id, "grant_type": "authorization_code", "code": "the-code-itself",
                "code_verifier": "the-verifier",
            ],
            answer: .json(
                200, ["id_token": .string(token(claims)), "expires_in": 900, "refresh_token": "the-refresh-token"]))
    }

    private static let claims: JSONObject = [
        "iss": "https://fabrikam.b2clogin.com/99999999-2222-3333-4444-555555555555/v2.0/", "exp": 1_768_482_000,
        "nbf": 1_768_478_400, "aud": .string(id), "acr": "b2c_1a_signup_signin",
        "oid": "aaaaaaaa-2222-3333-4444-555555555555",
        "name": "Jane Doe", "emails": ["jane.doe@fabrikam.com"], "extension_Loyalty": "4711-gold", "ver": "1.0",
        "correlationId": "x",
    ]

    private func flow() throws -> Tape {
        var tape = Tape()
        try tape.add(
            "GET", Self.authorize("&ui_locales=de&campaign=spring&login_hint=jane.doe%40fabrikam.com"),
            answer: .html(200, Self.signIn))
        try Self.post(
            &tape, "Wrong-One-9",
            ["status": "400", "errorCode": "AADB2C90054", "message": "Your password is incorrect"])
        try Self.post(&tape, "Right-One-1", ["status": "200"])
        try Self.redeem(&tape, Self.claims)
        return tape
    }

    @Test func `a sign-in becomes one step with what the person did and its result`() throws {
        let files = try flow().files("report")
        let step = try #require(files.scenario["steps"]?[0])
        #expect(files.scenario["steps"]?.arrayValue?.count == 1)
        #expect(step["acquireToken", "loginHint"] == "person1@example.com")
        #expect(step["acquireToken", "extraQueryParameters"] == ["ui_locales": "de", "campaign": "spring"])
        #expect(step["user"]?[0] == ["on": "signIn", "as": "person1", "fill": ["password": "Wrong-Pass-1"]])
        #expect(step["user"]?[1] == ["on": ["name": "signIn", "error": ["$exists": true]], "as": "person1"])
        let wanted = step["expect", "result", "idToken", "claims"]
        #expect(wanted?["name"] == "Name 1")
        #expect(wanted?["emails"] == ["person1@example.com"])
        #expect(wanted?["extension_Loyalty"] == "Loyalty 1")
        #expect(wanted?["acr"] == "B2C_1A_signup_signin")
        #expect(wanted?["correlationId"] == nil)
        #expect(files.tenantPath == "tenants/report.json")
    }

    @Test func `the tenant file has what the addresses, pages and tokens show`() throws {
        let tenant = try flow().files().tenant
        #expect(tenant["name"] == "fabrikam")
        #expect(tenant["id"] == "99999999-2222-3333-4444-555555555555")
        let policy = tenant["policies"]?["signupSignin"]
        #expect(policy?["id"] == "B2C_1A_signup_signin")
        #expect(policy?["type"] == "signUpOrSignIn")
        #expect(policy?["tokens"] == ["accessToken": "PT15M", "policyClaim": "acr"])
        #expect(policy?["claims"] == ["objectId", "displayName", "emails", "extension_Loyalty"])
        let app = tenant["apps"]?["spa"]
        #expect(app?["registration", "clientId"] == .string(Self.id))
        #expect(app?["client", "kind"] == "msal-browser")
        #expect(app?["client", "authorityForm"] == "path")
        #expect(app?["client", "redirectUri"] == "https://app.fabrikam.com/")
        #expect(
            tenant["users"]?["person1"] == [
                "email": "person1@example.com", "password": "Imported-Pass-1", "displayName": "Name 1",
                "extension_Loyalty": "Loyalty 1",
            ])
    }

    @Test func `what could not be carried over is said, in the script too`() throws {
        let files = try flow().files()
        #expect(files.notes.contains { $0.hasPrefix("B2C_1A_signup_signin is a custom policy") })
        #expect(files.notes.contains { $0.contains("correlationId") })
        let text = try #require(files.scenario["description"]?.stringValue)
        for note in files.notes { #expect(text.contains(note)) }
    }

    @Test func `no secret and no personal data is written`() throws {
        let files = try flow().files()
        let text = JSONWriter.pretty(.object(files.tenant)) + JSONWriter.pretty(.object(files.scenario))
        for word in [
            "Right-One-1", "Wrong-One-9", "Jane", "jane", "doe@", "the-code", "the-verifier", "the-refresh",
            "secret-csrf",
            "aaaaaaaa-2222", "4711", "eyJ", "StateProperties",
        ] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test func `the tenant file is one that is read without a complaint`() throws {
        let files = try flow().files()
        let bytes = Array(JSONWriter.pretty(.object(files.tenant)).utf8)
        _ = try TenantFile.read(file: "t.json", bytes: bytes)
    }

    @Test func `an address with control characters where the policy is makes no policy`() throws {
        var tape = try flow()
        try tape.add(
            "GET", "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com/b2c_1a_su%7F%0Asi/oauth2/v2.0/logout",
            answer: .html(200, ""))
        let files = try tape.files()
        let tenant = try TenantFile.read(
            file: "t.json", bytes: Array(JSONWriter.pretty(.object(files.tenant)).utf8))
        #expect(tenant.json["policies"]?.objectValue?.count == 1)
    }

    // MARK: Kinds

    @Test(
        arguments: [
            ("MSAL.iOS", false, false, "msauth.com.x://auth", nil, ClientKind.msalIOS),
            ("MSAL.OSX", false, false, "msauth.com.x://auth", nil, .msalMacOS),
            ("msal.js.browser", false, true, "https://x/", nil, .msalBrowser),
            ("MSAL.Android", false, false, "msauth://com.x/abc", nil, .msalAndroid),
            ("MSAL.NetCore", true, false, "https://x/signin-oidc", nil, .web),
            ("MSAL.NetCore", false, false, "http://localhost", nil, .msalDotNet),
            ("ID_NET6_0", false, false, "https://x/signin-oidc", "form_post", .web),
            (nil, true, false, "https://x/", nil, .web), (nil, false, false, "msauth.com.x://auth", nil, .msalIOS),
            (nil, false, false, "msauth://com.x/abc", nil, .msalAndroid),
            (nil, false, false, "com.x:/cb", nil, .appAuth),
            (nil, false, false, "https://x/", "form_post", .web), (nil, false, true, "https://x/", nil, .msalBrowser),
            (nil, false, false, "https://x/", "fragment", .msalBrowser), (nil, false, false, "https://x/", nil, .web),
        ] as [(String?, Bool, Bool, String, String?, ClientKind)])
    func `the kind of client follows from the strongest evidence`(
        _ sku: String?, _ secret: Bool, _ origin: Bool, _ uri: String, _ mode: String?, _ wanted: ClientKind
    ) {
        let evidence = ClientGuess.Evidence(
            sku: sku, hasSecret: secret, hasOrigin: origin, hasTokenRequest: origin || secret, redirectURI: uri,
            responseMode: mode)
        #expect(ClientGuess.kind(evidence).kind == wanted)
    }

    /// A sign-in of a web app whose answer came after so many minutes.
    private static func signIn(
        _ tape: inout Tape, _ code: String, after minutes: Int64, redeems: Bool
    ) throws {
        let page = signIn.replacing("StateProperties=abc", with: "StateProperties=\(code)")
        try tape.add("GET", authorize(), answer: .html(200, page))
        try tape.add(
            "POST", "\(base)/SelfAsserted?tx=StateProperties=\(code)&p=B2C_1A_signup_signin",
            form: ["request_type": "RESPONSE", "signInName": "jane.doe@fabrikam.com", "password": "Right-One-1"],
            answer: .json(200, ["status": "200"]), after: .minutes(minutes))
        try tape.add(
            "GET",
            "\(base)/api/CombinedSigninAndSignup/confirmed?csrf_token=c&tx=StateProperties=\(code)&p=B2C_1A_signup_signin",
            answer: .redirect("https://app.fabrikam.com/?state=s&code=\(code)"))
        guard redeems else { return }
        try tape.add(
            "POST", "\(base)/oauth2/v2.0/token",
            form: [
                "client_id": id, "client_secret": "s3cret", "grant_type": "authorization_code", "code": code,
            ],
            answer: .json(200, ["id_token": .string(token(claims)), "expires_in": 900]))
    }

    @Test(
        arguments: [
            ([(13, true)], nil), ([(20, true)], "off"), ([(1, true), (20, true)], "off"),
            // Nothing shows that the app refused it.
            ([(20, false)], "off"),
            // It redeems its codes in the capture, and not this one: its state had ended.
            ([(20, false), (1, true)], nil),
        ] as [([(minutes: Int64, redeems: Bool)], String?)])
    func `a web app that took a late answer has a state cookie without an end`(
        _ answers: [(minutes: Int64, redeems: Bool)], _ lifetime: String?
    ) throws {
        var tape = Tape()
        for (index, answer) in answers.enumerated() {
            try Self.signIn(&tape, "code\(index + 1)", after: answer.minutes, redeems: answer.redeems)
        }
        let client = try tape.files().tenant["apps"]?["web"]?["client"]
        #expect(client?["kind"] == "web")
        #expect(client?["stateCookie", "lifetime"] == lifetime.map { .string($0) })
    }

    // MARK: Endings

    @Test func `a refusal of unknown cause becomes a rule and a note`() throws {
        var tape = Tape()
        try tape.add(
            "GET", Self.authorize(),
            answer: .redirect(
                "https://app.fabrikam.com/?error=server_error&error_description=AADB2C90205%3A+No+permission.&state=s"))
        let files = try tape.files()
        let step = try #require(files.scenario["steps"]?[0])
        #expect(step["expect", "error"] == ["oauthError": "server_error", "b2cCode": "AADB2C90205"])
        #expect(step["faults"]?[0]?["b2cError"] == ["code": "AADB2C90205", "delivery": "redirect"])
        #expect(files.notes.contains { $0.contains("why the service refused with AADB2C90205") })
    }

    @Test func `a redirect URI that was refused is not in the registration`() throws {
        var tape = Tape()
        let page =
            "<html><body><div data-name=\"GlobalException\"><p id=\"errorDetail\">AADB2C90006: The redirect URI is not registered.</p></div></body></html>"
        try tape.add("GET", Self.authorize(redirect: "https%3A%2F%2Fwrong.fabrikam.com%2Fcb"), answer: .html(200, page))
        let files = try tape.files()
        let app = files.tenant["apps"]?.objectValue?.members.first?.value
        #expect(app?["client", "redirectUri"] == "https://wrong.fabrikam.com/cb")
        let known = app?["registration", "redirectUris"]?.objectValue?.members.first?.value.arrayValue ?? []
        #expect(!known.isEmpty && !known.contains("https://wrong.fabrikam.com/cb"))
        #expect(
            files.scenario["steps"]?[0]?["expect", "pending", "page"] == ["name": "error", "b2cCode": "AADB2C90006"])
    }

    @Test func `a session from before the capture is a separate step`() throws {
        var tape = Tape()
        try tape.add("GET", Self.authorize(), answer: .redirect("https://app.fabrikam.com/?state=s&code=abc"))
        let files = try tape.files()
        let steps = try #require(files.scenario["steps"]?.arrayValue)
        #expect(steps.count == 2)
        #expect(steps[0]["name"]?.stringValue?.hasPrefix("Before the capture began") == true)
        #expect(steps[1]["user"] == nil)
    }

    @Test func `refreshes, sign-outs, calls of APIs and pauses are steps`() throws {
        var tape = try flow()
        try tape.add(
            "POST", "\(Self.base)/oauth2/v2.0/token", ["Origin": "https://app.fabrikam.com"],
            form: ["client_id": Self.id, "grant_type": "refresh_token", "refresh_token": "the-refresh-token"],
            answer: .json(400, ["error": "invalid_grant", "error_description": "AADB2C90129: revoked"]),
            after: .minutes(61))
        try tape.add(
            "GET", "https://api.fabrikam.com/orders/jane.doe@fabrikam.com/aaaaaaaa-2222-3333-4444-555555555555?q=1",
            ["Authorization": "Bearer x"], answer: .json(503, [:]))
        try tape.add(
            "GET",
            "\(Self.base)/oauth2/v2.0/logout?post_logout_redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F&id_token_hint=eyJ",
            answer: .redirect("https://app.fabrikam.com/"))
        try tape.add("GET", "https://fonts.example.net/a.woff")
        let files = try tape.files()
        let steps = try #require(files.scenario["steps"]?.arrayValue)
        #expect(steps.count == 5)
        #expect(steps[1]["advanceClock"] == "PT61M" || steps[1]["advanceClock"] == "PT1H1M")
        #expect(steps[2]["faults"]?[0]?["b2cError"] == "AADB2C90129")
        #expect(steps[3]["callApi", "path"]?.stringValue?.hasPrefix("/orders/person1@example.com/") == true)
        #expect(steps[3]["expect", "result", "status"] == 503)
        #expect(steps[4]["signOut"] == ["fromBrowser": true])
        #expect(files.notes.contains { $0.contains("1 request of other hosts omitted: fonts.example.net") })
        #expect(files.notes.contains { $0.contains("id_token_hint") })
    }

    @Test func `missing bodies are guessed around and reported`() throws {
        var tape = try flow()
        for index in tape.exchanges.indices where index < 3 {
            tape.exchanges[index].response?.body = []
            tape.exchanges[index].lacksResponseBody = true
        }
        let files = try tape.files()
        let step = try #require(files.scenario["steps"]?[0])
        // Without the answer the first password counts as the one that was accepted.
        #expect(step["user"]?.arrayValue?.count == 2)
        #expect(step["user"]?[0]?["on"] == nil)
    }

    @Test func `what was tried in vain is written with less and reported`() throws {
        let tape = try flow()
        func step(_ tried: [String]) throws -> (JSONValue, String) {
            let files = try CaptureImport.files(
                from: tape.exchanges,
                CaptureImport.Options(source: "flow.har", attempts: [0: CaptureImport.Attempt(because: tried)]))
            return (try #require(files.scenario["steps"]?[0]), files.notes.joined(separator: "\n"))
        }
        let (whole, _) = try step([])
        #expect(whole["user"]?.arrayValue?.count == 2)
        #expect(whole["expect", "requests"] != nil)
        let (once, why) = try step(["no such page"])
        #expect(once["user"] == "person1")
        #expect(once["expect", "requests"] == nil)
        #expect(once["expect", "result", "idToken", "claims", "name"] == "Name 1")
        #expect(why.contains("entry 1: what the capture has does not suffice to play the pages (no such page)"))
        let (twice, _) = try step(["no such page", "no such claim"])
        #expect(twice["expect"] == ["result": [:]])
        let (thrice, how) = try step(["no such page", "no such claim", "no such button"])
        #expect(thrice["user"] == "person1")
        #expect(how.contains("A sign-in of one person replaces it"))
    }

    @Test func `each try that fails leaves less, until nothing is left`() {
        var attempt = CaptureImport.Attempt()
        attempt.unmet = [CaptureImport.Unmet(pointer: "/expect/requests/0", why: "it is answered with 200")]
        var seen = [attempt.fidelity]
        while attempt.reduce(because: "try \(seen.count)") {
            #expect(attempt.unmet.isEmpty, "a step that is written again is whole again")
            seen.append(attempt.fidelity)
        }
        #expect(seen == Fidelity.allCases && seen == seen.sorted())
        #expect(attempt.reasons == ["try 1", "try 2", "try 3", "try 4"])
        #expect(attempt == CaptureImport.Attempt(because: attempt.reasons))
        #expect(Set(Fidelity.allCases.map(\.sentence)).count == Fidelity.allCases.count)
    }

    /// The same error of the token endpoint names another request each time; what replaces the ids differs too.
    @Test func `different ids have different stand-ins wherever they are written`() throws {
        var tape = try flow()
        for id in ["aaaaaaaa-0000-0000-0000-000000000001", "aaaaaaaa-0000-0000-0000-000000000002"] {
            try tape.add(
                "POST", "\(Self.base)/oauth2/v2.0/token", ["Origin": "https://app.fabrikam.com"],
                form: ["client_id": Self.id, "grant_type": "refresh_token", "refresh_token": "the-refresh-token"],
                answer: .json(400, ["error": "invalid_grant", "error_description": .string("Refused: \(id)")]),
                after: .minutes(61))
        }
        let steps = try #require(try tape.files().scenario["steps"]?.arrayValue)
        let texts = steps.compactMap {
            $0["faults"]?[0]?["respond", "json", "error_description"]?.stringValue
        }
        #expect(texts.count == 2 && Set(texts).count == 2 && !texts.joined().contains("aaaaaaaa"), "\(texts)")
    }

    @Test func `an error that nothing leads to is played at once, with its code`() throws {
        var tape = Tape()
        try tape.add("GET", Self.authorize(), answer: .html(200, Self.signIn))
        try Self.post(&tape, "Right-One-1", ["status": "200"])
        try tape.add(
            "GET",
            "\(Self.base)/api/CombinedSigninAndSignup/confirmed?csrf_token=c&tx=StateProperties=abc&p=B2C_1A_signup_signin",
            answer: .redirect(
                "https://app.fabrikam.com/?error=server_error&error_description=AADB2C90289%3A+No+provider.&state=s"))
        let files = try CaptureImport.files(
            from: tape.exchanges,
            CaptureImport.Options(
                source: "flow.har",
                attempts: [0: CaptureImport.Attempt(because: ["no such page", "no such request"])]))
        let step = try #require(files.scenario["steps"]?[0])
        #expect(step["user"] == nil)
        #expect(
            step["faults"] == [
                ["match": ["endpoint": "authorize"], "b2cError": ["code": "AADB2C90289", "delivery": "redirect"]]
            ])
        #expect(step["expect"] == ["error": ["oauthError": "server_error", "b2cCode": "AADB2C90289"]])
        #expect(
            files.notes.contains {
                $0.hasPrefix("entry 1: ") && $0.contains("has the service refuse with AADB2C90289 at once")
            })
    }

    @Test func `what cannot be played is omitted, and what does not hold is taken out of its step`() throws {
        var tape = try flow()
        try tape.add(
            "POST", "\(Self.base)/oauth2/v2.0/token", ["Origin": "https://app.fabrikam.com"],
            form: ["client_id": Self.id, "grant_type": "refresh_token", "refresh_token": "the-refresh-token"],
            answer: .json(400, ["error": "invalid_grant", "error_description": "AADB2C90129: revoked"]),
            after: .minutes(61))
        let exchanges = tape.exchanges
        func files(_ options: CaptureImport.Options) throws -> CaptureImport.Files {
            try CaptureImport.files(from: exchanges, options)
        }
        let whole = try files(CaptureImport.Options(source: "flow.har"))
        // The pause belongs to what comes after it.
        #expect(whole.origins == [0, 1, 1])
        let short = try files(
            CaptureImport.Options(
                source: "flow.har", attempts: [1: CaptureImport.Attempt(because: ["it is never sent"])]))
        #expect(short.scenario["steps"]?.arrayValue?.contains { $0["acquireTokenSilent"] != nil } == false)
        #expect(
            short.notes.contains {
                $0.hasPrefix("entry 7: the request for tokens is not in the script")
                    && $0.contains("(it is never sent)")
            })
        let pointer = JSONPointer(tokens: ["expect", "requests", "0", "response"])
        let unmet = CaptureImport.Unmet(pointer: pointer, why: "it is answered with 200")
        let less = try files(
            CaptureImport.Options(source: "flow.har", attempts: [1: CaptureImport.Attempt(unmet: [unmet])]))
        let step = try #require(less.scenario["steps"]?[2])
        #expect(step["expect", "requests"]?[0]?["response"] == nil)
        #expect(step["expect", "requests"]?[0]?["form", "grant_type"] == "refresh_token")
        #expect(step["expect", "error", "b2cCode"] == "AADB2C90129")
        #expect(
            less.notes.contains {
                $0.hasPrefix("entry 7: the mock does not do all that the capture shows")
                    && $0.hasSuffix("it is answered with 200")
            })
    }

    @Test func `without pages the posts show how people sign in`() throws {
        func policy(_ typed: [(String, Bool)]) throws -> JSONValue? {
            var tape = Tape()
            try tape.add("GET", Self.authorize(), answer: .html(200, ""))
            tape.exchanges[0].lacksResponseBody = true
            for (name, isGood) in typed {
                try Self.post(&tape, "Right-One-1", isGood ? ["status": "200"] : ["status": "400"], person: name)
            }
            try Self.redeem(&tape, Self.claims)
            return try tape.files().tenant["policies"]?["signupSignin", "signInName"]
        }
        #expect(try policy([("jane@fabrikam.com", true)]) == nil)
        #expect(try policy([("jane", true)]) == "username")
        // A refused name does not count.
        #expect(try policy([("jane@fabrikam.com", false), ("jane", true)]) == "username")
    }

    @Test(
        arguments: [
            (["email": "jane@fabrikam.com", "newPassword": "New-One-11", "city": "Rome"], "signUp"),
            (["newPassword": "New-One-11", "reenterPassword": "New-One-11"], "signUpOrSignIn"),
        ] as [(FormItems, String)])
    func `without pages a name and a new password make an account`(_ form: FormItems, _ type: String) throws {
        var tape = Tape()
        try tape.add("GET", Self.authorize(), answer: .html(200, ""))
        tape.exchanges[0].lacksResponseBody = true
        try tape.add(
            "POST", "\(Self.base)/SelfAsserted?tx=StateProperties=abc&p=B2C_1A_signup_signin", form: form,
            answer: .json(200, ["status": "200"]))
        try Self.redeem(&tape, Self.claims)
        let policy = try tape.files().tenant["policies"]?["signupSignin"]
        #expect(policy?["type"]?.stringValue == type)
        #expect(policy?["attributes"] == (type == "signUp" ? ["city"] : nil))
    }

    @Test func `an account that was locked later is not locked from the start`() throws {
        let locked: JSONValue = ["status": "400", "errorCode": "AADB2C90114", "message": "locked"]
        func user(_ answers: [JSONValue]) throws -> JSONValue? {
            var tape = Tape()
            try tape.add("GET", Self.authorize(), answer: .html(200, Self.signIn))
            for answer in answers { try Self.post(&tape, "Wrong-One-9", answer) }
            return try tape.files().tenant["users"]?["person1", "locked"]
        }
        #expect(try user([locked]) == true)
        #expect(try user([["status": "400", "errorCode": "AADB2C90054"], locked]) == nil)
    }

    @Test func `the policy may be in the parameter p, and the host may be the tenant's own`() throws {
        var tape = Tape()
        try tape.add(
            "GET",
            "https://login.fabrikam.com/fabrikam.onmicrosoft.com/oauth2/v2.0/authorize?p=B2C_1_edit_profile&client_id=\(Self.id)"
                + "&redirect_uri=com.fabrikam%3A%2Foauth&response_type=code&scope=openid&state=s",
            answer: .redirect(
                "com.fabrikam:/oauth?error=access_denied&error_description=AADB2C90091%3A+cancelled&state=s"))
        let files = try tape.files()
        #expect(files.tenant["hosts"] == ["login.fabrikam.com"])
        #expect(files.tenant["policies"]?["editProfile", "type"] == "profileEditing")
        let app = files.tenant["apps"]?["app"]
        #expect(app?["client", "kind"] == "appauth")
        #expect(app?["client", "authorityForm"] == "query")
    }

    @Test func `without a request to B2C there is nothing to import`() throws {
        var tape = Tape()
        try tape.add("GET", "https://www.example.com/")
        do throws(InvalidInput) {
            _ = try tape.files()
            Issue.record("it was imported")
        } catch {
            #expect(error.description.contains("none goes to Azure AD B2C"))
        }
        var keys = Tape()
        try keys.add("GET", "\(Self.base)/discovery/v2.0/keys")
        do throws(InvalidInput) {
            _ = try keys.files()
            Issue.record("it was imported")
        } catch {
            #expect(error.description.contains("no authorization request"))
        }
    }

    @Test func `a capture of which no step can be made is refused`() throws {
        var tape = Tape()
        try tape.add("POST", "\(Self.base)/oauth2/v2.0/token", form: ["client_id": Self.id, "code": "xyz"])
        do throws(InvalidInput) {
            let files = try tape.files()
            Issue.record("\(files.steps)")
        } catch {
            #expect(error.description.contains("can be written as a step"))
            #expect(error.diagnostics.allSatisfy { $0.remedy != nil })
        }
    }

    @Test func `the same capture gives the same files`() throws {
        let tape = try flow()
        #expect(try tape.files().scenario == tape.files().scenario)
        var shuffled = tape
        shuffled.exchanges.reverse()
        #expect(try shuffled.files().scenario == tape.files().scenario)
    }
}

/// Tokens for captures: unsigned, since nobody verifies them.
enum JWSText {
    static func unsigned(_ claims: JSONObject) -> String { JWS.unsigned(header: ["alg": "none"], claims: claims) }
}
