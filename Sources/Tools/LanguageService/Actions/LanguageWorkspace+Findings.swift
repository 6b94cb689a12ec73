import Diagnostics
import JSON
import Markup
import TrustFramework
import Validation

/// What fixes findings.
extension LanguageWorkspace {
    /// A selection of more findings has actions for the first of them.
    private static let mostFindings = 50

    /// Fixes of findings that touch a range, and all safe ones of the file at once.
    func fixes(at range: TextRange, in file: LanguageFile, _ findings: [Finding]) -> [LanguageAction] {
        var actions: [LanguageAction] = []
        let own = findings.compactMap { finding in
            finding.diagnostic.location.flatMap { $0.file == file.path ? file.source.range(of: $0) : nil }
                .map { (finding: finding, place: $0) }
        }
        for (finding, place) in own.filter({ $0.place.touches(range.range) }).prefix(Self.mostFindings) {
            var found: [LanguageAction] = []
            if let fix = finding.fix {
                found.append(
                    LanguageAction(title: fix.title, group: .quickFix, edits: edits([fix]), isPreferred: fix.isSafe))
            } else if let right = finding.corrected ?? Self.suggestion(finding.diagnostic) {
                let edits = replacing(finding, at: place, by: right, in: file)
                found.append(
                    LanguageAction(title: "Change to \(right)", group: .quickFix, edits: edits, isPreferred: true))
            }
            if let markup = file.markup {
                found += [claimType(finding, at: place, in: markup), suppression(finding, at: place, in: markup)]
                    .compactMap(\.self)
            }
            actions += found.filter { !$0.edits.isEmpty }.map { action in
                var action = action
                action.findings = [finding]
                return action
            }
        }
        guard actions.contains(where: { $0.findings.first?.fix?.isSafe == true }) else { return actions }
        let safe = own.map(\.finding).filter { $0.fix?.isSafe == true && $0.fix?.file == file.path }
        let applied = Fix.apply(safe.compactMap(\.fix), to: file.source.bytes).applied
        if applied.count > 1 {
            actions.append(
                LanguageAction(
                    title: "Fix all \(applied.count) of this file that are safe to fix", group: .quickFix,
                    edits: edits(applied), findings: safe))
        }
        return actions
    }

    /// The edits of fixes that the texts are long enough for.
    private func edits(_ fixes: [Fix]) -> [TextEdit] {
        fixes.flatMap { fix in
            Fix.apply([fix], to: file(fix.file)?.source.bytes ?? []).applied.flatMap(\.edits).map { edit in
                TextEdit(
                    file: fix.file, range: edit.offset..<(edit.offset + edit.length), replacement: edit.replacement)
            }
        }
    }

    /// The name that a remedy suggests, as ``didYouMean(_:quoted:)`` writes it.
    private static func suggestion(_ finding: Diagnostic) -> String? {
        let leads = ["Did you mean ", "Write the name: "]
        guard let remedy = finding.remedy,
            let start = leads.lazy.compactMap({ remedy.firstRange(of: $0)?.upperBound }).first,
            let end = remedy[start...].firstIndex(of: "?") ?? remedy[start...].lastIndex(of: ".")
        else { return nil }
        let name = String(remedy[start..<end].filter { !"\"`<>".contains($0) })
        return name.isEmpty || name.contains { $0 == " " || $0 == "=" } ? nil : name
    }

    // MARK: Another word

    /// Puts a word where a finding is: in place of the wrong one, of which a finding underlines perhaps only the element.
    private func replacing(
        _ finding: Finding, at place: Range<Int>, by right: String, in file: LanguageFile
    ) -> [TextEdit] {
        func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
            TextEdit(file: file.path, range: range, replacement: text)
        }
        guard let markup = file.markup else {
            let written = file.json == nil ? nil : try? JSONParser.parse(file.source.text(place))
            guard let text = written?.stringValue else { return finding.corrected == nil ? [] : [edit(place, right)] }
            func isQuoted(_ word: String) -> Bool {
                ["`\(word)`", "\"\(word)\""].contains { finding.diagnostic.message.contains($0) }
            }
            // A suggestion may be about a part of the text.
            let parts = ScriptTemplate.all(in: text).flatMap(\.parts)
            if let part = parts.first(where: { $0.text != right && isQuoted($0.text) }) {
                let node = file.json?.node(at: place.lowerBound)
                return node.flatMap { file.json?.range(ofText: part.range, in: $0) }.map { [edit($0, right)] } ?? []
            }
            guard finding.corrected != nil || isQuoted(text) || nearestName(right, among: [text]) != nil else {
                return []
            }
            return [edit(place, JSONWriter.compact(.string(right)))]
        }
        guard let element = markup.element(at: place.lowerBound),
            let word = word(of: finding, at: place, for: right, in: markup)
        else { return [] }
        var edits = [
            edit(word, word == markup.elements[element].name ? right : XMLEntities.escaped(right, also: .attribute))
        ]
        let whole = markup.elements[element]
        if word == whole.name, whole.isClosed, !whole.endsItself {
            let start = whole.body.upperBound + 2
            let end = start..<(start + whole.name.count)
            guard end.upperBound <= whole.end, file.source.text(end) == file.source.text(word) else { return [] }
            edits.append(edit(end, right))
        }
        return edits
    }

    /// A value of several words, such as a handler with its assembly, counts with so many of them.
    private static let mostParts = 16

    /// The words of an element's start tag and its text, character references resolved, then the parts of its values.
    private func words(of element: Int, _ markup: MarkupOutline) -> [(range: Range<Int>, text: String)] {
        let whole = markup.elements[element]
        let values = whole.attributes.map(\.value) + (markup.text(element).map { [$0.range] } ?? [])
        let parts = values.flatMap { value in
            markup.source.bytes[value].split { $0 == UInt8(ascii: ",") || $0 <= UInt8(ascii: " ") }
                .prefix(Self.mostParts).map { $0.startIndex..<$0.endIndex }.filter { $0 != value }
        }
        return (values + whole.attributes.map(\.name) + [whole.name] + parts)
            .map { (range: $0, text: XMLEntities.unescaped(markup.source.text($0))) }.filter { !$0.text.isEmpty }
    }

    /// Findings about one attribute of an element that underline the name of the element.
    private static let attributes = [
        "B2C-POL-044": ["TransformationClaimType", "Id"], "B2C-POL-058": ["PartnerClaimType"],
    ]

    /// The wrong word: of those that the finding names the one that is most like the right one. What is underlined may be
    /// its neighbor.
    private func word(
        of finding: Finding, at place: Range<Int>, for right: String, in markup: MarkupOutline
    ) -> Range<Int>? {
        guard let element = markup.element(at: place.lowerBound) else { return nil }
        let words = words(of: element, markup).filter { $0.text != right }
        if let names = Self.attributes[finding.diagnostic.rule] {
            let values = names.compactMap { markup.valueRange(element, $0) }
            return words.first { values.contains($0.range) }?.range
        }
        let exact = words.first { $0.range == place }
        let told = [finding.diagnostic.message, finding.diagnostic.remedy ?? ""].joined(separator: " ")
        let near =
            nearestName(right, among: words.map(\.text).filter { told.hasWord($0) })
            ?? nearestName(right, among: exact.map { [$0.text] } ?? [])
        guard near != nil || finding.corrected != nil else { return nil }
        let found = words.filter { word in near.map { word.text == $0 } ?? told.contains("\"\(word.text)\"") }
        let word = found.first { $0.range == place } ?? found.first ?? exact
        return word?.range ?? markup.text(element)?.range
    }

    // MARK: More lines

    /// Declares the claim type that a reference does not find.
    private func claimType(_ finding: Finding, at place: Range<Int>, in markup: MarkupOutline) -> LanguageAction? {
        guard finding.diagnostic.rule == "B2C-POL-020", let element = markup.element(at: place.lowerBound),
            let id = words(of: element, markup).first(where: { finding.diagnostic.message.contains("\"\($0.text)\"") }),
            !isFilledLater(id.text)
        else { return nil }
        let insertion = PolicyInsertion(markup)
        let written = XMLEntities.escaped(id.text, also: .attribute)
        let lines = [
            "<ClaimType Id=\"\(written)\">", insertion.unit + "<DisplayName>\(written)</DisplayName>",
            insertion.unit + "<DataType>string</DataType>", "</ClaimType>",
        ]
        let lists = ["BuildingBlocks", "ClaimsSchema"].map { PolicyInsertion.List(name: $0) }
        guard let edit = insertion.edit(lines, named: "ClaimType", in: lists) else { return nil }
        return LanguageAction(title: "Add the claim type \(id.text)", group: .quickFix, edits: [edit])
    }

    /// A comment above the line that says why the finding may stay.
    private func suppression(_ finding: Finding, at place: Range<Int>, in markup: MarkupOutline) -> LanguageAction? {
        let source = markup.source
        let indent = source.indentation(at: place.lowerBound)
        guard finding.diagnostic.severity != .error, let element = markup.element(at: place.lowerBound),
            let line = finding.diagnostic.location?.line, case let start = source.offset(ofLine: line),
            markup.elements[element].start == start + indent.utf8.count
        else { return nil }
        let rule = finding.diagnostic.rule
        let comment = "\(indent)<!-- b2c-validate-ignore \(rule): say why here -->\(source.lineEnd)"
        return LanguageAction(
            title: "Ignore \(rule) here", group: .quickFix,
            edits: [TextEdit(file: source.file, range: start..<start, replacement: comment)])
    }
}

extension String {
    /// Whether it has a text that is not a part of a longer word.
    fileprivate func hasWord(_ text: String) -> Bool {
        ranges(of: text).contains { range in
            ![self[..<range.lowerBound].last, self[range.upperBound...].first].contains {
                $0.map { $0.isLetter || $0.isNumber } ?? false
            }
        }
    }
}

extension Range<Int> {
    /// Whether they have a byte or an end in common.
    func touches(_ other: Range<Int>) -> Bool { lowerBound <= other.upperBound && other.lowerBound <= upperBound }
}
