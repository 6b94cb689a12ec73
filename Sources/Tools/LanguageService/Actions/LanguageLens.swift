import JSON
import Markup
import PolicyTools
import TenantFiles

/// Something to start from a line of a file.
package struct LanguageLens: Hashable, Sendable {
    package enum Command: Hashable, Sendable {
        /// Signs a person in with the policy of a file.
        case trace(file: String, policy: String, person: String)
        /// Explores a policy.
        case explore(file: String, policy: String)
        /// Runs a scenario file, or one case of it.
        case run(file: String, caseName: String?)
        /// Which scripts use an element: its title is known after ``ScriptUses`` was asked.
        case uses(file: String, profile: String)
    }

    package var range: TextRange
    /// `nil` until it is resolved.
    package var title: String?
    package var command: Command

    package init(range: TextRange, title: String?, command: Command) {
        (self.range, self.title, self.command) = (range, title, command)
    }
}

extension LanguageWorkspace {
    /// What may be started in a file: sign-ins and explorations of its policies, its scripts. Of a technical profile the
    /// scripts that run it.
    package func lenses(of path: String) -> [LanguageLens] {
        guard let file = file(path) else { return [] }
        func lens(_ range: Range<Int>, _ title: String?, _ command: LanguageLens.Command) -> LanguageLens {
            LanguageLens(range: TextRange(file: path, range: range), title: title, command: command)
        }
        func trace(_ range: Range<Int>, _ policy: String, as person: String) -> LanguageLens {
            lens(range, "Trace as \(person)", .trace(file: path, policy: policy, person: person))
        }
        switch (file.kind, file.markup, file.json) {
        case (.policy, let markup?, _):
            let party = markup.elements.first { $0.parent == 0 && markup.source.text($0.name) == "RelyingParty" }
            var lenses: [LanguageLens] = []
            if let party, let policy = families.policyID(path) {
                // Somebody with an account, and somebody without.
                lenses += [DemoPeople.local, DemoPeople.newcomer].map { trace(party.name, policy, as: $0) }
                lenses.append(lens(party.name, "Explore", .explore(file: path, policy: policy)))
            }
            let profiles = file.occurrences.filter { name in
                name.kind == .technicalProfile && name.isDeclaration
                    && !(party.map { $0.body.contains(name.range.lowerBound) } ?? false)
            }
            return lenses + profiles.map { lens($0.range, nil, .uses(file: path, profile: $0.name)) }
        case (.scenario, _, let json?):
            guard let start = json.nodes.first?.value.lowerBound else { return [] }
            return [lens(start..<start, "Run", .run(file: path, caseName: nil))]
                + json.members("cases").map { lens($0.range, "Run \($0.name)", .run(file: path, caseName: $0.name)) }
        case (.tenant, _, let json?):
            guard !json.entries("apps").isEmpty else { return [] }
            return json.entries("policies").compactMap { policy in
                json.person(for: policy.name).map { trace(policy.range, policy.name, as: $0) }
            }
        default: return []
        }
    }
}

extension JSONOutline {
    /// The members of a member of the root, each with the bytes of its name.
    fileprivate func members(_ name: String) -> [(name: String, range: Range<Int>)] {
        guard let object = node(at: JSONPointer.root.appending(name)) else { return [] }
        return nodes[object].children.compactMap { child in nodes[child].key.map { (nodes[child].token, $0) } }
    }

    /// The same of a section of a tenant, without `*`, which has defaults of all.
    fileprivate func entries(_ section: String) -> [(name: String, range: Range<Int>)] {
        members(section).filter { $0.name != "*" }
    }

    /// The first person of a tenant that a policy suits.
    fileprivate func person(for policy: String) -> String? {
        func value(_ member: String, of entry: String, in section: String) -> JSONValue? {
            [entry, "*"].lazy.compactMap { node(at: JSONPointer(tokens: [section, $0, member])) }.first.map { json($0) }
        }
        let people = entries("users").map(\.name)
        let registered = people.first { value("registered", of: $0, in: "users") != false }
        return switch value("type", of: policy, in: "policies")?.stringValue.flatMap({ PolicyType(rawValue: $0) }) {
        case .ropc: nil
        case .signIn, .profileEditing, .passwordReset: registered
        case .signUpOrSignIn, .signUp, .custom, nil: registered ?? people.first
        }
    }
}
