import Foundation
import JSON
import TestSupport
import Testing

/// `--seed`, `--seeds` and what a run depends on, as a person sees it.
@Suite(.blocking) struct SeedsTests {
    /// A folder with the shipped tenants and policies, and the example of docs/reproduce.md as `scenarios/race.json`.
    private func project() throws -> Tool {
        let tool = try Tool()
        let shipped = TestFiles.root().appendingPathComponent("scenarios")
        try FileManager.default.createDirectory(
            at: tool.folder.appendingPathComponent("scenarios"), withIntermediateDirectories: true)
        for folder in ["tenants", "policies", "silent"] {
            try FileManager.default.copyItem(
                at: shipped.appendingPathComponent(folder),
                to: tool.folder.appendingPathComponent("scenarios/\(folder)"))
        }
        try tool.write(try Self.example(), to: "scenarios/race.json")
        return tool
    }

    /// The first script of the section on orders in docs/reproduce.md.
    private static func example() throws -> String {
        let text = String(decoding: try TestFiles.bytes("docs/reproduce.md"), as: UTF8.self)
        let section = try #require(text.range(of: "## Does the order matter?"))
        let start = try #require(text.range(of: "```json\n", range: section.upperBound..<text.endIndex))
        let end = try #require(text.range(of: "```\n", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound])
    }

    private func json(_ tool: Tool, _ file: String) throws -> JSONValue {
        try JSONParser.parse([UInt8](Data(contentsOf: tool.folder.appendingPathComponent(file))))
    }

    private func text(_ tool: Tool, _ file: String) throws -> String {
        String(decoding: try Data(contentsOf: tool.folder.appendingPathComponent(file)), as: UTF8.self)
    }

    private func compact(_ value: JSONValue?) -> String { value.map { JSONWriter.compact($0) } ?? "nothing" }

    /// A report without the paths of files.
    private func withoutPaths(_ text: String) -> String {
        text.split(separator: "\n").filter { !$0.contains("\"file\": ") }.joined(separator: "\n")
    }

    // MARK: The place of a script

    @Test func `a run is the same from every folder, by every path`() throws {
        let tool = try project()
        defer { tool.remove() }
        let path = "scenarios/silent/side-by-side.json"
        try FileManager.default.createDirectory(
            at: tool.folder.appendingPathComponent("deep/er"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: tool.folder.appendingPathComponent("link"),
            withDestinationURL: tool.folder.appendingPathComponent("scenarios"))
        try FileManager.default.copyItem(
            at: tool.folder.appendingPathComponent("scenarios"), to: tool.folder.appendingPathComponent("deep/copy"))
        let first = try tool.run("run", path, "--seed", "5", "--trace-json", "1.json")
        #expect(first.status == 0, "\(first.error)")
        let whole = withoutPaths(try text(tool, "1.json"))
        let b2c = try #require(Tool.path)
        for (folder, path) in [
            (".", "./\(path)"), ("deep/er", "../../\(path)"), (".", "\(tool.folder.path)/\(path)"),
            ("/", "\(tool.folder.path)/\(path)"), (".", "link/silent/side-by-side.json"),
            ("deep", "copy/silent/side-by-side.json"), ("scenarios/silent", "side-by-side.json"),
        ] {
            let report = "\(tool.folder.path)/2.json"
            let run = try tool.shell("cd '\(folder)' && '\(b2c)' run '\(path)' --seed 5 --trace-json '\(report)'")
            #expect(run.status == 0, "\(folder) \(path): \(run.error)")
            #expect(withoutPaths(try text(tool, "2.json")) == whole, "\(folder) \(path)")
        }
    }

    @Test func `the order written is the order by default, whatever the seed and the name`() throws {
        let tool = try project()
        defer { tool.remove() }
        let script = try text(tool, "scenarios/race.json")
        for (name, seed) in [("race", 1), ("race", 2), ("race", 77), ("other", 1), ("third name", 4)] {
            try tool.write(script, to: "scenarios/\(name).json")
            let run = try tool.run("run", "scenarios/\(name).json", "--seed", "\(seed)")
            #expect(run.status == 0, "\(name) \(seed): \(run.out)")
        }
    }

    // MARK: Many seeds

    @Test func `the first seed that fails is reported and repeats`() throws {
        let tool = try project()
        defer { tool.remove() }
        let run = try tool.run(
            "run", "scenarios/race.json", "--seeds", "1..100", "--report-json", "r.json", "--report-junit", "r.xml",
            "--trace-har", "r.har", "--bundle", "b.zip")
        #expect(run.status == 4, "\(run.error)")
        let report = try json(tool, "r.json")
        let seed = try #require(report["seed"]?.stringValue.flatMap { Int($0) })
        #expect(report["order"]?.stringValue == "drawn")
        #expect(compact(report["seeds"]) == "{\"given\":100,\"passed\":\(seed - 1)}")
        #expect(run.out.contains("\n\(seed - 1) of 100 seeds passed, seed \(seed) failed\n"))
        #expect(run.out.contains("(seed \(seed), drawn order, "))
        #expect(run.out.contains("repeat  b2c run scenarios/race.json --seeds \(seed)\n"))
        let docs = String(decoding: try TestFiles.bytes("docs/reproduce.md"), as: UTF8.self)
        #expect(docs.contains("  repeat  b2c run scenarios/race.json --seeds \(seed)\n"))
        #expect(docs.contains("\n\(seed - 1) of 1000 seeds passed, seed \(seed) failed\n"))
        let junit = try text(tool, "r.xml")
        #expect(junit.contains("<property name=\"order\" value=\"drawn\"/>"))
        #expect(junit.contains("<property name=\"seeds passed\" value=\"\(seed - 1)\"/>"))
        #expect(try text(tool, "r.har").contains("seed: \(seed), drawn order"))
        // As the report says, and as the bundle does.
        let again = try tool.run(
            "run", "scenarios/race.json", "--seeds", "\(seed)", "--report-json", "a.json", "--bundle", "a.zip")
        #expect(again.status == 4)
        #expect(again.out.contains("0 of 1 seed passed, seed \(seed) failed"))
        #expect(try compact(json(tool, "a.json")["scenarios"]) == compact(report["scenarios"]))
        let replayed = try tool.run(["run", "b.zip"], environment: ["B2C_SEEDS": "5..6", "B2C_SEED": "3"])
        #expect(replayed.status == 4)
        #expect(replayed.out.contains("repeated byte for byte"), "\(replayed.out) \(replayed.error)")
    }

    @Test func `seeds that all pass are counted`() throws {
        let tool = try project()
        defer { tool.remove() }
        let run = try tool.run(
            ["run", "scenarios/silent/side-by-side.json", "--report-json", "r.json"],
            environment: ["B2C_SEEDS": "3, 8..12"])
        #expect(run.status == 0, "\(run.out) \(run.error)")
        #expect(run.out.hasPrefix("1 scenario in 1 file: 1 passed (seed 12, drawn order, "), "\(run.out)")
        #expect(run.out.hasSuffix(" s)\n6 of 6 seeds passed\nreport  r.json\n"), "\(run.out)")
        #expect(try compact(json(tool, "r.json")["seeds"]) == "{\"given\":6,\"passed\":6}")
        let one = try tool.run("run", "scenarios/silent/side-by-side.json", "--seed", "3", "--report-json", "r.json")
        #expect(one.status == 0)
        #expect(try json(tool, "r.json")["seeds"] == nil)
        #expect(try json(tool, "r.json")["order"] == nil)
    }

    @Test func `an option counts more than its environment variable`() throws {
        let tool = try project()
        defer { tool.remove() }
        let path = "scenarios/silent/side-by-side.json"
        let seed = try tool.run(["run", path, "--seed", "3"], environment: ["B2C_SEEDS": "1..2"])
        #expect(seed.out.contains("(seed 3, "))
        let seeds = try tool.run(["run", path, "--seeds", "1..2"], environment: ["B2C_SEED": "3"])
        #expect(seeds.out.contains("2 of 2 seeds passed"))
    }

    @Test(
        arguments: [
            (["--seeds", ""], "--seeds names no seed"),
            (["--seeds", "9..3"], "--seeds counts upwards, and 9..3 goes down"),
            (["--seeds", "1-5"], "not \"1-5\""), (["--seeds", "1...5"], "not \"1...5\""),
            (["--seeds=-1"], "not \"-1\""), (["--seeds", "1,,2"], "not \"\""), (["--seeds", "..5"], "not \"..5\""),
            (["--seeds", "1.."], "not \"1..\""), (["--seeds", "1..3,2"], "names the seed 2 twice"),
            (["--seeds", "7,7"], "names the seed 7 twice"), (["--seeds", "0..1000000"], "at most 1000000 seeds"),
            (["--seeds", "0..18446744073709551615"], "at most 1000000 seeds"),
            (["--seeds", "18446744073709551616"], "takes whole numbers from 0 to 18446744073709551615"),
            (["--seeds", "1..2", "--seed", "1"], "--seed runs one seed, and --seeds several"),
            (["--seeds", "1..2", "--step"], "--seeds runs scenarios once for each seed, and --step one by hand"),
        ] as [([String], String)])
    func `lists that mean nothing are refused in one sentence`(_ arguments: [String], _ message: String) throws {
        let tool = try project()
        defer { tool.remove() }
        let run = try tool.run(["run", "scenarios/silent/side-by-side.json"] + arguments)
        #expect(run.status == 1, "\(run.out)")
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test func `two twins that ask for different things are refused`() throws {
        let tool = try project()
        defer { tool.remove() }
        let run = try tool.run(
            ["run", "scenarios/silent/side-by-side.json"], environment: ["B2C_SEED": "1", "B2C_SEEDS": "1..2"])
        #expect(run.status == 1)
        #expect(run.error.contains("B2C_SEED sets one seed, and B2C_SEEDS several"))
    }

    @Test func `a real tenant and a bundle take no list`() throws {
        let tool = try project()
        defer { tool.remove() }
        try tool.write(
            """
            { "kind": "live", "tenant": "../tenants/contoso.json" }
            """, to: "scenarios/targets/real.json")
        let live = try tool.run(
            "run", "scenarios/silent/side-by-side.json", "--target", "scenarios/targets/real.json", "--seeds", "1..2")
        #expect(live.status == 1, "\(live.out) \(live.error)")
        #expect(live.error.contains("a real tenant keeps what happened"), "\(live.error)")
        #expect(try tool.run("run", "scenarios/race.json", "--seeds", "1", "--bundle", "b.zip").status != 1)
        let bundle = try tool.run("run", "b.zip", "--seeds", "1..2")
        #expect(bundle.status == 1)
        #expect(bundle.error.contains("leave --seeds out"), "\(bundle.error)")
    }
}
