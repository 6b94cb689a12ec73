import B2CTesting
import Foundation
import Testing

@testable import TasksApp

/// The app's own code against a tenant in this process.
@Suite struct SignInTests {
    private func app(_ tenant: TestTenant) throws -> SignIn {
        SignIn(
            authority: try tenant.authority(), clientID: try tenant.clientID(), redirectURI: try tenant.redirectURI(),
            scopes: try tenant.scopes(), session: tenant.session, now: { tenant.now })
    }

    @Test func `somebody signs in`() async throws {
        let tenant = try await TestTenant()
        let app = try app(tenant)
        try await app.finish(try await tenant.signIn(as: "ada", at: await app.address()))
        #expect(try await app.accessToken().split(separator: ".").count == 3)
    }

    @Test func `somebody signs up with the code from the inbox`() async throws {
        let tenant = try await TestTenant()
        let app = try app(tenant)
        try await app.finish(try await tenant.signIn(as: "nina", at: await app.address()))
        #expect(try await !app.accessToken().isEmpty)
        #expect(tenant.inbox(of: "nina").last?.code?.count == 6)
    }

    @Test func `an expired token is replaced, until the refresh token has expired too`() async throws {
        let tenant = try await TestTenant()
        let app = try app(tenant)
        try await app.finish(try await tenant.signIn(as: "ada", at: await app.address()))
        let first = try await app.accessToken()
        tenant.advance(by: 3600)
        let second = try await app.accessToken()
        #expect(first != second)
        tenant.advance(by: 15 * 24 * 3600)
        await #expect(throws: SignInError.interactionRequired) { try await app.accessToken() }
        // From then on the app asks the person.
        await #expect(throws: SignInError.interactionRequired) { try await app.accessToken() }
    }

    @Test func `a callback of another sign-in is refused`() async throws {
        let tenant = try await TestTenant()
        let (one, other) = (try app(tenant), try app(tenant))
        let callback = try await tenant.signIn(as: "ada", at: await one.address())
        _ = await other.address()
        await #expect(throws: SignInError.notAsked) { try await other.finish(callback) }
        try await one.finish(callback)
        await #expect(throws: SignInError.notAsked) { try await one.finish(callback) }
    }

    @Test func `the server is down`() async throws {
        let tenant = try await TestTenant()
        let app = try app(tenant)
        let callback = try await tenant.signIn(as: "ada", at: await app.address())
        tenant.faults.fail(at: "/token", with: .status(503))
        await #expect(throws: SignInError.unavailable) { try await app.finish(callback) }
        try await app.finish(try await tenant.signIn(as: "ada", at: await app.address()))
        tenant.advance(by: 3600)
        tenant.faults.fail(at: "/token", with: .offline)
        await #expect(throws: SignInError.unavailable) { try await app.accessToken() }
        #expect(try await !app.accessToken().isEmpty)
    }
}
