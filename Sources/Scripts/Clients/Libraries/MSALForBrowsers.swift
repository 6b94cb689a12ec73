import B2CProtocol
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Verbs

/// MSAL.js in a single-page app.
struct MSALForBrowsers: LibraryBehaviour {
    func creationProblem(_ app: ClientConfiguration, strayAnswer: Bool) -> ClientError? {
        strayAnswer ? Self.noState : insecurePageProblem(app.app.platform.origin)
    }

    /// Browsers give pages that came without TLS no `crypto.subtle`, other than those of the machine itself, and MSAL.js
    /// cannot start without it (BrowserCrypto.ts; W3C Secure Contexts, 3.1).
    private func insecurePageProblem(_ page: String) -> ClientError? {
        guard let origin = WebURL(page), origin.scheme == "http", let host = origin.host?.lowercased() else {
            return nil
        }
        let isOwnMachine =
            host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
        guard !isOwnMachine else { return nil }
        return ClientError(
            .configuration, domain: "BrowserAuthError", code: "crypto_nonexistent", name: "crypto_nonexistent",
            description: "The page is at \(page), and without https browsers have no crypto.subtle.")
    }

    static let noState = ClientError(
        .invalidResponse, domain: "BrowserAuthError", code: "no_state_in_hash", name: "no_state_in_hash",
        description: "The answer in the address has no state of a request of this app.")

    func throwsAtCreation(_ error: ClientError) -> Bool { true }

    /// It compares hosts. An entry with a path is not a host and matches nothing (docs/bugs.md, B14).
    func knownAuthorities(_ app: ClientConfiguration) -> KnownAuthorityList {
        guard case .urls(let urls) = app.app.client.knownAuthorities else { return .hosts(app.tenant.hosts) }
        return .hosts(
            urls.compactMap { WebURL($0) }.filter { $0.path.isEmpty || $0.path == "/" }.map(KnownAuthorityList.host))
    }

    func authorityCheck(of kind: MSALAuthority.Kind) -> AuthorityLookup { .discoveryUnlessKnown }
    /// It ends without metadata, and what went wrong is in the text alone (AuthorityFactory.ts).
    var metadataFailure: ForeignPlace? { ForeignPlace(domain: "ClientAuthError", code: "endpoints_resolution_error") }

    func identity(_ app: ClientConfiguration) -> DeviceIdentity { .page(sku: "msal.js.browser", version: "3.7.0") }

    /// The caller's state follows the library's own part after a `|` (ProtocolUtils.ts).
    func state(id: String, interaction: String, callers: String?) -> String {
        let own: JSONValue = ["id": .string(id.lowercased()), "meta": ["interactionType": .string(interaction)]]
        return Base64.encode(Array(JSONWriter.compact(own).utf8)) + (callers.map { "|" + $0 } ?? "")
    }

    func scriptOrigin(_ platform: PlatformSettings) -> String? { platform.origin }

    func interaction(_ asked: InteractionKind?, _ client: ClientSettings) -> InteractionKind {
        asked ?? client.interaction
    }
    /// The browser gave no window, as a popup blocker does (PopupClient.ts).
    var noWindow: ForeignPlace? { ForeignPlace(domain: "BrowserAuthError", code: "popup_window_error") }

    /// It looks first whether the address of its window or frame holds an answer at all: a router or script of the app's own
    /// page may have taken it away (response/ResponseHandler.ts, deserializeResponse).
    func emptyAnswer(_ callback: WebURL, checksState: Bool) -> LibraryError? {
        func problem(_ domain: String, _ code: ClientError.Code, _ text: String) -> LibraryError {
            var problem = LibraryError(.serverInvalidResponse, text, kind: .invalidResponse)
            problem.place = ForeignPlace(domain: domain, code: code)
            return problem
        }
        let address = callback.withoutAnswer.description
        guard !(callback.fragment ?? "").isEmpty || !(callback.query ?? "").isEmpty else {
            return problem(
                "BrowserAuthError", "hash_empty_error",
                "The window came back to \(address) and nothing follows the #: a script of that page removed it."
            )
        }
        let parameters = RedirectAnswer(formDecodes: formDecodesAnswers).parameters(of: callback)
        let names = Set(parameters.filter { !$0.value.isEmpty }.map(\.name))
        guard !names.isDisjoint(with: ["code", "error", "error_description", "state"]) else {
            return problem(
                "BrowserAuthError", "hash_does_not_contain_known_properties",
                "What follows the # of \(address) is not an answer of the authority.")
        }
        return names.contains("state") || !checksState
            ? nil : problem("ClientAuthError", "state_not_found", "The answer at \(address) has no state.")
    }

    /// Local storage is the origin's, session storage that of the tab.
    func storageGroup(_ app: ClientConfiguration) -> Keychain.AccessGroup {
        Keychain.AccessGroup(
            team: app.app.platform.origin, group: app.app.client.storage == .local ? "local" : "session of \(app.tab)")
    }

    func persistsCache(_ client: ClientSettings) -> Bool { client.cacheAttached && client.storage != .memory }

    func storageQuota(_ app: ClientConfiguration) -> Int? {
        guard app.app.client.storage != .memory, app.tenant.browser.storageQuota > 0 else { return nil }
        return app.tenant.browser.storageQuota
    }

    /// PublicClientApplication.acquireTokenSilentAsync.
    func sharesEqualCalls(_ client: ClientSettings) -> Bool { client.singleFlight }
    func mayTryFrame(after error: ClientError) -> Bool { error.kind == .interactionRequired }
    /// What its documents say such a page does (lib/msal-browser/docs/logout.md: front-channel logout). The session storage
    /// of another tab it never sees.
    func signsOutElsewhere(_ client: ClientSettings) -> Bool { client.storage == .local }

    func place(of error: ClientError) -> ForeignPlace? {
        func place(_ domain: String, _ code: ClientError.Code) -> ForeignPlace {
            ForeignPlace(domain: domain, code: code)
        }
        if let oauth = error.oauthError {
            if oauth == "invalid_instance" { return place("ClientConfigurationError", "untrusted_authority") }
            let asks = ["interaction_required", "consent_required", "login_required"].contains(oauth)
            return place(asks ? "InteractionRequiredAuthError" : "ServerError", .text(oauth))
        }
        switch error.kind {
        case .interactionRequired: return place("InteractionRequiredAuthError", "no_tokens_found")
        case .userCanceled: return place("BrowserAuthError", "user_cancelled")
        case .interactionInProgress: return place("BrowserAuthError", "interaction_in_progress")
        case .noAccount: return place("BrowserAuthError", "no_account_error")
        case .network: return place("BrowserAuthError", "post_request_failed")
        case .invalidResponse:
            let text = error.description ?? ""
            if text.contains("state") { return place("ClientAuthError", "state_mismatch") }
            if text.contains("nonce") { return place("ClientAuthError", "nonce_mismatch") }
            return place("ClientAuthError", "invalid_response")
        case .configuration: return place("ClientConfigurationError", "untrusted_authority")
        case .server: return place("ServerError", "server_error")
        case .storage: return place("CacheError", "cache_quota_exceeded")
        case .declinedScopes, .throttled, .other: return place("ClientAuthError", .text(error.kind.rawValue))
        }
    }
}
