import Determinism
import Diagnostics
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Checks that what a script says has an effect: cases, steps, names and patches that change nothing.
struct EffectChecks {
    let context: ReadContext
    private var tenant: JSONValue { context.tenant }
    private var findings: Findings { context.findings }

    func run() {
        checkScenario()
        checkNames()
        checkPatch(context.walk.own(.configure), over: tenant, "the patch")
        checkCases()
        for placed in context.walk.steps { check(placed) }
    }

    private func idle(
        _ message: String, remedy: String = "Remove it.", at pointer: JSONPointer, key: Bool = false
    ) {
        findings.add(.noEffect, message, remedy: remedy, at: pointer, key: key, severity: .warning)
    }

    // MARK: The whole

    private func checkScenario() {
        let root = context.root
        for key in ["tags", "needs", "links"] { repetitions(root[key], at: JSONPointer(tokens: [key])) }
        empties(root.objectValue, ["configure", "cases", "faults"], at: .root)
        guard let known = root["expectedFailure"] else { return }
        let pointer = JSONPointer(tokens: ["expectedFailure"])
        for key in ["cases", "targets"] {
            repetitions(known[key], at: pointer.appending(key))
            if known[key]?.arrayValue?.isEmpty == true {
                idle("`\(key)` names none, so the known failure never applies", at: pointer.appending(key))
            }
        }
        if root["skip"] != nil {
            idle("a scenario that is skipped has no failure to expect", at: pointer, key: true)
        } else {
            checkExpectedFailure(known, at: pointer)
        }
    }

    /// A case that is skipped, or in which the step does not run, cannot fail as expected.
    private func checkExpectedFailure(_ known: JSONValue, at pointer: JSONPointer) {
        guard !context.cases.isEmpty else { return }
        let named = known["cases"]?.arrayValue?.compactMap(\.stringValue)
        let meant = context.cases.filter { name in named.map { $0.containsText(name) } ?? true }
        let run = meant.filter { isSkipped($0) == false }
        guard !meant.isEmpty else { return }
        if run.isEmpty {
            let which = named == nil ? "every case" : "every case that it names"
            findings.add(
                .neverRuns, "\(which) is skipped, so the expected failure is never met",
                remedy: "Remove `skip` of a case, or remove this.", at: pointer, key: true, severity: .warning)
            return
        }
        for (index, name) in (named ?? []).enumerated() where isSkipped(name) {
            idle(
                "the case `\(name)` is skipped, and has no failure to expect",
                at: pointer.appending("cases").appending(index))
        }
        guard let id = known["step"]?.stringValue, let step = context.definitions[id] else { return }
        let without = CaseSet.all.narrowed(to: run).missing(from: step.cases, all: context.cases)
        if !without.isEmpty {
            findings.add(
                .neverRuns,
                "`\(id)` does not run in \(namesList(without.map { "`\($0)`" })), so it cannot fail there",
                remedy: "Name the cases in which it runs in `cases`.", at: pointer.appending("step"))
        }
    }

    private func isSkipped(_ name: String) -> Bool {
        context.root["cases"]?[name]?["skip"].map { !$0.isNull } ?? false
    }

    private func repetitions(_ list: JSONValue?, at pointer: JSONPointer) {
        var seen = Set<ExactText>()
        for (index, element) in (list?.arrayValue ?? []).enumerated() {
            guard let text = element.stringValue, !seen.insert(ExactText(text)).inserted else { continue }
            idle("\(Wording.json(element)) occurs twice in this list", at: pointer.appending(index))
        }
    }

    private func empties(_ object: JSONObject?, _ keys: [String], at pointer: JSONPointer) {
        for key in keys {
            let value = object?[key]
            guard value?.objectValue?.isEmpty == true || value?.arrayValue?.isEmpty == true else { continue }
            idle("an empty `\(key)` has no effect", at: pointer.appending(key), key: true)
        }
    }

    // MARK: Names

    private func checkNames() {
        let values = context.variables.keys + context.caseValueNames
        let clients = context.root["clients"]?.objectValue?.keys ?? []
        guard !values.isEmpty || !clients.isEmpty else { return }
        var used = Set<ExactText>()
        for whole in [context.root, tenant] {
            for occurrence in Interpolation.occurrences(in: whole).references {
                used.insert(ExactText(occurrence.reference.root))
            }
        }
        for name in context.variables.keys where !used.contains(ExactText(name)) {
            unused("variable", name, at: JSONPointer(tokens: ["variables", name]))
        }
        for name in context.caseValueNames where !used.contains(ExactText(name)) {
            guard context.variables[name] == nil,
                let owner = context.cases.first(where: { context.values(ofCase: $0)[name] != nil })
            else { continue }
            unused("case value", name, at: JSONPointer(tokens: ["cases", owner, "set", name]))
        }
        guard !clients.isEmpty else { return }
        // A client is named by its name alone, in any place.
        var texts = Set<ExactText>()
        for (key, value) in context.root.objectValue?.members ?? [] where key != "clients" {
            Self.gather(value, into: &texts)
        }
        for name in clients where !texts.contains(ExactText(name)) {
            unused("client", name, at: JSONPointer(tokens: ["clients", name]))
        }
    }

    private func unused(_ what: String, _ name: String, at pointer: JSONPointer) {
        findings.add(
            .unusedName, "nothing uses the \(what) `\(name)`", remedy: "Use it, or remove it.", at: pointer, key: true,
            severity: .warning)
    }

    private static func gather(_ value: JSONValue, into texts: inout Set<ExactText>) {
        switch value {
        case .string(let text): texts.insert(ExactText(text))
        case .array(let elements): for element in elements { gather(element, into: &texts) }
        case .object(let object): for (_, member) in object.members { gather(member, into: &texts) }
        default: break
        }
    }

    // MARK: Cases

    private func checkPatch(_ part: ScriptWalk.PlacedPart?, over base: JSONValue, _ what: String) {
        guard let part, part.value.objectValue?.isEmpty == false, !Interpolation.isNeeded(in: part.value),
            base.patched(tenant: part.value).sameValue(as: base)
        else { return }
        findings.add(
            .patchChangesNothing, "\(what) sets what the tenant has already",
            remedy: "Change a setting, or remove the patch.", at: part.pointer, key: true, severity: .warning)
    }

    private func checkCases() {
        guard !context.cases.isEmpty else { return }
        let namesCase = Interpolation.occurrences(in: context.root).references.contains {
            $0.reference.root == ValueRoot.caseName.rawValue
        }
        let known = context.root["expectedFailure"]?["cases"]?.arrayValue?.compactMap(\.stringValue) ?? []
        // By case, the places of the steps that name it in `only`.
        var chosen: [ExactText: [JSONValue]] = [:]
        for (index, step) in context.allSteps.enumerated() {
            for name in step.only ?? [] { chosen[ExactText(name), default: []].append(.integer(Int64(index))) }
        }
        var earlier: [ExactText: String] = [:]
        let base = context.walk.own(.configure).map { tenant.patched(tenant: $0.value) } ?? tenant
        for name in context.cases {
            let pointer = JSONPointer(tokens: ["cases", name])
            let variant = context.root["cases"]?[name] ?? .object(JSONObject())
            empties(variant.objectValue, ["set", "configure", "faults"], at: pointer)
            checkPatch(context.walk.own(.configure, ofCase: name), over: base, "the case")
            guard !namesCase else { continue }
            let runs = chosen[ExactText(name)] ?? []
            let whole = JSONWriter.compact(.array([variant, .array(runs), .bool(known.containsText(name))]))
            if let other = earlier[ExactText(whole)] {
                findings.add(
                    .equalCases,
                    "the case `\(name)` is the same as `\(other)`: same values, settings, faults and steps",
                    remedy: "Change one of them, or remove it.", at: pointer, key: true, severity: .warning)
            } else {
                earlier[ExactText(whole)] = name
            }
        }
    }

    // MARK: Steps

    private func check(_ placed: ScriptWalk.PlacedStep) {
        let step = placed.step
        checkRuns(placed)
        checkExpectations(step, placed.cases)
        empties(
            .init([
                ("faults", step.faults ?? .null), ("user", step.user ?? .null),
                ("configure", step.verb == .configure ? step.parameters : .null),
            ]), ["faults", "user", "configure"], at: step.pointer)
        let value = step.pointer.appending(step.verb.rawValue)
        switch step.record {
        case let call as AdvanceClock where call.value == .zero: idle("the clock does not move", at: value)
        case is ParallelGroup where step.steps.count == 1 && step.steps[0].copies == nil:
            idle(
                "one branch alone has nothing to run beside", remedy: "Add a branch, or write the step by itself.",
                at: value, key: true)
        case let call as Inspect
        where placed.position == .script && step.id == nil && step.expect == nil && step.expectIn.isEmpty
            && call.file == nil:
            idle(
                "nothing looks at what `inspect` finds", remedy: "Add `expect`, or an `id` for later steps.",
                at: value, key: true)
        default: break
        }
        for (action, pointer) in step.actions {
            if action.objectValue?.isEmpty == true { idle("an empty action does nothing", at: pointer) }
            if Self.isZero(action["wait"]) { idle("no time passes", at: pointer.appending("wait")) }
        }
        for (index, rule) in (step.faults?.arrayValue ?? []).enumerated() where Self.isZero(rule["delay"]) {
            idle("the answer comes no later", at: step.pointer.appending("faults").appending(index).appending("delay"))
        }
    }

    private static func isZero(_ value: JSONValue?) -> Bool {
        value?.stringValue.flatMap { TimeSpan(iso8601: $0) } == .zero
    }

    private func checkRuns(_ placed: ScriptWalk.PlacedStep) {
        guard let only = placed.step.only else { return }
        let pointer = placed.step.pointer.appending("only")
        if only.isEmpty {
            findings.add(
                .neverRuns, "`only` names no case, so the step never runs",
                remedy: "Name the cases in which it runs, or remove `only`.", at: pointer)
            return
        }
        repetitions(.array(only.map { .string($0) }), at: pointer)
        // A name that does not exist is reported as such.
        guard !context.cases.isEmpty, only.allSatisfy({ context.names.has($0, as: .caseName) }) else { return }
        let count = placed.cases.members(of: context.cases).count
        let most = placed.outer.members(of: context.cases).count
        if count == 0 {
            findings.add(
                .neverRuns, "the group around this step runs in none of these cases, so the step never runs",
                remedy: "Name cases of the group.", at: pointer)
        } else if Set(only.map { ExactText($0) }).count >= most, count >= most {
            idle("`only` names every case in which the step could run", at: pointer, key: true)
        }
    }

    private func checkExpectations(_ step: Step, _ cases: CaseSet) {
        guard !step.expectIn.isEmpty, !context.cases.isEmpty else { return }
        let running = Set(cases.members(of: context.cases).map { ExactText($0) })
        for (name, expectation) in step.expectIn {
            let pointer = step.pointer.appending("expectIn").appending(name)
            if context.names.has(name, as: .caseName), !running.contains(ExactText(name)) {
                findings.add(
                    .neverRuns, "the step does not run in the case `\(name)`, so nothing is compared with this",
                    remedy: "Add the case to `only`, or remove this.", at: pointer, key: true)
            } else if let expect = step.expect, expect.sameValue(as: expectation) {
                idle("`expect` says the same already", at: pointer, key: true)
            }
        }
        let covered = Set(step.expectIn.map { ExactText($0.caseName) })
        if step.expect != nil, running.isSubset(of: covered) {
            idle(
                "`expectIn` names every case in which the step runs, so `expect` is never used",
                at: step.pointer.appending("expect"), key: true)
        }
    }
}
