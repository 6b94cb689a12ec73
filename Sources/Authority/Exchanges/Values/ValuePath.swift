import Diagnostics
import JSON

/// Follows the path of a reference into a value, and says what is there instead when it leads nowhere.
package enum ValuePath {
    /// - Parameters:
    ///   - value: What the reference's root stands for.
    ///   - path: Member names and array indices.
    ///   - reference: The whole reference, for the message.
    package static func follow(
        _ value: JSONValue, _ path: [String], of reference: ValueReference
    ) throws(ValueError) -> JSONValue {
        var current = value
        for (depth, token) in path.enumerated() {
            if let next = current.value(at: JSONPointer(tokens: [token])) {
                current = next
                continue
            }
            let place = ([reference.root] + path.prefix(depth)).joined(separator: "/")
            throw ValueError(
                reference: reference.description, message: absence(of: token, in: current, called: place))
        }
        return current
    }

    /// Why `value` has no part called `token`.
    package static func absence(of token: String, in value: JSONValue, called place: String) -> String {
        switch value {
        case .object(let object):
            if object.isEmpty { return "`\(place)` is an empty object and has no `\(token)`" }
            if let near = nearestName(token, among: object.keys) {
                return "`\(place)` has no `\(token)`; did you mean `\(near)`?"
            }
            return "`\(place)` has no `\(token)`; it has \(namesList(object.keys))"
        case .array(let elements):
            return elements.isEmpty
                ? "`\(place)` is an empty array and has no `\(token)`"
                : "`\(place)` is an array of \(elements.count); `\(token)` is not one of its indices"
                    + " 0 to \(elements.count - 1)"
        default:
            return "`\(place)` is \(article(value.typeName)) and has no `\(token)`"
        }
    }

    /// A type's name in a sentence.
    package static func article(_ typeName: String) -> String {
        switch typeName {
        case "null": "null"
        case "object", "array": "an \(typeName)"
        default: "a \(typeName)"
        }
    }
}
