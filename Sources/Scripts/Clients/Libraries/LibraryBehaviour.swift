import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Verbs

/// How one library behaves where libraries differ. `PublicClient` is the flow that they share; it asks here, and nowhere which
/// kind its library is.
///
/// The defaults are those of most libraries. A library is one type in a file of its own, which says what is different about it.
protocol LibraryBehaviour: Sendable {
    // MARK: The client is created

    /// What the library checks before it looks at the authority.
    ///
    /// - Parameter strayAnswer: The page that the client is created in has an answer in its address that nothing waits for.
    func creationProblem(_ app: ClientConfiguration, strayAnswer: Bool) -> ClientError?
    /// The redirect URI that the client works with, or why it cannot.
    func redirect(_ app: ClientConfiguration, authority: MSALAuthority) -> Result<
        RedirectVerifier.Verified, ClientError
    >
    /// Whether the app's own code is thrown an error of the creation, and no completion handler runs.
    func throwsAtCreation(_ error: ClientError) -> Bool
    /// Why the library takes no such authority, of the client or of a call.
    ///
    /// - Parameter own: That of the client.
    func authorityProblem(_ authority: MSALAuthority, own: MSALAuthority) -> ClientError?
    /// Whether calls without a completion handler throw.
    var throwsInCalls: Bool { get }

    // MARK: Authorities

    /// What an app lists as known that says `all`, or these URLs.
    func knownAuthorities(_ app: ClientConfiguration) -> KnownAuthorityList
    /// Who is asked whether an authority may be used.
    func authorityCheck(of kind: MSALAuthority.Kind) -> AuthorityLookup
    /// Class and code of whatever keeps the library from an authority's metadata; `nil` where each failure has its own.
    var metadataFailure: ForeignPlace? { get }

    // MARK: Requests

    /// What the library says of itself and the device.
    func identity(_ app: ClientConfiguration) -> DeviceIdentity
    /// Headers of token requests besides those of every request.
    ///
    /// - Parameter mailbox: `X-AnchorMailbox`, by which Microsoft's front ends route.
    func tokenHeaders(_ call: TelemetryCall, mailbox: String?) -> [(name: String, value: String)]
    /// Whether a refresh names the redirect URI.
    var sendsRedirectWithRefresh: Bool { get }
    /// The `response_mode` of authorization requests.
    func responseMode(_ app: ClientConfiguration) -> String?
    /// After which failures a request is sent again.
    var retry: RetryRule { get }
    /// The scopes of a request: those of the developer, those that the library adds, then `more`, each once.
    func scopes(_ scopes: [String], adding more: [String]) -> [String]
    /// Whether requests ask for `client_info` and name the call by `client-request-id`, as MSAL's do.
    var sendsMSALParameters: Bool { get }
    /// The secret that goes into token requests.
    func secret(of client: ClientSettings) -> String?
    /// The parameter `state`.
    ///
    /// - Parameters:
    ///   - id: What distinguishes the request from others.
    ///   - interaction: How the page is shown: `popup`, `redirect` or `silent`.
    ///   - callers: What the caller wants back with the result.
    func state(id: String, interaction: String, callers: String?) -> String
    /// The origin whose scripts send the requests; `nil` outside a browser.
    func scriptOrigin(_ platform: PlatformSettings) -> String?

    // MARK: The browser

    /// The redirect URI of one interactive call, or why it cannot be made.
    ///
    /// - Parameter uri: That of the client.
    func redirect(
        ofCall uri: String, _ app: ClientConfiguration, random: inout SeededGenerator
    ) -> Result<String, ClientError>
    /// How an interactive call leaves the app.
    func interaction(_ asked: InteractionKind?, _ client: ClientSettings) -> InteractionKind
    /// Class and code of an interactive call that a later one ends; `nil` where the later one is refused.
    var endedByNewCall: ForeignPlace? { get }
    /// Which URLs the web session takes as its answer; none where the system hands them to the app and knows of no app for them.
    func callbackRule(_ app: ClientConfiguration, redirectURI: String) -> CallbackRule?
    /// Why the view that the app hands over is of no use.
    func presenterProblem(_ app: ClientConfiguration) -> LibraryError?
    /// Whether the library learns that the person has closed the browser. Where it does not, the call waits on.
    func noticesClosedBrowser(_ app: ClientConfiguration) -> Bool
    /// Class and code of a call that the app cancels, where they differ from those of a closed browser.
    var cancelledByApp: ForeignPlace? { get }
    /// Class and code where no window could be opened.
    var noWindow: ForeignPlace? { get }
    /// Whether a sign-out is done when the person closes its page.
    var closedSignOutIsDone: Bool { get }

    // MARK: Answers

    /// Whether the library decodes query, fragment and form of an answer as a form, so that `+` is a space. B2C writes spaces so,
    /// in `error_description` above all.
    var formDecodesAnswers: Bool { get }
    /// Whether the answer reaches a server: no fragment does, and the state comes back in a cookie.
    var answersAtServer: Bool { get }
    /// Whether an error is read before the state is compared.
    var readsErrorBeforeState: Bool { get }
    /// Class and code of an OAuth error that came on the redirect, where they differ from those of the token endpoint.
    func redirectPlace(of oauth: String) -> ForeignPlace?
    /// Why an address holds no answer at all; looked at before anything else.
    func emptyAnswer(_ callback: WebURL, checksState: Bool) -> LibraryError?
    /// Why the way in which the answer came is refused.
    ///
    /// - Parameter posted: It came as a form.
    func arrivalProblem(posted: Bool, _ app: ClientConfiguration) -> LibraryError?
    /// Whether an answer without `client_info` is good: the account is then that of the ID token.
    var takesAccountFromIDToken: Bool { get }
    /// The user name of an account without `preferred_username`.
    func username(_ claims: JSONObject?, _ kind: MSALAuthority.Kind) -> String
    /// Whether an answer that grants fewer scopes than were asked for is an error.
    var refusesFewerScopes: Bool { get }

    // MARK: The cache

    /// Where the cache is: what apps of one group share.
    func storageGroup(_ app: ClientConfiguration) -> Keychain.AccessGroup
    /// Whether the app may use that place.
    func mayUseStorage(_ app: ClientConfiguration) -> Bool
    /// Whether the place is the keychain of the device, whose statuses can be set.
    var usesKeychain: Bool { get }
    /// Whether tokens are kept under the tenant as the app writes it, and not under its id.
    var keepsWrittenTenant: Bool { get }
    /// The scopes of an access token as they are kept.
    func cachedScopes(_ scopes: String) -> String
    /// Whether the cache outlives the process.
    func persistsCache(_ client: ClientSettings) -> Bool
    /// How many characters can be stored; `nil` where nothing limits it.
    func storageQuota(_ app: ClientConfiguration) -> Int?

    // MARK: Silent calls and accounts

    /// Whether equal silent calls that run at the same time share one request.
    func sharesEqualCalls(_ client: ClientSettings) -> Bool
    /// Why the account of a silent call is of no use.
    ///
    /// - Parameter known: The accounts of the cache.
    func accountProblem(_ account: MSALAccount?, known: [MSALAccount], _ app: ClientConfiguration) -> ClientError?
    /// Whether ``accountProblem(_:known:_:)`` wants the accounts of the cache.
    var looksUpAccount: Bool { get }
    /// A silent call names no account and there is none.
    var noAccount: LibraryError { get }
    /// Why a silent call may not ask for these scopes.
    func silentProblem(scopes: [String], _ app: ClientConfiguration) -> LibraryError?
    /// Whether a refusal of the refresh token means that the person must sign in again.
    func mayHelpToSignIn(after refusal: LibraryError) -> Bool
    /// Whether a failure of a silent call is one that holds back the next, for a library that does so.
    func throttles(_ error: LibraryError) -> Bool
    /// Whether a call that failed so goes on in a hidden frame.
    func mayTryFrame(after error: ClientError) -> Bool
    /// Why there is no current account to ask for.
    func currentAccountProblem(_ app: ClientConfiguration) -> ClientError?
    /// Whether the library has a call that visits the end-session page.
    func signOutProblem(fromBrowser: Bool) -> ClientError?
    /// Whether the app's page for front-channel sign-out can sign people out.
    func signsOutElsewhere(_ client: ClientSettings) -> Bool
    /// Whether an account that is removed leaves no record behind.
    var forgetsRemovedAccounts: Bool { get }

    // MARK: Errors

    /// Class (or domain) and code of an error of the shared flow; `nil` where the flow's own are the library's.
    func place(of error: ClientError) -> ForeignPlace?
}

/// Who is asked whether an authority may be used.
enum AuthorityLookup: Sendable {
    /// Nobody: it is known, or the call ends.
    case known
    /// Nobody about a known one; about any other the service that knows the clouds.
    case discoveryUnlessKnown
    /// The service that knows the clouds, once a host and process.
    case discovery
    /// The same service about the world-wide cloud, once a process, whatever the authority; the call ends for a host that is
    /// neither known nor in its answer.
    case cloudsFirst
}

extension LibraryBehaviour {
    func creationProblem(_ app: ClientConfiguration, strayAnswer: Bool) -> ClientError? { nil }
    func redirect(_ app: ClientConfiguration, authority: MSALAuthority) -> Result<
        RedirectVerifier.Verified, ClientError
    > {
        .success(RedirectVerifier.Verified(uri: app.redirectURI, isBrokerCapable: false))
    }
    func throwsAtCreation(_ error: ClientError) -> Bool { false }
    func authorityProblem(_ authority: MSALAuthority, own: MSALAuthority) -> ClientError? { nil }
    var throwsInCalls: Bool { false }

    func knownAuthorities(_ app: ClientConfiguration) -> KnownAuthorityList { app.listedAuthorities() }
    func authorityCheck(of kind: MSALAuthority.Kind) -> AuthorityLookup { kind == .b2c ? .known : .discovery }
    var metadataFailure: ForeignPlace? { nil }

    func identity(_ app: ClientConfiguration) -> DeviceIdentity { .silent }
    func tokenHeaders(_ call: TelemetryCall, mailbox: String?) -> [(name: String, value: String)] { [] }
    func scopes(_ scopes: [String], adding more: [String]) -> [String] { scopes + RequestContext.reservedScopes + more }
    var sendsRedirectWithRefresh: Bool { true }
    func responseMode(_ app: ClientConfiguration) -> String? { app.app.client.responseMode }
    var retry: RetryRule { .standard }
    var sendsMSALParameters: Bool { true }
    func secret(of client: ClientSettings) -> String? { nil }
    func state(id: String, interaction: String, callers: String?) -> String { RequestState.encoded(id) }
    func scriptOrigin(_ platform: PlatformSettings) -> String? { nil }

    func redirect(
        ofCall uri: String, _ app: ClientConfiguration, random: inout SeededGenerator
    ) -> Result<String, ClientError> { .success(uri) }
    func interaction(_ asked: InteractionKind?, _ client: ClientSettings) -> InteractionKind { .popup }
    var endedByNewCall: ForeignPlace? { nil }
    func callbackRule(_ app: ClientConfiguration, redirectURI: String) -> CallbackRule? {
        app.sessionCallbackRule(redirectURI: redirectURI)
    }
    func presenterProblem(_ app: ClientConfiguration) -> LibraryError? { nil }
    func noticesClosedBrowser(_ app: ClientConfiguration) -> Bool { true }
    var cancelledByApp: ForeignPlace? { nil }
    var noWindow: ForeignPlace? { nil }
    var closedSignOutIsDone: Bool { true }

    var formDecodesAnswers: Bool { true }
    var answersAtServer: Bool { false }
    var readsErrorBeforeState: Bool { false }
    func redirectPlace(of oauth: String) -> ForeignPlace? { nil }
    func emptyAnswer(_ callback: WebURL, checksState: Bool) -> LibraryError? { nil }
    func arrivalProblem(posted: Bool, _ app: ClientConfiguration) -> LibraryError? { nil }
    var takesAccountFromIDToken: Bool { true }
    /// The first of `emails`, else nothing (MSAL.js 2; docs/bugs.md, B70).
    func username(_ claims: JSONObject?, _ kind: MSALAuthority.Kind) -> String {
        claims?["emails"]?.arrayValue?.first?.stringValue ?? ""
    }
    var refusesFewerScopes: Bool { false }

    /// What an app stores is its own.
    func storageGroup(_ app: ClientConfiguration) -> Keychain.AccessGroup {
        Keychain.AccessGroup(team: "", group: "app \(app.app.name)")
    }
    func mayUseStorage(_ app: ClientConfiguration) -> Bool { true }
    var usesKeychain: Bool { false }
    var keepsWrittenTenant: Bool { false }
    func cachedScopes(_ scopes: String) -> String { scopes }
    func persistsCache(_ client: ClientSettings) -> Bool { client.cacheAttached }
    func storageQuota(_ app: ClientConfiguration) -> Int? { nil }

    func sharesEqualCalls(_ client: ClientSettings) -> Bool { false }
    func accountProblem(_ account: MSALAccount?, known: [MSALAccount], _ app: ClientConfiguration) -> ClientError? {
        nil
    }
    var looksUpAccount: Bool { false }
    var noAccount: LibraryError {
        LibraryError(.interactionRequired, "There is no account to get a token for.", kind: .noAccount)
    }
    func silentProblem(scopes: [String], _ app: ClientConfiguration) -> LibraryError? { nil }
    /// Any OAuth error but `invalid_scope`, `invalid_client` and the protection-policy one.
    func mayHelpToSignIn(after refusal: LibraryError) -> Bool {
        guard let oauth = refusal.oauthError, !oauth.isEmpty else { return false }
        if refusal.identityCoreCode == .serverProtectionPoliciesRequired { return false }
        let code = OAuthErrorTable.code(oauth, other: .serverInvalidGrant)
        return code != .serverInvalidScope && code != .serverInvalidClient
    }
    func throttles(_ error: LibraryError) -> Bool { true }
    func mayTryFrame(after error: ClientError) -> Bool { false }
    func currentAccountProblem(_ app: ClientConfiguration) -> ClientError? { nil }
    func signOutProblem(fromBrowser: Bool) -> ClientError? { nil }
    func signsOutElsewhere(_ client: ClientSettings) -> Bool { false }
    var forgetsRemovedAccounts: Bool { false }
}

extension ClientKind {
    /// How the library of this kind behaves.
    var behaviour: any LibraryBehaviour {
        switch self {
        case .msalIOS: MSALForApple(os: .ios)
        case .msalMacOS: MSALForApple(os: .macos)
        case .msalAndroid: MSALForAndroid()
        case .msalBrowser: MSALForBrowsers()
        case .msalDotNet: MSALForDotNet()
        case .appAuth: AppAuth()
        case .web: ServerLibrary()
        }
    }
}
