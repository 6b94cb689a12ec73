import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Verbs

extension PublicClient {
    /// `acquireToken(with:completionBlock:)`, as far as the browser.
    ///
    /// - Throws: When the lane's world ends while the call waits.
    public func acquireToken(_ parameters: InteractiveParameters, lane: Lane) async throws(WorldError)
        -> InteractiveStep
    {
        var events = EventLog()
        let correlationID = parameters.correlationID ?? random.guid()
        let verifier = CodeVerifier(&random)
        let interaction = library.interaction(parameters.interaction, configuration.app.client)
        let state = requestState(interaction, callers: parameters.state)
        let nonce = configuration.checks.nonce == .off ? nil : random.guid().description

        let context: RequestContext
        let prompt: PromptKind
        switch prepare(parameters, correlationID, &events) {
        case .failure(let error): return .finished(failed(error, events, queue: .main))
        case .success(let prepared): (context, prompt) = prepared
        }
        if interaction == .redirect, let problem = redirectProblem {
            return .finished(failed(problem, events, queue: .main))
        }
        let asked = context.requestedAuthority
        if let problem = try await resolve(asked, asked: asked, correlationID: correlationID, lane, &events) {
            return .finished(failed(problem, correlationID, events, queue: .main))
        }
        let metadata: ProviderMetadata
        switch try await self.metadata(asked, correlationID: correlationID, lane, &events) {
        case .failure(let error): return .finished(failed(error, correlationID, events, queue: .main))
        case .success(let read): metadata = read
        }
        var query = RequestFactory.authorizeQuery(
            context, clientID: configuration.clientID, responseType: configuration.app.client.responseType,
            challenge: verifier.challenge, state: state.wire, prompt: prompt, loginHint: parameters.loginHint,
            domainHint: parameters.domainHint, extraScopesToConsent: parameters.extraScopesToConsent,
            identity: configuration.identity)
        if let nonce { query.append("nonce", nonce) }
        if let mode = library.responseMode(configuration) { query.append("response_mode", mode) }
        let url = RequestFactory.browserURL(
            metadata.authorizationEndpoint, authority: instances.networkURL(asked.url), query: query)
        return open(
            url, state: state, for: .token(verifier: verifier.text, nonce: nonce), context, metadata: metadata,
            events: events, leavesPage: interaction == .redirect)
    }

    /// Takes the web session, unless another call has it.
    func open(
        _ url: WebURL, state: RequestState, for kind: RunningSession.Kind, _ context: RequestContext,
        metadata: ProviderMetadata, events: consuming EventLog, leavesPage: Bool = false
    ) -> InteractiveStep {
        if library.endedByNewCall != nil, let before = running {
            takenOver[before.session.id] = before
            running = nil
        }
        guard running == nil, awaited == nil, !isInteractingElsewhere, !isCompleting else {
            return .finished(
                failed(
                    LibraryError(.interactiveSessionAlreadyRunning, "Another interactive call is under way."),
                    context.correlationID, events, queue: .main))
        }
        let session = InteractiveSession(
            id: nextSessionID(), url: url.description, state: state.wire,
            codeVerifier: kind.verifier, redirectURI: context.redirectURI)
        share(session, kind)
        let request = BrowseRequest(
            url: url, callback: library.callbackRule(configuration, redirectURI: context.redirectURI),
            jar: configuration.jar,
            client: name, webview: configuration.webview)
        events.browserOpened(url.description, webview: configuration.webview.rawValue)
        let opened = RunningSession(
            session: session, kind: kind, context: context, metadata: metadata, events: events,
            callersState: state.callers, openedAt: now)
        if leavesPage { leavePage(for: opened) } else { running = opened }
        return .browse(request, session)
    }

    /// The events of a call up to the opening of the browser. Once these are taken, ``finish(_:_:inNewTab:lane:)`` returns
    /// only the events after them.
    public func drainEvents(of session: InteractiveSession) -> [JSONObject] {
        func take(_ open: inout RunningSession) -> [JSONObject] {
            defer { open.events = EventLog() }
            return open.events.records
        }
        if running?.session.id == session.id, var open = running {
            defer { running = open }
            return take(&open)
        }
        if left?.request.session.id == session.id, var page = left {
            defer { left = page }
            return take(&page.request)
        }
        return []
    }

    /// The second half of a call that went to the browser.
    ///
    /// An end that is `pending` leaves the session open, for `finish` to be called again. A session that is no longer
    /// open (answered before, or gone with its process) recognises nothing.
    ///
    /// - Parameter inNewTab: The answer came to another tab of the browser than the call was made in. An app that opened a
    ///   window waits for that one.
    public func finish(
        _ session: InteractiveSession, _ end: BrowseEnd, inNewTab: Bool = false, lane: Lane
    ) async throws(WorldError) -> ClientOutcome {
        if let left, left.request.session == session {
            return try await comeBack(end, inNewTab: inNewTab, lane: lane)
        }
        if inNewTab, configuration.runsInPage {
            return ClientOutcome(.pending(Pending(reason: "callbackLost", url: end.callbackURL)))
        }
        if let open = takenOver.removeValue(forKey: session.id) {
            var problem = LibraryError(
                .sessionCanceledProgrammatically, "The app began another interactive call, which ended this one.",
                kind: .interactionInProgress)
            problem.place = library.endedByNewCall
            return failed(problem, open.context.correlationID, open.events, queue: .main)
        }
        guard var open = running, open.session.id == session.id else {
            return ClientOutcome(.pending(Pending(reason: "callbackNotRecognised", url: end.callbackURL)))
        }
        if !open.isCancelled, let waiting = end.waiting ?? strayCallback(end, of: open) {
            return ClientOutcome(.pending(waiting))
        }
        if case .userClosed = end, !open.isCancelled, !library.noticesClosedBrowser(configuration) {
            return ClientOutcome(.pending(Pending(reason: "abandoned")))
        }
        running = nil
        isCompleting = has(.clearsInteractionLate)
        let callback: WebURL
        switch answer(&open, end) {
        case .failure(let error): return failed(error, open.context.correlationID, open.events, queue: .main)
        case .success(let url):
            guard let url else { return succeeded(SignOut.Returned(signedOut: true), open.events, queue: .main) }
            callback = url
        }
        switch open.kind {
        case .signOut: return finishSignOut(open, callback)
        case .token(let verifier, let nonce):
            return try await redeem(open, callback, verifier: verifier, nonce: nonce, lane)
        }
    }

    /// What a call waits for whose callback came to another address than its redirect URI: the client takes it for
    /// somebody else's. `nil` where it is an answer, or the client does not compare.
    func strayCallback(_ end: BrowseEnd, of open: RunningSession) -> Pending? {
        guard let url = end.callbackURL,
            !configuration.checks.redirectUri.admits(url, redirectURI: open.session.redirectURI)
        else { return nil }
        return Pending(reason: "callbackNotRecognised", url: url)
    }

    /// The URL that came back; `nil` when a sign-out ended by closing the browser, where that counts as done.
    private func answer(_ open: inout RunningSession, _ end: BrowseEnd) -> Result<WebURL?, LibraryError> {
        if open.isCancelled {
            var problem = LibraryError(.sessionCanceledProgrammatically, "The app cancelled the web session.")
            problem.place = library.cancelledByApp
            return .failure(problem)
        }
        switch end {
        case .callback(let url, let form):
            if let problem = library.arrivalProblem(posted: form != nil, configuration)
                ?? stateCookieProblem(url, form, &open)
            {
                return .failure(problem)
            }
            return .success(merged(url, form))
        case .nonHTTPS(let url):
            return .failure(
                LibraryError(.serverNonHttpsRedirect, "The embedded web view was sent to \(url.scheme)."))
        case .failed(let error) where configuration.webview == .wkWebView && error != .cancelled:
            return .failure(.network(error))
        // The system browser shows its own error page; all the app learns is that it was closed.
        case .blocked(let reason):
            var problem = LibraryError(.internalError, "The web session could not start: \(reason).", kind: .other)
            problem.place = library.noWindow
            return .failure(problem)
        case .userClosed, .failed, .pending, .scriptDoesNotFit:
            if case .signOut = open.kind, library.closedSignOutIsDone { return .success(nil) }
            return .failure(LibraryError(.userCancel, "The person closed the browser."))
        }
    }

    /// A form post read as a query: one reader for all response modes. No browser sends a fragment to a server.
    private func merged(_ url: WebURL, _ form: FormItems?) -> WebURL {
        var url = url
        if library.answersAtServer { url.fragment = nil }
        if let form { url.query = form.percentEncoded }
        return url
    }

    /// Whether a server app finds the state it put into a cookie. A form post from the authority is a cross-site
    /// request with an unsafe method, so only `SameSite=None` cookies come along, and those only when they are secure
    /// (RFC 6265bis, section 5.8.3). A post to another host than that of the redirect URI carries none.
    private func stateCookieProblem(_ url: WebURL, _ form: FormItems?, _ open: inout RunningSession) -> LibraryError? {
        guard library.answersAtServer, configuration.checks.state else { return nil }
        let own = WebURL(open.session.redirectURI)?.host?.lowercased()
        if let own, let host = url.host?.lowercased(), host != own {
            return LibraryError(
                .serverInvalidState, "The cookie with the state did not come back: it is \(own)'s, not \(host)'s.")
        }
        let cookie = configuration.app.client.stateCookie
        if let lifetime = cookie.lifetime, let openedAt = open.openedAt, openedAt + lifetime <= now {
            return LibraryError(
                .serverInvalidState,
                "The cookie with the state did not come back: it ended \(lifetime) after the sign-in began.")
        }
        guard configuration.tenant.browser.sameSite else { return nil }
        let isSent: Bool
        switch cookie.sameSite {
        case .none: isSent = cookie.secure
        case .lax: isSent = form == nil
        case .strict: isSent = false
        }
        guard !isSent else { return nil }
        open.events.cookieBlocked("state", reason: .sameSite)
        return LibraryError(
            .serverInvalidState, "The cookie with the state did not come back: SameSite=\(cookie.sameSite.rawValue).")
    }

    /// Checks that need no network, in the library's order, and what they lead to.
    private func prepare(
        _ parameters: InteractiveParameters, _ correlationID: GUID, _ events: inout EventLog
    ) -> Result<(RequestContext, PromptKind), ClientError> {
        func refused(_ error: LibraryError) -> Result<(RequestContext, PromptKind), ClientError> {
            .failure(ErrorConverter.convert(error, correlationID: correlationID.uppercase))
        }
        let redirect: RedirectVerifier.Verified
        switch started(&events) {
        case .failure(let error): return .failure(error)
        case .success(let verified): redirect = verified
        }
        let own: MSALAuthority
        let named: MSALAuthority?
        switch (configuration.ownAuthority(), configuration.authority(parameters.authority)) {
        case (.failure(let error), _), (_, .failure(let error)):
            return .failure(ErrorConverter.unconverted(error, kind: .configuration))
        case (.success(let mine), .success(let other)): (own, named) = (mine, other)
        }
        if let named, let problem = library.authorityProblem(named, own: own) { return .failure(problem) }
        let account: MSALAccount?
        switch resolve(parameters.account, unsaidMeansOnly: false, &events) {
        case .failure(let error): return .failure(error)
        case .success(let found): account = found
        }
        if configuration.isSingleAccount {
            let current = (try? signedInAccounts(&events, withClaims: false))?.first
            let problem =
                parameters.isSignIn
                ? SingleAccount.signInProblem(current: current)
                : SingleAccount.interactiveProblem(
                    current: current, account: account, loginHint: parameters.loginHint)
            if let problem { return .failure(problem) }
        }
        let authority = named ?? own
        let scopes = parameters.scopes ?? configuration.app.client.scopes
        let extra = extraQuery(over: parameters.extraQueryParameters)
        if let problem = ParameterChecks.problem(scopes: scopes, configuration)
            ?? ParameterChecks.problem(authority: authority, own: own) ?? library.presenterProblem(configuration)
            ?? ParameterChecks.problem(claims: parameters.claimsRequest, extraQuery: extra)
        {
            return refused(problem)
        }
        let redirectURI: String
        switch library.redirect(ofCall: redirect.uri, configuration, random: &random) {
        case .failure(let problem): return .failure(problem)
        case .success(let uri): redirectURI = uri
        }
        var prompt = parameters.prompt ?? configuration.app.client.prompt
        // Whatever goes wrong with the record, an interactive call goes on.
        if let account, prompt != .consent,
            let record = try? cache.metadata(&events), record.account(account.identifier)?.state == .signedOut
        {
            prompt = .login
        }
        let context = RequestContext(
            scopes: scopes, requestedAuthority: authority, authority: authority, redirectURI: redirectURI,
            correlationID: correlationID, account: account, claims: parameters.claimsRequest, extraQuery: extra,
            library: library, clientSecret: library.secret(of: configuration.app.client))
        return .success((context, prompt))
    }

    /// The app's extra query parameters, with a call's own over them.
    func extraQuery(over call: [(name: String, value: String)]) -> [(name: String, value: String)] {
        var items = FormItems()
        for (name, value) in configuration.app.client.extraQueryParameters.members {
            items[name] = value.stringValue ?? value.description
        }
        for item in call { items[item.name] = item.value }
        return items.items
    }

    /// Reads the redirect, redeems the code and stores what comes.
    func redeem(
        _ open: RunningSession, _ callback: WebURL, verifier: String, nonce: String?, _ lane: Lane
    ) async throws(WorldError) -> ClientOutcome {
        var events = open.events
        let context = open.context
        func refused(_ error: LibraryError, _ events: EventLog) -> ClientOutcome {
            failed(error, context.correlationID, events, queue: .main)
        }
        if let problem = library.emptyAnswer(callback, checksState: configuration.checks.state) {
            return refused(problem, events)
        }
        let sent = sharedRequest ?? RequestSlot(state: open.session.state, verifier: verifier, nonce: nonce)
        let reader = RedirectAnswer(formDecodes: library.formDecodesAnswers)
        let isPlainError =
            library.readsErrorBeforeState && reader.parameters(of: callback).contains { $0.name == "error" }
        let parameters: RedirectAnswer.Parameters
        switch reader.accepted(callback, state: configuration.checks.state && !isPlainError ? sent.state : nil) {
        case .failure(var error):
            if isPlainError { error.place = error.oauthError.flatMap { library.redirectPlace(of: $0) } }
            return refused(error, events)
        case .success(let found): parameters = found
        }
        let answer: TokenAnswer
        switch try await tokenAnswer(parameters, of: open, verifier: sent.verifier, lane, &events) {
        case .failure(let error): return refused(error, events)
        case .success(let read): answer = read
        }
        if let problem = TokenCheck.problem(
            with: TokenCheck.Subject(
                answer: answer, context: context, metadata: open.metadata, configuration: configuration,
                nonce: .sent(sent.nonce), now: now))
        {
            return refused(problem, events)
        }
        if let problem = try await userInfoProblem(answer, from: open.metadata, lane, &events) {
            return refused(problem, events)
        }
        switch store(answer, context, &events) {
        case .failure(let error): return refused(error, events)
        case .success(let stored):
            signedIn(stored, context, &events)
            var result = stored.result
            result.state = open.callersState
            return succeeded(result, events, queue: .main)
        }
    }

    /// The tokens that an answer brings: those that its code is redeemed for, or, where the app asked for no code, those
    /// in the answer itself.
    private func tokenAnswer(
        _ parameters: RedirectAnswer.Parameters, of open: RunningSession, verifier: String, _ lane: Lane,
        _ events: inout EventLog
    ) async throws(WorldError) -> Result<TokenAnswer, LibraryError> {
        guard ResponseType.asksForCode(configuration.app.client.responseType) else {
            return TokenAnswer.read(RedirectAnswer.tokens(parameters), tenant: configuration.accountTenant)
        }
        let code: String
        switch RedirectAnswer.code(parameters) {
        case .failure(let error): return .failure(error)
        case .success(let found): code = found
        }
        let form = RequestFactory.tokenForm(
            open.context, clientID: configuration.clientID, grant: .code(code, verifier: verifier))
        let request = RequestFactory.tokenRequest(
            open.context, endpoint: instances.networkURL(open.metadata.tokenEndpoint), form: form,
            identity: configuration.identity, call: .interactive)
        switch try await sender.json(request, lane, &events) {
        case .failure(let error): return .failure(error)
        case .success(let json): return TokenAnswer.read(json, tenant: configuration.accountTenant)
        }
    }

    /// Asks for the user info where the app wants it: the address must be in the metadata (docs/bugs.md, B27).
    private func userInfoProblem(
        _ answer: TokenAnswer, from metadata: ProviderMetadata, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> LibraryError? {
        guard configuration.app.client.loadUserInfo else { return nil }
        guard let url = metadata.userInfoEndpoint else {
            return LibraryError(
                .serverInvalidResponse, "The metadata does not contain userinfo_endpoint.", kind: .invalidResponse)
        }
        var headers = Headers()
        headers.append("Authorization", "Bearer \(answer.accessToken ?? answer.idToken ?? "")")
        if case .failure(let error) = try await sender.json(.get(url, headers: headers), lane, &events) { return error }
        return nil
    }

    /// Remembers the account as signed in, which authority its tokens live under, and when that was.
    private func signedIn(_ stored: StoredAnswer, _ context: RequestContext, _ events: inout EventLog) {
        let home = stored.homeAccountID
        let cached = stored.authority.text
        _ = cache.changeMetadata(&events) { record in
            record.change(home) { entry in
                entry.state = .signedIn
                entry.map(context.requestedAuthority.text, to: cached)
            }
        }
        cache.setLastRefresh(now)
    }

    // MARK: Answers of both grants

    /// What a token answer left behind.
    struct StoredAnswer: Sendable {
        var homeAccountID: String
        var authority: MSALAuthority
        var result: TokenResult
    }

    /// Stores an answer's tokens, compares the scopes and makes the result. The tokens stay in the cache also when the
    /// scopes or the missing ID token end the call.
    func store(
        _ answer: TokenAnswer, _ context: RequestContext, _ events: inout EventLog
    ) -> Result<StoredAnswer, LibraryError> {
        // A page that comes back from a redirect has read nothing yet.
        unlockCache(&events)
        let authority = processor.resultAuthority(context.authority, answer)
        let tokens = processor.tokens(
            answer, authority: authority, environment: cacheEnvironment(context.authority), requested: context.scopes,
            now: now)
        let before = library.storageQuota(configuration) == nil ? nil : try? cache.items(&events)
        // A keychain that refuses is in the events; the call goes on.
        _ = cache.save(tokens, &events)
        if let before, let problem = quotaProblem(before, &events) { return .failure(problem) }
        var result: TokenResult?
        if let idToken = tokens.idToken, answer.claims != nil {
            result = processor.result(
                TokenProcessor.ResultParts(
                    accessToken: tokens.accessToken, idToken: idToken.secret, account: tokens.account,
                    authority: authority, correlationID: context.correlationID, fromCache: false))
        }
        if var declined = processor.declinedScopes(answer, requested: context.scopes) {
            declined.partialResult = result
            return .failure(declined)
        }
        guard let result else {
            return .failure(LibraryError(.serverInvalidResponse, "The token answer has no ID token."))
        }
        return .success(
            StoredAnswer(homeAccountID: tokens.account.homeAccountID, authority: authority, result: result))
    }

    /// The app's completion handler has returned; only then does the quirk `clearsInteractionLate` let go.
    public func completionReturned() { isCompleting = false }

    // MARK: While the browser is open

    /// `cancelCurrentWebAuthSession`: the open call will end as if the person had closed the browser.
    ///
    /// - Returns: `{cancelled}`, and the session for which `finish` will now give that error.
    public func cancelInteraction() -> (outcome: ClientOutcome, session: InteractiveSession?) {
        running?.isCancelled = true
        let outcome = ClientOutcome(.success(CancelInteraction.Returned(cancelled: running != nil)))
        return (outcome, running?.session)
    }

    /// Whether the app has cancelled the session's call, or begun another one that ended it.
    public func isCancelled(_ session: InteractiveSession) -> Bool {
        takenOver[session.id] != nil || (running?.session.id == session.id && running?.isCancelled == true)
    }

    /// Whether the session's call still waits for its browser.
    public func isOpen(_ session: InteractiveSession) -> Bool { running?.session.id == session.id }

    /// Ends an open call without an answer and without a result. Tokens and accounts stay as they are.
    ///
    /// - Returns: Whether the call was open.
    public func giveUp(_ session: InteractiveSession) -> Bool {
        var wasOpen = takenOver.removeValue(forKey: session.id) != nil
        if running?.session == session {
            running = nil
            wasOpen = true
        }
        if left?.request.session == session {
            left = nil
            wasOpen = true
        }
        return wasOpen
    }

    /// `handleMSALResponse(_:sourceApplication:)`: the system hands the app a URL. iOS has this call, macOS does not.
    ///
    /// - Returns: `{handled}`, and the session that takes the URL: hand both to `finish`.
    public func deliver(_ url: WebURL) -> (outcome: ClientOutcome, session: InteractiveSession?) {
        if configuration.runsInPage, running == nil { return arrive(at: url) }
        guard let open = running, !configuration.isMacOS, configuration.webview != .wkWebView,
            let redirect = WebURL(open.session.redirectURI), url.scheme == redirect.scheme,
            (url.host ?? "") == (redirect.host ?? "")
        else { return (ClientOutcome(.success(Deliver.Returned(handled: false))), nil) }
        return (ClientOutcome(.success(Deliver.Returned(handled: true))), open.session)
    }

    /// A browser app's page is loaded at an address by hand: an answer that a request waits for is taken when the visit goes
    /// on, any other stays in the address.
    private func arrive(at url: WebURL) -> (outcome: ClientOutcome, session: InteractiveSession?) {
        let isOwnPage = CallbackRule.exact(configuration.redirectURI).takes(url)
        if isOwnPage, let awaited {
            return (ClientOutcome(.success(Deliver.Returned(handled: true))), awaited.session)
        }
        if isOwnPage {
            restart()
            address = url
        }
        return (ClientOutcome(.success(Deliver.Returned(handled: false))), nil)
    }

    /// Whether the app passes URLs on that it is opened with; one that does not leaves a Safari session unanswered.
    public var forwardsOpenedURLs: Bool { configuration.app.platform.forwardsOpenUrl }
}

extension BrowseEnd {
    /// The URL handed to the app, if this is one.
    var callbackURL: WebURL? {
        if case .callback(let url, _) = self { url } else { nil }
    }

    /// What the browser still waits for; nothing once it has come to an end.
    var waiting: Pending? {
        switch self {
        case .pending(let pending): pending
        case .scriptDoesNotFit: Pending(reason: "page")
        default: nil
        }
    }
}
