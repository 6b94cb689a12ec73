import Diagnostics
import Exchanges
import JSON
import Scenarios

/// How far a name of a script counts. Names are exact: letter case counts.
enum ScriptScope {
    /// Everywhere the thing that a name names is named, in the order of files and text. What only patches name is declared
    /// there.
    static func occurrences(of symbol: PlacedOccurrence, in workspace: LanguageWorkspace) -> [PlacedOccurrence] {
        guard case .script(let kind) = symbol.occurrence.kind else { return [] }
        let name = symbol.occurrence.name
        let paths = Set(files(of: kind, name: name, seenFrom: home(of: symbol), in: workspace))
        let projects = workspace.files.values.filter { $0.kind == .project }.map(\.path)
        var found = workspace.occurrences(in: paths.union(projects)) { path, other in
            other.kind == symbol.occurrence.kind && sameText(other.name, name)
                && paths.contains(home(of: PlacedOccurrence(file: path, occurrence: other)))
        }
        guard !found.contains(where: \.occurrence.isDeclaration) else { return found }
        for index in found.indices { found[index].occurrence.isDeclaration = found[index].occurrence.whole != nil }
        return found
    }

    /// The file whose name it is: a pointer in a project file leads into a scenario.
    private static func home(of symbol: PlacedOccurrence) -> String {
        symbol.occurrence.scope.map { ScenarioPath.resolve($0, from: symbol.file) } ?? symbol.file
    }

    /// The names of a kind that a file may use, those of its tenant first; apps are clients too.
    static func names(of kind: NameKind, seenFrom file: String, in workspace: LanguageWorkspace) -> [String] {
        declarations(of: kind, seenFrom: file, in: workspace).map(\.occurrence.name)
    }

    /// The same with the place where each is declared, or first named in a patch.
    static func declarations(
        of kind: NameKind, seenFrom file: String, in workspace: LanguageWorkspace
    ) -> [PlacedOccurrence] {
        let kinds: [NameKind] =
            switch kind {
            case .api: [.apiName]
            case .client: [.client, .app]
            default: [kind]
            }
        let tenant = tenantFile(of: file, in: workspace)
        var seen: Set<ExactText> = []
        return kinds.flatMap { kind in
            [tenant, tenant == file ? nil : file].compactMap { $0 }.flatMap { path in
                (workspace.file(path)?.occurrences ?? [])
                    .filter { $0.kind == .script(kind) && $0.whole != nil && seen.insert(ExactText($0.name)).inserted }
                    .map { PlacedOccurrence(file: path, occurrence: $0) }
            }
        }
    }

    /// The path of the tenant file whose names a file uses: the one that it names, or itself; `nil` where it has its
    /// tenant in place.
    static func tenantFile(of path: String, in workspace: LanguageWorkspace) -> String? {
        guard let file = workspace.file(path) else { return nil }
        if file.kind == .tenant { return path }
        guard file.kind == .scenario || file.kind == .target, let json = file.json, let node = json.node(at: "tenant"),
            let text = json.nodes[node].text
        else { return nil }
        return ScenarioPath.resolve(text, from: path)
    }

    /// Why a name cannot be given to a thing of a kind, in a sentence; `nil` if it can. Names go into texts and `{{...}}` as
    /// they are, and roots such as `users` are taken.
    static func objection(to name: String, as kind: NameKind) -> String? {
        if kind == .step || kind == .variable {
            guard ValueReference.isName(name) else { return "A name is made of letters, digits and `_`." }
            return ValueRoot(rawValue: name) == nil ? nil : "`\(name)` has a meaning of its own in `{{...}}`."
        }
        guard name != "*" else { return "`*` means every entry. Choose another name." }
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !"\"\\{}/~".unicodeScalars.contains($0) }
        return isPlain && !name.isEmpty && name == name.trimmingWhitespace
            ? nil : "A name has at least one character, no blanks around it, and none of `\"\\{}/~`."
    }

    /// Why a name cannot change, in a sentence; `nil` if it can.
    static func fixedName(of symbol: PlacedOccurrence, in workspace: LanguageWorkspace) -> String? {
        guard case .script(let kind) = symbol.occurrence.kind, !ownKinds.contains(kind) else { return nil }
        let name = symbol.occurrence.name
        if let tenant = tenantFile(of: home(of: symbol), in: workspace), workspace.file(tenant) == nil {
            return
                "\"\(name)\" is declared in \(tenant), which is not among the files of the open folders. Open its folder "
                + "too, and name it by a relative path."
        }
        let hasID = occurrences(of: symbol, in: workspace).contains { found in
            guard let json = workspace.file(found.file)?.json, found.occurrence.isDeclaration,
                let entry = json.node(at: found.occurrence.range.lowerBound)
            else { return false }
            return json.child("id", of: entry) != nil
        }
        return kind != .policy || hasID
            ? nil
            : "\"\(name)\" is the id of the policy too. Add \"id\": \"\(name)\" to its entry in the tenant file first."
    }

    /// A thing that has a name already where another one counts.
    static func owner(
        of name: String, besides symbol: PlacedOccurrence, in workspace: LanguageWorkspace
    ) -> PlacedOccurrence? {
        guard case .script(let kind) = symbol.occurrence.kind else { return nil }
        let kinds = sharedNames.first { $0.contains(kind) } ?? [kind]
        let home = home(of: symbol)
        let paths =
            files(of: kind, name: symbol.occurrence.name, seenFrom: home, in: workspace)
            + [tenantFile(of: home, in: workspace)].compactMap { $0 }
        let found = workspace.occurrences(in: Set(paths)) { _, other in
            kinds.contains { other.kind == .script($0) } && sameText(other.name, name)
        }
        return found.first(where: \.occurrence.isDeclaration) ?? found.first
    }

    /// Kinds that have their names in common: every app is a client too, and `{{...}}` names variables and steps.
    private static let sharedNames: [[NameKind]] = [[.app, .client], [.variable, .step]]

    private static let ownKinds: Set<NameKind> = [.step, .caseName, .variable, .client]

    /// The files in which a name means the same thing: a name that the tenant file declares is that of all its scenarios.
    private static func files(
        of kind: NameKind, name: String, seenFrom path: String, in workspace: LanguageWorkspace
    ) -> [String] {
        guard !ownKinds.contains(kind), let tenant = tenantFile(of: path, in: workspace),
            let file = workspace.file(tenant),
            file.occurrences.contains(where: {
                $0.isDeclaration && $0.kind == .script(kind) && sameText($0.name, name)
            })
        else { return [path] }
        return workspace.files.keys.filter { tenantFile(of: $0, in: workspace) == tenant }.sorted()
    }
}

extension LanguageWorkspace {
    /// Paths of files that a JSON file names, such as that of its tenant, resolved; with the bytes that name them. What
    /// they lead to need not be there.
    package func links(of path: String) -> [(range: Range<Int>, path: String)] {
        guard let file = file(path), let json = file.json else { return [] }
        let places = ScriptPlaces(json, kind: file.kind)
        return json.nodes.indices.compactMap { node in
            guard let text = json.nodes[node].text, !text.isEmpty, !text.contains("{{"), !text.contains("://"),
                places.namesFile(node)
            else { return nil }
            return (json.contentRange(node), ScenarioPath.resolve(text, from: path))
        }
    }
}

extension ScriptPlaces {
    /// Whether a text is the path of a file or folder.
    func namesFile(_ node: Int) -> Bool {
        guard let place = places[node] else { return false }
        if let name = place.field?.name { return Self.fileKeys.contains(name) }
        // Folders with the files of page templates, by address.
        return place.keyHint != nil
            && outline.nodes[node].parent.map { isValue($0, of: "pages", in: "tenant file") } ?? false
    }

    private static let fileKeys: Set<String> = [
        "$schema", "tenant", "file", "policyFolders", "policySettingsFile", "caFile", "paths",
    ]
}
