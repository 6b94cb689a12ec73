import Determinism
import JOSE
import JSON
import Testing

@testable import Journeys

@Suite struct SecondFactorTests {
    private func signedIn(_ mfa: JSONValue, _ more: JSONValue = [:]) throws -> (World, Run) {
        let world = try World(flow: ["mfa": mfa], more)
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        return (world, run)
    }

    @Test func `the page asks for a code by SMS`() throws {
        let (world, run) = try signedIn(["when": "always"])
        #expect(run.page?.api == .phoneFactor)
        #expect(run.page?.phones.map(\.maskedNumber) == ["XXX-XXX-0000"])
        run.tell(.submitted(["request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "1"]))
        #expect(run.status == "200")
        run.tell(.submitted(["request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "1"]))
        #expect(run.status == "429")
        let code = world.code(to: "+442079460000")
        #expect(world.tenancy.outbox.messages.last?.kind == .sms)
        run.tell(.submitted(["request_type": "VALIDATION_REQUEST", "verification_code": code == "1" ? "2" : "1"]))
        #expect(run.status == "449")
        run.tell(.submitted(["request_type": "VALIDATION_REQUEST", "verification_code": code]))
        #expect(run.status == "200")
        run.confirm()
        #expect(run.issuance != nil)
        // In the same session it is not asked again.
        let again = world.begin(session: run.issuance?.session?.id)
        #expect(again.issuance?.fromSession == true)
        // A new sign-in asks again.
        let login = world.begin(session: run.issuance?.session?.id) { $0.prompt = "login" }
        login.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(login.page?.api == .phoneFactor)
    }

    @Test func `the code is asked for each time if the session does not count`() throws {
        let (world, run) = try signedIn(["when": "always", "session": false, "method": "call"])
        run.tell(.submitted(["request_type": "VERIFICATION_REQUEST", "auth_type": "dialphone", "id": "1"]))
        #expect(world.tenancy.outbox.messages.last?.kind == .call)
        run.tell(.submitted(["request_type": "VALIDATION_REQUEST"]))
        #expect(run.status == "200")
        run.confirm()
        let again = world.begin(session: run.issuance?.session?.id)
        #expect(again.page?.api == .phoneFactor)
    }

    @Test func `three wrong codes end the journey`() throws {
        let (world, run) = try signedIn(["when": "always"])
        run.tell(.submitted(["request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "1"]))
        let wrong = world.code(to: "+442079460000") == "000000" ? "000001" : "000000"
        for _ in 0..<3 {
            run.tell(.submitted(["request_type": "VALIDATION_REQUEST", "verification_code": wrong]))
            #expect(run.status == "449")
        }
        run.tell(
            .submitted(["request_type": "VALIDATION_REQUEST", "verification_code": world.code(to: "+442079460000")]))
        #expect(run.answerStop?.code?.id == "AADB2C90151")
        run.confirm()
        #expect(run.failure?.code?.id == "AADB2C90151")
    }

    @Test func `a new number is entered and kept`() throws {
        let (world, run) = try signedIn(["when": "always"], ["users": ["ada": ["phone": nil]]])
        #expect(run.page?.phones.isEmpty == true)
        run.tell(
            .submitted([
                "request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "UserAsserted", "number": "12",
            ]))
        #expect(run.status == "448")
        run.tell(
            .submitted([
                "request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "UserAsserted",
                "number": "+442079461111",
            ]))
        run.tell(
            .submitted(["request_type": "VALIDATION_REQUEST", "verification_code": world.code(to: "+442079461111")]))
        run.confirm()
        #expect(run.issuance != nil)
        #expect(
            world.tenancy.directory.account(of: "ada")?.stored("strongAuthenticationPhoneNumber")
                == .text("+442079461111"))
    }

    @Test func `the page asks for a code by e-mail`() throws {
        let (_, run) = try signedIn(["when": "always", "method": "email"])
        let field = try #require(run.page?.fields.first?.displayFields.first)
        #expect(field.id == "readOnlyEmail")
        #expect(field.prefilled == "a**@example.test")
        #expect(field.isReadOnly)
        run.prove("emailVerificationControl-RO", "readOnlyEmail", "ada@example.test")
        #expect(run.status == "200")
        run.fill([:])
        #expect(run.issuance != nil)
    }

    @Test func `the page asks for a code by e-mail in the old form`() throws {
        let world = try World(flow: ["mfa": ["when": "always", "method": "email"], "emailVerification": "legacy"])
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.page?.fields.first?.verify == true)
        run.tell(
            .submitted(["request_type": "VERIFICATION_REQUEST", "claim_id": "readOnlyEmail", "claim_value": "a**@x"]))
        run.tell(
            .submitted([
                "request_type": "VALIDATION_REQUEST", "claim_id": "readOnlyEmail", "claim_value": "a**@x",
                "user_input": world.code(to: "ada@example.test"),
            ]))
        #expect(run.status == "200")
        run.fill([:])
        #expect(run.issuance != nil)
    }

    @Test(arguments: ["displayControl", "legacy"]) func `wrong codes by e-mail end the journey too`(_ form: String)
        throws
    {
        let world = try World(
            flow: ["mfa": ["when": "always", "method": "email", "maxTries": 2], "emailVerification": .string(form)])
        let run = world.begin()
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        let isLegacy = form == "legacy"
        let ask: JourneyEvent =
            isLegacy
            ? .submitted(["request_type": "VERIFICATION_REQUEST", "claim_id": "readOnlyEmail", "claim_value": "a"])
            : .action(control: "emailVerificationControl-RO", name: "SendCode", ["readOnlyEmail": "a"])
        run.tell(ask)
        let wrong = world.code(to: "ada@example.test") == "000000" ? "000001" : "000000"
        let tell: JourneyEvent =
            isLegacy
            ? .submitted([
                "request_type": "VALIDATION_REQUEST", "claim_id": "readOnlyEmail", "claim_value": "a",
                "user_input": wrong,
            ])
            : .action(
                control: "emailVerificationControl-RO", name: "VerifyCode",
                ["readOnlyEmail": "a", "emailVerificationCode": wrong])
        run.tell(tell)
        #expect(run.status == "400" && run.answerStop?.code?.id != "AADB2C90157")
        run.tell(tell)
        #expect(run.answerStop?.code?.id == "AADB2C90157")
        run.confirm()
        #expect(run.failure?.code?.id == "AADB2C90157")
    }

    @Test func `an authenticator is registered, then asked`() throws {
        let (world, run) = try signedIn(["when": "always", "method": "totp"])
        let page = try #require(run.page)
        #expect(page.technicalProfile == "TotpFactor-Register")
        let info = try #require(page.fields.first { $0.id == "authenticatorInfoControl" })
        let key = try #require(info.displayFields.first { $0.id == "secretKey" }?.prefilled)
        let picture = page.fields.first { $0.id == "totpQrCodeControl" }?.displayFields.first?.prefilled
        #expect(picture?.hasPrefix("otpauth://totp/") == true)
        #expect(picture?.contains("secret=\(key)") == true)
        run.fill([:])
        #expect(run.page?.technicalProfile == "TotpFactor-Verify")
        let secret = try #require(Base32.decode(key.uppercased()))
        run.submit(["otpCode": "12345"])
        #expect(run.status == "400")
        let right = OneTimePassword.timeCode(secret: secret, at: world.now)
        run.submit(["otpCode": right == "123456" ? "654321" : "123456"])
        #expect(run.status == "400")
        run.fill(["otpCode": right])
        #expect(run.issuance != nil)
        #expect(world.tenancy.directory.account(of: "ada")?.stored("strongAuthenticationAppSecretKey") == .text(key))
        // The next time the registered key counts.
        let again = world.begin()
        again.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(again.page?.technicalProfile == "TotpFactor-Verify")
        again.fill(["otpCode": OneTimePassword.timeCode(secret: secret, at: world.now, drift: 1)])
        #expect(again.issuance != nil)
    }

    @Test func `a key from the tenant file is registered`() throws {
        let (world, run) = try signedIn(
            ["when": "always", "method": "totp"], ["users": ["ada": ["totpSecret": "JBSWY3DPEHPK3PXP"]]])
        #expect(run.page?.technicalProfile == "TotpFactor-Verify")
        let secret = try #require(Base32.decode("JBSWY3DPEHPK3PXP"))
        run.fill(["otpCode": OneTimePassword.timeCode(secret: secret, at: world.now)])
        #expect(run.issuance != nil)
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false), (10, false)])
    func `codes of an authenticator are good for a step on either side`(_ drift: Int64, _ isAccepted: Bool) throws {
        let (world, run) = try signedIn(
            ["when": "always", "method": "totp"], ["users": ["ada": ["totpSecret": "JBSWY3DPEHPK3PXP"]]])
        let secret = try #require(Base32.decode("JBSWY3DPEHPK3PXP"))
        run.submit(["otpCode": OneTimePassword.timeCode(secret: secret, at: world.now, drift: drift)])
        #expect((run.status == "200") == isAccepted)
    }

    static let risks: [(risk: String, asks: Bool)] = [("none", false), ("low", true), ("high", true)]

    @Test(arguments: risks.indices) func `Conditional Access asks by risk`(_ index: Int) throws {
        let row = Self.risks[index]
        let (_, run) = try signedIn(["when": "conditional"], ["users": ["ada": ["risk": .string(row.risk)]]])
        #expect((run.page?.api == .phoneFactor) == row.asks)
        #expect((run.issuance != nil) == !row.asks)
    }

    @Test func `high risk without a second factor is blocked`() throws {
        let (_, run) = try signedIn(["when": "conditional"], ["users": ["ada": ["risk": "high", "phone": nil]]])
        #expect(run.page?.technicalProfile == "SelfAsserted-Blocked")
        run.tell(.cancelled(code: nil, description: nil))
        #expect(run.failure?.code?.id == "AADB2C90091")
    }
}
