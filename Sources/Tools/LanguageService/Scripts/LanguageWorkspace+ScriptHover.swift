import Exchanges
import JSON

extension LanguageWorkspace {
    func scriptHover(at place: TextPlace, in file: LanguageFile) -> HoverText? {
        guard let json = file.json, place.offset >= 0, place.offset <= file.source.bytes.count,
            let node = json.node(at: place.offset)
        else { return nil }
        let places = ScriptPlaces(json, kind: file.kind)
        if let template = ScriptTemplateSpot(json, at: place.offset, in: node),
            let hover = hover(over: template, node, in: file)
        {
            return hover
        }
        if let symbol = symbol(at: place), let text = text(of: symbol) {
            return HoverText(markdown: text, range: symbol.occurrence.range)
        }
        let value = json.nodes[node]
        if let key = value.key, key.lowerBound <= place.offset, place.offset <= key.upperBound {
            guard let found = places.places[node] else { return nil }
            guard let field = found.field else {
                return found.keyHint.map { HoverText(markdown: "`\(value.token)`: \($0).", range: key) }
            }
            var text = "**\(field.name)** (\(found.owner?.title ?? "key"))\n\n\(ScriptFacts.text(of: field))"
            if let page = ScriptFacts.page(of: file.kind) {
                text += "\n\nAll keys: \(page), or `b2c explain \(field.name)`."
            }
            return HoverText(markdown: text, range: key)
        }
        guard let text = value.text, let found = places.places[node] else { return nil }
        for case .oneOf(let choices) in found.shapes {
            if let choice = choices.first(where: { $0.value == text }) {
                return HoverText(
                    markdown: "**\(choice.value)**\n\n\(ScriptFacts.text(of: choice))", range: value.value)
            }
        }
        return nil
    }

    /// What a name is and where it is declared.
    private func text(of symbol: PlacedOccurrence) -> String? {
        guard case .script(let kind) = symbol.occurrence.kind else { return nil }
        let declarations = ScriptScope.occurrences(of: symbol, in: self).filter(\.occurrence.isDeclaration)
        guard let first = declarations.first else { return nil }
        var text = "**\(symbol.occurrence.name)** (\(ScriptFacts.word(for: kind)))"
        if let summary = ScriptFacts.summary(of: first, in: self) { text += "\n\n\(summary)" }
        if first.file != symbol.file { text += "\n\nDeclared in \(first.file)." }
        return text
    }

    /// What a `{{...}}` gives.
    private func hover(over spot: ScriptTemplateSpot, _ node: Int, in file: LanguageFile) -> HoverText? {
        guard let json = file.json, let range = json.range(ofText: spot.template.whole, in: node) else { return nil }
        let parts = spot.template.parts.map(\.text)
        func hover(_ text: String, upTo end: Int? = nil) -> HoverText {
            let written = parts[..<(end ?? parts.count)].joined(separator: "/")
            return HoverText(markdown: "`{{\(written)}}`\n\n\(text)", range: range)
        }
        if let entry = spot.template.entry {
            // The name itself is explained as a name.
            guard spot.part > entry.index else {
                return spot.part == entry.index
                    ? nil : ValueRoot(rawValue: parts[0]).map { hover(ScriptFacts.text(of: $0)) }
            }
            let symbol = PlacedOccurrence(
                file: file.path,
                occurrence: NameOccurrence(kind: .script(entry.kind), name: parts[entry.index], range: range))
            let declaration = ScriptScope.occurrences(of: symbol, in: self).first(where: \.occurrence.isDeclaration)
            guard let declaration, let outline = self.file(declaration.file)?.json,
                let owner = outline.node(at: declaration.occurrence.range.lowerBound),
                parts[0] != ValueRoot.inbox.rawValue
            else { return ValueRoot(rawValue: parts[0]).map { hover(ScriptFacts.text(of: $0)) } }
            let path = Array(parts[(entry.index + 1)...])
            if path.contains(where: ScriptFacts.isSecret) { return hover("A secret of the file \(declaration.file).") }
            return hover(
                ScriptFacts.scalar(at: path, of: owner, in: outline)
                    ?? "Not in \(declaration.file): the default, if there is one.")
        }
        if let root = ValueRoot(rawValue: parts[0]) { return hover(ScriptFacts.text(of: root)) }
        let places = ScriptPlaces(json, kind: .scenario)
        // Names of claims and records are free: what they are in is explained.
        return stride(from: spot.part + 1, to: 1, by: -1).lazy.compactMap { end in
            places.outcomeField(parts[1..<end]).map { hover(ScriptFacts.text(of: $0), upTo: end) }
        }.first
    }
}

/// The `{{...}}` of a text at an offset, and the part of it.
struct ScriptTemplateSpot {
    let template: ScriptTemplate
    let part: Int

    init?(_ json: JSONOutline, at offset: Int, in node: Int) {
        guard let text = json.nodes[node].text, Template.mayHoldReference(text) else { return nil }
        for template in ScriptTemplate.all(in: text) {
            for (index, part) in template.parts.enumerated() {
                if let range = json.range(ofText: part.range, in: node), range.lowerBound <= offset,
                    offset <= range.upperBound
                {
                    (self.template, self.part) = (template, index)
                    return
                }
            }
        }
        return nil
    }
}
