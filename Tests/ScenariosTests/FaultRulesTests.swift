import Determinism
import HTTPMessages
import JSON
import Testing

@testable import Scenarios

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
        #expect(table.strike(lane: branch, record: { ["endpoint": "token"] })?.network == .dns)
        #expect(table.strike(lane: .main, record: { ["endpoint": "token"] }) == nil, "passed over once")
        #expect(table.strike(lane: branch, record: { ["endpoint": "keys"] })?.network == .tls)
        #expect(table.strike(lane: branch, record: { ["endpoint": "keys"] }) == nil, "once only")
        #expect(table.standing(of: outer).map(\.count) == [FaultRules.Count(met: 2, fired: 1)])
        #expect(table.standing(of: inner).map(\.count.fired) == [1])
        #expect(table.pop(inner).isEmpty && table.pop(outer).isEmpty && table.isEmpty)
    }

    @Test func `a rule that never struck is handed back unless it may stay unused`() throws {
        var table = Self.table()
        let id = table.push(
            try Self.rules(#"[{"network": "tls"}, {"network": "dns", "optional": true, "match": {"endpoint": "x"}}]"#))
        #expect(table.pop(id).map(\.network) == [.tls])
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
        let sent = FaultedSending(rule: rule, timeout: nil).request(
            .post(try #require(WebURL("https://here.test/a?x=1")), form: ["p": "1"]))
        #expect(sent.url.description == url && sent.text == body)
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
        let answer = await FaultedSending(rule: rule, timeout: .seconds(30)).answer(
            to: .get(try #require(WebURL("https://here.test/")))
        ) { _ in
            await counter.up()
            return (.success(ResponseMessage(status: 200)), .seconds(2))
        }
        #expect(await counter.count == sent)
        #expect(answer.delay == .seconds(seconds))
        switch answer.outcome {
        case .success(let response): #expect(String(response.status) == result)
        case .failure(let error): #expect(error.word == result)
        }
    }

    private actor Counter {
        var count = 0
        func up() { count += 1 }
    }
}
