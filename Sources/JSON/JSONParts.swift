/// Finds the parts of a large JSON text without reading it whole into values: of an archive of a browser or a log of
/// 100 MB only one entry at a time is in memory.
package struct JSONParts {
    package let bytes: [UInt8]
    /// Where the text turned out not to be JSON, or to end too early.
    package private(set) var fault: Int?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Where the text begins behind a byte order mark, which HAR 1.2 allows.
    package var start: Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    package func afterSpace(_ offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
        return offset
    }

    /// The members of the object at an offset: names with the ranges of their values, up to the end of the object or to
    /// a fault.
    package mutating func members(at offset: Int, _ visit: (String, Range<Int>) -> Void) {
        var position = afterSpace(offset)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else {
            fault = position
            return
        }
        position = afterSpace(position + 1)
        if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return }
        while true {
            guard let nameEnd = endOfText(at: position) else { return }
            let name = String(decoding: bytes[position + 1..<nameEnd - 1], as: UTF8.self)
            position = afterSpace(nameEnd)
            guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
                fault = position
                return
            }
            position = afterSpace(position + 1)
            guard let end = endOfValue(at: position) else {
                // What is there of it is worth reading all the same.
                visit(name, position..<bytes.count)
                return
            }
            visit(name, position..<end)
            position = afterSpace(end)
            guard position < bytes.count else {
                fault = position
                return
            }
            if bytes[position] == UInt8(ascii: "}") { return }
            guard bytes[position] == UInt8(ascii: ",") else {
                fault = position
                return
            }
            position = afterSpace(position + 1)
        }
    }

    /// The ranges of the elements of the array at an offset, up to its end or to a fault.
    package mutating func elements(at offset: Int, _ visit: (Range<Int>) -> Void) {
        var position = afterSpace(offset)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else {
            fault = position
            return
        }
        position = afterSpace(position + 1)
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return }
        while true {
            guard let end = endOfValue(at: position) else { return }
            visit(position..<end)
            position = afterSpace(end)
            guard position < bytes.count else {
                fault = position
                return
            }
            if bytes[position] == UInt8(ascii: "]") { return }
            guard bytes[position] == UInt8(ascii: ",") else {
                fault = position
                return
            }
            position = afterSpace(position + 1)
        }
    }

    /// The end of the value that begins at an offset. Brackets are counted, not held: no depth exhausts the stack.
    package mutating func endOfValue(at offset: Int) -> Int? {
        guard offset < bytes.count else {
            fault = offset
            return nil
        }
        switch bytes[offset] {
        case UInt8(ascii: "\""):
            return endOfText(at: offset)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            var position = offset
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    guard let end = endOfText(at: position) else { return nil }
                    position = end
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return position + 1 }
                default: break
                }
                position += 1
            }
            fault = position
            return nil
        default:
            var position = offset
            while position < bytes.count, !Self.endsScalar(bytes[position]) { position += 1 }
            guard position > offset else {
                fault = offset
                return nil
            }
            return position
        }
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "{"),
            UInt8(ascii: "["), UInt8(ascii: "\""), 0x20, 0x09, 0x0A, 0x0D:
            true
        default: false
        }
    }

    /// The offset behind the closing quotation mark of the text that begins at an offset.
    private mutating func endOfText(at offset: Int) -> Int? {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
            fault = offset
            return nil
        }
        var position = offset + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        fault = bytes.count
        return nil
    }
}
