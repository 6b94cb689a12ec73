import JSON
import LanguageServer
import Testing

/// What the protocol demands of a conversation, whatever it is about.
struct ConversationTests {
    @Test func `a request before initialize is refused`() async throws {
        let editor = try EditorSession()
        let answer = await editor.ask("textDocument/hover")
        #expect(answer["error"]?["code"] == -32002)
    }

    @Test func `initialize is answered once`() async throws {
        let editor = try EditorSession()
        await editor.start()
        #expect(editor.messages.first?["result"]?["capabilities"]?["hoverProvider"] == true)
        #expect(editor.messages.first?["result"]?["capabilities"]?["positionEncoding"] == "utf-16")
        let again = await editor.ask("initialize")
        #expect(again["error"]?["code"] == -32600)
    }

    @Test func `an unknown method is refused and an unknown notification is ignored`() async throws {
        let editor = try EditorSession()
        await editor.start()
        #expect(await editor.ask("textDocument/unknown")["error"]?["code"] == -32601)
        let count = editor.messages.count
        editor.notify("$/unknown")
        editor.notify("textDocument/unknown", ["textDocument": 7])
        #expect(editor.messages.count == count)
    }

    @Test(arguments: [
        ("{", -32700), ("[]", -32600), ("7", -32600), (#"{"jsonrpc":"2.0","id":true,"method":"x"}"#, -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":[1]}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"position":{}}}"#, -32602),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"position":{"line":-1,"character":0}}}"#,
            -32602
        ),
        (#"{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"rm"}}"#, -32602),
    ])
    func `a message with a fault gets an error and the next one is answered`(_ text: String, _ code: Int64) async throws
    {
        let editor = try EditorSession()
        await editor.start()
        editor.send(text: text)
        #expect(editor.messages.last?["error"]?["code"] == .integer(code))
        #expect(await editor.ask("workspace/symbol", ["query": "x"])["result"] == [])
    }

    @Test func `exit ends the conversation, as asked after shutdown alone`() async throws {
        let editor = try EditorSession()
        await editor.start()
        #expect(editor.notify("exit") == .unasked)
        // Some clients have `null` for no parameters.
        #expect(await editor.ask("shutdown", .null)["result"] == .null)
        #expect(await editor.ask("workspace/symbol", ["query": ""])["error"]?["code"] == -32600)
        #expect(editor.notify("exit") == .asked)
    }

    @Test func `after a message with a wrong length the next one is answered`() async throws {
        let editor = try EditorSession()
        await editor.start()
        let text = #"{"jsonrpc":"2.0","id":"x","method":"workspace/symbol","params":{"query":"x\u{F6}"}}"#
        for length in [text.count, text.utf8.count - 2, text.utf8.count + 3] {
            editor.send(text: text, length: length)
            #expect(await editor.ask("workspace/symbol", ["query": "x"])["result"] == [], "\(length)")
        }
        #expect(await editor.ask("shutdown", [])["result"] == .null)
        #expect(editor.notify("exit") == .asked)
    }

    @Test func `the process of the client is watched`() async throws {
        let editor = try EditorSession()
        await editor.start(process: 4711)
        #expect(editor.watchedClients == [4711])
        for other: JSONValue in [.null, 0, -1, 9_999_999_999, "4711"] {
            let editor = try EditorSession()
            await editor.start(process: other)
            #expect(editor.watchedClients == [])
        }
    }

    @Test(
        arguments: [
            ([:], false, true),
            (
                ["textDocument": ["codeAction": ["codeActionLiteralSupport": ["codeActionKind": ["valueSet": []]]]]],
                true, true
            ),
            (["textDocument": ["rename": ["prepareSupport": true]]], false, false),
        ] as [(JSONValue, Bool, Bool)])
    func `options of requests are for clients that know them`(
        _ capabilities: JSONValue, _ hasKinds: Bool, _ hasPlainRename: Bool
    ) async throws {
        let editor = try EditorSession()
        await editor.start(capabilities)
        let offered = editor.messages.first?["result"]?["capabilities"]
        #expect((offered?["codeActionProvider"] != true) == hasKinds)
        #expect((offered?["renameProvider"] == true) == hasPlainRename)
    }

    @Test func `a lens that has its title stays as it is`() async throws {
        let editor = try EditorSession()
        await editor.start()
        let lens: JSONValue = ["range": [:], "command": ["title": "Trace", "command": "b2c.trace"]]
        #expect(await editor.ask("codeLens/resolve", lens)["result"] == lens)
    }

    @Test(arguments: [
        "file:///nowhere/x.xml", "untitled:Untitled-1", "file://", "", "file:///a%20b/%C3%BC.xml",
        "https://example.test/x",
    ])
    func `a document that nobody opened has no facts`(_ uri: String) async throws {
        let editor = try EditorSession()
        await editor.start()
        let place: JSONValue = [
            "textDocument": ["uri": .string(uri)], "position": EditorSession.position(1 << 40, 5), "newName": "x",
            "range": ["start": EditorSession.position(0, 0), "end": EditorSession.position(9, 9)],
        ]
        let methods = [
            "hover", "definition", "references", "documentHighlight", "rename", "prepareRename", "completion",
            "codeAction",
            "codeLens", "foldingRange", "documentSymbol", "documentLink",
        ]
        for method in methods {
            #expect(await editor.ask("textDocument/\(method)", place)["result"] == .null, "\(method)")
        }
    }

    @Test func `a message with more than ten megabytes is read, and its text has no names`() async throws {
        let editor = try EditorSession()
        await editor.start()
        let text = "<TrustFrameworkPolicy><ClaimType Id=\"a\" />" + String(repeating: "<a>\n", count: 3_000_000)
        await editor.open("Large.xml", text)
        let symbols = await editor.ask(
            "textDocument/documentSymbol", ["textDocument": ["uri": .string(editor.uri("Large.xml"))]])
        #expect(symbols["result"] == [])
        #expect(await editor.ask("workspace/symbol", ["query": "a"])["result"] == [])
    }
}
