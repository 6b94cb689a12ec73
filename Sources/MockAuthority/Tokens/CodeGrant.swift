import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys

/// The checks that both kinds of grant share: is it ours, of this policy, of this client, still good?
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

    /// A grant belongs to the policy and to the client that it was issued to.
    func checkBinding(
        policyID: String, clientID: String, _ request: TokenRequest, _ target: PolicyAddress
    ) throws(Refusal) {
        guard policyID == target.policy.id else {
            let endpointFirst = target.configuration.tenant.authority.grantMismatchOrder == .actualIsEndpoint
            throw Refusal(
                .c90088, endpointFirst ? [target.policy.id, policyID] : [policyID, target.policy.id],
                why: "the grant is of policy \(policyID) and was sent to \(target.policy.id)")
        }
        guard clientID == request.app.clientID else {
            throw Refusal(
                .c90279, [request.app.clientID], error: OAuthErrorName.invalidGrant,
                why: "the grant belongs to client \(clientID), not \(request.app.clientID)")
        }
    }

    /// The text names the three instants as epoch seconds (bug catalogue, fidelity facts), and says whether the grant's
    /// own life or the sliding window of its chain has ended.
    func expired(
        issuedAt: Timestamp, until: Timestamp, at now: Timestamp, byWindow: Bool = false, why: String
    ) -> Refusal {
        let instants = [now, issuedAt, until].map { String($0.secondsSinceEpoch) }
        return Refusal(
            .c90080, instants, message: byWindow ? nil : B2CErrorCode.c90080.message(variant: 0, instants), why: why)
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
        _ request: TokenRequest, _ call: Call, _ target: PolicyAddress, _ correlationID: GUID
    ) throws(Refusal) -> Reply {
        guard let text = request.value("code") else {
            throw Refusal(.c90083, ["code"], why: "code is missing")
        }
        let id = try grantID(text, length: OpaqueText.codeLength, target)
        if codes.isPast(id, at: call.now) { spendCode(id, isRedeemed: false) }
        guard let grant = codes.row(id, at: call.now) else {
            guard let spent = spentCodes.row(id, at: call.now) else {
                throw expired(
                    issuedAt: call.now, until: call.now, at: call.now, why: "the code is long past its time")
            }
            try checkBinding(policyID: spent.policyID, clientID: spent.clientID, request, target)
            throw expired(
                issuedAt: spent.issuedAt, until: spent.expires, at: call.now,
                why: spent.isRedeemed
                    ? "the code was redeemed before" : "the code is older than authority.codeLifetime")
        }
        try checkBinding(policyID: grant.policyID, clientID: grant.clientID, request, target)
        try checkRedirectURI(request, grant)
        try authenticate(request, platform: grant.platform)
        try checkVerifier(request, grant)
        var scopes = try requestedScopes(request, granted: grant.scopes, target)
        // A refresh token takes `offline_access` in both requests (Microsoft docs: openid-connect).
        scopes.offlineAccess = scopes.offlineAccess && grant.scopes.offlineAccess
        spendCode(id, isRedeemed: true)
        return try tokens(
            grant.issuance, scopes: scopes, nonce: grant.nonce, platform: grant.platform, chain: nil, request, call,
            target)
    }

    /// RFC 6749, 4.1.3, would have the URI of the authorization request again. Published clients of native apps send what
    /// stands before `://`, a shortened URI, or the percent-decoded one, and are served: of a native app the parameter is
    /// not compared at all. That web and single-page apps are held to the standard is inferred. Without the parameter
    /// nothing is compared: one of Microsoft's articles calls it optional.
    private func checkRedirectURI(_ request: TokenRequest, _ grant: CodeGrant) throws(Refusal) {
        guard grant.platform != .native, let uri = request.value("redirect_uri"), uri != grant.redirectURI else {
            return
        }
        throw Refusal(
            .c90006, [uri, request.app.clientID],
            why: "redirect_uri is \(uri), the code was sent to \(grant.redirectURI)")
    }

    /// PKCE (RFC 7636, 4.6).
    private func checkVerifier(_ request: TokenRequest, _ grant: CodeGrant) throws(Refusal) {
        guard let challenge = grant.challenge else { return }
        guard let verifier = request.value("code_verifier") else {
            throw Refusal(.c90183, why: "the code was asked with a challenge and code_verifier is missing")
        }
        guard PKCE.isWellFormed(verifier: verifier) else {
            throw Refusal(
                .c90183, why: "code_verifier is not 43 to 128 characters of the alphabet of RFC 7636")
        }
        guard challenge.accepts(verifier) else {
            throw Refusal(.c90182, why: "code_verifier does not match the challenge of the authorization request")
        }
    }
}
