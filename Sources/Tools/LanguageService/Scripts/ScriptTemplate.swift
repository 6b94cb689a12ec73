import Exchanges
import JSON

/// One `{{...}}` of a text, with the places of its parts. One that is not closed ends with the text.
struct ScriptTemplate {
    /// A token of it, such as `users` and `ada` of `{{users/ada}}`.
    struct Part: Equatable {
        var text: String
        /// In UTF-8 of the text.
        var range: Range<Int>
    }

    /// At least one, which may be empty.
    var parts: [Part]
    /// From the first of the opening braces to behind the closing ones.
    var whole: Range<Int>
    var isClosed: Bool

    /// All of a text, in order. `{{{{` stands for two braces.
    static func all(in text: String) -> [ScriptTemplate] {
        guard Template.mayHoldReference(text) else { return [] }
        let bytes = Array(text.utf8)
        let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        func isPair(_ byte: UInt8, at place: Int) -> Bool {
            place + 1 < bytes.count && bytes[place] == byte && bytes[place + 1] == byte
        }
        var found: [ScriptTemplate] = []
        var place = 0
        while place < bytes.count {
            guard isPair(opening, at: place) else {
                place += 1
                continue
            }
            if isPair(opening, at: place + 2) {
                place += 4
                continue
            }
            let start = place + 2
            var end = start
            while end < bytes.count, !isPair(closing, at: end) { end += 1 }
            let isClosed = end < bytes.count
            let after = isClosed ? end + 2 : end
            found.append(
                ScriptTemplate(parts: parts(of: bytes, start..<end), whole: place..<after, isClosed: isClosed))
            place = after
        }
        return found
    }

    /// The variable or step that is a whole text: `who` of `{{who}}`.
    static func variable(of text: String) -> String? {
        let found = all(in: text)
        guard found.count == 1, found[0].isClosed, found[0].whole.count == text.utf8.count, found[0].parts.count == 1
        else { return nil }
        return found[0].parts[0].text
    }

    private static func parts(of bytes: [UInt8], _ content: Range<Int>) -> [Part] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var (start, end) = (content.lowerBound, content.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        var parts: [Part] = []
        var first = start
        for place in start...end where place == end || bytes[place] == UInt8(ascii: "/") {
            parts.append(Part(text: String(decoding: bytes[first..<place], as: UTF8.self), range: first..<place))
            first = place + 1
        }
        return parts
    }

    /// The section of a tenant whose entry a root names in its first part, with the kind of that entry.
    static let sections: [(root: String, section: String, kind: NameKind)] = [
        (ValueRoot.users.rawValue, "users", .person), (ValueRoot.apps.rawValue, "apps", .app),
        (ValueRoot.policies.rawValue, "policies", .policy), (ValueRoot.apis.rawValue, "apis", .apiName),
        (ValueRoot.inbox.rawValue, "users", .person),
    ]

    /// The part that names an entry of the tenant, and what that is.
    var entry: (index: Int, kind: NameKind)? {
        let isTenant = parts[0].text == ValueRoot.tenant.rawValue
        let index = isTenant ? 1 : 0
        guard parts.count > index + 1 else { return nil }
        let root = parts[index].text
        let row = Self.sections.first { isTenant ? $0.section == root : $0.root == root }
        return row.map { (index + 1, $0.kind) }
    }
}
