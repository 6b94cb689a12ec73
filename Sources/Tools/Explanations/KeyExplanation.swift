import Diagnostics
import JSON
import Scenarios
import TenantFiles

/// What a key of a scenario or tenant file means: verbs, modifiers, settings.
enum KeyExplanation {
    /// Every key of that name, letter case ignored. Keys that take the same are explained together.
    static func named(_ name: String) -> [Explanation] {
        catalogs.flatMap { file, catalog in
            var groups: [(takes: String, keys: [(object: ObjectShape, field: Field)])] = []
            for key in catalog.keys(named: name) {
                let takes = catalog.words(key.field.shape)
                if let place = groups.firstIndex(where: { $0.takes == takes }) {
                    groups[place].keys.append(key)
                } else {
                    groups.append((takes, [key]))
                }
            }
            return groups.map { explanation(of: $0.keys, in: file, taking: $0.takes, catalog: catalog) }
        }
    }

    /// The names of all keys.
    static var names: [String] {
        var seen: Set<String> = []
        return catalogs.flatMap { $0.catalog.objects.flatMap { $0.fields.map(\.name) } }.filter {
            seen.insert($0).inserted
        }
    }

    private static var catalogs: [(file: String, catalog: ShapeCatalog)] {
        let tenant = ShapeCatalog(root: TenantShapes.root, named: TenantShapes.named)
        return [
            ("scenario", ShapeCatalog(root: ScenarioShapes.root, named: ScenarioShapes.named, without: tenant)),
            ("tenant file", tenant),
        ]
    }

    private static func explanation(
        of keys: [(object: ObjectShape, field: Field)], in file: String, taking takes: String, catalog: ShapeCatalog
    ) -> Explanation {
        let field = keys[0].field
        let isVerb = keys[0].object.exactlyOneOf.contains(field.name)
        let titles = keys.map(\.object.title)
        let places = titles == [file] ? "a \(file)" : "\(namesList(titles)) of a \(file)"
        var facts: [(label: String, text: String)] = []
        for key in keys {
            facts.append((keys.count == 1 ? "means" : "in \(key.object.title)", key.field.doc))
            if let text = key.field.defaultText { facts.append(("default", text)) }
            if key.field.required { facts.append(("", "Required.")) }
            if let text = key.field.notBuiltYet { facts.append(("not built yet", text)) }
        }
        facts.append(("takes", takes))
        for choice in catalog.choices(field.shape) {
            facts.append((choice.value, choice.doc + (choice.notBuiltYet.map { " Not built yet: \($0)." } ?? "")))
        }
        for inner in catalog.object(field.shape)?.fields ?? [] {
            let remark =
                (inner.notBuiltYet ?? "").isEmpty ? inner.defaultText.map { " (\($0))" } ?? "" : " Not built yet."
            facts.append((".\(inner.name)", inner.doc + remark))
        }
        return Explanation(title: "\(field.name)  \(isVerb ? "verb" : "key") in \(places)", facts: facts)
    }
}
