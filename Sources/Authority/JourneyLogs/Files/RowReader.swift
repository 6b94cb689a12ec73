import Diagnostics
import JSON

/// Finds the rows of a log in one file, whichever program wrote it. Messages stay in the file until they are needed.
struct RowReader {
    let text: LogText
    private(set) var rows: [FoundRow] = []
    /// What could not be read, and what is worth saying.
    private(set) var findings: [Diagnostic] = []
    /// How many rows have each of the problems that a row can have, in the order in which they were met.
    private var faulty: [(problem: RowProblem, count: Int)] = []
    /// Rows that other programs wrote.
    private(set) var foreign = 0

    /// Ids of findings.
    enum RowRule {
        static let notALog = "B2C-LOG-001"
        static let cut = "B2C-LOG-002"
        static let row = "B2C-LOG-003"
        static let pieces = "B2C-LOG-004"
        static let doubled = "B2C-LOG-005"
        static let sampled = "B2C-LOG-006"
        static let mixed = "B2C-LOG-007"
        static let beginning = "B2C-LOG-010"
    }

    /// What can be wrong with a row. Each is shown with its first places: a broken export has it in every row.
    private enum RowProblem: Equatable {
        case notARow, noMessage, cells, time

        static let shown = 5

        /// What the rows have in common, behind "N more rows".
        var text: String {
            switch self {
            case .notARow: "are not rows of a log"
            case .noMessage: "have no message"
            case .cells: "have another number of cells"
            case .time: "have no time that can be read"
            }
        }
    }

    private mutating func note(
        _ problem: RowProblem, _ headline: @autoclosure () -> String, _ remedy: String, at place: Int
    ) {
        let index = faulty.firstIndex { $0.problem == problem } ?? faulty.count
        if index == faulty.count { faulty.append((problem, 0)) }
        faulty[index].count += 1
        guard faulty[index].count <= RowProblem.shown else { return }
        findings.append(
            Diagnostic(.warning, rule: RowRule.row, headline(), remedy: remedy, at: text.location(at: place)))
    }

    private mutating func noteMore() {
        for (problem, count) in faulty where count > RowProblem.shown {
            let more = count - RowProblem.shown
            findings.append(
                Diagnostic(
                    .warning, rule: RowRule.row,
                    "\(more) more \(more == 1 ? "row" : "rows") \(problem.text): the first \(RowProblem.shown) are listed",
                    remedy: "Fix the export first: the same is wrong with all of them.",
                    at: SourceLocation(file: text.file)))
        }
    }

    private static let howToExport =
        "Run the query in Application Insights > Logs and export its answer as CSV, or save the answer of the query API."

    init(_ text: LogText) throws(InvalidInput) {
        self.text = text
        try checkKind()
        let start = afterSpace(text.start)
        switch text.bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if !isDoubledJSON(at: start) { try readValues(from: start) } else { try readFragment() }
        default:
            if let table = CSVTable(text, from: start) {
                read(table)
            } else {
                let listing = PastedText.listing(text)
                if listing.isEmpty { try readFragment() } else { read(listing) }
            }
        }
        settle()
        noteMore()
        if rows.isEmpty, findings.isEmpty, foreign == 0 {
            throw InvalidInput(
                Diagnostic(
                    rule: RowRule.notALog, "the log has no rows",
                    remedy:
                        "Check the time range, that the policy has UserJourneyRecorderEndpoint and JourneyInsights, and wait five "
                        + "minutes: Application Insights receives rows late.",
                    at: SourceLocation(file: text.file, line: 1, column: 1)))
        }
    }

    private func afterSpace(_ offset: Int) -> Int {
        var offset = offset
        while offset < text.bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(text.bytes[offset]) { offset += 1 }
        return offset
    }

    private func checkKind() throws(InvalidInput) {
        let bytes = text.bytes
        let start = afterSpace(text.start)
        var complaint: (text: String, remedy: String)?
        if start == bytes.count {
            complaint = ("the file is empty", Self.howToExport)
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            complaint = ("this is a compressed file (gzip)", "Unpack it: gunzip -k \(text.file)")
        } else if bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            complaint = (
                "this is a ZIP archive or an Excel workbook", "Export the rows as CSV, or unpack the archive."
            )
        } else if bytes[start] == UInt8(ascii: "<") {
            complaint = (
                "this is HTML or XML, not a log",
                "The service answered with a page, often its sign-in page. Get a new token and export again."
            )
        }
        guard let complaint else { return }
        throw InvalidInput(
            Diagnostic(
                rule: RowRule.notALog, complaint.text, remedy: complaint.remedy,
                at: SourceLocation(file: text.file, line: 1, column: 1)))
    }

    // MARK: JSON

    /// JSON whose quotation marks are doubled or escaped: the cell of a table, or a text of JSON, without its own marks.
    private func isDoubledJSON(at start: Int) -> Bool {
        let head = text.bytes[start...].prefix(64).filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        for mark in ["{\"\"", "[\"\"", "{\\\"", "[\\\"", "[{\"\"", "[{\\\""] where head.starts(with: Array(mark.utf8)) {
            // An empty name is not one of ours.
            return true
        }
        return false
    }

    /// One JSON value after another: an answer of an API, or JSON lines.
    private mutating func readValues(from start: Int) throws(InvalidInput) {
        var offset = start
        var isFirst = true
        var clips: [Range<Int>] = []
        while offset < text.bytes.count {
            guard text.bytes[offset] == UInt8(ascii: "{") || text.bytes[offset] == UInt8(ascii: "[") else {
                if isFirst || clips.isEmpty { note(cut: offset) }
                break
            }
            var parts = JSONParts(text.bytes)
            let end = parts.endOfValue(at: offset)
            try read(offset..<(end ?? text.bytes.count), isWhole: end != nil, clips: &clips)
            guard let end else {
                if rows.isEmpty, clips.isEmpty, findings.isEmpty { note(cut: text.bytes.count) }
                break
            }
            offset = afterSpace(end)
            if offset < text.bytes.count, text.bytes[offset] == UInt8(ascii: ",") { offset = afterSpace(offset + 1) }
            isFirst = false
        }
        if !clips.isEmpty || (rows.isEmpty && foreign == 0 && text.firstIndex(of: "Kind") != nil) {
            let isCut = !findings.isEmpty
            (findings, faulty) = ([], [])
            // Whole messages before it are rows.
            try readFragment(from: rows.isEmpty ? text.start : clips[0].lowerBound)
            if isCut, findings.isEmpty { note(cut: text.bytes.count) }
        }
    }

    private mutating func note(cut offset: Int) {
        let isEnd = offset >= text.bytes.count
        findings.append(
            Diagnostic(
                .warning, rule: RowRule.cut,
                isEnd ? "the file is cut off here" : "this is not JSON, so the rest of the file is not read",
                remedy: "Export the log again. What is before this place is read.", at: text.location(at: offset)))
    }

    /// Lists of lists are read down to here: each is looked through again for those in it.
    private static let deepest = 4

    private mutating func read(
        _ range: Range<Int>, isWhole: Bool, clips: inout [Range<Int>], depth: Int = 0
    ) throws(InvalidInput) {
        var parts = JSONParts(text.bytes)
        if text.bytes[range.lowerBound] == UInt8(ascii: "["), depth < Self.deepest {
            var elements: [Range<Int>] = []
            parts.elements(at: range.lowerBound) { elements.append($0) }
            guard let first = elements.first else { return }
            switch kind(of: first) {
            case .clip:
                // A line end within a text of JSON is that of a terminal or of a mail.
                if isWhole, (try? JSONParser.parse(Array(text.bytes[range]))) != nil {
                    addMessage(range, .value, at: range.lowerBound)
                } else {
                    clips.append(range)
                }
                return
            default:
                for element in elements { try read(element, isWhole: true, clips: &clips, depth: depth + 1) }
            }
            if !isWhole { note(cut: text.bytes.count) }
            return
        }
        var members: [(name: String, range: Range<Int>)] = []
        parts.members(at: range.lowerBound) { members.append(($0, $1)) }
        switch Self.kind(of: members.map(\.name)) {
        case .tables:
            for member in members where member.name.lowercased() == "tables" { readTables(member.range) }
        case .events:
            for member in members where member.name == "value" {
                var elements: [Range<Int>] = []
                var inner = JSONParts(text.bytes)
                inner.elements(at: member.range.lowerBound) { elements.append($0) }
                for element in elements { readRow(element) }
                if inner.fault != nil { note(cut: inner.fault ?? text.bytes.count) }
            }
        case .clip: clips.append(range)
        case .failure: throw InvalidInput(failure(range))
        case .row: readRow(range, members)
        case .other:
            note(
                .notARow,
                "this object is not a row of a log: it has "
                    + (members.isEmpty ? "no members" : namesList(members.map(\.name), limit: 5)),
                "Rows have the columns timestamp, message and customDimensions. \(Self.howToExport)",
                at: range.lowerBound)
        }
        if !isWhole, parts.fault != nil, rows.isEmpty == false { note(cut: text.bytes.count) }
    }

    private enum Kind { case tables, events, clip, failure, row, other }

    private func kind(of range: Range<Int>) -> Kind {
        guard text.bytes[range.lowerBound] == UInt8(ascii: "{") else { return .other }
        var names: [String] = []
        var parts = JSONParts(text.bytes)
        parts.members(at: range.lowerBound) { name, _ in names.append(name) }
        return Self.kind(of: names)
    }

    private static func kind(of names: [String]) -> Kind {
        if names.contains(where: { $0.lowercased() == "tables" }) { return .tables }
        if names.contains("Kind") { return .clip }
        let columns = names.compactMap { LogColumn($0) }
        if columns.contains(.message) || columns.contains(.dimensions) || names.contains("trace") { return .row }
        if names.contains("value") { return .events }
        if names.contains("error") { return .failure }
        return .other
    }

    private func failure(_ range: Range<Int>) -> Diagnostic {
        let value = (try? JSONParser.parse(Array(text.bytes[range]))) ?? .null
        let error = value["error"] ?? .null
        let words = [error["code"]?.stringValue, error["message"]?.stringValue].compactMap { $0 }
        return Diagnostic(
            rule: RowRule.notALog,
            "the service answered with an error instead of a log: "
                + (words.isEmpty ? JSONWriter.compact(error) : words.joined(separator: ": ")),
            remedy: "Save the answer to a query that succeeds.",
            at: text.location(at: range.lowerBound))
    }

    private mutating func readTables(_ range: Range<Int>) {
        var tables: [Range<Int>] = []
        var parts = JSONParts(text.bytes)
        parts.elements(at: range.lowerBound) { tables.append($0) }
        if tables.isEmpty, parts.fault != nil { tables = [afterSpace(range.lowerBound + 1)..<range.upperBound] }
        for table in tables {
            var columns: [LogColumn?] = []
            var rowsRange: Range<Int>?
            var inner = JSONParts(text.bytes)
            inner.members(at: table.lowerBound) { name, range in
                switch name.lowercased() {
                case "columns":
                    let value = (try? JSONParser.parse(Array(text.bytes[range])))?.arrayValue ?? []
                    columns = value.map { column in
                        (column["name"] ?? column["ColumnName"])?.stringValue.flatMap { LogColumn($0) }
                    }
                case "rows": rowsRange = range
                default: break
                }
            }
            guard let rowsRange else {
                if inner.fault != nil { note(cut: inner.fault ?? table.upperBound) }
                continue
            }
            guard columns.contains(.message) else {
                // A second table with statistics of the query is normal.
                if tables.count == 1 {
                    findings.append(
                        Diagnostic(
                            .warning, rule: RowRule.row, "the table has no column message",
                            remedy:
                                "End the query with: | project timestamp, message, customDimensions, cloud_RoleInstance, itemId",
                            at: text.location(at: table.lowerBound)))
                }
                continue
            }
            var rowParts = JSONParts(text.bytes)
            var ranges: [Range<Int>] = []
            rowParts.elements(at: rowsRange.lowerBound) { ranges.append($0) }
            for range in ranges {
                var cells: [Range<Int>] = []
                var cellParts = JSONParts(text.bytes)
                cellParts.elements(at: range.lowerBound) { cells.append($0) }
                var members: [(column: LogColumn, range: Range<Int>)] = []
                for (column, cell) in zip(columns, cells) {
                    if let column { members.append((column, cell)) }
                }
                if cells.count != columns.count {
                    note(
                        .cells, "the row has \(cells.count) cells, the table has \(columns.count) columns",
                        "Export the log again.", at: range.lowerBound)
                }
                addRow(members, at: range.lowerBound)
            }
            if let fault = rowParts.fault { note(cut: fault) }
        }
    }

    private mutating func readRow(_ range: Range<Int>) {
        var members: [(name: String, range: Range<Int>)] = []
        var parts = JSONParts(text.bytes)
        parts.members(at: range.lowerBound) { members.append(($0, $1)) }
        readRow(range, members)
    }

    private mutating func readRow(_ range: Range<Int>, _ members: [(name: String, range: Range<Int>)]) {
        var found: [(column: LogColumn, range: Range<Int>)] = []
        for member in members {
            if let column = LogColumn(member.name) {
                found.append((column, member.range))
            } else if member.name == "trace" || member.name == "cloud",
                text.bytes[member.range.lowerBound] == UInt8(ascii: "{")
            {
                var inner = JSONParts(text.bytes)
                inner.members(at: member.range.lowerBound) { name, range in
                    if let column = LogColumn("\(member.name)/\(name)") { found.append((column, range)) }
                }
            }
        }
        guard found.contains(where: { $0.column == .message }) else {
            // Tables of other programs' requests and dependencies have none.
            if let range = found.first(where: { $0.column == .dimensions })?.range,
                let value = try? JSONParser.parse(Array(text.bytes[range])), !RecorderDimensions(value).isOfRecorder
            {
                foreign += 1
                return
            }
            note(.noMessage, "the row has no message", Self.howToExport, at: range.lowerBound)
            return
        }
        addRow(found, at: range.lowerBound)
    }

    private mutating func addRow(_ members: [(column: LogColumn, range: Range<Int>)], at place: Int) {
        func value(_ column: LogColumn) -> JSONValue? {
            guard let range = members.first(where: { $0.column == column })?.range else { return nil }
            return try? JSONParser.parse(Array(text.bytes[range]))
        }
        func cell(_ column: LogColumn) -> String? { value(column)?.stringValue }
        guard let message = members.first(where: { $0.column == .message })?.range else { return }
        var dimensions = value(.dimensions).map { RecorderDimensions($0) } ?? RecorderDimensions.unknown
        dimensions.complete(
            correlation: cell(.correlation), policy: cell(.policy), tenant: cell(.tenant), event: cell(.event))
        var row = FoundRow(
            text: text, place: place, time: cell(.time).flatMap { RecorderTime($0) }, dimensions: dimensions,
            message: message, coding: text.bytes[message.lowerBound] == UInt8(ascii: "\"") ? .json : .value)
        row.role = cell(.role)
        row.item = cell(.item)
        row.itemCount =
            value(.itemCount).flatMap { $0.intValue ?? $0.stringValue.flatMap { Int64($0) } }
            .map { Int(clamping: $0) } ?? 1
        if row.time == nil, let written = cell(.time) { note(time: written, at: place) }
        add(row)
    }

    /// The cell is not repeated: with columns in the wrong order it may be anything, such as somebody's address.
    private mutating func note(time: String, at place: Int) {
        note(
            .time,
            "the \(time.count) characters of the column timestamp are not a time, so the order of this row is not known",
            "Write times as 2026-11-02T09:10:11.1234567Z: export JSON, or CSV in UTC.", at: place)
    }

    private mutating func addMessage(_ range: Range<Int>, _ coding: FoundRow.Coding, at place: Int) {
        add(FoundRow(text: text, place: place, dimensions: .unknown, message: range, coding: coding))
    }

    private mutating func add(_ row: FoundRow) {
        if row.dimensions.isForeign { foreign += 1 } else { rows.append(row) }
    }

    /// Drops what other programs wrote into the same table. A row that does not name its program is the recorder's if it begins
    /// like a message, or may be a piece of one that is cut off.
    private mutating func settle() {
        guard rows.contains(where: { !$0.dimensions.isOfRecorder }) else { return }
        let beginnings = rows.map { row in
            row.dimensions.isOfRecorder ? nil : row.decoded.prefix(256).filter { !$0.isWhitespace }
        }
        let isFirst = beginnings.map { head in
            head.map { ($0.hasPrefix("[{") || $0.hasPrefix("{")) && $0.contains("\"Kind\"") }
        }
        // The pieces of a message are as long as its first one; the last ends it.
        func isEnd(_ text: String) -> Bool { text.last { !$0.isWhitespace } == "]" }
        var open: Set<Int> = []
        for (index, row) in rows.enumerated() where isFirst[index] != false {
            let text = row.decoded
            if !isEnd(text) { open.insert(text.utf16.count) }
        }
        func isPiece(_ text: String) -> Bool { !open.isEmpty && (isEnd(text) || open.contains(text.utf16.count)) }
        var kept: [FoundRow] = []
        for (index, row) in rows.enumerated() {
            if isFirst[index] ?? true || isPiece(row.decoded) {
                kept.append(row)
            } else {
                foreign += 1
            }
        }
        rows = kept
    }

    // MARK: CSV

    private mutating func read(_ table: CSVTable) {
        var table = table
        let width = table.columns.count
        let places = Dictionary(
            table.columns.enumerated().compactMap { index, column in column.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        guard let message = places[.message] else { return }
        while let cells = table.next() {
            func cell(_ column: LogColumn) -> String? {
                guard let index = places[column], index < cells.count else { return nil }
                let text = table.value(cells[index])
                return text.isEmpty ? nil : text
            }
            let place = cells[0].lowerBound
            if cells.count != width {
                note(
                    .cells, "the row has \(cells.count) cells, the first line names \(width)",
                    "Export as CSV again: cells with separators or line ends need quotation marks around them.",
                    at: place)
                guard message < cells.count else { continue }
            }
            var dimensions = cell(.dimensions).map { RecorderDimensions(.string($0)) } ?? .unknown
            dimensions.complete(
                correlation: cell(.correlation), policy: cell(.policy), tenant: cell(.tenant), event: cell(.event))
            var row = FoundRow(
                text: text, place: place, time: cell(.time).flatMap { RecorderTime($0) }, dimensions: dimensions,
                message: cells[message], coding: .csv)
            row.role = cell(.role)
            row.item = cell(.item)
            row.itemCount = cell(.itemCount).flatMap { Int($0) } ?? 1
            if row.time == nil, let written = cell(.time) { note(time: written, at: place) }
            add(row)
        }
        if let open = table.unterminated {
            findings.append(
                Diagnostic(
                    .warning, rule: RowRule.cut,
                    "the quotation mark of this cell is not closed: the file is cut off",
                    remedy: "Export the log again. The rows before this one are read.", at: text.location(at: open)))
        }
    }

    /// Rows of a listing. Their values are joined, so they follow the text of the file.
    private mutating func read(_ listing: [PastedText.ListedRow]) {
        var bytes = text.bytes
        let messages = listing.map { row in
            let start = bytes.count
            bytes += Array((row[.message] ?? "").utf8)
            return start..<bytes.count
        }
        let joined = LogText(file: text.file, bytes: bytes)
        for (row, message) in zip(listing, messages) {
            guard !message.isEmpty else {
                note(.noMessage, "the row has no message", Self.howToExport, at: row.place)
                continue
            }
            var dimensions = row[.dimensions].map { RecorderDimensions(.string($0)) } ?? .unknown
            dimensions.complete(
                correlation: row[.correlation], policy: row[.policy], tenant: row[.tenant], event: row[.event])
            var found = FoundRow(
                text: joined, place: row.place, time: row[.time].flatMap { RecorderTime($0) }, dimensions: dimensions,
                message: message, coding: .value)
            found.role = row[.role]
            found.item = row[.item]
            if found.time == nil, let written = row[.time] { note(time: written, at: row.place) }
            add(found)
        }
    }

    // MARK: Fragments

    /// What somebody pasted: a message or a part of one, perhaps with text around it, with escaped or doubled quotation
    /// marks. Every clip that is whole is read.
    private mutating func readFragment(from start: Int? = nil) throws(InvalidInput) {
        let text = start.map { LogText(file: self.text.file, bytes: Array(self.text.bytes[$0...])) } ?? self.text
        // The first form in which all clips are whole, else that with most of them.
        var found = ClipSearch(text)
        var isPlain = found.isPlain
        if found.clips.isEmpty || found.lost != nil {
            for form in PastedText.forms(of: text).dropFirst() {
                let other = ClipSearch(form)
                if other.clips.count > found.clips.count { (found, isPlain) = (other, false) }
            }
        }
        guard !found.clips.isEmpty else {
            let isClip = found.lost != nil
            throw InvalidInput(
                Diagnostic(
                    rule: isClip ? RowRule.cut : RowRule.notALog,
                    isClip ? "no clip of this message is whole" : "this is not a log of the journey recorder",
                    remedy: isClip ? "Copy the whole cell of the column message." : Self.howToExport,
                    at: SourceLocation(file: text.file, line: 1, column: 1)))
        }
        if let lost = found.lost {
            findings.append(
                Diagnostic(
                    .warning, rule: RowRule.cut,
                    "a clip is cut off here; \(found.clips.count) \(found.clips.count == 1 ? "clip is" : "clips are") read",
                    remedy: "Copy the whole cell of the column message.",
                    at: isPlain ? text.location(at: lost) : SourceLocation(file: text.file, line: 1)))
        }
        let bytes = JSONWriter.compactBytes(.array(found.clips))
        let whole = LogText(file: text.file, bytes: bytes)
        var row = FoundRow(text: whole, place: 0, dimensions: .unknown, message: 0..<bytes.count, coding: .value)
        row.isCut = found.lost != nil
        add(row)
    }
}

/// The clips of a text that is a message or a part of one.
struct ClipSearch {
    /// Those that are whole, in order.
    private(set) var clips: [JSONValue] = []
    /// Where the first one begins that is not.
    private(set) var lost: Int?
    /// Whether places are those of the text, because its quotation marks were neither doubled nor escaped.
    let isPlain: Bool

    init(_ text: LogText) {
        let plain = Self.plain(text)
        isPlain = plain === text
        var offset = 0
        var budget = Self.budget + 8 * plain.bytes.count
        while let brace = Self.clip(in: plain, from: offset), budget > 0 {
            var parts = JSONParts(plain.bytes)
            let end = parts.endOfValue(at: brace)
            guard let end, let value = try? JSONParser.parse(Array(plain.bytes[brace..<end])) else {
                lost = lost ?? brace
                budget -= (end ?? parts.fault ?? plain.bytes.count) - brace
                // Another clip may begin within this one.
                offset = brace + 1
                continue
            }
            clips.append(value)
            offset = end
        }
    }

    /// How many bytes of clips that are not whole are read, besides eight times the text: each may go to the end of the text,
    /// and one may begin in another.
    private static let budget = 1 << 20

    /// The place of the brace of the next clip.
    private static func clip(in text: LogText, from start: Int) -> Int? {
        var from = start
        while let key = text.firstIndex(of: "\"Kind\"", from: from) {
            var brace = key - 1
            while brace >= start, [0x20, 0x09, 0x0A, 0x0D].contains(text.bytes[brace]) { brace -= 1 }
            if brace >= start, text.bytes[brace] == UInt8(ascii: "{") { return brace }
            from = key + 6
        }
        return nil
    }

    /// The text without the second layer of quotation marks: a cell of a table or a text of JSON without its own marks.
    private static func plain(_ text: LogText) -> LogText {
        let isEscaped = text.firstIndex(of: "\\\"Kind\\\"") != nil
        guard isEscaped || text.firstIndex(of: "\"\"Kind\"\"") != nil else { return text }
        let mark = isEscaped ? UInt8(ascii: "\\") : UInt8(ascii: "\"")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.bytes.count)
        var index = 0
        while index < text.bytes.count {
            let next = index + 1 < text.bytes.count ? text.bytes[index + 1] : 0
            if text.bytes[index] == mark, isEscaped ? next != 0 : next == UInt8(ascii: "\"") {
                index += 1
                // Escaped line ends between values are blanks.
                if isEscaped, [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(next) {
                    bytes.append(0x20)
                    index += 1
                    continue
                }
            }
            bytes.append(text.bytes[index])
            index += 1
        }
        return LogText(file: text.file, bytes: bytes)
    }
}

extension RecorderDimensions {
    /// Of a row that has none.
    static let unknown = RecorderDimensions(
        correlationID: nil, eventName: nil, tenant: nil, userJourney: nil, version: nil)

    /// Columns of their own replace what is not in the dimensions.
    mutating func complete(correlation: String?, policy: String?, tenant: String?, event: String?) {
        correlationID = correlationID ?? correlation
        userJourney = userJourney ?? policy
        self.tenant = self.tenant ?? tenant
        eventName = eventName ?? event
    }
}
