import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Testing
import TrustFramework

@testable import Journeys

/// The switches of `authority.defaults` that a journey meets, each way (docs/tenant-files.md). Those of merging are tried
/// where files are merged.
@Suite struct DefaultsTests {
    private func world(_ xml: [String], _ change: (inout PolicyDefaults) -> Void) throws -> World {
        let world = try World(xml: xml)
        change(&world.switches)
        return world
    }

    // MARK: Transformations

    /// Runs one transformation over constants.
    private func transformed(
        _ method: String, _ inputs: KeyValuePairs<String, String?>, _ parameters: String,
        type: String = "string", out: (role: String, type: String)?, _ change: (inout PolicyDefaults) -> Void
    ) throws -> Run {
        let given = inputs.map { input in
            #"<InputClaim ClaimTypeReferenceId="in-\#(input.key)" TransformationClaimType="\#(input.key)" />"#
        }
        let output = out.map {
            #"<OutputClaims><OutputClaim ClaimTypeReferenceId="out" TransformationClaimType="\#($0.role)" /></OutputClaims>"#
        }
        let types =
            inputs.map { #"<ClaimType Id="in-\#($0.key)"><DataType>\#(type)</DataType></ClaimType>"# }.joined()
            + #"<ClaimType Id="out"><DataType>\#(out?.type ?? "string")</DataType></ClaimType>"#
        let start = inputs.compactMap { input in
            input.value.map {
                #"<OutputClaim ClaimTypeReferenceId="in-\#(input.key)" DefaultValue="\#($0)" AlwaysUseDefaultValue="true" />"#
            }
        }
        let profile = """
            <TechnicalProfile Id="Run"><DisplayName>Run</DisplayName>\
            \(Inline.handler("Providers.ClaimsTransformationProtocolProvider"))<OutputClaims>\(start.joined())\
            </OutputClaims><OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="T" />\
            </OutputClaimsTransformations></TechnicalProfile>
            """
        return try world(
            [
                Inline.policy(
                    types: types,
                    transformations: """
                        <ClaimsTransformation Id="T" TransformationMethod="\(method)"><InputClaims>\(given.joined())\
                        </InputClaims><InputParameters>\(parameters)</InputParameters>\(output ?? "")\
                        </ClaimsTransformation>
                        """, profiles: profile, steps: Inline.steps("Run"), outputs: ["out"])
            ], change
        ).begin()
    }

    private func parameter(_ id: String, _ type: String, _ value: String) -> String {
        #"<InputParameter Id="\#(id)" DataType="\#(type)" Value="\#(value)" />"#
    }

    @Test(arguments: [true, false]) func `later than includes equal times`(_ value: Bool) throws {
        let run = try transformed(
            "DateTimeComparison",
            ["firstDateTime": "2022-03-01T00:00:00Z", "secondDateTime": "2022-03-01T00:00:05Z"],
            parameter("operator", "string", "later than") + parameter("timeSpanInSeconds", "int", "5"),
            type: "dateTime", out: ("result", "boolean")
        ) { $0.laterThanIncludesEqual = value }
        #expect(run.claims["out"] == .bool(value))
    }

    @Test(arguments: [true, false]) func `an assertion passes without a right operand`(_ value: Bool) throws {
        let run = try transformed(
            "AssertDateTimeIsGreaterThan", ["leftOperand": "2022-03-01T00:00:00Z", "rightOperand": nil],
            parameter("AssertIfEqualTo", "boolean", "false")
                + parameter("AssertIfRightOperandIsNotPresent", "boolean", "true")
                + parameter("TreatAsEqualIfWithinMillseconds", "int", "0"), out: nil
        ) { $0.assertPassesWithoutRightOperand = value }
        #expect((run.issuance != nil) == value)
    }

    @Test(arguments: [true, false]) func `hashes are made by a stand-in`(_ value: Bool) throws {
        let run = try transformed(
            "Hash", ["plaintext": "text", "salt": "salt"], parameter("randomizerSecret", "string", "B2C_1A_Secret"),
            out: ("hash", "string")
        ) { $0.hashesWithStandIn = value }
        #expect((run.claims["out"] != nil) == value)
        #expect((run.failure?.text.contains("not simulated: claims transformation Hash") ?? false) == !value)
    }

    @Test(arguments: [true, false]) func `absent texts are not an error`(_ value: Bool) throws {
        let run = try transformed(
            "ChangeCase", ["inputClaim1": nil], parameter("toCase", "string", "LOWER"), out: ("outputClaim", "string")
        ) { $0.absentTextsAreNoError = value }
        #expect((run.issuance != nil) == value)
        #expect(run.claims["out"] == nil)
    }

    @Test(arguments: [true, false]) func `comparisons count letter case`(_ value: Bool) throws {
        let run = try transformed(
            "CompareClaims", ["inputClaim1": "abc", "inputClaim2": "ABC"], parameter("operator", "string", "EQUAL"),
            out: ("outputClaim", "boolean")
        ) { $0.comparisonsCountCase = value }
        #expect(run.claims["out"] == .bool(!value))
    }

    // MARK: Steps

    @Test(arguments: [true, false]) func `values of preconditions are trimmed`(_ value: Bool) throws {
        let world = try world([
            Inline.policy(
                claims: ["text": "string", "ran": "string"],
                profiles: Inline.constants("Start", ["text": "v"]) + Inline.constants("Mark", ["ran": "yes"]),
                steps: Inline.exchange(1, "Start")
                    + Inline.exchange(
                        2, "Mark", preconditions: Inline.precondition("ClaimEquals", true, "text", "\n  v  "))
                    + Inline.send(3), outputs: ["ran"])
        ]) { $0.trimsPreconditionValues = value }
        #expect((world.begin().claims["ran"] == nil) == value)
    }

    // MARK: Pages

    private static let text = """
        <ClaimType Id="f"><DisplayName>Field</DisplayName><DataType>string</DataType>\
        <UserInputType>TextBox</UserInputType></ClaimType>
        """

    private static let output = "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"f\" /></OutputClaims>"

    /// The field has a value from before; the person empties it.
    @Test(arguments: [true, false]) func `empty fields make no claim`(_ value: Bool) throws {
        let world = try world([
            Inline.policy(
                claims: ["ran": "string"], types: Self.text,
                profiles: Inline.constants("Start", ["f": "before"])
                    + Inline.page(
                        "Page", "<InputClaims><InputClaim ClaimTypeReferenceId=\"f\" /></InputClaims>" + Self.output)
                    + Inline.constants("Mark", ["ran": "yes"]),
                steps: Inline.exchange(1, "Start") + Inline.exchange(2, "Page")
                    + Inline.exchange(
                        3, "Mark", preconditions: Inline.precondition("ClaimEquals", true, "f", "before"))
                    + Inline.send(4), outputs: ["ran"])
        ]) { $0.emptyFieldsMakeNoClaim = value }
        let run = world.begin()
        run.fill(["f": ""])
        #expect((run.claims["ran"] == nil) == value)
    }

    @Test(arguments: [true, false]) func `a simple mask hides its length`(_ value: Bool) throws {
        let world = try world([
            Inline.policy(
                types: """
                    <ClaimType Id="f"><DisplayName>Field</DisplayName><DataType>string</DataType>\
                    <Mask Type="Simple">XXX-</Mask><UserInputType>Readonly</UserInputType></ClaimType>
                    """,
                profiles: Inline.constants("Start", ["f": "12345678"])
                    + Inline.page(
                        "Page", "<InputClaims><InputClaim ClaimTypeReferenceId=\"f\" /></InputClaims>" + Self.output),
                steps: Inline.steps("Start", "Page"))
        ]) { $0.simpleMaskHidesItsLength = value }
        #expect(world.begin().page?.fields.first?.prefilled == (value ? "XXX-5678" : "XXX-"))
    }

    /// The transformation fails: as an answer to the post while the page stands, or after the page.
    @Test(arguments: [true, false]) func `output transformations run when the page is left`(_ value: Bool) throws {
        let world = try world([
            Inline.policy(
                types: Self.text,
                transformations: """
                    <ClaimsTransformation Id="T" TransformationMethod="AssertStringClaimsAreEqual"><InputClaims>
                    <InputClaim ClaimTypeReferenceId="f" TransformationClaimType="inputClaim1" />
                    <InputClaim ClaimTypeReferenceId="sub" TransformationClaimType="inputClaim2" /></InputClaims>
                    <InputParameters><InputParameter Id="stringComparison" DataType="string" Value="ordinal" />
                    </InputParameters></ClaimsTransformation>
                    """,
                profiles: Inline.page(
                    "Page",
                    Self.output
                        + "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"T\" />"
                        + "</OutputClaimsTransformations>"), steps: Inline.steps("Page"))
        ]) { $0.outputTransformationsOnLeave = value }
        let run = world.begin()
        run.submit(["f": "x"])
        #expect((run.status == "200") == value)
        run.confirm()
        #expect(run.failure != nil || !value)
    }

    /// A validation profile writes a claim that the page does not list.
    @Test(arguments: [true, false]) func `inner claims end with the page`(_ value: Bool) throws {
        let world = try world([
            Inline.policy(
                claims: ["inner": "string"], types: Self.text,
                profiles: Inline.constants("Set", ["inner": "yes"])
                    + Inline.page(
                        "Page",
                        Self.output
                            + "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"Set\" />"
                            + "</ValidationTechnicalProfiles>"), steps: Inline.steps("Page"), outputs: ["inner"])
        ]) { $0.innerClaimsEndWithPage = value }
        let run = world.begin()
        run.fill(["f": "x"])
        #expect(run.issuance != nil)
        #expect((run.claims["inner"] == nil) == value)
    }

    /// German was asked for and only English is there.
    @Test(arguments: [true, false]) func `the default language fills in`(_ value: Bool) throws {
        let texts = """
            <Localization Enabled="true"><SupportedLanguages DefaultLanguage="en" MergeBehavior="ReplaceAll">
            <SupportedLanguage>en</SupportedLanguage></SupportedLanguages>
            <LocalizedResources Id="texts-en"><LocalizedStrings>
            <LocalizedString ElementType="ClaimType" ElementId="f" StringId="DisplayName">Localised</LocalizedString>
            </LocalizedStrings></LocalizedResources></Localization>
            """
        let references = """
            <LocalizedResourcesReferences MergeBehavior="Append"><LocalizedResourcesReference Language="en" \
            LocalizedResourcesReferenceId="texts-en" /></LocalizedResourcesReferences></ContentDefinition>
            """
        let xml = Inline.policy(
            types: Self.text, localization: texts, profiles: Inline.page("Page", Self.output),
            steps: Inline.steps("Page"))
        let world = try world([xml.replacing("</ContentDefinition>", with: references)]) {
            $0.defaultLanguageFillsIn = value
        }
        let run = world.begin { $0.uiLocales = "de" }
        #expect(run.page?.fields.first?.displayName == (value ? "Localised" : "Field"))
    }

    // MARK: Sessions

    /// Two pages over one session profile.
    private func twoPages(_ change: (inout PolicyDefaults) -> Void) throws -> World {
        let session = "<UseTechnicalProfileForSessionManagement ReferenceId=\"SM\" />"
        let keeper = """
            <TechnicalProfile Id="SM"><DisplayName>s</DisplayName>\(Inline.handler("SSO.DefaultSSOSessionProvider"))\
            <PersistedClaims><PersistedClaim ClaimTypeReferenceId="f" /></PersistedClaims></TechnicalProfile>
            """
        return try world(
            [
                Inline.policy(
                    types: Self.text,
                    profiles: keeper + Inline.page("First", Self.output + session)
                        + Inline.page("Second", Self.output + session), steps: Inline.steps("First", "Second"),
                    outputs: ["f"])
            ], change)
    }

    @Test(arguments: [true, false]) func `a session counts in later journeys alone`(_ value: Bool) throws {
        let run = try twoPages { $0.sessionOnlyForLaterJourneys = value }.begin()
        run.fill(["f": "one"])
        #expect((run.page?.technicalProfile == "Second") == value)
        #expect((run.issuance != nil) == !value)
    }

    @Test(arguments: [true, false]) func `sessions are kept by provider`(_ value: Bool) throws {
        let world = try twoPages { $0.sessionsAreKeptByProvider = value }
        let first = world.begin()
        first.fill(["f": "one"])
        first.fill(["f": "two"])
        let session = try #require(first.issuance?.session)
        let second = world.begin(session: session.id)
        // What was kept last was kept by the second page.
        #expect((second.issuance != nil) == value)
        #expect((second.page?.technicalProfile == "First") == !value)
    }

    @Test(arguments: [true, false]) func `select_account keeps the session`(_ value: Bool) throws {
        let world = try twoPages { $0.selectAccountKeepsSession = value }
        let first = world.begin()
        first.fill(["f": "one"])
        first.fill(["f": "two"])
        let session = try #require(first.issuance?.session)
        let run = world.begin(session: session.id) { $0.prompt = "select_account" }
        #expect((run.issuance != nil) == value)
        #expect((run.page != nil) == !value)
        #expect(world.begin(session: session.id) { $0.prompt = "login" }.page != nil)
    }

    // MARK: Directory

    private func directory(_ change: (inout PolicyDefaults) -> Void) throws -> Directory {
        var defaults = PolicyDefaults()
        change(&defaults)
        var directory = Directory(
            domain: "contoso.onmicrosoft.com",
            lockout: LockoutSettings {
                $0.threshold = 2
                $0.duration = .minutes(1)
            },
            defaults: defaults)
        var ada = Account(objectID: GUID.derived(from: "ada"), at: Timestamp(seconds: 0))
        ada.setSignInName("emailAddress", "ada@example.test")
        ada.password = "Analytical-1843"
        try directory.insert(ada)
        return directory
    }

    @Test(arguments: [true, false]) func `the directory ignores letter case`(_ value: Bool) throws {
        let directory = try directory { $0.directoryIgnoresCase = value }
        #expect((directory.find(.anySignInName("ADA@example.test")) != nil) == value)
    }

    @Test(arguments: [true, false]) func `near variants count once`(_ value: Bool) throws {
        var directory = try directory { $0.nearVariantsCountOnce = value }
        let now = Timestamp(seconds: 1_000)
        #expect(directory.signIn(name: "ada@example.test", password: "wrong", at: now) == .wrongPassword)
        let second = directory.signIn(name: "ada@example.test", password: "WRONG", at: now)
        #expect(second == (value ? .wrongPassword : .locked))
    }
}
