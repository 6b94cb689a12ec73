import CommandKit
import JSON
import LanguageServer
import TestSupport
import Testing

/// What a person at an editor sees of policies and scripts.
struct EditorTests {
    private static func shipped(_ path: String) throws -> String {
        String(decoding: try TestFiles.bytes("scenarios/\(path)"), as: UTF8.self)
    }

    /// A base, an extension with a claim and a profile, and a relying party, with lines that end in CR LF.
    static func policies() throws -> [String: String] {
        func policy(_ id: String, over base: String, _ body: String) -> String {
            """
            <?xml version="1.0" encoding="utf-8"?>
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0" \
            TenantId="yourtenant.onmicrosoft.com" PolicyId="\(id)" PublicPolicyUri="http://yourtenant.onmicrosoft.com/\(id)">
              <BasePolicy><TenantId>yourtenant.onmicrosoft.com</TenantId><PolicyId>\(base)</PolicyId></BasePolicy>
            \(body)
            </TrustFrameworkPolicy>

            """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        }
        return [
            "Base.xml": try shipped("policies/Base.xml"),
            "Extensions.xml": policy(
                "B2C_1A_Extensions", over: "B2C_1A_SampleBase",
                """
                  <BuildingBlocks>
                    <ClaimsSchema>
                      <ClaimType Id="loyaltyNumber"><DisplayName>Number 😀</DisplayName><DataType>string</DataType></ClaimType>
                    </ClaimsSchema>
                  </BuildingBlocks>
                  <ClaimsProviders>
                    <ClaimsProvider>
                      <DisplayName>Local account</DisplayName>
                      <TechnicalProfiles>
                        <TechnicalProfile Id="LocalAccountSignUpWithLogonEmail">
                          <OutputClaims>
                            <OutputClaim ClaimTypeReferenceId="displayName" /><OutputClaim ClaimTypeReferenceId="LoyaltyNumber" />
                          </OutputClaims>
                        </TechnicalProfile>
                      </TechnicalProfiles>
                    </ClaimsProvider>
                  </ClaimsProviders>
                """),
            "SignIn.xml": policy(
                "B2C_1A_SignIn", over: "B2C_1A_Extensions",
                """
                  <RelyingParty>
                    <DefaultUserJourney ReferenceId="SignUpOrSignIn" />
                    <TechnicalProfile Id="PolicyProfile">
                      <DisplayName>PolicyProfile</DisplayName>
                      <Protocol Name="OpenIdConnect" />
                      <OutputClaims>
                        <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
                        <OutputClaim ClaimTypeReferenceId="loyaltyNumber" />
                      </OutputClaims>
                      <SubjectNamingInfo ClaimType="sub" />
                    </TechnicalProfile>
                  </RelyingParty>
                """),
        ]
    }

    /// The position of a text, in UTF-16 code units.
    static func position(of part: String, in text: String, plus units: Int64 = 0) throws -> JSONValue {
        let range = try #require(text.firstRange(of: part))
        let before = text[..<range.lowerBound]
        let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let column = lines.last.map { String(Substring($0)).utf16.count } ?? 0
        return EditorSession.position(Int64(lines.count - 1), Int64(column) + units)
    }

    static func place(_ editor: EditorSession, _ path: String, _ position: JSONValue) -> JSONObject {
        ["textDocument": ["uri": .string(editor.uri(path))], "position": position]
    }

    @Test func `a misspelt claim is found and fixed at once`() async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let text = try #require(files["SignIn.xml"])
        await editor.open("SignIn.xml", text)
        #expect(editor.diagnostics("SignIn.xml").filter { $0["severity"] == 1 } == [])

        let start = try Self.position(of: "loyaltyNumber\" />", in: text)
        let end = try Self.position(of: "loyaltyNumber\" />", in: text, plus: 13)
        await editor.change(
            "SignIn.xml", version: 2, [["range": ["start": start, "end": end], "text": "loyaltyNumbr"]])
        let finding = try #require(editor.diagnostics("SignIn.xml").first { $0["code"] == "B2C-POL-020" })
        #expect(finding["range"]?["start"] == start)
        #expect(finding["source"] == "b2c")
        #expect(finding["codeDescription"]?["href"]?.stringValue?.hasSuffix("/reports/B2C-POL-020.md") == true)

        let actions =
            await editor.ask(
                "textDocument/codeAction",
                [
                    "textDocument": ["uri": .string(editor.uri("SignIn.xml"))], "range": finding["range"] ?? .null,
                    "context": ["diagnostics": [finding]],
                ])["result"]?.arrayValue ?? []
        let change = try #require(actions.first { $0["title"]?.stringValue?.contains("loyaltyNumber") == true })
        let edits = try #require(change["edit"]?["changes"]?[editor.uri("SignIn.xml")]?.arrayValue)
        await editor.change(
            "SignIn.xml", version: 3, edits.map { ["range": $0["range"] ?? .null, "text": $0["newText"] ?? .null] })
        #expect(editor.diagnostics("SignIn.xml").filter { $0["severity"] == 1 } == [])
        #expect(actions.contains { $0["title"]?.stringValue?.contains("Add the claim type") == true })
    }

    @Test(arguments: [true, false])
    func `a client that lists no Markdown gets none`(_ knowsMarkdown: Bool) async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        let formats: JSONValue = knowsMarkdown ? ["plaintext", "markdown"] : ["plaintext"]
        await editor.start([
            "textDocument": [
                "hover": ["contentFormat": formats],
                "completion": ["completionItem": ["documentationFormat": formats]],
            ]
        ])
        let text = try #require(files["Extensions.xml"])
        let name = try Self.position(of: "LocalAccountSignUpWithLogonEmail", in: text, plus: 2)
        let hover = await editor.ask("textDocument/hover", .object(Self.place(editor, "Extensions.xml", name)))
        let contents = try #require(hover["result"]?["contents"])
        #expect(contents["kind"] == (knowsMarkdown ? "markdown" : "plaintext"))
        let shown = try #require(contents["value"]?.stringValue)
        #expect(shown.contains("<TechnicalProfile Id=\"LocalAccountSignUpWithLogonEmail\""))
        for mark in ["**", "`"] { #expect(shown.contains(mark) == knowsMarkdown, "\(mark)") }
        let element = try Self.position(of: "<OutputClaim ", in: text, plus: 1)
        let completion = await editor.ask(
            "textDocument/completion", .object(Self.place(editor, "Extensions.xml", element)))
        let documented = completion["result"]?["items"]?.arrayValue?.compactMap { $0["documentation"]?["kind"] } ?? []
        #expect(documented.allSatisfy { $0 == (knowsMarkdown ? "markdown" : "plaintext") })
    }

    @Test(arguments: [true, false], [true, false])
    func `the lines of a completion are indented by the client or by the server`(
        _ client: Bool, _ snippets: Bool
    ) async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        let modes: JSONValue = client ? [1, 2] : [1]
        await editor.start([
            "textDocument": [
                "completion": [
                    "completionItem": [
                        "insertTextModeSupport": ["valueSet": modes], "snippetSupport": .bool(snippets),
                    ]
                ]
            ]
        ])
        let text = try #require(files["Extensions.xml"])
        // A tag begins at the beginning of the first claim type's line, behind six blanks.
        let at = try Self.position(of: "<ClaimType Id", in: text)
        await editor.open("Extensions.xml", text)
        await editor.change("Extensions.xml", version: 2, [["range": ["start": at, "end": at], "text": "<"]])
        let column = at["character"]?.intValue ?? 0
        #expect(column == 6)
        let place = Self.place(
            editor, "Extensions.xml", EditorSession.position(at["line"]?.intValue ?? 0, column + 1))
        let items = await editor.ask("textDocument/completion", .object(place))["result"]?["items"]?.arrayValue ?? []
        let item = try #require(items.first { $0["label"] == "ClaimType" })
        let written = try #require(item["textEdit"]?["newText"]?.stringValue)
        #expect((item["insertTextMode"] == 2) == client)
        // Every client indents snippets.
        #expect(written.hasSuffix(client || snippets ? "\n</ClaimType>" : "\n      </ClaimType>"), "\(written)")
    }

    @Test(arguments: [true, false])
    func `a name that is empty is shown in words`(_ knowsTrees: Bool) async throws {
        let editor = try EditorSession()
        await editor.start([
            "textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": .bool(knowsTrees)]]
        ])
        await editor.open("t.json", #"{ "name": "t", "users": { "": {}, " ": {} } }"#)
        let symbols =
            await editor.ask(
                "textDocument/documentSymbol", ["textDocument": ["uri": .string(editor.uri("t.json"))]])["result"]?
            .arrayValue ?? []
        let flat = knowsTrees ? symbols + symbols.flatMap { $0["children"]?.arrayValue ?? [] } : symbols
        #expect(flat.compactMap { $0["name"]?.stringValue }.filter { $0 == "(no name)" }.count == 2)
        #expect(flat.allSatisfy { $0["name"]?.stringValue?.allSatisfy(\.isWhitespace) == false })
    }

    @Test func `findings move to the spelling of an address that the client opens`() async throws {
        let broken = "<TrustFrameworkPolicy>"
        let editor = try EditorSession(["a (1).xml": broken])
        await editor.start()
        let published = editor.messages.filter { $0["method"] == "textDocument/publishDiagnostics" }
        let old = try #require(published.first?["params"]?["uri"]?.stringValue)
        #expect(old.hasSuffix("/a%20%281%29.xml"))
        await editor.open("a (1).xml", broken)
        #expect(editor.diagnostics("a (1).xml") != [])
        let last = editor.messages.last { $0["params"]?["uri"] == .string(old) }
        #expect(last?["params"]?["diagnostics"] == [])
    }

    @Test func `a change whose range is null replaces the text`() async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        await editor.start()
        await editor.open("SignIn.xml", "<TrustFrameworkPolicy>")
        #expect(editor.diagnostics("SignIn.xml").contains { $0["code"] == "B2C-POL-001" })
        let text = try #require(files["SignIn.xml"])
        await editor.change("SignIn.xml", version: 2, [["range": .null, "text": .string(text)]])
        #expect(editor.diagnostics("SignIn.xml").filter { $0["severity"] == 1 } == [])
    }

    @Test func `a byte order mark that the client sent is a unit of its text`() async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let text = try #require(files["SignIn.xml"])
        await editor.open("SignIn.xml", "\u{FEFF}!" + text)
        let (start, end) = (EditorSession.position(0, 1), EditorSession.position(0, 2))
        await editor.change("SignIn.xml", version: 2, [["range": ["start": start, "end": end], "text": ""]])
        #expect(editor.diagnostics("SignIn.xml").filter { $0["severity"] == 1 } == [])
    }

    @Test func `a claim is renamed over its files, in any letter case`() async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let text = try #require(files["Extensions.xml"])
        let place = Self.place(editor, "Extensions.xml", try Self.position(of: "loyaltyNumber", in: text, plus: 3))
        let found = await editor.ask("textDocument/references", .object(place))["result"]?.arrayValue ?? []
        #expect(
            found.compactMap { $0["uri"]?.stringValue }
                == [editor.uri("Extensions.xml"), editor.uri("Extensions.xml"), editor.uri("SignIn.xml")])
        let edits = await editor.ask(
            "textDocument/rename", .object(place).merging(patch: ["newName": "memberNumber"]))["result"]?["changes"]
        #expect(edits?[editor.uri("Extensions.xml")]?.arrayValue?.count == 2)
        let edit = edits?[editor.uri("SignIn.xml")]?.arrayValue?.first
        let signIn = try #require(files["SignIn.xml"])
        #expect(edit?["range"]?["start"] == (try Self.position(of: "loyaltyNumber\" />", in: signIn)))
        #expect(edit?["newText"] == "memberNumber")
        let taken = await editor.ask("textDocument/rename", .object(place).merging(patch: ["newName": "objectid"]))
        #expect(taken["error"]?["message"]?.stringValue?.isEmpty == false)
    }

    @Test func `a lens leads to a trace with a token`() async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let lenses = await editor.ask(
            "textDocument/codeLens", ["textDocument": ["uri": .string(editor.uri("SignIn.xml"))]])["result"]?.arrayValue
        let trace = try #require(lenses?.first { $0["command"]?["command"] == "b2c.trace" }?["command"])
        let answer = await editor.ask(
            "workspace/executeCommand",
            ["command": trace["command"] ?? .null, "arguments": trace["arguments"] ?? .null])
        #expect(answer["result"]?["html"]?.stringValue?.contains("SignUpOrSignIn") == true)
        #expect(answer["result"]?["text"]?.stringValue?.contains("objectId") == true)
    }

    @Test func `broken text keeps the rest, and findings follow every change`() async throws {
        let files = try Self.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let text = try #require(files["Extensions.xml"])
        await editor.open("Extensions.xml", text)
        let at = try Self.position(of: "<TechnicalProfiles>", in: text)
        await editor.change("Extensions.xml", version: 2, [["range": ["start": at, "end": at], "text": "<Techn 😀"]])
        #expect(editor.diagnostics("Extensions.xml").contains { $0["code"] == "B2C-POL-001" })
        let place = Self.place(editor, "Extensions.xml", try Self.position(of: "loyaltyNumber", in: text))
        #expect(await editor.ask("textDocument/references", .object(place))["result"]?.arrayValue?.count == 3)
        let (line, unit) = (at["line"]?.intValue ?? 0, at["character"]?.intValue ?? 0)
        await editor.change(
            "Extensions.xml", version: 3,
            [["range": ["start": at, "end": EditorSession.position(line, unit + 9)], "text": ""]])
        #expect(editor.diagnostics("Extensions.xml").filter { $0["severity"] == 1 } == [])
    }

    @Test func `the value that a run found is taken with one action`() async throws {
        let name = "happy-sign-in.json"
        let wrong = try Self.shipped(name).replacing("\"name\": \"Ada\"", with: "\"name\": \"Eve\"")
        let editor = try EditorSession([
            name: wrong, "tenants/contoso.json": try Self.shipped("tenants/contoso.json"),
            "policies/Loyalty.xml": try Self.shipped("policies/Loyalty.xml"),
            "policies/Base.xml": try Self.shipped("policies/Base.xml"),
        ])
        await editor.start()
        await editor.open(name, wrong)
        let run: JSONValue = ["command": "b2c.run", "arguments": [["uri": .string(editor.uri(name))]]]
        let first = await editor.ask("workspace/executeCommand", run)
        #expect(first["result"]?["scenarios"]?.arrayValue?.first?["result"] == "failed")
        let failure = try #require(editor.diagnostics(name).first { $0["source"] == "b2c run" })
        let actions = await editor.ask(
            "textDocument/codeAction",
            ["textDocument": ["uri": .string(editor.uri(name))], "range": failure["range"] ?? .null, "context": [:]])
        let take = try #require(
            actions["result"]?.arrayValue?.first { $0["title"]?.stringValue?.contains("actual value") == true })
        let edits = try #require(take["edit"]?["changes"]?[editor.uri(name)]?.arrayValue)
        await editor.change(
            name, version: 2, edits.map { ["range": $0["range"] ?? .null, "text": $0["newText"] ?? .null] })
        let second = await editor.ask("workspace/executeCommand", run)
        #expect(second["result"]?["scenarios"]?.arrayValue?.first?["result"] == "passed")
    }

    @Test func `what a run found is shown in the text that ran alone`() async throws {
        let name = "in.json"
        let tenant: JSONValue = [
            "name": "contoso", "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"]],
            "apps": [
                "ios": [
                    "client": ["kind": "msal-ios", "policy": "susi"], "platform": ["bundleId": "com.contoso.tasks"],
                ]
            ],
            "users": ["ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"]],
        ]
        let wrong = """
            { "name": "In", "tenant": "t.json", "cases": { "one": {} }, "steps": [ { "acquireToken": {}, "user": "ada",
              "expect": { "result": { "idToken": { "claims": { "tfp": "B2C_1_other" } } } } } ] }
            """
        let editor = try EditorSession([name: wrong, "t.json": JSONWriter.pretty(tenant)])
        await editor.start()
        let run: JSONValue = ["command": "b2c.run", "arguments": [["uri": .string(editor.uri(name))]]]
        func failures() -> [JSONValue] { editor.diagnostics(name).filter { $0["source"] == "b2c run" } }
        func write(_ text: String?) async throws {
            let path = FilePath.join(editor.root, name)
            if let text { try FileSystem.write(Array(text.utf8), to: path) } else { FileSystem.remove(path) }
            editor.notify("workspace/didChangeWatchedFiles", ["changes": []])
            // Waits until nothing runs.
            _ = await editor.ask("workspace/symbol", ["query": "x"])
        }
        _ = await editor.ask("workspace/executeCommand", run)
        #expect(failures().count == 1)
        #expect(failures().first?["message"]?.stringValue?.hasPrefix("case one: ") == true)
        try await write("\n" + wrong)
        #expect(failures() == [])
        try await write(wrong)
        #expect(failures().count == 1)
        try await write(nil)
        #expect(failures() == [])

        await editor.open(name, wrong)
        editor.send(
            text: JSONWriter.compact([
                "jsonrpc": "2.0", "id": "run", "method": "workspace/executeCommand", "params": run,
            ]))
        await editor.change(name, version: 2, [["text": .string("\n" + wrong)]])
        let place = try Self.position(of: #""B2C_1_other""#, in: "\n" + wrong)
        #expect(failures().allSatisfy { $0["range"]?["start"] == place })
    }

    @Test func `a profile has a lens with the scripts that run it`() async throws {
        let files = try Self.policies()
        let tenant: JSONValue = [
            "name": "contoso", "policies": ["in": ["id": "B2C_1A_SignIn", "type": "custom", "file": "SignIn.xml"]],
            "apps": [
                "ios": ["client": ["kind": "msal-ios", "policy": "in"], "platform": ["bundleId": "com.contoso.tasks"]]
            ],
            "users": ["ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"]],
        ]
        let script =
            #"{ "name": "Ada signs in", "tenant": "t.json", "steps": [ { "acquireToken": {}, "user": "ada" } ] }"#
        let editor = try EditorSession(
            files.merging(["t.json": JSONWriter.pretty(tenant), "in.json": script]) { first, _ in first })
        await editor.start()
        let lenses =
            await editor.ask(
                "textDocument/codeLens", ["textDocument": ["uri": .string(editor.uri("Base.xml"))]])["result"]?
            .arrayValue ?? []
        var titles: [JSONValue] = []
        for lens in lenses {
            let resolved = await editor.ask("codeLens/resolve", lens)["result"]
            titles.append(resolved?["command"]?["title"] ?? .null)
            guard titles.count == 1 else { continue }
            let found = await editor.ask(
                "workspace/executeCommand",
                ["command": "b2c.reach", "arguments": resolved?["command"]?["arguments"] ?? []])["result"]
            #expect(found?["scripts"] == [["uri": .string(editor.uri("in.json")), "name": "Ada signs in"]])
            #expect(found?["text"]?.stringValue?.hasSuffix("in.json: Ada signs in\n") == true)
            #expect(
                editor.messages.last { $0["method"] == "window/showMessage" }?["params"]?["message"]
                    == "run by 1 script. The report is in /reports/report.txt.")
        }
        // Those of the sign-in and of the sign-up page.
        #expect(titles == ["run by 1 script", "run by 0 scripts"])
    }

    @Test(arguments: [["uris": []], ["uris": [5]], ["uris": "in.json"]] as [JSONValue])
    func `a command whose files are not a list of addresses is refused with what is expected`(
        _ argument: JSONValue
    ) async throws {
        let editor = try EditorSession()
        await editor.start()
        for command in ["b2c.run", "b2c.trace"] {
            let answer = await editor.ask(
                "workspace/executeCommand", ["command": .string(command), "arguments": [argument]])
            let message = answer["error"]?["message"]?.stringValue ?? ""
            #expect(message.contains("expected a list of at least one URI"), "\(message)")
        }
    }

    @Test func `a request that is cancelled leaves its id to the next one`() async throws {
        let editor = try EditorSession(try Self.policies())
        await editor.start()
        func send(_ command: String) {
            let argument: JSONValue = ["uri": .string(editor.uri("SignIn.xml")), "person": "ada"]
            editor.send(
                text: JSONWriter.compact([
                    "jsonrpc": "2.0", "id": "x", "method": "workspace/executeCommand",
                    "params": ["command": .string(command), "arguments": [argument]],
                ]))
        }
        send("b2c.explore")
        editor.notify("$/cancelRequest", ["id": "x"])
        send("b2c.trace")
        // Waits until nothing runs.
        _ = await editor.ask("workspace/symbol", ["query": "x"])
        let answers = editor.messages.filter { $0["id"] == "x" }
        #expect(answers.count == 2)
        #expect(answers.last?["result"]?["title"] == "B2C_1A_SignIn, ada signs in")
    }
}
