import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Verbs

/// MSAL.NET in a desktop app: a public client whose pages the system's browser shows, or a web view of its own.
///
/// From the sources of AzureAD/microsoft-authentication-library-for-dotnet, version 4.85. What they do not show is marked
/// (inferred) here and in docs/clients.md.
struct MSALForDotNet: LibraryBehaviour {
    private static let client = "MsalClientException"
    private static let service = "MsalServiceException"
    private static let uiRequired = "MsalUiRequiredException"

    // MARK: The client is created

    /// The builder throws (AbstractApplicationBuilder.cs, PublicClientApplicationBuilder.cs, `Validate`; AuthorityInfo.cs). The
    /// order is inferred.
    func creationProblem(_ app: ClientConfiguration, strayAnswer: Bool) -> ClientError? {
        if case .success(let own) = app.ownAuthority(), let problem = authorityProblem(own, own: own) { return problem }
        if app.clientID.isEmpty {
            return ClientError(
                .configuration, domain: Self.client, code: "no_client_id", name: "no_client_id",
                description: "No ClientId was specified.")
        }
        guard WebURL(app.redirectURI) != nil else {
            return Self.thrown(
                "InvalidOperationException", "The redirect URI \"\(app.redirectURI)\" is not an absolute URI.")
        }
        return nil
    }

    func throwsAtCreation(_ error: ClientError) -> Bool { true }

    /// Of a B2C authority three parts of the path are needed, which only the form with `/tfp/` has; the host of a call's authority
    /// is that of the client's (AuthorityInfo.cs, `ValidateSameHostAsync`).
    func authorityProblem(_ authority: MSALAuthority, own: MSALAuthority) -> ClientError? {
        if authority.url.scheme != "https" {
            return Self.thrown("ArgumentException", "The authority must use HTTPS scheme.")
        }
        guard authority.kind == .b2c else { return nil }
        guard authority.url.path.split(separator: "/").count >= 3 else {
            return Self.thrown(
                "ArgumentException",
                "The B2C authority URI should have at least 3 segments in the path "
                    + "(i.e. https://<host>/tfp/<tenant>/<policy>/...): \(authority.text)")
        }
        guard authority.url.host != own.url.host else { return nil }
        return ClientError(
            .configuration, domain: Self.client, code: "B2C_authority_host_mismatch",
            name: "B2C_authority_host_mismatch",
            description: "The host of \(authority.text) is not that of the client's authority \(own.text).")
    }

    /// An exception of .NET itself, which has no error code.
    private static func thrown(_ name: String, _ description: String) -> ClientError {
        ClientError(
            .configuration, domain: "System.\(name)", code: .text(name), name: name, description: description)
    }

    // MARK: Requests

    /// MsalIdHelper.cs, `GetMsalIdParameters`: the query names no system, headers do. .NET knows no model of the device.
    func identity(_ app: ClientConfiguration) -> DeviceIdentity {
        let library = [(name: "x-client-SKU", value: "MSAL.NetCore"), (name: "x-client-Ver", value: "4.85.1.0")]
        return DeviceIdentity(
            query: library, headers: library + [("x-client-OS", Self.system(app.app.platform.os))],
            namesAccount: true, sendsMailbox: false, wantsCallID: false)
    }

    /// The version of Windows is inferred.
    private static func system(_ os: OperatingSystem) -> String {
        switch os {
        case .macos: "MacOS"
        case .linux: "Linux"
        default: "Microsoft Windows 10.0.22631"
        }
    }

    /// TokenClient.cs and HttpTelemetryManager.cs. That the headers describe a desktop app's cache as not serialized is inferred.
    func tokenHeaders(_ call: TelemetryCall, mailbox: String?) -> [(name: String, value: String)] {
        let api = call == .interactive ? 1005 : 1007
        return [
            ("x-ms-lib-capability", "retry-after, h429"),
            ("x-client-current-telemetry", "5|\(api),\(call.refreshReason),,,|0,1,1,,,"),
        ]
    }

    var sendsRedirectWithRefresh: Bool { false }

    /// Two GUIDs (AuthCodeRequestComponent.cs); here both are made from the one that the flow draws.
    func state(id: String, interaction: String, callers: String?) -> String { id.lowercased() + id.lowercased() }

    /// Once more after a second, when the server fails or the time is up, unless it says how long to wait (DefaultRetryPolicy.cs,
    /// HttpRetryConditions.cs).
    var retry: RetryRule {
        RetryRule(
            pause: .seconds(1 as Int64), offlinePause: .seconds(1 as Int64), after: [-1001], heedsRetryAfter: true)
    }

    // MARK: The browser

    /// DefaultOsBrowserWebUi.cs: the system's browser needs an address of this machine, and without a port the library chooses
    /// one and drops the path. The web view takes any address.
    func redirect(
        ofCall uri: String, _ app: ClientConfiguration, random: inout SeededGenerator
    ) -> Result<String, ClientError> {
        guard let url = WebURL(uri) else { return .success(uri) }
        if !(url.fragment ?? "").isEmpty {
            return .failure(Self.thrown("ArgumentException", "'redirectUri' must NOT include a fragment component."))
        }
        guard usesSystemBrowser(app) else { return .success(uri) }
        guard url.isLoopback, url.scheme == "http" else {
            let problem = url.isLoopback ? "http uri scheme" : "loopback redirect uri"
            return .failure(
                ClientError(
                    .configuration, domain: Self.client, code: "loopback_redirect_uri", name: "loopback_redirect_uri",
                    description: "Only \(problem) is supported, but \(uri) was found. Configure http://localhost or "
                        + "http://localhost:port both during app registration and when you create the "
                        + "PublicClientApplication object."))
        }
        if let port = url.port, port != 80 { return .success(uri) }
        return .success("http://localhost:\(49_152 + random.below(16_384))")
    }

    private func usesSystemBrowser(_ app: ClientConfiguration) -> Bool { app.webview != .wkWebView }

    func callbackRule(_ app: ClientConfiguration, redirectURI: String) -> CallbackRule? {
        usesSystemBrowser(app) ? .exact(redirectURI) : app.sessionCallbackRule(redirectURI: redirectURI)
    }

    /// A posted form keeps the code out of the browser's history, whatever the app asks for (DefaultOsBrowserWebUi.cs).
    func responseMode(_ app: ClientConfiguration) -> String? {
        usesSystemBrowser(app) ? "form_post" : app.app.client.responseMode
    }

    /// HttpListenerInterceptor.cs, `GetAuthorizationResponseAsync`.
    func arrivalProblem(posted: Bool, _ app: ClientConfiguration) -> LibraryError? {
        guard usesSystemBrowser(app), !posted else { return nil }
        var problem = LibraryError(
            .serverInvalidResponse, "Expected POST request for form_post response mode, but received GET.",
            kind: .invalidResponse)
        problem.place = ForeignPlace(domain: Self.client, code: "authentication_failed")
        return problem
    }

    /// The system's browser is another program: whether its window is closed is not known (DefaultOsBrowserWebUi.cs;
    /// AzureAD/microsoft-authentication-library-for-dotnet wiki, System Browser on .NET Core).
    func noticesClosedBrowser(_ app: ClientConfiguration) -> Bool { !usesSystemBrowser(app) }

    /// The app's `CancellationToken`.
    var cancelledByApp: ForeignPlace? {
        ForeignPlace(domain: "System.OperationCanceledException", code: "OperationCanceledException")
    }

    // MARK: Answers

    /// AuthCodeRequestComponent.cs, `VerifyAuthorizationResult`.
    var readsErrorBeforeState: Bool { true }
    func redirectPlace(of oauth: String) -> ForeignPlace? {
        oauth == "login_required"
            ? ForeignPlace(domain: Self.uiRequired, code: "no_prompt_failed")
            : ForeignPlace(domain: Self.service, code: .text(oauth))
    }

    var takesAccountFromIDToken: Bool { false }

    /// TokenResponseHelper.cs, `NullPreferredUsernameDisplayLabel`.
    func username(_ claims: JSONObject?, _ kind: MSALAuthority.Kind) -> String { MSALAccount.missingUsername }

    // MARK: The cache

    /// The tenant as the authority names it is the realm (B2CAuthority.cs, `GetTenantedAuthority`).
    var keepsWrittenTenant: Bool { true }
    /// MsalAccessTokenCacheItem.cs, `OrderScopesAlphabetically`.
    func cachedScopes(_ scopes: String) -> String { ScopeText.list(scopes).sorted().joined(separator: " ") }

    // MARK: Silent calls and accounts

    /// SilentRequest.cs, `UserNullError`.
    var noAccount: LibraryError {
        var problem = LibraryError(.interactionRequired, "No account or login hint was passed.", kind: .noAccount)
        problem.place = ForeignPlace(domain: Self.uiRequired, code: "user_null")
        return problem
    }

    /// CacheSilentStrategy.cs, `ThrowIfNoScopesOnB2C`. That scopes of OpenID alone count as none is inferred.
    func silentProblem(scopes: [String], _ app: ClientConfiguration) -> LibraryError? {
        guard app.authorityKind == .b2c, scopes.allSatisfy(RequestContext.reservedScopes.contains) else { return nil }
        var problem = LibraryError(.interactionRequired, "At least one scope needs to be requested for this flow.")
        problem.place = ForeignPlace(domain: Self.uiRequired, code: "scopes_required_client_credentials")
        return problem
    }

    func mayHelpToSignIn(after error: LibraryError) -> Bool {
        Self.wantsPerson(error.oauthError ?? "", error.subError)
    }

    /// UiRequiredProvider.cs holds back what wants the person, and no other answer of the token endpoint.
    func throttles(_ error: LibraryError) -> Bool { error.oauthError == nil || mayHelpToSignIn(after: error) }

    /// MsalServiceExceptionFactory.cs.
    private static func wantsPerson(_ oauth: String, _ subError: String?) -> Bool {
        switch oauth {
        case "interaction_required": true
        case "invalid_grant": !["client_mismatch", "protection_policy_required"].contains(subError ?? "")
        default: false
        }
    }

    func currentAccountProblem(_ app: ClientConfiguration) -> ClientError? {
        .notOffered(by: "MSAL.NET", "it has a list of accounts (`accounts`), and no current one")
    }

    func signOutProblem(fromBrowser: Bool) -> ClientError? {
        guard fromBrowser else { return nil }
        return .notOffered(
            by: "MSAL.NET", "RemoveAsync forgets the account and visits no page; an `open` step ends the session")
    }

    var forgetsRemovedAccounts: Bool { true }

    // MARK: Errors

    /// What a call of MSAL.NET throws. Failures that no document names are `unknown_error` (inferred).
    func place(of error: ClientError) -> ForeignPlace? {
        let isHeldBack = error.throttled == true || error.underlying?.throttled == true
        func place(_ domain: String, _ code: ClientError.Code) -> ForeignPlace {
            ForeignPlace(domain: domain, code: code)
        }
        if let oauth = error.oauthError {
            let asks = Self.wantsPerson(oauth, error.subError)
            let name = isHeldBack ? (asks ? "MsalThrottledUiRequiredException" : "MsalThrottledServiceException") : nil
            return place(name ?? (asks ? Self.uiRequired : Self.service), .text(oauth))
        }
        switch error.kind {
        case .interactionRequired: return place(Self.uiRequired, "no_tokens_found")
        case .noAccount: return place(Self.uiRequired, "user_null")
        case .userCanceled: return place(Self.client, "authentication_canceled")
        case .interactionInProgress: return place("b2c", "notBuiltYet")
        case .network:
            return error.code == .number(-1001)
                ? place(Self.service, "request_timeout")
                : place("System.Net.Http.HttpRequestException", "HttpRequestException")
        case .invalidResponse:
            let text = error.description ?? ""
            if error.domain == "NSCocoaErrorDomain" { return place(Self.client, "json_parse_failed") }
            if text.contains("state") { return place(Self.client, "state_mismatch") }
            if text.contains("token type") { return place(Self.client, "token_type_mismatch") }
            return place(Self.service, "authentication_failed")
        case .configuration: return place(Self.client, "authority_type_mismatch")
        case .server, .throttled:
            return place(
                isHeldBack ? "MsalThrottledServiceException" : Self.service, .text(Self.word(error.httpStatus)))
        case .declinedScopes, .storage, .other: return place(Self.client, "unknown_error")
        }
    }

    /// HttpManager.cs and OAuth2Client.cs.
    private static func word(_ status: Int?) -> String {
        switch status {
        case 404: "not_found"
        case 429: "request_throttled"
        case (500...599)?: "service_not_available"
        default: "http_status_not_200"
        }
    }
}
