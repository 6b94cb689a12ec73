import Diagnostics
import Exchanges
import JSON
import Verbs

/// Checks how steps are put together: ids, modifiers, `resume`, barriers, branches.
struct StructureChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }

    func run() {
        checkNames()
        for key in ["steps", "finally"] {
            if context.root[key]?.arrayValue?.isEmpty == true {
                findings.add(.nothingToDo, "`\(key)` holds no step", at: JSONPointer(tokens: [key]))
            }
        }
        for step in context.allSteps {
            checkModifiers(of: step)
            checkTemplates(of: step)
            checkResume(step)
            checkFrom(step)
            if let clash = step.record.clash {
                findings.add(
                    .unfitModifier, clash.problem,
                    at: step.pointer.appending(step.verb.rawValue).appending(clash.parameter), key: true)
            }
        }
        for placed in context.walk.steps { checkBranches(placed) }
        checkLoneBarriers()
        checkExpectedFailure()
    }

    // MARK: Names

    private func checkNames() {
        var owners: [String: String] = [:]
        for name in ValueRoot.names { owners[name] = "a root of values" }
        for name in context.variables.keys {
            claim(name, as: "a variable", at: JSONPointer(tokens: ["variables", name]), &owners)
        }
        for name in context.cases {
            for value in context.values(ofCase: name).keys where owners[value] != "a variable" {
                let owner = owners[value] == "a case value" ? nil : owners[value]
                owners[value] = owner
                claim(value, as: "a case value", at: JSONPointer(tokens: ["cases", name, "set", value]), &owners)
            }
        }
        var lines: [String: Int] = [:]
        for step in context.allSteps {
            guard let id = step.id else { continue }
            let pointer = step.pointer.appending("id")
            if let line = lines[id] {
                findings.add(
                    .duplicateID, "the id `\(id)` occurs twice",
                    remedy: "It is on line \(line) already; give one of the steps another.", at: pointer)
            } else if let owner = owners[id] {
                findings.add(
                    .takenName, "`\(id)` is \(owner) already", remedy: "Give the step another id.", at: pointer)
            } else {
                lines[id] = findings.document.location(of: pointer).line ?? 0
            }
        }
    }

    private func claim(
        _ name: String, as what: String, at pointer: JSONPointer, _ owners: inout [String: String]
    ) {
        guard ValueReference.isName(name) else {
            findings.add(
                .takenName, "`\(name)` cannot be the name of \(what)", remedy: "Use letters, digits and `_`.",
                at: pointer, key: true)
            return
        }
        if let owner = owners[name] {
            findings.add(
                .takenName, "`\(name)` is \(owner) already", remedy: "Choose another name.", at: pointer, key: true)
        } else {
            owners[name] = what
        }
    }

    // MARK: Modifiers

    private func checkModifiers(of step: Step) {
        let verb = step.verb
        if step.user != nil, !verb.takesUser {
            findings.add(
                .unfitModifier, "`user` has no part in `\(verb.rawValue)`",
                remedy: "It goes with acquireToken, signOut, open and resume.", at: step.pointer.appending("user"),
                key: true)
        }
        if !step.then.isEmpty, !verb.takesThen {
            findings.add(
                .unfitModifier, "`\(verb.rawValue)` has no completion handler for `then`",
                remedy: "Write the steps after it.", at: step.pointer.appending("then"), key: true)
        }
        if verb.isGroup, step.parameters == [] {
            findings.add(
                .nothingToDo, "`\(verb.rawValue)` holds no step", at: step.pointer.appending(verb.rawValue))
        }
        for (name, _) in step.expectIn where !context.names.has(name, as: .caseName) {
            findings.unknown(
                "case", name, among: context.cases, plural: "cases",
                at: step.pointer.appending("expectIn").appending(name), key: true)
        }
    }

    /// The plan of the steps is made before anything has a value.
    private func checkTemplates(of step: Step) {
        var fixed: [(String, JSONValue?)] = [
            ("id", step.id.map { .string($0) }),
            ("only", step.only.map { .array($0.map { .string($0) }) }),
        ]
        if step.verb.record.traits.contains(.planned), case .string = step.parameters {
            fixed.append((step.verb.rawValue, step.parameters))
        }
        for (key, value) in fixed {
            if let value, Interpolation.isNeeded(in: value) {
                findings.add(
                    .templateNotPossible, "`\(key)` must be known before the first step runs, so it holds no {{...}}",
                    at: step.pointer.appending(key))
            }
        }
    }

    // MARK: Other steps

    private func checkResume(_ step: Step) {
        guard let id = step.call(Resume.self)?.value, let target = context.definitions[id] else { return }
        let pointer = step.pointer.appending(step.verb.rawValue)
        guard context.isEarlier(id, than: step) else {
            findings.add(.unfitStep, "`\(id)` has not run yet; `resume` goes on with an earlier step", at: pointer)
            return
        }
        if !target.step.verb.takesUser {
            findings.add(
                .unfitStep, "`\(id)` is `\(target.step.verb.rawValue)`, which never ends pending",
                remedy: "`resume` goes on with acquireToken, signOut, open and resume.", at: pointer)
        }
    }

    private func checkFrom(_ step: Step) {
        guard let id = step.call(HTTP.self)?.request.from, let target = context.definitions[id] else { return }
        let pointer = step.pointer.appending("http").appending("from")
        let origin = context.resumed(by: target.step)?.verb ?? target.step.verb
        if !context.isEarlier(id, than: step) {
            findings.add(.unfitStep, "`\(id)` has not run yet; `from` names an earlier step", at: pointer)
        } else if origin != .open && origin != .acquireToken {
            findings.add(
                .unfitStep, "`\(id)` is `\(origin.rawValue)`, which gets no code",
                remedy: "`from` names an `open` or `acquireToken` step.", at: pointer)
        }
    }

    private func checkExpectedFailure() {
        let pointer = JSONPointer(tokens: ["expectedFailure", "step"])
        guard let id = context.root["expectedFailure"]?["step"]?.stringValue, Interpolation.isNeeded(in: .string(id))
        else { return }
        findings.add(.templateNotPossible, "`step` must be the id of a step, so it holds no {{...}}", at: pointer)
    }

    // MARK: Branches

    private func checkBranches(_ placed: ScriptWalk.PlacedStep) {
        let step = placed.step
        if step.copies != nil, placed.position != .parallel {
            findings.add(
                .copiesAlone, "`copies` is allowed only at the elements of `parallel`",
                remedy: "Use `repeat` to run a step several times, one after another.",
                at: step.pointer.appending("copies"), key: true)
        }
        if step.verb == .parallel { checkBarriers(of: step) }
    }

    /// Barriers outside any `parallel`.
    private func checkLoneBarriers() {
        for step in context.steps + context.finally {
            for (name, pointer) in Self.barriers(in: step) { loneBarrier(name, pointer, "outside `parallel`") }
        }
    }

    private func checkBarriers(of parallel: Step) {
        var order: [(name: String, pointer: JSONPointer)] = []
        for branch in parallel.steps {
            var mine: [String] = []
            for (name, pointer) in Self.barriers(in: branch) where !mine.contains(name) {
                mine.append(name)
                order.append((name, pointer))
            }
        }
        guard !order.isEmpty else { return }
        // In another case other branches run. One in which a barrier waits is enough.
        let cases: [String?] = context.cases.isEmpty ? [nil] : context.cases
        let parties = cases.map { Self.parties(in: parallel, case: $0) }
        for (name, pointer) in order where Set(parties.compactMap { $0[name] }) == [1] {
            let others = order.map(\.name).filter { $0 != name }
            let near = nearestName(name, among: others).map { "; did you mean `\($0)`?" } ?? ""
            let isShared = order.contains { $0.name == name && $0.pointer != pointer }
            loneBarrier(
                name, pointer,
                "reached by one branch alone\(isShared ? " in each case" : ""), so nothing is waited for\(near)")
        }
    }

    /// How many branches come to each barrier in a case.
    private static func parties(in parallel: Step, case name: String?) -> [String: Int] {
        var parties: [String: Int] = [:]
        for branch in parallel.steps where branch.runs(in: name) {
            // Copies are branches of their own; how many a template makes is not known yet.
            let copies = branch.copies == nil ? 1 : Int(min(max(branch.copies?.intValue ?? 2, 0), 1_000_000))
            for barrier in Set(barriers(in: branch, case: name).map(\.name)) {
                parties[barrier, default: 0] += copies
            }
        }
        return parties
    }

    private func loneBarrier(_ name: String, _ pointer: JSONPointer, _ why: String) {
        findings.add(.barrierAlone, "the barrier `\(name)` is \(why)", at: pointer)
    }

    /// The barriers of a step and what it holds, in a case, except those inside a `parallel` of its own.
    private static func barriers(in step: Step, case name: String?) -> [(name: String, pointer: JSONPointer)] {
        step.runs(in: name) ? barriers(in: step) { $0.runs(in: name) } : []
    }

    /// The same in any case.
    private static func barriers(
        in step: Step, where isRunning: (Step) -> Bool = { _ in true }
    ) -> [(name: String, pointer: JSONPointer)] {
        if step.verb == .parallel { return [] }
        var found: [(name: String, pointer: JSONPointer)] = []
        if let name = step.call(Barrier.self)?.value {
            found.append((name, step.pointer.appending("barrier")))
        }
        for (action, pointer) in step.actions {
            if let name = action["barrier"]?.stringValue { found.append((name, pointer.appending("barrier"))) }
        }
        return found + (step.steps + step.then).filter(isRunning).flatMap { barriers(in: $0, where: isRunning) }
    }
}
