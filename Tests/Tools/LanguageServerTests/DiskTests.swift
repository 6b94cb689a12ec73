import CommandKit
import Foundation
import JSON
import LanguageServer
import Testing

/// Which files a server knows, and that it knows them as they are.
struct DiskTests {
    private static let watching: JSONValue = ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]]
    private static let watched: Int64 = 2

    /// Files under another folder.
    private static func policies(in folder: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try EditorTests.policies().map { ("\(folder)/\($0.key)", $0.value) })
    }

    /// Where the claim that the relying party of a folder uses is declared.
    private static func declaration(_ editor: EditorSession, _ signIn: String) async throws -> [JSONValue] {
        let text = try #require(try EditorTests.policies()["SignIn.xml"])
        let place = EditorTests.place(
            editor, signIn, try EditorTests.position(of: "loyaltyNumber\" />", in: text, plus: 3))
        return await editor.ask("textDocument/definition", .object(place))["result"]?.arrayValue ?? []
    }

    private static func symbols(_ editor: EditorSession, _ name: String = "loyaltyNumber") async -> Int? {
        await editor.ask("workspace/symbol", ["query": .string(name)])["result"]?.arrayValue?.count
    }

    // MARK: Files that change

    @Test(arguments: [[:], watching])
    func `a closed file that changed without an event is renamed as it is`(_ capabilities: JSONValue) async throws {
        let files = try EditorTests.policies()
        let editor = try EditorSession(files)
        await editor.start(capabilities)
        let signIn = try #require(files["SignIn.xml"])
        await editor.open("SignIn.xml", signIn)
        let new = try #require(files["Extensions.xml"])
            .replacing("<BuildingBlocks>", with: "<!-- pulled -->\n  <BuildingBlocks>")
        try editor.write("Extensions.xml", new)
        let place = EditorTests.place(
            editor, "SignIn.xml", try EditorTests.position(of: "loyaltyNumber\" />", in: signIn, plus: 3))
        let edits = await editor.ask(
            "textDocument/rename", .object(place).merging(patch: ["newName": "memberNumber"]))["result"]?["changes"]
        let starts = edits?[editor.uri("Extensions.xml")]?.arrayValue?.map { $0["range"]?["start"] ?? .null }
        let expected = try ["loyaltyNumber", "LoyaltyNumber"].map { try EditorTests.position(of: $0, in: new) }
        #expect(Set(starts ?? []) == Set(expected))
    }

    @Test func `a question about a closed file that changed finds what is wrong now`() async throws {
        let files = try EditorTests.policies()
        let editor = try EditorSession(files)
        await editor.start()
        await editor.open("SignIn.xml", try #require(files["SignIn.xml"]))
        #expect(editor.diagnostics("SignIn.xml").filter { $0["code"] == "B2C-POL-020" } == [])
        let new = try #require(files["Extensions.xml"]).replacing("loyaltyNumber", with: "memberNumber")
        try editor.write("Extensions.xml", new)
        #expect(try await Self.declaration(editor, "SignIn.xml") == [])
        #expect(editor.diagnostics("SignIn.xml").contains { $0["code"] == "B2C-POL-020" })
    }

    @Test func `a file that is closed has the text of the disk`() async throws {
        let files = try EditorTests.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let text = try #require(files["Extensions.xml"])
        await editor.open("Extensions.xml", text.replacing("loyaltyNumber", with: "memberNumber"))
        #expect(await Self.symbols(editor) == 0)
        editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(editor.uri("Extensions.xml"))]])
        #expect(await Self.symbols(editor) == 1)
    }

    @Test(arguments: [
        ("New.xml", true), ("ios/Info.plist", true), ("Podfile", true), ("sets", true),
        (".build/release/New.xml", false), ("node_modules/a/package.json", false), (".git/index.lock", false),
        ("main.o", false), ("notes.txt", false),
    ])
    func `events of files that nothing is read from do not lead to the disk`(
        _ path: String, _ isRead: Bool
    ) async throws {
        let editor = try EditorSession()
        await editor.start(Self.watching)
        let registration = editor.messages.first { $0["method"] == "client/registerCapability" }?["params"]
        #expect(
            registration?["registrations"]?.arrayValue?.first?["registerOptions"]
                == ["watchers": [["globPattern": "**/*"]]])
        try editor.write("sets/Extensions.xml", try #require(try EditorTests.policies()["Extensions.xml"]))
        #expect(await Self.symbols(editor) == 0)
        await editor.event(Self.watched, path)
        #expect(await Self.symbols(editor) == (isRead ? 1 : 0))
    }

    @Test func `a folder comes and goes with what is in it`() async throws {
        let editor = try EditorSession(isNamed: false)
        await editor.start(Self.watching, changes: ["rootUri": .string(editor.uri("later"))])
        #expect(await Self.symbols(editor) == 0)
        for _ in 1...2 {
            for (path, text) in try Self.policies(in: "later/set") { try editor.write(path, text) }
            await editor.event(1, "later/set")
            #expect(await Self.symbols(editor) == 1)
            FileSystem.removeFolder(FilePath.join(editor.root, "later"))
            await editor.event(3, "later/set")
            #expect(await Self.symbols(editor) == 0)
        }
    }

    // MARK: Folders

    @Test(arguments: ["policies", "app/link"])
    func `a set outside of the folders, or behind a link, has names where it has findings`(
        _ folder: String
    ) async throws {
        var files = try Self.policies(in: "policies")
        let wrong = try #require(files["policies/Extensions.xml"]).replacing("\"LoyaltyNumber", with: "\"LoyaltyNumbr")
        files["policies/Extensions.xml"] = wrong
        files["app/notes.txt"] = ""
        let editor = try EditorSession(files, isNamed: false)
        try FileManager.default.createSymbolicLink(
            atPath: FilePath.join(editor.root, "app/link"), withDestinationPath: "../policies")
        await editor.start(changes: ["rootUri": .string(editor.uri("app"))])
        #expect(await Self.symbols(editor) == 0)
        await editor.open("\(folder)/SignIn.xml", try #require(files["policies/SignIn.xml"]))
        let found = try await Self.declaration(editor, "\(folder)/SignIn.xml")
        #expect(found.map { $0["uri"] } == [.string(editor.uri("\(folder)/Extensions.xml"))])
        let finding = editor.diagnostics("\(folder)/Extensions.xml").first { $0["code"] == "B2C-POL-020" }
        #expect(finding?["range"]?["start"] == (try EditorTests.position(of: "LoyaltyNumbr", in: wrong)))
    }

    @Test(
        arguments: [
            ["rootUri": .null], ["rootUri": .null, "workspaceFolders": []], ["rootUri": "vscode-vfs://github/a/b"],
        ] as [JSONValue])
    func `without a folder open texts are served with what lies beside them, and nothing else`(
        _ changes: JSONValue
    ) async throws {
        let files = try EditorTests.policies()
        let editor = try EditorSession(files, isNamed: false)
        await editor.start(changes: changes)
        #expect(await Self.symbols(editor, "") == 0)
        await editor.open("SignIn.xml", try #require(files["SignIn.xml"]))
        let found = try await Self.declaration(editor, "SignIn.xml")
        #expect(found.map { $0["uri"] } == [.string(editor.uri("Extensions.xml"))])
    }

    @Test(arguments: [(true, 0), (false, 1)])
    func `a folder that is added counts unless another one was named`(_ isNamed: Bool, _ count: Int) async throws {
        let other = try EditorSession(try EditorTests.policies())
        let editor = try EditorSession(isNamed: isNamed)
        await editor.start()
        editor.notify(
            "workspace/didChangeWorkspaceFolders",
            ["event": ["added": [["uri": .string("file://" + other.root), "name": "b"]], "removed": []]])
        #expect(await Self.symbols(editor) == count)
    }

    // MARK: Texts

    @Test func `a text without a file has names and no lens`() async throws {
        let files = try EditorTests.policies()
        let editor = try EditorSession(files)
        await editor.start()
        let document: JSONObject = ["uri": "untitled:Untitled-2", "languageId": "xml", "version": 1]
        editor.notify(
            "textDocument/didOpen",
            ["textDocument": .object(document).merging(patch: ["text": .string(try #require(files["SignIn.xml"]))])])
        for (method, hasFacts) in [("documentSymbol", true), ("codeLens", false)] {
            let answer = await editor.ask("textDocument/\(method)", ["textDocument": ["uri": "untitled:Untitled-2"]])
            #expect(answer["result"]?.arrayValue?.isEmpty == !hasFacts, "\(method)")
        }
    }

    @Test func `an environment without a settings file is reported once`() async throws {
        var files = try EditorTests.policies()
        files["SignIn.xml"] = files["SignIn.xml"]?.replacing(
            "</TrustFrameworkPolicy>", with: "{Settings:Name}</TrustFrameworkPolicy>")
        let editor = try EditorSession(files)
        await editor.start(changes: ["initializationOptions": ["environment": "Nope"]])
        await editor.open("SignIn.xml", try #require(files["SignIn.xml"]))
        let messages = editor.messages.filter { $0["method"] == "window/showMessage" }
        #expect(
            messages.map { $0["params"]?["message"] } == [
                "the environment Nope has no values: no appsettings.json lies beside the policies"
            ])
        let plain = try EditorSession(try EditorTests.policies())
        await plain.start(changes: ["initializationOptions": ["environment": "Nope"]])
        #expect(!plain.messages.contains { $0["method"] == "window/showMessage" })
    }
}
