/// What programs do to a log that somebody copies: mails quote and wrap it, terminals list and wrap it.
enum PastedText {
    /// The text in the forms in which clips may be found in it, the text itself first.
    static func forms(of text: LogText) -> [LogText] {
        var forms = [text]
        for change in [withoutQuotes, withStraightMarks, withoutWraps] {
            if let last = forms.last, let changed = change(last.bytes) {
                forms.append(LogText(file: text.file, bytes: changed))
            }
        }
        return forms
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09].contains(byte) }

    /// Without the `>` before lines that a mail quotes.
    private static func withoutQuotes(_ bytes: [UInt8]) -> [UInt8]? {
        var changed: [UInt8] = []
        var isQuoted = false
        for line in lines(bytes) {
            var rest = line
            while rest.first(where: { !isBlank($0) }) == UInt8(ascii: ">") {
                rest = rest.drop(while: isBlank).dropFirst()
                if rest.first == 0x20 { rest = rest.dropFirst() }
                isQuoted = true
            }
            changed += rest
            changed.append(UInt8(ascii: "\n"))
        }
        return isQuoted ? changed : nil
    }

    /// Quotation marks as an editor of mails sets them, and those of HTML.
    private static let marks: [(written: String, plain: String)] = [
        ("\u{201C}", "\""), ("\u{201D}", "\""), ("\u{201E}", "\""), ("\u{201F}", "\""), ("\u{2033}", "\""),
        ("&quot;", "\""), ("&#34;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("\u{A0}", " "),
        ("&amp;", "&"),
    ]

    private static func withStraightMarks(_ bytes: [UInt8]) -> [UInt8]? {
        let marks = marks.map { (written: Array($0.written.utf8), plain: Array($0.plain.utf8)) }
        let firsts = Set(marks.compactMap(\.written.first))
        var changed: [UInt8] = []
        changed.reserveCapacity(bytes.count)
        var index = 0
        var isChanged = false
        while index < bytes.count {
            let found = firsts.contains(bytes[index]) ? marks.first { bytes[index...].starts(with: $0.written) } : nil
            if let found {
                changed += found.plain
                index += found.written.count
                isChanged = true
            } else {
                changed.append(bytes[index])
                index += 1
            }
        }
        return isChanged ? changed : nil
    }

    /// Without the line ends within clips: a text of JSON has none, and between values they say nothing.
    private static func withoutWraps(_ bytes: [UInt8]) -> [UInt8]? {
        let lines = lines(bytes)
        guard lines.count > 1 else { return nil }
        // Lines that end within a text and are all as long were broken at that width, others at a blank.
        var widths: [Int: Int] = [:]
        _ = joined(lines) { line in
            widths[width(of: line), default: 0] += 1
            return false
        }
        let most = widths.max { ($0.value, $0.key) < ($1.value, $1.key) }
        let isHard = most.map { $0.value * 2 > widths.values.reduce(0, +) } ?? false
        // Words are also broken behind a hyphen.
        return joined(lines) { line in
            !isHard && line.last.map { !isBlank($0) && $0 != UInt8(ascii: "-") } ?? false
        }
    }

    /// In characters.
    private static func width(of line: ArraySlice<UInt8>) -> Int { line.count { $0 & 0xC0 != 0x80 } }

    /// The lines as one text.
    ///
    /// - Parameter needsBlank: Whether a line that ends within a text was broken at a blank.
    private static func joined(_ lines: [ArraySlice<UInt8>], _ needsBlank: (ArraySlice<UInt8>) -> Bool) -> [UInt8] {
        var changed: [UInt8] = []
        var isInText = false
        var isEscaped = false
        for (number, line) in lines.enumerated() {
            // Between values a line end says nothing, and a terminal may break a word such as `true`.
            if number > 0, isInText, needsBlank(lines[number - 1]) { changed.append(0x20) }
            let content = line.drop(while: isBlank)
            // A few blanks within a text are its own, many are the indentation of a listing.
            if isInText, content.startIndex - line.startIndex < 4 { changed += line[..<content.startIndex] }
            for index in content.indices {
                let byte = content[index]
                changed.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\"), isInText {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText.toggle()
                } else if byte == UInt8(ascii: "{"),
                    content[(index + 1)...].drop(while: isBlank).starts(with: "\"Kind\"".utf8)
                {
                    // The text before a clip may have an odd number of quotation marks.
                    isInText = false
                }
            }
        }
        return changed
    }

    // MARK: Listings

    /// A row of a listing: `Format-List` of PowerShell writes a property a line, its value behind a colon and wrapped below
    /// itself.
    struct ListedRow {
        /// Where it begins.
        var place: Int
        var cells: [(column: LogColumn, value: String)] = []

        subscript(column: LogColumn) -> String? { cells.first { $0.column == column }?.value }
    }

    /// - Returns: No rows if the text is not a listing with a property `message`.
    static func listing(_ text: LogText) -> [ListedRow] {
        struct Property {
            var name: LogColumn?
            var place: Int
            var indent: Int
            var lines: [String]
        }
        var properties: [Property] = []
        var place = 0
        var isOpen = false
        for line in text.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { place += line.count + 1 }
            let string = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            if let found = string.prefixMatch(of: #/([A-Za-z_][A-Za-z0-9_ .\/]{0,40}?) *: /#) {
                isOpen = true
                let indent = string.distance(from: string.startIndex, to: found.range.upperBound)
                properties.append(
                    Property(
                        name: LogColumn(String(found.1)), place: place, indent: indent,
                        lines: [String(string[found.range.upperBound...])]))
            } else if isOpen, let indent = properties.last?.indent, string.prefix(indent).allSatisfy({ $0 == " " }),
                string.count > indent
            {
                properties[properties.count - 1].lines.append(String(string.dropFirst(indent)))
            } else {
                isOpen = false
            }
        }
        let width = properties.flatMap { one in one.lines.map { $0.count + one.indent } }.max() ?? 0
        var rows: [ListedRow] = []
        for property in properties {
            guard let column = property.name else { continue }
            if rows.last.map({ $0[column] != nil }) ?? true { rows.append(ListedRow(place: property.place)) }
            var value = ""
            for (number, line) in property.lines.enumerated() {
                value += line
                // A line that could have been longer was broken at a blank, which editors drop.
                let isLast = number == property.lines.count - 1
                if !isLast, line.count + property.indent < width, line.last != " " { value += " " }
            }
            rows[rows.count - 1].cells.append((column, value))
        }
        return rows.contains { $0[.message] != nil } ? rows : []
    }
}
