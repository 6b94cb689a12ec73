import Records

/// What an error means, in one word that is the same for every client library.
public enum ClientErrorKind: String, CaseIterable, Sendable {
    /// The person must sign in again.
    case interactionRequired
    /// The person closed the browser or pressed cancel; also the server's `access_denied`.
    case userCanceled
    /// Fewer scopes were granted than asked for.
    case declinedScopes
    /// Another interactive call is under way.
    case interactionInProgress
    /// The call needs an account and has none.
    case noAccount
    /// The app is configured or called wrongly.
    case configuration
    /// An answer does not have the shape it must have.
    case invalidResponse
    /// The server refused or failed.
    case server
    /// The server asked for fewer calls, or the client holds a call back because of that.
    case throttled
    /// The network failed.
    case network
    /// The token store failed.
    case storage
    /// None of these.
    case other

    /// What it means, one sentence.
    public var doc: String {
        switch self {
        case .interactionRequired: "The user has to be asked."
        case .userCanceled: "The user closed the browser or cancelled on a page."
        case .declinedScopes: "The server granted less than was asked for."
        case .interactionInProgress: "Another interactive call is running."
        case .noAccount: "There is no such account."
        case .configuration: "The app, its bundle or the call is set up wrongly."
        case .invalidResponse: "The server's answer does not pass the client's checks."
        case .server: "The server answered with an error."
        case .throttled: "The call was not sent, as a recent equal one failed."
        case .network: "The server could not be reached."
        case .storage: "The token cache could not be read or written."
        case .other: "Anything else."
        }
    }
}

extension ClientErrorKind: SettingWord {}
