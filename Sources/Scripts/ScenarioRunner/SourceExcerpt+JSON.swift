import Diagnostics
import JSON

extension SourceExcerpt {
    /// As reports and parts have it: `first`, `lines`, `line`, `column`, `length`.
    public var json: JSONObject {
        [
            "first": .integer(Int64(first)), "lines": .array(lines.map(JSONValue.string)),
            "line": .integer(Int64(line)),
            "column": .integer(Int64(column)), "length": .integer(Int64(length)),
        ]
    }

    /// Shown lines are cut; nothing in them is as far from their start as this.
    private static let mostColumns = 100_000

    /// `nil`: the object is not an excerpt.
    init?(json: JSONObject) {
        func number(_ name: String) -> Int? { json[name]?.intValue.flatMap { Int(exactly: $0) } }
        guard let first = number("first"), let line = number("line"), let column = number("column"),
            let length = number("length"), let lines = json["lines"]?.arrayValue, first >= 1, line >= first,
            line - first < lines.count, (1...Self.mostColumns).contains(column), (1...Self.mostColumns).contains(length)
        else { return nil }
        self.init(first: first, lines: lines.compactMap(\.stringValue), line: line, column: column, length: length)
    }
}
