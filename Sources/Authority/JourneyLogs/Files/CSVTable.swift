/// A CSV file (RFC 4180) with a column `message`: any separator, quotation marks doubled, any line ends.
struct CSVTable {
    private let text: LogText
    private let separator: UInt8
    private var offset: Int
    /// What the columns of the first line mean.
    private(set) var columns: [LogColumn?] = []
    /// The cell whose quotation mark is not closed.
    private(set) var unterminated: Int?

    /// - Returns: `nil` if the first line has no column `message` with any of the usual separators.
    init?(_ text: LogText, from start: Int) {
        for separator in [",", ";", "\t", "|"] as [Unicode.Scalar] {
            var table = CSVTable(text, from: start, separator: UInt8(ascii: separator))
            guard let head = table.next() else { return nil }
            table.columns = head.map { LogColumn(table.value($0)) }
            if table.columns.contains(.message) {
                self = table
                return
            }
        }
        return nil
    }

    private init(_ text: LogText, from start: Int, separator: UInt8) {
        self.text = text
        offset = start
        self.separator = separator
    }

    /// The cells of the next line that is not empty, each with its quotation marks.
    mutating func next() -> [Range<Int>]? {
        let bytes = text.bytes
        while offset < bytes.count, [0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { return nil }
        var cells: [Range<Int>] = []
        while true {
            let start = offset
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") {
                offset += 1
                while offset < bytes.count {
                    if bytes[offset] == UInt8(ascii: "\"") {
                        guard offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "\"") else { break }
                        offset += 1
                    }
                    offset += 1
                }
                guard offset < bytes.count else {
                    unterminated = start
                    return nil
                }
                offset += 1
            }
            while offset < bytes.count, bytes[offset] != separator, bytes[offset] != 0x0A, bytes[offset] != 0x0D {
                offset += 1
            }
            cells.append(start..<offset)
            guard offset < bytes.count, bytes[offset] == separator else { return cells }
            offset += 1
        }
    }

    /// The text of a cell.
    func value(_ cell: Range<Int>) -> String { Self.value(text.bytes[cell]) }

    /// The text of a cell that is written with or without quotation marks.
    static func value(_ cell: ArraySlice<UInt8>) -> String {
        guard cell.first == UInt8(ascii: "\"") else { return String(decoding: cell, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cell.count)
        var index = cell.startIndex + 1
        while index < cell.endIndex {
            if cell[index] == UInt8(ascii: "\"") {
                index += 1
                guard index < cell.endIndex, cell[index] == UInt8(ascii: "\"") else { break }
            }
            bytes.append(cell[index])
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
