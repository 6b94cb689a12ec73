import Journeys
import TrustFramework

extension Feature {
    /// One line: how much of it is simulated, and what differs.
    var extentText: String { "**\(extent.word)**" + (extent.note.isEmpty ? "" : ": \(extent.note)") }
}

extension TransformationSignature {
    /// What the method takes and gives, as a list.
    var markdown: String {
        let lists = [("Input claims", inputClaims), ("Parameters", parameters), ("Output claims", outputClaims)]
        return lists.filter { !$0.1.slots.isEmpty || !$0.1.open.isEmpty }
            .map { "- \($0.0): \($0.1.text)" }.joined(separator: "\n")
    }
}

extension TransformationSignature.List {
    fileprivate var text: String {
        let further = open.map { $0.isEmpty ? "any others" : "others that begin with `\($0)`" }
        return (slots.map(\.text) + further).joined(separator: ", ")
    }
}

extension TransformationSignature.Slot {
    /// Such as `operator` (string, optional: same or later than).
    var text: String {
        let type = types.isEmpty ? "any type" : typeNames
        let words = words.isEmpty ? "" : ": " + words.joined(separator: " or ")
        return "`\(name)` (\(type)\(isRequired ? "" : ", optional")\(words))"
    }
}

extension ElementRule.Value {
    /// The only texts that it may have; empty: others too.
    var words: [String] {
        switch self {
        case .boolean: ["true", "false"]
        case .oneOf(let words): words
        default: []
        }
    }

    /// What is allowed, in a few words; `nil`: any text.
    var allowedText: String? {
        switch self {
        case .text: nil
        case .nonEmpty: "any text that is not empty"
        case .boolean: "true or false"
        case .integer(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .oneOf(let words): words.count == 1 ? words[0] : "one of " + words.joined(separator: ", ")
        case .culture: "a language such as en or pt-BR"
        case .guid: "a GUID"
        case .policyID: "letters, digits, _, - and ."
        case .tenantID: "a tenant's name such as contoso.onmicrosoft.com"
        case .version: "a version of four digits such as 0.3.0.0"
        }
    }
}

extension String {
    /// The text between backticks, on one line.
    var inBackticks: String {
        "`" + replacing("`", with: "'").split(whereSeparator: \.isNewline).joined(separator: " ") + "`"
    }
}
