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

    @Test func `an OAuth 1 provider signs a person in`() throws {
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

    @Test func `an OAuth 1 provider may refuse`() throws {
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

    /// A run at the point where the redirect has come back with a code.
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

    @Test func `nested members need their switch`() throws {
        let outputs = output("email", "elements[0].handle") + output("issuerUserId", "id")
        let answer: JSONValue = ["id": "7", "elements": [["handle": "ada@example.test"]]]
        for (flag, email) in [("true", JSONValue.string("ada@example.test") as JSONValue?), ("false", nil)] {
            let run = redeemed(try oauth2(["ResolveJsonPathsInJsonTokens": flag], outputs: outputs))
            run.answer(["access_token": "a"])
            run.answer(answer)
            #expect(run.claims["issuerUserId"] == "7" && run.claims["email"] == email, "\(flag) \(run.log)")
        }
    }

    @Test func `parameters of the token answer travel on`() throws {
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
    @Test func `a token answer may be JSONP`() throws {
        let run = redeemed(
            try oauth2(["AccessTokenResponseFormat": "JsonP"], outputs: output("displayName", "name")))
        run.tell(form("callback( {\"access_token\":\"a\"} );"))
        #expect(run.callout?.url.queryItems["access_token"] == "a", "\(run.log)")
        run.answer(["name": "Ada"])
        #expect(run.claims["displayName"] == "Ada", "\(run.log)")
    }

    /// Where the access token goes, and what goes with it.
    static let transmissions: [(more: KeyValuePairs<String, String>, query: String, header: String?)] = [
        ([:], "access_token=a", nil), (["ClaimsEndpointAccessTokenName": "token"], "token=a", nil),
        (["BearerTokenTransmissionMethod": "AuthorizationHeader"], "", "Bearer a"),
        (
            ["ClaimsEndpointFormatName": "format", "ClaimsEndpointFormat": "json-v2"],
            "access_token=a&format=json-v2", nil
        ),
        (
            [
                "ClaimsEndpointFormatName": "format", "ClaimsEndpointFormat": "json-v2",
                "BearerTokenTransmissionMethod": "AuthorizationHeader",
            ], "format=json-v2", "Bearer a"
        ),
        (
            [
                "ExtraParamsInClaimsEndpointRequest": "openid",
                "BearerTokenTransmissionMethod": "AuthorizationHeader",
            ], "openid=O-1", "Bearer a"
        ),
    ]

    @Test(arguments: transmissions.indices) func `the access token goes where the metadata say`(_ index: Int) throws {
        let row = Self.transmissions[index]
        let run = redeemed(try oauth2(row.more, outputs: output("issuerUserId", "id")))
        run.answer(["access_token": "a", "openid": "O-1"])
        #expect(run.callout?.url.query ?? "" == row.query)
        #expect(run.callout?.headers["Authorization"] == row.header)
    }

    /// An address with a query of its own keeps it as it is written.
    @Test func `the claims endpoint keeps its query`() throws {
        let text = profile("OAuth2", Self.oauth2, outputs: output("issuerUserId", "id")).replacing(
            "https://idp.test/me",
            with: "https://idp.test/me?fields=id,name</Item><Item Key=\"BearerTokenTransmissionMethod\">"
                + "AuthorizationHeader")
        let run = redeemed(try world(text))
        run.answer(["access_token": "a"])
        #expect(run.callout?.url.description == "https://idp.test/me?fields=id,name")
    }

    /// Further parameters of the authorization request: with commas between them as documented, or as in a query.
    static let additional: [(text: String, query: [String: String])] = [
        ("prompt=login", ["prompt": "login"]),
        ("prompt=login,acr=high", ["prompt": "login", "acr": "high"]),
        ("prompt=login, acr=high", ["prompt": "login", "acr": "high"]),
        ("prompt=login&amp;acr=high", ["prompt": "login", "acr": "high"]),
        ("fields=id,name,acr=high", ["fields": "id,name", "acr": "high"]),
        ("note=a%20b", ["note": "a b"]),
    ]

    @Test(arguments: additional.indices, ["OAuth2", "OpenIdConnect"])
    func `the request has further parameters`(_ index: Int, _ kind: String) throws {
        let row = Self.additional[index]
        let world = try world(
            profile(
                kind,
                [
                    "client_id": "app", "authorization_endpoint": "https://idp.test/authorize?own=1",
                    "AdditionalRequestQueryParameters": row.text,
                ], outputs: output("issuerUserId", "id")))
        let query = try #require(world.begin().redirect?.url.queryItems)
        for (name, value) in row.query { #expect(query[name] == value, "\(query)") }
        #expect(query["own"] == "1" && query["client_id"] == "app")
        #expect(query.items.count == (kind == "OAuth2" ? 5 : 8) + row.query.count, "\(query)")
    }

    /// `response_mode` is sent as it is written; without it OpenID Connect asks for a form.
    @Test(
        arguments: [
            ("OAuth2", nil, nil), ("OAuth2", "form_post", "form_post"), ("OpenIdConnect", nil, "form_post"),
            ("OpenIdConnect", "query", "query"),
        ] as [(String, String?, String?)])
    func `the answer has its mode`(_ kind: String, _ mode: String?, _ sent: String?) throws {
        let base: KeyValuePairs<String, String> = [
            "client_id": "app", "authorization_endpoint": "https://idp.test/authorize",
        ]
        let text = profile(kind, base, outputs: output("issuerUserId", "id"))
        let item = mode.map { "<Item Key=\"response_mode\">\($0)</Item>" } ?? ""
        let query = try #require(
            try world(text.replacing("<Metadata>", with: "<Metadata>\(item)")).begin().redirect?.url.queryItems)
        #expect(query["response_mode"] == sent)
    }

    /// The policy's name is in the return address when the metadata want it there; that of OAuth 1.0 has it otherwise too.
    @Test(
        arguments: [("true", "/b2c_1a_inline"), ("1", "/b2c_1a_inline"), ("false", ""), (nil, "")]
            as [(String?, String)])
    func `the return address may name the policy`(_ value: String?, _ policy: String) throws {
        let older = value == nil ? "/b2c_1a_inline" : policy
        let item: KeyValuePairs<String, String> = value.map { ["UsePolicyInRedirectUri": $0] } ?? [:]
        let first = try #require(try twitter(item).begin().callout)
        let callback = fields(first)["oauth_callback"] ?? ""
        #expect(
            callback.hasPrefix("https://contoso.b2clogin.com/contoso.onmicrosoft.com\(older)/oauth1/authresp?state="),
            "\(callback)")
        let redirect = try #require(try oauth2(item, outputs: output("issuerUserId", "id")).begin().redirect)
        #expect(
            redirect.url.queryItems["redirect_uri"]
                == "https://contoso.b2clogin.com/contoso.onmicrosoft.com\(policy)/oauth2/authresp")
    }

    /// Answers of the claims endpoint in another form than JSON are refused by name.
    @Test(arguments: ["JSON", "json", "xml"]) func `claims answers are JSON`(_ format: String) throws {
        let run = redeemed(try oauth2(["ClaimsResponseFormat": format], outputs: output("issuerUserId", "id")))
        run.answer(["access_token": "a"])
        let older = try twitter(["ClaimsResponseFormat": format]).begin()
        older.tell(form("oauth_token=req&oauth_token_secret=rs&oauth_callback_confirmed=true"))
        older.tell(
            .providerReturned(
                AuthorizationResponse(parameters: [
                    "state": older.redirect?.state ?? "", "oauth_token": "req", "oauth_verifier": "v",
                ])))
        older.tell(form("oauth_token=acc&oauth_token_secret=as"))
        let refusal = "not simulated: ClaimsResponseFormat xml at test.xml:"
        for run in [run, older] {
            #expect((run.callout != nil) == (format != "xml"), "\(run.log)")
            #expect((run.failure?.text.hasPrefix(refusal) ?? false) == (format == "xml"))
        }
    }

    /// A server error of a provider is a failure, whatever `MarkAsFailureOnStatusCode5xx` says.
    @Test(arguments: ["OAuth2", "OpenIdConnect"], ["true", "false"])
    func `server errors of providers are failures`(_ kind: String, _ marks: String) throws {
        let metadata: KeyValuePairs<String, String> = ["MarkAsFailureOnStatusCode5xx": marks]
        let run = redeemed(
            kind == "OAuth2"
                ? try oauth2(metadata, outputs: output("issuerUserId", "id"))
                : try openID(metadata, outputs: output("issuerUserId", "sub")))
        run.answer(["error": "server_error"], status: 503)
        #expect(run.failure?.code?.id == "AADB2C90289", "\(run.log)")
    }

    /// What the token answer holds may be claims too.
    @Test func `the token answer may be claims`() throws {
        let run = redeemed(
            try oauth2(
                [:],
                outputs: output("issuerUserId", "id") + output("extra", "{oauth2:access_token}")
                    + output("email", "{oauth2:token_type}")))
        run.answer(["access_token": "at-1", "token_type": "Bearer"])
        run.answer(["id": "7"])
        #expect(run.claims["extra"] == "at-1" && run.claims["email"] == "Bearer", "\(run.log)")
    }

    /// A provider known by several domains is found by each of them.
    @Test(arguments: [("one.test", true), ("two.test", true), ("TWO.TEST", true), ("three.test", false)])
    func `providers have domains`(_ hint: String, _ found: Bool) throws {
        let text = Inline.policy(
            claims: ["issuerUserId": "string"],
            profiles: profile("OAuth2", Self.oauth2, outputs: output("issuerUserId", "id"))
                + Inline.constants("Other", ["sub": "x"]),
            steps: """
                <OrchestrationStep Order="1" Type="ClaimsProviderSelection" ContentDefinitionReferenceId="api.page">
                <ClaimsProviderSelections><ClaimsProviderSelection TargetClaimsExchangeId="A" />
                <ClaimsProviderSelection TargetClaimsExchangeId="B" /></ClaimsProviderSelections></OrchestrationStep>
                <OrchestrationStep Order="2" Type="ClaimsExchange"><ClaimsExchanges>
                <ClaimsExchange Id="A" TechnicalProfileReferenceId="Provider" />
                <ClaimsExchange Id="B" TechnicalProfileReferenceId="Other" /></ClaimsExchanges></OrchestrationStep>
                """ + Inline.send(3)
        ).replacing("selfasserted:2.1.7", with: "providerselection:1.2.1").replacing(
            "<TechnicalProfile Id=\"Provider\">",
            with:
                "<TechnicalProfile Id=\"Provider\"><Domains><Domain>one.test</Domain><Domain>two.test</Domain></Domains>"
        )
        let run = try World(xml: [text]).begin { $0.domainHint = hint }
        #expect((run.redirect != nil) == found)
        #expect((run.page != nil) == !found)
    }

    @Test func `an error with status 200 is an error`() throws {
        let run = redeemed(try oauth2(["ResponseErrorCodeParamName": "errcode"], outputs: output("issuerUserId", "id")))
        run.answer(["errcode": 40029])
        #expect(run.failure?.code?.id == "AADB2C90289", "\(run.log)")
    }

    @Test func `an error handler sends the person again`() throws {
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
    func `an error handler that cannot be read fails by name`(_ match: String) throws {
        let handler = """
            <ErrorHandlers><ErrorHandler><ResponseMatch>\(match)</ResponseMatch><Action>Reauthenticate</Action>\
            </ErrorHandler></ErrorHandlers>
            """
        let run = redeemed(try oauth2([:], outputs: output("issuerUserId", "id"), inside: handler))
        run.answer(["error": "invalid_grant"], status: 400)
        #expect(run.failure?.text.hasPrefix("not simulated: ResponseMatch") == true, "\(run.log)")
    }

    // MARK: OpenID Connect

    @Test func `a client may sign its assertion`() throws {
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

    @Test func `claims may come with the redirect`() throws {
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

    /// An OpenID Connect profile that names its endpoints itself.
    private func openID(
        _ more: KeyValuePairs<String, String>, outputs: String, keys: [String] = ["client_secret"]
    ) throws -> World {
        let items = more.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let text = profile(
            "OpenIdConnect",
            [
                "client_id": "app", "authorization_endpoint": "https://idp.test/authorize",
                "token_endpoint": "https://idp.test/token", "jwks_uri": "https://idp.test/keys",
            ], outputs: outputs, keys: keys)
        return try world(text.replacing("<Metadata>", with: "<Metadata>" + items))
    }

    /// Sends the person there and back, and answers the token call with a token of these claims.
    private func identified(_ run: Run, _ claims: JSONObject, more: FormItems = [:]) {
        let query = run.redirect?.url.queryItems
        var parameters: FormItems = ["state": run.redirect?.state ?? "", "code": "c"]
        for item in more.items { parameters.append(item.name, item.value) }
        run.tell(.providerReturned(AuthorizationResponse(parameters: parameters)))
        var all: JSONObject = [
            "sub": "7", "aud": "app", "exp": .integer(run.world.now.secondsSinceEpoch + 3600),
            "nonce": .string(query?["nonce"] ?? ""),
        ]
        for member in claims.members { all[member.key] = member.value }
        let key = TestKeys.key(0)
        let token = JWS.sign(header: ["alg": "RS256", "kid": .string(key.kid)], claims: all, key: key)
        run.answer(["id_token": .string(token), "access_token": "x"])
        #expect(run.callout?.url.description == "https://idp.test/keys", "\(run.log)")
        run.answer(.object(JWKSet(keys: [key.jwk]).json))
    }

    /// Which issuers a multi-tenant provider may have: one of the prefixes; else the issuer that the metadata name.
    static let issuers: [(more: KeyValuePairs<String, String>, issuer: String, passes: Bool)] = [
        (["ValidTokenIssuerPrefixes": "https://one.test/,https://two.test/"], "https://two.test/tenant", true),
        (["ValidTokenIssuerPrefixes": "https://one.test/, https://two.test/"], "https://two.test/tenant", true),
        (["ValidTokenIssuerPrefixes": "https://one.test/"], "https://two.test/tenant", false),
        (
            ["ValidTokenIssuerPrefixes": "https://one.test/", "issuer": "https://two.test/"], "https://one.test/tenant",
            true
        ),
        (["issuer": "https://one.test/"], "https://one.test/", true),
        (["issuer": "https://one.test/"], "https://one.test/tenant", false),
    ]

    @Test(arguments: issuers.indices) func `issuers of tokens are checked`(_ index: Int) throws {
        let row = Self.issuers[index]
        let run = try openID(row.more, outputs: output("issuerUserId", "sub")).begin()
        identified(run, ["iss": .string(row.issuer)])
        #expect(run.claims["issuerUserId"] == (row.passes ? "7" : nil), "\(run.log)")
        if !row.passes { #expect(run.failure?.code?.id == "AADB2C90238") }
    }

    /// How the client says who it is, at an OpenID Connect provider.
    @Test(arguments: ["client_secret_post", "client_secret_basic", "private_key_jwt"])
    func `clients prove themselves`(_ method: String) throws {
        let run = try openID(
            ["token_endpoint_auth_method": method], outputs: output("issuerUserId", "sub"),
            keys: [method == "private_key_jwt" ? "assertion_signing_key" : "client_secret"]
        ).begin()
        let state = run.redirect?.state ?? ""
        run.tell(.providerReturned(AuthorizationResponse(parameters: ["state": state, "code": "c"])))
        let request = try #require(run.callout)
        #expect(request.url.description == "https://idp.test/token")
        let secret = PolicySecrets().secret("B2C_1A_ProviderSecret")
        #expect(request.form?["client_secret"] == (method == "client_secret_post" ? secret : nil))
        let basic = "Basic " + Base64.encode(Array("app:\(PercentCoding.encodeComponent(secret))".utf8))
        #expect(request.headers["Authorization"] == (method == "client_secret_basic" ? basic : nil))
        let assertion = request.form?["client_assertion"].flatMap { JWS(compact: $0) }
        #expect((assertion != nil) == (method == "private_key_jwt"))
        if let assertion {
            #expect(assertion.verify(with: TestKeys.named("B2C_1A_ProviderSecret").jwk))
            #expect(assertion.claims?["aud"] == "https://idp.test/token")
        }
    }

    /// Assertions are signed with RS256; another algorithm is refused by name.
    @Test(arguments: [("RS256", true), ("ES256", false)]) func `assertions are signed with RS256`(
        _ name: String, _ signs: Bool
    )
        throws
    {
        let run = redeemed(
            try openID(
                ["token_endpoint_auth_method": "private_key_jwt", "token_signing_algorithm": name],
                outputs: output("issuerUserId", "sub"), keys: ["assertion_signing_key"]))
        #expect((run.callout?.form?["client_assertion"] != nil) == signs)
        let refusal = "not simulated: token_signing_algorithm ES256 at test.xml:"
        #expect((run.failure?.text.hasPrefix(refusal) ?? false) == !signs)
    }

    /// `DiscoverMetadataByTokenIssuer`: the keys are those of the policy all the same, and the issuer must be allowed.
    @Test func `keys are those of the policy`() throws {
        for (issuer, passes) in [("https://one.test/tenant", true), ("https://two.test/tenant", false)] {
            let run = try openID(
                ["DiscoverMetadataByTokenIssuer": "true", "ValidTokenIssuerPrefixes": "https://one.test/"],
                outputs: output("issuerUserId", "sub")
            ).begin()
            identified(run, ["iss": .string(issuer)])
            #expect(run.claims["issuerUserId"] == (passes ? "7" : nil), "\(run.log)")
        }
    }

    /// What comes with the redirect is read only where the metadata say so.
    @Test(arguments: [("true", "Ada"), ("false", nil)] as [(String, JSONValue?)])
    func `claims may come with the redirect of an OpenID provider`(_ reads: String, _ name: JSONValue?) throws {
        let run = try openID(
            ["ReadBodyClaimsOnIdpRedirect": reads],
            outputs: output("issuerUserId", "sub") + output("displayName", "user.name.firstName")
        ).begin()
        identified(run, [:], more: ["user": #"{"name":{"firstName":"Ada"}}"#])
        #expect(run.claims["issuerUserId"] == "7" && run.claims["displayName"] == name, "\(run.log)")
    }
}
