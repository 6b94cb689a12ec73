/// What an error means, in one word that is the same for every client library.
public enum ClientErrorKind: String, Sendable, CaseIterable {
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
}
