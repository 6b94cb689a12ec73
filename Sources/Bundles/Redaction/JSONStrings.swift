import JSON

/// One string of a JSON text, as written.
struct JSONString {
    /// The names and indices that lead to it; for a key to the object that holds it.
    var path: [String]
    /// Whether it is the name of a member.
    var isKey: Bool
    /// Its bytes, quotes included.
    var range: Range<Int>
    /// What it means.
    var text: String
}

/// Walks over the strings of a JSON text in their order, so that some can be rewritten and every other byte stays.
struct JSONStrings {
    private struct Level {
        var isObject: Bool
        var key = ""
        var index = 0
    }

    /// The strings of a text; `nil` where it is not JSON.
    static func all(of bytes: [UInt8]) -> [JSONString]? {
        guard (try? JSONParser.parse(bytes)) != nil else { return nil }
        var levels: [Level] = []
        var strings: [JSONString] = []
        var expectsKey = false
        var offset = 0
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                expectsKey = bytes[offset] == UInt8(ascii: "{")
                levels.append(Level(isObject: expectsKey))
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = levels.popLast()
                expectsKey = false
                offset += 1
            case UInt8(ascii: ","):
                expectsKey = levels.last?.isObject ?? false
                if !levels.isEmpty { levels[levels.count - 1].index += 1 }
                offset += 1
            case UInt8(ascii: "\""):
                let range = offset..<end(of: bytes, from: offset)
                let text = meaning(bytes[range])
                var path = levels.map { $0.isObject ? $0.key : String($0.index) }
                if expectsKey, !levels.isEmpty {
                    path.removeLast()
                    levels[levels.count - 1].key = text
                }
                strings.append(JSONString(path: path, isKey: expectsKey, range: range, text: text))
                expectsKey = false
                offset = range.upperBound
            default:
                offset += 1
            }
        }
        return strings
    }

    private static func end(of bytes: [UInt8], from start: Int) -> Int {
        var offset = start + 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(offset + 1, bytes.count)
    }

    private static func meaning(_ literal: ArraySlice<UInt8>) -> String {
        guard literal.contains(UInt8(ascii: "\\")) else {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONParser.parse(Array(literal)))?.stringValue ?? ""
    }

    /// The text with strings rewritten: `change` says what a string is to be, given its index. What stays as it is
    /// keeps its spelling, and a string of the same length without escapes keeps every place behind it.
    static func rewritten(
        _ bytes: [UInt8], _ strings: [JSONString], _ change: (Int, JSONString) -> String
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var copied = 0
        for (index, string) in strings.enumerated() {
            let text = change(index, string)
            guard text != string.text else { continue }
            result += bytes[copied..<string.range.lowerBound]
            result += JSONWriter.compact(.string(text)).utf8
            copied = string.range.upperBound
        }
        guard copied > 0 else { return bytes }
        return result + bytes[copied...]
    }
}
