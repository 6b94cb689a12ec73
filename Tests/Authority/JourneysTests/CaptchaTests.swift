import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Testing

@testable import Journeys

/// Captchas (Microsoft docs: add-captcha, display-control-captcha, captcha-technical-profile).
@Suite struct CaptchaTests {
    private static let controlID = "captchaControlChallengeCode"

    private static let control = """
        <DisplayControl Id="captchaControlChallengeCode" UserInterfaceControlType="CaptchaControl" DisplayName="A person?">
        <InputClaims><InputClaim ClaimTypeReferenceId="challengeType" />
        <InputClaim ClaimTypeReferenceId="challengeId" /></InputClaims>
        <DisplayClaims><DisplayClaim ClaimTypeReferenceId="challengeType" ControlClaimType="ChallengeType" />
        <DisplayClaim ClaimTypeReferenceId="challengeId" ControlClaimType="ChallengeId" />
        <DisplayClaim ClaimTypeReferenceId="challengeString" ControlClaimType="ChallengeString" />
        <DisplayClaim ClaimTypeReferenceId="captchaEntered" ControlClaimType="CaptchaEntered" /></DisplayClaims>
        <Actions><Action Id="GetChallenge"><ValidationClaimsExchange>
        <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Get" /></ValidationClaimsExchange></Action>
        <Action Id="VerifyChallenge"><ValidationClaimsExchange>
        <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="Verify" /></ValidationClaimsExchange></Action>
        </Actions></DisplayControl>
        """

    private static func profile(_ id: String, _ operation: String, _ claims: String) -> String {
        """
        <TechnicalProfile Id="\(id)"><DisplayName>\(id)</DisplayName>\(Inline.handler("Providers.CaptchaProvider"))
        <Metadata><Item Key="Operation">\(operation)</Item><Item Key="Brand">HIP</Item></Metadata>\(claims)
        </TechnicalProfile>
        """
    }

    /// A page that asks for a nickname, and a captcha where `metadata` says so.
    private func world(
        metadata: KeyValuePairs<String, String> = ["setting.enableCaptchaChallenge": "true"], flag: String? = nil
    ) throws -> World {
        let get = Self.profile(
            "Get", "GetChallenge",
            """
            <InputClaims><InputClaim ClaimTypeReferenceId="challengeType" /></InputClaims><OutputClaims>
            <OutputClaim ClaimTypeReferenceId="challengeId" />
            <OutputClaim ClaimTypeReferenceId="challengeString" PartnerClaimType="ChallengeString" />
            <OutputClaim ClaimTypeReferenceId="azureregion" /></OutputClaims>
            """)
        let verify = Self.profile(
            "Verify", "VerifyChallenge",
            """
            <InputClaims><InputClaim ClaimTypeReferenceId="challengeType" DefaultValue="Visual" />
            <InputClaim ClaimTypeReferenceId="challengeId" />
            <InputClaim ClaimTypeReferenceId="captchaEntered" PartnerClaimType="inputSolution" />
            <InputClaim ClaimTypeReferenceId="azureregion" /></InputClaims><OutputClaims>
            <OutputClaim ClaimTypeReferenceId="challengeId" />
            <OutputClaim ClaimTypeReferenceId="isCaptchaSolved" PartnerClaimType="solved" />
            <OutputClaim ClaimTypeReferenceId="reason" /></OutputClaims>
            """)
        let page = Inline.page(
            "Ask", metadata: metadata,
            """
            <DisplayClaims><DisplayClaim ClaimTypeReferenceId="nickname" />
            <DisplayClaim DisplayControlReferenceId="captchaControlChallengeCode" /></DisplayClaims>
            <OutputClaims><OutputClaim ClaimTypeReferenceId="nickname" />
            <OutputClaim ClaimTypeReferenceId="reason" /></OutputClaims>
            """)
        let flags = flag.map { Inline.constants("Flags", ["signupCaptchaEnabled": $0]) } ?? ""
        let world = try World(xml: [
            Inline.policy(
                claims: [
                    "challengeType": "string", "challengeId": "string", "challengeString": "string",
                    "captchaEntered": "string", "azureregion": "string", "isCaptchaSolved": "boolean",
                    "reason": "string", "signupCaptchaEnabled": "string",
                ],
                types: """
                    <ClaimType Id="nickname"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>
                    """, controls: Self.control, profiles: get + verify + page + flags,
                steps: flag == nil ? Inline.steps("Ask") : Inline.steps("Flags", "Ask"),
                outputs: ["nickname", "reason"])
        ])
        world.recodes = true
        return world
    }

    /// Asks for a picture; its challenge and what it shows.
    private func picture(_ run: Run, _ world: World) throws -> (id: String, text: String) {
        run.tell(.action(control: Self.controlID, name: "GetChallenge", ["challengeType": "Visual"]))
        let answer = try #require(run.answerStop)
        #expect(answer.status == "200")
        #expect(answer.extra.members.map(\.key) == ["challengeId", "challengeString", "azureregion"])
        let id = try #require(answer.extra["challengeId"]?.stringValue)
        let message = try #require(world.tenancy.outbox.newest(to: id))
        #expect(message.kind == .captcha)
        return (id, try #require(message.code))
    }

    private func check(_ run: Run, _ id: String, _ text: String) -> JSONObject {
        run.tell(
            .action(
                control: Self.controlID, name: "VerifyChallenge",
                ["challengeId": id, "captchaEntered": text, "challengeType": "Visual", "azureRegion": ""]))
        return run.answerStop?.extra ?? JSONObject()
    }

    @Test func `a post is taken once the captcha is solved`() throws {
        let world = try world()
        let run = world.begin()
        #expect(run.page?.fields.map(\.id) == ["nickname", Self.controlID])
        #expect(run.page?.fields.last?.displayName == "A person?")
        #expect(run.page?.config.contains { $0.name == "enableCaptchaChallenge" && $0.value == "true" } == true)
        run.submit(["nickname": "ada"])
        #expect(run.answerStop?.message == "Enter the characters of the picture.")
        let (id, text) = try picture(run, world)
        // Letter case does not matter.
        let answer = check(run, id, text.lowercased())
        #expect(answer["isCaptchaSolved"] == "True")
        #expect(answer["reason"] == "Solved")
        #expect(answer["challengeId"] == .string(id))
        run.fill(["nickname": "ada", Self.controlID: text])
        #expect(run.claims["reason"] == "Solved")
        #expect(!run.log.contains("RECODING CHANGED THE JOURNEY"))
    }

    @Test func `a picture takes one answer`() throws {
        let world = try world()
        let run = world.begin()
        let (id, text) = try picture(run, world)
        #expect(check(run, id, "?????")["reason"] == "WrongAnswer")
        #expect(check(run, id, text)["reason"] == "NoChallengeSession")
        #expect(check(run, "of another journey", text)["isCaptchaSolved"] == "False")
        run.submit(["nickname": "ada"])
        #expect(run.status == "400")
        let late = try picture(run, world)
        world.now = world.now + .minutes(5)
        #expect(check(run, late.id, late.text)["reason"] == "NoChallengeSession")
        let second = try picture(run, world)
        #expect(second.id != id)
        #expect(check(run, second.id, second.text)["reason"] == "Solved")
        run.submit(["nickname": "ada"])
        #expect(run.status == "200")
        // It has let one post through; another needs another picture.
        run.submit(["nickname": "eve"])
        #expect(run.status == "400")
    }

    @Test(arguments: [("true", true), ("True", true), ("false", false)])
    func `a flag of the journey switches the captcha`(_ flag: String, _ asks: Bool) throws {
        let run = try world(flag: flag).begin()
        #expect(run.page?.fields.contains { $0.id == Self.controlID } == asks)
        run.submit(["nickname": "ada"])
        #expect(run.status == (asks ? "400" : "200"))
    }

    @Test func `a captcha is off if the profile does not ask for it`() throws {
        let run = try world(metadata: [:]).begin()
        #expect(run.page?.fields.map(\.id) == ["nickname"])
        run.fill(["nickname": "ada"])
        #expect(run.issuance != nil)
    }

    /// The switch of a user flow: nobody signs in or up without the characters.
    @Test func `user flows ask on their local pages`() throws {
        let world = try World(flow: ["captcha": true, "emailVerification": "off"])
        world.recodes = true
        let run = world.begin()
        #expect(run.page?.fields.map(\.id) == ["email", "password", Self.controlID])
        #expect(run.page?.fields.last?.displayName == "Show that you are a person")
        run.submit(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.status == "400")
        let (id, text) = try picture(run, world)
        #expect(check(run, id, text)["reason"] == "Solved")
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        #expect(run.claims["name"] == "Ada")

        let up = world.begin()
        up.tell(.signUp(hint: nil))
        #expect(
            up.page?.fields.map(\.id) == ["email", "newPassword", "reenterPassword", "displayName", Self.controlID])
        let person: FormItems = [
            "email": "nina@example.test", "newPassword": "Newcomer-2026", "reenterPassword": "Newcomer-2026",
            "displayName": "Nina",
        ]
        up.submit(person)
        #expect(up.answerStop?.message == "Enter the characters of the picture.")
        let second = try picture(up, world)
        #expect(check(up, second.id, second.text)["reason"] == "Solved")
        up.fill(person)
        #expect(up.claims["name"] == "Nina")
        #expect(!up.log.contains("RECODING CHANGED THE JOURNEY"))
        // A password reset proves the person by the address.
        let reset = try World(flow: ["type": "passwordReset", "captcha": true]).begin()
        #expect(reset.page?.fields.contains { $0.id == Self.controlID } == false)
    }

    @Test func `sounds are not simulated`() throws {
        let run = try world().begin()
        run.tell(.action(control: Self.controlID, name: "GetChallenge", ["challengeType": "Audio"]))
        #expect(run.failure?.text.hasPrefix("not simulated: captcha with challengeType Audio at test.xml:") == true)
    }

    @Test func `pictures are the same for the same seed`() {
        func picture(_ text: String, _ seed: UInt64) -> [UInt8] {
            var random = SeededGenerator(seed: seed, stream: "captcha")
            return CaptchaPicture.png(of: text, random: &random)
        }
        let one = picture("AC3D4", 7)
        #expect(one == picture("AC3D4", 7))
        #expect(one != picture("AC3D4", 8))
        #expect(one != picture("AC3D6", 7))
        #expect(one.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // 200 by 64 pixels, one bit each: 64 rows of 25 bytes and a filter byte, and what the format wraps around them.
        #expect(one.count == 8 + 25 + (12 + 2 + 5 + 64 * 26 + 4) + 12)
    }
}
