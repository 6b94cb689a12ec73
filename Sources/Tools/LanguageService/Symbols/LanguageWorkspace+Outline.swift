import Markup

/// A thing of a file that an editor lists.
package struct OutlineSymbol: Sendable {
    package enum Kind: Sendable { case file, module, type, function, property, constant, key, event, object }

    package var name: String
    /// Such as the data type of a claim.
    package var detail: String?
    package var kind: Kind
    /// The whole element or member.
    package var whole: Range<Int>
    package var nameRange: Range<Int>
    package var children: [OutlineSymbol]
}

extension LanguageWorkspace {
    /// What a file has, as a tree.
    package func outline(of path: String) -> [OutlineSymbol] {
        guard let file = file(path) else { return [] }
        guard let markup = file.markup else { return ScriptOutline.symbols(of: file) }
        return markup.elements.indices.filter { markup.elements[$0].parent == nil }
            .flatMap { PolicySymbols.symbols(of: $0, in: markup) }
    }

    /// Declarations of all files whose names have the characters of a text in their order, in any letter case, at most 200:
    /// first equal names, then those that begin with it, that contain it, and the others.
    package func declarations(matching text: String) -> [PlacedOccurrence] {
        let wanted = text.lowercased().filter { !$0.isWhitespace }
        var found: [[PlacedOccurrence]] = [[], [], [], []]
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            for occurrence in file.occurrences where occurrence.isDeclaration {
                guard let rank = Self.rank(occurrence.name.lowercased(), for: wanted) else { continue }
                found[rank].append(PlacedOccurrence(file: path, occurrence: occurrence))
            }
        }
        return Array(found.joined().prefix(200))
    }

    /// How well a name fits, 0 best; `nil` if it does not.
    private static func rank(_ name: String, for wanted: String) -> Int? {
        if name == wanted { return 0 }
        if name.hasPrefix(wanted) { return 1 }
        if name.contains(wanted) { return 2 }
        var rest = wanted[...]
        for character in name where character == rest.first { rest.removeFirst() }
        return rest.isEmpty ? 3 : nil
    }

    /// Ranges that an editor may fold: elements, comments, objects and lists over several lines.
    package func foldingRanges(of path: String) -> [Range<Int>] {
        guard let file = file(path) else { return [] }
        guard let markup = file.markup else { return ScriptOutline.foldingRanges(of: file) }
        func line(_ offset: Int) -> Int { file.source.position(at: offset).line }
        return (markup.elements.map { $0.start..<$0.end } + markup.comments)
            .filter { line($0.lowerBound) < line($0.upperBound) }.sorted { $0.lowerBound < $1.lowerBound }
    }
}

extension SymbolKind {
    /// What a declaration is to an editor.
    package var outlineKind: OutlineSymbol.Kind {
        if case .script = self { return .object }
        let element = Self.declaring.first { $0.kind == self }?.element
        return element.flatMap { PolicySymbols.rows[$0]?.kind } ?? .key
    }
}

/// What the outline of a policy shows.
private enum PolicySymbols {
    /// Where a text of an element is: `@Id` is an attribute, `DataType` the text of a child, `Protocol@Name` an attribute
    /// of a child.
    typealias Path = String

    struct Row: Sendable {
        var kind: OutlineSymbol.Kind
        /// What names it; several are put together. Without any, or where they are empty, it is the element's name.
        var names: [Path]
        var detail: Path?

        init(_ kind: OutlineSymbol.Kind, _ names: Path..., detail: Path? = nil) {
            (self.kind, self.names, self.detail) = (kind, names, detail)
        }
    }

    /// The elements that are shown. Others hand what they hold to the element around them.
    static let rows: [String: Row] = [
        "TrustFrameworkPolicy": Row(.file, "@PolicyId", detail: "@PublicPolicyUri"),
        "ClaimsSchema": Row(.module), "Predicates": Row(.module), "InputValidations": Row(.module),
        "PredicateValidations": Row(.module), "ClaimsTransformations": Row(.module),
        "ContentDefinitions": Row(.module), "Localization": Row(.module), "DisplayControls": Row(.module),
        "ClaimsProviders": Row(.module), "UserJourneys": Row(.module), "SubJourneys": Row(.module),
        "RelyingParty": Row(.module, detail: "DefaultUserJourney@ReferenceId"),
        "ClaimType": Row(.property, "@Id", detail: "DataType"),
        "Predicate": Row(.constant, "@Id", detail: "@Method"),
        "InputValidation": Row(.constant, "@Id"), "PredicateValidation": Row(.constant, "@Id"),
        "ClaimsTransformation": Row(.function, "@Id", detail: "@TransformationMethod"),
        "ContentDefinition": Row(.type, "@Id", detail: "DataUri"),
        "LocalizedResources": Row(.constant, "@Id", detail: "@Culture"),
        "DisplayControl": Row(.type, "@Id", detail: "@UserInterfaceControlType"),
        "ClaimsProvider": Row(.module, "DisplayName"),
        "TechnicalProfile": Row(.function, "@Id", detail: "Protocol@Name"),
        "UserJourney": Row(.event, "@Id"), "SubJourney": Row(.event, "@Id", detail: "@Type"),
        "OrchestrationStep": Row(.key, "@Order", "@Type"),
        "ClaimsExchange": Row(.key, "@Id", detail: "@TechnicalProfileReferenceId"),
    ]

    /// An element that is shown, or those in it that are.
    static func symbols(of element: Int, in outline: MarkupOutline) -> [OutlineSymbol] {
        let item = outline.elements[element]
        let children = item.children.flatMap { symbols(of: $0, in: outline) }
        let name = outline.name(element)
        guard let row = rows[name] else { return children }
        let names = row.names.compactMap { value($0, of: element, in: outline) }
        return [
            OutlineSymbol(
                name: names.isEmpty ? name : names.map(\.text).joined(separator: " "),
                detail: row.detail.flatMap { value($0, of: element, in: outline)?.text }, kind: row.kind,
                whole: item.start..<max(item.end, item.tagEnd), nameRange: names.first?.range ?? item.name,
                children: children)
        ]
    }

    private static func value(
        _ path: Path, of element: Int, in outline: MarkupOutline
    ) -> (text: String, range: Range<Int>)? {
        let parts = path.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        var place = element
        if let child = parts.first, !child.isEmpty {
            guard let found = outline.elements[element].children.first(where: { outline.name($0) == child }) else {
                return nil
            }
            place = found
        }
        guard parts.count > 1 else { return outline.text(place) }
        guard let text = outline.value(place, parts[1]), !text.isEmpty, let range = outline.valueRange(place, parts[1])
        else { return nil }
        return (text, range)
    }
}
