import Testing
import TrustFramework

/// A policy of a few elements: people, pages and services meet one condition each.
struct SmallPolicy {
    /// Claim types by id with their data type.
    var claims: KeyValuePairs<String, String> = [:]
    /// Claim types that are text boxes, by id with their data type.
    var fields: KeyValuePairs<String, String> = [:]
    /// Whole `ClaimType` elements beside them.
    var types = ""
    var predicates = ""
    var transformations = ""
    var controls = ""
    var localization = ""
    var profiles = ""
    /// Technical profiles that the journey runs one after another.
    var runs: [String] = []
    /// Whole steps in place of ``runs``.
    var steps: String?
    var nonInteractive = false
    /// Claims of the relying party beside `sub`.
    var outputs: [String] = []
    /// Claims of the relying party that an `id_token_hint` gives.
    var inputs = ""
    var behaviors = ""
    var endpoints = ""
    var journeys = ""

    func link() throws -> ResolvedPolicy {
        let document = try PolicyReader.read(file: "small.xml", bytes: Array(text.utf8))
        return try PolicyLinker.link(PolicyInheritance.merge([document]), personality: .customPolicy)
    }

    private var text: String {
        let plain = claims.map { #"<ClaimType Id="\#($0.key)"><DataType>\#($0.value)</DataType></ClaimType>"# }
        let boxes = fields.map { Self.box($0.key, $0.value) }
        let run =
            steps ?? runs.enumerated().map { Self.exchange($0.offset + 1, $0.element) }.joined()
            + Self.send(runs.count + 1)
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Small" \
            PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_Small">
            <BuildingBlocks><ClaimsSchema><ClaimType Id="sub"><DataType>string</DataType></ClaimType>\(plain.joined())
            \(boxes.joined())\(types)</ClaimsSchema>\(predicates)
            \(transformations.isEmpty ? "" : "<ClaimsTransformations>\(transformations)</ClaimsTransformations>")
            <ContentDefinitions><ContentDefinition Id="api.page"><LoadUri>https://pages.contoso.test/page.html</LoadUri>
            <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
            <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri></ContentDefinition>
            <ContentDefinition Id="api.signin"><LoadUri>https://pages.contoso.test/page.html</LoadUri>
            <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
            <DataUri>urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.7</DataUri></ContentDefinition>
            </ContentDefinitions>\(localization)
            \(controls.isEmpty ? "" : "<DisplayControls>\(controls)</DisplayControls>")</BuildingBlocks>
            <ClaimsProviders><ClaimsProvider><DisplayName>Small</DisplayName><TechnicalProfiles>\(profiles)
            <TechnicalProfile Id="SM-jwt"><DisplayName>s</DisplayName>\(Self.handler("SSO.OAuthSSOSessionProvider"))
            </TechnicalProfile>
            <TechnicalProfile Id="JwtIssuer"><DisplayName>JWT</DisplayName><Protocol Name="OpenIdConnect" />
            <OutputTokenFormat>JWT</OutputTokenFormat><Metadata>
            <Item Key="issuer_refresh_token_user_identity_claim_type">sub</Item></Metadata><CryptographicKeys>
            <Key Id="issuer_secret" StorageReferenceId="B2C_1A_Signing" />
            <Key Id="issuer_refresh_token_key" StorageReferenceId="B2C_1A_Encryption" /></CryptographicKeys>
            <UseTechnicalProfileForSessionManagement ReferenceId="SM-jwt" /></TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
            <UserJourneys><UserJourney Id="J"\(nonInteractive ? #" NonInteractive="true""# : "")><OrchestrationSteps>\(run)
            </OrchestrationSteps></UserJourney>\(journeys)</UserJourneys>
            <RelyingParty><DefaultUserJourney ReferenceId="J" />\(endpoints)\(behaviors)
            <TechnicalProfile Id="PolicyProfile">
            <DisplayName>PolicyProfile</DisplayName><Protocol Name="OpenIdConnect" />
            \(inputs.isEmpty ? "" : "<InputClaims>\(inputs)</InputClaims>")<OutputClaims>
            <OutputClaim ClaimTypeReferenceId="sub" DefaultValue="nobody" />
            \(outputs.map { #"<OutputClaim ClaimTypeReferenceId="\#($0)" />"# }.joined())
            </OutputClaims><SubjectNamingInfo ClaimType="sub" /></TechnicalProfile></RelyingParty>
            </TrustFrameworkPolicy>
            """
    }

    // MARK: Elements

    static func handler(_ name: String) -> String {
        #"<Protocol Name="Proprietary" Handler="Web.TPEngine.\#(name), Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />"#
    }

    static func box(_ id: String, _ type: String = "string", _ input: String = "TextBox") -> String {
        """
        <ClaimType Id="\(id)"><DisplayName>\(id)</DisplayName><DataType>\(type)</DataType>\
        <UserInputType>\(type == "date" ? "DateTimeDropdown" : input)</UserInputType></ClaimType>
        """
    }

    static func exchange(_ order: Int, _ profile: String, preconditions: String = "") -> String {
        """
        <OrchestrationStep Order="\(order)" Type="ClaimsExchange">\
        \(preconditions.isEmpty ? "" : "<Preconditions>\(preconditions)</Preconditions>")<ClaimsExchanges>\
        <ClaimsExchange Id="E\(order)" TechnicalProfileReferenceId="\(profile)" /></ClaimsExchanges></OrchestrationStep>
        """
    }

    static func send(_ order: Int) -> String {
        #"<OrchestrationStep Order="\#(order)" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />"#
    }

    static func claims(_ list: String, _ kind: String, _ item: String = "") -> String {
        let ids = list.split(separator: " ").map(String.init)
        let all = ids.map { #"<\#(kind)Claim ClaimTypeReferenceId="\#($0)"\#(item) />"# }.joined()
        return ids.isEmpty ? "" : "<\(kind)Claims>\(all)</\(kind)Claims>"
    }

    /// A self-asserted page.
    static func page(
        _ id: String, _ outputs: String, input: String = "", transformations: [String] = [], validations: [String] = [],
        metadata: String = ""
    ) -> String {
        profile(
            id, "Providers.SelfAssertedAttributeProvider",
            """
            <Metadata><Item Key="ContentDefinitionReferenceId">api.page</Item>\(metadata)</Metadata>
            \(input.isEmpty ? "" : "<InputClaims>\(input)</InputClaims>")\(claims(outputs, "Output", " Required=\"true\""))
            \(transformed(transformations))
            \(validations.isEmpty ? "" : "<ValidationTechnicalProfiles>"
                + validations.map { #"<ValidationTechnicalProfile ReferenceId="\#($0)" />"# }.joined()
                + "</ValidationTechnicalProfiles>")
            """)
    }

    static func profile(_ id: String, _ handler: String, _ body: String) -> String {
        "<TechnicalProfile Id=\"\(id)\"><DisplayName>\(id)</DisplayName>\(Self.handler(handler))\(body)</TechnicalProfile>"
    }

    /// A profile that runs claims transformations.
    static func transform(_ id: String, _ outputs: String, _ transformations: [String]) -> String {
        profile(
            id, "Providers.ClaimsTransformationProtocolProvider",
            claims(outputs, "Output") + transformed(transformations))
    }

    static func transformed(_ ids: [String]) -> String {
        guard !ids.isEmpty else { return "" }
        return "<OutputClaimsTransformations>"
            + ids.map { #"<OutputClaimsTransformation ReferenceId="\#($0)" />"# }.joined()
            + "</OutputClaimsTransformations>"
    }

    /// A web API that takes and gives claims.
    static func api(_ id: String, _ inputs: String, _ outputs: String, _ more: [String] = []) -> String {
        profile(
            id, "Providers.RestfulProvider",
            """
            <Metadata><Item Key="ServiceUrl">https://api.contoso.test/\(id)</Item><Item Key="SendClaimsIn">Body</Item>
            <Item Key="AuthenticationType">None</Item><Item Key="AllowInsecureAuthInProduction">true</Item></Metadata>
            \(claims(inputs, "Input"))\(claims(outputs, "Output"))\(transformed(more))
            """)
    }

    /// A claims transformation: claims by role, parameters by id.
    static func transformation(
        _ id: String, _ method: String, _ inputs: KeyValuePairs<String, String> = [:],
        _ parameters: KeyValuePairs<String, String> = [:], _ outputs: KeyValuePairs<String, String> = [:]
    ) -> String {
        func list(_ kind: String, _ claims: KeyValuePairs<String, String>) -> String {
            guard !claims.isEmpty else { return "" }
            let all = claims.map {
                #"<\#(kind)Claim ClaimTypeReferenceId="\#($0.value)" TransformationClaimType="\#($0.key)" />"#
            }
            return "<\(kind)Claims>\(all.joined())</\(kind)Claims>"
        }
        let items = parameters.map { #"<InputParameter Id="\#($0.key)" DataType="string" Value="\#($0.value)" />"# }
        return """
            <ClaimsTransformation Id="\(id)" TransformationMethod="\(method)">\(list("Input", inputs))\
            \(items.isEmpty ? "" : "<InputParameters>\(items.joined())</InputParameters>")\(list("Output", outputs))\
            </ClaimsTransformation>
            """
    }
}
