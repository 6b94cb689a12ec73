import Diagnostics
import Exchanges
import HTTPMessages

/// Puts labels in the places of secrets before anything of a text is shown.
struct SymptomMask {
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
        return SecretText.masked(walk.masked(Self.withoutTokens(text)), Self.label)
    }

    /// What is shown in place of a secret that was never learnt.
    private static func label(_ kind: SecretKind) -> String { "<\(kind.rawValue)>" }

    /// Tokens that were cut, or are in places that were not searched for secrets.
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
}
