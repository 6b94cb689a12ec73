import JSON
import Verbs

extension PageAction {
    /// The action as a browser takes it.
    ///
    /// - Parameters:
    ///   - person: Whose record ``person`` names.
    ///   - filling: The values of ``fill``, asked for when they are typed.
    public func userAction(
        as person: Person?, filling: @escaping @Sendable () async -> FillValues
    ) -> UserAction {
        let test: PageTest = { record in mismatches(page: record).map(\.description) }
        return UserAction(
            onText: on.map { $0.stringValue.map { "\"\($0)\"" } ?? JSONWriter.compact($0) },
            on: on == nil ? nil : test, wait: wait, barrier: barrier, person: person, fill: filling, press: press,
            window: window?.rawValue, repeatCount: repeatCount, optional: optional)
    }
}
