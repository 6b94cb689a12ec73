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
        var outcome: SeenOutcome
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
        /// The records that the step can have.
        var reach: RecordReach
        /// What it may return.
        var returned: [any ResultRecord.Type]
    }

    /// What a changed run is compared with.
    struct ReferenceRun: Sendable {
        var records: [LaneID: [Record]]
        /// A step that only one of the two runs has, with all in it.
        var leavingOut: JSONPointer?
        /// The name of a parameter: the texts that carry it may differ.
        var carrying: String?
        /// Whether the run goes on after the first difference, since its verdict is wanted.
        var wantsVerdict = false
        /// Whether outcomes that differ in time alone count as the same.
        var ignoresTime = false
    }

    private struct State {
        var records: [LaneID: [Record]] = [:]
        var observations: [Observation] = []
        var names = SeenNames()
        var next: [LaneID: Int] = [:]
        var differs = false
    }

    private let baseline: ReferenceRun?
    private let keepsOutcomes: Bool
    private let marksTime: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - baseline: `nil` for the unchanged run.
    ///   - keepsOutcomes: Whether changed runs may differ in texts, see ``Baseline/carrying``.
    ///   - marksTime: Whether changed runs may differ in time, see ``Baseline/ignoresTime``.
    init(comparedWith baseline: ReferenceRun? = nil, keepsOutcomes: Bool = false, marksTime: Bool = false) {
        self.baseline = baseline
        self.keepsOutcomes = keepsOutcomes
        self.marksTime = marksTime
    }

    /// Whether expectations are to be kept.
    var keepsExpectations: Bool { baseline == nil }

    func saw(_ observation: Observation) { state.withLock { $0.observations.append(observation) } }

    /// Takes the end of a step.
    ///
    /// - Returns: Whether the run may stop, because it differs.
    func ended(_ step: Step, _ outcome: JSONValue, failed: Bool, on lane: LaneID) -> Bool {
        state.withLock { state in
            guard let baseline else {
                state.names.add(outcome)
                state.records[lane, default: []].append(
                    Record(
                        pointer: step.pointer,
                        outcome: SeenOutcome(outcome, keepsAll: keepsOutcomes, marksTime: marksTime), failed: failed))
                return false
            }
            if state.differs { return !baseline.wantsVerdict }
            if Self.lies(step.pointer, in: baseline.leavingOut) { return false }
            state.differs = !Self.isNext(
                outcome, failed, of: baseline, next: &state.next[lane, default: 0], lane: lane)
            return state.differs && !baseline.wantsVerdict
        }
    }

    private static func isNext(
        _ outcome: JSONValue, _ failed: Bool, of baseline: ReferenceRun, next: inout Int, lane: LaneID
    ) -> Bool {
        let known = baseline.records[lane] ?? []
        while next < known.count, lies(known[next].pointer, in: baseline.leavingOut) { next += 1 }
        guard next < known.count else { return false }
        let other = known[next]
        next += 1
        guard other.failed == failed else { return false }
        if baseline.ignoresTime { return other.outcome.isSameAtAnotherTime(as: outcome) }
        return other.outcome.isSame(
            as: outcome, carrying: baseline.carrying, numbersCount: baseline.leavingOut == nil)
    }

    private static func lies(_ pointer: JSONPointer, in outer: JSONPointer?) -> Bool {
        outer.map { pointer.tokens.starts(with: $0.tokens) } ?? false
    }

    var records: [LaneID: [Record]] { state.withLock(\.records) }
    var observations: [Observation] { state.withLock(\.observations) }
    /// The names that occur in the outcomes of the unchanged run.
    var names: SeenNames { state.withLock(\.names) }

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

/// What is kept of an outcome to see whether another one is the same. The outcomes of a script with many cases do not fit
/// into memory.
struct SeenOutcome: Sendable {
    private let mark: UInt64
    private let markWithoutNumbers: UInt64
    /// `nil`: nobody asks.
    private let markWithoutTime: UInt64?
    /// The outcome itself, if texts in it may differ.
    private let whole: JSONValue?
    /// How many records its logs have.
    let counts: (requests: Int, pages: Int, events: Int)

    init(_ outcome: JSONValue, keepsAll: Bool, marksTime: Bool = false) {
        mark = Self.mark(outcome, numbersCount: true)
        markWithoutNumbers = Self.mark(outcome, numbersCount: false)
        markWithoutTime = marksTime ? Self.mark(outcome.withoutTime, numbersCount: false) : nil
        whole = keepsAll ? outcome : nil
        func count(_ log: String) -> Int { outcome[log]?.arrayValue?.count ?? 0 }
        counts = (count("requests"), count("pages"), count("events"))
    }

    /// - Parameters:
    ///   - carrying: The name of a parameter: a text that holds it, and a member of this name, may differ.
    ///   - numbersCount: Whether the numbers of requests and pages count. They shift when a step before is missing.
    func isSame(as other: JSONValue, carrying: String?, numbersCount: Bool) -> Bool {
        if let carrying, let whole { return OutcomeComparison(carrying: carrying).same(whole, other) }
        return (numbersCount ? mark : markWithoutNumbers) == Self.mark(other, numbersCount: numbersCount)
    }

    /// Whether another outcome differs in nothing but time and what holds time, such as tokens.
    func isSameAtAnotherTime(as other: JSONValue) -> Bool {
        markWithoutTime == Self.mark(other.withoutTime, numbersCount: false)
    }

    /// Equal for equal outcomes, and for others with a probability of about one in 2 to the power of 64.
    private static func mark(_ outcome: JSONValue, numbersCount: Bool) -> UInt64 {
        StableHash.fnv1a(JSONWriter.compact(numbersCount ? outcome : outcome.withoutNumbers))
    }
}

extension JSONValue {
    /// The same with `null` for each `number` of a record.
    fileprivate var withoutNumbers: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNumbers))
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.key, $0.key == "number" ? .null : $0.value.withoutNumbers) }))
        default: self
        }
    }
}

extension JSONValue {
    /// The same without instants, spans, and texts that hold either, such as tokens.
    fileprivate var withoutTime: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutTime))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { !["at", "elapsed", "secondsLeft", "now"].contains($0.key) }
                        .map { ($0.key, $0.value.withoutTime) }))
        case .integer(let number) where number > 1_000_000_000: .null
        case .string(let text) where Self.holdsTime(text): .null
        default: self
        }
    }

    /// Whether a text has a time of day, seconds since 1970, or letters and digits that make no word: a token, a check
    /// sum, a cookie, each of which may depend on the time.
    private static func holdsTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && (0x30...0x39).contains(bytes[place]) }
        var digits = 0
        var run = (length: 0, upper: false, lower: false, digit: false)
        for (index, byte) in bytes.enumerated() {
            digits = isDigit(index) ? digits + 1 : 0
            if digits == 10 { return true }
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): run.lower = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): run.upper = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): run.digit = true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): break
            // 12:00
            case UInt8(ascii: ":") where [-2, -1, 1, 2].allSatisfy({ isDigit(index + $0) }): return true
            default:
                run = (0, false, false, false)
                continue
            }
            run.length += 1
            if run.length >= 20, run.upper, run.lower, run.digit { return true }
        }
        return false
    }
}

/// Compares two outcomes of one step.
private struct OutcomeComparison {
    /// The name of a parameter: a text that holds it, and a member of this name, may differ.
    let carrying: String

    func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let a), .object(let b)):
            let left = a.members.filter { !carries($0.key) }
            let right = b.members.filter { !carries($0.key) }
            return left.count == right.count
                && zip(left, right).allSatisfy { sameText($0.key, $1.key) && same($0.value, $1.value) }
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
        case (.string(let a), .string(let b)):
            return sameText(a, b) || carries(text: a) || carries(text: b)
        default: return left == right
        }
    }

    private func carries(_ key: String) -> Bool { sameText(key, carrying) }

    private func carries(text: String) -> Bool { text.contains(carrying) }
}
