import Determinism
import JSON
import Journeys
import Testing

@Suite struct GrantTests {
    private func token(_ world: World) throws -> RefreshIdentity {
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        return try #require(run.issuance?.refresh)
    }

    /// What a user flow put into its tokens is what their refreshed ones have (docs/bugs.md, B77).
    @Test func `a refresh of a user flow copies the claims`() throws {
        let world = try World(flow: [:])
        let identity = try token(world)
        let start = world.now
        world.advance(.hours(2))
        world.tenancy.directory.configure(
            person: "ada", patch: ["displayName": "Countess"],
            tenant: world.tenant, at: world.now)
        let run = world.begin("flow", .refresh) { $0.refresh = identity }
        #expect(run.claims["name"] == "Ada")
        #expect(run.issuance?.authTime == start)
        #expect(run.issuance?.session == nil)
        #expect(run.issuance?.refresh?.issuedAt == world.now)
        #expect(run.steps == [])
        // Only another pass through the policy reads the directory.
        let again = world.begin()
        again.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(again.claims["name"] == "Countess")
    }

    @Test func `a revoked or deleted account cannot refresh`() throws {
        let world = try World(flow: [:])
        let identity = try token(world)
        world.tenancy.directory.configure(
            person: "ada", patch: ["password": "Another-1234"], tenant: world.tenant, at: world.now)
        let revoked = world.begin("flow", .refresh) { $0.refresh = identity }
        #expect(revoked.failure?.code?.id == "AADB2C90129")
        #expect(revoked.failure?.kind == .redirect(error: "invalid_grant"))
        world.tenancy.directory.configure(person: "ada", patch: nil, tenant: world.tenant, at: world.now)
        let deleted = world.begin("flow", .refresh) { $0.refresh = identity }
        #expect(deleted.failure?.code?.id == "AADB2C90128")
    }

    @Test func `a policy without refresh journey copies the claims`() throws {
        let world = try World(xml: [Inline.policy(claims: ["displayName": "string"], outputs: ["displayName"])])
        var identity = RefreshIdentity(
            identity: "11111111-1111-1111-1111-111111111111", claimType: "sub", issuedAt: world.now,
            authTime: world.now)
        identity.claims = [KeptClaim("displayName", .text("Ada"))]
        let run = world.begin("flow", .refresh) { $0.refresh = identity }
        #expect(run.claims["displayName"] == "Ada")
    }

    @Test func `the password grant signs in without pages`() throws {
        let world = try World(flow: ["type": "ropc"])
        let run = world.begin("flow", .password) {
            $0.username = "ada@example.test"
            $0.password = "Analytical-1843"
        }
        #expect(run.claims["name"] == "Ada")
        #expect(run.issuance?.session == nil)
        let wrong = world.begin("flow", .password) {
            $0.username = "ada@example.test"
            $0.password = "wrong"
        }
        #expect(wrong.failure?.code?.id == "AADB2C90225")
        #expect(wrong.failure?.kind == .redirect(error: "access_denied"))
        let unknown = world.begin("flow", .password) {
            $0.username = "nobody@example.test"
            $0.password = "wrong"
        }
        #expect(unknown.failure?.code?.id == "AADB2C90225")
    }

    @Test func `a page in a journey without browser is an error`() throws {
        let world = try World(flow: [:])
        let run = world.begin("flow", .password)
        #expect(run.failure?.kind == .redirect(error: "server_error"))
        #expect(run.failure?.detail.contains("browser") == true)
    }

    @Test func `client credentials issue no claims of a person`() throws {
        let world = try World(flow: [:])
        let run = world.begin("flow", .clientCredentials)
        #expect(run.issuance?.objectID == nil)
        #expect(run.issuance?.refresh == nil)
    }
}
