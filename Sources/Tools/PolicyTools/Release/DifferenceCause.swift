import Diagnostics
import ScenarioRunner
import TrustFramework

/// The difference of two policies that causes what is noticed.
package struct DifferenceCause: Hashable {
    /// Where the folder has the element, or where it would be.
    var place: SourceLocation?
    /// The element, such as `Precondition of step 7`.
    var element: String

    /// `Extensions.xml:212 (Precondition of step 7)`
    var words: String {
        guard let place else { return element }
        return "\(PolicyState.shown(place.file))\(place.line.map { ":\($0)" } ?? "") (\(element))"
    }

    init(_ difference: PolicyDifference) {
        // A release is about the files of a folder: they count, whichever of the two policies they are.
        let places = [difference.newPlace, difference.oldPlace].compactMap(\.self)
        place = places.first { !PolicyState.isOfTenant($0.file) } ?? places.first
        element = Self.element(difference)
    }

    private static func element(_ difference: PolicyDifference) -> String {
        // What a precondition holds is the precondition.
        let path =
            difference.path.firstIndex { $0.hasPrefix("Precondition ") }.map { Array(difference.path[...$0]) }
            ?? difference.path
        guard let last = path.last else { return "the policy" }
        let holder = path.dropLast().reversed().compactMap { part -> String? in
            let words = part.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { return nil }
            switch words[0] {
            case "OrchestrationStep": return "step \(words[1])"
            case "TrustFrameworkPolicy", "ClaimsProvider": return nil
            default: return words[1]
            }
        }.first
        let title = last.hasPrefix("Precondition ") ? "Precondition" : last
        let whole = holder.map { "\(title) of \($0)" } ?? title
        switch difference.path.count > path.count ? .changed : difference.kind {
        case .added: return "\(whole) is new"
        case .removed: return "\(whole) is gone"
        case .moved: return "\(whole) in another order"
        case .changed: return whole
        }
    }
}

/// Finds the differences that cause what is noticed.
package struct CauseFinder {
    /// Candidates that are listed at most.
    static let most = 2

    /// What a sign-in reaches.
    private let differences: [PolicyDifference]
    /// Ids of claims by the names that tokens have for them, both in lower case.
    private let claims: [String: [String]]

    init(_ differences: [PolicyDifference], old: ResolvedPolicy, new: ResolvedPolicy) {
        self.differences = differences.filter(\.isReached)
        var claims: [String: [String]] = [:]
        for policy in [old, new] {
            for claim in policy.relyingParty.outputClaims {
                claims[claim.wireName.lowercased(), default: []].append(policy[claim.claim].id.lowercased())
            }
        }
        self.claims = claims
    }

    /// The only difference, else those that name what the changes name or the step at which the paths part.
    ///
    /// - Parameter parting: The steps at which paths part.
    func causes(
        of changes: [NoticedChange], parting: [(journey: String, step: Int)]
    ) -> [DifferenceCause] {
        if differences.count == 1 { return differences.map { DifferenceCause($0) } }
        let names = names(changes)
        let scores = differences.map { score($0, names, parting) }
        guard let best = scores.max() else { return [] }
        var causes: [DifferenceCause] = []
        for (difference, score) in zip(differences, scores) where score == best {
            let cause = DifferenceCause(difference)
            if !causes.contains(cause) { causes.append(cause) }
        }
        return Array(causes.prefix(Self.most))
    }

    private func score(
        _ difference: PolicyDifference, _ names: Set<String>, _ parting: [(journey: String, step: Int)]
    ) -> Int {
        var score = 0
        let path = difference.path.map { $0.lowercased() }
        for (journey, step) in parting {
            let isInJourney = path.contains { $0.hasSuffix("journey \(journey.lowercased())") }
            if isInJourney, path.contains("orchestrationstep \(step)") { score = max(score, 4) }
        }
        let keys = path.flatMap { Self.words($0).dropFirst() }
        if keys.contains(where: names.contains) { score += 3 }
        let texts = [difference.old, difference.new].compactMap(\.self).filter { $0.utf8.count < 20_000 }
        if !Set(texts.flatMap { Self.words($0.lowercased()) }).isDisjoint(with: names) { score += 2 }
        return score
    }

    /// Ids that changes name, in lower case.
    private func names(_ changes: [NoticedChange]) -> Set<String> {
        var names: Set<String> = []
        for change in changes {
            let texts = [change.place.text] + (change.isList ? change.gone + change.further : [])
            for word in texts.flatMap({ Self.words($0.lowercased()) }) where !Self.common.contains(word) {
                names.insert(word)
                names.formUnion(claims[word] ?? [])
            }
        }
        return names
    }

    private static let common: Set<String> = [
        "page", "pages", "claim", "id", "token", "access", "field", "fields", "end", "calls", "writes", "messages",
        "message", "account", "attribute", "get", "post", "https", "http", "json", "query", "form", "label", "required",
        "header", "title", "heading", "text", "error", "buttons", "true", "false",
    ]

    private static func words(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "." && $0 != "_" }.map(String.init)
    }
}
