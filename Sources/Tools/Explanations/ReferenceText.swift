import JSON

/// Everything a kind of file may hold, as Markdown: the same table as the schema's, for reading from top to bottom.
package struct ReferenceText {
    private let catalog: ShapeCatalog
    private let title: String
    private let lead: String

    package init(title: String, lead: String, catalog: ShapeCatalog) {
        self.catalog = catalog
        self.title = title
        self.lead = lead
    }

    package var text: String {
        var lines = ["# \(title)", "", lead]
        var seen: Set<String> = []
        for object in catalog.objects {
            // The tests of matchers may be in every object that is matched; they are listed once.
            let isMatcher = object.title == "matcher"
            let fields = object.fields.filter { isMatcher || !$0.name.hasPrefix("$") || $0.name == "$schema" }
            guard !fields.isEmpty, seen.insert(object.title + fields.map(\.name).joined(separator: "/")).inserted else {
                continue
            }
            lines += ["", "## \(object.title)", ""]
            if !object.doc.isEmpty { lines += [object.doc, ""] }
            if fields.count < object.fields.count { lines += ["Also the tests of a matcher.", ""] }
            if !object.exactlyOneOf.isEmpty {
                let word = object.exactlyOneWord
                lines += ["Exactly one \(word): \(object.exactlyOneOf.map { "`\($0)`" }.joined(separator: " ")).", ""]
            }
            lines += ["| key | takes | meaning |", "| --- | --- | --- |"]
            for field in fields { lines.append(row(field)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ field: Field) -> String {
        var meaning = field.doc
        if field.required { meaning += " Required." }
        if let text = field.defaultText { meaning += " Default: \(text)." }
        if let text = field.notBuiltYet { meaning += " **Not built yet**: \(text)." }
        let missing = catalog.choices(field.shape).filter { $0.notBuiltYet != nil }
        if !missing.isEmpty {
            meaning += " **Not built yet**: \(missing.map { "`\($0.value)`" }.joined(separator: " "))."
        }
        return "| `\(field.name)` | \(cell(catalog.words(field.shape))) | \(cell(meaning)) |"
    }

    /// A text inside a table.
    private func cell(_ text: String) -> String {
        var result = ""
        for character in text { result += character == "|" ? "\\|" : character == "\n" ? " " : String(character) }
        return result
    }
}
