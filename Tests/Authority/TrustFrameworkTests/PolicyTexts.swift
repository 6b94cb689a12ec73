import Diagnostics
import TrustFramework

/// Small policies for tests, made from the parts that matter to one.
enum PolicyTexts {
    static func file(
        id: String = "B2C_1A_test", base: String? = nil, blocks: String = "", providers: String = "",
        journeys: String = "", subJourneys: String = "", party: String = ""
    ) -> String {
        var text = """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="\(id)" \
            PublicPolicyUri="http://contoso.onmicrosoft.com/\(id)">

            """
        if let base {
            text +=
                "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>\(base)</PolicyId></BasePolicy>\n"
        }
        if !blocks.isEmpty { text += "<BuildingBlocks>\n\(blocks)\n</BuildingBlocks>\n" }
        if !providers.isEmpty {
            text += "<ClaimsProviders><ClaimsProvider><DisplayName>P</DisplayName><TechnicalProfiles>\n\(providers)\n"
            text += "</TechnicalProfiles></ClaimsProvider></ClaimsProviders>\n"
        }
        if !journeys.isEmpty { text += "<UserJourneys>\n\(journeys)\n</UserJourneys>\n" }
        if !subJourneys.isEmpty { text += "<SubJourneys>\n\(subJourneys)\n</SubJourneys>\n" }
        if !party.isEmpty { text += "<RelyingParty>\n\(party)\n</RelyingParty>\n" }
        return text + "</TrustFrameworkPolicy>\n"
    }

    static let claims = """
        <ClaimsSchema>
        <ClaimType Id="objectId"><DataType>string</DataType></ClaimType>
        <ClaimType Id="displayName"><DataType>string</DataType></ClaimType>
        <ClaimType Id="surname"><DataType>string</DataType></ClaimType>
        </ClaimsSchema>
        """

    static let issuer = """
        <TechnicalProfile Id="JwtIssuer"><Protocol Name="OpenIdConnect" /><OutputTokenFormat>JWT</OutputTokenFormat>\
        </TechnicalProfile>
        """

    static let send = """
        <UserJourney Id="J"><OrchestrationSteps><OrchestrationStep Order="1" Type="SendClaims" \
        CpimIssuerTechnicalProfileReferenceId="JwtIssuer" /></OrchestrationSteps></UserJourney>
        """

    static let party = """
        <DefaultUserJourney ReferenceId="J" />
        <TechnicalProfile Id="PolicyProfile"><Protocol Name="OpenIdConnect" /><OutputClaims>\
        <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" /></OutputClaims>\
        <SubjectNamingInfo ClaimType="sub" /></TechnicalProfile>
        """

    /// A policy that links, with room for more.
    static func runnable(
        blocks: String = "", providers: String = "", journeys: String = send, subJourneys: String = "",
        party: String = party
    ) -> String {
        file(
            blocks: claims + blocks, providers: issuer + providers, journeys: journeys, subJourneys: subJourneys,
            party: party)
    }
}

func read(_ text: String, file: String = "test.xml") throws(InvalidInput) -> PolicyDocument {
    try PolicyReader.read(file: file, bytes: Array(text.utf8))
}

/// Merges files written root first.
func merge(_ texts: String...) throws(InvalidInput) -> PolicyDocument {
    var chain: [PolicyDocument] = []
    for text in texts { chain.append(try read(text)) }
    return PolicyInheritance.merge(chain)
}

func link(_ text: String) throws(InvalidInput) -> ResolvedPolicy {
    try PolicyLinker.link(PolicyInheritance.merge([try read(text)]), personality: .customPolicy)
}

/// The findings that a body throws, each as `line:column rule`.
func findings(_ body: () throws(InvalidInput) -> Void) -> [Diagnostic] {
    do throws(InvalidInput) {
        try body()
        return []
    } catch {
        return error.diagnostics
    }
}

/// The line, from 1, of a text's first occurrence.
func line(of part: String, in text: String) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { $0.contains(part) }.map { $0 + 1 }
}
