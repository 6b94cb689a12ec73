import JSON
import TenantFiles
import Verbs

/// Checks that what patches set has an effect where they set it: not the second factor of a custom policy, not the
/// window of an app for iOS. A case can change the type of a policy or the kind of an app, so steps are looked at once
/// for each case in which they run.
struct PlaceChecks {
    let context: ReadContext
    private var tenant: JSONValue { context.tenant }

    func run() {
        var common = tenant
        check(context.walk.own(.configure), &common)
        // Cases that change nothing of the tenant see the same one.
        var alike: [String?] = context.cases.isEmpty ? [nil] : []
        for name in context.cases {
            guard let patch = context.walk.own(.configure, ofCase: name) else {
                alike.append(name)
                continue
            }
            var known = common
            check(patch, &known)
            checkSteps(in: [name], &known)
        }
        checkSteps(in: alike, &common)
    }

    /// The app of a step that names no client.
    private var defaultApp: String? {
        context.root["app"]?.stringValue ?? (context.names.apps.count == 1 ? context.names.apps.first : nil)
    }

    private func checkSteps(in cases: [String?], _ known: inout JSONValue) {
        for placed in context.walk.steps where cases.contains(where: placed.runs) {
            let step = placed.step
            switch step.verb {
            case .configure: check(placed.own(.configure), &known)
            case .createClient:
                guard let app = placed.client.map(app(of:)) ?? defaultApp else { break }
                let patch: JSONValue = ["apps": .object([app: ["client": step.parameters]])]
                context.findings.add(
                    TenantFile.misplaced(
                        patch, patching: known, in: context.document, at: step.pointer.appending(step.verb.rawValue),
                        part: JSONPointer(tokens: ["apps", app, "client"]), outlines: context.outlines))
            default: break
            }
        }
    }

    private func app(of client: String) -> String? {
        guard let declared = context.root["clients"]?[client] else { return client }
        return declared["app"]?.stringValue ?? defaultApp
    }

    private func check(_ patch: ScriptWalk.PlacedPart?, _ known: inout JSONValue) {
        guard let patch, patch.value.objectValue != nil else { return }
        context.findings.add(
            TenantFile.misplaced(
                patch.value, patching: known, in: context.document, at: patch.pointer, outlines: context.outlines))
        known = known.merging(patch: patch.value)
    }
}
