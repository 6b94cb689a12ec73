import CommandFiles
import CommandKit
import JSON
import LanguageServer
import Synchronization
import Testing

/// An editor with a folder: sends messages to a server and keeps what it gets.
final class EditorSession: Sendable {
    /// What the server sent, in its order.
    private final class Keeper: Sendable {
        let messages = Mutex<[JSONValue]>([])

        func take(_ bytes: [UInt8]) {
            guard let start = bytes.firstIndex(of: UInt8(ascii: "{")),
                let message = try? JSONParser.parse(Array(bytes[start...]))
            else { return }
            messages.withLock { $0.append(message) }
        }
    }

    let root: String
    private let server: LanguageServer
    private let keeper: Keeper
    private let numbers = Mutex<Int64>(0)

    /// - Parameter files: Texts by path below the folder.
    init(_ files: [String: String] = [:]) throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        root = try #require(FileSystem.real(folder))
        for (path, text) in files {
            let whole = FilePath.join(root, path)
            try FileSystem.makeFolder(FilePath.folder(whole))
            try FileSystem.write(Array(text.utf8), to: whole)
        }
        let keeper = Keeper()
        self.keeper = keeper
        server = LanguageServer(
            root: root, values: PolicyValueSource(), version: "1.0", clock: Machine.clock, enter: { _ in nil },
            writeFile: { name, _ in "/reports/\(name)" }, send: { keeper.take($0) })
    }

    deinit { FileSystem.removeFolder(root) }

    var messages: [JSONValue] { keeper.messages.withLock { $0 } }

    func uri(_ path: String) -> String { "file://" + FilePath.join(root, path) }

    /// Sends a text as the body of a message.
    @discardableResult
    func send(text: String) -> LanguageServer.Ending? {
        server.receive(Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)[...])
    }

    @discardableResult
    func notify(_ method: String, _ params: JSONValue = [:]) -> LanguageServer.Ending? {
        send(text: JSONWriter.compact(["jsonrpc": "2.0", "method": .string(method), "params": params]))
    }

    /// The answer to a request, when everything that runs has ended.
    func ask(_ method: String, _ params: JSONValue = [:]) async -> JSONValue {
        let id = numbers.withLock { number in
            number += 1
            return number
        }
        send(
            text: JSONWriter.compact([
                "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params,
            ]))
        await server.settle()
        return messages.last { $0["id"] == .integer(id) } ?? .null
    }

    func start(_ capabilities: JSONValue = [:]) async {
        _ = await ask(
            "initialize", ["processId": .null, "rootUri": .string("file://" + root), "capabilities": capabilities])
        notify("initialized")
        await server.settle()
    }

    func open(_ path: String, _ text: String) async {
        notify(
            "textDocument/didOpen",
            ["textDocument": ["uri": .string(uri(path)), "languageId": "xml", "version": 1, "text": .string(text)]])
        await server.settle()
    }

    func change(_ path: String, version: Int64, _ changes: [JSONValue]) async {
        notify(
            "textDocument/didChange",
            [
                "textDocument": ["uri": .string(uri(path)), "version": .integer(version)],
                "contentChanges": .array(changes),
            ])
        await server.settle()
    }

    /// What was published last about a file.
    func diagnostics(_ path: String) -> [JSONValue] {
        messages.last {
            $0["method"] == "textDocument/publishDiagnostics" && $0["params"]?["uri"] == .string(uri(path))
        }?["params"]?["diagnostics"]?.arrayValue ?? []
    }

    static func position(_ line: Int64, _ character: Int64) -> JSONValue {
        ["line": .integer(line), "character": .integer(character)]
    }
}
