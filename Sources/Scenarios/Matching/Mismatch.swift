import JSON

/// One way in which a value is not what a script expects.
public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
    /// The place in the value that was looked at. A token `$json`, `$jwt`, `$url` or `$base64url` leads into what a
    /// text was decoded to.
    public var pointer: JSONPointer
    /// What the script says about that place.
    public var wanted: JSONValue
    /// What is there; `nil` for nothing.
    public var found: JSONValue?
    /// The two in words, without the place.
    public var text: String
    /// Index in its log of the record that came nearest to what was wanted, where a log was looked at.
    public var record: Int?

    /// A mismatch.
    public init(pointer: JSONPointer, wanted: JSONValue, found: JSONValue?, text: String, record: Int? = nil) {
        self.pointer = pointer
        self.wanted = wanted
        self.found = found
        self.text = text
        self.record = record
    }

    /// Place and words, on one line.
    public var description: String {
        pointer.tokens.isEmpty ? text : "\(pointer): \(text)"
    }
}

/// Values in a sentence.
enum Wording {
    /// A number of things: `1 element`, `3 elements`.
    static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    /// Compact JSON, cut where it would fill the screen.
    static func json(_ value: JSONValue, limit: Int = 240) -> String {
        let text = JSONWriter.compact(value)
        guard text.unicodeScalars.count > limit else { return text }
        var cut = String.UnicodeScalarView()
        cut.append(contentsOf: text.unicodeScalars.prefix(limit))
        return String(cut) + "..."
    }

    /// What is there, or that nothing is.
    static func found(_ value: JSONValue?) -> String {
        value.map { json($0) } ?? "nothing"
    }

    /// "a text", "an array".
    static func kind(_ value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
