import Diagnostics
import JSON
import TenantFiles
import Testing
import TrustFramework

@testable import Exploration

/// A small policy for each kind of condition: the people, requests and services of an exploration reach both of its ways.
@Suite struct TriedTests {
    /// One condition, and the values of a claim that tokens have on its different ways.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var claim: String
        var expected: [String]
        var policy: @Sendable () -> SmallPolicy
        /// A page that somebody leaves and that refuses somebody.
        var refuses: String?

        var testDescription: String { name }
    }

    private typealias P = SmallPolicy

    private static func values(of claim: String, _ exploration: Exploration) -> Set<String> {
        Set(exploration.issues.map { $0.claims[claim].map { $0.stringValue ?? $0.description } ?? "nothing" })
    }

    private static let typed: [Case] = [
        Case(name: "a constant", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["hit": "boolean"], fields: ["tier": "string"],
                transformations: P.transformation(
                    "T", "CompareClaimToValue", ["inputClaim1": "tier"], ["compareTo": "gold", "operator": "EQUAL"],
                    ["outputClaim": "hit"]),
                profiles: P.page("Ask", "tier", transformations: ["T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "the domain of an address", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["hit": "boolean", "domain": "string"], fields: ["email": "string"],
                transformations: P.transformation(
                    "D", "ParseDomain", ["emailAddress": "email"], [:], ["domain": "domain"])
                    + P.transformation(
                        "T", "CompareClaimToValue", ["inputClaim1": "domain"],
                        ["compareTo": "fabrikam.example", "operator": "EQUAL"], ["outputClaim": "hit"]),
                profiles: P.page("Ask", "email", transformations: ["D", "T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "the domain of an address in a list of words", claim: "hit", expected: ["yes", "nothing"]) {
            P(
                claims: ["hit": "string", "domain": "string"], fields: ["email": "string"],
                transformations: P.transformation(
                    "D", "ParseDomain", ["emailAddress": "email"], [:], ["domain": "domain"])
                    + P.transformation(
                        "T", "LookupValue", ["inputParameterId": "domain"], ["fabrikam.example": "yes"],
                        ["outputClaim": "hit"]),
                profiles: P.page("Ask", "email", transformations: ["D", "T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "a pattern", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["hit": "boolean"], fields: ["plate": "string"],
                transformations: P.transformation(
                    "T", "SetClaimsIfRegexMatch", ["claimToMatch": "plate"], ["matchTo": "^XQ-[0-9]{4}$"],
                    ["regexCompareResultClaim": "hit"]),
                profiles: P.page("Ask", "plate", transformations: ["T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "a part of a text", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["hit": "boolean"], fields: ["plate": "string"],
                transformations: P.transformation(
                    "T", "StringContains", ["inputClaim": "plate"], ["contains": "admin"], ["outputClaim": "hit"]),
                profiles: P.page("Ask", "plate", transformations: ["T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "the first letters of a text", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["hit": "boolean", "start": "string"], fields: ["plate": "string"],
                transformations: P.transformation(
                    "S", "StringSubstring", ["inputClaim": "plate"], ["startIndex": "0", "length": "2"],
                    ["outputClaim": "start"])
                    + P.transformation(
                        "T", "CompareClaimToValue", ["inputClaim1": "start"], ["compareTo": "ZZ", "operator": "EQUAL"],
                        ["outputClaim": "hit"]),
                profiles: P.page("Ask", "plate", transformations: ["S", "T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "a number", claim: "age", expected: ["17", "18", "19"]) {
            P(
                fields: ["age": "int"],
                transformations: P.transformation(
                    "T", "AssertNumber", ["inputClaim": "age"],
                    ["CompareToValue": "18", "Operator": "LessThan", "throwError": "false"], [:]),
                profiles: P.page("Ask", "age", transformations: ["T"]), runs: ["Ask"], outputs: ["age"])
        },
        Case(name: "a date", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["hit": "boolean", "instant": "dateTime"], fields: ["day": "date"],
                transformations: P.transformation(
                    "C", "ConvertDateToDateTimeClaim", ["inputClaim": "day"], [:], ["outputClaim": "instant"])
                    + P.transformation(
                        "T", "DateTimeComparison", ["firstDateTime": "instant"],
                        ["operator": "later than", "timeSpanInSeconds": "7776000"], ["result": "hit"]),
                profiles: P.page("Ask", "day", transformations: ["C", "T"]), runs: ["Ask"], outputs: ["hit"])
        },
        Case(name: "an age", claim: "group", expected: ["Minor", "NotAdult", "Adult"]) {
            P(
                claims: ["group": "string", "country": "string"], fields: ["born": "date"],
                transformations: P.transformation(
                    "T", "GetAgeGroupConsentProvidedAndRequiresConsent",
                    ["dateOfBirth": "born", "countryCode": "country"],
                    [:], ["ageGroup": "group"]),
                profiles: P.page("Ask", "born", transformations: ["T"]), runs: ["Ask"], outputs: ["group"])
        },
        Case(
            name: "a national number with its country", claim: "full", expected: ["+442079460000"],
            policy: {
                P(
                    claims: ["full": "phoneNumber"], fields: ["national": "string", "land": "string"],
                    transformations: P.transformation(
                        "T", "ConvertStringToPhoneNumberClaim", ["phoneNumberString": "national", "country": "land"],
                        [:],
                        ["outputClaim": "full"]),
                    profiles: P.page("Ask", "national land full", validations: ["Check"])
                        + P.transform("Check", "full", ["T"]),
                    runs: ["Ask"], outputs: ["full"])
            }, refuses: "Ask"),
        Case(
            name: "another field", claim: "first", expected: ["text"],
            policy: {
                P(
                    fields: ["first": "string", "again": "string"],
                    transformations: P.transformation(
                        "T", "AssertStringClaimsAreEqual", ["inputClaim1": "first", "inputClaim2": "again"],
                        ["stringComparison": "ordinal"]),
                    profiles: P.page("Ask", "first again", validations: ["Check"]) + P.transform("Check", "", ["T"]),
                    runs: ["Ask"], outputs: ["first"])
            }, refuses: "Ask"),
        Case(
            name: "a constant that a transformation makes", claim: "word", expected: ["open sesame"],
            policy: {
                P(
                    claims: ["expected": "string"], fields: ["word": "string"],
                    transformations: P.transformation(
                        "C", "CreateStringClaim", [:], ["value": "open sesame"], ["createdClaim": "expected"])
                        + P.transformation(
                            "T", "AssertStringClaimsAreEqual", ["inputClaim1": "word", "inputClaim2": "expected"],
                            ["stringComparison": "ordinal"]),
                    profiles: P.page("Ask", "word", validations: ["Check"]) + P.transform("Check", "", ["C", "T"]),
                    runs: ["Ask"], outputs: ["word"])
            }, refuses: "Ask"),
        Case(name: "what was typed into another page", claim: "same", expected: ["true", "false"]) {
            P(
                claims: ["same": "boolean"], fields: ["one": "string", "two": "string"],
                transformations: P.transformation(
                    "T", "CompareClaims", ["inputClaim1": "one", "inputClaim2": "two"], ["operator": "EQUAL"],
                    ["outputClaim": "same"]),
                profiles: P.page("First", "one") + P.page("Second", "two", transformations: ["T"]),
                runs: ["First", "Second"],
                outputs: ["same"])
        },
    ]

    private static let services: [Case] = [
        Case(
            name: "a web API's value and a claim that a transformation makes", claim: "hit",
            expected: ["true", "false"]
        ) {
            P(
                claims: ["status": "string", "expected": "string", "hit": "boolean"],
                transformations: P.transformation(
                    "C", "CreateStringClaim", [:], ["value": "ACTIVE"], ["createdClaim": "expected"])
                    + P.transformation(
                        "T", "CompareClaims", ["inputClaim1": "status", "inputClaim2": "expected"],
                        ["operator": "EQUAL"],
                        ["outputClaim": "hit"]),
                profiles: P.api("Api", "", "status", ["C", "T"]), runs: ["Api"], outputs: ["hit"])
        },
        Case(name: "a value inside the JSON of a web API", claim: "hit", expected: ["true", "false"]) {
            P(
                claims: ["body": "string", "level": "string", "hit": "boolean"],
                transformations: P.transformation(
                    "G", "GetClaimFromJson", ["inputJson": "body"], ["claimToExtract": "level"],
                    ["extractedClaim": "level"])
                    + P.transformation(
                        "T", "CompareClaimToValue", ["inputClaim1": "level"],
                        ["compareTo": "high", "operator": "EQUAL"],
                        ["outputClaim": "hit"]),
                profiles: P.api("Api", "", "body", ["G", "T"]), runs: ["Api"], outputs: ["hit"])
        },
        Case(name: "wrong types, and no claims", claim: "flag", expected: ["true", "false", "nothing"]) {
            P(claims: ["flag": "boolean"], profiles: P.api("Api", "", "flag"), runs: ["Api"], outputs: ["flag"])
        },
        Case(name: "one claim that is missing", claim: "has", expected: ["true", "false"]) {
            P(
                claims: ["one": "string", "two": "string", "has": "boolean"],
                transformations: P.transformation(
                    "T", "DoesClaimExist", ["inputClaim": "two"], [:], ["outputClaim": "has"]),
                profiles: P.api("Api", "", "one two", ["T"]), runs: ["Api"], outputs: ["has", "one"])
        },
    ]

    private static let requests: [Case] = [
        Case(name: "a query parameter", claim: "campaign", expected: ["nothing", "summer", "other"]) {
            P(
                claims: ["campaign": "string"],
                profiles: P.profile(
                    "Read", "Providers.ClaimsTransformationProtocolProvider",
                    """
                    <Metadata><Item Key="IncludeClaimResolvingInClaimsHandling">true</Item></Metadata><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="campaign" DefaultValue="{OAUTH-KV:campaign}" AlwaysUseDefaultValue="true" />
                    </OutputClaims>
                    """) + P.transform("Noop", "", []),
                steps: P.exchange(1, "Read")
                    + P.exchange(
                        2, "Noop",
                        preconditions: """
                            <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>campaign</Value><Value>summer</Value>
                            <Action>SkipThisOrchestrationStep</Action></Precondition>
                            """) + P.send(3), outputs: ["campaign"])
        }
    ]

    /// A profile that reads a claim resolver into a claim, and a step that asks for a value of it.
    private static func resolved(_ resolver: String, compared value: String) -> SmallPolicy {
        P(
            claims: ["read": "string"],
            profiles: P.profile(
                "Read", "Providers.ClaimsTransformationProtocolProvider",
                """
                <Metadata><Item Key="IncludeClaimResolvingInClaimsHandling">true</Item></Metadata><OutputClaims>
                <OutputClaim ClaimTypeReferenceId="read" DefaultValue="{\(resolver)}" AlwaysUseDefaultValue="true" />
                </OutputClaims>
                """) + P.transform("Noop", "", []),
            steps: P.exchange(1, "Read")
                + P.exchange(
                    2, "Noop",
                    preconditions: """
                        <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>read</Value><Value>\(value)</Value>
                        <Action>SkipThisOrchestrationStep</Action></Precondition>
                        """) + P.send(3), outputs: ["read"])
    }

    private static let people: [Case] = [
        Case(name: "login_hint", claim: "read", expected: ["nothing", "bob@example.test"]) {
            resolved("OIDC:LoginHint", compared: "vip@example.test")
        },
        Case(name: "acr_values", claim: "read", expected: ["nothing", "urn:mfa", "other"]) {
            resolved("OIDC:AuthenticationContextReferences", compared: "urn:mfa")
        },
        Case(name: "an id_token_hint", claim: "role", expected: ["admin", "other"]) {
            P(
                claims: ["role": "string"],
                profiles: """
                    <TechnicalProfile Id="Hint"><DisplayName>Hint</DisplayName><Protocol Name="None" /><CryptographicKeys>
                    <Key Id="client_secret" StorageReferenceId="B2C_1A_Hint" /></CryptographicKeys></TechnicalProfile>
                    """ + P.transform("Noop", "", []),
                steps: #"<OrchestrationStep Order="1" Type="GetClaims" CpimIssuerTechnicalProfileReferenceId="Hint" />"#
                    + P.exchange(
                        2, "Noop",
                        preconditions: """
                            <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>role</Value><Value>admin</Value>
                            <Action>SkipThisOrchestrationStep</Action></Precondition>
                            """) + P.send(3), outputs: ["role"],
                inputs: #"<InputClaim ClaimTypeReferenceId="role" />"#)
        },
        Case(name: "a directory attribute", claim: "extension_level", expected: ["gold", "other", "nothing"]) {
            P(
                claims: ["objectId": "string", "extension_level": "string"], fields: ["email": "string"],
                profiles: P.page("Ask", "email objectId extension_level", validations: ["Read"])
                    + P.profile(
                        "Read", "Providers.AzureActiveDirectoryProvider",
                        """
                        <Metadata><Item Key="Operation">Read</Item></Metadata><InputClaims>
                        <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress" /></InputClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" />
                        <OutputClaim ClaimTypeReferenceId="extension_level" /></OutputClaims>
                        """) + P.transform("Noop", "", []),
                steps: P.exchange(1, "Ask")
                    + P.exchange(
                        2, "Noop",
                        preconditions: """
                            <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>extension_level</Value>
                            <Value>gold</Value><Action>SkipThisOrchestrationStep</Action></Precondition>
                            """) + P.send(3), outputs: ["extension_level"])
        },
        Case(name: "a claim of a provider", claim: "tier", expected: ["gold", "other"]) {
            P(
                claims: ["tier": "string", "issuerUserId": "string"],
                profiles: """
                    <TechnicalProfile Id="Provider"><DisplayName>Provider</DisplayName><Protocol Name="OAuth2" /><Metadata>
                    <Item Key="client_id">id</Item><Item Key="authorization_endpoint">https://idp.test/authorize</Item>
                    <Item Key="AccessTokenEndpoint">https://idp.test/token</Item>
                    <Item Key="ClaimsEndpoint">https://idp.test/me</Item></Metadata><CryptographicKeys>
                    <Key Id="client_secret" StorageReferenceId="B2C_1A_Provider" /></CryptographicKeys><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="issuerUserId" PartnerClaimType="id" />
                    <OutputClaim ClaimTypeReferenceId="tier" PartnerClaimType="level" /></OutputClaims></TechnicalProfile>
                    """ + P.transform("Noop", "", []),
                steps: P.exchange(1, "Provider")
                    + P.exchange(
                        2, "Noop",
                        preconditions: """
                            <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>tier</Value><Value>gold</Value>
                            <Action>SkipThisOrchestrationStep</Action></Precondition>
                            """) + P.send(3), outputs: ["tier"])
        },
    ]

    private static var all: [Case] { typed + services + requests + people }

    /// With `trimsPreconditionValues` false the white space around the value of a precondition counts.
    @Test(arguments: [true, false]) func `the value that a precondition compares is tried`(trims: Bool) throws {
        let policy = P(
            claims: ["tier": "string", "hit": "string"],
            profiles: P.api("API", "", "tier")
                + P.profile(
                    "Mark", "Providers.ClaimsTransformationProtocolProvider",
                    P.claims("hit", "Output", #" DefaultValue="yes" AlwaysUseDefaultValue="true""#)),
            steps: P.exchange(1, "API")
                + P.exchange(
                    2, "Mark",
                    preconditions: """
                        <Precondition Type="ClaimEquals" ExecuteActionsIf="false"><Value>tier</Value><Value> gold </Value>
                        <Action>SkipThisOrchestrationStep</Action></Precondition><Precondition Type="ClaimsExist"
                        ExecuteActionsIf="false"><Value>tier</Value><Action>SkipThisOrchestrationStep</Action>
                        </Precondition>
                        """) + P.send(3), outputs: ["hit"])
        var switches = PolicyDefaults()
        switches.trimsPreconditionValues = trims
        let exploration = try Explorer.explore(try policy.link(), switches: switches)
        #expect(Self.values(of: "hit", exploration) == ["yes", "nothing"])
    }

    @Test(arguments: all) func `both ways of a condition are reached`(_ row: Case) throws {
        let exploration = try Explorer.explore(try row.policy().link())
        let found = Self.values(of: row.claim, exploration)
        #expect(found.isSuperset(of: row.expected), "\(row.name): \(found.sorted())")
        #expect(exploration.untried.map(\.words) == [])
        guard let name = row.refuses else { return }
        let page = try #require(exploration.pages.first { $0.name == name })
        #expect(page.isLeft && !page.refusals.isEmpty)
    }
}
