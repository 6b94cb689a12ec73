import B2CProtocol
import Determinism

/// Which texts keep the rules of fields, remembered: a page is filled in thousands of times, and to read a long pattern
/// takes longer than to walk a journey.
final class KnownRules {
    private struct Key: Hashable {
        var field: String
        var text: String
    }

    private let answers: FormAnswers
    private var kept: [Key: Bool] = [:]
    private var texts: [String: [String]] = [:]

    init(_ answers: FormAnswers) { self.answers = answers }

    /// Whether a page takes a text in a field, as far as the field's rules say.
    func keeps(_ text: String, _ field: PageField, _ now: Timestamp) -> Bool {
        // Only rules about days depend on the time.
        let key = Key(field: field.id, text: "\(now.secondsSinceEpoch / 86_400) \(text)")
        if let known = kept[key] { return known }
        let keeps = answers.keeps(text, field, now)
        kept[key] = keeps
        return keeps
    }

    /// Texts made from the rules of a field.
    func built(_ field: PageField) -> [String] {
        if let known = texts[field.id] { return known }
        let built = FormAnswers.built(field)
        texts[field.id] = built
        return built
    }
}
