import Testing
import Validation

/// Texts that refused an upload, with ids of their own in them.
struct ServiceTextTests {
    static let texts: [(text: String, rules: [String])] = [
        ("Unable to upload: file contains invalid XML", ["001"]),
        (
            """
            Validation failed: 1 validation error(s) found in policy "B2C_1A_SIGNIN" of tenant "contoso.onmicrosoft.com".
            Schema validation error found at line "41" col "12" in policy "B2C_1A_SIGNIN" of tenant
            "contoso.onmicrosoft.com": The element 'TechnicalProfile' in namespace
            'http://schemas.microsoft.com/online/cpim/schemas/2013/06' has invalid child element 'Protocl' in namespace
            """, ["002"]
        ),
        (
            "Schema validation error found at line 41 col 12 in policy B2C_1A_X: The Pattern constraint failed.",
            ["002", "003"]
        ),
        ("Policy with 'policyId': B2C_1A_Base cannot be found in the directory 'contoso.onmicrosoft.com'.", ["006"]),
        (
            "Policy 'B2C_1A_X' of tenant 'c' is not allowed to inherit from the specified base policy. Inheritance chain: a",
            ["006"]
        ),
        (
            "TenantId in the policy xml 'a.onmicrosoft.com' is not same as the one in login tenant 'b.onmicrosoft.com'.",
            ["007"]
        ),
        (
            "Tenant \"c\" already has a policy with id \"B2C_1A_X\". Another policy with the same id cannot be stored",
            ["011"]
        ),
        ("There is a duplicate key sequence 'email' for the ... key", ["014", "015", "016"]),
        (
            "Technical profile \"A\" in policy \"B2C_1A_X\" makes a reference to ClaimType with id \"plan\" but neither the "
                + "policy nor any of its base policies contain such an element", ["020"]
        ),
        (
            "Step 3 makes a reference to TechnicalProfile with id \\\"REST-X\\\" but neither the policy nor any of its base "
                + "policies contain such an element", ["021"]
        ),
        (
            "X makes a reference to ClaimsTransformation with id \"Y\" but neither the policy nor any of its base policies",
            ["022"]
        ),
        (
            "X makes a reference to ContentDefinition with id \"api.x\" but neither the policy nor any of its base policies",
            ["023", "024", "025"]
        ),
        (
            "Tenant \"c\" does not have CryptographicKey referenced by storageReferenceId \"B2C_1A_Key\"", ["026"]
        ),
        ("User journey \"J\" was expected to have step with order \"4\" but it was not found in P", ["030"]),
        (
            "Orchestration step order \"2\" in user journey \"J\" in policy \"P\" is followed by a claims provider selection "
                + "step and must be a claims exchange, but it is of type SendClaims", ["031"]
        ),
        (
            "User journey \"J\" of policy \"P\" has step 2 with 3 claims exchanges. It must be preceded by a claims provider "
                + "selection in order to determine which claims exchange can be used.", ["032"]
        ),
        (
            "CLAIM TYPE \u{201C}plan\u{201D} is the input claim of technical profile \u{201C}A B\u{201D} in step \u{201C}7\u{201D}\n"
                + "of user journey \u{201C}J\u{201D} but it is not an output claim in any of the previous steps.",
            ["038"]
        ),
        (
            "The InputClaims mismatched in ClaimsTransformation with id \"x\" with TransformationMethod \"y\".",
            ["044", "045"]
        ),
        ("Input string was not in a correct format.", ["046", "047"]),
        (
            "Output claim type \"plan\" specified in the technical profile with id \"A\" in policy \"P\" of tenant \"T\" does "
                + "not specify a UserInputType or a DefaultValue, and is not retrieved from", ["055"]
        ),
        (
            "Output Claim 'plan,other' is not supported in Azure Active Directory Provider technical profile 'A' of policy",
            ["058"]
        ),
        ("Persisted Claim 'plan' is not supported in Azure Active Directory Provider", ["058"]),
        (
            "A required Metadata item with key \"ApplicationObjectId\" was not found in the TechnicalProfile with id \"A\"",
            ["059"]
        ),
        ("DisableStrongPassword is required in Technical Profile 'AAD-Write' of policy", ["060"]),
        (
            "TechnicalProfile \"A\" in policy \"P\" defines an invalid value \"\" for the metadata item \"client_id.\"",
            ["061"]
        ),
        (
            "Profile 'REST-A' uses an insecure authentication mode that is only allowed in production mode policies",
            ["064", "079"]
        ),
        (
            "Claim type \"plan\" is the output claim of the relying party's technical profile, but it is not an output claim "
                + "in any of the steps of user journey \"J\".", ["070"]
        ),
        (
            "The element specified by id 'urn:com:x:1.0' cannot be found in the element factory cache. Check that",
            ["073"]
        ),
        ("Object reference not set to an instance of an object", ["002"]),
        // Near misses.
        ("Claim type \"plan\" is the output of something else", []),
        ("makes a reference to nothing", []),
        ("", []),
    ]

    @Test(arguments: texts)
    func `a pasted text names its rules`(text: String, rules: [String]) {
        var found: [String] = []
        for rule in ServiceText.found(in: text).flatMap(\.rules) where !found.contains(rule) { found.append(rule) }
        #expect(Set(found) == Set(rules.map { "B2C-POL-\($0)" }), "\(found)")
    }

    @Test func `every text finds itself, and long input ends quickly`() {
        for known in ServiceText.all {
            #expect(!ServiceText.found(in: known.template).isEmpty, "\(known.template)")
        }
        let long = String(repeating: "Claim type \"plan\" is the input claim of technical profile ", count: 2_000)
        #expect(ServiceText.found(in: long).isEmpty)
    }
}
