import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// How far an exploration goes.
public struct ExplorationLimits: Sendable {
    /// Acts of a path.
    public var depth: Int
    /// States that are visited.
    public var states: Int
    /// Events that journeys are told. Unlike time, they end an exploration at the same place on every machine.
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
public struct Explorer {
    let policy: ResolvedPolicy
    /// Policies of the same set that share sessions with this one.
    let neighbours: [ResolvedPolicy]
    let sessions: NeighbourSessions
    let limits: ExplorationLimits
    let roster: Roster
    let classes: ClaimClasses
    let values: ValueClasses
    let rules: KnownRules
    let requests: RequestClasses
    let now = Self.beginning
    static let beginning = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
    let environment: JourneyEnvironment
    let isOutOfTime: () -> Bool
    /// Sees every turn that a journey takes.
    private var watch: ((JourneyTurn) -> Void)?

    var trail: [Exploration.Step] = []
    var starts: [Start] = []
    var seen: Set<PlaceKey> = []
    var coverage: Coverage
    var result: Exploration
    var queue: [Place] = []
    var next = 0
    /// Places that are out of the ordinary; they are left after the others.
    var later: [Place] = []
    /// States out of the ordinary so far, and how many there may be.
    var extraStates = 0
    var extraLimit = Self.leastExtra
    var hasBegunExtra = false
    /// Which detours were taken from which page, by whom.
    var detoured: Set<DetourKey> = []
    /// Sessions in which the second person has come.
    var shared: Set<[String]> = []
    /// Whether the last act wrote to the directory, and the technical profiles that ran in it and succeeded.
    var written = false
    var ran: [ProfileHandle] = []
    let purpose: Purpose
    /// The attribute of each claim that has exactly one.
    let attributes: [ClaimTypeHandle: String]
    /// What the last event ran.
    var causes = Causes()
    /// The profile that wrote last, of each start.
    var writers: [Int: ProfileHandle] = [:]

    /// Fewest states out of the ordinary that are visited; else as many as there are plain ones.
    static let leastExtra = 8_000
    /// Starts out of the ordinary at most.
    static let mostExtraStarts = 300

    struct DetourKey: Hashable {
        var page: String
        var detour: Detour
        var start: Int
        var done: Set<String>
    }

    /// Who comes, and to what.
    struct Start: Sendable {
        var person: Roster.Person
        var tenancy: Tenancy
        var session: SessionID?
        /// The issue that this person comes after.
        var after: Int?
        var words: String
        var password: String?
        /// Accounts of the person, and those of other people.
        var objectIDs: [GUID]
        var others: [GUID] = []
        /// The request that the sign-in begins with.
        var request = RequestClass()
        /// How the policy is asked: by a sign-in, a refresh token, a password.
        var entry = JourneyEntry.signIn
        /// What a refresh token stands for.
        var refresh: RefreshIdentity?
        /// What an administrator did since the person came last.
        var administered: Directory.AdministratorAct?
        /// The policy of the set that the session comes from, by id.
        var origin: String?
        /// The time when the person comes.
        var now: Timestamp
        /// Beside the plain ways: it is explored after them.
        var isExtra = false

        /// Whether it is one of the plain ways: a sign-in to which nothing was done before.
        var isUsual: Bool { !isExtra && entry == .signIn }

        /// How many accounts there were.
        var count: Int { objectIDs.count + others.count }
    }

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
        self.policy = policy
        self.neighbours = neighbours.filter { $0.id != policy.id }
        self.sessions = sessions
        self.limits = limits
        self.isOutOfTime = isOutOfTime
        classes = ClaimClasses(policy, trims: switches.trimsPreconditionValues)
        values = ValueClasses(policy, now: Self.beginning, trims: switches.trimsPreconditionValues)
        rules = KnownRules(policy)
        purpose = Purpose(policy)
        attributes = Self.attributes(of: policy)
        requests = RequestClasses(policy: policy, values: values)
        roster = Roster(policy: policy, tenantName: tenant, values: values)
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
        explorer.compareTokens()
        explorer.checkRevocation()
        return explorer.finished()
    }

    // MARK: Starts

    /// The directory with the accounts of a person and of the second one.
    private func tenancy(of person: Roster.Person, _ tenant: Tenant) throws(InvalidInput) -> Tenancy {
        let all = JSONObject([
            (person.name, .object(person.record)), (Roster.second.name, .object(Roster.second.record)),
        ])
        let whole = try Tenant(json: roster.tenant.merging(patch: ["users": .object(all)]))
        var directory = Directory(tenant: tenant, at: now)
        for user in whole.users { directory.add(user, tenant: whole, at: now) }
        _ = directory.takeTouched()
        return Tenancy(directory: directory)
    }

    private func start(of person: Roster.Person, _ tenant: Tenant) throws(InvalidInput) -> Start {
        let tenancy = try tenancy(of: person, tenant)
        let second = tenancy.directory.account(of: Roster.second.name)?.objectID
        let own = tenancy.directory.objectIDs.filter { $0 != second }
        return Start(
            person: person, tenancy: tenancy, session: nil, after: nil, words: "\(person.name), \(person.words), comes",
            password: own.first.flatMap { tenancy.directory[$0]?.password }, objectIDs: own,
            others: [second].compactMap(\.self), request: requests.usual(for: person), entry: entry, now: now)
    }

    /// How people sign in: by pages, or with the password grant where no page may be shown.
    private var entry: JourneyEntry { policy[policy.relyingParty.defaultJourney].nonInteractive ? .password : .signIn }

    private mutating func begin() throws(InvalidInput) {
        let tenant = try Tenant(json: roster.tenant)
        for person in roster.people { enter(try start(of: person, tenant)) }
    }

    /// Everybody who got a token comes again: without the session, and with it.
    private mutating func comeAgain() {
        struct Kind: Hashable {
            var accounts: [Account]
            var entries: [String]
            var person: String
        }
        var known: Set<Kind> = []
        var dropped = 0
        for (index, issue) in result.issues.enumerated() {
            let start = starts[issue.start]
            let tenancy = issue.tenancy
            let accounts = own(issue)
            var sessions: [SessionID?] = start.objectIDs == accounts.map(\.objectID) ? [] : [nil]
            if let session = issue.session { sessions.append(session) }
            for session in sessions {
                let entries = session.flatMap { tenancy.sessions[$0] }?.entries.map(\.profile) ?? []
                guard
                    known.insert(Kind(accounts: Self.accounts(tenancy), entries: entries, person: start.person.name))
                        .inserted
                else { continue }
                guard starts.count < limits.starts else {
                    dropped += 1
                    continue
                }
                enter(again(index, session: session))
            }
        }
        if dropped > 0 {
            result.end(by: .starts, limits.starts)
            result.unvisited += dropped
        }
    }

    /// The accounts that the person of an issue has.
    private func own(_ issue: Exploration.Issue) -> [Account] {
        let others = Set(starts[issue.start].others)
        return Self.accounts(issue.tenancy).filter { !others.contains($0.objectID) }
    }

    /// The person of an issue comes again.
    private func again(_ index: Int, session: SessionID?) -> Start {
        let issue = result.issues[index]
        var again = starts[issue.start]
        let accounts = own(issue)
        again.tenancy = issue.tenancy
        again.session = session
        again.after = index
        again.person.hasAccount = !accounts.isEmpty
        again.objectIDs = accounts.map(\.objectID)
        if let password = accounts.first?.password { again.person.record["password"] = .string(password) }
        again.password = accounts.first?.password
        again.request = requests.usual(for: again.person)
        again.words =
            "\(again.person.name) comes again, " + (session == nil ? "without the session" : "with the session")
        return again
    }

    // MARK: Starts beside the plain ways

    /// Other requests, and people who come again after something has happened.
    private mutating func beginExtra() throws(InvalidInput) {
        hasBegunExtra = true
        let tenant = try Tenant(json: roster.tenant)
        var count = 0
        var dropped = 0
        func mayEnter() -> Bool {
            count += 1
            if count > Self.mostExtraStarts { dropped += 1 }
            return count <= Self.mostExtraStarts
        }
        // Somebody without an account, somebody with one, somebody of a provider.
        for name in ["nina", "bob", "kay"] {
            guard let person = roster.people.first(where: { $0.name == name }) else { continue }
            let usual = try start(of: person, tenant)
            for request in requests.others(for: person) where mayEnter() {
                var other = usual
                other.request = request
                other.words += " \(request.words)"
                other.isExtra = true
                enter(other)
            }
        }
        for start in try sessionsOfNeighbours() where mayEnter() { enter(start) }
        var known: Set<ReturnKey> = []
        for index in result.issues.indices where starts[result.issues[index].start].after == nil {
            for start in returns(index, &known) where mayEnter() { enter(start) }
        }
        if dropped > 0 {
            result.leftOut("\(dropped) ways to come again or with another request", policy.relyingParty.location)
        }
    }

    /// People who come back alike: the same kind of session or token, got in the same way.
    private struct ReturnKey: Hashable {
        var kept: [String]
        var providers: Set<String>
        var owner: Exploration.Owner
        var words: String
    }

    /// The ways in which the person of an issue comes again after something has happened.
    private mutating func returns(_ index: Int, _ known: inout Set<ReturnKey>) -> [Start] {
        let issue = result.issues[index]
        guard !starts[issue.start].isExtra, issue.facts.detour == nil else { return [] }
        let person = starts[issue.start].person.name
        let entries = issue.session.flatMap { issue.tenancy.sessions[$0] }?.entries.map(\.profile) ?? []
        let accounts = own(issue)
        var all: [Start] = []
        func add(_ session: SessionID?, _ words: String, _ change: (inout Start) -> Void) {
            // One of each kind: people who came to the same session or token are alike.
            let key = ReturnKey(
                kept: session == nil ? (issue.refresh?.claims.map(\.id) ?? []).sorted() : entries,
                providers: issue.facts.providers, owner: issue.owner, words: words)
            guard known.insert(key).inserted else { return }
            var start = again(index, session: session)
            start.isExtra = true
            change(&start)
            start.words = "\(person) \(words)"
            all.append(start)
        }
        func administer(_ start: inout Start, _ act: Directory.AdministratorAct) {
            for account in accounts { start.tenancy.directory.administer(account.objectID, act, at: start.now) }
            _ = start.tenancy.directory.takeTouched()
            start.administered = act
            if case .resetPassword(let password) = act {
                start.person.record["password"] = .string(password)
                start.password = password
            }
            if case .delete = act {
                start.objectIDs = []
                start.person.hasAccount = false
            }
        }
        let acts = accounts.isEmpty ? [] : administratorActs(on: person)
        if let session = issue.session {
            for prompt in ["login", "none"] {
                add(session, "comes again with the session and prompt \(prompt)") {
                    $0.request.parameters.append(RequestClass.Parameter(name: "prompt", value: prompt))
                    $0.request.words = "with prompt \(prompt)"
                    $0.request.isFaulty = prompt == "none"
                }
            }
            for (act, words) in acts {
                add(session, "comes again with the session after an administrator \(words)") { administer(&$0, act) }
            }
            for span in waits {
                add(session, "comes again with the session after \(Self.words(span))") { $0.now = $0.now + span }
            }
            if shared.insert(entries).inserted, !accounts.isEmpty {
                add(session, "leaves, and \(Roster.second.name), \(Roster.second.words), comes in the same browser") {
                    $0.person = Roster.second
                    let first = $0.objectIDs
                    $0.objectIDs = $0.others
                    $0.others = first
                    $0.password = Roster.second.text("password")
                    $0.request = requests.usual(for: Roster.second)
                }
            }
        }
        guard let refresh = issue.refresh else { return all }
        func refreshes(_ words: String, _ change: (inout Start) -> Void) {
            add(nil, words) {
                $0.entry = .refresh
                $0.refresh = refresh
                change(&$0)
            }
        }
        refreshes("uses the refresh token") { _ in }
        if policy.relyingParty.journey(endpoint: "UserInfo") != nil {
            refreshes("asks for user info") { $0.entry = .userInfo }
        }
        refreshes("uses the refresh token after an hour") { $0.now = $0.now + .hours(1) }
        for (act, words) in acts {
            refreshes("uses the refresh token after an administrator \(words)") { administer(&$0, act) }
        }
        if !acts.isEmpty {
            refreshes("uses the refresh token after an administrator revoked it") { administer(&$0, .revoke) }
        }
        return all
    }

    /// What an administrator does to an account between two visits, with words: also values of attributes that the policy
    /// tells apart.
    private func administratorActs(on person: String) -> [(act: Directory.AdministratorAct, words: String)] {
        var acts: [(act: Directory.AdministratorAct, words: String)] = [
            (.disable, "disabled the account"), (.delete, "deleted the account"),
            (.resetPassword("Password-1860"), "reset the password"),
        ]
        for attribute in roster.attributes.prefix(4) {
            let value = attribute.value.replacing(ValueClasses.local, with: person)
            acts.append((.set(attribute.name, .text(value)), "set \(attribute.name) to \(value)"))
        }
        return acts
    }

    /// How long people stay away where the policy can tell: beyond the lifetimes of sessions that it sets.
    private var waits: [TimeSpan] {
        var spans: [TimeSpan] = [.hours(1)]
        let minutes =
            [policy.relyingParty.authenticationRequirements?.timeToLive].compactMap(\.self)
            + values.reach.profiles.compactMap { policy[$0].authenticationRequirements?.timeToLive }
        for minute in minutes {
            let span = TimeSpan.minutes(Int64(minute) + 1)
            if !spans.contains(span) { spans.append(span) }
        }
        let lifetime = TimeSpan.seconds(Int64(policy.sessionBehavior.expiryInSeconds) + 60)
        if !spans.contains(lifetime) { spans.append(lifetime) }
        return Array(spans.prefix(4))
    }

    private static func words(_ span: TimeSpan) -> String {
        let minutes = span.wholeSeconds / 60
        return minutes == 60 ? "an hour" : "\(minutes) minutes"
    }

    /// People who come with a session that another policy of the set has left.
    private mutating func sessionsOfNeighbours() throws(InvalidInput) -> [Start] {
        var all: [Start] = []
        let scope = Sessions.scope(of: policy, tenantDomain: environment.tenantDomain, clientID: Self.client)
        var known = Self.keepers(values.reach, policy)
        var explored = 0
        for neighbour in neighbours {
            // A session is another one only if another technical profile has left something in it.
            let keepers = sessions.keepers(of: neighbour)
            guard !keepers.isSubset(of: known) else { continue }
            guard explored < Self.mostNeighbours else {
                result.leftOut("a session of policy \(neighbour.id)", policy.relyingParty.location)
                continue
            }
            guard let scope,
                scope == Sessions.scope(of: neighbour, tenantDomain: environment.tenantDomain, clientID: Self.client)
            else { continue }
            known.formUnion(keepers)
            explored += 1
            let moves = min(4_000, self.limits.moves - result.moves)
            guard moves > 0 else { continue }
            let left = try sessions.left(by: neighbour, moves: moves) { () throws(InvalidInput) in
                try sessionsLeft(by: neighbour, moves: moves)
            }
            result.moves += left.moves
            for var start in left.starts {
                start.request = requests.usual(for: start.person)
                start.entry = entry
                all.append(start)
            }
        }
        return all
    }

    /// One person of each kind of session that a neighbour leaves.
    private func sessionsLeft(by neighbour: ResolvedPolicy, moves: Int) throws(InvalidInput) -> NeighbourSessions.Left {
        var limits = ExplorationLimits(states: 400, moves: moves, seed: self.limits.seed)
        limits.depth = self.limits.depth
        var explorer = Explorer(neighbour, tenant: roster.tenantName, switches: environment.switches, limits: limits)
        try explorer.begin()
        explorer.run()
        var sessions: Set<[String]> = []
        var starts: [Start] = []
        for (index, issue) in explorer.result.issues.enumerated() {
            guard let session = issue.session,
                let entries = issue.tenancy.sessions[session]?.entries.map(\.profile),
                sessions.insert(entries).inserted
            else { continue }
            var start = explorer.again(index, session: session)
            start.after = nil
            start.origin = neighbour.id
            start.isExtra = true
            start.words = "\(start.person.name), \(start.person.words), comes with a session of \(neighbour.id)"
            starts.append(start)
        }
        return NeighbourSessions.Left(starts: starts, moves: explorer.result.moves)
    }

    /// Policies of the set that are explored for their sessions at most.
    private static let mostNeighbours = 5

    /// The technical profiles that leave something in a session, with the session provider.
    static func keepers(_ reach: ReachableElements, _ policy: ResolvedPolicy) -> Set<String> {
        Set(
            reach.profiles.compactMap { handle in
                guard let session = policy[handle].sessionProfile,
                    [.defaultSession, .externalLoginSession].contains(policy[session].handler)
                else { return nil }
                return "\(policy[session].id) \(policy[handle].id)".lowercased()
            })
    }

    private static let client = GUID.derived(from: "app").description

    private mutating func enter(_ start: Start) {
        guard mayMove() else {
            result.unvisited += 1
            return
        }
        starts.append(start)
        let index = starts.count - 1
        let journey = Journey(start.entry, policy: policy, random: SeededGenerator(seed: limits.seed))
        var facts = PathFacts()
        if start.person.hasAccount, let email = start.person.text("email") { facts.proved.insert(email.lowercased()) }
        // What the directory has is known to be the person's; in a session it is that of the person who left the session.
        let known = start.objectIDs + (start.session == nil ? [] : start.others)
        for account in known.compactMap({ start.tenancy.directory[$0] }) {
            let texts =
                account.signInNames.map(\.value)
                + account.attributes.flatMap { $0.value.listValue ?? [$0.value.text].compactMap(\.self) }
            for text in texts where text.contains("@") { facts.proved.insert(text.lowercased()) }
        }
        // What the request itself brings about says nothing about the policy.
        if start.request.isFaulty { facts.isFaulted = true }
        if start.request.hint != nil || start.entry != .signIn { facts.isProved = true }
        for text in (start.request.hint?.members ?? []).compactMap(\.value.stringValue) where text.contains("@") {
            facts.proved.insert(text.lowercased())
        }
        trail.append(
            Exploration.Step(parent: start.after.map { result.issues[$0].trail }, words: start.words, start: index))
        let place = Place(
            journey: journey, tenancy: start.tenancy, stop: .answer(.accepted), facts: facts, pending: .nothing,
            page: nil, trail: trail.count - 1, start: index, now: start.now)
        step(place, Act(event: .begin, words: ""))
    }

    // MARK: The search

    private mutating func run() {
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

    private mutating func expand(_ place: Place) {
        let start = starts[place.start]
        let person = start.person
        let services = ServiceActs(policy: policy, person: person, classes: classes, values: values, now: place.now)
        var acts: [Act]
        switch place.stop {
        case .page(let page):
            let account = ownAccount(place)
            let pageActs = PageActs(
                policy: policy, person: person, classes: classes, values: values, rules: rules, purpose: purpose,
                place: place, page: page, account: account)
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
    private mutating func isNew(_ act: Act, _ place: Place, _ page: Page) -> Bool {
        var facts = place.facts
        act.change(&facts)
        guard let detour = facts.detour else { return true }
        var key = DetourKey(page: name(of: page), detour: detour, start: place.start, done: place.facts.done)
        if detour == .length || detour == .exhausted { key.done.insert(act.words) }
        return detoured.insert(key).inserted
    }

    /// The account of the person, where the journey has found it.
    private func ownAccount(_ place: Place) -> GUID? {
        starts[place.start].objectIDs.first { isOf(place, $0) && place.tenancy.directory[$0] != nil }
    }

    /// Whether a further move is within the limit; if it is not, the exploration is cut.
    private mutating func mayMove() -> Bool {
        guard result.moves >= limits.moves else { return true }
        result.end(by: .moves, limits.moves)
        return false
    }

    private func depth(_ trail: Int) -> Int { self.trail[trail].depth }

    /// Does an act and takes what comes of it.
    private mutating func step(_ from: Place, _ act: Act) {
        var place = from
        act.change(&place.facts)
        if case .callout = from.stop {
            if case .finished(let result) = act.event, case .failure = result.outcome {
                place.facts.done.insert("late")
            } else {
                place.facts.done.remove("late")
            }
        } else {
            place.pending = act.pending
        }
        if case .page(let page) = from.stop { place.page = page }
        // Beside the fields of a combined page there are other ways than to sign in.
        if case .page(let page) = from.stop, page.api == .combined, case .chose(let id) = act.event,
            place.facts.signsUp == from.facts.signsUp, isBranch(id)
        {
            place.facts.branches.insert(id)
        }
        if act.isPost { witnessPost(&place, act.event, at: from.stop) }
        written = false
        ran = []
        let known = coverage.count
        if !act.words.isEmpty {
            let at = place.page.map { "at page \(name(of: $0)): " } ?? ""
            let isOfPage = if case .page = from.stop { true } else { false }
            trail.append(
                Exploration.Step(
                    parent: from.trail, words: (isOfPage ? at : "") + act.words, depth: depth(from.trail) + 1,
                    script: act.script))
            place.trail = trail.count - 1
        }
        switch act.special {
        case nil: place.stop = advance(&place, act.event, at: from.stop)
        case .wait(let span): place.now = place.now + span
        case .administer(let change):
            if let account = ownAccount(place) {
                place.tenancy.directory.administer(account, change, at: place.now)
                _ = place.tenancy.directory.takeTouched()
            }
        case .repeated(let count):
            for _ in 0..<count where mayMove() {
                place.stop = advance(&place, act.event, at: from.stop)
                guard case .answer(let answer) = place.stop, answer.status != "200" else { break }
            }
        }
        trail[place.trail].news += coverage.count - known
        trail[place.trail].ran += ran
        if written { checkSignUp(from, place) }
        if written { hold(.write, place) }
        switch act.special {
        case nil: settle(&place, from, act)
        case .wait, .administer: visit(place)
        case .repeated:
            guard case .answer(let answer) = place.stop, answer.status != "200", let page = place.page else {
                return settle(&place, from, act)
            }
            result.refuse(name(of: page), answer.message ?? answer.code?.id ?? answer.status)
            place.pending = .nothing
            place.stop = .page(page)
            // What a page refuses is not taken.
            place.facts.witness = from.facts.witness
            visit(place)
        }
    }

    /// Whether a choice at a page leads to something else than an identity provider.
    private func isBranch(_ id: String) -> Bool {
        for journey in coverage.journeys() {
            for step in policy[journey].steps {
                if let exchange = step.exchanges.first(where: { sameID($0.id, id) }) {
                    return !policy[exchange.profile].handler.isFederation
                }
            }
        }
        return false
    }

    /// Holds an event of a path against the invariants.
    private mutating func hold(
        _ event: Invariants.Event, _ place: Place, _ more: JSONObject = JSONObject()
    ) {
        guard !result.invariants.all.isEmpty else { return }
        let start = starts[place.start]
        var record = more
        var person = start.person.record
        person["name"] = .string(start.person.name)
        person["hasAccount"] = .bool(start.person.hasAccount)
        if person["accountEnabled"] == nil { person["accountEnabled"] = true }
        record["person"] = .object(person)
        record["session"] = .bool(start.session != nil)
        record["profiles"] = .array(place.facts.ran.sorted().map { .string($0) })
        record["proved"] = .bool(place.facts.isProved)
        record["written"] = .bool(place.facts.hasWritten)
        record["faulted"] = .bool(place.facts.isFaulted)
        result.hold(result.invariants, event, record, place.trail)
    }

    private mutating func advance(
        _ place: inout Place, _ event: JourneyEvent, at from: JourneyStop
    ) -> JourneyStop {
        var request = RequestFacts(
            correlationID: GUID.derived(from: "exploration"),
            host: "\(environment.tenantDomain.prefix { $0 != "." }).b2clogin.com",
            tenantSegment: environment.tenantDomain, policyID: policy.id, clientID: Self.client,
            redirectURI: "https://app.example.test/")
        let start = starts[place.start]
        start.request.apply(to: &request)
        request.ssoCookieSession = start.session
        request.refresh = start.refresh
        let call = JourneyCall(policy: policy, request: request, now: place.now, environment: environment)
        // New identifiers differ from those that are there, and depend on nothing else.
        place.journey.reseed(
            SeededGenerator(
                seed: limits.seed,
                stream: "\(place.tenancy.directory.count) \(place.start) \(place.facts.detour == .sentAgain)"))
        var trace: [TraceEntry] = []
        let stop: JourneyStop
        if let watch {
            let turn = JourneyTurn(event, of: &place.journey, in: &place.tenancy, call)
            trace = turn.trace
            stop = turn.stop
            watch(turn)
        } else {
            stop = place.journey.advance(event, in: &place.tenancy, call, trace: &trace)
        }
        result.moves += 1
        coverage.take(trace, place.journey, at: place.trail)
        for entry in trace {
            guard case .profile(let trace) = entry, trace.error == nil, trace.skipped == nil,
                let handle = policy.profile(trace.profile)
            else { continue }
            let profile = policy[handle]
            ran.append(handle)
            // The proof with which a person signs in is their first factor, not a second one.
            if provesFactor(profile) {
                if place.facts.isProved || profile.handler == .phoneFactor {
                    place.facts.factors.insert(profile.id)
                } else {
                    place.facts.firstProofs.insert(profile.id)
                }
            }
            if checksCode(profile) {
                place.facts.isProved = true
                for text in trace.in.json.members.compactMap(\.value.stringValue)
                where text.contains("@") || text.hasPrefix("+") {
                    place.facts.proved.insert(text.lowercased())
                }
            }
            if profile.handler.isFederation { place.facts.providers.insert(profile.id) }
            if profile.handler == .passwordSignIn || profile.handler.isFederation { place.facts.isProved = true }
            if result.invariants.watched.contains(profile.id.lowercased()) { place.facts.ran.insert(profile.id) }
        }
        if !place.tenancy.directory.takeTouched().isEmpty {
            place.facts.hasWritten = true
            place.facts.witness.wroteSincePost = true
            written = true
        }
        witness(&place, event, at: from, trace, stop)
        return stop
    }

    /// Whether a technical profile checks a code that went to an address, or that of an app.
    private func checksCode(_ profile: TechnicalProfile) -> Bool {
        switch profile.handler {
        case .azureMfa, .oneTimePassword, .aadSspr:
            (profile.metadata["Operation"] ?? "").lowercased().hasPrefix("verify")
        default: false
        }
    }

    private func provesFactor(_ profile: TechnicalProfile) -> Bool {
        switch profile.handler {
        case .phoneFactor: true
        case .azureMfa: (profile.metadata["Operation"] ?? "").lowercased().hasPrefix("verify")
        case .harness(let name): name.lowercased().contains("factor") || name.lowercased().contains("totp")
        default: false
        }
    }

    /// Answers of posts become what the page's script makes of them; then the state is taken up if it is new.
    private mutating func settle(_ place: inout Place, _ from: Place, _ act: Act) {
        if case .answer(let answer) = place.stop {
            guard let page = place.page else { return }
            guard answer.status == "200" else {
                result.refuse(name(of: page), answer.message ?? answer.code?.id ?? answer.status)
                if answer.code == .c90037, !place.facts.isFaulted {
                    result.note(.exception, [answer.message ?? "AADB2C90037"], place.trail, at: failure)
                }
                // Of a page that is posted twice the second post meets what the first one wrote.
                let isWritten = place.facts.witness.wroteSincePost && place.facts.detour != .twice
                if isWritten {
                    result.note(
                        .writtenThoughRefused, [name(of: page)], place.trail,
                        at: writers[place.start].map { policy[$0].location })
                }
                // Nothing but counters has changed: the person is where they were.
                guard isWritten else { return }
                place.pending = .nothing
                place.stop = .page(page)
                return visit(place)
            }
            let pending = place.pending
            place.pending = .nothing
            switch pending {
            case .nothing: return
            case .sent, .captcha: place.stop = .page(page)
            case .verified(let address, let field, _, let forged):
                if let forged {
                    return result.note(.forged, [forged.rawValue], place.trail, at: location(of: page))
                }
                if place.facts.detour == .exhausted { return result.outlast(name(of: page), place.trail) }
                place.facts.proved.insert(address.lowercased())
                place.facts.verified.insert(field)
                place.facts.isProved = true
                prove(&place, act, at: page)
                place.stop = .page(page)
            case .leave(let leave):
                if let forged = leave.forged {
                    return result.note(
                        .forged, ["\(forged) at page \(name(of: page))"], place.trail, at: location(of: page))
                }
                if place.facts.detour == .exhausted { return result.outlast(name(of: page), place.trail) }
                if let again = leave.again {
                    guard mayMove() else {
                        result.unvisited += 1
                        return
                    }
                    place.pending = .leave(AwaitedAnswer.Leave(proves: leave.proves))
                    place.stop = advance(&place, .submitted(FormItems(parsing: again)), at: .page(page))
                    return settle(&place, from, act)
                }
                if let proves = leave.proves { place.facts.proved.insert(proves.lowercased()) }
                place.facts.done = []
                guard mayMove() else {
                    result.unvisited += 1
                    return
                }
                result.leave(name(of: page))
                place.stop = advance(&place, .confirmed(rememberMe: leave.remembers), at: .answer(.accepted))
                place.page = nil
            }
        }
        if case .page(let page) = from.stop, case .chose = act.event { result.leave(name(of: page)) }
        if case .page(let page) = from.stop, case .signUp = act.event { result.leave(name(of: page)) }
        switch place.stop {
        case .page(let page):
            // A service that answers meanwhile does not change the page.
            let old: Page? = if case .page(let shown) = from.stop { shown } else { from.page }
            if old.map({ name(of: $0) == name(of: page) && $0.step == page.step }) != true { place.facts.done = [] }
            hold(.page, place, ["page": .string(name(of: page))])
            // Somebody whose only account was made with a number is asked for one again.
            if page.api == .phoneFactor, page.phones.isEmpty, isNumberForgotten(place) {
                result.note(.factorForgotten, [name(of: page)], place.trail, at: location(of: page))
            }
            result.show(name(of: page), location(of: page), place.trail)
        case .issue(let issuance): return issue(issuance, place)
        case .failed(let failure): return fail(failure, place, act)
        case .refused: return
        case .answer: return
        case .callout(let request, _):
            let call: JSONObject = [
                "method": .string(request.method), "url": .string(request.url.description),
                "profile": .string(request.profile ?? ""),
            ]
            hold(.call, place, ["call": .object(call)])
        case .provider: break
        }
        visit(place)
    }

    private func location(of page: Page) -> SourceLocation? {
        policy.profile(page.technicalProfile).map { policy[$0].location }
    }

    /// Whether the account has a number of the second factor, or had one proved when it was made.
    private func isNumberForgotten(_ place: Place) -> Bool {
        let start = starts[place.start]
        guard let id = start.objectIDs.first(where: { isOf(place, $0) }) else { return false }
        if let account = place.tenancy.directory[id],
            place.tenancy.directory.value("strongAuthenticationPhoneNumber", of: account, as: .string) != nil
        {
            return true
        }
        guard let after = start.after, start.session == nil, start.objectIDs.count == 1 else { return false }
        return !result.issues[after].facts.factors.isEmpty
    }

    /// Whether the journey is that of an account.
    private func isOf(_ place: Place, _ objectID: GUID) -> Bool {
        guard let claim = policy.claimType("objectId"), let text = place.journey.claims[claim]?.text else {
            return false
        }
        return sameID(text, objectID.description)
    }

    private mutating func visit(_ place: Place) {
        var asked = ""
        if case .callout(let request, _) = place.stop { asked = "\(request.method) \(request.url) \(request.text)" }
        let key = PlaceKey(
            journey: place.journey, accounts: Self.accounts(place.tenancy), facts: place.facts, pending: place.pending,
            start: place.start, now: place.now, asked: asked)
        guard seen.insert(key).inserted else { return }
        guard hasBegunExtra || starts[place.start].isExtra || place.facts.detour != nil else {
            return queue.append(place)
        }
        extraStates += 1
        later.append(place)
    }

    private static func accounts(_ tenancy: Tenancy) -> [Account] {
        tenancy.directory.objectIDs.compactMap { tenancy.directory[$0] }
    }

    // MARK: Ends

    private mutating func issue(_ issuance: Issuance, _ place: Place) {
        let start = starts[place.start]
        let claims = JSONObject(issuance.claims.map { ($0.name, $0.value) })
        var issue = Exploration.Issue(
            trail: place.trail, start: place.start, claims: claims, facts: place.facts, tenancy: place.tenancy,
            session: issuance.session?.id, isAgain: start.after != nil, hasSession: start.session != nil)
        issue.hasSubject = issuance.subject != nil
        issue.refresh = issuance.refresh
        issue.owner = owner(issuance.objectID, start)
        // Invariants are about people who come, not about what an app does later.
        if start.refresh == nil { hold(.token, place, ["claims": .object(claims)]) }
        if start.refresh != nil { return result.renewals.append(Exploration.Renewal(issue)) }
        if result.issues.contains(where: {
            $0.start == issue.start && $0.facts == issue.facts && $0.claims == issue.claims
        }) {
            return
        }
        result.issues.append(issue)
        checkToken(issuance, place, issue)
    }

    private mutating func fail(_ failure: JourneyFailure, _ place: Place, _ act: Act) {
        if starts[place.start].refresh != nil {
            if case .notSimulated(_, let location) = failure.kind {
                result.note(.notSimulated, [failure.text], place.trail, at: location)
            }
            result.renewals.append(Exploration.Renewal(place, failure))
            return
        }
        result.failures += 1
        if !result.ends.contains(where: { $0.text == failure.text }) {
            result.ends.append((place.trail, failure.text))
        }
        var error: JSONObject = ["text": .string(failure.text)]
        if let code = failure.code { error["code"] = .string(code.id) }
        hold(.failure, place, ["error": .object(error)])
        if case .notSimulated(_, let location) = failure.kind {
            result.note(.notSimulated, [failure.text], place.trail, at: location)
            return
        }
        if case .cancelled = act.event { return }
        if case .forgotPassword = act.event { return }
        let start = starts[place.start]
        if place.tenancy.directory.count > start.count {
            result.note(
                .writtenThoughFailed, [failure.text], place.trail,
                at: writers[place.start].map { policy[$0].location })
        }
        let isException =
            switch failure.kind {
            case .redirect(let error): error == OAuthErrorName.serverError
            case .page: true
            case .notSimulated: false
            }
        // Somebody whom the directory does not know, or knows already, is what the policy asked to be told.
        if failure.code == .c99001 || failure.code == .c99002 { return }
        // What a selection chooses that a session has passed by is not documented.
        if failure.code == .c90051, start.session != nil {
            result.note(.notSimulated, ["\(failure.told) (with a session)"], place.trail, at: self.failure)
            return
        }
        // Nobody expects an account that is deleted meanwhile.
        if isException, !place.facts.isFaulted, !isDeleted(place) {
            result.note(.exception, [failure.told], place.trail, at: self.failure)
        }
    }

    private func isDeleted(_ place: Place) -> Bool {
        place.facts.detour == .administered(.delete) || starts[place.start].administered == .delete
    }

    /// Whose account a token is of.
    private func owner(_ id: GUID?, _ start: Start) -> Exploration.Owner {
        guard let id else { return .nobody }
        if start.objectIDs.contains(id) { return .own }
        return start.others.contains(id) ? .other : .new
    }

    private mutating func finished() -> Exploration {
        var all = result
        // People who came again after the time limit have moved too.
        if all.bound == .time { all.end(by: .time, all.moves) }
        all.trail = trail
        all.states = seen.count
        all.coverage = coverage
        all.starts = starts
        all.untried += values.untried + roster.untried + requests.untried
        if let id = policy.tokenIssuer?.clientCredentialsJourney {
            let location = policy.journey(id).map { policy[$0].location }
            all.untried.append(Untried("user journey \(id)", "the client credentials grant", at: location))
        }
        return all
    }

    private func name(of page: Page) -> String { PageName.text(page) }
}

/// How a page is called in a path: its technical profile, else its content definition.
enum PageName {
    static func text(_ page: Page) -> String {
        page.technicalProfile.isEmpty ? page.contentDefinition : page.technicalProfile
    }
}
