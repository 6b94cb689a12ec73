import Determinism
import JSON

/// What one `{{...}}` of a script stands for: a named value, or a part of it.
public struct ValueReference: Hashable, Sendable {
    /// What is named first: `now`, a root such as `users`, a variable, a case value or a step's id.
    public var root: String
    /// The way into that value, as the decoded tokens of a JSON pointer; empty for all of it.
    public var path: [String]
    /// Only for `now`: how much later (or, negative, earlier) the instant is.
    public var offset: TimeSpan

    /// A reference made in code.
    public init(root: String, path: [String] = [], offset: TimeSpan = .zero) {
        self.root = root
        self.path = path
        self.offset = offset
    }

    /// Reads the text between the braces. Blanks around it do not count.
    public init(parsing text: String) throws(TemplateError) {
        let trimmed = text.trimmingBlanks
        guard !trimmed.isEmpty else { throw TemplateError("`{{}}` names nothing; write a name between the braces") }
        let (head, rest) = Self.split(trimmed)
        if let rest {
            guard let pointer = JSONPointer("/" + rest) else {
                throw TemplateError(
                    "`/\(rest)` is not a JSON pointer: `~` is allowed only before `0` or `1` (RFC 6901)")
            }
            path = pointer.tokens
        } else {
            path = []
        }
        if let offset = try Self.offset(ofNow: head) {
            root = ValueRoot.now.rawValue
            self.offset = offset
            guard path.isEmpty || path == ["epoch"] else {
                throw TemplateError("`{{now}}` has one part, `epoch`, and no `\(path.joined(separator: "/"))`")
            }
            return
        }
        guard Self.isName(head) else {
            throw TemplateError("`\(head)` is not a name: names are made of letters, digits and `_`")
        }
        root = head
        offset = .zero
    }

    /// Whether a text may name a step, a variable or a case value.
    public static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
                    || byte == 0x5F
            }
    }

    /// The `+PT5M` of `now+PT5M`; `nil` when the text does not begin with `now` followed by a sign or nothing.
    private static func offset(ofNow head: String) throws(TemplateError) -> TimeSpan? {
        guard head.hasPrefix("now") else { return nil }
        let rest = head.dropFirst(3)
        guard let sign = rest.first else { return .zero }
        guard sign == "+" || sign == "-" else { return nil }
        guard let span = TimeSpan(iso8601: String(rest.dropFirst())) else {
            throw TemplateError(
                "`\(rest.dropFirst())` is not a duration; write `now+PT5M`, `now-P1D` (ISO 8601, no months and years)")
        }
        return sign == "-" ? -span : span
    }

    private static func split(_ text: String) -> (head: String, rest: String?) {
        guard let slash = text.firstIndex(of: "/") else { return (text, nil) }
        return (String(text[..<slash]), String(text[text.index(after: slash)...]))
    }
}

extension ValueReference: CustomStringConvertible {
    /// As a script writes it, without the braces.
    public var description: String {
        var text = root
        if offset != .zero { text += (offset < .zero ? "" : "+") + offset.iso8601 }
        return text + JSONPointer(tokens: path).description
    }
}

/// The roots that exist in every script, so that nothing of a script's own may be called so.
public enum ValueRoot: String, CaseIterable, Sendable {
    case tenant, users, apps, policies, apis, hosts, inbox, keys, now, unique, index
    case caseName = "case"
    case env, secret

    /// Why it has no value before the first step; `nil` where it has one.
    package var needsSteps: String? {
        switch self {
        case .inbox: "is what has been sent to a person"
        case .index: "is the round of a step"
        default: nil
        }
    }

    /// All reserved names in the order in which they are documented.
    public static let names = allCases.map(\.rawValue)
}

/// Why a text with braces cannot be read.
public struct TemplateError: Error, Hashable, Sendable {
    /// What is wrong, without a full stop.
    public var message: String

    init(_ message: String) {
        self.message = message
    }
}

extension String {
    /// Without blanks and tabs at both ends.
    package var trimmingBlanks: String {
        var part = self[...]
        while let first = part.first, first == " " || first == "\t" { part.removeFirst() }
        while let last = part.last, last == " " || last == "\t" { part.removeLast() }
        return String(part)
    }
}
