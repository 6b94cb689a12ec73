import CommandKit
import Testing
import b2c

/// What options and the environment together mean for a run.
struct RunPlanTests {
    /// A command line with an environment, and the plan in words or the complaint.
    struct Line: Sendable, CustomTestStringConvertible {
        var arguments: String
        var environment: [String: String]
        var expected: String

        init(_ arguments: String, _ environment: [String: String] = [:], is expected: String) {
            self.arguments = arguments
            self.environment = environment
            self.expected = expected
        }

        var testDescription: String {
            (environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } + ["b2c run", arguments])
                .joined(separator: " ")
        }

        func plan() throws -> RunPlan {
            let environment = environment
            return try RunPlan(
                arguments: arguments.split(separator: " ").map(String.init), variable: { environment[$0] })
        }
    }

    /// What a plan says beyond a plain run of everything.
    private static func words(_ plan: RunPlan) -> String {
        var words: [String] = []
        switch plan.seeds {
        case .one(let seed): if let seed { words.append("seed \(seed)") }
        case .each(let list): words.append("each of \(list.count) seeds")
        case .repeated(let count, let first): words.append("\(count) times from \(first.map { "\($0)" } ?? "any")")
        }
        if plan.drawsOrder { words.append("order drawn") }
        if !plan.selection.tags.isEmpty { words.append("tags \(plan.selection.tags.joined(separator: " "))") }
        if let name = plan.selection.name { words.append("name \(name)") }
        if !plan.selection.cases.isEmpty { words.append("cases \(plan.selection.cases.joined(separator: " "))") }
        if let shard = plan.shard { words.append("shard \(shard.index) of \(shard.count)") }
        if let most = plan.maxFailures { words.append("stops after \(most)") }
        if plan.retries > 0 { words.append("\(plan.retries) retries") }
        if let jobs = plan.jobs { words.append("\(jobs) jobs") }
        if let target = plan.target { words.append("at \(target)") }
        if let browser = plan.browser {
            words.append("\(browser.driver)\(browser.showsWindow ? " in a window" : "")")
        }
        for variable in plan.variables { words.append("\(variable.name) is \(variable.value)") }
        for secret in plan.secrets { words.append("secret \(secret.name)") }
        let switches: [(String, Bool)] = [
            ("last failed", plan.choosesLastFailed), ("strict", plan.isStrict), ("followed", plan.isFollowed),
            ("flaky fails", plan.failsOnFlaky), ("proves", plan.proves), ("shows secrets", plan.showsSecrets),
            ("changes", plan.allowsLiveChanges), ("real services", plan.allowsRealServices),
        ]
        words += switches.filter(\.1).map(\.0)
        words += [plan.secretsFile, plan.partFile, plan.timingsFile].compactMap(\.self).map { "file \($0)" }
        return words.joined(separator: ", ")
    }

    @Test(arguments: [
        Line("", is: ""),
        Line("--seed 3", ["B2C_SEED": "9"], is: "seed 3"),
        Line("", ["B2C_SEED": "9"], is: "seed 9"),
        Line("--seeds 1..3,8", ["B2C_SEED": "9"], is: "each of 4 seeds, order drawn"),
        Line("--seed 3", ["B2C_SEEDS": "1..3"], is: "seed 3"),
        Line("", ["B2C_SEEDS": "1..3"], is: "each of 3 seeds, order drawn"),
        Line("--repeat 4", is: "4 times from any"),
        Line("--repeat 4", ["B2C_SEED": "9", "B2C_SEEDS": "1..3"], is: "4 times from 9"),
        Line("", ["B2C_REPEAT": "2"], is: "2 times from any"),
        Line("--tags smoke,!slow --tags a+b", ["B2C_TAGS": "x"], is: "tags smoke !slow a+b"),
        Line("", ["B2C_TAGS": " x , y,", "B2C_NAME": "Ada", "B2C_CASE": "one"], is: "tags x y, name Ada, cases one"),
        Line("--case two --case three", ["B2C_CASE": "one"], is: "cases two three"),
        Line("--shard 2/5", ["B2C_SHARD": "1/2"], is: "shard 2 of 5"),
        Line("", ["B2C_SHARD": "auto", "CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "3"], is: "shard 1 of 3"),
        Line("--shard auto", ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], is: "shard 2 of 5"),
        Line("--bail", ["B2C_MAX_FAILURES": "5"], is: "stops after 1"),
        Line("--max-failures 5", ["B2C_BAIL": "1"], is: "stops after 5"),
        Line("", ["B2C_BAIL": "Yes"], is: "stops after 1"),
        Line("", ["B2C_BAIL": "no", "B2C_MAX_FAILURES": "2"], is: "stops after 2"),
        Line("--target in-process", ["B2C_TARGET": "live"], is: ""),
        Line("--retries 2", ["B2C_TARGET": "live"], is: "2 retries, at live"),
        Line("", ["B2C_RETRIES": "2"], is: "2 retries"),
        Line("--target t --browser", ["B2C_BROWSER_DRIVER": "geckodriver"], is: "at t, geckodriver"),
        Line("--target t --browser-window", is: "at t, chromedriver in a window"),
        Line("--target t", ["B2C_BROWSER_DRIVER": "geckodriver"], is: "at t"),
        Line("--step", ["B2C_JOBS": "8"], is: "1 jobs, followed"),
        Line("--jobs 3", ["B2C_JOBS": "8"], is: "3 jobs"),
        Line("--variable a=1 --variable a= --secret key=x=y", is: "a is 1, a is , secret key"),
        Line(
            "--strict --last-failed --fail-on-flaky --prove --show-secrets --allow-live-changes --allow-real-services",
            is: "last failed, strict, flaky fails, proves, shows secrets, changes, real services"),
        Line(
            "", ["B2C_SECRETS_FILE": "s.json", "B2C_PART": "p.jsonl", "B2C_TIMINGS": "t.json"],
            is: "file s.json, file p.jsonl, file t.json"),
    ])
    func `an option takes precedence over its variable`(_ line: Line) throws {
        #expect(Self.words(try line.plan()) == line.expected)
    }

    @Test(arguments: [
        Line("--seed 1 --seeds 1..3", is: "--seed runs one seed, and --seeds several"),
        Line("", ["B2C_SEED": "1", "B2C_SEEDS": "2"], is: "B2C_SEED sets one seed, and B2C_SEEDS several"),
        Line("--repeat 2 --seeds 1..3", is: "--repeat and --seeds both say which seeds run"),
        Line("--repeat 0", is: "--repeat 0: expected a number from 1 to 1000000"),
        Line("--repeat 3 --seed 18446744073709551614", is: "the seeds end at 18446744073709551615"),
        Line("--step", ["B2C_SEEDS": "1..3"], is: "B2C_SEEDS runs scenarios once for each seed, and --step"),
        Line("--step --jobs 4", is: "leave --jobs 4 out"),
        Line("--bail --max-failures 2", is: "--bail stops after one failure"),
        Line("", ["B2C_BAIL": "1", "B2C_MAX_FAILURES": "2"], is: "--bail stops after one failure"),
        Line("--max-failures 0", is: "the smallest number is 1"),
        Line("", ["B2C_MAX_FAILURES": "many"], is: "B2C_MAX_FAILURES is \"many\", and must be a whole number"),
        Line("--retries 1", is: "--retries needs --target"),
        Line("--retries 101 --target t", is: "--retries 101: expected 0 to 100"),
        Line("--browser", is: "a real browser needs a network"),
        Line("--target in-process", ["B2C_BROWSER": "1"], is: "a real browser needs a network"),
        Line("--shard 6/5", is: "the index goes from 1 to the count"),
        Line("", ["B2C_SHARD": "two"], is: "B2C_SHARD is \"two\", and must be INDEX/COUNT"),
        Line("--shard auto", is: "the variables of GitLab, CircleCI, Azure Pipelines and Buildkite are not set"),
        Line("--jobs 0", is: "--jobs must be from 1 to 1024"),
        Line("--variable =1", is: "--variable takes NAME=VALUE"),
    ])
    func `options that contradict each other are refused with both`(_ line: Line) {
        let failure = #expect(throws: Failure.self) { try line.plan() }
        #expect(failure?.status == .usage)
        #expect(failure?.text?.contains(line.expected) == true, "\(failure?.text ?? "")")
    }

    @Test(arguments: [
        Line("--step", is: "--step"), Line("--target t", is: "--target"),
        Line("--max-failures 2", is: "--max-failures"),
        Line("--repeat 2", is: "--repeat"), Line("--shard 1/2", is: "--shard"),
        Line("--last-failed", is: "--last-failed"), Line("--allow-real-services", is: "--allow-real-services"),
    ])
    func `a bundle holds what repeats byte for byte`(_ line: Line) throws {
        let plan = try line.plan()
        let failure = #expect(throws: Failure.self) { try plan.checkBundle() }
        #expect(failure?.text?.contains("--bundle ") == true && failure?.text?.contains(line.expected) == true)
        try Line("--seeds 1..3 --bail --case one", is: "").plan().checkBundle()
    }

    @Test func `several runs keep no part, and change no real tenant`() throws {
        let part = try Line("--repeat 2 --part p.jsonl", is: "").plan()
        #expect(throws: Failure.self) { try part.checkSeeds(isLive: false) }
        let seeds = try Line("--seeds 1,2 --target t", is: "").plan()
        try seeds.checkSeeds(isLive: false)
        let failure = #expect(throws: Failure.self) { try seeds.checkSeeds(isLive: true) }
        #expect(failure?.text?.contains("--target t") == true)
        try Line("--seed 1 --target t --part p.jsonl", is: "").plan().checkSeeds(isLive: true)
    }

    @Test func `seeds follow each other, from a drawn one where none is given`() throws {
        func seeds(_ arguments: String) throws -> [UInt64]? {
            try Line(arguments, is: "").plan().seeds.list(draw: { 40 }).map { Array($0.seeds) }
        }
        #expect(try seeds("--seed 3") == nil)
        #expect(try seeds("--seeds 5,1..3") == [5, 1, 2, 3])
        #expect(try seeds("--repeat 3 --seed 7") == [7, 8, 9])
        #expect(try seeds("--repeat 2") == [40, 41])
    }
}
