import Determinism
import HTTPMessages
import JSON
import Testing

@testable import Clients

@Suite struct ThrottlingTests {
    typealias Answer = FakeAuthority.Answer

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var answers: [Answer]
        /// Seconds for which equal calls are held back; 0 when they are not.
        var held: Int64
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "429 without Retry-After", answers: [.raw(429, "no")], held: 60),
        Case(name: "429 with seconds", answers: [.raw(429, "no", ["Retry-After": "17"])], held: 17),
        Case(name: "503 twice", answers: [.raw(503, "no"), .raw(503, "no")], held: 60),
        Case(name: "403 with Retry-After", answers: [.raw(403, "no", ["Retry-After": "90"])], held: 90),
        Case(name: "403 without", answers: [.raw(403, "no")], held: 0),
        Case(
            name: "an HTTP date is not understood",
            answers: [.raw(429, "no", ["Retry-After": "Thu, 15 Jan 2026 13:00:00 GMT"])], held: 60),
        Case(
            name: "the library's own date form is",
            answers: [.raw(429, "no", ["Retry-After": "2026-01-15 12:05:00.0000"])],
            held: 300),
        Case(name: "an hour and a half stays", answers: [.raw(429, "no", ["Retry-After": "5400"])], held: 5400),
        Case(
            name: "beyond two hours it is cut to one", answers: [.raw(429, "no", ["Retry-After": "7201"])], held: 3600),
        Case(name: "invalid_grant", answers: [SilentTests.refused], held: 120),
        Case(name: "invalid_scope", answers: [SilentTests.refusal("invalid_scope")], held: 120),
        Case(
            name: "declined scopes, no new refresh token",
            answers: [.tokens(["scope": "openid", "refresh_token": nil])], held: 120),
        Case(
            name: "declined scopes with one: the next request is another", answers: [.tokens(["scope": "openid"])],
            held: 0),
        Case(name: "no network", answers: [.fail(.tls)], held: 0),
        Case(name: "no JSON", answers: [.raw(400, "<html>")], held: 0),
        Case(name: "no client_info", answers: [.tokens(["client_info": nil])], held: 0),
    ]

    @Test(arguments: cases)
    func `a failed refresh holds back equal ones for its time`(row: Case) async throws {
        let stage = try Stage()
        try await stage.signIn()
        let forced = SilentParameters(forceRefresh: true)
        let before = stage.time.now
        stage.authority.change { $0.tokenAnswers = row.answers }
        _ = try await stage.silent(forced)
        let failed = stage.time.now
        stage.authority.forget()
        if row.held > 0 {
            let last = failed + .seconds(row.held - 1)
            stage.time.advance(to: row.name.contains("own date form") ? before + .seconds(row.held - 1) : last)
            #expect(try await stage.silent(forced).count("throttled") == 1)
            #expect(stage.authority.requests.isEmpty)
            stage.time.advance(by: .seconds(2))
        }
        let outcome = try await stage.silent(forced)
        #expect(outcome.count("throttled") == 0)
        #expect(stage.authority.tokenRequests.count == 1)
    }

    @Test func `server delays hold back by token and scope, errors that want the person by every parameter`()
        async throws
    {
        for (answers, claimsMatter) in [([Answer.raw(429, "no")], false), ([SilentTests.refused], true)] {
            let stage = try Stage()
            try await stage.signIn()
            stage.authority.change { $0.tokenAnswers = answers }
            _ = try await stage.silent(SilentParameters(forceRefresh: true))
            let other = try await stage.silent(SilentParameters(scopes: [Stage.write], forceRefresh: true))
            #expect(other.row == .success)
            // The refresh token has changed meanwhile, so the first call is a new one too.
            #expect(try await stage.silent(SilentParameters(forceRefresh: true)).row == .success)

            let again = try Stage()
            try await again.signIn()
            again.authority.change { $0.tokenAnswers = answers }
            _ = try await again.silent(SilentParameters(forceRefresh: true))
            let claims = try await again.silent(SilentParameters(claimsRequest: #"{"access_token":{}}"#))
            #expect((claims.row == .success) == claimsMatter)
        }
    }

    @Test func `a sign-in releases calls that wanted the person`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.authority.change { $0.tokenAnswers = [SilentTests.refused] }
        _ = try await stage.silent(SilentParameters(forceRefresh: true))
        stage.time.advance(by: .seconds(10))
        // The server gives no new refresh token, so the request that was held back stays the same.
        stage.authority.change { $0.tokenAnswers = [.tokens(["refresh_token": nil])] }
        try await stage.signIn()
        #expect(try await stage.silent(SilentParameters(forceRefresh: true)).row == .success)
    }

    @Test func `throttling is of the process, can be switched off, and never meets interactive calls`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.authority.change { $0.tokenAnswers = [.raw(429, "no")] }
        _ = try await stage.silent(SilentParameters(forceRefresh: true))
        #expect(try await stage.acquire().row == .success)
        await stage.client.restart()
        stage.authority.forget()
        #expect(try await stage.silent(SilentParameters(forceRefresh: true)).row == .success)

        let off = try Stage(patch: Stage.client(["throttling": false]))
        try await off.signIn()
        off.authority.change { $0.tokenAnswers = [.raw(429, "no")] }
        #expect(try await off.silent(SilentParameters(forceRefresh: true)).row == .msal(-50000, -42007))
        #expect(try await off.silent(SilentParameters(forceRefresh: true)).row == .success)
    }

    @Test func `a throttled call does not use a token within its extended lifetime`() async throws {
        let stage = try Stage()
        stage.authority.change { $0.tokenAnswer = .tokens(["refresh_in": 600]) }
        try await stage.signIn()
        stage.time.advance(by: .minutes(20))
        stage.authority.change { $0.tokenAnswer = .raw(503, "down") }
        #expect(try await stage.silent().row == .success)
        #expect(try await stage.silent().row == .msal(-50000, -42007))
    }

    @Test func `no more than a thousand requests are remembered`() {
        var cache = ThrottlingCache()
        var error = LibraryError(.serverUnhandledResponse)
        error.httpStatus = 503
        func form(_ number: Int) -> FormItems { ["refresh_token": "\(number)"] }
        for number in 0...ThrottlingCache.limit { cache.learn(error, form(number), now: Stage.start) }
        #expect(cache.holdBack(form(0), now: Stage.start, lastRefresh: nil) == nil)
        #expect(cache.holdBack(form(1), now: Stage.start, lastRefresh: nil) != nil)
        #expect(cache.holdBack(form(ThrottlingCache.limit), now: Stage.start, lastRefresh: nil) != nil)
    }
}
