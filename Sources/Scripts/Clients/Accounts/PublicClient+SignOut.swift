import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Verbs

extension PublicClient {
    /// `signout(with:signoutParameters:completionBlock:)`, as far as the browser.
    ///
    /// Local data goes first; whatever happens in the browser afterwards, the account is signed out. Only unusable web
    /// parameters end the call earlier.
    ///
    /// - Throws: When the lane's world ends while the call waits.
    public func signOut(_ parameters: SignOutParameters, lane: Lane) async throws(WorldError) -> InteractiveStep {
        var events = EventLog()
        let correlationID = parameters.correlationID ?? random.guid()
        let state = requestState(.popup, callers: nil)
        let request: SignOutRequest
        switch prepare(parameters, correlationID, &events) {
        case .failure(let error): return .finished(failed(error, events, queue: .main))
        case .success(let prepared): request = prepared
        }
        do throws(LibraryError) {
            try forget(request.account, parameters, &events)
        } catch {
            return .finished(failed(error, correlationID, events, queue: .main))
        }
        guard parameters.fromBrowser else {
            return .finished(succeeded(SignOut.Returned(signedOut: true), events, queue: .main))
        }
        return try await endSession(request, state: state, lane, events)
    }

    /// One sign-out with everything found that it needs.
    private struct SignOutRequest: Sendable {
        var account: MSALAccount
        var context: RequestContext
    }

    /// Checks that need no network, in the library's order, and what they lead to.
    private func prepare(
        _ parameters: SignOutParameters, _ correlationID: GUID, _ events: inout EventLog
    ) -> Result<SignOutRequest, ClientError> {
        func refused(_ error: LibraryError) -> Result<SignOutRequest, ClientError> {
            .failure(ErrorConverter.convert(error, correlationID: correlationID.uppercase))
        }
        let redirect: RedirectVerifier.Verified
        switch started(&events) {
        case .failure(let error): return .failure(error)
        case .success(let verified): redirect = verified
        }
        if let problem = library.signOutProblem(fromBrowser: parameters.fromBrowser) { return .failure(problem) }
        let account: MSALAccount
        switch resolve(parameters.account, unsaidMeansOnly: true, &events) {
        case .failure(let error): return .failure(error)
        case .success(nil) where configuration.isSingleAccount: return .failure(SingleAccount.none)
        case .success(nil): return refused(LibraryError(.invalidDeveloperParameter, "There is no account to sign out."))
        case .success(let found?): account = found
        }
        if let problem = webParametersProblem(fromBrowser: parameters.fromBrowser) { return refused(problem) }
        switch configuration.ownAuthority() {
        case .failure(let error): return .failure(ErrorConverter.unconverted(error, kind: .configuration))
        case .success(let authority):
            let context = RequestContext(
                scopes: [], requestedAuthority: authority, authority: authority, redirectURI: redirect.uri,
                correlationID: correlationID, account: account, claims: nil,
                extraQuery: extraQuery(over: parameters.extraQueryParameters), library: library)
            return .success(SignOutRequest(account: account, context: context))
        }
    }

    /// What the device knows of the account goes.
    private func forget(
        _ account: MSALAccount, _ parameters: SignOutParameters, _ events: inout EventLog
    ) throws(LibraryError) {
        try removeLocally(
            account, ofAllClients: parameters.wipeAccount,
            wipesAccount: parameters.wipeAccount || library.forgetsRemovedAccounts, &events)
        guard parameters.wipeCache else { return }
        try cache.wipe(&events)
        // The account metadata outlives the wipe: the account object the app still holds is signed out.
        markSignedOut(account.identifier.lowercased(), &events)
    }

    /// Opens the end-session page.
    private func endSession(
        _ request: SignOutRequest, state: RequestState, _ lane: Lane, _ before: EventLog
    ) async throws(WorldError) -> InteractiveStep {
        var events = before
        let context = request.context
        let (authority, correlationID) = (context.authority, context.correlationID)
        if let problem = try await resolve(authority, asked: authority, correlationID: correlationID, lane, &events) {
            return .finished(failed(problem, correlationID, events, queue: .main))
        }
        let metadata: ProviderMetadata
        switch try await self.metadata(authority, correlationID: correlationID, lane, &events) {
        case .failure(let error): return .finished(failed(error, correlationID, events, queue: .main))
        case .success(let read): metadata = read
        }
        guard let endpoint = metadata.endSessionEndpoint else {
            let problem = LibraryError(.internalError, "The metadata has no end_session_endpoint.")
            return .finished(failed(problem, correlationID, events, queue: .main))
        }
        let query = RequestFactory.endSessionQuery(context, state: state.wire, identity: configuration.identity)
        let url = RequestFactory.browserURL(
            endpoint, authority: instances.networkURL(authority.url), query: query)
        return open(url, state: state, for: .signOut, context, metadata: metadata, events: events)
    }

    /// The sign-out page has sent the browser back.
    func finishSignOut(_ open: RunningSession, _ callback: WebURL) -> ClientOutcome {
        let sent = configuration.checks.state ? open.session.state : nil
        if let problem = RedirectAnswer(formDecodes: library.formDecodesAnswers).signOutProblem(
            in: callback, state: sent)
        {
            return failed(problem, open.context.correlationID, open.events, queue: .main)
        }
        return succeeded(SignOut.Returned(signedOut: true), open.events, queue: .main)
    }

    /// The app's page for front-channel sign-out is loaded in a hidden frame because somebody signed out of another app.
    /// Libraries whose documents have such a page then sign their account out.
    ///
    /// - Parameter seesStorage: Whether the frame gets at the storage and cookies that the app's own pages use.
    /// - Returns: `{handled}`: whether the page could do it.
    public func signedOutElsewhere(seesStorage: Bool) -> ClientOutcome {
        let canClear = library.signsOutElsewhere(configuration.app.client)
        var events = EventLog()
        guard canClear, seesStorage else { return ClientOutcome(.success(Deliver.Returned(handled: false))) }
        for account in (try? signedInAccounts(&events, withClaims: false)) ?? [] {
            try? removeLocally(account, ofAllClients: false, wipesAccount: false, &events)
        }
        return ClientOutcome(.success(Deliver.Returned(handled: true)), events: events.records)
    }

    /// What is wrong with the web parameters of a sign-out: none are needed unless the browser is wanted, but those
    /// that are there must do.
    private func webParametersProblem(fromBrowser: Bool) -> LibraryError? {
        configuration.app.platform.presenter == .none && !fromBrowser ? nil : library.presenterProblem(configuration)
    }
}
