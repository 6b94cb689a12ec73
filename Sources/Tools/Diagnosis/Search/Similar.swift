/// Something that is about the words of a question.
package enum Similar: Sendable {
    case recipe(Recipe)
    case script(ShippedScript)
    /// A cause that no script plays.
    case cause(Cause)

    /// So many are worth reading.
    private static let most = 8
    /// The share of a question that something has to be about. One word alone is chance sooner than two.
    private static let leastCoverage = 0.4, leastOfOneWord = 0.6
    /// The share of the best one's score that is still near it.
    private static let leastScore = 0.4

    /// What fits a question in anybody's words, the best first; empty where most of the question is about something else.
    package static func to(_ question: String) -> [Similar] {
        // A question is short.
        let hits = index.search(String(question.prefix(4096))).filter {
            $0.coverage >= ($0.words > 1 ? leastCoverage : leastOfOneWord)
        }
        let ranked = hits.map { (score: $0.score * subjects[$0.document].weight, document: $0.document) }
            .sorted { ($1.score, $0.document) < ($0.score, $1.document) }
        let best = ranked.first?.score ?? 0
        return ranked.prefix { $0.score >= best * leastScore }.prefix(most).map { subjects[$0.document] }
    }

    /// A recipe is written to be found; what a tutorial says of a sample is seldom what somebody looks for.
    private var weight: Double {
        switch self {
        case .recipe: 1.25
        case .script(let script): script.path.hasPrefix("tutorials/") ? 0.8 : 1
        case .cause: 1
        }
    }

    private static let subjects: [Similar] =
        Recipe.all.map { .recipe($0) } + ShippedScript.all.map { .script($0) }
        + Cause.all.filter { $0.script == nil && !$0.isCodeAlone }.map { .cause($0) }

    private static let index: WordIndex = {
        var index = WordIndex()
        // What a recipe says is said of the scripts that it names, and a script's name of its recipes.
        var recipes: [String: String] = [:]
        for recipe in Recipe.all {
            for path in recipe.scripts { recipes[path, default: ""] += " \(recipe.title) \(recipe.text)" }
        }
        let names = Dictionary(ShippedScript.all.map { ($0.path, $0.name) }) { first, _ in first }
        let causes = Dictionary(Cause.played.map { ($0.id[...], $0) }) { first, _ in first }
        for subject in subjects {
            switch subject {
            case .recipe(let recipe):
                index.add([
                    .init(text: recipe.title, weight: 4), .init(text: recipe.text + " " + recipe.steps, weight: 1),
                    .init(text: recipe.scripts.compactMap { names[$0] }.joined(separator: " "), weight: 0.5),
                ])
            case .script(let script):
                let cause = script.entry.flatMap { causes[$0] }
                index.add(
                    [
                        .init(text: script.name, weight: 2), .init(text: script.path + " " + script.words, weight: 1),
                        .init(text: recipes[script.path] ?? "", weight: 0.7),
                    ] + (cause.map { parts(of: $0, weight: 1) } ?? []))
            case .cause(let cause): index.add(parts(of: cause, weight: 2))
            }
        }
        return index
    }()

    /// A cause is also known by the words in which people report it.
    private static func parts(of cause: Cause, weight: Double) -> [WordIndex.Part] {
        let signs = cause.signs.filter { $0.weight > 0 }.flatMap(\.phrases)
        return [
            .init(text: cause.cause, weight: weight),
            .init(text: (signs + cause.checks + [cause.fix]).joined(separator: ", "), weight: 0.5),
        ]
    }
}

extension Cause {
    /// The cause of an entry of docs/bugs.md in any letter case, or of a name such as `nonce-cookie-missing`.
    package static func named(_ text: String) -> Cause? {
        let entry = text.uppercased()
        return played.first { $0.id == entry } ?? (text.contains("-") ? all.first { $0.id == text } : nil)
    }
}

extension Diagnosis {
    /// Whether it is about no more than ordinary words: what somebody describes or asks, and not the text of an error.
    package var isOrdinaryWords: Bool {
        codes.isEmpty && numbers.isEmpty && tokens.isEmpty && causes.allSatisfy { $0.certainty == .possible }
    }
}
