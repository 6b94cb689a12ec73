import CurlHTTP
import Determinism
import Diagnostics
import JSON
import ScenarioRunner
import Scenarios
import Synchronization
import TenantFiles
import TestSupport
import Testing
import TrustFramework

/// Time that goes on when somebody waits, and by a moment at each look.
final class HurriedTime: PassingTime {
    private let state: Mutex<(now: Timestamp, waits: [TimeSpan])>

    init(_ start: Timestamp = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)) {
        state = Mutex((start, []))
    }

    func now() -> Timestamp { state.withLock { $0.now } }

    func wait(until instant: Timestamp) async {
        state.withLock { state in
            guard instant > state.now else { return }
            state.waits.append(instant - state.now)
            state.now = instant
        }
        // Others get on meanwhile.
        for _ in 0..<8 { await Task.yield() }
    }

    /// How long was waited, each time.
    var waits: [TimeSpan] { state.withLock { $0.waits } }
}

/// A stand-in tenant, the two files that describe it, and runs against it.
struct LiveStage {
    let tenant: StandInTenant
    let time: HurriedTime

    static let accounts: [String: StandInTenant.Account] = [
        "ada@example.test": .init(password: "Analytical-1843", name: "Ada"),
        "bea@example.test": .init(password: "Beatrice-1900", name: "Bea"),
    ]

    static let secrets = [("ADA", "Analytical-1843"), ("BEA", "Beatrice-1900"), ("NINA", "Newcomer-2026")]

    static let tenantFile = """
        { "name": "contoso",
          "policies": {
            "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" },
            "edit": { "id": "B2C_1_edit", "type": "profileEditing" },
            "reset": { "id": "B2C_1_reset", "type": "passwordReset" },
            "join": { "id": "B2C_1_signup", "type": "signUp" } },
          "apps": {
            "ios": { "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.contoso.tasks" },
              "registration": { "clientId": "8a3f1f6a-6c0e-4a6b-9f0e-2f1d3c4b5a69" } },
            "web": { "client": { "kind": "web", "policy": "susi", "redirectUri": "https://shop.contoso.test/signin-oidc" },
              "registration": { "clientId": "7b3f1f6a-6c0e-4a6b-9f0e-2f1d3c4b5a69" } } },
          "users": {
            "ada": { "email": "ada@example.test", "password": "{{secret/ADA}}", "newPassword": "Difference-1822",
              "displayName": "Ada L.", "phone": "+441234567890" },
            "bea": { "email": "bea@example.test", "password": "{{secret/BEA}}", "displayName": "Bea" },
            "nina": { "registered": false, "email": "nina@example.test", "password": "{{secret/NINA}}",
              "displayName": "Nina" } } }
        """

    init(
        _ manner: StandInTenant.Manner = .init(), time: HurriedTime = HurriedTime(),
        interruption: @escaping StandInTenant.Interruption = { _, _ in nil }
    ) throws {
        self.time = time
        tenant = try StandInTenant(
            manner, accounts: Self.accounts, now: { time.now() }, interruption: interruption)
    }

    /// The target file; `more` are further members, each followed by a comma.
    func targetFile(_ more: String = "") -> String {
        """
        { "kind": "live", "name": "stand-in", "tenant": "tenants/live.json", \(more)
          "connectTimeout": "PT10M", "timeout": "PT10M",
          "connectTo": { "\(StandInTenant.host)": "http://127.0.0.1:\(tenant.port)" } }
        """
    }

    func target(
        _ more: String = "", allowsChanges: Bool = true,
        run: @escaping @Sendable ([String]) async -> Result<String, TargetProblem> = { _ in
            .failure(TargetProblem("no program"))
        }, ask: @escaping @Sendable (String) async -> String? = { _ in nil }
    ) async throws -> RunTarget {
        do throws(InvalidInput) {
            let file = try TargetFile.read(file: "scenarios/live.json", bytes: Array(targetFile(more).utf8))
            return try await RunTarget(
                file, secrets: Self.secrets, allowsLiveChanges: allowsChanges,
                services: TargetServices(run: run, ask: ask, time: time))
        } catch {
            Issue.record("\(error.diagnostics.map(\.message).joined(separator: "; "))")
            throw error
        }
    }

    /// What the stand-in has sent to somebody, as an inbox command prints it.
    func mailbox() -> @Sendable ([String]) async -> Result<String, TargetProblem> {
        let tenant = tenant
        return { arguments in .success(tenant.code(to: arguments.last ?? "").map { "Your code is \($0)." } ?? "") }
    }

    static let withInbox = #""live": true, "inbox": { "command": ["mail", "{to}"] },"#

    /// Scenarios from their steps; each has a name of its own.
    func run(
        _ scripts: [String], on target: RunTarget, jobs: Int = 1, before: String = ""
    ) async throws -> [ScenarioReport] {
        var scenarios: [Scenario] = []
        for (index, steps) in scripts.enumerated() {
            let text = """
                { "name": "script \(index + 1)", "tenant": "tenants/live.json", "app": "ios", \(before) "steps": [ \(steps) ] }
                """
            do throws(InvalidInput) {
                scenarios.append(
                    try ScenarioReader.read(
                        file: "scenarios/live-\(index + 1).json", bytes: Array(text.utf8),
                        files: { $0.hasSuffix("tenants/live.json") ? Array(Self.tenantFile.utf8) : nil }))
            } catch {
                Issue.record("\(error.diagnostics.map { "\($0.location?.pointer ?? ""): \($0.message)" })")
                throw error
            }
        }
        let options = RunOptions(
            seed: 7, jobs: jobs, secrets: Self.secrets, keepOutcomes: true, target: target, policies: Running.policies)
        return await Runner.run(scenarios, options: options).scenarios
    }

    /// One scenario.
    func run(_ steps: String, on target: RunTarget) async throws -> ScenarioReport {
        try #require(try await run([steps], on: target).first)
    }
}
