extension Rules {
    /// Custom policies. The numbers are those of the program's readers, which share them.
    static let policy: [Rule] = [
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
            "B2C-POL-010", .error, "A policy file has at most 1024 KB.",
            why: "The service refuses it.",
            bad: "a file of 2 MB",
            good: "a file of 900 KB",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-011", .error, "A policy id stands in one file.",
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
            "B2C-POL-014", .error, "Ids stand once in a file.",
            why: "The upload fails.",
            bad: "two ClaimTypes with Id=\"email\"",
            good: "one ClaimType with Id=\"email\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["There is a duplicate key sequence '«...»'"]),
        Rule(
            "B2C-POL-015", .error, "The Order of a step stands once in a journey.",
            why: "The upload fails.",
            bad: "two steps with Order=\"2\"",
            good: "Order=\"2\" and Order=\"3\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages",
            serviceTexts: ["There is a duplicate key sequence '«...»'"]),
        Rule(
            "B2C-POL-016", .error, "The id of a claims exchange stands once in a journey.",
            why: "A selection that names it is ambiguous.",
            bad: "two exchanges with one Id",
            good: "an Id each",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-017", .warning, "Metadata keys stand once in a profile, without spaces around them.",
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
            "B2C-POL-019", .warning, "A claim stands once in a list.",
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
            why: "The upload fails, or sign-in ends with AADB2C90288.",
            bad: "DefaultUserJourney ReferenceId=\"SignUp\"",
            good: "an existing journey",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-027", .error, "A selection leads to a claims exchange of the next step.",
            why: "The person chooses and nothing happens.",
            bad: "TargetClaimsExchangeId=\"Facebok\"",
            good: "TargetClaimsExchangeId=\"Facebook\"",
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
            "B2C-POL-039", .error, "A selection step names a page of the right type.",
            why: "Sign-in ends with AADB2C90277.",
            bad: "CombinedSignInAndSignUp with api.selfasserted",
            good: "with api.signuporsignin",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-041", .error, "An InvokeSubJourney step names one sub-journey.",
            why: "The upload fails.",
            bad: "two Candidates",
            good: "one Candidate",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-049", .warning, "A claim that is chosen from a list has a list.",
            why: "The page shows an empty field.",
            bad: "a DropdownSingleSelect without Enumeration",
            good: "with Enumeration",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-050", .error, "Patterns of claims are regular expressions.",
            why: "The upload fails, or the page refuses every value.", bad: "^([a-z]+$", good: "^([a-z]+)$",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-054", .error, "A technical profile has a handler that can run.",
            why: "The upload fails.",
            bad: "<Protocol Name=\"Proprietary\" />",
            good: "with its Handler",
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
            "B2C-POL-069", .error,
            "A relying party has the technical profile PolicyProfile, and its subject is among its claims.",
            why: "The upload fails.",
            bad: "SubjectNamingInfo ClaimType=\"sub\" without such an output claim",
            good: "an output claim with PartnerClaimType=\"sub\"",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-071", .error, "Session times are within what the service takes.",
            why: "The upload fails with a schema error.",
            bad: "SessionExpiryInSeconds 60",
            good: "SessionExpiryInSeconds 900",
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
            "B2C-POL-075", .warning, "Templates and services are called by https.",
            why: "What is sent can be read and changed on the way; browsers block such a template.",
            bad: "http://contoso.example/page.html",
            good: "https://contoso.example/page.html",
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
            "B2C-POL-083", .warning, "No secret stands in a policy.",
            why: "Whoever can read the policy has it.",
            bad: "<Item Key=\"client_secret\">...</Item>",
            good:
                "<CryptographicKeys><Key Id=\"client_secret\" StorageReferenceId=\"B2C_1A_Secret\" /></CryptographicKeys>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
        Rule(
            "B2C-POL-088", .error, "A claim type has a data type.",
            why: "The upload fails.", bad: "<ClaimType Id=\"plan\" />",
            good: "<ClaimType Id=\"plan\"><DataType>string</DataType></ClaimType>",
            source: "Microsoft docs: trustframeworkpolicy and its pages"),
    ]
}
