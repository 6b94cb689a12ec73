import Determinism
import Diagnostics
import Journeys
import TenantFiles
import TrustFramework

/// How far an exploration goes.
public struct ExplorationLimits: Sendable {
    /// Acts of a path.
    public var depth: Int
    /// States that are visited.
    public var states: Int
    /// Events that journeys get. Unlike time, they end an exploration at the same place on every machine.
    public var moves: Int
    public var seed: UInt64
    /// People who come, those who come again among them.
    public var starts = 200

    public init(depth: Int = 40, states: Int = 50_000, moves: Int = ExplorationLimits.defaultMoves, seed: UInt64 = 1) {
        self.depth = depth
        self.states = states
        self.moves = moves
        self.seed = seed
    }

    /// About as many moves as a usual machine makes in a minute.
    public static let defaultMoves = 2_000_000
}

/// Walks all ways through a policy, breadth first, so that the first path to anything is a shortest one.
///
/// A journey is a value: it is copied at every choice. States that agree in all but what was drawn at random are visited
/// once: the random stream starts again before each event, and time stands still unless somebody waits.
///
/// The plain ways come first: people, pages, services, then everybody who got a token comes again. What is out of the
/// ordinary follows: other requests, time, administrators, refresh, other policies of the set. It has a limit of its own, so
/// that a large policy is still explored whole as far as the plain ways go.
///
/// The search takes its people and values from a ``TestActors`` and reports what happens to ``PathRules``.
public struct Explorer {
    let cast: TestActors
    var rules: PathRules
    /// Policies of the same set that share sessions with this one.
    let neighbours: [ResolvedPolicy]
    let sessions: NeighbourSessions
    let limits: ExplorationLimits
    let now = Self.beginning
    static let beginning = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
    let environment: JourneyEnvironment
    private let isOutOfTime: () -> Bool
    /// Sees every turn that a journey takes.
    var watch: ((JourneyTurn) -> Void)?

    var seen: Set<PlaceKey> = []
    var coverage: Coverage
    var result: Exploration
    var queue: [PathState] = []
    var next = 0
    /// Places that are out of the ordinary; they are left after the others.
    var later: [PathState] = []
    /// States out of the ordinary so far, and how many there may be.
    var extraStates = 0
    var extraLimit = Self.leastExtra
    var hasBegunExtra = false
    /// Which detours each person took from each page.
    var detoured: Set<DetourKey> = []
    /// Sessions in which the second person has come.
    var shared: Set<[String]> = []
    /// Whether the person had shown who they are before the last act.
    var wasProved = false

    /// Fewest states out of the ordinary that are visited; else as many as there are plain ones.
    static let leastExtra = 8_000
    /// Starts out of the ordinary at most.
    static let mostExtraStarts = 300
    static let client = GUID.derived(from: "app").description

    struct DetourKey: Hashable {
        var page: String
        var detour: Detour
        var start: Int
        var done: Set<String>
    }

    var policy: ResolvedPolicy { cast.policy }

    /// - Parameters:
    ///   - policy: The policy to explore.
    ///   - neighbours: Policies of the same set: people come with the sessions that these leave.
    ///   - sessions: What is known of the neighbours' sessions: one for all policies of a set.
    ///   - tenant: The tenant's short name.
    ///   - switches: Engine behaviour of the tenant file.
    ///   - isOutOfTime: A guard, asked between two states. An exploration that it ends depends on the machine.
    public init(
        _ policy: ResolvedPolicy, neighbours: [ResolvedPolicy] = [],
        sessions: NeighbourSessions = NeighbourSessions(), tenant: String = "contoso",
        switches: EngineSwitches = EngineSwitches(), limits: ExplorationLimits = ExplorationLimits(),
        invariants: Invariants = Invariants(), isOutOfTime: @escaping () -> Bool = { false }
    ) {
        cast = TestActors(policy, tenant: tenant, trims: switches.trimsPreconditionValues, now: Self.beginning)
        rules = PathRules(policy, cast.purpose)
        self.neighbours = neighbours.filter { $0.id != policy.id }
        self.sessions = sessions
        self.limits = limits
        self.isOutOfTime = isOutOfTime
        environment = JourneyEnvironment(
            tenantDomain: "\(tenant).onmicrosoft.com", tenantID: GUID.derived(from: "tenant/\(tenant)"),
            switches: switches)
        coverage = Coverage(policy)
        result = Exploration(policy: policy)
        result.invariants = invariants
    }

    /// Explores, and returns what was found.
    ///
    /// - Parameter watch: Sees every turn that a journey takes.
    public static func explore(
        _ policy: ResolvedPolicy, neighbours: [ResolvedPolicy] = [],
        sessions: NeighbourSessions = NeighbourSessions(), tenant: String = "contoso",
        switches: EngineSwitches = EngineSwitches(), limits: ExplorationLimits = ExplorationLimits(),
        invariants: Invariants = Invariants(), isOutOfTime: @escaping () -> Bool = { false },
        watch: ((JourneyTurn) -> Void)? = nil
    ) throws(InvalidInput) -> Exploration {
        var explorer = Explorer(
            policy, neighbours: neighbours, sessions: sessions, tenant: tenant, switches: switches, limits: limits,
            invariants: invariants, isOutOfTime: isOutOfTime)
        explorer.watch = watch
        try explorer.begin()
        explorer.run()
        explorer.comeAgain()
        explorer.run()
        explorer.extraLimit = max(Self.leastExtra, explorer.seen.count)
        try explorer.beginExtra()
        explorer.run()
        explorer.rules.ended(&explorer.result)
        explorer.refreshAfterRevocation()
        return explorer.finished()
    }

    private mutating func finished() -> Exploration {
        var all = result
        // People who came again after the time limit have moved too.
        if all.bound == .time { all.end(by: .time, all.moves) }
        all.states = seen.count
        all.coverage = coverage
        all.untried += cast.untried
        if let id = policy.tokenIssuer?.clientCredentialsJourney {
            let location = policy.journey(id).map { policy[$0].location }
            all.untried.append(Untried("user journey \(id)", "the client credentials grant", at: location))
        }
        return all
    }

    // MARK: The search

    mutating func run() {
        while next < queue.count {
            guard mayGoOn() else { break }
            let place = queue[next]
            // A state that has been left is needed no more; the trail keeps its path.
            queue[next].page = nil
            next += 1
            if next > 4096 {
                queue.removeFirst(next)
                next = 0
            }
            expand(place)
        }
        result.unvisited += queue.count - next
        queue.removeAll()
        next = 0
        runLater()
    }

    /// Leaves the places beside the plain ways, once all starts are there.
    private mutating func runLater() {
        guard hasBegunExtra else { return }
        var place = 0
        var left = 0
        while place < later.count {
            guard mayGoOn() else { break }
            if extraStates >= extraLimit {
                left = later.count - place
                break
            }
            expand(later[place])
            later[place].page = nil
            place += 1
        }
        if result.cut != nil { result.unvisited += later.count - place }
        if left > 0 {
            result.leftOut(
                "\(left) states after other requests, waits, refreshes and acts of an administrator",
                policy.relyingParty.location)
        }
        later.removeAll()
    }

    private mutating func mayGoOn() -> Bool {
        if result.bound == .moves || result.bound == .time { return false }
        if seen.count >= limits.states {
            result.end(by: .states, limits.states)
            return false
        }
        if isOutOfTime() {
            result.end(by: .time, result.moves)
            return false
        }
        return true
    }

    /// Whether a further move is within the limit; if it is not, the exploration is cut.
    mutating func mayMove() -> Bool {
        guard result.moves >= limits.moves else { return true }
        result.end(by: .moves, limits.moves)
        return false
    }

    private mutating func expand(_ place: PathState) {
        let start = result.starts[place.start]
        let services = ServiceActs(cast, start: start, place: place)
        var acts: [Act]
        switch place.stop {
        case .page(let page):
            let pageActs = PageActs(
                cast, person: start.person, place: place, page: page, account: ownAccount(place))
            acts = pageActs.all()
            if place.facts.detour == nil, !start.isExtra {
                acts += pageActs.detours().filter { isNew($0, place, page) }
            }
        case .provider(let redirect): acts = services.acts(at: redirect)
        case .callout(let request, _):
            acts = services.acts(
                at: request, again: place.facts.done.contains("late"), forged: place.pending.forged)
        case .answer, .issue, .failed, .refused: acts = []
        }
        if depth(place.trail) >= limits.depth, !acts.isEmpty {
            if result.bound == nil { result.end(by: .depth, limits.depth) }
            result.unvisited += 1
            return
        }
        for act in acts {
            guard mayMove() else {
                result.unvisited += 1
                return
            }
            step(place, act)
        }
    }

    /// Whether a detour has not been taken yet from a page by a person.
    private mutating func isNew(_ act: Act, _ place: PathState, _ page: Page) -> Bool {
        var facts = place.facts
        act.change(&facts)
        guard let detour = facts.detour else { return true }
        var key = DetourKey(page: page.name, detour: detour, start: place.start, done: place.facts.done)
        if detour == .length || detour == .exhausted { key.done.insert(act.words) }
        return detoured.insert(key).inserted
    }

    /// The account of the person, where the journey has found it.
    func ownAccount(_ place: PathState) -> GUID? {
        result.starts[place.start].objectIDs.first {
            place.isOf($0, in: policy) && place.tenancy.directory[$0] != nil
        }
    }

    func depth(_ trail: Int) -> Int { result.trail[trail].depth }

    mutating func visit(_ place: PathState) {
        var asked = ""
        if case .callout(let request, _) = place.stop { asked = "\(request.method) \(request.url) \(request.text)" }
        let key = PlaceKey(
            journey: place.journey, accounts: place.tenancy.accounts, facts: place.facts, pending: place.pending,
            start: place.start, now: place.now, asked: asked)
        guard seen.insert(key).inserted else { return }
        guard hasBegunExtra || result.starts[place.start].isExtra || place.facts.detour != nil else {
            return queue.append(place)
        }
        extraStates += 1
        later.append(place)
    }
}

extension Tenancy {
    /// The accounts in the order of the directory.
    var accounts: [Account] { directory.objectIDs.compactMap { directory[$0] } }

    /// The technical profiles that have left something in a session.
    func entries(of session: SessionID) -> [String] { sessions[session]?.entries.map(\.profile) ?? [] }
}
