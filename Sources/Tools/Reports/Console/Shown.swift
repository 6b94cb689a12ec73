import Diagnostics
import JSON

/// Values as a person reads them: on one line, without characters that would change the terminal, and not too long.
enum Shown {
    /// Compact JSON, cut in the middle of nothing: the beginning stays.
    static func value(_ value: JSONValue, limit: Int = 200) -> String { text(JSONWriter.compact(value), limit: limit) }

    /// One line of text. Control characters and those that reverse the direction of writing are spelt out.
    static func text(_ text: String, limit: Int = 4000) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit { return result + "..." }
            count += 1
            switch scalar.value {
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            default:
                if VisibleText.isHidden(scalar) {
                    result += VisibleText.spelt(scalar)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// A sentence for a person, whole: its end may say what to do. Long addresses in it are cut in their middle.
    static func sentence(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.contains("://") ? middle(String(word), width: 48) : String(word)
        }
        return Self.text(words.joined(separator: " "))
    }

    /// Two texts that differ, each on one line of so many columns. Where they are longer, both begin shortly before the first
    /// character that differs.
    static func pair(_ first: String, _ second: String, width: Int) -> (String, String) {
        let (first, second) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
        let isShort = first.count <= width && second.count <= width
        let same = zip(first, second).prefix { $0 == $1 }.count
        // A third of the line shows what precedes the difference.
        let start = isShort || same < width * 2 / 3 ? 0 : same - width / 3
        func cut(_ scalars: [Unicode.Scalar]) -> String {
            guard start < scalars.count else { return text(String(scalars), limit: width) }
            return (start > 0 ? "..." : "") + text(String(scalars[start...]), limit: width)
        }
        return (cut(first), cut(second))
    }

    /// A text of at most so many columns: what is cut is in the middle.
    static func middle(_ text: String, width: Int) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count > width, width > 8 else { return text }
        let end = (width - 3) * 2 / 3
        return String(scalars[..<(width - 3 - end)]) + "..." + String(scalars[(scalars.count - end)...])
    }

    /// A word as a shell takes it, on one line. What nobody sees, and what a CI service would obey, is an escape of `$'...'`
    /// (bash, zsh and POSIX.1-2024), so that the word can be copied and means the same.
    static func shellWord(_ text: String) -> String {
        if text.unicodeScalars.contains(where: { VisibleText.isHidden($0) }) || PrintedText.withoutMarks(text) != text {
            return "$'" + text.unicodeScalars.map(escape).joined() + "'"
        }
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "_-./:=@%+,".utf8.contains(byte)
                }
            }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case "'", "\\": return "\\" + String(Character(scalar))
        default:
            guard VisibleText.isHidden(scalar) || scalar == "#" || scalar == ":" else {
                return String(Character(scalar))
            }
            // Three octal digits: what follows cannot become a part of them.
            return String(Character(scalar)).utf8.map { byte in
                let digits = String(byte, radix: 8)
                return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
            }.joined()
        }
    }
}

extension String {
    fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
