import HTTPMessages
import JOSE
import JSON

/// Forms in which a service repeats a secret that it was sent.
public enum SecretEchoes {
    /// A secret that does not look like one.
    public static let sent = "Plain+value/of=odd\"letters&for-the.API"

    public static let forms: [@Sendable (String) -> String] = [
        { $0 }, { $0.uppercased() }, { "'\($0)'" }, { String($0.prefix(20)) + "..." }, { String($0.suffix(20)) },
        { PercentCoding.encodeComponent($0) }, { PercentCoding.encodeComponent($0).lowercased() },
        { JSONWriter.compact(.string($0)) }, { Base64.encode(Array($0.utf8)) }, { Base64URL.encode(Array($0.utf8)) },
        { Base64.encode(Array("a:\($0)".utf8)) }, { Base64.encode(Array("ab:\($0):c".utf8)) },
    ]

    /// Whether no twelve letters of the echo are left, whatever is around it.
    public static func isMasked(_ echo: String, in shown: String) -> Bool {
        let letters = Array(echo)
        let middle = String(letters[max(0, letters.count / 2 - 6)..<min(letters.count, letters.count / 2 + 6)])
        return !shown.contains(middle) && shown.contains("<secret>")
    }
}
