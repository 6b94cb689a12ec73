import B2CProtocol
import JSON
import Testing

@testable import MockAuthority

/// What a sign-in costs in a tenant of many policies.
@Suite struct TenantLengthTests {
    private func policies(_ count: Int) -> JSONValue {
        .object(JSONObject((0..<count).map { ("p\($0)", ["id": .string("B2C_1_p\($0)")] as JSONValue) }))
    }

    @Test func `a sign-in works with its own policy and with the keys of the tenant`() throws {
        for count in [100, 200] {
            var world = try TestWorld(patch: ["policies": policies(count)])
            #expect(world.authority.configuration.hostedPolicies == 0)
            let tokens = try world.tokens(policy: "B2C_1_p\(count - 1)")
            let refreshed = try world.token(
                policy: "B2C_1_p\(count - 1)",
                [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue)])
            #expect(refreshed.status == 200, "\(refreshed.text)")
            #expect(world.authority.configuration.hostedPolicies == 1)
            #expect(world.authority.configuration.grantHeaders.count == 1)
        }
    }

    @Test func `headers of grants are those of all policies`() throws {
        var world = try TestWorld(
            patch: ["keySets": ["grants": ["use": "g2", "publish": ["g2", "grants"]]]],
            custom: [try CustomPolicies.hint()])
        let configuration = world.authority.configuration
        let all = Set(configuration.policies.flatMap(\.grantKeys).map(\.header))
        #expect(configuration.grantHeaders == all)
        #expect(all.allSatisfy { configuration.opens(grantHeader: $0) })
        #expect(!configuration.opens(grantHeader: "eyJraWQiOiJ4In0"))
        // The Kelvin sign is equal to a K in a set of texts, and is in no header.
        for header in all where header.contains("K") {
            #expect(!configuration.opens(grantHeader: header.replacing("K", with: "\u{212A}")))
        }
        _ = try world.tokens()
    }
}
