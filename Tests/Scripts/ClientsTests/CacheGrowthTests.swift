import JSON
import TenantFiles
import Testing

@testable import Clients

/// Calls with twice the accounts, each of a policy of its own, take twice the work: a call looks at the items of its account
/// and not at those of all.
@Suite struct CacheGrowthTests {
    /// - Parameter app: Over the app's settings.
    private static func stage(policies count: Int, app: JSONValue) throws -> Stage {
        let policies = (0..<count).map { ("p\($0)", ["id": .string("B2C_1_p\($0)"), "type": "signIn"] as JSONValue) }
        return try Stage(patch: ["policies": .object(JSONObject(policies)), "apps": ["app": app]])
    }

    private static func stage(policies count: Int, isPath: Bool) throws -> Stage {
        try stage(policies: count, app: ["client": ["authorityForm": isPath ? "path" : "tfp"]])
    }

    private static func policy(_ index: Int) -> AuthorityChoice { AuthorityChoice(policy: "p\(index)") }

    private static func home(_ index: Int) -> String {
        "\(FakeAuthority.person)-b2c_1_p\(index).\(FakeAuthority.tenantID)"
    }

    private static func silent(_ index: Int, forceRefresh: Bool = false) -> SilentParameters {
        SilentParameters(
            authority: policy(index), account: .identifier(home(index)), forceRefresh: forceRefresh)
    }

    /// Signs in, asks the cache and the server, and removes, each account in turn.
    private static func callSteps(_ count: Int, isPath: Bool) async throws -> Int {
        let stage = try stage(policies: count, isPath: isPath)
        let counter = OperationCounter()
        try await OperationCounter.$current.withValue(counter) {
            for index in 0..<count { try await stage.signIn(InteractiveParameters(authority: policy(index))) }
            #expect(await stage.client.accounts().result?["accounts"]?.arrayValue?.count == count)
            for index in 0..<count {
                #expect(try await stage.silent(silent(index)).row == .success)
                #expect(try await stage.silent(silent(index, forceRefresh: true)).row == .success)
                await stage.client.restart()
                #expect(await stage.client.newestAccessToken() != nil)
            }
            for index in 0..<count / 2 {
                #expect(await stage.client.removeAccount(.identifier(home(index))).row == .success)
            }
            // The server takes no token any more. Each call loses one: that of the account, or where it is gone that of an
            // account with the same user name.
            stage.authority.change {
                $0.tokenAnswer = .json(
                    400, ["error": "invalid_grant", "suberror": "bad_token", "error_description": "no"])
            }
            for index in count / 2..<count {
                #expect(try await stage.silent(silent(index, forceRefresh: true)).row == .msal(-50002))
                #expect(try await stage.silent(silent(index, forceRefresh: true)).row == .msal(-50002))
                let wiping = SignOutParameters(account: .identifier(home(index)), wipeAccount: true)
                #expect(try await stage.signOut(wiping).row == .success)
            }
        }
        return counter.total()
    }

    @Test(arguments: [false, true])
    func `calls with twice the accounts take twice the work`(isPath: Bool) async throws {
        let few = try await Self.callSteps(100, isPath: isPath)
        let many = try await Self.callSteps(200, isPath: isPath)
        #expect(few > 100)
        #expect(many < few * 21 / 10)
    }

    /// Reads a document of MSAL Python, which knows no account metadata, and uses what it brings.
    private static func importSteps(_ count: Int, isPath: Bool) async throws -> Int {
        let first = try stage(policies: count, isPath: isPath)
        for index in 0..<count { try await first.signIn(InteractiveParameters(authority: policy(index))) }
        let withoutMetadata = JSONValue.object([UnifiedCache.accountMetadataKey: .null])
        let document = try #require(try await first.cache()["unified"]).merging(patch: withoutMetadata)
        let second = try stage(policies: count, isPath: isPath)
        let counter = OperationCounter()
        try await OperationCounter.$current.withValue(counter) {
            for replacing in [false, true] {
                _ = try await second.client.importCache(document, replacing: replacing)
            }
            let exported = try await second.cache()["unified"]?.merging(patch: withoutMetadata)
            #expect(exported == document)
            for index in 0..<count { #expect(try await second.silent(silent(index)).row == .success) }
        }
        #expect(second.authority.tokenRequests.isEmpty)
        return counter.total()
    }

    @Test(arguments: [false, true])
    func `a document of twice the accounts takes twice the work`(isPath: Bool) async throws {
        let few = try await Self.importSteps(100, isPath: isPath)
        let many = try await Self.importSteps(200, isPath: isPath)
        #expect(few > 100)
        #expect(many < few * 21 / 10)
    }

    /// The events of a call say that the ID token of each account was looked up; it is read only for the requested
    /// account.
    @Test(arguments: ["msal-ios", "msal-android"])
    func `a call that selects an account reads its ID token alone`(kind: String) async throws {
        var settings: JSONValue = ["client": ["kind": .string(kind)]]
        if kind == "msal-android" { settings = settings.merging(patch: ["platform": ["signatureHash": "Ab+C/="]]) }
        let stage = try Self.stage(policies: 8, app: settings)
        for index in 0..<8 { try await stage.signIn(InteractiveParameters(authority: Self.policy(index))) }
        let counter = OperationCounter()
        try await OperationCounter.$current.withValue(counter) {
            let parameters = SilentParameters(
                authority: Self.policy(3), account: .selected(policy: "p3", username: nil, objectID: nil))
            let outcome = try await stage.silent(parameters)
            #expect(outcome.result?["account", "identifier"] == .string(Self.home(3)))
            let lookups = outcome.events.filter { $0["type"] == "cacheRead" && $0["item"] == "idToken" }
            #expect(lookups.count >= 8)
        }
        #expect(counter.total(.claims) == 1)
    }

    // MARK: Policies

    /// Ids that hold dashes and end each other, and names that differ in normalization alone.
    private static let policies: [(name: String, id: String)] = [
        ("short", "B2C_1_x"), ("long", "B2C_1_a-B2C_1_x"), ("again", "b2c_1_X"), ("caf\u{e9}", "B2C_1_c"),
        ("cafe\u{301}", "B2C_1_d"), ("dash", "x-"),
    ]

    private static let objectIDs = [
        "", "-", "x", "B2C_1_x", "-b2c_1_x", "guid-guid-B2C_1_X", "guid-b2c_1_a-b2c_1_x", "guid-b2c_1_x-", "guid-x-",
        "guid-b2c_1_c", "guid-b2c_1_cc", "guidb2c_1_d", "guid-\u{e9}-b2c_1_d",
    ]

    @Test func `the index finds the policies of the walk`() throws {
        let one = try #require(try Tenant(json: Stage.contoso).policies.first)
        let settings = Self.policies.map { policy in
            var settings = one
            settings.name = policy.name
            settings.id = policy.id
            return settings
        }
        let index = PolicyIndex(settings)
        for objectID in Self.objectIDs {
            let found = settings.first { objectID.lowercased().hasSuffix("-" + $0.id.lowercased()) }
            #expect(index.policy(ofObjectID: objectID)?.name == found?.name, "\(objectID)")
        }
        for policy in Self.policies + [("nothing", "nothing")] {
            #expect(index.policy(named: policy.name)?.id == settings.first { sameText($0.name, policy.name) }?.id)
            let found = settings.first { $0.id.lowercased() == policy.id.lowercased() }
            #expect(index.policy(id: policy.id.uppercased())?.name == found?.name)
        }
    }
}
