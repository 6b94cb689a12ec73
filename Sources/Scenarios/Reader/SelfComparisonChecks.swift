import JSON

/// Finds expectations that compare a value of an outcome with itself: they hold whatever the value is, or never.
struct SelfComparisonChecks {
    private let context: ReadContext

    /// A value of an outcome.
    private struct Place: Hashable {
        var step: JSONPointer
        var path: [String]
    }

    init(_ context: ReadContext) {
        self.context = context
    }

    func run() {
        let cases: [String?] = context.cases.isEmpty ? [nil] : context.cases
        for step in context.allSteps {
            var found = Set<JSONPointer>()
            for name in cases where step.runs(in: name) {
                let own = step.expectIn.first { $0.caseName == name }
                guard let expectation = own?.expectation ?? step.expect, Interpolation.isNeeded(in: expectation) else {
                    continue
                }
                let pointer = step.pointer
                walk(
                    filled(expectation, in: name), of: step, path: [],
                    at: own.map { pointer.appending("expectIn").appending($0.caseName) }
                        ?? pointer.appending("expect"),
                    &found)
            }
        }
    }

    /// With variables and case values filled in, which may name outcomes themselves.
    private func filled(_ expectation: JSONValue, in name: String?) -> JSONValue {
        let values = context.writtenValues(in: name)
        guard !values.isEmpty else { return expectation }
        var whole = expectation
        // A value that is made of itself has a finding of its own.
        for _ in 0..<8 {
            let next = Interpolation.filling(whole, from: values)
            if next == whole { break }
            whole = next
        }
        return whole
    }

    private func walk(
        _ matcher: JSONValue, of step: Step, path: [String], at pointer: JSONPointer, isLiteral: Bool = false,
        _ found: inout Set<JSONPointer>
    ) {
        // Elements beside a log are looked for among its records, so they have no place of their own.
        let place = self.place(path, of: step)
        let isLog = place.path.count == 1 && LogName(rawValue: place.path[0]) != nil
        switch matcher {
        case .string(let text): compare(text, with: place, at: pointer, &found)
        case .array(let elements):
            guard !isLog else { return }
            for (index, element) in elements.enumerated() {
                walk(
                    element, of: step, path: path + [String(index)], at: pointer.appending(index),
                    isLiteral: isLiteral, &found)
            }
        case .object(let object):
            for (name, argument) in object.members {
                let inside = pointer.appending(name)
                if !isLiteral, let test = MatcherTest(rawValue: name) {
                    walk(test, argument, of: step, path: path, at: inside, &found)
                } else if !isLog, isLiteral || !name.hasPrefix("$") {
                    walk(argument, of: step, path: path + [name], at: inside, isLiteral: isLiteral, &found)
                }
            }
        default: break
        }
    }

    private func walk(
        _ test: MatcherTest, _ argument: JSONValue, of step: Step, path: [String], at pointer: JSONPointer,
        _ found: inout Set<JSONPointer>
    ) {
        switch test {
        case .not: walk(argument, of: step, path: path, at: pointer, &found)
        case .equals: walk(argument, of: step, path: path, at: pointer, isLiteral: true, &found)
        case .all, .any:
            for (index, part) in (argument.arrayValue ?? []).enumerated() {
                walk(part, of: step, path: path, at: pointer.appending(index), &found)
            }
        case .startsWith, .endsWith, .matches, .lessThan, .atMost, .greaterThan, .atLeast, .time:
            if case .string(let text) = argument { compare(text, with: place(path, of: step), at: pointer, &found) }
        case .contains, .unordered:
            let whole = place(path, of: step)
            if case .string(let text) = argument {
                compare(text, with: whole, at: pointer, &found)
                compare(text, withElementOf: whole, at: pointer, &found)
            }
            for (index, part) in (argument.arrayValue ?? []).enumerated() {
                if test == .unordered, case .string(let text) = part {
                    compare(text, withElementOf: whole, at: pointer.appending(index), &found)
                }
            }
        // These look at something made of the value.
        case .exists, .type, .length, .json, .base64url, .jwt, .url: break
        }
    }

    private func compare(
        _ text: String, with place: Place, at pointer: JSONPointer, _ found: inout Set<JSONPointer>
    ) {
        for reference in references(in: text) where self.place(of: reference) == place {
            report(reference, at: pointer, &found)
        }
    }

    /// An array that holds one of its own elements says nothing.
    private func compare(
        _ text: String, withElementOf array: Place, at pointer: JSONPointer, _ found: inout Set<JSONPointer>
    ) {
        guard let reference = (try? Template(parsing: text))?.whole, var element = place(of: reference),
            let index = element.path.popLast(), Int(index) != nil, element == array
        else { return }
        report(reference, at: pointer, &found)
    }

    private func report(_ reference: ValueReference, at pointer: JSONPointer, _ found: inout Set<JSONPointer>) {
        guard found.insert(pointer).inserted else { return }
        context.findings.add(
            .comparedWithItself, "`{{\(reference)}}` is the value that is tested here, so it is compared with itself",
            remedy: "Write the expected value, or name a value of another place or step.", at: pointer)
    }

    private func references(in text: String) -> [ValueReference] {
        guard Template.mayHoldReference(text) else { return [] }
        return (try? Template(parsing: text))?.references ?? []
    }

    private func place(of reference: ValueReference) -> Place? {
        context.definitions[reference.root].map { place(reference.path, of: $0.step) }
    }

    /// The place of a value: what a group has of its steps is in the outcomes of these steps.
    private func place(_ path: [String], of step: Step) -> Place {
        var step = step
        var path = path
        while step.verb.isGroup, path.count >= 2, path[0] == "steps", let index = Int(path[1]),
            step.steps.indices.contains(index),
            step.steps.allSatisfy({ $0.copies == nil && $0.only == nil && $0.repeatCount == nil })
        {
            step = step.steps[index]
            path.removeFirst(2)
        }
        return Place(step: step.pointer, path: path)
    }
}
