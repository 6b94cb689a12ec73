/// Colours of a terminal; plain text where there is none.
public struct Style: Sendable {
    /// Whether colours are used.
    public let usesColor: Bool

    /// A style with or without colours.
    public init(usesColor: Bool) {
        self.usesColor = usesColor
    }

    func bold(_ text: String) -> String { paint(text, "1") }
    func dim(_ text: String) -> String { paint(text, "2") }
    func red(_ text: String) -> String { paint(text, "31") }
    func green(_ text: String) -> String { paint(text, "32") }
    func yellow(_ text: String) -> String { paint(text, "33") }
    func cyan(_ text: String) -> String { paint(text, "36") }

    private func paint(_ text: String, _ code: String) -> String {
        usesColor && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}

extension Style {
    /// A text without the marks of colours, as wide as it is on the terminal.
    package static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        var isMark = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1b}" { isMark = true }
            if !isMark { plain.append(scalar) }
            if scalar == "m" { isMark = false }
        }
        return String(plain)
    }

    /// A title.
    public func heading(_ text: String) -> String { bold(text) }

    /// The name of a fact.
    public func label(_ text: String) -> String { dim(text) }
}
