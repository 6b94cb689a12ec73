import Determinism
import Diagnostics

/// A file with a log.
final class LogText: Sendable {
    let file: String
    /// UTF-8.
    let bytes: [UInt8]
    /// Where the text begins: behind a byte order mark.
    let start: Int
    /// Line and column at every ``stride`` bytes. A log may be one line of 100 MB with a finding in each of its rows.
    private let marks: Deferred<[Mark]>

    private struct Mark {
        var line = 1
        /// Characters before it on its line.
        var column = 0

        mutating func pass(_ byte: UInt8) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 0
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    private static let stride = 4096

    init(file: String, bytes: [UInt8]) {
        self.file = file
        let text =
            switch (bytes.first, bytes.dropFirst().first) {
            case (0xFF, 0xFE): Self.utf8(ofUTF16: bytes, isBigEndian: false)
            case (0xFE, 0xFF): Self.utf8(ofUTF16: bytes, isBigEndian: true)
            default: bytes
            }
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        self.bytes = text
        self.start = start
        marks = Deferred {
            var mark = Mark()
            var marks: [Mark] = []
            marks.reserveCapacity(text.count / Self.stride + 1)
            for index in text.indices {
                if index % Self.stride == 0 { marks.append(mark) }
                if index >= start { mark.pass(text[index]) }
            }
            return marks
        }
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

    /// Line and column of a byte.
    func location(at offset: Int) -> SourceLocation {
        let offset = min(max(offset, start), bytes.count)
        let marks = marks.value
        let nearest = min(offset / Self.stride, marks.count - 1)
        guard nearest >= 0 else { return SourceLocation(file: file, line: 1, column: 1) }
        var mark = marks[nearest]
        for index in max(nearest * Self.stride, start)..<max(offset, nearest * Self.stride, start) {
            mark.pass(bytes[index])
        }
        return SourceLocation(file: file, line: mark.line, column: mark.column + 1)
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
    /// Whether the text breaks off within the message.
    var isCut = false

    var location: SourceLocation { text.location(at: place) }
}
