import B2CProtocol
import Diagnostics
import Exchanges
import JSON
import Scenarios
import TrustFramework

/// A name or value that an expectation wants not to be found.
struct NegativeName: Sendable {
    var pointer: JSONPointer
    var name: String
    /// The member whose value it is; `nil` where it is the name of a member itself.
    var member: String?
    /// Whether it is looked for inside of values.
    var isPart = false
    /// What contains the member, or the value's own member: names beside it are the likeliest to be meant.
    var place: String

    /// The names that an expectation wants not to be found.
    static func all(in expected: JSONValue, at pointer: JSONPointer) -> [NegativeName] {
        var found: [NegativeName] = []
        walk(expected, at: pointer, of: "", in: "", isNegative: false, into: &found)
        return found
    }

    private static func walk(
        _ value: JSONValue, at pointer: JSONPointer, of member: String, in owner: String, isNegative: Bool,
        into found: inout [NegativeName]
    ) {
        switch value {
        case .string(let text):
            guard isNegative, !Interpolation.isNeeded(in: value) else { return }
            let test = pointer.tokens.last ?? ""
            let isPattern = test == MatcherTest.matches.rawValue
            found.append(
                NegativeName(
                    pointer: pointer, name: isPattern ? literals(text) : text, member: member,
                    isPart: isPattern || ["$startsWith", "$endsWith", "$contains"].contains(test), place: member))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                walk(element, at: pointer.appending(index), of: member, in: owner, isNegative: isNegative, into: &found)
            }
        case .object(let object):
            let isCounted = object["$times"]?.intValue == 0
            for (name, inner) in object.members {
                let place = pointer.appending(name)
                switch name {
                case "$not": walk(inner, at: place, of: member, in: owner, isNegative: !isNegative, into: &found)
                case "$exists":
                    if inner.boolValue == isNegative, member.utf8.count >= 3 {
                        found.append(NegativeName(pointer: pointer, name: member, place: "/" + owner))
                    }
                case "$type", "$times": break
                case _ where name.hasPrefix("$"):
                    walk(inner, at: place, of: member, in: owner, isNegative: isNegative, into: &found)
                default:
                    walk(inner, at: place, of: name, in: member, isNegative: isNegative || isCounted, into: &found)
                }
            }
        default: break
        }
    }

    /// The letters that a text must have to match a regular expression: no classes, and nothing that may be absent.
    private static func literals(_ pattern: String) -> String {
        pattern.replacing(/\[[^\]]*\]|\\[A-Za-z0-9]|.[?*]|.\{[^}]*\}/, with: " ").replacing("\\", with: "")
            .split { "^$|()+ ".contains($0) }.joined(separator: " ")
    }
}

/// The names and short texts that occur in the outcomes of a suite, in its tenant files and settings.
struct SeenNames: Sendable {
    private var names: Set<String> = []
    private var byMember: [String: Set<String>] = [:]
    /// What tenant files and scripts set, any of which may come up in any member.
    private var set: Set<String> = []
    /// Every word of every text and name.
    private var words: Set<String> = []
    /// The words of values by their member; the names of members, by what contains them, after a `/`.
    private var wordsByPlace: [String: Set<String>] = [:]
    /// By what contains them, the names of members whose words are known.
    private var siblings: [String: Set<String>] = [:]
    /// Marks of long texts whose words are known: pages come again and again.
    private var longTexts: Set<Int> = []

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
        words.formUnion(other.words)
        wordsByPlace.merge(other.wordsByPlace) { $0.union($1) }
    }

    /// - Parameter isSet: Whether a tenant file or a script says it, not an outcome.
    mutating func add(_ value: JSONValue, _ member: String = "", isSet: Bool = false) {
        switch value {
        case .string(let text):
            // Tokens have no words.
            guard text.utf8.count <= 300 || text.utf8.count <= 5000 && text.contains(" ") else { return }
            guard text.utf8.count <= 100 else {
                if longTexts.insert(text.hashValue).inserted { add(wordsOf: text, at: [member]) }
                return
            }
            let isNew = byMember[member, default: []].insert(text).inserted
            if isNew || isSet && !set.contains(text) { add(wordsOf: text, at: isSet ? [member, ""] : [member]) }
            if isSet { set.insert(text) }
            if Self.isName(text) { names.insert(text) }
        case .array(let elements): for element in elements { add(element, member, isSet: isSet) }
        case .object(let object):
            for (name, inner) in object.members {
                if siblings[member, default: []].insert(name).inserted {
                    names.insert(name)
                    add(wordsOf: name, at: ["/" + member])
                }
                add(inner, name, isSet: isSet)
            }
        default: break
        }
    }

    /// Adds what a policy names.
    mutating func add(_ policy: ResolvedPolicy) {
        for claim in policy.claimTypes { add([claim.id: .null], isSet: true) }
        let others = policy.profiles.map(\.id) + policy.journeys.map(\.id) + policy.contentDefinitions.map(\.id)
        for id in others { add(.string(id), isSet: true) }
    }

    private mutating func add(wordsOf text: String, at places: [String]) {
        for compound in Self.compounds(of: text) {
            for word in Self.parts(of: compound) + [compound] {
                words.insert(word)
                for place in places { wordsByPlace[place, default: []].insert(word) }
            }
        }
    }

    /// The name that a slip has turned into one that never occurs; `nil` where it occurs, or is like no other.
    func nearest(to negative: NegativeName) -> String? {
        let name = negative.name
        guard let member = negative.member else {
            guard !names.contains(name), !ScriptWords.all.contains(name) else { return nil }
            if Self.isName(name), !isKnown(name.lowercased()),
                let near = nearest(name, among: names.union(ScriptWords.all))
            {
                return near
            }
            return slip(in: negative)
        }
        let known = (byMember[member] ?? []).union(set)
        guard !known.contains(name), !ScriptWords.all.contains(name), name.utf8.count >= 3 else { return nil }
        if !negative.isPart, Self.isName(name), !names.contains(name), !isKnown(name.lowercased()),
            let near = nearest(name, among: (byMember[member] ?? []).union(ScriptWords.words(of: member)))
        {
            return near
        }
        guard !negative.isPart || !known.contains(where: { $0.contains(name) }) else { return nil }
        return known.sorted().lazy.compactMap { correction(of: name, isPart: negative.isPart, by: $0) }.first
            ?? slip(in: negative)
    }

    private func nearest(_ name: String, among known: Set<String>) -> String? {
        // client_secret and clientSecret are two names of one thing, one on the wire and one in files.
        guard !known.contains(where: { Self.letters($0) == Self.letters(name) }) else { return nil }
        return nearestName(name, among: known.filter { Self.isName($0) && isSlip(name, of: $0) }.sorted())
    }

    private static func letters(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }

    /// A text with one word changed to what it is in another text, if a slip is all that is between the two; of a part,
    /// if the other text then has it.
    private func correction(of text: String, isPart: Bool, by other: String) -> String? {
        let words = Self.words(of: text)
        let others = Self.words(of: other)
        guard isPart || words.count == others.count else { return nil }
        for (place, word) in words.enumerated() where !isKnown(word.lowercased()) {
            for near in isPart ? others[...] : others[place...place] {
                guard Self.isTypo(word, of: near) else { continue }
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

    // MARK: Words

    /// Words that occur without a run: those of the language and of the service's messages.
    private static let language: Set<String> = {
        var seen = SeenNames()
        for word in ScriptWords.all { seen.add(wordsOf: word, at: []) }
        for code in B2CErrorCode.all {
            for text in ["AADB2C" + code.number, code.template] + code.variants { seen.add(wordsOf: text, at: []) }
        }
        return seen.words
    }()

    /// Letters, digits and what joins words to names, such as `x-ms-cpim-sso`, all in small letters.
    private static func compounds(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && !"-_.".contains($0) }
            .filter { $0.utf8.count <= 60 }.map(String.init)
    }

    private static func parts(of compound: String) -> [String] {
        compound.split { "-_.".contains($0) }.filter { (3...40).contains($0.utf8.count) }.map(String.init)
    }

    private func isKnown(_ word: String) -> Bool { words.contains(word) || Self.language.contains(word) }

    /// A text with one word as it occurs somewhere, if a slip is all that is between the two. A word that occurs itself
    /// is another word, not a slip.
    private func slip(in negative: NegativeName) -> String? {
        let near = [negative.place, negative.member == nil ? negative.place : ""].compactMap { wordsByPlace[$0] }
        for compound in Self.compounds(of: negative.name) where !isKnown(compound) {
            let parts = Self.parts(of: compound).filter { !isKnown($0) }
            let isJoined = !parts.isEmpty && parts != [compound]
            for word in (isJoined && compound.utf8.count > 6 ? [compound] : []) + parts {
                guard let known = correction(of: word, near: near) else { continue }
                // A part of a word is looked for.
                if negative.isPart, words.contains(where: { $0.contains(word) }) { continue }
                return negative.name.lowercased().replacing(word, with: known)
            }
        }
        return nil
    }

    /// The word that one letter too many, too few or another, or two swapped make of a word that never occurs. The
    /// shorter a word, the fewer slips count: others are other words. Another ending or beginning makes another word too.
    ///
    /// - Parameter near: The words of the same place, which also short words and other beginnings may be meant for.
    private func correction(of word: String, near: [Set<String>]) -> String? {
        let letters = Array(word)
        if letters.contains(where: \.isNumber) {
            // The letter O for a zero, l for a one.
            let plain = word.replacing("o", with: "0").replacing("l", with: "1")
            let code = word.hasPrefix("aadb2c") ? "aadb2c" + plain.dropFirst(6) : plain
            return code != word && isKnown(code) ? code : nil
        }
        var candidates: [(word: String, place: Int)] = []
        func add(_ place: Int, _ change: (inout [Character]) -> Void) {
            var other = letters
            change(&other)
            candidates.append((String(other), place))
        }
        for index in letters.indices {
            let isLast = index == letters.count - 1
            if !isLast, letters[index] != letters[index + 1] { add(1) { $0.swapAt(index, index + 1) } }
            guard letters.count >= 4 else { continue }
            if !isLast || letters[index] == letters[index - 1] { add(index) { $0.remove(at: index) } }
            for letter in "abcdefghijklmnopqrstuvwxyz" {
                add(index) { $0.insert(letter, at: index) }
                if letters.count >= 6, !isLast { add(index) { $0[index] = letter } }
            }
        }
        return candidates.first { candidate in
            near.contains { $0.contains(candidate.word) }
                || letters.count >= 5 && candidate.place > 0 && isKnown(candidate.word)
        }?.word
    }
}
