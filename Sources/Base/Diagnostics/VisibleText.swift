/// Texts that come from outside, made fit for a terminal and for the eye.
///
/// Control characters of both sets (U+0000 to U+001F, U+007F to U+009F), marks that turn the direction of writing round,
/// characters without width and invisible tags are spelt out as `\u{9b}`, so that no text can move the cursor, colour
/// what is next to it, or look like another one.
package enum VisibleText {
    /// Whether a character is one of those that a reader cannot see and a terminal may obey.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0..<0xAD: false
        // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
        case 0xAD, 0x61C, 0x180E: true
        // Zero width, directions, lines and paragraphs, invisible operators, isolates and deprecated formats.
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        // Fillers without a shape of their own.
        case 0x115F...0x1160, 0x3164, 0xFFA0: true
        // Byte order mark, annotations, tags and the variation selectors beyond the Basic Multilingual Plane.
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// How a hidden character is spelt out.
    package static func spelt(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// The text with hidden characters spelt out, except those that are kept.
    package static func of(_ text: String, keeping kept: Set<Unicode.Scalar> = ["\t"]) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0) && !kept.contains($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar), !kept.contains(scalar) {
                result += spelt(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// What may be written to a file or a pipe that people read: line ends and tabs stay.
    package static func forFile(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0) && $0 != "\n" && $0 != "\t" }) else { return text }
        var result = ""
        var isReturn = false
        for scalar in text.unicodeScalars {
            // A return is a part of a line end, or overwrites its line.
            if isReturn { result += scalar == "\n" ? "\r" : spelt("\r") }
            isReturn = scalar == "\r"
            if isReturn { continue }
            if isHidden(scalar), scalar != "\n", scalar != "\t" {
                result += spelt(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return isReturn ? result + spelt("\r") : result
    }

    /// What may be written to a terminal: line ends and tabs stay, and so do our own colours and the erasing of a line.
    package static func forTerminal(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0) && $0 != "\n" }) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            if scalar == "\u{1b}", let end = endOfStyle(scalars, place) {
                result.unicodeScalars.append(contentsOf: scalars[place..<end])
                place = end
                continue
            }
            if isHidden(scalar), scalar != "\n", scalar != "\t", scalar != "\r" {
                result += spelt(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
            place += 1
        }
        return result
    }

    /// Behind `ESC [ digits m`, which colours, or `ESC [ digits K`, which erases a line (ECMA-48).
    private static func endOfStyle(_ scalars: [Unicode.Scalar], _ start: Int) -> Int? {
        guard start + 2 < scalars.count, scalars[start + 1] == "[" else { return nil }
        var place = start + 2
        while place < scalars.count, place < start + 12, scalars[place] == ";" || ("0"..."9").contains(scalars[place]) {
            place += 1
        }
        guard place < scalars.count, scalars[place] == "m" || scalars[place] == "K" else { return nil }
        return place + 1
    }
}
