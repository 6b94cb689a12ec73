import Determinism
import HTTPMessages
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ScenarioRunner

/// What keeps a real tenant, its people and others from harm.
struct LiveSafetyTests {
    // MARK: Changes

    static let changes: [(name: String, steps: String, words: String)] = [
        ("sign-up policy", #"{ "acquireToken": { "policy": "join" }, "user": "ada" }"#, "signs somebody up"),
        ("somebody new", #"{ "acquireToken": {}, "user": "nina" }"#, "signs `nina` up"),
        ("the link", #"{ "acquireToken": {}, "user": [ { "press": "createAccount" } ] }"#, "presses sign-up"),
        ("edit", #"{ "acquireToken": { "policy": "edit" }, "user": "ada" }"#, "edits a profile"),
        ("reset", #"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#, "resets a password"),
        (
            "reset inside", #"{ "acquireToken": {}, "user": [ { "press": "forgotPassword" }, "ada" ] }"#,
            "goes on after it has pressed that the password is forgotten"
        ),
        (
            "by address",
            #"{ "open": { "url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_RESET/oauth2/v2.0/authorize" }, "user": "ada" }"#,
            "resets a password"
        ),
        (
            "by variable", #"{ "acquireToken": { "policy": "{{which}}" }, "user": "ada" }"#, "resets a password"
        ),
        (
            "by the answer",
            #"{ "id": "one", "acquireTokenSilent": {} }, { "acquireToken": { "policy": "{{one/result/account/username}}" }, "user": "ada" }"#,
            "shows only when it runs"
        ),
        (
            "the app's own policy",
            #"{ "createClient": { "policy": "reset" } }, { "acquireToken": {}, "user": "ada" }"#, "resets a password"
        ),
        (
            "resumed",
            #"{ "id": "begun", "acquireToken": { "policy": "reset" }, "expect": { "pending": {} } }, "#
                + #"{ "resume": "begun", "user": "ada" }"#,
            "resets a password"
        ),
        (
            "at the end",
            #"{ "acquireToken": {}, "user": "ada" } ], "finally": [ { "acquireToken": { "policy": "edit" }, "user": "ada" }"#,
            "edits a profile"
        ),
        (
            "inside a branch",
            #"{ "parallel": [ { "steps": [ { "acquireToken": { "policy": "edit" }, "user": "ada" } ] } ] }"#,
            "edits a profile"
        ),
        (
            "a post by hand",
            #"{ "http": { "method": "POST", "url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/SelfAsserted?tx=1", "form": { "email": "x" } } }"#,
            "posts to a page by hand"
        ),
    ]

    @Test(arguments: changes)
    func `nothing changes a tenant unless both its owner and the command say so`(
        _ row: (name: String, steps: String, words: String)
    ) async throws {
        for (more, allows) in [("", true), (#""live": true,"#, false)] {
            let stage = try LiveStage()
            // Codes could be had: what keeps these from running is the change alone.
            let target = try await stage.target(
                more + #""inbox": { "command": ["mail"] },"#, allowsChanges: allows)
            let report = try #require(
                try await stage.run([row.steps], on: target, before: #""variables": { "which": "reset" },"#).first)
            #expect(report.status == .skipped, "\(Running.failures(report))")
            #expect(report.reason?.contains(row.words) == true, "\(report.reason ?? "")")
            #expect(report.reason?.contains("--allow-live-changes") == true)
            #expect(stage.tenant.requests.isEmpty)
        }
    }

    @Test func `signing in changes nothing`() async throws {
        let stage = try LiveStage()
        let reports = try await stage.run(
            [
                #"{ "acquireToken": {}, "user": "ada" }"#,
                #"{ "acquireToken": { "policy": "{{which}}" }, "user": [ { "press": "forgotPassword" } ], "expect": { "error": {} } }"#,
            ], on: try await stage.target(allowsChanges: false), before: #""variables": { "which": "susi" },"#)
        #expect(reports.map(\.status) == [.passed, .passed], "\(reports.map { Running.failures($0) })")
    }

    @Test func `clock, settings and directory are not a real tenant's`() async throws {
        let stage = try LiveStage()
        let reports = try await stage.run(
            [
                #"{ "advanceClock": "PT1H" }"#, #"{ "inspect": "users" }"#,
                #"{ "configure": { "policies": { "susi": { "mfa": { "when": "always" } } } } }"#,
                #"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#,
            ], on: try await stage.target(#""live": true,"#))
        for (report, word) in zip(reports, ["`clock`", "`directory`", "`settings`", "`inbox`"]) {
            #expect(report.status == .skipped)
            #expect(report.reason?.contains(word) == true, "\(report.reason ?? "")")
        }
        #expect(stage.tenant.requests.isEmpty)
    }

    // MARK: Hosts

    /// Where /authorize redirects to, and what the report says of it.
    static let elsewhere: [(to: String, words: String)] = [
        ("https://evil.test/collect?x=1", "evil.test is not a host of this target, so nothing was sent there"),
        ("https://contoso.b2clogin.com.evil.test/", "contoso.b2clogin.com.evil.test is not a host of this target"),
        ("https://contoso.b2clogin.com@evil.test/", "evil.test is not a host of this target"),
        ("//evil.test/x", "evil.test is not a host of this target"),
        ("http://login.contoso.test/x", "would go over the network without TLS, so nothing was sent there"),
    ]

    @Test(arguments: elsewhere)
    func `only hosts of the two files are asked`(_ row: (to: String, words: String)) async throws {
        let stage = try LiveStage { request, _ in
            request.url.path.hasSuffix("/authorize") ? .response(.redirect(row.to)) : nil
        }
        // All names that the redirect may mean lead to the stand-in: were anything sent, it would count.
        let report = try await stage.run(
            #"{ "acquireToken": {}, "user": "ada" }"#,
            on: try await stage.target(#""hosts": ["login.contoso.test"],"#))
        #expect(report.status == .blocked)
        #expect(report.reason?.contains(row.words) == true, "\(report.reason ?? "")")
        #expect(stage.tenant.strays == 0)
        #expect(stage.tenant.requests.allSatisfy { $0.url.host == StandInTenant.host })
    }

    @Test func `an API that the tenant file does not name is not called`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(
            #"{ "http": { "url": "https://api.elsewhere.test/me", "headers": { "Authorization": "Bearer x" } } }"#,
            on: try await stage.target())
        #expect(report.status == .blocked)
        #expect(report.reason?.contains("api.elsewhere.test is not a host of this target") == true)
    }

    // MARK: Throttling

    private static let throttled = ResponseMessage.text(429, "Too Many Requests", headers: ["Retry-After": "17"])

    @Test func `a 429 is seen by the app, the scenario runs once more and is flaky`() async throws {
        let struck = Mutex(0)
        let stage = try LiveStage { request, _ in
            guard request.url.path.hasSuffix("/token"),
                struck.withLock({
                    $0 += 1; return $0
                }) == 1
            else { return nil }
            return .response(Self.throttled)
        }
        let report = try await stage.run(#"{ "acquireToken": {}, "user": "ada" }"#, on: try await stage.target())
        #expect(report.status == .flaky, "\(Running.failures(report))")
        #expect(report.status.isGood)
        #expect(report.reason == "the target asked for a pause of PT17S (429); passed when it was repeated")
        #expect(stage.time.waits.contains { $0 >= .seconds(16) && $0 <= .seconds(17) }, "\(stage.time.waits)")
        let token = stage.tenant.requests.filter { $0.url.path.hasSuffix("/token") }
        #expect(token.count == 2)
    }

    @Test func `a script that expects the 429 sees it, and is not repeated`() async throws {
        let stage = try LiveStage { request, _ in
            request.url.path.hasSuffix("/token") ? .response(Self.throttled) : nil
        }
        let report = try await stage.run(
            """
            { "acquireToken": {}, "user": "ada", "expect": { "error": { "httpStatus": 429 },
                "requests": { "token": 1 } } }
            """, on: try await stage.target())
        #expect(report.status == .passed, "\(Running.failures(report))")
        #expect(stage.tenant.requests.filter { $0.url.path.hasSuffix("/authorize") }.count == 1)
    }

    @Test func `twice is a failure, and says so`() async throws {
        let stage = try LiveStage { request, _ in
            request.url.path.hasSuffix("/token") ? .response(Self.throttled) : nil
        }
        let report = try await stage.run(#"{ "acquireToken": {}, "user": "ada" }"#, on: try await stage.target())
        #expect(report.status == .failed)
        #expect(report.reason == "the target asked for a pause of PT17S (429); failed again when it was repeated")
        #expect(stage.tenant.requests.filter { $0.url.path.hasSuffix("/token") }.count == 2)
    }

    @Test(arguments: [
        ("90000", "P1DT1H"), ("9223372036854775807", "P"), ("Thu, 15 Jan 2026 18:00:00 GMT", "PT"),
    ])
    func `nobody waits for hours: what follows is blocked`(_ row: (text: String, span: String)) async throws {
        let stage = try LiveStage { request, number in
            number == 1 ? .response(.text(429, "", headers: ["Retry-After": row.text])) : nil
        }
        let sign = #"{ "acquireToken": {}, "user": "ada" }"#
        let reports = try await stage.run([sign, sign], on: try await stage.target())
        #expect(reports.map(\.status) == [.failed, .blocked], "\(reports.map { Running.failures($0) })")
        #expect(reports[0].reason?.contains("a pause of \(row.span)") == true, "\(reports[0].reason ?? "")")
        #expect(reports[0].reason?.contains("it was not repeated") == true)
        #expect(reports[1].reason?.contains("asked to be left alone") == true, "\(reports[1].reason ?? "")")
        #expect(stage.tenant.requests.count == 1)
        #expect(stage.time.waits.allSatisfy { $0 < .minutes(5) }, "\(stage.time.waits)")
    }

    @Test(arguments: ["-5", "soon", ""])
    func `a Retry-After that says nothing is ten seconds or none`(_ text: String) async throws {
        let stage = try LiveStage { request, number in
            number == 1 ? .response(.text(429, "", headers: ["Retry-After": text])) : nil
        }
        let report = try await stage.run(#"{ "acquireToken": {}, "user": "ada" }"#, on: try await stage.target())
        #expect(report.status == .flaky, "\(Running.failures(report))")
    }

    // MARK: Pace

    @Test func `requests leave no faster than the file says`() async throws {
        let stage = try LiveStage()
        let sign = #"{ "acquireToken": {}, "user": "ada" }"#
        let reports = try await stage.run(
            [sign, sign.replacing("ada", with: "bea"), sign],
            on: try await stage.target(#""pacing": { "requests": 2, "per": "PT3S" },"#),
            jobs: 3)
        #expect(reports.allSatisfy { $0.status == .passed }, "\(reports.map { Running.failures($0) })")
        let times = stage.tenant.times
        #expect(times.count >= 12)
        // The clock stands still but when somebody waits, so a request arrives at the instant at which it may leave, or
        // later where another has waited on meanwhile.
        #expect(times.last.map { $0 - times[0] } ?? .zero >= .seconds(3 * Int64((times.count - 1) / 2)), "\(times)")
        let pacer = Pacer(
            .init {
                $0.requests = 2
                $0.per = .seconds(3)
            })
        let start = Timestamp(seconds: 1000)
        var places: [TimeSpan] = []
        for _ in 0..<6 { places.append(await pacer.place(at: start) - start) }
        #expect(places == [.zero, .zero, .seconds(3), .seconds(3), .seconds(6), .seconds(6)])
        await pacer.hold(until: start + .seconds(20))
        #expect(await pacer.place(at: start) - start == .seconds(20))
        #expect(await pacer.place(at: start + .minutes(2)) - start == .minutes(2))
    }

    // MARK: People

    @Test func `nobody is in two scenarios at once`() async throws {
        let stage = try LiveStage()
        let ada = #"{ "acquireToken": {}, "user": "ada" }"#
        // One of them names the person by a variable.
        let scripts = [ada, ada, #"{ "acquireToken": {}, "user": "{{who}}" }"#, ada, ada, ada]
        let reports = try await stage.run(
            scripts, on: try await stage.target(), jobs: 6, before: #""variables": { "who": "ada" },"#)
        #expect(reports.allSatisfy { $0.status == .passed }, "\(reports.map { Running.failures($0) })")
        #expect(stage.tenant.overlaps == 0)
    }

    @Test func `a person is waited for, another is not`() async throws {
        let gate = PersonGate()
        let order = Mutex<[String]>([])
        await gate.enter(["ada"])
        let again = Task {
            await gate.enter(["ada", "cid"])
            order.withLock { $0.append("ada again") }
            await gate.leave(["ada", "cid"])
        }
        // Comes through although ada is busy; were it held up, this test would never end.
        await gate.enter(["bea"])
        order.withLock { $0.append("bea") }
        await gate.leave(["bea"])
        order.withLock { $0.append("ada leaves") }
        await gate.leave(["ada"])
        await again.value
        #expect(order.withLock { $0 } == ["bea", "ada leaves", "ada again"])
    }

    // MARK: Codes

    private let reset = #"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#

    @Test func `the command gets address and instant as they are, and is asked until there is a message`() async throws
    {
        let stage = try LiveStage()
        let calls = Mutex<[[String]]>([])
        let target = try await stage.target(
            #""live": true, "inbox": { "command": ["./mail box", "--to={to}", "{since}", "$(id); '"] },"#
        ) { arguments in
            let count = calls.withLock {
                $0.append(arguments); return $0.count
            }
            if count < 3 { return .success(" \n") }
            return .success(#"{ "code": "\#(stage.tenant.code(to: "ada@example.test") ?? "")", "subject": "Hello" }"#)
        }
        let report = try await stage.run(reset, on: target)
        #expect(report.status == .passed, "\(Running.failures(report))")
        let first = try #require(calls.withLock { $0.first })
        #expect(first[0] == "./mail box")
        #expect(first[1] == "--to=ada@example.test")
        #expect(first[2].hasPrefix("2026-01-15T12:00:"))
        #expect(first[3] == "$(id); '")
        #expect(stage.time.waits.filter { $0 == .seconds(2) }.count == 2)
    }

    @Test(arguments: [#"{ "command": ["mail", "{to}"] }"#, #"{ "prompt": true }"#])
    func `the tenant file says where codes come from unless the target file does`(_ inbox: String) async throws {
        let stage = try LiveStage()
        func target(_ more: String) async throws -> RunTarget {
            try await stage.target(
                #""live": true,\#(more)"#, run: stage.mailbox(),
                ask: { _ in stage.tenant.code(to: "ada@example.test") })
        }
        let without = try await stage.run([reset], on: try await target(""))
        #expect(without.map(\.status) == [.skipped])
        let before = #""configure": { "inbox": \#(inbox) },"#
        let with = try await stage.run([reset], on: try await target(""), before: before)
        #expect(with.map(\.status) == [.passed], "\(with.map(Running.failures))")
        // The target file's own, which brings nothing, wins.
        let broken = try await stage.run(
            [reset], on: try await stage.target(#""live": true, "inbox": { "command": ["none"] },"#), before: before)
        #expect(broken.map(\.status) == [.failed])
    }

    static let poor: [(name: String, result: Result<String, TargetProblem>, words: String)] = [
        ("nothing", .success(""), "brought no message to ada@example.test within a minute: it printed nothing"),
        ("failing", .failure(TargetProblem("mail ended with status 3")), "within a minute: mail ended with status 3"),
        ("no code", .success("Welcome to the newsletter"), "no code has come for ada"),
        ("not a message", .success(#"{ "code": { "value": 1 } }"#), "no code has come for ada"),
        ("a list", .success("[[[[[[[[]]]]]]]]"), "no code has come for ada"),
        (
            "endless", .success(#"{ "code": ""# + String(repeating: "9", count: 5000) + #"" }"#),
            "no code has come for ada"
        ),
        ("deep", .success(String(repeating: "[", count: 100_000)), "no code has come for ada"),
        ("escapes", .success("\u{1b}]0;x\u{7}\u{1b}[2J no code \u{0}"), "no code has come for ada"),
    ]

    @Test(arguments: poor)
    func `a poor inbox fails the scenario with a sentence`(
        _ row: (name: String, result: Result<String, TargetProblem>, words: String)
    ) async throws {
        let stage = try LiveStage()
        let target = try await stage.target(LiveStage.withInbox) { _ in row.result }
        let report = try await stage.run(reset, on: target)
        #expect(report.status == .failed)
        let said = Running.failures(report)
        #expect(said.contains(row.words), "\(said)")
        #expect(!said.contains("\u{1b}"))
        // The password has stayed.
        #expect(stage.tenant.account("ada@example.test")?.password == "Analytical-1843")
    }

    static let printed: [(text: String, code: String?)] = [
        ("Your code is 123456.", "123456"), ("Order 20260115, code 4711", "20260115"), ("Code: 0815", "0815"),
        ("2026-01-15 12:00 use 654321 please", "654321"), ("12 34 567", nil), (#"{"code": 123456}"#, "123456"),
        (#"{"code": " 012345 "}"#, "012345"), (#"{"text": "use 222333"}"#, "222333"), ("{\"code\": 1", nil),
        (#"{"to": "else@example.test", "code": "1"}"#, "1"),
    ]

    @Test(arguments: printed)
    func `a code is found in what a program prints`(_ row: (text: String, code: String?)) {
        let record = LiveFarSide.record(row.text, to: "ada@example.test")
        #expect(record["code"]?.stringValue == row.code)
        #expect(record["to"]?.stringValue == "ada@example.test")
    }

    @Test func `a person is asked at the terminal, one question at a time`() async throws {
        let stage = try LiveStage()
        let asked = Mutex<(open: Int, most: Int, questions: [String])>((0, 0, []))
        let target = try await stage.target(
            #""live": true, "inbox": { "prompt": true },"#,
            ask: { question in
                asked.withLock { state in
                    state.open += 1
                    state.most = max(state.most, state.open)
                    state.questions.append(question)
                }
                for _ in 0..<50 { await Task.yield() }
                asked.withLock { $0.open -= 1 }
                let address = question.contains("ada@") ? "ada@example.test" : "nina@example.test"
                return stage.tenant.code(to: address)
            })
        let reports = try await stage.run(
            [reset, #"{ "acquireToken": { "policy": "join" }, "user": "nina" }"#], on: target, jobs: 2)
        #expect(reports.allSatisfy { $0.status == .passed }, "\(reports.map { Running.failures($0) })")
        #expect(asked.withLock { $0.most } == 1)
        #expect(
            asked.withLock { $0.questions.sorted() } == [
                "The code that ada@example.test has received: ", "The code that nina@example.test has received: ",
            ])
    }

    @Test func `without a terminal there is a sentence`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(
            reset, on: try await stage.target(#""live": true, "inbox": { "prompt": true },"#))
        #expect(report.status == .failed)
        #expect(Running.failures(report).contains("there is no terminal to ask at"))
    }
}
