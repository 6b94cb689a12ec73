/// Goes through JSON text byte by byte, and makes no values of it: it knows where a string, a value and a container end. A
/// walk through the whole text reports what it meets to a ``JSONVisitor``; ``JSONChildren`` goes through one container.
///
/// It stores nothing about the text, so each question is a walk from the front. For the last value of a megabyte that
/// takes about two milliseconds; ``PlaceIndex`` answers many.
struct JSONScanner {
    let bytes: [UInt8]
    /// Where the text begins behind a byte order mark.
    let start: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = JSONFault.byteOrderMarkLength(bytes)
    }

    /// The text breaks off at an offset, or is not JSON there.
    struct Break: Error {
        var offset: Int
    }

    // MARK: Pieces

    /// The byte at an offset; `nil` behind the end of the text.
    func byte(_ offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    func skipBlanks(_ from: Int) -> Int {
        var offset = from
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return offset
            }
        }
        return offset
    }

    /// From an opening quote to behind the closing one, or to the end of the text.
    func skipString(_ from: Int) -> Int {
        endOfString(from) ?? bytes.count
    }

    /// The same; `nil` where the string is not closed.
    func endOfString(_ from: Int) -> Int? {
        var offset = from + 1
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\""): return offset + 1
            case UInt8(ascii: "\\"): offset += 2
            default: offset += 1
            }
        }
        return nil
    }

    /// The offset behind the value that begins at an offset. Brackets are counted, not held: no depth exhausts the stack.
    func endOfValue(_ from: Int) throws(Break) -> Int {
        guard from < bytes.count else { throw Break(offset: from) }
        var offset = from
        switch bytes[from] {
        case UInt8(ascii: "\""):
            guard let end = endOfString(from) else { break }
            return end
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            while offset < bytes.count {
                switch bytes[offset] {
                case UInt8(ascii: "\""):
                    offset = skipString(offset)
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return offset + 1 }
                default: break
                }
                offset += 1
            }
        default:
            while offset < bytes.count, !Self.endsScalar(bytes[offset]) { offset += 1 }
            guard offset > from else { throw Break(offset: from) }
            return offset
        }
        throw Break(offset: bytes.count)
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "{"),
            UInt8(ascii: "["), UInt8(ascii: "\""), 0x20, 0x09, 0x0A, 0x0D:
            true
        default: false
        }
    }

    /// Whether a byte belongs to a number or a word such as `true`.
    static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte == 0x24 || byte == 0x2D
            || byte == 0x2E
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    // MARK: The whole text

    /// What a walk expects at a place.
    enum Expected {
        case value, firstElement, element, firstKey, key, colon, commaOrEnd, end
    }

    /// The first place where a text is not JSON.
    struct Stop {
        var expected: Expected
        var offset: Int
        /// Offsets of the brackets that are open, innermost last.
        var open: [Int]
        /// Where the last complete value, key or bracket ended: a missing comma belongs there.
        var lastEnd: Int
    }

    /// Goes through the whole text. Of strings, numbers and words it only knows where they end: whether they are right is for
    /// the visitor to say, which ends the walk by throwing.
    ///
    /// - Returns: Where brackets, commas and colons are not those of JSON, which ends the walk; `nil` where all are.
    func walk<Visitor: JSONVisitor>(_ visitor: inout Visitor) throws(Visitor.WalkError) -> Stop? {
        var expected = Expected.value
        var open: [Int] = []
        var offset = start
        var lastEnd = start
        func stop() -> Stop { Stop(expected: expected, offset: offset, open: open, lastEnd: lastEnd) }
        while true {
            offset = skipBlanks(offset)
            guard offset < bytes.count else { return expected == .end ? nil : stop() }
            let byte = bytes[offset]
            switch (expected, byte) {
            case (.firstElement, UInt8(ascii: "]")), (.firstKey, UInt8(ascii: "}")),
                (.commaOrEnd, UInt8(ascii: "}")) where isObject(open.last),
                (.commaOrEnd, UInt8(ascii: "]")) where !isObject(open.last):
                offset += 1
                open.removeLast()
                visitor.close(offset)
            case (.commaOrEnd, UInt8(ascii: ",")):
                visitor.comma()
                offset += 1
                expected = isObject(open.last) ? .key : .element
                continue
            case (.colon, UInt8(ascii: ":")):
                offset += 1
                expected = .value
                continue
            case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
                let range = offset..<skipString(offset)
                try visitor.key(range)
                offset = range.upperBound
                lastEnd = offset
                expected = .colon
                continue
            case (.value, _), (.firstElement, _), (.element, _):
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    visitor.open(offset)
                    open.append(offset)
                    offset += 1
                    lastEnd = offset
                    expected = byte == UInt8(ascii: "{") ? .firstKey : .firstElement
                    continue
                }
                let end = byte == UInt8(ascii: "\"") ? skipString(offset) : endOfWord(offset)
                guard end > offset else { return stop() }
                try visitor.scalar(offset..<end)
                offset = end
            default: return stop()
            }
            lastEnd = offset
            expected = open.isEmpty ? .end : .commaOrEnd
        }
    }

    private func isObject(_ opened: Int?) -> Bool {
        opened.map { bytes[$0] == UInt8(ascii: "{") } ?? false
    }

    /// The end of a number or a word; the offset itself where neither begins.
    private func endOfWord(_ from: Int) -> Int {
        let first = bytes[from]
        let isNumber =
            Self.isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
            || first == UInt8(ascii: ".")
        var offset = from
        while offset < bytes.count, Self.isWordByte(bytes[offset]) || (isNumber && bytes[offset] == UInt8(ascii: "+")) {
            offset += 1
        }
        return offset
    }

    // MARK: Texts

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

    /// Whether the string in a range, quotes included, has a text; `utf8` is that text's.
    func isKey(_ range: Range<Int>, _ token: String, _ utf8: [UInt8]) -> Bool {
        let content = bytes[range].dropFirst().dropLast()
        return content.elementsEqual(utf8) || (needsDecoding(content) && sameText(decode(range), token))
    }

    private func needsDecoding(_ content: ArraySlice<UInt8>) -> Bool {
        content.contains { $0 == UInt8(ascii: "\\") || $0 >= 0x80 }
    }
}

/// What a walk through a text reports, in the order of the text. Ranges of strings include their quotes.
protocol JSONVisitor {
    /// Why the visitor ends the walk.
    associatedtype WalkError: Error = Never

    /// The offset of the bracket that opens an object or array.
    mutating func open(_ offset: Int)
    /// The offset behind the bracket that closes it.
    mutating func close(_ offset: Int)
    mutating func comma()
    /// The name of a member.
    mutating func key(_ range: Range<Int>) throws(WalkError)
    /// A string, a number or a word. A string that is not closed goes to the end of the text.
    mutating func scalar(_ range: Range<Int>) throws(WalkError)
}

extension JSONVisitor {
    mutating func open(_ offset: Int) {}
    mutating func close(_ offset: Int) {}
    mutating func comma() {}
}

/// The members of an object or the elements of an array, one after the other. A value is passed over when what follows it is
/// asked for, so a search that ends at a value does not go through it.
struct JSONChildren {
    struct Child {
        /// The name of a member, quotes included.
        var key: Range<Int>?
        /// Where the value begins.
        var value: Int
    }

    private let scanner: JSONScanner
    private let isObject: Bool
    private let opening: Int
    private var current: Child?
    private var end: Int?
    private var isDone = false
    /// Where the container turned out not to be JSON, or to end too early.
    private(set) var fault: Int?

    init(_ scanner: JSONScanner, at offset: Int, isObject: Bool) {
        self.scanner = scanner
        self.isObject = isObject
        opening = scanner.skipBlanks(offset)
        if scanner.byte(opening) != UInt8(ascii: isObject ? "{" : "[") { fault = opening }
    }

    /// The next child; `nil` at the end of the container and at a fault.
    mutating func next() -> Child? {
        guard fault == nil, !isDone else { return nil }
        var offset: Int
        if current == nil {
            offset = scanner.skipBlanks(opening + 1)
            isDone = scanner.byte(offset) == closing
        } else {
            guard let end = endOfValue() else { return nil }
            offset = scanner.skipBlanks(end)
            isDone = scanner.byte(offset) == closing
            if !isDone {
                guard take(",", &offset) else { return nil }
            }
        }
        if isDone { return nil }
        var key: Range<Int>?
        if isObject {
            guard scanner.byte(offset) == UInt8(ascii: "\"") else { return fails(offset) }
            guard let end = scanner.endOfString(offset) else { return fails(scanner.bytes.count) }
            key = offset..<end
            offset = scanner.skipBlanks(end)
            guard take(":", &offset) else { return nil }
        }
        end = nil
        current = Child(key: key, value: offset)
        return current
    }

    /// The end of the value of the last child; `nil` where that is a fault.
    mutating func endOfValue() -> Int? {
        guard end == nil, let current else { return end }
        do throws(JSONScanner.Break) {
            end = try scanner.endOfValue(current.value)
        } catch {
            fault = error.offset
        }
        return end
    }

    private var closing: UInt8 { UInt8(ascii: isObject ? "}" : "]") }

    private mutating func take(_ mark: Unicode.Scalar, _ offset: inout Int) -> Bool {
        guard scanner.byte(offset) == UInt8(ascii: mark) else {
            fault = offset
            return false
        }
        offset = scanner.skipBlanks(offset + 1)
        return true
    }

    private mutating func fails(_ offset: Int) -> Child? {
        fault = offset
        return nil
    }
}
