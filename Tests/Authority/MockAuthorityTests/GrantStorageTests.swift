import Determinism
import HTTPMessages
import JSON
import Journeys
import Testing

@testable import MockAuthority

/// What stays in memory of a sign-in.
@Suite struct GrantStorageTests {
    private func refresh(_ world: inout TestWorld, _ token: String?) throws -> JSONValue {
        let answer = try world.token("ios", [("grant_type", "refresh_token"), ("refresh_token", token)])
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    @Test func `a redeemed code leaves its mark only`() throws {
        var world = try TestWorld()
        for count in 1...3 {
            _ = try world.tokens()
            #expect(world.authority.codes.count == 0)
            #expect(world.authority.spentCodes.count == count)
            #expect(world.authority.refreshTokens.count == count)
        }
        world.now += .hours(25)
        _ = try world.authorize()
        #expect(world.authority.spentCodes.count == 0)
    }

    /// Also while the sweep has not come to it: eight at a time go, and twenty wait.
    @Test func `an expired code leaves its mark only`() throws {
        var world = try TestWorld()
        let codes = try (0..<20).map { _ in try world.code() }
        #expect(world.authority.codes.count == 20)
        world.now += .minutes(11)
        for (index, code) in codes.reversed().enumerated() {
            let answer = try world.token(
                "ios", [("grant_type", "authorization_code"), ("code", code), ("code_verifier", TestWorld.verifier)])
            let text = try #require(answer.json?["error_description"]?.stringValue)
            #expect(text.hasPrefix("AADB2C90080:"))
            #expect(answer.refusal == "the code is older than authority.codeLifetime", "\(index)")
            #expect(world.authority.codes.count + world.authority.spentCodes.count == 20)
        }
        #expect(world.authority.codes.count == 0)
    }

    /// A thousand refreshes push out redeemed tokens, and never the last one of another sign-in.
    @Test func `redeemed refresh tokens are apart`() throws {
        var world = try TestWorld()
        let other = try world.tokens()["refresh_token"]?.stringValue
        world.jar = CookieJar()
        let first = try world.tokens()["refresh_token"]?.stringValue
        var token = first
        for count in 1...5 {
            token = try refresh(&world, token)["refresh_token"]?.stringValue
            #expect(world.authority.refreshTokens.count == 2)
            #expect(world.authority.spentRefreshTokens.count == count)
        }
        // A redeemed one is good again unless the policy rejects that.
        _ = try refresh(&world, first)
        _ = try refresh(&world, other)
    }

    @Test func `sign-ins of one person share what is equal`() throws {
        var world = try TestWorld()
        for _ in 0..<2 {
            world.jar = CookieJar()
            world.now += .minutes(1)
            _ = try world.tokens()
        }
        let table = world.authority.refreshTokens
        let grants = table.keysInOrder().compactMap { table.kept($0)?.row }
        try #require(grants.count == 2)
        #expect(grants[0].terms === grants[1].terms)
        /// Where the texts are that are too long for a place in their list.
        func addresses(_ claims: [KeptClaim]) -> [UnsafeRawPointer] {
            claims.compactMap(\.value.text).filter { $0.utf8.count > 15 }.compactMap { text in
                text.utf8.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
            }
        }
        let texts = grants.map {
            addresses($0.identity.claims) + addresses([KeptClaim("", .text($0.identity.identity))])
        }
        // The identity is the text of a claim.
        #expect(!texts[0].isEmpty && texts[0] == texts[1] && texts[0].dropLast().contains(texts[0][texts[0].count - 1]))
        #expect(grants[0].issuedAt != grants[1].issuedAt)
        let sessions = world.authority.tenancy.sessions
        let entries = sessions.ids.compactMap { sessions[$0]?.entries.first?.claims }
        try #require(entries.count == 2 && !entries[0].isEmpty)
        #expect(!addresses(entries[0]).isEmpty && addresses(entries[0]) == addresses(entries[1]))
    }
}
