import Foundation
import JSON
import TestSupport
import Testing

/// `b2c run --bundle` and runs of what it wrote.
@Suite(.blocking) struct BundleTests {
    /// A folder with a script that reads much: a tenant, a policy with its base and settings file, a cache to import, a
    /// variable, a name of the environment, a secret.
    private func project() throws -> Tool {
        let tool = try Tool()
        let root = TestFiles.root()
        let policies = root.appendingPathComponent("scenarios")
        for folder in ["tenants", "policies", "custom-policies", "tutorials"] {
            try FileManager.default.createDirectory(
                at: tool.folder.appendingPathComponent("scenarios"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: policies.appendingPathComponent(folder),
                to: tool.folder.appendingPathComponent("scenarios/\(folder)"))
        }
        try tool.write(Self.script, to: "scenarios/asks.json")
        return tool
    }

    private static let script = """
        { "name": "Asks for everything", "tenant": "tenants/contoso.json", "app": "ios",
          "variables": { "who": null },
          "steps": [
            { "id": "signIn", "acquireToken": { "extraQueryParameters": { "campaign": "{{env/CAMPAIGN}}" } }, "user": "{{who}}" },
            { "inspect": { "what": "cache", "file": "cache.json" } },
            { "importCache": { "file": "cache.json", "replace": true } },
            { "acquireTokenSilent": {}, "expect": { "requests": 0 } },
            { "callApi": { "url": "https://api.contoso.test/tasks", "headers": { "x-key": "{{secret/API_KEY}}" } },
              "expect": { "result": { "status": 418 } } } ] }
        """

    /// The same run with its files elsewhere, and an environment that would change another run.
    private func replay(_ bundle: String, of tool: Tool, _ more: String...) throws -> (Tool, Tool.Outcome) {
        let other = try Tool()
        try FileManager.default.copyItem(
            at: tool.folder.appendingPathComponent(bundle), to: other.folder.appendingPathComponent("here.zip"))
        let run = try other.run(
            ["run", "here.zip", "--report-json", "report.json", "--trace-json", "trace.json"] + more,
            environment: [
                "B2C_SEED": "99", "B2C_TAGS": "none", "B2C_CASE": "none", "B2C_VARIABLE_who": "nobody",
                "CAMPAIGN": "winter", "B2C_BAIL": "1", "B2C_JOBS": "3", "B2C_NAME": "nothing", "TZ": "Asia/Tokyo",
            ])
        return (other, run)
    }

    @Test(
        arguments: [
            "scenarios/custom-policies/user-info.json",
            "scenarios/tutorials/S2-K01-cache-as-msal-python-writes-it.json",
        ], [true, false])
    func `a bundle repeats a run byte for byte elsewhere`(_ path: String, keepsSecrets: Bool) throws {
        let tool = try project()
        defer { tool.remove() }
        let first = try tool.run(
            ["run", path, "--seed", "5", "--bundle", "b.zip", "--report-json", "r.json", "--trace-json", "t.json"]
                + (keepsSecrets ? ["--keep-secrets"] : []))
        #expect(first.status == 0, "\(first.out)\(first.error)")
        #expect(first.out.contains("wrote b.zip: "))
        let (other, run) = try replay("b.zip", of: tool)
        defer { other.remove() }
        #expect(run.status == 0, "\(run.out)\(run.error)")
        #expect(run.out.contains("repeated byte for byte: report and trace are those in here.zip\n"))
        // Entries are stored as they are: these very bytes are in the archive.
        let archive = try Data(contentsOf: tool.folder.appendingPathComponent("b.zip"))
        for name in ["report.json", "trace.json"] {
            #expect(archive.range(of: Data(try other.read(name).utf8)) != nil, "\(name)")
        }
        guard keepsSecrets else { return }
        // With nothing replaced they are those of the run that was bundled.
        #expect(try other.read("report.json") == tool.read("r.json"))
        #expect(try other.read("trace.json") == tool.read("t.json"))
    }

    @Test func `secrets that were given are omitted and asked for by name`() throws {
        let tool = try project()
        defer { tool.remove() }
        let first = try tool.run(
            ["run", "scenarios/asks.json", "--seed", "5", "--bundle", "b.zip", "--report-json", "r.json"]
                + ["--variable", "who=ada"],
            environment: ["CAMPAIGN": "summer", "API_KEY": "s3cr3t-value-77"])
        #expect(first.status == 4, "\(first.out)\(first.error)")
        #expect(first.out.contains("; omitted: API_KEY; 3 secrets replaced\n"))
        let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("b.zip"))
        #expect(bytes.range(of: Data("s3cr3t-value-77".utf8)) == nil)

        let (without, asked) = try replay("b.zip", of: tool)
        defer { without.remove() }
        #expect(asked.status == 2)
        #expect(
            asked.error
                == "b2c: here.zip leaves out the secret API_KEY: give it with --secret API_KEY=VALUE or in the environment\n"
        )
        let (other, run) = try replay("b.zip", of: tool, "--secret", "API_KEY=s3cr3t-value-77")
        defer { other.remove() }
        #expect(run.status == 4)
        #expect(run.out.contains("repeated byte for byte"), "\(run.out)\(run.error)")
        #expect(run.out.contains("  repeat  b2c run here.zip\n"))
        #expect(try other.read("report.json") == tool.read("r.json"))
        // What the script writes stays in memory: it is somebody else's script.
        #expect(!FileManager.default.fileExists(atPath: other.folder.appendingPathComponent("scenarios").path))

        let leaking = try tool.run(
            ["run", "scenarios/asks.json", "--bundle", "leak.zip", "--variable", "who=ada"],
            environment: ["CAMPAIGN": "s3cr3t-value-77", "API_KEY": "s3cr3t-value-77"])
        #expect(leaking.status == 3)
        #expect(
            leaking.error
                == "b2c: leak.zip is not written: the environment's CAMPAIGN holds the value of the secret API_KEY; "
                + "write {{secret/API_KEY}} in its place\n")
    }

    @Test func `what does not go together is said`() throws {
        let tool = try project()
        defer { tool.remove() }
        let made = try tool.run("run", "scenarios/custom-policies/user-info.json", "--seed", "5", "--bundle", "b.zip")
        #expect(made.status == 0)
        let cases: [([String], Int32, String)] = [
            (["b.zip", "--seed", "1"], 1, "leave --seed out"),
            (["b.zip", "--variable", "a=b"], 1, "leave --variable out"),
            (["b.zip", "--target", "x"], 1, "leave --target out"),
            (["b.zip", "scenarios"], 1, "a bundle is run alone"),
            (["b.zip", "--bundle", "c.zip"], 1, "leave --bundle out"),
            (["scenarios/custom-policies", "--bundle", "nowhere/c.zip"], 1, "there is no folder nowhere"),
            (["scenarios/custom-policies", "--bundle", "c.zip", "--allow-real-services"], 1, "real services"),
            (["scenarios/custom-policies", "--step"], 1, "--step asks at a terminal, and there is none"),
            (["scenarios/custom-policies", "--step", "--jobs", "2"], 1, "leave --jobs 2 out"),
            (["scenarios/custom-policies", "--step", "--bundle", "c.zip"], 1, "use one of them"),
            (["none.zip"], 2, "there is no file or folder none.zip"),
        ]
        for (arguments, status, text) in cases {
            let run = try tool.run(["run"] + arguments)
            #expect(run.status == status && run.error.contains(text), "\(arguments): \(run.status) \(run.error)")
        }
        try tool.write("no archive", to: "no.zip")
        let none = try tool.run("run", "no.zip")
        #expect(none.status == 2)
        #expect(none.error == "b2c: no.zip cannot be run: this is not a ZIP archive\n")
    }
}
