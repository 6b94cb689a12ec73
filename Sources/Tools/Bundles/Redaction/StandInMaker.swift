import Determinism
import JOSE

/// Makes texts that stand for secrets: as long, a letter for a letter of the same case, a digit for a digit, all else as
/// it was, so that rules on passwords and the form of keys hold for them too.
///
/// What is drawn does not depend on what is replaced, because the seed is known to anyone who has the bundle: nobody
/// can try a guess. Secrets that begin alike, in any letter case, have stand-ins that begin alike, so that a password
/// that is wrong only by its case or its end still differs from the right one in the same way.
struct StandInMaker {
    /// Which characters may be in a secret.
    private enum Alphabet {
        case any
        /// Hexadecimal digits.
        case hex
        /// RFC 4648 section 6, in which authenticator secrets are written.
        case base32
    }

    /// What was drawn behind one beginning of secrets.
    private struct Node {
        /// The drawn scalar of each scalar, both without letter case.
        var drawn: [Unicode.Scalar: Unicode.Scalar] = [:]
        /// The node of each beginning that is one scalar longer.
        var longer: [Unicode.Scalar: Int] = [:]
    }

    private var random: SeededGenerator
    private var nodes: [Node] = []
    /// The nodes of no beginning.
    private var roots: [Alphabet: Int] = [:]

    init(seed: UInt64, attempt: Int) {
        random = SeededGenerator(seed: seed, stream: "bundle/stand-ins/\(attempt)")
    }

    /// The stand-ins of some secrets, in their order, each another text than all secrets and the other stand-ins.
    static func standIns(of secrets: [WrittenSecret], seed: UInt64) -> [String]? {
        for attempt in 0..<64 {
            var maker = StandInMaker(seed: seed, attempt: attempt)
            var taken = Set(secrets.map(\.value))
            var all: [String] = []
            for secret in secrets {
                let text = maker.standIn(of: secret)
                guard taken.insert(text).inserted else { break }
                all.append(text)
            }
            if all.count == secrets.count { return all }
        }
        return nil
    }

    private mutating func standIn(of secret: WrittenSecret) -> String {
        let value = secret.value
        switch secret.form {
        case .text: return drawn(value)
        case .token: return token(value)
        case .address:
            guard let at = value.firstIndex(of: "@") else { return drawn(value) }
            return drawn(String(value[..<at])) + value[at...]
        }
    }

    /// A signed token keeps what it says and loses its signature; of others nothing stays but a header.
    private mutating func token(_ value: String) -> String {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return drawn(value) }
        let kept = parts.count == 3 ? 2 : 1
        return parts.enumerated().map { index, part in
            let isOpen = index < kept && Base64URL.decode(part)?.first == UInt8(ascii: "{")
            return isOpen || part.isEmpty ? part : drawn(part)
        }.joined(separator: ".")
    }

    /// A key in PEM form keeps the lines that begin and end it, and its line breaks however they are written: as bytes, or
    /// as `\n`, `&#10;` or `%0A` in texts of one line.
    private mutating func key(_ value: String) -> String {
        let bytes = Array(value.utf8)
        var text: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let kept = Self.keptOfKey(bytes[place...])
            text += bytes[place..<(place + kept)]
            place += kept
            let end = bytes[place...].firstIndex { !Self.isOfKey($0) } ?? bytes.count
            guard end == place else {
                text += drawnText(String(decoding: bytes[place..<end], as: UTF8.self)).utf8
                place = end
                continue
            }
            guard kept == 0, place < bytes.count else { continue }
            text.append(bytes[place])
            place += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many bytes at the beginning of a part of a key's text say nothing of the key and stay.
    private static func keptOfKey(_ bytes: ArraySlice<UInt8>) -> Int {
        switch bytes.first {
        case UInt8(ascii: "-"):
            for word in ["-----BEGIN ", "-----END "] where bytes.starts(with: word.utf8) {
                let label = bytes.dropFirst(word.utf8.count).prefix { isUpper($0) || $0 == 0x20 }
                guard bytes[label.endIndex...].starts(with: "-----".utf8) else { continue }
                return label.endIndex + 5 - bytes.startIndex
            }
            return 0
        case UInt8(ascii: "\\"):
            let slashes = bytes.prefix { $0 == UInt8(ascii: "\\") }
            return min(slashes.count + 1, bytes.count)
        case UInt8(ascii: "&"):
            let end = bytes.prefix(longestEntity).firstIndex(of: UInt8(ascii: ";"))
            return end.map { $0 + 1 - bytes.startIndex } ?? 0
        case UInt8(ascii: "%"):
            return min(3, bytes.count)
        default:
            return 0
        }
    }

    private static let longestEntity = 8

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }

    private mutating func drawn(_ value: String) -> String {
        guard value.contains("-----BEGIN ") else { return drawnText(value) }
        let key = key(value)
        // Nothing but the line that begins it.
        return key == value ? drawnText(value) : key
    }

    private mutating func drawnText(_ value: String) -> String {
        let scalars = Array(value.unicodeScalars)
        let alphabet = Self.alphabet(scalars)
        let hasLetters = scalars.contains { Self.candidates($0, alphabet) != nil }
        let last = scalars.lastIndex { $0 != "=" }
        var node = node(roots[alphabet])
        roots[alphabet] = node
        var text = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let folded = Self.folded(scalar)
            defer {
                let longer = self.node(nodes[node].longer[folded])
                nodes[node].longer[folded] = longer
                node = longer
            }
            let own = hasLetters ? Self.candidates(scalar, alphabet) : Self.symbols(scalar)
            guard var choices = own else {
                text.append(scalar)
                continue
            }
            if index == last, let bits = Self.strayBits(value, scalars) {
                let fitting = Self.fitting(scalar, bits)
                text.append(fitting[random.below(fitting.count)])
                continue
            }
            if let known = nodes[node].drawn[folded] {
                text.append(Self.cased(known, as: scalar))
                continue
            }
            let used = Set(nodes[node].drawn.values)
            choices.removeAll { used.contains($0) }
            let choice = choices.isEmpty ? folded : choices[random.below(choices.count)]
            nodes[node].drawn[folded] = choice
            text.append(Self.cased(choice, as: scalar))
        }
        return String(text)
    }

    /// A known node, or a new one.
    private mutating func node(_ known: Int?) -> Int {
        if let known { return known }
        nodes.append(Node())
        return nodes.count - 1
    }

    // MARK: Classes

    private static func alphabet(_ scalars: [Unicode.Scalar]) -> Alphabet {
        func all(_ fits: (Unicode.Scalar) -> Bool) -> Bool { scalars.allSatisfy { $0 == "=" || $0 == "-" || fits($0) } }
        guard scalars.count >= 8 else { return .any }
        if all({ $0.properties.isASCIIHexDigit }) { return .hex }
        if all({ ("A"..."Z").contains($0) || ("2"..."7").contains($0) }) { return .base32 }
        return .any
    }

    /// The scalars that may stand for one, without letter case; `nil`: it stays.
    private static func candidates(_ scalar: Unicode.Scalar, _ alphabet: Alphabet) -> [Unicode.Scalar]? {
        let folded = folded(scalar)
        switch folded {
        case "a"..."z": return alphabet == .hex ? range("a", "f") : range("a", "z")
        case "0"..."9": return alphabet == .base32 ? range("2", "7") : range("0", "9")
        default:
            guard !folded.isASCII, folded.properties.isAlphabetic else { return nil }
            // Its neighbours of the same kind, which are as long in UTF-8.
            let block = folded.value & ~0x1F
            return (block..<(block + 32)).compactMap(Unicode.Scalar.init).filter {
                $0.properties.generalCategory == folded.properties.generalCategory && self.folded($0) == $0
                    && $0.utf8.count == folded.utf8.count && cased($0, as: scalar).utf8.count == scalar.utf8.count
            }
        }
    }

    /// For a secret of punctuation alone.
    private static func symbols(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        let all: [Unicode.Scalar] = ["-", "_", ".", "!", "*", "~", "$", "#"]
        return scalar.isASCII && scalar.value > 0x20 ? all : nil
    }

    private static func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> [Unicode.Scalar] {
        (first.value...last.value).compactMap(Unicode.Scalar.init)
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? scalar : scalar
    }

    private static func cased(_ scalar: Unicode.Scalar, as model: Unicode.Scalar) -> Unicode.Scalar {
        guard folded(model) != model else { return scalar }
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        return upper.count == 1 ? upper.first ?? scalar : scalar
    }

    // MARK: Base64

    /// How many bits of the last character of Base64 must be zero, where a text is Base64 whose length says so: strict
    /// readers refuse others (RFC 4648 section 3.5).
    private static func strayBits(_ value: String, _ scalars: [Unicode.Scalar]) -> Int? {
        let length = scalars.lastIndex { $0 != "=" }.map { $0 + 1 } ?? 0
        guard length >= 16, length % 4 == 2 || length % 4 == 3 else { return nil }
        let isEncoded = Base64.decode(value) != nil || Base64URL.decode(value) != nil
        return isEncoded ? (length % 4 == 2 ? 4 : 2) : nil
    }

    /// The characters of Base64 of the same class that end in so many zero bits.
    private static func fitting(_ scalar: Unicode.Scalar, _ bits: Int) -> [Unicode.Scalar] {
        let all: [Unicode.Scalar] = range("A", "Z") + range("a", "z") + range("0", "9")
        let fitting = all.enumerated().filter { $0.offset % (1 << bits) == 0 }.map(\.element)
        let alike = fitting.filter { other in
            other.properties.numericType == scalar.properties.numericType
                && (folded(other) == other) == (folded(scalar) == scalar)
        }
        return alike.isEmpty ? [scalar] : alike
    }
}
