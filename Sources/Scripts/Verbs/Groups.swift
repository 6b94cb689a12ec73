import JSON
import Records

/// A verb that holds steps. They are read as steps of their own: ``Step/steps``.
package protocol GroupRecord: VerbRecord {}

extension GroupRecord {
    package static var traits: VerbTraits { [.group, .planned, .failing] }
    package static var shape: Shape { .array(of: .ref("step")) }
    package static func decode(_ value: JSONValue, _ cursor: SettingsCursor) -> Self? { Self() }
    package var parameters: JSONValue { [] }
}

/// Steps one after another.
package struct StepGroup: GroupRecord {
    package init() {}

    package static let name = "steps"
    package static let doc = "A group of steps, one after another."
}

/// Steps that take turns.
package struct ParallelGroup: GroupRecord {
    package init() {}

    package static let name = "parallel"
    package static let doc = "Steps that run at once, taking turns."
}
