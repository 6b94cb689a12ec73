import Markup

/// Builds XML text, two spaces a level, one element a line.
struct XMLText {
    private(set) var text = ""
    private var depth = 0

    /// Attributes in order; those without a value are not written.
    typealias Attributes = [(String, String?)]

    mutating func line(_ content: String) {
        text += String(repeating: "  ", count: depth) + content + "\n"
    }

    mutating func comment(_ words: String) {
        line("<!-- \(words.split(separator: "--", omittingEmptySubsequences: false).joined(separator: "- -")) -->")
    }

    /// `<Name a="b" />`.
    mutating func empty(_ name: String, _ attributes: Attributes = []) {
        line("<\(name)\(Self.written(attributes)) />")
    }

    /// `<Name a="b">text</Name>`; nothing for `nil`.
    mutating func leaf(_ name: String, _ content: String?) { leaf(name, [], content) }

    mutating func leaf(_ name: String, _ attributes: Attributes, _ content: String?) {
        guard let content else { return }
        line("<\(name)\(Self.written(attributes))>\(XMLEntities.escaped(content))</\(name)>")
    }

    /// An element around what the body writes.
    mutating func element(_ name: String, _ body: (inout XMLText) -> Void) { element(name, [], body) }

    mutating func element(_ name: String, _ attributes: Attributes, _ body: (inout XMLText) -> Void) {
        line("<\(name)\(Self.written(attributes))>")
        depth += 1
        body(&self)
        depth -= 1
        line("</\(name)>")
    }

    /// An element around a list; nothing when the list is empty.
    mutating func list<E>(_ name: String, _ elements: [E], _ body: (inout XMLText, E) -> Void) {
        list(name, elements, attributes: [], body)
    }

    mutating func list<E>(
        _ name: String, _ elements: [E], attributes: Attributes, _ body: (inout XMLText, E) -> Void
    ) {
        guard !elements.isEmpty else { return }
        element(name, attributes) { out in
            for element in elements { body(&out, element) }
        }
    }

    static func written(_ attributes: Attributes) -> String {
        var text = ""
        for (name, value) in attributes {
            if let value { text += " \(name)=\"\(XMLEntities.escaped(value, also: .attribute))\"" }
        }
        return text
    }
}

extension Bool {
    /// As the schema writes it.
    var xml: String { self ? "true" : "false" }
}
