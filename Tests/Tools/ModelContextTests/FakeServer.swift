import JSON
import ModelContext
import Synchronization
import Testing

/// Keeps texts in the order in which they come, from any thread.
final class Record: Sendable {
    private let state = Mutex<
        (texts: [String], waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)])
    >(
        ([], []))

    var texts: [String] { state.withLock { $0.texts } }

    func take(_ text: String) {
        let ready = state.withLock { state in
            state.texts.append(text)
            let ready = state.waiting.filter { $0.count <= state.texts.count }
            state.waiting.removeAll { $0.count <= state.texts.count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Returns when there are so many texts.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.texts.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}

/// A server with three tools: one that answers, one that waits until it is cancelled, one that fails.
struct FakeServer {
    let sent = Record()
    /// What the tool that waits does.
    let noted = Record()
    let server: ContextServer

    init(resources: Int = 1, patience: (@Sendable () async -> Void)? = nil) {
        let (sent, noted) = (sent, noted)
        server = ContextServer(
            name: "fake", title: "Fake", version: "1.0", instructions: "Use it.",
            catalog: Self.catalog(resources: resources, noted: noted), patience: patience,
            send: { sent.take($0) })
    }

    /// Sends lines, each when no call of those before is running, and returns what was sent since the server exists.
    func answers(_ lines: [String]) async -> [String] {
        for line in lines {
            receive(line)
            await server.finish()
        }
        return sent.texts
    }

    func receive(_ line: String) { server.receive(Array(line.utf8)) }

    private static let annotations = ContextTool.Annotations(
        isReadOnly: true, isDestructive: false, isIdempotent: true, isOpenWorld: false)

    private static func catalog(resources: Int, noted: Record) -> ContextCatalog {
        let object: JSONValue = ["type": "object"]
        let quick = ContextTool(
            name: "quick", title: "Quick", description: "Says a text.",
            input: [
                "type": "object", "properties": ["text": ["type": "string"]], "required": ["text"],
                "additionalProperties": false,
            ], output: object, annotations: annotations
        ) { arguments, _ in
            ContextAnswer(
                ["said": arguments["text"] ?? .null],
                links: [
                    ContextLink(uri: "b2c://report/1", name: "report", description: "All of it", mimeType: "text/plain")
                ])
        }
        let slow = ContextTool(
            name: "slow", title: "Slow", description: "Waits.", input: object, output: object, annotations: annotations
        ) { _, call in
            for done in [1, 1, 2, 0] { call.report(done, of: 3, "part \(done)") }
            noted.take("began, \(call.isCancelled)")
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            continuation.finish()
            noted.take("ended, \(call.isCancelled)")
            return ContextAnswer(["verdict": "late"])
        }
        let failing = ContextTool(
            name: "failing", title: "Failing", description: "Fails.", input: object, output: object,
            annotations: annotations
        ) { _, _ in ContextAnswer(["verdict": "It failed."], isError: true) }
        let prompt = ContextPrompt(
            name: "review", title: "Review", description: "Reviews a folder.",
            arguments: [
                .init(name: "folder", description: "The folder.", isRequired: true),
                .init(name: "focus", description: "What matters.", isRequired: false),
            ]
        ) { "Review \($0["folder"] ?? "?") for \($0["focus"] ?? "everything")." }
        return ContextCatalog(
            tools: [quick, slow, failing], prompts: [prompt],
            templates: [ContextTemplate(uriTemplate: "b2c://rules/{id}", name: "rule", title: "Rule")],
            resources: {
                (0..<resources).map {
                    ContextResource(
                        uri: "b2c://docs/\($0)", name: "page \($0)", title: "Page", mimeType: "text/plain", size: 4)
                }
            },
            read: { $0 == "b2c://docs/0" ? ContextContents(uri: $0, mimeType: "text/plain", text: "Page") : nil },
            complete: { reference, argument, typed in
                argument == "id" ? (0..<150).map { "R\($0)" } : ["\(reference)/\(argument)/\(typed)"]
            })
    }
}

/// A request as one line.
///
/// - Parameter meta: Of the stateless version; `nil`: of a version with a handshake.
func request(_ id: Int, _ method: String, params: String = "", meta: String? = nil) -> String {
    let members = (meta.map { [$0] } ?? []) + (params.isEmpty ? [] : [params])
    return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(members.joined(separator: ","))}}"#
}

/// The request that begins a connection.
func initialize(_ version: String) -> String {
    request(0, "initialize", params: #""protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"t"}"#)
}

/// `_meta` of the version without a handshake.
let stateless =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
