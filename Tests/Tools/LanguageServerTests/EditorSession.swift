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
    private let clients: Clients

    /// Processes that the server was to watch.
    private final class Clients: Sendable {
        let ids = Mutex<[Int32]>([])
    }

    /// - Parameters:
    ///   - files: Texts by path below the folder.
    ///   - isNamed: Whether the server is started with `--root`; if not, the folders of `start` count.
    init(_ files: [String: String] = [:], isNamed: Bool = true) throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        root = try #require(FileSystem.real(folder))
        let keeper = Keeper()
        self.keeper = keeper
        let clients = Clients()
        self.clients = clients
        server = LanguageServer(
            root: isNamed ? root : nil, values: PolicyValueSource(), version: "1.0", clock: Machine.clock,
            enter: { _ in nil }, watchClient: { id in clients.ids.withLock { $0.append(id) } },
            writeFile: { name, _ in "/reports/\(name)" }, send: { keeper.take($0) })
        for (path, text) in files { try write(path, text) }
    }

    deinit { FileSystem.removeFolder(root) }

    var watchedClients: [Int32] { clients.ids.withLock { $0 } }

    var messages: [JSONValue] { keeper.messages.withLock { $0 } }

    /// Writes a file, not in the editor.
    func write(_ path: String, _ text: String) throws {
        let whole = FilePath.join(root, path)
        try FileSystem.makeFolder(FilePath.folder(whole))
        try FileSystem.write(Array(text.utf8), to: whole)
    }

    func uri(_ path: String) -> String { "file://" + FilePath.join(root, path) }

    /// Sends a text as the body of a message, with a length that may be wrong.
    @discardableResult
    func send(text: String, length: Int? = nil) -> LanguageServer.Ending? {
        server.receive(Array("Content-Length: \(length ?? text.utf8.count)\r\n\r\n\(text)".utf8)[...])
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

    /// What every editor can do.
    static let usual: JSONValue = ["textDocument": ["codeAction": ["codeActionLiteralSupport": [:]]]]

    /// - Parameter changes: What `initialize` has instead.
    func start(_ capabilities: JSONValue = usual, process: JSONValue = .null, changes: JSONValue = [:]) async {
        let params: JSONValue = [
            "processId": process, "rootUri": .string("file://" + root), "capabilities": capabilities,
        ]
        _ = await ask("initialize", params.merging(patch: changes))
        notify("initialized")
        await server.settle()
    }

    func open(_ path: String, _ text: String) async {
        notify(
            "textDocument/didOpen",
            ["textDocument": ["uri": .string(uri(path)), "languageId": "xml", "version": 1, "text": .string(text)]])
        await server.settle()
    }

    /// Files and folders have changed on the disk; `type` is that of the protocol.
    func event(_ type: Int64, _ paths: String...) async {
        let changes = paths.map { ["uri": .string(uri($0)), "type": .integer(type)] as JSONValue }
        notify("workspace/didChangeWatchedFiles", ["changes": .array(changes)])
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
