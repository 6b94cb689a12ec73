import JSON
import Records

/// Something that speaks for a cause, and how loudly.
package struct Sign: Sendable, Hashable {
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

    /// How loudly.
    enum Strength: String, SettingWord {
        case certain, strong, fair, weak, against, excluded

        var doc: String {
            switch self {
            case .certain:
                "Entails the cause, in the words in which the cause is given. Only codes, messages and compared values"
                    + " do. A cause that something can speak against is certain by compared values alone, so that no"
                    + " text becomes certain of it by losing a line."
            case .strong: "Names the cause, but another cause could have the same sign."
            case .fair: "Speaks for it, but not alone for it."
            case .weak: "Fits it."
            case .against: "Speaks against the cause."
            case .excluded: "A fact with which the cause cannot be: it is dropped, whatever else fits."
            }
        }

        var weight: Int {
            switch self {
            case .certain, .strong: Sign.strongWeight
            case .fair: Sign.fairWeight
            case .weak: 2
            case .against: -6
            case .excluded: 0
            }
        }
    }

    /// Alone enough to call the cause likely.
    static let strongWeight = 10
    /// Speaks for it, but not alone for it.
    static let fairWeight = 5

    let strength: Strength
    /// Of these one must be seen whole.
    let alternatives: [[Clue]]

    var weight: Int { strength.weight }
    /// Whether what is seen entails the cause: a code or message that nothing else causes.
    var isCertain: Bool { strength == .certain }
    /// Whether what is seen contradicts the cause, which is dropped then.
    var isExclusion: Bool { strength == .excluded }

    /// Reads what is to be seen: `a & b` is both, `a | b` one of them, `{trait}`, `@library`, `!x` is x not seen,
    /// `#words` one of the shared lists; all else is a phrase of the plain text.
    init(_ strength: Strength, _ text: String) {
        self.strength = strength
        let text = Self.shared[text] ?? text
        alternatives = text.split(separator: " | ").map { part in part.split(separator: " & ").map { Self.clue($0) } }
    }

    /// `{ "strong": "aadb2c90006 | redirect_uri_mismatch" }`; `why` is for people who read the table.
    static let codec = Codec<Sign>(
        shape: .map(of: .nonEmptyString, keyHint: "strength"),
        decode: { value, cursor in
            let members = value.objectValue?.members.filter { $0.key != "why" } ?? []
            guard members.count == 1, let strength = Strength(rawValue: members[0].key),
                let text = members[0].value.stringValue, !text.isEmpty
            else {
                let words = Strength.allCases.map(\.rawValue).joined(separator: ", ")
                return cursor.expected("one of \(words) with its clues", value)
            }
            return Sign(strength, text)
        },
        encode: { _ in nil })

    private static let shared = [
        // What a server could not fetch, in words that begin like those of a browser whose call had no answer.
        "#anotherFetch":
            "failed to fetch user* | failed to fetch group* | failed to fetch openid* | failed to fetch metadata*"
            + " | failed to fetch jwks* | failed to fetch keys* | failed to fetch provider*",
        // The metadata that somebody looked at came, so neither its address nor the network is to blame.
        "#metadataAnswers":
            "in a browser: 200 | opens in a browser | opens in the browser | opens fine | openid-configuration 200 ok"
            + " | openid-configuration (200 | returning the meta data* | that address & 200 | metadata loads fine",
    ]

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
