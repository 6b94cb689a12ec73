import AuthorityHosting
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Testing

/// Graph.
@Suite struct GraphStubTests {
    private let clock = TestClock()
    private let tenant: Tenant

    init() throws {
        tenant = try Tenant(json: [
            "name": "contoso", "kind": "workforce",
            "users": [
                "ada": ["email": "ada@contoso.test", "displayName": "Ada", "jobTitle": "Analyst", "phone": "+441"],
                "pat": ["email": "pat@outlook.test", "displayName": "Pat", "homeTenant": "personal"],
                "fay": ["email": "fay@fabrikam.test", "displayName": "Fay", "homeTenant": "fabrikam"],
                "bo": ["displayName": "Bo"],
            ],
        ])
    }

    private func identity(_ name: String) throws -> WorkforceIdentity {
        try #require(tenant.workforceIdentities.first { $0.user.name == name })
    }

    private func token(_ oid: GUID, _ changes: JSONObject = [:], key: String = "k1") -> String {
        let now = clock.now().secondsSinceEpoch
        let claims: JSONObject = [
            "aud": "00000003-0000-0000-c000-000000000000", "exp": .integer(now + 3600), "nbf": .integer(now),
            "iss": .string("https://sts.windows.net/\(tenant.id)/"), "oid": .string(oid.description),
            "scp": "openid profile User.Read", "tid": .string(tenant.id.description),
        ]
        let changed = JSONValue.object(claims).merging(patch: .object(changes)).objectValue ?? claims
        let key = TestKeys.named(key)
        return JWS.sign(header: ["alg": "RS256", "kid": .string(key.kid)], claims: changed, key: key)
    }

    private func send(_ path: String, _ authorization: String?, method: String = "GET") async throws -> ResponseMessage
    {
        let graph = GraphStub(tenant: tenant, seed: SeededGenerator(seed: 1), clock: clock)
        var request = RequestMessage(method: method, url: try url("https://graph.microsoft.com" + path))
        request.headers["Authorization"] = authorization
        return try await graph.respond(to: request, ExchangeContext())
    }

    @Test(
        arguments: [
            ("ada", "/v1.0/me", "Ada", "ada@contoso.test", "ada@contoso.test"),
            ("ada", "/v1.0/me/", "Ada", "ada@contoso.test", "ada@contoso.test"),
            ("pat", "/v1.0/me", "Pat", nil, "pat@outlook.test"),
            ("fay", "/v1.0/me", "Fay", "fay@fabrikam.test", "fay@fabrikam.test"),
            ("bo", "/v1.0/me", "Bo", nil, "bo@contoso.onmicrosoft.com"),
        ] as [(String, String, String, String?, String)])
    func `work accounts, guests and personal accounts have their profile`(
        name: String, path: String, displayName: String, mail: String?, upn: String
    ) async throws {
        let person = try identity(name)
        let response = try await send(path, "Bearer \(token(person.homeObjectID))")
        #expect(response.status == 200)
        let me = try #require(response.json)
        #expect(me["displayName"]?.stringValue == displayName)
        #expect(me["mail"] == mail.map { .string($0) } ?? .null)
        #expect(me["userPrincipalName"]?.stringValue == upn)
        let id = try #require(me["id"]?.stringValue)
        #expect(id.count == (name == "pat" ? 16 : 36))
        #expect(response.headers["request-id"]?.count == 36)
    }

    @Test func `guests have an object ID here too`() async throws {
        let fay = try identity("fay")
        let here = try #require(fay.objectID(in: tenant.id))
        #expect(here != fay.homeObjectID)
        #expect(fay.objectID(in: fay.homeTenantID) == fay.homeObjectID)
        #expect(fay.objectID(in: WorkforceIdentity.personalTenantID) == nil)
        let response = try await send("/v1.0/me", "Bearer \(token(here))")
        #expect(response.json?["displayName"]?.stringValue == "Fay")
    }

    @Test(arguments: [
        ("none", 401, "InvalidAuthenticationToken", "Access token is empty."),
        ("nonsense", 401, "InvalidAuthenticationToken", "CompactToken parsing failed with error code: 80049217"),
        ("audience", 401, "InvalidAuthenticationToken", "Access token validation failure. Invalid audience."),
        ("key", 401, "InvalidAuthenticationToken", "Access token validation failure. Invalid signature."),
        ("expired", 401, "InvalidAuthenticationToken", "Lifetime validation failed, the token is expired."),
        ("scope", 403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation."),
        ("app", 400, "BadRequest", "/me request is only valid with delegated authentication flow."),
    ])
    func `refusals have Graph's own shape`(what: String, status: Int, code: String, message: String) async throws {
        let ada = try identity("ada").homeObjectID
        let sent: String? =
            switch what {
            case "none": nil
            case "nonsense": "Bearer x.y"
            case "audience": "Bearer \(token(ada, ["aud": "x"]))"
            case "key": "Bearer \(token(ada, key: "k2"))"
            case "expired": "Bearer \(token(ada, ["exp": .integer(clock.now().secondsSinceEpoch)]))"
            case "app": "Bearer \(token(ada, ["scp": .null, "roles": ["User.Read.All"]]))"
            default: "Bearer \(token(ada, ["scp": "openid"]))"
            }
        let response = try await send("/v1.0/me", sent)
        #expect(response.status == status)
        let error = try #require(response.json?["error"])
        #expect(error["code"]?.stringValue == code)
        #expect(error["message"]?.stringValue == message)
        #expect(error["innerError"]?["request-id"]?.stringValue?.count == 36)
        #expect(error["innerError"]?["date"]?.stringValue == "2026-01-15T12:00:00")
        #expect((response.headers["WWW-Authenticate"] != nil) == (status == 401))
        #expect(response.refusal != nil)
    }

    /// The directory of the file, those of its people, and no other.
    @Test(
        arguments: [
            ("contoso", "contoso", true), ("fabrikam", "fabrikam", true), ("personal", "personal", true),
            ("other", "contoso", false), ("contoso", "other", false), ("other", "other", false),
            ("contoso", "fabrikam", false), (nil, "contoso", false), ("contoso", nil, false),
        ] as [(String?, String?, Bool)])
    func `tenant and issuer of a token are checked`(_ tid: String?, _ issuer: String?, _ isTaken: Bool) async throws {
        let ids = [
            "contoso": tenant.id, "fabrikam": try identity("fay").homeTenantID,
            "personal": WorkforceIdentity.personalTenantID, "other": GUID.derived(from: "other"),
        ]
        let changes: JSONObject = [
            "tid": tid.flatMap { ids[$0] }.map { .string($0.description) } ?? .null,
            "iss": issuer.flatMap { ids[$0] }.map { .string("https://sts.windows.net/\($0)/") } ?? .null,
        ]
        let response = try await send("/v1.0/me", "Bearer \(token(try identity("ada").homeObjectID, changes))")
        #expect(response.status == (isTaken ? 200 : 401), "\(response.text)")
        guard !isTaken else { return }
        #expect(response.json?["error"]?["code"] == "InvalidAuthenticationToken")
        #expect(response.json?["error"]?["message"] == "Access token validation failure.")
    }

    @Test(arguments: [
        ("/v1.0/users", "GET", 501), ("/v1.0/me", "PATCH", 501), ("/beta/me", "GET", 501),
        ("/v1.0/me/photo", "GET", 501),
        ("/users", "GET", 404),
    ])
    func `other resources, methods and strangers are refused`(path: String, method: String, status: Int) async throws {
        let response = try await send(path, "Bearer \(token(try identity("ada").homeObjectID))", method: method)
        #expect(response.status == status)
        #expect(response.refusal?.contains("not simulated") == true)
    }

    @Test func `an account that is gone is not found`() async throws {
        let response = try await send("/v1.0/me", "Bearer \(token(GUID.derived(from: "nobody")))")
        #expect(response.status == 404)
        #expect(response.json?["error"]?["code"] == "Request_ResourceNotFound")
    }
}
