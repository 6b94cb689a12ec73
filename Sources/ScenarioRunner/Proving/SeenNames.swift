import Diagnostics
import Exchanges
import JSON
import Scenarios

/// A name or value that an expectation wants not to be found.
struct NegativeName: Sendable {
    var pointer: JSONPointer
    var name: String
    /// The member whose value it is; `nil` where it is the name of a member itself.
    var member: String?
    /// Whether it is looked for inside of values.
    var isPart = false

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
            guard isNegative, !Interpolation.isNeeded(in: value) else { return }
            let isPart = ["$startsWith", "$endsWith", "$contains"].contains(pointer.tokens.last)
            found.append(NegativeName(pointer: pointer, name: text, member: member, isPart: isPart))
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
                    if inner.boolValue == isNegative, SeenNames.isName(member) {
                        found.append(NegativeName(pointer: pointer, name: member))
                    }
                case "$type", "$matches", "$times": break
                case _ where name.hasPrefix("$"):
                    walk(inner, at: place, of: member, isNegative: isNegative, into: &found)
                default: walk(inner, at: place, of: name, isNegative: isNegative || isCounted, into: &found)
                }
            }
        default: break
        }
    }
}

/// The names and short texts that occur in the outcomes of a suite, in its tenant files and settings.
struct SeenNames: Sendable {
    private var names: Set<String> = []
    private var byMember: [String: Set<String>] = [:]
    /// What tenant files and scripts set, any of which may come up in any member.
    private var set: Set<String> = []

    /// Whether a text looks like a name: addresses, numbers and sentences resemble others without being typing errors.
    static func isName(_ text: String) -> Bool {
        text.utf8.count >= 4
            && text.utf8.allSatisfy {
                ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
    }

    mutating func add(_ other: SeenNames) {
        names.formUnion(other.names)
        byMember.merge(other.byMember) { $0.union($1) }
        set.formUnion(other.set)
    }

    /// - Parameter isSet: Whether a tenant file or a script says it, not an outcome.
    mutating func add(_ value: JSONValue, _ member: String = "", isSet: Bool = false) {
        switch value {
        case .string(let text):
            guard text.utf8.count <= 100 else { return }
            byMember[member, default: []].insert(text)
            if isSet { set.insert(text) }
            if Self.isName(text) { names.insert(text) }
        case .array(let elements): for element in elements { add(element, member, isSet: isSet) }
        case .object(let object):
            for (name, inner) in object.members {
                names.insert(name)
                add(inner, name, isSet: isSet)
            }
        default: break
        }
    }

    /// The name that a slip has turned into one that never occurs; `nil` where it occurs, or is like no other.
    func nearest(to negative: NegativeName) -> String? {
        let name = negative.name
        guard let member = negative.member else {
            guard !names.contains(name), !ScriptWords.all.contains(name) else { return nil }
            return nearest(name, among: names.union(ScriptWords.all))
        }
        let known = (byMember[member] ?? []).union(set)
        guard !known.contains(name), !ScriptWords.all.contains(name), name.utf8.count >= 4 else { return nil }
        if !negative.isPart, Self.isName(name), !names.contains(name),
            let near = nearest(name, among: (byMember[member] ?? []).union(ScriptWords.words(of: member)))
        {
            return near
        }
        guard !negative.isPart || !known.contains(where: { $0.contains(name) }) else { return nil }
        return known.sorted().lazy.compactMap { Self.correction(of: name, isPart: negative.isPart, by: $0) }.first
    }

    private func nearest(_ name: String, among known: Set<String>) -> String? {
        // client_secret and clientSecret are two names of one thing, one on the wire and one in files.
        guard !known.contains(where: { Self.letters($0) == Self.letters(name) }) else { return nil }
        return nearestName(name, among: known.filter { Self.isName($0) && isSlip(name, of: $0) }.sorted())
    }

    private static func letters(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }

    /// A text with one word changed to what it is in another text, if a slip is all that is between the two; of a part,
    /// if the other text then has it.
    private static func correction(of text: String, isPart: Bool, by other: String) -> String? {
        let words = words(of: text)
        let others = self.words(of: other)
        guard isPart || words.count == others.count else { return nil }
        for (place, word) in words.enumerated() {
            for near in isPart ? others[...] : others[place...place] {
                guard isTypo(word, of: near) else { continue }
                let corrected = text.replacing(word, with: near)
                if isPart ? other.contains(corrected) : sameText(corrected, other) { return corrected }
            }
        }
        return nil
    }

    /// The words of a text that are long enough for a slip to show. What has digits counts something.
    private static func words(of text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 && !$0.contains(where: \.isNumber) }
    }

    private static func isTypo(_ word: Substring, of other: Substring) -> Bool {
        isSlip(String(word), of: String(other))
            && (word.count > 7 || isOneSlip(String(word), of: String(other)))
    }
}
