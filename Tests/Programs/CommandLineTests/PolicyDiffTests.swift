import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy diff`: what people, apps and services notice of a change, and what is said of bad input.
@Suite(.blocking) struct PolicyDiffTests {
    private func project() throws -> Tool {
        let tool = try Tool()
        for folder in ["old", "new"] {
            for name in ["Base", "Loyalty"] {
                let text = try TestFiles.bytes("scenarios/policies/\(name).xml")
                try tool.write(String(decoding: text, as: UTF8.self), to: "\(folder)/\(name).xml")
            }
        }
        return tool
    }

    private func edit(_ tool: Tool, _ file: String, _ find: String, _ put: String) throws {
        let text = try tool.read(file)
        try #require(text.contains(find))
        try tool.write(text.replacing(find, with: put, maxReplacements: 1), to: file)
    }

    private func differences(_ tool: Tool, _ more: String...) throws -> [JSONValue] {
        let outcome = try tool.run(
            ["policy", "diff", "old", "new", "--policy", "B2C_1A_loyalty", "--format", "json"] + more)
        try #require(outcome.status == 0, "\(outcome.error)")
        return try JSONParser.parse(outcome.out)["policies"]?.arrayValue ?? []
    }

    /// What is noticed, and what follows from it.
    private func places(_ policy: JSONValue?) -> [String] {
        let changes = policy?["behaviour"]?.arrayValue ?? []
        return (changes + changes.flatMap { $0["followed"]?.arrayValue ?? [] }).map {
            "\($0["party"]?.stringValue ?? "") \($0["place"]?.stringValue ?? "")"
        }
    }

    @Test func `people, apps, services and the directory each notice their part, and scripts show it`() throws {
        let tool = try project()
        defer { tool.remove() }
        try edit(tool, "new/Loyalty.xml", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />", "")
        try edit(
            tool, "new/Base.xml", "<DisplayClaim ClaimTypeReferenceId=\"displayName\" Required=\"true\" />",
            "<DisplayClaim ClaimTypeReferenceId=\"displayName\" />")
        try edit(
            tool, "new/Base.xml", "<OutputClaim ClaimTypeReferenceId=\"displayName\" Required=\"true\" />",
            "<OutputClaim ClaimTypeReferenceId=\"displayName\" />")
        try edit(
            tool, "new/Loyalty.xml", "<InputClaim ClaimTypeReferenceId=\"email\" />",
            "<InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"mail\" />")
        let policy = try #require(try differences(tool, "--write", "changed").first)
        #expect(policy["status"] == "changed")
        let places = places(policy)
        for place in [
            "app ID token, claim name", "service POST https://loyalty.contoso.test/tier, json mail", "directory writes",
        ] {
            #expect(places.contains(place), "\(place) is not in \(places)")
        }
        #expect(
            places.contains { $0.hasPrefix("person page signUp") && $0.hasSuffix("field displayName, required") },
            "\(places)")
        let scripts = Set((policy["behaviour"]?.arrayValue ?? []).compactMap { $0["script"]?.stringValue })
        #expect(!scripts.isEmpty)
        // They expect what OLD does, so they fail with NEW.
        #expect(try tool.run("check", "--strict", "--no-prove", "changed").status == 0)
        for script in scripts {
            let run = try tool.run("run", script)
            #expect(run.status == 4, "\(script): \(run.out)")
        }
        // With the old policies the same scripts pass.
        try tool.write(
            try tool.read("changed/tenant.json").replacing("../new/", with: "../old/"), to: "changed/tenant.json")
        for script in scripts {
            let run = try tool.run("run", script)
            #expect(run.status == 0, "\(script): \(run.out)")
        }
        // The same comparison again: the same bytes.
        let first = try tool.run("policy", "diff", "old", "new")
        #expect(try tool.run("policy", "diff", "old", "new").out == first.out)
    }

    @Test func `a comparison that moves end says so and gives the same bytes`() throws {
        let tool = try project()
        defer { tool.remove() }
        try edit(tool, "new/Loyalty.xml", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />", "")
        let policy = try #require(try differences(tool, "--moves", "50").first)
        let notes = (policy["notes"]?.arrayValue ?? []).compactMap(\.stringValue)
        for name in ["old", "new"] {
            let note = "the exploration of the \(name) policy was cut by 50 moves. Raise --moves to explore more"
            #expect(notes.contains(note), "\(notes)")
        }
        let first = try tool.run("policy", "diff", "old", "new", "--moves", "50")
        #expect(try tool.run("policy", "diff", "old", "new", "--moves", "50").out == first.out)
    }

    @Test func `a field and a body that change are named`() throws {
        let tool = try project()
        defer { tool.remove() }
        try edit(
            tool, "new/Loyalty.xml", "<InputClaim ClaimTypeReferenceId=\"email\" />",
            "<InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"mail\" />")
        let policy = try #require(try differences(tool).first)
        let place = "service POST https://loyalty.contoso.test/tier, json"
        #expect(places(policy).contains("\(place) email"), "\(places(policy))")
        #expect(places(policy).contains("\(place) mail"), "\(places(policy))")
    }

    @Test func `what nobody notices is said to be that`() throws {
        let tool = try project()
        defer { tool.remove() }
        try edit(
            tool, "new/Loyalty.xml", "<ClaimType Id=\"tier\">",
            "<ClaimType Id=\"spare\"><DisplayName>Spare</DisplayName><DataType>string</DataType></ClaimType>"
                + "<ClaimType Id=\"tier\">")
        let text = try tool.run("policy", "diff", "old", "new", "--exit-code")
        #expect(text.status == 4)
        #expect(text.out.contains("1 element differs; no sign-in reaches them"), "\(text.out)")
        #expect(text.out.contains("not reached by a sign-in: added ClaimType spare"), "\(text.out)")
        let same = try tool.run("policy", "diff", "old", "old", "--exit-code")
        #expect(same.status == 0 && same.out == "no difference: B2C_1A_loyalty\n", "\(same.out)")
    }

    @Test func `Markdown holds no markup of the policy's own`() throws {
        let tool = try project()
        defer { tool.remove() }
        try edit(
            tool, "new/Loyalty.xml", "<DisplayName>Loyalty tier</DisplayName>",
            "<DisplayName>A | &lt;b&gt;*tier*&lt;/b&gt;</DisplayName>")
        let outcome = try tool.run("policy", "diff", "old", "new", "--format", "markdown", "--output", "diff.md")
        #expect(outcome.status == 0 && outcome.out.isEmpty)
        let text = try tool.read("diff.md")
        #expect(text.contains("A \\| &lt;b&gt;\\*tier\\*&lt;/b&gt;"), "\(text)")
        #expect(!text.contains("<b>"))
    }

    @Test func `git revisions are compared with the working tree`() throws {
        let tool = try project()
        defer { tool.remove() }
        let git = try tool.shell(
            "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.test commit -qm first")
        guard git.status == 0 else {
            print("skipped: git is not installed")
            return
        }
        try edit(tool, "new/Loyalty.xml", "<DisplayName>Loyalty tier</DisplayName>", "<DisplayName>Tier</DisplayName>")
        let outcome = try tool.run("policy", "diff", "HEAD:new", "new", "--structure")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.out.contains("\"Loyalty tier\" -> \"Tier\"\n    new/Loyalty.xml:11"), "\(outcome.out)")
        // Who names one thing means what changed in the working tree.
        for one in ["new", "HEAD:./new"] {
            let said = try tool.run("policy", "diff", one, "--structure").out
            #expect(said.contains("\"Loyalty tier\" -> \"Tier\"\n    new/Loyalty.xml:11"), "\(one): \(said)")
        }
        for words in ["", "HEAD"] {
            let path = try #require(Tool.path)
            let said = try tool.shell("cd new && '\(path)' policy diff \(words) --structure").out
            #expect(said.contains("\"Loyalty tier\" -> \"Tier\"\n    Loyalty.xml:11"), "\(words): \(said)")
        }
        // The other way round the new file is the one of the revision.
        let back = try tool.run("policy", "diff", "new/Loyalty.xml", "HEAD:new/Loyalty.xml", "--structure")
        #expect(
            back.out.contains("\"Tier\" -> \"Loyalty tier\"\n    HEAD:new/Loyalty.xml:11"), "\(back.out)\(back.error)")
        let unknown = try tool.run("policy", "diff", "nix:new", "new")
        #expect(unknown.status == 1 && unknown.error.contains("git does not know the revision nix"), "\(unknown.error)")
        let absent = try tool.run("policy", "diff", "HEAD:nix", "new")
        #expect(
            absent.status == 1 && absent.error == "b2c: HEAD:nix: HEAD has no file or folder nix\n", "\(absent.error)")
        let option = try tool.run("policy", "diff", "--structure", "--", "--output=x:new", "new")
        #expect(option.status == 1 && !FileManager.default.fileExists(atPath: tool.folder.path + "/x:new"))
    }

    @Test func `policies of tenant files are compared, and those that only one has are named`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        func tenant(_ policies: String) -> String {
            """
            {"name": "contoso", "policies": {\(policies)},
             "apps": {"ios": {"client": {"kind": "msal-ios", "policy": "susi"}}}}
            """
        }
        let flow = "\"susi\": {\"id\": \"B2C_1_susi\", \"type\": \"signUpOrSignIn\", \"claims\": [\"displayName\"]}"
        try tool.write(
            tenant(flow + ", \"edit\": {\"id\": \"B2C_1_edit\", \"type\": \"profileEditing\"}"), to: "old.json")
        try tool.write(
            tenant(
                flow.replacing("[\"displayName\"]", with: "[\"displayName\", \"newUser\"]")
                    + ", \"reset\": {\"id\": \"B2C_1_reset\", \"type\": \"passwordReset\"}"), to: "new.json")
        let outcome = try tool.run("policy", "diff", "old.json", "new.json")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(
            outcome.out.contains("edit: only old.json has it") && outcome.out.contains("reset: only new.json has it"))
        #expect(outcome.out.contains("ID token, claim newUser\n      nothing -> true"), "\(outcome.out)")
    }

    @Test func `bad input gets a sentence`() throws {
        let tool = try project()
        defer { tool.remove() }
        try edit(tool, "new/Loyalty.xml", "ReferenceId=\"REST-Tier\"", "ReferenceId=\"REST-Nix\"")
        let broken = try tool.run("policy", "diff", "old", "new")
        #expect(broken.status == 2 && broken.error.contains("REST-Nix"), "\(broken.error)")
        let cases: [([String], String)] = [
            (["old", "nix"], "there is no file or folder nix. Name a folder of policies"),
            (["old", "old", "--policy", "B2C_1A_nix"], "has no policy B2C_1A_nix"),
            (["old", "old", "--depth", "0"], "--depth is 0"),
            (["old", "old", "--structure", "--write", "x"], "--write needs runs"),
        ]
        for (arguments, text) in cases {
            let outcome = try tool.run(["policy", "diff"] + arguments)
            #expect(outcome.status == 1 && outcome.error.contains(text), "\(arguments): \(outcome.error)")
        }
        try tool.write("PK\u{3}\u{4}nothing", to: "x.zip")
        let zip = try tool.run("policy", "diff", "x.zip", "old")
        #expect(zip.status == 2 && zip.error.contains("x.zip cannot be read as a bundle"), "\(zip.error)")
    }
}
