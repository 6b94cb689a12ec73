import JSON
import TenantFiles
import Verbs

/// Checks that what patches set has an effect where they set it: not the second factor of a custom policy, not the
/// window of an app for iOS. A case can change the type of a policy or the kind of an app, so steps are looked at once
/// for each case in which they run.
struct PlaceChecks {
    private let context: ReadContext
    private let tenant: JSONValue

    init(_ context: ReadContext, tenant: JSONValue) {
        self.context = context
        self.tenant = tenant
    }

    func run() {
        var common = tenant
        check(context.root["configure"], at: JSONPointer(tokens: ["configure"]), &common)
        guard !context.cases.isEmpty else {
            walk(context.steps + context.finally, in: [nil], app: defaultApp, &common)
            return
        }
        // Cases that change nothing of the tenant see the same one.
        var alike: [String] = []
        for name in context.cases {
            guard let patch = context.root["cases"]?[name]?["configure"] else {
                alike.append(name)
                continue
            }
            var known = common
            check(patch, at: JSONPointer(tokens: ["cases", name, "configure"]), &known)
            walk(context.steps + context.finally, in: [name], app: defaultApp, &known)
        }
        if !alike.isEmpty { walk(context.steps + context.finally, in: alike, app: defaultApp, &common) }
    }

    /// The app of a step that names no client.
    private var defaultApp: String? {
        context.root["app"]?.stringValue ?? (context.names.apps.count == 1 ? context.names.apps.first : nil)
    }

    private func walk(_ steps: [Step], in cases: [String?], app: String?, _ known: inout JSONValue) {
        for step in steps where cases.contains(where: step.runs) {
            let running = cases.filter(step.runs)
            let app = step.client.map(self.app(of:)) ?? app
            switch step.verb {
            case .configure: check(step.parameters, at: step.pointer.appending(step.verb.rawValue), &known)
            case .createClient:
                guard let app else { break }
                let patch: JSONValue = ["apps": .object([app: ["client": step.parameters]])]
                context.findings.add(
                    TenantFile.misplaced(
                        patch, patching: known, in: context.document, at: step.pointer.appending(step.verb.rawValue),
                        part: JSONPointer(tokens: ["apps", app, "client"]), outlines: context.outlines))
            default: break
            }
            walk(step.steps, in: running, app: app, &known)
            walk(step.then, in: running, app: app, &known)
        }
    }

    private func app(of client: String) -> String? {
        guard let declared = context.root["clients"]?[client] else { return client }
        return declared["app"]?.stringValue ?? defaultApp
    }

    private func check(_ patch: JSONValue?, at pointer: JSONPointer, _ known: inout JSONValue) {
        guard let patch, patch.objectValue != nil else { return }
        context.findings.add(
            TenantFile.misplaced(
                patch, patching: known, in: context.document, at: pointer, outlines: context.outlines))
        known = known.merging(patch: patch)
    }
}
