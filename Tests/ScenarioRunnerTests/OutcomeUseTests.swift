import AuthorityHosting
import Determinism
import JSON
import Scenarios
import Testing

@testable import ScenarioRunner

/// A world keeps the outcomes that its script reads later, however many steps there are.
struct OutcomeUseTests {
    /// The ids of the steps whose outcomes are there at the end.
    private static func kept(_ steps: String, more: String = "", options: RunOptions? = nil) async throws -> [String] {
        let scenario = try Running.scenario(
            """
            { "name": "x", "tenant": "tenants/contoso.json", "app": "ios", \(more) "steps": [ \(steps) ] }
            """)
        let options = options ?? RunOptions(seed: 7, policies: Running.policies)
        let variant = try #require(CaseExpansion.variants(of: scenario).first)
        let seed = SeededGenerator(seed: options.seed, stream: variant.stream)
        let world = World(
            variant: variant, options: options,
            tenant: try TenantShelf(policies: Running.policies).tenant(
                scenario.tenant.tenant.json, folder: scenario.tenant.folder),
            seed: seed, start: Scenario.usualClock)
        var table = ValueTable()
        table.variables = scenario.variables
        for variable in options.variables { table.variables[variable.name] = .string(variable.value) }
        table.caseValues = variant.values
        await world.set(table: table)
        try await world.begin()
        let context = StepContext(lane: await world.mainLane)
        let done = await Executor(world: world).run(variant.steps, context, isWhole: true)
        await world.turnstile.shutDown()
        await world.end()
        #expect(!done.failed, "\(done.reports.map { $0.problems + $0.mismatches.map(\.text) })")
        #expect(done.outcomes.isEmpty)
        #expect(done.reports.allSatisfy { $0.outcome == nil })
        let outcomes = await world.table.outcomes
        #expect(outcomes.members.map(\.key) == variant.steps.flatMap(\.withInner).compactMap(\.id))
        return outcomes.members.filter { $0.value != .null }.map(\.key)
    }

    @Test func `twice the steps keep as many outcomes`() async throws {
        func kept(_ count: Int) async throws -> Int {
            let steps = (0..<count).map { #"{ "id": "s\#($0)", "accounts": {} }"# }
            let last = #"{ "advanceClock": "PT{{s3/elapsed}}S" }"#
            return try await Self.kept((steps + [last]).joined(separator: ",\n")).count
        }
        #expect(try await kept(20) == 1)
        #expect(try await kept(40) == 1)
    }

    /// What a later step says.
    @Test(arguments: [
        #""advanceClock": "PT{{a/elapsed}}S""#,
        #""accounts": {}, "name": "after {{a/elapsed}}""#,
        #""accounts": {}, "expect": { "elapsed": "{{a/elapsed}}" }"#,
        #""steps": [ { "advanceClock": "PT{{a/elapsed}}S" } ]"#,
        #""currentAccount": {}, "then": [ { "advanceClock": "PT{{a/elapsed}}S" } ]"#,
        #""parallel": [ { "advanceClock": "PT{{a/elapsed}}S" }, { "accounts": {} } ]"#,
    ])
    func `an outcome that a later step reads is kept`(_ later: String) async throws {
        #expect(try await Self.kept(Self.two + ", { \(later) }") == ["a"])
    }

    private static let two = #"{ "id": "a", "accounts": {} }, { "id": "b", "accounts": {} }"#
    private static let waits = #", { "advanceClock": "PT{{pause}}S" }"#

    @Test func `a value that is filled in when it is used keeps what it names`() async throws {
        let inScript = try await Self.kept(
            Self.two + Self.waits, more: #""cases": { "one": { "set": { "pause": "{{b/elapsed}}" } } },"#)
        #expect(inScript == ["b"])
        let given = try await Self.kept(
            Self.two + Self.waits, more: #""variables": { "pause": "1" },"#,
            options: RunOptions(
                seed: 7, variables: [(name: "pause", value: "{{a/elapsed}}")], policies: Running.policies))
        #expect(given == ["a"])
    }

    /// A list of actions that comes out of an outcome or the tenant file is filled in once more.
    @Test(arguments: [("ada", false), ("{{who}}", false), ("{{a/result}}", true), ("{{users/ada/name}}", true)])
    func `all outcomes are kept where the names in a text are not known`(_ user: String, _ keepsAll: Bool) throws {
        let scenario = try Running.scenario(
            """
            { "name": "x", "tenant": "tenants/contoso.json", "app": "ios", "variables": { "who": "ada" },
              "steps": [ \(Self.two), { "acquireToken": {}, "user": "{{who}}" } ] }
            """)
        var variant = try #require(CaseExpansion.variants(of: scenario).first)
        variant.scenario.steps[2].user = .string(user)
        let use = OutcomeUse(of: variant, RunOptions(seed: 7, policies: Running.policies))
        #expect(use.reads("b") == keepsAll)
    }
}
