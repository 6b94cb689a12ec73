import Testing

@testable import LanguageServer

struct MessageFramesTests {
    private static let two = Array("Content-Length: 2\r\n\r\n{}content-length:4\nContent-Type: x\n\nnull".utf8)

    @Test(arguments: 1...20)
    func `messages are complete wherever the bytes are split`(_ size: Int) {
        var frames = MessageFrames()
        var items: [MessageFrames.Item] = []
        var rest = Self.two[...]
        while !rest.isEmpty {
            items += frames.take(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(items == [.message(Array("{}".utf8)), .message(Array("null".utf8))])
    }

    @Test(arguments: [
        ("no length", "Content-Type: x\r\n\r\n"),
        ("a length that is not a number", "Content-Length: many\r\n\r\n"),
        ("a negative length", "Content-Length: -1\r\n\r\n"),
        ("a length over the range of numbers", "Content-Length: 99999999999999999999\r\n\r\n"),
        ("a text without an end", String(repeating: "x", count: 5000) + "\n\n"),
        ("a message over the limit", "Content-Length: 11\r\n\r\n12345678901"),
    ])
    func `a fault is reported and the next message is read`(_ name: String, _ text: String) {
        var frames = MessageFrames(limit: 10)
        let items = frames.take(Array(text.utf8)[...]) + frames.take(Array("Content-Length: 2\r\n\r\n{}".utf8)[...])
        #expect(items.last == .message(Array("{}".utf8)), "\(name)")
        #expect(items.count >= 2)
        #expect(items.dropLast().allSatisfy { if case .fault = $0 { true } else { false } })
    }
}
