import Determinism
import JSON
import Records

/// A move of true time.
package struct AdvanceClock: ValueCall {
    /// `nil`: known when the step runs.
    package var value: TimeSpan?

    package init() {}

    package static let name = "advanceClock"
    package static let doc = "True time moves on for everybody."
    package static let codec = Codec<TimeSpan>.span.optional()

    package var resultMembers: [String]? { ["now"] }

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        [(.clock, "moves true time")]
    }
}
