import Diagnostics
import Testing
import TrustFramework

@testable import Validation

/// Every rule about policies, run over a policy in which nothing is wrong and over one edit of it that breaks the rule.
struct PolicyRuleTests {
    /// An edit: in this file of the sample, the right text becomes the wrong one.
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: String
        var file: String
        var right: String
        var wrong: String

        init(_ rule: String, _ file: String, _ right: String, _ wrong: String) {
            self.rule = "B2C-POL-\(rule)"
            self.file = file
            self.right = right
            self.wrong = wrong
        }

        var testDescription: String { rule }
    }

    /// What is said of the sample as it is.
    private static let known = findings().map(\.diagnostic)

    private static func findings(_ edit: Case? = nil) -> [Finding] {
        let files = PolicySample.files.map { name, text in
            guard let edit, edit.file == name, let place = text.firstRange(of: edit.right) else {
                return ProjectFile(path: name, bytes: Array(text.utf8))
            }
            return ProjectFile(path: name, bytes: Array(text.replacingCharacters(place, edit.wrong).utf8))
        }
        return Validator.validate(Project(files: files, now: noon)).findings
    }

    /// Only SAML is not simulated, and its finding says so.
    @Test func `nothing is wrong with the sample`() {
        #expect(Self.known.filter { $0.rule != "B2C-POL-090" } == [])
        #expect(Self.known.count == 1)
    }

    @Test(arguments: cases) func `the wrong text is found`(_ edit: Case) throws {
        let text = try #require(PolicySample.files.first { $0.0 == edit.file }?.1)
        #expect(text.firstRange(of: edit.right) != nil, "\(edit.rule): the sample has no \(edit.right)")
        let found = Self.findings(edit).map(\.diagnostic).filter { $0.rule == edit.rule && !Self.known.contains($0) }
        #expect(!found.isEmpty, "\(edit.rule)")
        for diagnostic in found { #expect(diagnostic.location?.line != nil, "\(diagnostic)") }
    }

    /// An attribute that is missing has no wrong value to correct.
    @Test(
        arguments: [
            (Case("093", "base.xml", #"Id="Maximum""#, #"Id="Maximun""#), "Maximum"),
            (Case("044", "base.xml", #"TransformationClaimType="item""#, ""), nil),
        ] as [(Case, String?)])
    func `a misspelt name has its correction`(_ edit: Case, _ corrected: String?) throws {
        let found = try #require(Self.findings(edit).first { $0.diagnostic.rule == edit.rule })
        #expect(found.corrected == corrected)
    }

    @Test func `every rule about policies has its case`() {
        // The size of a file, a chain without a relying party and a missing template are tested below, the others by
        // JourneyInsightsTests.
        let ids = Set(
            Self.cases.map(\.rule) + ["B2C-POL-010", "B2C-POL-013", "B2C-POL-099", "B2C-POL-100", "B2C-POL-101"])
        #expect(Rules.policy.map(\.id).filter { !ids.contains($0) } == [])
        #expect(ids.filter { Rules.named($0) == nil } == [])
    }

    @Test func `a template without its file is found at its LoadUri`() throws {
        let base = try #require(PolicySample.files.first { $0.1.contains("<LoadUri>") })
        let uri = try #require(base.1.firstMatch(of: #/<LoadUri>([^<]+)/#).map { String($0.1) })
        var project = Project(
            files: PolicySample.files.map { ProjectFile(path: $0, bytes: Array($1.utf8)) }, now: noon)
        #expect(!Validator.validate(project).diagnostics.contains { $0.rule == "B2C-POL-101" })
        project.missingPage = { $0 == uri ? "pages/one.html" : nil }
        let found = Validator.validate(project).diagnostics.filter { $0.rule == "B2C-POL-101" }
        #expect(
            !found.isEmpty && found.allSatisfy { $0.message.contains("pages/one.html") && $0.location?.line != nil })
    }

    @Test func `a file of more than 1024 KB is refused`() {
        let text = PolicySample.party + String(repeating: " ", count: 1024 * 1024)
        let found = Validator.validate(project(("susi.xml", text))).diagnostics
        #expect(found.map(\.rule) == ["B2C-POL-010"])
    }

    @Test func `only what apps call needs a relying party`() {
        let files = PolicySample.files.prefix(2).map { ProjectFile(path: $0.0, bytes: Array($0.1.utf8)) }
        let found = Validator.validate(Project(files: files, now: noon)).diagnostics
        #expect(!found.contains { $0.severity == .error }, "\(found)")
        do throws(InvalidInput) {
            let document = try PolicyReader.read(file: "base.xml", bytes: Array(PolicySample.base.utf8))
            _ = try PolicyLinker.link(document, personality: .customPolicy)
            Issue.record("a policy without relying party was linked")
        } catch {
            #expect(error.diagnostics.contains { $0.rule == "B2C-POL-013" })
        }
    }

    /// A base that cannot be read is reported once, not for everything that depends on it.
    @Test func `a file that cannot be read brings no further errors`() {
        let broken = PolicySample.extensions.replacingCharacters("</TechnicalProfiles>", "")
        let found = Validator.validate(
            project(("base.xml", PolicySample.base), ("extensions.xml", broken), ("susi.xml", PolicySample.party))
        ).diagnostics.filter { $0.severity == .error }
        #expect(found.map(\.rule) == ["B2C-POL-001"], "\(found)")
    }

    /// A duplicate Order is reported, and so is a reference that leads nowhere.
    @Test func `duplicate ids hide nothing else`() {
        let file = PolicySample.base.replacingCharacters("Order=\"2\"", "Order=\"1\"")
            .replacingCharacters("TechnicalProfileReferenceId=\"Price\"", "TechnicalProfileReferenceId=\"Prize\"")
        let found = Validator.validate(
            project(("base.xml", file), ("extensions.xml", PolicySample.extensions), ("susi.xml", PolicySample.party))
        ).diagnostics.filter { $0.severity == .error }
        #expect(Set(found.map(\.rule)) == ["B2C-POL-015", "B2C-POL-021"], "\(found)")
    }

    @Test func `a misspelt root is reported`() {
        let text = PolicySample.party.replacing("TrustFrameworkPolicy", with: "TrustFrameworkPolcy")
        let found = Validator.validate(project(("susi.xml", text))).diagnostics
        #expect(found.map(\.rule) == ["B2C-POL-001"], "\(found)")
        #expect(found.first?.remedy?.hasPrefix("Did you mean <TrustFrameworkPolicy>?") == true)
    }

    @Test func `settings are put in before a policy is read`() {
        let text = PolicySample.party.replacing("B2C_1A_susi", with: "B2C_1A_{Settings:Name}")
        let files = PolicySample.files.map { name, plain in
            ProjectFile(path: name, bytes: Array((name == "susi.xml" ? text : plain).utf8))
        }
        var project = Project(files: files, now: noon)
        #expect(Validator.validate(project).diagnostics.contains { $0.rule == "B2C-POL-012" })
        project.policySettings = PolicySettingsByFolder(byFolder: ["": [("Name", "susi")]])
        let found = Validator.validate(project).diagnostics
        #expect(!found.contains { $0.rule == "B2C-POL-012" || $0.severity == .error }, "\(found)")
    }

    /// What the service passes over is not an error.
    @Test(arguments: [
        Case(
            "090", "base.xml", "<Item Key=\"client_id\">123</Item>",
            "<Item Key=\"client_id\">123</Item><Item Key=\"note\">x</Item>"),
        Case(
            "044", "base.xml", "<InputParameter Id=\"valueToCompareTo\"",
            "<InputParameter Id=\"remark\" DataType=\"string\" Value=\"x\" /><InputParameter Id=\"valueToCompareTo\""),
        Case(
            "012", "susi.xml", "<DisplayName>Claims</DisplayName>",
            "<DisplayName>A &amp; <![CDATA[B & C]]></DisplayName>"),
        Case("058", "base.xml", "PartnerClaimType=\"newClaimsPrincipalCreated\"", "DefaultValue=\"false\""),
        Case(
            "058", "base.xml", "PartnerClaimType=\"signInNames.emailAddress\" Required=\"true\"",
            "PartnerClaimType=\"logonIdentifier.emailAddress\" Required=\"true\""),
        Case(
            "058", "base.xml", "PartnerClaimType=\"newClaimsPrincipalCreated\"",
            "PartnerClaimType=\"newClaimsPrincipalWasCreated\""),
        Case(
            "028", "base.xml", "<Item Key=\"SignUpTarget\">SignUpExchange</Item>",
            "<Item Key=\"SignUpTarget\">SignUpOldExchange</Item>"),
        Case("069", "susi.xml", "Id=\"PolicyProfile\"", "Id=\"Party\""),
        Case(
            "039", "base.xml", "Type=\"CombinedSignInAndSignUp\" ContentDefinitionReferenceId=\"api.signuporsignin\"",
            "Type=\"CombinedSignInAndSignUp\""),
        Case(
            "039", "base.xml", "Type=\"CombinedSignInAndSignUp\" ContentDefinitionReferenceId=\"api.signuporsignin\"",
            "Type=\"CombinedSignInAndSignUp\" ContentDefinitionReferenceId=\"api.selfasserted\""),
        Case(
            "012", "susi.xml", "PolicyId=\"B2C_1A_susi\"",
            "TenantObjectId=\"tenant-object-id\" PolicyId=\"B2C_1A_susi\""),
        Case("050", "base.xml", "RegularExpression=\"^[a-z]+$\"", "RegularExpression=\"^(?(a)b|c)$\""),
        Case("093", "base.xml", "<Parameter Id=\"Maximum\">64</Parameter>", ""),
    ]) func `harmless edits are not errors`(_ edit: Case) {
        #expect(Self.findings(edit).map(\.diagnostic).filter { $0.severity == .error } == [])
    }

    static let cases: [Case] = [
        Case("001", "susi.xml", "<DisplayName>Claims</DisplayName>", "<DisplayName>Claims & more</DisplayName>"),
        Case("002", "base.xml", "<UserInputType>EmailBox</UserInputType>", "<InputType>EmailBox</InputType>"),
        Case("003", "susi.xml", "PolicySchemaVersion=\"0.3.0.0\"", "PolicySchemaVersion=\"0.3\""),
        Case("004", "base.xml", "<DataType>boolean</DataType>", "<DataType>bool</DataType>"),
        Case("005", "susi.xml", "PolicyId=\"B2C_1A_susi\"", "PolicyId=\"susi\""),
        Case("006", "susi.xml", "<PolicyId>B2C_1A_Extensions</PolicyId>", "<PolicyId>B2C_1A_Extension</PolicyId>"),
        Case(
            "007", "susi.xml", "<TenantId>contoso.onmicrosoft.com</TenantId>",
            "<TenantId>fabrikam.onmicrosoft.com</TenantId>"),
        Case(
            "008", "susi.xml", "PublicPolicyUri=\"http://contoso.onmicrosoft.com/B2C_1A_susi\"",
            "PublicPolicyUri=\"http://contoso.onmicrosoft.com/other\""),
        Case("009", "base.xml", "TenantId=\"contoso.onmicrosoft.com\"", "TenantId=\"fabrikam.onmicrosoft.com\""),
        Case("011", "susi.xml", "PolicyId=\"B2C_1A_susi\"", "PolicyId=\"B2C_1A_Extensions\""),
        Case(
            "012", "susi.xml", "TenantId=\"contoso.onmicrosoft.com\" PolicyId",
            "TenantId=\"yourtenant.onmicrosoft.com\" PolicyId"),
        Case("014", "base.xml", "<ClaimType Id=\"code\">", "<ClaimType Id=\"email\">"),
        Case("015", "base.xml", "<OrchestrationStep Order=\"4\"", "<OrchestrationStep Order=\"3\""),
        Case("016", "base.xml", "<ClaimsExchange Id=\"Price\"", "<ClaimsExchange Id=\"Plan\""),
        Case("017", "base.xml", "<Item Key=\"SendClaimsIn\">", "<Item Key=\"SendClaimsIn \">"),
        Case("018", "base.xml", "<ClaimType Id=\"code\">", "<ClaimType Id=\"EMAIL\">"),
        Case(
            "019", "base.xml", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />",
            "<OutputClaim ClaimTypeReferenceId=\"displayName\" /><OutputClaim ClaimTypeReferenceId=\"displayName\" />"),
        Case(
            "020", "base.xml", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />",
            "<OutputClaim ClaimTypeReferenceId=\"dispalyName\" />"),
        Case(
            "021", "base.xml", "<IncludeTechnicalProfile ReferenceId=\"AAD-Common\" />",
            "<IncludeTechnicalProfile ReferenceId=\"AAD-Comon\" />"),
        Case("022", "base.xml", "ReferenceId=\"AddMail\"", "ReferenceId=\"AddMial\""),
        Case(
            "023", "base.xml", "<Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item>",
            "<Item Key=\"ContentDefinitionReferenceId\">api.selfaserted</Item>"),
        Case(
            "024", "base.xml", "<ClientDefinition ReferenceId=\"DefaultWeb\" />",
            "<ClientDefinition ReferenceId=\"DefaultApp\" />"),
        Case("025", "susi.xml", "UserJourneyReferenceId=\"Refresh\"", "UserJourneyReferenceId=\"Refesh\""),
        Case(
            "026", "base.xml", "StorageReferenceId=\"B2C_1A_FacebookSecret\"",
            "StorageReferenceId=\"FacebookSecret\""),
        Case(
            "027", "base.xml", "TargetClaimsExchangeId=\"FacebookExchange\"",
            "TargetClaimsExchangeId=\"FacebokExchange\""),
        Case(
            "028", "base.xml", "<Item Key=\"SignUpTarget\">SignUpExchange</Item>",
            "<Item Key=\"SignUpTarget\">SingUpExchange</Item>"),
        Case(
            "029", "extensions.xml", "<ClaimsProviders>",
            "<BuildingBlocks><ClaimsSchema><ClaimType Id=\"spare\"><DataType>string</DataType></ClaimType></ClaimsSchema></BuildingBlocks>\n  <ClaimsProviders>"
        ),
        Case("030", "base.xml", "<OrchestrationStep Order=\"8\"", "<OrchestrationStep Order=\"9\""),
        Case(
            "031", "base.xml", "<OrchestrationStep Order=\"6\" Type=\"ClaimsExchange\">",
            "<OrchestrationStep Order=\"6\" Type=\"ClaimsProviderSelection\" ContentDefinitionReferenceId=\"api.signuporsignin\">"
        ),
        Case(
            "032", "base.xml", "<ClaimsExchange Id=\"Level\" TechnicalProfileReferenceId=\"AAD-Level\" />",
            "<ClaimsExchange Id=\"Level\" TechnicalProfileReferenceId=\"AAD-Level\" /><ClaimsExchange Id=\"Second\" TechnicalProfileReferenceId=\"AAD-Read\" />"
        ),
        Case(
            "033", "base.xml",
            "<OrchestrationStep Order=\"8\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />",
            "<OrchestrationStep Order=\"8\" Type=\"SendClaims\" />"),
        Case(
            "034", "base.xml",
            "<OrchestrationStep Order=\"8\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />",
            "<OrchestrationStep Order=\"8\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" /><OrchestrationStep Order=\"9\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />"
        ),
        Case("035", "base.xml", "<Value>objectId</Value>", "<Value>objectId</Value><Value>email</Value>"),
        Case("036", "base.xml", "<Value>False</Value>", "<Value>false</Value>"),
        Case("037", "base.xml", "<Value>objectId</Value>", "<Value>passwordPolicies</Value>"),
        Case(
            "038", "base.xml", "<InputClaim ClaimTypeReferenceId=\"objectId\" />",
            "<InputClaim ClaimTypeReferenceId=\"passwordPolicies\" Required=\"true\" />"),
        Case(
            "039", "base.xml", "Type=\"CombinedSignInAndSignUp\" ContentDefinitionReferenceId=\"api.signuporsignin\"",
            "Type=\"CombinedSignInAndSignUp\" ContentDefinitionReferenceId=\"api.selfasserted\""),
        Case(
            "040", "extensions.xml", "</ClaimsProviders>",
            "</ClaimsProviders>\n  <UserJourneys><UserJourney Id=\"SignUpOrSignIn\"><OrchestrationSteps><OrchestrationStep Order=\"5\" Type=\"Noop\" /></OrchestrationSteps></UserJourney></UserJourneys>"
        ),
        Case(
            "041", "base.xml", "<Candidate SubJourneyReferenceId=\"Again\" />",
            "<Candidate SubJourneyReferenceId=\"Again\" /><Candidate SubJourneyReferenceId=\"Again\" />"),
        Case(
            "042", "base.xml",
            "<IncludeInSso>false</IncludeInSso>\n        <UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />",
            "<IncludeInSso>false</IncludeInSso>"),
        Case(
            "043", "base.xml", "TransformationMethod=\"AddItemToStringCollection\"",
            "TransformationMethod=\"AddItemToStringColection\""),
        Case("044", "base.xml", "TransformationClaimType=\"item\"", "TransformationClaimType=\"itme\""),
        Case("045", "base.xml", "<DataType>stringCollection</DataType>", "<DataType>string</DataType>"),
        Case("046", "base.xml", "DataType=\"boolean\" Value=\"true\"", "DataType=\"boolean\" Value=\"yes\""),
        Case(
            "047", "base.xml", "<OutputClaim ClaimTypeReferenceId=\"newUser\" />",
            "<OutputClaim ClaimTypeReferenceId=\"newUser\" DefaultValue=\"yes\" />"),
        Case(
            "048", "base.xml", "<ClaimType Id=\"newUser\"><DataType>boolean</DataType>",
            "<ClaimType Id=\"newUser\"><DataType>boolean</DataType><UserInputType>EmailBox</UserInputType>"),
        Case("049", "base.xml", "<Restriction><Enumeration Text=\"Free\" Value=\"free\" /></Restriction>", ""),
        Case("050", "base.xml", "RegularExpression=\"^[a-z]+$\"", "RegularExpression=\"^([a-z]+$\""),
        Case(
            "051", "base.xml", "<ClaimsExchange Id=\"Price\" TechnicalProfileReferenceId=\"Price\" />",
            "<ClaimsExchange Id=\"Price\" TechnicalProfileReferenceId=\"AssertNew\" />"),
        Case("052", "base.xml", "<Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item>", ""),
        Case(
            "053", "base.xml", "<PersistedClaims><PersistedClaim ClaimTypeReferenceId=\"objectId\" />",
            "<PersistedClaims><PersistedClaim ClaimTypeReferenceId=\"objectId\" /><PersistedClaim ClaimTypeReferenceId=\"newPassword\" PartnerClaimType=\"password\" />"
        ),
        Case("054", "base.xml", "SelfAssertedAttributeProvider", "SelfAssertedAtributeProvider"),
        Case(
            "055", "base.xml",
            "<OutputClaim ClaimTypeReferenceId=\"newPassword\" Required=\"true\" />\n          <OutputClaim ClaimTypeReferenceId=\"newUser\" />",
            "<OutputClaim ClaimTypeReferenceId=\"newPassword\" Required=\"true\" />\n          <OutputClaim ClaimTypeReferenceId=\"tenantId\" />"
        ),
        Case("056", "base.xml", "contract:selfasserted:2.1.7", "contract:selfasserted:1.2.0"),
        Case("057", "base.xml", "<Item Key=\"Operation\">Read</Item>", "<Item Key=\"Operation\">Raed</Item>"),
        Case(
            "058", "base.xml", "PartnerClaimType=\"newClaimsPrincipalCreated\"",
            "PartnerClaimType=\"newClaimsPrincipalCraeted\""),
        Case("059", "base.xml", "<Item Key=\"ApplicationObjectId\">00000000-0000-0000-0000-000000000001</Item>", ""),
        Case(
            "060", "base.xml", "<PersistedClaims><PersistedClaim ClaimTypeReferenceId=\"objectId\" />",
            "<PersistedClaims>"),
        Case("061", "base.xml", "<Item Key=\"client_id\">123</Item>", ""),
        Case(
            "062", "base.xml", "<Item Key=\"response_types\">code</Item>",
            "<Item Key=\"response_types\">id_token</Item>"),
        Case("063", "base.xml", "<Item Key=\"SendClaimsIn\">Body</Item>", "<Item Key=\"SendClaimsIn\">Boddy</Item>"),
        Case(
            "064", "base.xml", "<Item Key=\"AuthenticationType\">Bearer</Item>",
            "<Item Key=\"AuthenticationType\">None</Item>"),
        Case("065", "base.xml", "<Item Key=\"CodeLength\">6</Item>", "<Item Key=\"CodeLength\">many</Item>"),
        Case(
            "065", "base.xml", "Key=\"CodeLength\">6</Item>",
            "Key=\"CodeLength\">6</Item><Item Key=\"CharacterSet\">0-8</Item>"),
        Case(
            "065", "base.xml", "Key=\"CodeLength\">6</Item>",
            "Key=\"CodeLength\">6</Item><Item Key=\"CharacterSet\">0-55-888</Item>"),
        Case(
            "066", "base.xml", "<Key Id=\"issuer_secret\" StorageReferenceId=\"B2C_1A_TokenSigningKeyContainer\" />",
            ""),
        Case(
            "066", "base.xml", "<Item Key=\"token_lifetime_secs\">3600</Item>",
            "<Item Key=\"token_lifetime_secs\">3600</Item><Item Key=\"refresh_token_lifetime_secs\">7776001</Item>"),
        Case(
            "066", "base.xml", "<Item Key=\"token_lifetime_secs\">3600</Item>",
            "<Item Key=\"token_lifetime_secs\">3600</Item><Item Key=\"rolling_refresh_token_lifetime_secs\">86400</Item>"
        ),
        Case(
            "066", "base.xml", "<Item Key=\"token_lifetime_secs\">3600</Item>",
            "<Item Key=\"token_lifetime_secs\">3600</Item><Item Key=\"refresh_token_lifetime_secs\">2592000</Item><Item Key=\"rolling_refresh_token_lifetime_secs\">2505600</Item>"
        ),
        Case(
            "067", "base.xml", "<Item Key=\"XmlSignatureAlgorithm\">Sha256</Item>",
            "<Item Key=\"XmlSignatureAlgorithm\">Sha1</Item>"),
        Case(
            "068", "base.xml", "<EnabledForUserJourneys>true</EnabledForUserJourneys>",
            "<EnabledForUserJourneys>OnClaimsExistence</EnabledForUserJourneys>"),
        Case(
            "069", "susi.xml", "<SubjectNamingInfo ClaimType=\"sub\" />",
            "<SubjectNamingInfo ClaimType=\"subject\" />"),
        Case(
            "070", "susi.xml", "<OutputClaim ClaimTypeReferenceId=\"objectId\" PartnerClaimType=\"sub\" />",
            "<OutputClaim ClaimTypeReferenceId=\"objectId\" PartnerClaimType=\"sub\" /><OutputClaim ClaimTypeReferenceId=\"passwordPolicies\" />"
        ),
        Case(
            "071", "susi.xml", "<SessionExpiryInSeconds>900</SessionExpiryInSeconds>",
            "<SingleSignOn Scope=\"Tenant\" KeepAliveInDays=\"30\" />"),
        Case(
            "072", "susi.xml", "<Endpoints><Endpoint Id=\"Token\" UserJourneyReferenceId=\"Refresh\" /></Endpoints>",
            ""),
        Case(
            "071", "base.xml", "<Item Key=\"SignUpTarget\">",
            "<Item Key=\"setting.enableRememberMe\">true</Item><Item Key=\"SignUpTarget\">"),
        Case("073", "base.xml", "elements:contract:unifiedssp:2.1.5", "elements:unifiedssp:1.0.0"),
        Case("074", "base.xml", "contract:unifiedssp:2.1.5", "contract:unifiedspp:2.1.5"),
        Case(
            "075", "base.xml", "<LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>",
            "<LoadUri>http://contoso.example/page.html</LoadUri>"),
        Case(
            "076", "base.xml", "<SupportedLanguage>en</SupportedLanguage>",
            "<SupportedLanguage>en</SupportedLanguage><SupportedLanguage>de</SupportedLanguage>"),
        Case("077", "susi.xml", "PolicyId=\"B2C_1A_susi\"", "PolicyId=\"B2C_1A_susi\" DeploymentMode=\"Development\""),
        Case(
            "078", "susi.xml", "PolicyId=\"B2C_1A_susi\"",
            "PolicyId=\"B2C_1A_susi\" UserJourneyRecorderEndpoint=\"urn:journeyrecorder:applicationinsights\""),
        Case(
            "079", "base.xml", "<Item Key=\"SendClaimsIn\">Body</Item>",
            "<Item Key=\"AllowInsecureAuthInProduction\">true</Item>"),
        Case("080", "base.xml", "<Item Key=\"SendClaimsIn\">Body</Item>", "<Item Key=\"DebugMode\">true</Item>"),
        Case(
            "081", "base.xml",
            "<Metadata><Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item></Metadata>",
            "<Metadata><Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item><Item Key=\"EnforceEmailVerification\">False</Item></Metadata>"
        ),
        Case(
            "082", "susi.xml", "<SessionExpiryInSeconds>900</SessionExpiryInSeconds>",
            "<ScriptExecution>Allow</ScriptExecution>"),
        Case(
            "083", "base.xml", "<Item Key=\"client_id\">123</Item>",
            "<Item Key=\"client_id\">123</Item><Item Key=\"client_secret\">Zx81qL0pTT92vb</Item>"),
        Case("084", "base.xml", "PartnerClaimType=\"Verified.Email\" Required=\"true\"", "Required=\"true\""),
        Case(
            "085", "base.xml",
            "<ClaimType Id=\"email\"><DataType>string</DataType><UserInputType>EmailBox</UserInputType>",
            "<ClaimType Id=\"email\"><DataType>string</DataType><UserInputType>Readonly</UserInputType>"),
        Case(
            "086", "extensions.xml", "<TechnicalProfile Id=\"Google\">",
            "<TechnicalProfile Id=\"Page-SignUp\"><ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"AAD-Write\" /></ValidationTechnicalProfiles></TechnicalProfile>\n    <TechnicalProfile Id=\"Google\">"
        ),
        Case(
            "087", "base.xml", "<ClaimType Id=\"tenantId\"><DataType>string</DataType></ClaimType>",
            "<ClaimType Id=\"tenantId\"><DataType>string</DataType></ClaimType><ClaimType Id=\"größe\"><DataType>string</DataType></ClaimType>"
        ),
        Case(
            "088", "base.xml", "<ClaimType Id=\"issuerUserId\"><DataType>string</DataType></ClaimType>",
            "<ClaimType Id=\"issuerUserId\" />"),
        Case("089", "base.xml", "<LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>", ""),
        Case("090", "base.xml", "<Item Key=\"response_types\">code</Item>", "<Item Key=\"response_type\">code</Item>"),
        Case(
            "096", "susi.xml",
            "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_Extensions</PolicyId></BasePolicy>",
            ""),
        Case(
            "097", "base.xml", "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-AAD\" />",
            "<UseTechnicalProfileForSessionManagement ReferenceId=\"AAD-Common\" />"),
        Case(
            "098", "base.xml",
            "<OutputClaim ClaimTypeReferenceId=\"newPassword\" Required=\"true\" />\n          <OutputClaim ClaimTypeReferenceId=\"newUser\" />",
            "<OutputClaim ClaimTypeReferenceId=\"newPassword\" Required=\"true\" />"),
        Case("093", "base.xml", "<Parameter Id=\"Maximum\">64</Parameter>", ""),
        Case("094", "base.xml", "<Action Id=\"SendCode\">", "<Action Id=\"SendCod\">"),
        Case(
            "095", "base.xml", "<Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\"><Value>objectId</Value>",
            "<Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"false\"><Value>objectId</Value><Action>SkipThisOrchestrationStep</Action></Precondition><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\"><Value>objectId</Value>"
        ),
    ]
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, _ text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }

    fileprivate func replacingCharacters(_ part: String, _ text: String) -> String {
        firstRange(of: part).map { replacingCharacters($0, text) } ?? self
    }
}
