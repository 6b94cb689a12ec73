/// A text file as bytes, and the way from a byte offset to line and column.
///
/// Lines end with a line feed; a carriage return before it belongs to the line's end. A byte order mark takes no
/// column. Columns count Unicode code points, so that an editor's column and SARIF's `unicodeCodePoints` agree with
/// ours; bytes that are not UTF-8 count one each.
public final class SourceText: Sendable {
    /// The file as the user named it.
    public let file: String
    /// Its content, untouched.
    public let bytes: [UInt8]
    /// Why its lines are not shown; `nil`: they are.
    let concealment: String?
    /// Offset of the first byte of each line.
    private let starts: [Int]
    /// Code points before some offsets, about one each 512 bytes, where a line is so long that counting from its start
    /// for every place in it would take quadratic time; else empty.
    private let marks: [(offset: Int, count: Int)]

    /// The text that this one was made from, and what was changed in it: places are those of that text.
    private let original: (source: SourceText, changes: [Change])?

    /// A part of a text that another text stands for.
    public struct Change: Sendable, Hashable {
        /// Where it is.
        public var range: Range<Int>
        /// What it stands for.
        public var original: Range<Int>

        public init(range: Range<Int>, original: Range<Int>) {
            self.range = range
            self.original = original
        }
    }

    /// The text as it is in the file: this one, or the one that it was made from.
    var written: SourceText { original?.source ?? self }

    /// The content of a file, or of a text that stands for one.
    public convenience init(file: String, bytes: [UInt8]) {
        self.init(file: file, bytes: bytes, original: nil)
    }

    /// A file whose lines findings do not show.
    ///
    /// - Parameter reason: A sentence that is shown in their place.
    public convenience init(file: String, concealedBecause reason: String) {
        self.init(file: file, bytes: [], concealment: reason)
    }

    /// A text that was made from another one. Its places are shown as those of the other.
    /// - Parameter changes: What was changed, in order.
    public convenience init(bytes: [UInt8], madeFrom source: SourceText, changes: [Change]) {
        self.init(file: source.file, bytes: bytes, original: (source, changes))
    }

    private init(
        file: String, bytes: [UInt8], original: (source: SourceText, changes: [Change])? = nil,
        concealment: String? = nil
    ) {
        self.file = file
        self.bytes = bytes
        self.concealment = concealment
        self.original = original
        let starts = bytes.withUnsafeBufferPointer { buffer in
            let hasMark = buffer.count >= 3 && buffer[0] == 0xEF && buffer[1] == 0xBB && buffer[2] == 0xBF
            var starts = [hasMark ? 3 : 0]
            for (offset, byte) in buffer.enumerated() where byte == 0x0A { starts.append(offset + 1) }
            return starts
        }
        self.starts = starts
        marks = Self.marks(bytes, starts)
    }

    private static func marks(_ bytes: [UInt8], _ starts: [Int]) -> [(offset: Int, count: Int)] {
        var longest = bytes.count - (starts.last ?? 0)
        for (start, next) in zip(starts, starts.dropFirst()) { longest = max(longest, next - start) }
        guard longest > 4096 else { return [] }
        var marks: [(offset: Int, count: Int)] = []
        var offset = 0
        var count = 0
        while offset < bytes.count {
            if offset >= 512 * marks.count { marks.append((offset, count)) }
            offset += codePointLength(in: bytes, at: offset)
            count += 1
        }
        return marks
    }

    /// How many lines there are; a file that ends with a line feed has an empty last one.
    public var lineCount: Int { starts.count }

    /// Line and column, both from 1, of a byte. Offsets outside the text give its nearest end.
    public func position(at byteOffset: Int) -> (line: Int, column: Int) {
        if let original { return original.source.position(at: originalOffset(byteOffset, original.changes)) }
        let offset = min(max(byteOffset, starts[0]), bytes.count)
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, codePoints(from: starts[low], to: offset) + 1)
    }

    /// The place of a byte, with `length` bytes of its line underlined.
    public func location(at byteOffset: Int, byteLength: Int = 1, pointer: String? = nil) -> SourceLocation {
        if let original {
            let start = originalOffset(byteOffset, original.changes)
            let (last, overflow) = byteOffset.addingReportingOverflow(max(byteLength, 1))
            let end = originalOffset(overflow ? bytes.count : last, original.changes)
            return original.source.location(at: start, byteLength: max(end - start, 1), pointer: pointer)
        }
        let (line, column) = position(at: byteOffset)
        let start = min(max(byteOffset, 0), bytes.count)
        let end = min(start + max(byteLength, 1), max(endOfLine(line), start))
        return SourceLocation(
            file: file, line: line, column: column, length: max(codePoints(from: start, to: end), 1), pointer: pointer)
    }

    /// The place in the text that this one was made from; a place inside a change is where the change begins.
    private func originalOffset(_ offset: Int, _ changes: [Change]) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return offset }
        let change = changes[low - 1]
        return offset < change.range.upperBound
            ? change.original.lowerBound : change.original.upperBound + (offset - change.range.upperBound)
    }

    /// The text of a line, from 1, without its end; `nil` when there is no such line.
    public func line(_ n: Int) -> String? {
        guard n >= 1, n <= starts.count else { return nil }
        return String(decoding: bytes[starts[n - 1]..<endOfLine(n)], as: UTF8.self)
    }

    /// The part of a line around a column, for showing it: of a long line some hundred code points, so that many findings
    /// in one line of a megabyte take no time each. `first` is the number of code points of the line before it,
    /// `continues` says that there are more behind it. `nil` when there is no such line.
    func piece(ofLine n: Int, around column: Int) -> (text: [Unicode.Scalar], first: Int, continues: Bool)? {
        guard n >= 1, n <= starts.count else { return nil }
        let start = starts[n - 1]
        let end = endOfLine(n)
        guard end - start > 4096, !marks.isEmpty else {
            return (Array(String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars), 0, false)
        }
        let before = codePoints(before: start)
        let wanted = before + max(column - 1 - 200, 0)
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].count <= wanted { low = middle } else { high = middle }
        }
        var offset = max(marks[low].offset, start)
        var count = max(marks[low].count, before)
        while offset < end, count < wanted {
            offset += Self.codePointLength(in: bytes, at: offset)
            count += 1
        }
        let from = offset
        let first = count - before
        while offset < end, count < wanted + 600 {
            offset += Self.codePointLength(in: bytes, at: offset)
            count += 1
        }
        return (Array(String(decoding: bytes[from..<offset], as: UTF8.self).unicodeScalars), first, offset < end)
    }

    /// Offset of the first byte of a line that exists, from 1.
    func lineStart(_ n: Int) -> Int { starts[n - 1] }

    /// Offset behind the last byte of a line that exists, without its end.
    func endOfLine(_ n: Int) -> Int {
        var end = n < starts.count ? starts[n] - 1 : bytes.count
        if end > starts[n - 1], bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }

    private func codePoints(from start: Int, to end: Int) -> Int {
        guard !marks.isEmpty, end - start > 1024 else { return counted(from: start, to: end) }
        return codePoints(before: end) - codePoints(before: start)
    }

    private func codePoints(before offset: Int) -> Int {
        // A mark lies at or a little behind its multiple of 512; the one before is never too far.
        let mark = marks[min(max(offset / 512 - 1, 0), marks.count - 1)]
        return mark.count + counted(from: mark.offset, to: offset)
    }

    private func counted(from start: Int, to end: Int) -> Int {
        var count = 0
        var offset = start
        while offset < end {
            offset += Self.codePointLength(in: bytes, at: offset)
            count += 1
        }
        return count
    }

    /// How many bytes the code point at an offset has; 1 where the bytes there are no UTF-8.
    func codePointLength(at offset: Int) -> Int { Self.codePointLength(in: bytes, at: offset) }

    package static func codePointLength(in bytes: [UInt8], at offset: Int) -> Int {
        let lead = bytes[offset]
        let length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1
        guard length > 1, offset + length <= bytes.count else { return 1 }
        for next in bytes[(offset + 1)..<(offset + length)] where next & 0xC0 != 0x80 { return 1 }
        return length
    }
}
