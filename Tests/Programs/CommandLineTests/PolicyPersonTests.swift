import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy trace` without a script: the person gets through pages that their record knows nothing of.
@Suite(.blocking) struct PolicyPersonTests {
    private let tool: Tool
    private let policies: String

    init() throws {
        tool = try Tool()
        policies = TestFiles.root().appendingPathComponent("scenarios/policies").path
    }

    /// A journey of one page, over the policies of this repository.
    private func policy(
        claims: String, outputs: [String], blocks: String = "", validation: String = "", profiles: String = ""
    ) -> String {
        let fields = outputs.map { "<OutputClaim ClaimTypeReferenceId=\"\($0)\" Required=\"true\" />" }.joined()
        let issued = outputs.map { "<OutputClaim ClaimTypeReferenceId=\"\($0)\" />" }.joined()
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
                PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com" PolicyId="B2C_1A_Asks"
                PublicPolicyUri="http://yourtenant.onmicrosoft.com/B2C_1A_Asks">
              <BasePolicy>
                <TenantId>yourtenant.onmicrosoft.com</TenantId><PolicyId>B2C_1A_SampleBase</PolicyId>
              </BasePolicy>
              <BuildingBlocks><ClaimsSchema>\(claims)</ClaimsSchema>\(blocks)</BuildingBlocks>
              <ClaimsProviders><ClaimsProvider><DisplayName>Asks</DisplayName><TechnicalProfiles>
                <TechnicalProfile Id="Asks">
                  <DisplayName>Asks</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata><Item Key="ContentDefinitionReferenceId">api.selfasserted</Item></Metadata>
                  <OutputClaims>\(fields)</OutputClaims>
                  \(validation)
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>\(profiles)
              </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
              <UserJourneys><UserJourney Id="Asks"><OrchestrationSteps>
                <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
                  <ClaimsExchange Id="Asks" TechnicalProfileReferenceId="Asks" />
                </ClaimsExchanges></OrchestrationStep>
                <OrchestrationStep Order="2" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
              </OrchestrationSteps></UserJourney></UserJourneys>
              <RelyingParty>
                <DefaultUserJourney ReferenceId="Asks" />
                <TechnicalProfile Id="PolicyProfile">
                  <DisplayName>PolicyProfile</DisplayName><Protocol Name="OpenIdConnect" />
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="sub" DefaultValue="nobody" AlwaysUseDefaultValue="true" />\(issued)
                  </OutputClaims>
                  <SubjectNamingInfo ClaimType="sub" />
                </TechnicalProfile>
              </RelyingParty>
            </TrustFrameworkPolicy>
            """
    }

    private func claim(_ id: String, _ type: String, _ input: String, _ more: String = "") -> String {
        "<ClaimType Id=\"\(id)\"><DisplayName>\(id)</DisplayName><DataType>\(type)</DataType>"
            + "<UserInputType>\(input)</UserInputType>\(more)</ClaimType>"
    }

    private func claims(of text: String) throws -> JSONValue {
        try tool.write(text, to: "Asks.xml")
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies)
        #expect(run.status == 0, "\(run.error)")
        return try JSONParser.parse(run.out)["claims"] ?? .null
    }

    @Test func `text, date, number and choices are filled in by the rules of their fields`() throws {
        let pattern = "<Restriction><Pattern RegularExpression=\"^Q[0-9]{3}$\" HelpText=\"no\" /></Restriction>"
        let choices = """
            <Restriction><Enumeration Text="No" Value="false" /><Enumeration Text="Yes" Value="true" /></Restriction>
            """
        let token = try claims(
            of: policy(
                claims: claim("asksText", "string", "TextBox") + claim("asksCode3", "string", "TextBox", pattern)
                    + claim("asksDay", "date", "DateTimeDropdown") + claim("asksAge", "int", "TextBox")
                    + claim("asksTerms", "boolean", "RadioSingleSelect", choices),
                outputs: ["asksText", "asksCode3", "asksDay", "asksAge", "asksTerms"]))
        #expect(token["asksText"] == "text")
        #expect(token["asksCode3"] == "Q000")
        #expect(token["asksDay"] == "1990-05-17")
        #expect(token["asksAge"] == 7)
        #expect(token["asksTerms"] == true)
    }

    @Test func `a box that validation requires is ticked when the page refuses`() throws {
        let choices = """
            <Restriction><Enumeration Text="Yes" Value="true" />
            <Enumeration Text="No" Value="false" SelectByDefault="true" /></Restriction>
            """
        let token = try claims(
            of: policy(
                claims: claim("asksTerms", "boolean", "DropdownSingleSelect", choices), outputs: ["asksTerms"],
                blocks: """
                    <ClaimsTransformations>
                      <ClaimsTransformation Id="AsksMust" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                        <InputClaims>
                          <InputClaim ClaimTypeReferenceId="asksTerms" TransformationClaimType="inputClaim" />
                        </InputClaims>
                        <InputParameters>
                          <InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" />
                        </InputParameters>
                      </ClaimsTransformation>
                    </ClaimsTransformations>
                    """,
                validation: """
                    <ValidationTechnicalProfiles>
                      <ValidationTechnicalProfile ReferenceId="AsksCheck" />
                    </ValidationTechnicalProfiles>
                    """,
                profiles: """
                    <TechnicalProfile Id="AsksCheck">
                      <DisplayName>Check</DisplayName>
                      <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                      <OutputClaims><OutputClaim ClaimTypeReferenceId="displayName" /></OutputClaims>
                      <OutputClaimsTransformations>
                        <OutputClaimsTransformation ReferenceId="AsksMust" />
                      </OutputClaimsTransformations>
                      <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                    </TechnicalProfile>
                    """))
        #expect(token["asksTerms"] == true)
    }

    /// A policy blocks people with such a page: no value would help.
    @Test(arguments: ["false", "true"])
    func `a page without a button to continue is named as the end`(_ canCancel: String) throws {
        let metadata = "<Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item></Metadata>"
        let text = policy(claims: claim("asksText", "string", "Paragraph"), outputs: ["asksText"])
            .replacingOccurrences(
                of: metadata,
                with: """
                    <Item Key="setting.showContinueButton">false</Item>
                    <Item Key="setting.showCancelButton">\(canCancel)</Item>\(metadata)
                    <InputClaims><InputClaim ClaimTypeReferenceId="asksText" DefaultValue="Not you." /></InputClaims>
                    """)
        try tool.write(text, to: "Asks.xml")
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies)
        #expect(run.status == 4)
        #expect(
            run.error.contains("ends at the page selfAsserted: it has no button to continue. It shows \"Not you.\"."),
            "\(run.error)")
    }

    @Test func `a script for the pages is followed as it is`() throws {
        try tool.write(
            policy(claims: claim("asksText", "string", "TextBox"), outputs: ["asksText"]), to: "Asks.xml")
        try tool.write("{\"user\": [\"ada\"]}", to: "inputs.json")
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies, "--inputs", "inputs.json")
        #expect(run.status == 4)
        #expect(run.error.contains("ada cannot fill \"asksText\""), "\(run.error)")
    }

    /// One whose hint a shared secret signs, one that the tenant signs, and one whose issuer publishes its keys.
    @Test(arguments: ["B2C_1A_Invitation", "B2C_1A_invite", "B2C_1A_IssuedInvitation"])
    func `a policy that reads an id_token_hint gets one`(_ policy: String) throws {
        let app = "\"configure\": {\"policySettings\": {\"InvitedApp\": \"{{apps/app/registration/clientId}}\"}}"
        try tool.write("{\(app)}", to: "inputs.json")
        let run = try tool.run("policy", "run", policies, "--policy", policy, "--inputs", "inputs.json")
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["claims", "email"] == "ada@example.test")
        try tool.write(
            "{\(app), \"request\": {\"id_token_hint\": {\"email\": \"guest@example.test\"}}}", to: "inputs.json")
        let guest = try tool.run("policy", "run", policies, "--policy", policy, "--inputs", "inputs.json")
        #expect(guest.status == 0, "\(guest.error)")
        #expect(try JSONParser.parse(guest.out)["claims", "email"] == "guest@example.test")
    }

    @Test func `a hint is refused, absent, or without effect where the inputs say so`() throws {
        func run(_ hint: String, _ policy: String) throws -> Tool.Outcome {
            try tool.write("{\"request\": {\"id_token_hint\": \(hint)}}", to: "inputs.json")
            return try tool.run("policy", "run", policies, "--policy", policy, "--inputs", "inputs.json")
        }
        #expect(try run("{\"aud\": \"elsewhere\"}", "B2C_1A_Invitation").error.contains("AADB2C90209"))
        #expect(try run("{\"exp\": 1}", "B2C_1A_Invitation").error.contains("AADB2C90208"))
        #expect(try run("null", "B2C_1A_Invitation").error.contains("AADB2C90272"))
        #expect(try run("\"not a token\"", "B2C_1A_Invitation").error.contains("AADB2C90210"))
        let number = try run("7", "B2C_1A_Invitation")
        #expect(number.status == 1 && number.error.contains("`request.id_token_hint` is"), "\(number.error)")
        let useless = try run("{}", "B2C_1A_NoSession")
        #expect(useless.status == 1 && useless.error.contains("has no GetClaims step"), "\(useless.error)")
    }

    @Test func `a request parameter reaches the claims that read it`() throws {
        let text = policy(
            claims: claim("asksText", "string", "TextBox") + claim("asksCampaign", "string", "TextBox"),
            outputs: ["asksText"]
        ).replacingOccurrences(
            of: "AlwaysUseDefaultValue=\"true\" />",
            with: "AlwaysUseDefaultValue=\"true\" /><OutputClaim ClaimTypeReferenceId=\"asksCampaign\" "
                + "DefaultValue=\"{OAUTH-KV:campaign}\" AlwaysUseDefaultValue=\"true\" />")
        try tool.write(text, to: "Asks.xml")
        try tool.write("{\"request\": {\"extraQueryParameters\": {\"campaign\": \"summer\"}}}", to: "inputs.json")
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies, "--inputs", "inputs.json")
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["claims", "asksCampaign"] == "summer")
    }

    @Test func `an inputs file removes members of people, and a described person may keep ada's address`() throws {
        try tool.write("{\"configure\": {\"users\": {\"ada\": {\"displayName\": null}}}}", to: "inputs.json")
        let policy = ["policy", "run", policies, "--policy", "B2C_1A_NoSession"]
        let without = try tool.run(policy + ["--inputs", "inputs.json"])
        #expect(without.status == 0, "\(without.error)")
        #expect(try JSONParser.parse(without.out)["claims", "name"] == nil)
        let other = try tool.run(policy + ["--user", "{\"displayName\": \"Zoe\"}"])
        #expect(other.status == 0, "\(other.error)")
        #expect(try JSONParser.parse(other.out)["claims", "name"] == "Zoe")
    }

    @Test func `a code that the policy has a service send is read`() throws {
        try tool.write(
            """
            {"configure": {"rest": {"mail": {"match": {"url": "https://mail.contoso.test/send"}, "reply": {"status": 200}}}}}
            """, to: "inputs.json")
        let run = try tool.run(
            ["policy", "run", policies, "--policy", "B2C_1A_OwnMail", "--inputs", "inputs.json"])
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["claims", "email"] == "ada@example.test")
    }

    /// A journey over the providers of this repository whose pages come in a sub journey.
    ///
    /// - Parameter next: The number of the step after those.
    private func ways(_ steps: String, next: Int = 3) -> String {
        """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
            PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com" PolicyId="B2C_1A_Ways"
            PublicPolicyUri="http://yourtenant.onmicrosoft.com/B2C_1A_Ways">
          <BasePolicy>
            <TenantId>yourtenant.onmicrosoft.com</TenantId><PolicyId>B2C_1A_ProviderSelection</PolicyId>
          </BasePolicy>
          <UserJourneys><UserJourney Id="Ways"><OrchestrationSteps>
            <OrchestrationStep Order="1" Type="InvokeSubJourney"><JourneyList>
              <Candidate SubJourneyReferenceId="Enter" />
            </JourneyList></OrchestrationStep>
            <OrchestrationStep Order="2" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
          </OrchestrationSteps></UserJourney></UserJourneys>
          <SubJourneys><SubJourney Id="Enter" Type="Call"><OrchestrationSteps>
            \(steps)
            <OrchestrationStep Order="\(next)" Type="ClaimsExchange">
              <Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="true">
                <Value>objectId</Value><Action>SkipThisOrchestrationStep</Action>
              </Precondition></Preconditions>
              <ClaimsExchanges>
                <ClaimsExchange Id="Find" TechnicalProfileReferenceId="AAD-UserReadUsingAlternativeSecurityId-NoError" />
              </ClaimsExchanges>
            </OrchestrationStep>
            <OrchestrationStep Order="\(next + 1)" Type="ClaimsExchange">
              <Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="true">
                <Value>objectId</Value><Action>SkipThisOrchestrationStep</Action>
              </Precondition></Preconditions>
              <ClaimsExchanges>
                <ClaimsExchange Id="Write" TechnicalProfileReferenceId="AAD-UserWriteUsingAlternativeSecurityId" />
              </ClaimsExchanges>
            </OrchestrationStep>
          </OrchestrationSteps></SubJourney></SubJourneys>
          <RelyingParty>
            <DefaultUserJourney ReferenceId="Ways" />
            <TechnicalProfile Id="PolicyProfile">
              <DisplayName>PolicyProfile</DisplayName><Protocol Name="OpenIdConnect" />
              <OutputClaims>
                <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
                <OutputClaim ClaimTypeReferenceId="identityProvider" />
                <OutputClaim ClaimTypeReferenceId="newUser" />
              </OutputClaims>
              <SubjectNamingInfo ClaimType="sub" />
            </TechnicalProfile>
          </RelyingParty>
        </TrustFrameworkPolicy>
        """
    }

    /// A page of choices only, and a form with a link to sign up.
    private static let entrances: [String] = [
        """
        <OrchestrationStep Order="1" Type="CombinedSignInAndSignUp" ContentDefinitionReferenceId="api.signuporsignin">
          <ClaimsProviderSelections>
            <ClaimsProviderSelection TargetClaimsExchangeId="GitlikeExchange" />
            <ClaimsProviderSelection TargetClaimsExchangeId="InExchange" />
            <ClaimsProviderSelection TargetClaimsExchangeId="NewExchange" />
          </ClaimsProviderSelections>
        </OrchestrationStep>
        <OrchestrationStep Order="2" Type="ClaimsExchange"><ClaimsExchanges>
          <ClaimsExchange Id="GitlikeExchange" TechnicalProfileReferenceId="GitLike-OAuth2" />
          <ClaimsExchange Id="InExchange" TechnicalProfileReferenceId="SelfAsserted-LocalAccountSignin-Email" />
          <ClaimsExchange Id="NewExchange" TechnicalProfileReferenceId="LocalAccountSignUpWithLogonEmail" />
        </ClaimsExchanges></OrchestrationStep>
        """,
        """
        <OrchestrationStep Order="1" Type="CombinedSignInAndSignUp" ContentDefinitionReferenceId="api.signuporsignin">
          <ClaimsProviderSelections>
            <ClaimsProviderSelection TargetClaimsExchangeId="GitlikeExchange" />
            <ClaimsProviderSelection ValidationClaimsExchangeId="InExchange" />
          </ClaimsProviderSelections>
          <ClaimsExchanges>
            <ClaimsExchange Id="InExchange" TechnicalProfileReferenceId="SelfAsserted-LocalAccountSignin-Email" />
          </ClaimsExchanges>
        </OrchestrationStep>
        <OrchestrationStep Order="2" Type="ClaimsExchange">
          <Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="true">
            <Value>objectId</Value><Action>SkipThisOrchestrationStep</Action>
          </Precondition></Preconditions>
          <ClaimsExchanges>
            <ClaimsExchange Id="GitlikeExchange" TechnicalProfileReferenceId="GitLike-OAuth2" />
            <ClaimsExchange Id="SignUpWithLogonEmailExchange" TechnicalProfileReferenceId="LocalAccountSignUpWithLogonEmail" />
          </ClaimsExchanges>
        </OrchestrationStep>
        """,
    ]

    @Test(arguments: entrances)
    func `each person takes the way that suits them, wherever the page comes`(_ steps: String) throws {
        try tool.write(ways(steps), to: "Ways.xml")
        func token(_ person: String) throws -> JSONValue {
            let run = try tool.run("policy", "run", "Ways.xml", "--base", policies, "--user", person)
            #expect(run.status == 0, "\(person): \(run.error)")
            return try JSONParser.parse(run.out)["claims"] ?? .null
        }
        let ada = try token("ada")
        #expect(ada["idp"] == nil && ada["newUser"] == nil)
        let nina = try token("nina")
        #expect(nina["idp"] == nil && nina["newUser"] == true)
        #expect(try token("sam")["idp"] == "gitlike.example")
        #expect(try token("kay")["idp"] == "gitlike.example")
    }

    @Test func `a provider page that the policy passes by is not waited for`() throws {
        let steps = """
            <OrchestrationStep Order="1" Type="ClaimsProviderSelection" ContentDefinitionReferenceId="api.idpselections">
              <Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="false">
                <Value>displayName</Value><Action>SkipThisOrchestrationStep</Action>
              </Precondition></Preconditions>
              <ClaimsProviderSelections>
                <ClaimsProviderSelection TargetClaimsExchangeId="GitlikeExchange" />
              </ClaimsProviderSelections>
            </OrchestrationStep>
            <OrchestrationStep Order="2" Type="ClaimsExchange">
              <Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="false">
                <Value>displayName</Value><Action>SkipThisOrchestrationStep</Action>
              </Precondition></Preconditions>
              <ClaimsExchanges>
                <ClaimsExchange Id="GitlikeExchange" TechnicalProfileReferenceId="GitLike-OAuth2" />
              </ClaimsExchanges>
            </OrchestrationStep>
            <OrchestrationStep Order="3" Type="ClaimsExchange"><ClaimsExchanges>
              <ClaimsExchange Id="WorkExchange" TechnicalProfileReferenceId="Work-OIDC" />
            </ClaimsExchanges></OrchestrationStep>
            """
        try tool.write(ways(steps, next: 4), to: "Ways.xml")
        let run = try tool.run("policy", "run", "Ways.xml", "--base", policies, "--user", "kay")
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["claims", "idp"] == "work.example")
    }

    @Test func `a sign-in name that the policy looks up as a phone number is a number`() throws {
        let token = try claims(
            of: policy(
                claims: claim("signInName", "string", "TextBox"), outputs: ["signInName"],
                validation: """
                    <ValidationTechnicalProfiles>
                      <ValidationTechnicalProfile ReferenceId="AsksFind" />
                    </ValidationTechnicalProfiles>
                    """,
                profiles: """
                    <TechnicalProfile Id="AsksFind">
                      <Metadata>
                        <Item Key="Operation">Read</Item>
                        <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                      </Metadata>
                      <InputClaims>
                        <InputClaim ClaimTypeReferenceId="signInName" PartnerClaimType="signInNames.phoneNumber" Required="true" />
                      </InputClaims>
                      <OutputClaims><OutputClaim ClaimTypeReferenceId="displayName" /></OutputClaims>
                      <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                    </TechnicalProfile>
                    """))
        #expect(token["signInName"] == "+442079460000")
    }

    @Test(
        arguments: [
            ("signInNames.userName", "adalovelace"), ("signInNames", "adalovelace"),
            ("signInNames.emailAddress", "ada@example.test"),
        ])
    func `a field whose name says nothing gets the name that the policy looks up`(
        _ partner: String, _ typed: String
    ) throws {
        let token = try claims(
            of: policy(
                claims: claim("memberName", "string", "TextBox"), outputs: ["memberName"],
                validation: """
                    <ValidationTechnicalProfiles>
                      <ValidationTechnicalProfile ReferenceId="AsksFind" />
                    </ValidationTechnicalProfiles>
                    """,
                profiles: """
                    <TechnicalProfile Id="AsksFind">
                      <Metadata>
                        <Item Key="Operation">Read</Item>
                        <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                      </Metadata>
                      <InputClaims>
                        <InputClaim ClaimTypeReferenceId="memberName" PartnerClaimType="\(partner)" Required="true" />
                      </InputClaims>
                      <OutputClaims><OutputClaim ClaimTypeReferenceId="displayName" /></OutputClaims>
                      <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                    </TechnicalProfile>
                    """))
        #expect(token["memberName"] == .string(typed))
    }

    /// Who is described in part has the other names and numbers of ada, so she must not be found by them.
    @Test(arguments: ["signInNames.userName", "signInNames.phoneNumber", "signInNames.emailAddress"])
    func `a person who is described in part signs in as themselves`(_ partner: String) throws {
        let text = policy(
            claims: claim("memberName", "string", "TextBox")
                + "<ClaimType Id=\"foundName\"><DataType>string</DataType></ClaimType>", outputs: ["memberName"],
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksFind" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksFind">
                  <Metadata>
                    <Item Key="Operation">Read</Item>
                    <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="memberName" PartnerClaimType="\(partner)" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="foundName" PartnerClaimType="displayName" />
                  </OutputClaims>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                """)
        // The page passes the name of the account that was found on to the token.
        let field = #"<OutputClaim ClaimTypeReferenceId="memberName" Required="true" />"#
        let subject = #"<OutputClaim ClaimTypeReferenceId="sub" DefaultValue="nobody" AlwaysUseDefaultValue="true" />"#
        let found = #"<OutputClaim ClaimTypeReferenceId="foundName" />"#
        try tool.write(
            text.replacing(field, with: field + found).replacing(subject, with: subject + found), to: "Asks.xml")
        let person = #"{"email": "zoe@example.test", "displayName": "Zoe"}"#
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies, "--user", person)
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["claims", "foundName"] == "Zoe", "\(run.out)")
    }

    @Test func `a sign-in name of a page for addresses is the address`() throws {
        let text = policy(
            claims: claim("signInName", "string", "TextBox"), outputs: ["signInName"]
        ).replacingOccurrences(
            of: "</Metadata>", with: "<Item Key=\"setting.operatingMode\">Email</Item></Metadata>")
        #expect(try claims(of: text)["signInName"] == "ada@example.test")
    }

    /// The policy lets in only who has an account at a provider beside the local one.
    @Test func `the person that the policy suits is found`() throws {
        let text = policy(
            claims: claim("memberName", "string", "TextBox")
                + "<ClaimType Id=\"links\"><DataType>stringCollection</DataType></ClaimType>"
                + "<ClaimType Id=\"hasLinks\"><DataType>boolean</DataType></ClaimType>",
            outputs: ["memberName"],
            blocks: """
                <ClaimsTransformations>
                  <ClaimsTransformation Id="HasLinks" TransformationMethod="DoesClaimExist">
                    <InputClaims><InputClaim ClaimTypeReferenceId="links" TransformationClaimType="inputClaim" /></InputClaims>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="hasLinks" TransformationClaimType="outputClaim" /></OutputClaims>
                  </ClaimsTransformation>
                  <ClaimsTransformation Id="MustHaveLinks" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                    <InputClaims><InputClaim ClaimTypeReferenceId="hasLinks" TransformationClaimType="inputClaim" /></InputClaims>
                    <InputParameters><InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" /></InputParameters>
                  </ClaimsTransformation>
                </ClaimsTransformations>
                """,
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksFind" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksFind">
                  <Metadata><Item Key="Operation">Read</Item></Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="memberName" PartnerClaimType="signInNames.emailAddress" Required="true" />
                  </InputClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="links" PartnerClaimType="alternativeSecurityIds" />
                  </OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="HasLinks" />
                    <OutputClaimsTransformation ReferenceId="MustHaveLinks" />
                  </OutputClaimsTransformations>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                <TechnicalProfile Id="Elsewhere">
                  <DisplayName>Elsewhere</DisplayName><Protocol Name="OAuth2" />
                  <Metadata>
                    <Item Key="client_id">app</Item>
                    <Item Key="authorization_endpoint">https://elsewhere.example/authorize</Item>
                    <Item Key="AccessTokenEndpoint">https://elsewhere.example/token</Item>
                  </Metadata>
                  <CryptographicKeys><Key Id="client_secret" StorageReferenceId="B2C_1A_Elsewhere" /></CryptographicKeys>
                  <OutputClaims><OutputClaim ClaimTypeReferenceId="issuerUserId" PartnerClaimType="id" /></OutputClaims>
                </TechnicalProfile>
                """
        ).replacing(
            #"<OrchestrationStep Order="2" Type="SendClaims""#,
            with: """
                <OrchestrationStep Order="2" Type="ClaimsExchange">
                  <Preconditions><Precondition Type="ClaimsExist" ExecuteActionsIf="true">
                    <Value>memberName</Value><Action>SkipThisOrchestrationStep</Action>
                  </Precondition></Preconditions>
                  <ClaimsExchanges>
                    <ClaimsExchange Id="ElsewhereExchange" TechnicalProfileReferenceId="Elsewhere" />
                  </ClaimsExchanges>
                </OrchestrationStep>
                <OrchestrationStep Order="3" Type="SendClaims"
                """)
        try tool.write(text, to: "Asks.xml")
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies)
        #expect(run.status == 0, "\(run.error)")
        #expect(try JSONParser.parse(run.out)["person"] == "lia")
        #expect(try tool.run("policy", "run", "Asks.xml", "--base", policies, "--user", "ada").status == 4)
    }

    /// The policy ends with a page that leads nowhere, except for accounts with an attribute.
    @Test func `an account has the attribute that the policy wants`() throws {
        let text = policy(
            claims: claim("memberName", "string", "TextBox")
                + "<ClaimType Id=\"extension_allowed\"><DataType>string</DataType></ClaimType>",
            outputs: ["memberName"],
            blocks: """
                <ClaimsTransformations>
                  <ClaimsTransformation Id="Same" TransformationMethod="CompareClaimToValue">
                    <InputClaims><InputClaim ClaimTypeReferenceId="extension_allowed" TransformationClaimType="inputClaim1" /></InputClaims>
                    <InputParameters>
                      <InputParameter Id="compareTo" DataType="string" Value="team-7" />
                      <InputParameter Id="operator" DataType="string" Value="equal" />
                      <InputParameter Id="ignoreCase" DataType="boolean" Value="false" />
                    </InputParameters>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="isAllowed" TransformationClaimType="outputClaim" /></OutputClaims>
                  </ClaimsTransformation>
                  <ClaimsTransformation Id="Must" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                    <InputClaims><InputClaim ClaimTypeReferenceId="isAllowed" TransformationClaimType="inputClaim" /></InputClaims>
                    <InputParameters><InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" /></InputParameters>
                  </ClaimsTransformation>
                </ClaimsTransformations>
                """,
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksFind" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksFind">
                  <Metadata><Item Key="Operation">Read</Item></Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="memberName" PartnerClaimType="signInNames.emailAddress" Required="true" />
                  </InputClaims>
                  <OutputClaims><OutputClaim ClaimTypeReferenceId="extension_allowed" /></OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="Same" /><OutputClaimsTransformation ReferenceId="Must" />
                  </OutputClaimsTransformations>
                  <IncludeTechnicalProfile ReferenceId="AAD-Common" />
                </TechnicalProfile>
                """
        ).replacing(
            "<ClaimType Id=\"extension_allowed\">",
            with:
                "<ClaimType Id=\"isAllowed\"><DataType>boolean</DataType></ClaimType><ClaimType Id=\"extension_allowed\">"
        )
        #expect(try claims(of: text)["memberName"] == "ada@example.test")
    }

    /// Phone numbers are typed as the policy makes numbers of them.
    @Test(arguments: [
        ("+44{0}", "2079460000"), ("+{0}", "442079460000"), ("{0}", "+442079460000"),
    ])
    func `a number that the policy formats is a phone number`(_ format: String, _ typed: String) throws {
        let token = try claims(
            of: policy(
                claims: claim("asksText", "string", "TextBox")
                    + "<ClaimType Id=\"formatted\"><DataType>string</DataType></ClaimType>"
                    + "<ClaimType Id=\"dialled\"><DataType>phoneNumber</DataType></ClaimType>",
                outputs: ["asksText"],
                blocks: """
                    <ClaimsTransformations>
                      <ClaimsTransformation Id="Write" TransformationMethod="FormatStringClaim">
                        <InputClaims><InputClaim ClaimTypeReferenceId="asksText" TransformationClaimType="inputClaim" /></InputClaims>
                        <InputParameters><InputParameter Id="stringFormat" DataType="string" Value="\(format)" /></InputParameters>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="formatted" TransformationClaimType="outputClaim" /></OutputClaims>
                      </ClaimsTransformation>
                      <ClaimsTransformation Id="Dial" TransformationMethod="ConvertStringToPhoneNumberClaim">
                        <InputClaims><InputClaim ClaimTypeReferenceId="formatted" TransformationClaimType="phoneNumberString" /></InputClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="dialled" TransformationClaimType="outputClaim" /></OutputClaims>
                      </ClaimsTransformation>
                    </ClaimsTransformations>
                    """,
                validation: """
                    <OutputClaimsTransformations>
                      <OutputClaimsTransformation ReferenceId="Write" /><OutputClaimsTransformation ReferenceId="Dial" />
                    </OutputClaimsTransformations>
                    """))
        #expect(token["asksText"] == .string(typed))
    }

    /// Nobody chooses anything: the journey goes to the provider first.
    @Test(arguments: [[], ["--user", "ada"], ["--user", "sam"]])
    func `a journey that begins at a provider ends for each person that it suits`(_ person: [String]) throws {
        let step = """
            <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
              <ClaimsExchange Id="WorkExchange" TechnicalProfileReferenceId="Work-OIDC" />
            </ClaimsExchanges></OrchestrationStep>
            """
        try tool.write(ways(step, next: 2), to: "Ways.xml")
        let run = try tool.run(["policy", "run", "Ways.xml", "--base", policies] + person)
        #expect(run.status == 0, "\(run.error)")
        let token = try JSONParser.parse(run.out)["claims"]
        #expect(token?["idp"] == "work.example" && token?["newUser"] == true)
    }

    /// The ID token has the audience that the profile names, and no claim that the person's record takes away.
    @Test func `a provider sends what the profile and the record say`() throws {
        let provider = """
            <ClaimsProviders><ClaimsProvider><DisplayName>Work</DisplayName><TechnicalProfiles>
            <TechnicalProfile Id="Work-OIDC"><Metadata><Item Key="IdTokenAudience">trips-api</Item></Metadata>
            <OutputClaims><OutputClaim ClaimTypeReferenceId="givenName" PartnerClaimType="given_name" /></OutputClaims>
            </TechnicalProfile></TechnicalProfiles></ClaimsProvider></ClaimsProviders><UserJourneys>
            """
        let step = """
            <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
              <ClaimsExchange Id="WorkExchange" TechnicalProfileReferenceId="Work-OIDC" />
            </ClaimsExchanges></OrchestrationStep>
            """
        let issued = #"<OutputClaim ClaimTypeReferenceId="newUser" />"#
        try tool.write(
            ways(step, next: 2).replacing("<UserJourneys>", with: provider).replacing(
                issued, with: issued + #"<OutputClaim ClaimTypeReferenceId="givenName" />"#), to: "Ways.xml")
        func name(_ claims: String) throws -> JSONValue? {
            let inputs = "{\"configure\": {\"users\": {\"sam\": {\"providers\": {\"work\": \(claims)}}}}}"
            try tool.write(inputs, to: "inputs.json")
            let run = try tool.run(
                "policy", "run", "Ways.xml", "--base", policies, "--user", "sam", "--inputs", "inputs.json")
            #expect(run.status == 0, "\(run.error)")
            return try JSONParser.parse(run.out)["claims", "given_name"]
        }
        #expect(try name("{}") == "Sam")
        #expect(try name("{\"given_name\": null}") == nil)
    }

    /// A service of the policy's own sends the code and checks it, so no inbox has it.
    @Test func `a code that a service checks is made up`() throws {
        let rest = """
            <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
            """
        func service(_ name: String, _ claim: String) -> String {
            """
            <TechnicalProfile Id="Asks\(name)">
              <DisplayName>\(name)</DisplayName>\(rest)
              <Metadata>
                <Item Key="ServiceUrl">https://texts.example/\(name)</Item>
                <Item Key="AuthenticationType">None</Item><Item Key="SendClaimsIn">Body</Item>
              </Metadata>
              <InputClaims><InputClaim ClaimTypeReferenceId="\(claim)" /></InputClaims>
              <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
            </TechnicalProfile>
            """
        }
        func action(_ id: String, _ profile: String) -> String {
            """
            <Action Id="\(id)"><ValidationClaimsExchange>
              <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Asks\(profile)" />
            </ValidationClaimsExchange></Action>
            """
        }
        let text = policy(
            claims: claim("asksName", "string", "TextBox") + claim("asksCode", "string", "TextBox"),
            outputs: ["asksName"],
            blocks: """
                <DisplayControls>
                  <DisplayControl Id="asksControl" UserInterfaceControlType="VerificationControl">
                    <DisplayClaims>
                      <DisplayClaim ClaimTypeReferenceId="asksName" Required="true" />
                      <DisplayClaim ClaimTypeReferenceId="asksCode" ControlClaimType="VerificationCode" Required="true" />
                    </DisplayClaims>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="asksName" /></OutputClaims>
                    <Actions>\(action("SendCode", "start"))\(action("VerifyCode", "finish"))</Actions>
                  </DisplayControl>
                </DisplayControls>
                """, profiles: service("start", "asksName") + service("finish", "asksCode")
        ).replacingOccurrences(
            of: "</Metadata>\n      <OutputClaims>",
            with: "</Metadata><DisplayClaims><DisplayClaim DisplayControlReferenceId=\"asksControl\" /></DisplayClaims>"
                + "<OutputClaims>")
        try tool.write(text, to: "Asks.xml")
        #expect(text.contains("DisplayControlReferenceId"))
        try tool.write(
            """
            {"configure": {"rest": {"texts": {"match": {"host": "texts.example"}, "reply": {"status": 200, "json": {}}}}}}
            """, to: "inputs.json")
        let run = try tool.run("policy", "trace", "Asks.xml", "--base", policies, "--inputs", "inputs.json")
        #expect(run.status == 0, "\(run.out)\(run.error)")
        #expect(run.out.contains("https://texts.example/finish"))
    }

    /// The printed stub is what people save: it must answer the call, although what it shows of secrets is masked.
    @Test func `the stub that a trace prints answers the call`() throws {
        let text = policy(
            claims: claim("asksText", "string", "TextBox"), outputs: ["asksText", "password"],
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksCheck" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksCheck">
                  <DisplayName>Check</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ServiceUrl">https://check.example/login?code=...</Item>
                    <Item Key="AuthenticationType">None</Item><Item Key="SendClaimsIn">Body</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="asksText" /><InputClaim ClaimTypeReferenceId="password" />
                  </InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                """
        ).replacingOccurrences(of: "<OutputClaim ClaimTypeReferenceId=\"password\" />", with: "")
        try tool.write(text, to: "Asks.xml")
        let run = try tool.run("policy", "trace", "Asks.xml", "--base", policies)
        #expect(run.status != 0)
        let output = run.out + run.error
        #expect(output.contains("https://check.example/login?code=... of technical profile AsksCheck"), "\(output)")
        let start = try #require(output.range(of: "{\n  \"configure\""))
        let end = try #require(output.range(of: "\n}\n", range: start.lowerBound..<output.endIndex))
        try tool.write(String(output[start.lowerBound..<end.upperBound]), to: "inputs.json")
        let again = try tool.run("policy", "trace", "Asks.xml", "--base", policies, "--inputs", "inputs.json")
        #expect(again.status == 0, "\(again.out)\(again.error)")
        // Without a stub the tool answers, and says so. The user's own stub comes first.
        let made = try tool.run("policy", "trace", "Asks.xml", "--base", policies, "--make-up-services")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        #expect(made.out.contains("made up: AsksCheck is answered with {}"))
        try tool.write(
            """
            {"configure": {"rest": {"own": {"match": {"host": "check.example"}, "reply": {"status": 409, "json": {"userMessage": "Own stub."}}}}}}
            """, to: "own.json")
        let own = try tool.run(
            "policy", "trace", "Asks.xml", "--base", policies, "--make-up-services", "--inputs", "own.json")
        #expect(own.status != 0 && (own.out + own.error).contains("Own stub."))
        #expect(!own.out.contains("made up:"), "\(own.out)")
    }

    @Test func `made-up services answer with a value for each output claim`() throws {
        let text = policy(
            claims: claim("asksTier", "string", "TextBox") + claim("asksYears", "int", "TextBox")
                + claim("asksGood", "boolean", "TextBox") + claim("asksMail", "string", "TextBox"),
            outputs: ["asksTier", "asksYears", "asksGood", "asksMail"]
        )
        .replacingOccurrences(
            of: "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.SelfAssertedAttributeProvider",
            with: "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.RestfulProvider"
        )
        .replacingOccurrences(
            of: "<Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item>",
            with: """
                <Item Key="ServiceUrl">https://tier.example/{Culture:LCID}/of</Item>
                <Item Key="AuthenticationType">None</Item><Item Key="SendClaimsIn">Body</Item>
                """)
        try tool.write(text, to: "Asks.xml")
        let run = try tool.run("policy", "run", "Asks.xml", "--base", policies, "--make-up-services")
        #expect(run.status == 0, "\(run.error)")
        let token = try JSONParser.parse(run.out)["claims"]
        #expect(token?["asksTier"] == "text" && token?["asksYears"] == 1 && token?["asksGood"] == true)
        #expect(token?["asksMail"] == "ada@example.test")
    }

    /// The policy itself is wrong, which no other value on the page helps.
    @Test func `a page whose sign-in has ended is not tried again`() throws {
        let text = policy(
            claims: claim("asksText", "string", "TextBox"), outputs: ["asksText"],
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksWrite" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksWrite">
                  <DisplayName>Write</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="ServiceUrl">the-crm-endpoint</Item>
                    <Item Key="AuthenticationType">None</Item><Item Key="SendClaimsIn">Body</Item>
                  </Metadata>
                  <InputClaims><InputClaim ClaimTypeReferenceId="asksText" /></InputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                """)
        try tool.write(text, to: "Asks.xml")
        let run = try tool.run("policy", "trace", "Asks.xml", "--base", policies)
        #expect(run.status != 0)
        let output = run.out + run.error
        #expect(output.contains("ServiceUrl is not an address: the-crm-endpoint"), "\(output)")
        // As it came, and with the refusal.
        #expect(output.ranges(of: "page selfAsserted (").count == 2, "\(output)")
    }

    @Test func `two fields that the policy wants to be equal are when the page refuses`() throws {
        let metadata = "<Metadata><Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item></Metadata>"
        let text = policy(
            claims: claim("asksPin", "string", "TextBox") + claim("asksPinAgain", "string", "TextBox"),
            outputs: ["asksPin", "asksPinAgain"],
            blocks: """
                <ClaimsTransformations>
                  <ClaimsTransformation Id="AsksSame" TransformationMethod="AssertStringClaimsAreEqual">
                    <InputClaims>
                      <InputClaim ClaimTypeReferenceId="asksPin" TransformationClaimType="inputClaim1" />
                      <InputClaim ClaimTypeReferenceId="asksPinAgain" TransformationClaimType="inputClaim2" />
                    </InputClaims>
                    <InputParameters>
                      <InputParameter Id="stringComparison" DataType="string" Value="ordinal" />
                    </InputParameters>
                  </ClaimsTransformation>
                </ClaimsTransformations>
                """,
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksCheck" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksCheck">
                  <DisplayName>Check</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <OutputClaims><OutputClaim ClaimTypeReferenceId="displayName" /></OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="AsksSame" />
                  </OutputClaimsTransformations>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                """
        ).replacingOccurrences(
            of: metadata,
            with: metadata
                + "<InputClaims><InputClaim ClaimTypeReferenceId=\"asksPin\" DefaultValue=\"Ab1\" /></InputClaims>")
        let token = try claims(of: text)
        #expect(token["asksPin"] == "Ab1" && token["asksPinAgain"] == "Ab1")
    }

    @Test func `the app is one that the policy lets in`() throws {
        let client = "1c64e04c-3a3e-4a8f-9a5e-0d4b5f6a7b81"
        let text = policy(
            claims: claim("asksText", "string", "TextBox") + claim("asksClient", "string", "TextBox")
                + claim("asksLetIn", "string", "TextBox"),
            outputs: ["asksText"],
            blocks: """
                <ClaimsTransformations>
                  <ClaimsTransformation Id="AsksList" TransformationMethod="LookupValue">
                    <InputClaims>
                      <InputClaim ClaimTypeReferenceId="asksClient" TransformationClaimType="inputParameterId" />
                    </InputClaims>
                    <InputParameters>
                      <InputParameter Id="\(client)" DataType="string" Value="yes" />
                      <InputParameter Id="errorOnFailedLookup" DataType="boolean" Value="true" />
                    </InputParameters>
                    <OutputClaims>
                      <OutputClaim ClaimTypeReferenceId="asksLetIn" TransformationClaimType="outputClaim" />
                    </OutputClaims>
                  </ClaimsTransformation>
                </ClaimsTransformations>
                """,
            validation: """
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AsksCheck" />
                </ValidationTechnicalProfiles>
                """,
            profiles: """
                <TechnicalProfile Id="AsksCheck">
                  <DisplayName>Check</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata><Item Key="IncludeClaimResolvingInClaimsHandling">true</Item></Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="asksClient" DefaultValue="{OIDC:ClientId}" AlwaysUseDefaultValue="true" />
                  </InputClaims>
                  <OutputClaims><OutputClaim ClaimTypeReferenceId="asksLetIn" /></OutputClaims>
                  <OutputClaimsTransformations>
                    <OutputClaimsTransformation ReferenceId="AsksList" />
                  </OutputClaimsTransformations>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                """)
        #expect(try claims(of: text)["aud"] == .string(client))
    }
}
