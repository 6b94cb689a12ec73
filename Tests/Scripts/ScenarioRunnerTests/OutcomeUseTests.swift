import AuthorityHosting
import Determinism
import Exchanges
import JSON
import Scenarios
import Testing

@testable import ScenarioRunner

/// A world keeps the outcomes that its script reads later and the logs that a report shows, however many steps there are.
struct OutcomeUseTests {
    /// What is there when the last step is over.
    private struct Rest {
        /// The ids of the steps whose outcomes are kept.
        var ids: [String]
        /// The records of exchanges that are kept, and how many exchanges there were.
        var records: Int
        var exchanges: Int
    }

    private static func kept(_ steps: String, more: String = "", options: RunOptions? = nil) async throws -> [String] {
        try await rest(steps, more: more, options: options).ids
    }

    private static func rest(_ steps: String, more: String = "", options: RunOptions? = nil) async throws -> Rest {
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
        return Rest(
            ids: outcomes.members.filter { $0.value != .null }.map(\.key),
            records: await world.hub.exchangeRecords().count, exchanges: await world.hub.exchangeCount)
    }

    /// One request after another, as steps and as rounds of one step, within groups and on lanes.
    @Test(arguments: [20, 40])
    func `requests of steps that are over are counted, and kept only for a log`(_ count: Int) async throws {
        let call = #""acquireTokenSilent": { "forceRefresh": true }"#
        let once = #"{ \#(call), "expect": { "requests": 1 } }"#
        let steps =
            [#"{ "acquireToken": {}, "user": "ada" }, { \#(call) }"#] + Array(repeating: once, count: count) + [
                #"{ "repeat": \#(count), \#(call), "expect": { "requests": 1 } }"#,
                #"{ "steps": [ \#(once), \#(once) ], "expect": { "requests": 2 } }"#,
                #"{ "parallel": [ \#(once), { "accounts": {} } ], "expect": { "requests": 1 } }"#,
                #"{ "accounts": {}, "then": [ \#(once) ], "expect": { "requests": 0 } }"#,
            ]
        let text = steps.joined(separator: ",\n")
        let plain = try await Self.rest(text)
        var options = RunOptions(seed: 7, policies: Running.policies)
        options.keepLog = true
        let logged = try await Self.rest(text, options: options)
        #expect(plain.records == 0)
        #expect(logged.records == logged.exchanges)
        #expect(plain.exchanges == logged.exchanges)
        #expect(plain.exchanges > 2 * count + 4)
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
