/// Where something was seen: the line, counted from 1, and a piece of the text.
package struct Excerpt: Sendable, Hashable {
    package var line: Int
    package var text: String

    init(_ line: Int, _ text: String) {
        self.line = line
        self.text = text
    }
}

/// Something recognised, for people and programs.
package struct Fact: Sendable, Hashable {
    package var label: String
    package var text: String
    /// Its line; `nil` for what the text as a whole says.
    package var line: Int?

    init(_ label: String, _ text: String, line: Int? = nil) {
        self.label = label
        self.text = text
        self.line = line
    }
}
