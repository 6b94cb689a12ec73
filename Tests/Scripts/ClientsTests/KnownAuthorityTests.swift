import HTTPMessages
import JSON
import TenantFiles
import Testing

@testable import Clients

/// An app that lists all authorities of its tenant as known names each policy once, however often it is asked.
@Suite struct KnownAuthorityTests {
    private func configuration(policies count: Int) throws -> ClientConfiguration {
        let policies = (0..<count).map { ("p\($0)", ["id": .string("B2C_1_p\($0)"), "type": "signIn"] as JSONValue) }
        let app: JSONValue = [
            "client": ["kind": "msal-ios", "policy": "p0"], "platform": ["bundleId": "com.contoso.tasks"],
        ]
        let tenant = try Tenant(
            json: ["name": "contoso", "policies": .object(JSONObject(policies)), "apps": ["ios": app]])
        return ClientConfiguration(
            tenant: tenant, app: try #require(tenant.app(named: "ios")), device: tenant.device)
    }

    /// Asks about each policy, as a script does that signs in at each.
    private func steps(policies count: Int) throws -> Int {
        let configuration = try configuration(policies: count)
        for index in 0..<count {
            let asked = try configuration.authority(AuthorityChoice(policy: "p\(index)")).get()
            #expect(configuration.knownAuthorities().contains(try #require(asked)))
        }
        let other = try #require(WebURL("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_other"))
        #expect(!configuration.knownAuthorities().contains(.b2c(other)))
        return configuration.known.steps
    }

    @Test func `calls at twice the policies take twice the work`() throws {
        let few = try steps(policies: 50)
        let many = try steps(policies: 100)
        #expect(few >= 50)
        #expect(many < few * 21 / 10)
    }
}
