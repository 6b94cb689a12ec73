extension Rules {
    /// Custom policies. The numbers are those of the program's readers, which share them.
    static let policy: [Rule] = files + profiles

    /// Files, references, journeys and claims.
    private static let files: [Rule] = [
        Rule(
            "B2C-POL-001", .error, "A policy file is well-formed XML without a document type declaration.",
            why: "The portal refuses the upload.",
            bad: "<Item Key=\"a\">b & c</Item>",
            good: "<Item Key=\"a\">b &amp; c</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["portal: file contains invalid XML"]),
        Rule(
            "B2C-POL-002", .error, "Elements and attributes are those of the policy schema, in its order and number.",
            why: "The upload fails with a schema error.",
            bad: "<InputType>TextBox</InputType>",
            good: "<UserInputType>TextBox</UserInputType>",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["Schema validation error found at line «L» col «C» in policy \"«P»\" of tenant \"«T»\""]),
        Rule(
            "B2C-POL-003", .error, "Ids, versions, languages and GUIDs have their form.",
            why: "The upload fails with a schema error.",
            bad: "PolicySchemaVersion=\"0.3\"",
            good: "PolicySchemaVersion=\"0.3.0.0\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-004", .error, "Where an attribute takes one of several words, it is one of them.",
            why: "The upload fails with a schema error.",
            bad: "Type=\"ClaimExchange\"",
            good: "Type=\"ClaimsExchange\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-005", .error, "A PolicyId begins with B2C_1A_.",
            why:
                "The service refuses the policy; the portal adds the prefix without a word, and references to it break.",
            bad: "PolicyId=\"signup_signin\"",
            good: "PolicyId=\"B2C_1A_signup_signin\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-006", .error, "A base policy is found, and inheritance ends within ten levels.",
            why: "The upload fails.",
            bad: "<PolicyId>B2C_1A_Bse</PolicyId>",
            good: "<PolicyId>B2C_1A_Base</PolicyId>",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["Policy with 'policyId': «P» cannot be found in the directory '«T»'."]),
        Rule(
            "B2C-POL-007", .error, "A policy and its base belong to one tenant.",
            why: "The upload fails.",
            bad: "TenantId of another tenant in BasePolicy",
            good: "the same TenantId in both",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["TenantId in the policy xml '«a»' is not same as the one in login tenant '«b»'."]),
        Rule(
            "B2C-POL-008", .warning, "PublicPolicyUri is http://TENANT/POLICYID.",
            why: "Nothing fails, but metadata and logs name another policy.",
            bad: "PublicPolicyUri=\"http://contoso.onmicrosoft.com/other\"",
            good: "PublicPolicyUri=\"http://contoso.onmicrosoft.com/B2C_1A_susi\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-009", .error, "All files of a chain belong to one tenant.",
            why: "The upload fails.",
            bad: "TenantId=\"fabrikam.onmicrosoft.com\" over a base of contoso.onmicrosoft.com",
            good: "TenantId=\"contoso.onmicrosoft.com\" in every file",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-010", .error, "A policy file has at most 1024 KB.",
            why: "The service refuses it.",
            bad: "a file of 2 MB",
            good: "a file of 900 KB",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-011", .error, "One file has a policy id.",
            why: "The second upload replaces the first or fails.",
            bad: "two files with PolicyId=\"B2C_1A_susi\"",
            good: "one file a policy",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "Tenant \"«T»\" already has a policy with id \"«P»\". Another policy with the same id cannot be stored"
            ]),
        Rule(
            "B2C-POL-012", .warning, "Placeholders are filled in.",
            why: "The service takes the text as it stands.",
            bad: "{Settings:Tenant}",
            good: "contoso.onmicrosoft.com",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-013", .error, "A policy that apps call has a relying party.",
            why: "The service answers 404 for it.",
            bad: "a file without RelyingParty",
            good: "<RelyingParty>...</RelyingParty>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-014", .error, "Ids occur once in a file.",
            why: "The upload fails.",
            bad: "two ClaimTypes with Id=\"email\"",
            good: "one ClaimType with Id=\"email\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["There is a duplicate key sequence '«...»'"]),
        Rule(
            "B2C-POL-015", .error, "The Order of a step occurs once in a journey.",
            why: "The upload fails.",
            bad: "two steps with Order=\"2\"",
            good: "Order=\"2\" and Order=\"3\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["There is a duplicate key sequence '«...»'"]),
        Rule(
            "B2C-POL-016", .error, "The id of a claims exchange occurs once in a journey.",
            why: "A selection that names it is ambiguous.",
            bad: "two exchanges with one Id",
            good: "an Id each",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-017", .warning, "Metadata keys occur once in a profile, without spaces around them.",
            why: "The last one wins, or none is found.",
            bad: "<Item Key=\"Operation \">Read</Item>",
            good: "<Item Key=\"Operation\">Read</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-018", .warning, "Ids differ in more than letter case.",
            why: "The service compares them without regard to case: both are one.",
            bad: "surName and surname",
            good: "one spelling",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-019", .warning, "A claim occurs once in a list.",
            why: "The second takes the place of the first or is without effect.",
            bad: "two <OutputClaim ClaimTypeReferenceId=\"email\" />",
            good: "one",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-020", .error, "A claim type that is referred to exists.",
            why: "The upload fails.",
            bad: "ClaimTypeReferenceId=\"emial\"",
            good: "ClaimTypeReferenceId=\"email\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "... makes a reference to ClaimType with id \"«c»\" but neither the policy nor any of its base policies contain such an element"
            ]),
        Rule(
            "B2C-POL-021", .error, "A technical profile that is referred to exists and does not include itself.",
            why: "The upload fails.",
            bad: "ReferenceId=\"AAD-Comon\"",
            good: "ReferenceId=\"AAD-Common\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "... makes a reference to TechnicalProfile with id \"«c»\" but neither the policy nor any of its base policies contain such an element"
            ]),
        Rule(
            "B2C-POL-022", .error, "A claims transformation that is referred to exists.",
            why: "The upload fails.",
            bad: "ReferenceId=\"CreateSubjct\"",
            good: "ReferenceId=\"CreateSubject\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-023", .error, "A content definition that is referred to exists.",
            why: "The upload fails.",
            bad: "api.selfaserted",
            good: "api.selfasserted",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-024", .error, "A predicate, localized resource or display control that is referred to exists.",
            why: "The upload fails.",
            bad: "LocalizedResourcesReferenceId=\"api.x.de\"",
            good: "an existing id",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-025", .error, "A journey or sub-journey that is referred to exists.",
            why: "The upload fails, or a refresh ends with AADB2C90288.",
            bad: "DefaultUserJourney ReferenceId=\"SignUp\"",
            good: "an existing journey",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-026", .error, "A StorageReferenceId is the name of a policy key.",
            why:
                "The upload fails: names of policy keys begin with B2C_1A_. Whether the tenant holds the key cannot be seen from files.",
            bad: "StorageReferenceId=\"FacebookSecret\"",
            good: "StorageReferenceId=\"B2C_1A_FacebookSecret\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "Tenant \"«T»\" does not have CryptographicKey referenced by storageReferenceId \"«k»\""
            ]),
        Rule(
            "B2C-POL-027", .error, "A selection leads to a claims exchange of the next step.",
            why: "The person chooses and nothing happens.",
            bad: "TargetClaimsExchangeId=\"Facebok\"",
            good: "TargetClaimsExchangeId=\"Facebook\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-028", .warning,
            "SignUpTarget and setting.forgotPasswordLinkOverride name an exchange of the step after the sign-in page.",
            why:
                "The link is not drawn, or leads nowhere. It is an error where the name is a misspelt one and no journey has such an exchange.",
            bad: "<Item Key=\"SignUpTarget\">SignUpWithLogonEmialExchange</Item>",
            good: "<Item Key=\"SignUpTarget\">SignUpWithLogonEmailExchange</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-029", .advice, "What a file adds to a template is used.",
            why: "It is carried along for nothing, or a reference to it was forgotten.",
            bad: "a ClaimsTransformation that no profile names",
            good: "without it",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-030", .error, "Steps are numbered from 1 without gaps.",
            why: "The upload fails.",
            bad: "Order 1, 3",
            good: "Order 1, 2",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["... was expected to have step with order \"«N»\" but it was not found..."]),
        Rule(
            "B2C-POL-031", .error, "After a step that lets the person choose comes a claims exchange.",
            why: "The upload fails.",
            bad: "a selection, then SendClaims",
            good: "a selection, then ClaimsExchange",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-032", .error, "A claims exchange step has one exchange, or several after a selection.",
            why: "The upload fails.",
            bad: "two exchanges after a ClaimsExchange step",
            good: "a selection before them",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "User journey \"«J»\" ... has step «N» with «M» claims exchanges. It must be preceded by a claims provider selection in order to determine which claims exchange can be used."
            ]),
        Rule(
            "B2C-POL-033", .error, "A journey ends by sending claims, and names the issuer.",
            why: "Sign-in ends with AADB2C90040 or AADB2C90108.",
            bad: "no SendClaims step",
            good: "a last step of Type=\"SendClaims\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-034", .warning, "No step comes after the one that sends the claims.",
            why: "It never runs.",
            bad: "SendClaims as step 5 of 6",
            good: "SendClaims as the last step",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-035", .error, "A precondition has as many values as its type needs.",
            why: "The upload fails.",
            bad: "ClaimsExist with two values",
            good: "ClaimsExist with one value",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-036", .warning, "A boolean claim is compared with True or False.",
            why: "The texts differ in case, so the condition never holds.",
            bad: "<Value>true</Value>",
            good: "<Value>True</Value>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-037", .warning, "A precondition asks about a claim that something before it writes.",
            why: "It never holds, or always: the step is never skipped, or never runs.",
            bad: "<Value>objectid2</Value>",
            good: "<Value>objectId</Value>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-038", .error, "An input claim is written by an earlier step, or has a default.",
            why: "The upload of the relying party fails. It is a warning where the claim is not needed.",
            bad: "an InputClaim that no earlier step writes",
            good: "DefaultValue=\"{OIDC:LoginHint}\", or a step that writes it",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "Claim type \"«c»\" is the input claim of technical profile \"«T»\" in step \"«N»\" of user journey \"«J»\" but it is not an output claim in any of the previous steps."
            ]),
        Rule(
            "B2C-POL-039", .warning, "A selection step names a page of the right type.",
            why: "The page lacks what the step needs; with no content definition at all sign-in ends with AADB2C90277.",
            bad: "CombinedSignInAndSignUp with api.selfasserted",
            good: "with api.signuporsignin",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-040", .warning, "A child file does not change the type of an inherited step.",
            why: "Steps merge by Order: the inherited exchanges stay, and the journey has steps nobody wrote.",
            bad: "<OrchestrationStep Order=\"2\" Type=\"SendClaims\" /> over a ClaimsExchange",
            good: "a journey with an Id of its own",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-041", .error, "An InvokeSubJourney step names one sub-journey.",
            why: "The upload fails.",
            bad: "two Candidates",
            good: "one Candidate",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-042", .warning, "A profile that writes the user in a step names its session profile.",
            why: "The default provider applies, which may pass the profile over in the next sign-in.",
            bad: "a Write profile without UseTechnicalProfileForSessionManagement",
            good: "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-043", .error, "A TransformationMethod is one that there is.",
            why: "The upload fails.",
            bad: "TransformationMethod=\"CreateRandomText\"",
            good: "TransformationMethod=\"CreateRandomString\"",
            source: "Microsoft docs: claimstransformations"),
        Rule(
            "B2C-POL-044", .error, "A transformation has the input claims, parameters and output claims of its method.",
            why: "The upload fails. A parameter that the method does not know is passed over: a warning.",
            bad: "TransformationClaimType=\"issuer\"",
            good: "TransformationClaimType=\"identityProvider\"",
            source: "Microsoft docs: claimstransformations",
            serviceTexts: [
                "The InputClaims mismatched in ClaimsTransformation with id \"«id»\" with TransformationMethod \"«m»\". The following InputClaims were declared in the Policy but were not expected by the TransformMethod: «...». The following InputClaims were expected by the TransformMethod but were not declared in the Policy: «...»."
            ]),
        Rule(
            "B2C-POL-045", .error, "Claims of a transformation have the data types of its method.",
            why: "The upload fails.",
            bad: "a string as collection of AddItemToStringCollection",
            good: "a stringCollection",
            source: "Microsoft docs: claimstransformations",
            serviceTexts: [
                "The InputClaims mismatched in ClaimsTransformation with id \"«id»\" with TransformationMethod \"«m»\"."
            ]),
        Rule(
            "B2C-POL-046", .error,
            "The value of an input parameter is of its data type, and one that the method knows.",
            why: "The upload fails, or the transformation at sign-in.",
            bad: "DataType=\"int\" Value=\"5min\"",
            good: "DataType=\"int\" Value=\"300000\"",
            source: "Microsoft docs: claimstransformations",
            serviceTexts: [
                "Input string was not in a correct format"
            ]),
        Rule(
            "B2C-POL-047", .error, "A default value is of the claim's data type.",
            why: "The upload fails.",
            bad: "DefaultValue=\"yes\" of a boolean",
            good: "DefaultValue=\"true\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "Input string was not in a correct format"
            ]),
        Rule(
            "B2C-POL-048", .warning, "A claim is asked for by a field that its data type allows.",
            why: "The page shows no field, or refuses what is typed.",
            bad: "a dateTime with UserInputType EmailBox",
            good: "DateTimeDropdown",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-049", .warning, "A claim that is chosen from a list has a list.",
            why: "The page shows an empty field.",
            bad: "a DropdownSingleSelect without Enumeration",
            good: "with Enumeration",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
    ]

    /// Patterns, profiles, relying parties, pages and security.
    private static let profiles: [Rule] = [
        Rule(
            "B2C-POL-050", .error, "Patterns of claims are regular expressions.",
            why: "The upload fails, or the page refuses every value.", bad: "^([a-z]+$", good: "^([a-z]+)$",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-051", .warning, "Assertions run in validation technical profiles.",
            why: "Elsewhere a failed assertion ends the journey with an error instead of a message on the page.",
            bad: "an exchange with AssertStringClaimsAreEqual",
            good: "a ValidationTechnicalProfile with it",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-052", .warning, "Claims resolvers are written where they are resolved.",
            why: "The claim holds the resolver's own text, or nothing.",
            bad: "DefaultValue=\"{OIDC:LoginHint}\" alone",
            good: "with IncludeClaimResolvingInClaimsHandling and AlwaysUseDefaultValue=\"true\"",
            source: "Microsoft docs: claim-resolver-overview"),
        Rule(
            "B2C-POL-053", .warning, "A password is used by the page that asks for it.",
            why: "Passwords do not outlive their page: later steps have none.",
            bad: "a later step that persists newPassword",
            good: "a validation technical profile that does",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-054", .error, "A technical profile has a handler that can run.",
            why: "The upload fails.",
            bad: "<Protocol Name=\"Proprietary\" />",
            good: "with its Handler",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-055", .error,
            "A self-asserted profile names its page, and each of its output claims has a source.",
            why: "The upload fails. Wrong settings of the page are warnings.",
            bad: "an OutputClaim without UserInputType, default or validation profile",
            good: "with UserInputType, or DefaultValue",
            source: "Microsoft docs: self-asserted-technical-profile",
            serviceTexts: [
                "Output claim type \"«c»\" specified in the technical profile with id \"«T»\" ... does not specify a UserInputType or a DefaultValue, and is not retrieved from a ValidationTechnicalProfile either."
            ]),
        Rule(
            "B2C-POL-056", .warning,
            "What a page with DisplayClaims is to collect is among them, and its layout can show them.",
            why: "The page does not ask for the claim; a display control needs selfasserted 2.0.0.",
            bad: "an OutputClaim that is not a DisplayClaim",
            good: "a DisplayClaim for it",
            source: "Microsoft docs: self-asserted-technical-profile"),
        Rule(
            "B2C-POL-057", .error, "A directory profile has a known Operation and one input claim.",
            why: "Sign-in fails; of several input claims one counts.",
            bad: "<Item Key=\"Operation\">Create</Item>",
            good: "<Item Key=\"Operation\">Write</Item>",
            source: "Microsoft docs: active-directory-technical-profile"),
        Rule(
            "B2C-POL-058", .warning, "Claims of a directory profile are attributes that the directory has.",
            why: "The upload fails, surely where the name is nearly one of them.",
            bad: "PartnerClaimType=\"dispalyName\"",
            good: "PartnerClaimType=\"displayName\"",
            source: "Microsoft docs: active-directory-technical-profile",
            serviceTexts: [
                "Output Claim '«a,b»' is not supported in Azure Active Directory Provider technical profile '«T»' of policy '«P»'. If it is a claim with default value, add AlwaysUseDefaultValue=\"true\" to the output claim mapping.",
                "Persisted Claim '«x»' is not supported in Azure Active Directory Provider technical profile '«T»' of policy '«P»'.",
            ]),
        Rule(
            "B2C-POL-059", .error, "A directory profile with extension attributes names the extensions app.",
            why: "The upload fails.",
            bad: "extension_loyaltyId without ApplicationObjectId",
            good: "ApplicationObjectId and ClientId in AAD-Common",
            source: "Microsoft docs: active-directory-technical-profile",
            serviceTexts: [
                "A required Metadata item with key \"ApplicationObjectId\" was not found in the TechnicalProfile with id \"«T»\""
            ]),
        Rule(
            "B2C-POL-060", .warning,
            "A directory profile that writes persists its key, a display name for new users, and weak passwords as such.",
            why: "The user is not found or not created, or the password is refused.",
            bad: "a Write profile whose key is not persisted",
            good: "the key among PersistedClaims",
            source: "Microsoft docs: active-directory-technical-profile",
            serviceTexts: [
                "DisableStrongPassword is required in Technical Profile '«T»' ... Add \"DisablePasswordExpiration, DisableStrongPassword\" into PersistedClaim \"passwordPolicies\""
            ]),
        Rule(
            "B2C-POL-061", .error, "An identity provider has client_id, its addresses and the key of its secret.",
            why: "Sign-in ends with AADB2C90023 or AADB2C90025.",
            bad: "an OAuth2 profile without client_id",
            good: "<Item Key=\"client_id\">...</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "TechnicalProfile \"«T»\" ... defines an invalid value \"\" for the metadata item \"client_id.\""
            ]),
        Rule(
            "B2C-POL-062", .warning, "An identity provider is asked for a code.",
            why:
                "A token that travels through the browser can be read there; clients without a secret need PKCE (AADB2C99059).",
            bad: "<Item Key=\"response_types\">id_token</Item>",
            good: "<Item Key=\"response_types\">code</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-063", .error, "A REST profile's AuthenticationType and SendClaimsIn are words the service knows.",
            why: "Sign-in ends with AADB2C90025 or the call is refused.",
            bad: "<Item Key=\"SendClaimsIn\">Boddy</Item>",
            good: "<Item Key=\"SendClaimsIn\">Body</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-064", .error, "A REST call without authentication is allowed by name in production.",
            why: "The upload fails.",
            bad: "AuthenticationType None alone",
            good: "with AllowInsecureAuthInProduction",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "Profile '«T»' uses an insecure authentication mode that is only allowed in production mode policies with metadata key 'AllowInsecureAuthInProduction' set to true."
            ]),
        Rule(
            "B2C-POL-065", .warning,
            "Profiles for codes and multi-factor authentication have a known Operation, and values in their ranges.",
            why: "Sign-in fails (an error), or the setting has no effect.",
            bad: "<Item Key=\"CodeLength\">many</Item>",
            good: "<Item Key=\"CodeLength\">6</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-066", .error,
            "The token issuer has its keys, its refresh claim, lifetimes in range and a session profile for OAuth.",
            why: "The upload fails, or no token can be issued (AADB2C90023, AADB2C90025).",
            bad: "a JwtIssuer without issuer_secret",
            good: "<Key Id=\"issuer_secret\" StorageReferenceId=\"B2C_1A_TokenSigningKeyContainer\" />",
            source: "Microsoft docs: jwt-issuer-technical-profile"),
        Rule(
            "B2C-POL-067", .warning, "SAML profiles have their keys and sign with SHA-256; SAML apps get assertions.",
            why: "Messages are not signed, or are refused, or an app gets what it cannot read.",
            bad: "<Item Key=\"XmlSignatureAlgorithm\">Sha1</Item>",
            good: "<Item Key=\"XmlSignatureAlgorithm\">Sha256</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-068", .warning, "EnabledForUserJourneys names the claim that it depends on.",
            why: "The profile is never enabled, or always.",
            bad: "OnClaimsExistence alone",
            good: "with ClaimTypeOnWhichToEnable",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-069", .error,
            "A relying party has the technical profile PolicyProfile, and its subject is among its claims.",
            why: "The upload fails.",
            bad: "SubjectNamingInfo ClaimType=\"sub\" without such an output claim",
            good: "an output claim with PartnerClaimType=\"sub\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-070", .error, "Each output claim of the relying party is written in a step, or has a default.",
            why: "The upload fails.",
            bad: "an OutputClaim that no step writes",
            good: "DefaultValue=\"...\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "Claim type \"«c»\" is the output claim of the relying party's technical profile, but it is not an output claim in any of the steps of user journey \"«J»\"."
            ]),
        Rule(
            "B2C-POL-071", .error, "Session times are within what the service takes.",
            why: "The upload fails with a schema error.",
            bad: "SessionExpiryInSeconds 60",
            good: "SessionExpiryInSeconds 900",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-072", .advice, "A relying party that gives refresh tokens has a journey for them.",
            why: "Refreshed tokens repeat the claims of the sign-in, and revoking has no effect.",
            bad: "no Endpoint Id=\"Token\"",
            good: "<Endpoint Id=\"Token\" UserJourneyReferenceId=\"RedeemRefreshToken\" />",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-073", .warning, "Pages use a page layout with a version.",
            why: "Pages without contract: have no fixes since 2019 and no JavaScript.",
            bad: "urn:com:microsoft:aad:b2c:elements:unifiedssp:1.0.0",
            good: "urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.7",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: [
                "The element specified by id '«urn...»' cannot be found in the element factory cache. Check that element definition exists in the elements folder."
            ]),
        Rule(
            "B2C-POL-074", .warning, "A DataUri names a page layout and version that there is.",
            why: "The page cannot be shown; it is an error where that is sure.",
            bad: "contract:selfaserted:2.1.7",
            good: "contract:selfasserted:2.1.7",
            source: "Microsoft docs: page-layout",
            serviceTexts: [
                "The element specified by id '«urn...»' cannot be found in the element factory cache. Check that element definition exists in the elements folder."
            ]),
        Rule(
            "B2C-POL-075", .warning, "Templates and services are called by https.",
            why: "What is sent can be read and changed on the way; browsers block such a template.",
            bad: "http://contoso.example/page.html",
            good: "https://contoso.example/page.html",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-076", .advice, "Supported languages have texts.",
            why: "The page falls back to another language.",
            bad: "<SupportedLanguage>de</SupportedLanguage> without texts",
            good: "with LocalizedResources of de",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-077", .warning, "DeploymentMode Development is not left in.",
            why: "Everybody may see details of errors and journeys.",
            bad: "DeploymentMode=\"Development\"",
            good: "DeploymentMode=\"Production\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-078", .warning, "Journey recording is off in production.",
            why: "Logs hold what people typed.",
            bad: "DeveloperMode=\"true\"",
            good: "DeveloperMode=\"false\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-079", .warning, "REST services are called with authentication.",
            why: "Anybody can call the service as the policy does.",
            bad: "AllowInsecureAuthInProduction true",
            good: "AuthenticationType Bearer",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-080", .warning, "DebugMode of REST profiles is off.",
            why: "The person sees what the service answered.",
            bad: "DebugMode true",
            good: "DebugMode false",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-081", .warning, "E-mail addresses are verified.",
            why: "Anybody can sign up with somebody else's address.",
            bad: "EnforceEmailVerification False",
            good: "without it",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-082", .warning, "Scripts and framing are allowed where they are needed only.",
            why: "A template or a site can act in the person's name.",
            bad: "ScriptExecution Allow",
            good: "without it",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-083", .warning, "A policy contains no secret.",
            why: "Anyone who can read the policy has it.",
            bad: "<Item Key=\"client_secret\">...</Item>",
            good:
                "<CryptographicKeys><Key Id=\"client_secret\" StorageReferenceId=\"B2C_1A_Secret\" /></CryptographicKeys>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-084", .warning, "Who signs up owns the address, and does not overwrite an account.",
            why: "Anybody can take over an account.",
            bad: "RaiseErrorIfClaimsPrincipalAlreadyExists false with a password",
            good: "true",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-085", .advice, "A claim that is to be verified can be typed.",
            why: "The person cannot ask for a code.",
            bad: "Verified.Email on a Readonly claim",
            good: "on an EmailBox",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-086", .advice, "A validation technical profile occurs once in a profile, inherited ones counted.",
            why: "It runs twice: a user may be written twice.",
            bad: "the inherited profile repeated in a child file",
            good: "without it",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-087", .advice, "Ids are of ASCII letters, digits and marks.",
            why: "Tools and logs show them differently.",
            bad: "Id=\"größe\"",
            good: "Id=\"groesse\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-088", .error, "A claim type has a data type.",
            why: "The upload fails.", bad: "<ClaimType Id=\"plan\" />",
            good: "<ClaimType Id=\"plan\"><DataType>string</DataType></ClaimType>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-089", .error, "A content definition has LoadUri and DataUri in one of the files.",
            why: "The page cannot be shown.",
            bad: "a misspelt Id over an inherited definition",
            good: "the Id of the inherited definition",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-090", .warning, "What a policy holds is known here.",
            why:
                "The service may know it, but nothing here carries it out: a metadata key that no handler reads is most often misspelt.",
            bad: "<Item Key=\"Operatoin\">Read</Item>",
            good: "<Item Key=\"Operation\">Read</Item>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-093", .error, "A predicate has the parameters of its method, and a group can be met.",
            why: "The upload fails, or the page refuses every value.",
            bad: "IsLengthRange without Maximum",
            good: "Minimum 8 and Maximum 64",
            source: "Microsoft docs: predicates"),
        Rule(
            "B2C-POL-094", .warning,
            "A verification control has a claim for the code and the actions SendCode and VerifyCode.",
            why: "The person cannot ask for a code or hand it in.",
            bad: "<Action Id=\"SendCod\">",
            good: "<Action Id=\"SendCode\">",
            source: "Microsoft docs: display-control-verification"),
        Rule(
            "B2C-POL-095", .warning, "A step can run.",
            why: "It is always skipped.",
            bad: "ClaimsExist true and ClaimsExist false of one claim",
            good: "one of them",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-096", .advice, "A file without BasePolicy is a policy by itself, or the base of others.",
            why: "It inherits nothing, so it must contain what it refers to.",
            bad: "a relying party without BasePolicy",
            good: "<BasePolicy>...</BasePolicy>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-097", .error, "Session profiles manage sessions, and fit what names them.",
            why: "Sign-in fails, or claims are not remembered (a warning).",
            bad: "<UseTechnicalProfileForSessionManagement ReferenceId=\"AAD-Common\" />",
            good: "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />",
            source: "Microsoft docs: custom-policy-reference-sso"),
        Rule(
            "B2C-POL-098", .warning, "A claim that is read after a page is an output claim of that page.",
            why:
                "What validation profiles and display controls write ends with the page: later steps do not have it.",
            bad: "newUser is an output of the validation profile alone, and a later step reads it",
            good: "<OutputClaim ClaimTypeReferenceId=\"newUser\" /> in the technical profile of the page",
            source: "Microsoft docs: validation-technical-profile"),
        Rule(
            "B2C-POL-099", .warning, "Application Insights is named by an instrumentation key.",
            why:
                "The documented attribute is InstrumentationKey, a GUID. With a connection string in its place, logs may "
                + "not arrive (inferred).",
            bad:
                "<JourneyInsights TelemetryEngine=\"ApplicationInsights\" ConnectionString=\"InstrumentationKey=...\" />",
            good:
                "<JourneyInsights TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"0f0e0d0c-0000-4000-8000-000000000001\" />",
            source: "Microsoft docs: relyingparty, troubleshoot-with-application-insights"),
        Rule(
            "B2C-POL-100", .warning, "JourneyInsights has no DeveloperMode in a policy for production.",
            why:
                "DeveloperMode sends each event by itself, which is limited at high volumes, and journeys are recorded "
                + "only with DeploymentMode Development.",
            bad: "DeploymentMode=\"Production\" and DeveloperMode=\"true\"",
            good: "DeploymentMode=\"Production\" and DeveloperMode=\"false\"",
            source: "Microsoft docs: relyingparty, troubleshoot-with-application-insights"),
        Rule(
            "B2C-POL-101", .warning, "Each LoadUri below an address of `pages` has its file.",
            why: "The browser cannot load the template, so the page is not shown and the journey ends.",
            bad: "LoadUri https://cdn.contoso.example/b2c/unified.html, and no file pages/unified.html",
            good: "pages/unified.html",
            source: "Microsoft docs: customize-ui-with-html"),
    ]
}
