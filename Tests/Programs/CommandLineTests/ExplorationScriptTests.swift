import Foundation
import JSON
import TestSupport
import Testing

/// Scenarios that `b2c policy explore` writes.
@Suite(.blocking) struct ExplorationScriptTests {
    private func project() throws -> Tool {
        let tool = try Tool()
        for name in ["Base", "Loyalty"] {
            let text = try TestFiles.bytes("scenarios/policies/\(name).xml")
            try tool.write(String(decoding: text, as: UTF8.self), to: "policies/\(name).xml")
        }
        return tool
    }

    private func files(_ tool: Tool, _ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.appendingPathComponent(folder).path).sorted()
    }

    @Test func `a counter-example fails as found and passes once the policy is fixed`() throws {
        let tool = try project()
        defer { tool.remove() }
        let explored = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_loyalty", "--write", "found")
        #expect(explored.status == 0, "\(explored.error)")
        let wrote = explored.error.matches(
            of: /wrote (found\/B2C-EXP-015-\w+\.json), which fails until .*: claim name is/)
        let file = String(try #require(wrote.first).output.1)
        #expect(try tool.run("check", "--strict", "--no-prove", "found").status == 0)
        let before = try tool.run("run", file)
        #expect(before.status == 4 && before.out.contains("/result/idToken/claims/name"), "\(before.out)")

        // The same path again: same names, same bytes.
        let text = try tool.read(file)
        let again = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_loyalty", "--write", "found")
        #expect(again.error == explored.error)
        #expect(try tool.read(file) == text)

        let policy = try tool.read("policies/Loyalty.xml")
        try tool.write(
            policy.replacing(
                "<OutputClaim ClaimTypeReferenceId=\"displayName\" />",
                with: "<OutputClaim ClaimTypeReferenceId=\"displayName\" DefaultValue=\"Somebody\" />"),
            to: "policies/Loyalty.xml")
        let after = try tool.run("run", file)
        #expect(after.status == 0, "\(after.out)\(after.error)")
    }

    @Test func `a suite passes with any seed, and fails when the policy changes`() throws {
        let tool = try project()
        defer { tool.remove() }
        let explored = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_loyalty", "--suite", "suite")
        #expect(explored.error.contains("scripts to suite; b2c run suite runs them"), "\(explored.error)")
        #expect(try files(tool, "suite").count > 2)
        #expect(try tool.run("check", "--strict", "--no-prove", "suite").status == 0)
        let run = try tool.run("run", "suite", "--coverage-json", "coverage.json", "--seed", "77")
        #expect(run.status == 0, "\(run.out)\(run.error)")
        // Everything that can be reached runs, of the steps of the journey itself.
        let coverage = try JSONParser.parse(try tool.read("coverage.json"))
        var steps: [JSONValue] = []
        for file in coverage["files"]?.arrayValue ?? [] {
            for item in file["items"]?.arrayValue ?? []
            where item["kind"] == "step" && item["id"]?.stringValue?.hasPrefix("SignUpOrSignIn") == true {
                steps.append(item)
            }
        }
        #expect(!steps.isEmpty)
        for step in steps { #expect((step["hits"]?.intValue ?? 0) > 0, "\(step)") }

        let policy = try tool.read("policies/Loyalty.xml")
        try tool.write(
            policy.replacing("<OutputClaim ClaimTypeReferenceId=\"displayName\" />", with: ""),
            to: "policies/Loyalty.xml")
        #expect(try tool.run("run", "suite").status == 4)
    }

    /// Edits of the sample policies that a suite of what they were before has to notice.
    static let edits: [(name: String, file: String, find: String, put: String)] = [
        (
            "a claim more in the token", "Loyalty", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />",
            "<OutputClaim ClaimTypeReferenceId=\"displayName\" /><OutputClaim ClaimTypeReferenceId=\"userPrincipalName\" />"
        ),
        (
            "a refresh ignores revocation", "Base",
            "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId-CheckRefreshTokenDate\"",
            "TechnicalProfileReferenceId=\"AAD-UserReadUsingObjectId\""
        ),
        (
            "no session is kept", "Loyalty", "    <TechnicalProfile Id=\"PolicyProfile\">",
            "    <UserJourneyBehaviors><SingleSignOn Scope=\"Suppressed\" /></UserJourneyBehaviors>"
                + "<TechnicalProfile Id=\"PolicyProfile\">"
        ),
        (
            "a service gets the address under another name", "Loyalty", "<InputClaim ClaimTypeReferenceId=\"email\" />",
            "<InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"mail\" />"
        ),
    ]

    @Test func `a suite notices what lasts, what is sent and what a token has more`() throws {
        let tool = try project()
        defer { tool.remove() }
        let explored = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_loyalty", "--suite", "suite")
        let names = try files(tool, "suite")
        for word in ["signs-up", "wrong-password", "token", "again", "revoked", "disabled"] {
            #expect(names.contains { $0.contains(word) }, "\(word): \(names)\(explored.error)")
        }
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z0-9-]{1,120}\.json/) != nil }, "\(names)")
        for seed in ["1", "2", "4711"] { #expect(try tool.run("run", "suite", "--seed", seed).status == 0) }
        for edit in Self.edits {
            let text = try tool.read("policies/\(edit.file).xml")
            try #require(text.contains(edit.find), "\(edit.name)")
            try tool.write(text.replacing(edit.find, with: edit.put), to: "policies/\(edit.file).xml")
            #expect(try tool.run("run", "suite").status == 4, "\(edit.name)")
            try tool.write(text, to: "policies/\(edit.file).xml")
        }
    }

    @Test func `an existing tenant file of another kind is not overwritten`() throws {
        let tool = try project()
        defer { tool.remove() }
        try tool.write("mine", to: "found/tenant.json")
        let explored = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_loyalty", "--write", "found")
        #expect(
            explored.status == 1 && explored.error.contains("found/tenant.json is there already"), "\(explored.error)")
        #expect(try tool.read("found/tenant.json") == "mine")
    }

    @Test func `scripts for a tenant file use that file`() throws {
        let tool = try project()
        defer { tool.remove() }
        let tenant = """
            {
              "name": "contoso",
              "policies": { "loyalty": { "id": "B2C_1A_loyalty", "type": "custom", "file": "../policies/Loyalty.xml" } },
              "policyFolders": ["../policies"],
              "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "loyalty" } } }
            }
            """
        try tool.write(tenant, to: "tenants/contoso.json")
        let explored = try tool.run(
            "policy", "explore", "loyalty", "--tenant", "tenants/contoso.json", "--suite", "scenarios/explored")
        #expect(explored.status == 0, "\(explored.error)")
        let names = try files(tool, "scenarios/explored")
        #expect(!names.isEmpty && !names.contains("tenant.json"))
        #expect(try tool.read("scenarios/explored/\(names[0])").contains("\"../../tenants/contoso.json\""))
        #expect(try tool.run("run", "scenarios/explored").status == 0)
    }

    @Test func `a limit of moves gives the same output twice and says how to get more`() throws {
        let tool = try project()
        defer { tool.remove() }
        let arguments = ["policy", "explore", "policies", "--policy", "B2C_1A_loyalty", "--moves", "50"]
        let explored = try tool.run(arguments)
        #expect(explored.error.contains(", 50 moves, "), "\(explored.error)")
        #expect(explored.error.contains("not complete: cut by 50 moves; "), "\(explored.error)")
        #expect(explored.error.contains("\nRaise --moves to explore more.\n"), "\(explored.error)")
        #expect(explored.error.contains("limits: depth 40, states 50000, moves 50, time 300 s, seed 1"))
        let again = try tool.run(arguments)
        #expect(again.error == explored.error && again.out == explored.out)
        let none = try tool.run("policy", "explore", "policies", "--moves", "0")
        #expect(none.status == 1 && none.error.contains("--moves is 0; it must be at least 1"), "\(none.error)")
    }
}
