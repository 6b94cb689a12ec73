import HTTPMessages
import JOSE
import JSON
import Testing

@testable import Capture

/// What the accounts of an import have, and whose tokens are whose.
struct ImportedAccountTests {
    private static let base = "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com"
    private static let id = "11111111-2222-3333-4444-555555555555"

    /// A page with fields, as a tenant serves it.
    private static func page(_ api: String, _ fields: [String]) -> String {
        let list = fields.map { id in
            let type = id == "password" ? "Password" : "TextBox"
            return #"{"UX_INPUT_TYPE":"\#(type)","USER_INPUT_TYPE":"\#(type)","ID":"\#(id)","DN":"\#(id)"}"#
        }
        return """
            <html><script>var CP = {"list":[]}; var SA_FIELDS = {"AttributeFields":[\(list.joined(separator: ","))]};
            var CONTENT = {}; var SETTINGS = {"remoteResource":"https://x/","retryLimit":3,"api":"\(api)","csrf":"c",\
            "transId":"StateProperties=abc","config":{"showSignupLink":"True","operatingMode":"Email"},\
            "hosts":{"tenant":"/fabrikam.onmicrosoft.com/B2C_1A_p","policy":"B2C_1A_p","static":"https://x/"},\
            "locale":{"lang":"en"}};
            </script></html>
            """
    }

    private static func tokens(_ claims: JSONObject) -> ResponseMessage {
        let token = JWS.unsigned(header: ["alg": "none"], claims: claims)
        return .json(200, ["id_token": .string(token), "expires_in": 3600, "refresh_token": "the-refresh-token"])
    }

    /// What is returned of somebody, without a name.
    private static func claims(_ person: String) -> JSONObject {
        ["aud": .string(id), "oid": .string(person), "emails": [.string("\(person)@fabrikam.com")], "ver": "1.0"]
    }

    private static let webApp = "https://app.fabrikam.com/"

    private static func open(_ tape: inout CaptureTape, _ html: String, app: String = webApp) throws {
        var query: FormItems = ["client_id": id, "redirect_uri": app, "response_type": "code"]
        query.append(contentsOf: ["scope": "openid offline_access", "state": "s"])
        query.append(contentsOf: ["code_challenge": "abc", "code_challenge_method": "S256"])
        try tape.add("GET", "\(base)/b2c_1a_p/oauth2/v2.0/authorize?\(query.encoded)", answer: .html(200, html))
    }

    private static func post(_ tape: inout CaptureTape, _ form: FormItems, _ answer: JSONValue) throws {
        try tape.add(
            "POST", "\(base)/B2C_1A_p/SelfAsserted?tx=StateProperties=abc&p=B2C_1A_p", form: form,
            answer: .json(200, answer))
    }

    private static func redeem(_ tape: inout CaptureTape, _ claims: JSONObject, app: String = webApp) throws {
        let code = "code\(tape.exchanges.count)"
        try tape.add(
            "GET", "\(base)/B2C_1A_p/api/SelfAsserted/confirmed?csrf_token=c&tx=StateProperties=abc&p=B2C_1A_p",
            answer: .redirect("\(app)?state=s&code=\(code)"))
        try token(&tape, "b2c_1a_p", ["grant_type": "authorization_code", "code": code], tokens(claims))
    }

    private static func token(
        _ tape: inout CaptureTape, _ policy: String, _ items: FormItems, _ answer: ResponseMessage
    ) throws {
        var form: FormItems = ["client_id": id]
        form.append(contentsOf: items)
        try tape.add(
            "POST", "\(base)/\(policy)/oauth2/v2.0/token", ["Origin": "https://app.fabrikam.com"], form: form,
            answer: answer)
    }

    private static func signIn(_ tape: inout CaptureTape, _ person: String, app: String = webApp) throws {
        try open(&tape, page("CombinedSigninAndSignup", ["signInName", "password"]), app: app)
        try post(
            &tape, ["request_type": "RESPONSE", "signInName": "\(person)@fabrikam.com", "password": "Right-One-1"],
            ["status": "200"])
        try redeem(&tape, claims(person), app: app)
    }

    private static func refresh(_ tape: inout CaptureTape, _ claims: JSONObject, policy: String = "b2c_1a_p") throws {
        try token(
            &tape, policy, ["grant_type": "refresh_token", "refresh_token": "the-refresh-token", "scope": "openid"],
            tokens(claims))
    }

    enum Shown: CaseIterable { case signIn, edit, refresh, passwordGrant }

    @Test(arguments: Shown.allCases)
    func `an account has a name where the capture does not show one`(_ shown: Shown) throws {
        var tape = CaptureTape()
        switch shown {
        case .signIn: try Self.signIn(&tape, "jane")
        case .edit:
            try Self.open(&tape, Self.page("SelfAsserted", ["nickname"]))
            try Self.post(&tape, ["nickname": "Jane", "request_type": "RESPONSE"], ["status": "200"])
            try Self.redeem(&tape, Self.claims("jane"))
        case .refresh: try Self.refresh(&tape, Self.claims("jane"))
        case .passwordGrant:
            try Self.token(
                &tape, "b2c_1_ropc",
                ["grant_type": "password", "username": "jane@fabrikam.com", "password": "Right-One-1"],
                Self.tokens(Self.claims("jane")))
        }
        #expect(try tape.files().tenant["users"]?["person1", "displayName"] == "Name 1")
    }

    @Test(
        arguments: [
            (["displayName": "", "city": "Rome"], nil, ["city": "City 1"]),
            (["displayName": "", "city": ""], nil, ["city": ""]),
            (["displayName": "Jane", "city": "Rome"], nil, ["displayName": "Name 1", "city": "City 1"]),
            (["displayName": "", "city": "Rome"], "a name is needed", ["displayName": "", "city": "City 1"]),
        ] as [(FormItems, String?, JSONValue)])
    func `a name is typed empty only where that was refused`(
        _ typed: FormItems, _ refusal: String?, _ fill: JSONValue
    ) throws {
        var tape = CaptureTape()
        try Self.open(&tape, Self.page("SelfAsserted", ["displayName", "city"]))
        var form = typed
        form.append(contentsOf: ["request_type": "RESPONSE"])
        if let refusal { try Self.post(&tape, form, ["status": "400", "message": .string(refusal)]) }
        if refusal == nil {
            try Self.post(&tape, form, ["status": "200"])
            try Self.redeem(&tape, Self.claims("jane"))
        }
        let step = try #require(try tape.files().scenario["steps"]?.arrayValue?.last)
        #expect(step["user"]?[0]?["on"] == "editProfile")
        #expect(step["user"]?[0]?["fill"] == fill)
    }

    @Test func `what a refreshed token says of somebody is on record`() throws {
        var tape = CaptureTape()
        try Self.signIn(&tape, "jane")
        var claims = Self.claims("jane")
        claims["name"] = "Jane Doe"
        claims["city"] = "Rome"
        try Self.refresh(&tape, claims)
        let files = try tape.files()
        #expect(files.tenant["users"]?["person1", "city"] == "City 1")
        #expect(files.tenant["users"]?["person2"] == nil)
        let step = try #require(files.scenario["steps"]?.arrayValue?.last)
        #expect(step["expect", "result", "idToken", "claims"]?["name"] == "Name 1")
        #expect(step["expect", "result", "idToken", "claims"]?["city"] == "City 1")
    }

    @Test func `tokens are refreshed for the person that they name`() throws {
        for (person, name) in [("jane", "person1"), ("john", "person2")] {
            var tape = CaptureTape()
            try Self.signIn(&tape, "jane")
            try Self.signIn(&tape, "john")
            try Self.refresh(&tape, Self.claims(person))
            let step = try #require(try tape.files().scenario["steps"]?.arrayValue?.last)
            #expect(step["acquireTokenSilent", "account"]?["person"] == .string(name))
            let claims = step["expect", "result", "idToken", "claims"]
            #expect(claims?["emails"] == [.string("\(name)@example.com")])
        }
    }

    @Test func `a refresh before the first sign-in is that person's, and a stranger is somebody new`() throws {
        func users(_ refreshed: [String]) throws -> [String] {
            var tape = CaptureTape()
            for person in refreshed { try Self.refresh(&tape, Self.claims(person)) }
            try Self.signIn(&tape, "jane")
            return try tape.files().tenant["users"]?.objectValue?.keys.map { $0 } ?? []
        }
        #expect(try users(["jane", "jane"]) == ["person1"])
        #expect(try users(["john"]) == ["person1", "person2"])
        #expect(try users(["john", "jane", "john"]) == ["person1", "person2"])
    }

    @Test func `a token that names nobody is the first person's`() {
        var people = People()
        let jane = people.person(signInName: "jane@fabrikam.com")
        let john = people.person(signInName: "john@fabrikam.com")
        #expect(people.person(ofToken: nil) == jane)
        #expect(people.person(ofToken: ["ver": "1.0"]) == jane)
        // Of Jane no token told yet.
        #expect(people.person(ofToken: ["oid": "a"]) == jane)
        #expect(people.person(ofToken: ["oid": "b", "emails": ["john@fabrikam.com"]]) == john)
        #expect(people.person(ofToken: ["oid": "b"]) == john)
        #expect(people.person(ofToken: ["oid": "a"]) == jane)
        #expect(people.person(ofToken: ["oid": "c"]) == 2)
    }

    @Test func `a native app with two accounts signs the newest one out`() throws {
        var tape = CaptureTape()
        let app = "msauth.com.fabrikam.app://auth/"
        try Self.signIn(&tape, "jane", app: app)
        try Self.signIn(&tape, "john", app: app)
        for _ in 0..<2 {
            try tape.add(
                "GET",
                "\(Self.base)/b2c_1a_p/oauth2/v2.0/logout?post_logout_redirect_uri=msauth.com.fabrikam.app%3A%2F%2Fauth%2F",
                answer: .redirect(app))
        }
        let steps = try #require(try tape.files().scenario["steps"]?.arrayValue)
        let accounts = steps.compactMap { $0["signOut"] }.map { $0["account"] }
        #expect(accounts == [["person": "person2"], nil])
    }

    @Test(arguments: ["b2c_1a_p", "b2c_1a_q"])
    func `who has a provider signs in there before the capture if the policy offers it`(_ policy: String) throws {
        var tape = CaptureTape()
        // The browser has a session already.
        try tape.add(
            "GET",
            "\(Self.base)/\(policy)/oauth2/v2.0/authorize?client_id=\(Self.id)"
                + "&redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F&response_type=code&scope=openid&state=s"
                + "&code_challenge=abc&code_challenge_method=S256",
            answer: .redirect("https://app.fabrikam.com/?state=s&code=code0"))
        try Self.token(
            &tape, policy, ["grant_type": "authorization_code", "code": "code0"], Self.tokens(Self.claims("jane")))
        // The policy p offers a provider, and the policy q does not.
        try Self.open(&tape, Self.page("CombinedSigninAndSignup", ["signInName", "password"]))
        try tape.add(
            "GET",
            "\(Self.base)/B2C_1A_p/api/CombinedSigninAndSignup/unified?claimsexchange=GitlikeExchange&csrf_token=c"
                + "&tx=StateProperties=abc&p=B2C_1A_p",
            answer: .redirect("https://gitlike.example/authorize?state=x"))
        let files = try tape.files()
        let before = try #require(files.scenario["steps"]?[0])
        #expect(before["id"] == "before")
        let person = files.tenant["users"]?["person1"]
        #expect(person?["providers"] == ["gitlike": [:]])
        if policy == "b2c_1a_p" {
            let atProvider: JSONValue = ["on": "provider", "as": "person1", "optional": true]
            #expect(before["user"] == [["press": "GitlikeExchange"], atProvider, "person1"])
            #expect(person?["password"] == nil)
        } else {
            #expect(before["user"] == "person1")
            #expect(person?["password"] == "Imported-Pass-1")
        }
    }

    @Test func `a capture that is read once gives the same files each time`() throws {
        var tape = CaptureTape()
        try Self.signIn(&tape, "jane")
        let options = CaptureImport.Options(source: "flow.har")
        let reading = try CaptureImport.Reading(tape.exchanges, source: "flow.har")
        let once = try CaptureImport.files(from: tape.exchanges, options)
        for _ in 0..<2 {
            let files = try reading.files(options)
            #expect(files.scenario == once.scenario)
            #expect(files.tenant == once.tenant)
        }
    }

    @Test(arguments: [true, false])
    func `refresh tokens of a password grant are redeemed as they were brought`(_ isShown: Bool) throws {
        var tape = CaptureTape()
        if isShown {
            try Self.token(
                &tape, "b2c_1_ropc",
                ["grant_type": "password", "username": "jane@fabrikam.com", "password": "Right-One-1"],
                Self.tokens(Self.claims("jane")))
        }
        try Self.refresh(&tape, Self.claims("jane"), policy: "b2c_1_ropc")
        try Self.refresh(&tape, Self.claims("jane"), policy: "b2c_1_ropc")
        let files = try tape.files()
        let steps = try #require(files.scenario["steps"]?.arrayValue)
        #expect(steps.map { $0["acquireToken"] ?? $0["acquireTokenSilent"] } == [nil, nil, nil])
        #expect(steps[0]["http", "form"]?["username"] == "person1@example.com")
        #expect(steps[0]["id"] == (isShown ? "granted" : "before"))
        #expect(
            steps[1]["http", "form"]?["refresh_token"]
                == (isShown ? "{{granted/result/json/refresh_token}}" : "{{before/result/json/refresh_token}}"))
        // Each refresh brings the token of the next one.
        #expect(
            steps[2]["http", "form"]?["refresh_token"]
                == (isShown ? "{{granted2/result/json/refresh_token}}" : "{{granted/result/json/refresh_token}}"))
        #expect(files.tenant["apps"]?["app", "registration"]?["ropc"] == true)
        #expect(files.notes.contains { $0.contains("password granted first") } == !isShown)
    }
}
