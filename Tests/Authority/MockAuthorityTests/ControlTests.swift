import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

@Suite struct ControlTests {
    private func mint(_ order: MintOrder, in world: inout TestWorld) -> JWS? {
        let decision = world.authority.handle(.command(.mint(order)), at: world.now)
        guard case .answered(.value(let value)) = decision.reply else { return nil }
        return value["token"]?.stringValue.flatMap { JWS(compact: $0) }
    }

    @Test func `tokens are minted`() throws {
        var world = try TestWorld()
        let token = try #require(try world.tokens()["id_token"]?.stringValue)
        let known = try #require(
            mint(MintOrder(from: token, claims: ["name": "Eve"], lifetime: .minutes(5)), in: &world))
        #expect(known.verify(with: TestKeys.named("k1").jwk))
        #expect(known.claims?["name"] == "Eve")
        #expect(known.claims?["exp"] == .integer(world.now.secondsSinceEpoch + 300))
        let keys = try #require(world.send(.get(try world.url(.keys))).json.flatMap { JWKSet(json: $0) })
        let unknown = try #require(mint(MintOrder(from: token, key: "somebody"), in: &world))
        guard case .failure = unknown.verify(in: keys) else {
            Issue.record("a key that nobody publishes was accepted")
            return
        }
        let altered = try #require(mint(MintOrder(from: token, tamper: .signature), in: &world))
        #expect(!altered.verify(with: TestKeys.named("k1").jwk))
        let payload = try #require(mint(MintOrder(from: token, tamper: .payload), in: &world))
        #expect(!payload.verify(with: TestKeys.named("k1").jwk))
        #expect(mint(MintOrder(from: token, algorithm: .none), in: &world)?.header["alg"] == "none")
        #expect(mint(MintOrder(from: token, algorithm: .hs256), in: &world)?.header["alg"] == "HS256")
    }

    /// Orders are for one exchange: the next is answered as ever, and orders for one that never came change nothing.
    @Test func `orders of a fault rule hold for one exchange`() throws {
        var world = try TestWorld()
        func order(_ orders: PeerOrders, _ exchange: String) {
            _ = world.authority.handle(.command(.obey(orders, exchange: exchange)), at: world.now)
        }
        func ask(_ exchange: String) throws -> ResponseMessage? {
            let request = RequestMessage.get(try world.url(.keys))
            guard
                case .send(let draft, _) = world.authority.handle(
                    .request(request, ExchangeID(exchange)), at: world.now
                ).reply
            else { return nil }
            return render(draft)
        }
        order(PeerOrders(refusal: RefusalOrders(code: "AADB2C90035")), "7")
        for number in 0..<2000 {
            order(PeerOrders(refusal: RefusalOrders(code: "AADB2C90035")), "never \(number)")
        }
        order(PeerOrders(refusal: RefusalOrders(code: "AADB2C90035")), "8")
        #expect(try ask("9")?.status == 200)
        let refused = try #require(try ask("8"))
        #expect(refused.status == 400 && code(in: refused.json?["error_description"]?.stringValue) == "AADB2C90035")
        #expect(try ask("8")?.status == 200)
        #expect(try ask("7")?.status == 200, "old orders are dropped, not kept for ever")
    }

    @Test(arguments: [
        (RefusalOrders(code: "AADB2C90035"), "AADB2C90035: The service is"),
        (RefusalOrders(code: "AADB2C90035", description: "Come back."), "AADB2C90035: Come back."),
        (RefusalOrders(code: "AADB2C90035", description: "AADB2C90035: Come back."), "AADB2C90035: Come back."),
        (RefusalOrders(code: "AADB2C99999"), "AADB2C99999: An exception has occurred."),
    ])
    func `refusals have the words of the service`(_ order: RefusalOrders, _ headline: String) {
        #expect(Refusal(ordered: order).headline.hasPrefix(headline))
    }

    @Test func `a world is inspected`() throws {
        var world = try TestWorld()
        _ = try world.code()
        func inspect(_ state: InspectedState) -> JSONValue? {
            guard
                case .answered(.value(let value)) = world.authority.handle(.command(.inspect(state)), at: world.now)
                    .reply
            else { return nil }
            return value
        }
        #expect(inspect(.users)?["ada"]?["email"] == "ada@example.test")
        #expect(inspect(.keys)?["service"]?["kid"]?.stringValue == TestKeys.named("k1").kid)
        #expect(inspect(.sessions)?.arrayValue?.count == 1)
        #expect(inspect(.inbox)?.arrayValue?.isEmpty == true)
    }

    @Test func `directory changes by patch`() throws {
        var world = try TestWorld()
        try world.configure(["users": ["eve": ["email": "eve@example.test", "password": "Evening-2026"]]])
        let end = try world.signIn(on: try world.authorize(), "eve@example.test", "Evening-2026")
        #expect(end.location?.queryItems["code"] != nil)
        try world.configure(["users": ["eve": ["accountEnabled": false]]])
        let page = try #require(PageSettings.read(html: try world.authorize("ios", [("prompt", "login")]).text))
        let answer = try world.post(
            page, "SelfAsserted",
            [
                "request_type": "RESPONSE", page.fields[0].id: "eve@example.test", page.fields[1].id: "Evening-2026",
            ])
        #expect(answer.json?["errorCode"] == "AADB2C90111")
    }

    @Test func `events say what happened`() throws {
        var world = try TestWorld()
        _ = try world.code()
        #expect(world.events.contains { if case .traced = $0 { true } else { false } })
        _ = try world.authorize("ios", [("prompt", "none"), ("scope", nil)])
        let refused = world.events.contains {
            if case .refused(_, let reason) = $0 { reason.contains("scope") } else { false }
        }
        #expect(refused)
    }
}
