import JSON
import Verbs

/// Follows a JSON pointer into an outcome that does not exist yet, by the shapes that outcomes have.
enum OutcomePath {
    /// A token of a pointer that leads nowhere, with what is known there.
    struct DeadEnd: Equatable {
        /// How many tokens of the path lead somewhere.
        var depth: Int
        /// The members that are known there; `nil` for a value without members, such as a text, and for a list.
        var members: [String]?
        /// What is there: `a text`, `a list`.
        var kind: String
    }

    /// Where a path into an outcome ends before its last token; `nil` where it may lead somewhere, which it does
    /// wherever names are free: in claims, headers and JSON bodies.
    static func deadEnd(_ path: [String]) -> DeadEnd? {
        var here = Place(.ref("outcome"))
        for (depth, token) in path.enumerated() {
            switch here {
            case .free: return nil
            case .leaf(let kind): return DeadEnd(depth: depth, members: nil, kind: kind)
            case .list(let element):
                guard token.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !token.isEmpty else {
                    return DeadEnd(depth: depth, members: nil, kind: "a list, whose elements have numbers from 0")
                }
                here = Place(element)
            case .object(let shape):
                let fields = shape.fields.filter { !$0.name.hasPrefix("$") }
                if let field = fields.first(where: { sameText($0.name, token) }) {
                    here = Place(field.shape)
                } else if let open = shape.open {
                    here = Place(open)
                } else if unmatched[shape.title]?.contains(where: { sameText($0, token) }) == true {
                    return nil
                } else {
                    return DeadEnd(depth: depth, members: fields.map(\.name), kind: "an object")
                }
            }
        }
        return nil
    }

    /// Members that outcomes have and that no expectation compares, by what their object is called.
    private static let unmatched = [
        "error": ClientError.members.filter { !$0.isCompared }.map(\.field.name), "message record": ["at"],
    ]

    /// What is at a place of an outcome, as far as its matcher says.
    private enum Place {
        case object(ObjectShape)
        case list(Shape)
        case leaf(String)
        case free

        init(_ shape: Shape) {
            switch shape {
            case .nullable(let inner): self.init(inner)
            case .ref("text"): self = .leaf("a text")
            case .ref("number"): self = .leaf("a number")
            case .ref("flag"): self = .leaf("true or false")
            case .ref("matcher"), .ref("members"): self = .free
            case .ref(let name):
                if let named = OutcomeShapes.named[name] { self.init(named) } else { self = .free }
            case .object(let object): self = .object(object)
            case .oneOf, .name: self = .leaf("a text")
            case .array(let element): self = .list(element)
            case .anyOf(let alternatives):
                // A log is compared with a number or with counts as well; in the outcome it is a list.
                let places = alternatives.map { Place($0) }
                self =
                    places.first { if case .list = $0 { true } else { false } }
                    ?? places.first { if case .leaf = $0 { true } else { false } } ?? .free
            default: self = .free
            }
        }
    }
}
