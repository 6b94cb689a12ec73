/// One JavaScript literal.
struct LooseReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let end: Int
    private(set) var offset: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    private enum Parsed {
        case value(JSONValue)
        /// An expression: passed over.
        case skipped
        /// No JavaScript, or cut off.
        case broken
    }

    static func isIdentifier(_ byte: UInt8) -> Bool {
        (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F || byte == 0x24
            || byte >= 0x80
    }

    /// The value after `=`; `nil` if no assignment of a literal follows.
    mutating func assigned() -> JSONValue? {
        skipBlanks()
        guard take("="), peek != UInt8(ascii: "="), peek != UInt8(ascii: ">") else { return nil }
        skipBlanks()
        // Most are plain JSON. The others are read again, as JavaScript.
        if peek == UInt8(ascii: "{"), let plain = JSONMessageReader.literal(in: bytes, at: offset, end: end) {
            offset = plain.end
            return plain.value
        }
        guard case .value(let value) = primary(depth: 0) else { return nil }
        return value
    }

    /// The same, of an object that is likely to have been read before under that name.
    mutating func assigned(orKnown name: String) -> JSONValue? {
        let start = offset
        skipBlanks()
        if take("="), peek != UInt8(ascii: "="), peek != UInt8(ascii: ">") {
            skipBlanks()
            if peek == UInt8(ascii: "{") {
                let begin = offset
                if let known = LooseScript.known(name, in: bytes, at: begin, end: end) {
                    offset += known.length
                    return known.value
                }
                // JavaScript that is not JSON may depend on what follows it: only plain literals are kept.
                if let plain = JSONMessageReader.literal(in: bytes, at: begin, end: end) {
                    offset = plain.end
                    LooseScript.keep(
                        plain.value, of: UnsafeBufferPointer(rebasing: bytes[begin..<plain.end]), as: name)
                    return plain.value
                }
            }
        }
        offset = start
        return assigned()
    }

    private var peek: UInt8? { offset < end ? bytes[offset] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// Blanks, line ends and comments.
    private mutating func skipBlanks() {
        while let byte = peek {
            if byte <= 0x20 {
                offset += 1
            } else if byte == UInt8(ascii: "/"), offset + 1 < end, bytes[offset + 1] == UInt8(ascii: "/") {
                while let next = peek, next != 0x0A { offset += 1 }
            } else if byte == UInt8(ascii: "/"), offset + 1 < end, bytes[offset + 1] == UInt8(ascii: "*") {
                offset += 2
                while offset < end, !(bytes[offset] == 0x2A && offset + 1 < end && bytes[offset + 1] == 0x2F) {
                    offset += 1
                }
                offset = min(offset + 2, end)
            } else {
                return
            }
        }
    }

    /// A member's or element's value up to the delimiter behind it.
    private mutating func value(depth: Int) -> Parsed {
        let start = offset
        let first = primary(depth: depth)
        if case .broken = first { return .broken }
        skipBlanks()
        if isAtDelimiter { return first }
        if case .value(.string(var text)) = first {
            while take("+") {
                skipBlanks()
                guard case .value(.string(let more)) = primary(depth: depth) else {
                    offset = start
                    return skipExpression() ? .skipped : .broken
                }
                text += more
                skipBlanks()
            }
            if isAtDelimiter { return .value(.string(text)) }
        }
        offset = start
        return skipExpression() ? .skipped : .broken
    }

    private var isAtDelimiter: Bool {
        guard let byte = peek else { return false }
        return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    private mutating func primary(depth: Int) -> Parsed {
        guard depth < JSONLimits.depth, let byte = peek else { return .broken }
        switch byte {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(byte).map { .value(.string($0)) } ?? .broken
        case UInt8(ascii: "`"):
            let start = offset
            if let text = string(byte) { return .value(.string(text)) }
            offset = start
            return .skipped
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return number().map { .value($0) } ?? .skipped
        case UInt8(ascii: "!"):
            // Minifiers write true and false so.
            offset += 1
            if take("0") { return .value(true) }
            return take("1") ? .value(false) : .skipped
        default:
            guard Self.isIdentifier(byte) else { return .skipped }
            switch identifier() {
            case "true": return .value(true)
            case "false": return .value(false)
            case "null", "NaN", "Infinity": return .value(.null)
            default: return .skipped
            }
        }
    }

    private mutating func object(depth: Int) -> Parsed {
        offset += 1
        var object = JSONObject()
        while true {
            skipBlanks()
            if take("}") { return .value(.object(object)) }
            guard let byte = peek else { return .broken }
            var key: String?
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                key = string(byte)
            } else if Self.isIdentifier(byte) {
                key = identifier()
            } else if byte != UInt8(ascii: "["), byte != UInt8(ascii: "."), byte != UInt8(ascii: "*") {
                return .broken
            }
            skipBlanks()
            if let key, take(":") {
                skipBlanks()
                switch value(depth: depth + 1) {
                case .value(let value): object.append(key, value)
                case .skipped: break
                case .broken: return .broken
                }
            } else if !skipExpression() {
                // A method, a getter, a computed key, a spread or a shorthand.
                return .broken
            }
            skipBlanks()
            if take(",") { continue }
            guard peek == UInt8(ascii: "}") else { return .broken }
        }
    }

    private mutating func array(depth: Int) -> Parsed {
        offset += 1
        var elements: [JSONValue] = []
        while true {
            skipBlanks()
            if take("]") { return .value(.array(elements)) }
            if take(",") {
                elements.append(.null)
                continue
            }
            switch value(depth: depth + 1) {
            case .value(let value): elements.append(value)
            case .skipped: elements.append(.null)
            case .broken: return .broken
            }
            skipBlanks()
            if take(",") { continue }
            guard peek == UInt8(ascii: "]") else { return .broken }
        }
    }

    private mutating func identifier() -> String {
        let start = offset
        while let byte = peek, Self.isIdentifier(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func number() -> JSONValue? {
        let start = offset
        while let byte = peek,
            Self.isIdentifier(byte) || byte == UInt8(ascii: ".")
                || ((byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
                    && (offset == start || bytes[offset - 1] | 0x20 == UInt8(ascii: "e")))
        {
            offset += 1
        }
        var text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if text.hasPrefix("+") { text.removeFirst() }
        let digits = text.lowercased()
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            return Int64(digits.dropFirst(2), radix: radix).map { .integer($0) }
        }
        if let whole = Int64(text) { return .integer(whole) }
        let isDecimal = text.utf8.allSatisfy {
            ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E || $0 | 0x20 == 0x65 || $0 == 0x2B || $0 == 0x2D
        }
        guard isDecimal, let number = Double(text.hasPrefix(".") ? "0" + text : text), number.isFinite else {
            return nil
        }
        return .number(number)
    }

    /// A string from its opening quote to behind the closing one; `nil` where it does not end, or is a template with
    /// expressions in it.
    private mutating func string(_ quote: UInt8) -> String? {
        offset += 1
        let start = offset
        if quote == UInt8(ascii: "\"") {
            offset = min(ByteSearch.endOfPlain(bytes, from: start), end)
        } else {
            while let byte = peek, byte != quote, byte != UInt8(ascii: "\\"), byte >= 0x20, byte != UInt8(ascii: "$") {
                offset += 1
            }
        }
        if peek == quote {
            offset += 1
            return String(decoding: bytes[start..<(offset - 1)], as: UTF8.self)
        }
        offset = start
        var text: [UInt8] = []
        var pendingHigh: UInt32?
        func append(_ scalar: UInt32) {
            text += String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8
        }
        while let byte = peek {
            offset += 1
            if byte == quote {
                if pendingHigh != nil { append(0xFFFD) }
                return String(decoding: text, as: UTF8.self)
            }
            let isTemplate = quote == UInt8(ascii: "`")
            if byte == 0x0A, !isTemplate { return nil }
            if isTemplate, byte == UInt8(ascii: "$"), peek == UInt8(ascii: "{") { return nil }
            guard byte == UInt8(ascii: "\\") else {
                if pendingHigh != nil { append(0xFFFD) }
                pendingHigh = nil
                text.append(byte)
                continue
            }
            guard let scalar = escaped() else { continue }
            if let high = pendingHigh {
                pendingHigh = nil
                if scalar & 0xFC00 == 0xDC00 {
                    append(0x10000 + (high & 0x3FF) << 10 + scalar & 0x3FF)
                    continue
                }
                append(0xFFFD)
            }
            if scalar & 0xFFFF_FC00 == 0xD800 { pendingHigh = scalar } else { append(scalar) }
        }
        return nil
    }

    /// The code unit or scalar of the escape behind a backslash; `nil` for a line continuation.
    private mutating func escaped() -> UInt32? {
        guard let mark = peek else { return nil }
        offset += 1
        switch mark {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "v"): return 0x0B
        case UInt8(ascii: "0"): return 0
        case UInt8(ascii: "x"): return hexadecimal(2)
        case UInt8(ascii: "u"):
            guard take("{") else { return hexadecimal(4) }
            var digits = 0
            while digits < 6, offset + digits < end, bytes[offset + digits] != UInt8(ascii: "}") { digits += 1 }
            let scalar = hexadecimal(digits)
            return take("}") ? scalar : 0xFFFD
        case 0x0A: return nil
        case 0x0D:
            _ = take("\n")
            return nil
        default:
            // The character itself; those of several bytes go on after their first.
            guard mark >= 0x80 else { return UInt32(mark) }
            offset -= 1
            let rest = String(decoding: bytes[offset..<min(offset + 4, end)], as: UTF8.self).unicodeScalars.first
            offset = min(offset + (rest.map { UTF8.width($0) } ?? 1), end)
            return rest?.value ?? 0xFFFD
        }
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32 {
        guard count > 0, offset + count <= end,
            let value = UInt32(String(decoding: bytes[offset..<(offset + count)], as: UTF8.self), radix: 16)
        else { return 0xFFFD }
        offset += count
        return value
    }

    /// Passes over an expression up to the comma or bracket that ends it; false where the text ends first.
    private mutating func skipExpression() -> Bool {
        var open: [UInt8] = []
        var previous: UInt8 = UInt8(ascii: "(")
        while true {
            skipBlanks()
            guard let byte = peek else { return false }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard string(byte) != nil else { return false }
            case UInt8(ascii: "`"):
                offset += 1
                guard skipTemplate(&open) else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
                open.append(byte)
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                guard let last = open.last else { return byte != UInt8(ascii: ")") }
                open.removeLast()
                offset += 1
                if last == UInt8(ascii: "`") {
                    guard byte == UInt8(ascii: "}"), skipTemplate(&open) else { return false }
                }
            case UInt8(ascii: ","):
                if open.isEmpty { return true }
                offset += 1
            case UInt8(ascii: "/") where Self.regularExpressionMayFollow(previous):
                guard skipRegularExpression() else { return false }
            case _ where Self.isIdentifier(byte):
                // Behind these words a slash begins a regular expression, as behind an operator.
                if ["return", "typeof", "case", "in", "of"].contains(identifier()) {
                    previous = UInt8(ascii: "(")
                    continue
                }
            default: offset += 1
            }
            previous = byte
        }
    }

    /// Passes over the text of a template; an expression inside is left to the caller, marked by a back quote.
    private mutating func skipTemplate(_ open: inout [UInt8]) -> Bool {
        while let byte = peek {
            offset += 1
            if byte == UInt8(ascii: "`") { return true }
            if byte == UInt8(ascii: "\\") { offset = min(offset + 1, end) }
            if byte == UInt8(ascii: "$"), take("{") {
                open.append(UInt8(ascii: "`"))
                return true
            }
        }
        return false
    }

    private mutating func skipRegularExpression() -> Bool {
        offset += 1
        var inClass = false
        while let byte = peek, byte != 0x0A {
            offset += 1
            switch byte {
            case UInt8(ascii: "\\"): offset = min(offset + 1, end)
            case UInt8(ascii: "["): inClass = true
            case UInt8(ascii: "]"): inClass = false
            case UInt8(ascii: "/") where !inClass: return true
            default: break
            }
        }
        return false
    }

    /// A slash divides behind a value and begins a regular expression behind an operator. Behind a word it is taken to
    /// divide; `return /x/` is caught by the caller, which knows the word.
    private static func regularExpressionMayFollow(_ previous: UInt8) -> Bool {
        switch previous {
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "`"):
            false
        default: !isIdentifier(previous)
        }
    }
}
