import AuthorityHosting
import Determinism
import HTTPMessages
import JOSE
import JSON
import Synchronization
import TenantFiles
import Testing

/// An authority that publishes discovery documents and keys and nothing else.
final class Documents: Responder {
    private let keyNames: Mutex<[String]>
    private let isDown = Mutex(false)

    init(_ keys: [String]) {
        keyNames = Mutex(keys)
    }

    func publish(_ keys: [String]) { keyNames.withLock { $0 = keys } }
    func fail(_ down: Bool) { isDown.withLock { $0 = down } }

    static let issuer = "https://contoso.b2clogin.com/guid/v2.0/"

    func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        if isDown.withLock({ $0 }) { throw .reset }
        if request.url.path.hasSuffix("openid-configuration") {
            let base = request.url.description.replacing("/v2.0/.well-known/openid-configuration", with: "")
            let issuer = base.contains("/common") ? "https://login.microsoftonline.com/{tenantid}/v2.0" : Self.issuer
            return .json(
                200,
                [
                    "issuer": .string(issuer), "authorization_endpoint": .string(base + "/oauth2/v2.0/authorize"),
                    "token_endpoint": .string(base + "/oauth2/v2.0/token"),
                    "jwks_uri": .string(base + "/discovery/v2.0/keys"),
                ])
        }
        let keys = keyNames.withLock { $0 }.map { TestKeys.named($0).jwk }
        return .json(200, .object(JWKSet(keys: keys).json))
    }
}

/// Protected API.
@Suite struct ProtectedAPITests {
    struct World {
        var tenant: Tenant
        var settings: APISettings
        var documents = Documents(["k1"])
        var transport: Recorder
        var clock = TestClock()
        var api: ProtectedAPI

        init(_ changes: JSONObject = [:], kind: String = "b2c", ownAddresses: OwnAddresses? = nil) throws {
            var entry: JSONObject = [
                "scopes": ["read", "write"],
                "routes": [
                    "/tasks": ["scopes": ["read"], "json": [1, 2]], "/admin": ["scopes": ["admin"]],
                    "/any": [:], "/public": ["anonymous": true, "json": "hello"],
                ],
            ]
            for (key, value) in changes.members { entry[key] = value }
            var file: JSONObject = ["name": "contoso", "kind": .string(kind), "apis": ["tasks": .object(entry)]]
            if kind == "b2c" {
                file["policies"] = [
                    "susi": ["id": "B2C_1_susi"], "edit": ["id": "B2C_1_edit", "type": "profileEditing"],
                ]
            }
            tenant = try Tenant(json: .object(file))
            settings = try #require(tenant.api(named: "tasks"))
            let network = VirtualNetwork()
            network.attach(documents, hosts: tenant.hosts)
            transport = Recorder(network)
            api = ProtectedAPI(
                settings: settings, tenant: tenant, clock: clock, transport: transport, ownAddresses: ownAddresses)
        }

        func token(
            _ claims: JSONObject = [:], key: String = "k1", alg: String = "RS256"
        ) -> String {
            let now = clock.now().secondsSinceEpoch
            var all: JSONObject = [
                "iss": .string(Documents.issuer), "aud": .string(settings.clientId), "exp": .integer(now + 3600),
                "nbf": .integer(now), "scp": "read", "tfp": "B2C_1_susi",
            ]
            all = JSONValue.object(all).merging(patch: .object(claims)).objectValue ?? all
            let signing = TestKeys.named(key)
            let header: JSONObject = ["alg": .string(alg), "kid": .string(signing.kid), "typ": "JWT"]
            switch alg {
            case "none": return JWS.unsigned(header: header, claims: all)
            case "HS256":
                return JWS.signHS256(header: header, claims: all, secret: Array(signing.publicKeyPEM.utf8))
            default: return JWS.sign(header: header, claims: all, key: signing)
            }
        }

        func call(_ path: String = "/tasks", token: String?) async throws -> ResponseMessage {
            var request = RequestMessage.get(try url(settings.baseUrl + path))
            request.headers["Authorization"] = token.map { "Bearer \($0)" }
            return try await api.respond(to: request, ExchangeContext(lane: LaneID(path: [2]), number: "7"))
        }
    }

    /// Of a mock on the network: it was asked as `b2c.example.test`, behind a proxy or by the name of a container.
    @Test(arguments: [
        ("http://localhost:9400/guid/v2.0/", 200), ("https://b2c.example.test/guid/v2.0/", 200),
        ("https://b2c.example.test/other/v2.0/", 401), ("http://b2c.example.test/guid/v2.0/", 401),
        ("https://b2c.example.test:8443/guid/v2.0/", 401), ("https://evil.test/guid/v2.0/", 401),
    ])
    func `an issuer at an address of the mock is the published one with the same path`(issuer: String, status: Int)
        async throws
    {
        let own = OwnAddresses()
        own.note(try url("https://b2c.example.test/guid/B2C_1_susi/oauth2/v2.0/token?x=1"))
        let world = try World(ownAddresses: own)
        let token = world.token(["iss": .string(issuer)])
        #expect(try await world.call(token: token).status == status)
        // One inside a scenario is asked at the tenant's hosts only.
        let closed = try World()
        #expect(try await closed.call(token: token).status == 401)
    }

    @Test(arguments: [
        ("/public", false, 200, "\"hello\""), ("/tasks", true, 200, "[1,2]"), ("/tasks/", true, 200, "[1,2]"),
        ("/any", true, 200, "{}"), ("/tasks", false, 401, ""), ("/admin", true, 403, ""),
        ("/nothing", true, 404, "{\"error\":\"not_found\"}"),
    ])
    func `routes ask for what they say`(path: String, signedIn: Bool, status: Int, body: String) async throws {
        let world = try World()
        let response = try await world.call(path, token: signedIn ? world.token() : nil)
        #expect(response.status == status)
        #expect(response.text == body)
        let challenge = response.headers["WWW-Authenticate"]
        switch status {
        case 401: #expect(challenge == "Bearer")
        case 403:
            let expected = "Bearer error=\"insufficient_scope\", error_description=\"the token needs scope admin and"
            #expect(challenge?.hasPrefix(expected) == true)
            #expect(challenge?.hasSuffix("scope=\"admin\"") == true)
        default: #expect(challenge == nil)
        }
        #expect((response.refusal == nil) == (status == 200))
    }

    @Test func `without routes every path answers`() async throws {
        let world = try World(["routes": [:]])
        #expect(try await world.call("/whatever/path", token: world.token(["scp": "write"])).status == 200)
        #expect(try await world.call("/whatever", token: world.token(["scp": "other"])).status == 403)
    }

    /// What is wrong with a token and what the API says of it.
    static let refusals: [(JSONObject, String, String, String)] = [
        (["aud": "other"], "k1", "RS256", "the audience 'other' is invalid"),
        (["aud": nil], "k1", "RS256", "the audience '' is invalid"),
        (["iss": "https://evil.test/"], "k1", "RS256", "the issuer 'https://evil.test/' is invalid"),
        (["exp": 1_768_478_100], "k1", "RS256", "the token expired at 2026-01-15T11:55:00Z"),
        (["exp": nil], "k1", "RS256", "the token has no expiry"),
        (["nbf": 1_768_478_701], "k1", "RS256", "the token is not valid before 2026-01-15T12:05:01Z"),
        ([:], "k2", "RS256", "the signature key was not found: kid"),
        ([:], "k1", "none", "the algorithm none is not accepted"),
        ([:], "k1", "HS256", "the algorithm HS256 is not accepted"),
    ]

    @Test(arguments: refusals)
    func `a refused token returns invalid_token and the reason`(
        claims: JSONObject, key: String, alg: String, reason: String
    ) async throws {
        let world = try World()
        let response = try await world.call(token: world.token(claims, key: key, alg: alg))
        #expect(response.status == 401)
        #expect(response.refusal?.contains(reason) == true, "\(response.refusal ?? "")")
        let challenge = try #require(response.headers["WWW-Authenticate"])
        #expect(challenge.hasPrefix("Bearer error=\"invalid_token\", error_description=\"\(reason)"))
    }

    @Test(arguments: [(301, false), (300, true), (299, true)])
    func `the edges of the lifetime move with the tolerance`(ago: Int64, good: Bool) async throws {
        let world = try World()
        let now = TestClock.start.secondsSinceEpoch
        // Expired exactly at the tolerance counts as expired.
        let response = try await world.call(token: world.token(["exp": .integer(now - ago + 1)]))
        #expect((response.status == 200) == good)
    }

    @Test func `a tampered token and nonsense are refused`() async throws {
        let world = try World()
        let token = world.token()
        let parts = token.split(separator: ".").map(String.init)
        let forged = "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 1, count: 256)))"
        #expect(try await world.call(token: forged).refusal == "the signature is not valid")
        for text in ["", "x", "a.b.c", "..", String(repeating: "A", count: 5000)] {
            #expect(try await world.call(token: text).status == 401)
        }
    }

    @Test(
        arguments: [
            (["signature": false], [:], "k2", "RS256", nil),
            (["issuer": false], ["iss": "x"], "k1", "RS256", nil),
            (["audience": false], ["aud": "x"], "k1", "RS256", nil),
            (["expiry": false], ["exp": 1], "k1", "RS256", nil),
            (["issuers": ["x"]], ["iss": "x"], "k1", "RS256", nil),
            (["audiences": ["x", "y"]], ["aud": ["z", "y"]], "k1", "RS256", nil),
            (["algorithms": ["RS256", "none"]], [:], "k1", "none", nil),
            (["algorithms": ["RS256", "HS256"]], [:], "k1", "HS256", nil),
            (["algorithms": ["HS256"]], [:], "k2", "HS256", "the signature is not valid"),
            (["policyClaim": ["susi"]], ["tfp": "b2c_1_SUSI"], "k1", "RS256", nil),
            (["policyClaim": ["edit"]], [:], "k1", "RS256", "the policy 'B2C_1_susi' is not accepted"),
            (["policyClaim": ["edit"]], ["tfp": nil, "acr": "b2c_1_edit"], "k1", "RS256", nil),
            (["policyClaim": ["edit"]], ["tfp": nil], "k1", "RS256", "names no policy"),
            (["requireClaims": ["oid"]], [:], "k1", "RS256", "the token has no claim oid"),
            (["requireClaims": ["oid"]], ["oid": "1"], "k1", "RS256", nil),
        ] as [(JSONValue, JSONObject, String, String, String?)])
    func `settings switch checks off or demand more`(
        settings: JSONValue, claims: JSONObject, key: String, alg: String, reason: String?
    ) async throws {
        let world = try World(["validation": settings])
        let response = try await world.call(token: world.token(claims, key: key, alg: alg))
        #expect(response.status == (reason == nil ? 200 : 401))
        if let reason { #expect(response.refusal?.contains(reason) == true, "\(response.refusal ?? "")") }
    }

    /// Requests an API makes for: first call, second, a new key unpublished, the key published, after a restart, and a
    /// day later.
    @Test(arguments: [
        ("onUnknown", [4, 0, 4, 4, 4, 4], [200, 200, 401, 200, 200, 200]),
        ("atStart", [4, 0, 0, 0, 4, 0], [200, 200, 401, 401, 200, 200]),
        ("everyTime", [4, 4, 4, 4, 4, 4], [200, 200, 401, 200, 200, 200]),
    ])
    func `keys are read when they are needed`(mode: String, reads: [Int], statuses: [Int]) async throws {
        let world = try World(["validation": ["keys": .string(mode)]])
        var seenReads: [Int] = []
        var seenStatuses: [Int] = []
        func call(_ key: String) async throws {
            let before = world.transport.exchanges.count
            seenStatuses.append(try await world.call(token: world.token(key: key)).status)
            seenReads.append(world.transport.exchanges.count - before)
        }
        try await call("k1")
        try await call("k1")
        try await call("k2")
        world.documents.publish(["k1", "k2"])
        try await call("k2")
        await world.api.restart()
        try await call("k2")
        world.clock.time.advance(by: .days(1))
        try await call("k2")
        #expect(seenStatuses == statuses)
        #expect(seenReads == reads)
    }

    @Test func `the requests of an API are logged as its own`() async throws {
        let world = try World()
        _ = try await world.call(token: world.token())
        #expect(
            world.transport.urls == [
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/discovery/v2.0/keys",
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit/v2.0/.well-known/openid-configuration",
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit/discovery/v2.0/keys",
            ])
        for exchange in world.transport.exchanges {
            #expect(exchange.context.from == .api)
            #expect(exchange.context.parent == "7")
            #expect(exchange.context.lane == LaneID(path: [2]))
        }
    }

    @Test func `documents that cannot be read are a failure of the API`() async throws {
        let world = try World()
        world.documents.fail(true)
        let response = try await world.call(token: world.token())
        #expect(response.status == 500)
        #expect(response.refusal?.contains("could not be read: reset") == true)
        world.documents.fail(false)
        #expect(try await world.call(token: world.token()).status == 200)
        // Keys that were read once serve on.
        world.documents.fail(true)
        world.clock.time.advance(by: .days(2))
        #expect(try await world.call(token: world.token()).status == 200)
    }

    @Test func `settings change while it runs`() async throws {
        let world = try World()
        #expect(try await world.call(token: world.token()).status == 200)
        let before = world.transport.exchanges.count
        var settings = world.settings
        settings.validation.audiences = ["new"]
        await world.api.configure(settings: settings, tenant: world.tenant, clock: world.clock)
        #expect(try await world.call(token: world.token()).status == 401)
        #expect(try await world.call(token: world.token(["aud": "new"])).status == 200)
        #expect(world.transport.exchanges.count == before)
        settings.validation.metadata = ["susi"]
        await world.api.configure(settings: settings, tenant: world.tenant, clock: world.clock)
        #expect(try await world.call(token: world.token(["aud": "new"])).status == 200)
        #expect(world.transport.exchanges.count == before + 2)
    }

    @Test func `an API has its own clock`() async throws {
        let world = try World()
        let ahead = SkewedClock(world.clock.time, skew: .minutes(66), since: TestClock.start)
        await world.api.configure(settings: world.settings, tenant: world.tenant, clock: ahead)
        #expect(try await world.call(token: world.token()).refusal?.contains("expired") == true)
    }

    @Test func `directory tenants leave the issuer's tenant open`() async throws {
        let world = try World(kind: "workforce")
        let issuer = "https://login.microsoftonline.com/abc/v2.0"
        #expect(try await world.call(token: world.token(["iss": .string(issuer), "tid": "abc"])).status == 200)
        #expect(try await world.call(token: world.token(["iss": .string(issuer), "tid": "other"])).status == 401)
        #expect(
            world.transport.urls.first
                == "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration")
    }
}
