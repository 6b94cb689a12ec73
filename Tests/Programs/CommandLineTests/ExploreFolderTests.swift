import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy explore` of all policies of a folder, and what it says of input that it cannot explore.
@Suite(.blocking) struct ExploreFolderTests {
    /// macOS has another program of that name.
    private static let isScriptHere: Bool = {
        #if os(Linux)
            FileManager.default.isExecutableFile(atPath: "/usr/bin/script")
        #else
            false
        #endif
    }()

    /// A folder with the sample policy under some ids.
    private func project(_ ids: [String]) throws -> Tool {
        let tool = try Tool()
        let base = String(decoding: try TestFiles.bytes("scenarios/policies/Base.xml"), as: UTF8.self)
        let policy = String(decoding: try TestFiles.bytes("scenarios/policies/Loyalty.xml"), as: UTF8.self)
        try tool.write(base, to: "policies/Base.xml")
        for id in ids { try tool.write(policy.replacing("B2C_1A_loyalty", with: id), to: "policies/\(id).xml") }
        return tool
    }

    private func edit(_ tool: Tool, _ file: String, _ find: String, _ put: String) throws {
        let text = try tool.read(file)
        try #require(text.contains(find))
        try tool.write(text.replacing(find, with: put), to: file)
    }

    @Test func `all policies of a folder are explored with one summary`() throws {
        let tool = try project(["B2C_1A_one", "B2C_1A_two"])
        defer { tool.remove() }
        let outcome = try tool.run("policy", "explore", "policies")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.out.contains("2 custom policies: "), "\(outcome.out)")
        for id in ["B2C_1A_one", "B2C_1A_two"] {
            #expect(outcome.error.contains(try Regex("\(id): [0-9]+ states, ")), "\(outcome.error)")
        }
        #expect(outcome.error.contains("2 policies: 2 explored, 2 of them without being cut"), "\(outcome.error)")
        #expect(outcome.error.components(separatedBy: "limits of a tenant: ").count == 2, "\(outcome.error)")
        #expect(try tool.run("policy", "explore", "policies").out == outcome.out)
    }

    @Test func `a finding of a file that policies share is reported once, with the policies that have it`() throws {
        let tool = try project(["B2C_1A_one", "B2C_1A_two"])
        defer { tool.remove() }
        // A step that nothing reaches.
        try edit(
            tool, "policies/Base.xml",
            "<OrchestrationStep Order=\"3\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />\n"
                + "      </OrchestrationSteps>\n    </UserJourney>\n    <UserJourney Id=\"RedeemRefreshToken\">",
            """
            <OrchestrationStep Order="3" Type="ClaimsExchange">
              <Preconditions>
                <Precondition Type="ClaimsExist" ExecuteActionsIf="true">
                  <Value>objectId</Value>
                  <Action>SkipThisOrchestrationStep</Action>
                </Precondition>
              </Preconditions>
              <ClaimsExchanges>
                <ClaimsExchange Id="Never" TechnicalProfileReferenceId="REST-Never" />
              </ClaimsExchanges>
            </OrchestrationStep>
            <OrchestrationStep Order="4" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            </OrchestrationSteps></UserJourney><UserJourney Id="RedeemRefreshToken">
            """.replacing("REST-Never", with: "AAD-UserReadUsingObjectId"))
        let outcome = try tool.run("policy", "explore", "policies", "--format", "json")
        #expect(outcome.status == 0, "\(outcome.error)")
        let report = try JSONParser.parse(outcome.out)
        let found = (report["findings"]?.arrayValue ?? []).filter { $0["rule"] == "B2C-EXP-001" }
        #expect(found.count == 1, "\(outcome.out)")
        #expect(found.first?["remedy"]?.stringValue?.contains("Of B2C_1A_one and B2C_1A_two.") == true, "\(found)")
        let policies = report["policies"]?.arrayValue ?? []
        #expect(policies.map { $0["policy"] } == ["B2C_1A_one", "B2C_1A_two"])
        #expect(policies.first?["complete"] == true)
        #expect(policies.first?["costs"]?.arrayValue?.isEmpty == false)
        #expect(report["limits", "requestsPerSecond"] == 200)
        #expect(report["limits", "source"]?.stringValue?.contains("service-limits") == true)
        let sarif = try JSONParser.parse(try tool.run("policy", "explore", "policies", "--format", "sarif").out)
        let run = sarif["runs"]?.arrayValue?.first
        #expect(run?["properties", "policies"]?.arrayValue?.count == 2)
    }

    @Test func `a policy is named as its file has it, with a setting in its id`() throws {
        let tool = try project(["B2C_1A_{Settings:Stage}_in"])
        defer { tool.remove() }
        try tool.write(
            #"{ "Environments": [{ "Name": "Test", "Tenant": "contoso.onmicrosoft.com", "PolicySettings": { "Stage": "test" } }] }"#,
            to: "policies/appsettings.json")
        for name in ["B2C_1A_{Settings:Stage}_in", "B2C_1A_test_in"] {
            let outcome = try tool.run("policy", "explore", "policies", "--policy", name)
            #expect(outcome.status == 0, "\(name): \(outcome.error)")
            #expect(outcome.error.contains("B2C_1A_test_in: "), "\(name): \(outcome.error)")
        }
        let other = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_{Settings:Other}_in")
        #expect(other.status != 0)
        #expect(other.error.contains("B2C_1A_Other_in. There are B2C_1A_test_in."), "\(other.error)")
    }

    @Test(.enabled(if: isScriptHere, "needs script of util-linux"))
    func `a terminal shows how many policies are explored, and a file does not`() throws {
        let tool = try project(["B2C_1A_one", "B2C_1A_two"])
        defer { tool.remove() }
        let command = "'\(try #require(Tool.path))' policy explore policies"
        let shown = try tool.shell("script -qec \"\(command)\" /dev/null").out
        let places = [
            "\r\u{1b}[K0/2 policies explored, B2C_1A_one", "1/2 policies explored, B2C_1A_two", "2 custom policies: ",
        ]
        .map { shown.range(of: $0)?.lowerBound }
        #expect(
            places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted(),
            "\(shown)")
        let written = try tool.run("policy", "explore", "policies")
        #expect(!(written.out + written.error).contains("policies explored, "), "\(written.error)")
    }

    @Test func `a policy that does not link is named, and the others are explored`() throws {
        let tool = try project(["B2C_1A_broken", "B2C_1A_two"])
        defer { tool.remove() }
        try edit(
            tool, "policies/B2C_1A_broken.xml", "ReferenceId=\"SignUpOrSignIn\"", "ReferenceId=\"SignUpOrSignOn\"")
        let outcome = try tool.run("policy", "explore", "policies")
        #expect(outcome.status == 2, "\(outcome.error)")
        #expect(outcome.error.contains("policies/B2C_1A_broken.xml:"), "\(outcome.error)")
        #expect(outcome.error.contains("2 policies: 1 explored"), "\(outcome.error)")
        #expect(outcome.error.contains("not explored, because they do not link: B2C_1A_broken"), "\(outcome.error)")
    }

    @Test func `a loop without an end is named and ends`() throws {
        let tool = try project(["B2C_1A_one"])
        defer { tool.remove() }
        let round =
            "<OrchestrationStep Order=\"3\" Type=\"InvokeSubJourney\"><JourneyList>"
            + "<Candidate SubJourneyReferenceId=\"Round\" /></JourneyList></OrchestrationStep>"
        let send =
            "<OrchestrationStep Order=\"3\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />"
        // In the journey of the sign-in, which is the first.
        let text = try tool.read("policies/Base.xml")
        let place = try #require(text.range(of: send))
        let looped = text.replacingCharacters(in: place, with: round + send.replacing("\"3\"", with: "\"4\""))
        try tool.write(
            looped.replacing(
                "</UserJourneys>",
                with: "</UserJourneys><SubJourneys><SubJourney Id=\"Round\" Type=\"Call\"><OrchestrationSteps>"
                    + round.replacing("\"3\"", with: "\"1\"") + "</OrchestrationSteps></SubJourney></SubJourneys>"),
            to: "policies/Base.xml")
        let outcome = try tool.run("policy", "explore", "policies")
        #expect(outcome.status == 4, "\(outcome.error)")
        #expect(outcome.out.contains("the journey made more than 10000 moves without a stop"), "\(outcome.out)")
    }

    @Test func `what was cut is named`() throws {
        let tool = try project(["B2C_1A_one", "B2C_1A_two"])
        defer { tool.remove() }
        let outcome = try tool.run("policy", "explore", "policies", "--moves", "50")
        #expect(outcome.error.contains("2 policies: 2 explored, 0 of them without being cut"), "\(outcome.error)")
        #expect(outcome.error.contains("cut, so that not everything was decided: B2C_1A_one and B2C_1A_two"))
    }

    @Test func `invariants need one policy, and an unknown name names the nearest`() throws {
        let tool = try project(["B2C_1A_one", "B2C_1A_two"])
        defer { tool.remove() }
        try tool.write("{ \"invariants\": [] }", to: "explore.json")
        let several = try tool.run("policy", "explore", "policies", "--invariants", "explore.json")
        #expect(several.status == 1 && several.error.contains("name one by --policy"), "\(several.error)")
        let unknown = try tool.run("policy", "explore", "policies", "--policy", "B2C_1A_on")
        #expect(unknown.status == 1 && unknown.error.contains("Did you mean B2C_1A_one?"), "\(unknown.error)")
    }

    @Test func `scripts of several policies have a folder each`() throws {
        let tool = try project(["B2C_1A_one", "B2C_1A_two"])
        defer { tool.remove() }
        let outcome = try tool.run("policy", "explore", "policies", "--suite", "suite")
        #expect(outcome.status == 0, "\(outcome.error)")
        for id in ["B2C_1A_one", "B2C_1A_two"] {
            let run = try tool.run("run", "suite/\(id)")
            #expect(run.status == 0, "\(run.out)\(run.error)")
        }
    }

    @Test func `a trace says what the sign-in costs in a tenant`() throws {
        let tool = try project(["B2C_1A_one"])
        defer { tool.remove() }
        let text = try tool.run("policy", "trace", "policies")
        let expected =
            "cost in a tenant: 3 requests; at most 66 such sign-ins a second: 2 for self-asserted pages "
            + "(SelfAsserted-LocalAccountSignin-Email), 1 for the token endpoint"
        #expect(text.out.contains(expected), "\(text.out)")
        #expect(text.out.contains("https://learn.microsoft.com/azure/active-directory-b2c/service-limits"))
        let json = try JSONParser.parse(try tool.run("policy", "trace", "policies", "--json").out)
        #expect(json["cost", "requests"] == 3)
        #expect(json["cost", "limits", "requestsPerSecond"] == 200)
    }
}
