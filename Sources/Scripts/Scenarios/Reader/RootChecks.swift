import Exchanges
import JSON

/// Checks the parts of values that every script has: `{{users/...}}`, `{{keys/...}}` and so on.
struct RootChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }
    private var names: KnownNames { context.names }

    func check(_ root: ValueRoot, _ reference: ValueReference, at pointer: JSONPointer) {
        switch root {
        case .tenant:
            follow(names.everything, reference.path[...], reference, at: pointer)
        case .users: entry(reference, what: "person", among: names.people, plural: "people", at: pointer)
        case .apps: entry(reference, what: "app", among: names.apps, plural: "apps", at: pointer)
        case .policies: entry(reference, what: "policy", among: names.policies, plural: "policies", at: pointer)
        case .apis: entry(reference, what: "API", among: names.apis, plural: "APIs", at: pointer)
        case .hosts:
            follow(names.everything(in: "hosts"), reference.path[...], reference, at: pointer)
        case .inbox:
            guard known(reference, what: "person", among: names.people, plural: "people", at: pointer) else { return }
            part(reference, ["to", "kind", "subject", "text", "code"], of: "message", at: pointer)
        case .keys:
            guard known(reference, what: "key", among: names.keys, plural: "keys", at: pointer) else { return }
            part(reference, ["jwk", "jwks", "pem", "kid"], of: "key", at: pointer)
        case .now:
            break
        case .unique, .index:
            whole(reference, at: pointer)
        case .caseName:
            whole(reference, at: pointer)
            if context.cases.isEmpty {
                findings.add(.undefinedValue, "`case` names the running case, and the scenario has none", at: pointer)
            }
        case .env, .secret:
            if reference.path.count != 1 {
                findings.add(
                    .leadsNowhere, "`\(root.rawValue)` needs the name of a variable: `{{\(root.rawValue)/NAME}}`",
                    at: pointer)
            }
        }
    }

    /// `{{users/ada/email}}`: the entry must exist, and so must the rest of the way.
    private func entry(
        _ reference: ValueReference, what: String, among known: [String], plural: String, at pointer: JSONPointer
    ) {
        guard let name = reference.path.first else { return }
        guard known.containsText(name) else {
            findings.unknown(what, name, among: known, plural: plural, at: pointer)
            return
        }
        follow(names.everything(in: reference.root), reference.path[...], reference, at: pointer)
    }

    private func follow(
        _ value: JSONValue, _ path: ArraySlice<String>, _ reference: ValueReference, at pointer: JSONPointer
    ) {
        do throws(ValueError) {
            _ = try ValuePath.follow(value, Array(path), of: reference)
        } catch {
            findings.add(.leadsNowhere, error.message, at: pointer)
        }
    }

    /// `{{inbox/ada}}`, `{{keys/k1}}`: the reference needs a name that exists.
    private func known(
        _ reference: ValueReference, what: String, among known: [String], plural: String, at pointer: JSONPointer
    ) -> Bool {
        guard let name = reference.path.first else {
            findings.add(
                .leadsNowhere, "`\(reference.root)` needs the name of a \(what): `{{\(reference.root)/NAME}}`",
                at: pointer)
            return false
        }
        guard known.containsText(name) else {
            findings.unknown(what, name, among: known, plural: plural, at: pointer)
            return false
        }
        return true
    }

    private func part(_ reference: ValueReference, _ parts: [String], of what: String, at pointer: JSONPointer) {
        guard reference.path.count > 1, !parts.contains(reference.path[1]) else { return }
        findings.lacks(
            .leadsNowhere, "a \(what)", reference.path[1], among: parts, plural: "parts", at: pointer)
    }

    private func whole(_ reference: ValueReference, at pointer: JSONPointer) {
        guard !reference.path.isEmpty else { return }
        findings.add(.leadsNowhere, "`\(reference.root)` has no parts", at: pointer)
    }
}
