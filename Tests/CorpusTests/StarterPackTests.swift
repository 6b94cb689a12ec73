import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Testing
import TrustFramework

@testable import Journeys

/// Microsoft's starter packs from sign-up to refresh, one directory a pack: what a person meets over some weeks.
@Suite(.enabled(if: Corpus.isThere)) struct StarterPackTests {
    static let local = [
        "LocalAccounts", "SocialAndLocalAccounts", "SocialAndLocalAccountsWithMfa",
        "Display Controls Starterpack/LocalAccounts", "Display Controls Starterpack/SocialAndLocalAccounts",
        "Display Controls Starterpack/SocialAndLocalAccountsWithMfa",
    ]
    static let social = [
        "SocialAccounts", "SocialAndLocalAccounts", "SocialAndLocalAccountsWithMfa",
        "Display Controls Starterpack/SocialAccounts", "Display Controls Starterpack/SocialAndLocalAccounts",
        "Display Controls Starterpack/SocialAndLocalAccountsWithMfa",
    ]

    @Test(arguments: local) func `a local account lives through its journeys`(_ pack: String) throws {
        let world = try StarterWorld("starterpack/" + pack)
        var values = [
            "email": "ada@example.test", "signInName": "ada@example.test", "newPassword": "Analytical-1843",
            "reenterPassword": "Analytical-1843", "password": "Analytical-1843", "displayName": "Ada",
            "givenName": "Ada", "surname": "Lovelace",
        ]
        let signedUp = try world.run("SignUpOrSignin.xml", choosing: ["SignUpWithLogonEmailExchange"], values)
        #expect(signedUp.claims["given_name"] == "Ada" && signedUp.claims["family_name"] == "Lovelace")
        #expect(signedUp.claims["tid"] != nil)
        let subject = try #require(signedUp.subject)
        #expect(GUID(subject) != nil)

        let signedIn = try world.run("SignUpOrSignin.xml", values)
        #expect(signedIn.subject == subject && signedIn.claims["name"] == "Ada")
        #expect(throws: StarterWorld.Stuck.self) {
            try world.run("SignUpOrSignin.xml", values.merging(["password": "wrong"]) { $1 })
        }

        values["givenName"] = "Augusta"
        let edited = try world.run("ProfileEdit.xml", choosing: ["LocalAccountSigninEmailExchange"], values)
        #expect(edited.subject == subject)
        #expect(try world.run("SignUpOrSignin.xml", values).claims["given_name"] == "Augusta")

        values["newPassword"] = "Difference-1822"
        values["reenterPassword"] = "Difference-1822"
        #expect(try world.run("PasswordReset.xml", values).subject == subject)
        #expect(throws: StarterWorld.Stuck.self) { try world.run("SignUpOrSignin.xml", values) }
        values["password"] = "Difference-1822"
        let again = try world.run("SignUpOrSignin.xml", values)
        #expect(again.subject == subject)

        world.now = world.now + .hours(1)
        let refreshed = try world.refresh("SignUpOrSignin.xml", try #require(again.refresh))
        #expect(refreshed.subject == subject)
        world.now = world.now + .hours(1)
        world.revoke(try #require(GUID(subject)))
        world.now = world.now + .hours(1)
        #expect(throws: StarterWorld.Stuck.self) {
            try world.refresh("SignUpOrSignin.xml", try #require(again.refresh))
        }
    }

    @Test(arguments: social) func `a Facebook account lives through its journeys`(_ pack: String) throws {
        let world = try StarterWorld("starterpack/" + pack)
        let values = ["displayName": "Fay B", "givenName": "Fay", "surname": "Book"]
        let first = try world.run("SignUpOrSignin.xml", choosing: ["FacebookExchange"], values)
        #expect(first.claims["idp"] == "facebook.com" && first.claims["name"] == "Fay B")
        let second = try world.run("SignUpOrSignin.xml", choosing: ["FacebookExchange"], [:])
        #expect(second.subject == first.subject && second.subject != nil)
        #expect(world.pages.allSatisfy { $0 != "SelfAsserted-Social" }, "\(world.pages)")
        let edited = try world.run(
            "ProfileEdit.xml", choosing: ["FacebookExchange"], ["givenName": "Faye", "surname": "Book"])
        #expect(edited.subject == first.subject)
    }
}
