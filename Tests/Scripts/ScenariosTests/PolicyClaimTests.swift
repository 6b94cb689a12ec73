import B2CProtocol
import Diagnostics
import Exchanges
import JSON
import Scenarios
import Testing
import TrustFramework

/// Claims in expectations, over custom policies that send names which are close to known ones.
struct PolicyClaimTests {
    /// A relying party that links on the base that is built in, or does not.
    private static func policy(_ claims: String, schema: String = "", base: String) -> String {
        """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0"
          TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_own" PublicPolicyUri="http://contoso.onmicrosoft.com/own">
          <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>\(base)</PolicyId></BasePolicy>
          <BuildingBlocks><ClaimsSchema>\(schema)</ClaimsSchema></BuildingBlocks>
          <RelyingParty><DefaultUserJourney ReferenceId="SignUpOrSignIn" />
            <TechnicalProfile Id="PolicyProfile"><DisplayName>Own</DisplayName><Protocol Name="OpenIdConnect" />
              <OutputClaims><OutputClaim ClaimTypeReferenceId="sub" />\(claims)</OutputClaims><SubjectNamingInfo ClaimType="sub" /></TechnicalProfile>
          </RelyingParty>
        </TrustFrameworkPolicy>
        """
    }

    private static func type(_ id: String, partner: String? = nil) -> String {
        let names =
            partner.map {
                "<DefaultPartnerClaimTypes><Protocol Name=\"OpenIdConnect\" PartnerClaimType=\"\($0)\" /></DefaultPartnerClaimTypes>"
            } ?? ""
        return
            "<ClaimType Id=\"\(id)\"><DisplayName>\(id)</DisplayName><DataType>string</DataType>\(names)</ClaimType>"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var claim: String
        /// The output claims of the relying party.
        var output = ""
        var schema = ""
        var base = "B2C_1A_Parent"
        /// Members of the scenario.
        var head = ""
        var isFound = false
    }

    private static let own = #""policies": { "own": { "id": "B2C_1A_own", "type": "custom", "file": "Own.xml" } }"#

    static let rows = [
        Row(testDescription: "no policy sends it", claim: "role", head: #""configure": { \#(own) },"#, isFound: true),
        Row(testDescription: "there is no custom policy", claim: "role", isFound: true),
        Row(
            testDescription: "by its id", claim: "role", output: #"<OutputClaim ClaimTypeReferenceId="role" />"#,
            schema: type("role"), head: #""configure": { \#(own) },"#),
        Row(
            testDescription: "by its name on the wire", claim: "group",
            output: #"<OutputClaim ClaimTypeReferenceId="team" PartnerClaimType="group" />"#, schema: type("team"),
            head: #""configure": { \#(own) },"#),
        Row(
            testDescription: "the id of a claim that has another name on the wire", claim: "role",
            output: #"<OutputClaim ClaimTypeReferenceId="role" PartnerClaimType="position" />"#, schema: type("role"),
            head: #""configure": { \#(own) },"#, isFound: true),
        Row(
            testDescription: "a policy of one case", claim: "mail",
            output: #"<OutputClaim ClaimTypeReferenceId="mail" />"#, schema: type("mail"),
            head: #""cases": { "a": { "configure": { \#(own) } }, "b": { "skip": "not now" } },"#),
        Row(
            testDescription: "a policy of a parent that is not there", claim: "role",
            output: #"<OutputClaim ClaimTypeReferenceId="role" />"#, base: "B2C_1A_Nowhere",
            head: #""configure": { \#(own) },"#),
        Row(
            testDescription: "a parent gives the name on the wire", claim: "role",
            output: #"<OutputClaim ClaimTypeReferenceId="position" />"#, head: #""configure": { \#(own) },"#),
        Row(
            testDescription: "a file that is known later", claim: "role",
            head:
                #""variables": { "f": null }, "configure": { "policies": { "own": { "id": "B2C_1A_own", "type": "custom", "file": "{{f}}" } } },"#
        ),
    ]

    @Test(arguments: rows) func `a claim that a policy sends is known`(_ row: Row) throws {
        let tenant = """
            { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi" } },
              "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" } } },
              "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843" } } }
            """
        let script = """
            { "name": "n", "tenant": "t.json", \(row.head) "steps": [
                { "acquireToken": {}, "user": "ada",
                  "expect": { "result": { "idToken": { "claims": { "\(row.claim)": "x" } } } } } ] }
            """
        let parent = Self.parent
        let texts = [
            "t.json": tenant, "Own.xml": Self.policy(row.output, schema: row.schema, base: row.base),
            "Parent.xml": parent,
        ]
        let library = TenantLibrary(
            files: { texts[$0].map { Array($0.utf8) } }, policies: PolicyShelf(files: .texts(texts)))
        let scenario = try ScenarioReader.read(file: "s.json", bytes: Array(script.utf8), tenants: library)
        let found = scenario.advice.filter { $0.rule == ScenarioRule.nearClaim.rawValue }
        #expect(found.isEmpty != row.isFound, "\(found)")
    }

    /// A parent with a journey and a claim whose name on the wire it decides.
    private static let parent = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0"
          TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Parent" PublicPolicyUri="http://contoso.onmicrosoft.com/parent">
          <BuildingBlocks><ClaimsSchema>\(type("sub"))\(type("position", partner: "role"))</ClaimsSchema></BuildingBlocks>
          <ClaimsProviders><ClaimsProvider><DisplayName>Tokens</DisplayName><TechnicalProfiles>
            <TechnicalProfile Id="JwtIssuer"><DisplayName>JWT</DisplayName><Protocol Name="None" />
              <OutputTokenFormat>JWT</OutputTokenFormat>
              <Metadata><Item Key="client_id">{service:te}</Item><Item Key="issuer_refresh_token_user_identity_claim_type">sub</Item></Metadata>
              <CryptographicKeys><Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
                <Key Id="issuer_refresh_token_key" StorageReferenceId="B2C_1A_TokenEncryptionKeyContainer" /></CryptographicKeys>
            </TechnicalProfile></TechnicalProfiles></ClaimsProvider></ClaimsProviders>
          <UserJourneys><UserJourney Id="SignUpOrSignIn"><OrchestrationSteps>
            <OrchestrationStep Order="1" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
          </OrchestrationSteps></UserJourney></UserJourneys>
        </TrustFrameworkPolicy>
        """
}

/// Matchers of REST stubs in tenant files.
struct RestMatchTests {
    @Test(arguments: [
        (#"{ "ulr": "https://x.test" }"#, "Did you mean `url`?"), (#"{ "url": { "$contain": "x" } }"#, "$contains"),
        (#"{ "path": { "$matches": "(" } }"#, "is not closed"), (#"{ "headers": { "Accept": "x" } }"#, "`accept`"),
    ])
    func `a matcher is checked with its place`(_ match: String, _ remedy: String) throws {
        let tenant = """
            { "name": "contoso",
              "rest": { "x": {
                "match": \(match), "reply": {} } } }
            """
        let document = try JSONDocument(file: "t.json", bytes: Array(tenant.utf8))
        let found = RestMatchChecks.findings(document.root, in: document, at: .root)
        try #require(found.count == 1 && found[0].severity == .error, "\(found)")
        #expect(found.first?.location?.line == 3)
        #expect((found.first.map { "\($0.message) \($0.remedy ?? "")" } ?? "").contains(remedy), "\(found)")

        let library = TenantLibrary(files: { $0 == "t.json" ? Array(tenant.utf8) : nil })
        let inFile = #"{ "name": "n", "tenant": "t.json", "steps": [ { "advanceClock": "PT1M" } ] }"#
        let inPlace = #"{ "name": "n", "tenant": \#(tenant), "steps": [ { "advanceClock": "PT1M" } ] }"#
        for script in [inFile, inPlace] {
            do throws(InvalidInput) {
                _ = try ScenarioReader.read(file: "s.json", bytes: Array(script.utf8), tenants: library)
                Issue.record("\(script) was read")
            } catch {
                #expect(error.diagnostics.map(\.message).contains(found[0].message), "\(error.diagnostics)")
            }
        }
    }

    @Test(arguments: [
        #"{}"#, #"{ "url": { "$startsWith": "https://x.test" }, "json": { "a": { "b": 1 } } }"#,
        #"{ "method": "POST", "headers": { "authorization": { "$exists": true } } }"#, #"{ "query": { "a": "1" } }"#,
    ])
    func `a good matcher passes`(_ match: String) throws {
        let tenant = #"{ "name": "contoso", "rest": { "x": { "match": \#(match) } } }"#
        let document = try JSONDocument(file: "t.json", bytes: Array(tenant.utf8))
        #expect(RestMatchChecks.findings(document.root, in: document, at: .root) == [])
    }
}
