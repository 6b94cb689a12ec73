import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework

/// What came of exploring a policy.
public struct Exploration: Sendable {
    /// One act of a path.
    struct Step: Sendable {
        var parent: Int?
        var words: String
        var depth = 0
        var script: [ScriptAct] = []
        /// Somebody comes: which of the starts it is.
        var start: Int?
        /// How many parts of the policy ran here for the first time.
        var news = 0
    }

    /// A token that was issued.
    struct Issue: Sendable {
        var trail: Int
        var start: Int
        var claims: JSONObject
        var facts: PathFacts
        var tenancy: Tenancy
        var session: SessionID?
        var isAgain: Bool
        var hasSession: Bool
        var hasSubject = false
    }

    /// What was noticed on the way, once for each kind and subject, with the shortest path.
    struct Notice: Sendable {
        enum Kind: Sendable, Hashable, CaseIterable {
            case overwritten, forged, unverified, disabled, exception, writtenThoughFailed, writtenThoughRefused
            case notSimulated, disabledSocial, unproved, factorForgotten, madeAgain
        }
        var kind: Kind
        var subject: String
        var trail: Int
    }

    /// A page that was shown.
    struct Shown: Sendable {
        var name: String
        var location: SourceLocation?
        var trail: Int
        var isLeft = false
        var refusals: [String] = []
    }

    let policy: ResolvedPolicy
    var trail: [Step] = []
    var starts: [Explorer.Start] = []
    var issues: [Issue] = []
    var notices: [Notice] = []
    var pages: [Shown] = []
    var asked: [Asked] = []
    var invariants = Invariants()
    var coverage: Coverage
    /// Where paths end without a token, the first of each text.
    var ends: [(trail: Int, text: String)] = []
    /// How many events the journeys were told.
    public internal(set) var moves = 0
    /// How many different states were reached.
    public internal(set) var states = 0
    /// How many paths ended without a token.
    public internal(set) var failures = 0
    /// What ended the exploration before it was complete; `nil` when it is.
    public internal(set) var cut: String?
    /// How many states were reached and not left, when it was cut.
    public internal(set) var unvisited = 0

    init(policy: ResolvedPolicy) {
        self.policy = policy
        coverage = Coverage(policy)
    }

    mutating func note(_ kind: Notice.Kind, _ subject: String, _ trail: Int) {
        guard !notices.contains(where: { $0.kind == kind && $0.subject == subject }) else { return }
        notices.append(Notice(kind: kind, subject: subject, trail: trail))
    }

    mutating func show(_ name: String, _ location: SourceLocation?, _ trail: Int) {
        guard !pages.contains(where: { $0.name == name }) else { return }
        pages.append(Shown(name: name, location: location, trail: trail))
    }

    mutating func leave(_ name: String) {
        guard let place = pages.firstIndex(where: { $0.name == name }) else { return }
        pages[place].isLeft = true
    }

    mutating func refuse(_ name: String, _ message: String) {
        guard let place = pages.firstIndex(where: { $0.name == name }), !pages[place].refusals.contains(message) else {
            return
        }
        pages[place].refusals.append(message)
    }

    /// The acts that lead somewhere, in order.
    func path(_ trail: Int) -> [String] {
        var words: [String] = []
        var place: Int? = trail
        while let index = place {
            words.append(self.trail[index].words)
            place = self.trail[index].parent
        }
        return words.reversed()
    }

    /// How much was seen, in lines.
    public var summary: [String] {
        var lines = [
            "\(policy.id): \(states) states, \(moves) moves, \(issues.count) different tokens, \(failures) failed paths",
            "reached: \(coverage.summary), \(pages.count) \(pages.count == 1 ? "page" : "pages")",
        ]
        lines.append(
            cut.map { "not complete: cut by \($0); \(unvisited) states were reached and not left" }
                ?? "complete within what is tried; see docs/explore.md")
        return lines
    }
}
