/// The characters that one-time codes are made of: the value of `CharacterSet` (Microsoft docs:
/// one-time-password-technical-profile).
public enum CodeCharacters {
    /// The fewest different characters that a set may have.
    public static let least = 10

    /// The different characters of a set, in order. A set is the inside of a character class of a regular expression:
    /// characters, ranges, and characters after a backslash.
    public static func of(_ set: String) -> [Character] {
        var characters: [Character] = []
        var seen: Set<Character> = []
        func add(_ scalar: Unicode.Scalar) {
            if seen.insert(Character(scalar)).inserted { characters.append(Character(scalar)) }
        }
        var rest = Substring(set).unicodeScalars
        func next() -> (scalar: Unicode.Scalar, isEscaped: Bool)? {
            guard let first = rest.popFirst() else { return nil }
            guard first == "\\", let escaped = rest.popFirst() else { return (first, false) }
            return (escaped, true)
        }
        while let (first, isEscaped) = next() {
            if isEscaped, first == "d" {
                for digit: Unicode.Scalar in ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] { add(digit) }
                continue
            }
            let mark = rest
            if let dash = next(), dash.scalar == "-", !dash.isEscaped, let last = next(),
                last.scalar.value >= first.value
            {
                // A set of thousands of characters is a mistake; nothing is gained by holding them all.
                for value in first.value...min(last.scalar.value, first.value + 255) {
                    if let scalar = Unicode.Scalar(value) { add(scalar) }
                }
            } else {
                rest = mark
                add(first)
            }
        }
        return characters
    }
}
