import Diagnostics
import Testing
import Validation

struct ServiceRefusalTextTests {
    // MARK: Splitting

    /// A text as it was received, and how its errors begin.
    struct Form: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var policy: String?
        var tenant: String?
        var items: [String]
        var rules: [[String]]
        var testDescription: String { name }
    }

    private static let heading =
        "Validation failed: 2 validation error(s) found in policy \"B2C_1A_X\" of tenant \"t.example\"."
    private static let seven =
        "User journey \"SignUpOrSignIn\" in policy \"B2C_1A_x\" of tenant \"t.example\" has step 7 with 2 claims exchanges. "
        + "It must be preceded by a claims provider selection in order to determine which claims exchange can be used."
    private static let eight = seven.replacing("step 7", with: "step 8")
    private static let claim =
        "Claim type \"plan\" is the input claim of technical profile \"AAD-Read\" in step \"3\" of user journey \"J\" but it is "
        + "not an output claim in any of the previous steps."
    private static let output =
        "Claim type \"plan\" is the output claim of the relying party's technical profile, but it is not an output claim in any "
        + "of the steps of user journey \"J\"."
    private static let key =
        "Tenant \"t.example\" does not have CryptographicKey referenced by storageReferenceId \"B2C_1A_Key\"."
    private static let element =
        "Schema validation error found at line \"41\" col \"12\" in policy \"B2C_1A_X\" of tenant \"t.example\": The element "
        + "'TechnicalProfile' in namespace 'http://n' has invalid child element 'Protocl' in namespace 'http://n'. List of "
        + "possible elements expected: 'Domain, Protocol' in namespace 'http://n'."

    static let forms: [Form] = [
        Form(
            name: "two errors, the list printed twice", text: heading + seven + eight + seven + eight,
            policy: "B2C_1A_X",
            tenant: "t.example", items: [seven, eight], rules: [["B2C-POL-032"], ["B2C-POL-032"]]),
        Form(
            name: "the portal's words before the heading",
            text: "Unable to upload policy. Reason : " + heading + claim + output + "\n", policy: "B2C_1A_X",
            tenant: "t.example", items: [claim, output], rules: [["B2C-POL-038"], ["B2C-POL-070"]]),
        Form(
            name: "each error in a line of its own", text: heading + "\n" + key + "\n" + claim, policy: "B2C_1A_X",
            tenant: "t.example", items: [key, claim], rules: [["B2C-POL-026"], ["B2C-POL-038"]]),
        Form(
            name: "the answer of Graph",
            text: "{\"error\":{\"code\":\"AADB2C\",\"message\":\""
                + (heading + seven + key).replacing("\"", with: "\\\"") + "\",\"innerError\":{\"date\":\"x\"}}}",
            policy: "B2C_1A_X", tenant: "t.example", items: [seven, key], rules: [["B2C-POL-032"], ["B2C-POL-026"]]),
        Form(
            name: "JSON inside the message of Graph",
            text: "{\"error\":{\"code\":\"UnknownError\",\"message\":\"{\\\"message\\\":\\\""
                + "Policy with 'policyId': B2C_1A_Base cannot be found in the directory 't.example'.\\\"}\"}}",
            policy: nil, tenant: nil,
            items: ["Policy with 'policyId': B2C_1A_Base cannot be found in the directory 't.example'."],
            rules: [["B2C-POL-006"]]),
        Form(
            name: "an internal error with an id behind it",
            text: heading + "Object reference not set to an instance of an object."
                + "62414603-5c62-440b-b772-a1792624c012" + key,
            policy: "B2C_1A_X", tenant: "t.example",
            items: [
                "Object reference not set to an instance of an object.62414603-5c62-440b-b772-a1792624c012", key,
            ], rules: [["B2C-POL-002"], ["B2C-POL-026"]]),
        Form(
            name: "a schema error with sentences in it", text: heading + element + claim, policy: "B2C_1A_X",
            tenant: "t.example", items: [element, claim], rules: [["B2C-POL-002"], ["B2C-POL-038"]]),
        Form(
            name: "errors that nobody published",
            text: heading + "Something in profile \"a.B\" is odd.Another thing in \"C.D\" is odder.",
            policy: "B2C_1A_X",
            tenant: "t.example",
            items: ["Something in profile \"a.B\" is odd.", "Another thing in \"C.D\" is odder."], rules: [[], []]),
        Form(
            name: "a single text", text: key, policy: nil, tenant: "t.example", items: [key], rules: [["B2C-POL-026"]]),
        Form(
            name: "a position in XML",
            text:
                "The policy being uploaded is not XML or is not correctly formatted: Invalid character. Line 12, position 5.",
            policy: nil, tenant: nil,
            items: [
                "The policy being uploaded is not XML or is not correctly formatted: Invalid character. Line 12, position 5."
            ], rules: [["B2C-POL-001"]]),
        Form(
            name: "curly quotation marks of a mail",
            text: "Validation failed: 1 validation error(s) found in policy \u{201C}B2C_1A_X\u{201D} of tenant "
                + "\u{201C}t.example\u{201D}.\u{A0}"
                + key.replacing("\"B2C_1A_Key\"", with: "\u{201C}B2C_1A_Key\u{201D}"),
            policy: "B2C_1A_X", tenant: "t.example", items: [key], rules: [["B2C-POL-026"]]),
    ]

    @Test(arguments: forms) func `a text is split into its errors`(_ form: Form) throws {
        let refusal = try #require(ServiceRefusalText(form.text))
        #expect(refusal.items.map(\.text) == form.items)
        #expect(refusal.items.map(\.rules) == form.rules)
        #expect(refusal.policy == form.policy)
        #expect(refusal.tenant == form.tenant)
    }

    @Test(arguments: ["", "hello", "{}", "{\"error\":{\"message\":\"\"}}", "AADB2C90118: The user has forgotten."])
    func `other texts are none of these`(_ text: String) {
        #expect(ServiceRefusalText(text) == nil)
    }

    @Test func `names are what is in quotes`() throws {
        let refusal = try #require(ServiceRefusalText(Self.heading + Self.claim))
        #expect(refusal.items.first?.names == ["plan", "AAD-Read", "3", "J"])
    }

    @Test func `a long text is read quickly`() {
        let long = Self.heading + String(repeating: Self.claim, count: 5_000)
        #expect(ServiceRefusalText(long)?.items.count ?? 0 < 4)
        #expect(ServiceRefusalText(String(repeating: "{\"message\":\"", count: 20_000)) == nil)
    }

    // MARK: Placing

    private static let files = PolicySample.files.map { SourceText(file: $0.0, bytes: Array($0.1.utf8)) }

    private static func line(_ file: String, _ text: String) -> Int? {
        PolicySample.files.first { $0.0 == file }?.1
            .split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }.map { $0 + 1 }
    }

    /// A text about the sample, in which nothing is wrong: it is placed by its words alone.
    struct Place: Sendable, CustomTestStringConvertible {
        var text: String
        var file: String
        var line: String
        var testDescription: String { text }
    }

    static let places: [Place] = [
        Place(
            text:
                "Claim type \"objectId\" is the input claim of technical profile \"AAD-Level\" in step \"6\" of user journey "
                + "\"SignUpOrSignIn\" but it is not an output claim in any of the previous steps.",
            file: "base.xml", line: "<TechnicalProfile Id=\"AAD-Level\">"),
        Place(
            text:
                "Claim type \"tenantId\" is the output claim of the relying party's technical profile, but it is not an output "
                + "claim in any of the steps of user journey \"SignUpOrSignIn\".",
            file: "susi.xml", line: "ClaimTypeReferenceId=\"tenantId\""),
        Place(
            text:
                "User journey \"SignUpOrSignIn\" in policy \"B2C_1A_susi\" of tenant \"t\" has step 4 with 2 claims exchanges. "
                + "It must be preceded by a claims provider selection in order to determine which can be used.",
            file: "base.xml", line: "<OrchestrationStep Order=\"4\""),
        Place(
            text:
                "Orchestration step order \"5\" in user journey \"SignUpOrSignIn\" in policy \"B2C_1A_susi\" of tenant \"t\" is "
                + "followed by a claims provider selection step and must be a claims exchange, but it is of type Noop.",
            file: "base.xml", line: "<OrchestrationStep Order=\"5\""),
        Place(
            text: "Tenant \"t\" does not have CryptographicKey referenced by storageReferenceId \"B2C_1A_Token\".",
            file: "base.xml", line: "StorageReferenceId=\"B2C_1A_Token\""),
        Place(
            text:
                "TechnicalProfile \"Facebook\" in policy \"B2C_1A_susi\" of tenant \"t\" defines an invalid value \"\" for the "
                + "metadata item \"client_id.\"",
            file: "base.xml", line: "<Item Key=\"client_id\">123"),
        Place(
            text:
                "Profile 'Price' uses an insecure authentication mode that is only allowed in production mode policies with "
                + "metadata key 'AllowInsecureAuthInProduction' set to true.",
            file: "base.xml", line: "<Item Key=\"AuthenticationType\">Bearer"),
        Place(
            text:
                "Persisted Claim 'extension_level' is not supported in Azure Active Directory Provider technical profile "
                + "'AAD-Write' of policy 'B2C_1A_susi'.",
            file: "base.xml", line: "<PersistedClaim ClaimTypeReferenceId=\"extension_level\" DefaultValue=\"1\""),
        Place(
            text:
                "The InputClaims mismatched in ClaimsTransformation with id \"AddMail\" with TransformationMethod \"x\". The "
                + "following InputClaims were declared in the Policy but were not expected by the TransformMethod: "
                + "[StringCollection]collection.",
            file: "base.xml", line: "TransformationClaimType=\"collection\""),
        Place(
            text: "Policy with 'policyId': B2C_1A_Base cannot be found in the directory 't'.", file: "extensions.xml",
            line: "<PolicyId>B2C_1A_Base"),
        Place(
            text:
                "TenantId in the policy xml 'contoso.onmicrosoft.com' is not same as the one in login tenant 'b.example'.",
            file: "susi.xml", line: "TenantId=\"contoso"),
        Place(
            text:
                "The element specified by id 'urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7' cannot be found "
                + "in the element factory cache. Check that element definition exists in the elements folder.",
            file: "base.xml", line: "contract:selfasserted:2.1.7"),
        Place(
            text:
                "Schema validation error found at line \"5\" col \"3\" in policy \"B2C_1A_SUSI\" of tenant \"t\": The element 'x' "
                + "in namespace 'n' cannot contain text.",
            file: "susi.xml", line: "<DefaultUserJourney"),
    ]

    @Test(arguments: places) func `an error is placed by its words`(_ place: Place) throws {
        let text = "Validation failed: 1 validation error(s) found in policy \"B2C_1A_SUSI\" of tenant "
        let refusal = try #require(
            ServiceRefusalText(text + "\"contoso.onmicrosoft.com\"." + place.text))
        let found = refusal.placed(in: Self.files)
        #expect(found.count == 1)
        #expect(found.first?.location?.file == place.file)
        // What is inside an element that takes several lines is not in the line of its start tag.
        let line = try #require(Self.line(place.file, place.line))
        let actual = try #require(found.first?.location?.line)
        #expect(line...(line + 2) ~= actual, "\(actual), expected \(line)")
        #expect(found.first?.remedy != nil)
    }

    @Test(arguments: BrokenSet.all) func `what the upload check says leads back to its line`(_ set: BrokenSet) throws {
        let findings = set.findings
        let message = UploadCheck.message(findings, policyID: "B2C_1A_susi", tenantDomain: BrokenSet.tenant)
        var refusal = try #require(ServiceRefusalText(message), "\(message)")
        // A file that is not XML is refused without a heading; who uploaded it knows the policy.
        refusal.policy = refusal.policy ?? "B2C_1A_susi"
        let files = set.chain.map { SourceText(file: $0.file, bytes: $0.bytes) }
        let placed = refusal.placed(in: files)
        let wanted = findings.first { $0.diagnostic.rule == set.rule }?.diagnostic.location
        #expect(
            placed.contains { $0.location?.file == wanted?.file && $0.location?.line == wanted?.line },
            "\(message)\n\(placed)")
    }

    /// Folders hold other policies, and the policy may be missing.
    @Test func `without the files an error has no place`() throws {
        let refusal = try #require(ServiceRefusalText(Self.heading + Self.claim + Self.key))
        let found = refusal.placed(in: [])
        #expect(found.map(\.rule) == ["B2C-POL-038", "B2C-POL-026"])
        #expect(found.allSatisfy { $0.location == nil })
    }
}
