import Diagnostics

/// The lines of a text as editors count them, from 0, and the UTF-16 code units in them. A line ends with a line feed, with a
/// carriage return, or with both (Language Server Protocol 3.17, "Text Documents"), where ``SourceText`` knows the first
/// and the last alone.
package struct EditorLines: Sendable {
    private let bytes: [UInt8]
    /// Offset of the first byte of each line.
    private let starts: [Int]

    /// - Parameter countsMark: Whether a byte order mark is a unit of the first line, as in a text that an editor sent. The
    ///   text that an editor shows of a file begins behind it.
    package init(_ bytes: [UInt8], countsMark: Bool = false) {
        self.bytes = bytes
        starts = bytes.withUnsafeBufferPointer { buffer in
            var starts = [!countsMark && buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
            for (offset, byte) in buffer.enumerated() where byte == 0x0A || byte == 0x0D {
                if byte == 0x0D, offset + 1 < buffer.count, buffer[offset + 1] == 0x0A { continue }
                starts.append(offset + 1)
            }
            return starts
        }
    }

    /// The line, and the code units before an offset in it. Bytes that are not UTF-8 count one each.
    package func position(at offset: Int) -> (line: Int, unit: Int) {
        let offset = min(max(offset, starts[0]), bytes.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        // The line's end has one place.
        let end = min(offset, self.end(of: low))
        var unit = 0
        var at = starts[low]
        while at < end {
            let length = SourceText.codePointLength(in: bytes, at: at)
            unit += length == 4 ? 2 : 1
            at += length
        }
        return (low, unit)
    }

    /// The offset of a line and a number of code units in it. Beyond the line's end it is that end, and beyond the last line
    /// the end of the text; the second half of a surrogate pair counts as the first.
    package func offset(line: Int, unit: Int) -> Int {
        guard line >= 0 else { return starts[0] }
        guard line < starts.count else { return bytes.count }
        let end = end(of: line)
        var at = starts[line]
        var left = max(unit, 0)
        while at < end, left > 0 {
            let length = SourceText.codePointLength(in: bytes, at: at)
            left -= length == 4 ? 2 : 1
            if left < 0 { break }
            at += length
        }
        return min(at, end)
    }

    /// The part of a range on the line that it begins in.
    package func firstLine(of range: Range<Int>) -> Range<Int> {
        let end = end(of: position(at: range.lowerBound).line)
        return range.lowerBound..<max(min(range.upperBound, end), range.lowerBound)
    }

    /// Behind the last byte of a line, without its end.
    private func end(of line: Int) -> Int {
        guard line + 1 < starts.count else { return bytes.count }
        let end = starts[line + 1] - 1
        return bytes[end] == 0x0A && end > starts[line] && bytes[end - 1] == 0x0D ? end - 1 : end
    }
}
