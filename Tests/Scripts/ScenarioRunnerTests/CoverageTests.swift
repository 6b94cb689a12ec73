import ScenarioRunner
import Testing
import TrustFramework

/// What a run counts of the policies it plays.
struct CoverageTests {
    private func report(_ text: String, policies: PolicyShelf = Running.policies) async throws -> CoverageReport {
        let coverage = PolicyCoverage()
        let report = await Runner.run(
            try Running.scenario(text),
            options: RunOptions(seed: 7, policies: policies, coverage: coverage))
        #expect(report.isGood, "\(report.scenarios.map(Running.failures))")
        return coverage.report
    }

    private static let tenant = """
        { "name": "contoso", "policies": { "p": { "id": "B2C_1A_Preconditions", "type": "custom", "file": "policies/Preconditions.xml" } },
          "apps": { "ios": { "client": { "kind": "msal-ios" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada", "city": "London", "department": "Staff" } } }
        """

    private func item(_ report: CoverageReport, _ id: String) throws -> CoverageReport.Item {
        try #require(report.files.flatMap(\.items).first { $0.id == id }, "\(report.files.flatMap(\.items).map(\.id))")
    }

    @Test func `counts steps, both ways of preconditions, profiles and their lines`() async throws {
        let report = try await report(
            """
            { "name": "one sign-in", "tenant": \(Self.tenant), "app": "ios", "steps": [ { "acquireToken": {}, "user": "ada" } ] }
            """)
        #expect(report.files.map(\.path) == ["scenarios/policies/Base.xml", "scenarios/policies/Preconditions.xml"])
        #expect(try item(report, "SignUpOrSignIn 4 ClaimsExchange").hits == 1)
        #expect(try item(report, "SignUpOrSignIn 5 ClaimsExchange").hits == 0)
        #expect(try item(report, "city exists").branches == .init(skipped: 1, passed: 0))
        #expect(try item(report, "department differs from Staff").branches == .init(skipped: 0, passed: 1))
        #expect(try item(report, "Mark-Staff").hits == 1)
        #expect(try item(report, "Mark-NoCity").hits == 0)
        let source = String(
            decoding: try #require(Running.bytes("scenarios/policies/Preconditions.xml")), as: UTF8.self
        )
        .split(separator: "\n", omittingEmptySubsequences: false)
        let staff = try item(report, "Mark-Staff")
        #expect(source[staff.line - 1].contains("Id=\"Mark-Staff\""))
    }

    /// White space around the value of a precondition is dropped by default; with `trimsPreconditionValues` false it
    /// counts. Either way coverage counts the side that the journey took.
    @Test(arguments: [(true, 0, 1), (false, 1, 0)])
    func `a precondition counts the side that the journey took`(trims: Bool, skipped: Int, passed: Int) async throws {
        let policies = PolicyShelf(
            files: PolicyFiles(
                read: { path in
                    guard let bytes = Running.bytes(path), path.hasSuffix("Preconditions.xml") else {
                        return Running.bytes(path)
                    }
                    let text = String(decoding: bytes, as: UTF8.self)
                    return Array(text.replacing("<Value>Staff</Value>", with: "<Value> Staff\n </Value>").utf8)
                }, list: { Running.names(in: $0) }))
        let report = try await report(
            """
            { "name": "one sign-in", "tenant": \(Self.tenant), "app": "ios", "steps": [ { "acquireToken": {}, "user": "ada" } ],
              "configure": { "authority": { "defaults": { "trimsPreconditionValues": \(trims) } } } }
            """, policies: policies)
        let step = try item(report, "SignUpOrSignIn 4 ClaimsExchange")
        #expect(step.hits == passed)
        #expect(
            try item(report, "department differs from Staff").branches == .init(skipped: skipped, passed: passed))
        // The one behind it is asked only if the first lets the step pass.
        #expect(try item(report, "department does not exist").branches == .init(skipped: 0, passed: passed))
    }

    /// Minified files: equal preconditions of different steps stay apart.
    @Test func `a policy on one line counts as the same policy on many`() async throws {
        let text = """
            { "name": "one sign-in", "tenant": \(Self.tenant), "app": "ios", "steps": [ { "acquireToken": {}, "user": "ada" } ] }
            """
        // Steps 4 and 6 have an equal precondition.
        func shelf(_ change: @escaping @Sendable (String) -> String) -> PolicyShelf {
            PolicyShelf(
                files: PolicyFiles(
                    read: { path in
                        guard let bytes = Running.bytes(path), path.hasSuffix(".xml") else {
                            return Running.bytes(path)
                        }
                        let text = String(decoding: bytes, as: UTF8.self)
                        return Array(
                            change(text.replacing("<Value>isStaff</Value>", with: "<Value>department</Value>")).utf8)
                    }, list: { Running.names(in: $0) }))
        }
        func counts(_ report: CoverageReport) -> [String] {
            report.files.flatMap(\.items).map {
                "\($0.kind) \($0.id) \($0.hits) \($0.branches?.skipped ?? 0) \($0.branches?.passed ?? 0)"
            }.sorted()
        }
        let report = try await report(text, policies: shelf { $0.replacing("\n", with: " ") })
        #expect(Set(report.files.flatMap(\.items).map(\.line)) == [1])
        #expect(counts(report) == counts(try await self.report(text, policies: shelf { $0 })))
    }

    @Test func `what nobody played is there with no hits`() async throws {
        let report = try await report(
            """
            { "name": "nothing", "tenant": \(Self.tenant), "app": "ios", "steps": [ { "accounts": {} } ] }
            """)
        #expect(report.files.flatMap(\.items).count > 10)
        #expect(report.files.flatMap(\.items).allSatisfy { $0.hits == 0 && !$0.isCovered })
    }

    @Test func `user flows are not counted`() async throws {
        let report = try await report(
            """
            { "name": "a user flow", "tenant": "tenants/contoso.json", "app": "ios", "configure": { "policies": { "loyalty": null } }, "steps": [ { "acquireToken": {}, "user": "ada" } ] }
            """)
        #expect(report.files.isEmpty)
    }
}
