/// Finds many phrases in one pass over a plain text.
///
/// A phrase is found where its first word is a whole word and the rest follows. Its last word is a whole word too,
/// unless the phrase ends in `*`.
struct PhraseIndex: Sendable {
    private struct Phrase: Sendable {
        var bytes: [UInt8]
        /// How many bytes precede the first word.
        var lead: Int
        var isOpen: Bool
    }

    private var phrases: [Phrase] = []
    private var numbers: [String: Int] = [:]
    /// The phrases by the hash of their first word; looked up only.
    private var byWord: [UInt64: [Int]] = [:]
    /// Those that are the beginning of a word, by its hash; looked up only.
    private var byBeginning: [UInt64: [Int]] = [:]
    /// Whether a beginning may have such a hash, so that hardly any letter costs a look-up.
    private var mayBegin: [Bool] = Array(repeating: false, count: 1 << 12)

    init() {}

    /// Takes a phrase in; it has a letter or digit.
    mutating func add(_ text: String) {
        guard numbers[text] == nil else { return }
        var bytes = Array(text.lowercased().utf8)
        let isOpen = bytes.last == UInt8(ascii: "*")
        if isOpen { bytes.removeLast() }
        guard let start = bytes.firstIndex(where: { Self.isWord($0) }) else { return }
        let end = bytes[start...].firstIndex { !Self.isWord($0) } ?? bytes.count
        let number = phrases.count
        numbers[text] = number
        phrases.append(Phrase(bytes: bytes, lead: start, isOpen: isOpen))
        let hash = Self.hash(bytes[start..<end])
        if isOpen, end == bytes.count {
            byBeginning[hash, default: []].append(number)
            mayBegin[Self.slot(hash)] = true
        } else {
            byWord[hash, default: []].append(number)
        }
    }

    /// So many places of one phrase are kept.
    private static let mostPlaces = 64

    /// The places of the phrases that the text has.
    func places(in plain: [UInt8]) -> Places {
        var found: [Int: [Int]] = [:]
        var index = 0
        while index < plain.count {
            guard Self.isWord(plain[index]) else {
                index += 1
                continue
            }
            let start = index
            var hash = Self.seed
            while index < plain.count, Self.isWord(plain[index]) {
                hash = Self.step(hash, plain[index])
                index += 1
                if mayBegin[Self.slot(hash)] { note(byBeginning[hash], in: plain, at: start, into: &found) }
            }
            note(byWord[hash], in: plain, at: start, into: &found)
        }
        return Places(found: found, numbers: numbers)
    }

    private func note(_ candidates: [Int]?, in plain: [UInt8], at start: Int, into found: inout [Int: [Int]]) {
        guard let candidates else { return }
        for number in candidates
        where found[number, default: []].count < Self.mostPlaces && matches(phrases[number], plain, start) {
            found[number, default: []].append(start)
        }
    }

    private func matches(_ phrase: Phrase, _ plain: [UInt8], _ word: Int) -> Bool {
        let start = word - phrase.lead
        let end = start + phrase.bytes.count
        guard start >= 0, end <= plain.count else { return false }
        for offset in phrase.bytes.indices where plain[start + offset] != phrase.bytes[offset] { return false }
        if phrase.isOpen || end == plain.count { return true }
        return !(Self.isWord(plain[end]) && Self.isWord(plain[end - 1]))
    }

    /// Phrases that were found, with their places in the plain text.
    struct Places: Sendable {
        fileprivate var found: [Int: [Int]]
        fileprivate var numbers: [String: Int]

        /// The first place of a phrase.
        subscript(phrase: String) -> Int? { all(phrase).first }

        /// The first places of a phrase, in their order.
        func all(_ phrase: String) -> [Int] { numbers[phrase].flatMap { found[$0] } ?? [] }

        /// The place of the first of these phrases where all of them stand within so many bytes; `nil` where they never
        /// do.
        func together(_ phrases: [String], within span: Int) -> Int? {
            guard let first = phrases.first else { return nil }
            return all(first).first { place in
                phrases.dropFirst().allSatisfy { other in all(other).contains { abs($0 - place) <= span } }
            }
        }
    }

    private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(seed) { step($0, $1) } }

    private static func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: (hash ^ hash >> 29) & 0xfff) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
