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

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        [(.clock, "moves true time")]
    }

    package struct Returned: ResultRecord {
        package var now: Timestamp

        package init(now: Timestamp) { self.now = now }

        package static let members: [ResultMember<Returned>] = {
            var table = ResultTable<Returned>()
            table.add("now", .text, "True time after the clock was moved.") { $0.now.rfc3339 }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = [Returned.self]
}
