import Foundation
import TestSupport
import Testing

/// What `b2c run` says to files that other commands take, and how it says the same about many files.
@Suite(.blocking) struct WrongFileTests {
    private func project() throws -> Tool {
        let tool = try Tool()
        #expect(try tool.run("init").status == 0)
        return tool
    }

    @Test(arguments: [
        ("pipeline.yml", "steps: []\n", "this is YAML, not a scenario", "`b2c init` writes a first one"),
        (
            "Base.xml",
            "<?xml version=\"1.0\"?>\n<TrustFrameworkPolicy xmlns=\"http://schemas.microsoft.com/online/cpim/schemas/2013/06\" PolicyId=\"B2C_1A_X\"></TrustFrameworkPolicy>\n",
            "this is a custom policy, not a scenario", "`b2c policy trace Base.xml`"
        ),
        ("page.xml", "<html></html>", "this is XML, not a scenario", "`b2c init`"),
        ("trace.har", "{\"log\": {\"entries\": []}}", "this is a HAR file", "`b2c import har trace.har`"),
        ("msal.log", "[MSAL] AADB2C90118", "this is a log", "`b2c explain --file msal.log`"),
        (
            "there.json", "{\"kind\": \"mock-server\", \"url\": \"http://127.0.0.1:9400\"}", "this is a target file",
            "`b2c run --target there.json`"
        ),
        ("t.json", "{\"name\": \"t\", \"apps\": {}}", "this is a tenant file", "`b2c serve t.json`"),
    ])
    func `a file of another kind is named with the command that takes it`(
        _ file: String, _ text: String, _ kind: String, _ command: String
    ) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(text, to: file)
        let run = try tool.run("run", file)
        #expect(run.status == 2 && run.out.isEmpty)
        #expect(run.error.contains("\(file): error: \(kind)"), "\(run.error)")
        #expect(run.error.contains(command), "\(run.error)")
    }

    @Test func `a folder without scenarios is named with the command that helps`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try FileManager.default.createDirectory(
            at: tool.folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
        let empty = try tool.run("run", "empty")
        #expect(empty.status == 1 && empty.error.contains("empty is empty. `b2c init empty`"), "\(empty.error)")
        try tool.write(
            "<TrustFrameworkPolicy xmlns=\"http://schemas.microsoft.com/online/cpim/schemas/2013/06\" PolicyId=\"B2C_1A_X\"/>",
            to: "policies/a.xml")
        let policies = try tool.run("run", "policies")
        #expect(policies.status == 1 && policies.error.contains("`b2c policy tenant policies`"), "\(policies.error)")
    }

    @Test func `equal findings are one, with the nearest file`() throws {
        let tool = try project()
        defer { tool.remove() }
        let script = try tool.read("scenarios/first-sign-in.json")
        for number in 1...20 {
            let changed = script.replacing("tenants/contoso.json", with: "tenants/contso.json")
                .replacing("Ada signs in", with: "\(number)")
            try tool.write(changed, to: "scenarios/s\(number).json")
        }
        let run = try tool.run("run")
        #expect(run.status == 2)
        #expect(run.error.components(separatedBy: "there is no tenant file").count == 2, "\(run.error)")
        #expect(run.error.contains("Did you mean tenants/contoso.json?"), "\(run.error)")
        #expect(run.error.contains("  and 19 more files: scenarios/s10.json:5, "), "\(run.error)")
        #expect(run.error.contains("\n20 errors\n"))
    }

    @Test(
        arguments: [
            ("scenarios/deep/er/s.json", "tenants/contoso.json", "../../tenants/contoso.json"),
            ("scenarios/s.json", "scenarios/tenants/contoso.json", "tenants/contoso.json"),
            ("scenarios/s.json", "tenants/contoso", "tenants/contoso.json"), ("s.json", "tenants/contoso.json", nil),
            ("other/s.json", "../scenarios/tenants/contso.json", "../scenarios/tenants/contoso.json"),
        ] as [(String, String, String?)])
    func `a tenant file is suggested as the script has to name it`(
        _ file: String, _ written: String, _ meant: String?
    ) throws {
        let tool = try project()
        defer { tool.remove() }
        let script = try tool.read("scenarios/first-sign-in.json")
        try tool.write(script.replacing("tenants/contoso.json", with: written), to: file)
        let run = try tool.run("run", file)
        #expect(run.status == 2 && run.error.contains("there is no tenant file"), "\(run.error)")
        #expect(run.error.contains(meant.map { "Did you mean \($0)? " } ?? "help: The path"), "\(run.error)")
    }
}
