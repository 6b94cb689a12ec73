import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON

/// A HAR file (HTTP Archive 1.1 to 1.3) as browsers' tools and proxies write it, read for what it shows of a flow.
public struct HARFile: Sendable {
    /// The exchanges in the order of their start.
    public private(set) var exchanges: [CapturedExchange] = []
    /// The program that wrote it: `WebInspector 537.36`.
    public private(set) var creator: String?
    /// What was passed over or could not be read, in sentences.
    public private(set) var notes: [String] = []

    /// The largest file that is read, in bytes.
    public static let limit = 256 << 20

    /// Reads a file. Entries are read one at a time, and bodies of pictures, fonts, style sheets and scripts are dropped,
    /// so memory is bounded by the file's size and the largest entry (``JSONLimits/bytes``).
    ///
    /// - Throws: ``InvalidInput`` for what is not a HAR file, with the place and what to do: not JSON, cut off, no `log`, no
    ///   `entries`, none in them, a version that is not known.
    public init(file: String, bytes: [UInt8]) throws(InvalidInput) {
        let source = SourceText(file: file, bytes: bytes)
        try Self.checkKind(bytes, file)
        var scanner = JSONParts(bytes)
        var log: Range<Int>?
        var names: [String] = []
        scanner.members(at: scanner.start) { name, range in
            names.append(name)
            if name == "log" { log = range }
        }
        guard let log else { throw InvalidInput(Self.noLog(names, scanner, source)) }
        let outer = scanner.fault
        var entries: Range<Int>?
        var version: String?
        var creator: String?
        scanner = JSONParts(bytes)
        scanner.members(at: log.lowerBound) { name, range in
            switch name {
            case "entries": entries = range
            case "version": version = Self.value(bytes[range])?.stringValue
            case "creator":
                if let value = Self.value(bytes[range]), let name = value["name"]?.stringValue {
                    creator = name + (value["version"]?.stringValue.map { " \($0)" } ?? "")
                }
            default: break
            }
        }
        self.creator = creator
        try checkVersion(version, source, at: log.lowerBound)
        guard let entries else {
            if let fault = scanner.fault { throw InvalidInput(Self.cut(source, at: fault, whole: 0)) }
            throw Self.refused(
                "B2C-IMPORT-003", "`log` has no `entries`", remedy: "Export the log again as a HAR file.",
                at: source.location(at: log.lowerBound, pointer: "/log"))
        }
        let inner = scanner.fault
        try read(entries, source)
        // Everything may be there but the last bracket: what else is missing nobody knows.
        if let fault = inner ?? outer { throw InvalidInput(Self.cut(source, at: fault, whole: exchanges.count)) }
    }

    private mutating func read(_ entries: Range<Int>, _ source: SourceText) throws(InvalidInput) {
        var scanner = JSONParts(source.bytes)
        var ranges: [Range<Int>] = []
        scanner.elements(at: entries.lowerBound) { ranges.append($0) }
        if let fault = scanner.fault { throw InvalidInput(Self.cut(source, at: fault, whole: ranges.count)) }
        guard !ranges.isEmpty else {
            throw Self.refused(
                "B2C-IMPORT-004", "the capture has no entries: nothing was recorded",
                remedy: "Open the tool before the flow begins, keep the log when the page changes, and export again.",
                at: source.location(at: entries.lowerBound, pointer: "/log/entries"))
        }
        var seen = Seen()
        for (index, range) in ranges.enumerated() {
            if range.count > JSONLimits.bytes {
                notes.append("Entry \(index + 1) has \(range.count / 1_048_576) MB and was passed over.")
            } else {
                read(try Self.entry(index, at: range, source), index + 1, &seen)
            }
        }
        notes += seen.notes
        exchanges = exchanges.enumerated()
            .sorted { ($0.element.started, $0.offset) < ($1.element.started, $1.offset) }.map(\.element)
    }

    private static func entry(
        _ index: Int, at range: Range<Int>, _ source: SourceText
    ) throws(InvalidInput) -> JSONValue {
        do throws(InvalidInput) {
            return try JSONParser.parse(Array(source.bytes[range]))
        } catch {
            let problem = error.diagnostics.first?.message ?? "it is not JSON"
            throw refused(
                "B2C-IMPORT-002", "entry \(index + 1) cannot be read: \(problem)", remedy: "Export the log again.",
                at: source.location(at: range.lowerBound, pointer: "/log/entries/\(index)"))
        }
    }

    /// What entries have besides exchanges.
    private struct Seen {
        var unreadable: [Int] = []
        /// How many requests were between services.
        var inside = 0
        var pages: Set<String> = []
        var last = Timestamp(milliseconds: 0)

        var notes: [String] {
            var notes: [String] = []
            if !unreadable.isEmpty {
                notes.append(
                    "\(HARFile.count(unreadable.count, "entry", "entries")) without a readable request or an address of the "
                        + "web passed over: \(HARFile.list(unreadable)).")
            }
            if pages.count > 1 {
                notes.append(
                    "The archive has \(pages.count) scenarios, each of a world of its own; the script plays them one after "
                        + "another in one. Write an archive of one scenario (--name, --case) to have it alone.")
            }
            if inside > 0 {
                notes.append(
                    "\(HARFile.count(inside, "request", "requests")) between services, which no app or browser sees, left out."
                )
            }
            return notes
        }
    }

    private mutating func read(_ entry: JSONValue, _ number: Int, _ seen: inout Seen) {
        let isOurs = entry["_endpoint"] != nil
        if isOurs, let page = entry["pageref"]?.stringValue { seen.pages.insert(page) }
        // An archive of our own has what services ask one another, which no capture from outside has.
        if isOurs, let from = entry["_from"]?.stringValue, from == "authority" || from == "api" {
            seen.inside += 1
        } else if let exchange = HAREntry(entry).exchange(place: "entry \(number)", after: seen.last) {
            seen.last = exchange.started
            exchanges.append(exchange)
        } else {
            seen.unreadable.append(number)
        }
    }

    // MARK: What is wrong

    private static func checkKind(_ bytes: [UInt8], _ file: String) throws(InvalidInput) {
        let isFlowFile =
            bytes.first.map { (48...57).contains($0) } ?? false && bytes.prefix(12).contains(UInt8(ascii: ":"))
        func refuse(_ isIt: Bool, _ what: String, remedy: String = "Export the capture as HAR.") throws(InvalidInput) {
            guard isIt else { return }
            throw refused("B2C-IMPORT-001", what, remedy: remedy, at: SourceLocation(file: file, line: 1, column: 1))
        }
        try refuse(
            bytes.count > limit, "the file has more than \(limit >> 20) MB",
            remedy: "Export only the requests of the sign-in: filter by host.")
        try refuse(
            bytes.starts(with: Array("PK\u{3}\u{4}".utf8)),
            "this is a ZIP archive, such as Fiddler's .saz or a zipped capture, not a HAR file",
            remedy: "Unpack it, or export the session as HTTPArchive 1.2.")
        try refuse(bytes.first == UInt8(ascii: "<"), "this is XML or HTML, not a HAR file")
        try refuse(
            isFlowFile, "this is a flow file of mitmproxy, not a HAR file",
            remedy: "Write one by: mitmdump -nr FILE --set hardump=capture.har")
        try refuse(bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }, "the file is empty")
    }

    private static func refused(
        _ rule: String, _ what: String, remedy: String, at place: SourceLocation
    ) -> InvalidInput {
        InvalidInput(Diagnostic(rule: rule, what, remedy: remedy, at: place))
    }

    private static func noLog(_ names: [String], _ scanner: JSONParts, _ source: SourceText) -> Diagnostic {
        if let fault = scanner.fault {
            if names.isEmpty, fault < source.bytes.count {
                return Diagnostic(
                    rule: "B2C-IMPORT-001", "this is not a HAR file: a JSON object with a member `log` is expected",
                    remedy: "Export the capture as HAR.", at: source.location(at: fault))
            }
            return cut(source, at: fault, whole: 0)
        }
        let isReport = names.contains("scenarios") && names.contains("seed")
        let known = names.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
        return Diagnostic(
            rule: "B2C-IMPORT-001",
            isReport
                ? "this is a JSON report of `b2c run`, not a HAR file"
                : "this is JSON, but no HAR file: it has no `log`" + (known.isEmpty ? "" : ", it has \(known)"),
            remedy: isReport ? "Run the scripts with --trace-har FILE." : "Export the capture as HAR.",
            at: source.location(at: scanner.start, pointer: ""))
    }

    private static func cut(_ source: SourceText, at offset: Int, whole: Int) -> Diagnostic {
        let isEnd = offset >= source.bytes.count
        let found = isEnd ? "the file is cut off" : "this is not JSON"
        let rest = whole == 0 ? "" : " after \(count(whole, "whole entry", "whole entries"))"
        return Diagnostic(
            rule: "B2C-IMPORT-002", "\(found)\(rest)",
            remedy: "Export the capture again, and wait until the tool has written it all.",
            at: source.location(at: max(0, min(offset, source.bytes.count - 1))))
    }

    private mutating func checkVersion(_ version: String?, _ source: SourceText, at offset: Int) throws(InvalidInput) {
        // The format's text says that a file without a version is 1.1.
        let version = version ?? "1.1"
        guard version.split(separator: ".").first == "1" else {
            throw Self.refused(
                "B2C-IMPORT-005", "HAR version \"\(version)\" is not known; 1.1, 1.2 and 1.3 are",
                remedy: "Export the capture as HAR 1.2.", at: source.location(at: offset, pointer: "/log/version"))
        }
        if !["1.1", "1.2", "1.3"].contains(version) { notes.append("HAR version \(version) was read as 1.2.") }
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
        do throws(InvalidInput) { return try JSONParser.parse(Array(bytes)) } catch { return nil }
    }

    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many)"
    }

    /// The first few of a list of numbers.
    private static func list(_ numbers: [Int]) -> String {
        numbers.prefix(8).map { String($0) }.joined(separator: ", ") + (numbers.count > 8 ? ", ..." : "")
    }
}
