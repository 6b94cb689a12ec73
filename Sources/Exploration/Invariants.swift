import Diagnostics
import Exchanges
import JSON
import TrustFramework

/// What a team says of every path through a policy: a file `explore.json`.
public struct Invariants: Sendable {
    /// One sentence about paths.
    public struct Invariant: Sendable {
        public var name: String
        /// At which events it is asked.
        var event: Event
        /// Only of paths that match this.
        var when: JSONValue?
        var always: JSONValue?
        var never: JSONValue?
        var location: SourceLocation
    }

    /// What happens on a path.
    enum Event: String, CaseIterable, Sendable {
        case token, failure, page, call, write
    }

    public private(set) var all: [Invariant] = []
    /// Ids of technical profiles that the file names, in lower case: paths that differ in them are told apart.
    private(set) var watched: Set<String> = []

    public init() {}

    /// Reads `explore.json`.
    ///
    /// - Parameter policy: Whose technical profiles the file names.
    public init(file: String, bytes: [UInt8], policy: ResolvedPolicy) throws(InvalidInput) {
        let document = try JSONDocument(file: file, bytes: bytes)
        var findings: [Diagnostic] = []
        var names = InvariantNames(policy)
        func wrong(
            _ rule: ExplorationRule, _ message: String, _ remedy: String?, _ pointer: JSONPointer, key: Bool = false
        ) {
            findings.append(
                document.finding(rule: rule.id, message, remedy: remedy, at: pointer, key: key))
        }
        let root = JSONPointer.root
        guard case .object(let object) = document.root, let entries = object["invariants"]?.arrayValue else {
            wrong(
                .invariantShape, "a member `invariants` with a list is expected", "Write {\"invariants\": [...]}.", root
            )
            throw InvalidInput(diagnostics: findings)
        }
        for key in object.keys where !["invariants", "$schema"].contains(key) {
            wrong(.invariantKey, "`\(key)` is unknown", "The file has `invariants`.", root.appending(key), key: true)
        }
        for (index, entry) in entries.enumerated() {
            let pointer = root.appending("invariants").appending(index)
            guard case .object(let members) = entry else {
                wrong(.invariantShape, "an object is expected", "Write {\"name\": ..., \"never\": {...}}.", pointer)
                continue
            }
            let known = ["name", "at", "when", "always", "never"]
            for key in members.keys where !known.contains(key) {
                let near = nearestName(key, among: known).map { "Did you mean \($0)?" }
                wrong(
                    .invariantKey, "`\(key)` is unknown", near ?? "Keys are \(known.joined(separator: ", ")).",
                    pointer.appending(key), key: true)
            }
            guard let name = members["name"]?.stringValue, !name.isEmpty else {
                wrong(
                    .invariantName, "an invariant has a name", "Add \"name\": \"no token without a second factor\".",
                    pointer)
                continue
            }
            let word = members["at"]?.stringValue ?? Event.token.rawValue
            guard members["at"] == nil || members["at"]?.stringValue != nil, let event = Event(rawValue: word) else {
                let words = Event.allCases.map(\.rawValue)
                let near = nearestName(word, among: words).map { "Did you mean \($0)?" }
                wrong(.invariantEvent, "`at` is one of \(words.joined(separator: ", "))", near, pointer.appending("at"))
                continue
            }
            guard (members["always"] == nil) != (members["never"] == nil) else {
                wrong(.invariantSides, "an invariant has either `always` or `never`", "Write one of them.", pointer)
                continue
            }
            for part in ["when", "always", "never"] {
                guard let matcher = members[part] else { continue }
                guard case .object(let object) = matcher else {
                    wrong(
                        .invariantShape, "`\(part)` is an object",
                        "Name members of the event, such as {\"profiles\": ...}.",
                        pointer.appending(part))
                    continue
                }
                names.check(object, event, pointer.appending(part))
            }
            all.append(
                Invariant(
                    name: name, event: event, when: members["when"], always: members["always"], never: members["never"],
                    location: document.location(of: pointer)))
        }
        for problem in names.problems {
            wrong(problem.rule, problem.message, problem.remedy, problem.pointer, key: problem.isKey)
        }
        watched = names.watched
        if !findings.isEmpty { throw InvalidInput(diagnostics: findings) }
    }

    /// Members of an event.
    static let members = [
        "person", "session", "claims", "profiles", "proved", "written", "faulted", "page", "call", "error",
    ]
}

extension Exploration {
    /// Whether invariants were asked at all, and which event broke one first.
    struct Asked: Sendable {
        var isAsked = false
        var broken: Int?
    }

    /// Holds an event of a path against the invariants.
    mutating func hold(_ invariants: Invariants, _ event: Invariants.Event, _ record: JSONObject, _ trail: Int) {
        if asked.isEmpty { asked = invariants.all.map { _ in Asked() } }
        for (index, invariant) in invariants.all.enumerated() where invariant.event == event {
            if let when = invariant.when, !Matcher.matches(.object(record), when) { continue }
            asked[index].isAsked = true
            let isKept =
                if let always = invariant.always { Matcher.matches(.object(record), always) } else {
                    invariant.never.map { !Matcher.matches(.object(record), $0) } ?? true
                }
            if !isKept, asked[index].broken == nil { asked[index].broken = trail }
        }
    }

    /// The invariants that were broken, and those that no path could break.
    func invariantFindings(_ invariants: Invariants) -> [Found] {
        zip(invariants.all, asked.isEmpty ? invariants.all.map { _ in Asked() } : asked).compactMap {
            invariant, asked in
            if let trail = asked.broken {
                return Found(
                    rule: .invariantBroken, names: [invariant.name], trail: trail, location: invariant.location,
                    expected: expectation(of: invariant))
            }
            guard !asked.isAsked, cut == nil else { return nil }
            return Found(
                rule: .invariantNeverAsked, names: [invariant.name, invariant.event.rawValue],
                location: invariant.location)
        }
    }

    /// What a script expects of a path that breaks an invariant.
    private func expectation(of invariant: Invariants.Invariant) -> ExplorationRule.Expectation {
        guard invariant.event == .token else {
            return .notShown("an invariant of a \(invariant.event.rawValue) is checked on the way")
        }
        if let claims = invariant.always?["claims"], invariant.always?.objectValue?.keys == ["claims"] {
            return .claims(claims)
        }
        return .noToken
    }
}
