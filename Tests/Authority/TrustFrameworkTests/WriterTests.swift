import Diagnostics
import JSON
import TestSupport
import Testing
import TrustFramework

@Suite struct WriterTests {
    /// Every fifth kind of flow: over the types that is every setting at least once.
    static let some = stride(from: 0, to: UserFlowTests.settings.count, by: 5).map { UserFlowTests.settings[$0] }

    /// What is written reads as what was written: the base policy with a flow over it.
    @Test(arguments: some) func `a policy is written as it was read`(_ settings: JSONValue) throws {
        let policy = try compile(settings)
        let text = PolicyWriter.xml(policy.document)
        #expect(PolicyWriter.xml(try read(text)) == text)
    }

    /// The printed flow alone, without what it does not reach, is a policy that links and runs the same steps.
    @Test(arguments: some) func `the reachable part is complete alone`(_ settings: JSONValue) throws {
        let policy = try compile(settings)
        let text = PolicyWriter.xml(policy.document.reachable())
        let again = try PolicyLinker.link(try read(text), personality: policy.personality)
        #expect(again.findings.isEmpty)
        #expect(again.outline(again.relyingParty.defaultJourney) == policy.outline(policy.relyingParty.defaultJourney))
        #expect(again.profiles.count < policy.profiles.count)
        #expect(PolicyWriter.xml(again.document.reachable()) == text)
    }

    static let golden: [(String, JSONValue)] = [
        ("signUpOrSignIn.xml", ["type": "signUpOrSignIn"]),
        (
            "signUpOrSignIn-everything.xml",
            [
                "type": "signUpOrSignIn", "signInName": "username", "forgotPassword": "inFlow", "keepSignedIn": "P7D",
                "forcedReset": true, "providers": ["facebook", "contosoid"], "mfa": ["when": "conditional"],
                "attributes": ["displayName", "extension_Role"],
                "claims": ["displayName", "objectId", "emails", "idp", "newUser", "extension_Role"],
                "languages": ["de", "en"], "tokens": ["policyClaim": "acr", "issuer": "policy"],
            ]
        ),
        (
            "profileEditing-legacy.xml",
            ["type": "profileEditing", "emailVerification": "legacy", "mfa": ["when": "always", "method": "email"]]
        ),
        ("passwordReset-totp.xml", ["type": "passwordReset", "mfa": ["when": "always", "method": "totp"]]),
        ("ropc.xml", ["type": "ropc", "signInName": "either"]),
    ]

    /// The file that each flow's settings become.
    @Test(arguments: golden) func `user flows are written as files`(_ name: String, _ settings: JSONValue) throws {
        let tenant = try makeTenant(["flow": settings.merging(patch: ["id": "B2C_1_flow"])])
        try matchGolden(PolicyWriter.xml(try UserFlowCompiler.document(tenant.policies[0], tenant: tenant)), name)
    }

    @Test func `what has no effect is kept and escaped`() throws {
        let text = PolicyTexts.file(
            providers: """
                <TechnicalProfile Id="a&quot;&lt;b"><Domains><Domain>x.test</Domain><Domain>y.test</Domain></Domains>\
                <Suppressions><Item Key="k" Value="&amp;" /></Suppressions></TechnicalProfile>
                """)
        let written = PolicyWriter.xml(try read(text))
        #expect(written.contains("<Suppressions><Item Key=\"k\" Value=\"&amp;\" /></Suppressions>"))
        #expect(written.contains("Id=\"a&quot;&lt;b\""))
        #expect(try read(written).technicalProfiles[0].domains == ["x.test", "y.test"])
        #expect(PolicyWriter.xml(try read(written)) == written)
    }

    @Test func `handlers of the simulator are marked`() throws {
        let text = PolicyTexts.file(
            providers:
                "<TechnicalProfile Id=\"a\"><Protocol Name=\"Proprietary\" Handler=\"B2CHarness.Block\" /></TechnicalProfile>"
        )
        let written = PolicyWriter.xml(try read(text))
        #expect(
            written.contains("<!-- B2CHarness.Block is not a handler of the service: this part cannot be uploaded -->"))
    }

    @Test func `what is not a policy is shown`() throws {
        let policy = try compile(["mfa": ["when": "always", "codeLifetime": "PT90S"]])
        let text = PolicyWriter.show(policy)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!--\n  B2C_1_flow, all files merged."))
        #expect(text.contains("codes of the second factor: PT1M30S, 3 tries, again after PT30S"))
        #expect(try PolicyLinker.link(try read(text), personality: policy.personality).id == "B2C_1_flow")
        #expect(PolicyWriter.harnessParts(of: policy.document).isEmpty)
    }
}
