import HTTPMessages
import Scenarios

/// Puts labels in the places of secrets before anything of a text is shown.
struct Masking {
    private let walk: RedactionWalk?

    /// Learns the secrets of a text, so that they are masked also where nothing gives them away.
    init(_ text: SymptomText, showsSecrets: Bool) {
        guard !showsSecrets else {
            walk = nil
            return
        }
        var walk = RedactionWalk(ledger: SecretLedger(known: []))
        // Line by line, so that a huge text is never held twice.
        for number in 1...max(1, text.lineCount) where text.lineCount > 0 {
            let bytes = text.lineBytes(number).prefix(1 << 16)
            guard
                bytes.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { continue }
            walk.learn(String(decoding: bytes, as: UTF8.self))
        }
        walk.finishLearning()
        self.walk = walk
    }

    func masked(_ text: String) -> String {
        guard let walk else { return text }
        return Self.withoutLabelled(walk.masked(Self.withoutTokens(text)))
    }

    /// Tokens that were cut, or stand where nobody learnt them.
    private static func withoutTokens(_ text: String) -> String {
        guard text.contains("eyJ") else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "eyJ") {
            let end = rest[mark.lowerBound...].firstIndex { $0.utf8.first.map { !TokenFacts.isTokenByte($0) } ?? true }
            let token = rest[mark.lowerBound..<(end ?? rest.endIndex)]
            result += rest[..<mark.lowerBound] + (token.utf8.count > 24 ? "<token>" : token)
            rest = rest[token.endIndex...]
        }
        return result + rest
    }

    /// Words after which a secret stands in logs and headers, with what it is called.
    private static let labels: [(name: String, kind: String, toEnd: Bool)] = [
        ("set-cookie", "cookie", true), ("cookie", "cookie", true), ("authorization", "credentials", true),
        ("password", "password", false), ("passwd", "password", false), ("pwd", "password", false),
        ("client_secret", "secret", false), ("clientsecret", "secret", false), ("client secret", "secret", false),
        ("refresh_token", "token", false), ("refreshtoken", "token", false), ("access_token", "token", false),
        ("accesstoken", "token", false), ("id_token_hint", "token", false), ("code_verifier", "secret", false),
        ("authorization_code", "code", false), ("authorizationcode", "code", false),
    ]

    /// `Password: hunter2`, `Set-Cookie: a=b`, `client_secret = x`.
    private static func withoutLabelled(_ text: String) -> String {
        var text = text
        for label in labels {
            var from = 0
            // Each label at most so often in one line.
            for _ in 0..<20 {
                guard let found = value(after: label.name, in: text, from: from, toEnd: label.toEnd) else { break }
                from = found.end
                guard !found.value.hasPrefix("<"), !found.value.isEmpty, !isPlain(found.value, label.kind) else {
                    continue
                }
                let bytes = Array(text.utf8)
                let mask = Array("<\(label.kind)>".utf8)
                text = String(decoding: bytes[..<found.start] + mask + bytes[found.end...], as: UTF8.self)
                from = found.start + mask.count
            }
        }
        return text
    }

    /// What stands after such words in messages and is no secret.
    private static let plain: Set<String> = [
        "null", "nil", "(null)", "undefined", "none", "true", "false", "masked(null)", "missing", "expired", "invalid",
        "required", "empty", "not", "is",
    ]

    /// Words and numbers of errors, and names of policies and their keys. A number can be a password, and never a token.
    private static func isPlain(_ value: String, _ kind: String) -> Bool {
        let lower = value.asciiLowercased
        if plain.contains(lower) || lower.hasPrefix("b2c_1") { return true }
        if ["aadb2c", "aadsts", "idx", "idw"].contains(where: lower.hasPrefix) { return true }
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        return kind != "password" && digits.count <= 6 && !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }

    private static func value(
        after name: String, in text: String, from: Int, toEnd: Bool
    ) -> (start: Int, end: Int, value: String)? {
        let bytes = Array(text.asciiLowercased.utf8)
        let wanted = Array(name.utf8)
        guard from < bytes.count else { return nil }
        var place = from
        while place + wanted.count < bytes.count {
            guard bytes[place] == wanted[0], bytes[place..<(place + wanted.count)].elementsEqual(wanted) else {
                place += 1
                continue
            }
            var index = place + wanted.count
            while index < bytes.count, [0x22, 0x27, 0x5C, 0x20].contains(bytes[index]) { index += 1 }
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "=") else {
                place += wanted.count
                continue
            }
            index += 1
            while index < bytes.count, [0x22, 0x27, 0x5C, 0x20].contains(bytes[index]) { index += 1 }
            var end = index
            while end < bytes.count, toEnd ? bytes[end] != 0x0A : !isEnd(bytes[end]) { end += 1 }
            return (index, end, String(decoding: bytes[index..<end], as: UTF8.self))
        }
        return nil
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x22, 0x27, 0x5C, UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "}"),
            UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "<"):
            true
        default: false
        }
    }
}
