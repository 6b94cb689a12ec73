import Markup

/// Texts inside HTML.
enum HTML {
    /// Text as HTML, with letters beyond ASCII as decimal entities, `&#252;`: how `CONTENT` has them (recorded). Marks
    /// such as the typographic apostrophe stay as they are (seen in a published copy of a page).
    static func entities(_ text: String) -> String {
        let escaped = HTMLEntities.escaped(text)
        guard !escaped.utf8.allSatisfy({ $0 < 0x80 }) else { return escaped }
        var result = ""
        for scalar in escaped.unicodeScalars {
            let isPlain =
                scalar.isASCII
                || (scalar.value > 0xFF && scalar.value < 0x1_0000 && !scalar.properties.isAlphabetic)
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                result += "&#\(scalar.value);"
            }
        }
        return result
    }
}
