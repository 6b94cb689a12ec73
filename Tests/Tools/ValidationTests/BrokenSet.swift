import Diagnostics
import Testing
import Validation

/// The policies of ``PolicySample`` with one planted mistake, and what the service says when the last file is uploaded.
struct BrokenSet: Sendable, CustomTestStringConvertible {
    /// A change of one file.
    struct Edit: Sendable {
        var file: String
        var right: String
        var wrong: String
    }

    var name: String
    var rule: String
    /// The file in which the mistake is found.
    var file: String
    /// The first line with this text is where it is found, or the last one.
    var place: String
    var isLast = false
    /// How the service's text begins.
    var begins: String
    var edits: [Edit]
    /// Policy keys of the tenant; `nil`: not known.
    var keySets: Set<String>?

    var testDescription: String { name }

    init(
        _ name: String, _ rule: String, _ file: String, _ right: String, _ wrong: String, at place: String,
        isLast: Bool = false, says begins: String, keySets: Set<String>? = nil
    ) {
        self.name = name
        self.rule = "B2C-POL-\(rule)"
        self.file = file
        self.place = place
        self.isLast = isLast
        self.begins = begins
        edits = [Edit(file: file, right: right, wrong: wrong)]
        self.keySets = keySets
    }

    static let tenant = "contoso.onmicrosoft.com"

    /// The chain with the mistake in it, root first.
    var chain: [(file: String, bytes: [UInt8])] {
        PolicySample.files.map { name, text in
            var text = text
            for edit in edits where edit.file == name {
                guard let range = text.firstRange(of: edit.right) else { continue }
                text = text[..<range.lowerBound] + edit.wrong + text[range.upperBound...]
            }
            return (name, Array(text.utf8))
        }
    }

    /// Whether the sample has the text that the mistake takes the place of.
    var isPlanted: Bool {
        edits.allSatisfy { edit in
            PolicySample.files.contains { $0.0 == edit.file && $0.1.contains(edit.right) }
        }
    }

    /// The line of the mistake.
    var line: Int? {
        guard let bytes = chain.first(where: { $0.file == file })?.bytes else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let found = isLast ? lines.lastIndex { $0.contains(place) } : lines.firstIndex { $0.contains(place) }
        return found.map { $0 + 1 }
    }

    var findings: [UploadFinding] {
        UploadCheck.findings(of: "B2C_1A_susi", chain: chain, tenantDomain: Self.tenant, keySets: keySets)
    }

    /// All keys that the sample names.
    static let keys: Set<String> = [
        "B2C_1A_FacebookSecret", "B2C_1A_GoogleSecret", "B2C_1A_Saml", "B2C_1A_Token",
        "B2C_1A_TokenSigningKeyContainer", "B2C_1A_TokenEncryptionKeyContainer",
    ]

    private static let schema = "Schema validation error found at line "
    private static let noElement = "but neither the policy nor any of its base policies contain such an element."
    private static func missing(_ policy: String, _ kind: String, _ id: String) -> String {
        "Policy \"\(policy)\" of tenant \"\(tenant)\" makes a reference to \(kind) with id \"\(id)\" \(noElement)"
    }

    static let all: [BrokenSet] = file + references + journeys + claims + profiles

    // MARK: The file

    private static let file: [BrokenSet] = [
        BrokenSet(
            "not well-formed", "001", "susi.xml", "<DefaultUserJourney ReferenceId=\"SignUpOrSignIn\" />",
            "<DefaultUserJourney ReferenceId=\"SignUpOrSignIn\">", at: "</RelyingParty>",
            says: "The policy being uploaded is not XML or is not correctly formatted: "),
        BrokenSet(
            "wrong namespace", "001", "susi.xml", "cpim/schemas/2013/06", "cpim/schemas/2013/07",
            at: "<TrustFrameworkPolicy",
            says: "The policy being uploaded is not XML or is not correctly formatted: "),
        BrokenSet(
            "unknown element", "002", "susi.xml", "<SubjectNamingInfo ClaimType=\"sub\" />",
            "<SubjectNameInfo ClaimType=\"sub\" />", at: "<SubjectNameInfo", says: schema),
        BrokenSet(
            "wrong order of elements", "002", "extensions.xml",
            "<ClaimsProvider><DisplayName>Google</DisplayName><TechnicalProfiles>\n"
                + "    <TechnicalProfile Id=\"Google\"><Metadata><Item Key=\"client_id\">789</Item></Metadata>"
                + "</TechnicalProfile>\n  </TechnicalProfiles></ClaimsProvider>",
            "<ClaimsProvider><TechnicalProfiles>\n"
                + "    <TechnicalProfile Id=\"Google\"><Metadata><Item Key=\"client_id\">789</Item></Metadata>"
                + "</TechnicalProfile>\n  </TechnicalProfiles><DisplayName>Google</DisplayName></ClaimsProvider>",
            at: "</TechnicalProfiles><DisplayName>", says: schema),
        BrokenSet(
            "stray text", "002", "susi.xml", "<RelyingParty>", "<RelyingParty>x", at: "<RelyingParty>", says: schema),
        BrokenSet(
            "unknown attribute", "002", "susi.xml", "<DefaultUserJourney ReferenceId", "<DefaultUserJourney RefId",
            at: "<DefaultUserJourney", says: schema),
        BrokenSet(
            "attribute that is not of its form", "003", "susi.xml", "PolicySchemaVersion=\"0.3.0.0\"",
            "PolicySchemaVersion=\"0.3\"", at: "PolicySchemaVersion", says: schema),
        BrokenSet(
            "word that the schema does not list", "004", "susi.xml", "Protocol Name=\"OpenIdConnect\"",
            "Protocol Name=\"OpenIDConnect\"", at: "OpenIDConnect", says: schema),
        BrokenSet(
            "id without the prefix", "005", "susi.xml", "PolicyId=\"B2C_1A_susi\"", "PolicyId=\"susi\"",
            at: "PolicyId=\"susi\"", says: "Policy \"susi\" of tenant \"contoso.onmicrosoft.com\": "),
        BrokenSet(
            "parent that does not exist", "006", "susi.xml", "<PolicyId>B2C_1A_Extensions</PolicyId>",
            "<PolicyId>B2C_1A_Extension</PolicyId>", at: "<PolicyId>B2C_1A_Extension</PolicyId>",
            says: "Policy with 'policyId': B2C_1A_Extension cannot be found in the directory '\(tenant)'."),
        BrokenSet(
            "another tenant", "007", "susi.xml", "TenantId=\"contoso.onmicrosoft.com\"",
            "TenantId=\"fabrikam.onmicrosoft.com\"", at: "TenantId=\"fabrikam",
            says:
                "TenantId in the policy xml 'fabrikam.onmicrosoft.com' is not same as the one in login tenant '\(tenant)'."
        ),
        BrokenSet(
            "parent of another tenant", "007", "susi.xml", "<TenantId>contoso.onmicrosoft.com</TenantId>",
            "<TenantId>fabrikam.onmicrosoft.com</TenantId>", at: "<TenantId>fabrikam",
            says:
                "TenantId in the policy xml 'fabrikam.onmicrosoft.com' is not same as the one in login tenant '\(tenant)'."
        ),
        BrokenSet(
            "second claim type of one id", "014", "base.xml",
            "<ClaimType Id=\"tenantId\"><DataType>string</DataType></ClaimType>",
            "<ClaimType Id=\"tenantId\"><DataType>string</DataType></ClaimType>\n"
                + "<ClaimType Id=\"tenantId\"><DataType>int</DataType></ClaimType>",
            at: "<ClaimType Id=\"tenantId\"><DataType>int", says: schema),
        BrokenSet(
            "second step of one order", "015", "base.xml", "<OrchestrationStep Order=\"6\"",
            "<OrchestrationStep Order=\"5\"", at: "<OrchestrationStep Order=\"5\"", isLast: true, says: schema),
        BrokenSet(
            "session time out of range", "002", "susi.xml", "<SessionExpiryInSeconds>900",
            "<SessionExpiryInSeconds>60", at: "<SessionExpiryInSeconds>", says: schema),
    ]

    // MARK: References

    private static let references: [BrokenSet] = [
        BrokenSet(
            "claim type that does not exist", "020", "susi.xml", "ClaimTypeReferenceId=\"tenantId\"",
            "ClaimTypeReferenceId=\"tenantID2\"", at: "tenantID2",
            says: missing("B2C_1A_susi", "ClaimType", "tenantID2")),
        BrokenSet(
            "claim type that metadata name", "020", "base.xml",
            "<Item Key=\"issuer_refresh_token_user_identity_claim_type\">objectId</Item>",
            "<Item Key=\"issuer_refresh_token_user_identity_claim_type\">objectID2</Item>", at: ">objectID2<",
            says: missing("B2C_1A_Base", "ClaimType", "objectID2")),
        BrokenSet(
            "technical profile of a step that does not exist", "021", "base.xml",
            "TechnicalProfileReferenceId=\"Page-Plan\"", "TechnicalProfileReferenceId=\"Page-Plann\"",
            at: "Page-Plann", says: missing("B2C_1A_Base", "TechnicalProfile", "Page-Plann")),
        BrokenSet(
            "included profile that does not exist", "021", "extensions.xml",
            "<Item Key=\"client_id\">789</Item></Metadata>",
            "<Item Key=\"client_id\">789</Item></Metadata>\n<IncludeTechnicalProfile ReferenceId=\"Google-Comon\" />",
            at: "Google-Comon", says: missing("B2C_1A_Extensions", "TechnicalProfile", "Google-Comon")),
        BrokenSet(
            "claims transformation that does not exist", "022", "base.xml",
            "<OutputClaimsTransformation ReferenceId=\"AddMail\"",
            "<OutputClaimsTransformation ReferenceId=\"AddMial\"",
            at: "AddMial", says: missing("B2C_1A_Base", "ClaimsTransformation", "AddMial")),
        BrokenSet(
            "content definition that does not exist", "023", "base.xml",
            "ContentDefinitionReferenceId=\"api.signuporsignin\"",
            "ContentDefinitionReferenceId=\"api.signupsignin\"", at: "api.signupsignin",
            says: missing("B2C_1A_Base", "ContentDefinition", "api.signupsignin")),
        BrokenSet(
            "predicate that does not exist", "024", "base.xml", "<PredicateReference Id=\"length\"",
            "<PredicateReference Id=\"lenght\"", at: "lenght", says: missing("B2C_1A_Base", "Predicate", "lenght")),
        BrokenSet(
            "display control that does not exist", "024", "base.xml", "DisplayControlReferenceId=\"verify\"",
            "DisplayControlReferenceId=\"verifies\"", at: "verifies",
            says: missing("B2C_1A_Base", "DisplayControl", "verifies")),
        BrokenSet(
            "journey that does not exist", "025", "susi.xml", "ReferenceId=\"SignUpOrSignIn\"",
            "ReferenceId=\"SignUpSignIn\"", at: "SignUpSignIn",
            says: missing("B2C_1A_susi", "UserJourney", "SignUpSignIn")),
        BrokenSet(
            "sub journey that does not exist", "025", "base.xml", "SubJourneyReferenceId=\"Again\"",
            "SubJourneyReferenceId=\"Agian\"", at: "Agian", says: missing("B2C_1A_Base", "SubJourney", "Agian")),
        BrokenSet(
            "key that the tenant does not have", "026", "base.xml", "B2C_1A_FacebookSecret", "B2C_1A_FacebookKey",
            at: "B2C_1A_FacebookKey",
            says:
                "Tenant \"\(tenant)\" does not have CryptographicKey referenced by storageReferenceId \"B2C_1A_FacebookKey\"",
            keySets: keys),
        BrokenSet(
            "name that is not a key's", "026", "base.xml", "B2C_1A_GoogleSecret", "GoogleSecret",
            at: "\"GoogleSecret\"",
            says:
                "Tenant \"\(tenant)\" does not have CryptographicKey referenced by storageReferenceId \"GoogleSecret\""),
        BrokenSet(
            "exchange that the next step does not have", "027", "base.xml", "TargetClaimsExchangeId=\"GoogleExchange\"",
            "TargetClaimsExchangeId=\"GogleExchange\"", at: "GogleExchange",
            says:
                "Orchestration step order \"1\" in user journey \"SignUpOrSignIn\" in policy \"B2C_1A_Base\" of tenant"),
    ]

    // MARK: Journeys

    private static let journeys: [BrokenSet] = [
        BrokenSet(
            "order that is omitted", "030", "base.xml", "<OrchestrationStep Order=\"8\"",
            "<OrchestrationStep Order=\"9\"", at: "<OrchestrationStep Order=\"9\"",
            says:
                "User journey \"SignUpOrSignIn\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\" was expected to have "
                + "step with order \"8\" but it was not found."),
        BrokenSet(
            "order that is too high in the middle", "030", "base.xml", "<OrchestrationStep Order=\"6\"",
            "<OrchestrationStep Order=\"60\"", at: "<OrchestrationStep Order=\"7\"",
            says:
                "User journey \"SignUpOrSignIn\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\" was expected to have "
                + "step with order \"6\" but it was not found."),
        BrokenSet(
            "selection without an exchange after it", "031", "base.xml",
            "<OrchestrationStep Order=\"2\" Type=\"ClaimsExchange\"",
            "<OrchestrationStep Order=\"2\" Type=\"Noop\"", at: "<OrchestrationStep Order=\"2\" Type=\"Noop\"",
            says:
                "Orchestration step order \"2\" in user journey \"SignUpOrSignIn\" in policy \"B2C_1A_Base\" of tenant"),
        BrokenSet(
            "two exchanges without a selection", "032", "base.xml",
            "<ClaimsExchange Id=\"Price\" TechnicalProfileReferenceId=\"Price\"",
            "<ClaimsExchange Id=\"Level2\" TechnicalProfileReferenceId=\"AAD-Level\" /><ClaimsExchange Id=\"Price\" "
                + "TechnicalProfileReferenceId=\"Price\"", at: "<OrchestrationStep Order=\"5\"",
            says: "User journey \"SignUpOrSignIn\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\" has step 5 with 2 "
                + "claims exchanges. It must be preceded by a claims provider selection"),
        BrokenSet(
            "journey that sends no claims", "033", "base.xml",
            "<OrchestrationStep Order=\"8\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />",
            "", at: "<UserJourney Id=\"SignUpOrSignIn\"",
            says: "User journey \"SignUpOrSignIn\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\": "),
    ]

    // MARK: Claims

    private static let claims: [BrokenSet] = [
        BrokenSet(
            "input claim that nothing writes", "038", "base.xml",
            "<Metadata><Item Key=\"Operation\">Read</Item></Metadata>\n        <InputClaims><InputClaim "
                + "ClaimTypeReferenceId=\"objectId\"",
            "<Metadata><Item Key=\"Operation\">Read</Item></Metadata>\n        <InputClaims><InputClaim "
                + "ClaimTypeReferenceId=\"passwordPolicies\" PartnerClaimType=\"objectId\"",
            at: "<InputClaims><InputClaim ClaimTypeReferenceId=\"passwordPolicies\"",
            says:
                "Claim type \"passwordPolicies\" is the input claim of technical profile \"AAD-Read\" in step \"3\" of user "
                + "journey \"SignUpOrSignIn\" but it is not an output claim in any of the previous steps."),
        BrokenSet(
            "transformation method that does not exist", "043", "base.xml",
            "TransformationMethod=\"AddItemToStringCollection\"", "TransformationMethod=\"AddItemToStringColection\"",
            at: "AddItemToStringColection",
            says: "ClaimsTransformation \"AddMail\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\": "),
        BrokenSet(
            "claim that the method does not take", "044", "base.xml", "TransformationClaimType=\"item\"",
            "TransformationClaimType=\"itme\"", at: "TransformationClaimType=\"itme\"",
            says: "The InputClaims mismatched in ClaimsTransformation with id \"AddMail\" with TransformationMethod "
                + "\"AddItemToStringCollection\"."),
        BrokenSet(
            "claim of a wrong type", "045", "base.xml",
            "<InputClaim ClaimTypeReferenceId=\"mails\" TransformationClaimType=\"collection\"",
            "<InputClaim ClaimTypeReferenceId=\"displayName\" TransformationClaimType=\"collection\"",
            at: "<InputClaim ClaimTypeReferenceId=\"displayName\" TransformationClaimType=\"collection\"",
            says: "The InputClaims mismatched in ClaimsTransformation with id \"AddMail\""),
        BrokenSet(
            "parameter that is not of its type", "046", "base.xml", "DataType=\"boolean\" Value=\"true\"",
            "DataType=\"boolean\" Value=\"yes\"", at: "Value=\"yes\"",
            says: "Input string was not in a correct format"),
        BrokenSet(
            "default that is not of the claim's type", "047", "base.xml",
            "<OutputClaim ClaimTypeReferenceId=\"newUser\" />",
            "<OutputClaim ClaimTypeReferenceId=\"newUser\" DefaultValue=\"yes\" />", at: "DefaultValue=\"yes\"",
            says: "Input string was not in a correct format"),
        BrokenSet(
            "pattern that is not a regular expression", "050", "base.xml", "RegularExpression=\"^[a-z]+$\"",
            "RegularExpression=\"^([a-z]+$\"", at: "^([a-z]+$",
            says: "Claim type \"displayName\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\": "),
        BrokenSet(
            "output claim of the app that nothing writes", "070", "susi.xml",
            "<OutputClaim ClaimTypeReferenceId=\"objectId\" PartnerClaimType=\"sub\" />",
            "<OutputClaim ClaimTypeReferenceId=\"objectId\" PartnerClaimType=\"sub\" />\n"
                + "<OutputClaim ClaimTypeReferenceId=\"passwordPolicies\" />",
            at: "passwordPolicies",
            says:
                "Claim type \"passwordPolicies\" is the output claim of the relying party's technical profile, but it is not "
                + "an output claim in any of the steps of user journey \"SignUpOrSignIn\"."),
        BrokenSet(
            "claim type without a data type", "088", "base.xml",
            "<ClaimType Id=\"issuerUserId\"><DataType>string</DataType></ClaimType>",
            "<ClaimType Id=\"issuerUserId\" />",
            at: "<ClaimType Id=\"issuerUserId\" />",
            says: "Claim type \"issuerUserId\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\": "),
    ]

    // MARK: Technical profiles

    private static let profiles: [BrokenSet] = [
        BrokenSet(
            "handler that does not exist", "054", "extensions.xml", "<TechnicalProfile Id=\"Google\"><Metadata>",
            "<TechnicalProfile Id=\"Google\"><Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.RestfullProvider, "
                + "Web.TPEngine\" />\n<Metadata>", at: "RestfullProvider",
            says: "Technical profile \"Google\" in policy \"B2C_1A_Extensions\" of tenant \"\(tenant)\": "),
        BrokenSet(
            "page that cannot ask for its claim", "055", "base.xml",
            "<OutputClaim ClaimTypeReferenceId=\"newPassword\" Required=\"true\" />\n          <OutputClaim "
                + "ClaimTypeReferenceId=\"newUser\" />",
            "<OutputClaim ClaimTypeReferenceId=\"newPassword\" Required=\"true\" />\n          <OutputClaim "
                + "ClaimTypeReferenceId=\"tenantId\" />", at: "<OutputClaim ClaimTypeReferenceId=\"tenantId\" />",
            says: "Output claim type \"tenantId\" specified in the technical profile with id \"Page-SignUp\" in policy "
                + "\"B2C_1A_Base\" of tenant \"\(tenant)\" does not specify a UserInputType or a DefaultValue"),
        BrokenSet(
            "attribute that the directory does not have", "058", "base.xml",
            "PartnerClaimType=\"newClaimsPrincipalCreated\"", "PartnerClaimType=\"newClaimsPrincipalCraeted\"",
            at: "newClaimsPrincipalCraeted",
            says:
                "Output Claim 'newUser' is not supported in Azure Active Directory Provider technical profile 'AAD-Write' "
                + "of policy 'B2C_1A_Base'."),
        BrokenSet(
            "extension attribute without its app", "059", "base.xml",
            "<Item Key=\"ApplicationObjectId\">00000000-0000-0000-0000-000000000001</Item>", "",
            at: "<PersistedClaim ClaimTypeReferenceId=\"extension_level\" DefaultValue=\"1\"",
            says:
                "A required Metadata item with key \"ApplicationObjectId\" was not found in the TechnicalProfile with id "
                + "\"AAD-Write\""),
        BrokenSet(
            "identity provider without client_id", "061", "base.xml", "<Item Key=\"client_id\">123</Item>", "",
            at: "<TechnicalProfile Id=\"Facebook\">",
            says:
                "TechnicalProfile \"Facebook\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\" defines an invalid value \"\" "
                + "for the metadata item \"client_id.\""),
        BrokenSet(
            "page layout that does not exist", "074", "base.xml", "contract:unifiedssp:2.1.5",
            "contract:unifiedspp:2.1.5", at: "unifiedspp",
            says:
                "The element specified by id 'urn:com:microsoft:aad:b2c:elements:contract:unifiedspp:2.1.5' cannot be found"
        ),
        BrokenSet(
            "subject that is not among the claims", "069", "susi.xml", "<SubjectNamingInfo ClaimType=\"sub\" />",
            "<SubjectNamingInfo ClaimType=\"subject\" />", at: "<SubjectNamingInfo",
            says: "Technical profile \"PolicyProfile\" in policy \"B2C_1A_susi\" of tenant \"\(tenant)\": "),
        BrokenSet(
            "parameter of a predicate that is misspelt", "093", "base.xml", "Id=\"Maximum\">64", "Id=\"Maximun\">64",
            at: "Maximun", says: "Predicate \"length\" in policy \"B2C_1A_Base\" of tenant \"\(tenant)\": "),
    ]
}
