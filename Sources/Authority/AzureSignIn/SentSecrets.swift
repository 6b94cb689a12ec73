import Diagnostics
import HTTPMessages
import JOSE
import JSON

/// The secrets that requests of a sender carried. A service may repeat them in its words: whole or cut off, and in other
/// spellings.
public struct SentSecrets: Sendable {
    /// A piece of so many bytes is masked: the service, or what cuts its words, may have dropped the rest.
    private static let piece = 12
    /// Less would also mask parts of ordinary words.
    private static let shortest = 4
    /// Characters of an answer's words that are read at all, unless more are asked for.
    private static let mostRead = 10_000

    /// Secrets that are remembered at most, the last ones: tokens are renewed.
    private static let most = 8

    /// In place of a secret until what looks like one is masked, too: `<secret>` also begins an element of XML, whose
    /// contents would be masked.
    private static let mark = "\u{1}"

    private var values: [String] = []

    /// Takes the secrets of a request: its bearer token, and what proves an app.
    mutating func note(_ request: RequestMessage) {
        let form = request.form
        let bearer = request.headers["Authorization"].map { $0.split(separator: " ").last.map { String($0) } ?? "" }
        for value in [bearer, form?["client_secret"], form?["client_assertion"]] {
            if let value { note(value) }
        }
    }

    /// Takes a secret.
    mutating func note(_ value: String) {
        guard value.utf8.count >= Self.shortest else { return }
        values.removeAll { $0 == value }
        values = values.suffix(Self.most - 1) + [value]
    }

    /// Words of an answer in one line, without these secrets and without what looks like one.
    public func shown(_ words: String, most: Int = 400) -> String {
        let line = words.prefix(max(Self.mostRead, most)).split(whereSeparator: \.isNewline).joined(separator: " ")
        // Cut afterwards: a secret that is cut first is not recognized.
        let masked = SecretText.masked(masked(line))
        return String(masked.replacing(Self.mark, with: "<secret>").prefix(most))
    }

    private func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let letters = Self.letters(text)
        var hidden = [Bool](repeating: false, count: bytes.count)
        for spelling in values.flatMap(Self.spellings) {
            let width = min(spelling.count, Self.piece)
            guard bytes.count >= width else { continue }
            let pieces = Set((0...spelling.count - width).map { spelling[$0..<$0 + width] })
            for start in 0...bytes.count - width where pieces.contains(letters[start..<start + width]) {
                for place in start..<start + width { hidden[place] = true }
            }
        }
        var pieces = TextPieces()
        while let start = hidden[pieces.end...].firstIndex(of: true) {
            pieces.put(Self.mark, at: start..<(hidden[start...].firstIndex(of: false) ?? hidden.count))
        }
        return pieces.text(in: bytes) ?? text
    }

    /// A secret as it is, in URLs and forms, in JSON, and in Base64, where it may begin at any of three places of a group.
    private static func spellings(_ value: String) -> [[UInt8]] {
        let bytes = Array(value.utf8)
        let component = PercentCoding.encodeComponent(value)
        let texts = [
            value, component, component.replacing("%20", with: "+"), PercentCoding.dotNetEncoded(value),
            String(JSONWriter.compact(.string(value)).dropFirst().dropLast()),
        ]
        let groups = (0..<3).flatMap { shift -> [[UInt8]] in
            let shifted = [UInt8](repeating: 0, count: shift) + bytes
            // Letters that also hold bits of what is around the secret are not its own.
            let own = (shift == 0 ? 0 : shift + 1)..<shifted.count * 8 / 6
            return [Base64.encode(shifted), Base64URL.encode(shifted)].map { Array(letters($0)[own]) }
        }
        return Set(texts).map { letters($0) } + groups
    }

    /// Bytes without letter case, which host names lose and digits of percent-encoding vary.
    private static func letters(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
