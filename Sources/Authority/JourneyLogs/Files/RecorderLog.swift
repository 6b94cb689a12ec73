import Diagnostics
import JSON

/// Logs of the journey recorder: their rows by session. Messages stay in the files until a session is read, so a log of
/// 100 MB needs little more than its own size.
public struct RecorderLog: Sendable {
    /// The rows of one sign-in, refresh or other use of a policy: those with the same correlation id and policy.
    public struct Entry: Sendable {
        /// Empty if no row has one.
        public var correlationID: String
        public var policyID: String?
        var rows: [FoundRow]

        /// When the first row was written.
        public var start: RecorderTime? { rows.lazy.compactMap(\.time).min() }
    }

    /// In the order in which they began.
    public private(set) var entries: [Entry] = []
    /// What could not be read of the files, and what is worth saying about them.
    public private(set) var findings: [Diagnostic] = []
    /// The tenants that rows name, in order.
    public private(set) var tenants: [String] = []

    /// The largest file that is read, in bytes.
    public static let limit = 1 << 30

    /// Reads files.
    ///
    /// - Throws: ``InvalidInput`` with the findings of all files if one of them is not a log.
    public init(files: [(file: String, bytes: [UInt8])]) throws(InvalidInput) {
        var rows: [FoundRow] = []
        var failures: [Diagnostic] = []
        var foreign = 0
        for (file, bytes) in files {
            do throws(InvalidInput) {
                let reader = try RowReader(LogText(file: file, bytes: bytes))
                rows += reader.rows
                findings += reader.findings
                foreign += reader.foreign
            } catch {
                failures += error.diagnostics
            }
        }
        guard failures.isEmpty else { throw InvalidInput(diagnostics: failures + findings) }
        if foreign > 0 {
            findings.append(
                Diagnostic(
                    .advice, rule: RowReader.RowRule.row,
                    "\(foreign) \(foreign == 1 ? "row is" : "rows are") of other programs and not read",
                    remedy: "Add to the query: | where customDimensions.EventName startswith 'Journey Recorder'"))
        }
        sort(rows)
        if tenants.count > 1 {
            findings.append(
                Diagnostic(
                    .advice, rule: RowReader.RowRule.mixed,
                    "the log has rows of \(tenants.count) tenants: \(namesList(tenants, limit: 5))",
                    remedy: "Choose one in the query: | where customDimensions.Tenant == '\(tenants[0])'",
                    at: rows.first { row in row.dimensions.tenant.map { !Self.isSame($0, tenants[0]) } ?? false }?
                        .location))
        }
        let sampled = rows.filter { $0.itemCount > 1 }.count
        if sampled > 0 {
            findings.append(
                Diagnostic(
                    .warning, rule: RowReader.RowRule.sampled,
                    "the log was sampled: \(sampled) of \(rows.count) rows stand for several, so sessions lack requests",
                    remedy: "Switch sampling off in Application Insights > Usage and estimated costs > Data sampling.",
                    at: rows.first { $0.itemCount > 1 }?.location))
        }
    }

    private static func isSame(_ tenant: String, _ other: String) -> Bool { tenant.lowercased() == other.lowercased() }

    private mutating func sort(_ rows: [FoundRow]) {
        var places: [String: Int] = [:]
        /// The session of the last row that each machine wrote.
        var last: [String: Int] = [:]
        var named: Set<String> = []
        for row in rows {
            var row = row
            if row.dimensions.correlationID == nil || row.dimensions.userJourney == nil {
                let headers = Self.headers(row)
                row.dimensions.complete(
                    correlation: headers.correlation, policy: headers.policy, tenant: headers.tenant, event: nil)
            }
            let index: Int
            if let correlation = row.dimensions.correlationID {
                let key = correlation.lowercased() + " " + (row.dimensions.userJourney ?? "").lowercased()
                if let known = places[key] {
                    index = known
                } else {
                    index = entries.count
                    places[key] = index
                    entries.append(
                        Entry(correlationID: correlation, policyID: row.dimensions.userJourney, rows: []))
                }
            } else if let known = last[row.role ?? ""] {
                // A piece of a message without columns of its own follows the piece before it.
                index = known
            } else {
                index = entries.count
                entries.append(Entry(correlationID: "", policyID: row.dimensions.userJourney, rows: []))
            }
            last[row.role ?? ""] = index
            entries[index].rows.append(row)
            if let tenant = row.dimensions.tenant, named.insert(tenant.lowercased()).inserted { tenants.append(tenant) }
        }
        let starts = entries.map(\.start)
        let order = entries.indices.sorted { left, right in
            switch (starts[left], starts[right]) {
            case (let first?, let second?): (first, left) < (second, right)
            case (nil, nil): left < right
            // What has no time is last.
            case (let first, _): first != nil
            }
        }
        entries = order.map { entries[$0] }
    }

    /// What the headers of a message say, without reading it whole.
    private static func headers(_ row: FoundRow) -> (correlation: String?, policy: String?, tenant: String?) {
        let head = LogText(file: row.text.file, bytes: Array(row.decoded.utf8.prefix(4096)))
        func member(_ name: String) -> String? {
            guard let key = head.firstIndex(of: "\"\(name)\"") else { return nil }
            let parts = JSONParts(head.bytes)
            var offset = parts.afterSpace(key + name.utf8.count + 2)
            guard offset < head.bytes.count, head.bytes[offset] == UInt8(ascii: ":") else { return nil }
            offset = parts.afterSpace(offset + 1)
            var walk = parts
            guard let end = walk.endOfValue(at: offset) else { return nil }
            return (try? JSONParser.parse(Array(head.bytes[offset..<end])))?.stringValue
        }
        return (member("CorrelationId"), member("PolicyId"), member("TenantId"))
    }

    /// The sessions whose correlation id begins with a text; letter case does not count.
    public func entries(matching correlation: String) -> [Entry] {
        let wanted = correlation.lowercased()
        let exact = entries.filter { $0.correlationID.lowercased() == wanted }
        return exact.isEmpty && !wanted.isEmpty
            ? entries.filter { $0.correlationID.lowercased().hasPrefix(wanted) } : exact
    }

    /// Reads a session.
    public func session(_ entry: Entry) -> LogSession { LogSession(entry) }
}

extension FoundRow {
    /// The message as text.
    var decoded: String {
        switch coding {
        case .csv: CSVTable.value(text.bytes[message])
        case .value: String(decoding: text.bytes[message], as: UTF8.self)
        case .json:
            (try? JSONParser.parse(Array(text.bytes[message])))?.stringValue
                // The file is cut off within the text.
                ?? (try? JSONParser.parse(Array(text.bytes[message]) + [UInt8(ascii: "\"")]))?.stringValue ?? ""
        }
    }
}
