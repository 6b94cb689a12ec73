import TenantFiles

/// Errors as libraries other than MSAL for Apple systems report them: the same failure, another class and another word.
///
/// MSAL.js has classes and words (`BrowserAuthError.interaction_in_progress`), AppAuth NSError domains and numbers
/// (OIDError.h: `OIDErrorCode` and `OIDErrorCodeOAuth`), a server app the words of OAuth.
enum ForeignErrors {
    static func convert(_ error: ClientError, _ kind: ClientKind) -> ClientError {
        guard !kind.isApple, error.domain != "b2c", !isNative(error) else { return error }
        var converted = error
        converted.internalCode = nil
        converted.internalName = nil
        converted.name = nil
        let place =
            switch kind {
            case .appAuth: appAuth(error)
            case .web: web(error)
            case .msalAndroid: AndroidErrorTable.place(error)
            default: script(error)
            }
        converted.domain = place.domain
        converted.code = place.code
        if case .text(let word) = place.code { converted.name = word }
        converted.underlying = error.underlying.map { convert($0, kind) }
        return converted
    }

    /// Whether an error was made in its library's own words.
    private static func isNative(_ error: ClientError) -> Bool {
        error.domain.hasPrefix("Msal") || error.domain.hasPrefix("java.") || error.domain.hasSuffix("AuthError")
            || error.domain.hasPrefix("org.openid.")
    }

    /// What Java code throws for a configuration that cannot be; it has no code of its own.
    static func illegalArgument(_ description: String) -> ClientError {
        ClientError(
            .configuration, domain: "java.lang.IllegalArgumentException", code: "IllegalArgumentException",
            description: description)
    }

    private static func script(_ error: ClientError) -> (domain: String, code: ClientError.Code) {
        if let oauth = error.oauthError {
            if oauth == "invalid_instance" { return ("ClientConfigurationError", "untrusted_authority") }
            let asks = ["interaction_required", "consent_required", "login_required"].contains(oauth)
            return (asks ? "InteractionRequiredAuthError" : "ServerError", .text(oauth))
        }
        switch error.kind {
        case .interactionRequired: return ("InteractionRequiredAuthError", "no_tokens_found")
        case .userCanceled: return ("BrowserAuthError", "user_cancelled")
        case .interactionInProgress: return ("BrowserAuthError", "interaction_in_progress")
        case .noAccount: return ("BrowserAuthError", "no_account_error")
        case .network: return ("BrowserAuthError", "post_request_failed")
        case .invalidResponse:
            let text = error.description ?? ""
            if text.contains("state") { return ("ClientAuthError", "state_mismatch") }
            if text.contains("nonce") { return ("ClientAuthError", "nonce_mismatch") }
            return ("ClientAuthError", "invalid_response")
        case .configuration: return ("ClientConfigurationError", "untrusted_authority")
        case .server: return ("ServerError", "server_error")
        case .storage: return ("CacheError", "cache_quota_exceeded")
        case .declinedScopes, .throttled, .other: return ("ClientAuthError", .text(error.kind.rawValue))
        }
    }

    /// OAuth errors stand in the domain of the endpoint that gave them; a state that does not match is an authorization
    /// error of the client (OIDAuthorizationService.m).
    private static func appAuth(_ error: ClientError) -> (domain: String, code: ClientError.Code) {
        let general = "org.openid.appauth.general"
        if let oauth = error.oauthError {
            return ("org.openid.appauth.oauth_token", .number(ForeignPlace.appAuthNumber(of: oauth)))
        }
        switch error.kind {
        case .userCanceled: return (general, -3)
        case .network: return (general, -5)
        case .server: return (general, -6)
        case .invalidResponse:
            if error.domain == "NSCocoaErrorDomain" { return (general, -7) }
            return (error.description ?? "").contains("state")
                ? ("org.openid.appauth.oauth_authorization", -0xEFFF) : (general, -15)
        default: return (general, -2)
        }
    }

    private static func web(_ error: ClientError) -> (domain: String, code: ClientError.Code) {
        ("OpenIdConnect", .text(error.oauthError ?? error.kind.rawValue))
    }
}

/// Class (or domain) and code of an error in a library other than MSAL for Apple systems.
struct ForeignPlace: Sendable, Hashable {
    var domain: String
    var code: ClientError.Code

    /// MSAL.js ended without metadata: what went wrong is in the text alone (AuthorityFactory.ts).
    static let endpoints = ForeignPlace(domain: "ClientAuthError", code: "endpoints_resolution_error")
    /// The browser gave MSAL.js no window, as a popup blocker does (PopupClient.ts).
    static let noWindow = ForeignPlace(domain: "BrowserAuthError", code: "popup_window_error")
    /// AppAuth has one number for every way in which metadata cannot be had (OIDAuthorizationService.m).
    static let discovery = ForeignPlace(domain: "org.openid.appauth.general", code: -5)
    /// An OAuth error that came on AppAuth's redirect; the domain of the token endpoint's errors is another.
    static func authorization(_ oauth: String) -> ForeignPlace {
        ForeignPlace(
            domain: "org.openid.appauth.oauth_authorization", code: .number(appAuthNumber(of: oauth)))
    }

    /// `OIDErrorCodeOAuth` of an OAuth error; all that it does not know are one.
    static func appAuthNumber(of oauth: String) -> Int {
        let numbers = [
            "invalid_request": -2, "unauthorized_client": -3, "access_denied": -4, "unsupported_response_type": -5,
            "invalid_scope": -6, "server_error": -7, "temporarily_unavailable": -8, "invalid_client": -9,
            "invalid_grant": -10, "unsupported_grant_type": -11,
        ]
        return numbers[oauth] ?? -0xF000
    }

    /// MSAL for Android ends a call that another one takes the place of (AuthorizationResultFactory.java, `SDK_CANCEL`).
    static let takenOver = ForeignPlace(domain: "MsalClientException", code: "auth_cancelled_by_sdk")
}
