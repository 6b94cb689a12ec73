import Determinism
import JSON

/// The queries that a fetch asks, in the Kusto query language.
struct LogQuestion {
    var source: LogSource
    /// The beginning of a correlation id.
    var correlation: String?
    /// Id of a policy.
    var policy: String?

    /// The rows of a range, in order.
    func rows(_ range: LogRange) -> JSONValue {
        let table = source.table
        let order = ([table.time] + table.order).map { "\($0) asc" }.joined(separator: ", ")
        let columns = [table.time, table.message, table.dimensions] + table.more
        return body(
            range, "| order by \(order)\n| project \(columns.joined(separator: ", "))")
    }

    /// How many rows there are, and how many characters their messages have, by spans of the range.
    func counts(_ range: LogRange, seconds: Int64) -> JSONValue {
        let table = source.table
        return body(
            range,
            "| summarize Found = count(), Characters = sum(strlen(\(table.message))) by Start = bin(\(table.time), \(seconds)s)"
        )
    }

    private func body(_ range: LogRange, _ operators: String) -> JSONValue {
        let table = source.table
        var lines = [
            table.name,
            "| where \(table.time) >= datetime(\(range.since.rfc3339)) and \(table.time) < datetime(\(range.until.rfc3339))",
            "| where tostring(\(table.dimensions).EventName) startswith 'Journey Recorder'",
        ]
        if let correlation {
            lines.append("| where tostring(\(table.dimensions).CorrelationId) startswith \(Self.quoted(correlation))")
        }
        if let policy { lines.append("| where tostring(\(table.dimensions).UserJourney) =~ \(Self.quoted(policy))") }
        lines.append(operators)
        return [
            "query": .string(lines.joined(separator: "\n")),
            "timespan": .string("\(range.since.rfc3339)/\(range.until.rfc3339)"),
        ]
    }

    /// A text of the language (Microsoft docs: the string data type).
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'").filter { !$0.isNewline } + "'"
    }
}
