import Diagnostics
import JSON

/// Two texts that a reader takes for the same one, in whatever report, and that differ all the same: in Unicode
/// normalization, in characters without width or shape, in kinds of space, or in letters of two scripts.
package enum LookAlike {
    /// What a reader cannot see of the difference, in words; `nil` where the two texts look different.
    package static func note(_ wanted: JSONValue, _ found: JSONValue?) -> String? {
        switch (wanted, found) {
        case (.string(let wanted), .string(let found)?):
            return note(wanted, found)
        case (.array, .array(_)?), (.object, .object(_)?):
            guard let found else { return nil }
            return note(JSONWriter.compact(wanted), JSONWriter.compact(found))
        default:
            return nil
        }
    }

    /// The same of two texts.
    package static func note(_ wanted: String, _ found: String) -> String? {
        guard !sameText(wanted, found) else { return nil }
        if differOnlyInNormalization(wanted, found) {
            return
                "they differ only in Unicode normalization (\(Wording.scalars(wanted)) and \(Wording.scalars(found)))"
        }
        guard looksLike(wanted, found) else { return nil }
        return "they look alike, but \(firstDifference(wanted, found))"
    }

    /// What a reader cannot see where a text was expected to hold a part, and looks as if it did.
    ///
    /// - Parameter holds: The test that failed on the bytes, of characters as a reader takes them.
    package static func note(part: String, of text: String, _ holds: ([Character], [Character]) -> Bool) -> String? {
        guard !isASCII(part) || !isASCII(text) else { return nil }
        let look = Array(shape(part))
        guard !look.isEmpty, holds(Array(shape(text)), look) else { return nil }
        func words(_ text: String) -> String { isASCII(text) ? "ASCII only" : Wording.scalars(text) }
        return "they hold characters that look alike (expected \(words(part)), actual \(words(text)))"
    }

    /// Whether two texts look the same.
    package static func looksLike(_ a: String, _ b: String) -> Bool {
        // Nearly all pairs are ASCII on both sides, and look as different as they are.
        guard !isASCII(a) || !isASCII(b) else { return false }
        return shape(a) == shape(b)
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func firstDifference(_ wanted: String, _ found: String) -> String {
        let (one, other) = (Array(wanted.unicodeScalars), Array(found.unicodeScalars))
        let place = zip(one, other).prefix { $0 == $1 }.count
        func word(_ scalars: [Unicode.Scalar]) -> String {
            place < scalars.count ? Wording.scalar(scalars[place]) : "the end"
        }
        return "character \(place + 1) differs: expected \(word(one)), actual \(word(other))"
    }

    /// What a reader sees of a text: without hidden characters, with one kind of space, hyphen and quotation mark, and
    /// with the Latin letter for those that fonts draw like it. Composed and decomposed forms stay apart; `==` takes
    /// them for equal.
    private static func shape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F: result.append(scalar)
            // Variation selectors, the grapheme joiner and the Hangul filler change no letter.
            case 0xFE00...0xFE0F, 0x34F, 0x180B...0x180F: continue
            case _ where scalar.properties.isWhitespace && scalar.value > 0x20: result.append(" ")
            case _ where VisibleText.isHidden(scalar) && scalar.value >= 0x7F: continue
            default: result.append(twins[scalar] ?? scalar)
            }
        }
        return String(result)
    }

    private static let twins: [Unicode.Scalar: Unicode.Scalar] = {
        // Each pair: letters of other scripts, and the Latin ones that they look like.
        let pairs: [(String, String)] = [
            (
                "\u{430}\u{435}\u{43E}\u{440}\u{441}\u{443}\u{445}\u{456}\u{458}\u{455}\u{501}\u{51B}\u{51D}",
                "aeopcyxijsdqw"
            ),
            (
                "\u{410}\u{412}\u{415}\u{41A}\u{41C}\u{41D}\u{41E}\u{420}\u{421}\u{422}\u{423}\u{425}\u{406}\u{408}\u{405}",
                "ABEKMHOPCTYXIJS"
            ),
            ("\u{3BF}\u{3BD}\u{3C1}\u{3B9}", "ovpi"),
            (
                "\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39A}\u{39C}\u{39D}\u{39F}\u{3A1}\u{3A4}\u{3A5}\u{3A7}",
                "ABEZHIKMNOPTYX"
            ),
            ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2212}", "-----"),
            ("\u{2018}\u{2019}\u{2BC}\u{201C}\u{201D}", "'''\"\""),
        ]
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (others, latin) in pairs {
            for (other, letter) in zip(others.unicodeScalars, latin.unicodeScalars) { table[other] = letter }
        }
        return table
    }()
}
