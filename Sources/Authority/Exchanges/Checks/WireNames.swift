import B2CProtocol
import Diagnostics
import JSON

/// Names of parameters and values on the wire that have a meaning for Azure AD B2C or for the libraries. A name that is not among
/// them may be an app's own; one that is almost one of them is probably misspelt.
package enum WireNames {
    /// Parameters of the authorization endpoint.
    ///
    /// Sources: OAuth 2.0 (RFC 6749, 7636, 8707, 9101), OpenID Connect Core 3.1.2.1, "OAuth 2.0 authorization code flow in
    /// Azure AD B2C", MSAL.
    package static let authorize = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "login_hint", "domain_hint", "id_token_hint", "claims", "ui_locales",
        "claims_locales", "max_age", "acr_values", "display", "request", "request_uri", "resource", "client_info",
        "client-request-id", "return-client-request-id", "instance_aware", "haschrome", "X-AnchorMailbox", "login_req",
        "domain_req", "clidata", "x-ms-lib-capability",
    ]

    /// Fields of the token endpoint.
    ///
    /// Sources: OAuth 2.0 (RFC 6749, 7521, 7636, 8628, 8693), MSAL.
    package static let token = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type", "grant_type", "code",
        "code_verifier", "redirect_uri", "refresh_token", "scope", "username", "password", "response_type",
        "client_info", "claims", "assertion", "requested_token_use", "device_code", "subject_token",
        "subject_token_type", "resource", "id_token_hint",
    ]

    /// Parameters of the end-session endpoint (OpenID Connect RP-Initiated Logout 1.0).
    package static let logout = [
        "id_token_hint", "logout_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales",
        "client-request-id", "return-client-request-id", "haschrome",
    ]

    /// The errors of OAuth 2.0, OpenID Connect and B2C.
    package static let errors = [
        OAuthErrorName.invalidRequest, OAuthErrorName.invalidClient, OAuthErrorName.invalidGrant,
        OAuthErrorName.invalidScope, OAuthErrorName.unauthorizedClient, OAuthErrorName.unsupportedGrantType,
        OAuthErrorName.unsupportedResponseType, OAuthErrorName.accessDenied, OAuthErrorName.serverError,
        OAuthErrorName.temporarilyUnavailable, OAuthErrorName.interactionRequired, OAuthErrorName.loginRequired,
        OAuthErrorName.consentRequired, OAuthErrorName.accountSelectionRequired, OAuthErrorName.invalidToken,
        OAuthErrorName.insufficientScope, OAuthErrorName.redirectURIMismatch, OAuthErrorName.invalidInstance,
        "invalid_resource", "invalid_target",
    ]

    /// Places of a claims request (OpenID Connect Core 5.5), and `access_token` of Microsoft's identity platform.
    package static let claimsRequest = ["id_token", "userinfo", "access_token"]

    /// Members of a claim in a claims request (OpenID Connect Core 5.5.1).
    package static let requestedClaim = ["essential", "value", "values"]

    /// The names that a request to an endpoint of the wire can have; `nil` for endpoints without names of their own.
    package static func names(of endpoint: String?) -> [String]? {
        switch endpoint {
        case "authorize": authorize
        case "token": token + ["ui_locales", "login_hint"]
        case "logout": logout
        default: nil
        }
    }

    /// The OAuth error that a text is probably meant to be; `nil` for a known one, and for one that is near none.
    package static func nearError(_ text: String) -> String? {
        errors.contains(text) ? nil : errors.first { isSlip(text, of: $0) }
    }

    /// The name that another one is probably meant to be; `nil` for a known name, and for one that is near none. Short
    /// names are near one another, so two letters may be wrong only in a long one.
    package static func near(_ name: String, among known: [String]) -> String? {
        guard !known.contains(name), name.utf8.count > 3 else { return nil }
        return known.first { sameText($0.lowercased(), name.lowercased()) }
            ?? known.first {
                $0.utf8.count > 3 && (name.utf8.count > 7 ? isSlip(name, of: $0) : isOneSlip(name, of: $0))
            }
    }
}
