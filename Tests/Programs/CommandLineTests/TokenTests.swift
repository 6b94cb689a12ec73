import Foundation
import JOSE
import JSON
import TestSupport
import Testing

/// `b2c token`, as a tester of an API uses it.
@Suite(.blocking) struct TokenTests {
    private func token(_ arguments: String...) throws -> JWS {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["token"] + arguments)
        #expect(run.status == 0, "\(run.error)")
        let lines = run.out.split(separator: "\n")
        #expect(lines.count == 1 && run.error.isEmpty)
        return try #require(JWS(compact: String(lines.first ?? "")))
    }

    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    @Test func `a token of the embedded tenant is good now`() throws {
        let jws = try token("--as", "ada", "--app", "ios")
        let claims = try #require(jws.claims)
        #expect(claims["scp"] == "read" && claims["tfp"] == "B2C_1_susi" && claims["name"] == "Ada")
        #expect((claims["exp"]?.intValue ?? 0) > now && (claims["nbf"]?.intValue ?? .max) <= now)
        #expect(try token("--as", "ada", "--id").claims?["scp"] == nil)
        #expect(try token("--as", "nina").claims?["name"] == "Nina", "somebody without an account signs up")
    }

    @Test func `each kind of wrong token is wrong in one way`() throws {
        let good = try token("--as", "ada")
        let expired = try #require(try token("--expired").claims)
        #expect((expired["exp"]?.intValue ?? .max) < now && expired["aud"] == good.claims?["aud"])
        #expect((try token("--not-yet").claims?["nbf"]?.intValue ?? 0) > now)
        let foreign = try token("--wrong-key")
        #expect(foreign.header["kid"] != good.header["kid"] && foreign.header["alg"] == "RS256")
        #expect(try token("--alg-none").header["alg"] == "none")
        #expect(try token("--audience", "x").claims?["aud"] == "x")
        let claims = try #require(
            try token("--claim", "scp=other", "--claim", "oid=null", "--claim", "roles=[\"a\"]", "--claim", "n=1")
                .claims)
        #expect(claims["scp"] == "other" && claims["oid"] == nil && claims["roles"] == ["a"] && claims["n"] == 1)
    }

    @Test(arguments: [
        (["--as", "adda"], "no person adda. Did you mean ada?"), (["--app", "x"], "The tenant has ios and spa."),
        (["--policy", "sussi"], "Did you mean susi?"), (["--claim", "scp"], "expected a name and a value"),
        (["--expired", "--not-yet"], "exclude each other"), (["--wrong-key", "--alg-none"], "exclude each other"),
        (["--server", "nowhere"], "expected one such as http://localhost:9400"),
    ])
    func `what is not there is named, with what is`(_ arguments: [String], _ piece: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["token"] + arguments)
        #expect(run.status == 1 && run.out.isEmpty)
        #expect(run.error.contains(piece), "\(run.error)")
    }

    /// What the service says reaches the reader as it was written: a `+` in it is not a blank.
    @Test(arguments: ["ios", "spa"])
    func `a message keeps its plus signs`(app: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let scope = "https://contoso.onmicrosoft.com/tasks/read+write"
        let run = try tool.run("token", "--as", "ada", "--app", app, "--scope", scope)
        #expect(run.status == 4 && run.out.isEmpty, "\(run.out)\(run.error)")
        #expect(run.error.contains("The scope '\(scope)' provided in the request is not supported."), "\(run.error)")
    }

    #if os(Linux)
        /// Swift reads the arguments from `/proc`: without it a command would be taken for none, and print its help.
        @Test(arguments: ["b2c", "mock-server"])
        func `without arguments to read, it says so`(_ name: String) throws {
            let tool = try Tool()
            defer { tool.remove() }
            let folder = (try #require(Tool.path) as NSString).deletingLastPathComponent
            guard try tool.shell("unshare -rm mount -t tmpfs none /proc").status == 0,
                FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
            else { return }
            let run = try tool.shell("unshare -rm sh -c 'mount -t tmpfs none /proc; exec \(folder)/\(name) token'")
            #expect(run.status == 3 && run.out.isEmpty, "\(run.out)\(run.error)")
            #expect(run.error.contains("the arguments cannot be read"), "\(run.error)")
        }
    #endif

    @Test func `a wrong tenant file is refused with its finding`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(#"{ "name": "contoso", "polices": {} }"#, to: "t.json")
        let run = try tool.run("token", "--tenant", "t.json")
        #expect(run.status == 2 && run.error.contains("t.json:1:"), "\(run.error)")
    }
}

/// `b2c exec` and `b2c serve`, with the server in the command's folder.
@Suite(.blocking, .enabled(if: Tool.hasServer)) struct ExecTests {
    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Outcome {
        let tool = try Tool()
        defer { tool.remove() }
        return try tool.run(arguments, environment: environment)
    }

    @Test func `the redirect URI is the one that the app uses`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(
            """
            { "name": "contoso", "policies": { "susi": { "type": "signUpOrSignIn" } },
              "apps": { "spa": { "client": { "kind": "msal-browser", "policy": "susi", "redirectUri": "http://localhost:3000/" },
                "registration": { "redirectUris": {
                  "web": ["https://old.contoso.test/"], "spa": ["https://app.contoso.test/", "http://localhost:3000/"] } } } } }
            """, to: "t.json")
        let run = try tool.run("exec", "--tenant", "t.json", "--", "sh", "-c", "echo $B2C_REDIRECT_URI")
        #expect(run.out == "http://localhost:3000/\n", "\(run.error)")
    }

    /// The server's custom policies are not known here, wherever its address comes from.
    @Test func `a custom policy of a server needs its tenant file, also with B2C_URL`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let program = try #require(Tool.path)
        let root = TestFiles.root().path
        let tenant = "\(root)/scenarios/tenants/contoso.json"
        for option in ["", "--server $B2C_URL"] {
            let run = try tool.run(
                "exec", "--tenant", tenant, "--", "sh", "-c", "'\(program)' token --policy loyalty \(option)")
            #expect(run.status == 1, "\(run.out)\(run.error)")
            #expect(run.error.contains("is a custom policy: name the tenant file of the server"), "\(run.error)")
        }
    }

    @Test func `the command finds a server that answers, and its exit code is returned`() throws {
        let program = try #require(Tool.path)
        let run = try run(
            "exec", "--env", "dotnet", "--env", "spring", "--", "sh", "-c",
            "echo $B2C_ISSUER; echo $AzureAdB2C__Instance; echo $SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI; "
                + "'\(program)' token --as ada; exit 7")
        #expect(run.status == 7, "\(run.error)")
        let lines = run.out.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(run.out)\(run.error)")
        #expect(lines[0].hasPrefix(lines[1]) && lines[0] == lines[2])
        #expect(JWS(compact: lines[3])?.claims?["iss"]?.stringValue == lines[0])
    }

    @Test(arguments: [
        (["spring"], 0, "spring.security.oauth2.resourceserver.jwt.issuer-uri=http://localhost:9400/"),
        (["env", "--port", "9500"], 0, "B2C_URL=http://localhost:9500\n"),
        (["msal-browser", "--tls"], 0, "\"authority\": \"https://localhost:9443/contoso.onmicrosoft.com/B2C_1_susi\""),
        (["appsettings", "--public-url", "https://b2c.example.test"], 0, "\"Instance\": \"https://b2c.example.test\""),
        (["env", "--port", "0"], 1, "expected one such as --port 9400"),
    ])
    func `settings are printed, and nothing is served`(_ arguments: [String], _ code: Int32, _ piece: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["serve", "--settings"] + arguments)
        #expect(run.status == code, "\(run.out)\(run.error)")
        #expect((code == 0 ? run.out : run.error).contains(piece), "\(run.out)\(run.error)")
    }

    @Test(arguments: [
        (["--", "no-such-command-here"], 127, "there is no such command"), (["--", "/"], 126, "cannot be run"),
        ([], 1, "name a command after --"), (["--app", "iOS7", "--", "true"], 1, "Did you mean ios?"),
        (["--tenant", "none.json", "--", "true"], 2, "none.json cannot be read"),
        (["--", "sh", "-c", "kill -9 $$"], 137, ""),
    ])
    func `what cannot run ends with a code and a sentence`(_ arguments: [String], _ code: Int32, _ piece: String) throws
    {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["exec"] + arguments)
        #expect(run.status == code, "\(run.out)\(run.error)")
        #expect(piece.isEmpty ? run.error.isEmpty : run.error.contains(piece), "\(run.error)")
    }
}

extension Tool {
    /// Whether mock-server is in the command's folder.
    static let hasServer: Bool = {
        guard let path else { return false }
        return FileManager.default.isExecutableFile(
            atPath: (path as NSString).deletingLastPathComponent + "/mock-server")
    }()
}
