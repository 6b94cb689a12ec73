import Diagnostics
import Exchanges

/// A secret that somebody wrote into a file, where one is expected.
public struct WrittenSecret: Hashable, Sendable {
    /// What is kept of a secret in its stand-in.
    enum Form: Hashable {
        /// Length and kinds of characters.
        case text
        /// What a token says of itself.
        case token
        /// The domain of an e-mail address.
        case address
    }

    /// The secret.
    var value: String
    var form: Form
    /// Its first place.
    public var location: SourceLocation
    /// What is there: the last names that lead to it, such as `users/ada/password`.
    public var name: String
    /// Whether it is replaced only where it is a whole text: a short one is in many words by chance.
    var isShort: Bool
    /// Whether it could be a word like any other, and is replaced only as a whole word.
    var isOrdinary: Bool

    init(_ value: String, form: Form, location: SourceLocation, name: String) {
        self.value = value
        self.form = form
        self.location = location
        self.name = name
        isShort = value.count < 6
        isOrdinary = OrdinaryText.holds(value)
    }

    /// Whether the same text may stand elsewhere and mean something else, so that a run would be another one if it were
    /// replaced there: `facebook`, `1234`.
    public var isWord: Bool {
        isShort || (value.utf8.count <= 12 && value.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) })
    }

    /// The place and what is there, for messages: never the secret itself.
    public var place: String {
        let position = [location.line, location.column].compactMap { $0 }.map { ":\($0)" }.joined()
        return "\(location.file)\(position) (\(name))"
    }
}
