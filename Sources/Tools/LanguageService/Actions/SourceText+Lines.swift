import Diagnostics

extension SourceText {
    /// The blanks that begin the line of an offset.
    func indentation(at offset: Int) -> String {
        let line = bytes[..<min(max(offset, 0), bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return String(decoding: bytes[line...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }

    /// What ends its first line, and so the lines that are written into it.
    var lineEnd: String {
        guard let end = bytes.firstIndex(of: 0x0A) else { return "\n" }
        return end > 0 && bytes[end - 1] == 0x0D ? "\r\n" : "\n"
    }
}
