/// One string of a JSON text, as written.
package struct JSONString {
    /// The names and indices that lead to it; for a key to the object that holds it.
    package var path: [String]
    /// Whether it is the name of a member.
    package var isKey: Bool
    /// Its bytes, quotes included.
    package var range: Range<Int>
    /// What it means.
    package var text: String
}

/// The strings of a JSON text in their order, so that some can be rewritten and every other byte stays.
package enum JSONStrings {
    /// The strings of a text; `nil` where it is not JSON.
    package static func all(of bytes: [UInt8]) -> [JSONString]? {
        guard (try? JSONParser.parse(bytes)) != nil else { return nil }
        let scanner = JSONScanner(bytes)
        var visitor = Visitor(scanner: scanner)
        _ = scanner.walk(&visitor)
        return visitor.strings
    }

    private struct Visitor: JSONVisitor {
        let scanner: JSONScanner
        var strings: [JSONString] = []
        private var trail = JSONTrail()

        init(scanner: JSONScanner) { self.scanner = scanner }

        mutating func open(_ offset: Int) { trail.open(isObject: scanner.bytes[offset] == UInt8(ascii: "{")) }
        mutating func close(_ offset: Int) { trail.close() }
        mutating func comma() { trail.comma() }

        mutating func key(_ range: Range<Int>) {
            let text = scanner.decode(range)
            strings.append(JSONString(path: trail.tokens.dropLast(), isKey: true, range: range, text: text))
            trail.key(text)
        }

        mutating func scalar(_ range: Range<Int>) {
            guard scanner.bytes[range.lowerBound] == UInt8(ascii: "\"") else { return }
            strings.append(
                JSONString(path: trail.tokens, isKey: false, range: range, text: scanner.decode(range)))
        }
    }

    /// The text with strings rewritten: `change` says what a string is to be, given its index. What stays as it is
    /// keeps its spelling, and a string of the same length without escapes keeps every place behind it.
    package static func rewritten(
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
