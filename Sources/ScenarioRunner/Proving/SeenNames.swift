import Diagnostics
import Exchanges
import JSON
import Scenarios

/// A name that an expectation wants not to be found.
struct NegativeName: Sendable {
    var pointer: JSONPointer
    var name: String
    /// The member whose value it is; `nil` where it is the name of a member itself.
    var member: String?

    /// The names that an expectation wants not to be found.
    static func all(in expected: JSONValue, at pointer: JSONPointer) -> [NegativeName] {
        var found: [NegativeName] = []
        walk(expected, at: pointer, of: "", isNegative: false, into: &found)
        return found
    }

    private static func walk(
        _ value: JSONValue, at pointer: JSONPointer, of member: String, isNegative: Bool,
        into found: inout [NegativeName]
    ) {
        switch value {
        case .string(let text):
            if isNegative { add(text, at: pointer, of: member, into: &found) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                walk(element, at: pointer.appending(index), of: member, isNegative: isNegative, into: &found)
            }
        case .object(let object):
            let isCounted = object["$times"]?.intValue == 0
            for (name, inner) in object.members {
                let place = pointer.appending(name)
                switch name {
                case "$not": walk(inner, at: place, of: member, isNegative: !isNegative, into: &found)
                case "$exists":
                    if inner.boolValue == isNegative { add(member, at: pointer, of: nil, into: &found) }
                case "$type", "$matches", "$times", "$startsWith", "$endsWith", "$contains": break
                case _ where name.hasPrefix("$"):
                    walk(inner, at: place, of: member, isNegative: isNegative, into: &found)
                default: walk(inner, at: place, of: name, isNegative: isNegative || isCounted, into: &found)
                }
            }
        default: break
        }
    }

    private static func add(
        _ name: String, at pointer: JSONPointer, of member: String?, into found: inout [NegativeName]
    ) {
        // Addresses, numbers and sentences resemble others without being typing errors.
        guard name.utf8.count >= 4, name.utf8.allSatisfy({ SeenNames.isNameByte($0) }) else { return }
        found.append(NegativeName(pointer: pointer, name: name, member: member))
    }
}

/// The names and short texts that occur in the outcomes of a suite.
struct SeenNames: Sendable {
    private var texts: Set<String> = []
    private var byMember: [String: Set<String>] = [:]

    static func isNameByte(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte == 0x5F
    }

    mutating func add(_ other: SeenNames) {
        texts.formUnion(other.texts)
        byMember.merge(other.byMember) { $0.union($1) }
    }

    mutating func add(_ value: JSONValue, _ member: String = "") {
        switch value {
        case .string(let text):
            guard text.utf8.count <= 40, text.utf8.allSatisfy(Self.isNameByte) else { return }
            texts.insert(text)
            byMember[member, default: []].insert(text)
        case .array(let elements): for element in elements { add(element, member) }
        case .object(let object):
            for (name, inner) in object.members {
                texts.insert(name)
                add(inner, name)
            }
        default: break
        }
    }

    /// The name that a slip has turned into one that never occurs; `nil` where it occurs, or is like no other.
    func nearest(to negative: NegativeName) -> String? {
        let name = negative.name
        guard !texts.contains(name), !ScriptWords.all.contains(name) else { return nil }
        let near: Set<String>
        if let member = negative.member {
            // A word of the same member: people and things may be called as they like.
            near = (byMember[member] ?? []).union(ScriptWords.words(of: member))
        } else {
            near = texts.union(ScriptWords.all)
        }
        // client_secret and clientSecret are two names of one thing, one on the wire and one in files.
        guard !near.contains(where: { Self.letters($0) == Self.letters(name) }) else { return nil }
        return nearestName(name, among: near.filter { isSlip(name, of: $0) }.sorted())
    }

    private static func letters(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }
}
