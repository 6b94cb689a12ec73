import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Testing
import TrustFramework

/// What a tenant of many policies costs where it is played.
@Suite struct CompiledTenantTests {
    private func file(_ count: Int) -> JSONValue {
        [
            "name": "contoso",
            "policies": .object(
                JSONObject((0..<count).map { ("p\($0)", ["id": .string("B2C_1_p\($0)")] as JSONValue) })),
        ]
    }

    /// Twice the policies, and as many are linked: one for all when the tenant is compiled, and the one that a request is
    /// for.
    @Test func `a request links the policy that it is for`() async throws {
        for count in [200, 400] {
            let shelf = PolicyShelf(files: .none)
            let compiled = try CompiledTenant.compile(file(count), shelf: shelf)
            let network = VirtualNetwork()
            let host = AuthorityHost(
                tenant: compiled.tenant, policies: compiled.policies, seed: SeededGenerator(seed: 1),
                clock: TestClock(), callouts: network)
            network.attach(host, hosts: AuthorityHost.hosts(of: compiled.tenant))
            _ = compiled.classifier
            _ = TemplateHost(tenant: compiled.tenant, policies: compiled.policies)
            #expect(shelf.linkedPolicies == 1)
            for _ in 0..<2 {
                let address = AuthorityURLs.endpoint(
                    .discovery, host: compiled.tenant.host, tenantSegment: compiled.tenant.domain,
                    policy: "B2C_1_p\(count - 1)", form: .path)
                let response = try await network.send(.get(url(address)), ExchangeContext())
                #expect(response.status == 200)
                #expect(shelf.linkedPolicies == 2)
            }
        }
    }

    @Test func `a patch of a tenant with many policies links the one that it changes`() throws {
        for count in [200, 400] {
            let shelf = PolicyShelf(files: .none)
            var tenant = try CompiledTenant.compile(file(count), shelf: shelf)
            for policy in tenant.policies { _ = policy.fingerprint }
            #expect(shelf.linkedPolicies == count)
            for turn in 1...3 {
                tenant = try tenant.patched([
                    "policies": ["p7": ["session": ["lifetime": .string("PT\(30 + turn)M")]]],
                    "authority": ["lockout": ["threshold": .integer(Int64(turn))]],
                ])
                for policy in tenant.policies { _ = policy.fingerprint }
                #expect(shelf.linkedPolicies == count + turn)
            }
        }
    }

    @Test func `a patch that makes a policy wrong is refused`() throws {
        let tenant = try CompiledTenant.compile(file(200))
        #expect(throws: (any Error).self) { try tenant.patched(["policies": ["p150": ["claims": ["displayNam"]]]]) }
    }

    /// Each policy with a template at an address of its own.
    @Test func `a request for a template looks at its own address`() async throws {
        func looks(_ count: Int) async throws -> Int {
            let policies = (0..<count).map { number in
                (
                    "p\(number)",
                    [
                        "id": .string("B2C_1_p\(number)"),
                        "template": ["url": .string("https://pages.contoso.test/\(number)/page.html")],
                    ] as JSONValue
                )
            }
            let templates = TemplateHost(
                tenant: try tenant(["name": "contoso", "policies": .object(JSONObject(policies))]))
            let network = VirtualNetwork()
            for address in templates.addresses { network.attach(templates, at: address) }
            for number in 0..<count {
                let address = try url("https://pages.contoso.test/\(number)/page.html")
                #expect(try await network.send(.get(address), ExchangeContext()).status == 200)
            }
            return network.placesLookedAt
        }
        #expect(try await looks(100) == 100)
        #expect(try await looks(200) == 200)
    }
}
