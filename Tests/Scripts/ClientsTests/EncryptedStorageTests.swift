import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JSON
import Testing

/// MSAL.js 4: local storage that is encrypted with a key in a session cookie.
@Suite struct EncryptedStorageTests {
    private func stage(_ more: JSONValue = [:], keychain: Keychain = Keychain(), seed: UInt64 = 1) throws -> Stage {
        let settings: JSONValue = [
            "kind": "msal-browser", "storage": "local", "storageEncrypted": true,
            "checks": ["nonce": "off", "audience": false],
        ]
        return try Stage(
            patch: Stage.client(settings.merging(patch: more)).merging(patch: ["browser": ["cors": false]]),
            keychain: keychain, seed: seed, name: "tab\(seed)")
    }

    private func accounts(_ stage: Stage) async -> Int? {
        await stage.client.accounts().result?["accounts"]?.arrayValue?.count
    }

    enum Move: String, CaseIterable {
        case nothing, reload, close, cookies, cookiesAndReload, wipeAndClose
    }

    /// How many accounts are left, and how many a reload finds after the next sign-in.
    static let moves: [(move: Move, client: JSONValue, left: Int, then: Int)] = [
        (.nothing, [:], 1, 1), (.reload, [:], 1, 1), (.close, [:], 0, 1),
        // The page that is loaded has read the key: it goes on with that key, which no later page finds.
        (.cookies, [:], 1, 0), (.cookiesAndReload, [:], 0, 1),
        // What is written after the cache was emptied is encrypted as well.
        (.wipeAndClose, [:], 0, 1),
        (.close, ["storageEncrypted": false], 1, 1), (.cookiesAndReload, ["storageEncrypted": false], 1, 1),
        // Session storage is not encrypted and ends by itself.
        (.cookiesAndReload, ["storage": "session", "storageEncrypted": false], 1, 1),
    ]

    @Test(arguments: moves.indices)
    func `without the cookie the cache is lost`(_ index: Int) async throws {
        let row = Self.moves[index]
        let stage = try stage(row.client)
        try await stage.signIn()
        switch row.move {
        case .nothing: break
        case .reload: await stage.client.restart()
        case .close: await stage.client.browserClosed()
        case .cookies: await stage.client.cookiesWiped()
        case .cookiesAndReload:
            await stage.client.cookiesWiped()
            await stage.client.restart()
        case .wipeAndClose:
            await stage.client.wipeCache()
            try await stage.signIn()
            await stage.client.browserClosed()
        }
        if row.left == 0 { #expect(await stage.client.newestAccessToken() == nil) }
        #expect(await accounts(stage) == row.left)
        #expect((try await stage.silent().error == nil) == (row.left == 1))
        // The next sign-in is kept under the key that the page has.
        try await stage.signIn()
        await stage.client.restart()
        #expect(await accounts(stage) == row.then)
    }

    @Test func `what goes is in the log of the call that starts the library`() async throws {
        let stage = try stage()
        try await stage.signIn()
        await stage.client.browserClosed()
        let outcome = await stage.client.accounts()
        #expect(outcome.events.contains { $0["type"] == "cacheDelete" && $0["item"] == "refreshToken" })
        #expect(!(await stage.client.accounts()).events.contains { $0["type"] == "cacheDelete" })
    }

    @Test(arguments: [false, true])
    func `a page that is loaded starts the library, with or without an answer to read`(_ hasAnswer: Bool) async throws {
        let stage = try stage(["interaction": "redirect", "temporaryStorage": "local"])
        try await stage.signIn()
        var url: WebURL?
        if hasAnswer {
            guard
                case .browse(_, let session) = try await stage.client.acquireToken(
                    InteractiveParameters(), lane: stage.lane)
            else { throw StageError.noBrowser }
            url = WebURL(session.redirectURI + "#code=x&state=" + PercentCoding.encodeComponent(session.state))
        }
        await stage.client.cookiesWiped()
        await stage.client.restart()
        let loaded = try await stage.client.load(at: url, lane: stage.lane)
        #expect(loaded.count("cacheDelete") > 0)
        #expect(await accounts(stage) == (hasAnswer ? 1 : 0))
        #expect(await stage.client.accounts().count("cacheDelete") == 0)
    }

    @Test func `tabs share the key, and another app of the origin that does not encrypt keeps its tokens`() async throws
    {
        let keychain = Keychain()
        let first = try stage(keychain: keychain)
        let tab = try stage(keychain: keychain, seed: 2)
        let plain = try stage(
            ["storageEncrypted": false, "clientId": "99999999-8888-7777-6666-555555555555"], keychain: keychain, seed: 3
        )
        try await first.signIn()
        #expect(await accounts(tab) == 1)
        try await plain.signIn()
        for stage in [first, tab, plain] { await stage.client.browserClosed() }
        #expect(await accounts(first) == 0)
        #expect(await accounts(tab) == 0)
        #expect(await accounts(plain) == 1)
        #expect(try await plain.silent().error == nil)
    }
}
