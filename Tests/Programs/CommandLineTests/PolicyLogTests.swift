import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy log`: logs of the journey recorder, alone and beside the policies.
@Suite(.blocking) struct PolicyLogTests {
    private let tool: Tool
    private let policies: String
    private static let correlation = "0a1b2c3d-0000-4000-8000-00000000ada0"

    init() throws {
        tool = try Tool()
        policies = TestFiles.root().appendingPathComponent("scenarios/policies").path
    }

    /// A journey of a page and a second one for people from London, over the policies of this repository.
    ///
    /// - Parameter city: That lets step 2 run.
    private func policy(city: String) -> String { Self.policy(city: city) }

    /// - Parameters:
    ///   - schema: Further claim types and the claims transformations.
    ///   - computed: Ids of the claims transformations that run after the second page.
    static func policy(city: String, schema: String = "", transformations: String = "", computed: [String] = [])
        -> String
    {
        let references = computed.map { "<OutputClaimsTransformation ReferenceId=\"\($0)\" />" }.joined()
        func profile(_ id: String, _ claim: String) -> String {
            """
            <TechnicalProfile Id="\(id)">
              <DisplayName>\(id)</DisplayName>
              <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
              <Metadata><Item Key="ContentDefinitionReferenceId">api.selfasserted</Item></Metadata>
              <OutputClaims><OutputClaim ClaimTypeReferenceId="\(claim)" Required="true" /></OutputClaims>
              \(id == "AsksStreet" && !computed.isEmpty
                ? "<OutputClaimsTransformations>\(references)</OutputClaimsTransformations>" : "")
              <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
            </TechnicalProfile>
            """
        }
        func claim(_ id: String) -> String {
            "<ClaimType Id=\"\(id)\"><DisplayName>\(id)</DisplayName><DataType>string</DataType>"
                + "<UserInputType>TextBox</UserInputType></ClaimType>"
        }
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
                PolicySchemaVersion="0.3.0.0" TenantId="yourtenant.onmicrosoft.com" PolicyId="B2C_1A_Asks"
                PublicPolicyUri="http://yourtenant.onmicrosoft.com/B2C_1A_Asks">
              <BasePolicy>
                <TenantId>yourtenant.onmicrosoft.com</TenantId><PolicyId>B2C_1A_SampleBase</PolicyId>
              </BasePolicy>
              <BuildingBlocks><ClaimsSchema>\(claim("asksCity"))\(claim("asksStreet"))\(schema)</ClaimsSchema>
              \(transformations.isEmpty ? "" : "<ClaimsTransformations>\(transformations)</ClaimsTransformations>")
              </BuildingBlocks>
              <ClaimsProviders><ClaimsProvider><DisplayName>Asks</DisplayName><TechnicalProfiles>
                \(profile("AsksCity", "asksCity"))
                \(profile("AsksStreet", "asksStreet"))
              </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
              <UserJourneys><UserJourney Id="Asks"><OrchestrationSteps>
                <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
                  <ClaimsExchange Id="City" TechnicalProfileReferenceId="AsksCity" />
                </ClaimsExchanges></OrchestrationStep>
                <OrchestrationStep Order="2" Type="ClaimsExchange">
                  <Preconditions><Precondition Type="ClaimEquals" ExecuteActionsIf="false">
                    <Value>asksCity</Value><Value>\(city)</Value><Action>SkipThisOrchestrationStep</Action>
                  </Precondition></Preconditions>
                  <ClaimsExchanges><ClaimsExchange Id="Street" TechnicalProfileReferenceId="AsksStreet" /></ClaimsExchanges>
                </OrchestrationStep>
                <OrchestrationStep Order="3" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
              </OrchestrationSteps></UserJourney></UserJourneys>
              <RelyingParty>
                <DefaultUserJourney ReferenceId="Asks" />
                <TechnicalProfile Id="PolicyProfile">
                  <DisplayName>PolicyProfile</DisplayName><Protocol Name="OpenIdConnect" />
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="sub" DefaultValue="nobody" AlwaysUseDefaultValue="true" />
                    <OutputClaim ClaimTypeReferenceId="asksCity" />
                  </OutputClaims>
                  <SubjectNamingInfo ClaimType="sub" />
                </TechnicalProfile>
              </RelyingParty>
            </TrustFrameworkPolicy>
            """
    }

    static func result(
        _ state: [(String, String)] = [], claims: JSONObject? = nil, record: [JSONValue] = []
    ) -> JSONValue {
        var statebag = JSONObject()
        for (key, value) in state {
            statebag[key] = [
                "c": "2026-11-02T09:10:11.1234567Z", "k": .string(key), "v": .string(value), "p": true,
            ]
        }
        if let claims { statebag["Complex-CLMS"] = .object(claims) }
        return [
            "Kind": "HandlerResult",
            "Content": ["Result": true, "Statebag": .object(statebag), "RecorderRecord": ["Values": .array(record)]],
        ]
    }

    static func page(_ order: Int, _ exchange: String, _ profile: String, claims: JSONObject) -> [JSONValue] {
        [
            ["Kind": "Action", "Content": "Web.TPEngine.OrchestrationManager"], result([("ORCH_CS", "\(order)")]),
            ["Kind": "Predicate", "Content": "Web.TPEngine.StateMachineHandlers.IsClaimsExchangeProtocolAnApiHandler"],
            result(record: [
                [
                    "Key": "InitiatingClaimsExchange",
                    "Value": [
                        "ProtocolType": "None", "TargetEntity": .string(exchange),
                        "TechnicalProfileId": .string(profile),
                        "ProtocolProviderType": "SelfAssertedAttributeProvider",
                    ],
                ]
            ]),
            [
                "Kind": "Predicate",
                "Content": "Web.TPEngine.StateMachineHandlers.SelfAssertedMessageValidationHandler",
            ], result([("ORCH_CS", "\(order)")], claims: claims),
        ]
    }

    /// Somebody from London who is asked for a street. In CSV as the portal writes it.
    private static var export: String {
        export(
            page(1, "City", "AsksCity", claims: ["asksCity": "London"])
                + page(2, "Street", "AsksStreet", claims: ["asksCity": "London", "asksStreet": "Abbey Road"]))
    }

    /// A session of two steps and a token.
    static func export(_ pages: [JSONValue]) -> String {
        let clips: [JSONValue] =
            [
                [
                    "Kind": "Headers",
                    "Content": [
                        "UserJourneyRecorderEndpoint": "urn:journeyrecorder:applicationinsights",
                        "CorrelationId": .string(correlation), "EventInstance": "Event:AUTH",
                        "TenantId": "contoso.onmicrosoft.com", "PolicyId": "B2C_1A_Asks",
                    ],
                ]
            ] + pages
            + [
                ["Kind": "Action", "Content": "Web.TPEngine.OrchestrationManager"], result([("ORCH_CS", "3")]),
                ["Kind": "Action", "Content": "Web.TPEngine.StateMachineHandlers.SendResponseHandler"], result(),
            ]
        func cell(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }
        let dimensions: JSONValue = [
            "CorrelationId": .string(correlation), "EventName": "Journey Recorder Event v1.0.0",
            "Tenant": "contoso.onmicrosoft.com", "UserJourney": "B2C_1A_Asks", "Version": "1.0.0",
        ]
        return "\"timestamp [UTC]\",message,customDimensions\r\n"
            + [
                "11/2/2026, 9:10:11.123 AM", JSONWriter.compact(.array(clips)), JSONWriter.compact(dimensions),
            ].map(cell).joined(separator: ",") + "\r\n"
    }

    @Test func `sessions are listed and shown without personal data`() throws {
        try tool.write(Self.export, to: "export.csv")
        let list = try tool.run("policy", "log", "export.csv")
        #expect(list.status == 0, "\(list.error)")
        #expect(list.out.contains("2026-11-02T09:10:11.123Z  \(Self.correlation)  B2C_1A_Asks  nobody  3"))
        let session = try tool.run("policy", "log", "export.csv", "--correlation", "0a1b2c3d", "--html", "page.html")
        #expect(session.status == 0, "\(session.error)")
        #expect(session.out.contains("    profile AsksStreet (SelfAssertedAttributeProvider)\n"))
        #expect(!session.out.contains("Abbey Road"))
        #expect(try !tool.read("page.html").contains("Abbey Road"))
        let shown = try tool.run("policy", "log", "export.csv", "--correlation", "0a1b2c3d", "--show-claims")
        #expect(shown.out.contains("asksStreet = \"Abbey Road\""))
        let json = try tool.run("policy", "log", "export.csv", "--format", "json")
        #expect(try JSONParser.parse(json.out)["sessions"]?[0]?["end"] == "token")
    }

    @Test func `the policy that wrote the log has no difference, a changed one has the line`() throws {
        try tool.write(Self.export, to: "export.csv")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let same = try tool.run("policy", "log", "export.csv", "--policies", "policies", "--base", policies)
        #expect(same.status == 0, "\(same.error)\(same.out)")
        #expect(same.out.hasSuffix("no difference: the simulator does the same\n"))
        let changed = policy(city: "Paris")
        try tool.write(changed, to: "policies/Asks.xml")
        let other = try tool.run("policy", "log", "export.csv", "--policies", "policies", "--base", policies)
        #expect(other.status == 4, "\(other.error)\(other.out)")
        let lines = changed.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("Order=\"2\"") }) + 1
        #expect(
            other.out.contains(
                "first difference at policies/Asks.xml:\(line): step 2 ran there and is skipped here\n"), "\(other.out)"
        )
    }

    @Test func `a session is written as files that repeat it`() throws {
        try tool.write(Self.export, to: "export.csv")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let log = ["policy", "log", "export.csv", "--policies", "policies", "--base", policies]
        let same = try tool.run(log + ["--write", "repro"])
        #expect(same.status == 0, "\(same.error)\(same.out)")
        #expect(same.error.contains("wrote repro/session.json, which passes"), "\(same.error)")
        for name in ["tenant", "inputs", "session"] {
            #expect(try !tool.read("repro/\(name).json").lowercased().contains("abbey"))
        }
        // What the policy compares with stays.
        #expect(try tool.read("repro/session.json").contains("London"))
        for command in [["check"], ["run"]] {
            let run = try tool.run(command + ["repro/session.json"])
            #expect(run.status == 0, "\(run.error)\(run.out)")
        }
        let trace = try tool.run(
            "policy", "trace", "policies", "--base", policies, "--policy", "B2C_1A_Asks", "--inputs",
            "repro/inputs.json",
            "--user", "person")
        #expect(trace.status == 0, "\(trace.error)")
        // The same log gives the same files.
        #expect(try tool.run(log + ["--write", "repro"]).status == 0)
        let shown = try tool.run(log + ["--write", "shown", "--show-claims"])
        #expect(shown.status == 0, "\(shown.error)")
        #expect(try tool.read("shown/tenant.json").contains("Abbey Road"))
    }

    @Test func `the scenario of another policy fails until the policy does what the log has`() throws {
        try tool.write(Self.export, to: "export.csv")
        try tool.write(policy(city: "Paris"), to: "policies/Asks.xml")
        let other = try tool.run(
            "policy", "log", "export.csv", "--policies", "policies", "--base", policies, "--write", "repro")
        #expect(other.status == 4, "\(other.error)\(other.out)")
        #expect(other.error.contains("which fails until the policy does what the log has"), "\(other.error)")
        #expect(try tool.run("check", "--no-prove", "repro/session.json").status == 0)
        let fails = try tool.run("run", "repro/session.json")
        #expect(fails.status == 4, "\(fails.error)\(fails.out)")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let passes = try tool.run("run", "repro/session.json")
        #expect(passes.status == 0, "\(passes.error)\(passes.out)")
        let alone = try tool.run("policy", "log", "export.csv", "--write", "repro")
        #expect(alone.status == 1)
        #expect(alone.error.contains("--write needs --policies FOLDER"))
    }

    @Test func `a session settles the switches that decide it`() throws {
        try tool.write(Self.export, to: "export.csv")
        let log = ["policy", "log", "export.csv", "--policies", "policies", "--base", policies, "--learn"]
        // The literal has spaces around it, and step 2 ran for somebody from London.
        try tool.write(policy(city: " London "), to: "policies/Asks.xml")
        let trims = try tool.run(log)
        #expect(trims.status == 0, "\(trims.error)\(trims.out)")
        #expect(trims.out.contains("this session settles 1 of "), "\(trims.out)")
        #expect(trims.out.contains("\"authority\": {\"defaults\":{\"trimsPreconditionValues\":true}}"), "\(trims.out)")
        #expect(
            trims.out.contains(
                "rows of docs/parity.md, Settings of the policy engine:\n  `trimsPreconditionValues`: recorded instead of "
                    + "inferred\n"), "\(trims.out)")
        let parity = String(decoding: try TestFiles.bytes("docs/parity.md"), as: UTF8.self).split(separator: "\n")
        let row = try #require(parity.first { $0.hasPrefix("| `trimsPreconditionValues`: ") })
        #expect(row.contains("| inferred |"))
        // The step ran although the policy compares with other letters.
        try tool.write(policy(city: "london"), to: "policies/Asks.xml")
        let cases = try tool.run(log + ["--format", "json"])
        let settles = try JSONParser.parse(cases.out)["settles"]
        let expected: JSONValue = ["authority": ["defaults": [:]]]
        #expect(settles == expected, "\(cases.out)")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let none = try tool.run(log)
        #expect(none.out.contains("this session settles none of "), "\(none.out)")
        let alone = try tool.run("policy", "log", "export.csv", "--learn")
        #expect(alone.status == 1)
        #expect(alone.error.contains("--learn needs --policies FOLDER"))
    }

    /// The policy that wrote the log, changed, and what of the log it does not have.
    @Test(arguments: [
        (#""AsksStreet""#, #""AsksRoad""#, "the technical profile AsksStreet"),
        (#"Id="Street""#, #"Id="Road""#, ""),
        (
            "<OrchestrationStep Order=\"3\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />",
            "", "step 3 of Asks, which ends with step 2"
        ),
    ])
    func `a log of another version says so once and is still compared`(
        _ old: String, _ new: String, _ names: String
    ) throws {
        try tool.write(Self.export, to: "export.csv")
        var text = policy(city: "London").replacing(old, with: new)
        // Without its last step a journey cannot be linked: the second one issues the token instead.
        if new.isEmpty {
            let start = try #require(text.range(of: "<OrchestrationStep Order=\"2\""))
            let end = try #require(text[start.lowerBound...].range(of: "</OrchestrationStep>"))
            text.replaceSubrange(
                start.lowerBound..<end.upperBound, with: old.replacing("Order=\"3\"", with: "Order=\"2\""))
        }
        try tool.write(text, to: "policies/Asks.xml")
        let log = ["policy", "log", "export.csv", "--policies", "policies", "--base", policies]
        let run = try tool.run(log)
        guard !names.isEmpty else {
            // Another name for the same choice: the log does not show exchanges that nobody chose.
            #expect(run.status == 0, "\(run.error)\(run.out)")
            #expect(!run.error.contains("B2C-LOG-009"), "\(run.error)")
            return
        }
        #expect(run.status == 4, "\(run.error)\(run.out)")
        let said =
            "export.csv:2:1: warning: the log is of another version of B2C_1A_Asks than policies (policies/Asks.xml:"
        #expect(run.error.components(separatedBy: said).count == 2, "\(run.error)")
        #expect(run.error.contains("which does not have: \(names)"), "\(run.error)")
        #expect(run.error.contains("[B2C-LOG-009] (Compare with the files that were uploaded"), "\(run.error)")
        #expect(run.out.contains("  step 1  ran\n") && run.out.contains("first difference at policies/Asks.xml:"))
        let json = try JSONParser.parse(try tool.run(log + ["--format", "json"]).out)
        #expect(json["otherVersion"]?.stringValue?.contains(names) == true)
        let learn = try tool.run(log + ["--learn"])
        #expect(learn.out.contains("no switch is tried: the log is of another version of the policy\n"), "\(learn.out)")
    }

    @Test func `a log of another tenant than the policies says so`() throws {
        try tool.write(Self.export, to: "export.csv")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let same = try tool.run("policy", "log", "export.csv", "--policies", "policies", "--base", policies)
        #expect(same.error.isEmpty, "\(same.error)")
        let base = try TestFiles.bytes("scenarios/policies/Base.xml")
        try tool.write(
            String(decoding: base, as: UTF8.self).replacing("yourtenant", with: "fabrikam"), to: "policies/Base.xml")
        try tool.write(
            policy(city: "London").replacing("yourtenant", with: "fabrikam"), to: "policies/Asks.xml")
        let other = try tool.run("policy", "log", "export.csv", "--policies", "policies")
        #expect(other.status == 0, "\(other.error)\(other.out)")
        #expect(
            other.error.hasPrefix(
                "export.csv:2:1: advice: the log is of the tenant contoso.onmicrosoft.com, and B2C_1A_Asks in policies of "
                    + "fabrikam.onmicrosoft.com"), "\(other.error)")
    }

    @Test func `sessions of several tenants have their tenant`() throws {
        let second = Self.export.replacing("contoso", with: "fabrikam").replacing("ada0", with: "ada1")
            .split(separator: "\r\n").dropFirst().joined(separator: "\r\n")
        try tool.write(Self.export + second + "\r\n", to: "export.csv")
        let run = try tool.run("policy", "log", "export.csv")
        #expect(run.status == 0, "\(run.error)")
        #expect(
            run.error.hasPrefix(
                "export.csv:3:1: advice: the log has rows of 2 tenants: contoso.onmicrosoft.com and fabrikam.onmicrosoft.com"
            ),
            "\(run.error)")
        #expect(run.out.contains("CORRELATION ID") && run.out.contains("  TENANT "), "\(run.out)")
        #expect(
            run.out.contains("\(Self.correlation.dropLast())1  fabrikam.onmicrosoft.com  B2C_1A_Asks"), "\(run.out)")
    }

    @Test func `what is compared is named, and what cannot be compared says why`() throws {
        let second = Self.export.replacing("ada0", with: "ada1").split(separator: "\r\n").dropFirst()
        try tool.write(Self.export + second.joined(separator: "\r\n") + "\r\n", to: "two.csv")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let compare = ["--policies", "policies", "--base", policies]
        let two = try tool.run(["policy", "log", "two.csv"] + compare)
        #expect(two.status == 1)
        #expect(
            two.error
                == "b2c: the log has 2 sessions: name one by --correlation\n  \(Self.correlation) B2C_1A_Asks\n  "
                + "\(Self.correlation.dropLast())1 B2C_1A_Asks\n", "\(two.error)")
        try tool.write(Self.export.replacing("Event:AUTH", with: "Event:API"), to: "late.csv")
        let late = try tool.run(["policy", "log", "late.csv"] + compare)
        #expect(late.status == 2 && late.out.contains("  step 1  ran\n"), "\(late.out)")
        #expect(
            late.error.contains("cannot be compared with policies: its beginning is not in the log"), "\(late.error)")
        #expect(try tool.run("policy", "log", "late.csv", "--correlation", "0a").status == 0)
        try tool.write(
            #"[{"timestamp":"2026-11-02T09:10:00Z","message":"started","customDimensions":{"Category":"x"}}]"#,
            to: "other.json")
        let other = try tool.run(["policy", "log", "other.json"] + compare)
        #expect(other.status == 2)
        #expect(other.error.contains("no row of it is one of the Journey Recorder"), "\(other.error)")
    }

    @Test func `a difference in a log that lacks requests is not a verdict`() throws {
        let sampled = Self.export.replacing("customDimensions\r\n", with: "customDimensions,itemCount\r\n")
            .replacing("\"\r\n", with: "\",3\r\n")
        try tool.write(sampled, to: "export.csv")
        for (city, status) in [("London", 0), ("Paris", 2)] as [(String, Int32)] {
            try tool.write(policy(city: city), to: "policies/Asks.xml")
            let run = try tool.run("policy", "log", "export.csv", "--policies", "policies", "--base", policies)
            #expect(run.status == status, "\(run.error)\(run.out)")
            #expect(run.error.contains("the log was sampled"))
            #expect(run.error.contains("whether the policies differ is not known") == (status == 2), "\(run.error)")
        }
    }

    /// A part of a message without headers: no id to ask for, so it is shown at once.
    @Test func `a fragment is shown, and its end is not made up`() throws {
        let clips =
            Self.page(1, "City", "AsksCity", claims: ["asksCity": "London"])
            + Self.page(2, "Street", "AsksStreet", claims: [:])
        let text = clips.map { JSONWriter.pretty($0) }.joined(separator: ",\n")
        try tool.write(String(text.dropLast(30)), to: "fragment.txt")
        let run = try tool.run("policy", "log", "fragment.txt")
        #expect(run.status == 0, "\(run.error)")
        #expect(run.error.contains("a clip is cut off here"), "\(run.error)")
        #expect(
            run.out.hasPrefix("a session without an id of a policy without a name, nobody, 1 request\n"), "\(run.out)")
        #expect(run.out.contains("  step 1  ran\n") && run.out.contains("profile AsksStreet"), "\(run.out)")
        #expect(run.out.hasSuffix("end: not known: the log breaks off\n"), "\(run.out)")
        try tool.write(policy(city: "London"), to: "policies/Asks.xml")
        let compared = try tool.run(
            "policy", "log", "fragment.txt", "--policies", "policies", "--base", policies, "--policy", "B2C_1A_Asks")
        #expect(compared.status == 2, "\(compared.out)")
    }

    @Test func `explain hands a log over`() throws {
        try tool.write(Self.export, to: "export.csv")
        let run = try tool.run("explain", "--file", "export.csv")
        #expect(run.status == 0, "\(run.error)")
        #expect(run.out.hasPrefix("a log of the journey recorder\n"))
        #expect(run.out.contains("b2c policy log export.csv --correlation \(Self.correlation)\n"), "\(run.out)")
    }

    @Test(arguments: [
        (["policy", "log", "none.csv"], 2, "none.csv cannot be read"),
        (["policy", "log", "page.html"], 2, "page.html:1:1: error: this is HTML or XML, not a log"),
        (["policy", "log", "export.csv", "--correlation", "0a1b2c3d-0000-4000-8000-00000000ada1"], 2, "Did you mean"),
        (["policy", "log", "export.csv", "--policy", "B2C_1A_Other"], 2, "It has sessions of B2C_1A_Asks."),
    ])
    func `bad input is said with a remedy`(_ arguments: [String], _ status: Int32, _ message: String) throws {
        try tool.write(Self.export, to: "export.csv")
        try tool.write("<html></html>", to: "page.html")
        let run = try tool.run(arguments)
        #expect(run.status == status)
        #expect(run.error.contains(message), "\(run.error)")
    }
}
