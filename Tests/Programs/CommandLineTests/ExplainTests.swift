import Foundation
import JSON
import TestSupport
import Testing

/// `b2c explain` with texts, files and pipes, run as a person runs it.
@Suite(.blocking) struct ExplainTests {
    private func withTool(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try body(tool)
    }

    private static func part(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }

    static let token =
        part(#"{"alg":"RS256","kid":"k1"}"#) + "."
        + part(
            #"{"iss":"https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/","aud":"c1","tfp":"B2C_1_reset","#
                + #""sub":"s1","iat":1768474800,"nbf":1768474800,"exp":1768478400}"#) + "." + part("signature")

    static let log = """
        TID=1222781 MSAL 1.0.0 iOS 13.2.3 [2020-01-22 05:35:30 - E09EF7F0-E208-4045-868C-26CE7A627ED7] refresh_token=SEKRET123456
        Error Domain=NSOSStatusErrorDomain Code=-34018 "(null)" refresh_token=SEKRET123456
        """

    @Test(arguments: [
        ["AADB2C90077"], ["AADB2C90118"], ["acquireToken"], ["client", "msal-ios"], ["B47"], ["policies"],
    ])
    func `lines fit a terminal of 80 columns`(_ things: [String]) throws {
        try withTool { tool in
            let run = try tool.run(["explain"] + things)
            #expect(run.status == 0)
            // One word, such as a path, is not broken.
            let long = run.out.split(separator: "\n").filter { line in
                line.count > 80 && (line.split(separator: " ").map(\.count).max() ?? 0) < 40
            }
            #expect(long == [])
        }
    }

    @Test func `a title on two lines has its blanks`() throws {
        try withTool { tool in
            let run = try tool.run("explain", "B100")
            let lines = run.out.split(separator: "\n")
            #expect(lines.first?.hasPrefix("B100  The code or refresh token cannot be opened: ") == true, "\(run.out)")
            #expect(lines.dropFirst().first?.hasPrefix(" ") == false, "\(run.out)")
        }
    }

    /// What a journey failed with is explained too; the person in the message is not shown.
    @Test func `a log of the journey recorder is explained by what its journeys failed with`() throws {
        func row(_ minute: Int, _ message: String) -> String {
            let id = "6a9f9f51-3f0e-4b4c-9a43-3a1d0a4f3b7\(minute)"
            let clips =
                #"[{"Kind":"Headers","Content":{"UserJourneyRecorderEndpoint":"urn:journeyrecorder:applicationinsights","#
                + #""CorrelationId":"\#(id)","EventInstance":"Event:API","TenantId":"harbor.onmicrosoft.com","PolicyId":"B2C_1A_harbor"}},"#
                + #"{"Kind":"FatalException","Content":{"Time":"8:1\#(minute) AM","Exception":{"Message":"\#(message)","Data":{}}}}]"#
            let dimensions =
                #"{"Tenant":"harbor.onmicrosoft.com","UserJourney":"B2C_1A_harbor","EventName":"Journey Recorder Event v1.0.0","CorrelationId":"\#(id)"}"#
            let cells = ["3/2/2026, 8:1\(minute):11.220 AM", clips, dimensions]
            return cells.map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }.joined(separator: ",")
        }
        let lines = [
            "timestamp [UTC],message,customDimensions",
            row(
                1,
                "The claims exchange 'REST-Harbor' specified in step '4' returned HTTP error response with Code 'Unauthorized' and Reason 'Unauthorized'."
            ),
            row(2, "A user with the specified id already exists: grace@harbor.test"),
        ]
        try withTool { tool in
            try tool.write(lines.joined(separator: "\n") + "\n", to: "query.csv")
            let run = try tool.run("explain", "--file", "query.csv")
            #expect(run.status == 0, "\(run.error)")
            #expect(run.out.hasPrefix("a log of the journey recorder\n"), "\(run.out)")
            #expect(run.out.contains("REST-Harbor in step 4: 401 Unauthorized"), "\(run.out)")
            #expect(run.out.contains("1. rest-service-refuses-the-call (certain)"), "\(run.out)")
            #expect(!run.out.contains("grace"), "\(run.out)")
        }
    }

    @Test func `the cause of a refused upload comes before the rule that it breaks`() throws {
        let text =
            "Validation failed: 1 validation error(s) found in policy \"B2C_1A_H\" of tenant \"harbor.onmicrosoft.com\"."
            + "TechnicalProfile \"login-NonInteractive\" in policy \"B2C_1A_h\" of tenant \"harbor.onmicrosoft.com\" defines an"
            + " invalid value \"\" for the metadata item \"client_id.\""
        try withTool { tool in
            let run = try tool.run("explain", text)
            let cause = try #require(run.out.range(of: "1. local-account-apps (certain)"), "\(run.out)")
            let rule = try #require(run.out.range(of: "B2C-POL-061  "), "\(run.out)")
            #expect(cause.lowerBound < rule.lowerBound && !run.out.contains("upload-refused"), "\(run.out)")
        }
    }

    @Test func `a refusal is split and placed in the policies`() throws {
        let text =
            "Validation failed: 2 validation error(s) found in policy \"B2C_1A_HARBOR\" of tenant \"harbor.onmicrosoft.com\"."
            + "Tenant \"harbor.onmicrosoft.com\" does not have CryptographicKey referenced by storageReferenceId "
            + "\"B2C_1A_Harbor\".Policy \"B2C_1A_harbor\" of tenant \"harbor.onmicrosoft.com\" makes a reference to "
            + "ClaimType with id \"berth\" but neither the policy nor any of its base policies contain such an element."
        let policy = [
            "<TrustFrameworkPolicy xmlns=\"http://schemas.microsoft.com/online/cpim/schemas/2013/06\"",
            "  PolicySchemaVersion=\"0.3.0.0\" TenantId=\"harbor.onmicrosoft.com\" PolicyId=\"B2C_1A_harbor\"",
            "  PublicPolicyUri=\"http://harbor.onmicrosoft.com/B2C_1A_harbor\">",
            "  <ClaimsProviders><ClaimsProvider><DisplayName>H</DisplayName><TechnicalProfiles>",
            "    <TechnicalProfile Id=\"H\"><DisplayName>H</DisplayName><Protocol Name=\"OAuth2\" />",
            "      <CryptographicKeys><Key Id=\"client_secret\" StorageReferenceId=\"B2C_1A_Harbor\" /></CryptographicKeys>",
            "      <OutputClaims><OutputClaim ClaimTypeReferenceId=\"berth\" /></OutputClaims>",
            "    </TechnicalProfile></TechnicalProfiles></ClaimsProvider></ClaimsProviders>",
            "</TrustFrameworkPolicy>",
        ]
        try withTool { tool in
            try tool.write(policy.joined(separator: "\n") + "\n", to: "policies/harbor.xml")
            for arguments in [["explain", text], ["explain", text, "--policies", "policies"]] {
                let run = try tool.run(arguments)
                #expect(run.status == 0, "\(run.error)")
                #expect(run.out.contains("error 1 of 2  policies/harbor.xml:6"), "\(run.out)")
                #expect(run.out.contains("error 2 of 2  policies/harbor.xml:7"), "\(run.out)")
                #expect(run.out.contains("B2C-POL-026") && run.out.contains("B2C-POL-020"), "\(run.out)")
            }
            let missing = try tool.run("explain", text, "--policies", "nowhere")
            #expect(missing.status != 0 && missing.error.contains("there is no folder nowhere"), "\(missing.error)")
        }
    }

    @Test func `a number alone is a code of administration`() throws {
        try withTool { tool in
            let run = try tool.run("explain", "95053")
            #expect(run.status == 0 && run.out.contains("AADB2C95053"), "\(run.out)\(run.error)")
        }
    }

    @Test(arguments: [
        ("1003005", "CustomExtensionTimedOut"), ("CustomExtensionTimedOut", "1003005"),
        ("B2C-EXT-003", "1003005 CustomExtensionTimedOut"), ("b2c-ext-105", "case wrong-caller"),
        ("1003010", "B2C-EXT-019"),
    ])
    func `codes and rules of extensions name each other`(_ word: String, _ piece: String) throws {
        try withTool { tool in
            let run = try tool.run("explain", word)
            #expect(run.status == 0 && run.out.contains(piece), "\(run.out)\(run.error)")
        }
    }

    /// Marks behind a text are dropped, however many they are.
    @Test(arguments: [" ", ".", "\t", ": "])
    func `marks at the end change nothing`(piece: String) throws {
        try withTool { tool in
            let plain = try tool.run("explain", "AADB2C90118")
            let long = try tool.run("explain", "AADB2C90118" + String(repeating: piece, count: 50_000 / piece.count))
            #expect(plain.status == 0 && plain.out.contains("AADB2C90118"), "\(plain.error)")
            // What follows quotes the text, cut off.
            let means = plain.out.split(separator: "\n").prefix(6)
            #expect(means.count == 6 && long.out.hasPrefix(means.joined(separator: "\n")) && long.status == 0)
        }
    }

    /// Every example of the page is typed, and each line that it shows must come.
    @Test func `the examples of the page are what the command prints`() throws {
        let page = try String(
            contentsOf: TestFiles.root().appendingPathComponent("docs/explain.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```console\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count >= 3)
        try withTool { tool in
            let program = try #require(Tool.path)
            for block in blocks.flatMap({ $0.components(separatedBy: "$ ").dropFirst() }) {
                var lines = block.split(separator: "\n").map(String.init)
                let command = lines.removeFirst()
                let outcome = try tool.shell(
                    "PATH=\"$(dirname \"\(program)\"):$PATH\"; \(command) --no-color")
                #expect(outcome.status == 0, "\(command): \(outcome.error)")
                let printed = words(outcome.out)
                for line in lines where words(line) != "..." {
                    #expect(printed.contains(words(line)), "\(line) is not in\n\(outcome.out)")
                }
            }
        }
    }

    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `a log in a file, named with or without its option, and one that is piped in, say the same`() throws {
        try withTool { tool in
            try tool.write(Self.log, to: "msal.log")
            let program = try #require(Tool.path)
            let named = try tool.run("explain", "--file", "msal.log")
            let found = try tool.run("explain", "msal.log")
            let piped = try tool.shell("cat msal.log | \"\(program)\" explain -")
            #expect(named.status == 0 && named.out.contains("B119") && named.out.contains("line 2"))
            #expect(named.out == found.out && named.out == piped.out)
            #expect(!named.out.contains("SEKRET"))
            #expect(try tool.run("explain", "--file", "msal.log", "--show-secrets").out.contains("SEKRET"))
        }
    }

    @Test func `JSON names cause, evidence and script`() throws {
        try withTool { tool in
            try tool.write(Self.log, to: "msal.log")
            let outcome = try tool.run("explain", "--json", "--file", "msal.log")
            let root = try JSONParser.parse(outcome.out)
            #expect(root["causes", "0"] == nil && root["causes"]?[0]?["id"] == "B119")
            #expect(root["causes"]?[0]?["evidence"]?[0]?["line"] == 2)
            #expect(root["causes"]?[0]?["script"] == "scenarios/bugs/B119-keychain-group-missing.json")
            #expect(root["numbers"] == [-34018])
            #expect(!outcome.out.contains("SEKRET"))
            let code = try JSONParser.parse(try tool.run("explain", "--json", "AADB2C90272").out)
            #expect(code["explanations"]?[0]?["title"] == "AADB2C90272  Azure AD B2C")
            #expect(code["causes"]?[0]?["id"] == "B81")
        }
    }

    @Test func `a code without a script is explained once, and the certainty is said`() throws {
        try withTool { tool in
            let code = try tool.run("explain", "AADB2C90011")
            #expect(code.out.components(separatedBy: "AADB2C90011").count == 2, "\(code.out)")
            let known = try tool.run("explain", "IDX10223: Lifetime validation failed. The token is expired.")
            #expect(known.out.contains("1. token-expired (certain)") && !known.out.contains("try it"), "\(known.out)")
            let root = try JSONParser.parse(try tool.run("explain", "--json", "IDX10500: no security keys").out)
            #expect(root["causes"]?[0]?["certainty"] == "certain" && root["causes"]?[0]?["script"] == .null)
            #expect(root["codes"] == ["IDX10500"])
        }
    }

    @Test func `an exception of any program is not a refused upload`() throws {
        try withTool { tool in
            let text =
                "System.NullReferenceException: Object reference not set to an instance of an object. at Shop.Cart.Add(Item) in Cart.cs:line 42, AADB2C90118"
            let outcome = try tool.run("explain", text)
            #expect(outcome.status == 0 && !outcome.out.contains("B2C-POL"), "\(outcome.out)")
        }
    }

    @Test func `a token is described for a given moment and never printed`() throws {
        try withTool { tool in
            let outcome = try tool.run("explain", Self.token, "--at", "2026-01-15T11:30:00Z")
            #expect(outcome.out.contains("2026-01-15T11:00:00Z, 30 min ago") && outcome.out.contains("in 30 min"))
            #expect(!outcome.out.contains(Self.token.suffix(12)))
            let wrong = try tool.run("explain", Self.token, "--at", "noon")
            #expect(wrong.status == 1 && wrong.error.contains("--at"))
        }
    }

    @Test(arguments: [
        (["explain", "--file", "none.log"], Int32(2), "none.log cannot be read"),
        (["explain", "none.log"], 2, "there is no file none.log"),
        (["explain", "--file", "empty.log"], 2, "the text is empty"),
        (["explain", "--file", "binary"], 2, "zero bytes"), (["explain", "--file", "."], 2, "directory"),
        (["explain", "--file", "plain.txt"], 1, "`explain` searched for codes"),
        (["explain", "--file", "plain.txt", "AADB2C90118"], 1, "cannot be explained too"),
        (["explain", "such a lovely day"], 1, "nothing is known"),
    ])
    func `what cannot be explained is refused with a reason`(_ row: (arguments: [String], status: Int32, text: String))
        throws
    {
        try withTool { tool in
            try tool.write("", to: "empty.log")
            try tool.write("a\u{0}b\u{0}", to: "binary")
            try tool.write("such a lovely day\n", to: "plain.txt")
            let outcome = try tool.run(row.arguments)
            #expect(
                outcome.status == row.status && outcome.error.contains(row.text), "\(outcome.status) \(outcome.error)")
            #expect(outcome.out.isEmpty)
        }
    }

    /// A script with user flows, and one with custom policies and their parents.
    @Test(arguments: ["B47", "b81", "R03"]) func `write copies the script of a bug, and it runs`(_ id: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let written = try tool.run("explain", id, "--write")
        #expect(written.status == 0, "\(written.error)")
        let command = try #require(written.out.split(separator: "\n").last { $0.hasPrefix("now    b2c run ") })
        let run = try tool.run("run", String(command.dropFirst("now    b2c run ".count)))
        #expect(run.status == 0, "\(run.out)\(run.error)")
        // What `$schema` names exists, and nothing in the tenant is wrong.
        let names = try tool.shell("grep -rho '\"$schema\": \"[^\"]*' scenarios/*/*.json | sort -u").out
        #expect(names.contains("../schemas/scenario.schema.json"), "\(names)")
        #expect(try JSONParser.parse(try tool.read("scenarios/schemas/scenario.schema.json"))["$schema"] != nil)
        let checked = try tool.run("validate", ".", "--fail-on", "error")
        #expect(checked.status == 0, "\(checked.out)\(checked.error)")
        let again = try tool.run("explain", id, "--write")
        #expect(again.status == 0 && again.out.contains("kept   scenarios/") && !again.out.contains("wrote"))
        let nothing = try tool.run("explain", "acquireToken", "--write")
        #expect(nothing.status == 1 && nothing.error.contains("no script plays this"))
    }
}
