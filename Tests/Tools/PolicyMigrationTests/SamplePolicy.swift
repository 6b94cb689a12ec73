import CommandKit
import PolicyMigration
import PolicyTools
import TestSupport
import Testing
import TrustFramework

/// Policies that inherit from `scenarios/policies/Base.xml`, in a folder of their own.
enum SamplePolicy {
    /// What becomes of every policy of a folder that links.
    static func migration(of folder: String, moves: Int = 400) throws -> (
        migration: Migration, policies: [ResolvedPolicy]
    ) {
        let found = try PolicySource(place: folder).read()
        var migration = Migration()
        let policies = found.linkable
        for policy in policies { try migration.add(policy, tenant: found.tenant, moves: moves) }
        return (migration, policies)
    }

    /// What becomes of one policy with a web API named Api.
    ///
    /// - Parameters:
    ///   - inputs: Claims that the API gets, separated by spaces.
    ///   - outputs: Claims that it returns.
    ///   - profiles: Further technical profiles.
    ///   - steps: The steps of a journey before its last; one alone is added to the journey of the base.
    static func migration(
        inputs: String, outputs: String = "", profiles: String = "", steps: [String]? = nil, moves: Int = 400
    ) throws -> Migration {
        let folder = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(folder) }
        try FileSystem.write(
            try TestFiles.bytes("scenarios/policies/Base.xml"), to: FilePath.join(folder, "Base.xml"))
        let text = policy(inputs, outputs, profiles, steps)
        try FileSystem.write(Array(text.utf8), to: FilePath.join(folder, "Sample.xml"))
        let (migration, policies) = try self.migration(of: folder, moves: moves)
        try #require(policies.map(\.id) == ["B2C_1A_Sample"], "the policy does not link")
        return migration
    }

    private static func policy(_ inputs: String, _ outputs: String, _ profiles: String, _ steps: [String]?) -> String {
        func claims(_ ids: String, _ kind: String) -> String {
            let all = ids.split(separator: " ").map { #"<\#(kind)Claim ClaimTypeReferenceId="\#($0)" />"# }
            return all.isEmpty ? "" : "<\(kind)Claims>\(all.joined())</\(kind)Claims>"
        }
        // A single step follows those of the base.
        let isOwn = (steps?.count ?? 0) > 1
        let start = isOwn ? 1 : 3
        let journeyID = isOwn ? "Own" : "SignUpOrSignIn"
        let exchanges = (steps ?? []).enumerated().map { place, profile in
            """
            <OrchestrationStep Order="\(place + start)" Type="ClaimsExchange"><ClaimsExchanges>\
            <ClaimsExchange Id="E\(place)" TechnicalProfileReferenceId="\(profile)" /></ClaimsExchanges>\
            </OrchestrationStep>
            """
        }
        let journey = """
            <UserJourneys><UserJourney Id="\(journeyID)"><OrchestrationSteps>\(exchanges.joined())
            <OrchestrationStep Order="\(exchanges.count + start)" Type="SendClaims" \
            CpimIssuerTechnicalProfileReferenceId="JwtIssuer" /></OrchestrationSteps></UserJourney></UserJourneys>
            """
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com" PolicyId="B2C_1A_Sample" \
            PublicPolicyUri="http://yourtenant.onmicrosoft.com/B2C_1A_Sample">
            <BasePolicy><TenantId>yourtenant.onmicrosoft.com</TenantId><PolicyId>B2C_1A_SampleBase</PolicyId></BasePolicy>
            <BuildingBlocks><ClaimsSchema>
            <ClaimType Id="tier"><DataType>string</DataType></ClaimType>
            <ClaimType Id="points"><DataType>int</DataType></ClaimType>
            </ClaimsSchema></BuildingBlocks>
            <ClaimsProviders><ClaimsProvider><DisplayName>Own</DisplayName><TechnicalProfiles>
            <TechnicalProfile Id="Api"><DisplayName>Api</DisplayName>
            <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, \
            Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
            <Metadata><Item Key="ServiceUrl">https://api.contoso.test/api</Item><Item Key="SendClaimsIn">Body</Item>
            <Item Key="AuthenticationType">None</Item><Item Key="AllowInsecureAuthInProduction">true</Item></Metadata>
            \(claims(inputs, "Input"))\(claims(outputs, "Output"))
            <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" /></TechnicalProfile>
            \(profiles)
            </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
            \(steps == nil ? "" : journey)
            <RelyingParty><DefaultUserJourney ReferenceId="\(journeyID)" />
            <TechnicalProfile Id="PolicyProfile"><DisplayName>PolicyProfile</DisplayName>
            <Protocol Name="OpenIdConnect" /><OutputClaims>
            <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
            <OutputClaim ClaimTypeReferenceId="tier" /><OutputClaim ClaimTypeReferenceId="points" />
            </OutputClaims><SubjectNamingInfo ClaimType="sub" /></TechnicalProfile></RelyingParty>
            </TrustFrameworkPolicy>
            """
    }

    /// A change of a page of the base.
    static func page(_ id: String, inputs: String = "", validation: String = "") -> String {
        """
        <TechnicalProfile Id="\(id)">
        \(inputs.isEmpty ? "" : "<InputClaims><InputClaim ClaimTypeReferenceId=\"\(inputs)\" /></InputClaims>")
        \(validation.isEmpty ? "" : "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"\(validation)\" />"
            + "</ValidationTechnicalProfiles>")
        </TechnicalProfile>
        """
    }
}
