/// Something that speaks for a cause, and how loudly.
package struct Sign: Sendable {
    /// One thing to be seen.
    enum Clue: Sendable, Hashable {
        case phrase(String)
        case trait(Trait)
        case library(Library)
        indirect case absent(Clue)

        /// Whether it is made of ordinary words, which any long text has by chance.
        var isOrdinary: Bool {
            guard case .phrase(let phrase) = self else { return false }
            return !phrase.contains { $0.isNumber || $0 == "_" || $0 == "." }
        }

        /// Whether it is hardly said of anything else: a code, an identifier, a message of several words, what an
        /// address or a token shows. Two ordinary words next to each other prove little.
        var isSpecific: Bool {
            switch self {
            case .trait: true
            case .library, .absent: false
            case .phrase(let phrase):
                phrase.contains { $0 == "_" } || phrase.split(separator: " ").count >= 4
                    || phrase.count(where: \.isNumber) >= 4
                    || phrase.contains { $0 == "." } && phrase.count >= 12
                    || !phrase.contains(" ") && phrase.count >= 20
            }
        }

        /// Whether it is something that is not to be seen.
        var isAbsence: Bool {
            if case .absent = self { true } else { false }
        }

        /// For people.
        var text: String {
            switch self {
            case .phrase(let phrase): "\"\(phrase.hasSuffix("*") ? String(phrase.dropLast()) : phrase)\""
            case .trait(let trait): trait.doc
            case .library(let library): library.name
            case .absent(let clue): "no \(clue.text)"
            }
        }
    }

    /// Alone enough to call the cause likely.
    static let strongWeight = 10
    /// Speaks for it, but not alone for it.
    static let fairWeight = 5
    /// Fits it.
    static let weakWeight = 2

    let weight: Int
    /// Whether what is seen entails the cause: a code or message that nothing else causes.
    let isCertain: Bool
    /// Whether what is seen contradicts the cause, which is dropped then.
    let isExclusion: Bool
    /// Of these one must be seen whole.
    let alternatives: [[Clue]]

    /// Reads what is to be seen: `a & b` is both, `a | b` one of them, `{trait}`, `@library`, `!x` is x not seen; all
    /// else is a phrase of the plain text.
    init(_ weight: Int, _ text: String, isCertain: Bool = false, isExclusion: Bool = false) {
        self.weight = weight
        self.isCertain = isCertain
        self.isExclusion = isExclusion
        alternatives = text.split(separator: " | ").map { part in part.split(separator: " & ").map { Self.clue($0) } }
    }

    /// Entails the cause, in the words in which the cause is given. Only codes, messages and compared values do. A cause
    /// that something can speak against is certain by compared values alone, so that no text becomes certain of it by
    /// losing a line.
    static func certain(_ text: String) -> Sign { Sign(strongWeight, text, isCertain: true) }
    /// Names the cause, but another cause could have the same sign.
    static func strong(_ text: String) -> Sign { Sign(strongWeight, text) }
    static func fair(_ text: String) -> Sign { Sign(fairWeight, text) }
    static func weak(_ text: String) -> Sign { Sign(weakWeight, text) }
    /// Speaks against the cause.
    static func against(_ text: String) -> Sign { Sign(-6, text) }
    /// A fact with which the cause cannot be: it is dropped, whatever else fits.
    static func excluded(by text: String) -> Sign { Sign(0, text, isExclusion: true) }
    /// What a server could not fetch, in words that begin like those of a browser whose call had no answer.
    static let anotherFetch = excluded(
        by: "failed to fetch user* | failed to fetch group* | failed to fetch openid* | failed to fetch metadata*"
            + " | failed to fetch jwks* | failed to fetch keys* | failed to fetch provider*")
    /// The metadata that somebody looked at came, so neither its address nor the network is to blame.
    static let metadataAnswers = excluded(
        by: "in a browser: 200 | opens in a browser | opens in the browser | opens fine | openid-configuration 200 ok"
            + " | openid-configuration (200 | returning the meta data* | that address & 200 | metadata loads fine")

    private static func clue(_ text: Substring) -> Clue {
        if text.first == "!" { return .absent(clue(text.dropFirst())) }
        if text.first == "{", text.last == "}", let trait = Trait(rawValue: String(text.dropFirst().dropLast())) {
            return .trait(trait)
        }
        if text.first == "@", let library = Library(rawValue: String(text.dropFirst())) { return .library(library) }
        return .phrase(String(text))
    }

    /// The phrases to be looked up for it.
    var phrases: [String] { alternatives.flatMap { $0 }.compactMap { Self.phrase($0) } }

    private static func phrase(_ clue: Clue) -> String? {
        switch clue {
        case .phrase(let text): text
        case .absent(let inner): phrase(inner)
        case .trait, .library: nil
        }
    }

    /// What one would look for, in words.
    var text: String {
        alternatives.prefix(3).map { $0.map(\.text).joined(separator: " with ") }.joined(separator: ", or ")
    }
}
