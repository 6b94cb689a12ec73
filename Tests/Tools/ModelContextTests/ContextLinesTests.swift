import ModelContext
import Testing

struct ContextLinesTests {
    /// Every way to split a text into parts.
    @Test func `lines are the same however the bytes arrive`() {
        let bytes = Array("\nbcdef\nghij\nk".utf8)
        func line(_ text: String) -> ContextLines.Item { .line(Array(text.utf8)) }
        for splits in 0..<(1 << (bytes.count - 1)) {
            var lines = ContextLines(limit: 4)
            var items: [ContextLines.Item] = []
            var start = 0
            for index in bytes.indices where index == bytes.count - 1 || splits >> index & 1 == 1 {
                items += lines.take(bytes[start...index])
                start = index + 1
            }
            items += lines.end()
            guard items.count == 4, case .tooLong(let problem) = items[1] else {
                Issue.record("\(splits): \(items)")
                return
            }
            #expect(problem.limit == 4)
            #expect(items == [line(""), items[1], line("ghij"), line("k")])
        }
    }

    @Test func `a line of many megabytes is refused once, and the next one is read`() {
        let fake = FakeServer()
        var lines = ContextLines()
        let part = [UInt8](repeating: 0x20, count: 1 << 20)
        let parts = Array(repeating: part, count: 12) + [Array("\n\(request(1, "ping"))".utf8)]
        for item in parts.flatMap({ lines.take($0[...]) }) + lines.end() {
            switch item {
            case .line(let line): fake.server.receive(line)
            case .tooLong(let problem): fake.server.refuse(problem)
            }
        }
        #expect(
            fake.sent.texts == [
                #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"#
                    + #""message":"the message has more than 10485760 bytes. Send less at a time."}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            ])
    }
}
