import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

extension WorkforceAuthority {
    /// The token endpoint: codes and refresh tokens.
    mutating func token(_ call: WorkforceCall, _ place: WorkforcePlace) -> WorkforceDraft {
        if call.request.method == "OPTIONS" { return preflight(call) }
        var draft: WorkforceDraft
        do throws(WorkforceError) {
            draft = try redeem(call, place)
        } catch {
            draft = failed(call, error, asJSON: true)
        }
        if let origin = call.request.headers["Origin"], isSinglePageOrigin(origin) {
            draft.headers.append("Access-Control-Allow-Origin", origin)
        }
        return draft
    }

    private mutating func redeem(_ call: WorkforceCall, _ place: WorkforcePlace) throws(WorkforceError)
        -> WorkforceDraft
    {
        guard call.request.method == "POST" else {
            throw .needsPost(call.request.method)
        }
        let form = call.form
        guard let grant = form["grant_type"], !grant.isEmpty else { throw .missing("grant_type") }
        guard let clientID = form["client_id"] ?? BasicCredentials(call.request.headers["Authorization"])?.user,
            !clientID.isEmpty
        else { throw .missing("client_id") }
        guard let app = configuration.app(clientID) else { throw .unknownApp(clientID, place.segment) }
        guard app.settings.enabled else { throw .disabledApp(app) }
        switch grant {
        case "authorization_code": return try redeemCode(call, place, app)
        case "refresh_token": return try redeemRefreshToken(call, place, app)
        default:
            throw .unsupportedGrant(grant, "not simulated: grant type \(grant) on a directory tenant")
        }
    }

    /// What a grant has established.
    private struct Grant {
        var person: WorkforceIdentity
        var scopes: [WorkforceScope]
        var nonce: String?
        var authTime: Timestamp
        var platform: GrantPlatform
        var firstIssuedAt: Timestamp
    }

    private mutating func redeemCode(
        _ call: WorkforceCall, _ place: WorkforcePlace, _ app: WorkforceApp
    ) throws(WorkforceError) -> WorkforceDraft {
        guard let text = call.form["code"], !text.isEmpty else { throw .missing("code") }
        guard let id = grantID(text, header: WorkforceCode.header, length: WorkforceCode.length),
            var code = codes.row(id, at: call.now)
        else { throw .badGrant("code") }
        guard code.clientID == app.clientID else { throw .badGrant("code") }
        guard !code.isRedeemed else { throw .usedCode }
        guard call.now < code.issuedAt + configuration.tenant.authority.codeLifetime else { throw .expiredCode }
        try authenticate(app, call, platform: code.platform)
        let uri = call.form["redirect_uri"] ?? ""
        guard sameText(uri, code.redirectURI) else {
            throw WorkforceError(
                500_112, "invalid_client",
                "The reply address '\(uri)' does not match the reply address '\(code.redirectURI)' with which the code "
                    + "was asked for.")
        }
        if let challenge = code.challenge {
            let verifier = call.form["code_verifier"] ?? ""
            guard PKCE.matches(verifier: verifier, challenge: challenge.text, method: challenge.method) else {
                throw .badVerifier
            }
        }
        let grant = Grant(
            person: try holder(code.person, place, issuedAt: code.issuedAt), scopes: code.scopes, nonce: code.nonce,
            authTime: code.authTime, platform: code.platform, firstIssuedAt: call.now)
        code.spend()
        codes.putBack(id, code, expires: call.now + WorkforceCode.kept)
        return try respond(grant, call, at: place, app: app)
    }

    private mutating func redeemRefreshToken(
        _ call: WorkforceCall, _ place: WorkforcePlace, _ app: WorkforceApp
    ) throws(WorkforceError) -> WorkforceDraft {
        guard let text = call.form["refresh_token"], !text.isEmpty else { throw .missing("refresh_token") }
        guard let id = grantID(text, header: WorkforceRefresh.header, length: WorkforceRefresh.length),
            let row = refreshTokens.row(id, at: call.now), row.clientID == app.clientID
        else { throw .badGrant("refresh_token") }
        try authenticate(app, call, platform: row.platform)
        let person = try holder(row.person, place, issuedAt: row.issuedAt)
        if row.platform == .spa {
            guard call.now < row.firstIssuedAt + WorkforceRefresh.singlePageLifetime else {
                throw .singlePageExpired(row.firstIssuedAt)
            }
        } else if call.now >= row.issuedAt + WorkforceRefresh.lifetime {
            throw .inactive(row.issuedAt, lifetime: WorkforceRefresh.lifetime)
        }
        return try respond(
            Grant(
                person: person, scopes: row.scopes, nonce: nil, authTime: row.authTime, platform: row.platform,
                firstIssuedAt: row.firstIssuedAt), call, at: place, app: app)
    }

    /// The person a grant was issued to, if they may still use it here.
    private func holder(
        _ name: String, _ place: WorkforcePlace, issuedAt: Timestamp
    ) throws(WorkforceError) -> WorkforceIdentity {
        guard let person = configuration.person(named: name) else {
            var error = WorkforceError.unknownUser(name)
            error.suberror = "user_account_deleted"
            throw error
        }
        guard person.user.accountEnabled else { throw .disabledUser }
        let validFrom = validFrom(person)
        guard issuedAt >= validFrom else { throw .revoked(issuedAt, validFrom: validFrom) }
        guard place.audience.admits(person) else {
            throw WorkforceError(
                50020, "invalid_grant",
                "The user account '\(person.userPrincipalName)' does not exist in the tenant '\(place.segment)'.")
        }
        return person
    }

    /// Confidential apps prove themselves, public ones must not try (RFC 6749, section 2.3).
    private func authenticate(
        _ app: WorkforceApp, _ call: WorkforceCall, platform: GrantPlatform
    ) throws(WorkforceError) {
        let secret = call.form["client_secret"] ?? BasicCredentials(call.request.headers["Authorization"])?.password
        if call.form["client_assertion"] != nil {
            throw .assertionUnchecked
        }
        guard platform == .web, app.isConfidential else {
            guard secret == nil else {
                throw WorkforceError(
                    700_025, "invalid_client",
                    "The client is public, so neither 'client_assertion' nor 'client_secret' may be sent.", status: 401)
            }
            return
        }
        guard let secret else {
            throw WorkforceError(
                7_000_218, "invalid_client",
                "The request must contain the parameter 'client_assertion' or 'client_secret'.", status: 401)
        }
        guard app.settings.secrets.containsText(secret) else {
            throw .wrongSecret(clientID: app.clientID)
        }
    }

    // MARK: the answer

    private mutating func respond(
        _ grant: Grant, _ call: WorkforceCall, at place: WorkforcePlace, app: WorkforceApp
    ) throws(WorkforceError) -> WorkforceDraft {
        let scopes = try granted(grant, call, app)
        let issuer = WorkforceTokenIssuer(
            configuration: configuration, app: app, person: grant.person,
            tenantID: place.audience.issuingTenant(for: grant.person), now: call.now)
        var parameters = [
            Parameter("token_type", text: "Bearer"), Parameter("scope", text: scopes.text),
            Parameter("expires_in", .number(WorkforceTokenIssuer.seconds)),
            Parameter("ext_expires_in", .number(WorkforceTokenIssuer.seconds)),
        ]
        guard
            let accessToken = issuer.accessToken(
                for: scopes.resource, scopes.names, uti: Base64URL.encode(random.bytes(16)))
        else {
            throw .noKey
        }
        parameters.append(Parameter("access_token", .token(accessToken)))
        if scopes.hasOffline {
            parameters.append(Parameter("refresh_token", text: refreshToken(grant, app, call)))
        }
        if scopes.hasOpenID,
            let idToken = issuer.idToken(
                nonce: grant.nonce, withProfile: scopes.hasProfile, withEmail: scopes.hasEmail,
                uti: Base64URL.encode(random.bytes(16)))
        {
            parameters.append(Parameter("id_token", .token(idToken)))
        }
        if call.form["client_info"] == "1" {
            parameters.append(Parameter("client_info", text: grant.person.clientInfo.encoded))
        }
        return WorkforceDraft(headers: WorkforceDraft.fields(call), body: .tokens(parameters))
    }

    /// The scopes of the token, and those that the response names.
    private struct Granted {
        var resource: WorkforceScope.Resource
        var names: [String]
        var text: String
        var hasOpenID: Bool
        var hasProfile: Bool
        var hasEmail: Bool
        var hasOffline: Bool
    }

    private func granted(
        _ grant: Grant, _ call: WorkforceCall, _ app: WorkforceApp
    ) throws(WorkforceError) -> Granted {
        var asked = WorkforceScopes(all: grant.scopes)
        if let text = call.form["scope"], !text.isEmpty {
            switch WorkforceScopes.parse(text, apis: configuration.tenant.apis) {
            case .failure(let error): throw error
            case .success(let parsed): asked = parsed
            }
            guard asked.resources.count <= 1 else { throw .severalResources(text) }
        }
        let resource = asked.resources.first ?? .graph
        let wanted = asked.expanded(for: app, isPersonal: grant.person.isPersonal)
            .filter { $0.resource == .basic || $0.resource == resource }
        if wanted.contains(where: { !isGranted($0, app, grant.person) }) {
            throw .consentNeeded(app, silent: false)
        }
        // Everything granted for the resource goes into the token, so that tokens can be shared; what was asked for
        // comes first.
        var own = wanted.filter { $0.resource == resource }
        let earlier = grant.scopes + consents.scopes(of: resource, app, grant.person)
        for scope in earlier where scope.resource == resource && !own.contains(where: { $0.key == scope.key }) {
            var scope = scope
            scope.written = (own.first.map(Self.prefix) ?? "") + scope.name
            own.append(scope)
        }
        var written = own.map(\.written)
        // OpenID Connect's own scopes belong to Graph. offline_access is never named.
        if resource == .graph {
            written += wanted.filter { $0.resource == .basic && $0.name != "offline_access" }.map(\.name)
        }
        written += asked.all.filter(\.isDefault).map(\.written)
        return Granted(
            resource: resource,
            names: own.map(\.name) + (resource == .graph ? ["openid", "profile", "email"].filter(asked.has) : []),
            text: written.joined(separator: " "), hasOpenID: asked.has("openid"), hasProfile: asked.has("profile"),
            hasEmail: asked.has("email"), hasOffline: asked.has("offline_access"))
    }

    private static func prefix(_ scope: WorkforceScope) -> String {
        String(scope.written.dropLast(scope.name.count))
    }

    private mutating func refreshToken(_ grant: Grant, _ app: WorkforceApp, _ call: WorkforceCall) -> String {
        let id = random.guid()
        let row = WorkforceRefresh(
            clientID: app.clientID, platform: grant.platform, person: grant.person.user.name,
            scopes: scopes.intern(grant.scopes), authTime: grant.authTime, issuedAt: call.now,
            firstIssuedAt: grant.firstIssuedAt)
        refreshTokens.insert(id, row, expires: call.now + WorkforceRefresh.kept)
        return texts.grant(id, header: WorkforceRefresh.header, ciphertextLength: WorkforceRefresh.length)
    }

    // MARK: other origins

    private func isSinglePageOrigin(_ origin: String) -> Bool {
        configuration.apps.contains { $0.isSinglePageOrigin(origin) }
    }

    private func preflight(_ call: WorkforceCall) -> WorkforceDraft {
        var headers = WorkforceDraft.fields(call)
        if let origin = call.request.headers["Origin"], isSinglePageOrigin(origin) {
            headers.append("Access-Control-Allow-Origin", origin)
            headers.append("Access-Control-Allow-Methods", "POST, OPTIONS")
            headers.append(
                "Access-Control-Allow-Headers",
                call.request.headers["Access-Control-Request-Headers"] ?? "content-type")
        }
        return WorkforceDraft(headers: headers)
    }
}
