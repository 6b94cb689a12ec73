import Foundation
import JSON
import Markup
import TestSupport
import Testing

/// Files that are wrong keep a run from beginning: every report says so, with file, line, column and rule.
@Suite(.blocking) struct FindingsInReportsTests {
    private static let good =
        "{\n  \"name\": \"Good\", \"tenant\": \"tenants/contoso.json\", \"app\": \"ios\",\n"
        + "  \"steps\": [\n    { \"acquireToken\": {}, \"user\": \"ada\" }\n  ]\n}\n"

    private func project(_ changes: [(file: String, text: String)]) throws -> Tool {
        let tool = try Tool()
        #expect(try tool.run("init").status == 0)
        for (file, text) in changes { try tool.write(text, to: file) }
        return tool
    }

    private static let files = [
        "--report-junit", "r/j.xml", "--report-html", "r/p.html", "--report-json", "r/j.json", "--report-gitlab",
        "r/g.json", "--report-markdown", "r/m.md", "--trace-json", "r/t.json", "--trace-har", "r/t.har",
    ]

    /// What is wrong, where, and which rule says so.
    private static let cases:
        [(name: String, files: [(file: String, text: String)], place: (String, Int, Int), rule: String)] = [
            (
                "a misspelt verb", [("scenarios/a.json", good.replacing("acquireToken", with: "aquireToken"))],
                ("scenarios/a.json", 4, 7), "B2C-SCN-002"
            ),
            (
                "a tenant file that is not there", [("scenarios/a.json", good.replacing("contoso", with: "nowhere"))],
                ("scenarios/a.json", 2, 29), "B2C-SCN-070"
            ),
            (
                "a project file with a wrong key", [("b2c.json", "{\n  \"pathz\": []\n}\n")], ("b2c.json", 2, 3),
                "B2C-PRJ-002"
            ),
            (
                "a warning where the run is strict",
                [("scenarios/a.json", good), ("scenarios/b.json", good)], ("scenarios/b.json", 2, 11), "B2C-SCN-"
            ),
        ]

    @Test(arguments: cases.indices)
    func `each report has file, line, column and rule`(_ index: Int) throws {
        let (name, files, place, rule) = Self.cases[index]
        let tool = try project(files)
        defer { tool.remove() }
        try FileManager.default.createDirectory(
            at: tool.folder.appendingPathComponent("r"), withIntermediateDirectories: true)
        let run = try tool.run(
            ["run", "--strict"] + Self.files,
            environment: [
                "GITHUB_ACTIONS": "true", "TF_BUILD": "True", "GITHUB_STEP_SUMMARY": "r/summary.md",
                "AGENT_TEMPDIRECTORY": tool.folder.path,
            ])
        #expect(run.status == 2, "\(name): \(run.error)")
        let (file, line, column) = place
        #expect(run.out.contains("::error file=\(file),line=\(line),col=\(column),endColumn="), "\(name): \(run.out)")
        #expect(run.out.contains(",title=\(rule)"), "\(name): \(run.out)")
        #expect(
            run.out.contains(
                "##vso[task.logissue type=error;sourcepath=\(file);linenumber=\(line);columnnumber=\(column)]\(rule)"),
            "\(name): \(run.out)")
        for report in ["r/j.xml", "r/p.html", "r/m.md", "r/summary.md"] {
            let text = try tool.read(report)
            #expect(text.contains("\(file):\(line):\(column)") && text.contains(rule), "\(name): \(report): \(text)")
        }
        let junit = try tool.read("r/j.xml")
        #expect(junit.contains(" failures=\"0\" errors=\"1\" ") && junit.contains("<error type=\"\(rule)"), "\(junit)")
        let issues = try JSONParser.parse(try tool.read("r/g.json")).arrayValue
        #expect(issues?.first?["location", "path"] == .string(file) && issues?.first?["severity"] == "major", "\(name)")
        #expect(issues?.first?["location", "lines", "begin"] == .integer(Int64(line)), "\(name)")
        for report in ["r/j.json", "r/t.json"] {
            let json = try JSONParser.parse(try tool.read(report))
            #expect(json["result"] == "notRun" && json["scenarios"] == [] && json["counts", "total"] == 0)
            #expect(json["findings"]?.arrayValue?.first?["line"] == .integer(Int64(line)), "\(name): \(report)")
        }
        #expect(try JSONParser.parse(try tool.read("r/t.har"))["log", "entries"] == [])
        #expect(run.out.contains("report  r/p.html, r/j.xml, "), "\(run.out)")
    }

    @Test func `reports of a profile are written, also if the project file itself is wrong`() throws {
        let tool = try project([("scenarios/a.json", Self.good.replacing("acquireToken", with: "aquireToken"))])
        defer { tool.remove() }
        #expect(try tool.run("run", "--profile", "ci").status == 2)
        #expect(try tool.read("reports/junit.xml").contains("<error type=\"B2C-SCN-002\""))
        #expect(try tool.read("reports/report.html").contains("scenarios/a.json:4:7"))
        let project = try tool.read("b2c.json")
        try tool.write(project.replacing("\"paths\"", with: "\"pathz\""), to: "b2c.json")
        #expect(try tool.run("run", "--profile", "ci").status == 2)
        #expect(try tool.read("reports/junit.xml").contains("<error type=\"B2C-PRJ-002\""))
    }

    @Test(
        arguments: [
            (["run", "--strict"], [:], "because of --strict\n"),
            (["run"], ["B2C_STRICT": "1"], "because of B2C_STRICT\n"),
            (["run", "--profile", "ci"], [:], "because of \"strict\" in profile ci of b2c.json\n"),
            (["check", "--strict"], [:], "because of --strict\n"),
        ] as [([String], [String: String], String)])
    func `the text says what makes a warning an error`(
        _ arguments: [String], _ environment: [String: String], _ reason: String
    ) throws {
        let tool = try project([("scenarios/a.json", Self.good), ("scenarios/b.json", Self.good)])
        defer { tool.remove() }
        let run = try tool.run(arguments, environment: environment.merging(["GITHUB_ACTIONS": "true"]) { $1 })
        #expect(
            run.status == 2 && run.error.contains("\n1 warning\nthe warning counts as an error \(reason)"), "\(run)")
        #expect(run.out.contains("This warning counts as an error \(reason.dropLast())."), "\(run.out)")
    }

    @Test func `warnings alone are annotated as warnings, and everything runs`() throws {
        let tool = try project([("scenarios/a.json", Self.good), ("scenarios/b.json", Self.good)])
        defer { tool.remove() }
        let run = try tool.run(["run"], environment: ["GITHUB_ACTIONS": "true", "TF_BUILD": "True"])
        #expect(run.status == 0 && run.out.contains("::warning file=scenarios/b.json,line=2,col=11,"), "\(run)")
        #expect(run.out.contains("##vso[task.logissue type=warning;sourcepath=scenarios/b.json;"), "\(run)")
    }

    @Test(arguments: ["json", "sarif", "github", "azure", "gitlab", "junit", "markdown", "html"])
    func `check and validate write findings in every format`(_ format: String) throws {
        let tool = try project([("scenarios/a.json", Self.good.replacing("acquireToken", with: "aquireToken"))])
        defer { tool.remove() }
        for (command, status) in [("check", 2), ("validate", 4)] {
            let run = try tool.run(command, "scenarios", "--format", format)
            #expect(run.status == Int32(status) && run.error.isEmpty, "\(run)")
            #expect(run.out.contains("scenarios/a.json") && run.out.contains("B2C-SCN-002"), "\(run.out)")
            if ["json", "sarif", "gitlab"].contains(format) { _ = try JSONParser.parse(run.out) }
            let file = try tool.run(command, "scenarios", "--format", format, "--output", "found")
            #expect(try file.status == Int32(status) && tool.read("found") == run.out, "\(file)")
            let good = try tool.run(command, "scenarios/tenants", "--format", format)
            #expect(good.status == 0 && !good.out.contains("B2C-SCN-002"), "\(good)")
        }
    }

    @Test func `a shard that did not begin says why to merge`() throws {
        let tool = try project([("scenarios/a.json", Self.good.replacing("acquireToken", with: "aquireToken"))])
        defer { tool.remove() }
        for shard in 1...2 {
            #expect(try tool.run("run", "--shard", "\(shard)/2", "--part", "p\(shard)").status == 2)
        }
        let merge = try tool.run(
            ["merge", "p1", "p2", "--profile", "ci"], environment: ["GITHUB_ACTIONS": "true"])
        #expect(merge.status == 2 && merge.out.components(separatedBy: "::error file=scenarios/a.json").count == 2)
        #expect(try tool.read("reports/junit.xml").contains("scenarios/a.json:4:7"))
    }

    @Test func `what ends a run before it begins is in the reports without a place`() throws {
        let tool = try project([])
        defer { tool.remove() }
        let run = try tool.run(
            ["run", "--tags", "nothing", "--report-junit", "j.xml"], environment: ["GITHUB_ACTIONS": "true"])
        #expect(run.status == 1 && run.out.contains("::error title=B2C-CLI-005::"), "\(run)")
        #expect(try tool.read("j.xml").contains("<error type=\"B2C-CLI-005\""))
    }

    @Test func `a failed expectation is annotated at its own line`() throws {
        let script = Self.good.replacing(
            "\"user\": \"ada\" }",
            with: "\"user\": \"ada\",\n      \"expect\": {\n        \"pages\": { \"signIn\": 2 } } }")
        let tool = try project([("scenarios/a.json", script)])
        defer { tool.remove() }
        let run = try tool.run(
            ["run", "scenarios/a.json", "--report-gitlab", "g.json", "--part", "part"],
            environment: ["GITHUB_ACTIONS": "true"])
        #expect(run.status == 4 && run.out.contains("::error file=scenarios/a.json,line=6,col="), "\(run.out)")
        let issues = try JSONParser.parse(try tool.read("g.json")).arrayValue
        #expect(issues?.first?["location", "lines", "begin"] == 6)
        #expect(try tool.run("merge", "part", "--report-github").out.contains("file=scenarios/a.json,line=6,col="))
    }
}
