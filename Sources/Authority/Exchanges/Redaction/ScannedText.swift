import Diagnostics
import JSON

/// A text and what was found out about it, for all its places in all reports: most texts of a run occur in many.
final class ScannedText {
    let text: String
    /// The secrets that it gives away by its looks, in order.
    let secrets: [(value: String, kind: SecretKind)]
    /// Values that the names before them give away.
    private let assignments: [SecretText.SecretAssignment]
    /// What it became, and in which pass; no text where it stayed as it is.
    private var result: (text: String?, pass: Int)?

    init(_ text: String) {
        self.text = text
        let bytes = Array(text.utf8)
        let assignments = SecretText.assignments(in: bytes)
        var secrets: [(value: String, kind: SecretKind)] = []
        SecretText.find(in: bytes, assignments) { value, kind, _ in secrets.append((value, kind)) }
        self.assignments = assignments
        self.secrets = secrets
    }

    /// The text without secrets; `nil` where it has none.
    ///
    /// - Parameter pass: The number of the pass, of which `mask` and `ledger` are.
    func changed(in pass: Int, _ mask: TextMask, _ ledger: SecretLedger) -> String? {
        if let result, result.pass == pass { return result.text }
        let text =
            if let masked = mask.replaced(text) {
                // Masking changed which assignments it has.
                ledger.relabelled(masked, SecretText.assignments(in: Array(masked.utf8))) ?? masked
            } else {
                ledger.relabelled(text, assignments)
            }
        result = (text, pass)
        return text
    }
}

/// The texts of a run, each looked through once.
final class ScannedTexts {
    /// By content.
    private var texts: [ExactText: ScannedText] = [:]
    /// By the place in memory of the newest texts, which is where the second walk over a report finds them again. Holding
    /// them keeps those places from being used for others.
    private var newest: [(text: String, scanned: ScannedText)?] = []
    private static let slots = 1 << 12
    /// The bytes of shorter texts may be on the stack.
    private static let shortestStored = 16

    subscript(text: String) -> ScannedText {
        guard text.utf8.count >= Self.shortestStored, let identity = Identity(text) else { return byContent(text) }
        if newest.isEmpty { newest = Array(repeating: nil, count: Self.slots) }
        let slot = identity.hash & (Self.slots - 1)
        if let known = newest[slot], Identity(known.text) == identity { return known.scanned }
        let scanned = byContent(text)
        newest[slot] = (text, scanned)
        return scanned
    }

    private func byContent(_ text: String) -> ScannedText {
        let key = ExactText(text)
        if let known = texts[key] { return known }
        let scanned = ScannedText(text)
        texts[key] = scanned
        return scanned
    }

    /// Where the bytes of a text are.
    private struct Identity: Equatable {
        let start: UInt
        let count: Int

        init?(_ text: String) {
            guard
                let bytes = text.utf8.withContiguousStorageIfAvailable({ (UInt(bitPattern: $0.baseAddress), $0.count) })
            else { return nil }
            (start, count) = bytes
        }

        var hash: Int { Int(truncatingIfNeeded: (start >> 4) &* 0x9E37_79B9_7F4A_7C15 >> 40) }
    }
}
