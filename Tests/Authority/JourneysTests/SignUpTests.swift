import Determinism
import HTTPMessages
import JSON
import Testing

@testable import Journeys

@Suite struct SignUpTests {
    static let form: FormItems = [
        "email": "nina@example.test", "newPassword": "Newcomer-2026", "reenterPassword": "Newcomer-2026",
        "displayName": "Nina",
    ]

    @Test func `a person signs up with a display control`() throws {
        let world = try World(flow: ["claims": ["displayName", "emails", "newUser", "objectId"]])
        let run = world.begin()
        run.tell(.signUp(hint: "nina@example.test"))
        let page = try #require(run.page)
        #expect(page.api == .selfAsserted)
        #expect(page.technicalProfile == "LocalAccountSignUpWithLogonEmail")
        #expect(page.step == 2)
        let control = try #require(page.fields.first)
        #expect(control.inputType == .displayControl)
        #expect(control.displayFields.map(\.id) == ["email", "emailVerificationCode"])
        #expect(control.displayFields.first?.prefilled == "nina@example.test")
        run.submit(Self.form)
        #expect(run.answerStop?.message?.contains("not verified") == true)
        run.prove("emailVerificationControl", "nina@example.test")
        #expect(run.status == "200")
        run.fill(Self.form)
        let nina = try #require(world.tenant.user(named: "nina"))
        #expect(run.issuance?.objectID == nina.objectId)
        #expect(run.claims["newUser"] == true)
        #expect(run.claims["emails"] == ["nina@example.test"])
        #expect(world.tenancy.directory.account(of: "nina")?.password == "Newcomer-2026")
        #expect(world.tenancy.outbox.messages.count == 1)
        // The second time she is not a new user.
        let again = world.begin()
        again.fill(["email": "nina@example.test", "password": "Newcomer-2026"])
        #expect(again.issuance != nil)
        #expect(again.claims["newUser"] == nil)
    }

    @Test func `a person signs up with legacy verification`() throws {
        let world = try World(flow: ["emailVerification": "legacy"])
        let run = world.begin()
        run.tell(.signUp(hint: nil))
        #expect(run.page?.fields.first { $0.id == "email" }?.verify == true)
        run.tell(
            .submitted([
                "request_type": "VERIFICATION_REQUEST", "claim_id": "email", "claim_value": "nina@example.test",
            ]))
        #expect(run.status == "200")
        let code = world.code(to: "nina@example.test")
        #expect(code.count == 6)
        func check(_ code: String) {
            run.tell(
                .submitted([
                    "request_type": "VALIDATION_REQUEST", "claim_id": "email", "claim_value": "nina@example.test",
                    "user_input": code,
                ]))
        }
        check(code == "000000" ? "000001" : "000000")
        #expect(run.status == "400")
        run.submit(Self.form)
        #expect(run.status == "400")
        check(code)
        #expect(run.status == "200")
        run.fill(Self.form)
        #expect(run.issuance != nil)
    }

    @Test func `verification can be off`() throws {
        let world = try World(flow: ["type": "signUp", "emailVerification": "off"])
        let run = world.begin()
        #expect(run.page?.fields.map(\.id) == ["email", "newPassword", "reenterPassword", "displayName"])
        run.fill(Self.form)
        #expect(run.issuance != nil)
    }

    @Test func `a taken name is refused and changes nothing`() throws {
        let world = try World(flow: ["type": "signUp", "emailVerification": "off"])
        let run = world.begin()
        run.submit([
            "email": "ADA@example.test", "newPassword": "Newcomer-2026", "reenterPassword": "Newcomer-2026",
            "displayName": "Somebody",
        ])
        #expect(run.status == "400")
        #expect(run.answerStop?.message?.contains("already") == true)
        #expect(world.tenancy.directory.count == 1)
    }

    @Test func `weak passwords are refused`() throws {
        let world = try World(flow: ["type": "signUp", "emailVerification": "off"])
        let run = world.begin()
        for password in ["short", "alllowercase", String(repeating: "aB1", count: 30)] {
            run.submit([
                "email": "nina@example.test", "newPassword": password, "reenterPassword": password, "displayName": "N",
            ])
            #expect(run.status == "400")
        }
        #expect(world.tenancy.directory.account(of: "nina") == nil)
    }

    @Test func `wrong codes run out`() throws {
        let world = try World(flow: [:])
        let run = world.begin()
        run.tell(.signUp(hint: nil))
        run.tell(.action(control: "emailVerificationControl", name: "SendCode", ["email": "nina@example.test"]))
        let code = world.code(to: "nina@example.test")
        let wrong = code == "111111" ? "222222" : "111111"
        var messages: [String] = []
        for _ in 0..<6 {
            run.tell(
                .action(
                    control: "emailVerificationControl", name: "VerifyCode",
                    ["email": "nina@example.test", "emailVerificationCode": wrong]))
            #expect(run.status == "400")
            messages.append(run.answerStop?.message ?? "")
        }
        #expect(messages.first != messages.last)
        run.tell(
            .action(
                control: "emailVerificationControl", name: "VerifyCode",
                ["email": "nina@example.test", "emailVerificationCode": code]))
        #expect(run.status == "400")
        // A new code starts over; an old one expires.
        run.tell(.action(control: "emailVerificationControl", name: "SendCode", ["email": "nina@example.test"]))
        world.advance(.minutes(20))
        run.tell(
            .action(
                control: "emailVerificationControl", name: "VerifyCode",
                ["email": "nina@example.test", "emailVerificationCode": world.code(to: "nina@example.test")]))
        #expect(run.answerStop?.message?.contains("expired") == true)
    }

    @Test func `the address that is proved is the address that is used`() throws {
        let world = try World(flow: [:])
        let run = world.begin()
        run.tell(.signUp(hint: nil))
        run.prove("emailVerificationControl", "other@example.test")
        run.submit(Self.form)
        #expect(run.status == "400")
        #expect(world.tenancy.directory.account(of: "nina") == nil)
    }

    @Test func `custom attributes reach token and directory`() throws {
        let world = try World(
            flow: [
                "type": "signUp", "emailVerification": "off", "attributes": ["displayName", "city", "extension_Role"],
                "claims": ["city", "extension_Role"],
            ])
        let run = world.begin()
        var form = Self.form
        form.append("city", "Turin")
        form.append("extension_Role", "auditor")
        run.fill(form)
        #expect(run.claims["extension_Role"] == "auditor")
        #expect(run.claims["city"] == "Turin")
        #expect(world.tenancy.directory.account(of: "nina")?.stored("extension_Role") == .text("auditor"))
    }

    @Test func `without the extensions app custom attributes fail`() throws {
        let world = try World(
            flow: ["type": "signUp", "emailVerification": "off", "attributes": ["extension_Role"]],
            ["authority": ["extensionsApp": false]])
        let run = world.begin()
        var form = Self.form
        form.append("extension_Role", "auditor")
        run.submit(form)
        #expect(run.failure?.code?.id == "AADB2C99006")
    }
}

extension Run {
    /// Proves `email` in a display control.
    func prove(_ control: String, _ address: String) { prove(control, "email", address) }
}
