extension CaptureImport {
    /// What replaces values of people in the files of an import: the same for a value everywhere, also in files that are made
    /// beside them.
    public struct StandIns: Sendable {
        private var people: People
        /// By the value in lower case.
        private let known: [String: [People.StandIn]]
        /// Values and the words of names as characters in lower case, longest first, by the word that they begin with, or by
        /// their first character if it is not of a word.
        private let parts: [String: [(value: [String], standIn: String)]]

        init(_ people: People) {
            self.people = people
            let all = people.replacements
            known = Dictionary(grouping: all) { $0.value.lowercased() }
            var found: [[String]: String] = [:]
            for one in all {
                // A message may address a person by a part of their name. Short values occur in other words.
                let words: [Substring] = one.isName ? one.value.split { !$0.isLetter }.filter { $0.count > 2 } : []
                for text in (one.value.count > 3 ? [one.value[...]] : []) + words {
                    let value = text.map { $0.lowercased() }
                    found[value] = found[value] ?? one.text
                }
            }
            parts = Dictionary(grouping: found.map { (value: $0.key, standIn: $0.value) }) {
                Self.beginning($0.value[...])
            }
            .mapValues { $0.sorted { $0.value.count > $1.value.count } }
        }

        /// The word at the beginning of a text, or the first character where there is none.
        private static func beginning(_ characters: ArraySlice<String>) -> String {
            let word = characters.prefix { $0.first.map(isWord) ?? false }
            return word.isEmpty ? characters.first ?? "" : word.joined()
        }

        private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

        /// The stand-in of a value that the capture has; `nil` if the files have none for it.
        ///
        /// - Parameter claim: Name of the claim or attribute that has the value. A value that several attributes have is
        ///   replaced by the stand-in of this one.
        public func standIn(_ value: String, of claim: String) -> String? {
            let fits = known[value.lowercased()] ?? []
            return (fits.first { $0.claim?.lowercased() == claim.lowercased() } ?? fits.first)?.text
        }

        /// A text with stand-ins for the values of the capture, addresses, identifiers and tokens in it, where they are words
        /// of their own, letter case aside.
        public mutating func replaced(in text: String) -> String { people.scrubbed(withoutNames(text)) }

        /// The same without addresses, identifiers and tokens that the capture has nowhere else.
        func withoutNames(_ text: String) -> String {
            let characters = Array(text)
            let folded = characters.map { $0.lowercased() }
            func isWord(_ place: Int) -> Bool {
                characters.indices.contains(place) && Self.isWord(characters[place])
            }
            func joins(_ left: Int) -> Bool { isWord(left) && isWord(left + 1) }
            var result = ""
            var place = 0
            while place < characters.count {
                let fitting = joins(place - 1) ? nil : parts[Self.beginning(folded[place...])]
                let part = fitting?.first { part in
                    folded[place...].starts(with: part.value) && !joins(place + part.value.count - 1)
                }
                result += part?.standIn ?? String(characters[place])
                place += part?.value.count ?? 1
            }
            return result
        }
    }
}
