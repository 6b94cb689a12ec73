/// Finds the first place where a text that jansson refused goes wrong, and words what is wrong there. The walk is
/// ``JSONScanner``'s, which keeps its own stack, so it can meet any input.
struct JSONFaultFinder: JSONVisitor {
    typealias WalkError = JSONFault

    private let bytes: [UInt8]

    /// The first fault of a text; `nil` where it is in order.
    static func fault(in bytes: [UInt8]) -> JSONFault? {
        var finder = JSONFaultFinder(bytes: bytes)
        do throws(JSONFault) {
            return try JSONScanner(bytes).walk(&finder).map { finder.fault(at: $0) }
        } catch {
            return error
        }
    }

    // MARK: Strings, numbers and words

    func key(_ range: Range<Int>) throws(JSONFault) {
        try string(range)
        if let zero = escapedZero(in: range) {
            throw JSONFault(
                offset: zero, length: 6, message: "a key cannot hold the character U+0000",
                remedy: "Remove the escape.")
        }
    }

    func scalar(_ range: Range<Int>) throws(JSONFault) {
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "\""): try string(range)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "."):
            try number(range)
        default:
            guard ["true", "false", "null"].contains(word(at: range.lowerBound)) else {
                throw notAValue(at: range.lowerBound)
            }
        }
    }

    /// RFC 8259 section 6.
    private func number(_ range: Range<Int>) throws(JSONFault) {
        let text = String(decoding: bytes[range], as: UTF8.self)
        let clipped = text.utf8.count <= 60 ? text : String(text.prefix(60)) + "..."
        func bad(_ message: String, _ remedy: String? = nil) -> JSONFault {
            JSONFault(offset: range.lowerBound, length: range.count, message: message, remedy: remedy)
        }
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "+") {
            throw bad("a number has no plus sign before it", "Write \(clipped.dropFirst()).")
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: JSONScanner.isDigit)
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
            let fraction = rest.dropFirst().prefix(while: JSONScanner.isDigit)
            if fraction.isEmpty { throw bad("a number needs a digit after the point") }
            rest = rest.dropFirst(1 + fraction.count)
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            let exponent = rest.prefix(while: JSONScanner.isDigit)
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
                kind: .numberRange, offset: range.lowerBound, length: range.count,
                message: isWhole
                    ? "this integer does not fit 64 bits (\(Int64.min) to \(Int64.max))"
                    : "this number is too large for a 64-bit floating-point value",
                remedy: "If it is an identifier, write it in double quotes.")
        }
    }

    /// RFC 8259 section 7.
    private func string(_ range: Range<Int>) throws(JSONFault) {
        let start = range.lowerBound
        var offset = start + 1
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): offset = try endOfEscape(at: offset)
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
                guard length > 0 else { throw invalidUTF8(at: offset) }
                offset += length
            default: offset += 1
            }
        }
        throw JSONFault(
            offset: start, message: "this text is not closed before the end of the file",
            remedy: "Close it with a double quote.")
    }

    private func endOfEscape(at start: Int) throws(JSONFault) -> Int {
        guard start + 1 < bytes.count else { return bytes.count }
        let mark = bytes[start + 1]
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: start) else {
                throw JSONFault(
                    offset: start, length: 2, message: "\\u takes four hexadecimal digits",
                    remedy: "Write \\\\ for a backslash.")
            }
            if unit & 0xFC00 == 0xD800, let low = codeUnit(at: start + 6), low & 0xFC00 == 0xDC00 { return start + 12 }
            if unit & 0xF800 == 0xD800 {
                throw JSONFault(
                    offset: start, length: 6, message: "this escape is half of a surrogate pair",
                    remedy: "Write the character itself, or both halves.")
            }
            return start + 6
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

    private func escapedZero(in range: Range<Int>) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound {
            if bytes[place] == UInt8(ascii: "\\") {
                if codeUnit(at: place) == 0 { return place }
                place += 2
            } else {
                place += 1
            }
        }
        return nil
    }

    // MARK: Places where something else is expected

    private func fault(at stop: JSONScanner.Stop) -> JSONFault {
        let offset = stop.offset
        guard offset < bytes.count else { return end(stop) }
        let byte = bytes[offset]
        if let comment = comment(at: offset) { return comment }
        switch stop.expected {
        case .end:
            return JSONFault(
                offset: offset, length: wordLength(at: offset),
                message: "there is more text after the end of the value",
                remedy: byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{")
                    ? "A file holds one value; put several into an array."
                    : "Remove it, or look for a closing bracket too many.")
        case .element where byte == UInt8(ascii: "]"): return trailingComma("element", of: "array", before: offset)
        case .value, .firstElement, .element: return noValue(byte, at: offset)
        case .key where byte == UInt8(ascii: "}"): return trailingComma("member", of: "object", before: offset)
        case .firstKey, .key: return noKey(byte, at: offset)
        case .colon:
            return JSONFault(
                offset: stop.lastEnd, message: "a colon is missing after this key",
                remedy: byte == UInt8(ascii: "=") ? "Write `:` instead of `=`." : nil)
        case .commaOrEnd: return noCommaOrEnd(byte, stop)
        }
    }

    private func noValue(_ byte: UInt8, at offset: Int) -> JSONFault {
        switch byte {
        case UInt8(ascii: "'"): singleQuotes(at: offset)
        case UInt8(ascii: ","):
            JSONFault(
                offset: offset, message: "a value was expected before this comma",
                remedy: "Remove the comma, or write the value that is missing.")
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
            JSONFault(
                offset: offset, message: "a value was expected here, not `\(Character(Unicode.Scalar(byte)))`")
        default: strangeBytes(at: offset) ?? notAValue(at: offset)
        }
    }

    private func noKey(_ byte: UInt8, at offset: Int) -> JSONFault {
        if byte == UInt8(ascii: "'") { return singleQuotes(at: offset) }
        if JSONScanner.isWordByte(byte) {
            return JSONFault(
                offset: offset, length: wordLength(at: offset), message: "a key is written in double quotes",
                remedy: "Write \"\(word(at: offset))\".")
        }
        if byte == UInt8(ascii: ",") {
            return JSONFault(
                offset: offset, message: "a comma too many: a key was expected here", remedy: "Remove the comma.")
        }
        return strangeBytes(at: offset)
            ?? JSONFault(offset: offset, message: "a key in double quotes or `}` was expected here")
    }

    private func noCommaOrEnd(_ byte: UInt8, _ stop: JSONScanner.Stop) -> JSONFault {
        let opened = stop.open.last ?? 0
        let isObject = bytes[opened] == UInt8(ascii: "{")
        guard byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") else {
            return JSONFault(
                offset: max(stop.lastEnd - 1, 0), message: "a comma or `\(isObject ? "}" : "]")` is missing after this",
                remedy: "Separate \(isObject ? "members" : "elements") with commas.")
        }
        return JSONFault(
            offset: stop.offset,
            message: "`\(Character(Unicode.Scalar(byte)))` closes what `\(isObject ? "{" : "[")` on line "
                + "\(lineNumber(of: opened)) opened",
            remedy: "Write `\(isObject ? "}" : "]")`, or look for a bracket that is missing before.")
    }

    private func end(_ stop: JSONScanner.Stop) -> JSONFault {
        guard let opened = stop.open.last else {
            return JSONFault(
                offset: bytes.count, message: "the text is empty; a JSON value was expected",
                remedy: "The smallest JSON object is {}.")
        }
        let bracket = bytes[opened] == UInt8(ascii: "{") ? "{" : "["
        return JSONFault(
            offset: max(stop.lastEnd - 1, 0),
            message: "the text ends before `\(bracket)` of line \(lineNumber(of: opened)) is closed",
            remedy: "Write `\(bracket == "{" ? "}" : "]")`, or look whether the file was cut off.")
    }

    private func comment(at offset: Int) -> JSONFault? {
        let isLine = bytes[offset] == UInt8(ascii: "#")
        let isSlash = bytes[offset] == UInt8(ascii: "/") && offset + 1 < bytes.count
        guard isLine || (isSlash && [0x2F, 0x2A].contains(bytes[offset + 1])) else { return nil }
        return JSONFault(
            offset: offset, length: isLine ? 1 : 2, message: "JSON has no comments",
            remedy: "Remove it, or say it in a `description`.")
    }

    private func notAValue(at offset: Int) -> JSONFault {
        let length = wordLength(at: offset)
        let word = word(at: offset)
        let remedy: String
        switch word.lowercased() {
        case "nan", "infinity", "inf":
            return JSONFault(
                kind: .numberRange, offset: offset, length: length, message: "JSON has no number `\(word)`",
                remedy: "Write null or a finite number.")
        case "true", "false", "null": remedy = "Write \(word.lowercased()), in lower case."
        case "none", "nil", "undefined": remedy = "Write null."
        case "yes", "on": remedy = "Write true."
        case "no", "off": remedy = "Write false."
        default: remedy = "A text is written in double quotes: \"\(word)\"."
        }
        return JSONFault(
            offset: offset, length: length, message: "a value was expected here; `\(word)` is none", remedy: remedy)
    }

    /// What is wrong with a character that neither a value nor a key begins with; `nil` for letters.
    private func strangeBytes(at offset: Int) -> JSONFault? {
        let byte = bytes[offset]
        if byte >= 0x80, utf8Length(at: offset) == 0 { return invalidUTF8(at: offset) }
        if byte >= 0x80 {
            let length = utf8Length(at: offset)
            let scalar = String(decoding: bytes[offset..<(offset + length)], as: UTF8.self).unicodeScalars.first
            let value = scalar?.value ?? 0
            if [0x201C, 0x201D, 0x201E, 0x2018, 0x2019].contains(value) {
                return JSONFault(
                    offset: offset, length: length, message: "a typographic quotation mark stands here",
                    remedy: "Write the plain double quote \".")
            }
            if value == 0xA0 || value == 0xFEFF || (0x2000...0x200B).contains(value) {
                return JSONFault(
                    offset: offset, length: length,
                    message: "an invisible character (U+\(hexadecimal(value))) stands here",
                    remedy: "Replace it by a plain space.")
            }
        }
        if byte < 0x20 || byte == 0x7F {
            return JSONFault(
                kind: byte == 0 ? .encoding : .syntax, offset: offset,
                message: "a control character (U+\(hexadecimal(byte))) stands here", remedy: "Remove it.")
        }
        if !JSONScanner.isWordByte(byte), byte < 0x80 {
            return JSONFault(
                offset: offset, message: "`\(Character(Unicode.Scalar(byte)))` cannot stand here",
                remedy: byte == UInt8(ascii: "<") ? "This looks like HTML or XML, not JSON." : nil)
        }
        return nil
    }

    private func invalidUTF8(at offset: Int) -> JSONFault {
        JSONFault(
            kind: .encoding, offset: offset, message: "the byte 0x\(hexadecimal(bytes[offset]).suffix(2)) is not UTF-8",
            remedy: "Save the file as UTF-8; it may have been written as Latin-1 or Windows-1252.")
    }

    private func singleQuotes(at offset: Int) -> JSONFault {
        JSONFault(
            offset: offset, message: "texts and keys are written in double quotes, not single ones",
            remedy: "Write \" instead of '.")
    }

    private func trailingComma(_ part: String, of whole: String, before offset: Int) -> JSONFault {
        var comma = offset
        while comma > 0, bytes[comma] != UInt8(ascii: ",") { comma -= 1 }
        return JSONFault(
            offset: comma, message: "a comma after the last \(part) of an \(whole)", remedy: "Remove the comma.")
    }

    private func lineNumber(of place: Int) -> Int {
        bytes[..<place].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    }

    /// How far the run of letters, digits and the like at an offset goes; at least 1, at most 60.
    private func wordLength(at offset: Int) -> Int {
        var end = offset
        while end < bytes.count, end - offset < 60 {
            if bytes[end] >= 0x80 {
                let length = utf8Length(at: end)
                guard length > 0 else { break }
                end += length
            } else if JSONScanner.isWordByte(bytes[end]) {
                end += 1
            } else {
                break
            }
        }
        return max(min(end, bytes.count) - offset, 1)
    }

    private func word(at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + wordLength(at: offset)], as: UTF8.self)
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

private func hexadecimal(_ value: some BinaryInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
}
