import Determinism
import HTTPMessages
import JSON

/// What the query API answered, as far as a fetch needs it. Messages are not read.
struct LogAnswer {
    /// Places of the rows in the body.
    private(set) var rows = 0
    /// Values of the rows by the names of columns, if they were asked for.
    private(set) var values: [[String: JSONValue]] = []
    /// Why the answer is not whole.
    private(set) var partial: APIError?

    /// An error of the API: its own words and those of its causes.
    struct APIError: Hashable {
        var codes: [String] = []
        var messages: [String] = []

        /// Reads the member `error` (Microsoft docs: Log Analytics API errors).
        init(_ error: JSONValue) { add(error, depth: 0) }

        private mutating func add(_ error: JSONValue, depth: Int) {
            guard depth < 8 else { return }
            if let code = error["code"]?.stringValue { codes.append(code) }
            if let message = error["message"]?.stringValue, !message.isEmpty { messages.append(message) }
            for detail in error["details"]?.arrayValue ?? [] { add(detail, depth: depth + 1) }
            if let inner = error["innererror"] ?? error["innerError"] { add(inner, depth: depth + 1) }
        }

        /// Whether a smaller answer would be whole: it has too many rows or bytes, or takes too long.
        var isSize: Bool {
            let words = [
                "E_QUERY_RESULT_SET_TOO_LARGE", "0x80DA0003", "exceeded the internal", "exceed the set limit",
                "ResponsePayloadTooLarge", "ResponseSizeError", "QueryTimeout", "GatewayTimeout", "E_RUNAWAY_QUERY",
                "E_LOW_MEMORY_CONDITION",
            ]
            return (codes + messages).contains { text in words.contains { text.contains($0) } }
        }

        /// The message of the deepest cause.
        var text: String { messages.last ?? codes.last ?? "no reason is given" }
    }

    /// - Parameter readsValues: Whether the cells of the rows are kept.
    /// - Returns: `nil` if the body does not have the form of an answer.
    init?(_ bytes: [UInt8], readsValues: Bool) {
        var parts = JSONParts(bytes)
        let start = parts.afterSpace(0)
        guard start < bytes.count, bytes[start] == UInt8(ascii: "{"), parts.endOfValue(at: start) != nil else {
            return nil
        }
        var tables: Range<Int>?
        var error: Range<Int>?
        var members = JSONParts(bytes)
        members.members(at: start) { name, range in
            if name == "tables" { tables = range }
            if name == "error" { error = range }
        }
        func value(_ range: Range<Int>) -> JSONValue { (try? JSONParser.parse(Array(bytes[range]))) ?? .null }
        if let error, value(error) != .null { partial = APIError(value(error)) }
        guard let tables else {
            guard partial != nil else { return nil }
            return
        }
        var elements = JSONParts(bytes)
        var first: Range<Int>?
        elements.elements(at: tables.lowerBound) { first = first ?? $0 }
        guard let first else { return }
        var columns: [String] = []
        var list: Range<Int>?
        var inner = JSONParts(bytes)
        inner.members(at: first.lowerBound) { name, range in
            if name == "rows" { list = range }
            if name == "columns" { columns = value(range).arrayValue?.map { $0["name"]?.stringValue ?? "" } ?? [] }
        }
        guard let list else { return nil }
        var rowParts = JSONParts(bytes)
        var found: [Range<Int>] = []
        rowParts.elements(at: list.lowerBound) { found.append($0) }
        for range in found {
            // A query that fails after its first rows says so in place of a row (Microsoft docs: partial query failures).
            guard bytes[range.lowerBound] == UInt8(ascii: "[") else {
                partial = partial ?? APIError(Self.rowFailure(value(range)))
                continue
            }
            rows += 1
            guard readsValues else { continue }
            let cells = value(range).arrayValue ?? []
            values.append(Dictionary(zip(columns, cells)) { first, _ in first })
        }
    }

    /// The failure in place of a row: `{"OneApiErrors": [{"error": ...}]}`, or texts in `Exceptions`.
    private static func rowFailure(_ row: JSONValue) -> JSONValue {
        if let error = row["OneApiErrors"]?[0]?["error"] { return error }
        let texts = row["Exceptions"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return ["code": "PartialError", "message": .string(texts.first ?? JSONWriter.compact(row))]
    }
}
