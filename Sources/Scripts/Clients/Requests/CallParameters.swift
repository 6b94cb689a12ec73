import Determinism
import TenantFiles

/// Which account a call means, as a script writes it.
public enum AccountChoice: Sendable, Hashable {
    /// Nothing was said: silent calls and sign-out take the client's only account, interactive calls none.
    case unsaid
    /// `null`: the app passes nil.
    case none
    /// An account object the app holds, whatever the cache knows.
    case object(MSALAccount)
    /// An identifier.
    case identifier(String)
    /// The one account that fits everything said. `objectID` is a person's directory object.
    case selected(policy: String?, username: String?, objectID: String?)
}

/// Parameters of `acquireToken` (MSALInteractiveTokenParameters).
public struct InteractiveParameters: Sendable {
    /// `nil` for the app's usual scopes.
    public var scopes: [String]?
    /// The authority named.
    public var authority: AuthorityChoice
    /// `nil` for the app's usual prompt.
    public var prompt: PromptKind?
    /// The account to sign in.
    public var account: AccountChoice
    /// Sent as `login_hint` when no account is given.
    public var loginHint: String?
    /// Sent as `domain_hint`.
    public var domainHint: String?
    /// Added to the authorize and the token URL, over the app's own.
    public var extraQueryParameters: [(name: String, value: String)]
    /// Asked at authorize only.
    public var extraScopesToConsent: [String]
    /// JSON text of a claims request (OIDC Core 5.5).
    public var claimsRequest: String?
    /// `nil` for a fresh one.
    public var correlationID: GUID?
    /// MSAL.js, AppAuth, server libraries: what the caller wants back with the result.
    public var state: String?
    /// MSAL.js: how the page is left; `nil` for the app's usual way.
    public var interaction: InteractionKind?
    /// MSAL for Android with one account: the call is `signIn` and not `acquireToken`.
    public var isSignIn: Bool

    /// Parameters with everything at its usual value.
    public init(
        scopes: [String]? = nil, authority: AuthorityChoice = .own, prompt: PromptKind? = nil,
        account: AccountChoice = .unsaid, loginHint: String? = nil, domainHint: String? = nil,
        extraQueryParameters: [(name: String, value: String)] = [], extraScopesToConsent: [String] = [],
        claimsRequest: String? = nil, correlationID: GUID? = nil, state: String? = nil,
        interaction: InteractionKind? = nil, isSignIn: Bool = false
    ) {
        self.isSignIn = isSignIn
        self.state = state
        self.interaction = interaction
        self.scopes = scopes
        self.authority = authority
        self.prompt = prompt
        self.account = account
        self.loginHint = loginHint
        self.domainHint = domainHint
        self.extraQueryParameters = extraQueryParameters
        self.extraScopesToConsent = extraScopesToConsent
        self.claimsRequest = claimsRequest
        self.correlationID = correlationID
    }
}

/// Parameters of `acquireTokenSilent` (MSALSilentTokenParameters).
public struct SilentParameters: Sendable {
    /// `nil` for the app's usual scopes.
    public var scopes: [String]?
    /// The authority named.
    public var authority: AuthorityChoice
    /// The account whose tokens are wanted.
    public var account: AccountChoice
    /// Pass the cached access token over.
    public var forceRefresh: Bool
    /// JSON text of a claims request; passes the cached access token over.
    public var claimsRequest: String?
    /// `nil` for a fresh one.
    public var correlationID: GUID?
    /// MSAL.js: where the token may come from; `nil` for all in turn.
    public var source: TokenSource?
    /// MSAL.js: sent by a hidden frame when there is no account.
    public var loginHint: String?

    /// Parameters with everything at its usual value.
    public init(
        scopes: [String]? = nil, authority: AuthorityChoice = .own, account: AccountChoice = .unsaid,
        forceRefresh: Bool = false, claimsRequest: String? = nil, correlationID: GUID? = nil,
        source: TokenSource? = nil, loginHint: String? = nil
    ) {
        self.source = source
        self.loginHint = loginHint
        self.scopes = scopes
        self.authority = authority
        self.account = account
        self.forceRefresh = forceRefresh
        self.claimsRequest = claimsRequest
        self.correlationID = correlationID
    }
}

/// Parameters of `signOut` (MSALSignoutParameters). There is no authority among them: the library uses the app's own.
public struct SignOutParameters: Sendable {
    /// The account to sign out.
    public var account: AccountChoice
    /// Also visit the authority's end-session page.
    public var fromBrowser: Bool
    /// Also remove the account's tokens of every other app of the keychain group, and its account record.
    public var wipeAccount: Bool
    /// Also empty the whole keychain group.
    public var wipeCache: Bool
    /// Added to the end-session URL.
    public var extraQueryParameters: [(name: String, value: String)]
    /// `nil` for a fresh one.
    public var correlationID: GUID?

    /// Parameters with everything at its usual value.
    public init(
        account: AccountChoice = .unsaid, fromBrowser: Bool = false, wipeAccount: Bool = false, wipeCache: Bool = false,
        extraQueryParameters: [(name: String, value: String)] = [], correlationID: GUID? = nil
    ) {
        self.account = account
        self.fromBrowser = fromBrowser
        self.wipeAccount = wipeAccount
        self.wipeCache = wipeCache
        self.extraQueryParameters = extraQueryParameters
        self.correlationID = correlationID
    }
}
