import B2CProtocol
import HTTPMessages
import TenantFiles
import Verbs

/// MSAL for Android.
struct MSALForAndroid: LibraryBehaviour {
    func creationProblem(_ app: ClientConfiguration, strayAnswer: Bool) -> ClientError? {
        AndroidConfiguration.problem(app)
    }
    /// Its own exceptions go to the listener; those of Java are thrown (PublicClientApplication.java, `create`).
    func throwsAtCreation(_ error: ClientError) -> Bool { error.domain.hasPrefix("java.") }

    /// It looks for the host in the addresses of the configuration (Authority.java).
    func knownAuthorities(_ app: ClientConfiguration) -> KnownAuthorityList {
        guard case .urls(let urls) = app.app.client.knownAuthorities else { return .hosts(app.tenant.hosts) }
        return .hosts(urls.compactMap { WebURL($0) }.map(KnownAuthorityList.host))
    }

    /// It reads the list of clouds once a process, whatever the authority (Authority.java).
    func authorityCheck(of kind: MSALAuthority.Kind) -> AuthorityLookup { kind == .b2c ? .cloudsFirst : .discovery }

    /// That the members are those of the other systems is inferred.
    func identity(_ app: ClientConfiguration) -> DeviceIdentity {
        .native(
            sku: "MSAL.Android", version: "5.4.0", osVersion: "34", model: "Pixel 8",
            appName: app.app.platform.bundleId)
    }

    func tokenHeaders(_ call: TelemetryCall, mailbox: String?) -> [(name: String, value: String)] {
        call.nativeHeaders(mailbox: mailbox)
    }

    /// It ends the browser activity of the previous call (CommandDispatcher.java; AuthorizationResultFactory.java,
    /// `SDK_CANCEL`).
    var endedByNewCall: ForeignPlace? {
        ForeignPlace(domain: AndroidErrorTable.client, code: "auth_cancelled_by_sdk")
    }

    /// A Custom Tab leaves it to the system which app takes an address.
    func callbackRule(_ app: ClientConfiguration, redirectURI: String) -> CallbackRule? {
        guard app.webview != .wkWebView else { return app.sessionCallbackRule(redirectURI: redirectURI) }
        guard let url = WebURL(redirectURI), (app.app.platform.manifest ?? ManifestFilter(taking: url)).takes(url)
        else {
            return nil
        }
        return .exact(redirectURI)
    }

    var looksUpAccount: Bool { true }

    /// It looks the account up before anything else: one that is not in the cache ends the call, whatever tokens there are
    /// (BaseController.java; docs/bugs.md, B32).
    func accountProblem(_ account: MSALAccount?, known: [MSALAccount], _ app: ClientConfiguration) -> ClientError? {
        if app.isSingleAccount, let problem = SingleAccount.silentProblem(current: known.first, account: account) {
            return problem
        }
        if let account, known.contains(where: { $0.identifier == account.identifier.lowercased() }) { return nil }
        let names = known.isEmpty ? "none" : known.map(\.identifier).joined(separator: ", ")
        return ClientError(
            .noAccount, domain: AndroidErrorTable.client, code: "no_account_found", name: "no_account_found",
            description:
                "The cache has no account \(account?.identifier ?? "(none was given)"); it has: \(names).")
    }

    func currentAccountProblem(_ app: ClientConfiguration) -> ClientError? {
        guard !app.isSingleAccount else { return nil }
        return .notOffered(by: "MSAL for Android", "account_mode MULTIPLE has a list of accounts, and no current one")
    }

    func place(of error: ClientError) -> ForeignPlace? { AndroidErrorTable.place(error) }
}

/// What MSAL for Android checks when an app creates its client, in the library's order (msal for Android,
/// PublicClientApplicationConfiguration.java and PublicClientApplication.java). Nothing is sent.
enum AndroidConfiguration {
    static func problem(_ configuration: ClientConfiguration) -> ClientError? {
        guard let redirect = WebURL(configuration.redirectURI), redirect.host?.isEmpty == false else {
            return illegalArgument(
                "The redirect URI \"\(configuration.redirectURI)\" lacks a scheme or what follows it; use "
                    + "\(expected(configuration)).")
        }
        if configuration.clientID.isEmpty { return illegalArgument("client_id is empty.") }
        return accountModeProblem(configuration) ?? filterProblem(redirect, configuration)
            ?? signatureProblem(configuration)
    }

    /// What Java code throws for a configuration that cannot be; it has no code of its own.
    private static func illegalArgument(_ description: String) -> ClientError {
        ClientError(
            .configuration, domain: "java.lang.IllegalArgumentException", code: "IllegalArgumentException",
            description: description)
    }

    /// The redirect URI of this package under the key that signed it.
    private static func expected(_ configuration: ClientConfiguration) -> String {
        configuration.app.platform.standardRedirectURI(for: .msalAndroid)
    }

    /// Each policy makes an account of its own, so an app for one account may name only one of them.
    private static func accountModeProblem(_ configuration: ClientConfiguration) -> ClientError? {
        guard configuration.app.client.accountMode == .single, configuration.authorityKind == .b2c else { return nil }
        let count = configuration.configuredAuthorityCount
        guard count > 1 else { return nil }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client,
            code: .text("SingleAccountPublicClientApplication cannot be used with multiple B2C policies."),
            description:
                "account_mode is SINGLE and \(count) B2C authorities are configured: each policy makes an account.")
    }

    /// Android must hand the redirect URI to BrowserTabActivity. An app that shows pages in a web view of its own needs
    /// no filter.
    private static func filterProblem(_ redirect: WebURL, _ configuration: ClientConfiguration) -> ClientError? {
        let platform = configuration.app.platform
        guard platform.precheck, configuration.webview != .wkWebView else { return nil }
        let filter = platform.manifest ?? ManifestFilter(taking: redirect)
        guard !filter.takes(redirect) else { return nil }
        let right = ManifestFilter(taking: redirect)
        var text =
            "AndroidManifest.xml has no intent filter for BrowserTabActivity that takes \(redirect): expected "
            + "android:scheme=\"\(right.scheme)\" android:host=\"\(right.host)\" android:path=\"\(right.path)\", found "
            + "android:scheme=\"\(filter.scheme)\" android:host=\"\(filter.host)\" android:path=\"\(filter.path)\"."
        if filter.path != right.path, PercentCoding.decode(filter.path, plusIsSpace: false) == right.path {
            text += " The path is percent-encoded here, and must not be."
        }
        if redirect.scheme == "msauth", redirect.description != expected(configuration) {
            text += " The key that signed this build wants \(expected(configuration))."
        }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "app_manifest_validation_error",
            name: "app_manifest_validation_error", description: text)
    }

    /// Where a broker may be used, the URI must be that of the signing key, encoded, without regard to letter case. A URI
    /// of another form switches the broker off and is not looked at.
    private static func signatureProblem(_ configuration: ClientConfiguration) -> ClientError? {
        let platform = configuration.app.platform
        let uri = configuration.redirectURI
        let wanted = expected(configuration)
        guard platform.precheck, configuration.app.client.useBroker,
            uri.hasPrefix("msauth://\(platform.bundleId)/"), uri.lowercased() != wanted.lowercased()
        else { return nil }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "redirect_uri_validation_error",
            name: "redirect_uri_validation_error",
            description: "The redirect URI is \"\(uri)\"; package and signing key want \"\(wanted)\".")
    }
}

/// The error of an app for one account when a call is for another account, or there is none
/// (SingleAccountPublicClientApplication.java).
enum SingleAccount {
    /// - Parameter current: The account that is signed in.
    static func interactiveProblem(
        current: MSALAccount?, account: MSALAccount?, loginHint: String?
    ) -> ClientError? {
        guard let current else { return nil }
        let hint = loginHint ?? ""
        if account == nil, hint.isEmpty { return mismatch(current) }
        if let account, account.identifier.lowercased() != current.identifier.lowercased() { return mismatch(current) }
        if !hint.isEmpty, hint.lowercased() != current.username?.lowercased() { return mismatch(current) }
        return nil
    }

    /// `signIn` needs an app without an account (AzureAD/microsoft-authentication-library-for-android#1029).
    static func signInProblem(current: MSALAccount?) -> ClientError? {
        guard let current else { return nil }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "invalid_parameter", name: "invalid_parameter",
            description: "The account \(current.identifier) is signed in already: sign it out before signIn, or use "
                + "acquireToken for more tokens.")
    }

    static func silentProblem(current: MSALAccount?, account: MSALAccount?) -> ClientError? {
        guard let current else { return none }
        guard let account, account.identifier.lowercased() == current.identifier.lowercased() else {
            return mismatch(current)
        }
        return nil
    }

    static let none = ClientError(
        .noAccount, domain: AndroidErrorTable.client, code: "no_current_account", name: "no_current_account",
        description: "Nobody is signed in.")

    private static func mismatch(_ current: MSALAccount) -> ClientError {
        ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "current_account_mismatch",
            name: "current_account_mismatch",
            description: "The account that is signed in is \(current.identifier); the call names another, or none.")
    }
}

/// The exceptions of MSAL for Android and their error codes.
///
/// Classes and codes are those of MsalClientException.java, MsalUiRequiredException.java, MsalExceptionAdapter.java and
/// MicrosoftAuthorizationErrorResponse.java (`user_cancelled`); the codes of failures that none of them names are inferred.
enum AndroidErrorTable {
    static let client = "MsalClientException"
    static let service = "MsalServiceException"
    static let uiRequired = "MsalUiRequiredException"

    /// The exception and its code for an error of the shared flow.
    static func place(_ error: ClientError) -> ForeignPlace {
        let (domain, code) = name(error)
        return ForeignPlace(domain: domain, code: code)
    }

    private static func name(_ error: ClientError) -> (domain: String, code: ClientError.Code) {
        if let oauth = error.oauthError {
            if oauth == "invalid_instance" { return (client, "unknown_authority") }
            // What the person must fix is its own class; a page that ends in access_denied is an answer of the server.
            let asks = ["invalid_grant", "interaction_required"].contains(oauth)
            return (asks ? uiRequired : service, .text(oauth))
        }
        switch error.kind {
        case .interactionRequired: return (uiRequired, "no_tokens_found")
        case .noAccount: return (client, "no_account_found")
        case .userCanceled: return ("MsalUserCancelException", "user_cancelled")
        case .declinedScopes: return ("MsalDeclinedScopeException", "declined_scope_error")
        case .interactionInProgress: return (client, "duplicate_command")
        case .network: return (client, error.code == .number(-1009) ? "device_network_not_available" : "io_error")
        case .invalidResponse:
            if error.domain == "NSCocoaErrorDomain" { return (client, "json_parse_failure") }
            return (client, (error.description ?? "").contains("state") ? "state_mismatch" : "unknown_error")
        case .configuration:
            return error.internalCode == -42000
                ? ("MsalArgumentException", "illegal_argument_exception") : (client, "unknown_authority")
        case .server, .throttled: return (service, "service_not_available")
        case .storage, .other: return (client, "unknown_error")
        }
    }
}
