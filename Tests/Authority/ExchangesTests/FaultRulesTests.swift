import Determinism
import Exchanges
import HTTPMessages
import JSON
import Testing

/// The table of rules in force, and what a rule makes of an exchange.
@Suite struct FaultRulesTests {
    private static func rules(_ text: String) throws -> [FaultRule] {
        try FaultRule.rules(from: JSONParser.parse(text))
    }

    private static func table(seed: UInt64 = 1) -> FaultRules {
        FaultRules(random: SeededGenerator(seed: seed, stream: "faults"))
    }

    @Test func `the innermost rule that matches strikes, and each counts for itself`() throws {
        var table = Self.table()
        let outer = table.push(try Self.rules(#"[{"network": "tls", "skip": 1, "times": 1}]"#))
        let inner = table.push(
            try Self.rules(#"[{"match": {"endpoint": "token"}, "network": "dns"}]"#), lane: LaneID.main.branch(0))
        let branch = LaneID.main.branch(0)
        #expect(table.strike(lane: branch, record: { ["endpoint": "token"] })?.rule.network == .dns)
        #expect(table.strike(lane: .main, record: { ["endpoint": "token"] }) == nil, "passed over once")
        #expect(table.strike(lane: branch, record: { ["endpoint": "keys"] })?.rule.network == .tls)
        #expect(table.strike(lane: branch, record: { ["endpoint": "keys"] }) == nil, "once only")
        #expect(table.standing(of: outer).map(\.count) == [FaultRules.Count(met: 2, fired: 1)])
        #expect(table.standing(of: inner).map(\.count.fired) == [1])
        _ = table.pop(inner)
        _ = table.pop(outer)
        #expect(table.isEmpty)
    }

    @Test func `a strike counts when something changed, and so does each part`() throws {
        var table = Self.table()
        let id = table.push(
            try Self.rules(#"[{"times": 1, "request": {"form": {"a": null, "b": "1"}}, "delay": "PT1S"}]"#))
        func strike(_ form: FormItems) throws -> RequestMessage {
            let struck = table.strike(lane: .main, record: { [:] })
            let strike = try #require(struck)
            var sending = FaultedSending(rule: strike.rule, timeout: nil)
            let request = sending.request(.post(WebURL(scheme: "https", host: "here.test", path: "/"), form: form))
            table.note(sending.effect, of: strike)
            return request
        }
        #expect(try strike(["b": "1"]).text == "b=1")
        #expect(table.standing(of: id).map(\.count.fired) == [0], "nothing changed, so it may strike again")
        #expect(try strike(["b": "2"]).text == "b=1")
        let count = try #require(table.standing(of: id).first?.count)
        #expect(count.met == 2 && count.fired == 1)
        #expect(count.effect.held == ["/request/form/b"])
        #expect(count.effect.idle == [.init(part: "/request/form/a", reason: "there is no `a` to remove")])
        #expect(FaultRules.Count(json: .object(count.json)) == count)
        #expect(
            table.pop(id).map(\.text) == [
                "the rule at /0 matched 2 exchanges, and `request/form/a` changed nothing: there is no `a` to remove;"
                    + " mark it \"optional\": true if it need not"
            ])
    }

    @Test func `a rule that never struck is handed back unless it may stay unused`() throws {
        var table = Self.table()
        let id = table.push(
            try Self.rules(#"[{"network": "tls"}, {"network": "dns", "optional": true, "match": {"endpoint": "x"}}]"#))
        #expect(table.pop(id).map(\.rule.network) == [.tls])
        #expect(table.pop(id).isEmpty)
    }

    @Test func `counting goes on where the caller stands`() throws {
        var table = Self.table()
        _ = table.push(
            try Self.rules(#"[{"network": "tls", "skip": 2, "times": 2}]"#),
            counts: [FaultRules.Count(met: 3, fired: 1)])
        #expect(table.strike(lane: .main, record: { [:] }) != nil)
        #expect(table.strike(lane: .main, record: { [:] }) == nil)
    }

    @Test func `chance is drawn from the seed, and about as often as it says`() throws {
        func struck(seed: UInt64) throws -> [Bool] {
            var table = Self.table(seed: seed)
            _ = table.push(try Self.rules(#"[{"network": "tls", "rate": 0.25}]"#))
            return (0..<2000).map { _ in table.strike(lane: .main, record: { [:] }) != nil }
        }
        let first = try struck(seed: 1)
        #expect(try struck(seed: 1) == first)
        #expect(try struck(seed: 2) != first)
        let count = first.filter { $0 }.count
        #expect(count > 420 && count < 580)
    }

    @Test func `a rule for claims passes over what holds no token`() throws {
        let rule = try #require(try Self.rules(#"[{"claims": {"idToken": {"name": "x"}}}]"#).first)
        #expect(rule.meets(["endpoint": "token"]) && rule.meets(["endpoint": "authorize"]))
        #expect(!rule.meets(["endpoint": "keys"]) && !rule.meets(["endpoint": "callback"]))
    }

    @Test(arguments: [
        (#"{"host": "other.test:8443"}"#, "https://other.test:8443/a?x=1", "p=1"),
        (#"{"url": "http://there/b?y=2"}"#, "http://there/b?y=2", "p=1"),
        (#"{"path": "/c", "query": {"x": null, "z": 3}}"#, "https://here.test/c?z=3", "p=1"),
        (#"{"form": {"p": null, "q": "a b"}}"#, "https://here.test/a?x=1", "q=a+b"),
        (#"{"body": "plain"}"#, "https://here.test/a?x=1", "plain"),
    ])
    func `requests are rewritten`(patch: String, url: String, body: String) throws {
        let rule = try #require(try Self.rules(#"[{"request": \#(patch)}]"#).first)
        var sending = FaultedSending(rule: rule, timeout: nil)
        let sent = sending.request(.post(try #require(WebURL("https://here.test/a?x=1")), form: ["p": "1"]))
        #expect(sent.url.description == url && sent.text == body)
        #expect(sending.effect.held == rule.parts && sending.effect.idle.isEmpty)
    }

    @Test(arguments: [
        (#"{"network": "timeout"}"#, 0, "timeout", 30), (#"{"network": "dns"}"#, 0, "dns", 0),
        (#"{"network": "reset", "delay": "PT3S"}"#, 1, "reset", 5), (#"{"delay": "PT40S"}"#, 1, "timeout", 30),
        (#"{"delay": "PT4S"}"#, 1, "200", 6), (#"{"respond": {"status": 503}}"#, 0, "503", 0),
        (#"{"response": {"status": 418}}"#, 1, "418", 2), (#"{"copies": 3}"#, 3, "200", 6),
    ])
    func `what the caller gets`(effect: String, sent: Int, result: String, seconds: Int64) async throws {
        let rule = try #require(try Self.rules("[\(effect)]").first)
        let counter = Counter()
        var sending = FaultedSending(rule: rule, timeout: .seconds(30))
        let answer = await sending.answer(
            to: .get(try #require(WebURL("https://here.test/")))
        ) { _ in
            await counter.up()
            return .response(ResponseMessage(status: 200), delay: .seconds(2))
        }
        #expect(await counter.count == sent)
        #expect(answer.delay == .seconds(seconds))
        switch answer.outcome {
        case .success(let response): #expect(String(response.status) == result)
        case .failure(let error): #expect(error.word == result)
        }
        #expect(Set(sending.effect.held) == Set(rule.parts) && sending.effect.idle.isEmpty)
    }

    /// Parts of rules that leave an exchange as it is, each with its reason. The request is a POST of the form `p=1` to
    /// `https://here.test/a?x=1`, the answer JSON with the status 200.
    @Test(
        arguments: [
            (#"{"request": {"url": "https://here.test/a?x=1"}}"#, ["/request/url": "it has this value already"]),
            (#"{"request": {"host": "here.test"}}"#, ["/request/host": "it has this value already"]),
            (#"{"request": {"path": "/a"}}"#, ["/request/path": "it has this value already"]),
            (#"{"request": {"body": "p=1"}}"#, ["/request/body": "it has this value already"]),
            (
                #"{"request": {"query": {"x": 1, "y": null}}}"#,
                ["/request/query/x": "it has this value already", "/request/query/y": "there is no `y` to remove"]
            ),
            (#"{"request": {"query": {}}}"#, ["/request/query": "it is empty"]),
            (#"{"request": {"fragment": {"x": "1"}}}"#, ["/request/fragment/x": "a fragment is never sent"]),
            (
                #"{"request": {"headers": {"X-None": null, "Content-Type": "application/x-www-form-urlencoded"}}}"#,
                [
                    "/request/headers/X-None": "there is no `X-None` to remove",
                    "/request/headers/Content-Type": "it has this value already",
                ]
            ),
            (#"{"request": {"json": {"a": {"b": 1}}}}"#, ["/request/json/a/b": "the POST request has no JSON body"]),
            (#"{"response": {"status": 200}}"#, ["/response/status": "the status is 200 already"]),
            (#"{"response": {"body": "{\"a\":{\"b\":1}}"}}"#, ["/response/body": "it has this value already"]),
            (
                #"{"response": {"json": {"a": {"b": 1, "c": null}, "d": null}}}"#,
                [
                    "/response/json/a/b": "it has this value already",
                    "/response/json/a/c": "there is no `c` to remove",
                    "/response/json/d": "there is no `d` to remove",
                ]
            ),
            (
                #"{"response": {"location": {"query": {"code": null}}}}"#,
                ["/response/location/query/code": "the answer leads nowhere: it has no Location (status 200)"]
            ),
            (#"{"response": {}}"#, ["/response": "it is empty"]),
            (#"{"delay": "PT0S"}"#, ["/delay": "it lets no time pass"]),
            (#"{"copies": 1}"#, ["/copies": "once is how often it is sent anyway"]),
            (
                #"{"claims": {"idToken": {"name": "x"}}}"#,
                ["/claims/idToken/name": "the authority has not answered the request"]
            ),
            (#"{"b2cError": "AADB2C90035"}"#, ["/b2cError": "the authority has not answered the request"]),
        ] as [(String, [String: String])])
    func `a part without effect`(effect: String, expected: [String: String]) async throws {
        let rule = try #require(try Self.rules("[\(effect)]").first)
        var sending = FaultedSending(rule: rule, timeout: nil)
        let request = RequestMessage.post(try #require(WebURL("https://here.test/a?x=1")), form: ["p": "1"])
        let response = ResponseMessage.json(200, ["a": ["b": 1]])
        let sent = sending.request(request)
        let answer = await sending.answer(to: sent) { _ in .response(response) }
        #expect(sent.url == request.url && sent.body == request.body && sent.headers == request.headers)
        #expect(answer.outcome == .success(response))
        #expect(!sending.effect.changes)
        let found = Dictionary(sending.effect.idle.map { ($0.part.description, $0.reason) }) { first, _ in first }
        #expect(found == expected)
        #expect(Set(sending.effect.idle.map(\.part)) == Set(rule.parts), "each part is accounted for")
    }

    @Test(
        arguments: [
            (#"{"match": {"endpoint": "callback"}, "to": "one"}"#, ["/to": "`one` is the one who gets it anyway"]),
            (
                #"{"match": {"endpoint": "callback"}, "copies": 1, "delay": "PT0S"}"#,
                ["/copies": "once is how often it is handed over anyway", "/delay": "it lets no time pass"]
            ),
            (
                #"{"match": {"endpoint": "callback"}, "request": {"query": {"code": "c"}, "fragment": {"x": null}, "form": {"y": 1}, "headers": {"z": 1}}}"#,
                [
                    "/request/query/code": "it has this value already",
                    "/request/fragment/x": "there is no `x` to remove",
                    "/request/form/y": "the callback is not a form post",
                    "/request/headers/z": "a callback is handed over as an address",
                ]
            ),
        ] as [(String, [String: String])])
    func `a part without effect on a callback`(text: String, expected: [String: String]) throws {
        let rule = try #require(try Self.rules("[\(text)]").first)
        let url = try #require(WebURL("app://auth?code=c"))
        let changed = rule.applied(toCallback: url, nil, client: "one")
        #expect(changed.url == url && changed.client == "one" && changed.copies == 1)
        let found = Dictionary(changed.effect.idle.map { ($0.part.description, $0.reason) }) { first, _ in first }
        #expect(found == expected && !changed.effect.changes)
        #expect(Set(changed.effect.idle.map(\.part)) == Set(rule.parts))
    }

    @Test func `an answer that never comes has nothing to change`() async throws {
        let rule = try #require(
            try Self.rules(#"[{"delay": "PT1S", "response": {"status": 500}, "claims": {"idToken": {"a": 1}}}]"#).first)
        var sending = FaultedSending(rule: rule, timeout: nil)
        _ = await sending.answer(to: .get(try #require(WebURL("https://here.test/")))) { _ in .failure(.dns) }
        #expect(sending.effect.held == ["/delay"])
        #expect(
            sending.effect.idle == [
                .init(part: "/claims/idToken/a", reason: "the authority has not answered the request"),
                .init(part: "/response/status", reason: "no answer came (`dns`)"),
            ])
    }

    @Test func `a merge patch that makes an object changes something, and what it removes from it does not`() {
        var effect = ChangeEffect()
        effect.merge(["a": ["b": 1, "c": .null], "d": [:], "e": [:]], over: ["d": [:], "e": 1], at: .root)
        #expect(effect.held == ["/a/b", "/e"])
        #expect(effect.idle.map(\.part) == ["/a/c", "/d"])
    }

    private actor Counter {
        var count = 0
        func up() { count += 1 }
    }
}
