/// Writes JSON with members in their order. Numbers that JSON cannot express (infinities, not-a-number) become `null`. In a
/// name of a member U+FFFD replaces U+0000, which ``JSONParser`` refuses there: what is written can be read.
public struct JSONWriter {
    /// What has been written.
    var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// No spaces and line ends; characters outside ASCII as they are, `/` not escaped.
    public static func compact(_ value: JSONValue) -> String {
        String(decoding: compactBytes(value), as: UTF8.self)
    }

    /// ``compact(_:)`` as UTF-8.
    public static func compactBytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.write(value)
        return writer.bytes
    }

    /// ``compact(_:)`` of an object as UTF-8.
    public static func compactBytes(_ object: JSONObject) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.write(object)
        return writer.bytes
    }

    /// Compact JSON for an HTML `script` element. It escapes what ends an element or a line (`<`, `>`, `&`, U+2028, U+2029)
    /// and what turns the direction of reading (U+202A to U+202E, U+2066 to U+2069), so that the page's source reads as written.
    public static func script(_ value: JSONValue) -> String {
        var result: [UInt8] = []
        let plain = compactBytes(value)
        result.reserveCapacity(plain.count + 64)
        var offset = 0
        while offset < plain.count {
            let byte = plain[offset]
            switch byte {
            case UInt8(ascii: "<"): result += #"\u003c"#.utf8
            case UInt8(ascii: ">"): result += #"\u003e"#.utf8
            case UInt8(ascii: "&"): result += #"\u0026"#.utf8
            case 0xE2 where offset + 2 < plain.count:
                switch (plain[offset + 1], plain[offset + 2]) {
                case (0x80, let last) where 0xA8...0xAE ~= last: result += "\\u20\(String(last - 0x80, radix: 16))".utf8
                case (0x81, let last) where 0xA6...0xA9 ~= last: result += "\\u20\(String(last - 0x40, radix: 16))".utf8
                case (let middle, let last): result += [byte, middle, last]
                }
                offset += 2
            default: result.append(byte)
            }
            offset += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// One member or element a line, `indent` spaces a level; empty arrays and objects stay on their line. No line feed
    /// at the end.
    public static func pretty(_ value: JSONValue, indent: Int = 2) -> String {
        var writer = JSONWriter(capacity: 1024)
        writer.writePretty(value, step: max(indent, 0), level: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .object(let object): write(object)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                write(element)
            }
            bytes.append(UInt8(ascii: "]"))
        default: writeScalar(value)
        }
    }

    private mutating func write(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        // By index: iterating would copy, and so retain, every key and value on the way.
        for place in object.members.indices {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            write(object.members[place].key, isKey: true)
            bytes.append(UInt8(ascii: ":"))
            write(object.members[place].value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func writePretty(_ value: JSONValue, step: Int, level: Int) {
        switch value {
        case .object(let object) where !object.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for place in object.members.indices {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(step * (level + 1))
                writeKey(object.members[place].key)
                writePretty(object.members[place].value, step: step, level: level + 1)
            }
            newLine(step * level)
            bytes.append(UInt8(ascii: "}"))
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (place, element) in elements.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(step * (level + 1))
                writePretty(element, step: step, level: level + 1)
            }
            newLine(step * level)
            bytes.append(UInt8(ascii: "]"))
        default: write(value)
        }
    }

    /// The name of a member in a text of several lines.
    mutating func writeKey(_ name: String) {
        write(name, isKey: true)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
    }

    mutating func newLine(_ spaces: Int) {
        bytes.append(0x0A)
        for _ in 0..<spaces { bytes.append(0x20) }
    }

    private mutating func writeScalar(_ value: JSONValue) {
        switch value {
        case .null, .array, .object: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): write(number)
        case .number(let number):
            // The shortest text that reads back as the same double; Swift writes it in JSON's grammar.
            if number.isFinite { bytes += number.description.utf8 } else { bytes += "null".utf8 }
        case .string(let text): write(text)
        }
    }

    private mutating func write(_ number: Int64) {
        guard number < 0 || number > 9 else {
            bytes.append(0x30 + UInt8(number))
            return
        }
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        Self.append(digitsOf: number.magnitude, to: &bytes)
    }

    static func append(digitsOf number: UInt64, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // By swapping: reversing a slice would copy the whole array first.
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    private mutating func write(_ text: String, isKey: Bool = false) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            while start < utf8.count {
                let end = ByteSearch.endOfPlain(utf8, from: start)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
                guard end < utf8.count else { return }
                writeEscape(utf8[end], isKey)
                start = end + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscape(_ byte: UInt8, _ isKey: Bool) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0 where isKey: bytes += "ufffd".utf8
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes += "u00".utf8
            for digit in [byte >> 4, byte & 0xF] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
    }
}
