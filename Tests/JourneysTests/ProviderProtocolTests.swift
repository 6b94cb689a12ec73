import B2CProtocol
import HTTPMessages
import JOSE
import JSON
import Testing
import TrustFramework

@testable import Journeys

/// Identity providers of policy files: OAuth 1.0, and what OAuth 2.0 and OpenID Connect profiles may ask for beside the
/// usual.
@Suite struct ProviderProtocolTests {
    /// A policy whose first step asks a provider.
    private func world(_ profile: String) throws -> World {
        try World(xml: [
            Inline.policy(
                claims: ["issuerUserId": "string", "displayName": "string", "email": "string", "extra": "string"],
                profiles: profile, steps: Inline.steps("Provider"),
                outputs: ["issuerUserId", "displayName", "email", "extra"])
        ])
    }

    private func profile(
        _ name: String, _ metadata: KeyValuePairs<String, String>, outputs: String, keys: [String] = ["client_secret"],
        more: String = ""
    ) -> String {
        let items = metadata.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let secrets = keys.map { "<Key Id=\"\($0)\" StorageReferenceId=\"B2C_1A_ProviderSecret\"/>" }.joined()
        return """
            <TechnicalProfile Id="Provider"><DisplayName>Provider</DisplayName><Protocol Name="\(name)"/>\
            <Metadata>\(items)</Metadata><CryptographicKeys>\(secrets)</CryptographicKeys>\
            <OutputClaims>\(outputs)</OutputClaims>\(more)</TechnicalProfile>
            """
    }

    private func output(_ claim: String, _ partner: String) -> String {
        "<OutputClaim ClaimTypeReferenceId=\"\(claim)\" PartnerClaimType=\"\(partner)\"/>"
    }

    // MARK: OAuth 1.0

    private func twitter(_ more: KeyValuePairs<String, String> = [:]) throws -> World {
        let base: [(String, String)] = [
            ("client_id", "consumer"), ("request_token_endpoint", "https://api.idp.test/oauth/request_token"),
            ("authorization_endpoint", "https://api.idp.test/oauth/authenticate"),
            ("access_token_endpoint", "https://api.idp.test/oauth/access_token?dummy=x"),
            ("ClaimsEndpoint", "https://api.idp.test/account.json?include_email=true"),
        ]
        let items = (base + more.map { ($0.key, $0.value) }).map { "<Item Key=\"\($0.0)\">\($0.1)</Item>" }.joined()
        return try world(
            profile(
                "OAuth1", [:],
                outputs: output("issuerUserId", "user_id") + output("displayName", "screen_name")
                    + output("email", "email")
            ).replacing("<Metadata></Metadata>", with: "<Metadata>\(items)</Metadata>"))
    }

    /// What an `Authorization: OAuth` header says.
    private func fields(_ request: RequestMessage?) -> FormItems {
        var items = FormItems()
        let header = request?.headers["Authorization"] ?? ""
        for part in header.dropFirst("OAuth ".count).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            items.append(
                pair[0].trimmingSpaces, PercentCoding.decode(String(pair[1].filter { $0 != "\"" }), plusIsSpace: false))
        }
        return items
    }

    /// The signature that a request must have (RFC 5849, section 3.4.2), worked out from its parts.
    private func signature(_ request: RequestMessage?, tokenSecret: String, _ world: World) -> String {
        guard let request else { return "" }
        var parameters = fields(request).items.filter { $0.name != "oauth_signature" }
        parameters += request.url.queryItems.items
        let encoded = parameters.map { item in
            PercentCoding.encodeComponent(item.name) + "=" + PercentCoding.encodeComponent(item.value)
        }.sorted().joined(separator: "&")
        var base = request.url
        base.query = nil
        let text = [request.method, base.description, encoded].map(PercentCoding.encodeComponent).joined(separator: "&")
        let secret = PolicySecrets().secret("B2C_1A_ProviderSecret")
        let key = PercentCoding.encodeComponent(secret) + "&" + PercentCoding.encodeComponent(tokenSecret)
        return Base64.encode(SHA1.hmac(key: Array(key.utf8), Array(text.utf8)))
    }

    private func form(_ text: String) -> JourneyEvent { .finished(.answered(.text(200, text))) }

    @Test func anOAuth1ProviderSignsIn() throws {
        let world = try twitter()
        let run = world.begin()
        let first = run.callout
        #expect(first?.method == "POST" && first?.url.description == "https://api.idp.test/oauth/request_token")
        #expect(fields(first)["oauth_signature"] == signature(first, tokenSecret: "", world))
        #expect(fields(first)["oauth_callback"]?.contains("/oauth1/authresp?state=StateProperties%3D") == true)

        run.tell(form("oauth_token=req&oauth_token_secret=rs&oauth_callback_confirmed=true"))
        let redirect = try #require(run.redirect)
        #expect(redirect.url.queryItems["oauth_token"] == "req")
        run.tell(.reloaded)
        #expect(run.redirect?.url == redirect.url)
        run.tell(
            .providerReturned(
                AuthorizationResponse(
                    parameters: ["state": redirect.state, "oauth_token": "req", "oauth_verifier": "v"])))
        let second = run.callout
        #expect(fields(second)["oauth_verifier"] == "v" && fields(second)["oauth_token"] == "req")
        #expect(fields(second)["oauth_signature"] == signature(second, tokenSecret: "rs", world))
        #expect(fields(second)["oauth_nonce"] != fields(first)["oauth_nonce"])

        run.tell(form("oauth_token=acc&oauth_token_secret=as&user_id=6253282&screen_name=ada"))
        let third = run.callout
        #expect(third?.method == "GET" && third?.url.path == "/account.json")
        #expect(fields(third)["oauth_signature"] == signature(third, tokenSecret: "as", world))
        run.answer(["email": "ada@example.test"])
        #expect(run.claims["issuerUserId"] == "6253282" && run.claims["displayName"] == "ada")
        #expect(run.claims["email"] == "ada@example.test", "\(run.log)")
    }

    @Test func anOAuth1ProviderMayRefuse() throws {
        let world = try twitter()
        let denied = world.begin()
        denied.tell(form("oauth_token=req&oauth_token_secret=rs&oauth_callback_confirmed=true"))
        let state = denied.redirect?.state ?? ""
        denied.tell(.providerReturned(AuthorizationResponse(parameters: ["state": state, "denied": "req"])))
        #expect(denied.failure?.code?.id == "AADB2C90273")
        let unconfirmed = world.begin()
        unconfirmed.tell(form("oauth_token=req"))
        #expect(unconfirmed.failure?.code?.id == "AADB2C90273")
        let down = world.begin()
        down.tell(.finished(.failed(.timeout)))
        #expect(down.failure?.code?.id == "AADB2C90289")
    }

    // MARK: OAuth 2.0

    private static let oauth2: KeyValuePairs<String, String> = [
        "client_id": "app", "authorization_endpoint": "https://idp.test/authorize",
        "AccessTokenEndpoint": "https://idp.test/token", "ClaimsEndpoint": "https://idp.test/me",
    ]

    /// A run that stands after the redirect came back with a code.
    private func redeemed(_ world: World) -> Run {
        let run = world.begin()
        run.tell(
            .providerReturned(AuthorizationResponse(parameters: ["state": run.redirect?.state ?? "", "code": "c"])))
        return run
    }

    private func oauth2(
        _ more: KeyValuePairs<String, String>, outputs: String, keys: [String] = ["client_secret"], inside: String = ""
    ) throws -> World {
        let items = more.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let text = profile("OAuth2", Self.oauth2, outputs: outputs, keys: keys, more: inside)
        return try world(text.replacing("<Metadata>", with: "<Metadata>" + items))
    }

    @Test func nestedMembersNeedTheirSwitch() throws {
        let outputs = output("email", "elements[0].handle") + output("issuerUserId", "id")
        let answer: JSONValue = ["id": "7", "elements": [["handle": "ada@example.test"]]]
        for (flag, email) in [("true", JSONValue.string("ada@example.test") as JSONValue?), ("false", nil)] {
            let run = redeemed(try oauth2(["ResolveJsonPathsInJsonTokens": flag], outputs: outputs))
            run.answer(["access_token": "a"])
            run.answer(answer)
            #expect(run.claims["issuerUserId"] == "7" && run.claims["email"] == email, "\(flag) \(run.log)")
        }
    }

    @Test func parametersOfTheTokenAnswerTravelOn() throws {
        let world = try oauth2(
            [
                "ExtraParamsInAccessTokenEndpointResponse": "openid", "ExtraParamsInClaimsEndpointRequest": "openid",
                "AccessTokenResponseFormat": "Default",
            ], outputs: output("issuerUserId", "openid") + output("displayName", "name"))
        let run = redeemed(world)
        run.tell(form("access_token=a&openid=O-1"))
        #expect(run.callout?.url.queryItems["openid"] == "O-1" && run.callout?.url.queryItems["access_token"] == "a")
        run.answer(["name": "Ada"])
        #expect(run.claims["issuerUserId"] == "O-1" && run.claims["displayName"] == "Ada", "\(run.log)")
    }

    /// The answer of providers for browsers' scripts: an object as the argument of a call.
    @Test func aTokenAnswerMayBeJSONP() throws {
        let run = redeemed(
            try oauth2(["AccessTokenResponseFormat": "JsonP"], outputs: output("displayName", "name")))
        run.tell(form("callback( {\"access_token\":\"a\"} );"))
        #expect(run.callout?.url.queryItems["access_token"] == "a", "\(run.log)")
        run.answer(["name": "Ada"])
        #expect(run.claims["displayName"] == "Ada", "\(run.log)")
    }

    @Test func anErrorWithStatus200IsAnError() throws {
        let run = redeemed(try oauth2(["ResponseErrorCodeParamName": "errcode"], outputs: output("issuerUserId", "id")))
        run.answer(["errcode": 40029])
        #expect(run.failure?.code?.id == "AADB2C90289", "\(run.log)")
    }

    @Test func anErrorHandlerSendsThePersonAgain() throws {
        let handler = """
            <ErrorHandlers><ErrorHandler><ErrorResponseFormat>json</ErrorResponseFormat>\
            <ResponseMatch>$[?(@.error == 'invalid_grant')]</ResponseMatch><Action>Reauthenticate</Action>\
            <AdditionalRequestParameters Key="prompt">login</AdditionalRequestParameters></ErrorHandler></ErrorHandlers>
            """
        let run = redeemed(try oauth2([:], outputs: output("issuerUserId", "id"), inside: handler))
        run.answer(["error": "invalid_grant"], status: 400)
        #expect(run.redirect?.url.queryItems["prompt"] == "login", "\(run.log)")
        run.tell(
            .providerReturned(AuthorizationResponse(parameters: ["state": run.redirect?.state ?? "", "code": "d"])))
        run.answer(["access_token": "a"])
        run.answer(["id": "7"])
        #expect(run.claims["issuerUserId"] == "7", "\(run.log)")
    }

    @Test(arguments: ["$.error", "$[?(@.error)]", ""])
    func anErrorHandlerThatCannotBeReadFailsByName(_ match: String) throws {
        let handler = """
            <ErrorHandlers><ErrorHandler><ResponseMatch>\(match)</ResponseMatch><Action>Reauthenticate</Action>\
            </ErrorHandler></ErrorHandlers>
            """
        let run = redeemed(try oauth2([:], outputs: output("issuerUserId", "id"), inside: handler))
        run.answer(["error": "invalid_grant"], status: 400)
        #expect(run.failure?.text.hasPrefix("not simulated: ResponseMatch") == true, "\(run.log)")
    }

    // MARK: OpenID Connect

    @Test func aClientMaySignItsAssertion() throws {
        let world = try oauth2(
            ["token_endpoint_auth_method": "private_key_jwt"], outputs: output("issuerUserId", "id"),
            keys: ["assertion_signing_key"])
        let run = redeemed(world)
        let sent = try #require(run.callout?.form)
        let assertion = try #require(JWS(compact: sent["client_assertion"] ?? ""))
        let key = TestKeys.named("B2C_1A_ProviderSecret")
        #expect(assertion.verify(with: key.jwk))
        #expect(assertion.claims?["iss"] == "app" && assertion.claims?["aud"] == "https://idp.test/token")
        #expect(sent["client_secret"] == nil)
        run.answer(["access_token": "a"])
        run.answer(["id": "7"])
        #expect(run.claims["issuerUserId"] == "7")
    }

    @Test func claimsMayComeWithTheRedirect() throws {
        let world = try oauth2(
            ["ReadBodyClaimsOnIdpRedirect": "true"],
            outputs: output("issuerUserId", "id") + output("displayName", "user.name.firstName"))
        let run = world.begin()
        run.tell(
            .providerReturned(
                AuthorizationResponse(parameters: [
                    "state": run.redirect?.state ?? "", "code": "c", "user": #"{"name":{"firstName":"Ada"}}"#,
                ])))
        run.answer(["access_token": "a"])
        run.answer(["id": "7"])
        #expect(run.claims["displayName"] == "Ada", "\(run.log)")
    }
}
