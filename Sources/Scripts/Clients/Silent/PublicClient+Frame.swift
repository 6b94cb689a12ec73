import B2CProtocol
import Determinism
import HTTPMessages
import Verbs

/// Hidden frames of MSAL.js (SilentIframeClient): what a silent call falls back to when cache and refresh token do not do.
extension PublicClient {
    /// Whether a call that failed so goes on in a hidden frame.
    public func mayTryFrame(_ error: ClientError, _ parameters: SilentParameters) -> Bool {
        parameters.source == nil && library.mayTryFrame(after: error)
    }

    /// Opens a hidden frame with `prompt=none`.
    ///
    /// - Throws: When the lane's world ends while the call waits.
    public func acquireTokenInFrame(_ parameters: SilentParameters, lane: Lane) async throws(WorldError)
        -> InteractiveStep
    {
        var events = EventLog()
        let correlationID = parameters.correlationID ?? random.guid()
        let verifier = CodeVerifier(&random)
        let state = requestState("silent", callers: nil)
        let nonce = configuration.checks.nonce == .off ? nil : random.guid().description
        let redirect: RedirectVerifier.Verified
        switch started(&events) {
        case .failure(let error): return .finished(failed(error, events, queue: .background))
        case .success(let verified): redirect = verified
        }
        let authority: MSALAuthority
        switch (configuration.ownAuthority(), configuration.authority(parameters.authority)) {
        case (.failure(let error), _), (_, .failure(let error)):
            return .finished(
                failed(ErrorConverter.unconverted(error, kind: .configuration), events, queue: .background))
        case (.success(let own), .success(let named)): authority = named ?? own
        }
        var account: MSALAccount?
        if case .success(let found) = resolve(parameters.account, unsaidMeansOnly: true, &events) { account = found }
        let context = RequestContext(
            scopes: parameters.scopes ?? configuration.app.client.scopes, requestedAuthority: authority,
            authority: authority, redirectURI: redirect.uri, correlationID: correlationID, account: account,
            claims: parameters.claimsRequest, extraQuery: extraQuery(over: []), library: library)
        if let problem = try await resolve(authority, asked: authority, correlationID: correlationID, lane, &events) {
            return .finished(failed(problem, correlationID, events, queue: .background))
        }
        let metadata: ProviderMetadata
        switch try await self.metadata(authority, correlationID: correlationID, lane, &events) {
        case .failure(let error): return .finished(failed(error, correlationID, events, queue: .background))
        case .success(let read): metadata = read
        }
        var query = RequestFactory.authorizeQuery(
            context, clientID: configuration.clientID, responseType: configuration.app.client.responseType,
            challenge: verifier.challenge, state: state.wire, prompt: .promptIfNecessary,
            loginHint: parameters.loginHint, domainHint: nil, extraScopesToConsent: [],
            identity: configuration.identity)
        query.append("prompt", "none")
        if let nonce { query.append("nonce", nonce) }
        if let mode = configuration.app.client.responseMode { query.append("response_mode", mode) }
        let url = RequestFactory.browserURL(
            metadata.authorizationEndpoint, authority: instances.networkURL(authority.url), query: query)
        let session = InteractiveSession(
            id: nextSessionID(), url: url.description, state: state.wire,
            codeVerifier: verifier.text, redirectURI: context.redirectURI)
        let kind = RunningSession.Kind.token(verifier: verifier.text, nonce: nonce)
        share(session, kind)
        frames[session.id] = RunningSession(
            session: session, kind: kind, context: context, metadata: metadata, events: events)
        return .browse(
            BrowseRequest(
                url: url, callback: .exact(context.redirectURI), frame: true,
                topLevelSite: WebURL(configuration.app.platform.origin), client: name), session)
    }

    /// The second half of a call that went to a hidden frame.
    ///
    /// - Parameter first: Why cache and refresh token did not do; stays visible under the error of the frame.
    public func finishFrame(
        _ session: InteractiveSession, _ end: BrowseEnd, after first: ClientError?, lane: Lane
    ) async throws(WorldError) -> ClientOutcome {
        guard let open = frames.removeValue(forKey: session.id) else {
            return ClientOutcome(.pending(Pending(reason: "callbackNotRecognised")))
        }
        guard case .callback(let url, _) = end, strayCallback(end, of: open) == nil else {
            // Nothing ever comes out of the frame; the library waits until its time is up.
            try await lane.pause(configuration.app.client.iframeTimeout)
            var error = ClientError(
                .other, domain: "BrowserAuthError", code: "monitor_window_timeout", name: "monitor_window_timeout",
                description: "The hidden frame did not come back to the redirect URI in time.")
            error.correlationId = open.context.correlationText
            error.underlying = first
            var events = open.events
            events.completion(queue: Queue.background.rawValue)
            return ClientOutcome(.failure(error), events: events.records)
        }
        guard case .token(let verifier, let nonce) = open.kind else {
            return ClientOutcome(.pending(Pending(reason: "callbackNotRecognised")))
        }
        var outcome = try await redeem(open, url, verifier: verifier, nonce: nonce, lane)
        if case .failure(var error) = outcome.ending {
            if error.underlying == nil { error.underlying = first }
            outcome.ending = .failure(error)
        }
        return outcome
    }
}
