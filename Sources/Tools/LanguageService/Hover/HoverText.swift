/// What an editor shows about a place.
package struct HoverText: Hashable, Sendable {
    /// Markdown.
    package var markdown: String
    package var range: Range<Int>

    package init(markdown: String, range: Range<Int>) {
        (self.markdown, self.range) = (markdown, range)
    }
}

extension LanguageWorkspace {
    /// What is known about a place; `nil` if nothing is.
    package func hover(at place: TextPlace) -> HoverText? {
        guard let file = file(place.file) else { return nil }
        return file.kind == .policy ? policyHover(at: place, in: file) : scriptHover(at: place, in: file)
    }
}
