/// Why a journey runs; decides which user journey of the relying party it is and what it may do.
public enum JourneyEntry: String, Sendable, Codable, CaseIterable {
    /// The authorize endpoint: the default user journey, with pages and sessions.
    case signIn
    /// A refresh token: the journey of the relying party's endpoint `Token`, without pages and sessions. A policy that
    /// has none issues the claims of the sign-in again.
    case refresh
    /// The user-info endpoint: the journey of the relying party's endpoint `UserInfo`.
    case userInfo
    /// The resource owner password grant: the default user journey, without pages and sessions.
    case password
    /// The client credentials grant: the journey that the issuer names in `ClientCredentialsUserJourneyId`.
    case clientCredentials

    /// Whether somebody sits at a browser.
    public var isInteractive: Bool { self == .signIn }
}
