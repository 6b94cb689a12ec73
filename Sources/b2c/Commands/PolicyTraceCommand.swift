import ArgumentParser
import B2CProtocol
import Diagnostics
import JOSE
import JSON
import Reports
import ScenarioRunner
import Scenarios

/// `b2c policy trace`.
struct PolicyTraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Signs a person in once and prints each step of the policy: whether it ran, why, and the claims.",
        discussion: """
            The person is one of the tenant file's users; somebody who has no account yet signs up. Secrets are masked \
            unless --show-secrets.
            """)

    @Argument(help: "Name of the policy in the tenant file, or its id such as B2C_1_susi.")
    var policy: String

    @Option(name: .long, help: ArgumentHelp("The tenant file.", valueName: "file"))
    var tenant: String

    @Option(name: .customLong("as"), help: ArgumentHelp("The person who signs in.", valueName: "person"))
    var person: String

    @Option(
        name: .long,
        help: ArgumentHelp("The app that asks. (default: the first MSAL app of the tenant file)", valueName: "app"))
    var app: String?

    @Option(name: .long, help: ArgumentHelp("Where randomness comes from. (B2C_SEED; default: 1)", valueName: "n"))
    var seed: UInt64?

    @Flag(name: .long, help: "Print the outcome as JSON: requests, pages, messages, events and the trace records.")
    var json = false

    @Flag(name: .long, help: "Show tokens, codes and passwords as they are.")
    var showSecrets = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let file = try TenantArgument.read(tenant, common)
        let settings = try TenantArgument.policy(policy, in: file.outline, file: tenant)
        if let reason = settings.unsupported { throw Failure.usage(reason) }
        let (raw, report) = try await report(script(file.outline, settings))
        guard let scenario = report.scenarios.first, let step = scenario.steps.first else {
            throw Failure(status: .machine, text: "b2c: the sign-in did not start")
        }
        let outcome = step.outcome ?? .object(JSONObject())
        if json {
            Machine.out.write(JSONWriter.pretty(outcome) + "\n")
        } else {
            let style = common.style(for: Machine.out)
            Machine.out.write(TraceText(style: style).text(outcome["trace"]?.arrayValue ?? []))
            if let claims = Self.claims(of: raw) {
                Machine.out.write("token of \(settings.id)\n\(Self.indented(JSONWriter.pretty(claims)))\n")
            }
        }
        if !report.isGood {
            let text = ConsoleReport(style: common.style(for: Machine.error)).text(report)
            Machine.error.write(text)
            throw Failure.silent(.expectation)
        }
    }

    /// The claims of the ID token, from the outcome as it was: a token endpoint's answer holds it as a secret text.
    private static func claims(of report: RunReport) -> JSONValue? {
        let result = report.scenarios.first?.steps.first?.outcome?["result"]
        if let claims = result?["idToken", "claims"] { return claims }
        return result?["json", "id_token"]?.stringValue.flatMap { JWS(compact: $0)?.claims }.map { .object($0) }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    /// The sign-in as a scenario of one step.
    private func script(_ outline: Tenant, _ settings: PolicySettings) throws -> JSONValue {
        guard let user = outline.user(named: person) else {
            let names = outline.users.map(\.name)
            let hint =
                nearestName(person, among: names).map { "Did you mean \($0)?" } ?? "People are \(namesList(names))."
            throw Failure.usage("\(tenant) has no person \(person). \(hint)")
        }
        let usable = outline.apps.filter { $0.unsupported == nil }
        guard let app = app ?? usable.first?.name else {
            throw Failure.usage(
                "\(tenant) has no app of a kind that can run: \(namesList(ClientKind.supported.map(\.rawValue)))")
        }
        if settings.type == .ropc { return passwordGrant(settings, user, app: app) }
        var acts: JSONValue = .string(person)
        if !user.registered, settings.type == .signUpOrSignIn, user.providers.isEmpty {
            acts = [["on": "signIn", "press": "signUp"], .string(person)]
        }
        return [
            "name": "policy trace", "tenant": .string(FilePath.relative(tenant, to: Machine.currentFolder)),
            "app": .string(app),
            "steps": [["acquireToken": ["policy": .string(settings.name)], "user": acts]],
        ]
    }

    /// The password grant has no page: the app itself sends name and password.
    private func passwordGrant(_ settings: PolicySettings, _ user: UserRecord, app: String) -> JSONValue {
        let form: JSONValue = [
            "grant_type": "password", "username": .string(user.email ?? user.username ?? user.name),
            "password": .string(user.password ?? ""), "scope": "openid offline_access",
        ]
        return [
            "name": "policy trace", "tenant": .string(FilePath.relative(tenant, to: Machine.currentFolder)),
            "app": .string(app),
            "steps": [
                [
                    "http": ["endpoint": "token", "policy": .string(settings.name), "form": form],
                    "expect": ["result": ["status": 200]],
                ]
            ],
        ]
    }

    /// What came of the script, as it was and without secrets.
    private func report(_ script: JSONValue) async throws -> (raw: RunReport, shown: RunReport) {
        let name = "policy-trace.json"
        let bytes = Array(JSONWriter.pretty(script).utf8)
        let scenario: Scenario
        do throws(InvalidInput) {
            scenario = try ScenarioReader.read(file: name, bytes: bytes) { try? FileSystem.read($0) }
        } catch {
            let known = [FoundFile(path: name, content: .scenario, bytes: bytes, step: nil)]
            FindingsPrinter(
                color: common.style(for: Machine.error).usesColor,
                sources: Scripts.sources(of: error.diagnostics, known: known)
            )
            .print(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
        if let complaint = SignatureProvider.complaint { Machine.error.write("warning: \(complaint)\n") }
        let seed = try seed ?? Twin.number("B2C_SEED", as: UInt64.self) ?? 1
        let options = RunOptions(seed: seed, keepOutcomes: true, readFile: { try? FileSystem.read($0) })
        let report = await Runner.run([RunItem(scenario: scenario)], options: options)
        let known = KnownSecret.secrets(of: scenario.tenant.tenant)
        let redaction = Redaction(known: known, showsSecrets: showSecrets || Twin.isOn("B2C_SHOW_SECRETS"))
        return (report, redaction.redacted(report))
    }
}
