import ScenarioRunner
import Testing

/// With `goesOnAfterFailures` each step has its own result, also after steps that failed and left their calls open.
struct GoingOnTests {
    /// Nobody signs in.
    private static let stays = #"{ "acquireToken": { "prompt": "login" }, "expect": { "result": {} } }"#
    /// The person expects another page.
    private static let doesNotFit =
        #"{ "acquireToken": { "prompt": "login" }, "user": [ { "on": "mfa", "press": "verifyCode" }, "ada" ] }"#
    private static let signsIn =
        #"{ "acquireToken": { "prompt": "login" }, "user": "ada", "expect": { "result": {} } }"#

    private static func run(
        _ steps: [String], app: String = "ios", goesOn: Bool = true
    ) async throws -> [StepReport] {
        let scenario = try Running.scenario(
            """
            { "name": "x", "tenant": "tenants/contoso.json", "app": "\(app)",
              "steps": [ \(steps.joined(separator: ",\n")) ] }
            """)
        var options = RunOptions(seed: 7, policies: Running.policies)
        options.goesOnAfterFailures = goesOn
        let report = await Runner.run(scenario, options: options)
        return try #require(report.scenarios.first).steps
    }

    private static func texts(_ step: StepReport) -> [String] { step.problems + step.mismatches.map(\.text) }

    @Test(arguments: ["ios", "spa", "desk"])
    func `steps that leave their calls open do not fail later ones`(_ app: String) async throws {
        let steps = try await Self.run(
            [
                Self.signsIn, Self.stays, #"{ "accounts": {} }"#, Self.doesNotFit, Self.signsIn,
                #"{ "acquireToken": { "prompt": "login" }, "then": [ { "accounts": {} } ] }"#, Self.signsIn,
            ], app: app)
        #expect(
            steps.map(\.status) == [.passed, .failed, .passed, .failed, .passed, .failed, .passed],
            "\(steps.map(Self.texts))")
        try #require(steps.count == 7)
        #expect(Self.texts(steps[1]).contains("the step is pending: \"page\" `signIn`"))
        #expect(Self.texts(steps[3]).first?.hasPrefix("the page that shows is \"signIn\", expected \"mfa\"") == true)
        #expect(Self.texts(steps[5]).contains("the step is pending: \"page\" `signIn`"))
    }

    @Test func `an app that left its page for the sign-in comes back to it`() async throws {
        let leaves =
            #"{ "acquireToken": { "prompt": "login", "interaction": "redirect" }, "expect": { "result": {} } }"#
        let steps = try await Self.run(
            [Self.signsIn, leaves, leaves, Self.signsIn, #"{ "acquireTokenSilent": {} }"#], app: "spa")
        #expect(
            steps.map(\.status) == [.passed, .failed, .failed, .passed, .passed], "\(steps.map(Self.texts))")
        try #require(steps.count == 5)
        #expect(Self.texts(steps[1]) == Self.texts(steps[2]))
    }

    @Test func `steps within groups leave nothing open either`() async throws {
        let group = #"{ "steps": [ { "accounts": {} }, \#(Self.stays), { "accounts": {} } ] }"#
        let steps = try await Self.run([group, group, Self.signsIn])
        #expect(steps.map(\.status) == [.failed, .failed, .passed], "\(steps.map(Self.texts))")
        #expect(steps.prefix(2).allSatisfy { $0.steps.map(\.status) == [.passed, .failed, .notRun] })
    }

    /// The requests are other than expected, and the call still waits for the step that resumes it.
    @Test(arguments: ["", #", "requests": 7"#])
    func `a call that should wait is not given up`(_ more: String) async throws {
        let steps = try await Self.run(
            [
                #"{ "id": "waits", "acquireToken": { "prompt": "login" }, "expect": { "pending": {}\#(more) } }"#,
                #"{ "accounts": {}, "expect": { "requests": 1 } }"#, #"{ "resume": "waits", "user": "ada" }"#,
                Self.signsIn,
            ])
        #expect(
            steps.map(\.status) == [more.isEmpty ? .passed : .failed, .failed, .passed, .passed],
            "\(steps.map(Self.texts))")
    }

    @Test func `without the option nothing runs after a failure`() async throws {
        let steps = try await Self.run([Self.signsIn, Self.stays, Self.signsIn], goesOn: false)
        #expect(steps.map(\.status) == [.passed, .failed, .notRun])
    }
}
