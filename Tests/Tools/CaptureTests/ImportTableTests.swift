import Capture
import Diagnostics
import JOSE
import JSON
import Testing

/// Small captures as HAR files, and the steps that are written of them.
struct ImportTableTests {
    private static let host = "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com"
    private static let app = "11111111-2222-3333-4444-555555555555"

    // MARK: HAR files

    /// One entry of a HAR file.
    struct Entry: Sendable {
        var method = "GET"
        var url: String
        var headers: [String: String] = [:]
        var form: String?
        var status = 200
        var location: String?
        var type = "text/html"
        var body = ""

        var json: JSONValue {
            var request: JSONObject = ["method": .string(method), "url": .string(url), "headers": Self.list(headers)]
            if let form {
                request["postData"] = ["mimeType": "application/x-www-form-urlencoded", "text": .string(form)]
            }
            let response: JSONValue = [
                "status": .integer(Int64(status)), "headers": Self.list(location.map { ["Location": $0] } ?? [:]),
                "content": ["size": 9, "mimeType": .string(type), "text": .string(body)],
            ]
            return ["request": .object(request), "response": response]
        }

        private static func list(_ fields: [String: String]) -> JSONValue {
            .array(fields.sorted { $0.key < $1.key }.map { ["name": .string($0.key), "value": .string($0.value)] })
        }
    }

    private static func har(_ entries: [Entry]) -> String {
        let timed = entries.enumerated().map { index, entry in
            var json = entry.json
            let minute = index < 10 ? "0\(index)" : "\(index)"
            json.set(.string("2026-01-15T12:\(minute):00.000Z"), at: "/startedDateTime")
            return json
        }
        return JSONWriter.compact(["log": ["version": "1.2", "entries": .array(timed)]])
    }

    private static func files(
        _ entries: [Entry], _ options: CaptureImport.Options = CaptureImport.Options(source: "x.har")
    ) throws -> CaptureImport.Files {
        try CaptureImport.files(
            from: try HARFile(file: "x.har", bytes: Array(har(entries).utf8)).exchanges, options)
    }

    // MARK: Entries

    private static func authorize(_ policy: String = "B2C_1_susi", more: String = "", answer: Entry) -> Entry {
        var entry = answer
        entry.url =
            "\(host)/\(policy.lowercased())/oauth2/v2.0/authorize?client_id=\(app)&response_type=code&scope=openid&state=s"
            + "&redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F&code_challenge=abc&code_challenge_method=S256\(more)"
        return entry
    }

    private static func back(_ parameters: String) -> Entry {
        Entry(url: "", status: 302, location: "https://app.fabrikam.com/?state=s&\(parameters)")
    }

    private static func page(_ api: String, _ fields: [String], policy: String = "B2C_1_susi") -> Entry {
        let list = fields.map { field in
            // Entries of fields, or their ids.
            if field.hasPrefix("{") { return field }
            return #"{"UX_INPUT_TYPE":"TextBox","USER_INPUT_TYPE":"TextBox","ID":"\#(field)","DN":"\#(field)"}"#
        }
        return Entry(
            url: "",
            body: """
                <html><script>var CP = {"list":[]}; var SA_FIELDS = {"AttributeFields":[\(list.joined(separator: ","))]};
                var CONTENT = {}; var SETTINGS = {"remoteResource":"https://x/","retryLimit":3,"api":"\(api)","csrf":"c",\
                "transId":"StateProperties=abc","config":{"showSignupLink":"True","operatingMode":"Email"},\
                "hosts":{"tenant":"/fabrikam.onmicrosoft.com/\(policy)","policy":"\(policy)","static":"https://x/"},\
                "locale":{"lang":"en"}};</script></html>
                """)
    }

    private static let signIn = page("CombinedSigninAndSignup", ["signInName", "password"])

    private static func post(_ form: String, _ answer: String = #"{"status":"200"}"#) -> Entry {
        Entry(
            method: "POST", url: "\(host)/B2C_1_susi/SelfAsserted?tx=StateProperties=abc&p=B2C_1_susi",
            form: "request_type=RESPONSE&\(form)", type: "application/json", body: answer)
    }

    private static func go(_ action: String, _ answer: Entry) -> Entry {
        var entry = answer
        let mark = action.contains("?") ? "&" : "?"
        entry.url =
            "\(host)/B2C_1_susi/api/CombinedSigninAndSignup/\(action)\(mark)tx=StateProperties=abc&p=B2C_1_susi"
        return entry
    }

    private static func token(_ form: String, status: Int = 200, _ answer: String? = nil) -> Entry {
        let id = JWS.unsigned(header: ["alg": "none"], claims: ["oid": "a1", "aud": .string(app), "name": "Jane"])
        return Entry(
            method: "POST", url: "\(host)/b2c_1_susi/oauth2/v2.0/token",
            headers: ["Origin": "https://app.fabrikam.com"],
            form: "client_id=\(app)&\(form)", status: status, type: "application/json",
            body: answer ?? #"{"id_token":"\#(id)","expires_in":3600,"refresh_token":"r"}"#)
    }

    private static let typed = "signInName=jane%40fabrikam.com&password=Right-1"
    private static let redeem = token("grant_type=authorization_code&code=c1")
    private static let whole = [
        authorize(answer: signIn), post(typed), go("confirmed", back("code=c1")), redeem,
    ]

    // MARK: Steps

    struct Case: Sendable, CustomTestStringConvertible {
        var title: String
        var entries: [Entry]
        /// The line of each step.
        var lines: [String]
        /// What the last step has, by place.
        var last: [JSONPointer: JSONValue]

        var testDescription: String { title }

        init(_ title: String, _ entries: [Entry], _ lines: [String], _ last: [JSONPointer: JSONValue] = [:]) {
            self.title = title
            self.entries = entries
            self.lines = lines
            self.last = last
        }
    }

    static let cases: [Case] = [
        Case(
            "a sign-in", whole, ["entry 1: B2C_1_susi"],
            [
                "/user": [["on": "signIn", "as": "person1"]], "/expect/result/idToken/claims/name": "Name 1",
                "/expect/requests/2/form/grant_type": "authorization_code",
            ]),
        Case(
            "a page that is cancelled",
            [
                authorize(answer: signIn),
                go("error?code=AADB2C90091", back("error=access_denied&error_description=AADB2C90091")),
            ],
            ["entry 1: B2C_1_susi ends with AADB2C90091"],
            ["/user": [["on": "signIn", "press": "cancel"]], "/expect/error/b2cCode": "AADB2C90091"]),
        Case(
            "a page that is cancelled, as its script says it in a word",
            [
                authorize(answer: signIn),
                go("error?code=cancel", back("error=access_denied&error_description=AADB2C90091")),
            ],
            ["entry 1: B2C_1_susi ends with AADB2C90091"], ["/user": [["on": "signIn", "press": "cancel"]]]),
        Case(
            "a link for a forgotten password",
            [
                authorize(answer: signIn),
                go("forgotPassword", back("error=access_denied&error_description=AADB2C90118")),
            ], ["entry 1: B2C_1_susi ends with AADB2C90118"],
            ["/user": [["on": "signIn", "press": "forgotPassword"]]]),
        Case(
            "a sign-up",
            [
                authorize(answer: signIn),
                go("unified?local=signup", page("SelfAsserted", ["email", "newPassword", "city"])),
                post("email=jane%40fabrikam.com&newPassword=Right-1&city=Rome"), go("confirmed", back("code=c1")),
                redeem,
            ], ["entry 1: B2C_1_susi"],
            ["/user": [["on": "signIn", "press": "signUp"], ["on": "signUp", "as": "person1"]]]),
        Case(
            "a page that is left open", [authorize(answer: signIn)], ["entry 1: B2C_1_susi is left open"],
            ["/expect/pending/page/name": "signIn"]),
        Case(
            "a page with an error instead of an answer",
            [authorize(answer: Entry(url: "", status: 404, body: "<html><title>404</title></html>"))],
            ["entry 1: b2c_1_susi ends on an error page"],
            ["/faults/0/respond/status": 404, "/expect/pending/page/name": "error"]),
        Case(
            "a session from before", [authorize(answer: back("code=c1")), redeem],
            [
                "a sign-in that the capture does not show: entry 1: the browser had a session already when the capture began.",
                "entry 1: b2c_1_susi",
            ]),
        Case(
            "a refresh, and one that is refused",
            whole + [
                token("grant_type=refresh_token&refresh_token=r"),
                token(
                    "grant_type=refresh_token&refresh_token=r", status: 400,
                    #"{"error":"invalid_grant","error_description":"AADB2C90129: revoked"}"#),
            ],
            ["entry 1: B2C_1_susi", "entry 5: a refresh", "entry 6: a refresh that is refused"],
            ["/acquireTokenSilent/forceRefresh": true, "/faults/0/b2cError": "AADB2C90129"]),
        Case(
            "a request that failed and was sent again",
            [authorize(answer: signIn), post(typed), go("confirmed", back("code=c1"))]
                + [token("grant_type=refresh_token&refresh_token=r", status: 503, "{}")],
            [
                "entry 1: B2C_1_susi", "entry 4: a refresh that is refused",
            ], ["/faults/0/respond/status": 503]),
        Case(
            "the password grant, refused",
            [
                token(
                    "grant_type=password&username=jane&password=x", status: 400,
                    #"{"error":"access_denied","error_description":"AADB2C90225: wrong"}"#)
            ], ["entry 1: the password grant"],
            ["/http/form/grant_type": "password", "/expect/result/b2cCode": "AADB2C90225"]),
        Case(
            "a request in a hidden frame without a session",
            [
                authorize(
                    more: "&prompt=none", answer: back("error=interaction_required&error_description=AADB2C90077"))
            ], ["entry 1: b2c_1_susi without the person"],
            ["/open/frame": true, "/expect/result/response/error": "interaction_required"]),
        Case(
            "a request that no library sends",
            [
                Entry(
                    url: "\(host)/b2c_1_susi/oauth2/v2.0/authorize?client_id=\(app)&response_type=code&prompt=login"
                        + "&redirect_uri=com.fabrikam%3A%2F%2Fcb",
                    status: 302, location: "com.fabrikam://cb?error=invalid_request")
            ],
            ["entry 1: b2c_1_susi ends with invalid_request"],
            ["/open/query/code_challenge": .null, "/open/query/prompt": "login"]),
        Case(
            "a sign-out, a call of an API and one that fails",
            whole + [
                Entry(
                    url: "https://api.fabrikam.com/a", headers: ["Authorization": "Bearer x"], type: "application/json"),
                Entry(
                    url: "https://api.fabrikam.com/a", headers: ["Authorization": "Bearer x"], status: 503,
                    type: "application/json"),
                Entry(
                    url:
                        "\(host)/b2c_1_susi/oauth2/v2.0/logout?post_logout_redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F",
                    status: 302, location: "https://app.fabrikam.com/"),
            ],
            [
                "entry 1: B2C_1_susi", "entry 5: a call of api, 200", "entry 6: a call of api, 503",
                "entry 7: sign-out",
            ], ["/signOut/fromBrowser": true]),
    ]

    @Test(arguments: cases) func `a capture becomes these steps`(_ one: Case) throws {
        let files = try Self.files(one.entries)
        #expect(files.steps == one.lines)
        let step = try #require(files.scenario["steps"]?.arrayValue?.last)
        for (place, value) in one.last.sorted(by: { $0.key.description < $1.key.description }) {
            #expect(step.value(at: place) == value, "\(place) of \(JSONWriter.compact(step))")
        }
    }

    // MARK: Fidelity

    /// What a sign-in is written as after so many tries in vain.
    static let tries: [(fidelity: Fidelity, user: JSONValue?, expect: JSONValue?)] = [
        (.asCaptured, [["on": "signIn", "as": "person1"]], nil),
        (
            .withoutRequests, "person1",
            ["result": ["idToken": ["claims": ["oid": ["$exists": true], "aud": .string(app), "name": "Name 1"]]]]
        ),
        (.endOnly, "person1", ["result": [:]]),
        (.accountGiven, "person1", ["result": [:]]),
        (.omitted, nil, nil),
    ]

    @Test(arguments: tries) func `each fidelity of a sign-in has its step, its line and its note`(
        _ fidelity: Fidelity, _ user: JSONValue?, _ expect: JSONValue?
    ) throws {
        let reasons = (0..<fidelity.rawValue).map { "try \($0)" }
        let options = CaptureImport.Options(
            source: "x.har", attempts: [0: CaptureImport.Attempt(because: reasons)])
        let entries = Self.whole + [Self.token("grant_type=refresh_token&refresh_token=r")]
        let files = try Self.files(entries, options)
        let step = files.scenario["steps"]?.arrayValue?.first { $0["name"] == "B2C_1_susi" }
        #expect(step?["user"] == user)
        #expect((step == nil) == (fidelity == .omitted))
        if let expect { #expect(step?["expect"] == expect) }
        #expect((step?["expect", "requests"] != nil) == (fidelity == .asCaptured))
        #expect(files.reductions.map { $0.prefix { $0 != " " } } == (reasons.isEmpty ? [] : ["\(fidelity)"]))
        let notes = files.notes.filter { $0.hasPrefix("entry 1: ") && $0.contains("(try ") }
        #expect(notes.count == (reasons.isEmpty ? 0 : 1))
        // Of a refresh whose sign-in is not in the script, the account is made before it.
        #expect((files.scenario["steps"]?[0]?["id"] == "before") == (fidelity == .omitted))
    }

    /// Why a page refuses, and what the script does for it.
    static let refusals: [(answer: String, password: String?, hasRule: Bool, account: [String: JSONValue])] = [
        (#"{"status":"400","errorCode":"AADB2C90054","message":"x"}"#, "Wrong-Pass-1", false, [:]),
        (#"{"status":"400","message":"Your password is incorrect"}"#, "Wrong-Pass-1", false, [:]),
        (#"{"status":"400","message":"Invalid username or password."}"#, "Wrong-Pass-1", false, [:]),
        (#"{"status":"400","errorCode":"AADB2C90053","message":"x"}"#, nil, false, ["registered": false]),
        (#"{"status":"400","message":"We can't seem to find your account"}"#, nil, false, ["registered": false]),
        (#"{"status":"400","errorCode":"AADB2C90114","message":"x"}"#, "Wrong-Pass-1", false, ["locked": true]),
        (#"{"status":"400","message":"Your account is locked."}"#, "Wrong-Pass-1", false, ["locked": true]),
        (#"{"status":"400","errorCode":"AADB2C90111","message":"x"}"#, nil, false, ["accountEnabled": false]),
        (#"{"status":"400","errorCode":"AADB2C99999","message":"Not today."}"#, nil, true, [:]),
        (#"{"status":"400","message":"You are too young."}"#, nil, true, [:]),
    ]

    @Test(arguments: refusals) func `a page that refused does so for the same reason, or by a rule`(
        _ answer: String, _ password: String?, _ hasRule: Bool, _ account: [String: JSONValue]
    ) throws {
        let wrong = "signInName=jane%40fabrikam.com&password=Wrong-9"
        let files = try Self.files([Self.authorize(answer: Self.signIn), Self.post(wrong, answer)])
        let step = files.scenario["steps"]?[0]
        #expect((step?["faults"] != nil) == hasRule)
        #expect(step?["user"]?[0]?["fill", "password"] == password.map { .string($0) })
        let person = files.tenant["users"]?["person1"]
        for name in ["registered", "locked", "accountEnabled"] { #expect(person?[name] == account[name], "\(name)") }
    }

    @Test func `a policy that the mock cannot run is not written`() throws {
        let captcha = #"{"UX_INPUT_TYPE":"CaptchaControl","USER_INPUT_TYPE":"DisplayControl","ID":"pic"}"#
        let proved = #"{"UX_INPUT_TYPE":"TextBox","USER_INPUT_TYPE":"TextBox","ID":"email","VERIFY":true}"#
        func made(_ email: String) throws -> (policy: JSONValue?, notes: [String]) {
            let files = try Self.files([
                Self.authorize(answer: Self.page("CombinedSigninAndSignup", ["signInName", "password", captcha])),
                Self.go("unified?local=signup", Self.page("SelfAsserted", [email, "newPassword", "city"])),
            ])
            return (files.tenant["policies"]?["susi"], files.notes)
        }
        let other = try made("email")
        #expect(other.policy?["captcha"] == true && other.policy?["emailVerification"] == "off")
        let both = try made(proved)
        #expect(both.policy?["captcha"] == nil && both.policy?["emailVerification"] == "legacy")
        #expect(both.notes.contains { $0.hasPrefix("Pages of B2C_1_susi verify addresses in the field itself") })
    }

    // MARK: Captures of which nothing is made

    static let refused: [(entries: [Entry], message: String)] = [
        (
            [Entry(url: "https://www.example.com/")],
            "x.har has 1 request (www.example.com), and none goes to Azure AD B2C"
        ),
        (
            [Entry(url: "\(host)/b2c_1_susi/discovery/v2.0/keys")],
            "x.har has requests to fabrikam.b2clogin.com, but no authorization request, token request, sign-out or call of an API "
                + "among them"
        ),
        (
            [token("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code")],
            "nothing that x.har has can be written as a step: "
        ),
    ]

    @Test(arguments: refused) func `a capture without a step is refused in one sentence with its remedy`(
        _ entries: [Entry], _ message: String
    ) throws {
        do {
            _ = try Self.files(entries)
            Issue.record("it was imported")
        } catch let error as InvalidInput {
            #expect(error.diagnostics.count == 1)
            let finding = try #require(error.diagnostics.first)
            #expect(finding.message.hasPrefix(message), "\(finding.message)")
            #expect(finding.rule == "B2C-IMPORT-006")
            #expect(finding.remedy?.isEmpty == false)
        }
    }
}
