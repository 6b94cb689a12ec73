import B2CProtocol
import Determinism
import Diagnostics
import JSON
import Testing
import TrustFramework

@Suite struct UserFlowTests {
    static let settings: [JSONValue] = {
        let types = ["signUpOrSignIn", "signIn", "signUp", "profileEditing", "passwordReset", "ropc"]
        let variations: [JSONValue] = [
            [:], ["signInName": "username"], ["signInName": "either"], ["emailVerification": "legacy"],
            ["emailVerification": "off"], ["forgotPassword": "inFlow"], ["forgotPassword": "off"],
            ["mfa": ["when": "always"]], ["mfa": ["when": "always", "method": "call"]],
            ["mfa": ["when": "always", "method": "email"]],
            ["mfa": ["when": "always", "method": "email"], "emailVerification": "legacy"],
            ["mfa": ["when": "always", "method": "totp"]], ["mfa": ["when": "conditional"]],
            ["mfa": ["when": "conditional", "method": "totp", "session": false]], ["providers": ["facebook"]],
            ["providers": ["facebook", "contosoid"], "forgotPassword": "inFlow"],
            ["keepSignedIn": "P7D", "forcedReset": true], ["languages": ["de", "en", "fr"]],
            [
                "attributes": ["givenName", "surname", "city", "extension_Role"],
                "claims": ["extension_Role", "newUser", "idp"],
            ],
            ["session": ["scope": "policy", "lifetime": "PT15M", "rolling": false, "requireIdTokenInLogout": true]],
            ["tokens": ["accessToken": "PT5M", "issuer": "policy", "policyClaim": "acr", "subject": "notSupported"]],
            [
                "template": ["url": "https://pages.contoso.test/page.html"], "signInName": "username",
                "forgotPassword": "inFlow",
            ],
        ]
        return types.flatMap { type in variations.map { $0.merging(patch: ["type": .string(type)]) } }
    }()

    @Test(arguments: settings) func `every user flow compiles without findings`(_ settings: JSONValue) throws {
        let policy = try compile(settings)
        #expect(policy.findings.isEmpty)
        #expect(policy.id == "B2C_1_flow")
        #expect(policy.tokenIssuer != nil)
        // Without a refresh journey a refreshed token has the claims of the sign-in.
        #expect(policy.relyingParty.journey(endpoint: "token") == nil && policy.tokenIssuer?.refreshJourney == nil)
        #expect(policy[policy.relyingParty.defaultJourney].steps.last?.type == .sendClaims)
        #expect(try compile(settings).fingerprint == policy.fingerprint)
    }

    static let outlines: [(JSONValue, [String])] = [
        (
            [:],
            [
                "CombinedSignInAndSignUp SelfAsserted-LocalAccountSignin-Email",
                "ClaimsExchange LocalAccountSignUpWithLogonEmail", "ClaimsExchange AAD-UserReadUsingObjectId",
                "SendClaims",
            ]
        ),
        (
            ["type": "signIn", "signInName": "username"],
            [
                "CombinedSignInAndSignUp SelfAsserted-LocalAccountSignin-Identifier",
                "ClaimsExchange AAD-UserReadUsingObjectId", "SendClaims",
            ]
        ),
        (
            ["type": "signUp", "attributes": []],
            [
                "ClaimsExchange LocalAccountSignUpWithLogonEmail", "ClaimsExchange AAD-UserReadUsingObjectId",
                "SendClaims",
            ]
        ),
        (
            ["type": "signUp", "providers": ["facebook"], "attributes": []],
            [
                "ClaimsProviderSelection", "ClaimsExchange Facebook-OAUTH2|LocalAccountSignUpWithLogonEmail",
                "ClaimsExchange AAD-UserWriteUsingAlternativeSecurityId", "ClaimsExchange AAD-UserReadUsingObjectId",
                "SendClaims",
            ]
        ),
        (
            ["providers": ["facebook", "contosoid"], "forgotPassword": "inFlow", "forcedReset": true],
            [
                "CombinedSignInAndSignUp SelfAsserted-LocalAccountSignin-Email",
                "ClaimsExchange Facebook-OAUTH2|Contosoid-OIDC|ForgotPassword|LocalAccountSignUpWithLogonEmail",
                "InvokeSubJourney PasswordReset-InFlow",
                "ClaimsExchange AAD-UserReadUsingAlternativeSecurityId-NoError", "ClaimsExchange SelfAsserted-Social",
                "ClaimsExchange LocalAccountWritePasswordUsingObjectId", "ClaimsExchange AAD-UserReadUsingObjectId",
                "SendClaims",
            ]
        ),
        (
            ["type": "profileEditing", "mfa": ["when": "conditional", "method": "totp"]],
            [
                "CombinedSignInAndSignUp SelfAsserted-LocalAccountSignin-Email",
                "ClaimsExchange AAD-UserReadUsingObjectId", "ClaimsExchange ConditionalAccessEvaluation",
                "ClaimsExchange SelfAsserted-Blocked", "ClaimsExchange AzureMfa-GetAvailableDevices",
                "ClaimsExchange TotpFactor-Register", "ClaimsExchange TotpFactor-Verify",
                "ClaimsExchange ConditionalAccessRemediation", "ClaimsExchange SelfAsserted-ProfileUpdate",
                "SendClaims",
            ]
        ),
        (
            ["type": "passwordReset", "mfa": ["when": "always"], "signInName": "username"],
            [
                "ClaimsExchange LocalAccountDiscoveryUsingUserName", "ClaimsExchange PhoneFactor-InputOrVerify",
                "ClaimsExchange AAD-UserWritePhoneNumberUsingObjectId",
                "ClaimsExchange LocalAccountWritePasswordUsingObjectId", "ClaimsExchange AAD-UserReadUsingObjectId",
                "SendClaims",
            ]
        ),
        (
            ["type": "ropc", "mfa": ["when": "always"]],
            [
                "ClaimsExchange ResourceOwnerPasswordCredentials-OAUTH2", "ClaimsExchange AAD-UserReadUsingObjectId",
                "SendClaims",
            ]
        ),
    ]

    @Test(arguments: outlines) func `each user flow has its steps`(_ settings: JSONValue, _ steps: [String]) throws {
        let policy = try compile(settings)
        #expect(policy.outline(policy.relyingParty.defaultJourney) == steps)
    }

    private func profile(_ id: String, of policy: ResolvedPolicy) throws -> TechnicalProfile {
        policy[try #require(policy.profile(id))]
    }

    private func names(_ claims: [ProfileClaim], _ policy: ResolvedPolicy) -> [String] {
        claims.map { policy[$0.claim].id }
    }

    @Test func `the sign-in page has name and password first`() throws {
        for (kind, name, mode) in [("email", "email", "Email"), ("username", "logonIdentifier", "Username")] {
            let policy = try compile(["signInName": .string(kind)])
            let step = policy[policy.relyingParty.defaultJourney].steps[0]
            let page = policy[try #require(step.localSelection).profile]
            #expect(Array(names(page.outputClaims, policy).prefix(2)) == [name, "password"])
            #expect(page.metadata["setting.operatingMode"] == mode)
            #expect(page.metadata["SignUpTarget"] == "SignUpWithLogonEmailExchange")
            #expect(page.inputClaims.map(\.defaultValue) == ["{OIDC:LoginHint}"])
        }
    }

    @Test(arguments: [("redirect", nil, nil), ("inFlow", "ForgotPassword", nil), ("off", nil, "None")])
    func `the link for a forgotten password is on the page`(_ mode: String, _ exchange: String?, _ location: String?)
        throws
    {
        let policy = try compile(["forgotPassword": .string(mode)])
        let page = try profile("SelfAsserted-LocalAccountSignin-Email", of: policy)
        #expect(page.metadata["setting.forgotPasswordLinkOverride"] == exchange)
        #expect(page.metadata["setting.forgotPasswordLinkLocation"] == location)
    }

    @Test func `e-mail verification has three forms`() throws {
        let control = try compile(["emailVerification": "displayControl"])
        let shown = try profile("LocalAccountSignUpWithLogonEmail", of: control).displayClaims.map { claim in
            switch claim.target {
            case .claim(let handle): control[handle].id
            case .control(let handle): "[\(control[handle].id)]"
            }
        }
        #expect(shown == ["[emailVerificationControl]", "newPassword", "reenterPassword", "displayName"])

        let legacy = try compile(["emailVerification": "legacy"])
        let page = try profile("LocalAccountSignUpWithLogonEmail", of: legacy)
        #expect(page.displayClaims.isEmpty)
        #expect(page.outputClaims[0].partnerName == "Verified.Email")
        #expect(legacy[try #require(page.contentDefinition)].version == [1, 2, 0])

        let off = try compile(["emailVerification": "off"])
        let open = try profile("LocalAccountSignUpWithLogonEmail", of: off)
        #expect(open.displayClaims.isEmpty)
        #expect(open.outputClaims[0].partnerName == nil)
    }

    @Test func `display controls name their parts`() throws {
        let policy = try compile([:])
        let control = policy[try #require(policy.displayControl("emailVerificationControl"))]
        #expect(control.carrierClaim.map { policy[$0].id } == "email")
        #expect(control.codeClaim.map { policy[$0].id } == "emailVerificationCode")
        #expect(control.action("sendcode")?.profiles.map { policy[$0.profile].id } == ["AadSspr-SendCode"])
        #expect(policy[try #require(control.action("VerifyCode")).profiles[0].profile].handler == .aadSspr)
    }

    @Test func `attributes are asked for, written and returned`() throws {
        let policy = try compile(
            [
                "attributes": ["displayName", "extension_Points", "extension_Vip"],
                "claims": ["extension_Points", "extension_Vip", "displayName"],
            ], users: ["ada": ["extension_Points": 7, "extension_Vip": true]])
        let write = try profile("AAD-UserWriteUsingLogonEmail", of: policy)
        #expect(
            names(write.persistedClaims, policy) == [
                "email", "newPassword", "displayName", "passwordPolicies", "extension_Points", "extension_Vip",
            ])
        #expect(write.metadata["ApplicationObjectId"] != nil)
        #expect(policy[try #require(policy.claimType("extension_points"))].dataType == .int)
        #expect(policy[try #require(policy.claimType("extension_vip"))].dataType == .boolean)
        #expect(
            policy.relyingParty.outputClaims.map(\.wireName) == [
                "sub", "extension_Points", "extension_Vip", "name", "tfp",
            ])
    }

    @Test func `claims have their names in tokens`() throws {
        let policy = try compile([
            "claims": ["displayName", "objectId", "emails", "idp", "newUser", "givenName", "city", "tenantId"]
        ])
        #expect(
            policy.relyingParty.outputClaims.map(\.wireName) == [
                "sub", "name", "oid", "emails", "idp", "newUser", "given_name", "city", "tid", "tfp",
            ])
        #expect(policy[try #require(policy.claimType("emails"))].dataType == .stringCollection)
        #expect(policy[try #require(policy.claimType("newUser"))].dataType == .boolean)
        #expect(policy.relyingParty.subjectNaming?.claimType == "sub")
    }

    @Test func `token settings are compiled`() throws {
        let policy = try compile([
            "tokens": [
                "accessToken": "PT10M", "idToken": "PT20M", "refreshToken": "P2D", "slidingWindow": "P3D",
                "issuer": "policy", "policyClaim": "acr", "subject": "notSupported", "jsonNumbers": false,
                "keySet": "own",
            ]
        ])
        let issuer = try #require(policy.tokenIssuer)
        #expect(issuer.accessTokenLifetime == .minutes(10))
        #expect(issuer.idTokenLifetime == .minutes(20))
        #expect(issuer.refreshTokenLifetime == .days(2))
        #expect(issuer.slidingWindow == .days(3))
        #expect(issuer.issuerPattern == .policy)
        #expect(issuer.addsPolicyAsAcr)
        #expect(!issuer.jsonNumbers)
        #expect(policy.personality.keySet == "own")
        #expect(!policy.personality.discoveryClaims.contains("tfp"))
        let subject = try #require(policy.relyingParty.outputClaims.first { $0.wireName == "sub" })
        #expect(subject.defaultValue == "Not supported currently. Use oid claim.")
        #expect(!policy.relyingParty.outputClaims.contains { $0.wireName == "tfp" })
    }

    @Test func `sessions and keep me signed in are compiled`() throws {
        let policy = try compile([
            "keepSignedIn": "P7D",
            "session": ["scope": "application", "lifetime": "PT15M", "rolling": false, "requireIdTokenInLogout": true],
        ])
        #expect(
            policy.sessionBehavior
                == SessionBehavior(
                    scope: .application, keepAliveInDays: 7, enforceIdTokenHintOnLogout: true, expiryType: .absolute,
                    expiryInSeconds: 900))
        let page = try profile("SelfAsserted-LocalAccountSignin-Email", of: policy)
        #expect(page.metadata["setting.enableRememberMe"] == "true")
        #expect(try compile(["type": "signUp", "keepSignedIn": "P7D"]).sessionBehavior.keepAliveInDays == 0)
    }

    @Test func `providers are compiled`() throws {
        let policy = try compile(["providers": ["facebook", "contosoid"], "claims": ["idp_access_token"]])
        let facebook = try profile("Facebook-OAUTH2", of: policy)
        #expect(facebook.handler == .oauth2Provider)
        #expect(facebook.domains == ["facebook.com"])
        #expect(facebook.metadata["authorization_endpoint"] == "https://facebook.provider.test/authorize")
        #expect(facebook.key("client_secret") == "B2C_1A_FacebookSecret")
        #expect(facebook.outputClaims.contains { $0.wireName == "{oauth2:access_token}" })
        let oidc = try profile("Contosoid-OIDC", of: policy)
        #expect(oidc.handler == .openIdConnectProvider)
        #expect(oidc.metadata["METADATA"] == "https://contosoid.provider.test/.well-known/openid-configuration")
        let page = policy[policy.relyingParty.defaultJourney].steps[0]
        #expect(
            page.selections.map(\.id) == ["FacebookExchange", "ContosoidExchange", "LocalAccountSigninEmailExchange"])
    }

    @Test(arguments: [true, false]) func `a second factor is asked for once a session`(_ once: Bool) throws {
        let policy = try compile(["mfa": ["when": "always", "session": .bool(once)]])
        let phone = try profile("PhoneFactor-InputOrVerify", of: policy)
        #expect(phone.metadata["setting.authenticationMode"] == "sms")
        let session = policy[try #require(phone.sessionProfile)]
        #expect(session.handler == (once ? .defaultSession : .noopSession))
    }

    @Test func `limits of codes are the flow's personality`() throws {
        let policy = try compile([
            "mfa": ["when": "always", "maxTries": 2, "resendAfter": "PT5S", "codeLifetime": "PT1M"]
        ])
        #expect(
            policy.personality.mfaCodes
                == .init(lifetime: .minutes(1), maxTries: 2, resendAfter: .milliseconds(5000)))
        #expect(policy.personality.isUserFlow)
        #expect(policy.personality.keySet == "service")
    }

    /// Sign-in and sign-up pages of local accounts get the control; other pages, and flows without it, nothing.
    @Test(arguments: ["displayControl", "off"]) func `captchas are compiled`(_ verification: String) throws {
        let policy = try compile(["captcha": true, "emailVerification": .string(verification)])
        for id in ["SelfAsserted-LocalAccountSignin-Email", "LocalAccountSignUpWithLogonEmail"] {
            let page = try profile(id, of: policy)
            #expect(page.metadata["setting.enableCaptchaChallenge"] == "true")
            guard case .control(let last)? = page.displayClaims.last?.target else {
                Issue.record("\(id) has no control")
                continue
            }
            #expect(policy[last].type == .captcha && policy[last].id == "captchaControlChallengeCode")
        }
        let shown = try profile("LocalAccountSignUpWithLogonEmail", of: policy).displayClaims.compactMap { display in
            if case .claim(let claim) = display.target { policy[claim].id } else { nil }
        }
        #expect(
            shown == (verification == "off" ? ["email"] : []) + ["newPassword", "reenterPassword", "displayName"])
        let without = try compile([:])
        #expect(without.profile("HIP-GetChallenge") == nil)
        #expect(try compile(["captcha": true, "type": "passwordReset"]).profile("HIP-GetChallenge") == nil)
        #expect(try compile(["captcha": true, "type": "signIn", "emailVerification": "legacy"]).findings.isEmpty)
    }

    @Test func `forced reset reads the account after an expired password`() throws {
        let policy = try compile(["forcedReset": true])
        let page = try profile("SelfAsserted-LocalAccountSignin-Email", of: policy)
        #expect(
            page.validationProfiles.map { policy[$0.profile].id } == [
                "login-NonInteractive-Email", "AAD-UserReadUsingSignInEmail",
            ])
        #expect(page.validationProfiles[1].preconditions.map(\.executeActionsIf) == [false])
        let login = policy[page.validationProfiles[0].profile]
        #expect(login.handler == .passwordSignIn)
        #expect(login.inputClaims.contains { policy[$0.claim].id == "continueOnPasswordExpiration" })
        #expect(login.outputClaims.contains { policy[$0.claim].id == "passwordExpired" })
    }

    @Test func `languages are compiled`() throws {
        let policy = try compile(["languages": ["de", "en", "fr"]])
        #expect(policy.localization.enabled)
        #expect(policy.localization.defaultLanguage == "de")
        #expect(policy.language(accepted: ["es", "en-GB"]) == "en")
        #expect(policy.language(accepted: ["es"]) == "de")
        let page = try #require(policy.contentDefinition("api.signuporsignin"))
        #expect(policy.resources(of: page, language: "de")?.text("UxElement", nil, "BUTTON_SIGNIN") == "Anmelden")
        #expect(policy.resources(of: page, language: "fr")?.text("UxElement", nil, "button_signin") == "Sign in")
        let off = try compile([:])
        #expect(!off.localization.enabled)
        #expect(off.language(accepted: ["de"]) == "en")
    }

    /// Every text exists in both languages, for the same page.
    @Test func `texts are complete`() throws {
        let policy = try compile([:])
        for definition in policy.contentDefinitions where definition.id != "api.error" {
            let english = try #require(policy.resources(of: definition.handle, language: "en"))
            let german = try #require(policy.resources(of: definition.handle, language: "de"))
            for string in english.strings {
                let other = german.text(string.elementType, string.elementID, string.stringID)
                #expect(other?.isEmpty == false, "\(definition.id): \(string.stringID ?? "")")
                #expect(
                    other?.contains("{0}") == string.text.contains("{0}"), "\(definition.id): \(string.stringID ?? "")")
            }
            // What English pages take from the elements themselves is a text of its own in German.
            for type in policy.claimTypes where german.text("ClaimType", type.id, "DisplayName") != nil {
                #expect(
                    type.userHelpText == nil || german.text("ClaimType", type.id, "UserHelpText") != nil,
                    "\(definition.id): \(type.id)")
            }
        }
    }

    static let refused: [(JSONValue, [(message: String, pointer: String)])] = [
        (
            ["attributes": ["displayNam", "extension_"], "claims": ["objectID", "emial"]],
            [
                ("there is no attribute \"displayNam\"", "/policies/flow/attributes/0"),
                ("there is no attribute \"extension_\"", "/policies/flow/attributes/1"),
                ("there is no claim \"emial\"", "/policies/flow/claims/1"),
            ]
        ),
        (
            ["keepSignedIn": "PT36H"],
            [("keepSignedIn is a number of whole days from P1D to P90D", "/policies/flow/keepSignedIn")]
        ),
        (
            ["keepSignedIn": "P91D"],
            [("keepSignedIn is a number of whole days from P1D to P90D", "/policies/flow/keepSignedIn")]
        ),
        (
            ["captcha": true, "emailVerification": "legacy"],
            [("a sign-up page that verifies addresses in the field itself has no captcha", "/policies/flow/captcha")]
        ),
        (
            ["type": "profileEditing", "attributes": []],
            [("profile editing needs at least one attribute", "/policies/flow/attributes")]
        ),
    ]

    @Test(arguments: refused) func `settings that do not fit are refused by name`(
        _ settings: JSONValue, _ expected: [(message: String, pointer: String)]
    ) throws {
        let error = try #require(throws: InvalidInput.self) { try compile(settings) }
        #expect(error.diagnostics.map(\.message) == expected.map(\.message))
        #expect(error.diagnostics.map { $0.location?.pointer } == expected.map(\.pointer))
    }

    @Test func `the library compiles all flows`() throws {
        let tenant = try makeTenant(["a": [:], "b": ["type": "passwordReset"]])
        #expect(try PolicyLibrary.load(tenant: tenant, files: { _ in nil }).map(\.id) == ["a", "b"])
    }
}
