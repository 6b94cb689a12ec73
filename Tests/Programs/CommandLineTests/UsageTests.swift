import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct UsageTests {
    private func withTool(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try body(tool)
    }

    /// The command alone, as somebody has it who built only `--product b2c`.
    @Test(arguments: [
        (["serve", "--help"], "b2c serve contoso.json"), (["record", "--help"], "b2c record --target"),
        (["certificate", "-h"], "b2c certificate create"),
    ])
    func `help needs no mock-server, and says how to build it`(_ arguments: [String], _ piece: String) throws {
        try withTool { tool in
            let alone = tool.folder.appendingPathComponent("b2c")
            try FileManager.default.copyItem(atPath: try #require(Tool.path), toPath: alone.path)
            let line = "./b2c " + arguments.joined(separator: " ")
            let help = try tool.shell(line)
            #expect(help.status == 0 && help.error.isEmpty, "\(help.error)")
            #expect(help.out.contains(piece), "\(help.out)")
            #expect(help.out.contains("`make build`"))
            let examples = help.out.split(separator: "\n").filter { $0.hasPrefix("  b2c ") }
            #expect(!examples.isEmpty && examples.allSatisfy { $0.count <= 80 }, "\(help.out)")
            let other = try tool.shell("./b2c \(arguments[0]) --tenant t.json")
            #expect(other.status == 3 && other.error.contains("`make build`"))
        }
    }

    /// A tenant with one policy of every kind that a trace can walk.
    private static let tenant = """
        { "name": "contoso",
          "policies": {
            "susi": { "type": "signUpOrSignIn" }, "in": { "type": "signIn" }, "up": { "type": "signUp" },
            "edit": { "type": "profileEditing" }, "reset": { "type": "passwordReset" }, "ropc": { "type": "ropc" } },
          "apps": { "ios": {
            "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.contoso" },
            "registration": { "ropc": true, "implicit": { "idToken": true, "accessToken": true } } } },
          "users": {
            "ada": { "email": "ada@example.test", "password": "Analytical-1843", "newPassword": "Difference-1822",
                     "displayName": "Ada" },
            "nina": { "registered": false, "email": "nina@example.test", "password": "Newcomer-2026",
                      "displayName": "Nina" } } }
        """

    @Test(arguments: [
        ("susi", "ada", "journey SignUpOrSignIn", "Ada"), ("susi", "nina", "AAD-UserWriteUsingLogonEmail", "Nina"),
        ("in", "ada", "journey SignIn", "Ada"), ("up", "nina", "journey SignUp", "Nina"),
        ("edit", "ada", "AAD-UserWriteProfileUsingObjectId", "Ada"),
        ("reset", "ada", "AAD-UserWritePasswordUsingObjectId", "Ada"),
        ("ropc", "ada", "journey ResourceOwnerPasswordCredentials", "Ada"),
    ])
    func `a policy of every kind is traced`(_ policy: String, _ person: String, _ piece: String, _ name: String) throws
    {
        try withTool { tool in
            try tool.write(Self.tenant, to: "t.json")
            let trace = try tool.run("policy", "trace", policy, "--tenant", "t.json", "--as", person)
            #expect(trace.status == 0, "\(trace.error)")
            #expect(trace.out.contains(piece) && trace.out.contains("\"name\": \"\(name)\""), "\(trace.out)")
            for secret in ["Analytical-1843", "Difference-1822", "Newcomer-2026"] {
                #expect(!trace.out.contains(secret))
            }
        }
    }

    @Test func `a trace that is refused says why`() throws {
        try withTool { tool in
            try tool.write(Self.tenant.replacing("\"ropc\": true, ", with: ""), to: "t.json")
            let trace = try tool.run("policy", "trace", "ropc", "--tenant", "t.json", "--as", "ada")
            #expect(trace.status == 4)
            #expect(trace.error.contains("AADB2C90224"), "\(trace.error)")
        }
    }

    @Test func `the version is printed, and with -v who signs`() throws {
        try withTool { tool in
            let short = try tool.run("--version")
            #expect(short.status == 0 && short.out.hasPrefix("b2c ") && short.error.isEmpty)
            let long = try tool.run("--version", "-v")
            #expect(long.status == 0 && long.out.hasPrefix(short.out) && long.out.contains("RS256 by "))
        }
    }

    @Test(arguments: [
        [], ["run"], ["check"], ["schema"], ["explain"], ["policy"], ["policy", "show"], ["policy", "trace"], ["init"],
    ])
    func `help is not an error`(_ command: [String]) throws {
        try withTool { tool in
            let help = try tool.run(command + ["--help"])
            #expect(help.status == 0 && help.out.contains("USAGE: b2c") && help.error.isEmpty)
        }
    }

    /// Arguments that are wrong, and what is said about them.
    @Test(arguments: [
        (["run", "--nonsense"], "b2c: unknown option '--nonsense'"),
        (["rum"], "rum"),
        (["run", "--target", "nowhere"], "there is no such file, and no target of that name"),
        (["run", "--jobs", "0"], "--jobs must be from 1"),
        (["run", "--seed", "x"], "--seed"),
        (["run", "--variable", "x"], "--variable takes NAME=VALUE"),
        (["run", "--report-json", "no/such/folder.json"], "there is no folder no/such"),
        (["run", "--bundle", "-"], "--bundle -: this file is kept for another run; name a file"),
        (["run", "--coverage-text", "-", "--report-json", "-"], "--report-json - and --coverage-text - both go to"),
        (["run", "--json", "--report-junit", "-"], "--json and --report-junit - both go to the standard output"),
        (["run", "."], "there are no scenarios to run here"),
        (["check"], "there is nothing to check here"),
        (["schema", "policy"], "policy"),
        (["policy", "show", "susi"], "--tenant"),
        (["explain"], "explain what?"),
        (["explain", "interactionRequird"], "interactionRequired"),
        (["explain", "AADB2C90119"], "AADB2C90118"),
        (["explain", "client", "msal-io"], "Did you mean msal-ios?"),
    ])
    func `wrong usage ends with 1 and says what is wrong`(_ arguments: [String], _ text: String) throws {
        try withTool { tool in
            let outcome = try tool.run(arguments)
            #expect(outcome.status == 1, "\(outcome.out)")
            #expect(outcome.error.contains(text), "\(outcome.error)")
            #expect(outcome.out.isEmpty)
        }
    }

    /// What can be explained, and a piece of the answer. Each list is one call.
    @Test(arguments: [
        [("AADB2C90091: The user has cancelled entering self-asserted information.", "AADB2C90091  Azure AD B2C")],
        [("client", "client msal-ios"), ("msal-ios", "checks.knownAuthority")],
        [("client", "client msal-android"), ("msal-android", "accountMode")],
        [
            ("AADB2C90118", "AADB2C90118  Azure AD B2C"), ("90080", "AADB2C90080"), ("aadb2c90088", "AADB2C90088  "),
            ("-50002", "MSALErrorInteractionRequired"), ("-42004", "MSALInternalErrorInvalidGrant"),
            ("--", "MSALInternalErrorInvalidGrant"),
            ("serverDeclinedScopes", "-50003  MSAL"), ("msalerrorusercanceled", "-50005  MSAL"),
            ("-51412", "as -42004"), ("-1009", "no network"), ("invalid_grant", "invalid_grant  OAuth error"),
            ("MSALOAuthErrorKey", "expect.error.oauthError"), ("B2C-SCN-020", "rule of scenario files"),
            ("b2c-json-002", "occurs once"), ("acquiretoken", "acquireToken  verb in step of a scenario"),
            ("keepSignedIn", "key in policy of a tenant file"),
        ],
    ])
    func `explain knows codes, names, texts, rules and clients`(_ things: [(thing: String, text: String)]) throws {
        try withTool { tool in
            let outcome = try tool.run(["explain"] + things.map(\.thing))
            #expect(outcome.status == 0, "\(outcome.error)")
            for (_, text) in things { #expect(outcome.out.contains(text), "\(text) is not in\n\(outcome.out)") }
        }
    }

    @Test func `every rule that a source file names can be explained`() throws {
        let sources = TestFiles.root().appendingPathComponent("Sources")
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        var ids: Set<String> = []
        for name in names where name.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
            for piece in text.split(separator: "\"B2C-", omittingEmptySubsequences: false).dropFirst() {
                let id = "B2C-" + piece.prefix { $0 != "\"" && $0 != "\n" }
                if id.split(separator: "-").count == 3, Int(id.suffix(3)) != nil { ids.insert(String(id)) }
            }
        }
        #expect(ids.count > 50)
        try withTool { tool in
            let known = try tool.run("explain", "rules").out
            for id in ids.sorted() { #expect(known.contains("\(id)  "), "\(id)") }
        }
    }

    @Test func `a schema can be printed with the names of a tenant`() throws {
        try withTool { tool in
            _ = try tool.run("init")
            let plain = try tool.run("schema", "scenario")
            let named = try tool.run("schema", "scenario", "--tenant", "scenarios/tenants/contoso.json")
            #expect(plain.status == 0 && named.status == 0)
            #expect(!plain.out.contains("\"nina\"") && named.out.contains("\"nina\""))
            #expect(try tool.run("schema", "tenant").out.contains("tenant.schema.json"))
            #expect(try tool.run("schema", "tenant", "--tenant", "none.json").status == 2)
        }
    }

    @Test(arguments: ["scenario", "tenant", "target"])
    func `the reference in docs is what the command prints`(_ kind: String) throws {
        try withTool { tool in
            let printed = try tool.run("schema", kind, "--markdown")
            let shipped = String(decoding: try TestFiles.bytes("docs/\(kind)-files.md"), as: UTF8.self)
            let difference = printed.out == shipped ? "" : lineDifference(expected: shipped, found: printed.out)
            #expect(
                difference.isEmpty,
                "write it again: b2c schema \(kind) --markdown > docs/\(kind)-files.md\n\(difference)")
        }
    }

    @Test func `a reader that goes away ends the command quietly`() throws {
        try withTool { tool in
            let path = try #require(Tool.path)
            let run = try tool.shell("{ '\(path)' schema scenario; echo \"status $?\" >&2; } | head -n 1")
            #expect(run.out == "{\n")
            #expect(run.error == "status 0\n")
        }
    }
}

/// A command that is mistyped.
@Suite(.blocking) struct MistypedCommandTests {
    @Test(arguments: [
        ("rnu", "there is no command rnu. Did you mean run?"), ("valdate", "Did you mean validate?"),
        (".", "which is a file or folder. Did you mean b2c run .?"),
        ("xyzzy", "there is no command xyzzy. Commands are init, "), ("version", "Did you mean b2c --version?"),
        ("test", "Did you mean b2c run?"), ("watch", "Did you mean b2c run --watch?"),
        ("lint", "Did you mean b2c check?"),
        ("start", "Did you mean b2c serve?"), ("login", "Did you mean b2c token?"),
        ("trace", "Did you mean b2c policy trace?"),
        ("har", "Did you mean b2c import"), ("policy explor", "Did you mean b2c policy explore?"),
        ("policy xyzzy", "there is no command policy xyzzy. Commands are list, "),
        ("policy compare", "Did you mean b2c policy diff?"),
        ("run --junit x", "b2c: unknown option '--junit'. Did you mean '--report-junit'?"),
        ("run --filter x", "Did you mean '--name'?"), ("run --fail-fast", "Did you mean '--bail'?"),
        ("run --tag x", "Did you mean '--tags'?"), ("run --output x", "Did you mean '--report-html'?"),
        ("check --xyzzy", "b2c: unknown option '--xyzzy'"),
        ("policy trace --flow x", "Did you mean '--policy'?"),
    ])
    func `the command that may be meant is named`(_ line: String, _ words: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(line.split(separator: " ").map(String.init))
        #expect(run.status == 1 && run.error.contains(words) && run.out.isEmpty, "\(run)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions are printed in both forms`(_ shell: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let apart = try tool.run("--generate-completion-script", shell)
        #expect(apart.status == 0 && apart.out.contains("b2c"), "\(apart.error)")
        #expect(try tool.run("--generate-completion-script=\(shell)").out == apart.out)
    }
}
