import JSON

/// Checks lists of fault rules.
struct FaultChecks {
    private let context: ReadContext
    private var findings: Findings { context.findings }

    init(_ context: ReadContext) {
        self.context = context
    }

    func run() {
        check(context.root["faults"], at: JSONPointer(tokens: ["faults"]))
        for name in context.cases {
            check(context.root["cases"]?[name]?["faults"], at: JSONPointer(tokens: ["cases", name, "faults"]))
        }
        for step in context.allSteps { check(step.faults, at: step.pointer.appending("faults")) }
    }

    private static let effects =
        ["network", "delay", "respond", "response"] + FaultWords.notBuiltYet.keys.filter { $0 != "rate" }

    private func check(_ list: JSONValue?, at pointer: JSONPointer) {
        guard let rules = list?.arrayValue else { return }
        var always: [(match: JSONValue, index: Int)] = []
        for (index, rule) in rules.enumerated() {
            guard let object = rule.objectValue else { continue }
            let place = pointer.appending(index)
            let keys = object.keys
            if !keys.contains(where: Self.effects.contains) {
                findings.add(
                    .faultWithoutEffect, "the rule has no effect",
                    remedy: "Add `network`, `delay`, `respond` or `response`.", at: place)
            }
            if keys.contains("response"), let other = ["network", "respond"].first(where: keys.contains) {
                findings.add(
                    .faultsCancelOut, "`response` rewrites the real answer, which `\(other)` keeps away",
                    at: place.appending("response"), key: true)
            }
            if let match = object["match"] { Patterns.check(match, at: place.appending("match"), findings) }
            guard object["times"] == nil, object["skip"] == nil,
                !keys.contains(where: FaultWords.notBuiltYet.keys.contains)
            else { continue }
            let match = object["match"] ?? .object(JSONObject())
            if let earlier = always.first(where: { $0.match.sameValue(as: match) }) {
                let line = findings.document.location(of: pointer.appending(earlier.index)).line ?? 0
                findings.add(
                    .contradictoryFaults,
                    "this rule and the one on line \(line) match the same exchanges, so it never fires",
                    remedy: "Give the earlier one `times`, or make one rule of both.", at: place)
            } else {
                always.append((match, index))
            }
        }
    }
}

/// Checks the regular expressions inside matchers.
enum Patterns {
    static func check(_ matcher: JSONValue, at pointer: JSONPointer, _ findings: Findings) {
        switch matcher {
        case .array(let elements):
            for (index, element) in elements.enumerated() { check(element, at: pointer.appending(index), findings) }
        case .object(let object):
            for (name, value) in object.members where name != MatcherTest.equals.rawValue {
                let place = pointer.appending(name)
                guard name == MatcherTest.matches.rawValue, case .string(let source) = value else {
                    check(value, at: place, findings)
                    continue
                }
                guard !Template.mayHoldReference(source) else { continue }
                do throws(PatternError) {
                    _ = try Pattern(source)
                } catch {
                    let position = error.offset.map { " (at character \($0 + 1))" } ?? ""
                    findings.add(.regularExpression, error.message + position, at: place)
                }
            }
        default:
            break
        }
    }
}
