import Determinism
import HTTPMessages
import JSON
import Verbs

extension PublicClient {
    /// `acquireTokenSilent(with:completionBlock:)` (MSIDSilentTokenRequest.m).
    ///
    /// - Throws: When the lane's world ends while the call waits.
    public func acquireTokenSilent(_ parameters: SilentParameters, lane: Lane) async throws(WorldError) -> ClientOutcome
    {
        guard library.sharesEqualCalls(configuration.app.client) else {
            return try await acquireAlone(parameters, lane: lane)
        }
        // The later ones of equal calls are given what the first one gets.
        let key =
            "\(name) silent \(parameters.account) \(parameters.authority) \(parameters.scopes ?? []) \(parameters.forceRefresh)"
        if flights.contains(key) {
            while flights.contains(key) { try await lane.turnstile.wait(lane.id, for: .signal(key)) }
            if let outcome = landed[key] { return outcome }
        }
        flights.insert(key)
        let outcome = try await acquireAlone(parameters, lane: lane)
        flights.remove(key)
        landed[key] = outcome
        await lane.turnstile.signal(key)
        return outcome
    }

    private func acquireAlone(_ parameters: SilentParameters, lane: Lane) async throws(WorldError) -> ClientOutcome {
        var events = EventLog()
        let correlationID = parameters.correlationID ?? random.guid()
        let request: SilentRequest
        switch prepare(parameters, correlationID, &events) {
        case .failure(let error): return failed(error, events, queue: .caller)
        case .success(let prepared): request = prepared
        }
        let context = request.context
        if let problem = try await resolve(
            context.authority, asked: context.requestedAuthority, correlationID: correlationID, lane, &events)
        {
            return failed(problem, correlationID, events, queue: .background)
        }
        if has(.metadataBeforeCache) {
            metadataCache = [:]
            if case .failure(let error) = try await metadata(
                context.authority, correlationID: correlationID, lane, &events)
            {
                return failed(error, correlationID, events, queue: .background)
            }
        }
        switch try await tokens(request, lane, &events) {
        case .success(let result): return succeeded(result, events, queue: .background)
        case .failure(let error):
            return failed(
                has(.offlineIsInteractionRequired) && error.domain == .url ? Self.interactionRequired(error) : error,
                correlationID, events, queue: .background)
        }
    }

    /// A dead network as a library reports it that takes it for a refusal.
    private static func interactionRequired(_ error: LibraryError) -> LibraryError {
        var wrapped = LibraryError(.interactionRequired, "The person must sign in again.")
        wrapped.underlying = error
        return wrapped
    }

    /// One silent call with its authority found.
    private struct SilentRequest: Sendable {
        var context: RequestContext
        var account: MSALAccount
        /// Ends where the cache has nothing.
        var cacheOnly = false
        /// Passes the cached access token over.
        var skipsCache: Bool
    }

    // MARK: Before the network

    private func prepare(
        _ parameters: SilentParameters, _ correlationID: GUID, _ events: inout EventLog
    ) -> Result<SilentRequest, ClientError> {
        func refused(_ error: LibraryError) -> Result<SilentRequest, ClientError> {
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
        let account: MSALAccount
        let choice = resolve(parameters.account, unsaidMeansOnly: true, &events)
        if library.looksUpAccount, case .success(let found) = choice {
            let known = (try? signedInAccounts(&events, withClaims: false)) ?? []
            if let problem = library.accountProblem(found, known: known, configuration) { return .failure(problem) }
        }
        switch choice {
        case .failure(let error): return .failure(error)
        case .success(nil):
            return refused(library.noAccount)
        case .success(let found?): account = found
        }
        let asked = named ?? own
        let scopes = parameters.scopes ?? configuration.app.client.scopes
        if let problem = ParameterChecks.problem(scopes: scopes, configuration)
            ?? ParameterChecks.problem(authority: asked, own: own)
            ?? library.silentProblem(scopes: scopes, configuration)
        {
            return refused(problem)
        }
        let record: AccountMetadata?
        do throws(LibraryError) {
            record = try cache.metadata(&events)?.account(account.identifier)
        } catch {
            return refused(error)
        }
        if record?.state == .signedOut {
            return refused(LibraryError(.interactionRequired, "The account was signed out on this device."))
        }
        let context = RequestContext(
            scopes: scopes, requestedAuthority: asked, authority: silentAuthority(asked, account, record),
            redirectURI: redirect.uri, correlationID: correlationID, account: account,
            claims: parameters.claimsRequest, extraQuery: extraQuery(over: []), library: library,
            clientSecret: library.secret(of: configuration.app.client))
        return .success(
            SilentRequest(
                context: context, account: account, cacheOnly: parameters.source == .cache,
                skipsCache: parameters.forceRefresh || !(parameters.claimsRequest ?? "").isEmpty))
    }

    /// The authority a silent call works with: the one remembered for the account, which names the tenant by its GUID;
    /// of an AAD authority that leaves the tenant open, the account's home tenant.
    private func silentAuthority(
        _ asked: MSALAuthority, _ account: MSALAccount, _ record: AccountMetadata?
    ) -> MSALAuthority {
        if let cached = record?.cachedURL(for: asked.text), let url = WebURL(cached) {
            switch asked.kind {
            case .b2c: return .b2c(url)
            case .aad:
                if case .success(let authority) = MSALAuthority.aad(url) { return authority }
            }
        }
        if asked.isTenantless, !account.tenantID.isEmpty { return asked.forTenant(account.tenantID) }
        return asked
    }

    // MARK: Cache, then refresh

    private func tokens(
        _ request: SilentRequest, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> Result<TokenResult, LibraryError> {
        var standby = Standby()
        let reason: TelemetryCall.RefreshReason
        let refreshToken: RefreshTokenItem?
        let isFamily: Bool
        do throws(LibraryError) {
            switch try cached(request, &standby, &events) {
            case .result(let result): return .success(result)
            case .refresh(let why): reason = why
            }
            if request.cacheOnly {
                return .failure(LibraryError(.interactionRequired, "The cache holds no token that is good."))
            }
            (refreshToken, isFamily) = try findRefreshToken(request, &events)
        } catch {
            return .failure(error)
        }
        guard let refreshToken else {
            return .failure(
                LibraryError(.interactionRequired, "The cache holds no token that fits, so the person must sign in."))
        }
        return try await refresh(
            request, with: refreshToken, isFamily: isFamily, standby: standby, reason: reason, lane, &events)
    }

    /// Access tokens that may be used while the server is down.
    private struct Standby: Sendable {
        /// Good, though `refresh_on` has passed.
        var unexpired: AccessTokenItem?
        /// Expired, within its extended lifetime.
        var extended: AccessTokenItem?
    }

    private enum CacheVerdict {
        case result(TokenResult)
        case refresh(TelemetryCall.RefreshReason)
    }

    private func cached(
        _ request: SilentRequest, _ standby: inout Standby, _ events: inout EventLog
    ) throws(LibraryError) -> CacheVerdict {
        guard !request.skipsCache else { return .refresh(.forced) }
        let asked = Set(request.context.scopes.map { $0.lowercased() })
        let scopes =
            has(.matchesReservedScopes)
            ? asked.union(RequestContext.reservedScopes) : asked.subtracting(RequestContext.reservedScopes)
        let found = try cache.accessToken(
            home: request.account.identifier, environments: environments(request.context.authority),
            realm: request.context.authority.realm, scopes: scopes, &events)
        guard let found else { return .refresh(.noCachedToken) }
        let time = now.secondsSinceEpoch
        let isFromTheFuture = found.cachedAt > time
        let buffer = configuration.app.client.expiryBuffer
        if !isFromTheFuture, Timestamp(seconds: found.expiresOn) > now + buffer {
            if let refreshOn = found.refreshOn, refreshOn <= time {
                standby.unexpired = found
                return .refresh(.proactive)
            }
            if let result = try result(from: found, request, isExtended: false, &events) { return .result(result) }
            return .refresh(.noCachedToken)
        }
        if let extended = found.extendedExpiresOn, extended > time {
            standby.extended = found
        } else {
            cache.remove(found, &events)
        }
        return .refresh(.expired)
    }

    /// The result an access token of the cache makes; `nil` when its ID token or account record is gone.
    private func result(
        from token: AccessTokenItem, _ request: SilentRequest, isExtended: Bool, _ events: inout EventLog
    ) throws(LibraryError) -> TokenResult? {
        let authority = request.context.authority
        let idToken = try cache.idToken(
            home: token.homeAccountID, environments: environments(authority), realm: token.realm, &events)
        let account = try cache.account(
            home: token.homeAccountID, environments: environments(authority), realm: token.realm, &events)
        guard let idToken, let account else { return nil }
        return processor.result(
            TokenProcessor.ResultParts(
                accessToken: token, idToken: idToken.secret, account: account, authority: authority,
                correlationID: request.context.correlationID, isExtendedLifetime: isExtended, fromCache: true))
    }

    /// The app's refresh token, else that of its family.
    private func findRefreshToken(
        _ request: SilentRequest, _ events: inout EventLog
    ) throws(LibraryError) -> (RefreshTokenItem?, isFamily: Bool) {
        let names = environments(request.context.authority)
        let own = try cache.appRefreshToken(
            home: request.account.identifier, username: request.account.username, environments: names, &events)
        if let own { return (own, false) }
        return (
            try cache.familyRefreshToken(home: request.account.identifier, environments: names, &events), true
        )
    }

    private func refresh(
        _ request: SilentRequest, with token: RefreshTokenItem, isFamily: Bool, standby: Standby,
        reason: TelemetryCall.RefreshReason, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> Result<TokenResult, LibraryError> {
        let outcome = try await redeem(request, with: token, standby: standby, reason: reason, lane, &events)
        guard case .failure(let error) = outcome, library.mayHelpToSignIn(after: error) else { return outcome }
        let names = environments(request.context.authority)
        if isFamily {
            if error.subError == "client_mismatch" { cache.clearFamily(environments: names, &events) }
        } else if let family = try? cache.familyRefreshToken(
            home: request.account.identifier, environments: names, &events), family.secret != token.secret
        {
            return try await refresh(
                request, with: family, isFamily: true, standby: standby, reason: reason, lane, &events)
        }
        var wrapped = LibraryError(.interactionRequired, "The person must sign in again.")
        wrapped.oauthError = error.oauthError
        wrapped.subError = error.subError
        wrapped.underlying = error
        return .failure(wrapped)
    }

    /// One refresh request with everything around it: metadata, throttling, standby tokens, cache clean-up.
    private func redeem(
        _ request: SilentRequest, with token: RefreshTokenItem, standby: Standby,
        reason: TelemetryCall.RefreshReason, _ lane: Lane, _ events: inout EventLog
    ) async throws(WorldError) -> Result<TokenResult, LibraryError> {
        let context = request.context
        let metadata: ProviderMetadata
        switch try await self.metadata(context.authority, correlationID: context.correlationID, lane, &events) {
        case .failure(let error): return .failure(error)
        case .success(let read): metadata = read
        }
        if context.authority.kind == .aad, !isInCloud(metadata.tokenEndpoint, of: context.authority) {
            return .failure(
                LibraryError(.interactionRequired, "The token endpoint belongs to another cloud than the token."))
        }
        let form = RequestFactory.tokenForm(
            context, clientID: configuration.clientID, grant: .refreshToken(token.secret))
        let throttles = configuration.app.client.throttling && configuration.app.client.kind.traits.throttles
        if throttles,
            let held = throttling.holdBack(form, now: now, lastRefresh: cache.lastRefresh(&events))
        {
            var error = held.error
            error.throttlingCacheHit = true
            events.throttled(held.kind.rawValue, secondsLeft: (held.until - now).wholeSeconds)
            return .failure(error)
        }
        let message = RequestFactory.tokenRequest(
            context, endpoint: instances.networkURL(metadata.tokenEndpoint), form: form,
            identity: configuration.identity, call: .silent(reason))
        let answered = try await sender.json(message, lane, &events)
        guard case .success(let json) = answered else {
            guard case .failure(let error) = answered else { return .failure(.notJSON) }
            if throttles, library.throttles(error) { throttling.learn(error, form, now: now) }
            return .failure(error).recovering(standIn(for: error, request, standby, &events))
        }
        switch take(json, for: context, metadata: metadata, &events) {
        case .success(let result): return .success(result)
        case .failure(let error):
            if throttles, library.throttles(error) { throttling.learn(error, form, now: now) }
            cleanUp(after: error, token, request, &events)
            return .failure(error)
        }
    }

    private func take(
        _ json: JSONValue, for context: RequestContext, metadata: ProviderMetadata, _ events: inout EventLog
    ) -> Result<TokenResult, LibraryError> {
        switch TokenAnswer.read(json, tenant: configuration.accountTenant) {
        case .failure(let error): return .failure(error)
        case .success(let answer):
            let nonce = nonceBefore(context, &events)
            if let problem = TokenCheck.problem(
                with: TokenCheck.Subject(
                    answer: answer, context: context, metadata: metadata, configuration: configuration,
                    nonce: .refreshed(nonce), now: now))
            {
                return .failure(problem)
            }
            return store(answer, context, &events).map(\.result)
        }
    }

    /// The nonce of the ID token that a refreshed one takes the place of; read only where it is compared.
    private func nonceBefore(_ context: RequestContext, _ events: inout EventLog) -> String? {
        guard [.ifPresent, .required].contains(configuration.checks.nonce), let account = context.account else {
            return nil
        }
        let before = try? cache.idToken(
            home: account.identifier, environments: environments(context.authority), realm: context.authority.realm,
            &events)
        return before.flatMap { TokenProcessor.claims(of: $0.secret) }?["nonce"]?.stringValue
    }

    /// While the server is down: a token that is still good, else one within its extended lifetime if the app has
    /// switched that on. A network failure does not count as a server that is down.
    private func standIn(
        for error: LibraryError, _ request: SilentRequest, _ standby: Standby, _ events: inout EventLog
    ) -> TokenResult? {
        guard error.serverUnavailable else { return nil }
        if let token = standby.unexpired,
            let found = try? result(from: token, request, isExtended: false, &events)
        {
            return found
        }
        if configuration.app.client.extendedLifetime, let token = standby.extended {
            return try? result(from: token, request, isExtended: true, &events)
        }
        return nil
    }

    /// What an OAuth error does to the cache. B2C sends no suberror, so its dead refresh tokens stay.
    private func cleanUp(
        after error: LibraryError, _ token: RefreshTokenItem, _ request: SilentRequest, _ events: inout EventLog
    ) {
        guard OAuthErrorTable.code(error.oauthError ?? "", other: .internalError) == .serverInvalidGrant else { return }
        switch error.subError {
        case "bad_token": cache.removeIfUnchanged(token, &events)
        case "user_account_deleted":
            let home = request.account.identifier
            // A keychain that refuses is in the events; the refusal is what the app must hear of.
            try? cache.removeCredentials(home: home, ofAllClients: false, wipeAccounts: true, &events)
            _ = cache.changeMetadata(&events) { $0.accounts.remove(home) }
        default: break
        }
    }

    private func isInCloud(_ endpoint: WebURL, of authority: MSALAuthority) -> Bool {
        let host =
            endpoint.effectivePort == 443 ? endpoint.host ?? "" : "\(endpoint.host ?? ""):\(endpoint.effectivePort)"
        return environments(authority).contains(host) || host == authority.environment
            || host == instances.record(authority.environment)?.networkHost
    }
}

extension Result where Success == TokenResult {
    /// Success with the value, where there is one; else this.
    fileprivate func recovering(_ value: TokenResult?) -> Self {
        value.map { .success($0) } ?? self
    }
}
