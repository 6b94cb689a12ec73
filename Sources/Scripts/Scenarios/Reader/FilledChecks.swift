import Diagnostics
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Checks the places that case values and variables fill in, with the values in them: what a case sets must fit where it
/// is used. Other references keep their places open.
struct FilledChecks {
    let context: ReadContext
    private var tenant: JSONValue { context.tenant }
    private var findings: Findings { context.findings }

    func run() {
        // Of a text with other mistakes these would be repetitions.
        guard !findings.all.hasErrors else { return }
        if context.cases.isEmpty {
            check(case: nil)
        } else {
            for name in context.cases { check(case: name) }
        }
    }

    private func check(case name: String?) {
        let values = context.knownValues(in: name)
        guard !values.isEmpty else { return }
        var patched = tenant
        for patch in context.walk.atStart(.configure, in: name) {
            let filled = Interpolation.filling(patch.value, from: values)
            if filled != patch.value {
                let found = TenantFile.check(
                    filled, in: context.document, at: patch.pointer, patching: patched, outlines: context.outlines)
                add(found, in: name)
            }
            patched = patched.merging(patch: filled)
        }
        if let clock = context.root["clock"] {
            check(clock, values, as: .instant, at: JSONPointer(tokens: ["clock"]), in: name)
        }
        for list in context.walk.atStart(.faults, in: name) {
            check(list.value, values, as: FaultShapes.list, at: list.pointer, in: name)
        }
        for placed in context.walk.steps where placed.runs(in: name) { check(placed.step, values, in: name) }
    }

    private func check(_ step: Step, _ values: JSONObject, in name: String?) {
        guard var written = context.root.value(at: step.pointer)?.objectValue else { return }
        // Inner steps are checked by themselves, and of the expectations the one of this case.
        if step.verb.isGroup { written[step.verb.rawValue] = .array([]) }
        written["then"] = nil
        if let name, !step.expectIn.isEmpty {
            let own = step.expectIn.first { sameText($0.caseName, name) }
            written["expectIn"] = own.map { .object(JSONObject([(name, $0.expectation)])) }
            if own != nil { written["expect"] = nil }
        }
        check(.object(written), values, as: .ref("step"), at: step.pointer, in: name)
    }

    private func check(
        _ value: JSONValue, _ values: JSONObject, as shape: Shape, at pointer: JSONPointer, in name: String?
    ) {
        guard Interpolation.isNeeded(in: value) else { return }
        let filled = Interpolation.filling(value, from: values)
        guard filled != value else { return }
        let checker = ShapeChecker(
            document: context.document, named: ScenarioShapes.named, allowTemplates: true, rulePrefix: "B2C-SCN")
        let wrong = checker.check(filled, at: pointer, as: shape)
        add(wrong, in: name)
        if wrong.isEmpty { NameChecks(context: context).check(filled, as: shape, at: pointer) }
    }

    private func add(_ wrong: [Diagnostic], in name: String?) {
        findings.add(
            wrong.map { finding in
                var finding = finding
                if let name { finding.message += " (in the case `\(name)`)" }
                return finding
            })
    }
}
