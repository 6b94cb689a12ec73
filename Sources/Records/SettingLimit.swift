import JSON
import Synchronization

/// Where a setting applies. A key without a limit applies wherever it may be written.
///
/// A limit is part of its key's row, so that the check of files and patches, the schema and the docs agree.
package struct SettingLimit<Place>: Sendable {
    /// One sentence for the schema and the docs: where the key applies.
    package let doc: String
    /// Why a value has no effect in a place; `nil` where it applies.
    package let problem: @Sendable (_ place: Place, _ value: JSONValue) -> SettingProblem?

    package init(doc: String, problem: @escaping @Sendable (_ place: Place, _ value: JSONValue) -> SettingProblem?) {
        self.doc = doc
        self.problem = problem
    }

    /// Two limits that must both hold.
    package func and(_ other: SettingLimit) -> SettingLimit {
        let (first, second) = (problem, other.problem)
        return SettingLimit(doc: "\(doc) \(other.doc)") { place, value in
            first(place, value) ?? second(place, value)
        }
    }
}

/// Why a setting has no effect, and what to do instead.
package struct SettingProblem: Hashable {
    /// What follows the key: "does nothing on a custom policy".
    package var reason: String
    package var remedy: String

    package init(reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }
}

extension SettingsRecord {
    /// The keys written in `value` that have no effect in a place. Groups in it are not looked at.
    package static func misplaced(_ value: JSONValue?, in place: Place) -> [(key: String, problem: SettingProblem)] {
        let limits = SettingLimits.of(Self.self)
        guard !limits.isEmpty else { return [] }
        return (value?.objectValue?.members ?? []).compactMap { key, member in
            guard !member.isNull, let limit = limits[key], let problem = limit.problem(place, member) else {
                return nil
            }
            return (key, problem)
        }
    }
}

/// The limits of each record by key, gathered once: every tenant that is compiled asks for all of them.
private enum SettingLimits {
    private static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func of<Record: SettingsRecord>(_ record: Record.Type) -> [String: SettingLimit<Record.Place>] {
        known.withLock { known in
            if let limits = known[ObjectIdentifier(record)] as? [String: SettingLimit<Record.Place>] { return limits }
            var limits: [String: SettingLimit<Record.Place>] = [:]
            for setting in record.settings { limits[setting.field.name] = setting.limit }
            known[ObjectIdentifier(record)] = limits
            return limits
        }
    }
}
