import Determinism
import HTTPMessages
import JSON
import Journeys
import Testing
import TrustFramework

@Suite struct EngineTests {
    // MARK: Preconditions

    struct PreconditionRow: Sendable {
        var claim: String?
        var type: String
        var execute: Bool
        var values: [String]
        var skips: Bool
    }

    static let preconditions: [PreconditionRow] = [
        PreconditionRow(claim: "v", type: "ClaimsExist", execute: true, values: ["text"], skips: true),
        PreconditionRow(claim: nil, type: "ClaimsExist", execute: true, values: ["text"], skips: false),
        PreconditionRow(claim: "v", type: "ClaimsExist", execute: false, values: ["text"], skips: false),
        PreconditionRow(claim: nil, type: "ClaimsExist", execute: false, values: ["text"], skips: true),
        PreconditionRow(claim: "v", type: "ClaimEquals", execute: true, values: ["text", "v"], skips: true),
        PreconditionRow(claim: "V", type: "ClaimEquals", execute: true, values: ["text", "v"], skips: false),
        PreconditionRow(claim: "v", type: "ClaimEquals", execute: false, values: ["text", "v"], skips: false),
        PreconditionRow(claim: "w", type: "ClaimEquals", execute: false, values: ["text", "v"], skips: true),
        PreconditionRow(claim: nil, type: "ClaimEquals", execute: true, values: ["text", "v"], skips: false),
        PreconditionRow(claim: nil, type: "ClaimEquals", execute: false, values: ["text", "v"], skips: false),
    ]

    @Test(arguments: preconditions.indices) func `preconditions skip as documented`(_ index: Int) throws {
        let row = Self.preconditions[index]
        let condition =
            #"<Precondition Type="\#(row.type)" ExecuteActionsIf="\#(row.execute)">"#
            + row.values.map { "<Value>\($0)</Value>" }.joined()
            + "<Action>SkipThisOrchestrationStep</Action></Precondition>"
        let world = try World(xml: [
            Inline.policy(
                claims: ["text": "string", "ran": "string"],
                profiles: Inline.constants("Start", row.claim.map { ["text": $0] } ?? [:])
                    + Inline.constants("Mark", ["ran": "yes"]),
                steps: Inline.exchange(1, "Start") + Inline.exchange(2, "Mark", preconditions: condition)
                    + Inline.send(3),
                outputs: ["ran"])
        ])
        let run = world.begin()
        #expect((run.claims["ran"] == nil) == row.skips)
        let record = run.records.first { $0["step"] == 2 && $0["stepType"] != nil }
        #expect(record?["ran"] == .bool(!row.skips))
        #expect(record?["because"]?.stringValue?.contains("text") == true)
    }

    @Test func `booleans compare as the service writes them`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["flag": "boolean", "ran": "string", "other": "string"],
                profiles: Inline.constants("Start", ["flag": "true"]) + Inline.constants("Mark", ["ran": "yes"])
                    + Inline.constants("Other", ["other": "yes"]),
                steps: Inline.exchange(1, "Start")
                    + Inline.exchange(
                        2, "Mark", preconditions: Inline.precondition("ClaimEquals", true, "flag", "True"))
                    + Inline.exchange(
                        3, "Other", preconditions: Inline.precondition("ClaimEquals", true, "flag", "true"))
                    + Inline.send(4), outputs: ["ran", "other"])
        ])
        let run = world.begin()
        #expect(run.claims["ran"] == nil)
        #expect(run.claims["other"] == "yes")
    }

    // MARK: Sub journeys

    private func subJourney(_ type: String) throws -> World {
        try World(xml: [
            Inline.policy(
                claims: ["inside": "string", "after": "string"],
                profiles: Inline.constants("Inside", ["inside": "yes"]) + Inline.constants("After", ["after": "yes"]),
                steps: #"<OrchestrationStep Order="1" Type="InvokeSubJourney"><JourneyList>"#
                    + #"<Candidate SubJourneyReferenceId="Sub" /></JourneyList></OrchestrationStep>"#
                    + Inline.exchange(2, "After") + Inline.send(3),
                subJourneys: #"<SubJourney Id="Sub" Type="\#(type)"><OrchestrationSteps>"#
                    + Inline.exchange(1, "Inside") + (type == "Transfer" ? Inline.send(2) : "")
                    + "</OrchestrationSteps></SubJourney>", outputs: ["inside", "after"])
        ])
    }

    @Test func `a called sub-journey comes back`() throws {
        let run = try subJourney("Call").begin()
        #expect(run.claims["inside"] == "yes")
        #expect(run.claims["after"] == "yes")
    }

    @Test func `a transfer does not come back`() throws {
        let run = try subJourney("Transfer").begin()
        #expect(run.claims["inside"] == "yes")
        #expect(run.claims["after"] == nil)
    }

    /// What names no issuer takes that of the user journey, in a sub journey too; without one the journey fails.
    @Test(arguments: ["Transfer", "Call", "none"], [true, false])
    func `the default issuer of the user journey sends the claims`(_ sub: String, _ hasDefault: Bool) throws {
        let bare = #"<OrchestrationStep Order="1" Type="SendClaims" />"#
        let isSub = sub != "none"
        var policy = Inline.policy(
            steps: isSub
                ? #"<OrchestrationStep Order="1" Type="InvokeSubJourney"><JourneyList>"#
                    + #"<Candidate SubJourneyReferenceId="Sub" /></JourneyList></OrchestrationStep>"# + Inline.send(2)
                : bare,
            subJourneys: isSub
                ? #"<SubJourney Id="Sub" Type="\#(sub)"><OrchestrationSteps>\#(bare)</OrchestrationSteps></SubJourney>"#
                : "")
        if hasDefault {
            policy = policy.replacing(
                #"<UserJourney Id="J">"#,
                with: #"<UserJourney Id="J" DefaultCpimIssuerTechnicalProfileReferenceId="JwtIssuer">"#)
        }
        let run = try World(xml: [policy]).begin()
        #expect((run.issuance != nil) == hasDefault)
        #expect(run.failure?.code == (hasDefault ? nil : .c90108))
    }

    // MARK: Tokens

    /// Instants are numbers in tokens and ISO 8601 elsewhere; a date is text everywhere (Microsoft docs: claimsschema).
    @Test func `a token has instants as seconds since 1970`() throws {
        let api = """
            <TechnicalProfile Id="Api"><DisplayName>Api</DisplayName>\(Inline.handler("Providers.RestfulProvider"))\
            <Metadata><Item Key="ServiceUrl">https://api.contoso.test/</Item><Item Key="AuthenticationType">None</Item>\
            </Metadata><InputClaims><InputClaim ClaimTypeReferenceId="at" /><InputClaim ClaimTypeReferenceId="day" />\
            </InputClaims><OutputClaims><OutputClaim ClaimTypeReferenceId="seen" />\
            <OutputClaim ClaimTypeReferenceId="from" /></OutputClaims></TechnicalProfile>
            """
        let world = try World(xml: [
            Inline.policy(
                claims: ["at": "dateTime", "day": "date", "seen": "dateTime", "from": "date"],
                profiles: Inline.constants("Set", ["at": "2024-02-29T13:45:10Z", "day": "2024-02-29"]) + api,
                steps: Inline.steps("Set", "Api"), outputs: ["at", "day", "seen", "from"])
        ])
        let run = world.begin()
        #expect(run.callout?.json == ["at": "2024-02-29T13:45:10Z", "day": "2024-02-29"])
        run.answer(["seen": 1_709_214_310, "from": 1_709_214_310])
        #expect(run.claims["at"] == 1_709_214_310 && run.claims["day"] == "2024-02-29")
        #expect(run.claims["seen"] == 1_709_214_310 && run.claims["from"] == "2024-02-29")
    }

    // MARK: Validation profiles

    /// A page whose validation profiles assert that flag claims are true.
    private func validating(_ list: String, retryLimit: String = "") throws -> World {
        func assertion(_ id: String, _ claim: String) -> String {
            """
            <ClaimsTransformation Id="\(id)" TransformationMethod="AssertBooleanClaimIsEqualToValue"><InputClaims>
            <InputClaim ClaimTypeReferenceId="\(claim)" TransformationClaimType="inputClaim" /></InputClaims>
            <InputParameters><InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" /></InputParameters>
            </ClaimsTransformation>
            """
        }
        func validation(_ id: String, _ transformation: String, _ claim: String) -> String {
            Inline.constants(
                id, [claim: "ran"],
                more: "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"\(transformation)\" />"
                    + "</OutputClaimsTransformations>")
        }
        var metadata: KeyValuePairs<String, String> = [
            "UserMessageIfClaimsTransformationBooleanValueIsNotEqual": "The page says no."
        ]
        if !retryLimit.isEmpty {
            metadata = [
                "UserMessageIfClaimsTransformationBooleanValueIsNotEqual": "The page says no.",
                "setting.retryLimit": retryLimit,
            ]
        }
        return try World(xml: [
            Inline.policy(
                claims: ["ranA": "string", "ranB": "string"],
                types: ["a", "b"].map {
                    #"<ClaimType Id="\#($0)"><DisplayName>\#($0)</DisplayName><DataType>boolean</DataType><UserInputType>TextBox</UserInputType></ClaimType>"#
                }.joined(), transformations: assertion("AssertA", "a") + assertion("AssertB", "b"),
                profiles: validation("A", "AssertA", "ranA") + validation("B", "AssertB", "ranB")
                    + Inline.page(
                        "Page", metadata: metadata,
                        """
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="a" /><OutputClaim ClaimTypeReferenceId="b" />
                        <OutputClaim ClaimTypeReferenceId="ranA" /><OutputClaim ClaimTypeReferenceId="ranB" />
                        </OutputClaims><ValidationTechnicalProfiles>\(list)</ValidationTechnicalProfiles>
                        """), steps: Inline.steps("Page"), outputs: ["ranA", "ranB"])
        ])
    }

    @Test func `the first failure stops the validation and is shown`() throws {
        let world = try validating(
            #"<ValidationTechnicalProfile ReferenceId="A" /><ValidationTechnicalProfile ReferenceId="B" />"#)
        let run = world.begin()
        run.submit(["a": "true", "b": "false"])
        #expect(run.answerStop?.message == "The page says no.")
        #expect(run.profiles == ["A", "B", "Page"])
        run.submit(["a": "false", "b": "true"])
        #expect(run.status == "400")
        run.fill(["a": "true", "b": "true"])
        #expect(run.claims["ranA"] == "ran")
        #expect(run.claims["ranB"] == "ran")
    }

    @Test func `errors may be passed over`() throws {
        let world = try validating(
            #"<ValidationTechnicalProfile ReferenceId="A" ContinueOnError="true" /><ValidationTechnicalProfile ReferenceId="B" />"#
        )
        let run = world.begin()
        run.fill(["a": "false", "b": "true"])
        #expect(run.claims["ranB"] == "ran")
    }

    @Test func `a success may stop the validation`() throws {
        let world = try validating(
            #"<ValidationTechnicalProfile ReferenceId="A" ContinueOnSuccess="false" /><ValidationTechnicalProfile ReferenceId="B" />"#
        )
        let run = world.begin()
        run.fill(["a": "true", "b": "false"])
        #expect(run.claims["ranA"] == "ran")
        #expect(run.claims["ranB"] == nil)
    }

    @Test func `validation profiles have preconditions`() throws {
        let world = try validating(
            #"<ValidationTechnicalProfile ReferenceId="A"><Preconditions>"#
                + Inline.precondition(
                    "ClaimEquals", true, "b", "True", action: "SkipThisValidationTechnicalProfile")
                + #"</Preconditions></ValidationTechnicalProfile><ValidationTechnicalProfile ReferenceId="B" />"#)
        let run = world.begin()
        run.fill(["a": "false", "b": "true"])
        #expect(run.claims["ranA"] == nil)
        #expect(run.claims["ranB"] == "ran")
    }

    @Test func `too many failures end the journey`() throws {
        let world = try validating(#"<ValidationTechnicalProfile ReferenceId="A" />"#, retryLimit: "2")
        let run = world.begin()
        #expect(run.page?.retryLimit == 2)
        run.submit(["a": "false"])
        #expect(run.answerStop?.message == "The page says no.")
        run.submit(["a": "false"])
        #expect(run.answerStop?.code?.id == "AADB2C90157")
        run.submit(["a": "true"])
        #expect(run.answerStop?.code?.id == "AADB2C90157")
        run.confirm()
        #expect(run.failure?.code?.id == "AADB2C90157")
    }

    @Test func `a failed submit leaves no claims`() throws {
        let world = try validating(#"<ValidationTechnicalProfile ReferenceId="A" />"#)
        let run = world.begin()
        let before = run.journey.claims
        run.submit(["a": "false", "b": "true"])
        #expect(run.journey.claims == before)
    }

    // MARK: Fields

    static let fields: [(input: String, restriction: String, type: String, value: String, accepted: Bool)] = [
        ("TextBox", "", "string", "x", true), ("TextBox", "", "int", "12", true),
        ("TextBox", "", "int", "twelve", false),
        ("TextBox", "", "int", "99999999999", false), ("EmailBox", "", "string", "a@b.test", true),
        ("EmailBox", "", "string", "a.b.test", false), ("DateTimeDropdown", "", "date", "2000-02-29", true),
        ("DateTimeDropdown", "", "date", "2001-02-29", false),
        (
            "TextBox", #"<Restriction><Pattern RegularExpression="^[a-c]+$" HelpText="abc" /></Restriction>"#, "string",
            "cab", true
        ),
        (
            "TextBox", #"<Restriction><Pattern RegularExpression="^[a-c]+$" HelpText="abc" /></Restriction>"#, "string",
            "cabd", false
        ),
        ("DropdownSingleSelect", choices, "string", "2", true),
        ("DropdownSingleSelect", choices, "string", "Two", false),
        ("CheckboxMultiSelect", choices, "string", "2,1", true),
        ("CheckboxMultiSelect", choices, "string", "1,9", false),
        ("TextBox", #"<PredicateValidationReference Id="PV" />"#, "string", "2020-05-05", true),
        ("TextBox", #"<PredicateValidationReference Id="PV" />"#, "string", "1960-05-05", false),
        ("TextBox", #"<PredicateValidationReference Id="PV" />"#, "string", "2026-01-16", false),
    ]

    static let choices =
        #"<Restriction><Enumeration Text="One" Value="1" /><Enumeration Text="Two" Value="2" /></Restriction>"#

    @Test(arguments: fields.indices) func `fields are checked`(_ index: Int) throws {
        let row = Self.fields[index]
        let world = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="f"><DisplayName>Field</DisplayName><DataType>\(row.type)</DataType>
                    <UserInputType>\(row.input)</UserInputType>\(row.restriction)</ClaimType>
                    """,
                predicates: """
                    <Predicates><Predicate Id="Since1970" Method="IsDateRange" HelpText="not in range"><Parameters>
                    <Parameter Id="Minimum">1970-01-01</Parameter><Parameter Id="Maximum">Today</Parameter></Parameters>
                    </Predicate></Predicates><PredicateValidations><PredicateValidation Id="PV"><PredicateGroups>
                    <PredicateGroup Id="G"><UserHelpText>The date is</UserHelpText><PredicateReferences>
                    <PredicateReference Id="Since1970" /></PredicateReferences></PredicateGroup></PredicateGroups>
                    </PredicateValidation></PredicateValidations>
                    """,
                profiles: Inline.page(
                    "Page", #"<OutputClaims><OutputClaim ClaimTypeReferenceId="f" Required="true" /></OutputClaims>"#),
                steps: Inline.steps("Page"), outputs: ["f"])
        ])
        let run = world.begin()
        run.submit(["f": row.value])
        #expect(run.status == (row.accepted ? "200" : "400"), "\(run.answerStop?.message ?? "")")
        if row.input == "CheckboxMultiSelect", row.accepted {
            run.confirm()
            #expect(run.claims["f"] == "1,2")
        }
        if row.value == "1960-05-05" { #expect(run.answerStop?.message == "The date is not in range") }
    }

    @Test func `read-only fields cannot be changed`() throws {
        let world = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="shown"><DisplayName>Shown</DisplayName><DataType>string</DataType>
                    <Mask Type="Simple">XXX</Mask><UserInputType>Readonly</UserInputType></ClaimType>
                    """,
                profiles: Inline.constants("Start", ["shown": "secret"])
                    + Inline.page(
                        "Page",
                        """
                        <InputClaims><InputClaim ClaimTypeReferenceId="shown" /></InputClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="shown" /></OutputClaims>
                        """), steps: Inline.steps("Start", "Page"), outputs: ["shown"])
        ])
        let run = world.begin()
        #expect(run.page?.fields.first?.prefilled == "XXXret")
        run.fill(["shown": "forged"])
        #expect(run.claims["shown"] == "secret")
    }

    // MARK: Profiles

    @Test func `what is not simulated is named with its place`() throws {
        let world = try World(xml: [
            Inline.policy(
                profiles: """
                    <TechnicalProfile Id="Twitter"><DisplayName>Twitter</DisplayName><Protocol Name="SAML2" />
                    <Metadata><Item Key="client_id">x</Item></Metadata></TechnicalProfile>
                    """, steps: Inline.steps("Twitter"))
        ])
        let run = world.begin()
        let failure = try #require(run.failure)
        guard case .notSimulated(let what, let location) = failure.kind else {
            Issue.record("\(failure)")
            return
        }
        #expect(what.contains("Twitter"))
        #expect(location?.file == "test.xml")
        #expect(failure.text.hasPrefix("not simulated: ") && failure.text.contains("test.xml:"))
    }

    @Test func `profiles are enabled by claims`() throws {
        func profile(_ id: String, _ claim: String, _ enabled: String, _ metadata: String) -> String {
            """
            <TechnicalProfile Id="\(id)"><DisplayName>\(id)</DisplayName>\
            \(Inline.handler("Providers.ClaimsTransformationProtocolProvider"))<Metadata>\(metadata)</Metadata>\
            <OutputClaims><OutputClaim ClaimTypeReferenceId="\(claim)" DefaultValue="yes" AlwaysUseDefaultValue="true" />\
            </OutputClaims><EnabledForUserJourneys>\(enabled)</EnabledForUserJourneys></TechnicalProfile>
            """
        }
        let list = #"<Item Key="ClaimTypeOnWhichToEnable">list</Item><Item Key="ClaimValueOnWhichToEnable">one</Item>"#
        let world = try World(xml: [
            Inline.policy(
                claims: ["list": "stringCollection", "a": "string", "b": "string", "c": "string", "d": "string"],
                profiles: Inline.constants("Start", ["list": "one"])
                    + profile("A", "a", "OnClaimsExistence", #"<Item Key="ClaimTypeOnWhichToEnable">list</Item>"#)
                    + profile("B", "b", "OnItemExistenceInStringCollectionClaim", list)
                    + profile("C", "c", "OnItemAbsenceInStringCollectionClaim", list)
                    + profile("D", "d", "Never", list),
                steps: Inline.steps("Start", "A", "B", "C", "D"), outputs: ["a", "b", "c", "d"])
        ])
        let run = world.begin()
        #expect(run.claims.keys == ["sub", "a", "b"])
    }

    @Test func `an error of the policy goes to the app`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["errorCode": "string", "errorMessage": "string"],
                profiles: Inline.constants("Start", ["errorCode": "409", "errorMessage": "Not today"])
                    + """
                    <TechnicalProfile Id="Refuse"><DisplayName>Refuse</DisplayName><Protocol Name="OAuth2" />
                    <OutputTokenFormat>OAuth2Error</OutputTokenFormat><CryptographicKeys>
                    <Key Id="issuer_secret" StorageReferenceId="B2C_1A_Signing" /></CryptographicKeys>
                    <InputClaims><InputClaim ClaimTypeReferenceId="errorCode" />
                    <InputClaim ClaimTypeReferenceId="errorMessage" /></InputClaims></TechnicalProfile>
                    """,
                steps: Inline.exchange(1, "Start")
                    + #"<OrchestrationStep Order="2" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="Refuse" />"#
            )
        ])
        let run = world.begin()
        #expect(run.failure?.text == "AAD_Custom_409: Not today")
        #expect(run.failure?.kind == .redirect(error: "access_denied"))
    }

    @Test func `resolvers fill inputs`() throws {
        let names = [
            "{OIDC:ClientId}", "{OIDC:Scope}", "{OAUTH-KV:campaign}", "{Policy:PolicyId}", "{Context:HostName}",
            "{Culture:RFC5646}", "{Claim:known}", "{OIDC:Prompt}", "{context:deploymentmode}",
            "{Policy:TenantObjectId}",
        ]
        let world = try World(xml: [
            Inline.policy(
                types: #"<ClaimType Id="known"><DataType>string</DataType></ClaimType>"#
                    + names.indices.map { "<ClaimType Id=\"r\($0)\"><DataType>string</DataType></ClaimType>" }.joined(),
                profiles: Inline.constants("Start", ["known": "k"])
                    + """
                    <TechnicalProfile Id="Resolve"><DisplayName>R</DisplayName>\
                    \(Inline.handler("Providers.ClaimsTransformationProtocolProvider"))<Metadata>
                    <Item Key="IncludeClaimResolvingInClaimsHandling">true</Item></Metadata><OutputClaims>
                    \(names.enumerated().map {
                        "<OutputClaim ClaimTypeReferenceId=\"r\($0)\" DefaultValue=\"\($1)\" AlwaysUseDefaultValue=\"true\" />"
                    }.joined())</OutputClaims></TechnicalProfile>
                    """, steps: Inline.steps("Start", "Resolve"), outputs: names.indices.map { "r\($0)" })
        ])
        let run = world.begin {
            $0.query = ["campaign": "Hawaii"]
            $0.scopes = ["openid", "offline_access"]
        }
        #expect(run.claims["r0"] == "client-1")
        #expect(run.claims["r1"] == "openid offline_access")
        #expect(run.claims["r2"] == "Hawaii")
        #expect(run.claims["r3"] == "B2C_1A_Inline")
        #expect(run.claims["r4"] == "contoso.b2clogin.com")
        #expect(run.claims["r5"] == "en-US")
        #expect(run.claims["r6"] == "k")
        #expect(run.claims["r7"] == nil)
        #expect(run.claims["r8"] == "Production")
        #expect(run.claims["r9"] == .string(world.tenant.id.description))
    }

    @Test func `a pattern that cannot be read is named`() throws {
        let world = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="f"><DisplayName>F</DisplayName><DataType>string</DataType>
                    <UserInputType>TextBox</UserInputType><Restriction><Pattern RegularExpression="(?(1)a|b)" />
                    </Restriction></ClaimType>
                    """,
                profiles: Inline.page(
                    "Page", #"<OutputClaims><OutputClaim ClaimTypeReferenceId="f" /></OutputClaims>"#),
                steps: Inline.steps("Page"), outputs: ["f"])
        ])
        let run = world.begin()
        run.submit(["f": "a"])
        #expect(run.failure?.text.hasPrefix("not simulated: regular expression (?(1)a|b)") == true)
    }

    // MARK: Other entries

    @Test func `a user-info journey answers with its own claims`() throws {
        let text = Inline.policy(
            claims: ["city": "string", "mail": "string"],
            profiles: """
                <TechnicalProfile Id="Authorize"><DisplayName>A</DisplayName><Protocol Name="None" />
                <InputTokenFormat>JWT</InputTokenFormat><Metadata><Item Key="issuer">https://issuer.test/</Item>
                <Item Key="audience">[ "another" ]</Item><Item Key="client_assertion_type">none</Item></Metadata>
                <CryptographicKeys><Key Id="issuer_secret" StorageReferenceId="B2C_1A_Other" /></CryptographicKeys>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="sub" />
                <OutputClaim ClaimTypeReferenceId="mail" PartnerClaimType="email" /></OutputClaims></TechnicalProfile>
                <TechnicalProfile Id="Answer"><DisplayName>U</DisplayName><Protocol Name="None" />
                <OutputTokenFormat>JSON</OutputTokenFormat><InputClaims><InputClaim ClaimTypeReferenceId="sub" />
                <InputClaim ClaimTypeReferenceId="mail" PartnerClaimType="address" />
                <InputClaim ClaimTypeReferenceId="city" /></InputClaims></TechnicalProfile>
                """
        ).replacing(
            "</UserJourneys>",
            with: """
                <UserJourney Id="Info"><Authorization><AuthorizationTechnicalProfiles>
                <AuthorizationTechnicalProfile ReferenceId="Authorize" /></AuthorizationTechnicalProfiles></Authorization>
                <OrchestrationSteps><OrchestrationStep Order="1" Type="SendClaims" \
                CpimIssuerTechnicalProfileReferenceId="Answer" /></OrchestrationSteps></UserJourney></UserJourneys>
                """
        ).replacing(
            #"<DefaultUserJourney ReferenceId="J" />"#,
            with: #"<DefaultUserJourney ReferenceId="J" /><Endpoints>"#
                + #"<Endpoint Id="UserInfo" UserJourneyReferenceId="Info" /></Endpoints>"#)
        let world = try World(xml: [text])
        let run = world.begin("flow", .userInfo) {
            $0.refresh = RefreshIdentity(
                identity: "s-1", claimType: "sub", issuedAt: world.now, authTime: world.now,
                claims: [KeptClaim("sub", .text("s-1")), KeptClaim("email", .text("a@x.test"))])
        }
        #expect(run.issuance?.userInfo == ["sub": "s-1", "address": "a@x.test"])
        let plain = try World(flow: [:])
        #expect(plain.begin("flow", .userInfo).failure != nil)
    }

    @Test func `an ID token hint fills the claims bag`() throws {
        let text = Inline.policy(
            claims: ["invited": "string"],
            profiles: """
                <TechnicalProfile Id="Hint"><DisplayName>H</DisplayName><Protocol Name="None" /><Metadata>
                <Item Key="IdTokenAudience">a</Item><Item Key="issuer">i</Item></Metadata></TechnicalProfile>
                """,
            steps: #"<OrchestrationStep Order="1" Type="GetClaims" CpimIssuerTechnicalProfileReferenceId="Hint" />"#
                + Inline.send(2), outputs: ["invited"]
        ).replacing(
            #"<Protocol Name="OpenIdConnect" /><OutputClaims>"#,
            with: #"<Protocol Name="OpenIdConnect" /><InputClaims><InputClaim ClaimTypeReferenceId="invited" "#
                + #"PartnerClaimType="email" /></InputClaims><OutputClaims>"#)
        let world = try World(xml: [text])
        let run = world.begin { $0.idTokenHint = ["email": "nina@example.test"] }
        #expect(run.claims["invited"] == "nina@example.test")
        #expect(run.records.first?["out"] == ["invited": "nina@example.test"])
        #expect(run.records.first?["origins"] == ["invited": "hint"])
        #expect(world.begin().failure?.code?.id == "AADB2C90272")
    }

    // MARK: REST

    private func rest(_ metadata: String, keys: String = "") throws -> World {
        try World(xml: [
            Inline.policy(
                claims: ["tier": "string", "points": "int", "city": "string"],
                types: """
                    <ClaimType Id="email"><DisplayName>Email</DisplayName><DataType>string</DataType>
                    <UserInputType>TextBox</UserInputType></ClaimType>
                    """,
                profiles: """
                    <TechnicalProfile Id="REST-Tier"><DisplayName>Tier</DisplayName>\
                    \(Inline.handler("Providers.RestfulProvider"))<Metadata>
                    <Item Key="ServiceUrl">https://loyalty.contoso.test/tier</Item>
                    <Item Key="AllowInsecureAuthInProduction">true</Item>\(metadata)</Metadata>\(keys)<InputClaims>
                    <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="mail" /></InputClaims><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="tier" /><OutputClaim ClaimTypeReferenceId="points" />
                    <OutputClaim ClaimTypeReferenceId="city" PartnerClaimType="address.city" /></OutputClaims>
                    </TechnicalProfile>
                    """
                        + Inline.page(
                            "Page",
                            """
                            <OutputClaims><OutputClaim ClaimTypeReferenceId="email" />
                            <OutputClaim ClaimTypeReferenceId="tier" /><OutputClaim ClaimTypeReferenceId="points" />
                            <OutputClaim ClaimTypeReferenceId="city" /></OutputClaims><ValidationTechnicalProfiles>
                            <ValidationTechnicalProfile ReferenceId="REST-Tier" /></ValidationTechnicalProfiles>
                            """), steps: Inline.steps("Page"), outputs: ["tier", "points", "city"])
        ])
    }

    @Test func `an API is asked, and answers`() throws {
        let world = try rest(
            #"<Item Key="SendClaimsIn">Body</Item><Item Key="AuthenticationType">None</Item>"#
                + #"<Item Key="ResolveJsonPathsInJsonTokens">true</Item>"#)
        let run = world.begin()
        run.submit(["email": "nina@example.test"])
        let request = try #require(run.callout)
        #expect(request.method == "POST")
        #expect(request.json == ["mail": "nina@example.test"])
        // While the call is under way nothing else fits.
        let before = run.journey
        run.submit(["email": "other@example.test"])
        #expect(run.refusal != nil)
        #expect(run.journey == before)
        run.answer(["version": "1.0.0", "status": 409, "userMessage": "Try again later"], status: 409)
        #expect(run.answerStop?.message == "Try again later")
        for result: CalloutResult in [
            .failed(.timeout), .answered(.text(500, "broken")), .answered(.text(400, "broken")),
            .answered(.json(200, [1])),
        ] {
            run.submit(["email": "nina@example.test"])
            run.finish(result)
            #expect(run.status == "400")
            #expect(run.answerStop?.message?.isEmpty == false)
        }
        run.submit(["email": "nina@example.test"])
        run.answer(["tier": "gold", "points": 3, "address": ["city": "Turin"]])
        run.confirm()
        #expect(run.claims["tier"] == "gold")
        #expect(run.claims["points"] == 3)
        #expect(run.claims["city"] == "Turin")
    }

    @Test func `claims travel as the metadata says`() throws {
        let query = try rest(
            #"<Item Key="SendClaimsIn">QueryString</Item><Item Key="AuthenticationType">Basic</Item>"#,
            keys: """
                <CryptographicKeys><Key Id="BasicAuthenticationUsername" StorageReferenceId="B2C_1A_User" />
                <Key Id="BasicAuthenticationPassword" StorageReferenceId="B2C_1A_Pass" /></CryptographicKeys>
                """
        ).begin()
        query.submit(["email": "a b"])
        #expect(query.callout?.url.description == "https://loyalty.contoso.test/tier?mail=a+b")
        #expect(query.callout?.headers["Authorization"]?.hasPrefix("Basic ") == true)
        let header = try rest(#"<Item Key="SendClaimsIn">Header</Item><Item Key="AuthenticationType">None</Item>"#)
            .begin()
        header.submit(["email": "x"])
        #expect(header.callout?.headers["mail"] == "x")
        let form = try rest(#"<Item Key="SendClaimsIn">Form</Item><Item Key="AuthenticationType">None</Item>"#).begin()
        form.submit(["email": "x"])
        #expect(form.callout?.form?["mail"] == "x")
    }
}
