import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import Journeys
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
/// once: the random stream starts anew before each event, and time stands still.
public struct Explorer {
    let policy: ResolvedPolicy
    let limits: ExplorationLimits
    let roster: Roster
    let classes: ClaimClasses
    let now = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
    let environment: JourneyEnvironment
    let isOutOfTime: () -> Bool

    var trail: [Exploration.Step] = []
    var starts: [Start] = []
    var seen: Set<PlaceKey> = []
    var coverage: Coverage
    var result: Exploration
    var queue: [Place] = []
    var next = 0
    /// Whether the last event wrote to the directory.
    var written = false

    /// Who comes, and to what.
    struct Start: Sendable {
        var person: Roster.Person
        var tenancy: Tenancy
        var session: SessionID?
        /// The issue that this person comes after.
        var after: Int?
        var words: String
        var password: String?
        var objectIDs: [GUID]
    }

    /// - Parameters:
    ///   - policy: The policy to explore.
    ///   - tenant: The tenant's short name.
    ///   - switches: Engine behaviour of the tenant file.
    ///   - isOutOfTime: A guard, asked between two states. An exploration that it ends depends on the machine.
    public init(
        _ policy: ResolvedPolicy, tenant: String = "contoso", switches: EngineSwitches = EngineSwitches(),
        limits: ExplorationLimits = ExplorationLimits(), invariants: Invariants = Invariants(),
        isOutOfTime: @escaping () -> Bool = { false }
    ) {
        self.policy = policy
        self.limits = limits
        self.isOutOfTime = isOutOfTime
        classes = ClaimClasses(policy)
        roster = Roster(policy: policy, tenantName: tenant, values: classes)
        environment = JourneyEnvironment(
            tenantDomain: "\(tenant).onmicrosoft.com", tenantID: GUID.derived(from: "tenant/\(tenant)"),
            switches: switches)
        coverage = Coverage(policy)
        result = Exploration(policy: policy)
        result.invariants = invariants
    }

    /// Explores, and returns what was found.
    public static func explore(
        _ policy: ResolvedPolicy, tenant: String = "contoso", switches: EngineSwitches = EngineSwitches(),
        limits: ExplorationLimits = ExplorationLimits(), invariants: Invariants = Invariants(),
        isOutOfTime: @escaping () -> Bool = { false }
    ) throws(InvalidInput) -> Exploration {
        var explorer = Explorer(
            policy, tenant: tenant, switches: switches, limits: limits, invariants: invariants,
            isOutOfTime: isOutOfTime)
        try explorer.begin()
        explorer.run()
        explorer.comeAgain()
        explorer.run()
        return explorer.finished()
    }

    // MARK: Starts

    private mutating func begin() throws(InvalidInput) {
        let tenant = try Tenant(json: roster.tenant)
        for person in roster.people {
            let alone = roster.tenant.merging(patch: [
                "users": .object(JSONObject([(person.name, .object(person.record))]))
            ])
            let whole = try Tenant(json: alone)
            var directory = Directory(tenant: tenant, at: now)
            for user in whole.users { directory.add(user, tenant: whole, at: now) }
            _ = directory.takeTouched()
            let ids = directory.objectIDs
            enter(
                Start(
                    person: person, tenancy: Tenancy(directory: directory), session: nil, after: nil,
                    words: "\(person.name), \(person.words), comes",
                    password: ids.first.flatMap { directory[$0]?.password },
                    objectIDs: ids))
        }
    }

    /// Everybody who got a token comes again: without the session, and with it.
    private mutating func comeAgain() {
        struct Kind: Hashable {
            var accounts: [Account]
            var entries: [String]
            var person: String
        }
        var known: Set<Kind> = []
        for (index, issue) in result.issues.enumerated() {
            let start = starts[issue.start]
            let tenancy = issue.tenancy
            let accounts = Self.accounts(tenancy)
            var sessions: [SessionID?] = start.objectIDs == tenancy.directory.objectIDs ? [] : [nil]
            if let session = issue.session { sessions.append(session) }
            for session in sessions {
                let entries = session.flatMap { tenancy.sessions[$0] }?.entries.map(\.profile) ?? []
                guard known.insert(Kind(accounts: accounts, entries: entries, person: start.person.name)).inserted,
                    starts.count < 200
                else { continue }
                var again = start
                again.tenancy = tenancy
                again.session = session
                again.after = index
                again.person.hasAccount = !accounts.isEmpty
                again.objectIDs = tenancy.directory.objectIDs
                if let password = accounts.first?.password { again.person.record["password"] = .string(password) }
                again.password = accounts.first?.password
                again.words =
                    "\(start.person.name) comes again, " + (session == nil ? "without the session" : "with the session")
                enter(again)
            }
        }
    }

    private mutating func enter(_ start: Start) {
        guard mayMove() else {
            result.unvisited += 1
            return
        }
        starts.append(start)
        let index = starts.count - 1
        let journey = Journey(.signIn, policy: policy, random: SeededGenerator(seed: limits.seed))
        var facts = PathFacts()
        if start.person.hasAccount, let email = start.person.text("email") { facts.proved.insert(email.lowercased()) }
        trail.append(
            Exploration.Step(parent: start.after.map { result.issues[$0].trail }, words: start.words, start: index))
        let place = Place(
            journey: journey, tenancy: start.tenancy, stop: .answer(.accepted), facts: facts, pending: .nothing,
            page: nil, trail: trail.count - 1, start: index)
        step(place, Act(event: .begin, words: ""))
    }

    // MARK: The search

    private mutating func run() {
        while next < queue.count {
            if result.bound == .moves || result.bound == .time { break }
            if seen.count >= limits.states {
                result.end(by: .states, limits.states)
                break
            }
            if isOutOfTime() {
                result.end(by: .time, result.moves)
                break
            }
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
    }

    private mutating func expand(_ place: Place) {
        let person = starts[place.start].person
        let services = ServiceActs(policy: policy, person: person, classes: classes, now: now)
        let acts: [Act]
        switch place.stop {
        case .page(let page):
            acts =
                PageActs(policy: policy, person: person, classes: classes, place: place, page: page, now: now).all()
        case .provider(let redirect): acts = services.acts(at: redirect)
        case .callout(let request, _):
            acts = services.acts(at: request, again: place.facts.done.contains("late"))
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
            if case .finished(.failed) = act.event {
                place.facts.done.insert("late")
            } else {
                place.facts.done.remove("late")
            }
        } else {
            place.pending = act.pending
        }
        if case .page(let page) = from.stop { place.page = page }
        let passwords = from.tenancy.directory.objectIDs.map { from.tenancy.directory[$0]?.password }
        written = false
        let known = coverage.count
        place.stop = advance(&place, act.event)
        if !act.words.isEmpty {
            let at = place.page.map { "at page \(name(of: $0)): " } ?? ""
            let isOfPage = if case .page = from.stop { true } else { false }
            trail.append(
                Exploration.Step(
                    parent: from.trail, words: (isOfPage ? at : "") + act.words, depth: depth(from.trail) + 1,
                    script: act.script))
            place.trail = trail.count - 1
        }
        trail[place.trail].news += coverage.count - known
        let start = starts[place.start]
        // A sign-up must not change the password of an account that is there already.
        if place.facts.signsUp,
            zip(start.objectIDs, passwords).contains(where: { id, old in
                old != nil && place.tenancy.directory[id]?.password != old
            })
        {
            result.note(.overwritten, "", place.trail)
        }
        if written { hold(.write, place) }
        settle(&place, from, act)
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

    private mutating func advance(_ place: inout Place, _ event: JourneyEvent) -> JourneyStop {
        var request = RequestFacts(
            correlationID: GUID.derived(from: "exploration"),
            host: "\(environment.tenantDomain.prefix { $0 != "." }).b2clogin.com",
            tenantSegment: environment.tenantDomain, policyID: policy.id,
            clientID: GUID.derived(from: "app").description,
            redirectURI: "https://app.example.test/")
        request.ssoCookieSession = starts[place.start].session
        let call = JourneyCall(policy: policy, request: request, now: now, environment: environment)
        // New identifiers differ from those that are there, and depend on nothing else.
        place.journey.reseed(
            SeededGenerator(seed: limits.seed, stream: "\(place.tenancy.directory.count) \(place.start)"))
        var trace: [TraceEntry] = []
        let stop = place.journey.advance(event, in: &place.tenancy, call, trace: &trace)
        result.moves += 1
        coverage.take(trace, place.journey)
        for entry in trace {
            guard case .profile(let trace) = entry, trace.error == nil, trace.skipped == nil,
                let handle = policy.profile(trace.profile)
            else { continue }
            let profile = policy[handle]
            if provesFactor(profile) { place.facts.factors.insert(profile.id) }
            if profile.handler.isFederation { place.facts.providers.insert(profile.id) }
            if profile.handler == .passwordSignIn || profile.handler.isFederation { place.facts.isProved = true }
            if result.invariants.watched.contains(profile.id.lowercased()) { place.facts.ran.insert(profile.id) }
        }
        if !place.tenancy.directory.takeTouched().isEmpty {
            place.facts.hasWritten = true
            written = true
        }
        return stop
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
                    result.note(.exception, answer.message ?? "AADB2C90037", place.trail)
                }
                let isWritten = place.facts.hasWritten && !from.facts.hasWritten
                if isWritten { result.note(.writtenThoughRefused, name(of: page), place.trail) }
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
            case .sent: place.stop = .page(page)
            case .verified(let address, let isForged):
                if isForged { return result.note(.forged, "a wrong code", place.trail) }
                place.facts.proved.insert(address.lowercased())
                place.facts.isProved = true
                place.stop = .page(page)
            case .leave(let proves, let forged):
                if let forged { return result.note(.forged, "\(forged) at page \(name(of: page))", place.trail) }
                if let proves { place.facts.proved.insert(proves.lowercased()) }
                place.facts.done = []
                guard mayMove() else {
                    result.unvisited += 1
                    return
                }
                result.leave(name(of: page))
                place.stop = advance(&place, .confirmed(rememberMe: false))
                place.page = nil
            }
        }
        if case .page(let page) = from.stop, case .chose = act.event { result.leave(name(of: page)) }
        if case .page(let page) = from.stop, case .signUp = act.event { result.leave(name(of: page)) }
        switch place.stop {
        case .page(let page):
            if case .page(let old) = from.stop, name(of: old) == name(of: page), old.step == page.step {
            } else {
                place.facts.done = []
            }
            hold(.page, place, ["page": .string(name(of: page))])
            // Somebody whose only account was made with a number is asked for one again.
            if page.api == .phoneFactor, page.phones.isEmpty, let after = starts[place.start].after,
                starts[place.start].session == nil, starts[place.start].objectIDs.count == 1,
                isOf(place, starts[place.start].objectIDs[0]),
                !result.issues[after].facts.factors.isEmpty
            {
                result.note(.factorForgotten, name(of: page), place.trail)
            }
            result.show(name(of: page), policy.profile(page.technicalProfile).map { policy[$0].location }, place.trail)
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
            start: place.start, asked: asked)
        guard seen.insert(key).inserted else { return }
        queue.append(place)
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
        hold(.token, place, ["claims": .object(claims)])
        if result.issues.contains(where: {
            $0.start == issue.start && $0.facts == issue.facts && $0.claims == issue.claims
        }) {
            return
        }
        result.issues.append(issue)
        for claim in issuance.claims where Self.isAddress(claim.id) {
            for text in [claim.value.stringValue].compactMap(\.self)
                + (claim.value.arrayValue ?? []).compactMap(\.stringValue)
            where text.contains("@") && !place.facts.proved.contains(text.lowercased()) {
                result.note(.unverified, claim.name, place.trail)
            }
        }
        let isOwn = issuance.objectID.map { start.objectIDs.contains($0) } ?? false
        if start.person.record["accountEnabled"] == false, start.after == nil, isOwn {
            let isSocial = start.person.record["providers"] != nil
            result.note(isSocial ? .disabledSocial : .disabled, start.person.words, place.trail)
        }
        if isOwn, !place.facts.isProved, start.session == nil { result.note(.unproved, "", place.trail) }
        if let after = start.after, start.session == nil, !place.facts.providers.isEmpty,
            result.issues[after].facts.providers == place.facts.providers,
            place.tenancy.directory.count > start.objectIDs.count
        {
            result.note(.madeAgain, place.facts.providers.sorted().joined(separator: ", "), place.trail)
        }
    }

    private static func isAddress(_ claim: String) -> Bool {
        let id = claim.lowercased()
        return id == "email" || id == "emails" || id == "othermails" || id.hasSuffix("emailaddress")
    }

    private mutating func fail(_ failure: JourneyFailure, _ place: Place, _ act: Act) {
        result.failures += 1
        if !result.ends.contains(where: { $0.text == failure.text }) {
            result.ends.append((place.trail, failure.text))
        }
        var error: JSONObject = ["text": .string(failure.text)]
        if let code = failure.code { error["code"] = .string(code.id) }
        hold(.failure, place, ["error": .object(error)])
        if case .notSimulated = failure.kind {
            result.note(.notSimulated, failure.text, place.trail)
            return
        }
        if case .cancelled = act.event { return }
        if case .forgotPassword = act.event { return }
        let start = starts[place.start]
        if place.tenancy.directory.count > start.objectIDs.count {
            result.note(.writtenThoughFailed, failure.text, place.trail)
        }
        let isException =
            switch failure.kind {
            case .redirect(let error): error == OAuthErrorName.serverError
            case .page: true
            case .notSimulated: false
            }
        // Somebody whom the directory does not know, or knows already, is what the policy asked to be told.
        if failure.code == .c99001 || failure.code == .c99002 { return }
        if isException, !place.facts.isFaulted { result.note(.exception, failure.text, place.trail) }
    }

    private mutating func finished() -> Exploration {
        var all = result
        // People who came again after the time limit have moved too.
        if all.bound == .time { all.end(by: .time, all.moves) }
        all.trail = trail
        all.states = seen.count
        all.coverage = coverage
        all.starts = starts
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
