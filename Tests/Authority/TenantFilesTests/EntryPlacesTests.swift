import JSON
import Synchronization
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

    @Test func `every entry is found by its name, and by its id in any letter case`() throws {
        let tenant = try tenant(9)
        for number in 0..<9 {
            let name = "e\(number)"
            #expect(tenant.policy(named: name)?.id == "B2C_1_p\(number)")
            #expect(tenant.policy(id: "b2c_1_P\(number)")?.name == name)
            let app = try #require(tenant.app(named: name))
            #expect(tenant.app(clientId: app.registration.clientId.uppercased())?.name == name)
            let api = try #require(tenant.api(named: name))
            #expect(tenant.api(clientId: api.clientId.uppercased())?.name == name)
            #expect(tenant.user(named: name)?.email == "u\(number)@example.test")
        }
    }

    @Test func `a list is read once, however much is looked up in it`() {
        let read = Mutex(0)
        let places = EntryPlaces<String>(
            name: { entry in
                read.withLock { $0 += 1 }
                return entry
            }, id: { "id-\($0)" })
        let list = (0..<100).map { "e\($0)" }
        for entry in list {
            #expect(places.first(named: entry, in: list) == entry)
            #expect(places.first(id: "ID-\(entry)", in: list) == entry)
        }
        let count = read.withLock { $0 }
        #expect(count == list.count)
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
