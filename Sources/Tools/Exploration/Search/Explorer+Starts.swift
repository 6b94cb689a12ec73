import Determinism
import Diagnostics
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// People come: for the first time, again, and after something has happened.
extension Explorer {
    /// The directory with the accounts of a person and of the second one.
    private func tenancy(of person: TestPerson, _ tenant: Tenant) throws(InvalidInput) -> Tenancy {
        let all = JSONObject([
            (person.name, .object(person.record)), (TestPeople.second.name, .object(TestPeople.second.record)),
        ])
        let whole = try Tenant(json: cast.roster.tenant.merging(patch: ["users": .object(all)]))
        var directory = Directory(tenant: tenant, at: now)
        for user in whole.users { directory.add(user, tenant: whole, at: now) }
        _ = directory.drainTouched()
        return Tenancy(directory: directory)
    }

    private func start(of person: TestPerson, _ tenant: Tenant) throws(InvalidInput) -> Start {
        let tenancy = try tenancy(of: person, tenant)
        let second = tenancy.directory.account(of: TestPeople.second.name)?.objectID
        let own = tenancy.directory.objectIDs.filter { $0 != second }
        return Start(
            person: person, tenancy: tenancy, session: nil, after: nil, words: "\(person.name), \(person.words), comes",
            password: own.first.flatMap { tenancy.directory[$0]?.password }, objectIDs: own,
            others: [second].compactMap(\.self), request: cast.requests.usual(for: person), entry: cast.entry, now: now)
    }

    mutating func begin() throws(InvalidInput) {
        let tenant = try Tenant(json: cast.roster.tenant)
        for person in cast.roster.people { enter(try start(of: person, tenant)) }
    }

    /// Everybody who got a token comes again: without the session, and with it.
    mutating func comeAgain() {
        struct Kind: Hashable {
            var accounts: [Account]
            var entries: [String]
            var person: String
        }
        var known: Set<Kind> = []
        var dropped = 0
        for (index, issue) in result.issues.enumerated() {
            let start = result.starts[issue.start]
            var sessions: [SessionID?] = start.objectIDs == own(issue).map(\.objectID) ? [] : [nil]
            if let session = issue.session { sessions.append(session) }
            for session in sessions {
                let kind = Kind(
                    accounts: issue.tenancy.accounts, entries: session.map { issue.tenancy.entries(of: $0) } ?? [],
                    person: start.person.name)
                guard known.insert(kind).inserted else { continue }
                guard result.starts.count < limits.starts else {
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
        let others = Set(result.starts[issue.start].others)
        return issue.tenancy.accounts.filter { !others.contains($0.objectID) }
    }

    /// The person of an issue comes again.
    func again(_ index: Int, session: SessionID?) -> Start {
        let issue = result.issues[index]
        var again = result.starts[issue.start]
        let accounts = own(issue)
        again.tenancy = issue.tenancy
        again.session = session
        again.after = index
        again.person.hasAccount = !accounts.isEmpty
        again.objectIDs = accounts.map(\.objectID)
        if let password = accounts.first?.password { again.person.record["password"] = .string(password) }
        again.password = accounts.first?.password
        again.request = cast.requests.usual(for: again.person)
        again.words =
            "\(again.person.name) comes again, " + (session == nil ? "without the session" : "with the session")
        return again
    }

    // MARK: Beside the plain ways

    /// Other requests, and people who come again after something has happened.
    mutating func beginExtra() throws(InvalidInput) {
        hasBegunExtra = true
        let tenant = try Tenant(json: cast.roster.tenant)
        var count = 0
        var dropped = 0
        func mayEnter() -> Bool {
            count += 1
            if count > Self.mostExtraStarts { dropped += 1 }
            return count <= Self.mostExtraStarts
        }
        // Somebody without an account, somebody with one, somebody of a provider.
        for name in ["nina", "bob", "kay"] {
            guard let person = cast.roster.people.first(where: { $0.name == name }) else { continue }
            let usual = try start(of: person, tenant)
            for request in cast.requests.others(for: person) where mayEnter() {
                var other = usual
                other.request = request
                other.words += " \(request.words)"
                other.isExtra = true
                enter(other)
            }
        }
        for start in try sessionsOfNeighbours() where mayEnter() { enter(start) }
        var known: Set<ReturnKey> = []
        for index in result.issues.indices where result.starts[result.issues[index].start].after == nil {
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

    /// The ways in which the person of an issue comes again after something has happened, one of each kind: people who
    /// came to the same session or token are alike.
    private mutating func returns(_ index: Int, _ known: inout Set<ReturnKey>) -> [Start] {
        let issue = result.issues[index]
        let first = result.starts[issue.start]
        guard !first.isExtra, issue.facts.detour == nil else { return [] }
        let entries = issue.session.map { issue.tenancy.entries(of: $0) } ?? []
        let visits = ReturnVisits(cast: cast, person: first.person, accounts: own(issue))
        var all: [ReturnVisits.ReturnVisit] = []
        if issue.session != nil { all += visits.withSession(bringsSecond: shared.insert(entries).inserted) }
        if let refresh = issue.refresh { all += visits.withToken(refresh) }
        return all.compactMap { visit in
            let session = visit.keepsSession ? issue.session : nil
            let key = ReturnKey(
                kept: session == nil ? (issue.refresh?.claims.map(\.id) ?? []).sorted() : entries,
                providers: issue.facts.providers, owner: issue.owner, words: visit.words)
            guard known.insert(key).inserted else { return nil }
            var start = again(index, session: session)
            start.isExtra = true
            visit.change(&start)
            start.words = "\(first.person.name) \(visit.words)"
            return start
        }
    }

    // MARK: Entering

    private mutating func enter(_ start: Start) {
        guard mayMove() else {
            result.unvisited += 1
            return
        }
        result.starts.append(start)
        let index = result.starts.count - 1
        let journey = Journey(start.entry, policy: policy, random: SeededGenerator(seed: limits.seed))
        result.trail.append(
            Exploration.PathStep(parent: start.after.map { result.issues[$0].trail }, words: start.words, start: index))
        let place = PathState(
            journey: journey, tenancy: start.tenancy, stop: .answer(.accepted), facts: start.facts, pending: .nothing,
            page: nil, trail: result.trail.count - 1, start: index, now: start.now)
        step(place, Act(event: .begin, words: ""))
    }
}
