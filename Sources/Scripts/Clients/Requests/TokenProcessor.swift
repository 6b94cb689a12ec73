import Determinism
import JSON
import Verbs

/// From a token answer to cache entries and to the result an app gets.
struct TokenProcessor: Sendable {
    let configuration: ClientConfiguration

    /// The authority an answer's tokens are kept under: with the tenant the answer names (MSIDB2COauth2Factory.m).
    func resultAuthority(_ requested: MSALAuthority, _ answer: TokenAnswer) -> MSALAuthority {
        let utid = answer.clientInfo?.utid ?? ""
        switch requested.kind {
        case .b2c:
            return utid.isEmpty || configuration.library.keepsWrittenTenant ? requested : requested.forTenant(utid)
        case .aad:
            let tenant = answer.claims?["tid"]?.stringValue ?? utid
            return tenant.isEmpty ? requested : requested.forTenant(tenant)
        }
    }

    /// The entries an answer makes.
    ///
    /// - Parameters:
    ///   - requested: The scopes asked for. They are used if the answer has no `scope`.
    ///   - environment: The host entries are written under.
    func tokens(
        _ answer: TokenAnswer, authority: MSALAuthority, environment: String, requested: [String], now: Timestamp
    ) -> NewTokens {
        let home = answer.clientInfo?.homeAccountID ?? ""
        let time = now.secondsSinceEpoch
        let realm = authority.realm
        let claims = answer.claims
        let clientID = configuration.clientID
        func text(_ name: String) -> String? { claims?[name]?.stringValue }
        let account = AccountItem(
            homeAccountID: home, environment: environment, realm: realm,
            localAccountID: (text("oid") ?? text("sub") ?? "").lowercased(), username: username(claims, authority.kind),
            name: text("name"), givenName: text("given_name"), familyName: text("family_name"),
            middleName: text("middle_name"), clientInfo: answer.clientInfoText)
        var tokens = NewTokens(
            account: account,
            appMetadata: AppMetadataItem(clientID: clientID, environment: environment, familyID: answer.familyID))
        if let secret = answer.accessToken {
            tokens.accessToken = AccessTokenItem(
                homeAccountID: home, environment: environment, clientID: clientID, realm: realm,
                target: configuration.library.cachedScopes(answer.scope ?? requested.joined(separator: " ")),
                secret: secret,
                tokenType: answer.tokenType ?? "Bearer", cachedAt: time,
                expiresOn: answer.expiresOn ?? Self.later(time, by: answer.expiresIn ?? 3600),
                extendedExpiresOn: answer.extendedExpiresIn.map { Self.later(time, by: $0) },
                refreshOn: answer.refreshIn.map { Self.later(time, by: $0) })
        }
        if let secret = answer.idToken {
            tokens.idToken = IDTokenItem(
                homeAccountID: home, environment: environment, clientID: clientID, realm: realm, secret: secret)
        }
        if let secret = answer.refreshToken {
            let token = RefreshTokenItem(
                homeAccountID: home, environment: environment, clientID: clientID, secret: secret, lastModified: time)
            tokens.refreshToken = token
            if let family = answer.familyID {
                var shared = token
                shared.familyID = family
                tokens.familyRefreshToken = shared
            }
        }
        return tokens
    }

    /// Which of the scopes asked for the server left out; `nil` when none. Without an access token or without `scope`
    /// nothing is compared; `email` and the reserved scopes count as granted.
    func declinedScopes(_ answer: TokenAnswer, requested: [String]) -> LibraryError? {
        guard configuration.library.refusesFewerScopes else { return nil }
        guard answer.accessToken != nil, let scope = answer.scope else { return nil }
        let granted = ScopeText.set(scope)
        let exempt = Set(RequestContext.reservedScopes + ["email"])
        let declined = requested.filter { !granted.contains($0.lowercased()) && !exempt.contains($0.lowercased()) }
        guard !declined.isEmpty else { return nil }
        var error = LibraryError(.serverDeclinedScopes, "The server granted fewer scopes than were asked for.")
        error.grantedScopes = ScopeText.list(scope).filter {
            !RequestContext.reservedScopes.contains($0.lowercased())
        }
        error.declinedScopes = declined
        return error
    }

    /// The user name of an account: `preferred_username`, else what the library puts there.
    private func username(_ claims: JSONObject?, _ kind: MSALAuthority.Kind) -> String {
        if let name = claims?["preferred_username"]?.stringValue, !name.isEmpty { return name }
        return configuration.library.username(claims, kind)
    }

    static func later(_ time: Int64, by seconds: Int64) -> Int64 {
        let (sum, overflow) = time.addingReportingOverflow(seconds)
        return overflow ? (seconds < 0 ? Int64.min : Int64.max) : sum
    }

    // MARK: Results

    /// What a result is made of.
    struct ResultParts {
        var accessToken: AccessTokenItem?
        var idToken: String
        var account: AccountItem
        var authority: MSALAuthority
        var correlationID: GUID
        var isExtendedLifetime = false
        var fromCache: Bool
    }

    /// What an app gets (MSALResult).
    func result(_ parts: ResultParts) -> TokenResult {
        let account = account(parts.account, claims: nil)
        return TokenResult(
            accessToken: parts.accessToken.map { TokenText($0.secret) }, idToken: TokenText(parts.idToken),
            scopes: parts.accessToken.map { ScopeText.list($0.target) } ?? [],
            expiresOn: parts.accessToken.map { Timestamp(seconds: $0.expiresOn) },
            extendedLifeTimeToken: parts.isExtendedLifetime, account: account.result,
            tenantProfile: TenantProfile(
                identifier: parts.account.localAccountID, environment: parts.account.environment,
                isHomeTenantProfile: isHome(parts.account, account)),
            authority: parts.authority.text, correlationId: parts.correlationID.uppercase, fromCache: parts.fromCache)
    }

    /// An account record as an app gets it. The claims come with the home tenant's profile only.
    func account(_ item: AccountItem, claims: JSONObject?) -> MSALAccount {
        var account = MSALAccount(
            identifier: item.homeAccountID, environment: item.environment,
            username: item.username.isEmpty ? nil : item.username)
        account.policy =
            configuration.authorityKind == .b2c ? configuration.policyName(ofObjectID: account.objectID) : nil
        account.claims = isHome(item, account) ? claims : nil
        return account
    }

    private func isHome(_ item: AccountItem, _ account: MSALAccount) -> Bool {
        item.realm.lowercased() == account.tenantID
    }

    static func claims(of token: String) -> JSONObject? {
        OperationCounter.add(1, .claims)
        return CompactToken.parts(token)?.claims
    }
}
