import Exchanges
import JSON
import Verbs

/// Texts about keys and names of scripts, for hovers and completions.
enum ScriptFacts {
    /// What a key means, whether it is required, and its default.
    static func text(of field: Field) -> String {
        var text = field.doc
        if field.required { text += "\n\nRequired." }
        if let words = field.defaultText { text += "\n\nDefault: \(words)." }
        if let missing = field.notBuiltYet { text += "\n\nNot built yet: \(missing)" }
        return text
    }

    static func text(of choice: Choice) -> String {
        choice.doc + (choice.notBuiltYet.map { "\n\nNot built yet: \($0)" } ?? "")
    }

    /// The page of the documentation that has a table of an object's keys.
    static func page(of kind: LanguageKind) -> String? {
        switch kind {
        case .scenario: "docs/scenario-files.md"
        case .tenant: "docs/tenant-files.md"
        case .target: "docs/target-files.md"
        case .project: "docs/project-file.md"
        case .policy, .settings, .other: nil
        }
    }

    /// What is shown of an entry of a tenant file: words and where its value is. Secrets are not among them.
    private static let members: [NameKind: [(word: String, path: [String])]] = [
        .person: [
            ("e-mail", ["email"]), ("user name", ["username"]), ("shown as", ["displayName"]),
            ("registered", ["registered"]), ("enabled", ["accountEnabled"]), ("locked", ["locked"]),
        ],
        .app: [
            ("kind", ["client", "kind"]), ("policy", ["client", "policy"]),
            ("client id", ["registration", "clientId"]), ("bundle id", ["platform", "bundleId"]),
            ("origin", ["platform", "origin"]), ("redirect URI", ["client", "redirectUri"]),
        ],
        .policy: [("type", ["type"]), ("id", ["id"]), ("file", ["file"])],
        .apiName: [("App ID URI", ["appIdUri"]), ("scopes", ["scopes"])],
        .provider: [("type", ["type"]), ("issuer", ["issuer"]), ("domain", ["domain"])],
        .client: [("app", ["app"]), ("device", ["device"]), ("browser", ["browser"])],
        .keySet: [("use", ["use"])],
    ]

    static func word(for kind: NameKind) -> String {
        switch kind {
        case .policy: "flow"
        case .api, .apiName: "API"
        case .caseName: "case"
        case .keySet: "key set"
        case .restStub: "REST stub"
        default: kind.rawValue
        }
    }

    /// What a declared thing is, in a line.
    static func summary(of declaration: PlacedOccurrence, in workspace: LanguageWorkspace) -> String? {
        guard case .script(let kind) = declaration.occurrence.kind, let json = workspace.file(declaration.file)?.json,
            let node = json.node(at: declaration.occurrence.range.lowerBound)
        else { return nil }
        if kind == .step {
            let line = json.source.position(at: declaration.occurrence.range.lowerBound).line
            let verb = json.nodes[node].parent.flatMap { ScriptOutline.verb(of: $0, in: json) }
            return "\(verb?.rawValue ?? "step") on line \(line)"
        }
        if kind == .variable {
            return isSecret(declaration.occurrence.name) ? nil : clipped(JSONWriter.compact(json.json(node)))
        }
        var facts = (members[kind] ?? []).compactMap { word, path -> String? in
            scalar(at: path, of: node, in: json).map { "\(word) \($0)" }
        }
        if kind == .person {
            let providers = json.child("providers", of: node).map {
                json.nodes[$0].children.map { json.nodes[$0].token }
            }
            if let providers, !providers.isEmpty {
                facts.append("accounts at \(providers.joined(separator: ", "))")
            }
            if json.child("password", of: node) == nil { facts.append("without password") }
        }
        return facts.isEmpty ? nil : facts.joined(separator: "; ")
    }

    /// The text of a value, a list of values too; `nil` for objects, `null` and what is not there.
    static func scalar(at path: [String], of node: Int, in json: JSONOutline) -> String? {
        var here = node
        for token in path {
            guard let next = json.child(token, of: here) else { return nil }
            here = next
        }
        return switch json.json(here) {
        case .string(let text): clipped(text)
        case .array(let values): clipped(values.compactMap(\.stringValue).joined(separator: ", "))
        case .object, .null: nil
        case let value: JSONWriter.compact(value)
        }
    }

    /// Whether a member is not shown to people who look over a shoulder.
    static func isSecret(_ member: String) -> Bool {
        let folded = member.lowercased()
        return ["password", "secret", "key"].contains { folded.contains($0) }
    }

    static func clipped(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "..." : text }

    /// What a root of `{{...}}` gives.
    static func text(of root: ValueRoot) -> String {
        switch root {
        case .tenant: "The tenant file with all patches."
        case .users: "People of the tenant, by name: `{{users/NAME/email}}`."
        case .apps: "Apps of the tenant, by name: `{{apps/NAME/registration/clientId}}`."
        case .policies: "Policies of the tenant, by name: `{{policies/NAME/id}}`."
        case .apis: "Web APIs of the tenant, by name: `{{apis/NAME/appIdUri}}`."
        case .hosts: "Host names of the tenant, by number from 0."
        case .inbox: "The last message to a person: `{{inbox/NAME/code}}`."
        case .keys: "Keys of the tenant, by id: `{{keys/ID/jwk}}`."
        case .now: "The time: `{{now}}`, `{{now+PT5M}}`, `{{now/epoch}}`."
        case .unique: "A text that no other run has."
        case .index: "The round of a step with `repeat`, from 0."
        case .caseName: "The name of the running case."
        case .env: "A variable of the environment: `{{env/NAME}}`."
        case .secret: "A secret from the environment: `{{secret/NAME}}`."
        }
    }
}
