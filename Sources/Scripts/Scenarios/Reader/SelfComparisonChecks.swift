import Exchanges
import JSON
import Verbs

/// Finds expectations that compare a value of an outcome with itself: they hold whatever the value is, or never.
struct SelfComparisonChecks {
    let context: ReadContext

    /// A value of an outcome.
    private struct Place: Hashable {
        var step: JSONPointer
        var path: [String]
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
            guard !isLog else { return compare(elements, withLog: place, at: pointer, &found) }
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
            if case .string(let text) = argument { compare(text, with: whole, at: pointer, &found) }
            compare(argument, withElementOf: whole, at: pointer, &found)
            for (index, part) in (argument.arrayValue ?? []).enumerated() where test == .unordered {
                compare(part, withElementOf: whole, at: pointer.appending(index), &found)
            }
        case .jwt, .url, .json:
            // The outcome has the parts of a token, a URL and a body as members beside the text.
            guard let text = path.last, let beside = Self.parts(of: text, as: test) else { return }
            walk(argument, of: step, path: path.dropLast() + beside, at: pointer, &found)
        // These look at something made of the value.
        case .exists, .type, .length, .base64url: break
        }
    }

    /// Where an outcome has what a test decodes from the member `name`, as a path from the member's object; `nil` if it
    /// does not.
    private static func parts(of name: String, as test: MatcherTest) -> [String]? {
        switch (test, name) {
        case (.jwt, "raw"), (.url, "url"): []
        case (.json, "body"): ["json"]
        default: nil
        }
    }

    /// Records of a log are looked for in their order. If each expected one is made of a record's own values, and in
    /// the order of these records, they are always found.
    private func compare(
        _ records: [JSONValue], withLog log: Place, at pointer: JSONPointer, _ found: inout Set<JSONPointer>
    ) {
        var last = -1
        var references: [ValueReference] = []
        for record in records {
            guard let own = ownElement(record, of: log), own.index > last else { return }
            last = own.index
            references.append(own.reference)
        }
        for (index, reference) in references.enumerated() {
            report(reference, at: pointer.appending(index), &found)
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
        _ matcher: JSONValue, withElementOf array: Place, at pointer: JSONPointer, _ found: inout Set<JSONPointer>
    ) {
        guard let own = ownElement(matcher, of: array) else { return }
        report(own.reference, at: pointer, &found)
    }

    /// The element of an array whose own values are all that a matcher names.
    private func ownElement(_ matcher: JSONValue, of array: Place) -> (index: Int, reference: ValueReference)? {
        var index: Int?
        var first: ValueReference?
        func isOwn(_ value: JSONValue, _ path: [String]) -> Bool {
            switch value {
            case .string(let text):
                guard let reference = (try? Template(parsing: text))?.whole, let place = place(of: reference),
                    place.step == array.step, place.path.count == array.path.count + 1 + path.count,
                    place.path.starts(with: array.path), place.path.suffix(path.count) == path[...],
                    let own = Int(place.path[array.path.count]), own == index ?? own
                else { return false }
                index = own
                first = first ?? reference
                return true
            case .object(let object):
                return !object.isEmpty
                    && object.members.allSatisfy { !$0.key.hasPrefix("$") && isOwn($0.value, path + [$0.key]) }
            default: return false
            }
        }
        guard isOwn(matcher, []), let index, let first else { return nil }
        return (index, first)
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
