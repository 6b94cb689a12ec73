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
        /// The tenant files that name a path.
        var namers: [String: Set<String>] = [:]
        for file in workspace.files.values {
            if file.kind == .tenant || (file.kind == .settings && kind == .setting) {
                givers[file.kind, default: [:]][PolicyFamilies.folder(of: file.path), default: []].append(file.path)
            }
            guard file.json?.nodes.contains(where: { Self.linking.contains($0.token) }) == true else { continue }
            let tenant = tenant(of: file.path)
            for link in workspace.links(of: file.path) { namers[link.path, default: []].insert(tenant) }
        }
        for path in workspace.files.keys where isGiven(path) {
            let tenants = Self.around(path).compactMap { namers[$0] }.joined()
            for base in tenants.isEmpty ? [] : workspace.families.chain(path) {
                owners[base, default: []].formUnion(tenants)
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

    /// The paths by which a file or a folder around it may be named.
    private static func around(_ path: String) -> [String] {
        [path, "."] + path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
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
        var count = left.count + 1
        while left.count < count {
            count = left.count
            left.removeAll { file in
                guard !known.isDisjoint(with: file.homes) else { return false }
                known.formUnion(file.homes)
                found += file.places
                return true
            }
        }
        return found.sorted { ($0.file, $0.occurrence.range.lowerBound) < ($1.file, $1.occurrence.range.lowerBound) }
    }
}
