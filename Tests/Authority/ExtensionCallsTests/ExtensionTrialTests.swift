import Determinism
import ExtensionCalls
import Testing

/// `test`: a broken receiver fails the case that is named after what is wrong with it, and no other.
struct ExtensionTrialTests {
    private func results(
        _ receiver: Receiver, host: ExtensionIssuer.Host = .external
    ) async throws -> [ExtensionTrial.Result] {
        var call = Sample.call(receiver.event)
        call.token?.host = host
        let transport = ReceiverTransport(receiver)
        var names = ExtensionTrial.cases(for: receiver.event, host: host).map(\.name).dropFirst()
        return try await ExtensionTrial(call).run(
            over: transport, clock: transport.time.clock, using: SeededGenerator(seed: 2)
        ) { _ in
            transport.begin(names.popFirst() ?? "")
        }
    }

    @Test(arguments: Receiver.broken)
    func `a broken receiver is named`(_ receiver: Receiver) async throws {
        let failed = try await results(receiver).filter { $0.conclusion == .failed }
        #expect(failed.map(\.trial.name) == [receiver.name])
        for result in failed {
            #expect(!result.finding.isEmpty && !result.remedy.isEmpty && !result.finding.contains("{0}"))
        }
    }

    @Test func `each case has a receiver that fails it`() {
        let cases = ExtensionEvent.allCases.flatMap { ExtensionTrial.cases(for: $0) }.map(\.name)
        #expect(Set(Receiver.broken.map(\.name)) == Set(cases))
        #expect(Receiver.broken.count >= 30 && Set(cases).count == Receiver.broken.count)
    }

    @Test(arguments: ExtensionEvent.allCases)
    func `a good receiver passes every case`(_ event: ExtensionEvent) async throws {
        let results = try await results(Receiver(name: "", event: event))
        let others = results.filter { $0.conclusion != .passed }.map { "\($0.trial.name): \($0.finding)" }
        #expect(others == [])
        #expect(results.map(\.trial.name) == ExtensionTrial.cases(for: event).map(\.name))
    }

    @Test func `chosen cases are tried alone, and each case has a rule`() async throws {
        let transport = ReceiverTransport(Receiver(name: "", event: .tokenIssuanceStart))
        let results = try await ExtensionTrial(Sample.call(.tokenIssuanceStart)).run(
            ["no-token", "content-type"], over: transport, clock: transport.time.clock,
            using: SeededGenerator(seed: 2))
        #expect(results.map(\.trial.name) == ["no-token", "content-type"])
        #expect(results.map(\.trial.rule) == ["B2C-EXT-103", "B2C-EXT-012"])
        let rules = Set(ExtensionRule.all.map(\.id))
        #expect(rules.count == ExtensionRule.all.count)
        #expect(ExtensionRule.all.allSatisfy { !$0.demand.isEmpty && !$0.remedy.contains("{0}") })
    }

    @Test func `a receiver of login microsoftonline com has no case of the other host's key`() {
        let names = ExtensionTrial.cases(for: .tokenIssuanceStart, host: .workforce).map(\.name)
        #expect(!names.contains("key-on-ciamlogin-host") && names.contains("good-token"))
    }

    @Test func `an accepted token of another caller is said as such`() async throws {
        let receiver = Receiver(name: "wrong-caller", lacks: ["caller"])
        let result = try #require(try await results(receiver).first { $0.trial.name == "wrong-caller" })
        #expect(result.finding == "accepted a token of another caller")
        #expect(result.whatServiceDoes.contains("anyone who knows the address"))
    }

    @Test func `what shows nothing is not tried`() async throws {
        let refusing = Receiver(name: "good-token", instead: { _, _ in .init(status: 401) })
        let results = try await results(refusing)
        let tokens = results.filter { $0.trial.demand == .refused }
        #expect(tokens.count == 8)
        for result in tokens {
            #expect(
                result.conclusion == .notTried(reason: "the good token is refused, so a refusal shows nothing"))
        }
    }
}
