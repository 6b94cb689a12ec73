import ExtensionCalls
import JSON
import PolicyMigration
import TestSupport
import Testing
import TrustFramework

/// The place of a call decides which event replaces it.
struct EventTests {
    /// A call at one place.
    struct CallCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: MigrationRule
        var inputs = "email"
        var outputs = ""
        var profiles = ""
        var steps: [String]?
    }

    private static let signUp = "LocalAccountSignUpWithLogonEmail"
    private static let signIn = "SelfAsserted-LocalAccountSignin-Email"

    private static let places = [
        CallCase(
            testDescription: "checks a sign-up page", rule: .callAtSignUp, outputs: "tier",
            profiles: SamplePolicy.page(signUp, validation: "Api")),
        CallCase(
            testDescription: "fills in a sign-up page", rule: .callBeforeSignUp, outputs: "displayName",
            profiles: SamplePolicy.page(signUp, inputs: "displayName"), steps: ["Api", signUp]),
        CallCase(
            testDescription: "is a step whose answer is in the token", rule: .callForToken, outputs: "tier",
            steps: ["Api"]),
        CallCase(
            testDescription: "checks a sign-in page, and its answer is in the token", rule: .callForToken,
            outputs: "tier", profiles: SamplePolicy.page(signIn, validation: "Api")),
        CallCase(
            testDescription: "gets the password of a sign-in", rule: .callChecksPassword, inputs: "email password",
            profiles: SamplePolicy.page(signIn, validation: "Api")),
        CallCase(
            testDescription: "is a step whose answer goes nowhere", rule: .callElsewhere, steps: ["Api"]),
        CallCase(testDescription: "is called by nothing", rule: .callElsewhere),
    ]

    @Test(arguments: places) func `a call has the event of its place`(_ place: CallCase) throws {
        let migration = try SamplePolicy.migration(
            inputs: place.inputs, outputs: place.outputs, profiles: place.profiles, steps: place.steps)
        let calls = migration.elements.filter { $0.id == "Api" }
        #expect(calls.map(\.rule) == [place.rule])
        let call = try #require(calls.first)
        #expect(call.inputs.map(\.name) == place.inputs.split(separator: " ").map(String.init))
        #expect((call.skeleton != nil) == (place.rule.row.event != nil))
        #expect(call.isReached == (place.testDescription != "is called by nothing"))
    }

    @Test func `a call of a display control that sends a code is emailOtpSend`() throws {
        let folder = TestFiles.root().appendingPathComponent("scenarios/policies").path
        let (migration, _) = try SamplePolicy.migration(of: folder, moves: 50)
        #expect(migration.elements.filter { $0.id == "REST-SendMail" }.map(\.rule) == [.callSendsCode])
        #expect(migration.elements.filter { $0.id == "ownMailControl" }.map(\.rule) == [.emailVerification])
    }

    @Test func `a claim of a token that is not text has a finding of its own`() throws {
        let migration = try SamplePolicy.migration(
            inputs: "email", outputs: "tier points", steps: ["Api"])
        let claims = migration.elements.filter { $0.rule == .claimIsNotText }
        #expect(claims.map(\.id) == ["points (int) of Api"])
    }

    @Test func `only the paths of those who sign up concern a call at sign-up`() throws {
        let migration = try SamplePolicy.migration(
            inputs: "email", outputs: "tier", profiles: SamplePolicy.page(Self.signUp, validation: "Api"), moves: 4000)
        let call = try #require(migration.elements.first { $0.id == "Api" })
        #expect(call.paths > 0 && call.paths < call.allPaths)
        #expect(call.notes.contains { $0.contains("tokenIssuanceStart") })
        let policy = try #require(migration.policies.first)
        #expect(policy.paths.count == call.allPaths)
        let met = policy.paths.filter { $0.elements.contains("technical profile Api") }
        #expect(met.count == call.paths)
        #expect(met.allSatisfy { $0.verdict >= .needsExtension })
    }

    /// The wire names of the documents.
    @Test(arguments: [
        (
            ExtensionEvent.attributeCollectionStart, "onAttributeCollectionStart",
            "attributeCollectionStart.setPrefillValues"
        ),
        (.attributeCollectionSubmit, "onAttributeCollectionSubmit", "attributeCollectionSubmit.modifyAttributeValues"),
        (.tokenIssuanceStart, "onTokenIssuanceStart", "tokenIssuanceStart.provideClaimsForToken"),
        (.emailOtpSend, "onOtpSend", "OtpSend.continueWithDefaultBehavior"),
        (.passwordSubmit, "onPasswordSubmit", "passwordSubmit.MigratePassword"),
        (.verifiedIdClaimValidation, "onVerifiedIdClaimValidation", "verifiedIdClaimValidation.pass"),
    ])
    func `a skeleton has the shape of its event`(_ event: ExtensionEvent, _ type: String, _ action: String) throws {
        let claims = [
            MigrationClaim(name: "city", type: .string), MigrationClaim(name: "extension_points", type: .int),
            MigrationClaim(name: "groups", type: .stringCollection),
        ]
        let skeleton = try #require(ExtensionSkeleton(event, inputs: claims, outputs: claims))
        // What is written can be read.
        let request = try JSONParser.parse(JSONWriter.pretty(skeleton.request))
        let answer = try JSONParser.parse(JSONWriter.pretty(skeleton.answer))
        #expect(request["type"] == .string("microsoft.graph.authenticationEvent.\(event.rawValue)"))
        #expect(request["data", "@odata.type"] == .string("microsoft.graph.\(type)CalloutData"))
        #expect(request["data", "authenticationContext"]?["clientServicePrincipal"] != nil)
        let kind = answer["data", "@odata.type"]?.stringValue ?? ""
        #expect(kind.lowercased() == "microsoft.graph.\(type)ResponseData".lowercased())
        let actions = answer["data", "actions"]?.arrayValue ?? []
        #expect(actions.map { $0["@odata.type"] } == [.string("microsoft.graph.\(action)")])
        let sent = request["data", "userSignUpInfo"]?["attributes"]
        switch event {
        case .tokenIssuanceStart:
            #expect(actions[0]["claims"] == ["city": "text", "extension_points": "text", "groups": ["text"]])
        case .attributeCollectionStart, .attributeCollectionSubmit:
            #expect(sent?["extension_APPID_points", "@odata.type"] == "microsoft.graph.int64DirectoryAttributeValue")
            #expect(sent?["groups", "value"] == "one,two")
            let returned = actions[0][event == .attributeCollectionStart ? "inputs" : "attributes"]
            #expect(returned == ["city": "text", "extension_APPID_points": 1, "groups": "one,two"])
        case .emailOtpSend: #expect(request["data", "otpContext"]?["oneTimeCode"]?.stringValue?.count == 8)
        case .passwordSubmit:
            #expect(answer["data", "nonce"] != nil)
            let parts = request["data", "encryptedPasswordContext"]?.stringValue?.split(separator: ".").count
            #expect(parts == 5)
        case .verifiedIdClaimValidation:
            #expect(request["data", "verifiedIdClaimsContext"]?["claims"]?.objectValue?.isEmpty == false)
        }
    }
}
