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

    /// Expects what was found; where cases set the value that is expected, they set that. A value that a script would
    /// read in another way is not written.
    private func takingActual(_ failure: FailedExpectation, in file: LanguageFile) -> LanguageAction? {
        guard let actual = failure.actual, let json = file.json else { return nil }
        let source = file.source
        let compact = JSONWriter.compact(actual)
        guard !compact.contains("{{"), !compact.contains("\"$"),
            let node = json.nodes.firstIndex(where: { $0.value == failure.place.range })
        else { return nil }
        let unit = json.nodes.dropFirst().first.map { source.indentation(at: $0.value.lowerBound).utf8.count } ?? 0
        let pretty = JSONWriter.pretty(actual, indent: unit > 0 ? unit : 2)
        let shown = compact.count > 60 ? compact.prefix(57) + "..." : compact
        let whole = json.nodes[node].text ?? ""
        let templates = ScriptTemplate.all(in: whole)
        let set = failure.cases.compactMap { name in
            templates.first.flatMap { template in
                template.parts.count == 1 && template.whole == 0..<whole.utf8.count
                    ? json.node(at: JSONPointer(tokens: ["cases", name, "set", template.parts[0].text])) : .none
            }
        }
        // What names a person, too, is not the text that was found.
        let places = ScriptPlaces(json, kind: file.kind)
        let isSet =
            !set.isEmpty && set.count == failure.cases.count && set.allSatisfy { places.name(at: $0) == nil }
        let pointer = json.pointer(node)
        let allCases = json.node(at: "cases").map { json.nodes[$0].children.count } ?? 0
        let isOfAll = failure.cases.count == allCases || pointer.tokens.contains("expectIn")
        return LanguageAction(
            title: (isSet ? "Set \(templates[0].parts[0].text) to the actual value" : "Take the actual value")
                + (failure.caseNames.map { " of \($0)" } ?? "") + ": \(shown)",
            group: .quickFix,
            edits: (isSet ? set : [node]).map { node in
                let range = json.nodes[node].value
                let indent = source.lineEnd + source.indentation(at: range.lowerBound)
                return TextEdit(
                    file: file.path, range: range, replacement: pretty.replacing("\n", with: indent))
            },
            // Cases that passed would fail with another value.
            isPreferred: isOfAll && templates.isEmpty)
    }
}
