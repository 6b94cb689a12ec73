import Determinism
import Journeys
import Testing

@Suite struct OneTimeCodesTests {
    private var now = Timestamp(seconds: 1_768_478_400)
    private var random = SeededGenerator(seed: 7)
    private var codes = OneTimeCodes()

    private mutating func generate(_ rules: OneTimeCodes.CodeRules, _ address: String = "a@x.test") -> String? {
        if case .code(let code) = codes.generate(purpose: "p", address: address, rules: rules, at: now, random: &random)
        {
            return code
        }
        return nil
    }

    private mutating func verify(_ code: String, _ rules: OneTimeCodes.CodeRules, _ address: String = "A@x.test")
        -> OneTimeCodes.Verified
    {
        codes.verify(purpose: "p", address: address, code: code, rules: rules, at: now)
    }

    @Test mutating func `codes are used once`() throws {
        let rules = OneTimeCodes.CodeRules()
        let code = try #require(generate(rules))
        #expect(code.count == 6 && code.allSatisfy(\.isNumber))
        #expect(verify(code, rules) == .accepted)
        #expect(verify(code, rules) == .missing)
        #expect(verify(code, rules, "other@x.test") == .missing)
    }

    @Test mutating func `tries run out`() throws {
        let rules = OneTimeCodes.CodeRules(maxTries: 2)
        let code = try #require(generate(rules))
        let wrong = code == "111111" ? "222222" : "111111"
        #expect(verify(wrong, rules) == .wrong(triesLeft: 1))
        #expect(verify(wrong, rules) == .exhausted)
        #expect(verify(code, rules) == .exhausted)
        let next = try #require(generate(rules))
        #expect(verify(next, rules) == .accepted)
    }

    @Test mutating func `codes expire`() throws {
        let rules = OneTimeCodes.CodeRules(lifetime: .minutes(20))
        let code = try #require(generate(rules))
        now = now + .minutes(20)
        #expect(verify(code, rules) == .expired)
    }

    @Test mutating func `resending is throttled and limited`() throws {
        let rules = OneTimeCodes.CodeRules(maxGenerations: 3, resendAfter: .seconds(30))
        let first = try #require(generate(rules))
        #expect(generate(rules) == nil)
        now = now + .seconds(30)
        let second = try #require(generate(rules))
        #expect(verify(first, rules) != .accepted || first == second)
        now = now + .seconds(30)
        #expect(generate(rules) != nil)
        now = now + .seconds(30)
        #expect(codes.generate(purpose: "p", address: "a@x.test", rules: rules, at: now, random: &random) == .tooMany)
        #expect(generate(rules, "b@x.test") != nil)
    }

    @Test mutating func `a code may be reused`() throws {
        let rules = OneTimeCodes.CodeRules(length: 8, reusesSameCode: true, alphabet: Array("AB"))
        let first = try #require(generate(rules))
        #expect(first.count == 8 && first.allSatisfy { "AB".contains($0) })
        #expect(generate(rules) == first)
    }
}
