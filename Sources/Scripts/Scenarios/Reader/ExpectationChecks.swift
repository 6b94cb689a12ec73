import Exchanges
import JSON
import Verbs

/// Checks what is expected of outcomes beyond the shape.
struct ExpectationChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }

    func run() {
        for step in context.allSteps {
            if let expect = step.expect { check(expect, of: step, at: step.pointer.appending("expect")) }
            let perCase = step.pointer.appending("expectIn")
            let sayNothing = step.expectIn.allSatisfy { $0.expectation.objectValue?.isEmpty == true }
            if sayNothing, !step.expectIn.isEmpty {
                findings.add(
                    .cannotFail,
                    step.expect == nil
                        ? "`expectIn` says nothing in any case" : "`expectIn` replaces `expect` by nothing",
                    remedy: "Say what must hold in each case, or remove it.", at: perCase, key: true)
            }
            for (name, expectation) in step.expectIn {
                // Beside others, `{}` says that the step just succeeds in this case.
                if expectation.objectValue?.isEmpty == true { continue }
                check(expectation, of: step, at: perCase.appending(name))
            }
        }
        for step in context.allSteps {
            for (action, pointer) in step.actions {
                guard let on = action["on"], on.objectValue != nil else { continue }
                MatcherChecks(findings, names: context.names, shapes: ScenarioShapes.named).check(
                    on, as: "page", at: pointer.appending("on"))
            }
        }
    }

    private func check(_ expectation: JSONValue, of step: Step, at pointer: JSONPointer) {
        Patterns.check(expectation, at: pointer, findings)
        if expectation.objectValue?.isEmpty == true {
            findings.add(
                .cannotFail, "`expect` says nothing: a step has to succeed anyway",
                remedy: "Say what must hold, or remove it.", at: pointer)
        } else {
            MatcherChecks(findings, names: context.names, shapes: ScenarioShapes.named).check(
                expectation, as: "outcome", at: pointer)
        }
        checkEndings(expectation, of: step, at: pointer)
        checkMembers(expectation, of: step, at: pointer)
    }

    /// Alternatives that cover every way in which the step can end.
    private func checkEndings(_ expectation: JSONValue, of step: Step, at pointer: JSONPointer) {
        guard !step.verb.isGroup, let origin = context.resumed(by: step) else { return }
        let reach = EndingReach(of: origin.verb)
        if reach.holdsAlways(expectation) {
            findings.add(
                .cannotFail, "this holds however the step ends",
                remedy: "Expect `result`, `error` or `pending`: one of them.", at: pointer)
        } else if expectation[MatcherTest.all.rawValue] != nil || expectation[MatcherTest.not.rawValue] != nil,
            reach.holdsNever(expectation)
        {
            findings.add(
                .cannotHold, "no ending of the step passes this",
                remedy: "Expect `result`, `error` or `pending`: one of them.", at: pointer)
        }
    }

    private func checkMembers(_ expectation: JSONValue, of step: Step, at pointer: JSONPointer) {
        guard case .object(let object) = expectation else { return }
        let endings = ["result", "error", "pending"].filter { name in
            guard let value = object[name] else { return false }
            return !Self.saysAbsent(value)
        }
        if endings.count > 1 {
            findings.add(
                .contradictoryExpectation,
                "a step ends in `\(endings[0])` or in `\(endings[1])`, never in both",
                at: pointer.appending(endings[1]), key: true)
        }
        for (name, value) in object.members {
            let place = pointer.appending(name)
            if step.verb.isGroup, OutcomeMembers.all.contains(name),
                !OutcomeMembers.of(step.verb).contains(name), !Self.saysAbsent(value), !value.isNull
            {
                findings.add(
                    .unknownResult, "the outcome of `\(step.verb.rawValue)` has no `\(name)`: its steps have",
                    remedy: "Expect it of a step, or of an element of `steps`.", at: place, key: true)
                continue
            }
            switch name {
            case "result": checkResult(value, of: step, at: place)
            case "steps": checkSteps(value, of: step, at: place)
            case MatcherTest.all.rawValue, MatcherTest.any.rawValue:
                for (index, alternative) in (value.arrayValue ?? []).enumerated() {
                    checkMembers(alternative, of: step, at: place.appending(index))
                }
            case MatcherTest.not.rawValue:
                checkMembers(value, of: step, at: place)
            default:
                if LogName(rawValue: name) != nil { checkLog(value, at: place) }
            }
        }
    }

    private static func saysAbsent(_ value: JSONValue) -> Bool {
        value[MatcherTest.exists.rawValue] == .bool(false)
    }

    private func checkResult(_ value: JSONValue, of step: Step, at pointer: JSONPointer) {
        guard case .object(let object) = value, let members = context.resultMembers(of: step) else { return }
        let verb = context.resumed(by: step)?.verb ?? step.verb
        for (name, inner) in object.members {
            if name == MatcherTest.not.rawValue {
                checkResult(inner, of: step, at: pointer.appending(name))
            } else if name == MatcherTest.all.rawValue || name == MatcherTest.any.rawValue {
                for (index, alternative) in (inner.arrayValue ?? []).enumerated() {
                    checkResult(alternative, of: step, at: pointer.appending(name).appending(index))
                }
            } else if !name.hasPrefix("$"), !members.contains(name) {
                findings.lacks(
                    .unknownResult, "the result of `\(verb.rawValue)`", name, among: members,
                    plural: "members", at: pointer.appending(name), key: true)
            }
        }
    }

    private func checkSteps(_ value: JSONValue, of step: Step, at pointer: JSONPointer) {
        guard step.verb.isGroup else {
            findings.add(
                .unknownResult, "only the outcome of `steps` and `parallel` has `steps`", at: pointer, key: true)
            return
        }
        guard let elements = value.arrayValue else { return }
        // With copies, repetitions and cases the outcomes no longer stand one to one beside the steps.
        guard step.steps.allSatisfy({ $0.copies == nil && $0.only == nil && $0.repeatCount == nil }) else { return }
        guard elements.count == step.steps.count else {
            findings.add(
                .unknownResult,
                "the group has \(Wording.count(step.steps.count, "step")), and \(Wording.count(elements.count, "outcome"))"
                    + " \(elements.count == 1 ? "is" : "are") expected",
                at: pointer)
            return
        }
        for (index, element) in elements.enumerated() {
            checkMembers(element, of: step.steps[index], at: pointer.appending(index))
        }
    }

    private func checkLog(_ value: JSONValue, at pointer: JSONPointer) {
        guard case .object(let object) = value else { return }
        let tests = object.keys.filter { $0.hasPrefix("$") }
        guard let first = tests.first, tests.count < object.count else { return }
        findings.add(
            .mixedCounts, "`\(first)` tests the number of all records and cannot be combined with counts by kind",
            at: pointer.appending(first), key: true)
    }
}
