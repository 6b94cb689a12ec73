import AuthorityHosting
import CommandKit
import Diagnostics
import Exploration
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework

/// Where scripts of an exploration play: a policy's tenant, an app, and the person's accounts at identity providers.
struct ScriptStage {
    /// What scripts name as their tenant: a path, or the tenant itself.
    var tenant: JSONValue
    let app: String
    let found: PlacedPolicies
    let policy: ResolvedPolicy
    let seed: UInt64
    private let shelf: PolicyShelf
    private let tenants: TenantLibrary

    /// A stage for scripts that lie in the current folder.
    ///
    /// - Throws: ``Failure`` when the tenant file has no app.
    init(_ found: PlacedPolicies, settings: PolicySettings, policy: ResolvedPolicy, seed: UInt64) throws {
        self.found = found
        self.policy = policy
        self.seed = seed
        shelf = PolicyShelf(files: .disk)
        tenants = TenantLibrary(files: { try? FileSystem.read($0) }, policies: shelf)
        if found.isFolder {
            app = "app"
            let world = FolderWorld.settings(app: app, policy: settings.name, for: [policy])
            var whole = found.playable(besides: settings).merging(patch: world).objectValue ?? JSONObject()
            whole["users"] = [:]
            tenant = .object(whole)
        } else {
            guard let first = found.tenant.apps.first else {
                throw Failure.usage("\(found.shown) has no app, and scripts need one to sign in with")
            }
            app = first.name
            tenant = .string(found.document?.source.file ?? found.shown)
        }
    }

    /// The script as a scenario.
    func whole(_ script: ExplorationScript) -> JSONObject {
        var scenario: JSONObject = [:]
        for key in ["name", "description", "tags"] { scenario[key] = script.scenario[key] }
        scenario["tenant"] = tenant
        scenario["app"] = .string(app)
        for (key, value) in script.scenario.members where scenario[key] == nil { scenario[key] = value }
        guard !script.providers.isEmpty else { return scenario }
        var accounts = JSONObject()
        for (profile, _) in ProviderAddresses.federation(of: policy) where script.providers.contains(profile.id) {
            let person = script.hasAccount ? DemoPeople.linked : DemoPeople.stranger
            accounts[FolderWorld.providerName(profile)] = .object(
                ProviderClaims.claims(of: person, at: profile, in: policy))
        }
        let patch: JSONValue = [
            "configure": ["users": .object([script.providerUser: ["providers": .object(accounts)]])]
        ]
        return JSONValue.object(scenario).merging(patch: patch).objectValue ?? scenario
    }

    /// Runs a scenario as the file of a path, which need not be there.
    func run(_ scenario: JSONObject, file: String, seed: UInt64? = nil) async -> ScenarioReport? {
        let document = JSONDocument(file: file, value: .object(scenario))
        guard let scenario = try? ScenarioReader.read(document, tenants: tenants, acceptsAnything: true) else {
            return nil
        }
        let options = RunOptions(
            seed: seed ?? self.seed, keepOutcomes: true, readFile: { try? FileSystem.read($0) }, policies: shelf)
        return await Runner.run(scenario, options: options).scenarios.first
    }

    /// The scenario with what its steps did as their expectation.
    func expecting(_ scenario: JSONObject, _ report: ScenarioReport) -> JSONObject {
        var scenario = scenario
        guard var steps = scenario["steps"]?.arrayValue else { return scenario }
        for (index, step) in report.steps.enumerated() where index < steps.count {
            guard var object = steps[index].objectValue, Self.isOfApp(object), let outcome = step.outcome,
                let expected = Self.expectation(outcome)
            else { continue }
            object["expect"] = expected
            steps[index] = .object(object)
        }
        scenario["steps"] = .array(steps)
        return scenario
    }

    /// Whether a step asks for tokens.
    private static func isOfApp(_ step: JSONObject) -> Bool {
        step["acquireToken"] != nil || step["acquireTokenSilent"] != nil
    }

    private static func expectation(_ outcome: JSONValue) -> JSONValue? {
        if let claims = outcome["result", "idToken", "claims"]?.objectValue {
            var expected = JSONObject()
            for (name, value) in claims.members where !volatile.contains(name) {
                expected[name] = isDrawn(value) ? ["$exists": true] : value
            }
            return ["result": ["idToken": ["claims": .object(expected)]]]
        }
        if let error = outcome["error"]?.objectValue {
            var expected = JSONObject()
            for name in ["kind", "b2cCode", "oauthError"] { expected[name] = error[name] }
            return expected.isEmpty ? ["error": ["$exists": true]] : ["error": .object(expected)]
        }
        guard let pending = outcome["pending"] else { return nil }
        var page = JSONObject()
        for name in ["name", "technicalProfile", "error"] {
            if let value = pending["page", name], value != .null, !isDrawn(value) { page[name] = value }
        }
        return page.isEmpty ? ["pending": ["$exists": true]] : ["pending": ["page": .object(page)]]
    }

    private static let volatile: Set<String> = [
        "exp", "iat", "nbf", "auth_time", "nonce", "at_hash", "c_hash", "s_hash", "sid", "jti",
    ]

    /// Whether a value holds an identifier or number that another seed changes.
    private static func isDrawn(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text):
            text.firstMatch(of: /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-/) != nil || text.count > 200
        case .array(let values): values.contains(where: isDrawn)
        case .object(let object): object.members.contains { isDrawn($0.value) }
        default: false
        }
    }
}
