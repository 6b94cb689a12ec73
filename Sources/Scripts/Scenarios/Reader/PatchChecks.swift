import Diagnostics
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Checks patches over the tenant file: a misspelt name would create something new without a word.
struct PatchChecks {
    let context: ReadContext
    private var tenant: JSONValue { context.tenant }
    private var findings: Findings { context.findings }

    func run() {
        var known = tenant
        if let patch = context.walk.own(.configure) { check(patch, &known) }
        let common = known
        for name in context.cases {
            var inCase = common
            if let patch = context.walk.own(.configure, ofCase: name) { check(patch, &inCase) }
            known = known.merging(patch: inCase)
        }
        for patch in context.walk.steps.compactMap({ $0.own(.configure) }) { check(patch, &known) }
    }

    /// Whether the script names something, in a text of its own or inside a `{{...}}`.
    private func isUsed(_ name: String) -> Bool {
        Self.names(name, context.root)
            || Interpolation.occurrences(in: context.root).references.contains {
                $0.reference.path.containsText(name)
            }
    }

    private static func names(_ name: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): sameText(text, name)
        case .array(let elements): elements.contains { names(name, $0) }
        case .object(let object): object.members.contains { names(name, $0.value) }
        default: false
        }
    }

    private func check(_ placed: ScriptWalk.PlacedPart, _ known: inout JSONValue) {
        let (patch, pointer) = (placed.value, placed.pointer)
        for stray in PatchNames.strays(in: patch, over: known) {
            findings.unknown(
                stray.what, stray.name, among: stray.known, plural: stray.plural,
                at: JSONPointer(tokens: pointer.tokens + [stray.section, stray.name]), key: true,
                owner: stray.kind.flatMap { context.names.owner(of: stray.name, as: $0) })
        }
        for new in PatchNames.nearAdditions(in: patch, over: known) where !isUsed(new.name) {
            findings.add(
                .unusedName, "this adds the \(new.what) `\(new.name)`, and nothing uses it",
                remedy: "Did you mean `\(new.near)`?",
                at: JSONPointer(tokens: pointer.tokens + [new.section, new.name]), key: true, severity: .warning)
        }
        findings.add(
            TenantFile.check(
                patch, in: context.document, at: pointer, patching: known, places: false, outlines: context.outlines))
        known = known.merging(patch: patch)
    }
}

/// Distinguishes new entries of a patch from misspelt ones.
enum PatchNames {
    /// An entry that is neither there nor says enough to be meant as new.
    struct Stray {
        var section: String
        var name: String
        var what: String
        var plural: String
        var known: [String]

        /// `nil` for key sets, which have only names.
        var kind: NameKind? {
            switch section {
            case "policies": .policy
            case "apps": .app
            case "apis": .api
            case "users": .person
            case "providers": .provider
            default: nil
            }
        }
    }

    /// What a new entry must say at least, one of these keys, so that it is not taken for a slip of the finger. Key sets
    /// may hold anything: there only a name near another one is refused.
    private static let sections: [(key: String, what: String, plural: String, needs: [String])] = [
        ("policies", "policy", "policies", ["type"]),
        ("apps", "app", "apps", ["client", "registration"]),
        ("apis", "API", "APIs", ["appIdUri", "scopes", "routes", "baseUrl"]),
        ("users", "person", "people", ["email", "username", "providers"]),
        ("providers", "provider", "providers", ["type"]),
        ("keySets", "key set", "key sets", []),
    ]

    /// The entries of a patch over `tenant` that are taken for misspelt names.
    static func strays(in patch: JSONValue, over tenant: JSONValue) -> [Stray] {
        sections.flatMap { section -> [Stray] in
            let known = names(of: section.key, in: tenant)
            return (patch[section.key]?.objectValue?.members ?? []).compactMap { name, entry in
                guard !known.containsText(name), name != "*" else { return nil }
                let isNew =
                    section.needs.isEmpty
                    ? nearestName(name, among: known) == nil
                    : entry.objectValue.map { object in section.needs.contains { object[$0] != nil } } ?? false
                return isNew
                    ? nil
                    : Stray(
                        section: section.key, name: name, what: section.what, plural: section.plural, known: known)
            }
        }
    }

    /// A new entry that is named almost like one that is there.
    struct NearAddition {
        var section: String
        var name: String
        var what: String
        var near: String
    }

    /// The entries of a patch that say enough to be new, and whose names are near one of `tenant` all the same.
    static func nearAdditions(in patch: JSONValue, over tenant: JSONValue) -> [NearAddition] {
        sections.flatMap { section -> [NearAddition] in
            let known = names(of: section.key, in: tenant)
            return (patch[section.key]?.objectValue?.members ?? []).compactMap { name, entry in
                guard !known.containsText(name), name != "*",
                    section.needs.contains(where: { entry[$0] != nil }),
                    let near = nearestName(name, among: known)
                else { return nil }
                return NearAddition(section: section.key, name: name, what: section.what, near: near)
            }
        }
    }

    private static func names(of section: String, in value: JSONValue) -> [String] {
        let own = (value[section]?.objectValue?.keys ?? []).filter { $0 != "*" }
        guard section == "keySets" else { return own }
        return own + ["service", "tenant", "grants"].filter { !own.contains($0) }
    }
}
