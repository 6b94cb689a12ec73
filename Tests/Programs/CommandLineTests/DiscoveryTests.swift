import Foundation
import HTTPMessages
import TestSupport
import Testing

/// `b2c validate --discovery URL` against a server that says what each test wants.
@Suite(.blocking) struct DiscoveryTests {
    private static let path = "/contoso.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration"

    /// A document of a server on this machine; endpoints are plain http there, which is a finding of its own.
    private static func document(_ port: Int, keysAt keys: String) -> String {
        let base = "http://127.0.0.1:\(port)/contoso.onmicrosoft.com/b2c_1_susi"
        return """
            { "issuer": "https://127.0.0.1/11111111-2222-3333-4444-555555555555/v2.0/",
              "authorization_endpoint": "\(base)/oauth2/v2.0/authorize", "token_endpoint": "\(base)/oauth2/v2.0/token",
              "jwks_uri": "\(keys)", "response_types_supported": ["code"] }
            """
    }

    private static func answer(_ status: Int, _ body: String, _ more: String = "") -> LoopbackReply {
        .raw(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(more)\r\n\(body)".utf8))
    }

    /// Runs the command on a server's URL and returns the outcome, and the paths that were asked for.
    private func judge(
        _ arguments: [String] = [], _ reply: @escaping @Sendable (_ path: String, _ port: Int) -> LoopbackReply
    ) throws -> Tool.Outcome {
        let tool = try Tool()
        defer { tool.remove() }
        let server = try LoopbackServer { request in reply(request.url.path, request.url.effectivePort) }
        return try tool.run(
            ["validate", "--discovery", "http://127.0.0.1:\(server.port)\(Self.path)", "--format", "github"] + arguments
        )
    }

    @Test func `document and keys are fetched and checked`() throws {
        let outcome = try judge { path, port in
            path.hasSuffix("/keys")
                ? Self.answer(200, "{ \"keys\": [] }")
                : Self.answer(
                    200, Self.document(port, keysAt: "http://127.0.0.1:\(port)/a/b2c_1_susi/discovery/v2.0/keys"))
        }
        #expect(outcome.status == 4, "\(outcome.error)")
        #expect(outcome.out.contains("title=B2C-DISC-006::there is no key in the set"), "\(outcome.out)")
        #expect(outcome.out.contains("title=B2C-DISC-002"))
    }

    @Test func `keys of another host are not fetched`() throws {
        let outcome = try judge { _, port in
            Self.answer(200, Self.document(port, keysAt: "http://127.0.0.2:\(port)/a/b2c_1_susi/discovery/v2.0/keys"))
        }
        #expect(outcome.out.contains("title=B2C-DISC-004::the keys lie at another host"), "\(outcome.out)")
    }

    @Test(arguments: [
        (404, "no", "", "answers with the status 404"),
        (302, "", "Location: https://other.example/\r\n", "other.example"),
        (200, "<html>", "Content-Type: text/html\r\n", "is not JSON (text/html)"),
        (200, "[1]", "", "must be an object"),
    ])
    func `an answer that is not a document is a finding`(status: Int, body: String, more: String, text: String) throws {
        let outcome = try judge { _, _ in Self.answer(status, body, more) }
        #expect(outcome.status == 4 && outcome.out.contains("title=B2C-DISC-001"), "\(outcome.out)\(outcome.error)")
        #expect(outcome.out.contains(text), "\(outcome.out)")
    }

    @Test func `an answer without end is cut off, and one that breaks off is a failure`() throws {
        let large = String(repeating: " ", count: 1_200_000)
        let outcome = try judge { _, _ in Self.answer(200, large) }
        #expect(outcome.status == 3 && outcome.out.isEmpty, "\(outcome.out)")
        let dropped = try judge { _, _ in .drop }
        #expect(dropped.status == 3 && dropped.error.contains("127.0.0.1"), "\(dropped.error)")
    }

    @Test func `what cannot be asked for is refused before anything is sent`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let good = "https://contoso.example\(Self.path)"
        for (arguments, text) in [
            (["--discovery", "http://contoso.example\(Self.path)"], "plain http"),
            (["--discovery", "https://contoso.example/"], "must end in"),
            (["--discovery", good, "--connect-to", "here"], "must be HOST:PORT"),
            (["--ca-file", "x.pem"], "--discovery"),
            (["--discovery", good, "."], "goes with"),
        ] {
            let outcome = try tool.run(["validate"] + arguments)
            #expect(outcome.status == 1 && outcome.error.contains(text), "\(arguments) \(outcome.error)")
        }
        #expect(try tool.run("validate", "--discovery", good, "--ca-file", "none.pem").status == 2)
        let port = try LoopbackServer.closedPort()
        let closed = try tool.run("validate", "--discovery", "https://127.0.0.1:\(port)\(Self.path)")
        #expect(closed.status == 3 && closed.error.contains("127.0.0.1:\(port)"), "\(closed.error)")
    }
}
