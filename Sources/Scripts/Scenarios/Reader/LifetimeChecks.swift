import Diagnostics
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Checks the lifetimes that patches set, in the tenant that they make: the mock takes any, B2C does not. What the tenant
/// file itself says is reported once, with the file.
struct LifetimeChecks {
    let context: ReadContext
    private var tenant: JSONValue { context.tenant }

    /// A finding, and the cases that have it.
    private struct Found {
        var place: JSONPointer
        var finding: LifetimeLimits.LifetimeFinding
        var cases: [String?]
    }

    func run() {
        let cases: [String?] = context.cases.isEmpty ? [nil] : context.cases
        var all: [Found] = []
        for name in cases { check(case: name, &all) }
        for found in all {
            var message = found.finding.message
            let names = found.cases.compactMap { $0 }
            if found.place.tokens.first != "cases", names.count < context.cases.count {
                message += " (in \(Wording.cases(names)))"
            }
            context.findings.add([
                context.document.finding(
                    .warning, rule: LifetimeLimits.rule, message, remedy: found.finding.remedy, at: found.place)
            ])
        }
    }

    private func check(case name: String?, _ all: inout [Found]) {
        let values = context.knownValues(in: name)
        var known = Interpolation.filling(tenant, from: values)
        func add(_ findings: [LifetimeLimits.LifetimeFinding], at pointer: JSONPointer) {
            for finding in findings {
                let place = JSONPointer(tokens: pointer.tokens + finding.pointer.tokens)
                if let index = all.firstIndex(where: { $0.place == place && $0.finding == finding }) {
                    if !all[index].cases.contains(name) { all[index].cases.append(name) }
                } else {
                    all.append(Found(place: place, finding: finding, cases: [name]))
                }
            }
        }
        if context.root["tenant"]?.objectValue != nil {
            // What only values of the script make of a tenant that is written in it.
            let written = LifetimeLimits.findings(in: tenant)
            add(
                LifetimeLimits.findings(in: known).filter { !written.contains($0) },
                at: JSONPointer(tokens: ["tenant"]))
        }
        let running = context.walk.steps.filter { $0.runs(in: name) }
        let patches = context.walk.atStart(.configure, in: name) + running.compactMap { $0.own(.configure) }
        for patch in patches where patch.value.objectValue != nil {
            let filled = Interpolation.filling(patch.value, from: values)
            add(LifetimeLimits.findings(in: known, patchedBy: filled), at: patch.pointer)
            known = known.merging(patch: filled)
        }
    }
}
