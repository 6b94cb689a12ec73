import Determinism
import Exchanges
import JSON
import Synchronization
import Verbs

/// Sees every step of one run that an experiment makes. Of the unchanged run it keeps the outcomes; a changed run it
/// compares with them, and stops it at the first difference.
final class ProofWatch: Sendable {
    /// How a step ended in the unchanged run.
    struct Record: Sendable {
        var pointer: JSONPointer
        var outcome: JSONValue
        var failed: Bool
    }

    /// An expectation that was compared with an outcome.
    struct Observation: Sendable {
        /// Place of the expectation in the script.
        var pointer: JSONPointer
        /// As written.
        var raw: JSONValue
        /// With everything filled in but what comes from the step itself.
        var expected: JSONValue
        var outcome: JSONValue
        /// The step's id, where the expectation names the step itself.
        var ownID: String?
    }

    /// What a changed run is compared with.
    struct Baseline: Sendable {
        var records: [LaneID: [Record]]
        /// A step that only one of the two runs has, with all in it.
        var leavingOut: JSONPointer?
        /// The name of a parameter: the texts that carry it may differ.
        var carrying: String?
        /// Whether the run goes on after the first difference, since its verdict is wanted.
        var wantsVerdict = false
    }

    private struct State {
        var records: [LaneID: [Record]] = [:]
        var observations: [Observation] = []
        var next: [LaneID: Int] = [:]
        var differs = false
    }

    private let baseline: Baseline?
    private let state = Mutex(State())

    /// - Parameter baseline: `nil` for the unchanged run.
    init(comparedWith baseline: Baseline? = nil) {
        self.baseline = baseline
    }

    /// Whether expectations are to be kept.
    var keepsExpectations: Bool { baseline == nil }

    func saw(_ observation: Observation) { state.withLock { $0.observations.append(observation) } }

    /// Takes the end of a step.
    ///
    /// - Returns: Whether the run may stop, because it differs.
    func ended(_ step: Step, _ outcome: JSONValue, failed: Bool, on lane: LaneID) -> Bool {
        let record = Record(pointer: step.pointer, outcome: outcome, failed: failed)
        return state.withLock { state in
            guard let baseline else {
                state.records[lane, default: []].append(record)
                return false
            }
            if state.differs { return !baseline.wantsVerdict }
            if Self.lies(record.pointer, in: baseline.leavingOut) { return false }
            state.differs = !Self.matchesNext(
                record, of: baseline, next: &state.next[lane, default: 0], lane: lane)
            return state.differs && !baseline.wantsVerdict
        }
    }

    private static func matchesNext(
        _ record: Record, of baseline: Baseline, next: inout Int, lane: LaneID
    ) -> Bool {
        let known = baseline.records[lane] ?? []
        while next < known.count, lies(known[next].pointer, in: baseline.leavingOut) { next += 1 }
        guard next < known.count else { return false }
        let other = known[next]
        next += 1
        return other.failed == record.failed
            && OutcomeComparison(carrying: baseline.carrying, numbersCount: baseline.leavingOut == nil)
                .same(other.outcome, record.outcome)
    }

    private static func lies(_ pointer: JSONPointer, in outer: JSONPointer?) -> Bool {
        outer.map { pointer.tokens.starts(with: $0.tokens) } ?? false
    }

    var records: [LaneID: [Record]] { state.withLock(\.records) }
    var observations: [Observation] { state.withLock(\.observations) }

    /// Whether a changed run that is over was the same as the unchanged one.
    var isSame: Bool {
        state.withLock { state in
            guard let baseline, !state.differs else { return false }
            return baseline.records.allSatisfy { lane, known in
                known[(state.next[lane] ?? 0)...].allSatisfy { Self.lies($0.pointer, in: baseline.leavingOut) }
            }
        }
    }
}

/// Compares two outcomes of one step.
struct OutcomeComparison {
    /// The name of a parameter: a text that holds it, and a member of this name, may differ.
    var carrying: String?
    /// Whether the numbers of requests and pages count. They shift when a step before is missing.
    var numbersCount = true

    func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let a), .object(let b)):
            guard a.count != b.count || carrying != nil else {
                return zip(a.members, b.members).allSatisfy {
                    sameText($0.key, $1.key) && same($0.value, $1.value, $0.key)
                }
            }
            guard carrying != nil else { return false }
            let left = a.members.filter { !carries($0.key) }
            let right = b.members.filter { !carries($0.key) }
            return left.count == right.count
                && zip(left, right).allSatisfy { sameText($0.key, $1.key) && same($0.value, $1.value, $0.key) }
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
        case (.string(let a), .string(let b)):
            return sameText(a, b) || carries(text: a) || carries(text: b)
        default: return left == right
        }
    }

    private func same(_ left: JSONValue, _ right: JSONValue, _ key: String) -> Bool {
        (!numbersCount && key == "number") || same(left, right)
    }

    private func carries(_ key: String) -> Bool { carrying.map { sameText($0, key) } ?? false }

    private func carries(text: String) -> Bool { carrying.map { text.contains($0) } ?? false }
}
