import JSON

/// One fact that two targets show differently.
public struct Difference: Sendable, Hashable {
    public var scenario: String
    /// The step's id, or its title.
    public var step: String
    /// Where: `result/idToken/claims/ver`, `requests/token/1/headers/pragma`.
    public var place: String
    /// What the first target shows; nil: nothing.
    public var first: JSONValue?
    public var second: JSONValue?
    /// Why it is known and waited for; nil: it is not.
    public var expected: String?
}

/// A difference that somebody knows of.
public struct ExpectedDifference: Sendable, Hashable {
    /// Scenario and step that it applies to; nil: all.
    public var scenario: String?
    public var step: String?
    /// A place, in which `*` stands for anything between two slashes and `**` at the end for everything below.
    public var place: String
    public var reason: String

    func meets(_ difference: Difference) -> Bool {
        if let scenario, scenario != difference.scenario { return false }
        if let step, step != difference.step { return false }
        let wanted = place.split(separator: "/")
        let found = difference.place.split(separator: "/")
        for (index, part) in wanted.enumerated() {
            if part == "**" { return index < found.count }
            guard index < found.count, part == "*" || part == found[index] else { return false }
        }
        return wanted.count == found.count
    }
}

/// What two targets show of the same scripts.
public struct Comparison: Sendable {
    public var first: String
    public var second: String
    public var differences: [Difference]
    /// Scenarios that were not run on both to the same step, and why.
    public var incomplete: [(scenario: String, reason: String)]
    /// Expected differences that are none.
    public var unused: [ExpectedDifference]
    /// Facts that were looked at.
    public var facts: Int

    public var unexpected: [Difference] { differences.filter { $0.expected == nil } }
    public var isGood: Bool { unexpected.isEmpty && incomplete.isEmpty }

    /// Compares two runs of the same items. Both must have kept all outcomes.
    ///
    /// - Parameter leavesOutBrowsers: One of the runs used a real browser, so requests of browsers are not compared.
    public init(
        _ first: RunReport, _ second: RunReport, expected: [ExpectedDifference] = [], leavesOutBrowsers: Bool = false
    ) {
        self.first = first.target
        self.second = second.target
        differences = []
        incomplete = []
        unused = []
        facts = 0
        for (one, other) in zip(first.scenarios, second.scenarios) {
            for (report, target) in [(one, first.target), (other, second.target)] {
                guard [.skipped, .blocked, .notRun].contains(report.status) else { continue }
                incomplete.append((one.title, "\(report.status.rawValue) on \(target): \(report.reason ?? "")"))
            }
            compare(one.steps, other.steps, of: one.title, leavesOutBrowsers: leavesOutBrowsers)
        }
        for index in differences.indices {
            differences[index].expected = expected.first { $0.meets(differences[index]) }?.reason
        }
        let found = differences
        unused = expected.filter { known in !found.contains { known.meets($0) } }
    }

    private mutating func compare(
        _ first: [StepReport], _ second: [StepReport], of scenario: String, leavesOutBrowsers: Bool
    ) {
        for index in 0..<max(first.count, second.count) {
            let (one, other) = (first.dropFirst(index).first, second.dropFirst(index).first)
            let step = one?.id ?? one?.title ?? other?.id ?? other?.title ?? ""
            guard let one, let other, (one.outcome == nil) == (other.outcome == nil) else {
                incomplete.append((scenario, "the step \(step) ran on one of them only"))
                continue
            }
            if one.outcome == nil, one.status == .failed || other.status == .failed {
                let why = (one.problems + other.problems).first ?? "it did not run"
                incomplete.append((scenario, "\(step): \(why)"))
            }
            let left = StepFacts(one.outcome ?? .null, leavesOutBrowsers: leavesOutBrowsers).facts
            let right = StepFacts(other.outcome ?? .null, leavesOutBrowsers: leavesOutBrowsers).facts
            let places = left.keys(with: right)
            facts += places.count
            differences += places.filter { left[$0] != right[$0] }.map { place in
                Difference(scenario: scenario, step: step, place: place, first: left[place], second: right[place])
            }
            compare(one.steps, other.steps, of: scenario, leavesOutBrowsers: leavesOutBrowsers)
        }
    }
}

extension Comparison {
    /// The report as JSON.
    public var json: JSONValue {
        let differing = differences.map { difference -> JSONValue in
            var object: JSONObject = [
                "scenario": .string(difference.scenario), "step": .string(difference.step),
                "place": .string(difference.place),
            ]
            object["first"] = difference.first
            object["second"] = difference.second
            object["expected"] = difference.expected.map { .string($0) }
            return .object(object)
        }
        return [
            "targets": [.string(first), .string(second)], "good": .bool(isGood), "facts": .integer(Int64(facts)),
            "differences": .array(differing),
            "incomplete": .array(incomplete.map { ["scenario": .string($0.scenario), "reason": .string($0.reason)] }),
            "notFound": .array(unused.map { ["place": .string($0.place), "reason": .string($0.reason)] }),
        ]
    }

    /// The report for people.
    public var text: String {
        var lines: [String] = []
        func shown(_ value: JSONValue?) -> String { value.map { JSONWriter.compact($0) } ?? "nothing" }
        var place = ""
        for difference in differences {
            let head = "\(difference.scenario), step \(difference.step)"
            if head != place {
                lines.append(head)
                place = head
            }
            let known = difference.expected.map { "   expected: \($0)" } ?? ""
            lines.append("  \(difference.expected == nil ? "differs" : "known  ") \(difference.place)\(known)")
            lines.append("    \(first): \(shown(difference.first))")
            lines.append("    \(second): \(shown(difference.second))")
        }
        for (scenario, reason) in incomplete { lines.append("not compared: \(scenario): \(reason)") }
        for known in unused { lines.append("no longer differs: \(known.place) (\(known.reason))") }
        let count = differences.count
        lines.append(
            "\(facts) facts compared between \(first) and \(second): \(count) \(count == 1 ? "differs" : "differ"), "
                + "\(count - unexpected.count) of them expected")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The differences as a file of expected ones, to be given reasons.
    public var asExpected: JSONValue {
        var places: [String] = []
        for difference in differences where !places.contains(difference.place) { places.append(difference.place) }
        return [
            "differences": .array(
                places.map { place in
                    let known = differences.first { $0.place == place && $0.expected != nil }?.expected
                    return ["place": .string(place), "reason": .string(known ?? "recorded, not explained yet")]
                })
        ]
    }
}

extension ExpectedDifference {
    /// Reads a file of expected differences: `{"differences": [{"place", "reason", "scenario"?, "step"?}]}`.
    ///
    /// - Throws: The first thing that is wrong, in a sentence.
    public static func read(_ json: JSONValue) throws(TargetProblem) -> [ExpectedDifference] {
        guard let list = json["differences"]?.arrayValue else {
            throw TargetProblem("a file of expected differences holds {\"differences\": [...]}")
        }
        var all: [ExpectedDifference] = []
        for (index, entry) in list.enumerated() {
            guard let object = entry.objectValue, let place = object["place"]?.stringValue,
                let reason = object["reason"]?.stringValue
            else { throw TargetProblem("/differences/\(index) needs the texts \"place\" and \"reason\"") }
            if let key = object.keys.first(where: { !["place", "reason", "scenario", "step"].contains($0) }) {
                throw TargetProblem("/differences/\(index) has the unknown key \"\(key)\"")
            }
            all.append(
                ExpectedDifference(
                    scenario: object["scenario"]?.stringValue, step: object["step"]?.stringValue, place: place,
                    reason: reason))
        }
        return all
    }
}
