import Foundation
import JSON
import TestSupport
import Testing

/// `b2c mcp` as a process.
@Suite(.blocking) struct McpTests {
    private func run(_ messages: String, _ arguments: String = "", then: String = "") throws -> Tool.Outcome {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(messages, to: "messages")
        return try tool.shell("'\(try #require(Tool.path))' mcp \(arguments) < messages \(then)")
    }

    private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    private static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#

    @Test func `messages are answered, and the end of the input is the end`() throws {
        let run = try run("\(Self.ping)\r\n\nnonsense\n\(Self.ping)")
        let lines = run.out.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        #expect(lines.count == 4 && lines[0] == Self.pong && lines[2] == Self.pong && lines[3].isEmpty, "\(run.out)")
        #expect(lines[1].contains(#""code":-32700"#))
    }

    @Test func `the version is that of the program, and ten tools are listed in every one`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let version = try tool.run("--version").out.dropFirst("b2c ".count).dropLast()
        let handshake =
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#
        let run = try run(handshake + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"# + "\n")
        let lines = try run.out.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        #expect(lines.first?["result", "serverInfo", "version"]?.stringValue == String(version))
        #expect(lines.last?["result", "tools"]?.arrayValue?.count == 10)
    }

    @Test func `a client that has gone ends it`() throws {
        let run = try run(String(repeating: Self.ping + "\n", count: 50_000), then: "| head -n 1")
        #expect(run.out == Self.pong + "\n" && run.error.isEmpty)
    }

    @Test func `a folder that does not exist is an error of usage`() throws {
        let run = try run(Self.ping, "--root nowhere")
        #expect(run.status == 1 && run.out.isEmpty)
        #expect(
            run.error
                == "b2c: --root: nowhere cannot be used: No such file or directory. Name a folder that you can open.\n")
    }
}
