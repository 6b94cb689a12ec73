import Determinism
import JSON
import Journeys
import Testing

@Suite struct SignInTests {
    @Test func `the combined page is shown, and claims are issued`() throws {
        let world = try World(flow: [:])
        let run = world.begin()
        #expect(run.page?.api == .combined)
        #expect(run.page?.contentDefinition == "api.signuporsignin")
        #expect(run.page?.technicalProfile == "SelfAsserted-LocalAccountSignin-Email")
        #expect(run.page?.fields.map(\.id) == ["email", "password"])
        #expect(run.page?.signUpExchange == "SignUpWithLogonEmailExchange")
        #expect(run.page?.forgotPassword == .legacy)
        #expect(run.page?.step == 1)
        #expect(run.submit(["email": "ada@example.test", "password": "Analytical-1843"]).isEnd == false)
        #expect(run.status == "200")
        run.confirm()
        let issuance = try #require(run.issuance)
        let ada = try #require(world.tenant.user(named: "ada"))
        #expect(issuance.objectID == ada.objectId)
        #expect(issuance.subject == ada.objectId.description)
        #expect(run.claims["name"] == "Ada")
        #expect(run.claims["emails"] == ["ada@example.test"])
        #expect(run.claims["tfp"] == "B2C_1_flow")
        #expect(issuance.authTime == world.now)
        #expect(!issuance.fromSession)
        #expect(issuance.session?.scope == "contoso.onmicrosoft.com")
        #expect(issuance.refresh?.identity == ada.objectId.description)
        #expect(run.steps == [1, 3, 4])
        #expect(run.profiles.contains("login-NonInteractive-Email"))
        #expect(!run.journey.claims.claims.contains { $0.value.text == "Analytical-1843" })
    }

    static let refusals: [(fields: [String: String], code: String?, text: String)] = [
        (["email": "ada@example.test", "password": "wrong"], "AADB2C90054", "password"),
        (["email": "nobody@example.test", "password": "wrong"], "AADB2C90053", "account"),
        (["email": "", "password": "x"], nil, "Email"),
        (["email": "ada@example.test", "password": ""], nil, "Password"),
        (["email": "not an address", "password": "x"], nil, "e-mail"),
    ]

    @Test(arguments: refusals.indices) func `bad credentials are refused on the page`(_ index: Int) throws {
        let row = Self.refusals[index]
        let world = try World(flow: [:])
        let run = world.begin()
        run.submit(["email": row.fields["email"] ?? "", "password": row.fields["password"] ?? ""])
        let answer = try #require(run.answerStop)
        #expect(answer.status == "400")
        #expect(answer.code?.id == row.code)
        #expect(answer.message?.contains(row.text) == true)
        // The page stays and the next try succeeds.
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.issuance != nil)
    }

    /// The password before the present one has a message of its own; older ones are as wrong as any.
    @Test func `an old password is reported as old`() throws {
        let world = try World(flow: [:])
        func answer(_ password: String) -> PageAnswer? {
            let run = world.begin()
            run.submit(["email": "ada@example.test", "password": password])
            return run.answerStop
        }
        func change(_ password: String) {
            world.tenancy.directory.configure(
                person: "ada", patch: ["password": .string(password)], tenant: world.tenant, at: world.now)
        }
        change("Second-2026")
        #expect(answer("Analytical-1843")?.message == "Looks like you used an old password.")
        #expect(answer("Analytical-1843")?.code == .c90054)
        #expect(answer("Analytical-1843 ")?.message == "Your password is incorrect.")
        // Writing the same password again makes no old one of it.
        change("Second-2026")
        #expect(answer("Analytical-1843")?.message == "Looks like you used an old password.")
        change("Third-2026")
        #expect(answer("Analytical-1843")?.message == "Your password is incorrect.")
        #expect(answer("Second-2026")?.message == "Looks like you used an old password.")
        #expect(answer("Third-2026")?.status == "200")
    }

    /// A policy without a message for old passwords has the one for wrong passwords.
    @Test(arguments: [
        (
            #"<Item Key="UserMessageIfOldPasswordUsed">Old.</Item><Item Key="UserMessageIfInvalidPassword">Wrong.</Item>"#,
            "Old."
        ),
        (#"<Item Key="UserMessageIfInvalidPassword">Wrong.</Item>"#, "Wrong."),
        ("", "Looks like you used an old password."),
    ]) func `an old password is reported in a policy`(_ metadata: String, _ message: String) throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["grant": "string"],
                types: ["name", "secret"].map {
                    #"<ClaimType Id="\#($0)"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>"#
                }.joined(),
                profiles: """
                    <TechnicalProfile Id="Login"><DisplayName>Login</DisplayName><Protocol Name="OpenIdConnect" /><Metadata>\
                    <Item Key="METADATA">https://login.microsoftonline.com/{tenant}/.well-known/openid-configuration</Item>\
                    \(metadata)</Metadata><InputClaims>\
                    <InputClaim ClaimTypeReferenceId="name" PartnerClaimType="username" />\
                    <InputClaim ClaimTypeReferenceId="secret" PartnerClaimType="password" />\
                    <InputClaim ClaimTypeReferenceId="grant" PartnerClaimType="grant_type" DefaultValue="password" />\
                    </InputClaims></TechnicalProfile>
                    """
                        + Inline.page(
                            "Page",
                            """
                            <OutputClaims><OutputClaim ClaimTypeReferenceId="name" />\
                            <OutputClaim ClaimTypeReferenceId="secret" /></OutputClaims><ValidationTechnicalProfiles>\
                            <ValidationTechnicalProfile ReferenceId="Login" /></ValidationTechnicalProfiles>
                            """), steps: Inline.steps("Page"))
        ])
        world.tenancy.directory.configure(
            person: "ada", patch: ["password": "Second-2026"], tenant: world.tenant, at: world.now)
        let run = world.begin()
        run.submit(["name": "ada@example.test", "secret": "Analytical-1843"])
        #expect(run.answerStop?.message == message)
    }

    @Test func `confirming without an accepted post ends the journey`() throws {
        let world = try World(flow: [:])
        let run = world.begin()
        run.submit(["email": "ada@example.test", "password": "wrong"])
        run.confirm()
        #expect(run.failure?.code?.id == "AADB2C90255")
        #expect(run.failure?.kind == .redirect(error: "server_error"))
        #expect(run.tell(.reloaded).isEnd == false)
        #expect(run.refusal != nil)
    }

    @Test func `cancel and forgotten password go to the app`() throws {
        let world = try World(flow: [:])
        let forgot = world.begin()
        forgot.tell(.forgotPassword)
        #expect(forgot.failure?.code?.id == "AADB2C90118")
        #expect(forgot.failure?.kind == .redirect(error: "access_denied"))
        let cancelled = world.begin()
        cancelled.tell(.signUp(hint: nil))
        cancelled.tell(.cancelled(code: nil, description: nil))
        #expect(cancelled.failure?.code?.id == "AADB2C90091")
    }

    @Test func `refused events change nothing`() throws {
        let world = try World(flow: [:])
        let run = world.begin()
        let before = run.journey
        for event: JourneyEvent in [
            .begin, .chose("NoSuchExchange"), .finished(.failed(.timeout)),
            .action(control: "x", name: "SendCode", [:]),
            .submitted(["request_type": "OTHER"]),
            .submitted(["request_type": "VERIFICATION_REQUEST", "claim_id": "x"]),
        ] {
            run.tell(event)
            #expect(run.refusal != nil)
            #expect(run.journey == before)
        }
        #expect(run.tell(.reloaded).isEnd == false)
        #expect(run.page?.api == .combined)
    }

    @Test func `login_hint fills in the name`() throws {
        let world = try World(flow: [:])
        let run = world.begin { $0.loginHint = "ada@example.test" }
        #expect(run.page?.fields.first?.prefilled == "ada@example.test")
        let plain = world.begin()
        #expect(plain.page?.fields.first?.prefilled == nil)
    }

    @Test func `prompt=none needs a session`() throws {
        let world = try World(flow: [:])
        let none = world.begin { $0.prompt = "none" }
        #expect(none.failure?.code?.id == "AADB2C90077")
        #expect(none.failure?.kind == .redirect(error: "interaction_required"))
    }

    @Test func `flows with user names ask for the identifier`() throws {
        let world = try World(flow: ["signInName": "username"])
        let run = world.begin()
        #expect(run.page?.fields.map(\.id) == ["logonIdentifier", "password"])
        run.fill(["logonIdentifier": "ada", "password": "Analytical-1843"])
        #expect(run.issuance != nil)
    }

    @Test(arguments: [
        (
            "accountEnabled", false, "AADB2C90111",
            "Your account has been locked. Contact your support person to unlock it, then try again."
        ),
        (
            "locked", true, "AADB2C90114",
            "Your account is temporarily locked to prevent unauthorized use. Try again later."
        ),
    ])
    func `blocked accounts have the service's words`(
        _ setting: String, _ value: Bool, _ code: String, _ message: String
    ) throws {
        let world = try World(flow: [:], ["users": ["ada": [setting: .bool(value)]]])
        let run = world.begin()
        run.submit(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.answerStop?.code?.id == code)
        #expect(run.answerStop?.message == message)
    }

    @Test func `a forced reset asks for a new password`() throws {
        let world = try World(flow: ["forcedReset": true], ["users": ["ada": ["forcePasswordChange": true]]])
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.page?.technicalProfile == "LocalAccountWritePasswordUsingObjectId")
        #expect(run.page?.fields.map(\.id) == ["newPassword", "reenterPassword"])
        run.submit(["newPassword": "Difference-1822", "reenterPassword": "Difference-1823"])
        #expect(run.status == "400")
        run.submit(["newPassword": "short", "reenterPassword": "short"])
        #expect(run.answerStop?.message?.contains("8") == true)
        run.fill(["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"])
        #expect(run.issuance != nil)
        let again = world.begin()
        again.submit(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(again.status == "400")
        again.fill(["email": "ada@example.test", "password": "Difference-1822"])
        #expect(again.issuance != nil)
    }

    /// 90 days after the last one, unless the account's `passwordPolicies` say otherwise. A file that says nothing has none.
    @Test(
        arguments: [
            ([:], 400, false), (["passwordPolicies": "None"], 88, false), (["passwordPolicies": "None"], 89, true),
            (["passwordPolicies": "DisableStrongPassword"], 89, true),
            (["passwordPolicies": "DisableStrongPassword, DisablePasswordExpiration"], 400, false),
            (["passwordPolicies": "None", "lastPasswordChangeDateTime": "2025-10-17T00:00:00Z"], 0, true),
            (["lastPasswordChangeDateTime": "2025-10-17T00:00:00Z"], 0, false),
        ] as [(JSONValue, Int64, Bool)])
    func `a password is due after 90 days`(_ more: JSONValue, _ days: Int64, _ isDue: Bool) throws {
        let world = try World(flow: ["forcedReset": true], ["users": ["ada": more]])
        world.now += .days(days)
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect((run.page?.technicalProfile == "LocalAccountWritePasswordUsingObjectId") == isDue)
        guard isDue else { return }
        run.fill(["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"])
        #expect(run.issuance != nil)
        for (wait, isDue) in [(89, false), (90, true)] as [(Int64, Bool)] {
            world.now += .days(wait - (isDue ? 89 : 0))
            let next = world.begin()
            next.fill(["email": "ada@example.test", "password": "Difference-1822"])
            #expect((next.issuance == nil) == isDue)
        }
    }

    @Test func `without a forced reset an expired password is refused`() throws {
        let world = try World(flow: [:], ["users": ["ada": ["forcePasswordChange": true]]])
        let run = world.begin()
        run.submit(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.status == "400")
        #expect(run.answerStop?.message?.contains("expired") == true)
    }

    @Test func `pages speak the language asked for`() throws {
        let world = try World(flow: ["languages": ["en", "de"]])
        #expect(world.begin().page?.title == "Sign in")
        #expect(world.begin { $0.uiLocales = "de-AT" }.page?.title == "Anmelden")
        #expect(world.begin { $0.acceptLanguage = "fr;q=0.9, de;q=0.8, en;q=0.7" }.page?.title == "Anmelden")
        let both = world.begin {
            $0.uiLocales = "en"
            $0.acceptLanguage = "de"
        }
        #expect(both.page?.locale == "en")
        let off = try World(flow: [:])
        #expect(off.begin { $0.uiLocales = "de" }.page?.title == "Sign in")
        // The enabled languages are for the browser's preference; a request gets what there is.
        let english = try World(flow: ["languages": ["en"]])
        #expect(english.begin { $0.uiLocales = "fr de-AT" }.page?.title == "Anmelden")
        #expect(english.begin { $0.acceptLanguage = "de" }.page?.title == "Sign in")
        #expect(english.begin { $0.uiLocales = "fr" }.page?.locale == "en")
    }
}
