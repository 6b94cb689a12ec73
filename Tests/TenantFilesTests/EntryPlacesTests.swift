import JSON
import Testing

@testable import TenantFiles

/// Look-ups in lists of a tenant.
@Suite struct EntryPlacesTests {
    private func tenant(_ count: Int) throws -> Tenant {
        func entries(_ entry: (Int) -> JSONValue) -> JSONValue {
            .object(JSONObject((0..<count).map { ("e\($0)", entry($0)) }))
        }
        return try Tenant(json: [
            "name": "contoso",
            "policies": entries { ["id": .string("B2C_1_p\($0)")] },
            "apps": entries { ["platform": ["bundleId": .string("com.contoso.a\($0)")]] },
            "apis": entries { _ in ["scopes": ["read"]] },
            "users": entries { ["email": .string("u\($0)@example.test")] },
        ])
    }

    /// Every entry by its name, and by its id where it has one.
    @Test func `look-ups of all entries take linear work`() throws {
        func looks(_ count: Int) throws -> Int {
            let tenant = try tenant(count)
            let before =
                tenant.policyPlaces.entriesLookedAt + tenant.appPlaces.entriesLookedAt
                + tenant.apiPlaces.entriesLookedAt + tenant.userPlaces.entriesLookedAt
            for number in 0..<count {
                let name = "e\(number)"
                #expect(tenant.policy(named: name)?.id == "B2C_1_p\(number)")
                #expect(tenant.policy(id: "b2c_1_P\(number)")?.name == name)
                let app = try #require(tenant.app(named: name))
                #expect(tenant.app(clientId: app.registration.clientId.uppercased())?.name == name)
                let api = try #require(tenant.api(named: name))
                #expect(tenant.api(clientId: api.clientId.uppercased())?.name == name)
                #expect(tenant.user(named: name)?.email == "u\(number)@example.test")
            }
            return tenant.policyPlaces.entriesLookedAt + tenant.appPlaces.entriesLookedAt
                + tenant.apiPlaces.entriesLookedAt + tenant.userPlaces.entriesLookedAt - before
        }
        let few = try looks(100)
        let many = try looks(200)
        #expect(few >= 700)
        #expect(many <= few * 21 / 10)
    }

    @Test func `a changed list is looked up as it is, and its copy as it was`() throws {
        let tenant = try tenant(2)
        #expect(tenant.policy(id: "B2C_1_p1")?.name == "e1")
        var changed = tenant
        changed.policies[1].id = "B2C_1_other"
        changed.policies.swapAt(0, 1)
        changed.users.removeFirst()
        #expect(changed.policy(id: "b2c_1_OTHER")?.name == "e1" && changed.policy(id: "B2C_1_p1") == nil)
        #expect(changed.policy(named: "e0")?.id == "B2C_1_p0" && changed.user(named: "e0") == nil)
        #expect(tenant.policy(id: "B2C_1_p1")?.name == "e1" && tenant.user(named: "e0") != nil)
    }

    @Test func `the first of two entries with one name or id counts, and names count byte for byte`() throws {
        var tenant = try tenant(3)
        tenant.policies[1].name = "e0"
        tenant.policies[2].id = "b2c_1_P0"
        #expect(tenant.policy(named: "e0")?.id == "B2C_1_p0" && tenant.policy(id: "B2C_1_p0")?.name == "e0")
        tenant.policies[0].name = "caf\u{E9}"
        #expect(tenant.policy(named: "cafe\u{301}") == nil && tenant.policy(named: "caf\u{E9}") != nil)
    }
}
