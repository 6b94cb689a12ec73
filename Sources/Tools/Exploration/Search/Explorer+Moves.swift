import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// One act: what it changes, and the moves of the journey that it makes.
extension Explorer {
    /// Does an act and follows the result.
    mutating func step(_ from: PathState, _ act: Act) {
        var place = from
        act.change(&place.facts)
        prepare(&place, from, act)
        if act.isPost { rules.posts(act.event, at: from.stop, &place) }
        wasProved = from.facts.isProved
        let known = coverage.count
        enter(act, &place, from)
        carryOut(act, &place, from)
        result.trail[place.trail].news += coverage.count - known
        switch act.special {
        case nil: settle(&place, from, act)
        case .wait, .administer: visit(place)
        case .repeated: settleRepeated(&place, from, act)
        }
    }

    /// What an act itself shows of the path, whatever its result.
    private func prepare(_ place: inout PathState, _ from: PathState, _ act: Act) {
        switch from.stop {
        case .callout:
            if case .finished(let result) = act.event, case .failure = result.outcome {
                place.facts.done.insert("late")
            } else {
                place.facts.done.remove("late")
            }
            return
        case .page(let page):
            place.page = page
            // Beside the fields of a combined page there are other ways than to sign in.
            if page.api == .combined, case .chose(let id) = act.event, place.facts.signsUp == from.facts.signsUp,
                isBranch(id)
            {
                place.facts.branches.insert(id)
            }
        default: break
        }
        place.pending = act.pending
    }

    /// Puts an act into the trail.
    private mutating func enter(_ act: Act, _ place: inout PathState, _ from: PathState) {
        guard !act.words.isEmpty else { return }
        let at = place.page.map { "at page \($0.name): " } ?? ""
        let isOfPage = if case .page = from.stop { true } else { false }
        result.trail.append(
            Exploration.PathStep(
                parent: from.trail, words: (isOfPage ? at : "") + act.words, depth: depth(from.trail) + 1,
                script: act.script))
        place.trail = result.trail.count - 1
    }

    private mutating func carryOut(_ act: Act, _ place: inout PathState, _ from: PathState) {
        switch act.special {
        case nil: place.stop = advance(&place, act.event, at: from.stop)
        case .wait(let span): place.now = place.now + span
        case .administer(let change):
            if let account = ownAccount(place) {
                place.tenancy.directory.administer(account, change, at: place.now)
                _ = place.tenancy.directory.drainTouched()
            }
        case .repeated(let count):
            for _ in 0..<count where mayMove() {
                place.stop = advance(&place, act.event, at: from.stop)
                guard case .answer(let answer) = place.stop, answer.status != "200" else { break }
            }
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

    /// A request of the app that people sign in to.
    private var request: RequestFacts {
        RequestFacts(
            correlationID: GUID.derived(from: "exploration"),
            host: "\(environment.tenantDomain.prefix { $0 != "." }).b2clogin.com",
            tenantSegment: environment.tenantDomain, policyID: policy.id, clientID: Self.client,
            redirectURI: "https://app.example.test/")
    }

    /// The call of a journey in which somebody has come.
    private func call(for start: Start, at now: Timestamp) -> JourneyCall {
        var request = request
        start.request.apply(to: &request)
        request.ssoCookieSession = start.session
        request.refresh = start.refresh
        return JourneyCall(policy: policy, request: request, now: now, environment: environment)
    }

    mutating func advance(_ place: inout PathState, _ event: JourneyEvent, at from: JourneyStop) -> JourneyStop {
        let call = call(for: result.starts[place.start], at: place.now)
        // New identifiers differ from those that are there, and depend on nothing else.
        place.journey.reseed(
            SeededGenerator(
                seed: limits.seed,
                stream: "\(place.tenancy.directory.count) \(place.start) \(place.facts.detour == .sentAgain)"))
        var trace: [TraceEntry] = []
        let stop: JourneyStop
        let before = place.tenancy.directory
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
        for case .profile(let trace) in trace where trace.error == nil && trace.skipped == nil {
            guard let handle = policy.profile(trace.profile) else { continue }
            result.trail[place.trail].ran.append(handle)
            note(policy[handle], trace, of: result.starts[place.start], in: &place.facts)
        }
        meet(trace, place)
        for case .transformation(let trace) in trace where isSecretRight(trace) { prove(&place.facts) }
        let isWritten = !place.tenancy.directory.drainTouched().isEmpty
        if isWritten {
            place.facts.hasWritten = true
            place.facts.witness.wroteSincePost = true
        }
        rules.moved(&place, told: event, at: from, did: trace, to: stop, in: &result)
        if isWritten {
            rules.wrote(place, from: before, &result)
            hold(.write, place)
        }
        return stop
    }

    /// Keeps what else ran at an act.
    private mutating func meet(_ trace: [TraceEntry], _ place: PathState) {
        for case .profile(let profile) in trace where profile.error != nil && profile.skipped == nil {
            if let handle = policy.profile(profile.profile) { result.trail[place.trail].failed.insert(handle) }
        }
        // Sub journeys are the last journeys of a policy, and most policies have none.
        guard policy.journeys.last?.subJourneyType != nil else { return }
        var journeys = place.journey.steps(in: policy).map(\.journey)
        for case .step(let step) in trace where step.ran { journeys.append(step.handle) }
        for handle in journeys where policy[handle].subJourneyType != nil {
            result.trail[place.trail].subJourneys.insert(handle)
        }
    }

    /// What a technical profile that succeeded shows of the path.
    private func note(
        _ profile: TechnicalProfile, _ trace: TraceEntry.ProfileTrace, of start: Start, in facts: inout PathFacts
    ) {
        // The proof with which a person signs in is their first factor, not a second one.
        if provesFactor(profile) {
            if facts.isProved || profile.handler == .phoneFactor {
                facts.factors.insert(profile.id)
            } else {
                facts.firstProofs.insert(profile.id)
            }
        }
        // A page that verifies an address, also one that it does not show.
        if wasProved, profile.handler == .selfAsserted,
            profile.outputClaims.contains(where: { sameID($0.wireName, "Verified.Email") })
        {
            facts.isProvedAgain = true
        }
        // A code to the number that the account has.
        if profile.handler == .phoneFactor, trace.in.claims.contains(where: { $0.value.text?.hasPrefix("+") == true }) {
            prove(&facts)
        }
        if profile.handler == .rest, cast.purpose.checksSecret(profile) { prove(&facts) }
        if checksCode(profile) {
            prove(&facts)
            for text in trace.in.json.members.compactMap(\.value.stringValue)
            where text.contains("@") || text.hasPrefix("+") {
                facts.proved.insert(text.lowercased())
            }
        }
        if profile.handler.isFederation { facts.providers.insert(profile.id) }
        // A provider keeps its own session, which in a shared browser is that of the person before.
        let isOwnProvider = profile.handler.isFederation && start.signedIn == nil
        if profile.handler == .passwordSignIn || isOwnProvider { prove(&facts) }
        if result.invariants.watched.contains(profile.id.lowercased()) { facts.ran.insert(profile.id) }
    }

    /// The person has shown who they are.
    func prove(_ facts: inout PathFacts) {
        facts.isProved = true
        if wasProved { facts.isProvedAgain = true }
    }

    /// Whether a transformation compares what the person entered with a secret, and both are equal.
    private func isSecretRight(_ trace: TraceEntry.TransformationTrace) -> Bool {
        guard let handle = policy.transformation(trace.transformation), cast.purpose.comparisons.contains(handle) else {
            return false
        }
        let texts = trace.in.claims.compactMap(\.value.text)
        return texts.count > 1 && texts[0].lowercased() == texts[1].lowercased()
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
        default: false
        }
    }

    /// Holds an event of a path against the invariants.
    mutating func hold(_ event: Invariants.Event, _ place: PathState, _ more: JSONObject = JSONObject()) {
        guard !result.invariants.all.isEmpty else { return }
        let start = result.starts[place.start]
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
        result.hold(event, record, at: place.trail)
    }

    /// Refreshes after the account's tokens were revoked.
    mutating func refreshAfterRevocation() {
        guard
            let journey = policy.relyingParty.journey(endpoint: "Token")
                ?? policy.tokenIssuer?.refreshJourney.flatMap({ policy.journey($0) })
        else { return }
        let window = rules.revocationWindow(of: journey)
        let revoked = now + PathRules.revocationDelay
        for issue in result.issues {
            guard let identity = issue.refresh, let id = GUID(identity.identity),
                issue.tenancy.directory[id] != nil
            else { continue }
            var tenancy = issue.tenancy
            tenancy.directory.revokeRefreshTokens(of: id, at: revoked)
            var request = request
            request.refresh = identity
            let later = revoked + .minutes(1)
            let call = JourneyCall(policy: policy, request: request, now: later, environment: environment)
            var refresh = Journey(.refresh, policy: policy, random: SeededGenerator(seed: limits.seed))
            var trace: [TraceEntry] = []
            var stop = refresh.advance(.begin, in: &tenancy, call, trace: &trace)
            // Services answer as usual.
            for _ in 0..<20 {
                guard case .callout(let request, _) = stop else { break }
                let place = PathState(
                    journey: refresh, tenancy: tenancy, stop: stop, facts: PathFacts(), pending: .nothing, page: nil,
                    trail: issue.trail, start: issue.start, now: later)
                let acts = ServiceActs(cast, start: result.starts[issue.start], place: place).acts(
                    at: request, again: false)
                guard let event = acts.first?.event else { break }
                stop = refresh.advance(event, in: &tenancy, call, trace: &trace)
            }
            if case .issue = stop { rules.refreshedThoughRevoked(issue, by: journey, window, &result) }
            // One account of each policy is enough: the journey is the same for all.
            if case .callout = stop { continue }
            return
        }
    }
}
