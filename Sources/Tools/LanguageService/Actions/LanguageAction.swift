import Diagnostics
import JSON
import Validation

/// A change that an editor offers.
package struct LanguageAction: Sendable {
    package enum Group: Sendable { case quickFix, refactoring }

    /// In words of an editor's menu.
    package var title: String
    package var group: Group
    package var edits: [TextEdit]
    /// The findings that it fixes.
    package var findings: [Finding]
    /// Whether it is the one to take without thinking.
    package var isPreferred: Bool

    package init(
        title: String, group: Group, edits: [TextEdit], findings: [Finding] = [], isPreferred: Bool = false
    ) {
        (self.title, self.group, self.edits) = (title, group, edits)
        (self.findings, self.isPreferred) = (findings, isPreferred)
    }
}

extension LanguageWorkspace {
    /// What may be done at a range.
    ///
    /// - Parameters:
    ///   - findings: Those of the file, found in the texts as they are now.
    ///   - failures: Expectations of scripts that the last run did not meet.
    package func actions(
        at range: TextRange, findings: [Finding], failures: [FailedExpectation] = []
    ) -> [LanguageAction] {
        guard let file = file(range.file) else { return [] }
        let offset = range.range.lowerBound
        let found =
            fixes(at: range, in: file, findings)
            + failures.filter { $0.place.file == file.path && $0.place.range.touches(range.range) }
            .compactMap { takingActual($0, in: file) }
            + copies(at: offset, of: file) + [renumbering(at: offset, of: file)].compactMap(\.self)
        var seen: Set<[TextEdit]> = []
        return found.filter { seen.insert($0.edits).inserted }
    }

    /// Expects what was found. A value that a script would read in another way is not written, nor where the text has
    /// changed since the run.
    private func takingActual(_ failure: FailedExpectation, in file: LanguageFile) -> LanguageAction? {
        guard let actual = failure.actual, let json = file.json else { return nil }
        let source = file.source
        let compact = JSONWriter.compact(actual)
        guard !compact.contains("{{"), !compact.contains("\"$"),
            json.nodes.contains(where: { $0.value == failure.place.range })
        else { return nil }
        let unit = json.nodes.dropFirst().first.map { source.indentation(at: $0.value.lowerBound).utf8.count } ?? 0
        let text = JSONWriter.pretty(actual, indent: unit > 0 ? unit : 2)
            .replacing("\n", with: source.lineEnd + source.indentation(at: failure.place.range.lowerBound))
        let shown = compact.count > 60 ? compact.prefix(57) + "..." : compact
        return LanguageAction(
            title: "Take the actual value: \(shown)", group: .quickFix,
            edits: [TextEdit(file: file.path, range: failure.place.range, replacement: text)], isPreferred: true)
    }
}
