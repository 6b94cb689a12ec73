import Foundation
import JSON
import TestSupport
import Testing

/// `b2c.json`, what `b2c init` writes beside scenarios, and runs that repeat.
@Suite(.blocking) struct ProjectFileTests {
    private func started() throws -> Tool {
        let tool = try Tool()
        #expect(try tool.run("init").status == 0)
        return tool
    }

    @Test func `precedence is option, environment variable, file`() throws {
        let tool = try started()
        defer { tool.remove() }
        try tool.write(
            #"{"paths": ["scenarios"], "seed": 3, "reports": {"junit": "out/deep/j.xml"}, "maxFailures": 5, "#
                + #""profiles": {"ci": {"seed": 4, "reports": {"markdown": "out/m.md"}}}}"#, to: "b2c.json")
        #expect(try tool.run("run").out.contains("(seed 3, "))
        #expect(try tool.read("out/deep/j.xml").contains("<testsuite"))
        #expect(try tool.run("run", environment: ["B2C_SEED": "8"]).out.contains("(seed 8, "))
        #expect(try tool.run("run", "--seed", "9", environment: ["B2C_SEED": "8"]).out.contains("(seed 9, "))
        #expect(try tool.run("run", "--bail").status == 0)
        #expect(try tool.run("run", "--profile", "ci").out.contains("(seed 4, "))
        #expect(try tool.read("out/m.md").hasPrefix("## b2c: "))
        #expect(try tool.run("run", environment: ["B2C_PROFILE": "ci"]).out.contains("(seed 4, "))
    }

    @Test func `every finding of the file names its place, and nothing runs`() throws {
        let tool = try started()
        defer { tool.remove() }
        let cases: [(text: String, place: String, sentence: String)] = [
            (#"{"pathz": []}"#, "b2c.json:1:2", "Did you mean `paths`?"),
            (#"{"seed": "a"}"#, "b2c.json:1:10", "must be a whole number"),
            (#"{"reports": {"junitt": "x"}}"#, "b2c.json:1:14", "Did you mean `junit`?"),
            (#"{"profiles": {"ci": {"profiles": {}}}}"#, "b2c.json:1:22", "is not a key of a profile"),
            ("{", "b2c.json:1:1", "B2C-JSON-001"),
            ("[]", "b2c.json:1:1", "must be"),
        ]
        for (text, place, sentence) in cases {
            try tool.write(text, to: "b2c.json")
            for command in [["run"], ["check"], ["merge", "x"]] {
                let run = try tool.run(command)
                #expect(
                    run.status == 2 && run.error.contains(place) && run.error.contains(sentence),
                    "\(text): \(run.error)")
            }
        }
        try tool.write(#"{"profiles": {"ci": {}}}"#, to: "b2c.json")
        let near = try tool.run("run", "--profile", "cii")
        #expect(near.status == 2 && near.error.contains("Did you mean ci?"), "\(near.error)")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("b2c.json"))
        let none = try tool.run("run", "--profile", "ci")
        #expect(none.status == 1 && none.error.contains("there is no b2c.json in this folder"), "\(none.error)")
    }

    @Test func `the shipped schema is the one that the command prints, and fits what init writes`() throws {
        let tool = try started()
        defer { tool.remove() }
        let schema = try tool.run("schema", "project").out
        try matches(schema, "scenarios/schemas/project.schema.json")
        #expect(try tool.read(".b2c/schemas/project.schema.json") == schema)
        let reference = try tool.run("schema", "project", "--markdown").out
        try matches(reference, "docs/project-file.md")
    }

    /// A text that is in the repository as a file.
    private func matches(_ text: String, _ path: String) throws {
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
            try Data(text.utf8).write(to: TestFiles.root().appendingPathComponent(path))
        }
        let shipped = String(decoding: try TestFiles.bytes(path), as: UTF8.self)
        #expect(
            shipped == text, "\(path): record it with B2C_RECORD=1: \(lineDifference(expected: shipped, found: text))")
    }

    /// So many scenarios that machines share them.
    private static func fill(_ tool: Tool) throws {
        let script = try tool.read("scenarios/first-sign-in.json")
        for number in 1..<100 {
            let copy = script.replacing("\"name\": \"Ada signs in,", with: "\"name\": \"\(number): Ada signs in,")
            try tool.write(copy, to: "scenarios/copy-\(number).json")
        }
    }

    @Test(arguments: ["github", "azure", "gitlab"])
    func `init writes a pipeline for a CI service`(_ service: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let path = [
            "github": ".github/workflows/b2c.yml", "azure": "azure-pipelines-b2c.yml", "gitlab": ".gitlab-ci.yml",
        ]
        #expect(try tool.run("init", "--ci", service).out.contains("wrote  \(path[service] ?? "")\n"))
        // The commands of the pipeline run as written: with few scenarios on one machine.
        let alone = try tool.read(path[service] ?? "")
        let command = try #require(alone.firstMatch(of: #/(?:run: |script: |- )b2c (run --profile ci[^\n]*)/#)?.1)
        #expect(!alone.contains("--shard") && !alone.contains("b2c merge") && alone.contains("sha256sum --check"))
        #expect(try tool.run(command.split(separator: " ").map(String.init)).status == 0)
        #expect(try tool.read("reports/junit.xml").contains("<testsuites"))
        try Self.fill(tool)
        _ = try tool.shell("rm \(path[service] ?? "")")
        _ = try tool.run("init", "--ci", service)
        let text = try tool.read(path[service] ?? "")
        let run = try #require(text.firstMatch(of: #/b2c run [^\n]*--part /#)?.output)
        #expect(text.contains("b2c merge ") && text.contains("--profile ci") && text.contains("sha256sum --check"))
        let variables = ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"]
        let shard = run.replacing("${{ matrix.shard }}", with: "1").split(separator: " ").dropFirst().map(String.init)
        let outcome = try tool.run(shard + ["part-1.jsonl"], environment: variables)
        #expect(outcome.status == 0, "\(shard): \(outcome.error)")
        #expect(try tool.run("init", "--ci", service).out.contains("kept   \(path[service] ?? "")\n"))
        #expect(try tool.run("init", "--ci", "jenkins").status == 1)
    }

    /// What users are given is what we use: our workflow shares the suite between machines and merges with the same words.
    @Test func `our own workflow runs what init --ci github writes`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        _ = try tool.run("init")
        try Self.fill(tool)
        _ = try tool.run("init", "--ci", "github")
        let written = try tool.read(".github/workflows/b2c.yml")
        let own = String(decoding: try TestFiles.bytes(".github/workflows/scenarios.yml"), as: UTF8.self)
        let options = try #require(written.firstMatch(of: #/b2c run( --[^\n]*)/#)?.1)
        #expect(own.contains("b2c run scenarios\(options)\n"), "\(options)")
        #expect(written.contains("b2c merge part-*.jsonl ") && own.contains("b2c merge part-*.jsonl "))
    }

    // MARK: Again and again

    @Test func `repeat runs every seed and names those that fail`() throws {
        let tool = try started()
        defer { tool.remove() }
        let good = try tool.run("run", "--repeat", "3", "--seed", "10")
        #expect(good.status == 0 && good.out.hasSuffix("3 of 3 seeds passed\n"), "\(good.out)")
        try tool.write(
            try tool.read("scenarios/first-sign-in.json").replacing("\"name\": \"Ada\"", with: "\"name\": \"Eve\""),
            to: "scenarios/first-sign-in.json")
        let bad = try tool.run("run", "--repeat", "3", "--seed", "10", "--report-json", "r.json")
        #expect(bad.status == 4)
        #expect(
            bad.out.contains("0 of 3 seeds passed, seeds 10, 11, 12 failed; shown is the first of them"), "\(bad.out)")
        #expect(bad.out.contains("repeat  b2c run scenarios/first-sign-in.json --seed 10"))
        #expect(try JSONParser.parse(try tool.read("r.json"))["seeds", "failed"] == ["10", "11", "12"])
        for (arguments, sentence) in [
            (["--repeat", "0"], "expected a number from 1"), (["--repeat", "2", "--seeds", "1..2"], "use one of them"),
            (["--repeat", "2", "--seed", "18446744073709551615"], "the seeds end at"),
            (["--repeat", "2", "--bundle", "x.zip"], "use one of them"),
            (["--retries", "1"], "--retries needs --target"),
            (["--repeat", "2", "--part", "x"], "leave one of them out"),
        ] {
            let wrong = try tool.run(["run"] + arguments)
            #expect(wrong.status == 1 && wrong.error.contains(sentence), "\(arguments): \(wrong.error)")
        }
    }
}
