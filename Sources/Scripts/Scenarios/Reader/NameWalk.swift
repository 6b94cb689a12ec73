import Exchanges
import JSON

/// Finds the names in a value by its shape, so that every place of the language that names something is checked, also
/// those inside patches and expectations.
struct NameWalk {
    let named: [String: Shape]
    /// Called for each text that names something.
    let visit: (NameKind, String, JSONPointer) -> Void

    func walk(_ value: JSONValue, _ shape: Shape, at pointer: JSONPointer) {
        switch shape {
        case .name(let kind):
            if case .string(let text) = value, !Template.mayHoldReference(text) { visit(kind, text, pointer) }
        case .ref(let name):
            if let target = named[name] { walk(value, target, at: pointer) }
        case .nullable(let inner):
            if !value.isNull { walk(value, inner, at: pointer) }
        case .array(let element):
            for (index, item) in (value.arrayValue ?? []).enumerated() {
                walk(item, element, at: pointer.appending(index))
            }
        case .map(let member, _, _):
            for (name, item) in value.objectValue?.members ?? [] { walk(item, member, at: pointer.appending(name)) }
        case .object(let object):
            for (name, item) in value.objectValue?.members ?? [] {
                if let field = object.fields.first(where: { $0.name == name }) {
                    if field.notBuiltYet == nil { walk(item, field.shape, at: pointer.appending(name)) }
                } else if let open = object.open {
                    walk(item, open, at: pointer.appending(name))
                }
            }
        case .anyOf(let shapes):
            // Alternatives differ by the kind of value they take; among those for texts a word wins over a name.
            let fitting = shapes.filter { takes($0, value, depth: 0) }
            if case .string(let text) = value, fitting.contains(where: { $0.isWord(text) }) { return }
            if let first = fitting.first { walk(value, first, at: pointer) }
        default:
            break
        }
    }

    private func takes(_ shape: Shape, _ value: JSONValue, depth: Int) -> Bool {
        guard depth < 16 else { return false }
        switch shape {
        case .any: return true
        case .bool: return value.boolValue != nil
        case .integer, .number: return value.doubleValue != nil
        case .array: return value.arrayValue != nil
        case .map, .object: return value.objectValue != nil
        case .anyOf(let shapes): return shapes.contains { takes($0, value, depth: depth + 1) }
        case .nullable(let inner): return value.isNull || takes(inner, value, depth: depth + 1)
        case .ref(let name): return named[name].map { takes($0, value, depth: depth + 1) } ?? false
        case .oneOf: return value.stringValue.map(shape.isWord) ?? false
        default: return value.stringValue != nil
        }
    }
}

extension Shape {
    /// Whether this is a choice of words with this text among them.
    fileprivate func isWord(_ text: String) -> Bool {
        if case .oneOf(let choices) = self { choices.contains { $0.value == text } } else { false }
    }
}
