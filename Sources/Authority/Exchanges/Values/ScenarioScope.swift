import Determinism
import Diagnostics
import JSON

/// The values of a running scenario that change only when a step ends: what a scope needs besides the live world.
public struct ValueTable: Sendable {
    /// Variables with their values; `--variable` has already replaced defaults.
    public var variables = JSONObject()
    /// The `set` of the running case. Wins over a variable of the same name.
    public var caseValues = JSONObject()
    /// Name of the running case; `nil` in a scenario without cases.
    public var caseName: String?
    /// Round of `repeat`, from 1.
    public var index = 1
    /// Outcomes of the steps that have an id.
    public var outcomes = JSONObject()
    /// A word that differs from run to run against live tenants.
    public var unique = ""
    /// The environment, as far as the script asks for it.
    public var environment: [String: String] = [:]
    /// Values of `--secret`; the environment is asked after them.
    public var secrets: [String: String] = [:]

    /// An empty table.
    public init() {}
}

/// What only the running world knows, asked at the moment of use.
public protocol LiveValues: Sendable {
    /// True time: the authority's.
    func now() async -> Timestamp
    /// The tenant file with all defaults filled in and every patch so far applied.
    func tenant() async -> JSONValue
    /// Newest message to a person as a log record, waited for where messages travel; `nil` when none came.
    func newestMessage(to person: String) async -> JSONValue?
    /// `jwk`, `jwks`, `pem` and `kid` of a key; `nil` when there is no such key.
    func key(named name: String) async -> JSONValue?
}

/// The values of a running scenario.
public struct ScenarioScope: ValueScope {
    /// Values at rest.
    public var table: ValueTable
    /// Values of the moment.
    public let live: any LiveValues

    /// A scope for one step of a scenario.
    public init(table: ValueTable, live: any LiveValues) {
        self.table = table
        self.live = live
    }

    public func value(of reference: ValueReference) async throws(ValueError) -> JSONValue {
        try await value(of: reference, depth: 0)
    }

    /// Case values and defaults of variables may hold references themselves, filled in when used; deeper than this they
    /// go round in a circle.
    private static let longestChain = 16

    private func value(of reference: ValueReference, depth: Int) async throws(ValueError) -> JSONValue {
        guard depth < Self.longestChain else {
            throw ValueError(reference: reference.description, message: "its value refers to itself")
        }
        if let root = ValueRoot(rawValue: reference.root) {
            return try await value(of: root, reference)
        }
        if let value = table.outcomes[reference.root] {
            return try ValuePath.follow(value, reference.path, of: reference)
        }
        if let value = table.caseValues[reference.root] ?? table.variables[reference.root] {
            let filled = try await filled(value, reference, depth: depth)
            return try ValuePath.follow(filled, reference.path, of: reference)
        }
        let known = table.outcomes.keys + table.caseValues.keys + table.variables.keys
        throw ValueError(
            reference: reference.description,
            message: nearestName(reference.root, among: known).map { "is not defined; did you mean `\($0)`?" }
                ?? "is not defined here; a step that has not run yet has no outcome")
    }

    private func filled(
        _ value: JSONValue, _ reference: ValueReference, depth: Int
    ) async throws(ValueError) -> JSONValue {
        guard Interpolation.isNeeded(in: value) else { return value }
        return try await Interpolation.resolve(value, in: DeeperScope(scope: self, depth: depth + 1))
    }

    private func value(of root: ValueRoot, _ reference: ValueReference) async throws(ValueError) -> JSONValue {
        switch root {
        case .tenant:
            return try ValuePath.follow(await live.tenant(), reference.path, of: reference)
        case .users, .apps, .policies, .apis, .hosts:
            let all = await live.tenant()[root.rawValue] ?? .object(JSONObject())
            return try ValuePath.follow(all, reference.path, of: reference)
        case .inbox:
            let (person, rest) = try named(reference, what: "a person")
            guard let message = await live.newestMessage(to: person) else {
                throw ValueError(reference: reference.description, message: "no message came for \(person)")
            }
            return try ValuePath.follow(message, rest, of: reference)
        case .keys:
            let (name, rest) = try named(reference, what: "a key")
            guard let key = await live.key(named: name) else {
                throw ValueError(reference: reference.description, message: "there is no key `\(name)`")
            }
            return try ValuePath.follow(key, rest, of: reference)
        case .now:
            let instant = await live.now() + reference.offset
            return reference.path.isEmpty ? .string(instant.rfc3339) : .integer(instant.secondsSinceEpoch)
        case .unique:
            return try ValuePath.follow(.string(table.unique), reference.path, of: reference)
        case .index:
            return try ValuePath.follow(.integer(Int64(table.index)), reference.path, of: reference)
        case .caseName:
            guard let name = table.caseName else {
                throw ValueError(reference: reference.description, message: "the scenario has no cases")
            }
            return try ValuePath.follow(.string(name), reference.path, of: reference)
        case .env, .secret:
            let (name, rest) = try named(reference, what: "a variable of the environment")
            let value = root == .secret ? table.secrets[name] ?? table.environment[name] : table.environment[name]
            guard let value else {
                throw ValueError(
                    reference: reference.description,
                    message: root == .secret
                        ? "is not set; give it with --secret \(name)=VALUE or in the environment"
                        : "is not set in the environment")
            }
            return try ValuePath.follow(.string(value), rest, of: reference)
        }
    }

    private func named(
        _ reference: ValueReference, what: String
    ) throws(ValueError) -> (name: String, rest: [String]) {
        guard let name = reference.path.first else {
            throw ValueError(
                reference: reference.description, message: "needs the name of \(what): `\(reference.root)/NAME`")
        }
        return (name, Array(reference.path.dropFirst()))
    }

    /// The same scope one reference further in.
    private struct DeeperScope: ValueScope {
        let scope: ScenarioScope
        let depth: Int

        func value(of reference: ValueReference) async throws(ValueError) -> JSONValue {
            try await scope.value(of: reference, depth: depth)
        }
    }
}
