import B2CProtocol
import Determinism
import JSON
import Testing

@testable import Journeys

/// The starter pack for sign-in by phone number without password: its six policies
/// (Azure-Samples/active-directory-b2c-custom-policy-starterpack, scenarios/phone-number-passwordless).
@Suite(.enabled(if: Corpus.isThere, "skipped: the corpus is not at hand")) struct PhonePackTests {
    /// Ada signs in by phone number.
    static let ada = [
        "nationalNumber": "5551234567", "countryCode": "US", "phoneNumber": "+15551234567",
        "signInName": "+15551234567",
        "email": "ada@example.test", "displayName": "Ada", "givenName": "Ada", "surname": "Lovelace",
    ]
    /// Bob signs in by e-mail address and password.
    static let bob = [
        "signInName": "bob@example.test", "email": "bob@example.test", "newPassword": "Analytical-1843",
        "reenterPassword": "Analytical-1843", "password": "Analytical-1843", "displayName": "Bob",
        "givenName": "Bob", "surname": "Builder",
    ]

    private func world() throws -> StarterWorld {
        try StarterWorld("starterpack/scenarios/phone-number-passwordless")
    }

    private func ada(
        _ policy: String = "SignUpOrSignInWithPhone.xml"
    ) throws -> (world: StarterWorld, tokens: StarterWorld.Tokens) {
        let world = try world()
        return (world, try world.run(policy, choosing: ["SignUpWithPhone"], Self.ada))
    }

    private func bob() throws -> (world: StarterWorld, subject: String) {
        let world = try world()
        let tokens = try world.run(
            "SignUpOrSignInWithPhoneOrEmail.xml", choosing: ["SignUpWithEmail"], Self.bob)
        return (world, try #require(tokens.subject))
    }

    private func expectAda(_ tokens: StarterWorld.Tokens, phone: String = "+15551234567") {
        #expect(tokens.subject.flatMap(GUID.init) != nil)
        #expect(tokens.claims["name"] == "Ada" && tokens.claims["surname"] == "Lovelace", "\(tokens.claims)")
        #expect(tokens.claims["signInNames.phoneNumber"] == .string(phone), "\(tokens.claims)")
        // The pack's name for it in tokens.
        #expect(tokens.claims["email"] == "ada@example.test", "\(tokens.claims)")
    }

    @Test(arguments: ["SignUpOrSignInWithPhone.xml", "SignUpOrSignInWithPhoneOrEmail.xml"])
    func `sign-up by phone number`(_ policy: String) throws {
        let (world, tokens) = try ada(policy)
        expectAda(tokens)
        #expect(Set(world.sent.map(\.to)) == ["+15551234567", "ada@example.test"])
    }

    @Test(arguments: ["SignUpOrSignInWithPhone.xml", "SignUpOrSignInWithPhoneOrEmail.xml"])
    func `sign-in by phone number`(_ policy: String) throws {
        let (world, first) = try ada()
        let tokens = try world.run(policy, Self.ada)
        #expect(tokens.subject == first.subject)
        expectAda(tokens)
    }

    @Test func `an unknown number stays on the page`() throws {
        let stuck = try #require(throws: StarterWorld.Stuck.self) {
            try world().run("SignUpOrSignInWithPhone.xml", Self.ada)
        }
        #expect(stuck.description.contains("doesn't exist in our system"), "\(stuck)")
    }

    @Test func `sign-up and sign-in by e-mail address`() throws {
        let (world, subject) = try bob()
        let tokens = try world.run("SignUpOrSignInWithPhoneOrEmail.xml", Self.bob)
        #expect(tokens.subject == subject)
        #expect(tokens.claims["signInNames.emailAddress"] == "bob@example.test", "\(tokens.claims)")
    }

    @Test func `profile edit by phone number`() throws {
        let (world, first) = try ada()
        let edited = try world.run("ProfileEditPhoneOnly.xml", Self.ada.merging(["givenName": "Augusta"]) { $1 })
        #expect(edited.subject == first.subject)
        #expect(edited.claims["givenName"] == "Augusta", "\(edited.claims)")
    }

    @Test func `profile edit by e-mail address or phone number`() throws {
        let (world, first) = try ada()
        let edited = try world.run("ProfileEditPhoneEmail.xml", Self.ada.merging(["surname": "Byron"]) { $1 })
        #expect(edited.subject == first.subject)
        let (other, subject) = try bob()
        let tokens = try other.run("ProfileEditPhoneEmail.xml", Self.bob.merging(["surname": "Barker"]) { $1 })
        #expect(tokens.subject == subject)
        #expect(tokens.claims["surname"] == "Barker", "\(tokens.claims)")
    }

    @Test func `password reset by e-mail address`() throws {
        let (world, subject) = try bob()
        var values = Self.bob
        values["newPassword"] = "Difference-1822"
        values["reenterPassword"] = "Difference-1822"
        #expect(try world.run("PasswordResetEmail.xml", values).subject == subject)
        values["password"] = "Difference-1822"
        #expect(try world.run("SignUpOrSignInWithPhoneOrEmail.xml", values).subject == subject)
    }

    /// By its own policy, and from the sign-in page.
    @Test(arguments: [true, false]) func `change of the phone number`(_ ownPolicy: Bool) throws {
        let (world, first) = try ada()
        var values = Self.ada
        values["LocalAccountInputNewPhoneNumber/nationalNumber"] = "5557654321"
        let tokens =
            ownPolicy
            ? try world.run("ChangePhoneNumber.xml", values)
            : try world.run("SignUpOrSignInWithPhone.xml", choosing: ["ChangePhoneNumber"], values)
        #expect(tokens.subject == first.subject)
        #expect(
            world.account(try #require(first.subject))?.signInName("phoneNumber") == "+15557654321", "\(world.pages)")
    }

    /// The pack has no refresh journey: the refreshed token has the claims of the first.
    @Test func `refresh without a journey for it`() throws {
        let (world, first) = try ada()
        world.now = world.now + .hours(1)
        let refreshed = try world.refresh("SignUpOrSignInWithPhone.xml", try #require(first.refresh))
        #expect(refreshed.subject == first.subject)
        expectAda(refreshed)
    }
}
