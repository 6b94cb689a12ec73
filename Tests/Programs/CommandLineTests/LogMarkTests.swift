import Foundation
import JSON
import Testing

/// Names and claims that a CI service or a terminal would obey, in everything that the command prints.
@Suite(.blocking) struct LogMarkTests {
    private static let mark = "##vso[task.setvariable variable=X]1\n::add-mask::e\n::stop-commands::x\n##[add-mask]q"
    /// JSON's form of a text.
    private static func json(_ text: String) -> String { JSONWriter.compact(.string(text)) }

    private static let tenant = """
        { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
          "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843",
            "displayName": "Ada ##vso[task.setvariable variable=X]1 ##[add-mask]z" } } }
        """

    /// A project with one scenario that fails, all of whose names are the text.
    private func project(_ text: String, file: String) throws -> Tool {
        let tool = try Tool()
        try tool.write(Self.tenant, to: "scenarios/tenants/t.json")
        let name = Self.json("N " + text)
        try tool.write(
            """
            { "name": \(name), "tags": ["a"], "tenant": "tenants/t.json", "app": "ios",
              "cases": { \(Self.json("c" + text)): { "set": { "x": \(name) } } },
              "steps": [ { "name": \(name), "acquireToken": { "extraQueryParameters": { "campaign": \(name) } },
                "user": "ada", "expect": { "result": { "idToken": { "claims": { "name": \(name) } } } } } ] }
            """, to: "scenarios/" + file)
        return tool
    }

    static let commands: [[String]] = [
        ["run", "--seed", "1"], ["run", "-v"], ["run", "--list"], ["run", "--json"], ["run", "--list", "--json"],
        ["run", "--report-junit", "-"], ["run", "--report-markdown", "-"], ["run", "--report-html", "-"],
        ["run", "--report-github", "--report-azure"], ["check"], ["check", "--strict"],
        ["validate", "##vso[x]\n::y.json", "--format", "github"], ["run", "##vso[x]\n::y"], ["##vso[x]\n::y"],
        ["explain", "##vso[x]\n::y ##[z"], ["policy", "list", "--tenant", "scenarios/tenants/t.json"],
        ["run", "--only", "x##[y\n::z"],
    ]

    @Test(arguments: commands, ["TF_BUILD", "GITHUB_ACTIONS"])
    func `no service obeys what it reads`(arguments: [String], variable: String) throws {
        let tool = try project(Self.mark, file: "a##vso[x]\n::b.json")
        defer { tool.remove() }
        let outcome = try tool.run(arguments, environment: [variable: "true"])
        #expect((0...4).contains(outcome.status))
        for line in (outcome.out + outcome.error).split(whereSeparator: { $0.isNewline }) {
            var rest = line.drop { $0.isWhitespace }
            if variable == "TF_BUILD" {
                for own in ["##vso[task.logissue ", "##vso[task.uploadsummary]"] where rest.hasPrefix(own) {
                    rest = rest.dropFirst(own.count)
                }
                #expect(!rest.lowercased().contains("##vso[") && !rest.contains("##["), "\(line)")
            } else {
                let isOwn = rest.hasPrefix("::error file=") || rest.hasPrefix("::warning file=")
                #expect(!rest.hasPrefix("::") || isOwn, "\(line)")
                #expect(!rest.contains("##["), "\(line)")
            }
        }
        #expect(!(outcome.out + outcome.error).isEmpty)
    }

    @Test func `reports that programs read keep their names`() throws {
        let tool = try project(Self.mark, file: "a.json")
        defer { tool.remove() }
        let json = try tool.run(["run", "--json"], environment: ["TF_BUILD": "True"]).out
        #expect(try JSONParser.parse(json).value(at: "/scenarios/0/name")?.stringValue == "N " + Self.mark)
        let list = try tool.run(["run", "--list", "--json"], environment: ["GITHUB_ACTIONS": "true"]).out
        #expect(try JSONParser.parse(list).value(at: "/0/name")?.stringValue == "N " + Self.mark)
    }

    /// The command that repeats a failure is one line, and bash runs the same case with it.
    @Test(arguments: [mark, "\u{1b}[31mred\u{9b}1m\u{202e}x", "it's\t100% \\ \"q\" ##[", "plain"])
    func `the repeat line is safe and can be copied`(text: String) throws {
        let tool = try project(text, file: "a.json")
        defer { tool.remove() }
        let run = try tool.run("run", "--seed", "1")
        let hidden = run.out.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202e}")
        }
        #expect(run.status == 4 && hidden.isEmpty, "\(run.out)")
        let line = try #require(run.out.split(separator: "\n").first { $0.contains("repeat  b2c run ") })
        #expect(!line.contains("##vso[") && !line.contains("##["))
        let command = line.drop { $0 == " " }.dropFirst("repeat  ".count)
        try tool.write("b2c() { \"\(Tool.path ?? "")\" \"$@\"; }\n\(command)\n", to: "repeat.sh")
        let again = try tool.shell("bash repeat.sh")
        #expect(again.status == 4, "\(command)\n\(again.out)\(again.error)")
        #expect(again.out.contains("1 failed"), "\(again.out)")
    }

    @Test func `policy list and import spell out what a terminal obeys`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let hidden = "\u{9b}31m\u{202e}x"
        try tool.write(
            Self.tenant.replacingOccurrences(of: "B2C_1_susi", with: "B2C_1_su\u{202e}x"), to: "tenant.json")
        try tool.write(
            """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0"
              TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_\(hidden)" PublicPolicyUri="http://contoso.onmicrosoft.com/x">
            </TrustFrameworkPolicy>
            """, to: "policies/a.xml")
        let entry = """
            { "startedDateTime": "2026-01-15T12:00:00.000Z", "time": 1, "request": { "method": "GET",
              "url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?client_id=a\\u001b%1b[31m&redirect_uri=https%3A%2F%2Fa.test&response_type=code&scope=openid&x\\u009b\\u202e=1\\u009b",
              "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": -1, "httpVersion": "HTTP/1.1" },
              "response": { "status": 200, "statusText": "\\u001b[31m", "headers": [], "cookies": [], "redirectURL": "",
              "content": { "size": 0, "mimeType": "text/html" }, "headersSize": -1, "bodySize": -1, "httpVersion": "" },
              "cache": {}, "timings": { "send": 0, "wait": 1, "receive": 0 } }
            """
        try tool.write(
            "{ \"log\": { \"version\": \"1.2\", \"creator\": { \"name\": \"\\u009b\", \"version\": \"\\u001b[1m\" }, \"entries\": [\(entry)] } }",
            to: "a.har")
        for arguments in [
            ["policy", "list", "--tenant", "tenant.json"], ["policy", "list", "policies"], ["import", "har", "a.har"],
        ] {
            let outcome = try tool.run(arguments)
            let text = outcome.out + outcome.error
            let raw = text.unicodeScalars.filter {
                $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202e}")
            }
            #expect(raw.isEmpty && !text.isEmpty, "\(arguments): \(raw.map { $0.value })")
        }
    }
}
