import B2CProtocol

/// What belongs to one request and is compared with its answer.
struct RequestSlot: Sendable, Hashable {
    var state: String
    var verifier: String
    var nonce: String?
}

/// What an origin's local storage and cookies hold while requests are under way.
struct TemporaryItems: Sendable {
    /// The request for which a tab has left its page.
    var left: PublicClient.LeftPage?
    /// The request for which a tab has opened a window, and that tab.
    var popup: (request: RunningSession, tab: String)?
    /// Of libraries that keep what belongs to a request under one name: that of the newest request, by client id.
    var slots: [String: RequestSlot] = [:]
    /// The session cookie `msal.cache.encryption`: the key of the caches in local storage.
    var cacheKey: Int?
    /// The number of the newest key.
    var newestKey = 0
}

/// Where a browser app keeps its request: in the session storage of its tab, or in local storage or a cookie, which all
/// tabs of the origin share (MSAL.js BrowserCacheManager.ts, `temporaryCacheLocation` and `storeAuthStateInCookie`).
extension PublicClient {
    /// Whether all tabs of the browser see the request of each.
    var sharesTemporaries: Bool {
        configuration.runsInPage && configuration.app.client.temporaryStorage != .session
    }

    private func temporaries<Result: Sendable>(
        _ body: (inout TemporaryItems) -> sending Result
    ) -> sending Result {
        deviceKeychain.withTemporaries(of: library.storageGroup(configuration).team, body)
    }

    /// The request for which the page was left.
    var left: LeftPage? {
        get { sharesTemporaries ? temporaries { $0.left } : leftInTab }
        set {
            if sharesTemporaries { temporaries { $0.left = newValue } } else { leftInTab = newValue }
        }
    }

    /// Another tab of the origin has a request under way: there is one mark for all (`msal.interaction.status`).
    var isInteractingElsewhere: Bool {
        sharesTemporaries && (left != nil || popupElsewhere != nil)
    }

    /// The request for which another tab of the origin has opened a window.
    var popupElsewhere: RunningSession? {
        guard sharesTemporaries else { return nil }
        let tab = configuration.tab
        return temporaries { $0.popup.flatMap { $0.tab == tab ? nil : $0.request } }
    }

    /// Shows the other tabs that this one has a window open.
    func notePopup() {
        guard sharesTemporaries else { return }
        let tab = configuration.tab
        guard let request = running else {
            temporaries { items in
                let isOwn = items.popup?.tab == tab
                if isOwn { items.popup = nil }
            }
            return
        }
        temporaries { $0.popup = (request, tab) }
    }

    // MARK: The key of the cache

    /// Takes the key that local storage is encrypted with from its session cookie, or makes one: then what an earlier
    /// key encrypted cannot be read (MSAL.js 4, LocalStorage.ts, `initialize`;
    /// AzureAD/microsoft-authentication-library-for-js#7560).
    func unlockCache(_ events: inout EventLog) {
        let client = configuration.app.client
        guard configuration.runsInPage, client.storage == .local, client.storageEncrypted,
            cacheKey == nil
        else { return }
        let keepsCookies = configuration.tenant.browser.cookies
        let key = temporaries { items in
            if let key = items.cacheKey { return key }
            items.newestKey += 1
            if keepsCookies { items.cacheKey = items.newestKey }
            return items.newestKey
        }
        cacheKey = key
        cache.encrypt(with: key, &events)
    }

    /// The cookie with the key is gone. A page that is loaded goes on with the key that it has read.
    func forgetCacheKey() { temporaries { $0.cacheKey = nil } }

    // MARK: One place for all requests

    /// Puts what belongs to a request where the next request puts its own.
    func share(_ session: InteractiveSession, _ kind: RunningSession.Kind) {
        guard configuration.app.client.requestState == .shared, case .token(let verifier, let nonce) = kind else {
            return
        }
        let slot = RequestSlot(state: session.state, verifier: verifier, nonce: nonce)
        let name = slotName
        temporaries { $0.slots[name] = slot }
    }

    /// What the library compares an answer with when it keeps one place for all requests: what the newest one left there.
    var sharedRequest: RequestSlot? {
        guard configuration.app.client.requestState == .shared else { return nil }
        let name = slotName
        return temporaries { $0.slots[name] }
    }

    /// Older libraries have one storage for tokens and requests; where either is shared, so is the place.
    private var slotName: String {
        let isShared =
            sharesTemporaries || configuration.app.client.storage == .local || !configuration.runsInPage
        return isShared ? configuration.clientID : "\(configuration.clientID) in \(configuration.tab)"
    }

    /// Empties the place of this app's requests.
    func forgetSharedRequest() {
        let name = slotName
        temporaries { $0.slots[name] = nil }
    }
}
