import Markup
import TrustFramework

extension LanguageWorkspace {
    func policyCompletions(at place: TextPlace, in file: LanguageFile, snippets: Bool) -> [Completion] {
        guard let outline = file.markup else { return [] }
        let offset = min(max(place.offset, 0), file.source.bytes.count)
        return PolicyCompletion(workspace: self, file: file, outline: outline, offset: offset, snippets: snippets).all
    }
}

/// What may be written at one place of a policy: elements, attributes and end tags by the grammar.
/// ``PolicyValues`` has the values.
private struct PolicyCompletion {
    let workspace: LanguageWorkspace
    let file: LanguageFile
    let outline: MarkupOutline
    let offset: Int
    let snippets: Bool

    var all: [Completion] {
        switch outline.spot(at: offset) {
        case .elementName(let parent, let typed): elements(in: parent, typed: typed, opening: "")
        case .endTag(let element, let typed): endTag(of: element, typed: typed)
        case .attributeName(let element, let typed): attributes(of: element, typed: typed)
        case .attributeValue(let element, let attribute, let typed): values(of: element, attribute, typed: typed)
        case .text(let element, let typed): content(of: element, typed: typed)
        case .other: []
        }
    }

    // MARK: Elements

    /// The elements that the schema allows between those before and those after.
    ///
    /// - Parameter opening: What is written before a name: `<`, where none is typed.
    private func elements(in parent: Int?, typed: Range<Int>, opening: String) -> [Completion] {
        let half = opening.isEmpty ? outline.elements.firstIndex { $0.name.lowerBound == typed.lowerBound } : nil
        let parent = half.map { outline.elements[$0].parent } ?? parent
        guard let parent else { return root(half, typed: typed, opening: opening) }
        guard let rule = PolicySite(parent, in: outline).rule, !rule.opaque else { return [] }
        var (lowest, highest) = (0, rule.children.count - 1)
        var present: Set<Int> = []
        for other in outline.elements[parent].children where other != half {
            let name = outline.name(other)
            guard let place = rule.children.firstIndex(where: { $0.name == name }) else { continue }
            present.insert(place)
            if outline.elements[other].start < typed.lowerBound {
                lowest = max(lowest, place)
            } else {
                highest = min(highest, place)
            }
        }
        // Elements in a wrong order leave no place between them.
        if highest < lowest { highest = rule.children.count - 1 }
        let allowed = rule.children.indices.filter {
            (lowest...max(lowest, highest)).contains($0) && (rule.children[$0].many || !present.contains($0))
        }
        let parentName = outline.name(parent)
        let isNameOnly = half.map { isFinished($0, typed) } ?? false
        return placed(
            allowed.map { place in
                let child = rule.children[place]
                let feature = FeatureTable.element(child.name, in: parentName)
                var text = child.name
                if !isNameOnly { text = ElementSnippet(child.name, child.rule, snippets: snippets).text }
                return Proposal(
                    child.name, .element, feature: feature, text: opening + text, isSnippet: snippets && !isNameOnly)
            }, in: typed)
    }

    private func root(_ half: Int?, typed: Range<Int>, opening: String) -> [Completion] {
        guard outline.elements.isEmpty || half == 0 else { return [] }
        let written = half.map { isFinished($0, typed) } ?? false
        let name = "TrustFrameworkPolicy"
        let attributes = " xmlns=\"\(PolicyReader.namespace)\""
        let snippet = ElementSnippet(name, PolicyGrammar.policy, snippets: snippets).text
        let text = written ? name : name + attributes + snippet.dropFirst(name.utf8.count)
        return placed(
            [Proposal(name, .element, text: opening + text, isSnippet: snippets && !written)], in: typed)
    }

    /// Whether more of a start tag is written than its name.
    private func isFinished(_ element: Int, _ typed: Range<Int>) -> Bool {
        guard outline.elements[element].attributes.isEmpty else { return true }
        let next = file.source.bytes[typed.upperBound...].first { $0 > 0x20 }
        return next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }

    private func endTag(of element: Int?, typed: Range<Int>) -> [Completion] {
        guard let element else { return [] }
        let name = outline.name(element)
        let isClosed = byte(at: typed.upperBound) == UInt8(ascii: ">")
        return placed([Proposal(name, .element, text: isClosed ? name : name + ">")], in: typed)
    }

    private func content(of element: Int?, typed: Range<Int>) -> [Completion] {
        guard let element else { return elements(in: nil, typed: typed, opening: "<") }
        let site = PolicySite(element, in: outline)
        return site.rule?.text == nil
            ? elements(in: element, typed: typed, opening: "<") : values(site, nil, typed: typed)
    }

    // MARK: Attributes

    private func attributes(of element: Int, typed: Range<Int>) -> [Completion] {
        let site = PolicySite(element, in: outline)
        let present = outline.elements[element].attributes.filter { $0.name != typed }
            .map { file.source.text($0.name) }
        let missing = (site.rule?.attributes ?? []).filter { !present.contains($0.name) }
        let isNameOnly = byte(at: typed.upperBound) == UInt8(ascii: "=")
        return placed(
            (missing.filter(\.required) + missing.filter { !$0.required }).map { attribute in
                Proposal(
                    attribute.name, .attribute, detail: attribute.required ? "required" : nil,
                    feature: FeatureTable.feature(.element, "\(site.name)/@\(attribute.name)"),
                    text: isNameOnly ? attribute.name : "\(attribute.name)=\"\(snippets ? "$1" : "")\"",
                    isSnippet: snippets && !isNameOnly)
            }, in: typed)
    }

    private func values(of element: Int, _ attribute: Int, typed: Range<Int>) -> [Completion] {
        let attributes = outline.elements[element].attributes
        guard attributes.indices.contains(attribute) else { return [] }
        let site = PolicySite(element, in: outline)
        let name = file.source.text(attributes[attribute].name)
        let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        let isQuoted = byte(at: typed.lowerBound - 1).map { quotes.contains($0) } ?? false
        if isQuoted { return values(site, name, typed: typed) }
        return placed(PolicyValues(workspace: workspace, file: file, site: site, attribute: name).all, in: typed)
            .map { value in
                var value = value
                value.text = "\"\(value.text)\""
                return value
            }
    }

    private func values(_ site: PolicySite, _ attribute: String?, typed: Range<Int>) -> [Completion] {
        let values = PolicyValues(workspace: workspace, file: file, site: site, attribute: attribute)
        if let braces = bracedText(typed) { return placed(values.braced(snippets: snippets), in: braces) }
        return placed(values.all, in: typed)
    }

    /// Where a resolver or setting is typed: from its `{` to its `}`, or to the offset.
    private func bracedText(_ typed: Range<Int>) -> Range<Int>? {
        let bytes = file.source.bytes
        let longest = 80
        guard typed.lowerBound <= offset, offset <= typed.upperBound else { return nil }
        let before = bytes[max(typed.lowerBound, offset - longest)..<offset]
        guard let start = before.lastIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }),
            bytes[start] == UInt8(ascii: "{")
        else { return nil }
        let after = bytes[offset..<min(typed.upperBound, offset + longest)]
        let end = after.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") || $0 <= 0x20 }
        guard let end, bytes[end] == UInt8(ascii: "}") else { return start..<offset }
        return start..<(end + 1)
    }

    private func byte(at offset: Int) -> UInt8? {
        file.source.bytes.indices.contains(offset) ? file.source.bytes[offset] : nil
    }

    private func placed(_ proposals: [Proposal], in range: Range<Int>) -> [Completion] {
        proposals.enumerated().map { order, proposal in
            Completion(
                label: proposal.label, kind: proposal.kind, detail: proposal.detail,
                documentation: proposal.documentation, text: proposal.text, isSnippet: proposal.isSnippet,
                range: range, order: order)
        }
    }
}

/// A completion without its place.
struct Proposal {
    let label: String
    let kind: Completion.Kind
    let detail: String?
    let documentation: String?
    let text: String
    let isSnippet: Bool

    /// - Parameters:
    ///   - feature: Its line of the table of features: shown unless it is simulated.
    ///   - text: What is written; `nil`: the label.
    init(
        _ label: String, _ kind: Completion.Kind, detail: String? = nil, documentation: String? = nil,
        feature: Feature? = nil, text: String? = nil, isSnippet: Bool = false
    ) {
        let limits = feature.flatMap { $0.extent == .simulated ? nil : $0 }
        (self.label, self.kind, self.isSnippet) = (label, kind, isSnippet)
        let details = [detail, limits?.extent.word].compactMap(\.self)
        self.detail = details.isEmpty ? nil : details.joined(separator: ", ")
        let texts = [documentation, limits?.extentText].compactMap(\.self)
        self.documentation = texts.isEmpty ? nil : texts.joined(separator: "\n\n")
        self.text = text ?? label
    }
}
