import Determinism
import HTTPMessages
import JSON

/// The rules that are in force, with what each has done so far. The code that numbers exchanges asks it once for each
/// exchange, in order.
public struct FaultRules: Sendable {
    /// How often a rule has met an exchange, and how often it struck.
    public struct Count: Hashable, Sendable {
        /// Exchanges that matched.
        public var met: Int
        /// Exchanges in which it changed something.
        public var fired: Int
        /// Its parts that have changed something, and why the others have not, as far as they had the chance.
        public private(set) var effect = ChangeEffect()

        public init(met: Int = 0, fired: Int = 0) {
            self.met = met
            self.fired = fired
        }

        /// Takes over what came of the rule in an exchange that it was counted for. Where nothing changed it has not
        /// struck.
        mutating func note(_ new: ChangeEffect) {
            if !new.changes { fired -= 1 }
            var sum = ChangeEffect()
            for part in effect.held + new.held where !sum.held.contains(part) { sum.hold(part) }
            for entry in effect.idle + new.idle
            where !sum.held.contains(entry.part) && !sum.idle.contains(where: { $0.part == entry.part }) {
                sum.idle(entry.part, entry.reason)
            }
            effect = sum
        }

        /// As a document: `met`, `fired`, and the parts by whether they changed something.
        public var json: JSONObject {
            var json: JSONObject = ["met": .integer(Int64(met)), "fired": .integer(Int64(fired))]
            for (name, value) in effect.json.members { json[name] = value }
            return json
        }

        /// Reads such a document. Numbers out of range are brought into it, so that counting on cannot overflow.
        public init(json: JSONValue) {
            func count(_ name: String) -> Int { Int(min(max(json[name]?.intValue ?? 0, 0), 1 << 53)) }
            met = count("met")
            fired = count("fired")
            effect = ChangeEffect(json: json)
        }
    }

    /// A rule that strikes an exchange under way; ``note(_:of:)`` takes its effect.
    public struct Strike: Sendable {
        public let rule: FaultRule
        fileprivate let group: Int
        fileprivate let position: Int
    }

    /// A rule that had to change something and did not, or not with every part.
    public struct Unused: Sendable {
        public let rule: FaultRule
        let count: Count

        /// Nothing for a rule that has done its work, or need not.
        init?(_ rule: FaultRule, _ count: Count) {
            guard !rule.optional else { return nil }
            guard count.fired == 0 || rule.parts.contains(where: { !count.effect.held.contains($0) }) else {
                return nil
            }
            self.rule = rule
            self.count = count
        }

        /// What is wrong, without a full stop.
        public var text: String {
            let match = rule.match.map { " (match \(JSONWriter.compact($0)))" } ?? ""
            let name = "the rule at \(rule.pointer)\(match)"
            let idle = count.effect.idle.map { "`\($0.part.description.dropFirst())` changed nothing: \($0.reason)" }
            let remedy = "mark it \"optional\": true if it need not"
            guard !idle.isEmpty else { return "\(name) never struck; \(remedy)" }
            let matched = count.met == 1 ? "1 exchange" : "\(count.met) exchanges"
            return "\(name) matched \(matched), and \(idle.joined(separator: "; ")); \(remedy)"
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
    /// - Returns: The rules that had to change something and did not.
    public mutating func pop(_ id: Int) -> [Unused] {
        guard let index = groups.firstIndex(where: { $0.id == id }) else { return [] }
        let gone = groups.remove(at: index)
        return zip(gone.rules, gone.counts).compactMap { Unused($0, $1) }
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

    /// Takes over what came of a rule in the exchange that it struck. Where it changed nothing it does not count as struck,
    /// so `times` is not used up.
    public mutating func note(_ effect: ChangeEffect, of strike: Strike) {
        guard let index = groups.firstIndex(where: { $0.id == strike.group }) else { return }
        groups[index].counts[strike.position].note(effect)
    }

    /// The rule that strikes an exchange: the first that matches, innermost group first. It is counted.
    ///
    /// - Parameter record: The exchange's request record; made only if there are rules.
    public mutating func strike(lane: LaneID, record: () -> JSONValue) -> Strike? {
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
                return Strike(rule: rule, group: groups[index].id, position: position)
            }
        }
        return nil
    }
}
