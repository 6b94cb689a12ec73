import JSON
import Scenarios

extension CaptureImport {
    /// What replaces values of people in the files of an import: the same for a value everywhere, also in files that are made
    /// beside them.
    public struct StandIns: Sendable {
        private var people: People
        private let known: [People.StandIn]

        init(_ people: People) {
            self.people = people
            known = people.replacements
        }

        /// The stand-in of a value that the capture has; `nil` if the files have none for it.
        ///
        /// - Parameter claim: Name of the claim or attribute that has the value. A value that several attributes have is
        ///   replaced by the stand-in of this one.
        public func standIn(_ value: String, of claim: String) -> String? {
            let fits = known.filter { $0.value.lowercased() == value.lowercased() }
            return (fits.first { $0.claim?.lowercased() == claim.lowercased() } ?? fits.first)?.text
        }

        /// A text with stand-ins for the values of the capture, addresses, identifiers and tokens in it. Words of names
        /// are replaced as well: a message may address a person by a part of their name.
        public mutating func replaced(in text: String) -> String {
            var result = text
            for (value, standIn) in parts { result = Self.replaced(value, by: standIn, in: result) }
            return people.scrubbed(result)
        }

        /// Values and the words of names, longest first. Short ones occur in other words.
        private var parts: [(value: String, standIn: String)] {
            var parts: [String: String] = [:]
            for one in known where one.value.count > 3 { parts[one.value] = parts[one.value] ?? one.text }
            for one in known where one.isName {
                for word in one.value.split(whereSeparator: { !$0.isLetter }) where word.count > 2 {
                    parts[String(word)] = parts[String(word)] ?? one.text
                }
            }
            return parts.sorted { ($0.key.count, $0.key) > ($1.key.count, $1.key) }.map { ($0.key, $0.value) }
        }

        /// Replaces a value where it is a word of its own, letter case aside.
        private static func replaced(_ value: String, by standIn: String, in text: String) -> String {
            var result = ""
            var rest = text[...]
            while let found = rest.firstRange(ofWord: value) {
                result += rest[..<found.lowerBound] + standIn
                rest = rest[found.upperBound...]
            }
            return result + rest
        }
    }
}

extension Substring {
    /// The first place of a text that is not within a longer word.
    fileprivate func firstRange(ofWord word: String) -> Range<Index>? {
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        let wanted = Array(word.lowercased())
        guard let first = wanted.first else { return nil }
        var place = startIndex
        while place < endIndex {
            defer { place = index(after: place) }
            guard self[place].lowercased() == String(first) else { continue }
            if place > startIndex, isWord(self[index(before: place)]), isWord(first) { continue }
            guard let end = index(place, offsetBy: wanted.count, limitedBy: endIndex),
                zip(self[place..<end], wanted).allSatisfy({ $0.lowercased() == String($1) })
            else { continue }
            if end < endIndex, isWord(self[end]), wanted.last.map(isWord) ?? false { continue }
            return place..<end
        }
        return nil
    }
}

extension CaptureImport.Files {
    /// The same with stand-ins for values of people in what the service said: its messages are texts of its own, and may
    /// address a person by name. The draft is changed as well, so that what runs is what a file has.
    func withoutNames() -> CaptureImport.Files {
        var copy = self
        var standIns = standIns
        copy.notes = notes.map { standIns.replaced(in: $0) }
        copy.draft.description = draft.description.map { standIns.replaced(in: $0) }
        copy.draft.configure = draft.configure.map { standIns.replaced(inMessagesOf: $0) }
        copy.draft.faults = draft.faults.map { standIns.replaced(inMessagesOf: $0) }
        copy.draft.steps = draft.steps.map { standIns.replaced(inMessagesOf: $0) }
        return copy
    }
}

extension CaptureImport.StandIns {
    fileprivate mutating func replaced(inMessagesOf step: Step) -> Step {
        var copy = step
        copy.description = step.description.map { replaced(in: $0) }
        copy.parameters = replaced(inMessagesOf: step.parameters)
        copy.user = step.user.map { replaced(inMessagesOf: $0) }
        copy.faults = step.faults.map { replaced(inMessagesOf: $0) }
        copy.expect = step.expect.map { replaced(inMessagesOf: $0) }
        copy.expectIn = step.expectIn.map { ($0.caseName, replaced(inMessagesOf: $0.expectation)) }
        copy.steps = step.steps.map { replaced(inMessagesOf: $0) }
        copy.then = step.then.map { replaced(inMessagesOf: $0) }
        return copy
    }

    fileprivate mutating func replaced(inMessagesOf value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (key, member) in object.members {
                let isText = ["message", "description", "userMessage"].contains(key)
                if isText, let text = member.stringValue {
                    result[key] = .string(replaced(in: text))
                } else {
                    result[key] = replaced(inMessagesOf: member)
                }
            }
            return .object(result)
        case .array(let elements): return .array(elements.map { replaced(inMessagesOf: $0) })
        case .string, .integer, .number, .bool, .null: return value
        }
    }
}
