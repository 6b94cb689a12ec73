import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Verbs

/// Leaving the page and coming back (MSAL.js RedirectClient.ts, BrowserCacheManager.ts): the page of a browser app is gone
/// while the person signs in. What belongs to the request waits in the browser's storage, and the answer is read out of
/// the page's own address when the page is loaded again.
extension PublicClient {
    /// What waits in the storage for the page to come back.
    struct LeftPage: Sendable {
        var request: RunningSession
        /// The tab in whose session storage it waits.
        var tab: String
        var clientID: String
    }

    /// The request that this tab finds in its storage: in local storage and in cookies also one of another tab, if it is of
    /// the same app.
    var awaited: RunningSession? {
        guard let left, sharesTemporaries ? left.clientID == configuration.clientID : left.tab == configuration.tab
        else { return nil }
        return left.request
    }

    /// Why the app cannot leave its page; `nil` when it can.
    var redirectProblem: ClientError? {
        guard configuration.app.client.storage == .memory else { return nil }
        return ClientError(
            .configuration, domain: "BrowserConfigurationAuthError", code: "in_mem_redirect_unavailable",
            name: "in_mem_redirect_unavailable",
            description: "A cache in memory does not outlive the page, which a redirect leaves.")
    }

    /// The page is left: all that was in memory is gone.
    func leavePage(for request: RunningSession) {
        left = LeftPage(request: request, tab: configuration.tab, clientID: configuration.clientID)
        restart()
    }

    /// The second half of a call that left the page.
    ///
    /// - Parameter inNewTab: The answer came to another tab than the page was left in.
    func comeBack(
        _ end: BrowseEnd, inNewTab: Bool, lane: Lane
    ) async throws(WorldError) -> ClientOutcome {
        if let request = left?.request, let stray = strayCallback(end, of: request) {
            return ClientOutcome(.pending(stray))
        }
        switch end {
        case .callback(let url, let form):
            // The fields of a form post reach a server, no script.
            let outcome = try await load(at: form == nil ? url : url.withoutAnswer, inNewTab: inNewTab, lane: lane)
            guard outcome.returned(NoResult.self) != nil else { return outcome }
            let reason =
                configuration.app.client.handlesRedirect ? "callbackNotRecognised" : "callbackNotForwarded"
            return ClientOutcome(.pending(Pending(reason: reason, url: url)), events: outcome.events)
        case .userClosed:
            tabClosed()
            return ClientOutcome(.pending(Pending(reason: "abandoned")))
        case .pending(let pending): return ClientOutcome(.pending(pending))
        case .failed, .nonHTTPS, .blocked, .scriptDoesNotFit:
            return ClientOutcome(.pending(Pending(reason: "noAnswer")))
        }
    }

    /// The app's page is loaded: memory is empty, and an app that does as the library's documents say calls
    /// `handleRedirectPromise` first of all.
    ///
    /// - Parameters:
    ///   - url: Where; `nil` for the address it has (a reload).
    ///   - inNewTab: In a tab with a session storage of its own.
    /// - Returns: What `handleRedirectPromise` gave: a token result, an error, or `{}` when there was nothing to read.
    public func load(
        at url: WebURL?, inNewTab: Bool = false, lane: Lane
    ) async throws(WorldError) -> ClientOutcome {
        restart()
        if inNewTab { openTab() }
        if let url { address = url }
        guard configuration.runsInPage, configuration.app.client.handlesRedirect else {
            return ClientOutcome(.success(NoResult()))
        }
        return try await handleRedirect(lane)
    }

    private func handleRedirect(_ lane: Lane) async throws(WorldError) -> ClientOutcome {
        var events = EventLog()
        if case .failure(let error) = started(&events) { return failed(error, events, queue: .main) }
        let nothing = ClientOutcome(.success(NoResult()), events: events.records)
        // Without a request under way the library does not read the address, and an answer in it stays there.
        guard var request = awaited else { return nothing }
        left = nil
        guard let answer = address, answer.holdsAnswer else { return nothing }
        address = answer.withoutAnswer
        // What the library did as it started comes after what it did before the page was left.
        request.events.append(events)
        guard case .token(let verifier, let nonce) = request.kind else {
            return succeeded(SignOut.Returned(signedOut: true), request.events, queue: .main)
        }
        if RedirectAnswer(formDecodes: library.formDecodesAnswers).parameters(of: answer).allSatisfy({
            $0.name != "state" || $0.value.isEmpty
        }) {
            return failed(MSALForBrowsers.noState, request.events, queue: .main)
        }
        isCompleting = has(.clearsInteractionLate)
        return try await redeem(request, answer, verifier: verifier, nonce: nonce, lane)
    }

    /// MSAL.js 1 read whatever answer it found when it was created (quirk `readsEveryHash`; docs/bugs.md, B53).
    var findsStrayAnswer: Bool { has(.readsEveryHash) && awaited == nil && address?.holdsAnswer == true }

    // MARK: Tabs and storage

    /// A tab with an empty session storage.
    private func openTab() {
        tabNumber += 1
        configuration.tab = tabName
        startUp = nil
        cacheKey = nil
    }

    /// The tab is closed, and its session storage with it.
    private func tabClosed() {
        if configuration.app.client.temporaryStorage == .session { left = nil }
        if configuration.app.client.storage == .session { wipeCache() }
        address = nil
        restart()
    }

    /// All storage of the origin is emptied.
    public func wipeStorage() {
        guard configuration.runsInPage else { return }
        wipeCache()
        forgetSharedRequest()
        if configuration.app.client.temporaryStorage != .cookie { left = nil }
    }

    /// The browser's cookies are gone.
    public func cookiesWiped() {
        forgetCacheKey()
        if configuration.app.client.temporaryStorage == .cookie { left = nil }
    }

    /// A browser refuses what does not fit into an origin's storage, and MSAL.js ends the call (CacheErrorCodes.ts;
    /// AzureAD/microsoft-authentication-library-for-js#5782). What was stored before stays.
    func quotaProblem(_ before: KeychainItems, _ events: inout EventLog) -> LibraryError? {
        guard let quota = library.storageQuota(configuration), let items = try? cache.items(&events) else { return nil }
        let text = JSONWriter.compact(.object(UnifiedCache(configuration: configuration).unified(items)))
        guard text.utf8.count > quota else { return nil }
        try? cache.restore(before, &events)
        return LibraryError(
            .internalError, "The storage of the origin is full: \(text.utf8.count) characters of \(quota).",
            kind: .storage)
    }

    /// What `inspect` of the storage shows: `local` and `session`, name to value, under the library's names, and `url`,
    /// the page's address. What the library stores as JSON text is JSON in the result.
    ///
    /// - Returns: `nil` for an app that does not use MSAL.js.
    package func storageContents() -> Inspect.StorageContents? {
        guard configuration.runsInPage else { return nil }
        let client = configuration.app.client
        var local = JSONObject()
        var session = JSONObject()
        var events = EventLog()
        unlockCache(&events)
        if client.storage != .memory, let items = try? cache.items(&events) {
            let unified = UnifiedCache(configuration: configuration).unified(items)
            for (section, entries) in unified.members where section != UnifiedCache.accountMetadataKey {
                for (key, value) in entries.objectValue?.members ?? [] {
                    if client.storage == .local { local[key] = value } else { session[key] = value }
                }
            }
        }
        for (key, value) in temporary.members {
            if client.temporaryStorage == .local { local[key] = value }
            if client.temporaryStorage == .session { session[key] = value }
        }
        return Inspect.StorageContents(
            local: local, session: session, url: (address ?? WebURL(configuration.redirectURI))?.description ?? "")
    }

    /// What the library keeps while an interactive call is under way (TemporaryCacheKeys of MSAL.js).
    private var temporary: JSONObject {
        guard let open = running ?? awaited ?? popupElsewhere else { return JSONObject() }
        let prefix = "msal.\(configuration.clientID)."
        let state = open.session.state
        var items: JSONObject = ["msal.interaction.status": .string(configuration.clientID)]
        items[prefix + "request.state." + state] = .string(state)
        items[prefix + "authority." + state] = .string(open.context.requestedAuthority.text)
        if case .token(let verifier, let nonce) = open.kind {
            if let nonce { items[prefix + "nonce.id_token." + state] = .string(nonce) }
            items[prefix + "request.params"] = [
                "scopes": .array(open.context.scopes.map { .string($0) }), "codeVerifier": .string(verifier),
                "redirectUri": .string(open.context.redirectURI),
                "correlationId": .string(open.context.correlationID.description),
            ]
        }
        return items
    }
}

extension WebURL {
    /// Whether the query or the fragment has an authority's answer.
    var holdsAnswer: Bool {
        RedirectAnswer(formDecodes: true).parameters(of: self).contains {
            ["code", "error", "id_token", "access_token"].contains($0.name)
        }
    }

    /// The address with an answer taken out.
    var withoutAnswer: WebURL {
        var bare = self
        bare.fragment = nil
        if query != nil,
            RedirectAnswer(formDecodes: true).parameters(of: bare).contains(where: {
                ["code", "error"].contains($0.name)
            })
        {
            bare.query = nil
        }
        return bare
    }
}
