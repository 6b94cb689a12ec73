import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys

/// What both kinds of grant share: whether the text is one of ours.
extension Authority {
    /// The key id in the header of a sealed text; the header itself where it cannot be read.
    private func kid(of header: String) -> String {
        guard let bytes = Base64URL.decode(header), let json = try? JSONParser.parse(bytes) else { return header }
        return json["kid"]?.stringValue ?? header
    }

    /// The row's id that a grant's text stands for.
    ///
    /// The service opens the text as a JWE in compact form before anything else (RFC 7516, 3.1). One that has not five
    /// segments, or whose header names no key of the tenant, is refused with AADB2C90090
    /// (AzureAD/microsoft-authentication-library-for-dotnet#2515, MicrosoftDocs/azure-docs#106260); what fails behind the
    /// header is an internal error (inferred).
    func grantID(_ text: String, length: Int, _ target: PolicyAddress) throws(Refusal) -> GUID {
        let parts = texts.parts(ofGrant: text)
        guard let header = parts?.header ?? OpaqueText.header(ofGrant: text) else {
            throw Refusal(
                .c90090, error: OAuthErrorName.invalidGrant,
                why: "the grant has not the five segments of a code or refresh token: cut short, or of another kind")
        }
        // Policies seal with keys of their own: a text of another policy has another header, but is ours all the same.
        guard target.configuration.opens(grantHeader: header) else {
            throw Refusal(
                .c90090, error: OAuthErrorName.invalidGrant,
                why:
                    "the key \(kid(of: header)) that sealed the grant is not published, or not any more (keySets.grants)"
            )
        }
        guard let id = parts?.id, texts.grant(id, header: header, ciphertextLength: length) == text else {
            throw Refusal(
                .c90085, error: OAuthErrorName.invalidGrant, why: "the grant was altered, or is one of another kind")
        }
        return id
    }

    /// The scopes of a token request: those it names, else those of the authorization.
    func requestedScopes(
        _ request: TokenRequest, granted: GrantedScopes, _ target: PolicyAddress
    ) throws(Refusal) -> GrantedScopes {
        guard let text = request.value("scope") else { return granted }
        try ScopeRules.checkCharacters(text)
        let scopes = try ScopeRules.resolve(text, app: request.app, configuration: target.configuration)
        try ScopeRules.checkPermission(scopes, app: request.app)
        return scopes
    }

    // MARK: authorization_code

    mutating func redeemCode(
        _ request: TokenRequest, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) throws(Refusal) -> Reply {
        guard let text = request.value("code") else {
            throw Refusal(.c90083, ["code"], why: "code is missing")
        }
        let id = try grantID(text, length: OpaqueText.codeLength, target)
        if codes.isPast(id, at: call.now) { spendCode(id, isRedeemed: false) }
        guard let grant = codes.row(id, at: call.now) else {
            guard let spent = spentCodes.row(id, at: call.now) else {
                throw Refusal.expired(
                    issuedAt: call.now, until: call.now, at: call.now, why: "the code is long past its time")
            }
            try SpentCodeAttempt(request: request, target: target, code: spent).check()
            throw Refusal.expired(
                issuedAt: spent.issuedAt, until: spent.expires, at: call.now,
                why: spent.isRedeemed
                    ? "the code was redeemed before" : "the code is older than authority.codeLifetime")
        }
        try CodeAttempt(request: request, target: target, grant: grant).check()
        var scopes = try requestedScopes(request, granted: grant.scopes, target)
        // A refresh token takes `offline_access` in both requests (Microsoft docs: openid-connect).
        scopes.offlineAccess = scopes.offlineAccess && grant.scopes.offlineAccess
        spendCode(id, isRedeemed: true)
        let terms = TokenTerms(
            request: request, scopes: scopes, nonce: grant.nonce, platform: grant.platform, chain: nil)
        return try tokens(grant.issuance, terms, call, at: target)
    }
}
