import Determinism
import Diagnostics
import HTTPMessages
import JSON
import TestSupport
import Testing

@testable import Clients

/// The cache as a document: what `inspect` shows, MSAL Python's JSON both ways, and what is wrong with a bad one.
@Suite struct CacheDocumentTests {
    static let grace = "9e9e9e9e-0000-4000-8000-000000000001-b2c_1_susi.\(FakeAuthority.tenantID)"

    @Test func `an exported cache is what MSAL Python reads`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
        _ = await stage.client.currentAccount()
        _ = await stage.client.removeAccount(.identifier(Stage.editHome))
        let unified = try #require(try await stage.cache()["unified"])
        try matchGolden(JSONWriter.pretty(unified) + "\n", "exported-cache.json")
    }

    @Test func `lists show the library's own values`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let cache = try await stage.cache()
        let token = try #require(cache["accessTokens"]?[0])
        #expect(token["realm"] == .string(FakeAuthority.tenantID))
        #expect(token["expires_on"] == .string("\(Stage.start.secondsSinceEpoch + 3600)"))
        #expect(token["target"] == .string(Stage.read))
        #expect(cache["accounts"]?[0]?["username"] == .string(MSALAccount.missingUsername))
        #expect(cache["unified", "Account"]?.objectValue?.members.first?.value["username"] == "")
        #expect(cache["refreshTokens"]?[0]?["realm"] == nil)
    }

    /// What MSAL Python 1.39 wrote after it had read `exported-cache.json`, redeemed the refresh token and signed a
    /// second person in (Tests/Conformance/msal_cache_roundtrip.py).
    private func writtenByPython() throws -> JSONValue {
        try JSONParser.parse(try TestFiles.bytes("Tests/Golden/ClientsTests/written-by-msal-python.json"))
    }

    @Test func `a cache of MSAL Python is imported, and silent calls find its tokens`() async throws {
        let stage = try Stage()
        // MSAL Python worked 100 s later; tokens from the future would not be used.
        stage.time.advance(by: .seconds(200))
        _ = try await stage.client.importCache(try writtenByPython(), replacing: false)
        let homes = await stage.client.accounts().result?["accounts"]?.arrayValue?.map { $0["identifier"] }
        #expect(homes == [.string(Stage.home), .string(Self.grace)])
        for (home, token) in [(Stage.home, "python-access"), (Self.grace, "grace-access")] {
            let outcome = try await stage.silent(SilentParameters(account: .identifier(home)))
            #expect(outcome.result?["accessToken", "raw"] == .string(token), "\(String(describing: outcome.error))")
            #expect(outcome.result?["account", "username"] == .string(MSALAccount.missingUsername))
        }
        // The account MSAL Python has never signed in here asks at the domain, the other at the tenant's GUID.
        _ = try await stage.silent(SilentParameters(account: .identifier(Stage.home), forceRefresh: true))
        #expect(stage.authority.tokenRequests.last?.url.path.hasPrefix("/tfp/\(FakeAuthority.tenantID)/") == true)
        #expect(stage.authority.tokenRequests.last?.form?["refresh_token"] == "python-refresh")
    }

    @Test func `signed-out state, URL map and principal are in an object that MSAL Python ignores`() async throws {
        let stage = try Stage()
        _ = try await stage.client.importCache(try writtenByPython(), replacing: false)
        let record = try #require(try await stage.cache()["accountMetadata"]?[0])
        #expect(record["account_metadata_map", Stage.editHome, "sign_in_state"] == "signed_out")
        #expect(
            record["account_metadata_map", Stage.home, "athority_map", "URLMap-", Stage.susi]
                == .string(Stage.susiGUID))
        let outcome = try await stage.silent(SilentParameters(account: .identifier(Stage.editHome)))
        #expect(outcome.row == .msal(-50002))
    }

    @Test func `exporting what was imported gives the same document`() async throws {
        for patch: JSONValue in [[:], Stage.client(["authorityForm": "path"])] {
            let first = try Stage(patch: patch)
            try await first.signIn()
            let exported = try #require(try await first.cache()["unified"])
            let second = try Stage(patch: patch)
            _ = try await second.client.importCache(exported, replacing: true)
            #expect(try await second.cache() == first.cache())
            #expect(try await second.silent().row == .success)
            #expect(second.authority.requests.isEmpty)
            let third = try Stage(patch: patch)
            _ = try await third.client.importCache(try await first.cache(), replacing: true)
            #expect(try await third.cache() == first.cache())
        }
    }

    @Test func `a port is kept inside and left out of the document`() async throws {
        let patch: JSONValue = ["hosts": ["contoso.b2clogin.com:8443"]]
        let stage = try Stage(patch: patch)
        try await stage.signIn()
        let cache = try await stage.cache()
        #expect(cache["accessTokens"]?[0]?["environment"] == "contoso.b2clogin.com:8443")
        let unified = try #require(cache["unified"])
        #expect(unified["AccessToken"]?.objectValue?.members.first?.value["environment"] == "contoso.b2clogin.com")
        let second = try Stage(patch: patch)
        _ = try await second.client.importCache(unified, replacing: false)
        #expect(try await second.cache()["accessTokens"]?[0]?["environment"] == "contoso.b2clogin.com:8443")
        #expect(try await second.silent().row == .success)
    }

    @Test func `import adds, or replaces what was there`() async throws {
        let stage = try Stage()
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "reset")))
        let document = try writtenByPython()
        _ = try await stage.client.importCache(document, replacing: false)
        #expect(await stage.client.accounts().result?["accounts"]?.arrayValue?.count == 3)
        _ = try await stage.client.importCache(document, replacing: true)
        #expect(await stage.client.accounts().result?["accounts"]?.arrayValue?.count == 2)
        await stage.client.wipeCache()
        #expect(await stage.client.accounts().result?["accounts"] == [])
    }

    static let badDocuments: [(JSONValue, Int)] = [
        ([], 1), ("text", 1), (["AccessToken": ["k": ["secret": "s"]]], 1),
        (["accessTokens": [["secret": "s"], 7], "tokens": []], 3),
        (["RefreshToken": ["a": [:], "b": [:]], "Vendor": 7], 2),
        (["accountMetadata": [["client_id": "c", "account_metadata_map": ["h": ["sign_in_state": "asleep"]]]]], 1),
    ]

    @Test(arguments: badDocuments)
    func `a bad document is refused whole, with every finding`(document: JSONValue, findings: Int) async throws {
        let stage = try Stage()
        let error = await #expect(throws: InvalidInput.self) {
            _ = try await stage.client.importCache(document, replacing: true)
        }
        #expect(error?.diagnostics.count == findings, "\(String(describing: error))")
        #expect(error?.diagnostics.allSatisfy { $0.location?.pointer != nil } == true)
    }

    // MARK: The keychain

    @Test func `apps of one team and group share a cache; teams and groups do not`() async throws {
        let keychain = Keychain()
        try await Stage(keychain: keychain).signIn()
        func accounts(_ platform: JSONValue) async throws -> Int? {
            let stage = try Stage(patch: Stage.platform(platform), keychain: keychain)
            return await stage.client.accounts().result?["accounts"]?.arrayValue?.count
        }
        #expect(try await accounts([:]) == 1)
        #expect(try await accounts(["teamId": "OTHERTEAM0"]) == 0)
        #expect(try await accounts(["keychainGroup": "", "keychainGroups": []]) == 0)
        #expect(try await accounts(["keychainGroup": "another", "keychainGroups": ["another"]]) == 0)
    }

    @Test func `a restart keeps the keychain, and loses a cache that is not persisted`() async throws {
        for attached in [true, false] {
            let stage = try Stage(patch: Stage.client(["cacheAttached": .bool(attached)]))
            try await stage.signIn()
            #expect(try await stage.silent().row == .success)
            await stage.client.restart()
            #expect((try await stage.silent().row == .success) == attached)
        }
    }

    @Test func `each entity is filed under the library's attributes`() {
        let token = AccessTokenItem(
            homeAccountID: "U.T", environment: "Host", clientID: "C", realm: "R", target: "A b", secret: "s",
            tokenType: "Bearer", cachedAt: 0, expiresOn: 0)
        #expect(token.attributes.account == "u.t-host")
        #expect(token.attributes.service == "accesstoken-c-r-a b")
        #expect(token.attributes.generic == "accesstoken-c-r")
        #expect(token.attributes.type == 2001)
        #expect(token.key == "u.t-host-accesstoken-c-r-a b")
        var refresh = RefreshTokenItem(homeAccountID: "U.T", environment: "Host", clientID: "C", secret: "s")
        #expect(refresh.attributes.service == "refreshtoken-c--")
        #expect(refresh.key == "u.t-host-refreshtoken-c--")
        refresh.familyID = "1"
        #expect(refresh.attributes.service == "refreshtoken-1--")
        #expect(refresh.attributes.type == 2008)
        let identity = IDTokenItem(homeAccountID: "U.T", environment: "Host", clientID: "C", realm: "R", secret: "s")
        #expect(identity.attributes.service == "idtoken-c-r-")
        let account = AccountItem(
            homeAccountID: "U.T", environment: "Host", realm: "R", localAccountID: "l", username: "Ada")
        #expect(account.attributes.service == "r" && account.attributes.generic == "ada")
        #expect(account.key == "u.t-host-r")
        let app = AppMetadataItem(clientID: "C", environment: "host")
        #expect(app.attributes.service == "appmetadata-c" && app.key == "appmetadata-host-C")
        #expect(AccountMetadataItem(clientID: "C").attributes.account == "authority_map")
    }
}
