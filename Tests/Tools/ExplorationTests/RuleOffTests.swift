import Diagnostics
import JSON
import TenantFiles
import Testing
import TrustFramework

@testable import Exploration

/// Each rule with a policy that breaks it: the rule finds it, and nothing else does when the rule is off.
struct RuleOffTests {
    @Test(arguments: BrokenPolicy.all)
    func `a rule finds the policy that breaks it, and only while it is on`(_ broken: BrokenPolicy) throws {
        func isIt(_ diagnostic: Diagnostic) -> Bool {
            diagnostic.rule == broken.rule.id && (broken.names.isEmpty || diagnostic.message.contains(broken.names))
        }
        // The sound policy has no such finding, unless the rule is about how the policy is explored.
        if broken.edits != [] {
            #expect(try !BrokenPolicy.soundFindings.get().contains(where: isIt))
        }
        var exploration = try BrokenPolicy.explore(broken.edits, limits: broken.limits, invariants: broken.invariants)
        let found = try #require(
            exploration.findings.map(\.diagnostic).first(where: isIt),
            "\(exploration.findings.map { "\($0.diagnostic.rule) \($0.diagnostic.message)" }.joined(separator: "\n"))")
        #expect(found.severity == broken.rule.severity)
        // The step, profile or transformation that caused it, not the relying party.
        #expect(found.location?.line != nil)
        exploration.off = [broken.rule]
        #expect(!exploration.findings.map(\.diagnostic.rule).contains(broken.rule.id))
    }

    /// A precondition that never decides does not count, even if an empty field makes it hold.
    @Test func `an empty field that decides nothing switches nothing off`() throws {
        let exploration = try BrokenPolicy.explore(BrokenPolicy.skippedBeforeTheField, limits: ExplorationLimits())
        let found = exploration.findings.map(\.diagnostic).filter { $0.rule == ExplorationRule.optionalSwitchesOff.id }
        #expect(found.map(\.message) == [])
    }

    /// Who has proved the number on file, now or in a visit whose session has the proof, may be asked for another one.
    @Test func `a page that changes a number after the one on file was proved has not forgotten it`() throws {
        let exploration = try BrokenPolicy.explore(BrokenPolicy.numberEdit, limits: ExplorationLimits())
        #expect(exploration.pages.map(\.name).contains("PhoneFactor-Edit"))
        let found = exploration.findings.map(\.diagnostic).filter { $0.rule == ExplorationRule.factorForgotten.id }
        #expect(found.map(\.message) == [])
    }

    /// The same page in place of the proof is the defect: nobody looked at the number on file.
    @Test func `a page that asks for a number before the one on file was proved has forgotten it`() throws {
        let exploration = try BrokenPolicy.explore(
            BrokenPolicy.numberEdit + [BrokenPolicy.withoutProof], limits: ExplorationLimits())
        let found = exploration.findings.map(\.diagnostic).filter { $0.rule == ExplorationRule.factorForgotten.id }
        #expect(found.map { $0.message.contains("PhoneFactor-Edit") } == [true])
    }

    @Test func `every rule about a policy has a policy that breaks it`() {
        let ofFiles = ExplorationRule.allCases.filter { $0.rawValue >= "B2C-EXP-100" }
        // This policy asks everybody for a second factor, which nobody has for another account: TestActorsTests has that rule.
        let tested = Set(BrokenPolicy.all.map(\.rule)).union(ofFiles).union([.strangersAccount])
        #expect(ExplorationRule.allCases.filter { !tested.contains($0) } == [])
    }

    @Test func `every rule has a demand, and messages name what the rule has places for`() {
        for rule in ExplorationRule.allCases {
            #expect(rule.demand.hasSuffix("."), "\(rule.id)")
            #expect(!rule.message(["a", "b", "c", "d"]).contains("{"), "\(rule.id)")
        }
        #expect(Set(ExplorationRule.allCases.map(\.demand)).count == ExplorationRule.allCases.count)
    }
}

/// A sign-up or sign-in with local accounts, an identity provider and a second factor, with edits.
struct BrokenPolicy: Sendable, CustomTestStringConvertible {
    struct Edit: Sendable, Equatable {
        /// The text after which `find` is looked for.
        var anchor: String
        var find: String
        var replace: String

        init(_ anchor: String, _ find: String, _ replace: String) {
            self.anchor = anchor
            self.find = find
            self.replace = replace
        }
    }

    var rule: ExplorationRule
    var edits: [Edit]
    /// What the message names.
    var names = ""
    var limits = ExplorationLimits()
    var invariants: JSONValue?

    var testDescription: String { rule.id }

    /// Findings of the policy without edits.
    static let soundFindings = Result {
        try explore([], limits: ExplorationLimits()).findings.map(\.diagnostic)
    }

    static func sound() throws -> String {
        let tenant = try Tenant(json: [
            "name": "contoso", "providers": ["facebook": [:]],
            "apps": [
                "app": ["client": ["kind": "msal-ios", "policy": "flow"], "platform": ["bundleId": "com.contoso"]]
            ],
            "policies": [
                "flow": [
                    "id": "B2C_1_flow", "type": "signUpOrSignIn", "providers": ["facebook"],
                    "emailVerification": "legacy", "attributes": ["displayName", "city"],
                    "claims": ["displayName", "city", "objectId", "emails", "identityProvider"],
                    "mfa": ["method": "sms", "when": "always"],
                ]
            ],
        ])
        return PolicyWriter.show(try UserFlowCompiler.compile(try #require(tenant.policies.first), tenant: tenant))
    }

    static func explore(_ edits: [Edit], limits: ExplorationLimits, invariants: JSONValue? = nil) throws -> Exploration
    {
        var text = try sound()
        for edit in edits {
            let start = try #require(text.ranges(of: edit.anchor).first, "no \(edit.anchor)")
            let place = try #require(
                text[start.lowerBound...].ranges(of: edit.find).first, "no \(edit.find) after \(edit.anchor)")
            text.replaceSubrange(place, with: edit.replace)
        }
        let document = try PolicyReader.read(file: "planted.xml", bytes: Array(text.utf8))
        let policy = try PolicyLinker.link(PolicyInheritance.merge([document]), personality: .customPolicy)
        let asked = try invariants.map {
            try Invariants(file: "explore.json", bytes: Array(JSONWriter.pretty($0).utf8), policy: policy)
        }
        return try Explorer.explore(policy, limits: limits, invariants: asked ?? Invariants())
    }

    // MARK: Pieces

    private static func profile(_ id: String) -> String { "<TechnicalProfile Id=\"\(id)\">" }
    private static let journey = "<UserJourney Id=\"SignUpOrSignIn\">"
    private static let party = "<RelyingParty>"
    private static let top = "<TrustFrameworkPolicy"

    private static func output(_ claim: String, _ more: String = "") -> String {
        "<OutputClaim ClaimTypeReferenceId=\"\(claim)\"\(more) />"
    }

    private static func persisted(_ claim: String, _ more: String = "") -> String {
        "<PersistedClaim ClaimTypeReferenceId=\"\(claim)\"\(more) />"
    }

    private static func validation(_ id: String, _ more: String = " ", _ inside: String? = nil) -> String {
        inside.map {
            "<ValidationTechnicalProfile ReferenceId=\"\(id)\"\(more)>\($0)</ValidationTechnicalProfile>"
        } ?? "<ValidationTechnicalProfile ReferenceId=\"\(id)\"\(more)/>"
    }

    private static func added(_ id: String, _ inside: String) -> Edit {
        Edit(
            top, "<ClaimsProviders>",
            "<ClaimsProviders><ClaimsProvider><DisplayName>Added</DisplayName><TechnicalProfiles>"
                + "<TechnicalProfile Id=\"\(id)\"><DisplayName>\(id)</DisplayName>\(inside)</TechnicalProfile>"
                + "</TechnicalProfiles></ClaimsProvider>")
    }

    private static func rest(_ id: String, _ claims: String) -> Edit {
        added(
            id,
            "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
                + "<Metadata><Item Key=\"ServiceUrl\">https://api.example.test/\(id)</Item>"
                + "<Item Key=\"AuthenticationType\">None</Item><Item Key=\"AllowInsecureAuthInProduction\">true</Item>"
                + "<Item Key=\"SendClaimsIn\">Body</Item></Metadata>\(claims)")
    }

    private static func input(_ claim: String) -> String {
        "<InputClaims><InputClaim ClaimTypeReferenceId=\"\(claim)\" /></InputClaims>"
    }

    private static func claimType(_ id: String, _ more: String = "") -> Edit {
        Edit(
            top, "<ClaimsSchema>",
            "<ClaimsSchema><ClaimType Id=\"\(id)\"><DisplayName>\(id)</DisplayName><DataType>string</DataType>\(more)</ClaimType>"
        )
    }

    private static let page =
        "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
        + "<Metadata><Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item></Metadata>"

    private static let terms = [
        claimType(
            "terms",
            "<UserInputType>CheckboxMultiSelect</UserInputType><Restriction><Enumeration Text=\"I agree\" Value=\"yes\" SelectByDefault=\"false\" /></Restriction>"
        ),
        Edit(
            top, "<ContentDefinitions>",
            "<ContentDefinitions><ContentDefinition Id=\"api.added\"><LoadUri>~/tenant/default/selfAsserted.cshtml</LoadUri><RecoveryUri>~/common/default_page_error.html</RecoveryUri><DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri></ContentDefinition>"
        ),
        added(
            "SelfAsserted-Terms",
            page.replacing("api.selfasserted", with: "api.added")
                + "<OutputClaims>\(output("terms", " Required=\"true\""))</OutputClaims>"),
    ]

    private static func skipIf(_ claim: String, equals value: String, _ holds: Bool = true) -> String {
        "<Preconditions><Precondition Type=\"ClaimEquals\" ExecuteActionsIf=\"\(holds)\"><Value>\(claim)</Value><Value>\(value)</Value>"
            + "<Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>"
    }

    private static func step(_ order: Int, _ conditions: String, _ profile: String) -> String {
        "<OrchestrationStep Order=\"\(order)\" Type=\"ClaimsExchange\">\(conditions)<ClaimsExchanges>"
            + "<ClaimsExchange Id=\"Added\(order)\" TechnicalProfileReferenceId=\"\(profile)\" /></ClaimsExchanges>"
            + "</OrchestrationStep>"
    }

    private static let send = "<OrchestrationStep Order=\"8\" Type=\"SendClaims\""

    private static func last(_ steps: String, _ order: Int) -> Edit {
        Edit(journey, send, steps + send.replacing("\"8\"", with: "\"\(order)\""))
    }

    private static let signIn = profile("SelfAsserted-LocalAccountSignin-Email")
    private static let signUp = profile("LocalAccountSignUpWithLogonEmail")
    private static let login = validation("login-NonInteractive-Email")
    private static let write = validation("AAD-UserWriteUsingLogonEmail")
    private static let skipValidation = "<Action>SkipThisValidationTechnicalProfile</Action>"
    private static let verified = " PartnerClaimType=\"Verified.Email\""
    static let check = rest("REST-Check", input("email"))

    /// The check is skipped by what is always there; the precondition about the optional field comes after it.
    static let skippedBeforeTheField = [
        check, Edit(signUp, output("city", " Required=\"true\""), output("city")),
        Edit(
            signUp, write,
            validation(
                "REST-Check", "",
                "<Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\"><Value>email</Value>\(skipValidation)</Precondition><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"false\"><Value>city</Value>\(skipValidation)</Precondition></Preconditions>"
            ) + write),
    ]

    /// After the second factor a page asks for a new number, and it is written.
    static let numberEdit = [
        added(
            "PhoneFactor-Edit",
            "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.PhoneFactorProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
                + "<Metadata><Item Key=\"ContentDefinitionReferenceId\">api.phonefactor</Item><Item Key=\"ManualPhoneNumberEntryAllowed\">true</Item></Metadata>"
                + "<InputClaimsTransformations><InputClaimsTransformation ReferenceId=\"CreateUserIdForMFA\" /></InputClaimsTransformations>"
                + "<InputClaims><InputClaim ClaimTypeReferenceId=\"userIdForMFA\" PartnerClaimType=\"UserId\" /></InputClaims>"
                + "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"Verified.strongAuthenticationPhoneNumber\" PartnerClaimType=\"Verified.OfficePhone\" /></OutputClaims>"
                + "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />"),
        last(step(8, "", "PhoneFactor-Edit") + step(9, "", "AAD-UserWritePhoneNumberUsingObjectId"), 10),
    ]
    /// The step of the second factor runs nothing that asks for anything.
    static let withoutProof = Edit(
        journey, "TechnicalProfileReferenceId=\"PhoneFactor-InputOrVerify\"",
        "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\"")

    private static let level =
        "<Metadata><Item Key=\"Operation\">Read</Item><Item Key=\"RaiseErrorIfClaimsPrincipalDoesNotExist\">true</Item></Metadata>"
        + "<InputClaims><InputClaim ClaimTypeReferenceId=\"objectId\" Required=\"true\" /></InputClaims><OutputClaims>"
        + "<OutputClaim ClaimTypeReferenceId=\"level\" DefaultValue=\"1\" AlwaysUseDefaultValue=\"true\" /></OutputClaims>"
        + "<IncludeTechnicalProfile ReferenceId=\"AAD-Common\" />"

    static let refresh = [
        Edit(
            journey, "</UserJourney>",
            "</UserJourney><UserJourney Id=\"Refresh\"><OrchestrationSteps>" + step(1, "", "RefreshSetup")
                + step(2, "", "AAD-UserReadUsingObjectId")
                + "<OrchestrationStep Order=\"3\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />"
                + "</OrchestrationSteps></UserJourney>"),
        Edit(
            party, "<DefaultUserJourney ReferenceId=\"SignUpOrSignIn\" />",
            "<DefaultUserJourney ReferenceId=\"SignUpOrSignIn\" /><Endpoints><Endpoint Id=\"Token\" UserJourneyReferenceId=\"Refresh\" /></Endpoints>"
        ),
        added("RefreshSetup", "<Protocol Name=\"None\" /><OutputClaims>\(output("objectId"))</OutputClaims>"),
    ]

    // MARK: Policies

    static let all: [BrokenPolicy] = {
        // Statement by statement: the compiler takes very long for one list.
        var all: [BrokenPolicy] = []
        all.append(
            BrokenPolicy(
                rule: .stepNeverRuns,
                edits: [
                    Edit(
                        journey, step6,
                        step6
                            + "<Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\"><Value>objectId</Value><Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>"
                    )
                ], names: "step 6"))
        all.append(
            BrokenPolicy(
                rule: .preconditionNeverSkips,
                edits: [
                    Edit(
                        journey, step6, step6 + skipIf("authenticationSource", equals: "elsewhere"))
                ], names: "step 6"))
        all.append(
            BrokenPolicy(
                rule: .profileNeverRuns,
                edits: [
                    check,
                    Edit(
                        journey, "<ClaimsExchange Id=\"SignUpWithLogonEmailExchange\"",
                        "<ClaimsExchange Id=\"Never\" TechnicalProfileReferenceId=\"REST-Check\" /><ClaimsExchange Id=\"SignUpWithLogonEmailExchange\""
                    ),
                ], names: "REST-Check"))
        all.append(
            BrokenPolicy(
                rule: .validationNeverRuns,
                edits: [
                    check,
                    Edit(
                        signUp, write,
                        validation(
                            "REST-Check", "",
                            "<Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\"><Value>email</Value>\(skipValidation)</Precondition></Preconditions>"
                        ) + write),
                ], names: "REST-Check"))
        all.append(
            BrokenPolicy(
                rule: .pageNeverLeft,
                edits: [
                    Edit(
                        signUp, output("email", verified + " Required=\"true\""),
                        output("email", verified + " Required=\"true\"") + output("ghost", " Required=\"true\"")),
                    claimType("ghost", "<UserInputType>Readonly</UserInputType>"),
                ], names: "LocalAccountSignUpWithLogonEmail"))
        all.append(
            BrokenPolicy(rule: .forged, edits: [Edit(signIn, login, "")], names: "password"))
        all.append(
            BrokenPolicy(
                rule: .unverified,
                edits: [
                    claimType("workMail", "<UserInputType>EmailBox</UserInputType>"),
                    Edit(signUp, output("newUser"), output("newUser") + output("workMail", " Required=\"true\"")),
                    Edit(party, output("city"), output("city") + output("workMail")),
                ], names: "workMail"))
        let signInByName: [Edit] = [
            Edit(signIn, login, validation("Read-Name")),
            added(
                "Read-Name",
                "<Metadata><Item Key=\"Operation\">Read</Item><Item Key=\"RaiseErrorIfClaimsPrincipalDoesNotExist\">true</Item></Metadata><InputClaims><InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"signInNames.emailAddress\" Required=\"true\" /></InputClaims><OutputClaims>\(output("objectId"))\(output("authenticationSource", " DefaultValue=\"localAccountAuthentication\""))</OutputClaims><IncludeTechnicalProfile ReferenceId=\"AAD-Common\" />"
            ),
        ]
        all.append(BrokenPolicy(rule: .disabled, edits: signInByName))
        all.append(
            BrokenPolicy(
                rule: .notTried,
                edits: [
                    claimType("place"), check,
                    added(
                        "Place",
                        "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
                            + "<Metadata><Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item></Metadata><OutputClaims>"
                            + output("place", " DefaultValue=\"{Context:IPAddress}\" AlwaysUseDefaultValue=\"true\"")
                            + "</OutputClaims>"),
                    last(
                        step(8, "", "Place") + step(9, skipIf("place", equals: "203.0.113.7"), "REST-Check"), 10),
                ], names: "place"))
        all.append(
            BrokenPolicy(
                rule: .overwritten,
                edits: [
                    Edit(
                        profile("AAD-UserWriteUsingLogonEmail"),
                        "<Item Key=\"RaiseErrorIfClaimsPrincipalAlreadyExists\">true</Item>", "")
                ], names: "password"))
        all.append(
            BrokenPolicy(
                rule: .exception,
                edits: [
                    Edit(
                        journey, "TechnicalProfileReferenceId=\"AAD-UserReadUsingAlternativeSecurityId-NoError\"",
                        "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\"")
                ], names: "input claim objectId of AAD-UserReadUsingObjectId"))
        all.append(
            BrokenPolicy(
                rule: .writtenThoughFailed,
                edits: [rest("REST-Welcome", input("objectId")), last(step(8, "", "REST-Welcome"), 9)]))
        all.append(
            BrokenPolicy(
                rule: .writtenThoughRefused, edits: [check, Edit(signUp, write, write + validation("REST-Check"))],
                names: "LocalAccountSignUpWithLogonEmail"))
        all.append(
            BrokenPolicy(
                rule: .notSimulated,
                edits: [
                    added(
                        "Unknown",
                        "<Protocol Name=\"Proprietary\" Handler=\"Contoso.Providers.Own, Contoso, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
                    ), last(step(8, "", "Unknown"), 9),
                ]))
        all.append(
            BrokenPolicy(
                rule: .factorSkipped,
                edits: [
                    Edit(journey, step6, step6 + skipIf("authenticationSource", equals: "socialIdpAuthentication"))
                ],
                names: "PhoneFactor-InputOrVerify"))
        all.append(
            BrokenPolicy(
                rule: .claimLost,
                edits: [
                    Edit(profile("AAD-UserWriteUsingLogonEmail"), persisted("city"), ""),
                    Edit(profile("AAD-UserWriteUsingAlternativeSecurityId"), persisted("city"), ""),
                ], names: "city"))
        all.append(
            BrokenPolicy(
                rule: .claimNeverIssued,
                edits: [claimType("loyalty"), Edit(party, output("city"), output("city") + output("loyalty"))],
                names: "loyalty"))
        all.append(
            BrokenPolicy(
                rule: .noToken,
                edits: [
                    added(
                        "Fails",
                        "<Metadata><Item Key=\"Operation\">Read</Item><Item Key=\"RaiseErrorIfClaimsPrincipalDoesNotExist\">true</Item></Metadata><InputClaims><InputClaim ClaimTypeReferenceId=\"objectId\" Required=\"true\" DefaultValue=\"00000000-0000-4000-8000-000000000000\" AlwaysUseDefaultValue=\"true\" /></InputClaims><OutputClaims>\(output("objectId"))</OutputClaims><IncludeTechnicalProfile ReferenceId=\"AAD-Common\" />"
                    ), last(step(8, "", "Fails"), 9),
                ]))
        all.append(
            BrokenPolicy(
                rule: .disabledSocial, edits: []))
        all.append(
            BrokenPolicy(
                rule: .unproved,
                edits: [
                    Edit(signIn, login, validation("Read-Name")),
                    added(
                        "Read-Name",
                        "<Metadata><Item Key=\"Operation\">Read</Item><Item Key=\"RaiseErrorIfClaimsPrincipalDoesNotExist\">true</Item></Metadata><InputClaims><InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"signInNames.emailAddress\" Required=\"true\" /></InputClaims><OutputClaims>\(output("objectId"))\(output("authenticationSource", " DefaultValue=\"localAccountAuthentication\""))</OutputClaims><IncludeTechnicalProfile ReferenceId=\"AAD-Common\" />"
                    ),
                ]))
        all.append(
            BrokenPolicy(
                rule: .invariantBroken, edits: [],
                names: "nobody new",
                invariants: ["invariants": [["name": "nobody new", "never": ["person": ["name": "nina"]]]]]))
        all.append(
            BrokenPolicy(
                rule: .invariantNeverAsked, edits: [], names: "of nobody",
                invariants: [
                    "invariants": [
                        [
                            "name": "of nobody", "when": ["claims": ["city": ["$equals": "Nowhere"]]],
                            "never": ["session": true],
                        ]
                    ]
                ]))
        all.append(
            BrokenPolicy(
                rule: .factorForgotten,
                edits: [Edit(profile("AAD-UserReadUsingObjectId"), output("strongAuthenticationPhoneNumber"), "")],
                names: "PhoneFactor-InputOrVerify"))
        all.append(
            BrokenPolicy(
                rule: .madeAgain,
                edits: [
                    Edit(profile("AAD-UserWriteUsingAlternativeSecurityId"), persisted("alternativeSecurityId"), "")
                ]))
        all.append(
            BrokenPolicy(rule: .cut, edits: [], limits: ExplorationLimits(states: 3)))
        all.append(
            BrokenPolicy(rule: .nameUnverified, edits: [Edit(signUp, verified, "")], names: "email"))
        all.append(
            BrokenPolicy(
                rule: .addressUnverified,
                edits: [
                    claimType("workMail", "<UserInputType>EmailBox</UserInputType>"),
                    Edit(signUp, output("newUser"), output("newUser") + output("workMail", " Required=\"true\"")),
                    Edit(
                        profile("AAD-UserWriteUsingLogonEmail"), persisted("city"),
                        persisted("city") + persisted("workMail", " PartnerClaimType=\"extension_workMail\"")),
                ], names: "workMail"))
        all.append(
            BrokenPolicy(
                rule: .foundByChangeable,
                edits: [
                    Edit(
                        profile("Facebook-OAUTH2"), output("issuerUserId", " PartnerClaimType=\"id\""),
                        output("issuerUserId", " PartnerClaimType=\"email\""))
                ], names: "email"))
        all.append(
            BrokenPolicy(
                rule: .optionalSwitchesOff,
                edits: [
                    check,
                    Edit(signUp, output("city", " Required=\"true\""), output("city")),
                    Edit(
                        signUp, write,
                        validation(
                            "REST-Check", "",
                            "<Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"false\"><Value>city</Value>\(skipValidation)</Precondition></Preconditions>"
                        ) + write),
                ], names: "city"))
        all.append(
            BrokenPolicy(rule: .refreshIgnoresRevocation, edits: refresh))
        all.append(
            BrokenPolicy(
                rule: .attributeMismatch,
                edits: [
                    Edit(
                        profile("AAD-UserWriteUsingAlternativeSecurityId"), persisted("city"),
                        persisted("displayName", " PartnerClaimType=\"city\""))
                ], names: "city"))
        all.append(
            BrokenPolicy(
                rule: .failureIgnored,
                edits: [check, Edit(signUp, write, validation("REST-Check", " ContinueOnError=\"true\" ") + write)],
                names: "REST-Check"))
        all.append(
            BrokenPolicy(
                rule: .emptyAnswerPasses,
                edits: terms + [
                    claimType("blocked"),
                    rest("REST-Blocked", input("objectId") + "<OutputClaims>\(output("blocked"))</OutputClaims>"),
                    last(
                        step(8, "", "REST-Blocked")
                            + step(9, skipIf("blocked", equals: "yes", false), "SelfAsserted-Terms"),
                        10),
                ], names: "REST-Blocked"))
        all.append(
            BrokenPolicy(
                rule: .checkSkipped,
                edits: terms + [
                    last(
                        step(
                            8, skipIf("authenticationSource", equals: "socialIdpAuthentication"), "SelfAsserted-Terms"),
                        9)
                ], names: "SelfAsserted-Terms"))
        all.append(
            BrokenPolicy(
                rule: .claimMissing,
                edits: [
                    claimType("level"),
                    Edit(party, output("city"), output("city") + output("level")),
                    added("Level", level),
                    last(
                        step(8, skipIf("authenticationSource", equals: "socialIdpAuthentication"), "Level")
                            + step(9, skipIf("newUser", equals: "True"), "Level"), 10),
                ], names: "level"))
        all.append(
            BrokenPolicy(
                rule: .twoMeanings,
                edits: [
                    Edit(
                        profile("AAD-UserReadUsingAlternativeSecurityId"), output("objectId"),
                        output("objectId") + output("displayName", " PartnerClaimType=\"userPrincipalName\""))
                ], names: "displayName"))
        all.append(
            BrokenPolicy(
                rule: .accountDiffers,
                edits: [
                    Edit(
                        party, output("displayName"),
                        output("displayName", " DefaultValue=\"unknown\" AlwaysUseDefaultValue=\"true\""))
                ], names: "unknown"))
        all.append(
            BrokenPolicy(
                rule: .passwordNotKept,
                edits: [
                    Edit(
                        profile("AAD-UserWriteUsingLogonEmail"),
                        persisted("newPassword", " PartnerClaimType=\"password\""),
                        "<PersistedClaim ClaimTypeReferenceId=\"displayName\" PartnerClaimType=\"password\" DefaultValue=\"Constant-1843\" />"
                    )
                ]))
        all.append(
            BrokenPolicy(
                rule: .fieldUnused,
                edits: [
                    claimType("nickname", "<UserInputType>TextBox</UserInputType>"),
                    Edit(signUp, output("newUser"), output("newUser") + output("nickname")),
                ], names: "nickname"))
        all.append(
            BrokenPolicy(
                rule: .attributeOfSome,
                edits: [Edit(profile("AAD-UserWriteUsingAlternativeSecurityId"), persisted("city"), "")], names: "city")
        )
        all.append(
            BrokenPolicy(
                rule: .subjectChanges,
                edits: [
                    Edit(
                        party, output("sub", " DefaultValue=\"{Claim:objectId}\" AlwaysUseDefaultValue=\"true\""),
                        output("signInNames.emailAddress", " PartnerClaimType=\"sub\"")),
                    Edit(journey, step2Facebook, ""),
                    Edit(journey, "<ClaimsProviderSelection TargetClaimsExchangeId=\"FacebookExchange\" />", ""),
                ], names: "signInNames.emailAddress"))
        all.append(
            BrokenPolicy(
                rule: .issuerShared,
                edits: [
                    added(
                        "Other-OAUTH2",
                        "<Protocol Name=\"OAuth2\" /><Metadata><Item Key=\"ProviderName\">other</Item><Item Key=\"authorization_endpoint\">https://other.example.test/authorize</Item><Item Key=\"AccessTokenEndpoint\">https://other.example.test/token</Item><Item Key=\"ClaimsEndpoint\">https://other.example.test/me</Item><Item Key=\"HttpBinding\">POST</Item><Item Key=\"client_id\">1</Item><Item Key=\"UsePolicyInRedirectUri\">0</Item></Metadata><CryptographicKeys><Key Id=\"client_secret\" StorageReferenceId=\"B2C_1A_OtherSecret\" /></CryptographicKeys><OutputClaims>\(output("issuerUserId", " PartnerClaimType=\"id\""))\(output("displayName", " PartnerClaimType=\"name\""))\(output("identityProvider", " DefaultValue=\"facebook.com\" AlwaysUseDefaultValue=\"true\""))\(output("authenticationSource", " DefaultValue=\"socialIdpAuthentication\" AlwaysUseDefaultValue=\"true\""))</OutputClaims><OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"CreateRandomUPNUserName\" /><OutputClaimsTransformation ReferenceId=\"CreateUserPrincipalName\" /><OutputClaimsTransformation ReferenceId=\"CreateAlternativeSecurityId\" /></OutputClaimsTransformations><UseTechnicalProfileForSessionManagement ReferenceId=\"SM-SocialLogin\" />"
                    ),
                    Edit(
                        journey, "<ClaimsProviderSelection TargetClaimsExchangeId=\"FacebookExchange\" />",
                        "<ClaimsProviderSelection TargetClaimsExchangeId=\"FacebookExchange\" /><ClaimsProviderSelection TargetClaimsExchangeId=\"OtherExchange\" />"
                    ),
                    Edit(
                        journey, step2Facebook,
                        step2Facebook
                            + "<ClaimsExchange Id=\"OtherExchange\" TechnicalProfileReferenceId=\"Other-OAUTH2\" />"),
                ], names: "facebook.com"))
        return all
    }()

    private static let step6 = "<OrchestrationStep Order=\"6\" Type=\"ClaimsExchange\">"
    private static let step2Facebook =
        "<ClaimsExchange Id=\"FacebookExchange\" TechnicalProfileReferenceId=\"Facebook-OAUTH2\" />"
}
