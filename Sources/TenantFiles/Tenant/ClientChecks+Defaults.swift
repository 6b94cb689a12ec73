import B2CProtocol
import Determinism

extension ClientChecks {
    /// What a library verifies when nothing is said.
    ///
    /// MSAL for Apple systems verifies neither signature nor claims of the ID token, only `state` and the authority
    /// (MSAL objc MSIDDefaultTokenResponseValidator.m). MSAL.js compares the nonce. AppAuth and server libraries do
    /// what OpenID Connect Core 3.1.3.7 asks for, AppAuth with a window of ten minutes for `iat`. All of them compare the
    /// nonce when they redeem a code, never after a refresh (MSAL.js ResponseHandler.ts, AppAuth
    /// OIDAuthorizationService.m and IdToken.java; for server libraries inferred from openid-client). AppAuth alone
    /// compares the callback URL with its redirect URI (OIDAuthorizationService.m, shouldHandleURL). Neither compares the
    /// issuer of the metadata with the address asked: with B2C's usual issuer nobody could sign in.
    public static func defaults(for kind: ClientKind) -> ClientChecks {
        switch kind {
        case .msalIOS, .msalMacOS, .msalAndroid:
            ClientChecks()
        case .msalBrowser:
            ClientChecks {
                $0.nonce = .atSignIn
                $0.reservedScopes = .accept
            }
        case .appAuth:
            ClientChecks {
                $0.knownAuthority = false
                $0.nonce = .atSignIn
                $0.issuer = true
                $0.audience = true
                $0.expiry = true
                $0.skew = .zero
                $0.issuedAtWindow = .minutes(10)
                $0.redirectUri = .normalised
                $0.reservedScopes = .accept
            }
        case .web:
            ClientChecks {
                $0.knownAuthority = false
                $0.nonce = .atSignIn
                $0.issuer = true
                $0.audience = true
                $0.expiry = true
                $0.atHash = .ifPresent
                $0.reservedScopes = .accept
            }
        }
    }
}

extension ClientKind {
    /// MSAL for Apple systems, whose rules the client follows to the letter. The other kinds share its flow and differ in
    /// what they send, check and report.
    public var isApple: Bool { self == .msalIOS || self == .msalMacOS }

    /// The system that a library of this kind runs on.
    public var os: OperatingSystem {
        switch self {
        case .msalIOS, .appAuth: .ios
        case .msalMacOS: .macos
        case .msalAndroid: .android
        case .msalBrowser, .web: .web
        }
    }

    /// The platform type under which the redirect URI of such an app is registered.
    public var platformType: RedirectPlatform {
        switch self {
        case .msalIOS, .msalMacOS, .msalAndroid, .appAuth: .native
        case .msalBrowser: .spa
        case .web: .web
        }
    }
}

extension PolicyType {
    /// The types that can run; the others are refused by name when a scenario uses them.
    public static let supported: [PolicyType] = [
        .signUpOrSignIn, .signIn, .signUp, .profileEditing, .passwordReset, .ropc, .custom,
    ]
}

extension RedirectURISets {
    /// All registered URIs with their platform types: native, single-page, web.
    public var all: [(uri: String, platform: RedirectPlatform)] {
        native.map { ($0, .native) } + spa.map { ($0, .spa) } + web.map { ($0, .web) }
    }

    /// The URIs of one platform type.
    public subscript(platform: RedirectPlatform) -> [String] {
        get {
            switch platform {
            case .native: native
            case .spa: spa
            case .web: web
            }
        }
        set {
            switch platform {
            case .native: native = newValue
            case .spa: spa = newValue
            case .web: web = newValue
            }
        }
    }
}
