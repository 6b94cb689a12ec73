/// Finds places in a text that jansson has accepted. It stores nothing about the values; each question is a walk from
/// the front, which for the last value of a megabyte takes about two milliseconds. ``PlaceIndex`` answers many.
///
/// The walks need well-formed JSON to be right, but any bytes to be safe: they stop at the end of the text.
struct JSONScanner {
    let bytes: [UInt8]
    let start: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = JSONFault.byteOrderMarkLength(bytes)
    }

    /// Where a value is, and where the name of the member is that holds it; `key` is nil for elements and the root.
    struct Place: Hashable {
        var key: Range<Int>?
        var value: Range<Int>
        /// How many tokens of the pointer lead here: fewer than asked when the rest does not exist.
        var depth: Int
    }

    /// The place of the value at a pointer, or of the nearest value around it that exists.
    func locate(_ tokens: [String]) -> Place {
        let first = skipBlanks(start)
        var place = Place(key: nil, value: first..<first, depth: 0)
        for token in tokens {
            guard let next = child(token, at: place.value.lowerBound) else { break }
            place = Place(key: next.key, value: next.value..<next.value, depth: place.depth + 1)
        }
        let begin = place.value.lowerBound
        place.value = begin..<max(begin, skipValue(begin))
        return place
    }

    private func child(_ token: String, at place: Int) -> (key: Range<Int>?, value: Int)? {
        switch byte(place) {
        case UInt8(ascii: "{"):
            let wanted = Array(token.utf8)
            var offset = skipBlanks(place + 1)
            while byte(offset) == UInt8(ascii: "\"") {
                let key = offset..<skipString(offset)
                let value = skipBlanks(skipBlanks(key.upperBound) + 1)
                if isKey(key, token, wanted) { return (key, value) }
                offset = skipBlanks(skipValue(value))
                guard byte(offset) == UInt8(ascii: ",") else { return nil }
                offset = skipBlanks(offset + 1)
            }
            return nil
        case UInt8(ascii: "["):
            guard let wanted = JSONPointer.arrayIndex(token) else { return nil }
            var offset = skipBlanks(place + 1)
            guard byte(offset) != UInt8(ascii: "]") else { return nil }
            // bounded: an index is not negative, and the loop ends with the array.
            for _ in 0..<wanted {
                offset = skipBlanks(skipValue(offset))
                guard byte(offset) == UInt8(ascii: ",") else { return nil }
                offset = skipBlanks(offset + 1)
            }
            return (nil, offset)
        default: return nil
        }
    }

    func isKey(_ range: Range<Int>, _ token: String, _ utf8: [UInt8]) -> Bool {
        let content = bytes[range].dropFirst().dropLast()
        return content.elementsEqual(utf8) || (needsDecoding(content) && sameText(decode(range), token))
    }

    /// Every member whose key stands earlier in the same object: where, the earlier one, and the pointer to it.
    struct Duplicate: Hashable {
        var key: String
        var range: Range<Int>
        var first: Int
        var pointer: JSONPointer
    }

    /// All of them, in the order of the text.
    func duplicates() -> [Duplicate] {
        struct Level {
            var isObject: Bool
            var seen: [ExactText: Int] = [:]
            var token = ""
            var index = 0
        }
        var levels: [Level] = []
        var found: [Duplicate] = []
        var offset = skipBlanks(start)
        var expectsKey = false
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
                let range = offset..<skipString(offset)
                offset = range.upperBound
                guard expectsKey, !levels.isEmpty else { continue }
                expectsKey = false
                let key = decode(range)
                levels[levels.count - 1].token = key
                if let first = levels[levels.count - 1].seen[ExactText(key)] {
                    let tokens = levels.map { $0.isObject ? $0.token : String($0.index) }
                    found.append(
                        Duplicate(key: key, range: range, first: first, pointer: JSONPointer(tokens: tokens)))
                } else {
                    levels[levels.count - 1].seen[ExactText(key)] = range.lowerBound
                }
            default: offset += 1
            }
        }
        return found
    }

    private func byte(_ offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    func skipBlanks(_ from: Int) -> Int {
        var offset = from
        while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 }
        return offset
    }

    /// From an opening quote to behind the closing one.
    func skipString(_ from: Int) -> Int {
        var offset = from + 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(offset + 1, bytes.count)
    }

    func skipValue(_ from: Int) -> Int {
        var offset = from
        var depth = 0
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset = skipString(offset)
                if depth == 0 { return offset }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return offset }
                depth -= 1
                offset += 1
                if depth == 0 { return offset }
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth == 0 { return offset }
                offset += 1
            default: offset += 1
            }
        }
        return bytes.count
    }

    private func needsDecoding(_ content: ArraySlice<UInt8>) -> Bool {
        content.contains { $0 == UInt8(ascii: "\\") || $0 >= 0x80 }
    }

    /// The text of the string in a range, which includes its quotes.
    func decode(_ range: Range<Int>) -> String {
        let content = bytes[range].dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var units: [UInt16] = []
        var result = ""
        var plain: [UInt8] = []
        func flush() {
            if !units.isEmpty { result += String(decoding: units, as: UTF16.self) }
            if !plain.isEmpty { result += String(decoding: plain, as: UTF8.self) }
            units = []
            plain = []
        }
        var rest = content
        while let next = rest.popFirst() {
            guard next == UInt8(ascii: "\\"), let mark = rest.popFirst() else {
                if !units.isEmpty { flush() }
                plain.append(next)
                continue
            }
            if mark == UInt8(ascii: "u") {
                if !plain.isEmpty { flush() }
                units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
                continue
            }
            if !units.isEmpty { flush() }
            switch mark {
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            default: plain.append(mark)
            }
        }
        flush()
        return result
    }
}
