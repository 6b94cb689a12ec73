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
        return SecretText.masked(walk.masked(Self.withoutTokens(text)))
    }

    /// Tokens that were cut, or are in places that were not searched for secrets.
    private static func withoutTokens(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var pieces = TextPieces()
        var place = 0
        while place + 2 < bytes.count {
            guard bytes[place] == UInt8(ascii: "e"), bytes[place + 1] == UInt8(ascii: "y"),
                bytes[place + 2] == UInt8(ascii: "J")
            else {
                place += 1
                continue
            }
            let end = bytes[place...].firstIndex { !SecretShape.isTokenByte($0) } ?? bytes.count
            if end - place > 24 { pieces.put("<token>", at: place..<end) }
            place = end
        }
        return pieces.text(in: bytes) ?? text
    }
}
