import ModelContext
import Testing

/// Calls that run while others do.
struct CallTests {
    private static func slow(_ id: Int, token: String = "") -> String {
        request(
            id, "tools/call",
            params: #""name":"slow""# + (token.isEmpty ? "" : #","_meta":{"progressToken":\#(token)}"#))
    }

    private static func cancel(_ id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id),"reason":"enough"}}"#
    }

    private static let pong = #"{"jsonrpc":"2.0","id":5,"result":{}}"#

    @Test func `a call answers while another one runs, and a cancelled one never does`() async {
        let fake = FakeServer()
        fake.receive(initialize("2024-11-05"))
        fake.receive(Self.slow(1))
        fake.receive(request(2, "tools/call", params: #""name":"failing""#))
        await fake.sent.wait(for: 2)
        await fake.noted.wait(for: 1)
        fake.receive(Self.cancel(1))
        // Another call may have the id, and its answer is not that of the first.
        fake.receive(Self.slow(1))
        await fake.noted.wait(for: 3)
        for _ in 0..<100 { await Task.yield() }
        fake.receive(Self.cancel(1))
        await fake.server.finish()
        fake.receive(request(5, "ping"))
        #expect(fake.sent.texts.count == 3)
        #expect(fake.sent.texts[1].hasPrefix(#"{"jsonrpc":"2.0","id":2,"result""#) && fake.sent.texts[2] == Self.pong)
        #expect(Set(fake.noted.texts) == ["began, false", "ended, true"])
    }

    @Test func `an id that is running is refused`() async {
        let fake = FakeServer()
        fake.receive(initialize("2025-06-18"))
        fake.receive(Self.slow(1))
        fake.receive(request(1, "ping"))
        fake.receive(Self.cancel(1))
        fake.receive(request(5, "ping"))
        let refusal = "a request with the id 1 is running. Give each request an id of its own."
        #expect(
            fake.sent.texts.dropFirst() == [
                #"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"\#(refusal)"}}"#, Self.pong,
            ])
    }

    @Test(arguments: [
        ("2025-06-18", "7", #","message":"part "#), ("2025-03-26", #""t""#, #","message":"part "#),
        ("2024-11-05", "7", nil), ("2025-06-18", "", nil),
    ])
    func `progress is reported to a client that asked, and rises`(
        _ version: String, token: String, message: String?
    ) async {
        let fake = FakeServer()
        fake.receive(initialize(version))
        fake.receive(Self.slow(1, token: token))
        await fake.noted.wait(for: 1)
        fake.receive(Self.cancel(1))
        let expected = [1, 2].map { done in
            #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":\#(token),"#
                + #""progress":\#(done),"total":3"# + (message.map { $0 + "\(done)\"" } ?? "") + "}}"
        }
        #expect(fake.sent.texts.dropFirst() == (token.isEmpty ? [] : expected[...]))
    }

    @Test func `the end of the input cancels calls that go on too long`() async {
        let fake = FakeServer(patience: {})
        fake.receive(initialize("2025-06-18"))
        fake.receive(Self.slow(1))
        await fake.noted.wait(for: 1)
        await fake.server.finish()
        await fake.noted.wait(for: 2)
        #expect(fake.noted.texts == ["began, false", "ended, true"] && fake.sent.texts.count == 1)
    }

    @Test func `an array is answered by one array, without calls that were cancelled`() async {
        let fake = FakeServer()
        fake.receive(initialize("2025-03-26"))
        let ping = request(5, "ping")
        fake.receive("[\(Self.slow(1)),\(ping),7,\(Self.cancel(98)),\(initialize("2025-03-26"))]")
        #expect(fake.sent.texts.count == 1)
        fake.receive(Self.cancel(1))
        fake.receive(#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#)
        func refusal(_ id: String, _ message: String) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32600,"message":"\#(message)"}}"#
        }
        let number = refusal("null", "a message is number, expected object")
        let handshake = refusal("0", "`initialize` is not a part of an array")
        #expect(fake.sent.texts.dropFirst() == ["[\(Self.pong),\(number),\(handshake)]"])
    }
}
