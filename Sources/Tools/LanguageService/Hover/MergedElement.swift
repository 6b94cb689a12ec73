import Diagnostics
import Markup
import TrustFramework

/// An element of a merged policy as XML, each line with the place that says it.
struct MergedElement {
    private static let mostLines = 40

    private let written: MarkupOutline
    private let element: Int
    /// The declarations, those of the last file first: what they say counts.
    private var declarations: [Declaration]

    /// - Parameter declarations: Those of the files that were merged, root first.
    init?(
        _ kind: SymbolKind, _ id: String, of document: PolicyDocument, declarations: [PlacedOccurrence],
        in workspace: LanguageWorkspace
    ) {
        guard let name = SymbolKind.declaring.first(where: { $0.kind == kind })?.element,
            let alone = document.alone(kind, id)
        else { return nil }
        let text = Self.masked(MarkupOutline(SourceText(file: "", bytes: Array(PolicyWriter.xml(alone).utf8))))
        let found = text.elements.indices.first { index in
            text.name(index) == name && text.value(index, "Id").map { sameID($0, id) } ?? false
        }
        guard let found else { return nil }
        (written, element) = (text, found)
        self.declarations = declarations.reversed().compactMap { place in
            guard let outline = workspace.file(place.file)?.markup,
                let root = outline.element(at: place.occurrence.range.lowerBound)
            else { return nil }
            return Declaration(outline, root: root, of: found)
        }
    }

    /// The lines in a fence, at most forty.
    var markdown: String {
        let whole = written.elements[element]
        let first = written.source.position(at: whole.start).line
        let last = max(first, written.source.position(at: max(whole.start, whole.end - 1)).line)
        let shown = min(last, first + Self.mostLines - 1)
        let places = places(first...shown)
        let indent = written.source.line(first)?.prefix { $0 == " " }.count ?? 0
        var lines = ["```xml"]
        for number in first...shown {
            let line = (written.source.line(number) ?? "").replacing("```", with: "'''")
            let isIndented = line.prefix(indent).allSatisfy { $0 == " " }
            let place = places[number].map { " <!-- \($0) -->" } ?? ""
            lines.append((isIndented ? String(line.dropFirst(indent)) : line) + place)
        }
        lines.append("```")
        if last > shown { lines.append("... \(last - shown) more lines") }
        return lines.joined(separator: "\n")
    }

    /// Where what begins in a line is written, by line.
    private func places(_ lines: ClosedRange<Int>) -> [Int: String] {
        var declarations = declarations
        var places: [Int: String] = [:]
        for index in written.elements.indices.dropFirst(element) {
            let item = written.elements[index]
            let line = written.source.position(at: item.start).line
            guard lines.contains(line) else { break }
            var found: String?
            var isExact = false
            for place in declarations.indices {
                // Every declaration is asked: what is in this element may be in any of them.
                guard let match = declarations[place].match(index, in: written), !isExact else { continue }
                isExact = declarations[place].saysTheSame(match, as: index, in: written)
                if found == nil || isExact { found = declarations[place].place(of: match) }
            }
            // A list says nothing of its own.
            if !item.attributes.isEmpty || item.children.isEmpty { places[line] = found }
        }
        return places
    }

    /// The text without secrets: values of members that are named after one, and what looks like one.
    private static func masked(_ outline: MarkupOutline) -> MarkupOutline {
        var pieces = TextPieces()
        for index in outline.elements.indices {
            // The last part names it: `setting.retryLimit`.
            let names = ["Key", "Id", "ClaimTypeReferenceId", "PartnerClaimType"]
                .compactMap { outline.value(index, $0)?.split(separator: ".").last.map(String.init) }
            for attribute in ["DefaultValue", "Value", nil] {
                let found =
                    attribute.map { outline.valueRange(index, $0) }
                    ?? (outline.elements[index].children.isEmpty ? outline.text(index)?.range : nil)
                // Names of claims and keys are shown, whatever they are about.
                guard let range = found, !range.isEmpty,
                    PolicyOccurrences.reference(attribute: attribute, of: index, in: outline) == nil
                else { continue }
                let value = outline.source.text(range)
                // Prose for people: a text about passwords is not one.
                guard !names.isEmpty || value.contains("://") else { continue }
                let isNamed = names.contains { SecretKind.parameter($0, value) != nil } && !value.contains("{")
                let shown = isNamed ? "***" : SecretText.masked(value) { _ in "***" }
                if shown != value { pieces.put(shown, at: range) }
            }
        }
        guard let text = pieces.text(in: outline.source.bytes) else { return outline }
        return MarkupOutline(SourceText(file: outline.source.file, bytes: Array(text.utf8)))
    }
}

/// An element of a file that is a part of a merged one.
private struct Declaration {
    private let outline: MarkupOutline
    /// Elements of the merged text and of the file that are the same.
    private var matches: [Int: Int]
    /// The children of elements of the file, by what distinguishes them.
    private var children: [Int: [String: Int]] = [:]
    /// What distinguishes elements of the merged text.
    private var keys: [Int: String] = [:]

    init(_ outline: MarkupOutline, root: Int, of merged: Int) {
        self.outline = outline
        matches = [merged: root]
    }

    /// The element of the file that is the same as one of the merged text; the parent was asked for before.
    mutating func match(_ index: Int, in merged: MarkupOutline) -> Int? {
        if let known = matches[index] { return known }
        guard let parent = merged.elements[index].parent, let own = matches[parent] else { return nil }
        if children[own] == nil {
            children[own] = Dictionary(
                uniqueKeysWithValues: Self.keys(outline.elements[own].children, in: outline).map {
                    ($0.key, $0.element)
                })
            for (element, key) in Self.keys(merged.elements[parent].children, in: merged) { keys[element] = key }
        }
        let match = keys[index].flatMap { children[own]?[$0] }
        matches[index] = match
        return match
    }

    func saysTheSame(_ own: Int, as index: Int, in merged: MarkupOutline) -> Bool {
        let attributes = merged.elements[index].attributes.map { merged.source.text($0.name) }
        return attributes.allSatisfy { merged.value(index, $0) == outline.value(own, $0) }
            && (!merged.elements[index].children.isEmpty || merged.text(index)?.text == outline.text(own)?.text)
    }

    /// Such as `TrustFrameworkBase.xml:12`.
    func place(of element: Int) -> String { outline.source.shortPlace(of: outline.elements[element].start) }

    /// What distinguishes siblings; those of one key by their number.
    private static func keys(_ elements: [Int], in outline: MarkupOutline) -> [(element: Int, key: String)] {
        var counts: [String: Int] = [:]
        return elements.map { element in
            let key = key(element, in: outline)
            counts[key, default: 0] += 1
            return (element, "\(key)\u{0}\(counts[key] ?? 0)")
        }
    }

    private static func key(_ index: Int, in outline: MarkupOutline) -> String {
        let name = outline.name(index)
        let attributes =
            switch name {
            case "OrchestrationStep": ["Order"]
            case "Protocol": ["Name"]
            case "ValidationClaimsExchangeTechnicalProfile": ["TechnicalProfileReferenceId"]
            default: PolicyPart.keys(of: name)
            }
        var parts = attributes.compactMap { outline.value(index, $0)?.lowercased() }
        switch name {
        case "Value", "Action", "Domain", "SupportedLanguage": parts.append(outline.text(index)?.text ?? "")
        case "Precondition":
            parts.append(outline.value(index, "Type") ?? "")
            parts += outline.elements[index].children.map { outline.text($0)?.text ?? "" }
        default: break
        }
        return ([name] + parts).joined(separator: "\u{0}")
    }
}

extension SourceText {
    /// The file's name without its folders, and the line of an offset: `TrustFrameworkBase.xml:12`.
    func shortPlace(of offset: Int) -> String {
        "\(file.split(separator: "/").last.map(String.init) ?? file):\(position(at: offset).line)"
    }
}
