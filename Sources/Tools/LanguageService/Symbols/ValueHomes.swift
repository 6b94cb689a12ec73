/// Which files share the values of policy keys and settings: a policy has those of the tenant files that name it or are
/// beside or above it, and the settings of the `appsettings.json` beside or above it.
struct ValueHomes {
    private let workspace: LanguageWorkspace
    /// The tenant files that name a policy or `appsettings.json`, also in scenarios that change them, by its path and by
    /// those of its bases.
    private var owners: [String: Set<String>] = [:]
    /// The files that give values to the policies in a folder and below, by folder.
    private var givers: [LanguageKind: [String: [String]]] = [:]

    init(of kind: SymbolKind, in workspace: LanguageWorkspace) {
        self.workspace = workspace
        var links: [String: Set<String>] = [:]
        for file in workspace.files.values {
            if file.kind == .tenant || (file.kind == .settings && kind == .setting) {
                givers[file.kind, default: [:]][PolicyFamilies.folder(of: file.path), default: []].append(file.path)
            }
            guard file.json?.nodes.contains(where: { Self.linking.contains($0.token) }) == true else { continue }
            links[tenant(of: file.path), default: []].formUnion(workspace.links(of: file.path).map(\.path))
        }
        for path in workspace.files.keys where isGiven(path) {
            for (tenant, named) in links where named.contains(where: { Self.holds($0, path) }) {
                for base in workspace.families.chain(path) { owners[base, default: []].insert(tenant) }
            }
        }
    }

    /// Keys whose values are paths of policies and their settings.
    private static let linking: Set<String> = ["file", "policyFolders", "policySettingsFile"]

    /// Whether a file gets its values from others.
    private func isGiven(_ path: String) -> Bool {
        workspace.file(path).map { $0.kind == .policy || $0.kind == .settings } ?? false
    }

    private func tenant(of path: String) -> String { ScriptScope.tenantFile(of: path, in: workspace) ?? path }

    /// The files whose values a file has, or gives itself. Policies without any share what they name.
    func homes(of path: String) -> Set<String> {
        guard isGiven(path) else { return [tenant(of: path)] }
        // What no tenant file names has the values of its base.
        let named = workspace.families.chain(path).reversed().lazy.compactMap { owners[$0] }.first ?? []
        let found = named.union(givers.values.flatMap { nearest(to: path, in: $0) })
        return found.isEmpty ? [""] : found
    }

    private func nearest(to path: String, in folders: [String: [String]]) -> [String] {
        var folder = PolicyFamilies.folder(of: path)
        while folders[folder] == nil, !folder.isEmpty { folder = PolicyFamilies.folder(of: folder) }
        return folders[folder] ?? []
    }

    /// Whether a path that is named is that of a file, or of a folder around it.
    private static func holds(_ link: String, _ path: String) -> Bool {
        link == "." || path == link || (path.hasPrefix(link) && path.dropFirst(link.count).hasPrefix("/"))
    }
}

extension LanguageWorkspace {
    /// Occurrences of a policy key or setting in the files that share values with some files, also over others.
    func sharing(
        with paths: some Sequence<String>, _ kind: SymbolKind, where holds: (NameOccurrence) -> Bool
    ) -> [PlacedOccurrence] {
        let homes = ValueHomes(of: kind, in: self)
        var known = Set(paths.flatMap(homes.homes))
        var left = Dictionary(grouping: occurrences(in: files.keys) { holds($1) }, by: \.file)
            .map { (homes: homes.homes(of: $0), places: $1) }
        var found: [PlacedOccurrence] = []
        while let next = left.firstIndex(where: { !known.isDisjoint(with: $0.homes) }) {
            known.formUnion(left[next].homes)
            found += left.remove(at: next).places
        }
        return found.sorted { ($0.file, $0.occurrence.range.lowerBound) < ($1.file, $1.occurrence.range.lowerBound) }
    }
}
