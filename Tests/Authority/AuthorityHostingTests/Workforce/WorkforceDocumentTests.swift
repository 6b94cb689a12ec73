import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Testing

/// Directory tenant: documents.
@Suite struct WorkforceDocumentTests {
    @Test(arguments: [
        ("common", "{tenantid}", "common"), ("Organizations", "{tenantid}", "organizations"),
        ("consumers", "9188040d-6c67-4c5b-b112-36a304b66dad", "consumers"),
        ("contoso.onmicrosoft.com", "ID", "ID"), ("ID", "ID", "ID"), ("fabrikam.onmicrosoft.com", "FAB", "FAB"),
    ])
    func `metadata name the tenant as the address does`(segment: String, issuer: String, endpoints: String) async throws
    {
        let world = try WorkforceWorld()
        func filled(_ text: String) throws -> String {
            text == "ID"
                ? world.tenant.id.description
                : text == "FAB" ? try world.person("fay").homeTenantID.description : text
        }
        let response = try await world.send(
            .get(world.address("/\(try filled(segment))/v2.0/.well-known/openid-configuration")))
        let document = try #require(response.json.flatMap { DiscoveryDocument(json: $0) })
        let base = "https://login.microsoftonline.com/\(try filled(endpoints))"
        #expect(document.issuer == "https://login.microsoftonline.com/\(try filled(issuer))/v2.0")
        #expect(document.authorizationEndpoint == base + "/oauth2/v2.0/authorize")
        #expect(document.tokenEndpoint == base + "/oauth2/v2.0/token")
        #expect(document.endSessionEndpoint == base + "/oauth2/v2.0/logout")
        #expect(document.jwksURI == base + "/discovery/v2.0/keys")
        #expect(document.responseTypesSupported == ["code"])
    }

    @Test func `keys verify tokens, and roll over`() async throws {
        let world = try WorkforceWorld()
        func keys() async throws -> JWKSet {
            let response = try await world.send(.get(world.address("/common/discovery/v2.0/keys")))
            return try #require(response.json.flatMap { JWKSet(json: $0) })
        }
        let old = try #require(JWS(compact: try await world.tokens()["id_token"]?.stringValue ?? ""))
        let first = try await keys()
        #expect(throws: Never.self) { try old.verify(in: first).get() }
        try await world.configure(["keySets": ["service": ["use": "k2", "publish": ["k1", "k2"]]]])
        let new = try #require(JWS(compact: try await world.tokens()["id_token"]?.stringValue ?? ""))
        #expect(new.header["kid"]?.stringValue == TestKeys.named("k2").kid)
        let second = try await keys()
        #expect(second.keys.count == 2)
        #expect(throws: Never.self) { try new.verify(in: second).get() }
        #expect(throws: JOSEError.unknownKey(kid: TestKeys.named("k2").kid)) { try new.verify(in: first).get() }
    }

    @Test(arguments: [
        ("https://login.microsoftonline.com/common/oauth2/v2.0/authorize", 200),
        ("https://login.windows.net/contoso.onmicrosoft.com/oauth2/v2.0/authorize", 200),
        ("https://login.microsoftonline.us/common/oauth2/v2.0/authorize", 200),
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize", 400),
        ("https://login.microsoftonline.com:444/common/oauth2/v2.0/authorize", 400), ("nonsense", 400),
    ])
    func `instance discovery knows Microsoft's clouds and nothing else`(endpoint: String, status: Int) async throws {
        let world = try WorkforceWorld()
        let response = try await world.send(
            .get(
                world.address(
                    "/common/discovery/instance", ["api-version": "1.1", "authorization_endpoint": endpoint])))
        #expect(response.status == status)
        if status == 200 {
            let tenant = endpoint.split(separator: "/")[2]
            let host = endpoint.split(separator: "/")[1]
            #expect(
                response.json?["tenant_discovery_endpoint"]?.stringValue
                    == "https://\(host)/\(tenant)/v2.0/.well-known/openid-configuration")
            let first = response.json?["metadata"]?[0]
            #expect(first?["preferred_network"] == "login.microsoftonline.com")
            #expect(first?["preferred_cache"] == "login.windows.net")
            #expect(first?["aliases"]?.arrayValue?.count == 4)
        } else {
            #expect(response.json?["error"] == "invalid_instance")
            #expect(response.json?["error_codes"] == [50049])
            #expect(WorkforceWorld.code(response) == "50049")
        }
    }

    @Test func `every name of the cloud is a host`() throws {
        #expect(AuthorityHost.hosts(of: try WorkforceWorld().tenant).count == 4)
        #expect(
            AuthorityHost.hosts(of: Tenant(name: "contoso")) == ["contoso.b2clogin.com", "login.microsoftonline.com"])
    }

    @Test(arguments: [
        ("ada@contoso.test", "Managed"), ("x@contoso.onmicrosoft.com", "Managed"), ("who@other.test", "Unknown"),
        ("nonsense", "Unknown"), ("", "Unknown"),
    ])
    func `user realms are answered`(user: String, type: String) async throws {
        let world = try WorkforceWorld()
        let response = try await world.send(.get(world.address("/common/userrealm/\(user)", ["api-version": "1.0"])))
        #expect(response.status == 200)
        #expect(response.json?["account_type"]?.stringValue == type)
    }

    @Test(
        arguments: [
            ("/nowhere.onmicrosoft.com/v2.0/.well-known/openid-configuration", 400, "90002"),
            ("/nowhere/v2.0/.well-known/openid-configuration", 400, "90002"),
            ("/contoso.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration", 404, nil),
            ("/common/oauth2/token", 404, nil), ("/", 404, nil), ("/common", 404, nil),
        ] as [(String, Int, String?)])
    func `what does not exist is not found`(path: String, status: Int, code: String?) async throws {
        let world = try WorkforceWorld()
        let response = try await world.send(.get(world.address(path)))
        #expect(response.status == status)
        #expect(WorkforceWorld.code(response) == code)
        #expect(response.refusal != nil)
    }
}
