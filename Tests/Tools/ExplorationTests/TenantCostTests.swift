import Testing
import TrustFramework

@testable import Exploration

/// What sign-ins cost in a tenant, against the table of "Microsoft docs: service-limits".
struct TenantCostTests {
    private func costs(_ type: String) throws -> [Int] {
        let exploration = try Explorer.explore(try ExplorerTests.flow(["type": .string(type)]))
        return exploration.costs.map(\.cost.requests)
    }

    @Test func `a combined page costs two requests, a sign-up with a verified address six, a token one more`() throws {
        let costs = try costs("signUpOrSignIn")
        // With a session there is no page.
        #expect(costs == [1, 3, 7])
    }

    @Test func `a password reset verifies the address and sets the password`() throws {
        #expect(try costs("passwordReset").contains(7))
    }

    @Test func `tokens a second are what the limit of a tenant allows`() {
        var cost = TenantCost()
        #expect(cost.requests == 0)
        cost.add(.selfAsserted, "page")
        cost.add(.selfAsserted, "page")
        cost.add(.phoneFactor, "phone")
        cost.add(.verification, "email")
        cost.add(.identityProvider, "provider")
        cost.add(.token, "token")
        #expect(cost.requests == 11)
        #expect(cost.perSecond == "18")
        #expect(cost.json["tokensPerSecond"] == 18.1)
        #expect(TenantCost.limits.contains("200 requests a second") && TenantCost.limits.contains("service-limits"))
    }
}
