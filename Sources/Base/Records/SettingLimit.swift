import JSON

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

/// Why a setting has no effect, and what to do instead. The text is built when it is read: for a
/// tenant that is written with all defaults, only the places count.
package struct SettingProblem: Sendable {
    private let words: @Sendable () -> (reason: String, remedy: String)

    package init(
        reason: @escaping @autoclosure @Sendable () -> String, remedy: @escaping @autoclosure @Sendable () -> String
    ) {
        words = { (reason(), remedy()) }
    }

    /// What follows the key: "does nothing on a custom policy".
    package var reason: String { words().reason }
    package var remedy: String { words().remedy }
}

extension SettingsRecord {
    /// The keys written in `value` that have no effect in a place. Groups in it are not looked at.
    package static func misplaced(_ value: JSONValue?, in place: Place) -> [(key: String, problem: SettingProblem)] {
        (value?.objectValue?.members ?? []).compactMap { key, member in
            guard !member.isNull, let problem = setting(named: key)?.limit?.problem(place, member) else { return nil }
            return (key, problem)
        }
    }
}
