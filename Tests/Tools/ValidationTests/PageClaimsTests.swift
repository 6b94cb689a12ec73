import Diagnostics
import Testing
import Validation

/// B2C-POL-098: claims that are read after the page that they end with.
struct PageClaimsTests {
    private static let handler = "Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null"

    private static func profile(_ id: String, _ provider: String, _ claims: String) -> String {
        """
        <TechnicalProfile Id="\(id)"><DisplayName>\(id)</DisplayName>
        <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.\(provider), \(handler)" />
        \(provider.hasPrefix("Self") ? "<Metadata><Item Key=\"ContentDefinitionReferenceId\">page</Item></Metadata>" : "")
        \(claims)</TechnicalProfile>
        """
    }

    private static func list(_ element: String, _ claims: [String], _ more: String = "") -> String {
        claims.isEmpty
            ? ""
            : "<\(element)s>" + claims.map { "<\(element) ClaimTypeReferenceId=\"\($0)\"\(more) />" }.joined()
                + "</\(element)s>"
    }

    private static func constant(_ id: String, _ claims: [String]) -> String {
        profile(
            id, "ClaimsTransformationProtocolProvider",
            list("OutputClaim", claims, " DefaultValue=\"x\" AlwaysUseDefaultValue=\"true\""))
    }

    private static func exchange(_ order: Int, _ profile: String, _ preconditions: String = "") -> String {
        """
        <OrchestrationStep Order="\(order)" Type="ClaimsExchange">\(preconditions)<ClaimsExchanges>
        <ClaimsExchange Id="E\(order)" TechnicalProfileReferenceId="\(profile)" /></ClaimsExchanges></OrchestrationStep>
        """
    }

    /// What comes before, on and after a page whose validation profile, or whose display control, writes `inner`.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var usesControl = false
        /// Output claims of the page beside the field.
        var outputs: [String] = []
        /// Claims that the first step writes.
        var before: [String] = []
        /// Claims of the last step: its technical profile is a web API.
        var inputs: [String] = []
        var inputMore = ""
        var isPrecondition = false
        var party: [String] = []
        /// How often the rule speaks.
        var count: Int
    }

    private static func policy(_ row: Case) -> String {
        let shown =
            row.usesControl
            ? "<DisplayClaims><DisplayClaim DisplayControlReferenceId=\"control\" /></DisplayClaims>" : ""
        let validation =
            row.usesControl
            ? ""
            : "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"Set\" />"
                + "</ValidationTechnicalProfiles>"
        let condition =
            row.isPrecondition
            ? "<Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"false\"><Value>inner</Value>"
                + "<Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>" : ""
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_one"
            PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_one"><BuildingBlocks><ClaimsSchema>
            <ClaimType Id="sub"><DataType>string</DataType></ClaimType>
            <ClaimType Id="inner"><DataType>string</DataType></ClaimType>
            <ClaimType Id="q"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>
            <ClaimType Id="code"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>
            </ClaimsSchema><ContentDefinitions><ContentDefinition Id="page"><LoadUri>~/a.cshtml</LoadUri>
            <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri></ContentDefinition>
            </ContentDefinitions><DisplayControls>
            <DisplayControl Id="control" UserInterfaceControlType="VerificationControl"><DisplayClaims>
            <DisplayClaim ClaimTypeReferenceId="q" Required="true" />
            <DisplayClaim ClaimTypeReferenceId="code" ControlClaimType="VerificationCode" /></DisplayClaims><Actions>
            <Action Id="SendCode"><ValidationClaimsExchange>
            <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Set" /></ValidationClaimsExchange>
            </Action></Actions></DisplayControl></DisplayControls></BuildingBlocks><ClaimsProviders><ClaimsProvider>
            <DisplayName>One</DisplayName><TechnicalProfiles>
            \(constant("Start", ["sub"] + row.before))\(constant("Set", ["inner"]))
            \(profile("Page", "SelfAssertedAttributeProvider", shown + list("OutputClaim", ["q"] + row.outputs) + validation))
            \(profile("Later", "ClaimsTransformationProtocolProvider", list("InputClaim", row.inputs, row.inputMore)))
            <TechnicalProfile Id="JwtIssuer"><DisplayName>JWT</DisplayName><Protocol Name="OpenIdConnect" />
            <OutputTokenFormat>JWT</OutputTokenFormat></TechnicalProfile></TechnicalProfiles></ClaimsProvider>
            </ClaimsProviders><UserJourneys><UserJourney Id="J"><OrchestrationSteps>
            \(exchange(1, "Start"))\(exchange(2, "Page"))\(exchange(3, "Later", condition))
            <OrchestrationStep Order="4" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            </OrchestrationSteps></UserJourney></UserJourneys><RelyingParty><DefaultUserJourney ReferenceId="J" />
            <TechnicalProfile Id="PolicyProfile"><DisplayName>P</DisplayName><Protocol Name="OpenIdConnect" />
            <OutputClaims><OutputClaim ClaimTypeReferenceId="sub" />
            \(row.party.map { "<OutputClaim ClaimTypeReferenceId=\"\($0)\" />" }.joined())</OutputClaims>
            <SubjectNamingInfo ClaimType="sub" /></TechnicalProfile></RelyingParty></TrustFrameworkPolicy>
            """
    }

    @Test(arguments: [
        Case(testDescription: "nothing reads it", count: 0),
        Case(testDescription: "the token", party: ["inner"], count: 1),
        Case(testDescription: "the token, of a display control", usesControl: true, party: ["inner"], count: 1),
        Case(testDescription: "an input claim", inputs: ["inner"], count: 1),
        Case(testDescription: "a precondition", isPrecondition: true, count: 1),
        Case(testDescription: "all three", inputs: ["inner"], isPrecondition: true, party: ["inner"], count: 3),
        Case(
            testDescription: "an output of the page", outputs: ["inner"], inputs: ["inner"], party: ["inner"], count: 0),
        Case(
            testDescription: "an output of the page, of a display control", usesControl: true, outputs: ["inner"],
            inputs: ["inner"], party: ["inner"], count: 0),
        Case(
            testDescription: "written before the page", before: ["inner"], inputs: ["inner"], party: ["inner"], count: 0
        ),
        Case(testDescription: "a default", inputs: ["inner"], inputMore: " DefaultValue=\"y\"", count: 0),
        Case(testDescription: "a field", inputs: ["q"], party: ["q"], count: 0),
        Case(testDescription: "a field of a display control", usesControl: true, party: ["q"], count: 0),
    ]) func `claims that end with their page`(_ row: Case) {
        let found = Validator.validate(project(("one.xml", Self.policy(row)))).diagnostics
        #expect(!found.contains { $0.rule == "B2C-POL-001" || $0.rule == "B2C-POL-002" }, "\(found)")
        let ours = found.filter { $0.rule == "B2C-POL-098" }
        #expect(ours.count == row.count, "\(found)")
        for diagnostic in ours {
            #expect(diagnostic.severity == .warning)
            #expect(diagnostic.location?.line != nil)
            #expect(diagnostic.message.contains("inner") && diagnostic.message.contains("the page Page"))
            #expect(diagnostic.remedy == "Add inner to the OutputClaims of Page.")
        }
    }
}
