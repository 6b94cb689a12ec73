extension Cause {
    /// Custom policies: what refuses the upload, what the portal says, and what fails when a journey runs.
    static let journeys: [Cause] = [
        .known(
            "journey-without-a-first-step",
            "The journey that the relying party names has no valid first step: it has no steps, or its first step is none that can begin a journey.",
            signs: [
                .certain("does not specify first step or the first step is not*"),
                .strong("does not specify first step"),
                .fair("the first step is not a claims exchange"),
            ],
            check: "Which journey does DefaultUserJourney name, and what type is its step with Order 1?",
            fix:
                "Give the journey a step with Order 1 of a type that begins one (a selection or claims exchange), in this policy or its base."
        ),
        .known(
            "policy-cannot-be-loaded",
            "B2C cannot load the policy or publish its metadata: its name or tenant is wrong, it or a parent was not uploaded, a key or certificate that it refers to is missing or has expired, or its configuration is faulty.",
            signs: [
                .strong("aadb2c90022"), .fair("unable to return metadata for the policy"),
                .fair("the policy & could not be loaded | policy & cannot be loaded"),
            ],
            check:
                "Are name and tenant right, are all parents uploaded, and do the key containers (for SAML the certificates) of the policy exist and are they valid?",
            fix: "Upload base, extensions and relying party again, and create or renew the keys that they name."),
        .known(
            "key-container-missing",
            "A policy key that the policy refers to does not exist, has no usable key, or has expired.",
            signs: [
                .strong("key container & not found | key container & does not exist | keycontainer & not found"),
                .strong("storagereferenceid & not found | storagereferenceid & cannot be found"),
                .strong("cryptographic key & not found | cryptographickeys & missing"),
                .strong("unable to find & key with id | no active key | the key & is expired"),
                .strong("the certificate & has a private key that is not*"), .fair("x509certificate & not found"),
                .fair("b2c_1a_tokensigningkeycontainer | b2c_1a_tokenencryptionkeycontainer"),
                .strong("aadb2c95028"),
            ],
            check: "Is there a policy key of exactly this name, with an enabled key, in this tenant?",
            fix:
                "Create the policy key under that name (Identity Experience Framework, Policy keys), or correct StorageReferenceId."
        ),
        .known(
            "placeholder-not-replaced",
            "A placeholder of the samples was not replaced: yourtenant, or an id of the sample apps.",
            signs: [
                .certain("tenantid in the policy xml 'yourtenant*"), .strong("yourtenant.onmicrosoft.com"),
                .strong("proxyidentityexperienceframeworkappid | identityexperienceframeworkappid"),
                .fair("your-tenant | yourtenant | your_tenant"),
            ],
            check: "Search the files for yourtenant and for words that end in AppId.",
            fix:
                "Replace yourtenant with the tenant's name, and the ids with those of this tenant's apps, in every file."
        ),
        .known(
            "policy-of-another-tenant",
            "The policy names another tenant than the one that it is uploaded to.",
            signs: [
                .strong("is not same as the one in login tenant"), .fair("tenantid in the policy xml"),
                .against("tenantid in the policy xml 'yourtenant*"),
            ],
            check: "Which TenantId do TrustFrameworkPolicy and BasePolicy have?",
            fix: "Write the tenant's name into TenantId and PublicPolicyUri of the file and of BasePolicy."),
        .known(
            "parent-policy-missing",
            "The parent of the policy is not in the tenant, or may not be inherited from.",
            signs: [
                .strong("policy with 'policyid' & cannot be found in the directory"),
                .strong("not allowed to inherit from the specified base policy"),
                .fair("base policy & not found | base policy & cannot be found | base policy & does not exist"),
            ],
            check: "Is the policy that BasePolicy names uploaded to this tenant?",
            fix: "Upload from the base down: base, localization, extensions, relying party; correct BasePolicy."),
        .known(
            "element-reference-missing",
            "The policy refers to an element that neither it nor a parent has.",
            signs: [
                .strong("but neither the policy nor any of its base policies contain such an element"),
                .strong("makes a reference to & with id"),
                .fair("neither the policy nor any of its base policies"),
                .strong("with id & cannot be found in the policy | with id & not found in policy"),
                .fair("is not defined in the policy or its base | cannot be found in the policy"),
            ],
            check:
                "Which element and id does the message name: a claim type, technical profile, transformation or content definition?",
            fix: "Correct the id, letter case included, or define the element in the policy or a parent."),
        .known(
            "element-out-of-order",
            "An element is in a place where the schema does not allow it: the order of the elements is wrong, or its name is.",
            signs: [
                .strong("has invalid child element"), .strong("list of possible elements expected"),
                .fair("schema validation error found"), .fair("has incomplete content"),
            ],
            check: "Which element does the message name, and which ones does it expect at that place?",
            fix: "Put the elements in the order of the schema; the list in the message says what may come next."),
        .known(
            "attribute-or-value-not-in-the-schema",
            "An attribute or value of the policy is not one that the schema allows.",
            signs: [
                .strong("attribute is not declared | the required attribute"),
                .strong("attribute is invalid | is invalid according to its datatype"),
                .fair("the enumeration constraint failed | the pattern constraint failed"),
                .fair("duplicate key sequence"), .fair("schema validation error found"),
            ],
            check: "Which attribute and value does the message quote?",
            fix: "Correct the name or value, in the letter case of the schema; ids occur once."),
        .known(
            "policy-not-xml",
            "The file is not well-formed XML or not in the encoding that it names.",
            signs: [
                .strong("the policy being uploaded is not xml"), .fair("not correctly formatted"),
                .strong("data at the root level is invalid"), .strong("invalid character in the given encoding"),
                .fair("is an unexpected token | the expected token is"), .fair("does not match the end tag of"),
            ],
            check: "Does an XML editor open the file, and is it UTF-8 without typographic quotes?",
            fix: "Save the file as UTF-8 XML, close every element, and send it as XML, not as JSON."),
        .known(
            "claim-not-supported-by-the-directory",
            "A profile for the directory persists or returns a claim that the directory does not have.",
            signs: [
                .strong("is not supported in azure active directory provider technical profile"),
                .fair("persisted claim & is not supported | output claim & is not supported"),
            ],
            check: "Which claim does the message name, and which directory attribute should it be?",
            fix:
                "Map it to a directory attribute with PartnerClaimType, make it an extension_ attribute, or give it DefaultValue with AlwaysUseDefaultValue."
        ),
        .known(
            "profile-setting-missing",
            "A technical profile lacks a metadata item, key or element that its kind requires.",
            signs: [
                .strong("required metadata | metadata item & is missing | metadata & is required"),
                .strong("metadata & missing & technical profile"),
                .fair(
                    "technical profile & must specify | technical profile & is missing | technical profile & does not specify"
                ),
            ],
            check: "Which technical profile and item does the message name?",
            fix: "Add the item to the profile; check the spelling of Key."),
        .known(
            "several-exchanges-enabled",
            "A step has several claims exchanges, and nothing before it chose one.",
            signs: [
                .strong("specifies more than one enabled validation claims exchange"),
                .strong("more than one enabled claims exchange"),
                .strong("must be preceded by a claims provider selection"),
            ],
            check: "Does a selection step come before, and do its target ids name these exchanges?",
            fix: "Keep one exchange in the step, or put a selection step before it."),
        .known(
            "last-step-not-sending-claims",
            "The journey does not end with a step that sends the claims.",
            signs: [
                .strong("sendclaims & last step | sendclaims & orchestration step"),
                .fair("journey & does not have a sendclaims step | must end with & sendclaims"),
            ],
            check: "What type is the last step?", fix: "End the journey with a step of type SendClaims."),
        .known(
            "extensions-app-not-named",
            "The policy uses custom attributes, and the profile for the directory does not name the extensions app.",
            signs: [
                .strong("applicationobjectid & clientid & metadata | applicationobjectid & must be specified"),
                .strong("extension attributes & applicationobjectid | extension_* & applicationobjectid"),
                .fair("applicationobjectid"), .fair("b2c-extensions-app & not found"),
            ],
            check: "Does AAD-Common have ClientId and ApplicationObjectId of b2c-extensions-app?",
            fix: "Add both metadata items with the ids of this tenant's b2c-extensions-app."),
        .known(
            "claim-missing-for-the-token-or-step",
            "A claim that the step or token requires has no value: nothing before brought it, or it is mapped under another name.",
            signs: [
                .strong("required claim & was not found | required claim & is missing"),
                .strong("claim type & is missing | claimtype & not found in the claims"),
                .strong("output claim & was not found | input claim & was not found"),
                .strong("a claim with id & was not found"), .strong("a claim of claimtype with id & was not found"),
                .fair("policyexception & claim"),
            ],
            check: "Which claim and step does the message name, and which profile should bring it?",
            fix: "Return the claim from the profile before, or map it with PartnerClaimType or DefaultValue."),
        .known(
            "policy-exception",
            "The policy itself failed while it ran; the message behind \"Exception Message\" says at what.",
            signs: [
                .fair("exception type:policyexception | exception type: policyexception"), .fair("policyexception"),
                .fair("microsoft.cpim.common*"), .weak("fatalexception"),
            ],
            check: "Which journey, step, profile or claim does the message name?",
            fix: "Correct that element and upload the policy again; play the policy with `b2c policy run`."),
        .known(
            "directory-write-refused",
            "The directory refused what the policy writes or reads: a value, an attribute that does not exist, or an account that is not unique.",
            signs: [
                .strong("one or more property values specified are invalid"),
                .strong("property & does not exist as a declared property or extension property"),
                .fair("persisted claim & is not supported"), .fair("request_badrequest"),
                .fair("aadb2c90249 | microsoft.windowsazure.activedirectory"),
            ],
            check: "Which property does the log name, and does its value fit the attribute?",
            fix: "Correct the persisted claim and its value; create the attribute, and name the extensions app."),
        .known(
            "portal-wrong-directory",
            "The portal works in another directory than the B2C tenant, or the account lacks the role.",
            signs: [
                .strong("switch directory | switch to the directory"), .fair("you do not have access & b2c*"),
                .strong("does not have authorization to perform action"),
                .fair("b2c ief policy administrator | b2c ief keyset administrator"),
                .fair("you do not have permission & policies | you don't have permission & policies"),
                .fair("insufficient privileges | insufficient permissions"), .fair("authorization_requestdenied"),
            ],
            check: "Which directory does the portal show, and which role has the account there?",
            fix:
                "Switch to the B2C tenant, and give the account the role (B2C IEF Policy Administrator, Application Administrator)."
        ),
        .known(
            "resource-provider-not-registered",
            "The subscription is not registered for the resource provider of B2C.",
            signs: [
                .certain("subscription is not registered to use namespace 'microsoft.azureactivedirectory'"),
                .strong("subscription is not registered to use namespace"), .fair("missingsubscriptionregistration"),
                .strong("subscription isn't registered to use namespace"),
            ],
            check: "Is Microsoft.AzureActiveDirectory registered under Resource providers of the subscription?",
            fix: "Register Microsoft.AzureActiveDirectory in the subscription, then create the tenant."),
        .known(
            "app-id-uri-refused",
            "The application id URI is not one that the tenant accepts.",
            signs: [
                .strong("identifieruris & verified domain | identifieruris & must use a verified domain"),
                .strong("hostnamenotonverifieddomain"), .fair("identifieruris & already exists"),
            ],
            check: "Is the URI api://{client id} or https://{tenant}.onmicrosoft.com/{name}?",
            fix: "Use one of these two forms, once in the tenant."),
        .known(
            "token-version-of-the-app",
            "The app's manifest wants access tokens of version 1 or none, and its kind of accounts needs version 2.",
            signs: [
                .strong("requestedaccesstokenversion | accesstokenacceptedversion"),
                .fair("accesstokenversion & invalid"),
            ],
            check: "What is requestedAccessTokenVersion in the manifest?", fix: "Set it to 2 in the manifest."),
        .known(
            "redirect-uri-form-refused",
            "The portal refuses the redirect URI: it must be https or a loopback address, without wildcard or fragment.",
            signs: [
                .strong(
                    "must start with \"https\" or \"http://localhost\" | must start with https or http://localhost"),
                .strong("must start with 'https' or 'http://localhost'"), .strong("redirect uri & wildcard"),
                .fair("must be a valid url & redirect | redirect uri & not a valid url"),
                .fair("redirect uri & fragment"),
            ],
            check: "Scheme, host, wildcard and fragment of the URI: which one breaks the rule?",
            fix: "Register https addresses, http://localhost, or an app's own scheme under mobile and desktop."),
        .known(
            "user-flow-cannot-run-in-the-portal",
            "\"Run user flow\" needs an app with a redirect URI under Web or single-page, such as https://jwt.ms.",
            signs: [
                .strong("run user flow & redirect* | run now & reply url*"), .fair("jwt.ms & run user flow"),
                .fair("no application & run user flow"),
            ],
            check: "Which app is chosen, and which redirect URIs does it have?",
            fix: "Add https://jwt.ms under Web to an app of this tenant, with ID and access tokens allowed."),
        .known(
            "user-flow-name-refused",
            "The name of the policy or user flow exists already or is not allowed.",
            signs: [
                .strong("policy & already exists | user flow & already exists | userflow & already exists"),
                .fair("policyid must start with | must begin with b2c_1a_"),
            ],
            check: "Is there a policy of that name, in any letter case?",
            fix: "Choose another name; custom policies begin with B2C_1A_."),
    ]
}
