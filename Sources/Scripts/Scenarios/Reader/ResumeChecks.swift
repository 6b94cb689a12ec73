import Diagnostics
import Exchanges
import JSON
import Verbs

/// Checks that a step which `resume` goes on with is pending by then, as far as the text says. A step that ends pending
/// fails unless its expectation says `pending`, so one whose expectation does not is never pending when it passes.
struct ResumeChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }

    func run() {
        walk(context.steps + context.finally, in: .all)
    }

    private func walk(_ steps: [Step], in outer: CaseSet) {
        var done = Resumed()
        for step in steps {
            let cases = outer.narrowed(to: step.only)
            if step.verb == .resume { check(step, in: cases, after: &done) }
            // What runs inside has an order of its own, or none.
            if !step.steps.isEmpty || !step.then.isEmpty { done = Resumed() }
            walk(step.steps, in: cases)
            walk(step.then, in: cases)
        }
    }

    /// The `resume` steps of one list that completed an operation in all cases of the later ones.
    private struct Resumed {
        var steps: [(id: String, cases: CaseSet, line: Int?)] = []
    }

    private func check(_ step: Step, in cases: CaseSet, after done: inout Resumed) {
        guard let id = step.call(Resume.self)?.value, let target = context.definitions[id],
            context.isEarlier(id, than: step), target.step.verb.takesUser
        else { return }
        let pointer = step.pointer.appending(step.verb.rawValue)
        let missing = cases.missing(from: target.cases, all: context.cases)
        if !missing.isEmpty {
            findings.add(
                .notInEveryCase, "`\(id)` does not run in \(Wording.cases(missing))",
                remedy: "Keep this step to the same cases with `only`.", at: pointer)
        }
        let running: [String?] =
            context.cases.isEmpty
            ? [nil] : cases.members(of: context.cases).filter { !missing.contains($0) }.map { $0 }
        // Opening an address ends in a result at the page where nobody acts, and that page waits as well.
        let origin = context.resumed(by: target.step)?.verb
        guard origin != nil, origin != .open else { return }
        let wrong = running.filter { !mayBePending(target.step, in: $0) }
        if !wrong.isEmpty {
            let names = wrong.compactMap { $0 }
            let inCases = wrong.count == running.count ? "" : " in \(Wording.cases(names))"
            findings.add(
                .unfitStep, "`\(id)` does not end pending\(inCases): nothing there expects `pending`",
                remedy: "Give `\(id)` an `expect` with `pending`, or remove this step.", at: pointer)
            return
        }
        if let earlier = done.steps.first(where: { sameText($0.id, id) && covers($0.cases, cases) }) {
            let line = earlier.line.map { " on line \($0)" } ?? ""
            findings.add(
                .unfitStep, "`\(id)` is not pending any more: the `resume`\(line) completes it",
                remedy: "Give that `resume` an `expect` with `pending`, or remove this step.", at: pointer)
        } else if running.allSatisfy({ completes(step, in: $0) }) {
            done.steps.append((id, cases, findings.document.location(of: step.pointer).line))
        }
    }

    private func covers(_ earlier: CaseSet, _ later: CaseSet) -> Bool {
        later.missing(from: earlier, all: context.cases).isEmpty
    }

    private func mayBePending(_ step: Step, in caseName: String?) -> Bool {
        guard let expectation = step.expectation(in: caseName) else { return false }
        return speaks(expectation, of: "pending")
    }

    /// Whether a `resume` that passes has a result. One that ends in an error may leave the page open.
    private func completes(_ step: Step, in caseName: String?) -> Bool {
        guard step.repeatCount == nil else { return false }
        guard let expectation = step.expectation(in: caseName) else { return true }
        return !speaks(expectation, of: "pending") && !speaks(expectation, of: "error")
    }

    /// Whether an expectation says something of a member of the outcome, or may once it is filled in.
    private func speaks(_ expectation: JSONValue, of member: String) -> Bool {
        guard case .object(let object) = expectation else { return true }
        return object.members.contains { name, value in
            if name == member { return !value.isNull && value[MatcherTest.exists.rawValue] != .bool(false) }
            switch MatcherTest(rawValue: name) {
            case .all?, .any?: return (value.arrayValue ?? []).contains { speaks($0, of: member) }
            case .not?, .equals?: return true
            default: return false
            }
        }
    }
}
