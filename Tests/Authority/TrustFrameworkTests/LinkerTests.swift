import Determinism
import Diagnostics
import Testing
import TrustFramework

@Suite struct LinkerTests {
    struct Dangling: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let rule: String
        let near: String
        let says: String
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ rule: String, near: String, says: String) {
            self.name = name
            self.text = text
            self.rule = rule
            self.near = near
            self.says = says
        }
    }

    private static func profile(_ inside: String) -> String {
        PolicyTexts.runnable(
            providers: "\n<TechnicalProfile Id=\"T\"><Protocol Name=\"None\" />\n\(inside)\n</TechnicalProfile>")
    }

    private static func journey(_ steps: String) -> String {
        PolicyTexts.runnable(
            journeys: "<UserJourney Id=\"J\"><OrchestrationSteps>\n\(steps)\n</OrchestrationSteps></UserJourney>")
    }

    private static let sendLast =
        "<OrchestrationStep Order=\"2\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />"

    static let dangling: [Dangling] = [
        Dangling(
            "claim type", profile("<OutputClaims>\n<OutputClaim ClaimTypeReferenceId=\"surnam\" />\n</OutputClaims>"),
            "B2C-POL-020", near: "\"surnam\"", says: "surname"),
        Dangling(
            "technical profile", profile("<UseTechnicalProfileForSessionManagement ReferenceId=\"JwtIsuer\" />"),
            "B2C-POL-021", near: "JwtIsuer", says: "JwtIssuer"),
        Dangling(
            "include", profile("<IncludeTechnicalProfile ReferenceId=\"Nothing\" />"), "B2C-POL-021", near: "Nothing",
            says: "Declare it"),
        Dangling(
            "include of itself", profile("<IncludeTechnicalProfile ReferenceId=\"t\" />"), "B2C-POL-021",
            near: "Include",
            says: "includes itself"),
        Dangling(
            "transformation",
            profile(
                "<OutputClaimsTransformations>\n<OutputClaimsTransformation ReferenceId=\"X\" />\n</OutputClaimsTransformations>"
            ),
            "B2C-POL-022", near: "\"X\"", says: "claims transformation"),
        Dangling(
            "content definition",
            profile("<Metadata>\n<Item Key=\"ContentDefinitionReferenceId\">api.x</Item></Metadata>"),
            "B2C-POL-023", near: "api.x", says: "content definition"),
        Dangling(
            "display control",
            profile("<DisplayClaims>\n<DisplayClaim DisplayControlReferenceId=\"v\" />\n</DisplayClaims>"),
            "B2C-POL-024",
            near: "\"v\"", says: "display control"),
        Dangling(
            "predicate validation",
            PolicyTexts.file(
                blocks:
                    "<ClaimsSchema><ClaimType Id=\"objectId\">\n<PredicateValidationReference Id=\"p\" /></ClaimType></ClaimsSchema>",
                providers: PolicyTexts.issuer, journeys: PolicyTexts.send, party: PolicyTexts.party), "B2C-POL-024",
            near: "\"p\"", says: "predicate validation"),
        Dangling(
            "journey",
            PolicyTexts.runnable(
                party: PolicyTexts.party.replacing("ReferenceId=\"J\"", "ReferenceId=\"K\"")), "B2C-POL-025",
            near: "\"K\"", says: "user journey"),
        Dangling(
            "sub journey",
            journey(
                "<OrchestrationStep Order=\"1\" Type=\"InvokeSubJourney\"><JourneyList>\n<Candidate SubJourneyReferenceId=\"J\" /></JourneyList></OrchestrationStep>"
                    + sendLast), "B2C-POL-025", near: "<Candidate", says: "sub journey"),
        Dangling(
            "exchange of the next step",
            journey(
                """
                <OrchestrationStep Order="1" Type="ClaimsProviderSelection"><ClaimsProviderSelections>
                <ClaimsProviderSelection TargetClaimsExchangeId="E" /></ClaimsProviderSelections></OrchestrationStep>
                \(sendLast)
                """), "B2C-POL-027", near: "\"E\"", says: "next step"),
        Dangling(
            "exchange of this step",
            journey(
                """
                <OrchestrationStep Order="1" Type="ClaimsProviderSelection"><ClaimsProviderSelections>
                <ClaimsProviderSelection ValidationClaimsExchangeId="E" /></ClaimsProviderSelections></OrchestrationStep>
                \(sendLast)
                """), "B2C-POL-027", near: "\"E\"", says: "this step"),
        Dangling(
            "both attributes in one selection",
            journey(
                """
                <OrchestrationStep Order="1" Type="ClaimsProviderSelection"><ClaimsProviderSelections>
                <ClaimsProviderSelection TargetClaimsExchangeId="E" ValidationClaimsExchangeId="E" />\
                </ClaimsProviderSelections></OrchestrationStep>
                \(sendLast)
                """), "B2C-POL-027", near: "\"E\"", says: "exactly one of"),
        Dangling(
            "selection before no exchange",
            journey(
                """
                <OrchestrationStep Order="1" Type="ClaimsProviderSelection" />
                \(sendLast)
                """), "B2C-POL-031", near: "Order=\"2\"", says: "a ClaimsExchange must follow"),
        Dangling(
            "two candidates",
            journey(
                """
                <OrchestrationStep Order="1" Type="InvokeSubJourney"><JourneyList /></OrchestrationStep>
                \(sendLast)
                """), "B2C-POL-041", near: "Order=\"1\"", says: "exactly one sub journey"),
        Dangling(
            "gap in the orders",
            journey(
                "<OrchestrationStep Order=\"1\" Type=\"Noop\" />\n<OrchestrationStep Order=\"3\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />"
            ), "B2C-POL-030", near: "Order=\"3\"", says: "Order 2"),
        Dangling(
            "several exchanges without choice",
            journey(
                """
                <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>\
                <ClaimsExchange Id="a" TechnicalProfileReferenceId="JwtIssuer" /><ClaimsExchange Id="b" TechnicalProfileReferenceId="JwtIssuer" />\
                </ClaimsExchanges></OrchestrationStep>
                \(sendLast)
                """), "B2C-POL-032", near: "Order=\"1\"", says: "2 claims exchanges"),
        Dangling(
            "journey without end", journey("<OrchestrationStep Order=\"1\" Type=\"Noop\" />"), "B2C-POL-033",
            near: "<UserJourney ", says: "AADB2C90040"),
        Dangling(
            "precondition without literal",
            journey(
                """
                <OrchestrationStep Order="1" Type="Noop"><Preconditions>
                <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>objectId</Value>\
                <Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions></OrchestrationStep>
                \(sendLast)
                """), "B2C-POL-035", near: "<Precondition ", says: "needs 2"),
        Dangling(
            "subject",
            PolicyTexts.runnable(party: PolicyTexts.party.replacing("Info ClaimType=\"sub\"", "Info ClaimType=\"x\"")),
            "B2C-POL-069", near: "SubjectNamingInfo", says: "no output claim"),
        Dangling(
            "handler of ours",
            PolicyTexts.runnable(
                providers:
                    "\n<TechnicalProfile Id=\"T\">\n<Protocol Name=\"Proprietary\" Handler=\"B2CHarness.Block\" /></TechnicalProfile>"
            ), "B2C-POL-054", near: "B2CHarness", says: "not of policy files"),
        Dangling(
            "no relying party", PolicyTexts.file(), "B2C-POL-013", near: "<TrustFrameworkPolicy", says: "RelyingParty"),
    ]

    @Test(arguments: dangling) func `references that lead nowhere are found`(_ case: Dangling) throws {
        let all = findings { () throws(InvalidInput) in _ = try link(`case`.text) }
        let finding = try #require(all.first { $0.rule == `case`.rule && $0.severity == .error }, "\(all)")
        #expect((finding.message + " " + (finding.remedy ?? "")).contains(`case`.says), "\(finding)")
        #expect(finding.location?.line == line(of: `case`.near, in: `case`.text), "\(finding)")
    }

    /// What a page shows of two local forms is not known; the service is not known to refuse them.
    @Test func `two local forms are a warning`() {
        let text = Self.journey(
            """
            <OrchestrationStep Order="1" Type="CombinedSignInAndSignUp"><ClaimsProviderSelections>
            <ClaimsProviderSelection ValidationClaimsExchangeId="A" />
            <ClaimsProviderSelection ValidationClaimsExchangeId="B" /></ClaimsProviderSelections><ClaimsExchanges>\
            <ClaimsExchange Id="A" TechnicalProfileReferenceId="JwtIssuer" />\
            <ClaimsExchange Id="B" TechnicalProfileReferenceId="JwtIssuer" /></ClaimsExchanges></OrchestrationStep>
            \(Self.sendLast)
            """)
        let all = findings { () throws(InvalidInput) in _ = try link(text) }
        #expect(all.contains { $0.rule == "B2C-POL-027" && $0.severity == .warning })
    }

    @Test func `ids ignore letter case`() throws {
        let policy = try link(
            PolicyTexts.runnable(
                providers: """
                    <TechnicalProfile Id="Reader"><Protocol Name="None" /><OutputClaims>\
                    <OutputClaim ClaimTypeReferenceId="surName" /></OutputClaims></TechnicalProfile>
                    """))
        let profile = policy[try #require(policy.profile("READER"))]
        #expect(policy[profile.outputClaims[0].claim].id == "surname")
        #expect(policy.claimType("SURNAME") == profile.outputClaims[0].claim)
    }

    @Test func `unknown handlers are warned about`() throws {
        let text = PolicyTexts.runnable(
            providers:
                "\n<TechnicalProfile Id=\"T\">\n<Protocol Name=\"Proprietary\" Handler=\"Web.Foo, Web\" /></TechnicalProfile>"
        )
        let policy = try link(text)
        #expect(policy.findings.map(\.rule) == ["B2C-POL-054"])
        #expect(policy.findings[0].location?.line == line(of: "Web.Foo", in: text))
        #expect(policy[try #require(policy.profile("T"))].handler == .unknown("Web.Foo"))
    }

    @Test(arguments: [
        ("<Protocol Name=\"OpenIdConnect\" />", ProfileHandler.openIdConnectProvider),
        ("<Protocol Name=\"OpenIdConnect\" /><OutputTokenFormat>JWT</OutputTokenFormat>", .jwtIssuer),
        ("<Protocol Name=\"None\" /><OutputTokenFormat>JWT</OutputTokenFormat>", .jwtIssuer),
        ("<Protocol Name=\"None\" /><OutputTokenFormat>JSON</OutputTokenFormat>", .jsonIssuer),
        ("<Protocol Name=\"None\" /><InputTokenFormat>JWT</InputTokenFormat>", .tokenAuthorization),
        ("<Protocol Name=\"None\" />", ProfileHandler.none),
        ("<Protocol Name=\"OAuth2\" />", .oauth2Provider),
        ("<Protocol Name=\"OAuth2\" /><OutputTokenFormat>OAuth2Error</OutputTokenFormat>", .oauth2ErrorIssuer),
        ("<Protocol Name=\"OAuth1\" />", .oauth1Provider), ("<Protocol Name=\"SAML2\" />", .samlProvider),
        ("<Protocol Name=\"SAML2\" /><OutputTokenFormat>SAML2</OutputTokenFormat>", .samlIssuer),
        (
            "<Protocol Name=\"OpenIdConnect\" /><InputClaims><InputClaim ClaimTypeReferenceId=\"surname\" PartnerClaimType=\"grant_type\" DefaultValue=\"password\" /></InputClaims>",
            .passwordSignIn
        ),
        (
            "<Protocol Name=\"Proprietary\" Handler=\"web.tpengine.providers.RESTFULPROVIDER, Web.TPEngine\" />",
            .rest
        ),
    ])
    func `the handler is derived`(_ inside: String, _ handler: ProfileHandler) throws {
        let policy = try link(
            PolicyTexts.runnable(providers: "<TechnicalProfile Id=\"T\">\(inside)</TechnicalProfile>"))
        #expect(policy[try #require(policy.profile("T"))].handler == handler)
    }

    @Test func `a sub-journey may bear the name of a journey`() throws {
        let policy = try link(
            PolicyTexts.runnable(
                journeys: """
                    <UserJourney Id="J"><OrchestrationSteps><OrchestrationStep Order="1" Type="InvokeSubJourney"><JourneyList>\
                    <Candidate SubJourneyReferenceId="j" /></JourneyList></OrchestrationStep></OrchestrationSteps></UserJourney>
                    """,
                subJourneys: """
                    <SubJourney Id="J" Type="Transfer"><OrchestrationSteps><OrchestrationStep Order="1" Type="SendClaims" \
                    CpimIssuerTechnicalProfileReferenceId="JwtIssuer" /></OrchestrationSteps></SubJourney>
                    """))
        let journey = policy[policy.relyingParty.defaultJourney]
        #expect(journey.subJourneyType == nil)
        #expect(policy[journey.steps[0].subJourneys[0]].subJourneyType == .transfer)
    }

    @Test func `claims have their names on the wire`() throws {
        let policy = try link(
            PolicyTexts.file(
                blocks: """
                    <ClaimsSchema><ClaimType Id="objectId"><DefaultPartnerClaimTypes>\
                    <Protocol Name="OpenIdConnect" PartnerClaimType="oid" /></DefaultPartnerClaimTypes></ClaimType>
                    <ClaimType Id="city" /></ClaimsSchema>
                    """, providers: PolicyTexts.issuer, journeys: PolicyTexts.send,
                party: """
                    <DefaultUserJourney ReferenceId="J" />
                    <TechnicalProfile Id="PolicyProfile"><Protocol Name="OpenIdConnect" /><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
                    <OutputClaim ClaimTypeReferenceId="objectId" /><OutputClaim ClaimTypeReferenceId="city" />
                    </OutputClaims></TechnicalProfile>
                    """))
        #expect(policy.relyingParty.outputClaims.map(\.wireName) == ["sub", "oid", "city"])
        #expect(policy.relyingParty.outputClaims.map(\.partnerName) == ["sub", nil, nil])
    }

    @Test func `issuer settings have their defaults`() throws {
        let policy = try link(PolicyTexts.runnable())
        let issuer = try #require(policy.tokenIssuer)
        #expect(issuer.accessTokenLifetime == .hours(1))
        #expect(issuer.idTokenLifetime == .hours(1))
        #expect(issuer.refreshTokenLifetime == .days(14))
        #expect(issuer.slidingWindow == .days(90))
        #expect(issuer.issuerPattern == .tenant)
        #expect(!issuer.addsPolicyAsAcr)
        #expect(policy.sessionBehavior.scope == .tenant)
        #expect(policy.sessionBehavior.expiryInSeconds == 86400)
    }

    /// Metadata of the token issuer, and how long a refresh token may be renewed.
    @Test(
        arguments: [
            ([("rolling_refresh_token_lifetime_secs", "86400")], .days(1)),
            ([("allow_infinite_rolling_refresh_token", "true")], nil),
            (
                [
                    ("allow_infinite_rolling_refresh_token", "true"), ("rolling_refresh_token_lifetime_secs", "86400"),
                ], nil
            ), ([("allow_infinite_rolling_refresh_token", "false")], .days(90)),
        ] as [([(key: String, value: String)], TimeSpan?)])
    func `refresh tokens may roll for ever`(_ metadata: [(key: String, value: String)], _ window: TimeSpan?) throws {
        let items = metadata.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let issuer = PolicyTexts.issuer.replacing(
            "</TechnicalProfile>", "<Metadata>\(items)</Metadata></TechnicalProfile>")
        let policy = try link(
            PolicyTexts.file(
                blocks: PolicyTexts.claims, providers: issuer, journeys: PolicyTexts.send, party: PolicyTexts.party))
        #expect(try #require(policy.tokenIssuer).slidingWindow == window)
    }

    /// What is read but carried out only in part is reported when a policy is linked.
    @Test(arguments: [
        (
            "<PolicyConstraints><Inheritance DerivingPolicies=\"SameTenant\" /></PolicyConstraints>", "",
            "<PolicyConstraints> has no effect here"
        ),
        (
            "",
            """
            <ContentDefinitions><ContentDefinition Id="c"><LoadUri>~/a</LoadUri><RecoveryUri>~/b</RecoveryUri>
            <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri>
            <LocalizedResourcesReferences><LocalizedResourcesReference Language="en" Url="https://texts.test/en" />
            </LocalizedResourcesReferences></ContentDefinition></ContentDefinitions>
            """, "Url of a LocalizedResourcesReference has no effect here"
        ),
    ]) func `what is carried out in part is reported`(_ root: String, _ blocks: String, _ text: String) throws {
        let xml = PolicyTexts.runnable(blocks: blocks).replacing("<BuildingBlocks>", root + "<BuildingBlocks>")
        let document = try PolicyReader.read(file: "own.xml", bytes: Array(xml.utf8))
        let policy = try PolicyLinker.link(document, personality: .customPolicy)
        let finding = policy.findings.first { $0.description.contains(text) }
        #expect(finding?.severity == .warning && finding?.location?.file == "own.xml", "\(policy.findings)")
    }

    @Test func `fingerprints follow the text`() throws {
        let one = try link(PolicyTexts.runnable())
        let same = try link(PolicyTexts.runnable())
        let other = try link(PolicyTexts.runnable(providers: "<!-- other -->"))
        #expect(one.fingerprint == same.fingerprint)
        #expect(one.fingerprint != other.fingerprint)
        #expect(one.fingerprint.utf8.count == 16)
    }

    // MARK: Chains

    private let root = PolicyTexts.file(
        id: "B2C_1A_root", blocks: PolicyTexts.claims, providers: PolicyTexts.issuer, journeys: PolicyTexts.send)

    private func linkChain(_ files: [(String, String)]) -> [Diagnostic] {
        findings { () throws(InvalidInput) in
            _ = try PolicyLibrary.link(
                policyID: "b2c_1a_leaf", among: files.map { (file: $0.0, bytes: Array($0.1.utf8)) })
        }
    }

    @Test func `a chain is followed`() {
        let leaf = PolicyTexts.file(id: "B2C_1A_leaf", base: "b2c_1a_ROOT", party: PolicyTexts.party)
        #expect(linkChain([("leaf.xml", leaf), ("note.xml", "<note />"), ("root.xml", root)]).isEmpty)
    }

    @Test func `broken chains are refused`() {
        let leaf = PolicyTexts.file(id: "B2C_1A_leaf", base: "B2C_1A_roots", party: PolicyTexts.party)
        let missing = linkChain([("leaf.xml", leaf), ("root.xml", root)])
        #expect(missing.map(\.rule) == ["B2C-POL-006"])
        #expect(missing[0].remedy == "Did you mean \"B2C_1A_root\"?")
        #expect(missing[0].location?.line == 2)
        let loop = PolicyTexts.file(id: "B2C_1A_roots", base: "B2C_1A_leaf")
        #expect(
            linkChain([("leaf.xml", leaf), ("loop.xml", loop)]).map(\.message) == [
                "\"B2C_1A_leaf\" inherits from itself"
            ])
        #expect(linkChain([]).map(\.rule) == ["B2C-POL-006"])
        let twice = linkChain([("a.xml", leaf), ("b.xml", leaf), ("root.xml", root)])
        #expect(twice.map(\.rule).contains("B2C-POL-011"))
    }
}

extension String {
    /// Every occurrence of a text exchanged.
    func replacing(_ old: String, _ new: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.firstRange(of: old) {
            result += rest[..<range.lowerBound] + new
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
