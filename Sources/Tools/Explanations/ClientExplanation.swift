import CommandKit
import Diagnostics
import JSON
import TenantFiles

/// What a client of some kind checks, and the defaults of its settings.
enum ClientExplanation {
    static func explain(_ words: [String]) throws -> Explanation {
        let names = ClientKind.allCases.map(\.rawValue)
        guard let name = words.first else {
            throw Failure.usage("explain which client? Kinds are \(namesList(names)).")
        }
        guard words.count == 1, let kind = ClientKind(rawValue: name.lowercased()) else {
            let near = nearestName(name, among: names).map { "Did you mean \($0)?" } ?? "Kinds are \(namesList(names))."
            throw Failure.usage("\(words.joined(separator: " ")) is not a kind of client. \(near)")
        }
        // The same derivation that fills in a tenant file.
        let tenant = TenantFile.outline(of: [
            "name": "contoso", "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"]],
            "apps": ["app": ["client": ["kind": .string(kind.rawValue)]]],
        ])
        var facts: [(label: String, text: String)] = [
            ("is", kind.doc),
            ("set it under", "apps.NAME.client of the tenant file, or with the verb createClient"),
        ]
        let client = tenant.json["apps", "app", "client"]
        for (key, value) in client?.objectValue?.members ?? [] where key != "checks" && key != "kind" {
            facts.append((key, JSONWriter.compact(value)))
        }
        let docs = ShapeDocs("checks")
        for (key, value) in client?["checks"]?.objectValue?.members ?? [] {
            facts.append(("checks.\(key)", JSONWriter.compact(value) + (docs[key].map { "  \($0)" } ?? "")))
        }
        return Explanation(title: "client \(kind.rawValue)", facts: facts)
    }
}

/// What the keys of a group of settings mean, from the table that also makes the schema.
private struct ShapeDocs {
    private var docs: [(key: String, doc: String)] = []

    init(_ title: String) {
        if let object = Self.find(title, in: TenantShapes.root, depth: 0) {
            docs = object.fields.map { ($0.name, $0.doc) }
        }
    }

    subscript(key: String) -> String? { docs.first { $0.key == key }?.doc }

    private static func find(_ title: String, in shape: Shape, depth: Int) -> ObjectShape? {
        guard depth < 12 else { return nil }
        func first(_ shapes: [Shape]) -> ObjectShape? {
            for shape in shapes {
                if let found = find(title, in: shape, depth: depth + 1) { return found }
            }
            return nil
        }
        switch shape {
        case .object(let object):
            if object.title == title { return object }
            return first(object.fields.map(\.shape) + [object.open].compactMap { $0 })
        case .array(let element): return first([element])
        case .map(let element, _, _): return first([element])
        case .anyOf(let shapes): return first(shapes)
        case .nullable(let inner): return first([inner])
        case .ref(let name): return TenantShapes.named[name].flatMap { first([$0]) }
        default: return nil
        }
    }
}
