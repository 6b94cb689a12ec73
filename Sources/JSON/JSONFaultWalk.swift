/// A strict walk over a text that is known to be no JSON, up to the first place where it goes wrong. It keeps its own
/// stack, so it can meet any input.
struct JSONFaultWalk {
    private let bytes: [UInt8]
    private var offset: Int
    /// Offsets of the brackets that are open, innermost last.
    private var open: [Int] = []
    /// Where the last complete value, key or bracket ended: a missing comma belongs there.
    private var lastEnd: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = JSONFault.byteOrderMarkLength(bytes)
        lastEnd = offset
    }

    private enum Expected {
        case value, firstElement, element, firstKey, key, colon, commaOrEnd, end
    }

    /// Throws the fault; returns where the walk finds the text in order.
    mutating func run() throws(JSONFault) {
        var expected = Expected.value
        while true {
            try skipBlanks()
            guard offset < bytes.count else {
                if case .end = expected { return }
                throw atEnd()
            }
            let byte = bytes[offset]
            switch expected {
            case .end:
                throw JSONFault(
                    offset: offset, length: wordLength, message: "there is more text after the end of the value",
                    remedy: byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{")
                        ? "A file holds one value; put several into an array."
                        : "Remove it, or look for a closing bracket too many.")
            case .value, .firstElement, .element:
                if byte == UInt8(ascii: "]"), case .firstElement = expected {
                    expected = close()
                } else if byte == UInt8(ascii: "]"), case .element = expected {
                    throw trailingComma("element", of: "array")
                } else {
                    expected = try value(byte)
                }
            case .firstKey, .key:
                if byte == UInt8(ascii: "}") {
                    if case .key = expected { throw trailingComma("member", of: "object") }
                    expected = close()
                } else {
                    try key(byte)
                    expected = .colon
                }
            case .colon:
                guard byte == UInt8(ascii: ":") else {
                    throw JSONFault(
                        offset: lastEnd, message: "a colon is missing after this key",
                        remedy: byte == UInt8(ascii: "=") ? "Write `:` instead of `=`." : nil)
                }
                offset += 1
                expected = .value
            case .commaOrEnd: expected = try commaOrEnd(byte)
            }
        }
    }

    private var after: Expected { open.isEmpty ? .end : .commaOrEnd }

    private mutating func close() -> Expected {
        offset += 1
        lastEnd = offset
        _ = open.popLast()
        return after
    }

    private mutating func commaOrEnd(_ byte: UInt8) throws(JSONFault) -> Expected {
        guard let opened = open.last else { return .end }
        let isObject = bytes[opened] == UInt8(ascii: "{")
        switch byte {
        case UInt8(ascii: ","):
            offset += 1
            return isObject ? .key : .element
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard (byte == UInt8(ascii: "}")) == isObject else {
                throw JSONFault(
                    offset: offset,
                    message: "`\(Character(Unicode.Scalar(byte)))` closes what `\(isObject ? "{" : "[")` on line "
                        + "\(lineNumber(of: opened)) opened",
                    remedy: "Write `\(isObject ? "}" : "]")`, or look for a bracket that is missing before.")
            }
            return close()
        default:
            throw JSONFault(
                offset: max(lastEnd - 1, 0), message: "a comma or `\(isObject ? "}" : "]")` is missing after this",
                remedy: "Separate \(isObject ? "members" : "elements") with commas.")
        }
    }

    private mutating func key(_ byte: UInt8) throws(JSONFault) {
        if byte == UInt8(ascii: "\"") {
            let start = offset
            try string()
            if let zero = escapedZero(from: start) {
                throw JSONFault(
                    offset: zero, length: 6, message: "a key cannot hold the character U+0000",
                    remedy: "Remove the escape.")
            }
            return
        }
        if byte == UInt8(ascii: "'") { throw singleQuotes() }
        if isWordByte(byte) {
            let word = String(decoding: bytes[offset..<(offset + wordLength)], as: UTF8.self)
            throw JSONFault(
                offset: offset, length: wordLength, message: "a key is written in double quotes",
                remedy: "Write \"\(word)\".")
        }
        if byte == UInt8(ascii: ",") {
            throw JSONFault(
                offset: offset, message: "a comma too many: a key was expected here", remedy: "Remove the comma.")
        }
        try refuseStrangeBytes()
        throw JSONFault(offset: offset, message: "a key in double quotes or `}` was expected here")
    }

    private mutating func value(_ byte: UInt8) throws(JSONFault) -> Expected {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            open.append(offset)
            offset += 1
            lastEnd = offset
            return byte == UInt8(ascii: "{") ? .firstKey : .firstElement
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "'"): throw singleQuotes()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "."):
            try number()
        case UInt8(ascii: ","):
            throw JSONFault(
                offset: offset, message: "a value was expected before this comma",
                remedy: "Remove the comma, or write the value that is missing.")
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
            throw JSONFault(
                offset: offset, message: "a value was expected here, not `\(Character(Unicode.Scalar(byte)))`")
        default: try word()
        }
        return after
    }

    private mutating func word() throws(JSONFault) {
        try refuseStrangeBytes()
        let length = wordLength
        let word = String(decoding: bytes[offset..<min(offset + length, bytes.count)], as: UTF8.self)
        switch word {
        case "true", "false", "null":
            offset += length
            lastEnd = offset
            return
        default: break
        }
        let remedy: String
        switch word.lowercased() {
        case "nan", "infinity", "inf":
            throw JSONFault(
                kind: .numberRange, offset: offset, length: length, message: "JSON has no number `\(word)`",
                remedy: "Write null or a finite number.")
        case "true", "false", "null": remedy = "Write \(word.lowercased()), in lower case."
        case "none", "nil", "undefined": remedy = "Write null."
        case "yes", "on": remedy = "Write true."
        case "no", "off": remedy = "Write false."
        default: remedy = "A text is written in double quotes: \"\(word)\"."
        }
        throw JSONFault(
            offset: offset, length: length, message: "a value was expected here; `\(word)` is none", remedy: remedy)
    }

    /// RFC 8259 section 6.
    private mutating func number() throws(JSONFault) {
        let start = offset
        var end = offset
        while end < bytes.count, isWordByte(bytes[end]) || bytes[end] == UInt8(ascii: "+") { end += 1 }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        let clipped = text.utf8.count <= 60 ? text : String(text.prefix(60)) + "..."
        func bad(_ message: String, _ remedy: String? = nil) -> JSONFault {
            JSONFault(offset: start, length: end - start, message: message, remedy: remedy)
        }
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "+") {
            throw bad("a number has no plus sign before it", "Write \(clipped.dropFirst()).")
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        if whole.isEmpty {
            throw rest.first == UInt8(ascii: ".")
                ? bad(
                    "a number needs a digit before the point",
                    "Write \(clipped.replacing(".", with: "0.", maxReplacements: 1)).")
                : bad(
                    "`\(clipped)` is not a number", clipped == "-Infinity" ? "Write null or a finite number." : nil)
        }
        if whole.count > 1, whole.first == UInt8(ascii: "0") {
            throw bad("a number has no leading zeros", "Write it without them, or in double quotes if it is a code.")
        }
        var isWhole = true
        if rest.first == UInt8(ascii: ".") {
            isWhole = false
            let fraction = rest.dropFirst().prefix(while: isDigit)
            if fraction.isEmpty { throw bad("a number needs a digit after the point") }
            rest = rest.dropFirst(1 + fraction.count)
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            let exponent = rest.prefix(while: isDigit)
            if exponent.isEmpty { throw bad("a number needs a digit in its exponent") }
            rest = rest.dropFirst(exponent.count)
        }
        guard rest.isEmpty else {
            let isHexadecimal = text.lowercased().hasPrefix("0x") || text.lowercased().hasPrefix("-0x")
            throw bad(
                "`\(clipped)` is not a number",
                isHexadecimal ? "Numbers are decimal." : "A text is written in double quotes: \"\(clipped)\".")
        }
        if isWhole ? Int64(text) == nil : !(Double(text)?.isFinite ?? false) {
            throw JSONFault(
                kind: .numberRange, offset: start, length: end - start,
                message: isWhole
                    ? "this integer does not fit 64 bits (\(Int64.min) to \(Int64.max))"
                    : "this number is too large for a 64-bit floating-point value",
                remedy: "If it is an identifier, write it in double quotes.")
        }
        offset = end
        lastEnd = end
    }

    /// RFC 8259 section 7. Ends after the closing quote.
    private mutating func string() throws(JSONFault) {
        let start = offset
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                lastEnd = offset
                return
            case UInt8(ascii: "\\"): try escape()
            case 0x0A, 0x0D:
                throw JSONFault(
                    offset: start, length: offset - start, message: "this text is not closed on its line",
                    remedy: "Close it with a double quote; a line feed inside a text is written \\n.")
            case 0..<0x20:
                throw JSONFault(
                    offset: offset,
                    message: "a control character (U+\(hexadecimal(byte))) inside a text must be escaped",
                    remedy: byte == 0x09 ? "Write \\t." : "Write \\u\(hexadecimal(byte)).")
            case 0x80...:
                let length = utf8Length(at: offset)
                guard length > 0 else { throw invalidUTF8() }
                offset += length
            default: offset += 1
            }
        }
        throw JSONFault(
            offset: start, message: "this text is not closed before the end of the file",
            remedy: "Close it with a double quote.")
    }

    private mutating func escape() throws(JSONFault) {
        let start = offset
        guard offset + 1 < bytes.count else {
            offset = bytes.count
            return
        }
        let mark = bytes[offset + 1]
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: start) else {
                throw JSONFault(
                    offset: start, length: 2, message: "\\u takes four hexadecimal digits",
                    remedy: "Write \\\\ for a backslash.")
            }
            offset += 6
            if unit & 0xFC00 == 0xD800, let low = codeUnit(at: offset), low & 0xFC00 == 0xDC00 {
                offset += 6
            } else if unit & 0xF800 == 0xD800 {
                throw JSONFault(
                    offset: start, length: 6, message: "this escape is half of a surrogate pair",
                    remedy: "Write the character itself, or both halves.")
            }
        default:
            let shown = mark > 0x20 && mark < 0x7F ? "`\\\(Character(Unicode.Scalar(mark)))`" : "this"
            throw JSONFault(
                offset: start, length: 2, message: "\(shown) is not an escape of JSON",
                remedy: "Write \\\\ for a backslash.")
        }
    }

    /// The code unit of a `\uXXXX` escape that begins at `start`.
    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[(start + 2)..<(start + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private func escapedZero(from start: Int) -> Int? {
        var place = start
        while place < offset {
            if bytes[place] == UInt8(ascii: "\\") {
                if codeUnit(at: place) == 0 { return place }
                place += 2
            } else {
                place += 1
            }
        }
        return nil
    }

    private mutating func skipBlanks() throws(JSONFault) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case UInt8(ascii: "/") where offset + 1 < bytes.count && [0x2F, 0x2A].contains(bytes[offset + 1]),
                UInt8(ascii: "#"):
                throw JSONFault(
                    offset: offset, length: bytes[offset] == UInt8(ascii: "#") ? 1 : 2,
                    message: "JSON has no comments", remedy: "Remove it, or say it in a `description`.")
            default: return
            }
        }
    }

    private func refuseStrangeBytes() throws(JSONFault) {
        let byte = bytes[offset]
        if byte >= 0x80, utf8Length(at: offset) == 0 { throw invalidUTF8() }
        if byte >= 0x80 {
            let length = utf8Length(at: offset)
            let scalar = String(decoding: bytes[offset..<(offset + length)], as: UTF8.self).unicodeScalars.first
            let value = scalar?.value ?? 0
            if [0x201C, 0x201D, 0x201E, 0x2018, 0x2019].contains(value) {
                throw JSONFault(
                    offset: offset, length: length, message: "a typographic quotation mark stands here",
                    remedy: "Write the plain double quote \".")
            }
            if value == 0xA0 || value == 0xFEFF || (0x2000...0x200B).contains(value) {
                throw JSONFault(
                    offset: offset, length: length,
                    message: "an invisible character (U+\(hexadecimal(value))) stands here",
                    remedy: "Replace it by a plain space.")
            }
        }
        if byte < 0x20 || byte == 0x7F {
            throw JSONFault(
                kind: byte == 0 ? .encoding : .syntax, offset: offset,
                message: "a control character (U+\(hexadecimal(byte))) stands here", remedy: "Remove it.")
        }
        if !isWordByte(byte), byte < 0x80 {
            throw JSONFault(
                offset: offset, message: "`\(Character(Unicode.Scalar(byte)))` cannot stand here",
                remedy: byte == UInt8(ascii: "<") ? "This looks like HTML or XML, not JSON." : nil)
        }
    }

    private func invalidUTF8() -> JSONFault {
        JSONFault(
            kind: .encoding, offset: offset, message: "the byte 0x\(hexadecimal(bytes[offset]).suffix(2)) is not UTF-8",
            remedy: "Save the file as UTF-8; it may have been written as Latin-1 or Windows-1252.")
    }

    private func singleQuotes() -> JSONFault {
        JSONFault(
            offset: offset, message: "texts and keys are written in double quotes, not single ones",
            remedy: "Write \" instead of '.")
    }

    private func trailingComma(_ part: String, of whole: String) -> JSONFault {
        var comma = offset
        while comma > 0, bytes[comma] != UInt8(ascii: ",") { comma -= 1 }
        return JSONFault(
            offset: comma, message: "a comma after the last \(part) of an \(whole)", remedy: "Remove the comma.")
    }

    private func atEnd() -> JSONFault {
        guard let opened = open.last else {
            return JSONFault(
                offset: bytes.count, message: "the text is empty; a JSON value was expected",
                remedy: "The smallest JSON object is {}.")
        }
        let bracket = bytes[opened] == UInt8(ascii: "{") ? "{" : "["
        return JSONFault(
            offset: max(lastEnd - 1, 0),
            message: "the text ends before `\(bracket)` of line \(lineNumber(of: opened)) is closed",
            remedy: "Write `\(bracket == "{" ? "}" : "]")`, or look whether the file was cut off.")
    }

    private func lineNumber(of place: Int) -> Int {
        bytes[..<place].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    }

    /// How far the run of letters, digits and the like at `offset` goes; at least 1, at most 60.
    private var wordLength: Int {
        var end = offset
        while end < bytes.count, end - offset < 60 {
            if bytes[end] >= 0x80 {
                let length = utf8Length(at: end)
                guard length > 0 else { break }
                end += length
            } else if isWordByte(bytes[end]) {
                end += 1
            } else {
                break
            }
        }
        return max(min(end, bytes.count) - offset, 1)
    }

    /// How many bytes the code point at `place` has; 0 where the bytes there are no UTF-8 (RFC 3629 section 4).
    private func utf8Length(at place: Int) -> Int {
        let lead = bytes[place]
        let length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard length > 1 else { return length }
        guard place + length <= bytes.count else { return 0 }
        for next in bytes[(place + 1)..<(place + length)] where next & 0xC0 != 0x80 { return 0 }
        let second = bytes[place + 1]
        switch lead {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F:
            return 0
        default: return length
        }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || [0x5F, 0x24, 0x2D, 0x2E].contains(byte)
}

private func hexadecimal(_ value: some BinaryInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
}
