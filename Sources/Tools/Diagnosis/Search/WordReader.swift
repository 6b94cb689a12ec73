import CDocuments
import Diagnostics

/// Takes a text apart into words that can be compared: without endings, and with what they mean.
struct WordReader {
    /// A word, or several that count as one, such as "log in".
    struct Word: Hashable {
        /// One word for all that mean the same.
        var meaning: String
        /// What it also is: the word as it was written, and the single words of several.
        var others: [String] = []
    }

    private var meanings: [String: String] = [:]
    /// The most words of a phrase that begins with a word.
    private var longest: [String: Int] = [:]

    /// Reads the lines of words that mean the same; the first of a line is the meaning.
    init() {
        for line in asset_synonyms().text.split(separator: "\n") {
            var meaning: String?
            for entry in line.split(separator: ",") {
                let stems = Self.stems(entry.utf8)
                let phrase = stems.joined(separator: " ")
                guard let first = stems.first else { continue }
                if meanings[phrase] == nil { meanings[phrase] = meaning ?? phrase }
                meaning = meaning ?? phrase
                longest[first] = max(longest[first] ?? 0, stems.count)
            }
        }
    }

    /// What a text is about, in its order.
    func words(_ text: String) -> [Word] {
        let stems = Self.stems(text.utf8)
        var found: [Word] = []
        var index = 0
        while index < stems.count {
            if let (length, word) = phrase(stems[index...]) {
                found.append(word)
                index += length
            } else {
                if !Self.fillers.contains(stems[index]) { found.append(Word(meaning: stems[index])) }
                index += 1
            }
        }
        return found
    }

    /// The longest known phrase with which the words begin.
    private func phrase(_ stems: ArraySlice<String>) -> (length: Int, word: Word)? {
        guard let first = stems.first, let most = longest[first] else { return nil }
        for length in stride(from: min(most, stems.count), to: 0, by: -1) {
            let phrase = length == 1 ? first : stems.prefix(length).joined(separator: " ")
            guard let meaning = meanings[phrase] else { continue }
            let parts =
                length == 1 ? [] : stems.prefix(length).filter { !Self.fillers.contains($0) }.map { meanings[$0] ?? $0 }
            return (length, Word(meaning: meaning, others: ["=" + phrase] + parts))
        }
        return nil
    }

    // MARK: Stems

    /// The words of a text without their endings, in small letters; `acquireTokenSilent` is three, and AADB2C90118 is its
    /// number.
    private static func stems(_ text: some Sequence<UInt8>) -> [String] {
        var stems: [String] = []
        var word: [UInt8] = []
        var wasSmall = false
        func end() {
            if !word.isEmpty {
                if word.count > 6, word.starts(with: "aadb2c".utf8) { word.removeFirst(6) }
                stems.append(String(decoding: stem(word), as: UTF8.self))
            }
            word = []
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if wasSmall { end() }
                word.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                word.append(byte)
            // "doesn't" is a word.
            case UInt8(ascii: "'"): continue
            default: end()
            }
            wasSmall = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
        }
        end()
        return stems
    }

    /// "cancelled", "cancels" and "cancellation" are one.
    private static func stem(_ word: [UInt8]) -> ArraySlice<UInt8> {
        var stem = word[...]
        for (ending, rest) in endings where stem.count - ending.count + rest.count >= 3 && stem.ends(with: ending) {
            stem = stem.dropLast(ending.count) + rest
            break
        }
        if stem.count > 3, stem.last == UInt8(ascii: "e") { stem.removeLast() }
        // "cancelled" and "dropped" double the last letter; "pass" and "roll" have it twice in any form.
        if stem.count > 3, let last = stem.last, last >= UInt8(ascii: "b"), stem.dropLast().last == last {
            stem.removeLast()
        }
        return stem
    }

    /// The longest first.
    private static let endings: [(ending: [UInt8], rest: [UInt8])] = [
        ("ations", ""), ("ation", ""), ("ments", ""), ("ment", ""), ("ities", "it"), ("sses", "ss"), ("ings", ""),
        ("ness", ""), ("ing", ""), ("ied", "y"), ("ies", "y"), ("als", ""), ("ed", ""), ("es", ""), ("al", ""),
        ("ly", ""), ("ss", "ss"), ("s", ""),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    /// Words that say nothing of a subject.
    private static let fillers: Set<String> = Set(
        stems(
            """
            a about after all also although an and any app application are as at b2c be because been before being but by can
            come could did do does doesn't during each even every for from get got had has have having her his how i if in
            into is isn't it its just keep let like may me more most msal must my need no not now of off on one only or our
            out over please say she he should show since so some still such than that the their them then there these they
            thing this those though to too until up us use used very was way we well were what when where which while who
            whose why will with without won't would you your
            """.utf8))
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with other: [UInt8]) -> Bool {
        count >= other.count && suffix(other.count).elementsEqual(other)
    }
}
