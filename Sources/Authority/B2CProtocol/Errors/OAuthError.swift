/// A refusal of the authorization or token endpoint (RFC 6749 sections 4.1.2.1 and 5.2).
public struct OAuthError: Error, Hashable, Sendable {
    /// The `error` code, such as `invalid_grant`.
    public var error: String
    /// The numbered error behind it.
    public var code: B2CErrorCode?
    /// The whole `error_description`.
    public var description: String
    /// Whether the refusal may be sent to the redirect URI; false while that URI is not known to be the app's own.
    public var mayRedirect: Bool
    /// Why, for the developer who reads the log; never on the wire.
    public var refusal: String

    public init(
        error: String, code: B2CErrorCode? = nil, description: String, mayRedirect: Bool = true, refusal: String = ""
    ) {
        self.error = error
        self.code = code
        self.description = description
        self.mayRedirect = mayRedirect
        self.refusal = refusal
    }
}

/// The error codes of OAuth 2.0, OpenID Connect and B2C.
public enum OAuthErrorName {
    // RFC 6749 sections 4.1.2.1 and 5.2.
    public static let invalidRequest = "invalid_request"
    public static let invalidClient = "invalid_client"
    public static let invalidGrant = "invalid_grant"
    public static let invalidScope = "invalid_scope"
    public static let unauthorizedClient = "unauthorized_client"
    public static let unsupportedGrantType = "unsupported_grant_type"
    public static let unsupportedResponseType = "unsupported_response_type"
    public static let accessDenied = "access_denied"
    public static let serverError = "server_error"
    public static let temporarilyUnavailable = "temporarily_unavailable"
    // OpenID Connect Core 3.1.2.6.
    public static let interactionRequired = "interaction_required"
    public static let loginRequired = "login_required"
    public static let consentRequired = "consent_required"
    public static let accountSelectionRequired = "account_selection_required"
    // RFC 6750 section 3.1.
    public static let invalidToken = "invalid_token"
    public static let insufficientScope = "insufficient_scope"
    /// Not registered anywhere; recorded from live B2C tenants.
    public static let redirectURIMismatch = "redirect_uri_mismatch"
    /// Instance discovery of Microsoft Entra ID for an unknown host.
    public static let invalidInstance = "invalid_instance"
}
