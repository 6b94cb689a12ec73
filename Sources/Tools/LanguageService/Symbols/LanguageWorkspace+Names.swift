import JSON
import TrustFramework

extension LanguageWorkspace {
    /// The name at a place.
    package func symbol(at place: TextPlace) -> PlacedOccurrence? {
        guard let occurrence = file(place.file)?.occurrence(at: place.offset) else { return nil }
        let symbol = PlacedOccurrence(file: place.file, occurrence: occurrence)
        // What is pressed is a provider only if there is one of the name.
        let isKnown =
            occurrence.kind != .script(.provider) || occurrences(of: symbol).contains(where: \.occurrence.isDeclaration)
        return isKnown ? symbol : nil
    }

    /// Everywhere the same thing is named, in the order of files and text. Names in files that do not see each other, such
    /// as those of two relying parties that declare a claim of the same name, are different things.
    package func occurrences(of symbol: PlacedOccurrence) -> [PlacedOccurrence] {
        let wanted = symbol.occurrence
        func isNamedAlike(_ other: NameOccurrence) -> Bool {
            other.kind == wanted.kind && sameID(other.name, wanted.name)
        }
        switch wanted.kind {
        case .script: return ScriptScope.occurrences(of: symbol, in: self)
        case .policyKey, .setting: return sharing(with: [symbol.file], wanted.kind, where: isNamedAlike)
        case .policy:
            let target = policyFile(of: symbol)
            return occurrences(in: files.keys) { path, other in
                isNamedAlike(other) && policyFile(of: PlacedOccurrence(file: path, occurrence: other)) == target
            }
        default:
            let all = connected(to: symbol.file, where: isNamedAlike)
            // Metadata name an exchange of any journey, so it is one thing in all of them.
            guard let scope = wanted.scope, !all.contains(where: { $0.occurrence.scope == nil }) else { return all }
            return connected(to: symbol.file) { isNamedAlike($0) && sameID($0.scope ?? "", scope) }
        }
    }

    /// Where it is declared: from the root of the chain of the file down.
    package func definitions(at place: TextPlace) -> [PlacedOccurrence] {
        guard let symbol = symbol(at: place) else { return [] }
        var all = occurrences(of: symbol).filter(\.occurrence.isDeclaration)
        if let scope = symbol.occurrence.scope {
            // Metadata may name one of this id in any journey; here it is that of its own.
            all.removeAll { !sameID($0.occurrence.scope ?? scope, scope) }
        }
        let seen = families.chain(place.file).flatMap { path in all.filter { $0.file == path } }
        let found = seen.isEmpty ? all : seen
        guard symbol.occurrence.isDeclaration else { return found }
        let others = found.filter { $0 != symbol }
        return others.isEmpty ? [symbol] : others
    }

    /// Names that may be written at a place for a thing of a kind: those that the file sees, in their order, each as its
    /// first declaration spells it.
    package func names(of kind: SymbolKind, seenFrom file: String, scope: String? = nil) -> [String] {
        var candidates: [NameOccurrence] = []
        var paths = files.keys.sorted()
        switch kind {
        case .script(let kind): return ScriptScope.names(of: kind, seenFrom: file, in: self)
        case .policy, .policyKey: break
        case .setting:
            paths = Set(sharing(with: [file], kind) { $0.kind == kind }.map(\.file)).sorted()
        default:
            paths = families.chain(file)
            candidates = builtInNames(under: file).flatMap(\.declared)
        }
        candidates += paths.flatMap { self.file($0)?.occurrences ?? [] }
        // Policy keys and settings may be declared elsewhere: those that others use are known too.
        let isDeclaredHere = kind != .policyKey && kind != .setting
        var spellings: [String: (name: String, isDeclared: Bool)] = [:]
        for found in candidates
        where found.kind == kind && (found.isDeclaration || !isDeclaredHere)
            && (scope.map { sameID(found.scope ?? "", $0) } ?? true)
        {
            let key = found.name.uppercased()
            let isBetter = spellings[key].map { !$0.isDeclared && found.isDeclaration } ?? true
            if isBetter { spellings[key] = (found.name, found.isDeclaration) }
        }
        return spellings.sorted { $0.key < $1.key }.map(\.value.name)
    }

    // MARK: Which names are one thing

    func occurrences(
        in paths: some Sequence<String>, where holds: (String, NameOccurrence) -> Bool
    ) -> [PlacedOccurrence] {
        paths.sorted().flatMap { path in
            (file(path)?.occurrences ?? []).filter { holds(path, $0) }
                .map { PlacedOccurrence(file: path, occurrence: $0) }
        }
    }

    /// Occurrences in a file and in those that inherit from each other and have one.
    private func connected(to file: String, where holds: (NameOccurrence) -> Bool) -> [PlacedOccurrence] {
        var byFile: [String: [PlacedOccurrence]] = [:]
        var pending = [file]
        var seen: Set = [file]
        while let next = pending.popLast() {
            let found = occurrences(in: [next]) { holds($1) }
            guard !found.isEmpty else { continue }
            byFile[next] = found
            pending += families.relatives(next).filter { seen.insert($0).inserted }
        }
        return byFile.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The file of a policy that is named; `nil` if there is none.
    private func policyFile(of symbol: PlacedOccurrence) -> String? {
        if symbol.occurrence.isDeclaration { return symbol.file }
        return file(symbol.file)?.kind == .policy
            ? families.base(symbol.file) : families.file(ofPolicy: symbol.occurrence.name, seenFrom: symbol.file)
    }
}

extension SymbolKind {
    /// In words with the article, such as `a claim type`.
    var phrase: String {
        switch self {
        case .policy: "a policy"
        case .claimType: "a claim type"
        case .technicalProfile: "a technical profile"
        case .claimsTransformation: "a claims transformation"
        case .userJourney: "a user journey"
        case .subJourney: "a sub journey"
        case .contentDefinition: "a content definition"
        case .displayControl: "a display control"
        case .predicate: "a predicate"
        case .predicateValidation: "a predicate validation"
        case .inputValidation: "an input validation"
        case .localizedResources: "a LocalizedResources element"
        case .claimsExchange: "a claims exchange"
        case .policyKey: "a policy key"
        case .setting: "a setting"
        case .script(.step): "a step"
        case .script(let kind): kind.phrase
        }
    }
}
