import Determinism
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import Testing

/// Numbers, rules and records of exchanges, for a runner and for a server.
@Suite struct ExchangeRecorderTests {
    private static let now = Timestamp(seconds: 1_768_478_400)

    private static func recorder(isServer: Bool = false) throws -> ExchangeRecorder {
        let tenant = try Tenant(json: [
            "name": "contoso", "policies": ["susi": ["type": "signUpOrSignIn", "id": "B2C_1_susi"]],
            "apps": ["ios": ["registration": ["clientId": "11111111-2222-4333-8444-555555555555"]]],
        ])
        return ExchangeRecorder(
            classifier: ExchangeClassifier(tenant: tenant), random: SeededGenerator(seed: 1, stream: "faults"),
            isServer: isServer)
    }

    private static let authorize =
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize"
        + "?client_id=11111111-2222-4333-8444-555555555555"

    private static func request(_ text: String = authorize) throws -> RequestMessage {
        .get(try #require(WebURL(text)))
    }

    /// Each context with the number that its exchange gets, in order.
    @Test func `exchanges are numbered in order, and below the one that asked for them`() throws {
        var recorder = try Self.recorder()
        let contexts: [(context: ExchangeContext, number: String)] = [
            (ExchangeContext(), "1"), (ExchangeContext(parent: "1"), "1.1"), (ExchangeContext(parent: "1"), "1.2"),
            (ExchangeContext(parent: "1.2"), "1.2.1"), (ExchangeContext(), "2"), (ExchangeContext(number: "7"), "7"),
            (ExchangeContext(number: "3"), "3"), (ExchangeContext(), "8"),
        ]
        for row in contexts {
            let exchange = recorder.begin(try Self.request(), row.context, at: Self.now).exchange
            #expect(exchange.number == row.number && exchange.context.number == row.number)
        }
        recorder.passed(20)
        recorder.passed(10)
        recorder.forgetNested(of: "1")
        #expect(recorder.begin(try Self.request(), ExchangeContext(), at: Self.now).exchange.number == "21")
        #expect(recorder.begin(try Self.request(), ExchangeContext(parent: "1"), at: Self.now).exchange.number == "1.1")
    }

    @Test func `a runner names what a request is about, a server when somebody asks`() throws {
        var runner = try Self.recorder()
        let own = runner.begin(try Self.request(), ExchangeContext(), at: Self.now).exchange
        #expect(own.endpoint == "authorize" && own.policy == "susi" && own.context.client == nil)
        var server = try Self.recorder(isServer: true)
        let foreign = server.begin(try Self.request(), ExchangeContext(), at: Self.now).exchange
        #expect(foreign.endpoint.isEmpty && foreign.policy == nil)
        let named = foreign.classified(by: server.classifier, namingClient: true)
        #expect(named.endpoint == "authorize" && named.policy == "susi" && named.context.client == "ios")
        let rules = try FaultRule.rules(from: [["match": ["client": "ios"], "delay": "PT1S"]])
        let group = server.rules.push(rules)
        #expect(server.begin(try Self.request(), ExchangeContext(), at: Self.now).strike != nil)
        let spared = server.begin(try Self.request(), ExchangeContext(), at: Self.now, mayBeChanged: false)
        #expect(spared.strike == nil && spared.exchange.endpoint.isEmpty)
        #expect(server.rules.standing(of: group).map(\.count.met) == [1])
    }

    @Test func `the record shows a request as the rule changed it`() async throws {
        var recorder = try Self.recorder()
        let rules = try FaultRule.rules(
            from: [["match": ["endpoint": "authorize"], "request": ["host": "api.contoso.test", "path": "/x"]]])
        let group = recorder.rules.push(rules)
        var underWay = recorder.begin(try Self.request(), ExchangeContext(), at: Self.now)
        #expect(underWay.exchange.request.url.host == "api.contoso.test" && underWay.exchange.endpoint == "other")
        let answer = await underWay.answer { request, context in
            .response(.text(200, "\(request.url.path) \(context.number ?? "-")"), delay: .seconds(2))
        }
        recorder.note(&underWay)
        underWay.exchange.record(answer.outcome)
        #expect(answer.delay == .seconds(2) && underWay.exchange.response?.text == "/x 1")
        #expect(underWay.exchange.altered && recorder.rules.standing(of: group).map(\.count.fired) == [1])
    }

    @Test func `what is asked of the peer is for one exchange`() async throws {
        var recorder = try Self.recorder(isServer: true)
        recorder.orders.add(PeerOrders(refusal: RefusalOrders(code: "AADB2C90035")), exchange: "5")
        recorder.orders.add(PeerOrders(refusal: RefusalOrders(code: "AADB2C90037")), exchange: "5")
        for (number, code) in [("4", nil), ("5", "AADB2C90037"), ("5", nil)] as [(String, String?)] {
            var underWay = recorder.begin(try Self.request(), ExchangeContext(number: number), at: Self.now)
            var effect = ChangeEffect()
            effect.hold("/b2cError")
            let obeyed = effect
            let answer = await underWay.answer { _, context in
                #expect((context.orders as? PeerOrders)?.refusal?.code == code)
                return .response(.text(400, ""), obeyed: context.orders == nil ? nil : obeyed)
            }
            #expect(underWay.exchange.altered == (code != nil) && (answer.obeyed != nil) == (code != nil))
        }
        recorder.orders.add(PeerOrders(refusal: RefusalOrders(code: "AADB2C90035")), exchange: "6")
        recorder.orders = StandingOrders()
        let last = recorder.begin(try Self.request(), ExchangeContext(number: "6"), at: Self.now)
        #expect(last.context.orders == nil)
    }

    @Test func `a callback is changed as it is handed over`() throws {
        var recorder = try Self.recorder()
        let rules = try FaultRule.rules(
            from: [["match": ["endpoint": "callback"], "request": ["query": ["code": .null]], "copies": 2]])
        let group = recorder.rules.push(rules)
        let url = try #require(WebURL("msauth.com.contoso://auth?code=c"))
        var underWay = recorder.begin(.get(url), ExchangeContext(from: .browser), at: Self.now, as: "callback")
        #expect(underWay.exchange.endpoint == "callback" && underWay.exchange.request.url == url)
        let changed = underWay.sending.callback(url, nil, client: "ios")
        recorder.note(&underWay)
        #expect(changed.url.description == "msauth.com.contoso://auth" && changed.copies == 2)
        #expect(underWay.exchange.altered && recorder.rules.standing(of: group).map(\.count.fired) == [1])
    }
}
