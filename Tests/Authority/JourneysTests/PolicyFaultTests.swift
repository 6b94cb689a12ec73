import B2CProtocol
import Journeys
import Testing

/// What a policy does wrong that shows only when it runs: each ends in the code that names it.
@Suite struct PolicyFaultTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var code: B2CErrorCode
        var policy: String
        /// What happens before the fault shows: form fields of a page, and an API's answer.
        var form: Bool = false
        var answer: CalloutResult?
        var testDescription: String { "\(code)" }
    }

    private static let rest = "Providers.RestfulProvider"

    private static func calling(_ metadata: String, keys: String = "") -> String {
        Inline.policy(
            claims: ["tier": "string", "bearer": "string"],
            profiles: """
                <TechnicalProfile Id="API"><DisplayName>API</DisplayName>\(Inline.handler(rest))<Metadata>\
                \(metadata)</Metadata>\(keys)<OutputClaims><OutputClaim ClaimTypeReferenceId="tier" /></OutputClaims>\
                </TechnicalProfile>
                """, steps: Inline.steps("API"), outputs: ["tier"])
    }

    private static func api(_ authentication: String, address: String = "https://loyalty.contoso.test/") -> String {
        calling(
            """
            <Item Key="ServiceUrl">\(address)</Item><Item Key="SendClaimsIn">Body</Item>\
            <Item Key="AllowInsecureAuthInProduction">true</Item>\
            <Item Key="AuthenticationType">\(authentication)</Item>
            """)
    }

    private static func provider(_ metadata: String) -> String {
        Inline.policy(
            claims: ["issuerUserId": "string"],
            profiles: """
                <TechnicalProfile Id="Provider"><DisplayName>Provider</DisplayName><Protocol Name="OAuth2" /><Metadata>
                <Item Key="authorization_endpoint">https://provider.test/authorize</Item>
                <Item Key="AccessTokenEndpoint">https://provider.test/token</Item>\(metadata)</Metadata>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="issuerUserId" PartnerClaimType="id" /></OutputClaims>
                </TechnicalProfile>
                """, steps: Inline.steps("Provider"), outputs: ["issuerUserId"])
    }

    private static let directory = Inline.policy(
        claims: ["objectId": "string"],
        profiles: """
            <TechnicalProfile Id="Directory"><DisplayName>Directory</DisplayName>\
            \(Inline.handler("Providers.AzureActiveDirectoryProvider"))<Metadata><Item Key="Operation">Guess</Item>\
            </Metadata><InputClaims><InputClaim ClaimTypeReferenceId="objectId" DefaultValue="1" Required="true" />\
            </InputClaims></TechnicalProfile>
            """, steps: Inline.steps("Directory"))

    private static let phone = Inline.policy(
        claims: ["userId": "string", "phone": "phoneNumber"],
        profiles: """
            <TechnicalProfile Id="Phone"><DisplayName>Phone</DisplayName>\
            \(Inline.handler("Providers.PhoneFactorProtocolProvider"))<Metadata>\
            <Item Key="ContentDefinitionReferenceId">api.page</Item>\
            <Item Key="ManualPhoneNumberEntryAllowed">false</Item></Metadata><InputClaims>\
            <InputClaim ClaimTypeReferenceId="userId" PartnerClaimType="UserId" DefaultValue="ada" />\
            <InputClaim ClaimTypeReferenceId="phone" /></InputClaims><OutputClaims>\
            <OutputClaim ClaimTypeReferenceId="phone" PartnerClaimType="Verified.OfficePhone" /></OutputClaims>\
            </TechnicalProfile>
            """, steps: Inline.steps("Phone"))

    private static let password = Inline.policy(
        claims: ["name": "string"],
        profiles: """
            <TechnicalProfile Id="Login"><DisplayName>Login</DisplayName><Protocol Name="OpenIdConnect" /><Metadata>\
            <Item Key="METADATA">https://login.microsoftonline.com/{tenant}/.well-known/openid-configuration</Item>\
            <Item Key="authorization_endpoint">https://login.microsoftonline.com/{tenant}/oauth2/token</Item>\
            <Item Key="response_types">id_token</Item><Item Key="HttpBinding">POST</Item></Metadata><InputClaims>\
            <InputClaim ClaimTypeReferenceId="name" PartnerClaimType="grant_type" DefaultValue="password" />\
            </InputClaims></TechnicalProfile>
            """, steps: Inline.steps("Login"))

    private static let disabled = Inline.policy(
        claims: ["issuerUserId": "string"],
        profiles: """
            <TechnicalProfile Id="Provider"><DisplayName>Provider</DisplayName><Protocol Name="OAuth2" /><Metadata>\
            <Item Key="client_id">1</Item><Item Key="authorization_endpoint">https://provider.test/authorize</Item>\
            <Item Key="AccessTokenEndpoint">https://provider.test/token</Item></Metadata><OutputClaims>\
            <OutputClaim ClaimTypeReferenceId="issuerUserId" PartnerClaimType="id" /></OutputClaims>\
            <EnabledForUserJourneys>Never</EnabledForUserJourneys></TechnicalProfile>
            """,
        steps: """
            <OrchestrationStep Order="1" Type="ClaimsProviderSelection" ContentDefinitionReferenceId="api.choice">\
            <ClaimsProviderSelections><ClaimsProviderSelection TargetClaimsExchangeId="ProviderExchange" />\
            </ClaimsProviderSelections></OrchestrationStep>\
            <OrchestrationStep Order="2" Type="ClaimsExchange"><ClaimsExchanges>\
            <ClaimsExchange Id="ProviderExchange" TechnicalProfileReferenceId="Provider" /></ClaimsExchanges>\
            </OrchestrationStep>
            """ + Inline.send(3)
    )
    .replacing(
        "</ContentDefinitions>",
        with: """
            <ContentDefinition Id="api.choice"><LoadUri>https://pages.contoso.test/choice.html</LoadUri>\
            <RecoveryUri>~/common/default_page_error.html</RecoveryUri>\
            <DataUri>urn:com:microsoft:aad:b2c:elements:contract:providerselection:1.2.1</DataUri>\
            </ContentDefinition></ContentDefinitions>
            """)

    private static let pageless = Inline.policy(
        claims: ["a": "string"],
        profiles: Inline.page(
            "Page", #"<OutputClaims><OutputClaim ClaimTypeReferenceId="a" /></OutputClaims>"#
        ).replacing(#"<Item Key="ContentDefinitionReferenceId">api.page</Item>"#, with: ""),
        steps: Inline.steps("Page"))

    private static let noIssuer = Inline.policy(steps: #"<OrchestrationStep Order="1" Type="SendClaims" />"#)

    static let rows: [Row] = [
        Row(code: .c90023, policy: api("None", address: "loyalty")),
        Row(code: .c90023, policy: provider("")),
        Row(code: .c90025, policy: api("Basic")),
        Row(code: .c90051, policy: disabled),
        Row(code: .c90075, policy: api("None"), answer: .answered(.text(503, "down"))),
        Row(code: .c90075, policy: api("None"), answer: .failed(.dns)),
        Row(code: .c90108, policy: noIssuer),
        Row(code: .c90145, policy: phone),
        Row(
            code: .c90194,
            policy: calling(
                """
                <Item Key="ServiceUrl">https://loyalty.contoso.test/</Item><Item Key="SendClaimsIn">Body</Item>\
                <Item Key="AuthenticationType">Bearer</Item><Item Key="UseClaimAsBearerToken">bearer</Item>
                """)),
        Row(code: .c90261, policy: api("None"), answer: .answered(.text(400, "broken"))),
        Row(code: .c90277, policy: pageless),
        Row(code: .c99011, policy: directory),
        Row(code: .c99015, policy: password),
    ]

    @Test(arguments: rows) func `each fault ends in its code`(_ row: Row) throws {
        let run = try World(xml: [row.policy]).begin()
        if let answer = row.answer {
            #expect(run.callout != nil)
            run.finish(answer)
        }
        #expect(run.failure?.code == row.code, "\(run.log)")
    }

    /// A directory profile that finds an account, or finds none, in a step without a page.
    private static func account(_ operation: String, _ name: String, _ metadata: String) -> String {
        let key = #"ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress""#
        return Inline.policy(
            claims: ["email": "string", "objectId": "string"],
            profiles: """
                <TechnicalProfile Id="Directory"><DisplayName>Directory</DisplayName>\
                \(Inline.handler("Providers.AzureActiveDirectoryProvider"))<Metadata>\
                <Item Key="Operation">\(operation)</Item>\(metadata)</Metadata>\
                <InputClaims><InputClaim \(key) DefaultValue="\(name)" Required="true" /></InputClaims>\
                \(operation == "Write" ? "<PersistedClaims><PersistedClaim \(key) /></PersistedClaims>" : "")\
                <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" /></OutputClaims></TechnicalProfile>
                """, steps: Inline.steps("Directory"))
    }

    struct Ending: Sendable, CustomTestStringConvertible {
        var operation: String
        var name: String
        var metadata: String
        var text: String
        var testDescription: String { text }
    }

    static let endings: [Ending] = [
        Ending(
            operation: "Read", name: "nobody@example.test",
            metadata: #"<Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>"#,
            text: "AADB2C99002: User does not exist. Please sign up before you can sign in."),
        Ending(
            operation: "Read", name: "nobody@example.test",
            metadata: #"""
                <Item Key="RaiseErrorIfClaimsPrincipalDoesNotExist">true</Item>\#
                <Item Key="UserMessageIfClaimsPrincipalDoesNotExist">Who is that?</Item>
                """#, text: "AADB2C99002: Who is that?"),
        Ending(
            operation: "Write", name: "ada@example.test",
            metadata: #"<Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item>"#,
            text: "AADB2C99001: This user already exists, and profile 'Directory' does not allow the same user to be "
                + "created again."),
    ]

    /// The policy's own text replaces the code's.
    @Test(arguments: endings) func `an account that exists, or does not, is an error where the policy says so`(
        _ row: Ending
    ) throws {
        let run = try World(xml: [Self.account(row.operation, row.name, row.metadata)]).begin()
        #expect(run.failure?.text == row.text, "\(run.log)")
        #expect(run.failure?.kind == .redirect(error: "server_error"))
    }
}
