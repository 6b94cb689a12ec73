import Foundation
import JSON
import TestSupport
import Testing

/// Shipped scripts are run with their requests written as an archive; the archive is imported, and the imported script
/// is run: it has to pass, and to end as the first run did.
@Suite(.blocking) struct ImportTests {
    /// A script, the case of it, and words that its imported twin has to have.
    struct Flow: CustomStringConvertible {
        var path: String
        var caseName: String?
        var words: [String]

        init(_ path: String, _ caseName: String? = nil, words: [String] = []) {
            self.path = path
            self.caseName = caseName
            self.words = words
        }

        var description: String { path + (caseName.map { " [\($0)]" } ?? "") }
    }

    static let flows = [
        Flow("sign-in/single-sign-on", words: ["acquireToken"]),
        Flow("sign-in/wrong-password", words: ["Wrong-Pass-1", "AADB2C90054"]),
        Flow("sign-in/unknown-user"),
        Flow("sign-in/login-hint"),
        Flow("sign-in/ui-locales", words: ["ui_locales"]),
        Flow("sign-in/prompt-login", words: ["\"prompt\": \"login\""]),
        Flow("sign-in/username", words: ["\"signInName\": \"username\""]),
        Flow("sign-up/verified-by-code", words: ["{{inbox/person1/code}}", "\"registered\": false"]),
        Flow("sign-up/verified-in-the-field", words: ["\"emailVerification\": \"legacy\""]),
        Flow("sign-up/cancelled", words: ["AADB2C90091", "\"press\": \"cancel\""]),
        Flow("errors/90118-forgot-password", words: ["AADB2C90118", "\"press\": \"forgotPassword\"", "passwordReset"]),
        Flow("errors/90006-redirect-uri-not-registered", "on a page", words: ["AADB2C90006"]),
        Flow("password-reset/by-policy", words: ["newPassword"]),
        Flow("password-reset/in-flow", words: ["\"forgotPassword\": \"inFlow\""]),
        Flow("edit-profile/change-name", words: ["profileEditing", "Name 2"]),
        Flow("edit-profile/cancelled", words: ["AADB2C90091"]),
        Flow("silent/forced", words: ["forceRefresh", "\"grant_type\": \"refresh_token\""]),
        Flow("silent/refresh-token-expires", words: ["advanceClock"]),
        Flow("sign-out/in-browser", words: ["signOut"]),
        Flow("providers/sign-up", words: ["FacebookExchange", "\"newUser\": true"]),
        Flow("mfa/sms", words: ["\"when\": \"always\"", "verifyCode"]),
        Flow("tokens/api-scopes", words: ["callApi"]),
        Flow("bugs/B110-no-cors-for-a-web-redirect", "spa", words: ["msal-browser"]),
        Flow(
            "bugs/B09-secret-not-in-the-form", "secret sent",
            words: ["\"kind\": \"web\"", "Secret-of-the-imported-app"]),
        Flow("bugs/B61-no-access-token-for-appauth", "API scope", words: ["\"kind\": \"appauth\""]),
        Flow("custom-policies/extension-attributes", words: ["is a custom policy"]),
        // Codes typed wrong, calls that nobody takes, second factors asked for again.
        Flow("mfa/call-not-answered", words: ["\"answersCalls\": false", "AADB2C90152"]),
        Flow("mfa/wrong-authenticator-code", words: ["AADB2C90157", "\"code\": \"000000\""]),
        Flow("mfa/authenticator-code-too-old", "a minute later", words: ["totpSecret", "\"code\": \"000000\""]),
        Flow("mfa/wrong-code-three-times", words: ["AADB2C90151"]),
        Flow("mfa/resend-too-soon", words: ["\"wait\": \"PT20S\""]),
        Flow("mfa/once-per-session", "every time", words: ["\"session\": false"]),
        Flow("mfa/conditional-blocked", words: ["\"when\": \"conditional\"", "\"risk\": \"high\""]),
        // Providers that fail, refuse or are left.
        Flow("providers/broken", "down", words: ["AADB2C90289", "\"endpoint\": \"provider\""]),
        Flow("providers/cancelled", words: ["AADB2C90273", "\"press\": \"cancel\""]),
        Flow("providers/stranger", words: ["AADB2C99002", "\"type\": \"signIn\""]),
        Flow("providers/embedded-browser", "embedded", words: ["403"]),
        // Sign-outs that end on a page.
        Flow(
            "sign-out/id-token-required",
            words: ["AADB2C90272", "\"requireIdTokenInLogout\": true", "/result/idToken/raw}}"]),
        Flow("sign-out/id-token-refused", "expired", words: ["AADB2C90235", "\"lifetime\": \"-PT1M\""]),
        Flow("sign-out/id-token-refused", "signed by a stranger", words: ["AADB2C90239", "\"key\": \"stranger\""]),
        Flow("sign-out/redirect-target", words: ["AADB2C90067"]),
        // Servers that fail, and clients that hold back.
        Flow("silent/server-down", "once", words: ["\"times\": 1"]),
        Flow("silent/server-down", "twice", words: ["503"]),
        Flow("silent/throttled-429", "with Retry-After", words: ["Retry-After", "advanceClock"]),
        Flow("silent/throttled-interaction", "throttling off", words: ["\"throttling\": false"]),
        // Whose tokens are refreshed, and how.
        Flow("sessions/another-person", words: ["\"person\": \"person1\""]),
        Flow("tokens/password-grant", words: ["{{granted/result/json/refresh_token}}"]),
        Flow("custom-policies/refresh-journey", words: ["\"name\": \"Name 1\""]),
        // What a page shows, and what is typed there in vain.
        Flow("sign-up/captcha", words: ["\"captcha\": true", "\"captcha\": \"WRONG\""]),
        Flow("sign-up/password-too-weak", "too short"),
        Flow("sign-up/not-verified"), Flow("sign-up/address-changed"),
        Flow("sign-in/forced-reset", words: ["\"forcedReset\": true", "\"forcePasswordChange\": true"]),
        // A web app that waited longer for the answer than web apps do by default.
        Flow("sessions/sign-in-takes-too-long", "longer time in the app", words: ["\"lifetime\": \"off\""]),
        // Requests that no library sends.
        Flow("errors/90287-redirect-uri-invalid", "with a fragment", words: ["AADB2C90287", "auth#done"]),
        Flow("errors/90184-challenge-method", words: ["\"code_challenge_method\": \"S512\""]),
    ]

    /// What may be in no file that an import writes.
    static let personal = [
        "Analytical-1843", "Difference-1822", "Difference-0000", "Newcomer-2026", "ada@example.test",
        "nina@example.test",
        "\"Ada\"", "\"Nina\"", "+442079460000", "S3cret",
    ]

    @Test(arguments: flows) func `an imported flow passes and ends as the captured one`(_ flow: Flow) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/\(flow.path).json").path
        var arguments = ["run", script, "--seed", "5", "--trace", "flow.har"]
        if let name = flow.caseName { arguments += ["--case", name] }
        let first = try tool.run(arguments)
        #expect(first.status == 0, "\(first.out)\(first.error)")
        let archive = try tool.read("flow.har")
        #expect(HARSpecification.problems(in: try JSONParser.parse(archive)) == [])

        let made = try tool.run("import", "har", "flow.har", "--output", "made", "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let texts = try tool.read("made/flow.json") + tool.read("made/tenants/flow.json")
        for word in Self.personal { #expect(!texts.contains(word), "\(word) is in what was written") }
        for word in flow.words { #expect(texts.contains(word), "\(word) is not in\n\(texts)") }
        let checked = try tool.run("check", "made")
        #expect(checked.status == 0, "\(checked.error)")

        let second = try tool.run("run", "made/flow.json", "--seed", "6", "--trace", "again.har")
        #expect(second.status == 0, "\(made.out)\(second.out)\(second.error)\n\(texts)")
        let again = try tool.read("again.har")
        #expect(try Self.outcomes(again) == Self.outcomes(archive), "\(texts)")
    }

    /// How the flows of an archive ended: what each token request and each post of a page came to, and which codes of
    /// B2C were told to the app.
    private static func outcomes(_ text: String) throws -> [String] {
        let archive = try JSONParser.parse(text)
        return (archive["log", "entries"]?.arrayValue ?? []).compactMap { entry in
            let status = entry["response", "status"]?.intValue ?? 0
            let body = entry["response", "content", "text"]?.stringValue ?? ""
            let grant = entry["request", "postData", "params"]?.arrayValue?.first { $0["name"] == "grant_type" }?[
                "value"]?.stringValue
            switch entry["_endpoint"]?.stringValue {
            case "token":
                guard entry["request", "method"] != "OPTIONS" else { return nil }
                let error = (try? JSONParser.parse(body))?["error"]?.stringValue ?? "good"
                return "token \(grant ?? "") \(status) \(error)"
            case "page" where entry["request", "method"] == "POST":
                let isGood = (try? JSONParser.parse(body))?["status"] == "200"
                return "page \(isGood)"
            case "callback":
                let url = entry["request", "url"]?.stringValue ?? ""
                return url.firstRange(of: /AADB2C\d{5}/).map { "callback \(url[$0])" }
            case "logout": return "logout \(status)"
            default: return nil
            }
        }
    }

    /// Ways in which other tools write less than we do, or write it otherwise.
    enum Manner: String, CaseIterable {
        /// Chrome's plain export: no cookies, no credentials; pseudo fields of HTTP/2; requests of other hosts.
        case sanitised
        case withoutAnswers, withoutPosts, withoutBoth, inBase64
        /// What a browser sees of an app that redeems its codes elsewhere.
        case browserOnly
    }

    @Test(
        arguments: [
            "sign-in/wrong-password", "sign-in/username", "sign-up/verified-by-code", "sign-up/verified-in-the-field",
            "sign-up/user-name", "edit-profile/change-name", "password-reset/by-policy", "password-reset/in-flow",
            "password-reset/refresh-tokens-revoked", "mfa/call", "mfa/first-number", "providers/existing-account",
            "providers/sign-up", "providers/access-token-passed-on", "providers/embedded-browser",
            "providers/stranger",
            "sign-in/page-left-open", "sign-out/one-policy-of-two", "silent/refresh-token-expires",
        ])
    func `a capture that lacks this or that still gives a script that passes`(_ path: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/\(path).json").path
        #expect(try tool.run("run", script, "--seed", "5", "--trace", "flow.har").status == 0)
        let archive = try JSONParser.parse(try tool.read("flow.har"))
        var notes = ""
        for manner in Manner.allCases {
            let entries = (archive["log", "entries"]?.arrayValue ?? []).compactMap { Self.rewritten($0, manner) }
            let other = HARText.entry(url: "https://fonts.example.net/font.woff")
            let capture: JSONValue = [
                "log": [
                    "version": "1.2", "creator": ["name": "Other", "version": "1"],
                    "entries": .array(entries + [other]),
                ]
            ]
            try tool.write(JSONWriter.compact(capture), to: "\(manner).har")
            let made = try tool.run(
                "import", "har", "\(manner).har", "--output", "made/\(manner)", "--name", "flow")
            #expect(made.status == 0, "\(manner): \(made.out)\(made.error)")
            #expect(!made.out.contains("does not pass"), "\(manner): \(made.out)")
            notes += "\(manner): \(made.out)\n"
        }
        // One run for all: most of the time goes into starting the command.
        let scripts = Manner.allCases.map { "made/\($0)/flow.json" }
        let run = try tool.run(["run"] + scripts + ["--seed", "6"])
        #expect(run.status == 0, "\(notes)\(run.out)\(run.error)")
        #expect(run.out.contains("\(scripts.count) scenarios"), "\(run.out)")
    }

    /// What came to happen to an account while the capture ran, and refusals whose cause no capture shows.
    @Test(arguments: [
        ("sign-in/account-disabled", "why the page was refused", []),
        ("sign-in/lockout", "why the page was refused", []),
        (
            "custom-policies/rest-down", "expects no more than that a page is shown",
            ["accountGiven", "endOnly", "endOnly"]
        ),
        ("mfa/email", "what the capture has does not suffice to play the pages (step 1, ", ["withoutRequests"]),
    ])
    func `a script that would fail is written with less, and says so`(
        _ path: String, _ words: String, _ fidelity: [String]
    ) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/\(path).json").path
        #expect(try tool.run("run", script, "--seed", "5", "--trace", "flow.har").status == 0)
        let made = try tool.run("import", "har", "flow.har", "-v", "--output", "made", "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let lines = made.error.split(separator: "\n").filter { !$0.hasPrefix("played ") }
        #expect(lines.map { $0.prefix { $0 != " " } } == fidelity.map { $0[...] }, "\(made.error)")
        #expect(made.out.contains(words), "\(made.out)")
        #expect(try tool.read("made/flow.json").contains(words))
        let run = try tool.run("run", "made/flow.json", "--seed", "6")
        #expect(run.status == 0, "\(made.out)\(run.out)\(run.error)")
    }

    @Test func `what the mock does otherwise is not expected, and the rest of the request is`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/sign-out/in-browser.json").path
        #expect(try tool.run("run", script, "--seed", "5", "--trace", "flow.har").status == 0)
        var archive = try JSONParser.parse(try tool.read("flow.har"))
        let entries = archive["log", "entries"]?.arrayValue ?? []
        let logout = try #require(entries.firstIndex { $0["_endpoint"] == "logout" })
        archive.set(503, at: JSONPointer(tokens: ["log", "entries", String(logout), "response", "status"]))
        try tool.write(JSONWriter.compact(archive), to: "capture.har")
        let made = try tool.run("import", "har", "capture.har", "--output", "made", "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let note =
            "entry \(logout + 1): the mock does not do all that the capture shows, and the script does not expect it"
        #expect(made.out.contains(note), "\(made.out)")
        #expect(made.out.contains("/response/status: expected 503, actual 302"), "\(made.out)")
        let steps = try JSONParser.parse(try tool.read("made/flow.json"))["steps"]?.arrayValue ?? []
        let step = try #require(steps.first { $0["signOut"] != nil })
        let expected = step["expect", "requests"]?[0]
        #expect(expected?["query", "post_logout_redirect_uri"] == "msauth.com.contoso.tasks://auth")
        #expect(expected?["response"] == [:])
        let run = try tool.run("run", "made/flow.json", "--seed", "6")
        #expect(run.status == 0, "\(made.out)\(run.out)\(run.error)")
    }

    private static func rewritten(_ entry: JSONValue, _ manner: Manner) -> JSONValue? {
        let from = entry["_from"]?.stringValue
        guard from != "authority", from != "api", manner != .browserOnly || from == "browser",
            entry["request", "url"]?.stringValue?.hasPrefix("http") ?? false
        else { return nil }
        guard var request = entry["request"]?.objectValue, var response = entry["response"]?.objectValue,
            var content = response["content"]?.objectValue
        else { return nil }
        request["_fragment"] = nil
        request["headers"] = HARText.sanitised(request["headers"], adding: ":method")
        response["headers"] = HARText.sanitised(response["headers"], adding: ":status")
        request["cookies"] = []
        response["cookies"] = []
        switch manner {
        case .sanitised, .browserOnly: break
        case .withoutAnswers: content["text"] = nil
        case .withoutPosts: request["postData"] = nil
        case .withoutBoth:
            content["text"] = nil
            request["postData"] = nil
        case .inBase64:
            if let text = content["text"]?.stringValue {
                content["text"] = .string(Data(text.utf8).base64EncodedString())
                content["encoding"] = "base64"
            }
        }
        response["content"] = .object(content)
        var result = JSONObject()
        for name in ["startedDateTime", "time", "cache", "timings"] { result[name] = entry[name] }
        result["request"] = .object(request)
        result["response"] = .object(response)
        return .object(result)
    }

    @Test func `the same archive gives the same files, byte for byte`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/sign-up/verified-by-code.json").path
        for name in ["a", "b"] {
            #expect(try tool.run("run", script, "--seed", "5", "--trace-har", "\(name).har").status == 0)
        }
        #expect(try tool.read("a.har") == tool.read("b.har"))
        for folder in ["one", "two"] {
            #expect(try tool.run("import", "har", "a.har", "-o", folder, "--name", "x").status == 0)
        }
        #expect(try tool.read("one/x.json") == tool.read("two/x.json"))
        #expect(try tool.read("one/tenants/x.json") == tool.read("two/tenants/x.json"))
    }

    @Test func `files that are there stay unless --force is said`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/sign-in/wrong-password.json").path
        #expect(try tool.run("run", script, "--seed", "5", "--trace", "a.har").status == 0)
        try tool.write("mine", to: "x.json")
        let refused = try tool.run("import", "har", "a.har", "--name", "x")
        #expect(refused.status == 1)
        #expect(refused.error.contains("x.json is there already"))
        #expect(try tool.read("x.json") == "mine")
        #expect(try tool.run("import", "har", "a.har", "--name", "x", "--force").status == 0)
        #expect(try tool.read("x.json") != "mine")
    }

    @Test(arguments: [
        ("a.txt", "the file's name must end in .har or .json"),
        ("none/a.har", "there is no folder none"),
    ])
    func `a trace that cannot be written is refused before anything runs`(_ file: String, _ wanted: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/sign-in/wrong-password.json").path
        let run = try tool.run("run", script, "--trace", file)
        #expect(run.status == 1)
        #expect(run.error.contains(wanted), "\(run.error)")
    }

    /// What fails again and again for one reason is written with less at once, so a longer capture is not played oftener.
    @Test func `a capture of twice as many flows is played no oftener`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        func plays(_ flows: Int) throws -> Int {
            let entries = (0..<flows).flatMap { HARText.signInWithoutPage($0) }
            let archive: JSONValue = [
                "log": ["version": "1.2", "creator": ["name": "test", "version": "1"], "entries": .array(entries)]
            ]
            return try Self.plays(of: JSONWriter.compact(archive), tool)
        }
        let few = try plays(6)
        #expect(few > 1)
        #expect(try plays(12) == few)
    }

    /// The same sign-in again and again, each time with ids of its own: what fails for one reason names other ids each time.
    @Test func `reasons that differ by ids alone are one reason`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/sign-in/login-hint.json").path
        #expect(try tool.run("run", script, "--seed", "1", "--trace", "once.har").status == 0)
        let once = try JSONParser.parse(try tool.read("once.har"))
        let entries = JSONWriter.compact(try #require(once["log"]?["entries"]))
        let id = /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
        func plays(_ flows: Int) throws -> Int {
            let parts = (0..<flows).map { flow in
                let own = entries.replacing(id) { match in
                    String(match.output.map { Self.shifted($0, by: flow) })
                }
                // Each flow is a minute after the previous one.
                return String(own.dropFirst().dropLast()).replacing("T12:00:", with: "T12:\(10 + flow):")
            }
            let text = "{\"log\":{\"version\":\"1.2\",\"creator\":{},\"entries\":[\(parts.joined(separator: ","))]}}"
            return try Self.plays(of: text, tool)
        }
        let few = try plays(7)
        #expect(few > 1)
        #expect(try plays(14) == few)
    }

    /// A sign-in that asks for a new password shows a page, of which the capture has nothing: the call waits there, and the
    /// next one of the app has to begin all the same.
    @Test func `twice as many sign-ins that wait at a page are played no oftener`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        func plays(_ flows: Int) throws -> Int {
            let entries = (0..<flows).flatMap { HARText.signInWithoutPage($0, isNew: true) }
            let archive: JSONValue = [
                "log": ["version": "1.2", "creator": ["name": "test", "version": "1"], "entries": .array(entries)]
            ]
            let plays = try Self.plays(of: JSONWriter.compact(archive), tool)
            let script = try JSONParser.parse(try tool.read("made/flow.json"))
            let signIns = (script["steps"]?.arrayValue ?? []).filter { $0["acquireToken"]?["prompt"] == "login" }
            #expect(signIns.count == flows)
            #expect(signIns.allSatisfy { $0["user"] != nil && $0["expect"]?["result"] != nil })
            return plays
        }
        let few = try plays(6)
        #expect(few > 1)
        #expect(try plays(12) == few)
    }

    /// The same entries again and again are one sign-in in which each page was posted again and again.
    @Test func `a session that is in the capture more often is played no oftener`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let script = TestFiles.root().appendingPathComponent("scenarios/happy-sign-in.json").path
        #expect(try tool.run("run", script, "--seed", "1", "--trace-har", "once.har").status == 0)
        let once = try #require(try JSONParser.parse(try tool.read("once.har"))["log"]?["entries"]?.arrayValue)
        func plays(_ times: Int) throws -> Int {
            let entries = (0..<times).flatMap { _ in once }
            let archive: JSONValue = ["log": ["version": "1.2", "creator": [:], "entries": .array(entries)]]
            return try Self.plays(of: JSONWriter.compact(archive), tool)
        }
        let few = try plays(30)
        #expect(few > 1)
        #expect(try plays(60) == few)
    }

    /// How often the script of an archive is played before it is written.
    private static func plays(of archive: String, _ tool: Tool) throws -> Int {
        try tool.write(archive, to: "flow.har")
        let made = try tool.run("import", "har", "flow.har", "-v", "--output", "made", "--name", "flow", "--force")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let line = try #require(made.error.split(separator: "\n").last { $0.hasPrefix("played ") })
        return try #require(Int(line.split(separator: " ")[1]))
    }

    /// The hexadecimal digit `count` places on, from `f` to `0`; any other character stays.
    private static func shifted(_ character: Character, by count: Int) -> Character {
        guard let digit = character.hexDigitValue else { return character }
        return Array("0123456789abcdef")[(digit + count) % 16]
    }

    @Test func `a capture without B2C names the hosts it has`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(
            """
            { "log": { "version": "1.2", "entries": [
              { "startedDateTime": "2026-01-15T12:00:00.000Z", "request": { "method": "GET", "url": "https://www.example.com/" }, "response": { "status": 200 } } ] } }
            """, to: "other.har")
        let made = try tool.run("import", "har", "other.har")
        #expect(made.status == 2)
        #expect(
            made.error.contains("other.har has 1 request (www.example.com), and none goes to Azure AD B2C"),
            "\(made.error)")
        #expect(try tool.run("import", "har", "nowhere.har").status == 2)
    }
}

/// Pieces of archives.
private enum HARText {
    static func entry(url: String) -> JSONValue {
        [
            "startedDateTime": "2026-01-15T12:00:00.000Z", "time": 1, "cache": [:], "timings": [:],
            "request": ["method": "GET", "url": .string(url), "headers": []],
            "response": ["status": 200, "headers": [], "content": ["size": 0, "mimeType": "font/woff"]],
        ]
    }

    /// Authorization, a post of the page, the way back and the token, of which the page itself was not captured.
    ///
    /// - Parameter isNew: The app asks for a new sign-in, and the capture has no post of the page either.
    static func signInWithoutPage(_ number: Int, isNew: Bool = false) -> [JSONValue] {
        let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi"
        let redirect = "https%3A%2F%2Fapp.test%2Fcb"
        func entry(
            _ second: Int, _ method: String, _ url: String, form: String? = nil, status: Int = 200,
            headers: JSONValue = [], json: String = ""
        ) -> JSONValue {
            let at = number * 4 + second
            var request: JSONObject = ["method": .string(method), "url": .string(url), "headers": []]
            if let form {
                request["postData"] = ["mimeType": "application/x-www-form-urlencoded", "text": .string(form)]
            }
            let minute = at / 60 < 10 ? "0\(at / 60)" : "\(at / 60)"
            let moment = at % 60 < 10 ? "0\(at % 60)" : "\(at % 60)"
            return [
                "startedDateTime": .string("2026-01-31T09:\(minute):\(moment).000Z"), "time": 1, "cache": [:],
                "timings": [:], "request": .object(request),
                "response": [
                    "status": .integer(Int64(status)), "headers": headers,
                    "content": ["size": 0, "mimeType": "application/json", "text": .string(json)],
                ],
            ]
        }
        let authorization =
            "\(base)/oauth2/v2.0/authorize?client_id=11111111-1111-1111-1111-111111111111&redirect_uri=\(redirect)"
            + "&response_type=code&scope=openid&state=s\(number)&nonce=n\(number)&code_challenge=abc"
            + "&code_challenge_method=S256"
        let wayBack: JSONValue = [
            ["name": "Location", "value": .string("https://app.test/cb?code=code\(number)&state=s\(number)")]
        ]
        let token = entry(
            3, "POST", "\(base)/oauth2/v2.0/token",
            form: "grant_type=authorization_code&client_id=11111111-1111-1111-1111-111111111111"
                + "&code=code\(number)&redirect_uri=\(redirect)&code_verifier=v\(number)",
            json: "{\"access_token\":\"x\",\"token_type\":\"Bearer\",\"expires_in\":3600}")
        if isNew {
            return [entry(0, "GET", authorization + "&prompt=login", status: 302, headers: wayBack), token]
        }
        return [
            entry(0, "GET", authorization),
            entry(
                1, "POST", "\(base)/SelfAsserted?tx=StateProperties=\(number)&p=B2C_1_susi",
                form: "request_type=RESPONSE&email=p\(number)%40x.test&password=Passw0rd\(number)",
                json: "{\"status\":\"200\"}"),
            entry(
                2, "GET",
                "\(base)/api/CombinedSigninAndSignup/confirmed?csrf_token=x&tx=StateProperties=\(number)&p=B2C_1_susi",
                status: 302, headers: wayBack),
            token,
        ]
    }

    /// Fields as a browser exports them: no cookies, no credentials, a pseudo field of HTTP/2 before the rest.
    static func sanitised(_ fields: JSONValue?, adding name: String) -> JSONValue {
        let hidden: Set<String> = ["cookie", "set-cookie", "authorization"]
        let kept = (fields?.arrayValue ?? []).filter { !hidden.contains($0["name"]?.stringValue ?? "") }
        return .array([["name": .string(name), "value": "x"]] + kept)
    }
}
