/// Something that an editor offers to write.
package struct Completion: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case element, attribute, value, name, key, snippet }

    package var label: String
    package var kind: Kind
    /// One line beside the label.
    package var detail: String?
    /// Markdown.
    package var documentation: String?
    /// What is written. In a snippet `$1` and `${1:text}` are places to fill in and `$0` is the last one; `\$`, `\}` and
    /// `\\` stand for the characters themselves.
    package var text: String
    package var isSnippet: Bool
    /// The bytes that it replaces: what was typed so far.
    package var range: Range<Int>
    /// Completions are shown in this order.
    package var order: Int

    package init(
        label: String, kind: Kind, detail: String? = nil, documentation: String? = nil, text: String,
        isSnippet: Bool = false, range: Range<Int>, order: Int = 0
    ) {
        (self.label, self.kind, self.detail, self.documentation) = (label, kind, detail, documentation)
        (self.text, self.isSnippet, self.range, self.order) = (text, isSnippet, range, order)
    }
}

extension LanguageWorkspace {
    /// What may be written at a place. Editors narrow it down by what was typed.
    ///
    /// - Parameter snippets: Whether the editor takes snippets; without them completions are plain text.
    package func completions(at place: TextPlace, snippets: Bool) -> [Completion] {
        guard let file = file(place.file) else { return [] }
        return file.kind == .policy
            ? policyCompletions(at: place, in: file, snippets: snippets)
            : scriptCompletions(at: place, in: file, snippets: snippets)
    }
}
