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
    /// What ends an exploration before it is complete.
    public enum Bound: Sendable, Hashable, CaseIterable {
        case depth, states, moves
        /// A guard: where it ends an exploration depends on the machine.
        case time
    }

    /// What ended the exploration before it was complete; `nil` when it is.
    public private(set) var bound: Bound?
    /// The same in words, such as `50000 states`; `nil` when it is complete.
    public private(set) var cut: String?
    /// How many states were reached and not left, when it was cut.
    public internal(set) var unvisited = 0

    init(policy: ResolvedPolicy) {
        self.policy = policy
        coverage = Coverage(policy)
    }

    /// Notes that a bound ended the exploration, and after how many acts, states or moves.
    mutating func end(by bound: Bound, _ count: Int) {
        // What time ended depends on the machine, also if another bound is reached later.
        guard self.bound != .time || bound == .time else { return }
        self.bound = bound
        cut =
            switch bound {
            case .depth: "\(count) acts"
            case .states: "\(count) states"
            case .moves: "\(count) moves"
            case .time: "the time limit after \(count) moves"
            }
    }

    /// How to get the rest of an exploration that moves or time ended; `nil` for another one.
    public var advice: String? {
        switch bound {
        case nil, .depth, .states: nil
        case .moves: "Raise --moves to explore more."
        case .time:
            "The result is incomplete, and another run can end at another move. Raise --time, or use --moves with a smaller "
                + "number to end at the same move everywhere."
        }
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
        if let advice { lines.append(advice) }
        return lines
    }
}
