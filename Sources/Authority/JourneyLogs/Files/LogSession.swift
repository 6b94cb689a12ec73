import Diagnostics
import JSON

/// What a log has about one use of a policy.
public struct LogSession: Sendable {
    /// A request of the browser or of an API.
    public struct Request: Sendable {
        /// When its row was written.
        public var time: RecorderTime?
        public var message: RecorderMessage
        /// Whether clips of it are missing.
        public var isPartial: Bool
        private let row: FoundRow

        init(_ row: FoundRow, _ message: RecorderMessage, isPartial: Bool) {
            time = row.time
            self.message = message
            self.isPartial = isPartial
            self.row = row
        }

        /// Where its row begins. Takes time in proportion to the file.
        public var location: SourceLocation { row.location }
    }

    public var correlationID: String
    /// Id of the policy as the log writes it.
    public var policyID: String?
    public var tenant: String?
    /// In the order in which they were made.
    public var requests: [Request] = []
    /// What is missing or doubled.
    public var findings: [Diagnostic] = []
    /// Whether requests or parts of them are known to be missing: the log was sampled or a piece is lost.
    public var isIncomplete = false

    init(_ entry: RecorderLog.Entry) {
        correlationID = entry.correlationID
        policyID = entry.policyID
        var joiner = PieceJoiner(entry.rows)
        joiner.run()
        requests = joiner.requests
        findings = joiner.findings
        isIncomplete = requests.contains(where: \.isPartial) || entry.rows.contains { $0.itemCount > 1 }
        let headers = requests.lazy.compactMap(\.message.headers)
        policyID = policyID ?? headers.compactMap(\.policyID).first
        tenant = headers.compactMap(\.tenantID).first ?? entry.rows.lazy.compactMap(\.dimensions.tenant).first
        if correlationID.isEmpty { correlationID = headers.compactMap(\.correlationID).first ?? "" }
        noteBeginning()
    }

    /// Requests that continue a journey. With others a session begins.
    private static let continuing = ["Event:API", "Event:SELFASSERTED", "Event:ClaimsExchange"]

    /// Whether the session is a request of the app for tokens alone, such as a refresh.
    public var isTokenRequest: Bool {
        requests.allSatisfy { $0.message.headers?.eventInstance?.lowercased() == "event:token" }
    }

    /// A session that began before the time of the log cannot be compared with a policy from its first step.
    private mutating func noteBeginning() {
        guard let first = requests.first else { return }
        let event = first.message.headers?.eventInstance
        if let event, !Self.continuing.contains(where: { $0.lowercased() == event.lowercased() }) { return }
        findings.append(
            Diagnostic(
                .advice, rule: RowReader.RowRule.beginning,
                "the beginning of this session is not in the log: "
                    + (event.map { "its first request is \($0)" } ?? "its first request has no headers"),
                remedy: "Export from an earlier time: the session began before it.", at: first.location))
    }
}

/// Makes messages of rows: puts pieces together that Application Insights cut, and says what is missing or doubled.
struct PieceJoiner {
    private struct Piece {
        var row: FoundRow
        var text: String
        /// Whether a message begins here.
        let isFirst: Bool

        init(_ row: FoundRow, _ text: String) {
            self.row = row
            self.text = text
            let head = text.utf8.prefix(64).filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            isFirst = head.starts(with: "[{\"".utf8) || head.starts(with: "{\"Kind\"".utf8)
        }
    }

    private var pieces: [Piece] = []
    /// Pieces that are not a message by themselves; `nil` when they have become a part of one.
    private var waiting: [Piece?] = []
    private(set) var requests: [LogSession.Request] = []
    private(set) var findings: [Diagnostic] = []
    /// How many messages are not whole.
    private var broken = 0

    /// How many orders of pieces are tried for one message.
    private static let attempts = 400
    /// Pieces of one message are written within this time (inferred; public logs have microseconds between them).
    private static let span: Int64 = 2000
    /// How many rows before and after the first piece of a message may have its other pieces.
    private static let reach = 64
    /// How many messages that are not whole are listed with their places.
    private static let listed = 5

    init(_ rows: [FoundRow]) {
        var seen: Set<String> = []
        var doubled: [FoundRow] = []
        let ordered = rows.enumerated().sorted { left, right in
            switch (left.element.time, right.element.time) {
            case (let first?, let second?): (first, left.offset) < (second, right.offset)
            default: left.offset < right.offset
            }
        }
        for (_, row) in ordered {
            let text = row.decoded
            // A file that is given twice, or two time ranges that overlap.
            guard seen.insert((row.time?.text ?? "") + " " + text).inserted else {
                doubled.append(row)
                continue
            }
            pieces.append(Piece(row, text))
        }
        if let first = doubled.first {
            findings.append(
                Diagnostic(
                    .advice, rule: RowReader.RowRule.doubled,
                    "\(doubled.count) \(doubled.count == 1 ? "row occurs" : "rows occur") twice and \(doubled.count == 1 ? "is" : "are") read once",
                    remedy: "Export time ranges that do not overlap.", at: first.location))
        }
    }

    mutating func run() {
        for piece in pieces {
            if let message = Self.message(piece.text) {
                requests.append(LogSession.Request(piece.row, message, isPartial: piece.row.isCut))
            } else {
                waiting.append(piece)
            }
        }
        for index in waiting.indices {
            guard let first = waiting[index], first.isFirst else { continue }
            waiting[index] = nil
            join(first, at: index)
        }
        for piece in waiting.compactMap(\.self) {
            salvage(piece, [], missing: "the pieces before this one are missing")
        }
        if broken > Self.listed {
            let more = broken - Self.listed
            findings.append(
                Diagnostic(
                    .warning, rule: RowReader.RowRule.pieces,
                    "\(more) more \(more == 1 ? "message is" : "messages are") not whole: the first \(Self.listed) are listed",
                    remedy: Self.exportAll, at: pieces.first.map { SourceLocation(file: $0.row.text.file) }))
        }
        requests = requests.enumerated().sorted { left, right in
            switch (left.element.time, right.element.time) {
            case (let first?, let second?): (first, left.offset) < (second, right.offset)
            default: left.offset < right.offset
            }
        }.map(\.element)
    }

    private static func message(_ text: String) -> RecorderMessage? {
        let text = text.trimmingWhitespace
        guard text.hasSuffix("]") || text.hasSuffix("}"), text.hasPrefix("[") || text.hasPrefix("{"),
            let value = try? JSONParser.parse(text)
        else { return nil }
        return RecorderMessage(value)
    }

    private mutating func join(_ first: Piece, at place: Int) {
        let near = max(0, place - Self.reach)..<min(waiting.count, place + Self.reach + 1)
        let candidates = near.filter { index in
            guard let other = waiting[index], !other.isFirst else { return false }
            if let role = first.row.role, let otherRole = other.row.role, role != otherRole { return false }
            guard let time = first.row.time, let otherTime = other.row.time else { return true }
            let distance = otherTime.timestamp.milliseconds - time.timestamp.milliseconds
            return abs(distance) <= Self.span
        }
        let others = candidates.compactMap { waiting[$0] }
        let search = Search(first: first.text, texts: others.map(\.text))
        var budget = Self.attempts
        guard let order = search.order(&budget), let message = Self.message(search.joined(order)) else {
            for index in candidates { waiting[index] = nil }
            let length = first.text.utf16.count
            salvage(first, others, missing: "a piece of it is missing, after \(length) characters or later")
            return
        }
        requests.append(LogSession.Request(first.row, message, isPartial: false))
        if order != order.sorted() || order.contains(where: { isBefore(others[$0].row, first.row) }) {
            findings.append(
                Diagnostic(
                    .advice, rule: RowReader.RowRule.pieces,
                    "the \(order.count + 1) pieces of this message were out of order and are joined",
                    remedy: "Order the query by timestamp, then itemId.", at: first.row.location))
        }
        for index in order { waiting[candidates[index]] = nil }
    }

    private func isBefore(_ row: FoundRow, _ other: FoundRow) -> Bool {
        guard let time = row.time, let otherTime = other.time else { return false }
        return time < otherTime
    }

    /// Reads the clips that are whole of pieces that do not make a message.
    private mutating func salvage(_ first: Piece, _ rest: [Piece], missing: String) {
        var clips: [RecorderClip] = []
        for piece in [first] + rest {
            clips += ClipSearch(LogText(file: piece.row.text.file, bytes: Array(piece.text.utf8))).clips.map {
                RecorderClip($0)
            }
        }
        broken += 1
        if broken <= Self.listed {
            let when = first.row.time.map { " of \($0.text)" } ?? ""
            findings.append(
                Diagnostic(
                    .warning, rule: RowReader.RowRule.pieces,
                    "the message\(when) is not whole: \(missing); \(clips.count) \(clips.count == 1 ? "clip" : "clips") of it can be read",
                    remedy: Self.exportAll, at: first.row.location))
        }
        if !clips.isEmpty {
            requests.append(LogSession.Request(first.row, RecorderMessage(clips: clips), isPartial: true))
        }
    }

    private static let exportAll =
        "Export all rows of the correlation id, with a time range that ends minutes after the sign-in."

    /// Finds the order in which pieces make one JSON text.
    private struct Search {
        let first: String
        let texts: [String]

        func joined(_ order: [Int]) -> String { order.reduce(into: first) { $0 += texts[$1] } }

        /// The places of the pieces that follow the first one; the order of time is tried first. A few of the pieces may be JSON
        /// without the others, so an order with all of them is looked for.
        func order(_ budget: inout Int) -> [Int]? {
            var best: [Int]?
            extend([], Array(first.utf8), within: &budget, to: &best)
            return best
        }

        private func extend(_ order: [Int], _ bytes: [UInt8], within budget: inout Int, to best: inout [Int]?) {
            var parts = JSONParts(bytes)
            let start = parts.afterSpace(0)
            if let end = parts.endOfValue(at: start) {
                // Whole, and right only if nothing is behind it, and it is JSON that has no key twice.
                guard parts.afterSpace(end) == bytes.count,
                    (try? JSONDocument(file: "", bytes: bytes)) != nil
                else { return }
                if order.count > best?.count ?? -1 { best = order }
                // Pieces of other messages may be among them: a few more tries are enough.
                budget = min(budget, Self.triesForMore)
                return
            }
            for index in texts.indices where !order.contains(index) {
                guard budget > 0, best?.count != texts.count else { return }
                budget -= 1
                extend(order + [index], bytes + Array(texts[index].utf8), within: &budget, to: &best)
            }
        }

        private static let triesForMore = 40
    }
}
