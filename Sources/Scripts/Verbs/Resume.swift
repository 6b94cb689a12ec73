import JSON
import Records

/// The second half of an operation that waits for a person.
package struct Resume: ValueCall {
    /// The id of the step that began it.
    package var value = ""

    package init() {}

    package static let name = "resume"
    package static let doc = "Goes on with a step that ended pending, with this step's user."
    package static let traits: VerbTraits = [.app, .user, .then, .planned, .failing]
    package static let codec = Codec<String>.name(.step)

    package var resultMembers: [String]? { nil }
    package var needsClient: Bool { false }
}
