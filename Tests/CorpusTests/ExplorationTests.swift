import Diagnostics
import Exploration
import Testing
import TrustFramework

/// The starter packs explored: complete, and with the findings that docs/explore.md explains, no others.
@Suite(.enabled(if: Corpus.isThere)) struct CorpusExplorationTests {
    private static let packs = [
        "LocalAccounts", "SocialAccounts", "SocialAndLocalAccounts", "SocialAndLocalAccountsWithMfa",
    ]

    /// A step that writes an account only where no page did, the disabled account of a provider, the e-mail address of
    /// the first token, and the condition on isActiveMFASession.
    private static let explained: Set<String> = ["B2C-EXP-001", "B2C-EXP-002", "B2C-EXP-015", "B2C-EXP-018"]

    @Test(arguments: packs, ["SignUpOrSignin.xml", "ProfileEdit.xml", "PasswordReset.xml"])
    func `a starter pack has no finding that is not explained`(_ pack: String, _ file: String) throws {
        let folder = "starterpack/" + pack
        guard Corpus.files.contains("\(folder)/\(file)") else { return }
        let policy = try CorpusChain(files: ["\(folder)/\(file)"], base: folder).link()
        let exploration = try Explorer.explore(policy, tenant: "yourtenant")
        #expect(exploration.cut == nil)
        #expect(exploration.states > 5)
        let other = exploration.findings.map(\.diagnostic).filter { !Self.explained.contains($0.rule) }
        #expect(other.map(\.description) == [])
    }

    @Test(arguments: [
        ("PasswordResetEmail.xml", ["B2C-EXP-008"]), ("SignUpOrSignInWithPhone.xml", []),
        ("SignUpOrSignInWithPhoneOrEmail.xml", []), ("ChangePhoneNumber.xml", []), ("ProfileEditPhoneOnly.xml", []),
        ("ProfileEditPhoneEmail.xml", []),
    ])
    func `the policies for phone numbers have no error that is not explained`(
        _ file: String, _ errors: [String]
    ) throws {
        let folder = "starterpack/scenarios/phone-number-passwordless"
        guard Corpus.files.contains("\(folder)/\(file)") else { return }
        let policy = try CorpusChain(files: ["\(folder)/\(file)"], base: folder).link()
        let exploration = try Explorer.explore(policy, tenant: "yourtenant")
        #expect(exploration.cut == nil)
        let findings = exploration.findings.map(\.diagnostic)
        #expect(findings.filter { $0.severity == .error }.map(\.rule) == errors)
        // A change of the phone number passes other checks than a sign-in.
        #expect(findings.filter { $0.rule == "B2C-EXP-033" }.map(\.description) == [])
    }
}
