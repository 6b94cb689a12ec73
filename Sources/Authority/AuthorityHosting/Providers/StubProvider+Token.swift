import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON

extension StubProvider {
    /// The token endpoint: authorization codes only. Old providers are asked by GET, so the query counts too.
    func token(_ request: RequestMessage) -> ResponseMessage {
        var items = request.form ?? FormItems()
        if request.method == "GET" { items = request.url.queryItems }
        guard items["grant_type"] ?? "authorization_code" == "authorization_code" else {
            return error(400, "unsupported_grant_type", "grant_type \(items["grant_type"] ?? "") is not offered")
        }
        let client: String
        switch authenticate(items, request.headers["Authorization"]) {
        case .failure(let problem): return error(401, "invalid_client", problem.why)
        case .success(let id): client = id
        }
        let now = clock.now()
        guard let text = items["code"], let code = codes.value(text, at: now) else {
            return error(400, "invalid_grant", "the code is unknown, used or expired")
        }
        // A code is good for one attempt, whatever comes of it (RFC 6749, section 4.1.2).
        codes.remove(text)
        guard code.clientID == client else {
            return error(400, "invalid_grant", "the code was issued to client \(code.clientID), not \(client)")
        }
        guard sameText(items["redirect_uri"] ?? code.redirectURI, code.redirectURI) else {
            return error(400, "invalid_grant", "the code was issued for redirect URI \(code.redirectURI)")
        }
        if let challenge = code.challenge {
            let verifier = items["code_verifier"] ?? ""
            guard PKCE.matches(verifier: verifier, challenge: challenge.text, method: challenge.method) else {
                return error(400, "invalid_grant", "code_verifier does not fit the code_challenge")
            }
        }
        return .json(200, .object(tokens(for: code, at: now)), headers: ["Cache-Control": "no-store"])
    }

    private func tokens(for code: ProviderCode, at now: Timestamp) -> JSONObject {
        let access = opaque()
        tokens.insert(access, code.account, until: now + .hours(1), now: now)
        var members: JSONObject = ["access_token": .string(access), "token_type": "Bearer", "expires_in": 3600]
        if !code.scopes.isEmpty { members["scope"] = .string(code.scopes.text) }
        if settings.type == .oidc, code.scopes.contains("openid") {
            members["id_token"] = .string(
                idToken(code.account, clientID: code.clientID, nonce: code.nonce, accessToken: access))
        }
        return members
    }

    /// An ID token (OpenID Connect Core, section 2) with the person's claims.
    func idToken(
        _ account: ProviderPeople.ProviderAccount, clientID: String, nonce: String?, accessToken: String? = nil
    ) -> String {
        let now = clock.now()
        var claims: JSONObject = [
            "iss": .string(settings.issuer), "sub": .string(account.subject),
            "aud": .string(audiences[clientID] ?? clientID),
            "exp": .integer((now + .hours(1)).secondsSinceEpoch), "iat": .integer(now.secondsSinceEpoch),
            "auth_time": .integer(now.secondsSinceEpoch),
        ]
        claims["nonce"] = nonce.map { .string($0) }
        claims["at_hash"] = accessToken.map { .string(TokenHash.s256($0)) }
        for (name, value) in account.claims.members where claims[name] == nil { claims[name] = value }
        return JWS.sign(header: ["alg": "RS256", "kid": .string(key.kid), "typ": "JWT"], claims: claims, key: key)
    }

    /// The user-information endpoint; the token comes in the header or, as Facebook is asked, in the query.
    func userInfo(_ request: RequestMessage) -> ResponseMessage {
        let header = request.headers["Authorization"] ?? ""
        let bearer = header.lowercased().hasPrefix("bearer ") ? String(header.dropFirst(7)) : nil
        let token = bearer ?? request.url.queryItems["access_token"] ?? request.form?["access_token"]
        guard let token, let account = tokens.value(token, at: clock.now()) else {
            var response = error(401, "invalid_token", "the access token is missing, unknown or expired")
            response.headers.append("WWW-Authenticate", "Bearer error=\"invalid_token\"")
            return response
        }
        return .json(200, .object(account.claims))
    }

    // MARK: client authentication

    private struct Unauthenticated: Error {
        var why: String
    }

    /// The client that presents itself by `client_secret_basic`, `client_secret_post` or `private_key_jwt`. The secret
    /// of the tenant's own user flows is known and compared; other clients must bring one, whichever.
    private func authenticate(_ items: FormItems, _ authorization: String?) -> Result<String, Unauthenticated> {
        if let basic = BasicCredentials(authorization) {
            return compare(id: basic.user, secret: basic.password)
        }
        if let assertion = items["client_assertion"] {
            guard let id = items["client_id"] ?? JWS(compact: assertion)?.claims?["sub"]?.stringValue,
                JWS(compact: assertion) != nil
            else { return .failure(Unauthenticated(why: "client_assertion is not a JSON web token with a subject")) }
            return .success(id)
        }
        guard let id = items["client_id"], !id.isEmpty else {
            return .failure(Unauthenticated(why: "no client_id"))
        }
        return compare(id: id, secret: items["client_secret"])
    }

    private func compare(id: String, secret: String?) -> Result<String, Unauthenticated> {
        guard let secret, !secret.isEmpty else {
            return .failure(Unauthenticated(why: "client \(id) sent no secret"))
        }
        let known = registeredClients.filter { $0.id == id }
        if !known.isEmpty, !known.contains(where: { $0.secret == secret }) {
            return .failure(
                Unauthenticated(why: "the secret of client \(id) is not the one in key \(settings.secretName)"))
        }
        return .success(id)
    }

    private func error(_ status: Int, _ name: String, _ why: String) -> ResponseMessage {
        var response = ResponseMessage.json(
            status, ["error": .string(name), "error_description": .string(why)],
            headers: ["Cache-Control": "no-store"])
        response.refusal = why
        return response
    }
}
