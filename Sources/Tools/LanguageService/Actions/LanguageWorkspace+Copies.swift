import CommandKit
import Markup
import TrustFramework

extension LanguageWorkspace {
    /// Files that inherit from one, at most so many, are offered to copy to.
    private static let mostCopies = 4

    /// Elements that a policy inherits and may override.
    private static let copied: Set<SymbolKind> = [
        .claimType, .technicalProfile, .claimsTransformation, .userJourney, .subJourney, .contentDefinition,
        .displayControl, .predicate, .predicateValidation, .inputValidation, .localizedResources,
    ]

    /// Copies the element around an offset to files that inherit from this one and do not have it.
    func copies(at offset: Int, of file: LanguageFile) -> [LanguageAction] {
        func declares(_ occurrence: NameOccurrence, _ name: NameOccurrence) -> Bool {
            occurrence.isDeclaration && occurrence.kind == name.kind && sameID(occurrence.name, name.name)
        }
        let declared = file.occurrences.last { name in
            name.isDeclaration && Self.copied.contains(name.kind)
                && (name.whole.map { $0.touches(offset..<offset) } ?? false)
        }
        guard let markup = file.markup, let declared,
            let element = markup.elements.firstIndex(where: { $0.start == declared.whole?.lowerBound })
        else { return [] }
        let insertion = PolicyInsertion(markup)
        // Providers have no ids: one is known by its name.
        let lists = markup.path(element).dropFirst().dropLast().reversed().map { list in
            let head = markup.elements[list].children.first { markup.name($0) == "DisplayName" }
            return PolicyInsertion.List(
                name: markup.name(list),
                head: markup.name(list) == "ClaimsProvider" ? head.map { insertion.text(of: $0) } : nil)
        }
        let name = markup.name(element)
        let words = name.reduce(into: "") { $0 += $1.isUppercase && !$0.isEmpty ? " \($1)" : "\($1)" }.lowercased()
        let children = families.children(file.path).sorted().compactMap { self.file($0) }
            .filter { child in !child.occurrences.contains { declares($0, declared) } }
        return children.prefix(Self.mostCopies).compactMap { child in
            guard let target = child.markup.map({ PolicyInsertion($0) }),
                let edit = target.edit(insertion.lines(of: element, unit: target.unit), named: name, in: lists)
            else { return nil }
            return LanguageAction(
                title: "Copy \(words) \(declared.name) to \(FilePath.name(child.path))", group: .refactoring,
                edits: [edit])
        }
    }
}
