import JSON

/// All objects that a kind of file may hold, from the table that reader and schema come from too.
package struct ShapeCatalog {
    /// The objects, the file itself first, each once, in the order in which keys lead to them.
    private(set) var objects: [ObjectShape] = []
    private let named: [String: Shape]
    private var seenTitles: Set<String> = []
    private var seenNames: Set<String> = []

    /// Everything that a root leads to.
    ///
    /// - Parameter other: objects that are omitted because they are explained there: `configure` takes a tenant file.
    package init(root: Shape, named: [String: Shape], without other: ShapeCatalog? = nil) {
        self.named = named
        seenTitles = other?.seenTitles ?? []
        var waiting = [root]
        // Breadth first, so that what stands near the top of a file is explained before its details.
        while !waiting.isEmpty {
            var next: [Shape] = []
            for shape in waiting { visit(shape, &next) }
            waiting = next
        }
    }

    private mutating func visit(_ shape: Shape, _ next: inout [Shape]) {
        switch shape {
        case .object(let object):
            guard seenTitles.insert(object.title + "/" + object.fields.map(\.name).joined(separator: "/")).inserted
            else {
                return
            }
            objects.append(object)
            next += object.fields.map(\.shape) + [object.open].compactMap { $0 }
        case .array(let element): visit(element, &next)
        case .map(let element, _, _): visit(element, &next)
        case .anyOf(let shapes): for shape in shapes { visit(shape, &next) }
        case .nullable(let inner): visit(inner, &next)
        case .ref(let name):
            guard seenNames.insert(name).inserted, let shape = named[name] else { return }
            visit(shape, &next)
        case .any, .bool, .integer, .number, .string, .nonEmptyString, .duration, .instant, .url, .pattern, .oneOf,
            .name:
            break
        }
    }

    /// Every key of a name, letter case ignored, with the object that has it.
    func keys(named name: String) -> [(object: ObjectShape, field: Field)] {
        let wanted = name.lowercased()
        return objects.flatMap { object in
            object.fields.filter { $0.name.lowercased() == wanted }.map { (object, $0) }
        }
    }

    /// What a key may have, in a few words.
    func words(_ shape: Shape, depth: Int = 0) -> String {
        guard depth < 6 else { return "value" }
        func inner(_ shape: Shape) -> String { words(shape, depth: depth + 1) }
        switch shape {
        case .any: return "any value"
        case .bool: return "true or false"
        case .integer(let bounds):
            guard let bounds else { return "whole number" }
            if bounds.upperBound > 1_000_000_000 { return "whole number from \(bounds.lowerBound)" }
            return "whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .number: return "number"
        case .string, .nonEmptyString: return "text"
        case .duration: return "duration"
        case .instant: return "instant"
        case .url: return "URL"
        case .pattern(_, let hint): return hint
        case .oneOf(let choices): return choices.map { "`\($0.value)`" }.joined(separator: " ")
        case .name(let kind): return Self.word(kind)
        case .array(let element): return "list: \(inner(element))"
        case .map(let element, let hint, _): return "map: \(hint) to \(inner(element))"
        case .object(let object): return object.title
        case .anyOf(let shapes):
            var parts: [String] = []
            for part in shapes.map(inner) where !parts.contains(part) { parts.append(part) }
            return parts.joined(separator: ", or ")
        case .nullable(let shape): return "\(inner(shape)), or null"
        case .ref(let name):
            switch named[name] {
            case .object(let object)?: return object.title
            case .anyOf?, nil: return name
            case let shape?: return inner(shape)
            }
        }
    }

    /// The choices inside a shape.
    func choices(_ shape: Shape) -> [Choice] {
        switch shape {
        case .oneOf(let choices): choices
        case .anyOf(let shapes): shapes.flatMap { choices($0) }
        case .nullable(let inner): choices(inner)
        case .array(let element): choices(element)
        default: []
        }
    }

    /// The object inside a shape, where there is one.
    func object(_ shape: Shape) -> ObjectShape? {
        switch shape {
        case .object(let object): object
        case .anyOf(let shapes): shapes.lazy.compactMap { object($0) }.first
        case .nullable(let inner): object(inner)
        case .array(let element): object(element)
        case .map(let element, _, _): object(element)
        case .ref(let name): if case .object(let object)? = named[name] { object } else { nil }
        default: nil
        }
    }

    private static func word(_ kind: NameKind) -> String {
        switch kind {
        case .caseName: "name of a case"
        case .apiName: "name of an API"
        case .api: "name of an API"
        case .app: "name of an app"
        case .keySet: "name of a key set"
        case .restStub: "name of a REST answer"
        case .scenarioTag: "tag"
        case .policyKey: "id of a policy key"
        default: "name of a \(kind.rawValue)"
        }
    }
}
