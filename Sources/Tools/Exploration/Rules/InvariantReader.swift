import Diagnostics
import JSON
import TrustFramework

/// Reads a file of invariants and finds everything that is wrong with it.
struct InvariantReader {
    private let document: JSONDocument
    private(set) var names: InvariantNames
    private(set) var findings: [Diagnostic] = []

    init(document: JSONDocument, _ policy: ResolvedPolicy) {
        self.document = document
        names = InvariantNames(policy)
    }

    private mutating func wrong(
        _ rule: ExplorationRule, _ message: String, remedy: String?, at pointer: JSONPointer, key: Bool = false
    ) {
        findings.append(document.finding(rule: rule.id, message, remedy: remedy, at: pointer, key: key))
    }

    /// The invariants of the file, without those that cannot be read.
    mutating func all() -> [Invariants.Invariant] {
        let root = JSONPointer.root
        guard case .object(let object) = document.root, let entries = object["invariants"]?.arrayValue else {
            wrong(
                .invariantShape, "a member `invariants` with a list is expected",
                remedy: "Write {\"invariants\": [...]}.", at: root)
            return []
        }
        for key in object.keys where !["invariants", "$schema"].contains(key) {
            wrong(
                .invariantKey, "`\(key)` is unknown", remedy: "The file has `invariants`.", at: root.appending(key),
                key: true)
        }
        let all = entries.enumerated().compactMap { index, entry in
            invariant(entry, at: root.appending("invariants").appending(index))
        }
        for problem in names.problems {
            wrong(problem.rule, problem.message, remedy: problem.remedy, at: problem.pointer, key: problem.isKey)
        }
        return all
    }

    private mutating func invariant(_ entry: JSONValue, at pointer: JSONPointer) -> Invariants.Invariant? {
        guard case .object(let members) = entry else {
            wrong(
                .invariantShape, "an object is expected", remedy: "Write {\"name\": ..., \"never\": {...}}.",
                at: pointer)
            return nil
        }
        checkKeys(members, at: pointer)
        guard let name = members["name"]?.stringValue, !name.isEmpty else {
            wrong(
                .invariantName, "an invariant has a name",
                remedy: "Add \"name\": \"no token without a second factor\".", at: pointer)
            return nil
        }
        guard let event = event(members["at"], at: pointer.appending("at")) else { return nil }
        guard (members["always"] == nil) != (members["never"] == nil) else {
            wrong(
                .invariantSides, "an invariant has either `always` or `never`", remedy: "Write one of them.",
                at: pointer)
            return nil
        }
        for part in ["when", "always", "never"] {
            guard let matcher = members[part] else { continue }
            guard case .object(let object) = matcher else {
                wrong(
                    .invariantShape, "`\(part)` is an object",
                    remedy: "Name members of the event, such as {\"profiles\": ...}.", at: pointer.appending(part))
                continue
            }
            names.check(object, event, pointer.appending(part))
        }
        return Invariants.Invariant(
            name: name, event: event, when: members["when"], always: members["always"], never: members["never"],
            location: document.location(of: pointer))
    }

    private mutating func checkKeys(_ members: JSONObject, at pointer: JSONPointer) {
        let known = ["name", "at", "when", "always", "never"]
        for key in members.keys where !known.contains(key) {
            let near = nearestName(key, among: known).map { "Did you mean \($0)?" }
            wrong(
                .invariantKey, "`\(key)` is unknown", remedy: near ?? "Keys are \(known.joined(separator: ", ")).",
                at: pointer.appending(key), key: true)
        }
    }

    /// The event that `at` names; a token by default.
    private mutating func event(_ value: JSONValue?, at pointer: JSONPointer) -> Invariants.Event? {
        guard let value else { return .token }
        if let event = value.stringValue.flatMap(Invariants.Event.init(rawValue:)) { return event }
        let words = Invariants.Event.allCases.map(\.rawValue)
        let near = nearestName(value.stringValue ?? Invariants.Event.token.rawValue, among: words)
        wrong(
            .invariantEvent, "`at` is one of \(words.joined(separator: ", "))",
            remedy: near.map { "Did you mean \($0)?" }, at: pointer)
        return nil
    }
}
