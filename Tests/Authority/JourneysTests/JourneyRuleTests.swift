import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import Testing
import TrustFramework

/// How journeys run, sentence by sentence where no other test holds it (Microsoft docs: userjourneys, subjourneys).
@Suite struct JourneyRuleTests {
    private static let combined = """
        <ContentDefinition Id="api.combined"><LoadUri>https://pages.contoso.test/combined.html</LoadUri>\
        <RecoveryUri>~/common/default_page_error.html</RecoveryUri>\
        <DataUri>urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.5</DataUri></ContentDefinition>\
        </ContentDefinitions>
        """

    /// A page with two fields that anybody may leave, as the local form of a combined page.
    private static func form(_ metadata: KeyValuePairs<String, String> = [:]) -> String {
        Inline.page(
            "Form", metadata: metadata,
            #"<OutputClaims><OutputClaim ClaimTypeReferenceId="name" /><OutputClaim ClaimTypeReferenceId="local" DefaultValue="yes" /></OutputClaims>"#
        ).replacing("api.page", with: "api.combined")
    }

    private static let name =
        #"<ClaimType Id="name"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>"#

    /// A combined page whose targets are in the next step.
    private static func combined(
        _ order: Int, targets: [String], preconditions: String = ""
    ) -> String {
        let selections = targets.map { #"<ClaimsProviderSelection TargetClaimsExchangeId="\#($0)" />"# }.joined()
        return """
            <OrchestrationStep Order="\(order)" Type="CombinedSignInAndSignUp" ContentDefinitionReferenceId="api.combined">\
            \(preconditions.isEmpty ? "" : "<Preconditions>\(preconditions)</Preconditions>")\
            <ClaimsProviderSelections>\(selections)\
            <ClaimsProviderSelection ValidationClaimsExchangeId="Local\(order)" /></ClaimsProviderSelections>\
            <ClaimsExchanges><ClaimsExchange Id="Local\(order)" TechnicalProfileReferenceId="Form" /></ClaimsExchanges>\
            </OrchestrationStep>
            """
    }

    private static func exchanges(
        _ order: Int, _ list: KeyValuePairs<String, String>, preconditions: String = ""
    ) -> String {
        """
        <OrchestrationStep Order="\(order)" Type="ClaimsExchange">\
        \(preconditions.isEmpty ? "" : "<Preconditions>\(preconditions)</Preconditions>")<ClaimsExchanges>\
        \(list.map { #"<ClaimsExchange Id="\#($0.key)" TechnicalProfileReferenceId="\#($0.value)" />"# }.joined())\
        </ClaimsExchanges></OrchestrationStep>
        """
    }

    private static func selecting(
        claims: KeyValuePairs<String, String>, profiles: String, steps: String, subJourneys: String = "",
        outputs: [String], child: String? = nil
    ) throws -> World {
        let base =
            Inline.policy(
                claims: claims, types: name + #"<ClaimType Id="local"><DataType>string</DataType></ClaimType>"#,
                profiles: profiles, steps: steps, subJourneys: subJourneys, outputs: outputs
            ).replacing("</ContentDefinitions>", with: combined)
        return try World(xml: [base] + [child].compactMap { $0 })
    }

    // MARK: 5.1 Running a journey

    @Test func `nothing is in the claims bag at the start`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["objectId": "string", "login_hint": "string", "name": "string"],
                profiles: Inline.constants("Mark", ["name": "x"]), steps: Inline.steps("Mark"))
        ])
        let run = world.begin(session: SessionID(GUID.derived(from: "session"))) {
            $0.loginHint = "ada@example.test"
            $0.query = ["login_hint": "ada@example.test", "name": "of the request", "objectId": "1"]
        }
        let first = try #require(run.records.first)
        #expect(first["profile"] == "Mark" && first["in"]?.objectValue?.members.isEmpty == true, "\(first)")
        #expect(run.journey.claims.json(in: run.policy).keys == ["name"])
    }

    /// The first precondition that is met decides, and says so; the others are not asked.
    @Test func `the first precondition that is met decides`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["a": "string", "b": "string", "ran": "string"],
                profiles: Inline.constants("Start", ["a": "1", "b": "2"]) + Inline.constants("Mark", ["ran": "yes"]),
                steps: Inline.exchange(1, "Start")
                    + Inline.exchange(
                        2, "Mark",
                        preconditions: Inline.precondition("ClaimEquals", true, "a", "other")
                            + Inline.precondition("ClaimsExist", true, "b")
                            + Inline.precondition("ClaimsExist", true, "a")) + Inline.send(3), outputs: ["ran"])
        ])
        let run = world.begin()
        #expect(run.claims["ran"] == nil)
        #expect(run.records.first { $0["step"] == 2 && $0["stepType"] != nil }?["because"] == "b exists")
    }

    @Test func `a journey that passes its last step names itself`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["a": "string"], profiles: Inline.constants("Start", ["a": "1"]),
                steps: Inline.exchange(1, "Start")
                    + Inline.send(2).replacing(
                        " />",
                        with: "><Preconditions>\(Inline.precondition("ClaimsExist", true, "a"))</Preconditions>"
                            + "</OrchestrationStep>"))
        ])
        let failure = try #require(world.begin().failure)
        #expect(failure.code == .c90040 && failure.text.contains("'J'"), "\(failure.text)")
    }

    @Test(arguments: [true, false]) func `a page in a non-interactive journey is an error`(_ nonInteractive: Bool)
        throws
    {
        let text = Inline.policy(
            types: Self.name,
            profiles: Inline.page("Page", #"<OutputClaims><OutputClaim ClaimTypeReferenceId="name" /></OutputClaims>"#),
            steps: Inline.steps("Page"))
        let world = try World(xml: [
            nonInteractive
                ? text.replacing(#"<UserJourney Id="J">"#, with: #"<UserJourney Id="J" NonInteractive="true">"#) : text
        ])
        let run = world.begin()
        #expect((run.page == nil) == nonInteractive)
        #expect((run.failure?.code == .c90037) == nonInteractive, "\(run.log)")
    }

    // MARK: 5.2 Preconditions

    static let conditions: [(condition: String, skips: Bool)] = [
        // Of several claims all must exist.
        (Inline.precondition("ClaimsExist", true, "text", "number"), true),
        (Inline.precondition("ClaimsExist", true, "text", "absent"), false),
        (Inline.precondition("ClaimsExist", false, "text", "absent"), true),
        // Numbers as decimal text; collections are equal to nothing.
        (Inline.precondition("ClaimEquals", true, "number", "12"), true),
        (Inline.precondition("ClaimEquals", true, "number", "12.0"), false),
        (Inline.precondition("ClaimEquals", true, "list", "one"), false),
        (Inline.precondition("ClaimEquals", false, "list", "one"), true),
        (Inline.precondition("ClaimsExist", true, "list"), true),
        (Inline.precondition("ClaimEquals", true, "flag", "True"), true),
        (Inline.precondition("ClaimEquals", true, "text", "V"), false),
        (Inline.precondition("ClaimEquals", true, "text", "v"), true),
    ]

    private static let values: KeyValuePairs<String, String> = [
        "text": "v", "number": "12", "list": "one", "flag": "true",
    ]
    private static let types: KeyValuePairs<String, String> = [
        "text": "string", "number": "int", "list": "stringCollection", "flag": "boolean", "absent": "string",
        "ran": "string",
    ]

    @Test(arguments: conditions.indices) func `steps compare as the service does`(_ index: Int) throws {
        let row = Self.conditions[index]
        let world = try World(xml: [
            Inline.policy(
                claims: Self.types,
                profiles: Inline.constants("Start", Self.values) + Inline.constants("Mark", ["ran": "yes"]),
                steps: Inline.exchange(1, "Start") + Inline.exchange(2, "Mark", preconditions: row.condition)
                    + Inline.send(3), outputs: ["ran"])
        ])
        #expect((world.begin().claims["ran"] == nil) == row.skips, "\(row.condition)")
    }

    /// What validation profiles of a page and of a display control's action are skipped by is the same.
    @Test(arguments: conditions.indices) func `validation profiles compare alike`(_ index: Int) throws {
        let row = Self.conditions[index]
        let condition = row.condition.replacing(
            "SkipThisOrchestrationStep", with: "SkipThisValidationTechnicalProfile")
        let control = """
            <DisplayControl Id="control" UserInterfaceControlType="VerificationControl"><DisplayClaims>\
            <DisplayClaim ClaimTypeReferenceId="name" Required="true" /></DisplayClaims><OutputClaims>\
            <OutputClaim ClaimTypeReferenceId="name" /></OutputClaims><Actions><Action Id="SendCode">\
            <ValidationClaimsExchange><ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Mark">\
            <Preconditions>\(condition)</Preconditions></ValidationClaimsExchangeTechnicalProfile>\
            </ValidationClaimsExchange></Action></Actions></DisplayControl>
            """
        let page = Inline.page(
            "Page",
            """
            <DisplayClaims><DisplayClaim DisplayControlReferenceId="control" /></DisplayClaims>\
            <OutputClaims><OutputClaim ClaimTypeReferenceId="name" /></OutputClaims>\
            <ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId="Mark"><Preconditions>\(condition)\
            </Preconditions></ValidationTechnicalProfile></ValidationTechnicalProfiles>
            """)
        let world = try World(xml: [
            Inline.policy(
                claims: Self.types, types: Self.name, controls: control,
                profiles: Inline.constants("Start", Self.values) + Inline.constants("Mark", ["ran": "yes"]) + page,
                steps: Inline.steps("Start", "Page"), outputs: ["ran"])
        ])
        let run = world.begin()
        run.tell(.action(control: "control", name: "SendCode", ["name": "Ada"]))
        #expect(run.profiles.contains("Mark") == !row.skips, "\(run.log)")
    }

    // MARK: 5.3 Step types

    /// A page for each of two selection steps; which of them is shown, a precondition says.
    private func twoSelections() throws -> World {
        let second = Inline.precondition("ClaimsExist", true, "first")
        // Of one file the ids of exchanges are unique; a child may repeat those of its parent.
        let child = """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Child" \
            PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_Child"><UserJourneys><UserJourney Id="J">\
            <OrchestrationSteps>\(Self.combined(3, targets: ["X", "Y"], preconditions: second))\
            \(Self.exchanges(4, ["X": "C", "Y": "D"]))</OrchestrationSteps></UserJourney></UserJourneys>\
            </TrustFrameworkPolicy>
            """
        return try Self.selecting(
            claims: ["first": "string", "a": "string", "b": "string", "c": "string", "d": "string"],
            profiles: Self.form() + Inline.constants("A", ["a": "yes", "first": "yes"])
                + Inline.constants("B", ["b": "yes", "first": "yes"]) + Inline.constants("C", ["c": "yes"])
                + Inline.constants("D", ["d": "yes"]),
            steps: Self.combined(1, targets: ["X", "Y"]) + Self.exchanges(2, ["X": "A", "Y": "B"]) + Inline.send(5),
            outputs: ["a", "b", "c", "d"], child: child)
    }

    /// The choice of one page is none of another's, though its exchanges bear the same names.
    @Test func `a choice belongs to its page`() throws {
        let run = try twoSelections().begin()
        run.tell(.chose("Y"))
        #expect(run.failure?.code == .c90051, "\(run.log)")
        #expect(run.profiles.contains("B") && !run.profiles.contains("D"))
    }

    @Test func `several exchanges need a choice, and one runs`() throws {
        let world = try Self.selecting(
            claims: ["a": "string", "b": "string"],
            profiles: Self.form() + Inline.constants("A", ["a": "yes"]) + Inline.constants("B", ["b": "yes"]),
            steps: Self.combined(1, targets: ["X"]) + Self.exchanges(2, ["X": "A"]) + Inline.send(3),
            outputs: ["a", "local"])
        let run = world.begin()
        run.fill(["name": "Ada"])
        #expect(run.claims["local"] == "yes" && run.claims["a"] == "yes")
    }

    /// `domain_hint` equal to a provider's `Domain` passes the page over, in any letter case.
    @Test(arguments: ["contoso.test", "CONTOSO.test"]) func `a domain hint chooses a provider`(_ hint: String) throws {
        let world = try Self.selecting(
            claims: ["a": "string", "b": "string"],
            profiles: Self.form() + Inline.constants("A", ["a": "yes"])
                + "</TechnicalProfiles></ClaimsProvider><ClaimsProvider><Domain>contoso.test</Domain>"
                + "<DisplayName>Contoso</DisplayName><TechnicalProfiles>" + Inline.constants("B", ["b": "yes"])
                + "</TechnicalProfiles></ClaimsProvider><ClaimsProvider><DisplayName>Rest</DisplayName><TechnicalProfiles>",
            steps: Self.combined(1, targets: ["X", "Y"]) + Self.exchanges(2, ["X": "A", "Y": "B"]) + Inline.send(3),
            outputs: ["a", "b"])
        #expect(world.begin { $0.domainHint = hint }.claims.keys == ["sub", "b"])
        #expect(world.begin { $0.domainHint = "other.test" }.page != nil)
    }

    // MARK: 5.4 Combined sign-in page

    /// The link to sign up is there when the next step has its exchange, and no setting hides it.
    @Test(arguments: [
        ("X", "", true), ("x", "", true), ("Elsewhere", "", false), ("X", "false", false),
    ]) func `the sign-up link needs its exchange`(_ target: String, _ shown: String, _ isThere: Bool) throws {
        let form =
            shown.isEmpty
            ? Self.form(["SignUpTarget": target])
            : Self.form(["SignUpTarget": target, "setting.showSignupLink": shown])
        let world = try Self.selecting(
            claims: ["a": "string"], profiles: form + Inline.constants("A", ["a": "yes"]),
            steps: Self.combined(1, targets: []) + Self.exchanges(2, ["X": "A"]) + Inline.send(3), outputs: ["a"])
        let run = world.begin()
        let page = try #require(run.page)
        #expect((page.signUpExchange != nil) == isThere)
        #expect(page.config.first { $0.name == "showSignupLink" }?.value == (isThere ? "True" : "False"))
        run.tell(.signUp(hint: nil))
        #expect((run.claims["a"] == "yes") == isThere, "\(run.log)")
        #expect((run.refusal != nil) == !isThere)
    }

    @Test(arguments: [("None", true), ("AfterInput", false)])
    func `the link for a forgotten password leads to its exchange`(
        _ place: String, _ isRefused: Bool
    ) throws {
        let world = try Self.selecting(
            claims: ["a": "string"],
            profiles: Self.form(["setting.forgotPasswordLinkLocation": place]) + Inline.constants("A", ["a": "yes"]),
            steps: Self.combined(1, targets: []) + Self.exchanges(2, ["X": "A"]) + Inline.send(3), outputs: ["a"])
        let run = world.begin()
        #expect(run.page?.forgotPassword == (isRefused ? .absent : .legacy))
        run.tell(.forgotPassword)
        #expect((run.refusal != nil) == isRefused)
        #expect((run.failure?.code == .c90118) == !isRefused)
    }

    // MARK: 5.6 Sub journeys

    private static func sub(_ id: String, _ steps: String, type: String = "Call") -> String {
        #"<SubJourney Id="\#(id)" Type="\#(type)"><OrchestrationSteps>\#(steps)</OrchestrationSteps></SubJourney>"#
    }

    private static func invoke(_ order: Int, _ id: String) -> String {
        #"<OrchestrationStep Order="\#(order)" Type="InvokeSubJourney"><JourneyList>"#
            + #"<Candidate SubJourneyReferenceId="\#(id)" /></JourneyList></OrchestrationStep>"#
    }

    @Test func `sub-journeys may call others and transfer from within`() throws {
        let profiles =
            Inline.constants("A", ["a": "yes"]) + Inline.constants("B", ["b": "yes"])
            + Inline.constants("C", ["c": "yes"])
        func world(_ inner: String) throws -> World {
            try World(xml: [
                Inline.policy(
                    claims: ["a": "string", "b": "string", "c": "string"], profiles: profiles,
                    steps: Self.invoke(1, "Outer") + Inline.exchange(2, "C") + Inline.send(3),
                    subJourneys: Self.sub("Outer", Self.invoke(1, "Inner") + Inline.exchange(2, "B"))
                        + Self.sub(
                            "Inner", Inline.exchange(1, "A") + (inner == "Call" ? "" : Inline.send(2)), type: inner),
                    outputs: ["a", "b", "c"])
            ])
        }
        #expect(try world("Call").begin().claims.keys == ["sub", "a", "b", "c"])
        #expect(try world("Transfer").begin().claims.keys == ["sub", "a"])
    }

    /// A sub journey that calls itself comes to an end all the same.
    @Test func `a sub-journey that calls itself ends`() throws {
        let world = try World(xml: [
            Inline.policy(
                steps: Self.invoke(1, "Loop") + Inline.send(2), subJourneys: Self.sub("Loop", Self.invoke(1, "Loop")))
        ])
        let failure = try #require(world.begin().failure)
        #expect(failure.code == .c90037 && failure.detail.contains("moves"))
    }

    @Test func `a sub-journey may ask for a choice`() throws {
        let world = try Self.selecting(
            claims: ["a": "string", "b": "string"],
            profiles: Self.form() + Inline.constants("A", ["a": "yes"]) + Inline.constants("B", ["b": "yes"]),
            steps: Self.invoke(1, "Choice") + Inline.send(2),
            subJourneys: Self.sub(
                "Choice", Self.combined(1, targets: ["X", "Y"]) + Self.exchanges(2, ["X": "A", "Y": "B"])),
            outputs: ["a", "b"])
        let run = world.begin()
        #expect(run.page?.step == 1)
        run.tell(.chose("Y"))
        #expect(run.claims.keys == ["sub", "b"])
    }

    // MARK: 5.7 Other journey attributes

    @Test func `the journey's own issuer replaces a missing one of the step`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["a": "string"], profiles: Inline.constants("A", ["a": "yes"]),
                steps: Inline.exchange(1, "A") + #"<OrchestrationStep Order="2" Type="SendClaims" />"#, outputs: ["a"]
            ).replacing(
                #"<UserJourney Id="J">"#,
                with: #"<UserJourney Id="J" DefaultCpimIssuerTechnicalProfileReferenceId="JwtIssuer">"#)
        ])
        #expect(world.begin().claims["a"] == "yes")
    }

    // MARK: 5.8 Refresh and non-interactive journeys

    private static let identity = "11111111-1111-1111-1111-111111111111"

    private static func refreshing(_ metadata: String, journey: String = "") -> String {
        Inline.policy(claims: ["a": "string"], profiles: Inline.constants("A", ["a": "yes"]), outputs: ["a"])
            .replacing(
                #"<Item Key="issuer_refresh_token_user_identity_claim_type">sub</Item>"#,
                with: #"<Item Key="issuer_refresh_token_user_identity_claim_type">sub</Item>"# + metadata
            ).replacing("</UserJourneys>", with: journey + "</UserJourneys>")
    }

    /// The name of a refresh journey is text of a profile: nothing looks at it until a token is redeemed.
    @Test func `a missing refresh journey is an error`() throws {
        let world = try World(xml: [Self.refreshing(#"<Item Key="RefreshTokenUserJourneyId">Redeem</Item>"#)])
        #expect(world.policy("flow").findings.map(\.rule) == ["B2C-POL-025"])
        #expect(world.begin().issuance != nil)
        let run = world.begin("flow", .refresh) {
            $0.refresh = RefreshIdentity(
                identity: Self.identity, claimType: "sub", issuedAt: world.now, authTime: world.now)
        }
        let failure = try #require(run.failure)
        #expect(failure.code == .c90288 && failure.kind == .redirect(error: "invalid_grant"))
        for piece in ["'Redeem'", "'JwtIssuer'", "'contoso.onmicrosoft.com'", "'B2C_1A_Inline'"] {
            #expect(failure.text.contains(piece), "\(failure.text)")
        }
    }

    @Test func `a refresh journey shows no page`() throws {
        let page = Inline.page("Page", #"<OutputClaims><OutputClaim ClaimTypeReferenceId="name" /></OutputClaims>"#)
        let world = try World(xml: [
            Self.refreshing(
                #"<Item Key="RefreshTokenUserJourneyId">Redeem</Item>"#,
                journey: #"<UserJourney Id="Redeem"><OrchestrationSteps>"# + Inline.steps("Page")
                    + "</OrchestrationSteps></UserJourney>"
            ).replacing("</ClaimsSchema>", with: Self.name + "</ClaimsSchema>")
                .replacing("<TechnicalProfiles>", with: "<TechnicalProfiles>" + page)
        ])
        let run = world.begin("flow", .refresh) {
            $0.refresh = RefreshIdentity(
                identity: Self.identity, claimType: "sub", issuedAt: world.now, authTime: world.now)
        }
        #expect(run.failure?.code == .c90037 && run.page == nil)
    }

    // MARK: 6 Relying party

    /// A claim leaves under its PartnerClaimType, else under the name that its type has for the protocol, else under its
    /// id; without a value it does not leave.
    @Test func `issued claims have their names`() throws {
        let types = ["a", "b", "c", "d"].map {
            """
            <ClaimType Id="\($0)"><DataType>string</DataType>\
            \($0 == "c" ? "" : #"<DefaultPartnerClaimTypes><Protocol Name="OpenIdConnect" PartnerClaimType="\#($0)-oidc" /><Protocol Name="OAuth2" PartnerClaimType="\#($0)-oauth" /></DefaultPartnerClaimTypes>"#)\
            </ClaimType>
            """
        }.joined()
        let world = try World(xml: [
            Inline.policy(
                types: types, profiles: Inline.constants("A", ["a": "1", "b": "2", "c": "3"]),
                steps: Inline.steps("A"), outputs: ["a", "b", "c", "d"]
            ).replacing(
                #"<OutputClaim ClaimTypeReferenceId="a" />"#,
                with: #"<OutputClaim ClaimTypeReferenceId="a" PartnerClaimType="own" />"#)
        ])
        #expect(world.begin().claims.keys == ["sub", "own", "b-oidc", "c"])
    }
}
