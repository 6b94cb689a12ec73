/// Finds the secrets of texts of any form, by the names before them and by their looks: members of JSON and of what looks
/// like it, headers, parameters of URLs and forms, settings, command lines, XML and parts of forms.
///
/// Used wherever a piece of somebody's text is repeated and nothing is known of its form: excerpts of findings, and what
/// `explain` shows.
package enum SecretText {
    /// One secret in a text.
    package struct Spot: Hashable, Sendable {
        /// Bytes of the text.
        package var range: Range<Int>
        package var kind: SecretKind
    }

    /// The secrets of a text in order, none within another. Takes time in proportion to the text.
    package static func spots(in bytes: [UInt8]) -> [Spot] {
        var shapes: [Spot] = []
        SecretShape.find(in: bytes) { shapes.append(Spot(range: $0, kind: $1)) }
        var scan = Scan(bytes: bytes)
        scan.run()
        return merged(scan.spots, shapes)
    }

    /// The text with `label` of its kind in place of each secret.
    package static func masked(
        _ text: String, _ label: (SecretKind) -> String = { "<\($0.rawValue)>" }
    ) -> String {
        let bytes = Array(text.utf8)
        var pieces = TextPieces()
        for spot in spots(in: bytes) { pieces.put(label(spot.kind), at: spot.range) }
        return pieces.text(in: bytes) ?? text
    }

    private static func merged(_ left: [Spot], _ right: [Spot]) -> [Spot] {
        guard !right.isEmpty else { return left }
        var result: [Spot] = []
        for spot in (left + right).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if let last = result.last, last.range.upperBound > spot.range.lowerBound {
                let end = max(last.range.upperBound, spot.range.upperBound)
                result[result.count - 1].range = last.range.lowerBound..<end
            } else {
                result.append(spot)
            }
        }
        return result
    }

    // MARK: The scan

    private struct Scan {
        let bytes: [UInt8]
        var spots: [Spot] = []
        private var place = 0
        /// The word before the one that is looked at, if only a blank is between them: `client secret`.
        private var before: Range<Int>?

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() {
            while place < bytes.count {
                guard isNameByte(bytes[place]) else {
                    place += 1
                    continue
                }
                let start = place
                while place < bytes.count, isNameByte(bytes[place]) { place += 1 }
                let word = start..<place
                if let kind = kind(of: word), let range = value(after: word, kind) {
                    spots.append(Spot(range: range, kind: kind))
                    place = range.upperBound
                    before = nil
                } else {
                    before = word
                }
            }
        }

        private static let longestName = 64

        private func kind(of word: Range<Int>) -> SecretKind? {
            guard word.count <= Self.longestName else { return nil }
            let text = String(decoding: bytes[word], as: UTF8.self)
            // `form.password`: the last part names it.
            let name = text.lastIndex(of: ".").map { String(text[text.index(after: $0)...]) } ?? text
            switch SecretKind.plain(name) {
            case "cookie", "setcookie": return .cookie
            case "authorization", "proxyauthorization": return .secret
            case "code":
                // Also the number of an error; a grant is in a URL or a form.
                return at(word.upperBound) == UInt8(ascii: "=") || isTwoWords(word) ? .code : nil
            case let plain:
                if let kind = SecretKind.parameter(name) { return kind }
                if name.count > 2, name.lowercased().hasPrefix("x-") { return SecretKind.header(name) }
                // `Api key: ...`, `access token = ...`
                guard Self.secondWords.contains(plain), isTwoWords(word), let before else { return nil }
                return SecretKind.named(String(decoding: bytes[before], as: UTF8.self) + plain)
            }
        }

        private static let secondWords: Set<String> = [
            "key", "token", "secret", "code", "verifier", "string", "phrase",
        ]

        private func isTwoWords(_ word: Range<Int>) -> Bool {
            guard let before, before.upperBound + 1 == word.lowerBound, bytes[before.upperBound] == 0x20 else {
                return false
            }
            guard word.upperBound - before.lowerBound <= Self.longestName else { return false }
            let both = bytes[before.lowerBound..<word.upperBound].filter { $0 != 0x20 }
            return SecretKind.named(String(decoding: both, as: UTF8.self)) != nil
        }

        // MARK: Values

        /// The place of a name's value; `nil` if none follows, or one that is not a secret.
        private mutating func value(after word: Range<Int>, _ kind: SecretKind) -> Range<Int>? {
            guard var start = startOfValue(word) else { return nil }
            let plain = SecretKind.plain(String(decoding: bytes[word], as: UTF8.self))
            let isHeader = ["cookie", "setcookie", "authorization", "proxyauthorization"].contains {
                plain.hasSuffix($0)
            }
            var closing: UInt8?
            var isEscaped = false
            if at(start) == UInt8(ascii: "\\"), isQuote(at(start + 1)) {
                isEscaped = true
                closing = at(start + 1)
                start += 2
            } else if isQuote(at(start)) {
                closing = at(start)
                start += 1
            }
            // A list of them: the first; the rest have its looks or none. A list or an object inside is not a value.
            if closing == nil, at(start) == UInt8(ascii: "[") {
                var first = start + 1
                while let byte = at(first), byte == 0x20 || byte == 0x09, first - start < 64 { first += 1 }
                if isQuote(at(first)) {
                    closing = at(first)
                    start = first + 1
                } else if first > start + 1 || at(first).map({ "[{]\r\n".utf8.contains($0) }) ?? true {
                    return nil
                }
            }
            func ends(_ place: Int) -> Bool {
                guard let byte = at(place), byte != 0x0A else { return true }
                guard let closing else { return isHeader ? byte == 0x0D || isQuote(byte) : isEnd(byte) }
                return byte == closing || isEscaped && byte == UInt8(ascii: "\\") && at(place + 1) == closing
            }
            // A place for a value may be long: what is in it is looked through as any text, and not read to its end first.
            var mayBePlace = true
            if isHeader, kind == .secret {
                let near = (start..<start + Self.longestName).first { at($0) == 0x20 || ends($0) }
                mayBePlace = near != nil
                // The scheme stays.
                if let near, at(near) == 0x20, !ends(near + 1) { start = near + 1 }
            }
            if mayBePlace, starts(start, "{{") { return nil }
            var end = start
            while !ends(end) { end += closing != nil && bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
            end = min(end, bytes.count)
            if kind == .secret, plain.hasSuffix("connectionstring") || plain.hasSuffix("sig"), closing == nil {
                // Goes on over `;` and `=`.
                while end < bytes.count, bytes[end] > 0x20, !isQuote(bytes[end]), bytes[end] != UInt8(ascii: "&") {
                    end += 1
                }
            }
            guard start < end else { return nil }
            let isGrant = plain == "code" && at(word.upperBound) == UInt8(ascii: "=")
            return isPlain(start..<end, kind, isQuoted: closing != nil, isGrant: isGrant) ? nil : start..<end
        }

        /// Where the value begins: behind `:`, `=`, `=>`, behind a tag or an attribute, behind the blank of `--password x`.
        private func startOfValue(_ word: Range<Int>) -> Int? {
            var place = word.upperBound
            var isClosed = false
            // The quote that ends the name, also an escaped one; a bracket as in `form[password]`.
            while let byte = at(place), isQuote(byte) || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "]") {
                isClosed = true
                place += 1
            }
            if at(place) == UInt8(ascii: ">") {
                // `<password>x`, `<Item Key="password">x`
                return isClosed || at(word.lowerBound - 1) == UInt8(ascii: "<") ? place + 1 : nil
            }
            let blanks = place
            while let byte = at(place), byte == 0x20 || byte == 0x09, place - blanks < 16 { place += 1 }
            switch at(place) {
            case UInt8(ascii: ":"), UInt8(ascii: "="):
                place += 1
                while let byte = at(place), byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=") { place += 1 }
            case UInt8(ascii: ","):
                // `[password, x]` and `("password", "x")`; `["password", "x"]` is a list of names.
                guard at(word.lowerBound - (isClosed ? 2 : 1)) == (isClosed ? 0x28 : 0x5B) else { return nil }
                place += 1
            case UInt8(ascii: "D"), UInt8(ascii: "V"), UInt8(ascii: "v"):
                // `ClaimTypeReferenceId="password" DefaultValue="x"`, `name="password" value="x"`
                guard isClosed, let behind = ["DefaultValue=", "Value=", "value="].first(where: { starts(place, $0) })
                else { return nil }
                place += behind.utf8.count
            case 0x0D, 0x0A:
                return isClosed ? partOfForm(place) : nil
            default:
                // `--password x`
                guard place > blanks,
                    at(word.lowerBound - 1) == UInt8(ascii: "-") || bytes[word.lowerBound] == UInt8(ascii: "-")
                else { return nil }
            }
            let start = place
            while let byte = at(place), byte == 0x20 || byte == 0x09, place - start < 64 { place += 1 }
            return place
        }

        /// `name="password"`, an empty line, and the value (RFC 7578).
        private func partOfForm(_ place: Int) -> Int? {
            var place = place
            var ends = 0
            while let byte = at(place), byte == 0x0D || byte == 0x0A, ends < 2 {
                if byte == 0x0A { ends += 1 }
                place += 1
            }
            return ends == 2 ? place : nil
        }

        /// Words and numbers of errors, durations, names of policies and of their keys, places for values, and what is
        /// masked already. All of them are short.
        private func isPlain(_ range: Range<Int>, _ kind: SecretKind, isQuoted: Bool, isGrant: Bool) -> Bool {
            guard range.count <= 64 else { return false }
            var end = range.upperBound
            // A sentence goes on behind it.
            while end > range.lowerBound, ",.:".utf8.contains(bytes[end - 1]) { end -= 1 }
            let value = String(decoding: bytes[range.lowerBound..<end], as: UTF8.self)
            let lower = value.lowercased()
            if ["<", "{", "%(", "${", "***", "[redacted", "[hidden", "(hidden", "•"].contains(where: lower.hasPrefix) {
                return true
            }
            if Self.words.contains(lower) || lower.hasPrefix("b2c_1") { return true }
            if ["aadb2c", "aadsts", "idx", "idw"].contains(where: lower.hasPrefix) { return true }
            let letters = lower.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            switch kind {
            case .password: return false
            case .code:
                // `code=ERR_NETWORK`, `verification code: has expired`
                return isGrant ? !kind.admitsParameter("code", value) : letters || lower.hasPrefix("-")
            case .token, .secret, .cookie:
                if SecretValue.isMeasure(value) || SecretValue.isSettingWord(value) { return true }
                // A sentence goes on: `client secret: provided`.
                return letters && !isQuoted && Self.sentence.contains(lower)
            }
        }

        private static let words: Set<String> = [
            "null", "nil", "(null)", "undefined", "none", "true", "false", "masked(null)", "missing", "expired",
            "invalid", "required", "empty", "not", "is", "string", "text", "yes", "no",
        ]

        private static let sentence: Set<String> = [
            "provided", "given", "sent", "set", "unset", "the", "a", "an", "no", "was", "has", "must", "should",
            "cannot",
            "present", "absent", "wrong", "valid", "unknown", "unchanged", "changed", "found", "basic", "bearer",
            "plain",
            "confidential", "public", "failed", "error",
        ]

        // MARK: Bytes

        private func at(_ place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

        private func starts(_ place: Int, _ text: String) -> Bool {
            place + text.utf8.count <= bytes.count && bytes[place...].starts(with: text.utf8)
        }

        private func isQuote(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

        private func isNameByte(_ byte: UInt8) -> Bool { SecretShape.isTokenByte(byte) }

        private func isEnd(_ byte: UInt8) -> Bool {
            switch byte {
            case 0...0x20, 0x22, 0x27, 0x5C, UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "}"),
                UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "<"):
                true
            default: false
            }
        }
    }
}
