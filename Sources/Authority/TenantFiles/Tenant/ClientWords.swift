import Records

/// The class of authority a client is configured for.
public enum AuthorityType: String, SettingWord {
    case b2c, workforce

    public var doc: String {
        switch self {
        case .b2c: "Azure AD B2C."
        case .workforce: "A directory tenant (Microsoft Entra ID)."
        }
    }
}

/// The prompt of an interactive call (MSAL objc MSALPromptType).
public enum PromptKind: String, SettingWord {
    case promptIfNecessary, selectAccount, login, consent, create

    public var doc: String {
        switch self {
        case .promptIfNecessary: "Leaves the parameter out: the server decides."
        case .selectAccount: "Sends `select_account`."
        case .login: "Sends `login`: an existing session is not used."
        case .consent: "Sends `consent`."
        case .create: "Sends `create`, which B2C refuses with AADB2C90043."
        }
    }
}

/// How a browser app leaves its page to sign in.
public enum InteractionKind: String, SettingWord {
    case popup, redirect

    public var doc: String {
        switch self {
        case .popup: "In a second window."
        case .redirect: "In the same tab."
        }
    }
}

/// Where a silent call of MSAL.js may take its token from (`CacheLookupPolicy`).
public enum TokenSource: String, SettingWord {
    case cache, cacheOrRefresh, iframe

    public var doc: String {
        switch self {
        case .cache: "The cache alone."
        case .cacheOrRefresh: "The cache, then the refresh token."
        case .iframe: "A hidden frame at once."
        }
    }
}

/// How many accounts an app of MSAL for Android works with (`account_mode` of its configuration).
public enum AccountMode: String, SettingWord {
    case multiple
    /// One at a time.
    case single

    public var doc: String {
        switch self {
        case .multiple: "Any number, one for each person and policy."
        case .single: "One at a time; refused with several policies, since each makes an account."
        }
    }
}

/// The words of `apps.NAME.client.storage`.
public enum StorageKind: String, SettingWord {
    case local, session, memory

    public var doc: String {
        switch self {
        case .local: "Local storage, shared by the tabs of an origin."
        case .session: "Session storage of one tab."
        case .memory: "Memory, lost on reload."
        }
    }
}

/// Which storage holds a browser app's request while its page is left (`temporaryCacheLocation`, `storeAuthStateInCookie`
/// of MSAL.js).
public enum TemporaryStorageKind: String, SettingWord {
    case session, local, cookie

    public var doc: String {
        switch self {
        case .session: "Session storage of one tab."
        case .local: "Local storage, shared by the tabs of an origin."
        case .cookie: "A cookie of the origin."
        }
    }
}

/// The words of `apps.NAME.client.requestState`.
public enum RequestStateKind: String, SettingWord {
    case perRequest, shared

    public var doc: String {
        switch self {
        case .perRequest: "One record a request."
        case .shared: "One record for all, so that a second request overwrites the first."
        }
    }
}

/// SameSite attribute of a cookie (RFC 6265bis).
public enum SameSiteKind: String, SettingWord {
    case lax, strict, none

    public var doc: String {
        switch self {
        case .lax: "Sent with top-level navigations by GET."
        case .strict: "Sent within the site only."
        case .none: "Sent always; needs Secure."
        }
    }
}

/// How the issuer of a discovery document is compared with the authority.
public enum DiscoveryIssuerCheck: String, SettingWord {
    case off, host, exact

    public var doc: String {
        switch self {
        case .off: "Not at all."
        case .host: "The hosts must agree."
        case .exact: "Exactly, as OpenID Connect Discovery 4.3 demands."
        }
    }
}

/// When a client compares the `nonce` of an ID token.
public enum NonceCheck: String, SettingWord {
    case off
    /// When it is there, also in a refreshed ID token.
    case ifPresent
    /// Required, and compared, in the answer to a code. A refreshed ID token is not checked.
    case atSignIn
    /// Required, and compared, also in a refreshed ID token.
    case required

    public var doc: String {
        switch self {
        case .off: "Not at all; no nonce is sent."
        case .ifPresent:
            "A nonce that is present must match: the one sent, after a refresh that of the ID token before (OpenID Connect Core 12.2)."
        case .atSignIn:
            "The answer to a code must have the nonce sent. A refreshed ID token is not checked, as in MSAL.js and AppAuth."
        case .required:
            "The answer to a code must have the nonce sent, and a refreshed ID token the nonce of the ID token before."
        }
    }
}

/// How strictly an optional claim is verified.
public enum PresenceCheck: String, SettingWord {
    case off, ifPresent, required

    public var doc: String {
        switch self {
        case .off: "Not at all."
        case .ifPresent: "When it is there."
        case .required: "It is required, and must be right."
        }
    }
}

/// How a callback URL is compared with the redirect URI.
public enum RedirectCheck: String, SettingWord {
    case off, exact, normalised

    public var doc: String {
        switch self {
        case .off: "Not at all: what the browser hands over is taken."
        case .exact: "Character by character, up to the query."
        case .normalised: "After normalising the letter case of scheme and host, a default port and a slash at the end."
        }
    }
}

/// Whether an answer without an access token is good.
public enum AccessTokenCheck: String, SettingWord {
    case optional, required

    public var doc: String {
        switch self {
        case .optional: "Yes."
        case .required: "No."
        }
    }
}

/// Whether the library takes a scope from the developer.
public enum ScopeCheck: String, SettingWord {
    case reject, accept

    public var doc: String {
        switch self {
        case .reject: "No: the call fails before anything is sent."
        case .accept: "Yes."
        }
    }
}
