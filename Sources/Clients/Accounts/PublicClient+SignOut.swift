import B2CProtocol
import Determinism
import HTTPMessages
import JSON

extension PublicClient {
    /// `signout(with:signoutParameters:completionBlock:)`, as far as the browser.
    ///
    /// Local data goes first; whatever happens in the browser afterwards, the account is signed out. Only web
    /// parameters that are there and of no use end the call before.
    ///
    /// - Throws: When the lane's world ends while the call waits.
    public func signOut(_ parameters: SignOutParameters, lane: Lane) async throws(WorldError) -> InteractiveStep {
        var events = EventLog()
        let correlationID = parameters.correlationID ?? random.guid()
        let state = RequestState(configuration.kind, id: random.guid().uppercase, interaction: "popup", callers: nil)
        func refused(_ error: LibraryError, _ events: EventLog) -> InteractiveStep {
            .finished(failed(error, correlationID, events, queue: .main))
        }
        let redirect: RedirectVerifier.Verified
        switch started(&events) {
        case .failure(let error): return .finished(failed(error, events, queue: .main))
        case .success(let verified): redirect = verified
        }
        let account: MSALAccount
        switch resolve(parameters.account, unsaidMeansOnly: true, &events) {
        case .failure(let error): return .finished(failed(error, events, queue: .main))
        case .success(nil) where configuration.isSingleAccount:
            return .finished(failed(SingleAccount.none, events, queue: .main))
        case .success(nil):
            return refused(LibraryError(.invalidDeveloperParameter, "There is no account to sign out."), events)
        case .success(let found?): account = found
        }
        if let problem = webParametersProblem(fromBrowser: parameters.fromBrowser) { return refused(problem, events) }
        let authority: MSALAuthority
        switch configuration.ownAuthority() {
        case .failure(let error):
            return .finished(failed(ErrorConverter.unconverted(error, kind: .configuration), events, queue: .main))
        case .success(let own): authority = own
        }
        do throws(LibraryError) {
            try removeLocally(
                account, ofAllClients: parameters.wipeAccount, wipesAccount: parameters.wipeAccount, &events)
            if parameters.wipeCache {
                try cache.wipe(&events)
                // The account metadata outlives the wipe: the account object the app still holds is signed out.
                markSignedOut(account.identifier.lowercased(), &events)
            }
        } catch {
            return refused(error, events)
        }
        guard parameters.fromBrowser else {
            return .finished(succeeded(.object(["signedOut": true]), events, queue: .main))
        }
        if let problem = try await resolve(authority, asked: authority, correlationID: correlationID, lane, &events) {
            return refused(problem, events)
        }
        let metadata: ProviderMetadata
        switch try await self.metadata(authority, correlationID: correlationID, lane, &events) {
        case .failure(let error): return refused(error, events)
        case .success(let read): metadata = read
        }
        guard let endpoint = metadata.endSessionEndpoint else {
            return refused(LibraryError(.internalError, "The metadata has no end_session_endpoint."), events)
        }
        let context = RequestContext(
            scopes: [], requestedAuthority: authority, authority: authority, redirectURI: redirect.uri,
            correlationID: correlationID, account: account, claims: nil,
            extraQuery: extraQuery(over: parameters.extraQueryParameters))
        let query = RequestFactory.endSessionQuery(context, state: state.wire, identity: configuration.identity)
        let url = RequestFactory.browserURL(
            endpoint, authority: instances.networkURL(authority.url), query: query)
        return open(url, state: state, .signOut, context, metadata, correlationID, events)
    }

    /// The sign-out page has sent the browser back.
    func finishSignOut(_ open: RunningSession, _ callback: WebURL) -> ClientOutcome {
        let sent = configuration.checks.state ? open.session.state : nil
        if let problem = RedirectAnswer(configuration.kind).signOutProblem(in: callback, state: sent) {
            return failed(problem, open.context.correlationID, open.events, queue: .main)
        }
        return succeeded(.object(["signedOut": true]), open.events, queue: .main)
    }

    /// The app's page for front-channel sign-out is loaded in a hidden frame because somebody signed out of another app.
    /// It does what MSAL.js's and ASP.NET's documents say such a page does: whoever is signed in there is signed out.
    ///
    /// - Parameter seesStorage: Whether the frame gets at the storage and cookies that the app's own pages use. The session
    ///   storage of another tab it never sees (MSAL.js docs, logout.md: front-channel logout).
    /// - Returns: `{handled}`: whether the page could do it.
    public func signedOutElsewhere(seesStorage: Bool) -> ClientOutcome {
        let canClear = configuration.kind == .web || (isBrowserApp && configuration.app.client.storage == .local)
        var events = EventLog()
        guard canClear, seesStorage else { return ClientOutcome(.success(.object(["handled": false]))) }
        for account in (try? signedInAccounts(&events, withClaims: false)) ?? [] {
            try? removeLocally(account, ofAllClients: false, wipesAccount: false, &events)
        }
        return ClientOutcome(.success(.object(["handled": true])), events: events.records)
    }

    private var isBrowserApp: Bool { configuration.kind == .msalBrowser }

    /// What is wrong with the web parameters of a sign-out: none are needed unless the browser is wanted, but those
    /// that are there must do.
    private func webParametersProblem(fromBrowser: Bool) -> LibraryError? {
        configuration.app.platform.presenter == .none && !fromBrowser ? nil : configuration.presenterProblem
    }
}
