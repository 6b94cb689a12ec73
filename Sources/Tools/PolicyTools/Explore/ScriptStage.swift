import AuthorityHosting
import CommandKit
import Diagnostics
import Exploration
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework
import Verbs

/// Where scripts of an exploration play: a policy's tenant, an app, and the person's accounts at identity providers.
package struct ScriptStage {
    /// Where the tenant of scripts comes from.
    var tenant: ScenarioDraft.TenantSource
    let app: String
    let found: PlacedPolicies
    let policy: ResolvedPolicy
    let seed: UInt64
    private let files: PolicyFiles
    private let shelf: PolicyShelf
    private let tenants: TenantLibrary

    /// A stage for scripts that lie in the current folder.
    ///
    /// - Throws: ``Failure`` when the tenant file has no app.
    init(_ found: PlacedPolicies, settings: PolicySettings, policy: ResolvedPolicy, seed: UInt64) throws {
        self.found = found
        self.policy = policy
        self.seed = seed
        files = found.policyFiles ?? .disk
        shelf = found.policyFiles == nil ? PolicyShelf(files: .disk) : found.shelf
        tenants = TenantLibrary(files: files.read, policies: shelf)
        if found.isFolder {
            app = "app"
            let world = FolderWorld.settings(app: app, policy: settings.name, for: [policy])
            var whole = found.playable(besides: settings).merging(patch: world).objectValue ?? JSONObject()
            whole["users"] = [:]
            tenant = .inPlace(.object(whole))
        } else {
            guard let first = found.tenant.apps.first else {
                throw Failure.usage("\(found.shown) has no app, and scripts need one to sign in with")
            }
            app = first.name
            tenant = .file(found.document?.source.file ?? found.shown)
        }
    }

    /// The script as a scenario.
    func whole(_ script: ExplorationScript) -> ScenarioDraft {
        var scenario = script.scenario
        scenario.tenant = tenant
        scenario.app = app
        for visit in script.visits {
            guard let profile = policy.profile(visit.profile).map({ policy[$0] }) else { continue }
            let person = visit.hasAccount ? DemoPeople.linked : DemoPeople.stranger
            var claims = ProviderClaims.claims(of: person, at: profile, in: ClaimPurposes(policy))
            for (name, value) in visit.claims.members { claims[name] = value }
            let account: JSONValue = .object([FolderWorld.providerName(profile): .object(claims)])
            scenario.configure = (scenario.configure ?? [:]).merging(
                patch: ["users": .object([visit.user: ["providers": account]])])
        }
        return scenario
    }

    /// Runs a scenario as the file of a path, which need not be there.
    func run(_ draft: ScenarioDraft, file: String, seed: UInt64? = nil) async -> ScenarioReport? {
        guard let scenario = try? draft.scenario(file: file, tenants: tenants, acceptsAnything: true) else {
            return nil
        }
        let options = RunOptions(
            seed: seed ?? self.seed, keepOutcomes: true, readFile: files.read, policies: shelf)
        return await Runner.run(scenario, options: options).scenarios.first
    }

    /// The scenario with what its steps did as their expectation.
    ///
    /// - Parameter known: Pages whose content is expected elsewhere; `nil`: only how steps end is expected.
    func expecting(
        _ draft: ScenarioDraft, _ report: ScenarioReport, besides known: Set<JSONValue>? = nil
    ) -> ScenarioDraft {
        var draft = draft
        for (index, step) in report.steps.enumerated() where index < draft.steps.count {
            guard Self.isOfApp(draft.steps[index]), let outcome = step.outcome,
                var expected = Self.expectation(outcome)?.objectValue
            else { continue }
            if let known {
                let logs = [
                    ("pages", pages(of: step).filter { !known.contains($0) }), ("requests", calls(outcome)),
                    ("trace", writes(outcome)),
                ]
                for (log, records) in logs where !records.isEmpty { expected[log] = .array(records) }
            }
            draft.steps[index].expect = .object(expected)
        }
        return draft
    }

    /// What the pages of a step show: their titles, and their fields with what they are filled with at first.
    func pages(of step: StepReport) -> [JSONValue] {
        (step.outcome?["pages"]?.arrayValue ?? []).compactMap { page in
            guard let fields = page["fields"]?.objectValue, !fields.isEmpty else { return nil }
            var shown = JSONObject()
            for (id, field) in fields.members {
                shown[id] = .object(Self.steady(field.objectValue ?? JSONObject(), isWhole: false))
            }
            shown["$length"] = .integer(Int64(fields.members.count))
            var record: JSONObject = ["fields": .object(shown)]
            for name in ["technicalProfile", "title"] { record[name] = page[name] }
            return .object(record)
        }
    }

    /// What is written to accounts, without the names of the technical profiles.
    private func writes(_ outcome: JSONValue) -> [JSONValue] {
        (outcome["trace"]?.arrayValue ?? []).compactMap { entry in
            guard let handle = entry["profile"]?.stringValue.flatMap({ policy.profile($0) }), policy[handle].isWrite,
                let claims = entry["in"]?.objectValue
            else { return nil }
            return [
                "handler": entry["handler"] ?? ["$exists": true], "in": .object(Self.steady(claims, isWhole: true)),
            ]
        }
    }

    /// What RESTful APIs are asked.
    private func calls(_ outcome: JSONValue) -> [JSONValue] {
        (outcome["requests"]?.arrayValue ?? []).compactMap { request in
            guard request["endpoint"] == "rest", request["from"] == "authority", let url = request["url"]?.stringValue
            else { return nil }
            var call: JSONObject = [
                "endpoint": "rest", "url": ["$startsWith": .string(String(url.prefix { $0 != "?" }))],
            ]
            call["json"] = request["json"]?.objectValue.map { .object(Self.steady($0, isWhole: true)) }
            return .object(call)
        }
    }

    /// Members with what they hold, where another seed does not change it.
    ///
    /// - Parameter isWhole: There are no others.
    private static func steady(_ object: JSONObject, isWhole: Bool) -> JSONObject {
        var steady = JSONObject()
        for (name, value) in object.members where value != .null {
            steady[name] = isDrawn(value) || value.objectValue != nil ? ["$exists": true] : value
        }
        if isWhole { steady["$length"] = .integer(Int64(object.members.count)) }
        return steady
    }

    /// Whether a step asks for tokens, or ends a session.
    private static func isOfApp(_ step: Step) -> Bool {
        [.acquireToken, .acquireTokenSilent, .signOut].contains(step.verb)
    }

    private static func expectation(_ outcome: JSONValue) -> JSONValue? {
        if let claims = outcome["result", "idToken", "claims"]?.objectValue {
            var expected = JSONObject()
            for (name, value) in claims.members where !volatile.contains(name) {
                expected[name] = isDrawn(value) ? ["$exists": true] : value
            }
            // Nothing else is in the token.
            expected["$length"] = .integer(Int64(claims.members.count))
            return ["result": ["idToken": ["claims": .object(expected)]]]
        }
        if let error = outcome["error"]?.objectValue {
            var expected = JSONObject()
            for name in ["kind", "b2cCode", "oauthError"] { expected[name] = error[name] }
            return expected.isEmpty ? ["error": ["$exists": true]] : ["error": .object(expected)]
        }
        guard let pending = outcome["pending"] else {
            return outcome["result"].map { _ in ["result": ["$exists": true]] }
        }
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
