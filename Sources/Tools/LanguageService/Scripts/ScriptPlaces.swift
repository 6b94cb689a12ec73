import JSON
import ScenarioRunner
import Scenarios
import TenantFiles

/// What each value of a scenario, tenant, target or project file may be, by the tables that check these files.
struct ScriptPlaces {
    /// What may be at one place.
    struct Place {
        /// What the value may be: no references, no alternatives inside.
        var shapes: [Shape]
        /// The key whose value it is, also of the elements of a list.
        var field: Field?
        /// The object that has the key.
        var owner: ObjectShape?
        /// What the key names, of a member of a map.
        var names: NameKind?
        /// What the key is in words, of a member of a map.
        var keyHint: String?

        /// The objects with known keys that the value may be.
        var objects: [ObjectShape] {
            shapes.compactMap { if case .object(let object) = $0 { object } else { nil } }
        }
    }

    let outline: JSONOutline
    /// By node; `nil` where nothing is known.
    private(set) var places: [Place?]
    /// What an element or member at the root could be, where the file has nothing yet.
    let root: Place?
    private let named: [String: Shape]

    init(_ outline: JSONOutline, kind: LanguageKind) {
        self.outline = outline
        guard let table = Self.table(of: kind) else {
            (named, root, places) = ([:], nil, Array(repeating: nil, count: outline.nodes.count))
            return
        }
        named = table.named
        let root = Place(shapes: Self.alternatives(table.root, table.named))
        var places: [Place?] = []
        places.reserveCapacity(outline.nodes.count)
        for node in outline.nodes {
            guard let parent = node.parent else {
                places.append(root)
                continue
            }
            places.append(
                places[parent].flatMap {
                    Self.member(node.token, of: $0, isObject: outline.nodes[parent].kind == .object, table.named)
                })
        }
        (self.root, self.places) = (root, places)
        placeVariables()
    }

    /// Gives the values of a variable the shapes of the places whose whole value it is, such as `"user": "{{who}}"`,
    /// where all of these take names of one kind.
    private mutating func placeVariables() {
        let values = places.indices.filter { places[$0]?.names == .variable }
        guard !values.isEmpty else { return }
        let templates = places.indices.compactMap { node in
            outline.nodes[node].text.flatMap(ScriptTemplate.variable(of:)).map { (node: node, variable: $0) }
        }
        var count = 0
        for _ in 0..<Self.deepestVariable {
            var uses: [String: [NameKind: [Shape]]] = [:]
            for (node, variable) in templates {
                guard let kind = name(at: node) else { continue }
                // Some places take more than the name: a list of actions.
                let shapes = places[node]?.shapes ?? []
                if shapes.count > uses[variable]?[kind]?.count ?? 0 { uses[variable, default: [:]][kind] = shapes }
            }
            // A value may be another variable, which gets its shapes in the next round.
            guard uses.count > count else { return }
            count = uses.count
            var placed: Set<Int> = []
            for node in values {
                let kinds = uses[outline.nodes[node].token] ?? [:]
                places[node]?.shapes = kinds.count == 1 ? Array(kinds.values.joined()) : [.any]
                placed.insert(node)
            }
            for (node, value) in outline.nodes.enumerated() {
                guard let parent = value.parent, placed.contains(parent) else { continue }
                places[node] = places[parent].flatMap {
                    member(value.token, of: $0, isObject: outline.nodes[parent].kind == .object)
                }
                placed.insert(node)
            }
        }
    }

    /// So often a variable may be that of another one.
    private static let deepestVariable = 8

    private static func table(of kind: LanguageKind) -> (root: Shape, named: [String: Shape])? {
        switch kind {
        case .scenario: (ScenarioShapes.root, ScenarioShapes.named)
        case .tenant: (TenantShapes.root, TenantShapes.named)
        case .target: (TargetShapes.root, TargetShapes.named)
        case .project: (ProjectSettings.shape, [:])
        case .policy, .settings, .other: nil
        }
    }

    /// What a member or, of a list, an element of a value may be.
    func member(_ name: String, of place: Place, isObject: Bool) -> Place? {
        Self.member(name, of: place, isObject: isObject, named)
    }

    private static func member(
        _ name: String, of place: Place, isObject: Bool, _ named: [String: Shape]
    ) -> Place? {
        for shape in place.shapes {
            switch shape {
            case .array(let element) where !isObject:
                return Place(shapes: alternatives(element, named), field: place.field, owner: place.owner)
            case .map(let member, let hint, let names) where isObject:
                return Place(shapes: alternatives(member, named), names: names, keyHint: hint)
            case .object(let object) where isObject:
                if let field = object.fields.first(where: { $0.name == name }) {
                    var shapes = alternatives(field.shape, named)
                    // The table allows any text there, since a page has ids of its own.
                    if name == "press", object.title == "user action" { shapes.append(.name(.provider)) }
                    return Place(shapes: shapes, field: field, owner: object)
                }
                if let open = object.open { return Place(shapes: alternatives(open, named), owner: object) }
            default: break
            }
        }
        return nil
    }

    /// What a shape may be, references followed.
    private static func alternatives(_ shape: Shape, _ named: [String: Shape]) -> [Shape] {
        var found: [Shape] = []
        var open = [shape]
        // Shapes that lead to themselves at once would have no end.
        var left = 64
        while left > 0, let next = open.popLast() {
            left -= 1
            switch next {
            case .ref(let name): if let target = named[name] { open.append(target) }
            case .nullable(let inner): open.append(inner)
            case .anyOf(let shapes): open += shapes.reversed()
            default: found.append(next)
            }
        }
        return found
    }

    /// The key at the end of a path into the outcome of a step; `nil` where names are free, and beyond.
    func outcomeField(_ path: some Sequence<String>) -> Field? { outcome(path)?.field }

    /// What is at the end of a path into the outcome of a step.
    func outcome(_ path: some Sequence<String>) -> Place? {
        var here: Place? = Place(shapes: Self.alternatives(.ref("outcome"), named))
        for token in path {
            here = here.flatMap { member(token, of: $0, isObject: !token.allSatisfy(\.isNumber)) }
        }
        return here
    }

    /// What a text names; `nil` if it is a word of the language, or names nothing.
    func name(at node: Int) -> NameKind? {
        guard let place = places[node], outline.nodes[node].kind == .string, let text = outline.nodes[node].text else {
            return nil
        }
        var kind: NameKind?
        for shape in place.shapes {
            switch shape {
            case .oneOf(let choices): if choices.contains(where: { $0.value == text }) { return nil }
            case .name(let found): kind = kind ?? found
            default: break
            }
        }
        return kind
    }

    /// Whether a value is that of a key of an object of some title.
    func isValue(_ node: Int, of key: String, in title: String) -> Bool {
        places[node].map { $0.field?.name == key && $0.owner?.title == title } ?? false
    }
}
