import Diagnostics

/// A file with a log.
final class LogText: Sendable {
    let file: String
    /// UTF-8.
    let bytes: [UInt8]
    /// Where the text begins: behind a byte order mark.
    let start: Int

    init(file: String, bytes: [UInt8]) {
        self.file = file
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): self.bytes = Self.utf8(ofUTF16: bytes, isBigEndian: false)
        case (0xFE, 0xFF): self.bytes = Self.utf8(ofUTF16: bytes, isBigEndian: true)
        default: self.bytes = bytes
        }
        start = self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private static func utf8(ofUTF16 bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = 2
        while index + 1 < bytes.count {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Line and column of a byte. Each question walks the text from its start: it is asked for findings only.
    func location(at offset: Int) -> SourceLocation {
        var line = 1
        var start = self.start
        for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        let column = String(decoding: bytes[start..<min(max(offset, start), bytes.count)], as: UTF8.self)
            .unicodeScalars.count
        return SourceLocation(file: file, line: line, column: column + 1)
    }

    /// Whether a text occurs at or after an offset.
    func firstIndex(of text: String, from start: Int = 0) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
        var index = start
        while index <= bytes.count - wanted.count {
            if bytes[index] == first, bytes[index..<index + wanted.count].elementsEqual(wanted) { return index }
            index += 1
        }
        return nil
    }
}

/// A row of a log where its file has it.
struct FoundRow {
    /// How the message is written.
    enum Coding {
        /// A JSON text.
        case json
        /// A cell of a CSV file, with the quotation marks around it if there are any.
        case csv
        /// The message itself, an array of clips.
        case value
    }

    var text: LogText
    /// Where it begins.
    var place: Int
    var time: RecorderTime?
    var dimensions: RecorderDimensions
    var role: String?
    var item: String?
    var itemCount = 1
    var message: Range<Int>
    var coding: Coding

    var location: SourceLocation { text.location(at: place) }
}
