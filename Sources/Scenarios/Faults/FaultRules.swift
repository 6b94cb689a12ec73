import Determinism
import JSON

/// The rules that are in force, with what each has done so far. A value: whoever numbers exchanges asks it once for
/// each of them, in order.
public struct FaultRules: Sendable {
    /// How often a rule has met an exchange, and how often it struck.
    public struct Count: Hashable, Sendable {
        /// Exchanges that matched.
        public var met: Int
        /// Exchanges it meddled with.
        public var fired: Int

        public init(met: Int = 0, fired: Int = 0) {
            self.met = met
            self.fired = fired
        }
    }

    /// A list of rules that came into force together.
    private struct Group: Sendable {
        let id: Int
        let lane: LaneID
        let rules: [FaultRule]
        var counts: [Count]
    }

    private var groups: [Group] = []
    private var last = 0
    private var random: SeededGenerator

    /// - Parameter random: What rules with a `rate` draw from.
    public init(random: SeededGenerator) {
        self.random = random
    }

    /// Whether no rule is in force.
    public var isEmpty: Bool { groups.isEmpty }

    /// Puts rules in force for a lane and those below it, before the ones already there.
    ///
    /// - Parameter counts: Where counting goes on; rules without one begin at nothing.
    /// - Returns: A name for ``pop(_:)``.
    public mutating func push(_ rules: [FaultRule], lane: LaneID = .main, counts: [Count] = []) -> Int {
        last += 1
        let counts = rules.indices.map { $0 < counts.count ? counts[$0] : Count() }
        groups.append(Group(id: last, lane: lane, rules: rules, counts: counts))
        return last
    }

    /// Takes rules out of force.
    ///
    /// - Returns: The rules that had to strike and did not.
    public mutating func pop(_ id: Int) -> [FaultRule] {
        guard let index = groups.firstIndex(where: { $0.id == id }) else { return [] }
        let gone = groups.remove(at: index)
        return zip(gone.rules, gone.counts).filter { $0.1.fired == 0 && !$0.0.optional }.map(\.0)
    }

    /// The rules of a group with their counts, in the order written.
    public func standing(of id: Int) -> [(rule: FaultRule, count: Count)] {
        guard let group = groups.first(where: { $0.id == id }) else { return [] }
        return Array(zip(group.rules, group.counts))
    }

    /// The rules that may strike an exchange of a lane, in the order in which they are tried, with their counts.
    public func standing(in lane: LaneID) -> [(rule: FaultRule, count: Count)] {
        groups.reversed().filter { lane.path.starts(with: $0.lane.path) }.flatMap { zip($0.rules, $0.counts) }
    }

    /// Takes over how often the rules have struck, counted by somebody else who has them too.
    ///
    /// - Parameter counts: One for each rule of `standing(in:)`; what is missing stays.
    public mutating func count(_ counts: [Count], in lane: LaneID) {
        var rest = counts[...]
        for index in groups.indices.reversed() where lane.path.starts(with: groups[index].lane.path) {
            for position in groups[index].counts.indices {
                guard let count = rest.popFirst() else { return }
                groups[index].counts[position] = count
            }
        }
    }

    /// The rule that strikes an exchange: the first that matches, innermost group first. It is counted.
    ///
    /// - Parameter record: The exchange's request record; made only if there are rules.
    public mutating func strike(lane: LaneID, record: () -> JSONValue) -> FaultRule? {
        guard !groups.isEmpty else { return nil }
        var made: JSONValue?
        for index in groups.indices.reversed() where lane.path.starts(with: groups[index].lane.path) {
            for (position, rule) in groups[index].rules.enumerated() {
                if let times = rule.times, groups[index].counts[position].fired >= times { continue }
                let json = made ?? record()
                made = json
                guard rule.meets(json) else { continue }
                groups[index].counts[position].met += 1
                if groups[index].counts[position].met <= rule.skip { continue }
                if let rate = rule.rate, random.unit() >= rate { continue }
                groups[index].counts[position].fired += 1
                return rule
            }
        }
        return nil
    }
}
