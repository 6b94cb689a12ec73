import Foundation
import JSON
import TestSupport
import Testing

/// What `b2c policy diff` notices of single edits: what lasts, what is typed, and what follows a sign-in; and that it is
/// silent about edits that nobody can notice.
@Suite(.blocking) struct PolicyDiffEditsTests {
    /// A change of the sample policy.
    enum Change: Sendable {
        /// Text of a file is replaced, everywhere.
        case replace(file: String, String, with: String)
        /// A technical profile gets this, over what its base policies say.
        case profile(String, String)
        /// Claim types are added or refined.
        case claims(String)
        /// Other building blocks are.
        case blocks(String)
        /// `UserJourneyBehaviors` of the relying party.
        case behaviors(String)

        static func item(_ profile: String, _ key: String, _ value: String) -> Change {
            .profile(profile, "<Metadata><Item Key=\"\(key)\">\(value)</Item></Metadata>")
        }

        static func issuer(_ key: String, _ value: String) -> Change { .item("JwtIssuer", key, value) }
    }

    /// An edit from one state of the policy to another.
    struct Edit: Sendable, CustomTestStringConvertible {
        var name: String
        var old: [Change] = []
        var new: [Change]
        /// Who notices what; empty: nobody notices anything.
        var noticed: [String] = []

        var testDescription: String { name }
    }

    private static let page = "SelfAsserted-LocalAccountSignin-Email"
    private static let tenantWide: Change = .behaviors("<SingleSignOn Scope=\"Tenant\" />")

    private static func sso(_ scope: String) -> Change { .behaviors("<SingleSignOn Scope=\"\(scope)\" />") }

    private static func keeps(_ days: Int) -> [Change] {
        [
            .item(page, "setting.enableRememberMe", "true"),
            .behaviors("<SingleSignOn Scope=\"Tenant\" KeepAliveInDays=\"\(days)\" />"),
        ]
    }

    private static func length(_ least: Int, _ most: Int) -> Change {
        .blocks(
            "<Predicates><Predicate Id=\"PasswordLength\" Method=\"IsLengthRange\" HelpText=\"Length\"><Parameters>"
                + "<Parameter Id=\"Minimum\">\(least)</Parameter><Parameter Id=\"Maximum\">\(most)</Parameter>"
                + "</Parameters></Predicate></Predicates>")
    }

    private static func name(_ pattern: String) -> Change {
        .claims(
            "<ClaimType Id=\"displayName\"><Restriction><Pattern RegularExpression=\"\(pattern)\" HelpText=\"Letters\" />"
                + "</Restriction></ClaimType>")
    }

    private static func birth(to last: String) -> [Change] {
        let claim = "<ClaimTypeReferenceId=\"displayName\" Required=\"true\" />".dropFirst()
        return [
            .claims(
                "<ClaimType Id=\"birth\"><DisplayName>Birth</DisplayName><DataType>date</DataType>"
                    + "<UserInputType>DateTimeDropdown</UserInputType><PredicateValidationReference Id=\"Birth\" />"
                    + "</ClaimType>"),
            .blocks(
                "<Predicates><Predicate Id=\"Range\" Method=\"IsDateRange\" HelpText=\"Day\"><Parameters>"
                    + "<Parameter Id=\"Minimum\">1900-01-01</Parameter><Parameter Id=\"Maximum\">\(last)</Parameter>"
                    + "</Parameters></Predicate></Predicates><PredicateValidations><PredicateValidation Id=\"Birth\">"
                    + "<PredicateGroups><PredicateGroup Id=\"Days\"><PredicateReferences><PredicateReference Id=\"Range\" />"
                    + "</PredicateReferences></PredicateGroup></PredicateGroups></PredicateValidation>"
                    + "</PredicateValidations>"),
        ]
            + ["DisplayClaim", "OutputClaim"].map { element in
                .replace(
                    file: "Base", "<\(element) \(claim)",
                    with: "<\(element) \(claim)<\(element) \(claim.replacing("displayName", with: "birth"))")
            }
    }

    /// A refresh token that is at most an hour older than the revocation counts as new.
    private static let tolerance = Change.blocks(
        "<ClaimsTransformations><ClaimsTransformation Id=\"AssertRefreshTokenNotRevoked\" "
            + "TransformationMethod=\"AssertDateTimeIsGreaterThan\"><InputParameters>"
            + "<InputParameter Id=\"TreatAsEqualIfWithinMillseconds\" DataType=\"int\" Value=\"3600000\" />"
            + "</InputParameters></ClaimsTransformation></ClaimsTransformations>")

    private static let codeControl = "emailVerificationControl"

    static let noticeable: [Edit] = [
        Edit(
            name: "access token lifetime", new: [.issuer("token_lifetime_secs", "7200")],
            noticed: ["app access token, seconds until it expires", "app token response, expires_in"]),
        Edit(
            name: "ID token lifetime", new: [.issuer("id_token_lifetime_secs", "7200")],
            noticed: ["app ID token, seconds until it expires"]),
        Edit(
            name: "refresh token lifetime", new: [.issuer("refresh_token_lifetime_secs", "604800")],
            noticed: ["app token response, refresh_token_expires_in", "app end"]),
        Edit(
            name: "sliding window", new: [.issuer("rolling_refresh_token_lifetime_secs", "2592000")],
            noticed: ["app end"]),
        Edit(
            name: "sliding window without end", new: [.issuer("allow_infinite_rolling_refresh_token", "true")],
            noticed: ["app end"]),
        Edit(
            name: "session lifetime",
            new: [
                .behaviors(
                    "<SingleSignOn Scope=\"Tenant\" /><SessionExpiryInSeconds>900</SessionExpiryInSeconds>")
            ], noticed: ["app end", "person pages"]),
        Edit(
            name: "absolute session", old: [.behaviors("<SessionExpiryType>Rolling</SessionExpiryType>")],
            new: [.behaviors("<SessionExpiryType>Absolute</SessionExpiryType>")], noticed: ["app end", "person pages"]),
        Edit(name: "session of one app", old: [tenantWide], new: [sso("Application")], noticed: ["app end"]),
        Edit(name: "no session", old: [tenantWide], new: [sso("Suppressed")], noticed: ["app end"]),
        Edit(
            name: "session provider without session",
            new: [.profile(page, "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />")],
            noticed: ["app end"]),
        Edit(name: "days of keep me signed in", old: keeps(7), new: keeps(30), noticed: ["app end"]),
        Edit(
            name: "keep me signed in", new: keeps(7),
            noticed: ["app end", "person page signIn (\(page)), keep me signed in"]),
        Edit(
            name: "sign-out needs a hint", old: [tenantWide],
            new: [.behaviors("<SingleSignOn Scope=\"Tenant\" EnforceIdTokenHintOnLogout=\"true\" />")],
            noticed: ["app end"]),
        Edit(
            name: "no journey at a refresh",
            new: [
                .replace(
                    file: "Loyalty",
                    "<Endpoints>\n      <Endpoint Id=\"Token\" UserJourneyReferenceId=\"RedeemRefreshToken\" />\n    "
                        + "</Endpoints>", with: "")
            ], noticed: ["app ID token, claim name"]),
        Edit(
            name: "a refresh ignores revocation",
            new: [
                .replace(
                    file: "Base", "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId-CheckRefreshTokenDate\"",
                    with: "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\"")
            ], noticed: ["app end"]),
        Edit(
            name: "a refresh ignores revocation, which may count as late by an hour", old: [tolerance],
            new: [
                tolerance,
                .replace(
                    file: "Base", "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId-CheckRefreshTokenDate\"",
                    with: "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\""),
            ], noticed: ["app end"]),
        Edit(name: "least length of passwords", new: [length(10, 64)], noticed: ["directory writes"]),
        Edit(name: "greatest length of passwords", new: [length(8, 32)], noticed: ["directory writes"]),
        Edit(
            name: "length in an expression", old: [name("^[a-zA-Z ]{1,20}$")], new: [name("^[a-zA-Z ]{1,30}$")],
            noticed: ["directory writes"]),
        Edit(
            name: "a character in an expression", old: [name("^[a-zA-Z ]{1,20}$")], new: [name("^[a-zA-Z' ]{1,20}$")],
            noticed: ["directory writes"]),
        Edit(
            name: "last day of a date", old: birth(to: "2007-01-01"), new: birth(to: "2010-01-01"),
            noticed: ["directory writes"]),
        Edit(
            name: "template of a page",
            new: [
                .blocks(
                    "<ContentDefinitions><ContentDefinition Id=\"api.signuporsignin\"><LoadUri>"
                        + "https://cdn.contoso.test/page.html</LoadUri></ContentDefinition></ContentDefinitions>")
            ], noticed: ["person page signIn (\(page)), template"]),
        Edit(
            name: "a text in another language",
            new: [
                .blocks(
                    "<Localization Enabled=\"true\"><LocalizedResources Id=\"api.signuporsignin.de\"><LocalizedStrings>"
                        + "<LocalizedString ElementType=\"UxElement\" StringId=\"heading\">Einloggen</LocalizedString>"
                        + "</LocalizedStrings></LocalizedResources></Localization>")
            ], noticed: ["person page signIn (\(page)), title"]),
        Edit(
            name: "kind of numbers", old: [.issuer("SendTokenResponseBodyWithJsonNumbers", "true")],
            new: [.issuer("SendTokenResponseBodyWithJsonNumbers", "false")],
            noticed: ["app token response, expires_in"]),
        Edit(
            name: "how often a page may refuse", old: [.item(page, "setting.retryLimit", "3")],
            new: [.item(page, "setting.retryLimit", "5")], noticed: ["app end"]),
        Edit(
            name: "issuer", new: [.issuer("IssuanceClaimPattern", "AuthorityWithTfp")],
            noticed: ["app ID token, claim iss"]),
    ]

    static let harmless: [Edit] = [
        Edit(
            name: "comment",
            new: [.replace(file: "Base", "<UserJourneys>", with: "<!-- Journeys --><UserJourneys>")]),
        Edit(
            name: "order of claims of a token",
            new: [
                .replace(
                    file: "Loyalty",
                    "<OutputClaim ClaimTypeReferenceId=\"displayName\" />\n        "
                        + "<OutputClaim ClaimTypeReferenceId=\"tier\" />",
                    with: "<OutputClaim ClaimTypeReferenceId=\"tier\" />\n        "
                        + "<OutputClaim ClaimTypeReferenceId=\"displayName\" />")
            ]),
        Edit(
            name: "order of metadata",
            new: [
                .replace(file: "Loyalty", "<Item Key=\"SendClaimsIn\">Body</Item>\n", with: ""),
                .replace(
                    file: "Loyalty", "<Item Key=\"ServiceUrl\">",
                    with: "<Item Key=\"SendClaimsIn\">Body</Item>\n<Item Key=\"ServiceUrl\">"),
            ]),
        Edit(
            name: "id of a technical profile",
            new: [.replace(file: "Loyalty", "REST-Tier", with: "REST-Loyalty")]),
        Edit(
            name: "id of a claims exchange",
            new: [.replace(file: "Base", "SignUpWithLogonEmailExchange", with: "SignUpExchange")]),
        Edit(
            name: "id of a user journey",
            new: [
                .replace(file: "Base", "Id=\"SignUpOrSignIn\"", with: "Id=\"Main\""),
                .replace(file: "Loyalty", "ReferenceId=\"SignUpOrSignIn\"", with: "ReferenceId=\"Main\""),
            ]),
        Edit(
            name: "id of a claim with a partner name",
            old: [
                .replace(
                    file: "Loyalty", "<OutputClaim ClaimTypeReferenceId=\"tier\" />",
                    with: "<OutputClaim ClaimTypeReferenceId=\"tier\" PartnerClaimType=\"tier\" />")
            ],
            new: [
                .replace(
                    file: "Loyalty", "<OutputClaim ClaimTypeReferenceId=\"tier\" />",
                    with: "<OutputClaim ClaimTypeReferenceId=\"level\" PartnerClaimType=\"tier\" />"),
                .replace(file: "Loyalty", "ClaimType Id=\"tier\"", with: "ClaimType Id=\"level\""),
            ]),
        Edit(
            name: "id of a predicate validation",
            new: [
                .blocks(
                    "<PredicateValidations><PredicateValidation Id=\"Strong\"><PredicateGroups><PredicateGroup Id=\"L\">"
                        + "<PredicateReferences><PredicateReference Id=\"PasswordLength\" /></PredicateReferences>"
                        + "</PredicateGroup><PredicateGroup Id=\"C\"><UserHelpText>The password must have at least three "
                        + "of these:</UserHelpText><PredicateReferences MatchAtLeast=\"3\">"
                        + "<PredicateReference Id=\"Lowercase\" /><PredicateReference Id=\"Uppercase\" />"
                        + "<PredicateReference Id=\"Number\" /><PredicateReference Id=\"Symbol\" />"
                        + "</PredicateReferences></PredicateGroup></PredicateGroups></PredicateValidation>"
                        + "</PredicateValidations>"),
                .claims("<ClaimType Id=\"newPassword\"><PredicateValidationReference Id=\"Strong\" /></ClaimType>"),
            ]),
        Edit(
            name: "name of a technical profile",
            new: [.replace(file: "Loyalty", "Tier of a person", with: "The tier")]),
        Edit(
            name: "name of a claims provider",
            new: [.replace(file: "Loyalty", ">Loyalty service<", with: ">Loyalty API<")]),
        Edit(name: "a default lifetime, written", new: [.issuer("token_lifetime_secs", "3600")]),
        Edit(
            name: "a default session, written",
            new: [
                .behaviors(
                    "<SingleSignOn Scope=\"Tenant\" /><SessionExpiryInSeconds>86400</SessionExpiryInSeconds>")
            ]),
        Edit(
            name: "label of a claim on no page",
            new: [.replace(file: "Loyalty", "Loyalty tier", with: "Tier")]),
    ]

    // MARK: Files

    private static func write(_ tool: Tool, _ folder: String, _ changes: [Change]) throws {
        var files: [String: String] = [:]
        for name in ["Base", "Loyalty"] {
            files[name] = String(decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self)
        }
        func insert(_ text: String, before mark: String) throws {
            let old = try #require(files["Loyalty"])
            let place = try #require(old.range(of: mark))
            files["Loyalty"] = old.replacingCharacters(in: place, with: "\(text)\n\(mark)")
        }
        for change in changes {
            switch change {
            case .replace(let file, let find, let put):
                let old = try #require(files[file])
                try #require(old.contains(find), "\(find) is not in \(file)")
                files[file] = old.replacing(find, with: put)
            case .profile(let id, let inner):
                try insert(
                    "<ClaimsProvider><DisplayName>More</DisplayName><TechnicalProfiles><TechnicalProfile Id=\"\(id)\">"
                        + "\(inner)</TechnicalProfile></TechnicalProfiles></ClaimsProvider>",
                    before: "  </ClaimsProviders>")
            case .claims(let text): try insert(text, before: "    </ClaimsSchema>")
            case .blocks(let text): try insert(text, before: "  </BuildingBlocks>")
            case .behaviors(let text):
                try insert(
                    "<UserJourneyBehaviors>\(text)</UserJourneyBehaviors>",
                    before: "    <TechnicalProfile Id=\"PolicyProfile\">")
            }
        }
        for (name, text) in files { try tool.write(text, to: "\(folder)/\(name).xml") }
    }

    private static func compare(_ edit: Edit) throws -> (policy: JSONValue, text: String) {
        let tool = try Tool()
        defer { tool.remove() }
        try write(tool, "old", edit.old)
        try write(tool, "new", edit.new)
        let arguments = ["policy", "diff", "old", "new", "--policy", "B2C_1A_loyalty"]
        let outcome = try tool.run(arguments + ["--format", "json"])
        try #require(outcome.status == 0, "\(outcome.error)")
        let policies = try JSONParser.parse(outcome.out)["policies"]?.arrayValue
        let text = edit.noticed.isEmpty ? try tool.run(arguments).out : ""
        return (try #require(policies?.first), text)
    }

    /// What is noticed, and what follows from it.
    private static func places(_ policy: JSONValue) -> [String] {
        let changes = policy["behaviour"]?.arrayValue ?? []
        return (changes + changes.flatMap { $0["followed"]?.arrayValue ?? [] }).map {
            "\($0["party"]?.stringValue ?? "") \($0["place"]?.stringValue ?? "")"
        }
    }

    // MARK: Tests

    @Test func `what follows from other pages is one change`() throws {
        let edit = Edit(
            name: "a page that is gone",
            new: [
                .replace(
                    file: "Base", "TechnicalProfileReferenceId=\"LocalAccountSignUpWithLogonEmail\"",
                    with: "TechnicalProfileReferenceId=\"SelfAsserted-LocalAccountSignin-Email\"")
            ])
        let (policy, text) = try Self.compare(edit)
        let behaviour = policy["behaviour"]?.arrayValue ?? []
        #expect(!behaviour.isEmpty && behaviour.count <= 3, "\(text)\(Self.places(policy))")
        let followed = behaviour.flatMap { $0["followed"]?.arrayValue ?? [] }.compactMap { $0["place"]?.stringValue }
        #expect(followed.contains("writes"), "\(followed)")
        // A test of an edit that nobody notices asks for the text.
        #expect(text.contains("      also "), "\(text)")
    }

    @Test func `a finding that is new is a part of the verdict, whatever the paths show`() throws {
        let edit = Edit(
            name: "a refresh ignores revocation",
            new: [
                .replace(
                    file: "Base", "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId-CheckRefreshTokenDate\"",
                    with: "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\"")
            ])
        let tool = try Tool()
        defer { tool.remove() }
        try Self.write(tool, "old", edit.old)
        try Self.write(tool, "new", edit.new)
        let text = try tool.run("policy", "diff", "old", "new", "--policy", "B2C_1A_loyalty").out
        let verdict = text.prefix { !$0.isNewline }
        #expect(verdict.contains("1 finding is new"), "\(text)")
        #expect(!verdict.contains("nothing is noticed") && !verdict.contains("no change is noticed"), "\(text)")
        #expect(text.contains("B2C-EXP-029"), "\(text)")
        let back = try tool.run("policy", "diff", "new", "old", "--policy", "B2C_1A_loyalty").out
        #expect(back.prefix { !$0.isNewline }.contains("1 finding is gone"), "\(back)")
    }

    @Test(arguments: noticeable) func `an edit is noticed by the people and services that it affects`(_ edit: Edit)
        throws
    {
        let policy = try Self.compare(edit).policy
        let places = Self.places(policy)
        for place in edit.noticed { #expect(places.contains(place), "\(place) is not in \(places)") }
    }

    @Test(arguments: harmless) func `an edit that nobody notices is silent`(_ edit: Edit) throws {
        let (policy, text) = try Self.compare(edit)
        #expect(Self.places(policy).isEmpty, "\(text)")
        #expect(policy["notCompared"]?.arrayValue?.isEmpty ?? true, "\(text)")
        let notes = (policy["notes"]?.arrayValue ?? []).compactMap(\.stringValue)
        #expect(notes.allSatisfy { $0.contains("have no script") }, "\(text)")
        let said = notes.isEmpty ? "nothing is noticed" : "no change is noticed"
        #expect(text.contains(said) || text.contains("no difference"), "\(text)")
    }
}
