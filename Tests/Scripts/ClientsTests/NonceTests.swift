import Clients
import JSON
import TenantFiles
import Testing

/// Which nonce a client compares, at sign-in and after a refresh.
@Suite struct NonceTests {
    /// A nonce in an ID token.
    enum Nonce: Sendable {
        case sent, other, absent
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var check: NonceCheck?
        var atSignIn: Nonce = .sent
        var refreshed: Nonce = .sent
        var isRefused: Bool

        var testDescription: String {
            "\(check.map(\.rawValue) ?? "default"), \(atSignIn) at sign-in, \(refreshed) after the refresh"
        }
    }

    static let rows: [Row] = [
        Row(check: .off, refreshed: .other, isRefused: false),
        Row(check: .atSignIn, refreshed: .other, isRefused: false),
        Row(check: .atSignIn, refreshed: .absent, isRefused: false),
        Row(refreshed: .other, isRefused: false),
        Row(check: .ifPresent, refreshed: .sent, isRefused: false),
        Row(check: .ifPresent, refreshed: .absent, isRefused: false),
        Row(check: .ifPresent, refreshed: .other, isRefused: true),
        Row(check: .ifPresent, atSignIn: .absent, refreshed: .other, isRefused: false),
        Row(check: .required, refreshed: .sent, isRefused: false),
        Row(check: .required, refreshed: .absent, isRefused: true),
        Row(check: .required, refreshed: .other, isRefused: true),
    ]

    private func answer(_ stage: Stage, _ nonce: Nonce, sent: String?) {
        let value: JSONValue? =
            switch nonce {
            case .sent: sent.map { .string($0) }
            case .other: "another"
            case .absent: nil
            }
        var claims: JSONObject = ["exp": .integer(4_000_000_000)]
        claims["nonce"] = value
        let token = FakeAuthority.idToken(policy: "B2C_1_susi", extra: claims)
        stage.authority.change { $0.tokenAnswer = .tokens(["id_token": .string(token)]) }
    }

    @Test(arguments: rows, [ClientKind.msalBrowser, .appAuth, .web, .msalIOS])
    func `the nonce is checked after a refresh if a check says so`(_ row: Row, _ kind: ClientKind) async throws {
        var checks: JSONObject = ["issuer": false, "audience": false, "expiry": false, "issuedAtWindow": "off"]
        if let check = row.check { checks["nonce"] = .string(check.rawValue) }
        let stage = try Stage(
            patch: Stage.client([
                "kind": .string(kind.rawValue), "checks": .object(checks), "singleFlight": false,
            ]).merging(patch: ["browser": ["cors": false]]))
        guard
            case .browse(let request, let session) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else { throw StageError.noBrowser }
        let sent = request.url.queryItems["nonce"]
        answer(stage, row.atSignIn, sent: sent)
        let signedIn = try await stage.client.finish(
            session, try stage.end(session, .code("the-code")), lane: stage.lane)
        #expect(signedIn.error == nil)
        answer(stage, row.refreshed, sent: sent)
        let outcome = try await stage.silent(SilentParameters(forceRefresh: true))
        #expect((outcome.error != nil) == row.isRefused, "\(String(describing: outcome.error))")
        if row.isRefused { #expect(outcome.error?.kind == .invalidResponse) }
    }

    /// Libraries that send a nonce refuse an answer to a code without it, whatever they do later.
    @Test(arguments: [ClientKind.msalBrowser, .appAuth, .web])
    func `the nonce is checked at sign-in by default`(_ kind: ClientKind) async throws {
        #expect(kind.traits.checks.nonce == .atSignIn)
        let stage = try Stage(
            patch: Stage.client([
                "kind": .string(kind.rawValue),
                "checks": ["issuer": false, "audience": false, "expiry": false, "issuedAtWindow": "off"],
            ]).merging(patch: ["browser": ["cors": false]]))
        #expect(try await stage.acquire().error?.kind == .invalidResponse)
    }
}
