import Determinism
import JSON
import Journeys
import Testing

@Suite struct PasswordResetTests {
    @Test func `a separate policy resets the password`() throws {
        let world = try World(flow: ["type": "passwordReset"])
        let run = world.begin()
        #expect(run.page?.contentDefinition == "api.localaccountpasswordreset")
        run.prove("emailVerificationControl", "ada@example.test")
        run.fill(["email": "ada@example.test"])
        #expect(run.page?.fields.map(\.id) == ["newPassword", "reenterPassword"])
        run.fill(["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"])
        #expect(run.issuance?.objectID == world.tenant.user(named: "ada")?.objectId)
        #expect(world.tenancy.directory.account(of: "ada")?.password == "Difference-1822")
    }

    /// Hosted pages of tenants show both names; the texts are the same.
    @Test(arguments: [(true, "emailVerificationControl"), (false, "emailVerificationSSPRControl")])
    func `the first page has one of two controls`(isShared: Bool, control: String) throws {
        let world = try World(
            flow: ["type": "passwordReset", "languages": ["de", "en"]],
            ["authority": ["defaults": ["resetSharesVerificationControl": .bool(isShared)]]])
        let run = world.begin()
        #expect(run.page?.fields.map(\.id) == [control])
        for id in ["but_send_code", "success_verify_code_msg"] {
            #expect(run.page?.strings.contains { $0.id == "\(control)_\(id)" && !$0.text.isEmpty } == true, "\(id)")
        }
        run.prove(control, "ada@example.test")
        run.fill(["email": "ada@example.test"])
        #expect(run.page?.fields.map(\.id) == ["newPassword", "reenterPassword"])
    }

    /// The page that looks the account up hands on what later steps read: here the address of the authenticator's account.
    @Test func `the first page hands on the address`() throws {
        let world = try World(
            flow: [
                "type": "passwordReset", "signInName": "username", "mfa": ["when": "always", "method": "totp"],
            ])
        let run = world.begin()
        run.prove("emailVerificationControl", "ada@example.test")
        run.fill(["logonIdentifier": "ada", "email": "ada@example.test"])
        let page = try #require(run.page)
        #expect(page.technicalProfile == "TotpFactor-Register")
        let shown = page.fields.flatMap(\.displayFields).first { $0.id == "totpAccount" }
        #expect(shown?.prefilled == "ada@example.test")
    }

    @Test func `the sign-in flow resets the password`() throws {
        let world = try World(flow: ["forgotPassword": "inFlow", "claims": ["isForgotPassword", "displayName"]])
        let run = world.begin()
        #expect(run.page?.forgotPassword == .exchange("ForgotPassword"))
        #expect(run.page?.providers.map(\.id) == ["ForgotPassword"])
        run.tell(.chose("ForgotPassword"))
        run.prove("emailVerificationControl", "ada@example.test")
        run.fill(["email": "ada@example.test"])
        run.fill(["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"])
        #expect(run.issuance != nil)
        #expect(run.claims["isForgotPassword"] == true)
        #expect(run.claims["name"] == "Ada")
        let again = world.begin()
        again.fill(["email": "ada@example.test", "password": "Difference-1822"])
        #expect(again.issuance != nil)
        #expect(again.claims["isForgotPassword"] == nil)
    }

    @Test func `unknown addresses are reported`() throws {
        let world = try World(flow: ["type": "passwordReset"])
        let run = world.begin()
        run.prove("emailVerificationControl", "stranger@example.test")
        run.submit(["email": "stranger@example.test"])
        #expect(run.answerStop?.code?.id == "AADB2C99002")
    }

    @Test func `a new password unlocks the account and revokes tokens`() throws {
        let world = try World(["policies": ["flow": [:], "reset": ["type": "passwordReset"]]])
        let first = world.begin()
        first.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        let token = try #require(first.issuance?.refresh)
        let locked = world.begin()
        for n in 0..<10 { locked.submit(["email": "ada@example.test", "password": "wrong \(n)"]) }
        #expect(locked.answerStop?.code?.id == "AADB2C90114")
        let reset = world.begin("reset")
        reset.prove("emailVerificationControl", "ada@example.test")
        reset.fill(["email": "ada@example.test"])
        reset.fill(["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"])
        let fresh = try #require(reset.issuance?.refresh)
        let again = world.begin()
        again.fill(["email": "ada@example.test", "password": "Difference-1822"])
        #expect(again.issuance != nil)
        // Time stands still, and yet the older refresh token is revoked and the newer is not.
        #expect(world.tenancy.directory.state(of: token) == .revoked)
        #expect(world.tenancy.directory.state(of: fresh) == .good)
    }
}
