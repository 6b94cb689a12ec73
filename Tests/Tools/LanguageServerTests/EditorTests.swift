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
    private static func policies() throws -> [String: String] {
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
    private static func position(of part: String, in text: String, plus units: Int64 = 0) throws -> JSONValue {
        let range = try #require(text.firstRange(of: part))
        let before = text[..<range.lowerBound]
        let lines = before.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let column = lines.last.map { String(Substring($0)).utf16.count } ?? 0
        return EditorSession.position(Int64(lines.count - 1), Int64(column) + units)
    }

    private static func place(_ editor: EditorSession, _ path: String, _ position: JSONValue) -> JSONObject {
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
        }
        // Those of the sign-in and of the sign-up page.
        #expect(titles == ["run by 1 script", "run by 0 scripts"])
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
