import TenantFiles
import Verbs

/// An OpenID Connect client with strict checks, as AppAuth for iOS, macOS and Android is. Its errors have NSError domains and
/// numbers (OIDError.h: `OIDErrorCode` and `OIDErrorCodeOAuth`).
struct AppAuth: LibraryBehaviour {
    /// One number for every way in which metadata cannot be had (OIDAuthorizationService.m).
    var metadataFailure: ForeignPlace? { Self.general(-5) }

    func scopes(_ scopes: [String], adding more: [String]) -> [String] { PlainScopes.list(scopes, adding: more) }
    var sendsMSALParameters: Bool { false }
    func state(id: String, interaction: String, callers: String?) -> String { callers ?? RequestState.encoded(id) }

    /// It is a cancelled flow (MaikuB/flutter_appauth#564).
    var closedSignOutIsDone: Bool { false }
    /// OIDAuthorizationService.m.
    var readsErrorBeforeState: Bool { true }
    /// An OAuth error has the domain of the endpoint that returned it.
    func redirectPlace(of oauth: String) -> ForeignPlace? {
        ForeignPlace(domain: "org.openid.appauth.oauth_authorization", code: .number(Self.number(of: oauth)))
    }

    /// A state that does not match is an authorization error of the client (OIDAuthorizationService.m).
    func place(of error: ClientError) -> ForeignPlace? {
        if let oauth = error.oauthError {
            return ForeignPlace(domain: "org.openid.appauth.oauth_token", code: .number(Self.number(of: oauth)))
        }
        switch error.kind {
        case .userCanceled: return Self.general(-3)
        case .network: return Self.general(-5)
        case .server: return Self.general(-6)
        case .invalidResponse:
            if error.domain == "NSCocoaErrorDomain" { return Self.general(-7) }
            return (error.description ?? "").contains("state")
                ? ForeignPlace(domain: "org.openid.appauth.oauth_authorization", code: -0xEFFF) : Self.general(-15)
        default: return Self.general(-2)
        }
    }

    private static func general(_ number: Int) -> ForeignPlace {
        ForeignPlace(domain: "org.openid.appauth.general", code: .number(number))
    }

    /// `OIDErrorCodeOAuth` of an OAuth error; all that it does not know are one.
    private static func number(of oauth: String) -> Int {
        let numbers = [
            "invalid_request": -2, "unauthorized_client": -3, "access_denied": -4, "unsupported_response_type": -5,
            "invalid_scope": -6, "server_error": -7, "temporarily_unavailable": -8, "invalid_client": -9,
            "invalid_grant": -10, "unsupported_grant_type": -11,
        ]
        return numbers[oauth] ?? -0xF000
    }
}

/// Libraries that are not MSAL send the scopes as they are written; where none of OpenID is there, the two that a sign-in needs
/// are added.
enum PlainScopes {
    static func list(_ scopes: [String], adding more: [String]) -> [String] {
        (scopes.contains("openid") ? [] : ["openid", "offline_access"]) + scopes + more
    }
}
