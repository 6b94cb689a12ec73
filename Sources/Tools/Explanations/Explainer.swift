import B2CProtocol
import Clients
import CommandKit
import Diagnostics
import ExtensionCalls

/// Finds what words mean.
enum Explainer {
    /// What the words mean, together or one by one.
    static func explain(_ words: [String]) throws -> [Explanation] {
        if words[0].lowercased() == "client" { return [try ClientExplanation.explain(Array(words.dropFirst()))] }
        if words.count == 1, words[0].lowercased() == "rules" { return [RuleTable.everything] }
        // A text that the service gave, quoted or not, is looked at as a whole first.
        let pasted = words.joined(separator: " ")
        if pasted.contains(" ") {
            let rules = RuleTable.rules(in: pasted)
            if !rules.isEmpty { return ErrorExplanation.codes(in: pasted) + rules }
        }
        let each = words.map { explanations(of: $0) }
        if !each.contains(where: \.isEmpty) { return each.flatMap { $0 } }
        // A text that was typed without quotes.
        let whole = words.joined(separator: " ")
        let found = explanations(of: whole)
        if found.isEmpty { throw unknown(whole) }
        return found
    }

    private static func explanations(of text: String) -> [Explanation] {
        let word = trimmed(text)
        if let code = B2CErrorCode.named(word) { return [ErrorExplanation.b2c(code)] }
        if let number = Int(word) { return ErrorExplanation.number(number) }
        if let rule = RuleTable.rule(word) { return [rule] }
        let named = ErrorExplanation.named(word)
        if !named.isEmpty { return named }
        let found = ErrorExplanation.codes(in: text) + RuleTable.rules(in: text)
        return found.isEmpty ? KeyExplanation.named(word) : found
    }

    private static func trimmed(_ text: String) -> String {
        let marks: Set<Character> = [" ", "\"", "'", "`", ",", ".", ":", "\n", "\r", "\t"]
        var rest = Substring(text)
        while let first = rest.first, marks.contains(first) { rest = rest.dropFirst() }
        while let last = rest.last, marks.contains(last) { rest.removeLast() }
        return String(rest)
    }

    private static func unknown(_ text: String) -> Failure {
        let word = trimmed(text)
        if word.uppercased().hasPrefix("AADB2C") {
            return .usage(
                "\(word) is not a code that B2C is known to give. Next to it: \(namesList(neighbours(of: word))).")
        }
        let shown = word.count > 100 ? String(word.prefix(100)) + "..." : word
        let line = shown.split(whereSeparator: \.isNewline).joined(separator: " ")
        return .usage(
            "nothing is known under \"\(line)\"." + (word.count > 100 ? "" : nearest(word, everyName))
                + " `explain` knows codes of B2C and MSAL, their names, OAuth errors, texts that refuse an upload of a policy,"
                + " redirect URLs, requests, tokens, logs, the wording of reported bugs, ids of rules, keys of scenario"
                + " and tenant files, and situations such as \"close the window\"; `b2c explain --help` lists them.")
    }

    /// The codes whose numbers are closest.
    private static func neighbours(of code: String) -> [String] {
        let number = Int(code.dropFirst("AADB2C".count).prefix { $0.isNumber }) ?? 0
        let all = B2CErrorCode.all.map { (id: $0.id, distance: abs((Int($0.number) ?? 0) - number)) }
        return all.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }.prefix(3).map(\.id)
    }

    private static func nearest(_ word: String, _ names: [String]) -> String {
        var rest = names
        var found: [String] = []
        while found.count < 3, let near = nearestName(word, among: rest) {
            found.append(near)
            rest.removeAll { $0 == near }
        }
        return found.isEmpty ? "" : " Near it: \(namesList(found))."
    }

    private static var everyName: [String] {
        MSALErrorTable.all.flatMap { [$0.name, $0.objectiveCName] }
            + MSALInternalErrorTable.all.flatMap { [$0.name, $0.objectiveCName] }
            + OAuthErrorTable.all.map(\.error) + ErrorUserInfoKeys.all.map(\.name) + B2CErrorCode.all.map(\.id)
            + ExtensionFinding.serviceTable.map(\.name) + RuleTable.ids + ["client", "rules"] + KeyExplanation.names
    }
}
