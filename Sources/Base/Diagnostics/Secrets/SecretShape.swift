/// Secrets that give themselves away by their looks, whatever name precedes them.
package enum SecretShape {
    /// Finds each of them once, in order, in one pass.
    package static func find(in bytes: [UInt8], _ tell: (Range<Int>, SecretKind) -> Void) {
        var place = 0
        while place < bytes.count {
            let found: (range: Range<Int>, kind: SecretKind)? =
                switch bytes[place] {
                case UInt8(ascii: "-"): privateKey(bytes, place)
                case UInt8(ascii: ":"): userInformation(bytes, place)
                default: isWordByte(bytes[place]) ? word(bytes, &place) : nil
                }
            if let found {
                tell(found.range, found.kind)
                place = max(found.range.upperBound, place + 1)
            } else {
                place += 1
            }
        }
    }

    /// The text with `mark` in place of each of them.
    package static func masked(_ text: String, _ mark: String) -> String {
        let bytes = Array(text.utf8)
        var pieces = TextPieces()
        find(in: bytes) { range, _ in pieces.put(mark, at: range) }
        return pieces.text(in: bytes) ?? text
    }

    /// What compact JWS and JWE, and the sealed grants of B2C, begin with: the Base64url of `{"`.
    package static let tokenStart = "eyJ"
    /// Shorter ones are pieces of other things.
    package static let shortestToken = 20

    // MARK: Words

    /// A run of letters, digits and what joins them, from `place` to its end, where `place` is left when it is not a secret.
    private static func word(_ bytes: [UInt8], _ place: inout Int) -> (range: Range<Int>, kind: SecretKind)? {
        let start = place
        var end = start
        while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
        place = end - 1
        // What a scheme of authentication hands over (RFC 7617, RFC 6750).
        if end - start <= 6, end < bytes.count, bytes[end] == 0x20 || bytes[end] == UInt8(ascii: "+"),
            let found = credentials(bytes, start..<end)
        {
            return found
        }
        guard end - start >= shortestToken else { return nil }
        // A token may be behind an encoded character, such as the `%3d` of a whole URL that is percent-encoded.
        let isEscaped =
            start > 0 && bytes[start - 1] == UInt8(ascii: "%") && bytes[start..<start + 2].allSatisfy(isHexDigit)
        // Or behind a path: `/callback/eyJ...`.
        var segment = isEscaped ? start + 2 : start
        while segment + shortestToken <= end {
            if let found = token(bytes, segment, end) { return found }
            while segment < end, isTokenByte(bytes[segment]) { segment += 1 }
            while segment < end, !isTokenByte(bytes[segment]) { segment += 1 }
        }
        return key(bytes, isEscaped ? start + 2 : start, end).map { ($0, .secret) }
    }

    private static func token(_ bytes: [UInt8], _ start: Int, _ end: Int) -> (range: Range<Int>, kind: SecretKind)? {
        let isSealed = starts(bytes, start, "m1.")
        guard isSealed || starts(bytes, start, tokenStart) else { return nil }
        if isSealed {
            let end = endOfSealedState(bytes, start)
            return end - start >= shortestToken ? (start..<end, .cookie) : nil
        }
        // `/`, `+`, `~` and `=` end a token; an ellipsis is a value that was cut, a full stop that of a sentence.
        var whole = start
        while whole < end, isTokenByte(bytes[whole]) { whole += 1 }
        var last = whole
        while last > start, bytes[last - 1] == UInt8(ascii: ".") { last -= 1 }
        guard last - start >= shortestToken else { return nil }
        // Without a second part it is only encoded JSON, such as `client_info`, unless the rest was cut off.
        let isToken = bytes[start..<last].contains(UInt8(ascii: ".")) || whole - last >= 3
        return isToken ? (start..<last, .token) : nil
    }

    /// The parts of the service's sealed state are base64 with padding, which URLs and forms may percent-encode.
    private static func endOfSealedState(_ bytes: [UInt8], _ start: Int) -> Int {
        var place = start
        while place < bytes.count {
            if isWordByte(bytes[place]) || bytes[place] == UInt8(ascii: "=") {
                place += 1
            } else if ["%2b", "%2f", "%3d", "%2B", "%2F", "%3D"].contains(where: { starts(bytes, place, $0) }) {
                place += 3
            } else {
                break
            }
        }
        while place > start, bytes[place - 1] == UInt8(ascii: ".") { place -= 1 }
        return place
    }

    /// `Basic dXNlcjpwYXNz` and `Bearer xyz`; `Basic authentication` and `Bearer token` are words.
    private static func credentials(
        _ bytes: [UInt8], _ scheme: Range<Int>
    ) -> (range: Range<Int>, kind: SecretKind)? {
        let isBasic = equals(bytes, scheme, "basic")
        guard isBasic || equals(bytes, scheme, "bearer") else { return nil }
        let start = scheme.upperBound + 1
        var end = start
        while end < bytes.count, isWordByte(bytes[end]) || bytes[end] == UInt8(ascii: "=") { end += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        guard start < end else { return nil }
        if isBasic { return isEncodedPair(bytes[start..<end]) ? (start..<end, .secret) : nil }
        let hasDigit = bytes[start..<end].contains { (0x30...0x39).contains($0) }
        return end - start >= 12 && hasDigit && token(bytes, start, end) == nil ? (start..<end, .token) : nil
    }

    /// Whether a text is the Base64 of something with a colon in it.
    private static func isEncodedPair(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count >= 4 else { return false }
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            let value: UInt32
            switch byte {
            case 0x41...0x5A: value = UInt32(byte) - 0x41
            case 0x61...0x7A: value = UInt32(byte) - 0x61 + 26
            case 0x30...0x39: value = UInt32(byte) - 0x30 + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            default: return false
            }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                let decoded = UInt8(truncatingIfNeeded: bits >> UInt32(count))
                if decoded == UInt8(ascii: ":") { return true }
                if decoded < 0x20 || decoded == 0x7F { return false }
            }
        }
        return false
    }

    /// Keys as services hand them out: their makers gave them marks so that they can be found.
    private static func key(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Range<Int>? {
        let count = end - start
        for mark in keyMarks where count >= mark.shortest && starts(bytes, start, mark.start) { return start..<end }
        // An Entra ID client secret: three characters, a digit, `Q~`, 31 to 34 characters.
        if (37...42).contains(count), bytes[start + 4] == UInt8(ascii: "Q"), bytes[start + 5] == UInt8(ascii: "~") {
            return start..<end
        }
        // A storage or Service Bus key: 64 or 32 bytes in Base64. A pin of a public key is as long, and is none.
        if count == 86, starts(bytes, end, "==") { return start..<(end + 2) }
        // A key of Azure Functions ends in the mark of its maker.
        if (48...56).contains(count), contains(bytes, start..<end, "AzFu") {
            return start..<(starts(bytes, end, "==") ? end + 2 : end)
        }
        return nil
    }

    private static let keyMarks: [(start: String, shortest: Int)] = [
        ("AIza", 39), ("AKIA", 20), ("ghp_", 36), ("gho_", 36), ("ghs_", 36), ("github_pat_", 40), ("xoxb-", 20),
        ("xoxp-", 20), ("xoxa-", 20), ("sk_live_", 20), ("sk_test_", 20), ("rk_live_", 20), ("sk-", 32), ("SG.", 60),
        ("glpat-", 20), ("npm_", 36),
    ]

    // MARK: Others

    /// Private keys in PEM form (RFC 7468), from the line that begins one to the line that ends it; without an end to
    /// the end of the text. The text around them is not a secret.
    private static func privateKey(_ bytes: [UInt8], _ place: Int) -> (range: Range<Int>, kind: SecretKind)? {
        guard starts(bytes, place, "-----BEGIN ") else { return nil }
        let label = bytes[(place + 11)...].prefix(60).prefix { $0 >= 0x20 && $0 != UInt8(ascii: "-") }
        guard label.suffix(11).elementsEqual("PRIVATE KEY".utf8), starts(bytes, label.endIndex, "-----") else {
            return nil
        }
        let end = Array("-----END ".utf8) + label + Array("-----".utf8)
        var next = label.endIndex
        while next + end.count <= bytes.count {
            if bytes[next] == end[0], bytes[next...].starts(with: end) { return (place..<(next + end.count), .secret) }
            next += 1
        }
        return (place..<bytes.count, .secret)
    }

    /// The password of `https://user:password@host` (RFC 3986 section 3.2.1).
    private static func userInformation(_ bytes: [UInt8], _ colon: Int) -> (range: Range<Int>, kind: SecretKind)? {
        guard starts(bytes, colon, "://") else { return nil }
        var place = colon + 3
        var start: Int?
        while place < bytes.count, place - colon < 300 {
            switch bytes[place] {
            case UInt8(ascii: ":"): if start == nil { start = place + 1 }
            case UInt8(ascii: "@"):
                guard let start, start < place else { return nil }
                return (start..<place, .password)
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
                UInt8(ascii: "<"), UInt8(ascii: ">"), 0...0x20:
                return nil
            default: break
            }
            place += 1
        }
        return nil
    }

    // MARK: Bytes

    private static func starts(_ bytes: [UInt8], _ place: Int, _ text: String) -> Bool {
        var index = place
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Without letter case.
    private static func equals(_ bytes: [UInt8], _ range: Range<Int>, _ text: String) -> Bool {
        range.count == text.utf8.count && zip(bytes[range], text.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func contains(_ bytes: [UInt8], _ range: Range<Int>, _ text: String) -> Bool {
        range.contains { starts(bytes, $0, text) }
    }

    /// What names and the parts of tokens are made of, which no encoding changes.
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// What a token or a key in Base64 or Base64url is made of.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        isTokenByte(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "~")
    }
}
