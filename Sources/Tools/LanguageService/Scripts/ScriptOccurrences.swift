import Diagnostics
import Exchanges
import JSON

/// The names in a scenario, tenant, target, project or settings file.
enum ScriptOccurrences {
    static func all(in outline: JSONOutline, kind: LanguageKind) -> [NameOccurrence] {
        if kind == .settings { return settings(in: outline) }
        let places = ScriptPlaces(outline, kind: kind)
        let own = OwnNames(places)
        var found: [NameOccurrence] = []
        for (node, value) in outline.nodes.enumerated() {
            if let occurrence = memberName(node, places, kind: kind, own: own) { found.append(occurrence) }
            found += pointerNames(node, places, kind: kind, own: own)
            guard value.kind == .string, let text = value.text else { continue }
            if Template.mayHoldReference(text) {
                found += references(in: text, of: node, outline, own: own)
            } else if places.isValue(node, of: "id", in: "step") {
                found.append(
                    NameOccurrence(
                        kind: .script(.step), name: text, range: outline.contentRange(node), isDeclaration: true,
                        whole: value.parent.map { outline.nodes[$0].whole }))
            } else if let symbol = places.name(at: node).flatMap({ own.symbol($0, text) }) {
                found.append(NameOccurrence(kind: symbol, name: text, range: outline.contentRange(node)))
            }
        }
        return found
    }

    /// The name of a member of a map: it declares something, or in a patch and elsewhere names what there is. Names in
    /// patches have the range of their member, since they may be new.
    private static func memberName(
        _ node: Int, _ places: ScriptPlaces, kind: LanguageKind, own: OwnNames
    ) -> NameOccurrence? {
        let outline = places.outline
        let value = outline.nodes[node]
        guard let range = outline.keyContent(node), let map = value.parent, let place = places.places[node],
            place.keyHint != nil, let holder = outline.nodes[map].parent, let inside = places.places[map],
            let field = inside.field, let owner = inside.owner, value.token != "*"
        else { return nil }
        let isPlaceOfTenant = owner.title == tenantTitle
        let isSetting = isPlaceOfTenant && field.name == "policySettings"
        guard let symbol = isSetting ? .setting : place.names.flatMap({ own.symbol($0, value.token) }) else {
            return nil
        }
        let isInPlace =
            kind == .scenario && outline.nodes[holder].parent == 0 && outline.nodes[holder].token == "tenant"
        let isDeclaration = holder == 0 || (isPlaceOfTenant && isInPlace) || symbol == .script(.variable)
        let isRemoval = value.kind == .word && outline.written(value.value) == "null"
        return NameOccurrence(
            kind: symbol, name: value.token, range: range, isDeclaration: isDeclaration,
            whole: isDeclaration || (isPlaceOfTenant && !isRemoval) ? value.whole : nil)
    }

    private static let tenantTitle = "tenant file"

    /// What the tokens of a JSON pointer name that is a key of `proves`; in a project file it begins with the path of a
    /// scenario and `#`.
    private static func pointerNames(
        _ node: Int, _ places: ScriptPlaces, kind: LanguageKind, own: OwnNames
    ) -> [NameOccurrence] {
        let outline = places.outline
        let value = outline.nodes[node]
        // Nothing in it is escaped.
        guard let map = value.parent, places.places[map]?.field?.name == "proves",
            let owner = outline.nodes[map].parent, let range = outline.keyContent(node),
            range.count == value.token.utf8.count, !value.token.contains("~"), !value.token.contains("%")
        else { return [] }
        let parts = value.token.split(separator: "#", omittingEmptySubsequences: false)
        let file = kind == .project && parts.count == 2 ? String(parts[0]) : nil
        let table = file == nil ? places : scenario
        var place = file == nil ? places.places[owner] : table.root
        var start = range.lowerBound + (file.map { $0.utf8.count + 1 } ?? 0)
        let pointer = file == nil ? value.token[...] : parts[1]
        return pointer.split(separator: "/", omittingEmptySubsequences: false).enumerated().compactMap {
            let (index, token) = ($0, String($1))
            let part = start..<(start + token.utf8.count)
            start = part.upperBound + 1
            guard index > 0 else { return nil }
            place = place.flatMap { here in
                table.member(token, of: here, isObject: true) ?? table.member(token, of: here, isObject: false)
            }
            guard !token.isEmpty, token != "*" else { return nil }
            let symbol = place?.names.flatMap { $0 == .client ? .script(.client) : own.symbol($0, token) }
            return symbol.map { NameOccurrence(kind: $0, name: token, range: part, scope: file) }
        }
    }

    /// The table of scenarios, for pointers into other files.
    private static let scenario = ScriptPlaces(JSONOutline(SourceText(file: "", bytes: [])), kind: .scenario)

    /// What the `{{...}}` of a text name.
    private static func references(
        in text: String, of node: Int, _ outline: JSONOutline, own: OwnNames
    ) -> [NameOccurrence] {
        ScriptTemplate.all(in: text).compactMap { template in
            let named: (part: ScriptTemplate.Part, kind: NameKind)? =
                if let entry = template.entry {
                    (template.parts[entry.index], entry.kind)
                } else if ValueReference.isName(template.parts[0].text),
                    ValueRoot(rawValue: template.parts[0].text) == nil
                {
                    (template.parts[0], own.steps.contains(template.parts[0].text) ? .step : .variable)
                } else {
                    nil
                }
            // A `~` escapes something, which names seldom have.
            guard let named, !named.part.text.isEmpty, !named.part.text.contains("~"),
                let range = outline.range(ofText: named.part.range, in: node)
            else { return nil }
            return NameOccurrence(kind: .script(named.kind), name: named.part.text, range: range)
        }
    }

    /// The settings of every environment of an `appsettings.json`.
    private static func settings(in outline: JSONOutline) -> [NameOccurrence] {
        guard let list = outline.node(at: "Environments") else { return [] }
        return outline.nodes[list].children.flatMap { environment in
            outline.child("PolicySettings", of: environment).map { outline.nodes[$0].children } ?? []
        }.compactMap { node in
            outline.keyContent(node).map {
                NameOccurrence(
                    kind: .setting, name: outline.nodes[node].token, range: $0, isDeclaration: true,
                    whole: outline.nodes[node].whole)
            }
        }
    }
}

/// Names that decide what another name of the same file is.
private struct OwnNames {
    var steps: Set<String> = []
    private var clients: Set<String> = []

    init(_ places: ScriptPlaces) {
        let outline = places.outline
        for (node, value) in outline.nodes.enumerated() where places.isValue(node, of: "id", in: "step") {
            if let text = value.text { steps.insert(text) }
        }
        if let map = outline.node(at: "clients") {
            clients = Set(outline.nodes[map].children.map { outline.nodes[$0].token })
        }
    }

    /// The kind of a name; `nil` for what has no declaration in these files.
    func symbol(_ kind: NameKind, _ name: String) -> SymbolKind? {
        switch kind {
        case .policyKey: .policyKey
        case .api: .script(.apiName)
        // Every app is a client of its own name.
        case .client: .script(clients.contains(name) ? .client : .app)
        case .policy, .app, .person, .apiName, .provider, .caseName, .step, .keySet, .restStub, .variable: .script(kind)
        default: nil
        }
    }
}
