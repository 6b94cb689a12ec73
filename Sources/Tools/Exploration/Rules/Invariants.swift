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
    /// Ids of technical profiles that the file names, in lower case: paths that differ in them are different states.
    private(set) var watched: Set<String> = []

    public init() {}

    /// Reads `explore.json`.
    ///
    /// - Parameter policy: Whose technical profiles the file names.
    public init(file: String, bytes: [UInt8], policy: ResolvedPolicy) throws(InvalidInput) {
        var reader = InvariantReader(document: try JSONDocument(file: file, bytes: bytes), policy)
        all = reader.all()
        watched = reader.names.watched
        if !reader.findings.isEmpty { throw InvalidInput(diagnostics: reader.findings) }
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
    mutating func hold(_ event: Invariants.Event, _ record: JSONObject, at trail: Int) {
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
    func invariantFindings(_ invariants: Invariants) -> [ExplorationFinding] {
        zip(invariants.all, asked.isEmpty ? invariants.all.map { _ in Asked() } : asked).compactMap {
            invariant, asked in
            if let trail = asked.broken {
                return ExplorationFinding(
                    rule: .invariantBroken, names: [invariant.name], trail: trail, location: invariant.location,
                    expected: expectation(of: invariant))
            }
            guard !asked.isAsked, cut == nil else { return nil }
            return ExplorationFinding(
                rule: .invariantNeverAsked, names: [invariant.name, invariant.event.rawValue],
                location: invariant.location)
        }
    }

    /// What a script expects of a path that breaks an invariant.
    private func expectation(of invariant: Invariants.Invariant) -> ExplorationRule.ScriptExpectation {
        guard invariant.event == .token else {
            return .notShown("an invariant of a \(invariant.event.rawValue) is checked on the way")
        }
        if let claims = invariant.always?["claims"], invariant.always?.objectValue?.keys == ["claims"] {
            return .claims(claims)
        }
        return .noToken
    }
}
