import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import Testing

@Suite struct ProviderTests {
    @Test func `an OAuth provider is asked step by step`() throws {
        let world = try World(
            flow: ["providers": ["facebook"], "claims": ["displayName", "identityProvider", "newUser", "emails"]])
        let run = world.begin()
        #expect(run.page?.providers.map(\.id) == ["FacebookExchange"])
        #expect(run.page?.providers.first?.description == "Facebook")
        run.tell(.chose("FacebookExchange"))
        let redirect = try #require(run.redirect)
        let query = redirect.url.queryItems
        #expect(redirect.url.path == "/authorize")
        #expect(query["redirect_uri"] == "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/authresp")
        #expect(query["response_type"] == "code")
        let state = try #require(query["state"])
        #expect(state.hasPrefix("StateProperties="))
        run.tell(.providerReturned(AuthorizationResponse(parameters: ["state": "other", "code": "c"])))
        #expect(run.refusal != nil)
        run.tell(.providerReturned(AuthorizationResponse(parameters: ["state": state, "code": "code-1"])))
        let token = try #require(run.callout)
        #expect(token.url.path == "/token")
        #expect(token.form?["grant_type"] == "authorization_code")
        #expect(token.form?["code"] == "code-1")
        #expect(token.form?["client_secret"]?.isEmpty == false)
        run.answer(["access_token": "at-1", "token_type": "Bearer"])
        let claims = try #require(run.callout)
        #expect(claims.url.path == "/userinfo")
        #expect(claims.headers["Authorization"] == "Bearer at-1")
        run.answer(["id": "4711", "name": "Fay", "first_name": "Fay", "email": "fay@example.test"])
        // Somebody new completes the profile.
        #expect(run.page?.technicalProfile == "SelfAsserted-Social")
        #expect(run.page?.fields.map(\.prefilled) == ["Fay"])
        run.fill(["displayName": "Fay B"])
        #expect(run.claims["idp"] == "facebook.com")
        #expect(run.claims["newUser"] == true)
        #expect(run.claims["emails"] == ["fay@example.test"])
        #expect(run.claims["name"] == "Fay B")
        #expect(world.tenancy.directory.count == 2)
        // With the session the provider is asked at once, and the account is found again.
        let again = world.begin(session: run.issuance?.session?.id) { $0.prompt = "none" }
        let second = try #require(again.redirect?.url.queryItems["state"])
        again.tell(.providerReturned(AuthorizationResponse(parameters: ["state": second, "code": "code-2"])))
        again.answer(["access_token": "at-2"])
        again.answer(["id": "4711", "name": "Fay"])
        #expect(again.claims["name"] == "Fay B")
        #expect(again.claims["newUser"] == nil)
        #expect(again.issuance?.objectID == run.issuance?.objectID)
    }

    @Test func `an OpenID provider proves its token`() throws {
        let world = try World(
            flow: ["providers": ["contosoid"], "attributes": []],
            ["users": ["ada": ["providers": ["contosoid": ["sub": "s-1"]]]]])
        let key = TestKeys.key(0)
        func signIn(_ change: (inout JSONObject) -> Void = { _ in }, key signer: SigningKey = TestKeys.key(0)) -> Run {
            let run = world.begin { $0.domainHint = "contosoid.provider.test" }
            #expect(run.callout?.url.path == "/.well-known/openid-configuration")
            run.answer([
                "issuer": "https://contosoid.provider.test",
                "authorization_endpoint": "https://contosoid.provider.test/authorize",
                "token_endpoint": "https://contosoid.provider.test/token",
                "jwks_uri": "https://contosoid.provider.test/keys",
            ])
            let query = run.redirect?.url.queryItems
            #expect(query?["response_mode"] == "form_post")
            #expect(query?["scope"]?.hasPrefix("openid") == true)
            run.tell(
                .providerReturned(
                    AuthorizationResponse(parameters: ["state": query?["state"] ?? "", "code": "c"])))
            var claims: JSONObject = [
                "iss": "https://contosoid.provider.test", "sub": "s-1", "aud": .string(query?["client_id"] ?? ""),
                "exp": .integer(world.now.secondsSinceEpoch + 3600), "nonce": .string(query?["nonce"] ?? ""),
            ]
            change(&claims)
            let token = JWS.sign(header: ["alg": "RS256", "kid": .string(signer.kid)], claims: claims, key: signer)
            run.answer(["id_token": .string(token), "access_token": "x"])
            run.answer(.object(JWKSet(keys: [key.jwk]).json))
            return run
        }
        let run = signIn()
        #expect(run.issuance?.objectID == world.tenant.user(named: "ada")?.objectId, "\(run.log)")
        #expect(signIn { $0["nonce"] = "other" }.failure?.code?.id == "AADB2C90273")
        let refused: [(run: Run, code: String, insert: String?)] = [
            (signIn { $0["aud"] = "other" }, "AADB2C90237", nil),
            (signIn { $0["iss"] = "https://evil.test" }, "AADB2C90238", "https://contosoid.provider.test"),
            (signIn { $0["exp"] = 1 }, "AADB2C90235", nil),
            (signIn(key: TestKeys.key(1)), "AADB2C90239", nil),
        ]
        for row in refused {
            #expect(row.run.failure?.code?.id == row.code, "\(row.run.log)")
            #expect(row.run.failure?.kind == .page)
            if let insert = row.insert { #expect(row.run.failure?.inserts == [insert]) }
        }
        let unreadable = world.begin { $0.domainHint = "contosoid.provider.test" }
        unreadable.answer([
            "issuer": "https://contosoid.provider.test",
            "authorization_endpoint": "https://contosoid.provider.test/authorize",
            "token_endpoint": "https://contosoid.provider.test/token",
            "jwks_uri": "https://contosoid.provider.test/keys",
        ])
        unreadable.tell(
            .providerReturned(
                AuthorizationResponse(parameters: ["state": unreadable.redirect?.state ?? "", "code": "c"])))
        unreadable.answer(["id_token": "no token", "access_token": "x"])
        unreadable.answer(.object(JWKSet(keys: [key.jwk]).json))
        #expect(unreadable.failure?.code?.id == "AADB2C90240")
    }

    /// How B2C words the error of a provider, and with which error of its own the app gets it.
    static let providerErrors: [(parameters: FormItems, error: String, text: String)] = [
        (["error": "access_denied"], "access_denied", "Error: access_denied"),
        (
            ["error": "access_denied", "error_description": "Permissions error"], "access_denied",
            "Error: access_denied,Error Description: Permissions error"
        ),
        (
            ["error": "invalid_request", "error_description": "response_mode is invalid."], "server_error",
            "Error: invalid_request,Error Description: response_mode is invalid."
        ),
        (
            ["error": "redirect_uri_mismatch", "error_description": "No.", "error_uri": "https://idp.test/e"],
            "server_error", "Error: redirect_uri_mismatch,Error Description: No.,Error Uri: https://idp.test/e"
        ),
    ]

    @Test(arguments: providerErrors.indices) func `errors of a provider go to the app`(_ index: Int) throws {
        let row = Self.providerErrors[index]
        let run = try World(flow: ["providers": ["facebook"]]).begin { $0.domainHint = "facebook.com" }
        var parameters: FormItems = ["state": run.redirect?.state ?? ""]
        for item in row.parameters.items { parameters.append(item.name, item.value) }
        run.tell(.providerReturned(AuthorizationResponse(parameters: parameters)))
        #expect(run.failure?.code?.id == "AADB2C90273")
        #expect(run.failure?.kind == .redirect(error: row.error))
        #expect(run.failure?.inserts == [row.text])
    }

    @Test func `cancelling at the provider goes to the app`() throws {
        let world = try World(flow: ["providers": ["facebook"]])
        let run = world.begin { $0.domainHint = "facebook.com" }
        let state = run.redirect?.state ?? ""
        run.tell(.providerReturned(AuthorizationResponse(parameters: ["state": state, "error": "access_denied"])))
        #expect(run.failure?.code?.id == "AADB2C90273")
        #expect(run.failure?.kind == .redirect(error: "access_denied"))
    }

    @Test func `a provider that fails gives an error page`() throws {
        let world = try World(flow: ["providers": ["facebook"]])
        for result: CalloutResult in [
            .failed(.timeout), .answered(.json(400, ["error": "invalid_client"])), .answered(.text(200, "no JSON")),
        ] {
            let run = world.begin { $0.domainHint = "facebook.com" }
            let state = run.redirect?.state ?? ""
            run.tell(.reloaded)
            #expect(run.redirect?.state == state)
            run.tell(.providerReturned(AuthorizationResponse(parameters: ["state": state, "code": "c"])))
            run.tell(.reloaded)
            #expect(run.refusal != nil)
            run.tell(.finished(result))
            #expect(run.failure?.code?.id == "AADB2C90289")
            var named = ""
            if case .success(let response) = result.outcome, response.status == 400 { named = "an 'invalid_client' " }
            let expected = named.isEmpty ? "an " : named
            #expect(
                run.failure?.text
                    == "AADB2C90289: We encountered \(expected)error connecting to the identity provider. Please try again later."
            )
            #expect(run.failure?.kind == .page)
        }
    }

    @Test func `flows for sign-in alone create nobody`() throws {
        let world = try World(flow: ["type": "signIn", "providers": ["facebook"]])
        let run = world.begin { $0.domainHint = "facebook.com" }
        run.tell(
            .providerReturned(AuthorizationResponse(parameters: ["state": run.redirect?.state ?? "", "code": "c"])))
        run.answer(["access_token": "a"])
        run.answer(["id": "unknown"])
        #expect(run.failure?.text == "AADB2C99002: User does not exist. Please sign up before you can sign in.")
    }

    @Test func `sign up offers a choice`() throws {
        let world = try World(flow: ["type": "signUp", "providers": ["facebook"]])
        let run = world.begin()
        #expect(run.page?.api == .providerSelection)
        #expect(run.page?.providers.map(\.id) == ["FacebookExchange", "SignUpWithLogonEmailExchange"])
        run.tell(.chose("SignUpWithLogonEmailExchange"))
        #expect(run.page?.technicalProfile == "LocalAccountSignUpWithLogonEmail")
    }
}
