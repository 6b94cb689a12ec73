import Exchanges
import JSON
import Verbs

/// Checks that whatever a script names exists.
struct NameChecks {
    let context: ReadContext
    private var isTenantKnown: Bool { context.isTenantKnown }
    private var findings: Findings { context.findings }

    func run() {
        check(context.root, as: ScenarioShapes.root, at: .root)
        guard isTenantKnown else { return }
        checkApps()
        for (name, client) in context.root["clients"]?.objectValue?.members ?? [] {
            checkClient(name, client)
        }
    }

    /// Checks the names in a part of the script.
    func check(_ value: JSONValue, as shape: Shape, at pointer: JSONPointer) {
        let walk = NameWalk(named: ScenarioShapes.named) { kind, name, pointer in check(kind, name, at: pointer) }
        walk.walk(value, shape, at: pointer)
    }

    private static let ownKinds: [NameKind] = [.caseName, .step]

    private func check(_ kind: NameKind, _ name: String, at pointer: JSONPointer) {
        if kind == .step {
            guard context.definitions[name] == nil else { return }
            findings.unknown("step", name, among: context.ids, plural: "steps with an id", at: pointer)
            return
        }
        // The names inside a tenant that the scenario contains are checked with the tenant.
        guard pointer.tokens.first != "tenant" else { return }
        guard isTenantKnown || Self.ownKinds.contains(kind), let (known, plural) = context.names.names(of: kind),
            !context.names.has(name, as: kind)
        else { return }
        findings.unknown(
            Self.word(for: kind), name, among: known, plural: plural, at: pointer,
            owner: context.names.owner(of: name, as: kind))
    }

    private static func word(for kind: NameKind) -> String {
        switch kind {
        case .person: "person"
        case .api, .apiName: "API"
        case .caseName: "case"
        default: kind.rawValue
        }
    }

    /// A step needs a known app: its own client, the group's, the scenario's app or the tenant's only one.
    private func checkApps() {
        guard context.names.apps.count != 1, context.root["app"]?.stringValue == nil else { return }
        for placed in context.walk.steps where placed.client == nil && placed.step.record.needsClient {
            findings.add(
                .noApp, "nobody says which app acts here",
                remedy: context.names.apps.isEmpty
                    ? "The tenant file has no apps."
                    : "Name one in `app`: \(context.names.apps.joined(separator: ", ")).",
                at: placed.step.pointer)
        }
    }

    private func checkClient(_ name: String, _ client: JSONValue) {
        let pointer = JSONPointer(tokens: ["clients", name])
        if client["app"] == nil, context.root["app"] == nil, context.names.apps.count != 1 {
            findings.add(.noApp, "nobody says which app the client `\(name)` is a copy of", at: pointer)
        }
        if context.names.apps.contains(name), let app = client["app"]?.stringValue, app != name {
            findings.add(
                .takenName, "`\(name)` is the client of the app `\(name)` already",
                remedy: "Choose another name.", at: pointer, key: true)
        }
    }
}
