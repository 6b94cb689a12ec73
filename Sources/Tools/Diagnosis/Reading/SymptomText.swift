import JOSE
import JSON
import Markup

/// A text that somebody pasted, cut into lines, and the same text made plain for looking phrases up.
///
/// Plain means: letters A to Z in lower case, white space and line ends as one space, percent-encoding, JSON's escapes
/// and HTML's entities undone, typographic quotes as straight ones. So one phrase finds a message in a URL, in JSON
/// inside a log, and on a page.
struct SymptomText: Sendable {
    /// What the bytes are, before anybody looks into them.
    enum Form: Sendable, Equatable {
        case empty
        case text
        /// Not text, with what it looks like.
        case binary(String)
    }

    let form: Form
    /// UTF-8.
    let bytes: [UInt8]
    /// How many bytes were not looked at.
    let unread: Int
    /// Whether more came than was looked at, when its amount is not known.
    let isCut: Bool
    /// Where each line begins in `bytes`.
    let lineStarts: [Int]
    /// The plain text.
    let plain: [UInt8]
    /// Where the plain text of each line begins.
    private let plainStarts: [Int]

    /// - Parameters:
    ///   - bytes: what was given, UTF-8 or UTF-16 with a byte order mark.
    ///   - limit: how many bytes are looked at.
    ///   - isCut: whether the bytes are only the beginning of what there is.
    init(_ given: [UInt8], limit: Int, isCut: Bool = false) {
        let taken = given.count > limit ? Array(given[..<limit]) : given
        unread = given.count - taken.count
        self.isCut = isCut
        let (form, text) = Self.decoded(taken)
        self.form = form
        guard form == .text else {
            bytes = []
            lineStarts = [0]
            plain = []
            plainStarts = [0]
            return
        }
        bytes = text
        var starts = [0]
        for index in text.indices where text[index] == 0x0A && index + 1 < text.count { starts.append(index + 1) }
        lineStarts = starts
        var writer = PlainWriter()
        writer.write(text)
        plain = writer.plain
        plainStarts = writer.starts
    }

    var lineCount: Int { form == .text ? lineStarts.count : 0 }

    /// A line without its end; `number` counts from 1.
    func line(_ number: Int) -> String {
        String(decoding: lineBytes(number), as: UTF8.self)
    }

    /// The bytes of a line without its end; `number` counts from 1.
    func lineBytes(_ number: Int) -> ArraySlice<UInt8> {
        guard number >= 1, number <= lineStarts.count else { return [] }
        let start = lineStarts[number - 1]
        var end = number < lineStarts.count ? lineStarts[number] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return bytes[start..<end]
    }

    /// The line of a place in the plain text.
    func line(ofPlain offset: Int) -> Int { Self.position(offset, in: plainStarts) }

    /// The line of a byte.
    func line(ofByte offset: Int) -> Int { Self.position(offset, in: lineStarts) }

    /// A value of the plain text as its line spells it; the value itself where the line quotes it otherwise.
    func spelled(_ value: String, line number: Int) -> String {
        let line = Array(lineBytes(number).prefix(1 << 16))
        let lower = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let wanted = Array(value.utf8)
        let place = wanted.withUnsafeBufferPointer { wanted in
            lower.withUnsafeBufferPointer { ByteSearch.offset(of: wanted, in: $0) }
        }
        return place < line.count ? String(decoding: line[place..<(place + wanted.count)], as: UTF8.self) : value
    }

    /// The part of the plain text after a place that one message can have.
    func window(_ place: Int, upTo end: Int? = nil) -> Substring {
        String(decoding: plain[place..<min(end ?? place + 3000, plain.count)], as: UTF8.self)[...]
    }

    private static func position(_ offset: Int, in starts: [Int]) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = low + (high - low) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return max(low, 1)
    }

    // MARK: Forms

    private static func decoded(_ bytes: [UInt8]) -> (Form, [UInt8]) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes) }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        if text.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return (.empty, []) }
        if let name = signature(text) { return (.binary(name), []) }
        var controls = 0
        for byte in text.prefix(1 << 16) {
            switch byte {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: break
            case 0: return (.binary("it holds zero bytes"), [])
            case 0..<0x20: controls += 1
            default: break
            }
        }
        if controls * 50 > min(text.count, 1 << 16) { return (.binary("it is full of control characters"), []) }
        return (.text, Array(text))
    }

    /// What PowerShell writes with `>`.
    private static func utf16(_ bytes: [UInt8]) -> (Form, [UInt8]) {
        let isLittle = bytes[0] == 0xFF
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = 2
        while index + 1 < bytes.count {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
            index += 2
        }
        let text = Array(String(decoding: units, as: UTF16.self).utf8)
        return text.allSatisfy { $0 <= 0x20 } ? (.empty, []) : (.text, text)
    }

    private static func signature(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.starts(with: [0x1F, 0x8B]) { return "it is compressed (gzip)" }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "it is a zip archive" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            return "it is a picture"
        }
        if bytes.starts(with: Array("bplist0".utf8)) { return "it is a binary property list" }
        if bytes.starts(with: Array("%PDF-".utf8)) { return "it is a PDF" }
        return nil
    }
}

/// Makes a text plain in one pass.
private struct PlainWriter {
    var plain: [UInt8] = []
    var starts: [Int] = [0]

    mutating func write(_ text: [UInt8]) {
        plain.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case 0x0A:
                space()
                if index + 1 < text.count { starts.append(plain.count) }
                index += 1
            case 0...0x20, UInt8(ascii: "+"):
                space()
                index += 1
            case 0x41...0x5A:
                plain.append(byte | 0x20)
                index += 1
            case UInt8(ascii: "%"): index += percent(text, index)
            case UInt8(ascii: "\\"): index += escape(text, index)
            case UInt8(ascii: "&"): index += entity(text, index)
            case 0xE2: index += quote(text, index)
            default:
                plain.append(byte)
                index += 1
            }
        }
    }

    private mutating func space() {
        if plain.last != 0x20 { plain.append(0x20) }
    }

    private mutating func character(_ value: UInt32) {
        switch value {
        case 0...0x20: space()
        case 0x41...0x5A: plain.append(UInt8(value) | 0x20)
        case 0x21..<0x100: plain.append(UInt8(value))
        default: space()
        }
    }

    private mutating func percent(_ text: [UInt8], _ index: Int) -> Int {
        guard let value = hex(text, index + 1, 2) else {
            plain.append(text[index])
            return 1
        }
        character(value)
        return 3
    }

    private mutating func escape(_ text: [UInt8], _ index: Int) -> Int {
        guard index + 1 < text.count else { return 1 }
        switch text[index + 1] {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            space()
            return 2
        case UInt8(ascii: "u"):
            guard let value = hex(text, index + 2, 4) else { break }
            character(value)
            return 6
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"):
            plain.append(text[index + 1])
            return 2
        default: break
        }
        // A backslash before a backslash is one level of quoting more.
        return 1
    }

    private mutating func entity(_ text: [UInt8], _ index: Int) -> Int {
        if let (character, length) = HTMLEntities.reference(startOf: text[index...]) {
            // No-break spaces among them.
            if character.properties.isWhitespace {
                space()
            } else if character.isASCII {
                self.character(character.value)
            } else {
                plain += String(character).utf8
            }
            return length
        }
        plain.append(text[index])
        return 1
    }

    /// U+2018, U+2019, U+201C and U+201D.
    private mutating func quote(_ text: [UInt8], _ index: Int) -> Int {
        if index + 2 < text.count, text[index + 1] == 0x80 {
            switch text[index + 2] {
            case 0x98, 0x99:
                plain.append(UInt8(ascii: "'"))
                return 3
            case 0x9C, 0x9D:
                plain.append(UInt8(ascii: "\""))
                return 3
            default: break
            }
        }
        plain.append(text[index])
        return 1
    }

    private func hex(_ text: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
        guard start + count <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[start..<(start + count)] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
