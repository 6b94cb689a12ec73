import B2CProtocol
import HTTPMessages

/// Recognises the messages of B2C's numbered errors where the number was not pasted with them.
enum CodeMessages {
    static func read(_ places: PhraseIndex.Places, _ text: SymptomText, into facts: inout SymptomFacts) {
        for (phrase, code) in messages {
            guard let place = places[phrase] else { continue }
            facts.addSpokenCode(code, Excerpt(text.line(ofPlain: place), phrase))
        }
    }

    /// The longest fixed piece of each message that no other code has, in the plain form of texts.
    private static let messages: [(phrase: String, code: String)] = {
        var owners: [String: Set<String>] = [:]
        var found: [(phrase: String, code: String)] = []
        for code in B2CErrorCode.all {
            for template in [code.template] + code.variants {
                guard let piece = longestPiece(of: template), owners[piece, default: []].insert(code.id).inserted else {
                    continue
                }
                found.append((piece, code.id))
            }
        }
        return found.filter { owners[$0.phrase]?.count == 1 }
    }()

    /// What is looked up.
    static var phrases: [String] { messages.map(\.phrase) }

    /// Of five words or more: fewer are said by anybody.
    private static func longestPiece(of template: String) -> String? {
        var pieces: [String] = []
        for (number, part) in template.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            let fixed = number == 0 ? part : part.drop { $0 != "}" }.dropFirst()
            pieces.append(trimmed(fixed))
        }
        let longest = pieces.max { $0.utf8.count < $1.utf8.count } ?? ""
        return longest.split(separator: " ").count >= 5 && longest.utf8.count >= 28 ? longest : nil
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, !(first.isLetter || first.isNumber) { text.removeFirst() }
        while let last = text.last, !(last.isLetter || last.isNumber) { text.removeLast() }
        return String(text).asciiLowercased.replacing("\n", with: " ")
    }
}
