import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework

/// What came of exploring a policy.
///
/// What rules can decide on:
/// - ``Step/ran``: the technical profiles that succeeded at each act of a path; `path` leads from an end to its start.
/// - ``Explorer/Start``: who came, with which request, after which act of an administrator, with the session of which policy, and
///   when.
/// - ``Issue``: claims, whose account it is (``Owner``), and the facts of its path (``PathFacts``): addresses that were proved,
///   fields that a code verified, addresses that a provider handed over, second factors, and the detour if there was one.
/// - ``Renewal``: what became of each refresh token, with the same start.
/// - ``outlasted``: pages that set no limit to wrong codes.
/// - ``untried``: what nobody tried. ``isDecided(_:_:)`` and ``isDecided(page:_:)`` say whether something rests on it.
public struct Exploration: Sendable {
    /// One act of a path.
    struct PathStep: Sendable {
        var parent: Int?
        var words: String
        var depth = 0
        var script: [ScriptAct] = []
        /// Somebody comes: which of the starts it is.
        var start: Int?
        /// How many parts of the policy ran here for the first time.
        var news = 0
        /// Technical profiles that ran here and succeeded, in order.
        var ran: [ProfileHandle] = []
        /// Technical profiles that ran here and failed.
        var failed: Set<ProfileHandle> = []
        /// Sub journeys with a step that ran here.
        var subJourneys: Set<JourneyHandle> = []
    }

    /// Whose account a token is of, as seen by the person who came.
    enum Owner: Sendable, Hashable {
        /// The token names no account.
        case nobody
        case own
        /// One that was made on the path.
        case new
        /// Somebody else's, which was there before.
        case other
    }

    /// What became of a refresh token.
    ///
    /// The start says who used it and what an administrator had done since (``Explorer/Start/administered``).
    struct Renewal: Sendable {
        var trail: Int
        var start: Int
        /// The claims of the new token; `nil` where it was refused.
        var claims: JSONObject?
        /// Why it was refused.
        var failure: JourneyFailure?
        /// The same for a finding, and the element of the policy that refuses it.
        var reason = ""
        var location: SourceLocation?
        /// A service failed on the way.
        var isFaulted = false

        init(_ issue: Issue) {
            trail = issue.trail
            start = issue.start
            claims = issue.claims
        }

        /// - Parameter why: The reason for a finding, and the element of the policy that refuses.
        init(_ place: PathState, _ failure: JourneyFailure, _ why: (words: String, location: SourceLocation?)) {
            trail = place.trail
            start = place.start
            self.failure = failure
            (reason, location) = why
            isFaulted = place.facts.isFaulted
        }
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
        /// What its refresh token stands for; `nil` where there is none.
        var refresh: RefreshIdentity?
        var owner = Owner.nobody
    }

    /// What was noticed on the way, once for each rule and what it names, with the shortest path.
    struct Notice: Sendable {
        var rule: ExplorationRule
        var names: [String]
        var trail: Int
        /// A path of the same kind that is right.
        var other: Int?
        /// The step, profile or transformation that caused it.
        var location: SourceLocation?
        /// What the findings of one cause have in common; `nil`: what they name.
        var cause: String?
        /// The people that it concerns.
        var people: [String] = []
        /// It is less than the rule says: a warning in place of an error.
        var isMild = false
    }

    /// A page that was shown.
    struct PathPage: Sendable {
        var name: String
        var location: SourceLocation?
        var trail: Int
        var isLeft = false
        var refusals: [String] = []
    }

    let policy: ResolvedPolicy
    var trail: [PathStep] = []
    var starts: [Explorer.Start] = []
    var issues: [Issue] = []
    var notices: [Notice] = []
    var pages: [PathPage] = []
    var asked: [Asked] = []
    /// What became of refresh tokens, in the order in which they were used.
    var renewals: [Renewal] = []
    /// Pages that take the right code or password after ``PageActs/tries`` wrong ones, each with the shortest path.
    private(set) var outlasted: [(page: String, trail: Int)] = []
    /// What is not tried, with the elements of the policy that need it.
    public internal(set) var untried: [Untried] = []
    var invariants = Invariants()
    /// Rules that report nothing.
    var off: Set<ExplorationRule> = []
    var coverage: Coverage
    /// Where paths end without a token, the first of each text.
    var ends: [(trail: Int, text: String)] = []
    /// How many events the journeys handled.
    public internal(set) var moves = 0
    /// How many different states were reached.
    public internal(set) var states = 0
    /// How many paths ended without a token.
    public internal(set) var failures = 0
    /// What ends an exploration before it is complete.
    public enum Bound: Sendable, Hashable, CaseIterable {
        case depth, states, moves
        /// People who come again.
        case starts
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
            case .starts: "\(count) people who come"
            case .time: "the time limit after \(count) moves"
            }
    }

    /// How to get the rest of an exploration that moves or time ended; `nil` for another one.
    public var advice: String? {
        switch bound {
        case nil, .depth, .states, .starts: nil
        case .moves: "Raise --moves to explore more."
        case .time:
            "The result is incomplete, and another run can end at another move. Raise --time, or use --moves with a smaller "
                + "number to end at the same move everywhere."
        }
    }

    /// Notes that a page takes the right code or password after many wrong ones.
    mutating func outlast(_ page: String, _ trail: Int) {
        guard !outlasted.contains(where: { $0.page == page }) else { return }
        outlasted.append((page, trail))
    }

    /// Notes what was left because there is too much of it.
    mutating func leftOut(_ what: String, _ location: SourceLocation?) {
        untried.append(Untried("policy \(policy.id)", what, at: location))
    }

    /// Notes what is wrong, once for each cause.
    ///
    /// - Parameters:
    ///   - cause: What the findings of one cause have in common; without it, what they name.
    ///   - person: The person that it concerns.
    ///   - isMild: Whether it is a warning though the rule's findings are errors.
    mutating func note(
        _ rule: ExplorationRule, _ names: [String], _ trail: Int, other: Int? = nil, at location: SourceLocation? = nil,
        cause: String? = nil, of person: String? = nil, isMild: Bool = false
    ) {
        let known = notices.firstIndex { notice in
            guard cause != nil else { return notice.rule == rule && notice.names == names }
            return notice.cause == cause
                && (notice.rule == rule || Self.ofAccounts.isSuperset(of: [notice.rule, rule]))
        }
        let notice = Notice(
            rule: rule, names: names, trail: trail, other: other, location: location, cause: cause,
            people: person.map { [$0] } ?? [], isMild: isMild)
        guard let known else { return notices.append(notice) }
        // That a stranger gets an account is the worse side of the same cause.
        if notices[known].rule == .unproved && rule == .strangersAccount || notices[known].isMild && !isMild {
            notices[known] = notice
        } else if let person, notices[known].rule == rule, !notices[known].people.contains(person) {
            notices[known].people.append(person)
        }
    }

    /// Rules with one mechanism: whose account it is.
    private static let ofAccounts: Set<ExplorationRule> = [.unproved, .strangersAccount]

    mutating func show(_ name: String, _ location: SourceLocation?, _ trail: Int) {
        guard !pages.contains(where: { $0.name == name }) else { return }
        pages.append(PathPage(name: name, location: location, trail: trail))
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

    /// The technical profiles that ran on the way to an end and succeeded, in order.
    func profiles(of trail: Int) -> [ProfileHandle] {
        var ran: [ProfileHandle] = []
        var place: Int? = trail
        while let index = place {
            ran.insert(contentsOf: self.trail[index].ran, at: 0)
            place = self.trail[index].parent
        }
        return ran
    }

    /// How much was seen, in lines.
    public var summary: [String] {
        var lines = [
            "\(policy.id): \(states) states, \(moves) moves, \(issues.count) different tokens, \(failures) failed paths",
            "reached: \(coverage.summary), \(pages.count) \(pages.count == 1 ? "page" : "pages")",
        ]
        let elements = "\(untried.count) \(untried.count == 1 ? "element needs" : "elements need") what is not tried"
        if let cut {
            lines.append("not complete: cut by \(cut); \(unvisited) states were reached and not left")
        } else {
            lines.append(untried.isEmpty ? "complete" : "not complete: \(elements)")
        }
        lines += untried.map { "not tried: \($0.words)" }
        if let advice { lines.append(advice) }
        return lines
    }
}
