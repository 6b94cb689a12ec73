import Diagnostics
import JSON
import Testing
import TrustFramework

@testable import Exploration

/// Which account is used, who acts, and where the name of the account comes from.
@Suite struct WhoseAccountTests {
    private typealias P = SmallPolicy

    /// A compiled user flow with edits.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var flow: JSONValue
        var edits: [BrokenPolicy.Edit]
        /// The rule of the finding; `nil`: the policy has no error.
        var rule: ExplorationRule?
        var severity = Severity.error
        /// What message and location name: the location is the line of this text.
        var names: [String] = []
        var line = ""

        var testDescription: String { name }
    }

    private static func text(of flow: JSONValue) throws -> String {
        PolicyWriter.show(try ExplorerTests.flow(flow))
    }

    private static func explored(_ flow: JSONValue, _ edits: [BrokenPolicy.Edit]) throws -> (Exploration, String) {
        var text = try text(of: flow)
        for edit in edits {
            let start = try #require(text.ranges(of: edit.anchor).first, "no \(edit.anchor)")
            let place = try #require(
                text[start.lowerBound...].ranges(of: edit.find).first, "no \(edit.find) after \(edit.anchor)")
            text.replaceSubrange(place, with: edit.replace)
        }
        let document = try PolicyReader.read(file: "planted.xml", bytes: Array(text.utf8))
        let policy = try PolicyLinker.link(PolicyInheritance.merge([document]), personality: .customPolicy)
        return (try Explorer.explore(policy), text)
    }

    private static let reset: JSONValue = ["type": "passwordReset"]
    private static let signIn: JSONValue = [
        "type": "signUpOrSignIn", "attributes": ["displayName"], "claims": ["emails"],
    ]
    private static let find = "<TechnicalProfile Id=\"LocalAccountDiscoveryUsingEmailAddress\">"
    private static let new = "<TechnicalProfile Id=\"LocalAccountWritePasswordUsingObjectId\">"
    private static let noop = "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />"
    private static let kept = "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Kept\" />"
    private static let reads = "<TechnicalProfile Id=\"AAD-UserReadUsingEmailAddress\">"

    /// A session provider that keeps the account, as that of a sign-in does.
    private static let session = [
        BrokenPolicy.Edit(
            "<TrustFrameworkPolicy", "<ClaimsProviders>",
            "<ClaimsProviders><ClaimsProvider><DisplayName>Session</DisplayName><TechnicalProfiles>"
                + P.profile(
                    "SM-Kept", "SSO.DefaultSSOSessionProvider",
                    "<PersistedClaims><PersistedClaim ClaimTypeReferenceId=\"objectId\" /></PersistedClaims>")
                + "</TechnicalProfiles></ClaimsProvider>")
    ]

    static let cases: [Case] = [
        Case(
            name: "the next person in the browser sets the password of the one before", flow: reset,
            edits: session + [BrokenPolicy.Edit(find, noop, kept)], rule: .strangersAccount,
            names: [
                "eve sets the password", "SM-Kept", "LocalAccountDiscoveryUsingEmailAddress", "objectId",
                "AAD-UserWritePasswordUsingObjectId",
            ], line: kept),
        Case(
            name: "the next person proves her address and gets the token of the one before", flow: reset,
            edits: session + [BrokenPolicy.Edit(new, noop, kept)], rule: .strangersAccount,
            names: ["eve gets a token", "SM-Kept", "LocalAccountWritePasswordUsingObjectId"], line: kept),
        Case(
            name: "a parameter of the request says whose password is set", flow: reset,
            edits: [
                BrokenPolicy.Edit(
                    reads, "<Item Key=\"Operation\">Read</Item>",
                    "<Item Key=\"Operation\">Read</Item><Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item>"
                ),
                BrokenPolicy.Edit(
                    reads, "<InputClaim ClaimTypeReferenceId=\"email\" ",
                    "<InputClaim DefaultValue=\"{OAUTH-KV:user}\" AlwaysUseDefaultValue=\"true\" ClaimTypeReferenceId=\"email\" "
                ),
            ], rule: .strangersAccount, names: ["belongs to eve", "{OAUTH-KV:user}", "AAD-UserReadUsingEmailAddress"],
            line: "{OAUTH-KV:user}"),
        Case(name: "the reset as it is", flow: reset, edits: []),
        Case(name: "the sign-in as it is, whose session gives a second person the token", flow: signIn, edits: []),
        Case(name: "a profile edit with the session", flow: ["type": "profileEditing"], edits: []),
    ]

    @Test(arguments: cases)
    func `an account that is used by somebody else is found with where its name comes from`(_ one: Case) throws {
        let (exploration, text) = try Self.explored(one.flow, one.edits)
        let findings = exploration.findings.map(\.diagnostic)
        guard let rule = one.rule else {
            #expect(findings.filter { $0.severity == .error }.map(\.description) == [])
            return
        }
        let all = findings.filter { $0.rule == rule.id }
        // One cause is one finding.
        #expect(all.count == 1, "\(findings.map(\.message))")
        let found = try #require(all.first)
        #expect(found.severity == one.severity)
        for name in one.names { #expect(found.message.contains(name), "\(found.message) \(found.remedy ?? "")") }
        let line = try #require(found.location?.line)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false)[line - 1].contains(one.line))
        #expect(found.remedy?.contains("Path: ") == true)
    }

    /// Reads the account of a name.
    private static let read = P.profile(
        "Read", "Providers.AzureActiveDirectoryProvider",
        """
        <Metadata><Item Key="Operation">Read</Item>
        <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item></Metadata><InputClaims>
        <InputClaim ClaimTypeReferenceId="loginName" PartnerClaimType="signInNames.userName" /></InputClaims>
        <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" />
        <OutputClaim ClaimTypeReferenceId="accountEnabled" /></OutputClaims>
        <OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="AssertEnabled" />
        </OutputClaimsTransformations>
        """)

    private static func asked(
        for field: String, type: String = "TextBox", sends: String, more: String = "", checks: [String]
    ) throws -> Exploration {
        let policy = P(
            claims: ["objectId": "string", "accountEnabled": "boolean", "answer": "string"],
            fields: ["loginName": "string"], types: P.box(field, "string", type),
            transformations: """
                <ClaimsTransformation Id="AssertEnabled" TransformationMethod="AssertBooleanClaimIsEqualToValue"><InputClaims>
                <InputClaim ClaimTypeReferenceId="accountEnabled" TransformationClaimType="inputClaim" /></InputClaims>
                <InputParameters><InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" />
                </InputParameters></ClaimsTransformation>\(more)
                """,
            profiles: P.page("Ask", "loginName \(field)", validations: checks) + read
                + P.api("Check", sends, more.isEmpty ? "" : "answer")
                + P.transform("Compare", "", more.isEmpty ? [] : ["C"]),
            runs: ["Ask", "Read"], outputs: ["objectId"])
        return try Explorer.explore(try policy.link())
    }

    @Test(arguments: [("pin", "TextBox"), ("secret", "Password")])
    func `a secret that a service checks is a proof`(field: String, type: String) throws {
        let exploration = try Self.asked(
            for: field, type: type, sends: "loginName \(field)", checks: ["Check", "Read"])
        #expect(!exploration.issues.isEmpty)
        #expect(exploration.findings.map(\.diagnostic).filter { $0.severity == .error }.map(\.description) == [])
    }

    @Test func `a secret that a service gives and the policy compares is a proof`() throws {
        let exploration = try Self.asked(
            for: "pin", sends: "loginName",
            more: P.transformation(
                "C", "AssertStringClaimsAreEqual", ["inputClaim1": "pin", "inputClaim2": "answer"],
                ["stringComparison": "ordinalIgnoreCase"]), checks: ["Check", "Compare", "Read"])
        #expect(!exploration.issues.isEmpty)
        let unproved = exploration.findings.map(\.diagnostic).filter { $0.rule == ExplorationRule.unproved.id }
        #expect(unproved.map(\.description) == [])
    }

    @Test func `a service that gets the name alone proves nothing, and everybody it concerns is in one finding`() throws
    {
        let exploration = try Self.asked(for: "pin", sends: "loginName", checks: ["Check", "Read"])
        let found = exploration.findings.map(\.diagnostic).filter {
            [ExplorationRule.unproved.id, ExplorationRule.strangersAccount.id].contains($0.rule)
        }
        #expect(found.count == 1, "\(exploration.findings.map(\.diagnostic.message))")
        let one = try #require(found.first)
        #expect(one.message.contains("belongs to eve") && one.message.contains("loginName"), "\(one.message)")
        #expect(one.message.contains("(also "), "\(one.message)")
    }

    // MARK: Addresses

    @Test func `an address of the request in a token of an account that has another is found`() throws {
        let (exploration, _) = try Self.explored(
            Self.signIn,
            [
                BrokenPolicy.Edit(
                    "<RelyingParty>", "<OutputClaim ClaimTypeReferenceId=\"emails\" />",
                    "<OutputClaim ClaimTypeReferenceId=\"email\" DefaultValue=\"{OIDC:LoginHint}\" AlwaysUseDefaultValue=\"true\" />"
                )
            ])
        let found = exploration.findings.map(\.diagnostic).filter { $0.rule == ExplorationRule.unverified.id }
        #expect(found.count == 1)
        #expect(found.first?.message.contains("{OIDC:LoginHint}") == true)
    }

    // MARK: Refresh tokens

    private static let setUp = "<TechnicalProfile Id=\"RefreshSetup\">"
    private static let revocation = "<TechnicalProfile Id=\"AAD-UserReadUsingObjectId\">"

    /// The refresh journey compares the times, and takes some for equal.
    private static func tolerance(_ milliseconds: Int) -> [BrokenPolicy.Edit] {
        func input(_ claim: String, _ role: String) -> String {
            "<InputClaim ClaimTypeReferenceId=\"\(claim)\" TransformationClaimType=\"\(role)\" />"
        }
        func parameter(_ id: String, _ type: String, _ value: String) -> String {
            "<InputParameter Id=\"\(id)\" DataType=\"\(type)\" Value=\"\(value)\" />"
        }
        func output(_ claim: String) -> String { "<OutputClaim ClaimTypeReferenceId=\"\(claim)\" />" }
        let types = ["refreshTokenIssuedOnDateTime", "refreshTokensValidFromDateTime"].map {
            BrokenPolicy.Edit(
                "<TrustFrameworkPolicy", "<ClaimsSchema>",
                "<ClaimsSchema><ClaimType Id=\"\($0)\"><DisplayName>d</DisplayName><DataType>string</DataType></ClaimType>"
            )
        }
        return BrokenPolicy.refresh + types + [
            BrokenPolicy.Edit(
                "<TrustFrameworkPolicy", "<ClaimsTransformations>",
                "<ClaimsTransformations><ClaimsTransformation Id=\"AssertLater\" TransformationMethod=\"AssertDateTimeIsGreaterThan\"><InputClaims>"
                    + input("refreshTokenIssuedOnDateTime", "leftOperand")
                    + input("refreshTokensValidFromDateTime", "rightOperand")
                    + "</InputClaims><InputParameters>" + parameter("AssertIfEqualTo", "boolean", "false")
                    + parameter("AssertIfRightOperandIsNotPresent", "boolean", "true")
                    + parameter("TreatAsEqualIfWithinMillseconds", "int", "\(milliseconds)")
                    + "</InputParameters></ClaimsTransformation>"),
            BrokenPolicy.Edit(setUp, output("objectId"), output("objectId") + output("refreshTokenIssuedOnDateTime")),
            BrokenPolicy.Edit(
                "<TrustFrameworkPolicy", "<ClaimsProviders>",
                "<ClaimsProviders><ClaimsProvider><DisplayName>Dates</DisplayName><TechnicalProfiles>"
                    + "<TechnicalProfile Id=\"ReadDates\"><OutputClaims>" + output("refreshTokensValidFromDateTime")
                    + "</OutputClaims><OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"AssertLater\" />"
                    + "</OutputClaimsTransformations><IncludeTechnicalProfile ReferenceId=\"AAD-UserReadUsingObjectId\" />"
                    + "</TechnicalProfile></TechnicalProfiles></ClaimsProvider>"),
            BrokenPolicy.Edit(
                "<UserJourney Id=\"Refresh\">", "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\"",
                "TechnicalProfileReferenceId=\"ReadDates\""),
        ]
    }

    @Test(arguments: [(300_000, false), (86_400_000, true), (2_000_000_000, true)])
    func `a revocation is found to be ignored whatever the tolerance is`(milliseconds: Int, isIgnored: Bool) throws {
        let findings = try BrokenPolicy.explore(Self.tolerance(milliseconds), limits: ExplorationLimits()).findings
        let found = findings.map(\.diagnostic).filter { $0.rule == ExplorationRule.refreshIgnoresRevocation.id }
        #expect(found.map { $0.message.contains("AssertLater") } == (isIgnored ? [true] : []))
    }

    @Test func `a refresh that fails on every path is found, with what the token lacks`() throws {
        let edits =
            BrokenPolicy.refresh + [
                BrokenPolicy.Edit(Self.setUp, "<OutputClaim ClaimTypeReferenceId=\"objectId\" />", "")
            ]
        let findings = try BrokenPolicy.explore(edits, limits: ExplorationLimits()).findings.map(\.diagnostic)
        let found = try #require(findings.first { $0.rule == ExplorationRule.noToken.id })
        #expect(found.message.contains("RefreshSetup") && found.message.contains("objectId"), "\(found.message)")
        #expect(found.location?.line != nil)
    }

    @Test func `a service of the refresh journey does not hide that revocation is ignored`() throws {
        let edits =
            BrokenPolicy.refresh + [
                BrokenPolicy.Edit(
                    "<UserJourney Id=\"Refresh\">", "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\"",
                    "TechnicalProfileReferenceId=\"REST-Check\""), BrokenPolicy.check,
            ]
        let findings = try BrokenPolicy.explore(edits, limits: ExplorationLimits()).findings.map(\.diagnostic)
        #expect(findings.contains { $0.rule == ExplorationRule.refreshIgnoresRevocation.id })
    }

    // MARK: Defaults, factors, attributes

    @Test func `a default that passes a check is found where the service says nothing`() throws {
        func explored(_ standard: String) throws -> [Diagnostic] {
            let policy = P(
                claims: ["approved": "boolean"],
                transformations: """
                    <ClaimsTransformation Id="AssertApproved" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                    <InputClaims><InputClaim ClaimTypeReferenceId="approved" TransformationClaimType="inputClaim" />
                    </InputClaims><InputParameters>
                    <InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" /></InputParameters>
                    </ClaimsTransformation>
                    """,
                profiles: P.api("Approve", "", "approved", ["AssertApproved"]).replacing(
                    "<OutputClaim ClaimTypeReferenceId=\"approved\" />",
                    with: "<OutputClaim ClaimTypeReferenceId=\"approved\" DefaultValue=\"\(standard)\" />"),
                runs: ["Approve"])
            return try Explorer.explore(try policy.link()).findings.map(\.diagnostic).filter {
                $0.rule == ExplorationRule.emptyAnswerPasses.id
            }
        }
        #expect(try explored("false").map(\.message) == [])
        let found = try #require(try explored("true").first)
        for name in ["Approve", "approved", "AssertApproved", "\"true\" by DefaultValue"] {
            #expect(found.message.contains(name), "\(found.message)")
        }
    }

    @Test func `the account has what a page needs and the policy writes elsewhere`() throws {
        let directory = "Providers.AzureActiveDirectoryProvider"
        func key(_ claim: String) -> String {
            "<InputClaims><InputClaim ClaimTypeReferenceId=\"\(claim)\" PartnerClaimType=\"signInNames.userName\" /></InputClaims>"
        }
        let member = "<PersistedClaims><PersistedClaim ClaimTypeReferenceId=\"extension_member\" /></PersistedClaims>"
        let policy = P(
            claims: ["objectId": "string"], fields: ["loginName": "string"],
            types: P.box("extension_member", "string", "Readonly"),
            profiles: P.page("Ask", "loginName", validations: ["Read"])
                + P.profile(
                    "Read", directory,
                    "<Metadata><Item Key=\"Operation\">Read</Item><Item Key=\"RaiseErrorIfClaimsPrincipalDoesNotExist\">true</Item></Metadata>"
                        + key("loginName") + P.claims("extension_member", "Output"))
                + P.profile(
                    "Elsewhere", directory,
                    "<Metadata><Item Key=\"Operation\">Write</Item></Metadata>" + key("loginName") + member)
                + P.page("Show", "extension_member", input: "<InputClaim ClaimTypeReferenceId=\"extension_member\" />"),
            runs: ["Ask", "Read", "Show"])
        let exploration = try Explorer.explore(try policy.link())
        #expect(
            exploration.pages.first { $0.name == "Show" }?.isLeft == true,
            "\(exploration.findings.map(\.diagnostic.message))")
    }

    @Test func `the writer of a number that does not reach the account is named`() throws {
        let findings = try BrokenPolicy.explore(
            [
                BrokenPolicy.Edit(
                    "<TechnicalProfile Id=\"AAD-UserWritePhoneNumberUsingObjectId\">",
                    "ClaimTypeReferenceId=\"Verified.strongAuthenticationPhoneNumber\"",
                    "ClaimTypeReferenceId=\"strongAuthenticationPhoneNumber\"")
            ], limits: ExplorationLimits()
        ).findings.map(\.diagnostic)
        let found = try #require(findings.first { $0.rule == ExplorationRule.factorForgotten.id })
        #expect(
            found.message.contains("AAD-UserWritePhoneNumberUsingObjectId")
                && found.message.contains("strongAuthenticationPhoneNumber"), "\(found.message)")
    }

    // MARK: No errors

    @Test func `a page without Continue is an end that a policy may want`() throws {
        let hidden = "<Item Key=\"setting.showContinueButton\">false</Item>"
        func errors(_ metadata: String) throws -> [String] {
            let policy = P(
                claims: ["objectId": "string"], fields: ["loginName": "string", "goodbye": "string"],
                profiles: P.page("Ask", "loginName") + P.page("End", "goodbye", metadata: metadata),
                runs: ["Ask", "End"])
            let exploration = try Explorer.explore(try policy.link())
            #expect(exploration.issues.isEmpty == !metadata.isEmpty)
            return exploration.findings.map(\.diagnostic).filter { $0.severity == .error }.compactMap(\.rule)
        }
        #expect(try errors(hidden).filter { $0 == ExplorationRule.pageNeverLeft.id } == [])
        #expect(try errors("") == [])
    }

    @Test func `an assertion that refuses a disabled account is as it should be`() throws {
        let exploration = try Self.asked(for: "pin", sends: "loginName pin", checks: ["Check", "Read"])
        let wrong = exploration.findings.map(\.diagnostic).filter {
            [ExplorationRule.exception.id, ExplorationRule.checkSkipped.id].contains($0.rule)
        }
        #expect(wrong.map(\.description) == [])
    }

    @Test func `accounts have one of the values that a claim type lists`() throws {
        func explored(_ list: String) throws -> [String] {
            let way = """
                <ClaimType Id="extension_way"><DisplayName>w</DisplayName><DataType>string</DataType>\(list)</ClaimType>
                """
            let skip = """
                <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>extension_way</Value><Value>mail</Value>\
                <Action>SkipThisOrchestrationStep</Action></Precondition>
                """
            let policy = P(
                claims: ["objectId": "string", "accountEnabled": "boolean"], fields: ["loginName": "string"],
                types: way,
                transformations: P.transformation(
                    "AssertEnabled", "AssertBooleanClaimIsEqualToValue", ["inputClaim": "accountEnabled"],
                    ["valueToCompareTo": "true"]
                ).replacing("DataType=\"string\"", with: "DataType=\"boolean\""),
                profiles: P.page("Ask", "loginName", validations: ["Read"])
                    + Self.read.replacing(
                        "<OutputClaim ClaimTypeReferenceId=\"objectId\" />",
                        with:
                            "<OutputClaim ClaimTypeReferenceId=\"objectId\" /><OutputClaim ClaimTypeReferenceId=\"extension_way\" />"
                    ) + P.page("Other", "loginName"),
                steps: P.exchange(1, "Ask") + P.exchange(2, "Read") + P.exchange(3, "Other", preconditions: skip)
                    + P.send(4),
                outputs: ["objectId", "extension_way"])
            let exploration = try Explorer.explore(try policy.link())
            return Set(exploration.issues.compactMap { $0.claims["extension_way"]?.stringValue }).sorted()
        }
        #expect(try explored("").contains("other"))
        let listed = try explored(
            "<Restriction><Enumeration Text=\"M\" Value=\"mail\" /><Enumeration Text=\"P\" Value=\"phone\" /></Restriction>"
        )
        #expect(listed == ["mail", "phone"])
    }

    @Test func `no help text has a place that nothing fills`() {
        for rule in ExplorationRule.allCases { #expect(rule.remedy?.contains("{") != true, "\(rule.id)") }
    }
}
