import JSON

/// A text as a key: equal only to a text of the same bytes. Strings are also equal where they differ in bytes and mean the
/// same characters.
struct TextKey: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: TextKey, right: TextKey) -> Bool {
        sameText(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
