import B2CProtocol
import HTTPMessages
import JSON
import Journeys
import Testing
import TrustFramework

/// What the trace says about decisions and about where values come from.
@Suite struct TraceTests {
    private static let claims: KeyValuePairs<String, String> = [
        "tier": "string", "city": "string", "count": "int", "country": "string", "name": "string", "hit": "string",
    ]

    /// The records of one kind: those with a member of this name.
    private func records(_ run: Run, with member: String) -> [JSONObject] { run.records.filter { $0[member] != nil } }

    private func record(_ run: Run, profile: String) throws -> JSONObject {
        try #require(
            run.records.last { $0["profile"]?.stringValue == profile && $0["transformation"] == nil },
            "\(run.records)")
    }

    // MARK: Preconditions

    struct Row: Sendable, CustomTestStringConvertible {
        var list: [(type: String, execute: Bool, values: [String])]
        var holding: [Int]
        var words: String
        var trims = true
        var testDescription: String { words }
    }

    /// The bag: tier = gold, count = 3.
    private static let rows: [Row] = [
        Row(list: [("ClaimsExist", true, ["tier"])], holding: [0], words: "tier exists"),
        Row(list: [("ClaimsExist", false, ["tier"])], holding: [], words: "tier exists"),
        Row(list: [("ClaimsExist", true, ["city"])], holding: [], words: "city does not exist"),
        Row(list: [("ClaimsExist", false, ["city"])], holding: [0], words: "city does not exist"),
        Row(list: [("ClaimEquals", true, ["tier", "gold"])], holding: [0], words: "tier equals gold"),
        Row(list: [("ClaimEquals", false, ["tier", "GOLD"])], holding: [0], words: "tier differs from GOLD"),
        Row(list: [("ClaimEquals", false, ["tier", "gold"])], holding: [], words: "tier equals gold"),
        Row(list: [("ClaimEquals", true, ["tier", "silver"])], holding: [], words: "tier differs from silver"),
        Row(list: [("ClaimEquals", false, ["count", "4"])], holding: [0], words: "count differs from 4"),
        // One about the value of a claim that has none does not hold, either way.
        Row(list: [("ClaimEquals", true, ["city", "x"])], holding: [], words: "city does not exist"),
        Row(list: [("ClaimEquals", false, ["city", "x"])], holding: [], words: "city does not exist"),
        Row(list: [("ClaimEquals", true, ["tier", " gold "])], holding: [0], words: "tier equals gold"),
        Row(
            list: [("ClaimEquals", true, ["tier", " gold "])], holding: [], words: "tier differs from  gold ",
            trims: false),
        // The first that holds decides; if none holds, the last one is named.
        Row(
            list: [
                ("ClaimsExist", true, ["city"]), ("ClaimsExist", true, ["tier"]),
                ("ClaimEquals", true, ["count", "3"]),
            ], holding: [1, 2], words: "tier exists"),
        Row(
            list: [("ClaimsExist", true, ["city"]), ("ClaimEquals", true, ["count", "4"])], holding: [],
            words: "count differs from 4"),
    ]

    @Test(arguments: rows) func `preconditions say why a step runs`(_ row: Row) throws {
        let list = row.list.map { Inline.precondition($0.type, $0.execute, values: $0.values) }.joined()
        let world = try World(xml: [
            Inline.policy(
                claims: Self.claims,
                profiles: Inline.constants("Start", ["tier": "gold", "count": "3"])
                    + Inline.constants("Mark", ["hit": "yes"]),
                steps: Inline.exchange(1, "Start") + Inline.exchange(2, "Mark", preconditions: list) + Inline.send(3))
        ])
        world.switches.trimsPreconditionValues = row.trims
        let run = world.begin()
        let step = try #require(records(run, with: "journey").first { $0["step"] == 2 })
        #expect(step["ran"] == .bool(row.holding.isEmpty))
        #expect(step["because"]?.stringValue == row.words)
        #expect(step["precondition"]?.intValue == row.holding.first.map { Int64($0 + 1) })
        // The evaluator says the same to those who have no journey.
        let policy = run.policy
        var bag = ClaimsBag()
        bag[try #require(policy.claimType("tier"))] = .text("gold")
        bag[try #require(policy.claimType("count"))] = .integer(3)
        let preconditions = policy[policy.relyingParty.defaultJourney].steps[1].preconditions
        let decision = PreconditionDecision(preconditions, claims: bag, trims: row.trims)
        #expect(decision.holding == row.holding && decision.skippedBy == row.holding.first)
        #expect(decision.words(for: preconditions, in: policy) == row.words)
    }

    @Test func `a step without preconditions says nothing`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: Self.claims, profiles: Inline.constants("Start", ["tier": "gold"]),
                steps: Inline.steps("Start"), outputs: ["tier"])
        ])
        let steps = records(world.begin(), with: "journey")
        #expect(steps.map { $0["because"] } == [nil, nil] && steps.map { $0["precondition"] } == [nil, nil])
        #expect(steps[1]["issued"] == ["sub": "sub", "tier": "tier"])
    }

    @Test func `a validation profile says which precondition skipped it`() throws {
        let skip =
            Inline.precondition("ClaimsExist", true, "city", action: "SkipThisValidationTechnicalProfile")
            + Inline.precondition("ClaimsExist", false, "tier", action: "SkipThisValidationTechnicalProfile")
        let world = try World(xml: [
            Inline.policy(
                claims: ["tier": "string", "city": "string", "hit": "string"], types: Self.field,
                profiles: Inline.constants("Mark", ["hit": "yes"])
                    + Inline.page(
                        "Ask",
                        """
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="f" /></OutputClaims><ValidationTechnicalProfiles>\
                        <ValidationTechnicalProfile ReferenceId="Mark"><Preconditions>\(skip)</Preconditions>\
                        </ValidationTechnicalProfile></ValidationTechnicalProfiles>
                        """), steps: Inline.steps("Ask"))
        ])
        let run = world.begin()
        run.submit(["f": "x"])
        let mark = try record(run, profile: "Mark")
        #expect(mark["skipped"] == "tier does not exist" && mark["precondition"] == 2)
    }

    // MARK: Values

    private static let field = """
        <ClaimType Id="f"><DisplayName>Field</DisplayName><DataType>string</DataType>\
        <UserInputType>TextBox</UserInputType></ClaimType>
        """

    private static let rest = """
        <TechnicalProfile Id="REST-Tier"><DisplayName>Tier</DisplayName>\(Inline.handler("Providers.RestfulProvider"))\
        <Metadata><Item Key="ServiceUrl">https://loyalty.contoso.test/tier</Item><Item Key="AuthenticationType">None</Item>\
        </Metadata><InputClaims><InputClaim ClaimTypeReferenceId="name" DefaultValue="Ada" />\
        <InputClaim ClaimTypeReferenceId="city" /></InputClaims><OutputClaims><OutputClaim ClaimTypeReferenceId="tier" />\
        <OutputClaim ClaimTypeReferenceId="country" DefaultValue="GB" /></OutputClaims></TechnicalProfile>
        """

    @Test func `a claim of a web API has the number of the answer`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: Self.claims, profiles: Inline.constants("Start", ["city": "Rome"]) + Self.rest,
                steps: Inline.steps("Start", "REST-Tier"), outputs: ["tier"])
        ])
        let run = world.begin()
        // The first attempt has no answer; the second one gives the claim.
        run.tell(.finished(CalloutResult(.failure(.timeout), exchange: "6.1")))
        run.tell(.finished(CalloutResult(.success(.json(200, ["tier": "gold"])), exchange: "6.2")))
        let profile = try record(run, profile: "REST-Tier")
        #expect(profile["exchange"] == "6.2" && profile["step"] == 2)
        #expect(profile["in"] == ["name": "Ada", "city": "Rome"] && profile["defaults"] == ["name"])
        #expect(profile["out"] == ["tier": "gold", "country": "GB"])
        #expect(profile["origins"] == ["country": "default"])
    }

    @Test func `a failure has the number of its exchange`() throws {
        let world = try World(xml: [
            Inline.policy(claims: Self.claims, profiles: Self.rest, steps: Inline.steps("REST-Tier"))
        ])
        let run = world.begin()
        run.tell(.finished(CalloutResult(.success(.json(409, ["userMessage": "no"])), exchange: "6.1")))
        let profile = try record(run, profile: "REST-Tier")
        #expect(profile["exchange"] == "6.1" && profile["error"] != nil)
        // Nobody records: no number.
        let other = world.begin()
        other.answer(["tier": "gold"])
        #expect(try record(other, profile: "REST-Tier")["exchange"] == nil)
    }

    @Test func `a page says what was entered`() throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["tier": "string", "country": "string", "hit": "string"], types: Self.field,
                profiles: Inline.constants("Start", ["tier": "gold"]) + Inline.constants("Mark", ["hit": "yes"])
                    + Inline.page(
                        "Ask",
                        """
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="f" /><OutputClaim ClaimTypeReferenceId="tier" />\
                        <OutputClaim ClaimTypeReferenceId="country" DefaultValue="GB" />\
                        <OutputClaim ClaimTypeReferenceId="hit" /></OutputClaims><ValidationTechnicalProfiles>\
                        <ValidationTechnicalProfile ReferenceId="Mark" /></ValidationTechnicalProfiles>
                        """), steps: Inline.steps("Start", "Ask"), outputs: ["f"])
        ])
        let run = world.begin()
        run.fill(["f": "London"])
        let page = try record(run, profile: "Ask")
        #expect(page["out"] == ["f": "London", "tier": "gold", "country": "GB", "hit": "yes"])
        #expect(page["origins"] == ["f": "page", "tier": "bag", "country": "default", "hit": "bag"])
        #expect(page["exchange"] == nil)
    }

    @Test func `a session says what it kept`() throws {
        let session = """
            <TechnicalProfile Id="SM-Kept"><DisplayName>s</DisplayName>\(Inline.handler("SSO.DefaultSSOSessionProvider"))\
            <PersistedClaims><PersistedClaim ClaimTypeReferenceId="tier" /></PersistedClaims></TechnicalProfile>
            """
        let world = try World(xml: [
            Inline.policy(
                claims: Self.claims,
                profiles: session
                    + Inline.constants(
                        "Start", ["tier": "gold"],
                        more: #"<UseTechnicalProfileForSessionManagement ReferenceId="SM-Kept" />"#),
                steps: Inline.steps("Start"), outputs: ["tier"])
        ])
        let first = world.begin()
        let second = world.begin(session: try #require(first.issuance?.session?.id))
        let profile = try record(second, profile: "Start")
        #expect(profile["skipped"] == "session")
        #expect(profile["out"] == ["tier": "gold"] && profile["origins"] == ["tier": "session"])
    }
}
