/// A text of a script in which `{{...}}` stand for values.
public struct Template: Hashable, Sendable {
    /// A piece of the text.
    public enum Segment: Hashable, Sendable {
        /// Text that stands for itself, with `{{{{` already read as `{{`.
        case text(String)
        /// A value to put in.
        case reference(ValueReference)
    }

    /// The pieces in order; no two texts follow one another.
    public let segments: [Segment]

    /// Reads a text. Without braces it is one piece of text.
    public init(parsing text: String) throws(TemplateError) {
        guard Self.mayHoldReference(text) else {
            segments = text.isEmpty ? [] : [.text(text)]
            return
        }
        var found: [Segment] = []
        var plain = ""
        var rest = text[...]
        while let open = rest.firstRange(ofBraces: "{") {
            plain += rest[..<open]
            rest = rest[open...].dropFirst(2)
            if rest.hasPrefix("{{") {
                plain += "{{"
                rest = rest.dropFirst(2)
                continue
            }
            guard let close = rest.firstRange(ofBraces: "}") else {
                throw TemplateError("`{{` is not closed; write `{{{{` for two braces themselves")
            }
            let reference = try ValueReference(parsing: String(rest[..<close]))
            if !plain.isEmpty { found.append(.text(plain)) }
            plain = ""
            found.append(.reference(reference))
            rest = rest[close...].dropFirst(2)
        }
        plain += rest
        if !plain.isEmpty { found.append(.text(plain)) }
        segments = found
    }

    /// The reference of a text that is nothing but one `{{...}}`: it becomes the value itself, of any type.
    public var whole: ValueReference? {
        if segments.count == 1, case .reference(let reference) = segments[0] { reference } else { nil }
    }

    /// The references in order.
    public var references: [ValueReference] {
        segments.compactMap { if case .reference(let reference) = $0 { reference } else { nil } }
    }

    /// A quick look: whether there are two opening braces at all.
    public static func mayHoldReference(_ text: String) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), before == byte { return true }
            before = byte
        }
        return false
    }
}

extension Substring {
    /// Where two of these braces stand side by side first.
    fileprivate func firstRange(ofBraces brace: Character) -> Index? {
        let wanted = brace.asciiValue
        var index = utf8.startIndex
        while index < utf8.endIndex {
            let next = utf8.index(after: index)
            if next < utf8.endIndex, utf8[index] == wanted, utf8[next] == wanted { return index }
            index = next
        }
        return nil
    }
}
