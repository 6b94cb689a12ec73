import Diagnostics
import Exchanges
import JSON
import Verbs

/// Checks every `{{...}}` of a script: that it can be read, that what it names exists, and that it does so by then.
struct ValueChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }

    /// Where a text stands and what it can see.
    private struct View {
        /// Ids of steps that have run.
        var visible: Set<String> = []
        /// The cases in which the text is used.
        var cases = CaseSet.all
        /// Whether steps have outcomes here at all.
        var inSteps = true
    }

    func run() {
        let before = View(inSteps: false)
        let ids = Set(context.ids)
        for key in ["clock", "configure", "faults", "clients", "app"] {
            if let value = context.root[key] { check(value, at: JSONPointer(tokens: [key]), before) }
        }
        if let tenant = context.root["tenant"], tenant.objectValue != nil {
            check(tenant, at: JSONPointer(tokens: ["tenant"]), before)
        }
        check(.object(context.variables), at: JSONPointer(tokens: ["variables"]), before)
        for name in context.cases {
            let pointer = JSONPointer(tokens: ["cases", name])
            let cases = CaseSet.all.narrowed(to: [name])
            for part in ScriptWalk.Part.allCases {
                guard let own = context.walk.own(part, ofCase: name) else { continue }
                check(own.value, at: own.pointer, View(cases: cases, inSteps: false))
            }
            // Filled in when used, so any step may have run by then.
            check(
                .object(context.values(ofCase: name)), at: pointer.appending("set"),
                View(visible: ids, cases: cases))
        }
        var view = View()
        walk(context.steps, &view)
        walk(context.finally, &view)
        checkCircles()
    }

    // MARK: Order of steps

    private func walk(_ steps: [Step], _ view: inout View) {
        for step in steps { walk(step, &view) }
    }

    private func walk(_ step: Step, _ view: inout View) {
        let outer = view.cases
        view.cases = outer.narrowed(to: step.only)
        defer { view.cases = outer }
        var before: [(String, JSONValue?)] = [
            ("user", step.user), ("faults", step.faults), ("client", step.client.map { .string($0) }),
            ("repeat", step.repeatCount), ("copies", step.copies), ("name", step.name.map { .string($0) }),
            ("description", step.description.map { .string($0) }),
        ]
        if !step.verb.isGroup { before.append((step.verb.rawValue, step.parameters)) }
        for (key, value) in before { if let value { check(value, at: step.pointer.appending(key), view) } }
        switch step.verb {
        case .parallel: walk(branches: step.steps, &view)
        default: walk(step.steps, &view)
        }
        if let id = step.id { view.visible.insert(id) }
        walk(step.then, &view)
        if let expect = step.expect { check(expect, at: step.pointer.appending("expect"), view) }
        for (name, expectation) in step.expectIn {
            var inCase = view
            inCase.cases = view.cases.narrowed(to: [name])
            check(expectation, at: step.pointer.appending("expectIn").appending(name), inCase)
        }
    }

    /// Branches run at the same time: each may wait for the others at a barrier, so all their ids can be seen.
    private func walk(branches: [Step], _ view: inout View) {
        let ids = branches.map { $0.withInner.compactMap(\.id) }
        view.visible.formUnion(ids.joined())
        for (branch, own) in zip(branches, ids) {
            // Each of its own comes back when it has run.
            view.visible.subtract(own)
            walk(branch, &view)
        }
    }

    // MARK: One text

    private func check(_ value: JSONValue, at pointer: JSONPointer, _ view: View) {
        let found = Interpolation.occurrences(in: value)
        for (place, error) in found.faults {
            findings.add(
                .unreadableTemplate, error.message, at: JSONPointer(tokens: pointer.tokens + place.tokens))
        }
        for occurrence in found.references {
            check(occurrence.reference, at: JSONPointer(tokens: pointer.tokens + occurrence.pointer.tokens), view)
        }
    }

    private func check(_ reference: ValueReference, at pointer: JSONPointer, _ view: View) {
        if let root = ValueRoot(rawValue: reference.root) {
            RootChecks(context: context).check(root, reference, at: pointer)
            if !view.inSteps, let why = root.needsSteps {
                findings.add(
                    .usedTooEarly, "`\(reference.root)` \(why), and this is used before the first step", at: pointer)
            }
            return
        }
        if let definition = context.definitions[reference.root] {
            checkOutcome(reference, of: definition, at: pointer, view)
            return
        }
        let setting = context.casesSetting[reference.root] ?? []
        if let value = context.variables[reference.root] {
            // A default of null is replaced on the command line, by anything.
            if setting.isEmpty { follow(value, reference, at: pointer) }
            return
        }
        guard !setting.isEmpty else { return undefined(reference, at: pointer, view) }
        let isSet = Set(setting)
        let missing = view.cases.members(of: context.cases).filter { !isSet.contains($0) }
        if !missing.isEmpty {
            findings.add(
                .notInEveryCase,
                "`\(reference.root)` is not set in \(Wording.cases(missing))",
                remedy:
                    "Set it there too, give it a default in `variables`, or keep the step to the other cases with `only`.",
                at: pointer)
        }
        for name in setting {
            if let value = context.values(ofCase: name)[reference.root] { follow(value, reference, at: pointer) }
        }
    }

    private func follow(_ value: JSONValue, _ reference: ValueReference, at pointer: JSONPointer) {
        guard !value.isNull, !Interpolation.isNeeded(in: value) else { return }
        do throws(ValueError) {
            _ = try ValuePath.follow(value, reference.path, of: reference)
        } catch {
            findings.add(.leadsNowhere, error.message, at: pointer)
        }
    }

    private func undefined(_ reference: ValueReference, at pointer: JSONPointer, _ view: View) {
        let steps = view.inSteps ? context.ids : []
        let known = context.variables.keys + context.caseValueNames + steps + ValueRoot.names
        let own = context.variables.keys + context.caseValueNames + steps
        var remedy =
            own.isEmpty
            ? "Declare it in `variables`; the roots are \(namesList(ValueRoot.names, limit: 20))."
            : "Known: \(namesList(own)). Declare others in `variables`."
        if let near = nearestName(reference.root, among: known) { remedy = "Did you mean `\(near)`? \(remedy)" }
        findings.add(.undefinedValue, "no step or variable is named `\(reference.root)`", remedy: remedy, at: pointer)
    }

    // MARK: Outcomes

    private func checkOutcome(
        _ reference: ValueReference, of definition: ScriptWalk.PlacedStep, at pointer: JSONPointer, _ view: View
    ) {
        guard view.inSteps else {
            findings.add(
                .usedTooEarly, "`\(reference.root)` is a step, and this is used before the first one runs", at: pointer)
            return
        }
        guard view.visible.contains(reference.root) else {
            let line = findings.document.location(of: definition.step.pointer).line.map { " on line \($0)" } ?? ""
            findings.add(
                .usedTooEarly, "`\(reference.root)` has not run yet: it is this step or a later one\(line)",
                remedy: "Use its outcome in a later step.", at: pointer)
            return
        }
        let missing = view.cases.missing(from: definition.cases, all: context.cases)
        if !missing.isEmpty {
            findings.add(
                .notInEveryCase, "`\(reference.root)` does not run in \(Wording.cases(missing))",
                remedy: "Keep this step to the same cases with `only`.", at: pointer)
        }
        checkMembers(reference, of: definition.step, at: pointer)
    }

    private func checkMembers(_ reference: ValueReference, of step: Step, at pointer: JSONPointer) {
        guard let member = reference.path.first else { return }
        let members = OutcomeMembers.of(step.verb)
        guard members.contains(member) else {
            let owner = step.verb.isGroup ? "the outcome of `\(step.verb.rawValue)`" : "an outcome"
            findings.lacks(.leadsNowhere, owner, member, among: members, plural: "members", at: pointer)
            return
        }
        if member == "steps", step.verb.isGroup, reference.path.count > 1 {
            let index = Int(reference.path[1])
            let count = step.steps.count
            let fixed = step.steps.allSatisfy { $0.copies == nil && $0.only == nil && $0.repeatCount == nil }
            if index == nil || (fixed && (index ?? 0) >= count) {
                findings.add(
                    .leadsNowhere,
                    "`\(reference.root)` has the steps 0 to \(max(count - 1, 0)), and no `\(reference.path[1])`",
                    at: pointer)
            }
            return
        }
        guard member == "result", reference.path.count > 1, let members = context.resultMembers(of: step),
            !members.contains(reference.path[1])
        else {
            checkPath(reference, at: pointer)
            return
        }
        let owner = "the result of `\(context.resumed(by: step)?.verb.rawValue ?? step.verb.rawValue)`"
        findings.lacks(
            .leadsNowhere, owner, reference.path[1], among: members, plural: "members", at: pointer)
    }

    /// Whether the path leads somewhere in an outcome of the known shape.
    private func checkPath(_ reference: ValueReference, at pointer: JSONPointer) {
        guard let end = OutcomePath.deadEnd(reference.path) else { return }
        let owner = "`\(([reference.root] + reference.path.prefix(end.depth)).joined(separator: "/"))`"
        let token = reference.path[end.depth]
        if let members = end.members {
            findings.lacks(.leadsNowhere, owner, token, among: members, plural: "members", at: pointer)
        } else {
            findings.add(.leadsNowhere, "\(owner) is \(end.kind), and has no `\(token)`", at: pointer)
        }
    }

    // MARK: Circles

    private func checkCircles() {
        circles(in: context.variables, beneath: nil, at: JSONPointer(tokens: ["variables"]))
        for name in context.cases {
            circles(
                in: context.values(ofCase: name), beneath: context.variables,
                at: JSONPointer(tokens: ["cases", name, "set"]))
        }
    }

    private func circles(in values: JSONObject, beneath: JSONObject?, at pointer: JSONPointer) {
        for name in values.keys {
            var seen: Set<String> = []
            var open = [name]
            while let next = open.popLast() {
                guard let value = values[next] ?? beneath?[next] else { continue }
                for occurrence in Interpolation.occurrences(in: value).references {
                    let target = occurrence.reference.root
                    if target == name {
                        findings.add(.circularValue, "`\(name)` is made of itself", at: pointer.appending(name))
                        open = []
                        break
                    }
                    if seen.insert(target).inserted { open.append(target) }
                }
            }
        }
    }
}
