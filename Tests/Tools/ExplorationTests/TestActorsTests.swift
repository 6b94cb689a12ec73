import B2CProtocol
import Diagnostics
import JSON
import Testing
import TrustFramework

@testable import Exploration

/// Who comes, which codes they have, and what happens between two of their acts.
@Suite struct TestActorsTests {
    private typealias P = SmallPolicy

    private static func errors(_ exploration: Exploration) -> [String] {
        exploration.findings.map(\.diagnostic).filter { $0.severity == .error }.map(\.description)
    }

    private static func says(_ exploration: Exploration, _ words: String) -> Bool {
        exploration.trail.contains { $0.words.contains(words) }
    }

    // MARK: Codes

    private static func passwordless(
        _ verify: String, contact: String = "email", typed: String = "typed"
    ) -> SmallPolicy {
        let otp = "Providers.OneTimePasswordProtocolProvider"
        return P(
            claims: ["code": "string"], fields: [contact: "string", typed: "string"],
            controls: """
                <DisplayControl Id="mailControl" UserInterfaceControlType="VerificationControl"><DisplayClaims>
                <DisplayClaim ClaimTypeReferenceId="\(contact)" Required="true" />
                <DisplayClaim ClaimTypeReferenceId="\(typed)" ControlClaimType="VerificationCode" Required="true" />
                </DisplayClaims><OutputClaims /><Actions><Action Id="SendCode"><ValidationClaimsExchange>
                <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Generate" />
                <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Send" />
                </ValidationClaimsExchange></Action><Action Id="VerifyCode"><ValidationClaimsExchange>
                <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="\(verify)" />
                </ValidationClaimsExchange></Action></Actions></DisplayControl>
                """,
            profiles: P.profile(
                "Generate", otp,
                """
                <Metadata><Item Key="Operation">GenerateCode</Item></Metadata><InputClaims>
                <InputClaim ClaimTypeReferenceId="\(contact)" PartnerClaimType="identifier" /></InputClaims><OutputClaims>
                <OutputClaim ClaimTypeReferenceId="code" PartnerClaimType="otpGenerated" /></OutputClaims>
                """)
                + P.api("Send", "\(contact) code", "").replacing(
                    "ClaimTypeReferenceId=\"\(contact)\"",
                    with: "ClaimTypeReferenceId=\"\(contact)\" PartnerClaimType=\"email\"")
                + P.profile(
                    "Verify", otp,
                    """
                    <Metadata><Item Key="Operation">VerifyCode</Item></Metadata><InputClaims>
                    <InputClaim ClaimTypeReferenceId="\(contact)" PartnerClaimType="identifier" />
                    <InputClaim ClaimTypeReferenceId="\(typed)" PartnerClaimType="otpToVerify" /></InputClaims>
                    """) + P.transform("Nothing", "", [])
                + P.api("Verdict", "\(contact) \(typed)", "")
                + P.profile(
                    "Ask", "Providers.SelfAssertedAttributeProvider",
                    """
                    <Metadata><Item Key="ContentDefinitionReferenceId">api.page</Item></Metadata><DisplayClaims>
                    <DisplayClaim DisplayControlReferenceId="mailControl" /></DisplayClaims><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="\(contact)" /></OutputClaims>
                    """),
            runs: ["Ask"], outputs: [contact])
    }

    @Test func `a code that the policy mails by a web API is remembered as sent`() throws {
        let exploration = try Explorer.explore(try Self.passwordless("Verify").link())
        #expect(Self.errors(exploration) == [])
        #expect(exploration.issues.contains { $0.facts.verified == ["mailControl"] })
        #expect(Self.says(exploration, "asks for another code"))
        #expect(Self.says(exploration, "hands in the expired code"))
        #expect(Self.says(exploration, "12 times"))
    }

    @Test func `a code that nobody checks is found, and one that a web API checks is not`() throws {
        let open = try Explorer.explore(try Self.passwordless("Nothing").link())
        #expect(open.findings.map(\.diagnostic.rule).contains("B2C-EXP-006"))
        let found = try Explorer.explore(try Self.passwordless("Verdict").link())
        #expect(Self.errors(found) == [])
        #expect(!found.issues.isEmpty)
    }

    @Test func `a code goes into the field that the policy checks, whatever it is called`() throws {
        let exploration = try Explorer.explore(
            try Self.passwordless("Verify", contact: "kontakt", typed: "claimA").link())
        #expect(Self.errors(exploration) == [])
        #expect(exploration.issues.contains { $0.facts.verified == ["mailControl"] })
        #expect(Self.says(exploration, "hands in a wrong code for mailControl"))
    }

    /// Names in another language, and one that says nothing, with the name that a service knows the claim by.
    @Test(arguments: [
        ("kontakt", "email", "@example.test"), ("claimA", "personalizations.0.to.0.email", "@example.test"),
        ("tlf", "phoneNumber", "+442079460000"), ("by", "city", "London"),
    ])
    func `a person types what the policy takes a field for`(field: String, partner: String, typed: String) throws {
        let send = P.api("Send", field, "").replacing(
            "ClaimTypeReferenceId=\"\(field)\"",
            with: "ClaimTypeReferenceId=\"\(field)\" PartnerClaimType=\"\(partner)\"")
        let policy = P(
            fields: [field: "string"], profiles: P.page("Ask", field, validations: ["Send"]) + send, runs: ["Ask"],
            outputs: [field])
        let exploration = try Explorer.explore(try policy.link())
        #expect(exploration.issues.contains { $0.claims[field]?.stringValue?.hasSuffix(typed) == true })
        #expect(Self.says(exploration, "as eve@example.test, which another account has") == (typed.contains("@")))
    }

    @Test func `a code of the policy's own is read from what it sends, also in an ordinary text field`() throws {
        let policy = P(
            claims: ["code": "string"], fields: ["typed": "string"],
            transformations: P.transformation(
                "R", "CreateRandomString", [:], ["randomGeneratorType": "INTEGER", "maximumNumber": "999999"],
                ["outputClaim": "code"])
                + P.transformation(
                    "T", "AssertStringClaimsAreEqual", ["inputClaim1": "typed", "inputClaim2": "code"],
                    ["stringComparison": "ordinal"]),
            profiles: P.transform("Make", "code", ["R"]) + P.api("Send", "code", "")
                + P.page("Ask", "typed", validations: ["Check"]) + P.transform("Check", "", ["T"]),
            runs: ["Make", "Send", "Ask"])
        let exploration = try Explorer.explore(try policy.link())
        #expect(Self.errors(exploration) == [])
        #expect(!exploration.issues.isEmpty)
        let page = try #require(exploration.pages.first { $0.name == "Ask" })
        #expect(!page.refusals.isEmpty)
        // Nothing limits how often a wrong code is typed.
        #expect(exploration.outlasted.map(\.page) == ["Ask"])
    }

    @Test func `a code of a technical profile can be typed in an ordinary text field`() throws {
        let otp = "Providers.OneTimePasswordProtocolProvider"
        let policy = P(
            claims: ["code": "string"], fields: ["typed": "string"],
            profiles: P.profile(
                "Generate", otp,
                """
                <Metadata><Item Key="Operation">GenerateCode</Item></Metadata><InputClaims>
                <InputClaim ClaimTypeReferenceId="sub" DefaultValue="somebody" PartnerClaimType="identifier" /></InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="code" PartnerClaimType="otpGenerated" /></OutputClaims>
                """) + P.page("Ask", "typed", validations: ["Verify"])
                + P.profile(
                    "Verify", otp,
                    """
                    <Metadata><Item Key="Operation">VerifyCode</Item></Metadata><InputClaims>
                    <InputClaim ClaimTypeReferenceId="sub" DefaultValue="somebody" PartnerClaimType="identifier" />
                    <InputClaim ClaimTypeReferenceId="typed" PartnerClaimType="otpToVerify" /></InputClaims>
                    """),
            runs: ["Generate", "Ask"])
        let exploration = try Explorer.explore(try policy.link())
        #expect(Self.errors(exploration) == [])
        #expect(!exploration.issues.isEmpty)
        #expect(exploration.pages.first?.isLeft == true)
    }

    @Test func `an authenticator app is registered and asked`() throws {
        let policy = try ExplorerTests.flow([
            "type": "signUpOrSignIn", "mfa": ["when": "always", "method": "totp"],
        ])
        let exploration = try Explorer.explore(policy)
        #expect(!exploration.issues.isEmpty)
        #expect(Self.errors(exploration) == [])
        #expect(exploration.issues.contains { exploration.starts[$0.start].person.name == "tom" })
    }

    // MARK: People

    @Test func `another account's address is typed`() throws {
        let exploration = try Explorer.explore(try ExplorerTests.flow(["type": "signUpOrSignIn"]))
        #expect(Self.says(exploration, "as eve@example.test, which another account has"))
        #expect(!exploration.issues.contains { $0.owner == .other && !$0.hasSession })
    }

    @Test func `a token of another person's account is found`() throws {
        // The reset writes a password to whatever account the typed address leads to.
        let policy = P(
            claims: ["objectId": "string", "email": "string"], fields: ["typed": "string"],
            profiles: P.page("Ask", "typed", validations: ["Read"])
                + P.profile(
                    "Read", "Providers.AzureActiveDirectoryProvider",
                    """
                    <Metadata><Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item></Metadata><InputClaims>
                    <InputClaim ClaimTypeReferenceId="typed" PartnerClaimType="signInNames.emailAddress" /></InputClaims>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" /></OutputClaims>
                    """)
                + P.profile(
                    "Load", "Providers.AzureActiveDirectoryProvider",
                    """
                    <Metadata><Item Key="Operation">Read</Item></Metadata><InputClaims>
                    <InputClaim ClaimTypeReferenceId="typed" PartnerClaimType="signInNames.emailAddress" /></InputClaims>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" /></OutputClaims>
                    """),
            runs: ["Ask", "Load"], outputs: ["objectId"])
        let exploration = try Explorer.explore(try policy.link())
        #expect(exploration.findings.map(\.diagnostic.rule).contains("B2C-EXP-037"))
    }

    @Test func `an administrator acts, people come back, and a second person uses the browser`() throws {
        let exploration = try Explorer.explore(try ExplorerTests.flow(["type": "signUpOrSignIn"]))
        for words in [
            "with the session after an administrator disabled the account",
            "eve, another account, comes in the same browser", "with the session after an hour", "and prompt login",
            "and prompt none", "presses the button twice",
        ] {
            #expect(Self.says(exploration, words), "\(words)")
        }
        #expect(Self.errors(exploration) == [])
    }

    @Test func `an administrator acts while a page is open`() throws {
        let policy = try ExplorerTests.flow(["type": "signIn", "mfa": ["when": "always", "method": "sms"]])
        let exploration = try Explorer.explore(policy)
        #expect(Self.says(exploration, "an administrator deletes the account"))
        #expect(Self.says(exploration, "an administrator disables the account"))
        #expect(Self.errors(exploration) == [])
    }

    @Test func `refresh tokens are used with and without a revocation in between`() throws {
        let exploration = try Explorer.explore(try ExplorerTests.flow(["type": "signUpOrSignIn"]))
        func renewals(_ act: String) -> [Exploration.Renewal] {
            exploration.renewals.filter { exploration.starts[$0.start].words.hasSuffix(act) }
        }
        #expect(renewals("uses the refresh token").contains { $0.claims != nil })
        for act in ["disabled the account", "deleted the account", "reset the password", "revoked it"] {
            let found = renewals(act)
            #expect(!found.isEmpty && found.allSatisfy { $0.failure != nil }, "\(act)")
        }
    }

    @Test func `sessions of another policy of the set are tried`() throws {
        let other = try ExplorerTests.flow(["type": "signIn"])
        let small = P(
            claims: ["level": "string"], profiles: P.api("Api", "", "level"), runs: ["Api"], outputs: ["level"])
        let exploration = try Explorer.explore(try small.link(), neighbours: [other])
        #expect(exploration.starts.contains { $0.origin == other.id })
    }

    @Test func `people who come again and are not tried are counted`() throws {
        let policy = try ExplorerTests.flow(["type": "signUpOrSignIn"])
        #expect(try Explorer.explore(policy).bound == nil)
        var limits = ExplorationLimits()
        limits.starts = 6
        let exploration = try Explorer.explore(policy, limits: limits)
        #expect(exploration.bound == .starts)
        #expect(exploration.summary.contains { $0.hasPrefix("not complete: cut by 6 people who come; ") })
        #expect(exploration.findings.map(\.diagnostic.rule).contains("B2C-EXP-024"))
    }

    // MARK: What is not tried

    @Test func `what is not tried is listed, and what rests on it is not decided`() throws {
        let policy = P(
            claims: ["hash": "string", "hit": "boolean", "salt": "string"], fields: ["word": "string"],
            transformations: P.transformation(
                "H", "Hash", ["plaintext": "word", "salt": "salt"], ["randomizerSecret": "B2C_1A_Secret"],
                ["hash": "hash"])
                + P.transformation(
                    "T", "CompareClaimToValue", ["inputClaim1": "hash"], ["compareTo": "abc", "operator": "EQUAL"],
                    ["outputClaim": "hit"]),
            profiles: P.page("Ask", "word", transformations: ["H", "T"]) + P.transform("Noop", "", []),
            steps: P.exchange(1, "Ask")
                + P.exchange(
                    2, "Noop",
                    preconditions: """
                        <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>hit</Value><Value>True</Value>
                        <Action>SkipThisOrchestrationStep</Action></Precondition>
                        """) + P.send(3))
        let exploration = try Explorer.explore(try policy.link())
        #expect(exploration.untried.map(\.element).contains("claims transformation H"))
        #expect(exploration.summary.contains { $0.hasPrefix("not complete: 1 element needs") })
        let findings = exploration.findings.map(\.diagnostic)
        #expect(findings.contains { $0.rule == "B2C-EXP-090" && $0.location?.file == "small.xml" })
        let skipped = try #require(findings.first { $0.rule == "B2C-EXP-002" })
        #expect(skipped.severity == .advice && skipped.message.hasPrefix("not decided: "))
    }
}
