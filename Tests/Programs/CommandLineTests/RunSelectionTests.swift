import Foundation
import JSON
import TestSupport
import Testing

/// Which scenarios run, how much is printed, and what CI services get.
@Suite(.blocking) struct RunSelectionTests {
    /// A project with scripts that pass and, by the number in their name, some that fail.
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

    @Test func `a run prints failures and the summary, quiet only failures, verbose every scenario`() throws {
        let tool = try project(failing: [2])
        defer { tool.remove() }
        let usual = try tool.run("run", "--seed", "1")
        #expect(usual.status == 4)
        #expect(usual.out.hasPrefix("FAIL scenarios/s2.json: Sign-in 2\n"), "\(usual.out)")
        #expect(!usual.out.contains("ok ") && usual.out.components(separatedBy: "FAIL ").count == 2)
        #expect(usual.out.contains("\n5 scenarios in 5 files: 4 passed, 1 failed (seed 1, "))
        let quiet = try tool.run("run", "--seed", "1", "--quiet")
        #expect(quiet.status == 4 && quiet.out.hasPrefix("FAIL ") && !quiet.out.contains("5 scenarios"))
        let silent = try tool.run("run", "-q", "scenarios/s1.json")
        #expect(silent.status == 0 && silent.out.isEmpty && silent.error.isEmpty, "\(silent)")
        let verbose = try tool.run("run", "-v", "--seed", "1")
        #expect(verbose.out.contains("ok   scenarios/s1.json: Sign-in 1\n"))
        let both = try tool.run("run", "-q", "-v")
        #expect(both.status == 1 && both.error.contains("--quiet says less and --verbose more"))
    }

    @Test(arguments: [1, 2, 3])
    func `a run stops after so many failures, whatever the number of jobs`(_ most: Int) throws {
        let tool = try project(failing: [1, 3, 5])
        defer { tool.remove() }
        for jobs in ["1", "4"] {
            let run = try tool.run(
                "run", "--seed", "1", "--jobs", jobs, "--max-failures", "\(most)", "--report-json", "r.json")
            #expect(run.status == 4)
            let statuses = try JSONParser.parse(try tool.read("r.json"))["scenarios"]?.arrayValue?.compactMap {
                $0["result"]?.stringValue
            }
            let all = ["failed", "passed", "failed", "passed", "failed"]
            let ran = most * 2 - 1
            #expect(statuses == all.prefix(ran) + Array(repeating: "notRun", count: 5 - ran))
        }
        #expect(try tool.run("run", "--max-failures", "0").error.contains("the smallest number is 1"))
        #expect(try tool.run("run", "--bail", "--max-failures", "2").error.contains("use one of them"))
    }

    @Test func `what failed runs again until it passes`() throws {
        let tool = try project(failing: [2, 4])
        defer { tool.remove() }
        // While nothing has failed, nothing is written.
        #expect(try tool.run("run", "scenarios/s1.json").status == 0)
        let kept = tool.folder.appendingPathComponent(".b2c/last-failed.json").path
        #expect(!FileManager.default.fileExists(atPath: kept))
        #expect(try tool.run("run").status == 4)
        #expect(try tool.read(".b2c/.gitignore") == "*\n")
        let second = try tool.run("run", "--last-failed")
        #expect(
            second.out.contains("2 scenarios failed in the last run\n") && second.out.contains("2 scenarios in 2 files")
        )
        let fixed = try tool.read("scenarios/s2.json").replacing("\"name\": \"Eve\"", with: "\"name\": \"Ada\"")
        try tool.write(fixed, to: "scenarios/s2.json")
        // A run of something else leaves the rest as it was; a usual run keeps the file up to date.
        #expect(try tool.run("run", "scenarios/s1.json", "scenarios/s2.json").status == 0)
        #expect(try tool.run("run", "--last-failed").out.contains("1 scenario in 1 file: 0 passed, 1 failed"))
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("scenarios/s4.json"))
        let rest = try tool.run("run", "--last-failed")
        #expect(rest.status == 0 && rest.out.contains("nothing failed in the last run: everything runs\n4 scenarios"))
        try tool.write("{", to: ".b2c/last-failed.json")
        let damaged = try tool.run("run", "--last-failed")
        #expect(damaged.status == 2 && damaged.error.contains("is not a file that b2c wrote: remove it"))
        #expect(try tool.run("run").status == 0)
        #expect(try tool.read(".b2c/last-failed.json").contains("\"version\": 1"))
    }

    @Test(arguments: [
        ("smoke", [1, 2]), ("smoke+team1", [1]), ("team1", [1, 3]), ("smoke+!team1", [2]),
        ("smoke+team1,slow", [1, 4]),
        ("!smoke", [3, 4, 5]), ("team1,!slow", [1, 3]), ("c++", [5]),
    ])
    func `tags can be required together`(_ tags: String, _ expected: [Int]) throws {
        let tool = try project()
        defer { tool.remove() }
        let own = [1: ["smoke", "team1"], 2: ["smoke"], 3: ["team1"], 4: ["slow"], 5: ["c++"]]
        for (number, tags) in own {
            let list = tags.map { "\"\($0)\"" }.joined(separator: ", ")
            let script = try tool.read("scenarios/s\(number).json").replacing("[\"first\"]", with: "[\(list)]")
            try tool.write(script, to: "scenarios/s\(number).json")
        }
        let run = try tool.run("run", "--list", "--json", "--tags", tags)
        let names = try JSONParser.parse(run.out).arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == expected.map { "Sign-in \($0)" }, "\(run.error)")
        let wrong = try tool.run("run", "--tags", "smoke+teem1")
        #expect(wrong.status == 1 && wrong.error.contains("Did you mean team1?"), "\(wrong.error)")
    }

    @Test func `the last line names the reports, and open shows the page`() throws {
        let tool = try project(failing: [2])
        defer { tool.remove() }
        try tool.write("#!/bin/sh\necho \"$1\" > opened.part && mv opened.part opened\n", to: "browser")
        let browser = tool.folder.appendingPathComponent("browser")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser.path)
        let named = try tool.run(
            "run", "--report-junit", "j.xml", "--report-html", "r.html", environment: ["BROWSER": "/no/such/program"])
        #expect(named.out.hasSuffix("\nreport  r.html, j.xml\n"), "\(named.out)")
        let opened = try tool.run("run", "scenarios/s1.json", "--open", environment: ["BROWSER": browser.path])
        #expect(opened.status == 0 && opened.out.hasSuffix("\nreport  .b2c/report.html\n"), "\(opened)")
        #expect(try tool.read(".b2c/report.html").contains("<!DOCTYPE html>"))
        // The program is not waited for: the shell waits for its file.
        let shown = try tool.shell("until [ -e opened ]; do sleep 0.05; done; cat opened")
        #expect(shown.out.hasSuffix("/.b2c/report.html\n"), "\(shown.out)")
        let piped = try tool.run("run", "--open", "--report-html", "-")
        #expect(piped.status == 1 && piped.error.contains("--open shows a file"))
    }

    @Test func `a target is named by its address`() throws {
        let tool = try project()
        defer { tool.remove() }
        let run = try tool.run("run", "--target", "http://127.0.0.1:1")
        #expect(run.status == 3)
        #expect(run.error.contains("the target http://127.0.0.1:1 cannot be used: "), "\(run.error)")
        let wrong = try tool.run("run", "--target", "http://")
        #expect(wrong.status == 2 || wrong.status == 3, "\(wrong.error)")
    }

    @Test func `shards are the whole suite once, cases too`() throws {
        let tool = try project()
        defer { tool.remove() }
        let cases = try tool.read("scenarios/s1.json").replacing(
            "\"name\": \"Sign-in 1\",",
            with: "\"name\": \"Sign-in 1\", \"cases\": { \"a\": {}, \"b\": { \"set\": { \"x\": 1 } } },")
        try tool.write(cases, to: "scenarios/cases.json")
        func listed(_ arguments: String...) throws -> [JSONValue] {
            let run = try tool.run(["run", "--list", "--json"] + arguments)
            return try JSONParser.parse(run.out).arrayValue ?? []
        }
        let all = try listed()
        for count in [1, 2, 3, 20] {
            let parts = try (1...count).map { try listed("--shard", "\($0)/\(count)") }
            let sizes = parts.map(\.count)
            #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1, "\(sizes)")
            #expect(parts.flatMap { $0 }.count == all.count)
            #expect(all.allSatisfy { entry in parts.count { $0.contains(entry) } == 1 })
        }
    }

    @Test(arguments: [
        (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "scenarios/s2.json"),
        (["CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "5"], "scenarios/s3.json"),
        (["SYSTEM_JOBPOSITIONINPHASE": "5", "SYSTEM_TOTALJOBSINPHASE": "5"], "scenarios/s5.json"),
        (["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "5"], "scenarios/s1.json"),
    ])
    func `a service says which shard this is`(_ environment: [String: String], _ file: String) throws {
        let tool = try project()
        defer { tool.remove() }
        let run = try tool.run(["run", "--list", "--shard", "auto"], environment: environment)
        #expect(run.out.hasPrefix(file + ":") && run.out.split(separator: "\n").count == 1, "\(run)")
    }

    @Test(arguments: [
        ("0/3", "the index goes from 1 to the count"), ("4/3", "the index goes from 1 to the count"),
        ("1/0", "the index goes from 1 to the count"), ("2", "must be INDEX/COUNT such as 2/5, or auto"),
        ("a/b", "must be INDEX/COUNT"), ("99999999999999999999/3", "must be INDEX/COUNT"),
        ("auto", "write INDEX/COUNT"),
    ])
    func `a shard that cannot be is refused`(_ text: String, _ words: String) throws {
        let tool = try project(count: 1)
        defer { tool.remove() }
        var environment: [String: String] = [:]
        for name in ["CI_NODE_INDEX", "CIRCLE_NODE_INDEX", "SYSTEM_JOBPOSITIONINPHASE", "BUILDKITE_PARALLEL_JOB"] {
            environment[name] = ""
        }
        let run = try tool.run(["run", "--shard", text], environment: environment)
        #expect(run.status == 1 && run.error.contains(words), "\(run.error)")
    }

    @Test func `annotations come by themselves where a service runs, and name files from its root`() throws {
        let tool = try project(failing: [1])
        defer { tool.remove() }
        let here = tool.folder.resolvingSymlinksInPath()
        let run = try tool.run(
            ["run", "--seed", "1"],
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md",
                "GITHUB_WORKSPACE": here.deletingLastPathComponent().path,
            ])
        #expect(
            run.out.contains(
                "\n::error file=\(here.lastPathComponent)/scenarios/s1.json,line=12,col=85,title=Sign-in 1::"),
            "\(run.out)")
        #expect(try tool.read("summary.md").hasPrefix("## b2c: 5 scenarios in 5 files: 4 passed, 1 failed\n"))
        let off = try tool.run(["run", "--no-report-github"], environment: ["GITHUB_ACTIONS": "true"])
        #expect(!off.out.contains("::error"))
        let azure = try tool.run(["run"], environment: ["TF_BUILD": "True", "AGENT_TEMPDIRECTORY": here.path])
        #expect(azure.out.contains("##vso[task.uploadsummary]\(here.path)/b2c-summary.md\n"), "\(azure.out)")
        let files = try tool.run("run", "--report-gitlab", "g.json", "--report-markdown", "m.md")
        #expect(files.status == 4)
        #expect(try tool.read("g.json").contains("scenarios/s1.json"))
        #expect(try tool.read("m.md").contains("<details>"))
        for option in ["--report-gitlab", "--report-markdown"] {
            let nowhere = try tool.run("run", option, "no/such")
            #expect(nowhere.status == 1 && nowhere.error.contains("\(option) no/such: there is no folder no"))
        }
    }
}
