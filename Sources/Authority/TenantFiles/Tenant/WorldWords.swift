import Records

/// What the authorize endpoint does with a redirect URI that is not registered.
public enum WrongRedirectURI: String, SettingWord {
    case page, registeredUri

    public var doc: String {
        switch self {
        case .page: "Shows the error page."
        case .registeredUri:
            "Goes to another registered URI of the app with `redirect_uri_mismatch`, as recorded up to 2020."
        }
    }
}

/// Which policy AADB2C90088 calls the actual one.
public enum GrantMismatchOrder: String, SettingWord {
    case actualIsEndpoint, actualIsGrant

    public var doc: String {
        switch self {
        case .actualIsEndpoint: "The policy of the token endpoint that was called."
        case .actualIsGrant: "The policy that issued the grant."
        }
    }
}

/// What becomes of policy elements that nobody knows.
public enum UnknownElements: String, SettingWord {
    case fail, warn

    public var doc: String {
        switch self {
        case .fail: "The policy is refused."
        case .warn: "The policy runs; a warning names them."
        }
    }
}

/// Whether a device has a network.
public enum NetworkState: String, SettingWord {
    case online, offline

    public var doc: String {
        switch self {
        case .online: "It has."
        case .offline: "It has none: every request fails at once."
        }
    }
}

/// How a device is managed (MSAL objc MSALDeviceMode).
public enum DeviceMode: String, SettingWord {
    case `private`, shared

    public var doc: String {
        switch self {
        case .private: "One person uses it."
        case .shared: "Many people use it in turn."
        }
    }
}

/// Whether a browser lets frames of other sites have cookies.
public enum ThirdPartyCookieRule: String, SettingWord {
    case allow, block

    public var doc: String {
        switch self {
        case .allow: "Yes."
        case .block: "No."
        }
    }
}

/// The protocol of an identity provider.
public enum ProviderType: String, SettingWord {
    case oauth2, oidc, saml

    public var doc: String {
        switch self {
        case .oauth2: "OAuth 2.0 with a user-information call."
        case .oidc: "OpenID Connect."
        case .saml: "SAML 2.0."
        }
    }
}

/// Browsers a provider accepts.
public enum ProviderUserAgents: String, SettingWord {
    case any, systemBrowser

    public var doc: String {
        switch self {
        case .any: "All."
        case .systemBrowser: "Embedded web views are refused."
        }
    }
}

/// What the sign-out of a provider does.
public enum ProviderLogout: String, SettingWord {
    case works, needsHint, none

    public var doc: String {
        switch self {
        case .works: "Ends its session."
        case .needsHint: "Needs an `id_token_hint`, which B2C does not send."
        case .none: "It has none."
        }
    }
}
