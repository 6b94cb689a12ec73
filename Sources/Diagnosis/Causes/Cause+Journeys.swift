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
                .strong("does not have cryptographickey referenced by storagereferenceid"),
                .strong("keycontainer with 'id' & cannot be found in the directory"), .strong("aadb2c90073"),
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
                .excluded(by: "cannot contain white space | cannot contain text | constraint failed"),
            ],
            check: "Which element does the message name, and which ones does it expect at that place?",
            fix: "Put the elements in the order of the schema; the list in the message says what may come next."),
        .known(
            "attribute-or-value-not-in-the-schema",
            "An attribute or value of the policy is not one that the schema allows.",
            signs: [
                .strong("attribute is not declared | the required attribute"),
                .strong("attribute is invalid | is invalid according to its datatype"),
                .strong("the enumeration constraint failed | the pattern constraint failed"),
                .fair("schema validation error found"), .excluded(by: "duplicate key sequence"),
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
                .excluded(by: "could not be found in orchestration step"),
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
                .strong("metadata item with key & applicationobjectid & was not found"),
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
                .strong("exceeds the maximum length & property | exceeds maximum length & property"),
                .strong("property & does not exist as a declared property or extension property"),
                .fair("persisted claim & is not supported"), .fair("request_badrequest & b2c_1a_*"),
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

    /// Uploads that are refused, and journeys that stop, each with the words of its message.
    static let uploads: [Cause] = [
        .known(
            "recorder-endpoint-value",
            "UserJourneyRecorderEndpoint takes one value only: urn:journeyrecorder:applicationinsights.",
            signs: [
                .certain("attribute userjourneyrecorderendpoint & can only have the value set to"),
                .strong("userjourneyrecorderendpoint & only have the value"),
            ],
            check: "What does UserJourneyRecorderEndpoint of TrustFrameworkPolicy say?",
            fix:
                "Write UserJourneyRecorderEndpoint=\"urn:journeyrecorder:applicationinsights\" (and DeploymentMode=\"Development\"), or remove the attribute."
        ),
        .known(
            "lookup-claim-missing",
            "A profile reads or writes an account by a claim that has no value at that step: the identity provider or page did not bring it, or the step that makes it was skipped.",
            signs: [
                .certain("a claim could not be found for lookup claim with id"),
                .certain("designated as the identifier claim type & could not be found"),
                .strong("could not be found for lookup claim"),
                .strong("claim with id & was not found in the collection"),
                .fair("identifierclaimmapping"), .weak("socialemail | alternativesecurityid"),
            ],
            check:
                "Which claim and technical profile does the message name? Which step should set the claim, and was it skipped (a session, a provider that sent no address)?",
            fix:
                "Ask the provider for the claim (scope email) or bring it in an earlier step, and give the step that reads the account a precondition that skips it while the claim is empty (ClaimsExist)."
        ),
        .known(
            "claim-not-brought-before",
            "The policy uses a claim that no step before brings: it is the input of a later profile, or is returned to the app.",
            signs: [
                .certain(
                    "is the input claim of technical profile & is not an output claim in any of the previous steps"),
                .certain("is the output claim of the relying party's technical profile"),
                .strong("it is not an output claim in any of the"),
            ],
            check: "Which claim, profile and step does the message name, and which profile could return the claim?",
            fix:
                "Add the claim to the OutputClaims of a profile in an earlier step, give it a DefaultValue, or remove it from the later profile or relying party."
        ),
        .known(
            "partner-claim-missing",
            "A technical profile of a fixed kind (one-time password, SSPR, MFA) is called without the input claim that it requires under a fixed name.",
            signs: [
                .certain("a partner claim with id & is not found however is required in technical profile"),
                .strong("partner claim & is required in technical profile"),
            ],
            check:
                "Has the profile in the message an InputClaim whose PartnerClaimType is that name, and does the claim have a value there?",
            fix: "Map the claim with PartnerClaimType to the name in the message, such as identifier or otpToVerify."),
        .known(
            "rest-credentials-of-the-key",
            "The credentials for the REST service cannot be used: the policy keys of its profile are empty, swapped or of another kind.",
            signs: [
                .certain("basic credentials specified for & are invalid"), .strong("aadb2c90027 | aadb2c90028"),
                .strong("aadb2c90194"),
            ],
            check:
                "Which AuthenticationType has the profile, and do BasicAuthenticationUsername and BasicAuthenticationPassword (or certificate, token) name policy keys that hold the values?",
            fix:
                "Create the policy keys (manual, signature) with user name and password, and refer to them in the profile."
        ),
        .known(
            "claim-without-a-field",
            "A page returns a claim that it neither asks for nor gets: the claim has no UserInputType, no default value, and no validation profile returns it.",
            signs: [.certain("does not specify a userinputtype or a defaultvalue")],
            check: "Which claim and self-asserted profile does the message name?",
            fix:
                "Remove the claim from that profile's OutputClaims, give the claim type a UserInputType, or let a validation profile return it."
        ),
        .known(
            "rest-authentication-none",
            "A REST profile uses AuthenticationType None (or Basic) in a policy that is not in development, which must be allowed explicitly.",
            signs: [
                .certain("uses an insecure authentication mode"), .strong("allowinsecureauthinproduction"),
            ],
            check: "Which AuthenticationType has the profile in the message?",
            fix:
                "Protect the service and set AuthenticationType and its keys; or add <Item Key=\"AllowInsecureAuthInProduction\">true</Item>."
        ),
        .known(
            "exchange-not-in-the-step",
            "The person chose, or the session remembers, a claims exchange that the step of this policy does not have.",
            signs: [.certain("claims exchange with id & could not be found in orchestration step")],
            check:
                "Do the exchange ids differ between the selection and the next step, or between two policies that share technical profiles and a session?",
            fix:
                "Use one id of the exchange for a technical profile in all policies that share single sign-on, or give the policies sessions of their own."
        ),
        .known(
            "page-not-named",
            "A step shows a page, and neither the step nor its technical profile names a content definition.",
            signs: [
                .certain("a content definition data uri is required"), .strong("aadb2c90277"),
                .fair("content definition & does not reference"),
            ],
            check:
                "Has the step ContentDefinitionReferenceId, or its profile the item of that name, and the definition a DataUri?",
            fix:
                "Put ContentDefinitionReferenceId into the metadata of the self-asserted profile, such as api.selfasserted, and a DataUri into the content definition."
        ),
        .known(
            "element-with-text",
            "An element of the policy holds text or white space where the schema wants it empty or wants elements.",
            signs: [
                .certain("cannot contain white space"), .strong("cannot contain text"), .weak("content model is empty"),
            ],
            check:
                "What is at the line and column of the message: a line break between a start and an end tag, a stray letter?",
            fix: "Close the element in its own tag (<Element ... />), or remove the text."),
        .known(
            "element-twice", "An id that may occur once occurs twice in the policy.",
            signs: [.certain("there is a duplicate key sequence")],
            check: "Which id does the message quote, and at which two places is it?",
            fix: "Rename or remove one of them; the Order of steps and the ids of exchanges are unique in a journey."),
        .known(
            "page-layout-unknown",
            "The DataUri of a content definition names a page layout or version that does not exist.",
            signs: [.certain("cannot be found in the element factory cache")],
            check: "Compare the DataUri with the list of page layout versions.",
            fix: "Use urn:com:microsoft:aad:b2c:elements:contract:{page}:{version} with a version that exists."),
        .known(
            "transformation-arguments",
            "A claims transformation has other input claims or parameters, or of another type, than its method takes.",
            signs: [
                .certain("the inputclaims mismatched in claimstransformation*"),
                .certain("the outputclaims mismatched in claimstransformation*"),
                .certain("were not expected by the transformmethod"), .strong("mismatched in claimstransformation*"),
            ],
            check: "Which names and types does the message list as declared and as expected?",
            fix: "Use the TransformationClaimType names and data types of the method."),
        .known(
            "policy-id-taken", "The tenant has a policy of that id already, and the upload may not replace it.",
            signs: [.certain("another policy with the same id cannot be stored")],
            check: "Was \"Overwrite the custom policy if it already exists\" chosen?",
            fix: "Allow overwriting, or choose another PolicyId."),
        .known(
            "value-not-of-the-type",
            "A value in the policy cannot be read as the type that it should have, such as a number or true and false.",
            signs: [
                .strong("input string was not in a correct format & validation failed*"),
                .strong("string was not recognized as a valid boolean & policy*"),
            ],
            check: "Which metadata items, input parameters or default values are numbers, dates or booleans?",
            fix: "Write the value in the form of its type: 3600, true, 2026-01-31."),
        .known(
            "step-of-the-journey-misplaced",
            "The steps of the journey do not follow one another as they must: a number is skipped, or a selection is not followed by its claims exchange.",
            signs: [
                .certain("was expected to have step with order"),
                .certain("is followed by a claims provider selection step and must be a claims exchange"),
            ],
            check: "Are the Orders 1, 2, 3 without a gap in this journey and the one it inherits?",
            fix: "Number the steps without gaps; after a selection comes the step with the exchanges that it names."),
        .known(
            "password-policy-of-the-write",
            "A profile writes a password that the policy does not check as strong, and does not say so to the directory.",
            signs: [.certain("disablestrongpassword is required in technical profile")],
            check: "Does the profile persist passwordPolicies?",
            fix: "Persist passwordPolicies with DisablePasswordExpiration, DisableStrongPassword."),
        .known(
            "transient-upload-failure",
            "The service failed at the upload without saying why: usually a mandatory element is missing in the file, or the service was busy.",
            signs: [
                .fair("object reference not set to an instance of an object & validation failed*"),
                .fair("object reference not set to an instance of an object & upload*"),
                .fair("upload* & \"unknownerror\" & b2c_1a_* | upload* & trustframework* & unknownerror"),
                .fair("upload* & trustframework* & unauthenticated"),
            ],
            check: "Does the same file upload a minute later? If not, which element was added last?",
            fix: "Upload again; else check the file with `b2c validate` for elements that are missing."),
        .known(
            "journey-log-stays-empty",
            "The journey recorder sends nothing to this Application Insights resource: JourneyInsights takes the instrumentation key alone, and the resource's region wants an ingestion endpoint; or the policy is not in development mode.",
            signs: [
                .fair("ingestionendpoint & journey* | ingestionendpoint & b2c* | ingestionendpoint & developermode"),
                .fair("journeyinsights & no traces | journeyinsights & no logs"),
            ],
            check:
                "Has TrustFrameworkPolicy DeploymentMode and UserJourneyRecorderEndpoint, JourneyInsights DeveloperMode true, and does a resource in another region get the traces?",
            fix:
                "Set the three attributes in the relying party's file, and use a resource in a region without an own endpoint."
        ),
        .known(
            "trust-framework-permission",
            "The app or person that uploads policies has no permission for it in the B2C tenant: an app of another tenant, or without admin consent.",
            signs: [
                .certain("required application permissions & trustframework*"),
                .certain("required delegated permissions & trustframework*"),
                .strong("does not have any of the required application permissions"),
                .strong("does not have any of the required delegated permissions"),
                .strong("user authorization: access is denied"),
            ],
            check:
                "Is the app registered in the B2C tenant itself, with Policy.ReadWrite.TrustFramework and admin consent, and is the token for that tenant?",
            fix:
                "Register the app in the B2C tenant, add the permission that the message names, grant admin consent, and sign in to that tenant."
        ),
    ]

    /// SAML partners, on either side.
    static let partners: [Cause] = [
        .known(
            "saml-metadata-of-the-wrong-side",
            "PartnerEntity has the metadata of a service provider in place of that of an identity provider: it describes an app, not something that signs people in.",
            signs: [.certain("does not contain an idpssodescriptor"), .strong("idpssodescriptor & metadata")],
            check:
                "Has the metadata an IDPSSODescriptor or an SPSSODescriptor? Is PartnerEntity in the profile of a provider or in the relying party?",
            fix:
                "For an identity provider use its own metadata. An app (service provider) is registered as application with samlMetadataUrl, and its policy's relying party needs no PartnerEntity."
        ),
        .known(
            "saml-reply-address",
            "The address to which the app wants its SAML response is not among those registered: its metadata, or the reply URLs of the registration, do not list it.",
            signs: [
                .certain("does not have assertion consumer service url & specified in its metadata"),
                .strong("specified assertion consumer service url & is invalid"),
                .strong("assertionconsumerserviceurl & not | assertion consumer service url & does not"),
            ],
            check:
                "Compare AssertionConsumerServiceURL of the request with the app's metadata (samlMetadataUrl) and the reply URLs, character by character.",
            fix:
                "Add the address to the metadata at samlMetadataUrl, or to the reply URLs where there is no metadata; the metadata takes precedence over the reply URLs."
        ),
        .known(
            "saml-app-not-found",
            "No app of the tenant has the issuer of the SAML request among its identifier URIs.",
            signs: [
                .strong("no application & issueruri | application & issueruri & not found"),
                .strong("issueruri & could not be found | issuer & samlrequest & not registered"),
            ],
            check:
                "Compare the Issuer of the AuthnRequest with identifierUris of the registration, character by character.",
            fix: "Put the entity id of the app into identifierUris of its registration."),
        .known(
            "saml-audience",
            "The app refuses the SAML assertion, since its audience is not the app's entity id.",
            signs: [
                .certain("the service provider is not a valid audience of the assertion"),
                .strong("audience restriction & saml* | audiencerestriction & not | not a valid audience & assertion"),
            ],
            check:
                "Compare Audience of the assertion with the app's entity id and with identifierUris of the registration.",
            fix: "Send the entity id as Issuer of the request, and register exactly it in identifierUris."),
        .known(
            "saml-response-not-signed",
            "B2C expects a signature that the SAML identity provider does not make: of the response, the assertion, or the request by redirect.",
            signs: [
                .strong("aadb2c90168"), .strong("does not contain the required parameter 'signature'"),
                .strong("saml* & response & not signed & identity provider"),
            ],
            check: "Does the provider sign the message, or the assertion alone (AD FS: SamlResponseSignature)?",
            fix:
                "Let the provider sign both (AD FS: Set-AdfsRelyingPartyTrust -SamlResponseSignature MessageAndAssertion), or set ResponsesSigned or WantsSignedAssertions to false in the profile."
        ),
        .known(
            "saml-assertion-not-signed-for-the-app",
            "The app wants a signed assertion and B2C signs the response alone: the issuer profile has no SamlAssertionSigning key, or the app's metadata does not ask for it.",
            signs: [
                .strong("assertion & not signed & service provider | wantassertionssigned & not signed"),
                .fair("assertion is not signed | assertion isn't signed | unsigned assertion"),
                .excluded(by: "aadb2c90168 | identity provider & wantssignedassertions"),
            ],
            check:
                "Has the app's metadata WantAssertionsSigned=\"true\", and the SAML issuer profile keys SamlMessageSigning and SamlAssertionSigning?",
            fix:
                "Add the key SamlAssertionSigning to the issuer profile, and WantAssertionsSigned to the app's metadata."
        ),
        .known(
            "saml-metadata-not-read",
            "B2C cannot read the metadata of the SAML partner: PartnerEntity is not reachable, or is not metadata.",
            signs: [.strong("aadb2c90188"), .strong("aadb2c90242"), .strong("partnerentity & metadata & not")],
            check:
                "Does PartnerEntity open from the internet, and is it an EntityDescriptor (in CDATA if it is inline)?",
            fix: "Correct PartnerEntity, or put the metadata into the policy as CDATA."),
        .known(
            "saml-status-of-the-provider",
            "The SAML partner answered with an error status; the message under it says which.",
            signs: [
                .fair("urn:oasis:names:tc:saml:2.0:status:responder | urn:oasis:names:tc:saml:2.0:status:requester"),
                .fair("status:authnfailed | status:nopassive | status:invalidnameidpolicy"),
            ],
            check: "What do StatusMessage of the response and the log of the partner say?",
            fix:
                "invalidNameIDPolicy: set NameIdPolicyFormat. AuthnFailed: the person was refused there. Else ask the partner."
        ),
    ]
}
