/// What the authorize endpoint is to return (RFC 6749 section 3.1.1, OAuth 2.0 Multiple Response Type Encoding
/// Practices).
public struct ResponseType: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An authorization code.
    public static let code = ResponseType(rawValue: 1)
    /// An ID token.
    public static let idToken = ResponseType(rawValue: 2)
    /// An access token.
    public static let token = ResponseType(rawValue: 4)

    /// Reads words in any order; `nil` for an empty list, an unknown word or one that comes twice.
    public init?(parsing text: String) {
        self = []
        for word in text.split(separator: " ") {
            let part: ResponseType
            switch word {
            case "code": part = .code
            case "id_token": part = .idToken
            case "token": part = .token
            default: return nil
            }
            guard !contains(part) else { return nil }
            insert(part)
        }
        if isEmpty { return nil }
    }

    /// Whether a request with this `response_type` asks for a code, alone or with tokens.
    public static func asksForCode(_ text: String) -> Bool { text.split(separator: " ").contains("code") }

    /// The words in the order in which discovery documents write them.
    public var text: String {
        var words: [String] = []
        if contains(.code) { words.append("code") }
        if contains(.idToken) { words.append("id_token") }
        if contains(.token) { words.append("token") }
        return words.joined(separator: " ")
    }

    /// Where the answer goes by default: the query for a code alone, else the fragment (OAuth 2.0 Multiple Response
    /// Type Encoding Practices, section 5).
    public var defaultMode: ResponseMode { self == .code ? .query : .fragment }

    /// The list of a discovery document, as recorded from live tenants: it has `token id_token` as well.
    public static let discoveryNames = [
        "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
        "token id_token",
    ]
}

/// How the answer of the authorize endpoint travels.
public enum ResponseMode: String, Sendable, Hashable, CaseIterable {
    /// In the query of the redirect URI.
    case query
    /// In its fragment.
    case fragment
    /// In a form that the browser posts to it (OAuth 2.0 Form Post Response Mode).
    case formPost = "form_post"
}

/// The values of `prompt` that B2C takes (OpenID Connect Core 3.1.2.1; AADB2C90043 lists them).
public enum Prompt: String, Sendable, Hashable, CaseIterable {
    /// No page may show.
    case none
    /// The session is not used.
    case login
    /// Consent is asked for; without effect in B2C (inferred).
    case consent
    /// The person chooses the account again; without effect in B2C (inferred).
    case selectAccount = "select_account"
}
