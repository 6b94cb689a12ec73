import Diagnostics
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
    /// The two in words, without the place. It ends in the note, where there is one.
    public var text: String
    /// Why the two values differ although they look the same on paper and on a screen; `nil` where they look different.
    public var note: String?
    /// Index in its log of the record that came nearest to what was wanted, where a log was looked at.
    public var record: Int?
    /// Whether the matcher does not apply: the value is absent, or of a type that the test says nothing about. Then the
    /// opposite does not hold either, so `$not` fails as well.
    public var isInapplicable: Bool

    /// A mismatch.
    public init(
        pointer: JSONPointer, wanted: JSONValue, found: JSONValue?, text: String, note: String? = nil,
        record: Int? = nil, isInapplicable: Bool = false
    ) {
        self.isInapplicable = isInapplicable
        self.pointer = pointer
        self.wanted = wanted
        self.found = found
        self.text = text
        self.note = note
        self.record = record
    }

    /// A difference that nobody reads.
    package static func wordless(isInapplicable: Bool) -> Mismatch {
        Mismatch(pointer: .root, wanted: .null, found: nil, text: "", isInapplicable: isInapplicable)
    }

    /// Place and words, on one line.
    public var description: String {
        pointer.tokens.isEmpty ? text : "\(pointer): \(text)"
    }

    /// Says why two values that look the same differ.
    package mutating func add(note: String?) {
        guard let note else { return }
        self.note = self.note.map { "\($0); \(note)" } ?? note
        text += "; \(note)"
    }

    /// The words without the note, which reports that have little room must not cut off.
    public var textWithoutNote: String {
        guard let note, text.hasSuffix("; \(note)") else { return text }
        return String(text.dropLast(note.count + 2))
    }
}

/// What a matcher says of a value. A conjunction differs where one part differs, whatever the others say.
package enum Verdict {
    case match, different, inapplicable

    /// - Parameter mismatches: everything that a matcher found, all of which had to hold.
    package init(_ mismatches: [Mismatch]) {
        if mismatches.isEmpty {
            self = .match
        } else {
            self = mismatches.allSatisfy(\.isInapplicable) ? .inapplicable : .different
        }
    }
}

/// Values in a sentence.
package enum Wording {
    /// A number of things: `1 element`, `3 elements`.
    package static func count(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    /// Cases by their names: "the case `a`", "the cases `a` and `b`".
    package static func cases(_ names: [String]) -> String {
        (names.count == 1 ? "the case " : "the cases ") + namesList(names.map { "`\($0)`" })
    }

    /// Compact JSON, cut where it would fill the screen.
    package static func json(_ value: JSONValue, limit: Int = 240) -> String {
        let text = JSONWriter.compact(value)
        guard text.unicodeScalars.count > limit else { return text }
        var cut = String.UnicodeScalarView()
        cut.append(contentsOf: text.unicodeScalars.prefix(limit))
        return String(cut) + "..."
    }

    /// The characters beyond ASCII by their numbers, as far as a sentence can hold them: `U+00E9 U+0301`.
    package static func scalars(_ text: String) -> String {
        text.unicodeScalars.filter { !$0.isASCII }.prefix(6).map { scalar($0) }.joined(separator: " ")
    }

    /// A character by its number: `U+00E9`.
    package static func scalar(_ scalar: Unicode.Scalar) -> String { "U+" + hexadecimal(scalar.value) }

    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// What is there, or that nothing is.
    package static func found(_ value: JSONValue?) -> String {
        value.map { json($0) } ?? "nothing"
    }

    /// "a text", "an array".
    package static func kind(_ value: JSONValue?) -> String {
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
