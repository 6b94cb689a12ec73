import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// The rules about single events of a path. A search reports each event as it happens and knows no rule; findings go to the
/// exploration.
struct PathRules: Sendable {
    /// The profiles that a move ran last, that failed last and that wrote last.
    private struct Causes {
        var last: ProfileHandle?
        var failed: ProfileHandle?
        var writer: ProfileHandle?
    }

    let policy: ResolvedPolicy
    let purpose: PolicyGoals
    /// The attribute of each claim that has exactly one.
    let attributes: [ClaimTypeHandle: String]
    private var causes = Causes()
    /// The profile that wrote last, of each start.
    private var writers: [Int: ProfileHandle] = [:]

    init(_ policy: ResolvedPolicy, _ purpose: PolicyGoals) {
        self.policy = policy
        self.purpose = purpose
        attributes = Self.attributes(of: policy)
    }

    // MARK: Moves

    /// Before a move: what the person posts.
    func posts(_ event: JourneyEvent, at stop: JourneyStop, _ place: inout PathState) {
        guard case .page(let page) = stop else { return }
        place.facts.witness.wroteSincePost = false
        switch event {
        case .submitted(let form), .action(_, _, let form):
            place.facts.witness.post(form, at: page, policy, purpose)
        default: break
        }
    }

    /// After a move: where claims came from, and what is wrong with the move itself.
    ///
    /// - Parameters:
    ///   - event: What the journey got.
    ///   - from: Where it was.
    ///   - trace: What it did.
    ///   - stop: Where it is now.
    mutating func moved(
        _ place: inout PathState, told event: JourneyEvent, at from: JourneyStop, did trace: [TraceEntry],
        to stop: JourneyStop, in result: inout Exploration
    ) {
        findCauses(in: trace, at: place.start)
        if case .callout(let request, _) = from, case .finished(let finished) = event,
            case .success(let response) = finished.outcome,
            let handle = request.profile.flatMap({ policy.profile($0) }), policy[handle].handler == .rest,
            lacksClaim(response, of: policy[handle])
        {
            place.facts.witness.emptied.insert(handle)
        }
        let goesOn = goesOn(stop)
        let sightings = place.facts.witness.take(trace, policy, goesOn: goesOn, proved: place.facts.proved)
        for sighting in sightings {
            result.note(sighting.rule, sighting.names, place.trail, at: sighting.location)
        }
        if goesOn, case .page(let page) = from, case .submitted(let form) = event {
            checkOptionalFields(of: page, form, trace, at: place.trail, in: &result)
        }
    }

    /// Whether a path goes on from a stop: nothing refused and nothing ended it.
    private func goesOn(_ stop: JourneyStop) -> Bool {
        switch stop {
        case .failed, .refused: false
        case .answer(let answer): answer.status == "200"
        default: true
        }
    }

    private mutating func findCauses(in trace: [TraceEntry], at start: Int) {
        causes = Causes()
        for case .profile(let trace) in trace {
            guard trace.skipped == nil, let handle = policy.profile(trace.profile) else { continue }
            causes.last = handle
            if trace.error != nil, policy[handle].handler != .selfAsserted { causes.failed = handle }
            if trace.error == nil, policy[handle].handler == .directory,
                !sameID(policy[handle].metadata["Operation"] ?? "", "Read")
            {
                causes.writer = handle
                writers[start] = handle
            }
        }
    }

    /// The profile that failed in the last move.
    var failedProfile: TechnicalProfile? { (causes.failed ?? causes.last).map { policy[$0] } }

    /// Where the last move failed.
    var failure: SourceLocation? { failedProfile?.location }

    /// The profile that wrote to the directory last on a path of a start.
    func writer(_ place: PathState) -> TechnicalProfile? { writers[place.start].map { policy[$0] } }

    /// Whether an answer lacks a claim that something decides by, or everything.
    private func lacksClaim(_ response: ResponseMessage, of profile: TechnicalProfile) -> Bool {
        guard response.status == 200 else { return false }
        let text = response.text.filter { !$0.isWhitespace }
        let isEmpty = text.isEmpty || text == "{}"
        return profile.outputClaims.contains { output in
            if isEmpty, output.defaultValue == nil { return true }
            return purpose.deciding.contains(output.claim) && !output.alwaysUseDefaultValue
                && (isEmpty || output.defaultValue != nil && response.json?[output.wireName] == nil)
        }
    }

    /// A check that an empty field switches off.
    private func checkOptionalFields(
        of page: Page, _ form: FormItems, _ trace: [TraceEntry], at trail: Int, in result: inout Exploration
    ) {
        guard let handle = policy.profile(page.technicalProfile) else { return }
        let empty = page.fields.withInner.filter { field in
            !field.isRequired && !field.isReadOnly && !field.isDisplayControl && form[field.id]?.isEmpty == true
        }
        guard !empty.isEmpty else { return }
        for validation in policy[handle].validationProfiles {
            let profile = policy[validation.profile]
            guard purpose.refuses(profile) else { continue }
            for precondition in skipping(profile, trace) {
                guard let claim = precondition.claims.first,
                    let field = empty.first(where: { sameID($0.id, policy[claim].id) })
                else { continue }
                result.note(
                    .optionalSwitchesOff, [field.id, profile.id], trail, at: precondition.location)
            }
        }
    }

    /// The preconditions that skipped a technical profile in a move.
    private func skipping(_ profile: TechnicalProfile, _ trace: [TraceEntry]) -> [Precondition] {
        trace.compactMap { entry in
            guard case .profile(let trace) = entry, sameID(trace.profile, profile.id),
                case .preconditions(let list, let decision) = trace.skipped
            else { return nil }
            return decision.skippedBy.map { list[$0] }
        }
    }

    // MARK: Pages

    /// A code proved what was entered at a page.
    func proved(_ place: inout PathState, by event: JourneyEvent) {
        switch event {
        case .submitted(let form):
            if let id = form["claim_id"], let claim = policy.claimType(id) {
                place.facts.witness.verified.insert(claim)
            }
        case .action(let id, _, _):
            guard let control = policy.displayControl(id).map({ policy[$0] }) else { return }
            let claims = control.displayClaims.map(\.claim) + control.outputClaims.map(\.claim)
            for claim in claims where claim != control.codeClaim { place.facts.witness.verified.insert(claim) }
        default: return
        }
    }

    /// A page refuses what was posted.
    func refused(_ answer: PageAnswer, by page: Page, _ place: PathState, _ result: inout Exploration) {
        result.refuse(page.name, answer.message ?? answer.code?.id ?? answer.status)
        if answer.code == .c90037, !place.facts.isFaulted, !isDisabledRefused(place, result) {
            result.note(.exception, [answer.message ?? "AADB2C90037"], place.trail, at: failure)
        }
        if place.facts.isWrittenThoughRefused {
            result.note(.writtenThoughRefused, [page.name], place.trail, at: writer(place)?.location)
        }
    }

    /// A page takes a code or password that it must not take.
    ///
    /// - Parameter what: What was handed in, in words.
    func tookForged(_ what: String, at page: Page, _ place: PathState, _ result: inout Exploration) {
        result.note(.forged, [what], place.trail, at: location(of: page))
    }

    /// A page is shown.
    func showed(_ page: Page, _ place: PathState, _ result: inout Exploration) {
        // Somebody whose only account was made with a number is asked for one again.
        if page.api == .phoneFactor, page.phones.isEmpty, isNumberForgotten(place, result),
            !hasProvedNumber(place, result)
        {
            let writer = numberWriter(before: place, result)
            result.note(
                .factorForgotten, [page.name, writer.words], place.trail, at: writer.location ?? location(of: page),
                cause: page.name)
        }
        result.show(page.name, location(of: page), place.trail)
        if page.api == .selfAsserted, !page.showsContinue { result.leave(page.name) }
    }

    private func location(of page: Page) -> SourceLocation? {
        policy.profile(page.technicalProfile).map { policy[$0].location }
    }

    /// Whether the account has a number of the second factor, or had one proved when it was made.
    private func isNumberForgotten(_ place: PathState, _ result: Exploration) -> Bool {
        let start = result.starts[place.start]
        guard let id = start.objectIDs.first(where: { place.isOf($0, in: policy) }) else { return false }
        if let account = place.tenancy.directory[id],
            place.tenancy.directory.value(Self.number, of: account, as: .string) != nil
        {
            return true
        }
        guard let after = start.after, start.session == nil, start.objectIDs.count == 1 else { return false }
        return !result.issues[after].facts.factors.isEmpty
    }

    /// What wrote the number of the second factor in the previous visit, after it was proved, where it did not reach the account.
    private func numberWriter(before place: PathState, _ result: Exploration) -> (
        words: String, location: SourceLocation?
    ) {
        let start = result.starts[place.start]
        guard let after = start.after, let id = start.objectIDs.first, let account = place.tenancy.directory[id],
            place.tenancy.directory.value(Self.number, of: account, as: .string) == nil
        else { return ("", nil) }
        let ran = result.profiles(of: result.issues[after].trail).map { policy[$0] }
        let proof = ran.firstIndex { provesNumber($0) } ?? ran.startIndex
        for profile in ran[proof...] where profile.handler == .directory {
            guard let claim = profile.persistedClaims.first(where: { sameID($0.wireName, Self.number) }) else {
                continue
            }
            let exchange = result.step(of: profile.handle).flatMap { step in
                step.exchanges.first { $0.profile == profile.handle }.map { " (\($0.id), step \(step.order))" }
            }
            return (
                ": \(profile.id)\(exchange ?? "") writes it from \(policy[claim.claim].id), which does not hold it",
                claim.location
            )
        }
        return ("", nil)
    }

    private static let number = "strongAuthenticationPhoneNumber"

    /// Whether the person has proved a number before, on this path or in a visit whose session still has the proof: who is
    /// asked for another one then may change it.
    private func hasProvedNumber(_ place: PathState, _ result: Exploration) -> Bool {
        let start = result.starts[place.start]
        let kept = start.session.map { start.tenancy.entries(of: $0) } ?? []
        return place.facts.factors.union(place.facts.firstProofs).union(kept).contains { id in
            policy.profile(id).map { provesNumber(policy[$0]) } ?? false
        }
    }

    private func provesNumber(_ profile: TechnicalProfile) -> Bool {
        switch profile.handler {
        case .phoneFactor: true
        case .azureMfa: sameID(profile.metadata["Operation"] ?? "", "Verify")
        default: false
        }
    }

    // MARK: Ends

    /// A journey ends without a token.
    func failed(_ failed: JourneyFailure, after event: JourneyEvent, _ place: PathState, _ result: inout Exploration) {
        let start = result.starts[place.start]
        if case .notSimulated(_, let location) = failed.kind {
            result.note(.notSimulated, [failed.text], place.trail, at: location)
            return
        }
        // What an app does later does not count as a sign-in.
        if start.refresh != nil { return }
        if case .cancelled = event { return }
        if case .forgotPassword = event { return }
        if place.tenancy.directory.count > start.count {
            result.note(.writtenThoughFailed, [failed.text], place.trail, at: writer(place)?.location)
        }
        let isException =
            switch failed.kind {
            case .redirect(let error): error == OAuthErrorName.serverError
            case .page: true
            case .notSimulated: false
            }
        // The policy asks the directory whether it knows the person; either answer is expected.
        if failed.code == .c99001 || failed.code == .c99002 { return }
        // What a selection chooses that a session has passed by is not documented.
        if failed.code == .c90051, start.session != nil {
            result.note(.notSimulated, ["\(failed.told) (with a session)"], place.trail, at: failure)
            return
        }
        // Nobody expects an account that is deleted meanwhile.
        let isDeleted = place.facts.detour == .administered(.delete) || start.administered == .delete
        if isException, !place.facts.isFaulted, !isDeleted, !isDisabledRefused(place, result) {
            result.note(.exception, [failed.told], place.trail, at: failure)
        }
    }

    /// Whether the last move failed because an assertion refuses a disabled account, as it should.
    private func isDisabledRefused(_ place: PathState, _ result: Exploration) -> Bool {
        let start = result.starts[place.start]
        let isDisabled =
            start.person.record["accountEnabled"] == false || start.administered == .disable
            || place.facts.detour == .administered(.disable)
        guard isDisabled, let failed = failedProfile else { return false }
        return (failed.inputTransformations + failed.outputTransformations).contains { assertsEnabled(policy[$0]) }
    }

    /// Whether a transformation refuses disabled accounts.
    private func assertsEnabled(_ transformation: ClaimsTransformation) -> Bool {
        PolicyGoals.isAssertion(transformation)
            && transformation.inputClaims.contains { attributes[$0.claim] == "accountenabled" }
    }
}
