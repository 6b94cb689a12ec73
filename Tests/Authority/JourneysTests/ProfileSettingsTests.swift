import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import Journeys

/// Metadata of profiles without a page of their own, each with what it changes (Microsoft docs: the articles on technical
/// profiles, such as one-time-password-technical-profile, and custom-policy-reference-sso).
@Suite struct ProfileSettingsTests {
    private func profile(
        _ id: String, _ handler: String, _ metadata: KeyValuePairs<String, String>, inputs: String = "",
        outputs: String = "", more: String = ""
    ) -> String {
        let items = metadata.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        return """
            <TechnicalProfile Id="\(id)"><DisplayName>\(id)</DisplayName>\(Inline.handler(handler))\
            \(items.isEmpty ? "" : "<Metadata>\(items)</Metadata>")\
            \(inputs.isEmpty ? "" : "<InputClaims>\(inputs)</InputClaims>")\
            \(outputs.isEmpty ? "" : "<OutputClaims>\(outputs)</OutputClaims>")\(more)</TechnicalProfile>
            """
    }

    private func input(_ claim: String, _ partner: String) -> String {
        "<InputClaim ClaimTypeReferenceId=\"\(claim)\" PartnerClaimType=\"\(partner)\" />"
    }

    private func output(_ claim: String, _ partner: String) -> String {
        "<OutputClaim ClaimTypeReferenceId=\"\(claim)\" PartnerClaimType=\"\(partner)\" />"
    }

    private static let typed = """
        <ClaimType Id="code"><DisplayName>Code</DisplayName><DataType>string</DataType>
        <UserInputType>TextBox</UserInputType></ClaimType>
        """

    /// A page with one field, and what validates it.
    private func page(_ validation: String, metadata: KeyValuePairs<String, String> = [:]) -> String {
        Inline.page(
            "Page", metadata: metadata,
            """
            <OutputClaims><OutputClaim ClaimTypeReferenceId="code" /></OutputClaims><ValidationTechnicalProfiles>
            <ValidationTechnicalProfile ReferenceId="\(validation)" /></ValidationTechnicalProfiles>
            """)
    }

    // MARK: Codes

    /// `ReuseSameCode`: while a code is good, asking again gives the same one.
    @Test(arguments: [("true", true), ("false", false), (nil, false)] as [(String?, Bool)])
    func `codes may be used again`(_ reuses: String?, _ same: Bool) throws {
        func make(_ id: String, _ claim: String) -> String {
            let metadata: KeyValuePairs<String, String> =
                reuses.map { ["Operation": "GenerateCode", "ReuseSameCode": $0] } ?? ["Operation": "GenerateCode"]
            return profile(
                id, "Providers.OneTimePasswordProtocolProvider", metadata, inputs: input("who", "identifier"),
                outputs: output(claim, "otpGenerated"))
        }
        let run = try World(xml: [
            Inline.policy(
                claims: ["who": "string", "first": "string", "second": "string"],
                profiles: Inline.constants("Set", ["who": "ada@example.test"]) + make("One", "first")
                    + make("Two", "second"), steps: Inline.steps("Set", "One", "Two"), outputs: ["first", "second"])
        ]).begin()
        let first = try #require(run.claims["first"]?.stringValue)
        #expect(first.count == 6)
        #expect((run.claims["second"]?.stringValue == first) == same)
    }

    private func codesByMail() throws -> World {
        let send = profile(
            "Send", "Providers.AadSsprProtocolProvider", ["Operation": "SendCode"],
            inputs: input("who", "emailAddress"))
        let verify = profile(
            "Verify", "Providers.AadSsprProtocolProvider",
            [
                "Operation": "VerifyCode", "UserMessageIfVerificationFailedRetryAllowed": "Wrong, again.",
                "UserMessageIfVerificationFailedNoRetry": "Wrong too often.",
                "UserMessageIfChallengeExpired": "Too late.",
            ], inputs: input("who", "emailAddress") + input("code", "verificationCode"))
        return try World(xml: [
            Inline.policy(
                claims: ["who": "string"], types: Self.typed,
                profiles: Inline.constants("Set", ["who": "ada@example.test"]) + send + verify + page("Verify"),
                steps: Inline.steps("Set", "Send", "Page"), outputs: ["who"])
        ])
    }

    /// Both operations of `AadSsprProtocolProvider`, and its messages.
    @Test func `codes by e-mail are sent and checked`() throws {
        let world = try codesByMail()
        let run = world.begin()
        let code = world.code(to: "ada@example.test")
        #expect(code.count == 6 && world.tenancy.outbox.messages.last?.kind == .email)
        let wrong = code == "000000" ? "000001" : "000000"
        run.submit(["code": wrong])
        #expect(run.answerStop?.message == "Wrong, again.")
        run.fill(["code": code])
        #expect(run.claims["who"] == "ada@example.test")

        let late = world.begin()
        let second = world.code(to: "ada@example.test")
        world.advance(.minutes(20))
        late.submit(["code": second])
        #expect(late.answerStop?.message == "Too late.")

        let guessing = world.begin()
        let third = world.code(to: "ada@example.test")
        for _ in 0..<5 { guessing.submit(["code": third == "000000" ? "000001" : "000000"]) }
        #expect(guessing.answerStop?.message == "Wrong too often.")
        guessing.submit(["code": third])
        #expect(guessing.answerStop?.message == "Wrong too often.")
    }

    /// `OneWaySMS` and `Verify` of `AzureMfaProtocolProvider`.
    @Test func `codes by SMS are sent and checked`() throws {
        let send = profile(
            "Send", "Providers.AzureMfaProtocolProvider", ["Operation": "OneWaySMS"],
            inputs: input("who", "phoneNumber"))
        let verify = profile(
            "Verify", "Providers.AzureMfaProtocolProvider",
            ["Operation": "Verify", "UserMessageIfWrongCodeEntered": "Wrong."],
            inputs: input("who", "phoneNumber") + input("code", "verificationCode"))
        let world = try World(xml: [
            Inline.policy(
                claims: ["who": "string"], types: Self.typed,
                profiles: Inline.constants("Set", ["who": "+442079460000"]) + send + verify + page("Verify"),
                steps: Inline.steps("Set", "Send", "Page"), outputs: ["who"])
        ])
        let run = world.begin()
        let code = world.code(to: "+442079460000")
        #expect(world.tenancy.outbox.messages.last?.kind == .sms)
        run.submit(["code": code == "000000" ? "000001" : "000000"])
        #expect(run.answerStop?.message == "Wrong.")
        run.fill(["code": code])
        #expect(run.claims["who"] == "+442079460000")
    }

    /// `GetAvailableDevices`, `BeginVerifyOTP` and `VerifyOTP`: a key is registered by its first right code.
    @Test func `authenticators are registered and asked`() throws {
        let world = try World(flow: [:])
        let id = try #require(world.tenancy.directory.find(.anySignInName("ada"))?.objectID)
        let key = "jbswy3dpehpk3pxp"
        let count = profile(
            "Count", "Providers.AzureMfaProtocolProvider", ["Operation": "GetAvailableDevices"],
            inputs: input("objectId", "objectId"), outputs: output("devices", "numberOfAvailableDevices"))
        let begin = profile(
            "Begin", "Providers.AzureMfaProtocolProvider", ["Operation": "BeginVerifyOTP"],
            inputs: input("objectId", "objectId") + input("key", "secretKey"))
        let verify = profile(
            "Verify", "Providers.AzureMfaProtocolProvider", ["Operation": "VerifyOTP"],
            inputs: input("objectId", "objectId") + input("code", "otpCode"))
        let own = try World(xml: [
            Inline.policy(
                claims: ["objectId": "string", "key": "string", "devices": "int"], types: Self.typed,
                profiles: Inline.constants("Set", ["objectId": "\(id)", "key": key]) + count + begin + verify
                    + page("Verify"), steps: Inline.steps("Set", "Count", "Begin", "Page"), outputs: ["devices"])
        ])
        let secret = try #require(Base32.decode(key.uppercased()))
        for devices in [0, 1] as [JSONValue] {
            let run = own.begin()
            let right = OneTimePassword.timeCode(secret: secret, at: own.now)
            run.submit(["code": right == "123456" ? "654321" : "123456"])
            #expect(run.status == "400")
            run.fill(["code": right])
            #expect(run.claims["devices"] == devices)
        }
    }

    // MARK: Conditional access

    /// The two modes, under the documented name of the key and the one that older policies use.
    @Test(arguments: ["OperationType", "Operation"], ["none", "medium", "high"])
    func `Conditional Access evaluates, and learns of remedies`(_ key: String, _ risk: String) throws {
        let id = try #require(try World(flow: [:]).tenancy.directory.find(.anySignInName("ada"))?.objectID)
        let evaluate = profile(
            "Evaluate", "Providers.ConditionalAccessProtocolProvider",
            key == "Operation" ? ["Operation": "Evaluation"] : ["OperationType": "Evaluation"],
            inputs: input("objectId", "UserId"),
            outputs: output("challenges", "Challenges") + output("state", "MultiConditionalAccessStatus"))
        let remedy = profile(
            "Remedy", "Providers.ConditionalAccessProtocolProvider",
            key == "Operation" ? ["Operation": "Remediation"] : ["OperationType": "Remediation"],
            inputs: input("challenges", "ChallengesSatisfied"), outputs: output("nothing", "Challenges"))
        let world = try World(xml: [
            Inline.policy(
                claims: [
                    "objectId": "string", "challenges": "stringCollection", "state": "string", "nothing": "string",
                ],
                profiles: Inline.constants("Set", ["objectId": "\(id)"]) + evaluate + remedy,
                steps: Inline.steps("Set", "Evaluate", "Remedy"), outputs: ["challenges", "state", "nothing"])
        ])
        world.tenancy.directory.update(id) { $0.store("risk", .text(risk)) }
        let run = world.begin()
        let challenges: [String: JSONValue] = ["medium": ["mfa"], "high": ["block"]]
        #expect(run.claims["challenges"] == challenges[risk])
        #expect(run.claims["state"] == (risk == "none" ? "noChallenge" : "challenge"))
        #expect(run.issuance != nil && run.claims["nothing"] == nil)
    }

    @Test func `an unknown mode of Conditional Access fails by name`() throws {
        let run = try World(xml: [
            Inline.policy(
                profiles: profile(
                    "Ask", "Providers.ConditionalAccessProtocolProvider", ["OperationType": "Guess"]),
                steps: Inline.steps("Ask"))
        ]).begin()
        #expect(run.failure?.text.hasPrefix("not simulated: conditional access operation Guess at test.xml:") == true)
    }

    /// Facts of the request, by the names that published policies use.
    @Test func `the journey's context has its claims`() throws {
        let facts = profile(
            "Facts", "Providers.UserJourneyContextProvider", [:],
            outputs: output("address", "IP-Address") + output("correlation", "CorrelationId")
                + output("journey", "CurrentUserJourney"))
        let run = try World(xml: [
            Inline.policy(
                claims: ["address": "string", "correlation": "string", "journey": "string"], profiles: facts,
                steps: Inline.steps("Facts"), outputs: ["address", "correlation", "journey"])
        ]).begin { $0.ipAddress = "192.0.2.7" }
        #expect(run.claims["address"] == "192.0.2.7" && run.claims["journey"] == "J")
        #expect(run.claims["correlation"] == .string(run.request.correlationID.description))
    }

    // MARK: Directory and password

    /// `RaiseErrorIfClaimsPrincipalAlreadyExists`: writing over somebody is refused or an update.
    @Test(arguments: [("true", false), ("false", true), (nil, true)] as [(String?, Bool)])
    func `writing over an existing account is an error if the policy says so`(_ raises: String?, _ passes: Bool) throws
    {
        let write = profile(
            "Write", "Providers.AzureActiveDirectoryProvider",
            raises.map {
                [
                    "Operation": "Write", "RaiseErrorIfClaimsPrincipalAlreadyExists": $0,
                    "UserMessageIfClaimsPrincipalAlreadyExists": "There is one already.",
                ]
            } ?? ["Operation": "Write"], inputs: input("code", "signInNames.emailAddress"),
            more: """
                <PersistedClaims><PersistedClaim ClaimTypeReferenceId="code" PartnerClaimType="signInNames.emailAddress" />
                <PersistedClaim ClaimTypeReferenceId="displayName" /></PersistedClaims>
                """)
        let world = try World(xml: [
            Inline.policy(
                claims: ["displayName": "string"], types: Self.typed,
                profiles: Inline.constants("Set", ["displayName": "Other"]) + write + page("Write"),
                steps: Inline.steps("Set", "Page"), outputs: ["displayName"])
        ])
        let run = world.begin()
        run.submit(["code": "ada@example.test"])
        #expect(run.answerStop?.message == (passes ? nil : "There is one already."))
        #expect(
            world.tenancy.directory.account(of: "ada")?.stored("displayName") == .text(passes ? "Other" : "Ada"))
    }

    /// `DefaultMessage`: the words for somebody who has no password to be right or wrong.
    @Test(
        arguments: [(["DefaultMessage": "Not so."], "Not so."), ([:], "Invalid username or password.")]
            as [(KeyValuePairs<String, String>, String)])
    func `a person without a password cannot sign in`(_ metadata: KeyValuePairs<String, String>, _ text: String) throws
    {
        let items = metadata.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let login = """
            <TechnicalProfile Id="Login"><DisplayName>l</DisplayName><Protocol Name="OpenIdConnect" /><Metadata>
            <Item Key="client_id">proxy</Item>\(items)</Metadata><InputClaims>\(input("code", "username"))
            <InputClaim ClaimTypeReferenceId="grant_type" DefaultValue="password" />
            <InputClaim ClaimTypeReferenceId="password" DefaultValue="x" /></InputClaims></TechnicalProfile>
            """
        let world = try World(xml: [
            Inline.policy(
                claims: ["grant_type": "string", "password": "string"], types: Self.typed,
                profiles: login + page("Login"), steps: Inline.steps("Page"))
        ])
        let id = try #require(world.tenancy.directory.account(of: "ada")?.objectID)
        world.tenancy.directory.update(id) { $0.password = nil }
        let run = world.begin()
        run.submit(["code": "ada@example.test"])
        #expect(run.answerStop?.message == text)
        #expect(run.answerStop?.code?.id == "AADB2C90052")
    }

    // MARK: REST

    private func rest(
        _ metadata: KeyValuePairs<String, String>, page pageMetadata: KeyValuePairs<String, String> = [:],
        localised: String = ""
    ) throws -> Run {
        let base: [(String, String)] = [
            ("ServiceUrl", "https://api.contoso.test/{tenant}/check"), ("AuthenticationType", "None"),
        ]
        let items = (base + metadata.map { ($0.key, $0.value) }).map { "<Item Key=\"\($0.0)\">\($0.1)</Item>" }.joined()
        let call = profile("Call", "Providers.RestfulProvider", [:], inputs: input("code", "code")).replacing(
            "<InputClaims>", with: "<Metadata>\(items)</Metadata><InputClaims>")
        let localization =
            localised.isEmpty
            ? ""
            : """
            <Localization Enabled="true"><SupportedLanguages DefaultLanguage="en"><SupportedLanguage>en</SupportedLanguage>
            </SupportedLanguages><LocalizedResources Id="en"><LocalizedStrings>\(localised)</LocalizedStrings>
            </LocalizedResources></Localization>
            """
        var policy = Inline.policy(
            claims: ["payload": "string"], types: Self.typed, localization: localization,
            profiles: Inline.constants("Set", ["payload": "{&quot;to&quot;:[1,2]}"]) + call
                + page("Call", metadata: pageMetadata), steps: Inline.steps("Set", "Page"))
        if !localised.isEmpty {
            policy = policy.replacing(
                "</ContentDefinition>",
                with: """
                    <LocalizedResourcesReferences><LocalizedResourcesReference Language="en" \
                    LocalizedResourcesReferenceId="en" /></LocalizedResourcesReferences></ContentDefinition>
                    """)
        }
        let run = try World(xml: [policy]).begin()
        run.submit(["code": "1"])
        return run
    }

    /// `ClaimUsedForRequestPayload`: the text of one claim is the whole body, and the input claims are not sent.
    @Test func `a claim may be the whole body`() throws {
        let request = try #require(try rest(["ClaimUsedForRequestPayload": "payload"]).callout)
        #expect(request.method == "POST" && request.text == #"{"to":[1,2]}"#)
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(try rest([:]).callout?.text == #"{"code":"1"}"#)
    }

    static let failing: [(name: String, result: CalloutResult)] = [
        ("refused", .answered(.json(403, ["reason": "no"]))), ("broken", .answered(.text(500, "broken"))),
        ("unreadable", .answered(.text(200, "no JSON"))), ("unreadable error", .answered(.text(400, "no JSON"))),
        ("unconnected", .failed(.refused)), ("unnamed", .failed(.dns)), ("slow", .failed(.timeout)),
    ]

    /// `DefaultUserMessageIfRequestFailed` is shown whatever went wrong; the API's own words come before it.
    @Test(arguments: failing.indices) func `a message is shown for every failure`(_ index: Int) throws {
        let row = Self.failing[index]
        let key = "DefaultUserMessageIfRequestFailed"
        let plain = try rest([key: "Try tomorrow."])
        plain.finish(row.result)
        #expect(plain.answerStop?.message == "Try tomorrow.", "\(row.name)")
        let onPage = try rest([key: "Try tomorrow."], page: [key: "The page says no."])
        onPage.finish(row.result)
        #expect(onPage.answerStop?.message == "The page says no.", "\(row.name)")
        let localised = try rest(
            [key: "Try tomorrow."],
            localised:
                "<LocalizedString ElementType=\"ErrorMessage\" StringId=\"\(key)\">Not there: {0}</LocalizedString>")
        localised.finish(row.result)
        #expect(
            localised.answerStop?.message == "Not there: https://api.contoso.test/contoso.onmicrosoft.com/check",
            "\(row.name)")
        let own = try rest([key: "Try tomorrow."])
        own.answer(["version": "1.0.0", "status": 409, "userMessage": "Not you."], status: 409)
        #expect(own.answerStop?.message == "Not you.")
    }

    /// What an API says to developers is on the page where `DebugMode` is on, and nowhere else.
    @Test(
        arguments: [
            (
                "true", ["code": "API12", "developerMessage": "row 7 is missing"],
                "Not you. (code: API12; developerMessage: row 7 is missing)"
            ),
            (
                "true",
                ["code": 12, "requestId": "r-1", "moreInfo": "https://api.contoso.test/12", "developerMessage": nil],
                "Not you. (code: 12; requestId: r-1; moreInfo: https://api.contoso.test/12)"
            ),
            ("true", [:], "Not you."), ("false", ["code": "API12"], "Not you."),
        ] as [(String, JSONObject, String)])
    func `what the API says to developers is shown in debug mode`(
        _ mode: String, _ more: JSONObject, _ message: String
    ) throws {
        let run = try rest(["DebugMode": mode])
        let error: JSONValue = ["version": "1.0.0", "status": 409, "userMessage": "Not you."]
        var answer = error.objectValue ?? JSONObject()
        for member in more.members { answer[member.key] = member.value }
        run.answer(.object(answer), status: 409)
        #expect(run.answerStop?.message == message)
    }

    /// A placeholder in an address is called as it is written, so that a stub can answer.
    @Test(arguments: ["https://[yourapp].contoso.test/x", "https://{Settings:Host}/x", "https://<app>.contoso.test/x"])
    func `an API at a placeholder is asked there`(_ address: String) throws {
        let run = try rest(["ServiceUrl": address.replacing("<", with: "&lt;").replacing(">", with: "&gt;")])
        #expect(run.callout?.url.description == address)
    }

    /// A name that is not found and an answer that does not come have words of their own.
    @Test func `a message is shown if there is no such host and no answer`() throws {
        let metadata: KeyValuePairs<String, String> = [
            "DefaultUserMessageIfRequestFailed": "Try tomorrow.",
            "UserMessageIfDnsResolutionFailed": "No such host: {0}",
            "UserMessageIfRequestTimeout": "{0} seconds for {1}",
        ]
        let unnamed = try rest(metadata)
        unnamed.fail(.dns)
        #expect(
            unnamed.answerStop?.message == "No such host: https://api.contoso.test/contoso.onmicrosoft.com/check")
        let slow = try rest(metadata)
        slow.fail(.timeout)
        #expect(
            slow.answerStop?.message == "10 seconds for https://api.contoso.test/contoso.onmicrosoft.com/check")
    }

    // MARK: Sessions

    /// A provider whose claims a session keeps, or not.
    private func social(_ session: String, _ metadata: KeyValuePairs<String, String>) throws -> World {
        let provider = """
            <TechnicalProfile Id="Provider"><DisplayName>Provider</DisplayName><Protocol Name="OAuth2" /><Metadata>
            <Item Key="client_id">app</Item><Item Key="authorization_endpoint">https://idp.test/authorize</Item>
            <Item Key="AccessTokenEndpoint">https://idp.test/token</Item>
            <Item Key="ClaimsEndpoint">https://idp.test/me</Item></Metadata><CryptographicKeys>
            <Key Id="client_secret" StorageReferenceId="B2C_1A_ProviderSecret" /></CryptographicKeys>
            <OutputClaims>\(output("who", "id"))</OutputClaims>
            <UseTechnicalProfileForSessionManagement ReferenceId="SM" /></TechnicalProfile>
            """
        let kept = profile(
            "SM", session, metadata,
            more: session.hasSuffix("NoopSSOSessionProvider")
                ? "" : "<PersistedClaims><PersistedClaim ClaimTypeReferenceId=\"who\" /></PersistedClaims>")
        return try World(xml: [
            Inline.policy(
                claims: ["who": "string"], profiles: provider + kept, steps: Inline.steps("Provider"), outputs: ["who"])
        ])
    }

    /// A session that keeps a provider's claims replaces the provider, unless it is always asked.
    @Test(
        arguments: [
            ("SSO.ExternalLoginSSOSessionProvider", ["AlwaysFetchClaimsFromProvider": "true"], true),
            ("SSO.ExternalLoginSSOSessionProvider", ["AlwaysFetchClaimsFromProvider": "false"], false),
            ("SSO.ExternalLoginSSOSessionProvider", [:], false), ("SSO.NoopSSOSessionProvider", [:], true),
        ] as [(String, KeyValuePairs<String, String>, Bool)])
    func `a session provider decides whether the provider is asked again`(
        _ session: String, _ metadata: KeyValuePairs<String, String>, _ asks: Bool
    ) throws {
        let world = try social(session, metadata)
        let first = world.begin()
        first.tell(
            .providerReturned(AuthorizationResponse(parameters: ["state": first.redirect?.state ?? "", "code": "c"])))
        first.answer(["access_token": "a"])
        first.answer(["id": "7"])
        #expect(first.claims["who"] == "7")
        let grant = try #require(first.issuance?.session)
        let again = world.begin(session: grant.id)
        #expect((again.redirect != nil) == asks)
        if !asks { #expect(again.claims["who"] == "7") }
        // Somebody without that session is asked in any case.
        #expect(world.begin().redirect != nil)
    }
}
