import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Testing
import TrustFramework

@testable import Journeys

/// Microsoft's starter packs, classic and with display controls, each journey of each walked to its token
/// (Azure-Samples/active-directory-b2c-custom-policy-starterpack).
@Suite(.enabled(if: Corpus.isThere, "skipped: the corpus is not at hand")) struct StarterPackTests {
    static let classic = ["LocalAccounts", "SocialAccounts", "SocialAndLocalAccounts", "SocialAndLocalAccountsWithMfa"]
    static let all = classic + classic.map { "Display Controls Starterpack/" + $0 }
    static let local = all.filter { !$0.hasSuffix("SocialAccounts") }
    static let social = all.filter { !$0.hasSuffix("/LocalAccounts") && $0 != "LocalAccounts" }
    static let secondFactor = all.filter { $0.hasSuffix("WithMfa") }

    /// What Ada types.
    static let ada = [
        "email": "ada@example.test", "signInName": "ada@example.test", "newPassword": "Analytical-1843",
        "reenterPassword": "Analytical-1843", "password": "Analytical-1843", "displayName": "Ada",
        "givenName": "Ada", "surname": "Lovelace",
    ]

    private func world(_ pack: String) throws -> StarterWorld { try StarterWorld("starterpack/" + pack) }

    private func signedUp(_ pack: String) throws -> (world: StarterWorld, subject: String) {
        let world = try world(pack)
        let tokens = try world.run("SignUpOrSignin.xml", choosing: ["SignUpWithLogonEmailExchange"], Self.ada)
        return (world, try #require(tokens.subject))
    }

    private func expectAda(_ tokens: StarterWorld.Tokens, _ subject: String, given: String = "Ada") {
        #expect(tokens.subject == subject)
        #expect(tokens.claims["given_name"] == .string(given))
        #expect(tokens.claims["family_name"] == "Lovelace")
        #expect(tokens.claims["name"] == "Ada")
        #expect(tokens.claims["tid"] == .string(GUID.derived(from: "yourtenant.onmicrosoft.com").description))
        #expect(tokens.claims["idp"] == nil)
    }

    // MARK: Local accounts

    @Test(arguments: local) func `sign-up with an e-mail address`(_ pack: String) throws {
        let world = try world(pack)
        let tokens = try world.run("SignUpOrSignin.xml", choosing: ["SignUpWithLogonEmailExchange"], Self.ada)
        let subject = try #require(tokens.subject)
        #expect(GUID(subject) != nil)
        expectAda(tokens, subject)
        #expect(world.sent.contains { $0.kind == .email && $0.to == "ada@example.test" })
    }

    @Test(arguments: local) func `sign-up with a taken address stays on the page`(_ pack: String) throws {
        let (world, _) = try signedUp(pack)
        let stuck = try #require(throws: StarterWorld.Stuck.self) {
            try world.run("SignUpOrSignin.xml", choosing: ["SignUpWithLogonEmailExchange"], Self.ada)
        }
        #expect(stuck.description.contains("already exists"), "\(stuck)")
    }

    @Test(arguments: local) func `sign-in with password`(_ pack: String) throws {
        let (world, subject) = try signedUp(pack)
        expectAda(try world.run("SignUpOrSignin.xml", Self.ada), subject)
        #expect(world.pages.first == "SelfAsserted-LocalAccountSignin-Email")
    }

    @Test(arguments: local) func `sign-in says what is wrong`(_ pack: String) throws {
        let (world, _) = try signedUp(pack)
        let wrong = try #require(throws: StarterWorld.Stuck.self) {
            try world.run("SignUpOrSignin.xml", Self.ada.merging(["password": "wrong"]) { $1 })
        }
        #expect(wrong.description.contains("password is incorrect"), "\(wrong)")
        let unknown = try #require(throws: StarterWorld.Stuck.self) {
            try world.run("SignUpOrSignin.xml", Self.ada.merging(["signInName": "eve@example.test"]) { $1 })
        }
        #expect(unknown.description.contains("can't seem to find your account"), "\(unknown)")
    }

    @Test(arguments: local) func `profile edit of a local account`(_ pack: String) throws {
        let (world, subject) = try signedUp(pack)
        var values = Self.ada
        values["givenName"] = "Augusta"
        // A pack with local accounts alone has no page to choose on.
        let edited = try world.run("ProfileEdit.xml", choosing: ["LocalAccountSigninEmailExchange"], values)
        #expect(edited.subject == subject && edited.claims["tid"] != nil)
        expectAda(try world.run("SignUpOrSignin.xml", values), subject, given: "Augusta")
    }

    @Test(arguments: local) func `password reset`(_ pack: String) throws {
        let (world, subject) = try signedUp(pack)
        var values = Self.ada
        values["newPassword"] = "Difference-1822"
        values["reenterPassword"] = "Difference-1822"
        let reset = try world.run("PasswordReset.xml", values)
        #expect(reset.subject == subject && reset.claims["tid"] != nil)
        #expect(throws: StarterWorld.Stuck.self) { try world.run("SignUpOrSignin.xml", values) }
        values["password"] = "Difference-1822"
        expectAda(try world.run("SignUpOrSignin.xml", values), subject)
    }

    @Test(arguments: local) func `refresh of a local account`(_ pack: String) throws {
        let (world, subject) = try signedUp(pack)
        let tokens = try world.run("SignUpOrSignin.xml", Self.ada)
        let refresh = try #require(tokens.refresh)
        world.now = world.now + .hours(1)
        expectAda(try world.refresh("SignUpOrSignin.xml", refresh), subject)

        world.now = world.now + .hours(1)
        world.revoke(try #require(GUID(subject)))
        world.now = world.now + .hours(1)
        #expect(throws: StarterWorld.Stuck.self) { try world.refresh("SignUpOrSignin.xml", refresh) }
    }

    // MARK: Social accounts

    private func faye(_ pack: String) throws -> (world: StarterWorld, tokens: StarterWorld.Tokens) {
        let world = try world(pack)
        let values = ["displayName": "Faye Book", "givenName": "Faye", "surname": "Book"]
        return (world, try world.run("SignUpOrSignin.xml", choosing: ["FacebookExchange"], values))
    }

    private func expectFaye(_ tokens: StarterWorld.Tokens, given: String = "Faye") {
        #expect(tokens.subject.flatMap(GUID.init) != nil)
        #expect(tokens.claims["idp"] == "facebook.com" && tokens.claims["name"] == "Faye Book")
        #expect(tokens.claims["given_name"] == .string(given) && tokens.claims["family_name"] == "Book")
    }

    @Test(arguments: social) func `first sign-in at a provider makes an account`(_ pack: String) throws {
        let (world, tokens) = try faye(pack)
        expectFaye(tokens)
        #expect(world.pages.contains("SelfAsserted-Social"), "\(world.pages)")
    }

    @Test(arguments: social) func `second sign-in at a provider finds the account`(_ pack: String) throws {
        let (world, first) = try faye(pack)
        let second = try world.run("SignUpOrSignin.xml", choosing: ["FacebookExchange"], [:])
        #expect(second.subject == first.subject)
        expectFaye(second)
        #expect(!world.pages.contains("SelfAsserted-Social"), "\(world.pages)")
    }

    @Test(arguments: social) func `profile edit of an account at a provider`(_ pack: String) throws {
        let (world, first) = try faye(pack)
        let edited = try world.run(
            "ProfileEdit.xml", choosing: ["FacebookExchange"], ["givenName": "Fay", "surname": "Book"])
        #expect(edited.subject == first.subject && edited.claims["tid"] != nil)
        expectFaye(try world.run("SignUpOrSignin.xml", choosing: ["FacebookExchange"], [:]), given: "Fay")
    }

    /// The profile that reads the account asks for an error where there is none, and its step has no page to show it on.
    @Test(arguments: social) func `profile edit of a stranger ends in an error`(_ pack: String) throws {
        let stuck = try #require(throws: StarterWorld.Stuck.self) {
            try world(pack).run("ProfileEdit.xml", choosing: ["FacebookExchange"], [:])
        }
        #expect(stuck.description.contains("AADB2C99002"), "\(stuck)")
    }

    @Test(arguments: social) func `refresh of an account at a provider`(_ pack: String) throws {
        let (world, first) = try faye(pack)
        world.now = world.now + .hours(1)
        let refreshed = try world.refresh("SignUpOrSignin.xml", try #require(first.refresh))
        #expect(refreshed.subject == first.subject && refreshed.claims["name"] == "Faye Book")
    }

    // MARK: Second factor

    @Test(arguments: secondFactor) func `a number is kept at sign-up and asked at each sign-in`(_ pack: String) throws {
        let (world, subject) = try signedUp(pack)
        #expect(world.account(subject)?.stored("strongAuthenticationPhoneNumber")?.text == "+15557654321")
        let before = world.sent.count
        _ = try world.run("SignUpOrSignin.xml", Self.ada)
        #expect(world.pages.contains("PhoneFactor-InputOrVerify"), "\(world.pages)")
        #expect(world.sent.dropFirst(before).map(\.to) == ["+15557654321"])
        #expect(world.steps.first { $0.step == 8 }?.ran == false, "the number on file is not written again")
    }
}
