/// Small policies written in a test.
enum Inline {
    /// A policy file with one user journey `J`.
    /// - Parameters:
    ///   - claims: Claim type ids and data types.
    ///   - types: Whole `ClaimType` elements beside them.
    ///   - outputs: Claims of the relying party.
    static func policy(
        claims: KeyValuePairs<String, String> = [:], types: String = "", predicates: String = "",
        transformations: String = "", localization: String = "", controls: String = "", profiles: String = "",
        steps: String =
            #"<OrchestrationStep Order="1" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />"#,
        subJourneys: String = "", outputs: [String] = [], behaviors: String = ""
    ) -> String {
        let schema = claims.map { #"<ClaimType Id="\#($0.key)"><DataType>\#($0.value)</DataType></ClaimType>"# }
            .joined()
        let declared = claims.map(\.key)
        let sub = declared.contains("sub") ? "" : #"<ClaimType Id="sub"><DataType>string</DataType></ClaimType>"#
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Inline" \
            PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_Inline">
            <BuildingBlocks><ClaimsSchema>\(schema)\(sub)\(types)</ClaimsSchema>\(predicates)
            \(transformations.isEmpty ? "" : "<ClaimsTransformations>\(transformations)</ClaimsTransformations>")
            <ContentDefinitions><ContentDefinition Id="api.page"><LoadUri>https://pages.contoso.test/page.html</LoadUri>
            <RecoveryUri>~/common/default_page_error.html</RecoveryUri>
            <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri>
            </ContentDefinition></ContentDefinitions>\(localization)
            \(controls.isEmpty ? "" : "<DisplayControls>\(controls)</DisplayControls>")</BuildingBlocks>
            <ClaimsProviders><ClaimsProvider><DisplayName>Inline</DisplayName><TechnicalProfiles>\(profiles)
            <TechnicalProfile Id="SM-jwt"><DisplayName>s</DisplayName>\(handler("SSO.OAuthSSOSessionProvider"))</TechnicalProfile>
            <TechnicalProfile Id="JwtIssuer"><DisplayName>JWT</DisplayName><Protocol Name="OpenIdConnect" />
            <OutputTokenFormat>JWT</OutputTokenFormat><Metadata>
            <Item Key="issuer_refresh_token_user_identity_claim_type">sub</Item></Metadata><CryptographicKeys>
            <Key Id="issuer_secret" StorageReferenceId="B2C_1A_Signing" />
            <Key Id="issuer_refresh_token_key" StorageReferenceId="B2C_1A_Encryption" /></CryptographicKeys>
            <UseTechnicalProfileForSessionManagement ReferenceId="SM-jwt" /></TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
            <UserJourneys><UserJourney Id="J"><OrchestrationSteps>\(steps)</OrchestrationSteps></UserJourney></UserJourneys>
            \(subJourneys.isEmpty ? "" : "<SubJourneys>\(subJourneys)</SubJourneys>")
            <RelyingParty><DefaultUserJourney ReferenceId="J" />\(behaviors)<TechnicalProfile Id="PolicyProfile">
            <DisplayName>PolicyProfile</DisplayName><Protocol Name="OpenIdConnect" /><OutputClaims>
            <OutputClaim ClaimTypeReferenceId="sub" DefaultValue="nobody" />
            \(outputs.map { #"<OutputClaim ClaimTypeReferenceId="\#($0)" />"# }.joined())
            </OutputClaims><SubjectNamingInfo ClaimType="sub" /></TechnicalProfile></RelyingParty>
            </TrustFrameworkPolicy>
            """
    }

    static func handler(_ name: String) -> String {
        #"<Protocol Name="Proprietary" Handler="Web.TPEngine.\#(name), Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />"#
    }

    /// A profile that sets claims to constants.
    static func constants(_ id: String, _ values: KeyValuePairs<String, String>, more: String = "") -> String {
        let outputs = values.map {
            #"<OutputClaim ClaimTypeReferenceId="\#($0.key)" DefaultValue="\#($0.value)" AlwaysUseDefaultValue="true" />"#
        }.joined()
        return """
            <TechnicalProfile Id="\(id)"><DisplayName>\(id)</DisplayName>\
            \(handler("Providers.ClaimsTransformationProtocolProvider"))<OutputClaims>\(outputs)</OutputClaims>\(more)\
            </TechnicalProfile>
            """
    }

    /// A self-asserted profile.
    static func page(_ id: String, metadata: KeyValuePairs<String, String> = [:], _ claims: String) -> String {
        let items = metadata.map { #"<Item Key="\#($0.key)">\#($0.value)</Item>"# }.joined()
        return """
            <TechnicalProfile Id="\(id)"><DisplayName>\(id)</DisplayName>\
            \(handler("Providers.SelfAssertedAttributeProvider"))<Metadata>\
            <Item Key="ContentDefinitionReferenceId">api.page</Item>\(items)</Metadata>\(claims)</TechnicalProfile>
            """
    }

    /// Steps that run profiles one after another, then send claims.
    static func steps(_ profiles: String...) -> String {
        let exchanges = profiles.enumerated().map { order, profile in
            exchange(order + 1, profile)
        }.joined()
        return exchanges + send(profiles.count + 1)
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

    static func precondition(
        _ type: String, _ execute: Bool, _ values: String..., action: String = "SkipThisOrchestrationStep"
    ) -> String { precondition(type, execute, values: values, action: action) }

    static func precondition(
        _ type: String, _ execute: Bool, values: [String], action: String = "SkipThisOrchestrationStep"
    ) -> String {
        #"<Precondition Type="\#(type)" ExecuteActionsIf="\#(execute)">"#
            + values.map { "<Value>\($0)</Value>" }.joined() + "<Action>\(action)</Action></Precondition>"
    }
}
