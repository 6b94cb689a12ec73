import Diagnostics
import Exploration
import Foundation
import Testing
import TrustFramework
import Validation

/// Starter packs with small edits, which `b2c policy explore` must find or must not report as errors.
@Suite(.enabled(if: StarterPack.folder != nil, "B2C_STARTER_PACKS is not set")) struct PlantedTests {
    @Test(arguments: PlantedDefect.all)
    func `a planted defect is found by its rule, with its name and a path`(_ defect: PlantedDefect) throws {
        let before = try StarterPack.findings(defect.party, [])
        #expect(
            !before.contains { $0.rule == defect.rule && (defect.names.isEmpty || $0.message.contains(defect.names)) })
        let after = try StarterPack.findings(defect.party, defect.edits)
        let found = after.first {
            $0.rule == defect.rule && (defect.names.isEmpty || $0.message.contains(defect.names))
        }
        #expect(found != nil, "\(defect): \(after.map { "\($0.rule) \($0.message)" }.joined(separator: "\n"))")
        guard !defect.isStatic else { return }
        #expect(found?.remedy?.contains("Path: ") == true)
        #expect(found?.location?.line != nil)
    }

    @Test func `half of the planted defects are invisible to policy validate`() throws {
        let invisible = try PlantedDefect.all.filter { defect in
            try StarterPack.lint(defect.party, defect.edits) == StarterPack.lint(defect.party, [])
        }
        #expect(PlantedDefect.all.count >= 30)
        #expect(invisible.count >= 15)
    }

    @Test(arguments: PlantedDefect.harmless)
    func `a harmless edit has no error`(_ edit: PlantedDefect) throws {
        let errors = try StarterPack.findings(edit.party, edit.edits).filter { $0.severity == .error }
        #expect(errors.map(\.description) == [])
    }
}

/// Policies of a starter pack, with edits.
enum StarterPack {
    static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["B2C_STARTER_PACKS"]
        let path = named ?? Corpus.folder.map { $0 + "/policies/starterpack" }
        return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }()

    /// One replacement in a file: the first occurrence of `find` after `anchor`.
    struct Edit: Sendable {
        var file: String
        var anchor: String
        var find: String
        var replace: String
    }

    struct Broken: Error { var reason: String }

    /// - Parameter party: Pack and file of the relying party, such as `LocalAccounts/SignUpOrSignin.xml`.
    static func documents(_ party: String, _ edits: [Edit]) throws -> [PolicyDocument] {
        let root = try #require(folder)
        let pack = String(party.prefix { $0 != "/" })
        var byID: [String: PolicyDocument] = [:]
        var entry: PolicyDocument?
        for name in try FileManager.default.contentsOfDirectory(atPath: root + "/" + pack).sorted()
        where name.hasSuffix(".xml") {
            let path = "\(root)/\(pack)/\(name)"
            var text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
                .replacing("\r\n", with: "\n")
            for edit in edits where edit.file == name {
                guard let start = edit.anchor.isEmpty ? text.startIndex..<text.startIndex : text.range(of: edit.anchor),
                    let place = text.range(of: edit.find, range: start.lowerBound..<text.endIndex)
                else { throw Broken(reason: "\(name) has no \(edit.find) after \(edit.anchor)") }
                text.replaceSubrange(place, with: edit.replace)
            }
            let document = try PolicyReader.read(file: "\(pack)/\(name)", bytes: Array(text.utf8))
            byID[document.policyID.uppercased()] = document
            if party == "\(pack)/\(name)" { entry = document }
        }
        var chain: [PolicyDocument] = []
        var next = entry
        while let document = next {
            chain.insert(document, at: 0)
            next = document.basePolicy.flatMap { byID[$0.policyID.uppercased()] }
        }
        return chain
    }

    static func findings(_ party: String, _ edits: [Edit]) throws -> [Diagnostic] {
        let policy = try PolicyLinker.link(
            PolicyInheritance.merge(try documents(party, edits)), personality: .customPolicy)
        return try Explorer.explore(policy, tenant: "yourtenant").findings.map(\.diagnostic)
    }

    /// Messages of linking and reading, which is what `b2c policy validate` begins with.
    static func lint(_ party: String, _ edits: [Edit]) throws -> [String] {
        let policy = try PolicyLinker.link(
            PolicyInheritance.merge(try documents(party, edits)), personality: .customPolicy)
        return policy.findings.map { "\($0.rule) \($0.message)" }.sorted()
    }
}

/// A small edit of a starter pack.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
    var name: String
    var party: String
    var edits: [StarterPack.Edit]
    var rule = ""
    /// What the message names.
    var names = ""
    /// The finding is about what no path does.
    var isStatic = false

    var testDescription: String { name }

    private static let both = "SocialAndLocalAccounts/"
    private static let mfa = "SocialAndLocalAccountsWithMfa/"
    private static let signUp = "SignUpOrSignin.xml"
    private static let edit = "ProfileEdit.xml"
    private static let reset = "PasswordReset.xml"

    private static func base(_ anchor: String, _ find: String, _ replace: String) -> StarterPack.Edit {
        StarterPack.Edit(
            file: "TrustFrameworkBase.xml", anchor: "<TechnicalProfile Id=\"\(anchor)\">", find: find, replace: replace)
    }

    private static func journey(_ anchor: String, _ find: String, _ replace: String) -> StarterPack.Edit {
        StarterPack.Edit(
            file: "TrustFrameworkBase.xml", anchor: "<UserJourney Id=\"\(anchor)\">", find: find, replace: replace)
    }

    private static func party(_ file: String, _ find: String, _ replace: String) -> StarterPack.Edit {
        StarterPack.Edit(file: file, anchor: "<RelyingParty>", find: find, replace: replace)
    }

    private static func output(_ claim: String, _ more: String = "") -> String {
        "<OutputClaim ClaimTypeReferenceId=\"\(claim)\"\(more) />"
    }

    private static func persisted(_ claim: String, _ more: String = "") -> String {
        "<PersistedClaim ClaimTypeReferenceId=\"\(claim)\"\(more) />"
    }

    private static func skipIf(_ type: String, _ when: Bool, _ values: String...) -> String {
        "<Preconditions><Precondition Type=\"\(type)\" ExecuteActionsIf=\"\(when)\">"
            + values.map { "<Value>\($0)</Value>" }.joined()
            + "<Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>"
    }

    private static func step(_ order: Int, _ conditions: String, _ profile: String) -> String {
        "<OrchestrationStep Order=\"\(order)\" Type=\"ClaimsExchange\">\(conditions)<ClaimsExchanges>"
            + "<ClaimsExchange Id=\"Added\(order)\" TechnicalProfileReferenceId=\"\(profile)\" /></ClaimsExchanges>"
            + "</OrchestrationStep>"
    }

    /// The last step of the sign-up or sign-in journey, with a step before it.
    private static func lastStep(_ conditions: String, _ profile: String) -> StarterPack.Edit {
        let last = "<OrchestrationStep Order=\"7\" Type=\"SendClaims\""
        return journey(
            "SignUpOrSignIn", last, step(7, conditions, profile) + last.replacing("\"7\"", with: "\"8\""))
    }

    /// A provider with one technical profile, before the others.
    private static func profile(_ id: String, _ inside: String) -> StarterPack.Edit {
        StarterPack.Edit(
            file: "TrustFrameworkBase.xml", anchor: "", find: "<ClaimsProviders>",
            replace: "<ClaimsProviders><ClaimsProvider><DisplayName>Added</DisplayName><TechnicalProfiles>"
                + "<TechnicalProfile Id=\"\(id)\"><DisplayName>\(id)</DisplayName>\(inside)</TechnicalProfile>"
                + "</TechnicalProfiles></ClaimsProvider>")
    }

    private static func rest(_ id: String, _ claims: String) -> StarterPack.Edit {
        profile(
            id,
            "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.RestfulProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
                + "<Metadata><Item Key=\"ServiceUrl\">https://api.example.test/\(id)</Item>"
                + "<Item Key=\"AuthenticationType\">None</Item><Item Key=\"AllowInsecureAuthInProduction\">true</Item>"
                + "<Item Key=\"SendClaimsIn\">Body</Item></Metadata>\(claims)")
    }

    private static func claimType(_ id: String, _ type: String, _ more: String = "") -> StarterPack.Edit {
        StarterPack.Edit(
            file: "TrustFrameworkBase.xml", anchor: "", find: "<ClaimsSchema>",
            replace:
                "<ClaimsSchema><ClaimType Id=\"\(id)\"><DisplayName>\(id)</DisplayName><DataType>\(type)</DataType>"
                + "<UserHelpText>\(id)</UserHelpText>\(more)</ClaimType>")
    }

    private static let terms = [
        claimType(
            "terms", "string",
            "<UserInputType>CheckboxMultiSelect</UserInputType><Restriction><Enumeration Text=\"I agree\" Value=\"yes\" SelectByDefault=\"false\" /></Restriction>"
        ),
        profile(
            "SelfAsserted-Terms",
            "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null\" />"
                + "<Metadata><Item Key=\"ContentDefinitionReferenceId\">api.selfasserted</Item></Metadata>"
                + "<OutputClaims>\(output("terms", " Required=\"true\""))</OutputClaims>"),
    ]

    private static let login = "<ValidationTechnicalProfile ReferenceId=\"login-NonInteractive\" />"
    private static let write = "<ValidationTechnicalProfile ReferenceId=\"AAD-UserWriteUsingLogonEmail\" />"

    static let all: [PlantedDefect] = {
        // Statement by statement: the compiler takes very long for one list.
        var all: [PlantedDefect] = []
        all.append(
            PlantedDefect(
                name: "a sign-in does not check the password", party: both + signUp,
                edits: [base("SelfAsserted-LocalAccountSignin-Email", login, "")], rule: "B2C-EXP-006",
                names: "password"))
        all.append(
            PlantedDefect(
                name: "a profile edit does not check the password", party: both + edit,
                edits: [base("SelfAsserted-LocalAccountSignin-Email", login, "")], rule: "B2C-EXP-006",
                names: "password"))
        all.append(
            PlantedDefect(
                name: "a wrong password is passed over", party: both + signUp,
                edits: [
                    base(
                        "SelfAsserted-LocalAccountSignin-Email", login,
                        login.replacing(" />", with: " ContinueOnError=\"true\" />"))
                ], rule: "B2C-EXP-006", names: "password"))
        all.append(
            PlantedDefect(
                name: "a sign-up does not verify the address", party: both + signUp,
                edits: [base("LocalAccountSignUpWithLogonEmail", " PartnerClaimType=\"Verified.Email\"", "")],
                rule: "B2C-EXP-025", names: "email"))
        all.append(
            PlantedDefect(
                name: "a token has the address that nobody verified", party: "LocalAccounts/" + signUp,
                edits: [base("LocalAccountSignUpWithLogonEmail", " PartnerClaimType=\"Verified.Email\"", "")],
                rule: "B2C-EXP-007", names: "email"))
        all.append(
            PlantedDefect(
                name: "a password reset does not verify the address", party: both + reset,
                edits: [base("LocalAccountDiscoveryUsingEmailAddress", " PartnerClaimType=\"Verified.Email\"", "")],
                rule: "B2C-EXP-037"))
        all.append(
            PlantedDefect(
                name: "a sign-up takes over an account", party: both + signUp,
                edits: [
                    base(
                        "AAD-UserWriteUsingLogonEmail",
                        "<Item Key=\"RaiseErrorIfClaimsPrincipalAlreadyExists\">true</Item>",
                        "")
                ], rule: "B2C-EXP-009"))
        all.append(
            PlantedDefect(
                name: "a disabled account resets its password", party: both + reset,
                edits: [
                    base(
                        "AAD-UserReadUsingEmailAddress",
                        "<OutputClaimsTransformation ReferenceId=\"AssertAccountEnabledIsTrue\" />", "")
                ], rule: "B2C-EXP-008"))
        all.append(
            PlantedDefect(
                name: "no second factor for accounts of a provider", party: mfa + signUp,
                edits: [
                    journey(
                        "SignUpOrSignIn",
                        "<Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\">\n              <Value>isActiveMFASession</Value>",
                        "<Precondition Type=\"ClaimEquals\" ExecuteActionsIf=\"true\">\n              <Value>authenticationSource</Value><Value>socialIdpAuthentication</Value>"
                    )
                ], rule: "B2C-EXP-014", names: "PhoneFactor-InputOrVerify"))
        all.append(
            PlantedDefect(
                name: "the proved number is not written", party: mfa + signUp,
                edits: [
                    journey(
                        "SignUpOrSignIn",
                        "ExecuteActionsIf=\"false\">\n              <Value>newPhoneNumberEntered</Value>",
                        "ExecuteActionsIf=\"true\">\n              <Value>newPhoneNumberEntered</Value>")
                ], rule: "B2C-EXP-022"))
        all.append(
            PlantedDefect(
                name: "the number on file is not read", party: mfa + signUp,
                edits: [base("AAD-UserReadUsingObjectId", output("strongAuthenticationPhoneNumber"), "")],
                rule: "B2C-EXP-022"))
        all.append(
            PlantedDefect(
                name: "the identity of a provider is not written", party: both + signUp,
                edits: [base("AAD-UserWriteUsingAlternativeSecurityId", persisted("alternativeSecurityId"), "")],
                rule: "B2C-EXP-023"))
        all.append(
            PlantedDefect(
                name: "a profile edit drops the surname", party: both + edit,
                edits: [base("AAD-UserWriteProfileUsingObjectId", persisted("surname"), "")], rule: "B2C-EXP-039",
                names: "surname"))
        all.append(
            PlantedDefect(
                name: "a sign-up drops the surname", party: both + signUp,
                edits: [base("AAD-UserWriteUsingLogonEmail", persisted("surname"), "")], rule: "B2C-EXP-040",
                names: "surname"))
        all.append(
            PlantedDefect(
                name: "a profile edit writes the given name as surname", party: both + edit,
                edits: [
                    base(
                        "AAD-UserWriteProfileUsingObjectId", persisted("givenName"),
                        persisted("givenName", " PartnerClaimType=\"surname\"")),
                    base("AAD-UserWriteProfileUsingObjectId", persisted("surname"), ""),
                ], rule: "B2C-EXP-030", names: "surname"))
        all.append(
            PlantedDefect(
                name: "a password reset keeps the old password", party: both + reset,
                edits: [
                    base(
                        "AAD-UserWritePasswordUsingObjectId",
                        persisted("newPassword", " PartnerClaimType=\"password\""), ""
                    )
                ], rule: "B2C-EXP-038", names: "LocalAccountWritePasswordUsingObjectId"))
        all.append(
            PlantedDefect(
                name: "a refresh ignores revocation", party: both + signUp,
                edits: [
                    base(
                        "AAD-UserReadUsingObjectId-CheckRefreshTokenDate",
                        "<OutputClaimsTransformation ReferenceId=\"AssertRefreshTokenIssuedLaterThanValidFromDate\" />",
                        "")
                ], rule: "B2C-EXP-029"))
        all.append(
            PlantedDefect(
                name: "accounts of a provider are found by e-mail address", party: both + signUp,
                edits: [
                    base(
                        "Facebook-OAUTH", output("issuerUserId", " PartnerClaimType=\"id\""),
                        output("issuerUserId", " PartnerClaimType=\"email\""))
                ], rule: "B2C-EXP-027", names: "email"))
        all.append(
            PlantedDefect(
                name: "a local account is found by the address of a provider", party: both + signUp,
                edits: [
                    base(
                        "AAD-UserReadUsingAlternativeSecurityId",
                        "<InputClaim ClaimTypeReferenceId=\"alternativeSecurityId\" PartnerClaimType=\"alternativeSecurityId\" Required=\"true\" />",
                        "<InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"signInNames.emailAddress\" Required=\"true\" />"
                    )
                ], rule: "B2C-EXP-027", names: "email"))
        all.append(
            PlantedDefect(
                name: "a token has the given name as family_name", party: both + signUp,
                edits: [
                    party(signUp, output("givenName"), output("givenName", " PartnerClaimType=\"family_name\"")),
                    party(signUp, output("surname"), ""),
                ], rule: "B2C-EXP-035", names: "family_name"))
        all.append(
            PlantedDefect(
                name: "the name is read from another attribute for local accounts", party: both + signUp,
                edits: [
                    base(
                        "AAD-UserReadUsingObjectId", output("displayName"),
                        output("displayName", " PartnerClaimType=\"userPrincipalName\""))
                ], rule: "B2C-EXP-035", names: "displayName"))
        all.append(
            PlantedDefect(
                name: "terms are shown to local accounts only", party: both + signUp,
                edits: terms + [
                    lastStep(
                        skipIf("ClaimEquals", true, "authenticationSource", "socialIdpAuthentication"),
                        "SelfAsserted-Terms"
                    )
                ], rule: "B2C-EXP-033", names: "SelfAsserted-Terms"))
        all.append(
            PlantedDefect(
                name: "a check of new accounts is passed over when it fails", party: both + signUp,
                edits: [
                    rest("REST-Check", "<InputClaims><InputClaim ClaimTypeReferenceId=\"email\" /></InputClaims>"),
                    base(
                        "LocalAccountSignUpWithLogonEmail", write,
                        "<ValidationTechnicalProfile ReferenceId=\"REST-Check\" ContinueOnError=\"true\" />" + write),
                ], rule: "B2C-EXP-031", names: "REST-Check"))
        all.append(
            PlantedDefect(
                name: "an empty answer passes a check", party: both + signUp,
                edits: terms + [
                    claimType("blocked", "string"),
                    rest(
                        "REST-Blocked",
                        "<InputClaims><InputClaim ClaimTypeReferenceId=\"objectId\" /></InputClaims><OutputClaims>\(output("blocked"))</OutputClaims>"
                    ),
                    journey(
                        "SignUpOrSignIn", "<OrchestrationStep Order=\"7\" Type=\"SendClaims\"",
                        step(7, "", "REST-Blocked")
                            + step(8, skipIf("ClaimEquals", false, "blocked", "yes"), "SelfAsserted-Terms")
                            + "<OrchestrationStep Order=\"9\" Type=\"SendClaims\""),
                ], rule: "B2C-EXP-032", names: "REST-Blocked"))
        all.append(
            PlantedDefect(
                name: "an optional field switches off a check", party: both + signUp,
                edits: [
                    rest(
                        "REST-Check",
                        "<InputClaims><InputClaim ClaimTypeReferenceId=\"email\" /><InputClaim ClaimTypeReferenceId=\"surname\" /></InputClaims>"
                    ),
                    base(
                        "LocalAccountSignUpWithLogonEmail", write,
                        "<ValidationTechnicalProfile ReferenceId=\"REST-Check\"><Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"false\"><Value>surname</Value><Action>SkipThisValidationTechnicalProfile</Action></Precondition></Preconditions></ValidationTechnicalProfile>"
                            + write),
                ], rule: "B2C-EXP-028", names: "REST-Check"))
        all.append(
            PlantedDefect(
                name: "the subject is the e-mail address", party: "LocalAccounts/" + reset,
                edits: [
                    party(reset, output("email"), output("email", " PartnerClaimType=\"sub\"")),
                    party(reset, "<OutputClaim ClaimTypeReferenceId=\"objectId\" PartnerClaimType=\"sub\"/>", ""),
                ], rule: "B2C-EXP-041", names: "email"))
        all.append(
            PlantedDefect(
                name: "an account is written before the service is asked", party: both + signUp,
                edits: [
                    rest("REST-Check", "<InputClaims><InputClaim ClaimTypeReferenceId=\"email\" /></InputClaims>"),
                    base(
                        "LocalAccountSignUpWithLogonEmail", write,
                        write + "<ValidationTechnicalProfile ReferenceId=\"REST-Check\" />"),
                ], rule: "B2C-EXP-012", names: "LocalAccountSignUpWithLogonEmail"))
        all.append(
            PlantedDefect(
                name: "a call after the sign-up ends it", party: both + signUp,
                edits: [
                    rest("REST-Welcome", "<InputClaims><InputClaim ClaimTypeReferenceId=\"objectId\" /></InputClaims>"),
                    lastStep("", "REST-Welcome"),
                ], rule: "B2C-EXP-011"))
        all.append(
            PlantedDefect(
                name: "the token has a constant as the name", party: both + signUp,
                edits: [
                    party(
                        signUp, output("displayName"),
                        output("displayName", " DefaultValue=\"unknown\" AlwaysUseDefaultValue=\"true\""))
                ], rule: "B2C-EXP-036", names: "name"))
        all.append(
            PlantedDefect(
                name: "a step never runs because its condition is inverted", party: both + signUp,
                edits: [
                    journey(
                        "SignUpOrSignIn",
                        "<OrchestrationStep Order=\"5\" Type=\"ClaimsExchange\">\n          <Preconditions>\n            <Precondition Type=\"ClaimEquals\" ExecuteActionsIf=\"true\">\n              <Value>authenticationSource</Value>\n              <Value>socialIdpAuthentication</Value>",
                        "<OrchestrationStep Order=\"5\" Type=\"ClaimsExchange\">\n          <Preconditions>\n            <Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\">\n              <Value>authenticationSource</Value>"
                    )
                ], rule: "B2C-EXP-001", names: "step 5", isStatic: true))
        all.append(
            PlantedDefect(
                name: "the token has a claim that nothing gives", party: both + signUp,
                edits: [
                    claimType("loyalty", "string"),
                    party(signUp, output("surname"), output("surname") + output("loyalty")),
                ], rule: "B2C-EXP-016", names: "loyalty", isStatic: true))
        all.append(
            PlantedDefect(
                name: "a technical profile is disabled", party: both + signUp,
                edits: [
                    rest("REST-Check", "<InputClaims><InputClaim ClaimTypeReferenceId=\"email\" /></InputClaims>"),
                    base(
                        "LocalAccountSignUpWithLogonEmail", write,
                        "<ValidationTechnicalProfile ReferenceId=\"REST-Check\"><Preconditions><Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\"><Value>email</Value><Action>SkipThisValidationTechnicalProfile</Action></Precondition></Preconditions></ValidationTechnicalProfile>"
                            + write),
                ], rule: "B2C-EXP-004", names: "REST-Check", isStatic: true))
        return all
    }()

    static let harmless: [PlantedDefect] = {
        // Statement by statement: the compiler takes very long for one list.
        var all: [PlantedDefect] = []
        all.append(
            PlantedDefect(
                name: "another display name", party: both + signUp,
                edits: [base("LocalAccountSignUpWithLogonEmail", "Email signup", "Sign up")]))
        all.append(
            PlantedDefect(
                name: "a claim type that nothing uses", party: both + signUp, edits: [claimType("spare", "string")]))
        all.append(
            PlantedDefect(
                name: "a technical profile that nothing uses", party: both + signUp,
                edits: [rest("REST-Spare", "<InputClaims><InputClaim ClaimTypeReferenceId=\"email\" /></InputClaims>")])
        )
        all.append(
            PlantedDefect(
                name: "a required name", party: both + signUp,
                edits: [
                    base(
                        "LocalAccountSignUpWithLogonEmail", output("displayName"),
                        output("displayName", " Required=\"true\""))
                ]))
        all.append(
            PlantedDefect(
                name: "less in the token", party: both + signUp, edits: [party(signUp, output("surname"), "")]))
        all.append(
            PlantedDefect(
                name: "a constant in the token", party: both + signUp,
                edits: [
                    claimType("release", "string"),
                    party(signUp, output("surname"), output("surname") + output("release", " DefaultValue=\"7\"")),
                ]))
        all.append(
            PlantedDefect(
                name: "terms for everybody", party: both + signUp, edits: terms + [lastStep("", "SelfAsserted-Terms")]))
        all.append(
            PlantedDefect(
                name: "a call that enriches the token, for everybody", party: both + signUp,
                edits: [
                    claimType("tier", "string"),
                    rest(
                        "REST-Tier",
                        "<InputClaims><InputClaim ClaimTypeReferenceId=\"objectId\" /></InputClaims><OutputClaims>\(output("tier"))</OutputClaims>"
                    ), lastStep("", "REST-Tier"),
                    party(signUp, output("surname"), output("surname") + output("tier")),
                ]))
        all.append(
            PlantedDefect(
                name: "a check before the account is written", party: both + signUp,
                edits: [
                    rest("REST-Check", "<InputClaims><InputClaim ClaimTypeReferenceId=\"email\" /></InputClaims>"),
                    base(
                        "LocalAccountSignUpWithLogonEmail", write,
                        "<ValidationTechnicalProfile ReferenceId=\"REST-Check\" />" + write),
                ]))
        all.append(
            PlantedDefect(
                name: "the password is asked for once more", party: both + reset,
                edits: [
                    base("LocalAccountWritePasswordUsingObjectId", output("reenterPassword", " Required=\"true\""), "")
                ]
            ))
        all.append(
            PlantedDefect(
                name: "the number is read into the token", party: mfa + signUp,
                edits: [party(signUp, output("surname"), output("surname") + output("strongAuthenticationPhoneNumber"))]
            ))
        all.append(
            PlantedDefect(
                name: "a profile edit shows the e-mail address of the account", party: both + edit,
                edits: [party(edit, "<OutputClaims>", "<OutputClaims>" + output("displayName"))]))
        return all
    }()
}
