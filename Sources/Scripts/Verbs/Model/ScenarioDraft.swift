import Determinism
import JSON

/// A scenario that a program puts together: as a value, without a file. ``json`` is what a file with it would hold. The
/// module Scenarios checks it and makes of it what runs.
public struct ScenarioDraft: Sendable {
    /// Where the tenant comes from.
    public enum TenantSource: Hashable, Sendable {
        /// A tenant file, as seen from the folder of the scenario.
        case file(String)
        /// The tenant itself, as a file would hold it.
        case inPlace(JSONValue)

        /// The source as a script writes it.
        public var json: JSONValue {
            switch self {
            case .file(let path): .string(path)
            case .inPlace(let tenant): tenant
            }
        }
    }

    /// The order in which a file has the members.
    public enum MemberOrder: Sendable {
        /// As an import has them: the clock before the settings, faults after the steps.
        case imported
        /// As an exploration has them: settings, clock and faults before the steps, and the client last in a step.
        case explored
    }

    /// Title.
    public var name: String
    /// Prose.
    public var description: String?
    /// Words for `--tags`.
    public var tags: [String] = []
    /// The tenant that the script plays in.
    public var tenant: TenantSource
    /// The app that acts; `nil` for the tenant's only one.
    public var app: String?
    /// Patch over the tenant before the first step.
    public var configure: JSONValue?
    /// True time at the first step, as an instant of RFC 3339; `nil` for the usual one.
    public var clock: JSONValue?
    /// Fault rules for the whole scenario.
    public var faults: JSONValue?
    /// The steps.
    public var steps: [Step]
    /// How ``json`` is ordered.
    public var order = MemberOrder.imported

    public init(
        name: String, tenant: TenantSource, app: String? = nil, configure: JSONValue? = nil, clock: Timestamp? = nil,
        faults: JSONValue? = nil, steps: [Step] = []
    ) {
        self.name = name
        self.tenant = tenant
        self.app = app
        self.configure = configure
        self.clock = clock.map { .string($0.rfc3339) }
        self.faults = faults
        self.steps = steps
    }

    /// The scenario as a file holds it.
    public var json: JSONObject {
        var script: JSONObject = ["name": .string(name)]
        script["description"] = description.map { .string($0) }
        if !tags.isEmpty { script["tags"] = .array(tags.map { .string($0) }) }
        script["tenant"] = tenant.json
        script["app"] = app.map { .string($0) }
        if order == .imported { script["clock"] = clock }
        script["configure"] = configure
        script["clock"] = clock
        if order == .explored { script["faults"] = faults }
        script["steps"] = .array(steps.map { .object(json(of: $0)) })
        script["faults"] = faults
        return script
    }

    private func json(of step: Step) -> JSONObject {
        var json = step.json
        guard order == .explored, let client = json["client"] else { return json }
        json["client"] = nil
        json["client"] = client
        return json
    }
}
