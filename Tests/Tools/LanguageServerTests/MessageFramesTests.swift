import JSON
import Testing

@testable import LanguageServer

extension MessageFrames {
    /// What bytes complete. As the server does, a body that is not JSON is read again.
    fileprivate mutating func take(_ bytes: ArraySlice<UInt8>) -> [Item] {
        var (rest, items) = (bytes, [Item]())
        while let item = next(&rest) {
            items.append(item)
            if case .message(let body) = item, (try? JSONParser.parse(body)) == nil { reread(body) }
        }
        return items
    }
}

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

    @Test(arguments: [
        "Content-Length : 2\r\n\r\n{}", "Content-Length:\t2\r\n\r\n{}", "CONTENT-LENGTH:2 \n\n{}",
        "Content-Length: 77\r\nContent-Length: 2\r\n\r\n{}",
    ])
    func `blanks around a length are nothing, and the last length counts`(_ text: String) {
        var frames = MessageFrames()
        #expect(frames.take(Array(text.utf8)[...]) == [.message(Array("{}".utf8))])
    }

    @Test func `a text with many headers is not read again for each`() {
        let header = Array("Content-Length: 60000\r\n\r\n".utf8)
        let body = Array(repeating: header, count: 2000).flatMap(\.self)
        var frames = MessageFrames()
        let good = Array("Content-Length: 2\r\n\r\n{}".utf8)
        let filler = [UInt8](repeating: 0x20, count: 60000)
        let items = frames.take((header + body + filler + good + filler + good)[...])
        #expect(items.count < 20)
        #expect(items.last == .message(Array("{}".utf8)))
    }

    /// Of ten bytes that are nine characters.
    @Test(arguments: [9, 8, 1, 0, 11, 13, 24, 30, 33])
    func `a message with a wrong length loses no message behind the next one`(_ length: Int) {
        let two = "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\ntrue"
        let bytes = Array("Content-Length: \(length)\r\n\r\n{\"a\":\"\u{F6}\"}\(two)".utf8)
        for size in [1, 7, bytes.count] {
            var frames = MessageFrames()
            var items: [MessageFrames.Item] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                items += frames.take(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(items.suffix(2) == [.message(Array("{}".utf8)), .message(Array("true".utf8))], "\(size)")
        }
    }
}
