import HTTPMessages
import JSON
import Journeys
import TenantFiles
import Testing

/// Claims that are written inside a page: by its validation profiles and by the actions of its display controls
/// (Microsoft docs: validation-technical-profile, display-controls). They go on as output claims of the page.
@Suite struct PageScopeTests {
    private static let types = """
        <ClaimType Id="q"><DisplayName>Q</DisplayName><DataType>string</DataType><UserInputType>TextBox</UserInputType>
        </ClaimType><ClaimType Id="code"><DisplayName>Code</DisplayName><DataType>string</DataType>
        <UserInputType>TextBox</UserInputType></ClaimType>
        """

    private static let copies = """
        <ClaimsTransformation Id="Copy" TransformationMethod="CopyClaim"><InputClaims>
        <InputClaim ClaimTypeReferenceId="inner" TransformationClaimType="inputClaim" /></InputClaims><OutputClaims>
        <OutputClaim ClaimTypeReferenceId="copy" TransformationClaimType="outputClaim" /></OutputClaims>
        </ClaimsTransformation><ClaimsTransformation Id="CopyLater" TransformationMethod="CopyClaim"><InputClaims>
        <InputClaim ClaimTypeReferenceId="inner" TransformationClaimType="inputClaim" /></InputClaims><OutputClaims>
        <OutputClaim ClaimTypeReferenceId="later" TransformationClaimType="outputClaim" /></OutputClaims>
        </ClaimsTransformation>
        """

    private static func transforming(_ transformation: String) -> String {
        "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"\(transformation)\" />"
            + "</OutputClaimsTransformations>"
    }

    private static func outputs(_ claims: [String]) -> String {
        "<OutputClaims>" + claims.map { "<OutputClaim ClaimTypeReferenceId=\"\($0)\" />" }.joined() + "</OutputClaims>"
    }

    private static func validations(_ profiles: [String]) -> String {
        "<ValidationTechnicalProfiles>"
            + profiles.map { "<ValidationTechnicalProfile ReferenceId=\"\($0)\" />" }.joined()
            + "</ValidationTechnicalProfiles>"
    }

    private static let control = """
        <DisplayControl Id="control" UserInterfaceControlType="VerificationControl"><DisplayClaims>
        <DisplayClaim ClaimTypeReferenceId="q" Required="true" />
        <DisplayClaim ClaimTypeReferenceId="code" ControlClaimType="VerificationCode" /></DisplayClaims><Actions>
        <Action Id="SendCode"><ValidationClaimsExchange>
        <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Set" /></ValidationClaimsExchange></Action>
        <Action Id="VerifyCode"><ValidationClaimsExchange>
        <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Set" /></ValidationClaimsExchange></Action>
        </Actions></DisplayControl>
        """

    /// A journey of `Start`, the page, and `Later`, which copies what it sees of `inner`.
    private func world(
        _ page: String, start: KeyValuePairs<String, String> = ["sub": "x"], profiles: String = "",
        _ change: (inout PolicyDefaults) -> Void = { _ in }
    ) throws -> World {
        let world = try World(xml: [
            Inline.policy(
                claims: ["sub": "string", "inner": "string", "copy": "string", "later": "string", "second": "string"],
                types: Self.types, transformations: Self.copies, controls: Self.control,
                profiles: Inline.constants("Start", start) + Inline.constants("Set", ["inner": "inside"])
                    + Inline.constants("Later", ["sub": "x"], more: Self.transforming("CopyLater")) + profiles
                    + Inline.page("Page", page), steps: Inline.steps("Start", "Page", "Later"),
                outputs: ["q", "inner", "copy", "later", "second"])
        ])
        world.recodes = true
        change(&world.switches)
        return world
    }

    private func claims(_ run: Run, q: String = "typed") -> JSONObject {
        run.fill(["q": q])
        #expect(!run.log.contains { $0.hasPrefix("RECODING") })
        return run.claims
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Claims among the page's outputs beside the field.
        var outputs: [String] = []
        /// The claim before the page.
        var before: String?
        /// What the token has of `inner`, and what the step after the page sees.
        var inner: JSONValue?
    }

    @Test(arguments: [
        Case(testDescription: "not an output of the page", inner: nil),
        Case(testDescription: "an output of the page", outputs: ["inner"], inner: "inside"),
        Case(testDescription: "an old value comes back", before: "outside", inner: "outside"),
        Case(testDescription: "an output replaces it", outputs: ["inner"], before: "outside", inner: "inside"),
    ]) func `what a validation profile writes`(_ row: Case) throws {
        let claims = claims(
            try world(
                Self.outputs(["q"] + row.outputs) + Self.validations(["Set"]),
                start: row.before.map { ["sub": "x", "inner": $0] } ?? ["sub": "x"]
            ).begin())
        #expect(claims["inner"] == row.inner)
        #expect(claims["later"] == row.inner)
        #expect(claims["q"] == "typed")
    }

    @Test(arguments: [
        Case(testDescription: "not an output of the page", inner: nil),
        Case(testDescription: "an output of the page", outputs: ["inner"], inner: "inside"),
        Case(testDescription: "an old value comes back", before: "outside", inner: "outside"),
    ]) func `what a display control writes`(_ row: Case) throws {
        let world = try world(
            "<DisplayClaims><DisplayClaim DisplayControlReferenceId=\"control\" /></DisplayClaims>"
                + Self.outputs(["q"] + row.outputs),
            start: row.before.map { ["sub": "x", "inner": $0] } ?? ["sub": "x"])
        let run = world.begin()
        run.tell(.action(control: "control", name: "SendCode", ["q": "typed"]))
        run.tell(.action(control: "control", name: "VerifyCode", ["q": "typed", "code": "1"]))
        #expect(run.status == "200", "\(run.log)")
        let claims = claims(run)
        #expect(claims["inner"] == row.inner)
        #expect(claims["later"] == row.inner)
        #expect(claims["q"] == "typed")
    }

    /// Validation profiles of one page, their preconditions and the page's output transformations see what the others wrote.
    @Test func `everything inside a page sees it`() throws {
        let claims = claims(
            try world(
                Self.outputs(["q", "second"]) + Self.transforming("Copy")
                    + """
                    <ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId="Set" />
                    <ValidationTechnicalProfile ReferenceId="Second"><Preconditions>
                    \(Inline.precondition("ClaimsExist", false, "inner", action: "SkipThisValidationTechnicalProfile"))
                    </Preconditions></ValidationTechnicalProfile></ValidationTechnicalProfiles>
                    """, profiles: Inline.constants("Second", ["second": "ran"])
            ).begin())
        #expect(claims["second"] == "ran")
        #expect(claims["copy"] == "inside")
        #expect(claims["inner"] == nil && claims["later"] == nil)
    }

    /// Transformations of a validation profile write inside the page too.
    @Test func `a transformation of a validation profile stays inside`() throws {
        let profiles = Inline.constants("Transform", ["inner": "inside"], more: Self.transforming("Copy"))
        let outputs = Self.outputs(["q"]) + Self.validations(["Transform"])
        #expect(claims(try world(outputs, profiles: profiles).begin())["copy"] == nil)
        let listed = Self.outputs(["q", "copy"]) + Self.validations(["Transform"])
        #expect(claims(try world(listed, profiles: profiles).begin())["copy"] == "inside")
    }

    /// A page that is posted again starts from the claims of its first showing.
    @Test func `a second post leaves nothing of the first`() throws {
        let run = try world(Self.outputs(["q"]) + Self.validations(["Set"])).begin()
        run.submit(["q": "first"])
        let claims = claims(run, q: "second")
        #expect(claims["q"] == "second")
        #expect(claims["inner"] == nil)
    }

    /// The default of an input claim that a validation profile writes over is gone with the page.
    @Test func `a default of the page ends with it`() throws {
        let page =
            "<InputClaims><InputClaim ClaimTypeReferenceId=\"inner\" DefaultValue=\"given\" /></InputClaims>"
            + Self.outputs(["q"])
        #expect(claims(try world(page).begin())["inner"] == nil)
        #expect(claims(try world(page + Self.validations(["Set"])).begin())["inner"] == nil)
    }

    /// Both ways of the switch, with both ways of the switch that runs output transformations when a page is posted.
    @Test(arguments: [true, false], [true, false]) func `the switch`(_ ends: Bool, _ onLeave: Bool) throws {
        let world = try world(
            Self.outputs(["q"]) + Self.transforming("Copy") + Self.validations(["Set"])
        ) {
            $0.innerClaimsEndWithPage = ends
            $0.outputTransformationsOnLeave = onLeave
        }
        let claims = claims(world.begin())
        #expect(claims["inner"] == (ends ? nil : "inside"))
        #expect(claims["copy"] == "inside")
    }
}
