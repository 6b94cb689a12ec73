import Diagnostics
import JSON

/// The secrets of one scenario and the label that replaces each. A first walk over everything that will be shown fills
/// it, so that a secret is masked also where it occurs before the place that identifies it as one.
package struct SecretLedger {
    /// Everything to look for, for ``TextMask``.
    package private(set) var patterns: [TextMask.Spelling] = []
    /// The patterns that look like tokens.
    private var tokens = SortedTexts()
    /// The label of each value.
    private var labels = StandInRegister()
    /// Values that are already among the patterns.
    private var sought: Set<String> = []

    /// A ledger that begins with what is known before anything runs.
    package init(known: [KnownSecret]) {
        for secret in known where !secret.value.isEmpty {
            if labels[secret.value] == nil { labels[secret.value] = "<\(secret.label)>" }
            if secret.everywhere {
                seek(secret.value)
            } else if secret.value.count >= SecretKind.secret.shortestEverywhere {
                seek(secret.value, isWhole: OrdinaryText.holds(secret.value))
            }
        }
    }

    /// The label that replaces a value. A value that is not known yet becomes known.
    package mutating func label(_ value: String, _ kind: SecretKind) -> String {
        if let label = labels[value] { return label }
        let label = labels.standIn(for: value, kind: kind.rawValue) { "<\(kind.rawValue) \($0)>" }
        // What somebody typed may be a word like any other (`redirect`, `displayName`, their own address), and no
        // report could be read in which that word is blotted out: such a text is masked in places of secrets, and
        // nowhere else. What a server made up never looks like that. Nor does one of several words: that is the rest of
        // a text in a query, such as an `error_description` that quotes an address with a code.
        let isOneWord = kind == .password || !value.utf8.contains(0x20)
        if value.prefix(kind.shortestEverywhere).count == kind.shortestEverywhere, isOneWord, !OrdinaryText.holds(value)
        {
            seek(value)
        }
        return label
    }

    /// The label of a value that has one.
    package func label(of value: String) -> String? { labels[value] }

    /// The text with the values of parameters replaced that have a label, whatever their length; `nil` if none has one.
    ///
    /// - Parameter assignments: Those of the text.
    func relabelled(_ text: String, _ assignments: [SecretText.SecretAssignment]) -> String? {
        var pieces = TextPieces()
        for assignment in assignments where assignment.range.lowerBound >= pieces.end {
            guard let label = labels[assignment.value] ?? labels[assignment.decoded] else { continue }
            pieces.put(label, at: assignment.range)
        }
        return pieces.text(in: text)
    }

    private mutating func seek(_ value: String, isWhole: Bool = false) {
        guard sought.insert(value).inserted, let label = labels[value] else { return }
        for spelling in SecretSpelling.all(of: value) {
            patterns.append(TextMask.Spelling(spelling, label: label, isWhole: isWhole))
            if spelling.hasPrefix(SecretShape.tokenStart) { tokens.insert(spelling) }
        }
    }

    /// Whether a token is the beginning of a longer one that is known: a value cut for a message.
    package func isPieceOfKnown(_ token: String) -> Bool { tokens.hasLonger(than: token) }
}

/// Texts in the order of their bytes, in runs of which each is longer than the next: a text that is added moves the
/// others as often as the number of texts has digits in base two.
private struct SortedTexts {
    private var runs: [[String]] = []

    mutating func insert(_ text: String) {
        var new = [text]
        while let last = runs.last, last.count <= new.count {
            runs.removeLast()
            new = merged(last, new)
        }
        runs.append(new)
    }

    private func merged(_ left: [String], _ right: [String]) -> [String] {
        var result: [String] = []
        result.reserveCapacity(left.count + right.count)
        var rest = right[...]
        for text in left {
            while let other = rest.first, Self.precedes(other, text) { result.append(rest.removeFirst()) }
            result.append(text)
        }
        return result + rest
    }

    /// Whether a text begins with another one and goes on.
    func hasLonger(than beginning: String) -> Bool {
        runs.contains { run in
            var low = 0
            var high = run.count
            while low < high {
                let middle = low + (high - low) / 2
                if Self.precedes(beginning, run[middle]) { high = middle } else { low = middle + 1 }
            }
            return low < run.count && run[low].utf8.starts(with: beginning.utf8)
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { ByteSearch.precedes(left, $0) } }
    }
}

extension SecretKind {
    /// Below this many characters a secret is masked only where one is expected, not wherever the same text occurs.
    fileprivate var shortestEverywhere: Int { self == .code ? 4 : 6 }
}
