import CommandKit
import ScenarioRunner
import Scenarios
import Testing
import b2c

/// Which scenarios of a suite a plan runs.
struct SuiteTests {
    /// Three scenarios: two with tags, one with cases.
    private static func suite() throws -> [(scenario: Scenario, step: String?)] {
        func scenario(_ file: String, _ members: String) throws -> Scenario {
            let text = """
                { "name": "\(file) signs in", \(members),
                  "tenant": { "name": "contoso", "apps": { "ios": {} },
                    "policies": { "susi": { "type": "signUpOrSignIn" } } },
                  "steps": [ { "id": "look", "accounts": {} }, { "id": "again", "accounts": {} } ] }
                """
            return try ScenarioReader.read(file: "\(file).json", bytes: Array(text.utf8), files: { _ in nil })
        }
        return [
            (try scenario("Ada", #""tags": ["smoke", "fast"]"#), nil),
            (try scenario("Bea", #""tags": ["smoke"]"#), "look"),
            (try scenario("Cleo", #""cases": { "one": { "set": { "n": 1 } }, "two": { "set": { "n": 2 } } }"#), nil),
        ]
    }

    /// The scenarios that a command line runs, each with its cases and how many steps it has.
    private static func chosen(_ arguments: String, failed: [RunKey] = []) throws -> [String] {
        let plan = try RunPlan(
            arguments: arguments.split(separator: " ").map(String.init), variable: { _ in nil })
        let (scenarios, _) = try plan.choose(try suite(), lastFailed: LastFailed(failed: failed))
        return scenarios.map { scenario in
            let cases = scenario.cases.map(\.name)
            return scenario.file + (cases.isEmpty ? "" : " [\(cases.joined(separator: " "))]")
                + " \(scenario.steps.count)"
        }
    }

    @Test(arguments: [
        ("", ["Ada.json 2", "Bea.json 1", "Cleo.json [one two] 2"]),
        ("--tags smoke", ["Ada.json 2", "Bea.json 1"]),
        ("--tags smoke+fast", ["Ada.json 2"]),
        ("--tags smoke+!fast", ["Bea.json 1"]),
        ("--tags !smoke", ["Cleo.json [one two] 2"]),
        ("--name CLEO", ["Cleo.json [one two] 2"]),
        ("--case two", ["Cleo.json [two] 2"]),
    ])
    func `filters choose scenarios, cut after their step`(_ arguments: String, _ expected: [String]) throws {
        #expect(try Self.chosen(arguments) == expected)
    }

    @Test(arguments: [
        ("--tags smok", "Did you mean smoke?"), ("--tags slow+fast", "no scenario matches --tags slow+fast"),
        ("--name Dora", "no scenario has \"Dora\" in its name"), ("--case three", "no scenario has the case"),
    ])
    func `a filter that nothing matches is an error`(_ arguments: String, _ words: String) {
        let failure = #expect(throws: Failure.self) { try Self.chosen(arguments) }
        #expect(failure?.text?.contains(words) == true, "\(failure?.text ?? "")")
    }

    @Test func `what failed before runs alone, and everything where nothing did`() throws {
        let failed = [RunKey(file: "Cleo.json", caseName: "two"), RunKey(file: "gone.json", caseName: nil)]
        #expect(try Self.chosen("--last-failed", failed: failed) == ["Cleo.json [two] 2"])
        #expect(try Self.chosen("--last-failed").count == 3)
        #expect(try Self.chosen("", failed: failed).count == 3)
    }

    @Test func `every shard has the seed of the suite`() throws {
        let suite = ChosenSuite(try Self.suite().map(\.scenario))
        func seed(_ arguments: [String]) throws -> UInt64 {
            try RunPlan(arguments: arguments, variable: { _ in nil }).seed(of: suite, draw: { 41 })
        }
        #expect(try seed([]) == 41)
        #expect(try seed(["--shard", "1/2"]) == suite.seed)
        #expect(try seed(["--shard", "2/2"]) == suite.seed)
        #expect(try seed(["--shard", "2/2", "--seed", "7"]) == 7)
    }

    @Test(arguments: 1...9)
    func `shards share the work evenly`(_ count: Int) throws {
        let times = (0..<40).map { Int64(($0 * 7919) % 997) }
        for known in [times.map { Optional($0) }, times.map { $0 % 5 == 0 ? nil : $0 }, times.map { _ in nil }] {
            let shard = try #require(
                try RunPlan(arguments: ["--shard", "1/\(count)"], variable: { _ in nil }).shard)
            let owners = shard.owners(of: known)
            #expect(owners.count == known.count && owners.allSatisfy { (1...count).contains($0) })
            let average = known.compactMap(\.self).reduce(0, +) / Int64(max(known.compactMap(\.self).count, 1))
            let weights = known.map { max($0 ?? average, 1) }
            let loads = (1...count).map { owner in
                zip(owners, weights).filter { $0.0 == owner }.map(\.1).reduce(0, +)
            }
            // A greedy division is never off by more than one scenario.
            #expect((loads.max() ?? 0) - (loads.min() ?? 0) <= (weights.max() ?? 0))
        }
    }
}
