import Foundation
import JSON
import TestSupport
import Testing

/// A suite on several machines: shards, their parts, and `b2c merge`.
@Suite(.blocking) struct ShardTests {
    /// A project with scripts that pass and, by the number in their name, some that fail, and one with a custom policy.
    private func project(failing: Set<Int> = [], count: Int = 5) throws -> Tool {
        let tool = try Tool()
        #expect(try tool.run("init", ".").status == 0)
        let text = try tool.read("scenarios/first-sign-in.json")
        for number in 1...count {
            var script = text.replacing("Ada signs in, and the second call needs no network", with: "Sign-in \(number)")
            if failing.contains(number) { script = script.replacing("\"name\": \"Ada\"", with: "\"name\": \"Eve\"") }
            try tool.write(script, to: "scenarios/s\(number).json")
        }
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("scenarios/first-sign-in.json"))
        return tool
    }

    private func shards(_ tool: Tool, _ count: Int, _ options: String...) throws {
        for number in 1...count {
            let run = try tool.run(
                ["run", "--shard", "\(number)/\(count)", "--part", "part-\(number).jsonl"] + options)
            #expect([0, 4].contains(run.status), "\(run.error)")
        }
    }

    @Test(arguments: [2, 5, 9])
    func `shards merged give the bytes of one run`(_ count: Int) throws {
        let tool = try project(failing: [2, 4])
        defer { tool.remove() }
        let one = try tool.run(
            "run", "--seed", "7", "--report-json", "one.json", "--trace-json", "one-trace.json", "--trace-har",
            "one.har", "--report-html", "one.html", "--report-gitlab", "one-gitlab.json")
        #expect(one.status == 4)
        try shards(tool, count, "--seed", "7", "--trace-json", "t.json", "--trace-har", "t.har")
        // In another order than that of the shards.
        let parts = (1...count).reversed().map { "part-\($0).jsonl" }
        let merge = try tool.run(
            ["merge"] + parts + [
                "--report-json", "all.json", "--trace-json", "all-trace.json", "--trace-har", "all.har",
                "--report-html", "all.html", "--report-gitlab", "all-gitlab.json",
            ])
        #expect(merge.status == 4)
        for (left, right) in [
            ("one.json", "all.json"), ("one-trace.json", "all-trace.json"), ("one.har", "all.har"),
            ("one.html", "all.html"), ("one-gitlab.json", "all-gitlab.json"),
        ] {
            // Wall time is not the same again.
            func bytes(_ file: String) throws -> String { try tool.read(file).replacing(/"wall":\{[^}]*\},/, with: "") }
            #expect(try bytes(left) == bytes(right), "\(left) and \(right)")
        }
        func text(_ out: String) -> String { out.replacing(/, \d+\.\d s\)/, with: ")") }
        #expect(text(one.out).hasPrefix(text(merge.out)), "\(merge.out)")
    }

    @Test func `labels of secrets do not depend on the reports that are asked for, and a red suite merges to them`()
        throws
    {
        let tool = try project()
        defer { tool.remove() }
        // Tokens of a step that passed are in no report but some; those of the step that fails after it are in all.
        for number in 1...5 {
            try tool.write(
                """
                {
                  "name": "Red \(number)", "tenant": "tenants/contoso.json", "app": "ios",
                  "steps": [
                    { "acquireToken": {}, "user": "ada", "expect": { "result": { "scopes": { "$exists": true } } } },
                    { "acquireToken": { "prompt": "login" }, "user": "ada",
                      "expect": { "result": { "idToken": { "claims": { "name": "Eve" } } } } }
                  ]
                }
                """, to: "scenarios/s\(number).json")
        }
        let kinds = [
            "--report-json", "--trace-json", "--trace-har", "--report-html", "--report-junit", "--report-gitlab",
        ]
        func withoutWall(_ file: String) throws -> String {
            try tool.read(file).replacing(/"wall":\{[^}]*\},/, with: "").replacing(#/ time="[^"]*"/#, with: "")
        }
        func all(_ name: String) -> [String] { kinds.flatMap { [$0, "\(name)\($0)"] } }
        // Wall time, the hint at other reports and their names are not the same again.
        func account(_ out: String) -> String { out.replacing(/, \d+\.\d s\)(?s:.*)/, with: ")") }
        let one = try tool.run(["run", "-v", "--seed", "7"] + all("one"))
        #expect(one.status == 4 && one.out.contains("<token"))
        for kind in kinds {
            let alone = try tool.run("run", "-v", "--seed", "7", kind, "alone\(kind)")
            #expect(try withoutWall("alone\(kind)") == withoutWall("one\(kind)"), "\(kind)")
            #expect(account(one.out) == account(alone.out), "\(kind)")
        }
        try shards(tool, 5, "--seed", "7", "--trace-json", "t.json", "--trace-har", "t.har")
        let merge = try tool.run(["merge"] + (1...5).map { "part-\($0).jsonl" } + all("merged"))
        #expect(merge.status == 4)
        for kind in kinds { #expect(try withoutWall("merged\(kind)") == withoutWall("one\(kind)"), "\(kind)") }
        // Shards that keep no trace have the same labels.
        try shards(tool, 5, "--seed", "7")
        #expect(
            try tool.run(["merge"] + (1...5).map { "part-\($0).jsonl" } + ["--report-html", "plain.html"]).status == 4)
        #expect(try withoutWall("plain.html") == withoutWall("one--report-html"))
    }

    @Test func `without a seed all shards have one, and another suite another`() throws {
        let tool = try project()
        defer { tool.remove() }
        try shards(tool, 2)
        #expect(try tool.run("merge", "part-1.jsonl", "part-2.jsonl").status == 0)
        let seed = try tool.read("part-1.jsonl").firstMatch(of: /"seed":"\d+"/)?.output
        try tool.write(try tool.read("scenarios/s1.json") + "\n", to: "scenarios/s1.json")
        try shards(tool, 2)
        #expect(try tool.read("part-1.jsonl").firstMatch(of: /"seed":"\d+"/)?.output != seed)
    }

    @Test func `what does not belong together is not merged`() throws {
        let tool = try project(count: 4)
        defer { tool.remove() }
        try shards(tool, 3, "--seed", "1")
        let whole = try tool.read("part-1.jsonl")
        try tool.write(String(whole.prefix(whole.count * 2 / 3)), to: "cut.jsonl")
        try tool.write(whole.split(separator: "\n").dropLast().joined(separator: "\n") + "\n", to: "short.jsonl")
        try tool.write(whole.replacing("\"status\":\"passed\"", with: "\"status\":\"fine\""), to: "odd.jsonl")
        try tool.write(whole.replacing("\"b2cPart\":1", with: "\"b2cPart\":2"), to: "newer.jsonl")
        try tool.write(whole.replacing("\"tool\":\"", with: "\"tool\":\"9"), to: "version.jsonl")
        try tool.write(whole.replacing("\"index\":1", with: "\"index\":99999999999999999999"), to: "huge.jsonl")
        #expect(try tool.run("run", "--seed", "2", "--shard", "1/3", "--part", "seed.jsonl").status == 0)
        #expect(try tool.run("run", "--seed", "1", "--shard", "1/4", "--part", "four.jsonl").status == 0)
        #expect(
            try tool.run("run", "--seed", "1", "--shard", "1/3", "--name", "Sign-in 1", "--part", "suite.jsonl").status
                == 0)
        let rest = ["part-2.jsonl", "part-3.jsonl"]
        let cases: [(first: String, others: [String], sentence: String)] = [
            ("part-1.jsonl", ["part-3.jsonl"], "part 2/3 is missing"),
            ("part-1.jsonl", [], "parts 2/3, 3/3 are missing"),
            ("part-1.jsonl", rest + ["part-1.jsonl"], "part-1.jsonl and part-1.jsonl are both part 1 of 3"),
            ("cut.jsonl", rest, "cut.jsonl was cut off"),
            ("short.jsonl", rest, "short.jsonl was cut off"),
            ("odd.jsonl", rest, "odd.jsonl is not as b2c wrote it"),
            ("huge.jsonl", rest, "huge.jsonl is not a part"),
            ("newer.jsonl", rest, "newer.jsonl has the format 2, and this b2c reads 1"),
            ("version.jsonl", rest, "the version of b2c is 9"),
            ("seed.jsonl", rest, "the seed is 2 in the first and 1 in the second"),
            ("four.jsonl", rest, "the number of shards is 4 in the first and 3 in the second"),
            ("suite.jsonl", rest, "are not parts of one suite"),
            ("scenarios/s1.json", rest, "scenarios/s1.json is not a part"),
            ("nowhere.jsonl", rest, "nowhere.jsonl cannot be read"),
        ]
        for (first, others, sentence) in cases {
            let merge = try tool.run(["merge", first] + others + ["--report-json", "all.json"])
            #expect(merge.status == 2 && merge.error.contains(sentence), "\(first): \(merge.error)")
            // What says that nothing was merged is a report too.
            #expect(try JSONParser.parse(tool.read("all.json"))["result"] == "notRun", "\(first)")
        }
        let trace = try tool.run(["merge", "part-1.jsonl"] + rest + ["--trace-har", "x.har"])
        #expect(trace.status == 1 && trace.error.contains("the parts hold no trace"), "\(trace.error)")
        let coverage = try tool.run(["merge", "part-1.jsonl"] + rest + ["--coverage-min", "5"])
        #expect(coverage.status == 1 && coverage.error.contains("the parts hold no coverage"), "\(coverage.error)")
    }

    @Test func `shards are balanced by the times of former runs`() throws {
        let tool = try project(count: 6)
        defer { tool.remove() }
        #expect(try tool.run("run", "--timings", "timings.json").status == 0)
        let kept = try JSONParser.parse(try tool.read("timings.json"))
        #expect(kept["timings"]?.arrayValue?.count == 6)
        func entry(_ number: Int, _ time: Int64) -> JSONValue {
            ["file": .string("scenarios/s\(number).json"), "milliseconds": .integer(time)]
        }
        // The slow one runs alone; a script that is not known counts as the average.
        let times: JSONValue = [
            "version": 1,
            "timings": .array([entry(1, 10), entry(2, 10), entry(3, 900), entry(4, 10), entry(5, 10)]),
        ]
        try tool.write(JSONWriter.pretty(times), to: "timings.json")
        func files(_ shard: String) throws -> [String] {
            let list = try tool.run("run", "--shard", shard, "--timings", "timings.json", "--list", "--json")
            return try JSONParser.parse(list.out).arrayValue?.compactMap { $0["file"]?.stringValue } ?? []
        }
        #expect(try files("1/2") == ["scenarios/s3.json"])
        #expect(try files("2/2") == [1, 2, 4, 5, 6].map { "scenarios/s\($0).json" })
        try tool.write("{}", to: "timings.json")
        let wrong = try tool.run("run", "--shard", "1/2", "--timings", "timings.json")
        #expect(wrong.status == 2 && wrong.error.contains("this is not a file of timings"), "\(wrong.error)")
    }

    @Test func `a suite smaller than its shards is merged too`() throws {
        let tool = try project(count: 1)
        defer { tool.remove() }
        try shards(tool, 3)
        let merge = try tool.run("merge", "part-1.jsonl", "part-2.jsonl", "part-3.jsonl", "--timings", "timings.json")
        #expect(merge.status == 0 && merge.out.hasPrefix("1 scenario in 1 file: 1 passed"), "\(merge)")
        #expect(try tool.read("timings.json").contains("scenarios/s1.json"))
    }

    // MARK: Coverage

    private func policyProject() throws -> Tool {
        let tool = try Tool()
        let root = TestFiles.root().appendingPathComponent("scenarios")
        let copy = tool.folder.appendingPathComponent("scenarios")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for name in ["custom-policy.json", "tenants", "policies"] {
            try FileManager.default.copyItem(
                at: root.appendingPathComponent(name), to: copy.appendingPathComponent(name))
        }
        return tool
    }

    @Test func `coverage of merged shards is that of one run, and the gate fails below its minimum`() throws {
        let tool = try policyProject()
        defer { tool.remove() }
        let one = try tool.run(
            "run", "--seed", "3", "--coverage-json", "one.json", "--coverage-cobertura", "one.xml", "--coverage-min",
            "1")
        #expect(one.status == 0 && one.out.contains("coverage of custom policies: "), "\(one)")
        try shards(tool, 2, "--seed", "3", "--coverage-text", "c.txt")
        let merge = try tool.run(
            "merge", "part-1.jsonl", "part-2.jsonl", "--coverage-json", "all.json", "--coverage-cobertura", "all.xml",
            "--coverage-min", "100")
        #expect(merge.status == 4)
        #expect(merge.out.contains("at least 100 % required\n  not exercised: scenarios/policies/"), "\(merge.out)")
        #expect(try tool.read("one.json") == tool.read("all.json"))
        #expect(try tool.read("one.xml") == tool.read("all.xml"))
        for (value, sentence) in [("101", "expected a percentage from 0 to 100"), ("half", "expected a percentage")] {
            let wrong = try tool.run("run", "--coverage-min", value)
            #expect(wrong.status == 1 && wrong.error.contains(sentence), "\(wrong.error)")
        }
    }

    @Test func `the gate can count what changed since a git revision`() throws {
        let tool = try policyProject()
        defer { tool.remove() }
        let git = try tool.shell(
            "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.test commit -qm first")
        guard git.status == 0 else {
            print("skipped: git is not installed")
            return
        }
        let nothing = try tool.run("run", "--seed", "3", "--coverage-changed", "HEAD")
        #expect(
            nothing.status == 0 && nothing.out.contains("nothing changed in custom policies since HEAD"), "\(nothing)")
        // Step 1 of the journey runs in the script, the refresh journey does not.
        let base = try tool.read("scenarios/policies/Base.xml")
        let ran = base.replacing(
            "<OrchestrationStep Order=\"1\" Type=\"CombinedSignInAndSignUp\"",
            with: "<OrchestrationStep  Order=\"1\" Type=\"CombinedSignInAndSignUp\"")
        #expect(ran != base)
        try tool.write(ran, to: "scenarios/policies/Base.xml")
        let good = try tool.run("run", "--seed", "3", "--coverage-changed", "HEAD")
        #expect(good.status == 0 && good.out.contains("100.0 % (1 of 1 parts)"), "\(good)")
        let unknown = try tool.run("run", "--coverage-changed", "nowhere")
        #expect(unknown.status == 1 && unknown.error.contains("git does not know this revision"), "\(unknown.error)")
        let option = try tool.run("run", "--coverage-changed=--output=x")
        #expect(option.status == 1 && option.error.contains("expected a git revision"), "\(option.error)")
    }
}
