import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import MockAuthority
import Synchronization
import Testing

/// Pages beyond the sign-in page, by the requests that their scripts make.
@Suite struct FlowTests {
    private func accepted(_ answer: ResponseMessage) {
        #expect(answer.json?["status"] == "200", "\(answer.refusal ?? answer.text)")
    }

    /// Newest code that went to an address.
    private func code(in world: inout TestWorld) throws -> String {
        let decision = world.authority.handle(.command(.inspect(.inbox)), at: world.now)
        guard case .answered(.value(let inbox)) = decision.reply else { return "" }
        return try #require(inbox.arrayValue?.last?["code"]?.stringValue)
    }

    /// Posts a page's fields with the values given, others empty.
    private func submit(
        _ page: PageSettings, _ values: [String: String], in world: inout TestWorld
    ) throws -> ResponseMessage {
        var form = FormItems()
        for field in page.fields {
            let inner = field.displayFields.isEmpty ? [field] : field.displayFields
            for field in inner { form.append(field.id, values[field.id] ?? field.prefilled ?? "") }
        }
        form.append("request_type", "RESPONSE")
        return try world.post(page, "SelfAsserted", form)
    }

    @Test func `a person signs up with a display control`() throws {
        var world = try TestWorld()
        let first = try #require(PageSettings.read(html: try world.authorize().text))
        let page = try #require(PageSettings.read(html: try world.navigate(first, "unified", "local=signup").text))
        let control = try #require(page.fields.first { $0.inputType == .displayControl })
        let codeField = try #require(control.displayFields.last)
        let action = "SelfAsserted/DisplayControlAction/vbeta/\(control.id)"
        accepted(try world.post(page, "\(action)/SendCode", ["email": "new@example.test"]))
        let code = try code(in: &world)
        let wrong = try world.post(
            page, "\(action)/VerifyCode",
            ["email": "new@example.test", codeField.id: code == "000000" ? "1" : "000000"])
        #expect(wrong.status == 200)
        #expect(wrong.json?["status"] != "200")
        accepted(try world.post(page, "\(action)/VerifyCode", ["email": "new@example.test", codeField.id: code]))
        let values = [
            "email": "new@example.test", codeField.id: code, "newPassword": "Newcomer-2026",
            "reenterPassword": "Newcomer-2026", "displayName": "Nina",
        ]
        accepted(try submit(page, values, in: &world))
        let end = try world.navigate(page, "confirmed")
        #expect(end.location?.queryItems["code"] != nil, "\(end.refusal ?? end.text)")
        #expect(
            world.events.contains {
                if case .message(let message) = $0 { message.to == "new@example.test" } else { false }
            })
    }

    @Test func `a person signs up with legacy verification`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["emailVerification": "legacy"]]])
        let first = try #require(PageSettings.read(html: try world.authorize().text))
        let page = try #require(PageSettings.read(html: try world.navigate(first, "unified", "local=signup").text))
        #expect(page.fields.first { $0.id == "email" }?.verify == true)
        let address = "new@example.test"
        accepted(
            try world.post(
                page, "SelfAsserted",
                ["request_type": "VERIFICATION_REQUEST", "claim_id": "email", "claim_value": address]))
        let code = try code(in: &world)
        accepted(
            try world.post(
                page, "SelfAsserted",
                ["request_type": "VALIDATION_REQUEST", "claim_id": "email", "claim_value": address, "user_input": code])
        )
        let values = [
            "email": address, "newPassword": "Newcomer-2026", "reenterPassword": "Newcomer-2026", "displayName": "Nina",
        ]
        accepted(try submit(page, values, in: &world))
        #expect(try world.navigate(page, "confirmed").location?.queryItems["code"] != nil)
    }

    @Test func `a second factor comes by SMS`() throws {
        var world = try TestWorld(
            patch: [
                "policies": ["susi": ["mfa": ["method": "sms", "when": "always"]]],
                "users": ["ada": ["phone": "+442079460000"]],
            ])
        let response = try world.signIn(on: try world.authorize())
        let page = try #require(PageSettings.read(html: response.text), "\(response.refusal ?? response.text)")
        #expect(page.api == "Phonefactor")
        let phone = try #require(page.phones?.first)
        #expect(!phone.maskedNumber.contains("20794600"))
        accepted(
            try world.post(
                page, "Phonefactor/verify",
                ["request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": String(phone.id)]))
        let code = try code(in: &world)
        let wrong = try world.post(
            page, "Phonefactor/verify",
            ["request_type": "VALIDATION_REQUEST", "verification_code": code == "000000" ? "000001" : "000000"])
        #expect(wrong.json?["status"] == "449")
        accepted(
            try world.post(
                page, "Phonefactor/verify", ["request_type": "VALIDATION_REQUEST", "verification_code": code]))
        let end = try world.navigate(page, "confirmed")
        #expect(end.location?.queryItems["code"] != nil, "\(end.refusal ?? end.text)")
    }

    @Test func `a password is reset`() throws {
        var world = try TestWorld(patch: ["policies": ["reset": ["id": "B2C_1_reset", "type": "passwordReset"]]])
        var response = try world.authorize("ios", policy: "B2C_1_reset")
        var page = try #require(PageSettings.read(html: response.text))
        let control = try #require(page.fields.first { $0.inputType == .displayControl })
        let codeField = try #require(control.displayFields.last)
        let action = "SelfAsserted/DisplayControlAction/vbeta/\(control.id)"
        accepted(try world.post(page, "\(action)/SendCode", ["email": "ada@example.test"]))
        let code = try code(in: &world)
        accepted(try world.post(page, "\(action)/VerifyCode", ["email": "ada@example.test", codeField.id: code]))
        accepted(try submit(page, ["email": "ada@example.test", codeField.id: code], in: &world))
        response = try world.navigate(page, "confirmed")
        page = try #require(PageSettings.read(html: response.text), "\(response.refusal ?? response.text)")
        accepted(
            try submit(page, ["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"], in: &world))
        #expect(try world.navigate(page, "confirmed").location?.queryItems["code"] != nil)
        let end = try world.signIn(
            on: try world.authorize("ios", [("prompt", "login")]), "ada@example.test", "Difference-1822")
        #expect(end.location?.queryItems["code"] != nil)
    }

    /// A provider's round trip: redirect, return address, call-outs for token, keys and claims.
    @Test func `a provider signs a person in`() throws {
        var world = try TestWorld(
            patch: [
                "providers": ["google": ["type": "oidc"]], "policies": ["susi": ["providers": ["google"]]],
                "users": ["ada": ["providers": ["google": ["sub": "g-1"]]]],
            ])
        let provider = try #require(world.tenant.provider(named: "google"))
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let choice = try #require(page.providers.first { $0.displayType == nil || $0.displayType == "Button" })
        world.peer = { request in
            switch request.url.description {
            case provider.endpoint(.discovery):
                return .json(
                    200,
                    [
                        "issuer": .string(provider.issuer),
                        "authorization_endpoint": .string(provider.endpoint(.authorize)),
                        "token_endpoint": .string(provider.endpoint(.token)),
                        "jwks_uri": .string(provider.endpoint(.keys)),
                    ])
            case provider.endpoint(.keys):
                return .json(200, ["keys": [.object(TestKeys.named("k3").jwk.json)]])
            case provider.endpoint(.token):
                let claims: JSONObject = [
                    "iss": .string(provider.issuer), "aud": .string(request.form?["client_id"] ?? ""), "sub": "g-1",
                    "name": "Ada", "email": "ada@example.test", "exp": 4_000_000_000, "iat": 1_768_478_400,
                    "nonce": .string(Self.nonce.withLock { $0 }),
                ]
                let token = JWS.sign(
                    header: ["alg": "RS256", "kid": .string(TestKeys.named("k3").kid), "typ": "JWT"], claims: claims,
                    key: TestKeys.named("k3"))
                return .json(200, ["access_token": "at", "token_type": "Bearer", "id_token": .string(token)])
            default: return .text(404, "")
            }
        }
        let away = try world.navigate(page, "unified", "claimsexchange=\(choice.id)")
        let location = try #require(away.location, "\(away.refusal ?? away.text)")
        #expect(location.description.hasPrefix(provider.endpoint(.authorize)))
        let query = location.queryItems
        #expect(query["redirect_uri"] == "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/authresp")
        Self.nonce.withLock { $0 = query["nonce"] ?? "" }
        let state = try #require(query["state"])
        #expect(away.headers.all("Set-Cookie").contains { $0.hasPrefix("x-ms-cpim-rc:") })
        let back = world.browse(
            .post(try #require(WebURL(query["redirect_uri"] ?? "")), form: ["state": state, "code": "c-1"]))
        #expect(back.location?.queryItems["code"] != nil, "\(back.refusal ?? back.text)")
        #expect(!world.jar.all.contains { $0.name.hasPrefix("x-ms-cpim-rc:") })
        // A second answer finds no journey.
        let again = world.browse(
            .post(try #require(WebURL(query["redirect_uri"] ?? "")), form: ["state": state, "code": "c-1"]))
        #expect(MockAuthorityTests.code(in: again.text) == "AADB2C90046")
        // Signing out leads over the provider and back.
        let out = world.browse(.get(try world.url(.logout, query: ["post_logout_redirect_uri": "https://a.test/"])))
        #expect(out.location?.description.hasPrefix(provider.endpoint(.logout)) == true)
        let next = try #require(out.location?.queryItems["post_logout_redirect_uri"])
        #expect(world.browse(.get(try #require(WebURL(next)))).headers["Location"] == "https://a.test/")
    }

    private static let nonce = Mutex("")
}
