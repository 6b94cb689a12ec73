import Determinism
import Diagnostics
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// What is checked while a policy is explored, at each move.
extension Explorer {
    /// The profile that a move ran last, and the one that failed or wrote last.
    struct Causes {
        var last: ProfileHandle?
        var failed: ProfileHandle?
        var writer: ProfileHandle?
        var transformation: TransformationHandle?
    }

    /// Before a move: what the person posts.
    func witnessPost(_ place: inout Place, _ event: JourneyEvent, at stop: JourneyStop) {
        guard case .page(let page) = stop else { return }
        place.facts.witness.wroteSincePost = false
        switch event {
        case .submitted(let form), .action(_, _, let form):
            place.facts.witness.post(form, at: page, policy, purpose)
        default: break
        }
    }

    /// After a move: where claims came from, and what is wrong with the move itself.
    mutating func witness(
        _ place: inout Place, _ event: JourneyEvent, at from: JourneyStop, _ trace: [TraceEntry], _ stop: JourneyStop
    ) {
        causes = Causes()
        for entry in trace {
            switch entry {
            case .profile(let trace):
                guard trace.skipped == nil, let handle = policy.profile(trace.profile) else { continue }
                causes.last = handle
                if trace.error != nil, policy[handle].handler != .selfAsserted { causes.failed = handle }
                if trace.error == nil, policy[handle].handler == .directory,
                    !sameID(policy[handle].metadata["Operation"] ?? "", "Read")
                {
                    causes.writer = handle
                    writers[place.start] = handle
                }
            case .transformation(let trace):
                causes.transformation = policy.transformation(trace.transformation)
            case .step: continue
            }
        }
        let goesOn =
            switch stop {
            case .failed, .refused: false
            case .answer(let answer): answer.status == "200"
            default: true
            }
        if case .callout(let request, _) = from, case .finished(let result) = event,
            case .success(let response) = result.outcome,
            let handle = request.profile.flatMap({ policy.profile($0) }), policy[handle].handler == .rest,
            isEmpty(response), policy[handle].outputClaims.contains(where: { $0.defaultValue == nil })
        {
            place.facts.witness.emptied.insert(handle)
        }
        let sightings = place.facts.witness.take(trace, policy, goesOn: goesOn, proved: place.facts.proved)
        for sighting in sightings {
            result.note(sighting.rule, sighting.names, place.trail, at: sighting.location)
        }
        if goesOn { optionalFields(place, event, at: from, trace) }
    }

    /// Where the last move failed.
    var failure: SourceLocation? { (causes.failed ?? causes.last).map { policy[$0].location } }

    /// A code proved what was entered at a page.
    func prove(_ place: inout Place, _ act: Act, at page: Page) {
        switch act.event {
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

    private func isEmpty(_ response: ResponseMessage) -> Bool {
        guard response.status == 200 else { return false }
        let text = response.text.filter { !$0.isWhitespace }
        return text.isEmpty || text == "{}"
    }

    /// A check that an empty field switches off.
    private mutating func optionalFields(
        _ place: Place, _ event: JourneyEvent, at from: JourneyStop, _ trace: [TraceEntry]
    ) {
        guard case .page(let page) = from, case .submitted(let form) = event,
            let handle = policy.profile(page.technicalProfile)
        else { return }
        let empty = PageActs.flat(page.fields).filter { field in
            !field.isRequired && !field.isReadOnly && form[field.id]?.isEmpty == true
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
                    .optionalSwitchesOff, [field.id, profile.id], place.trail, at: precondition.location)
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

    // MARK: Writes

    /// A sign-up that changes an account which was there before.
    mutating func checkSignUp(_ from: Place, _ place: Place) {
        guard place.facts.signsUp else { return }
        let writer = causes.writer.map { policy[$0].location }
        let start = starts[place.start]
        for id in start.objectIDs + start.others {
            guard let before = from.tenancy.directory[id] else { continue }
            let after = place.tenancy.directory[id]
            guard after != before else { continue }
            let what: String
            if after == nil {
                what = "everything"
            } else if after?.password != before.password {
                what = "the password"
            } else if after?.attributes != before.attributes || after?.signInNames != before.signInNames {
                what = "attributes"
            } else {
                continue
            }
            result.note(.overwritten, [what], place.trail, at: writer)
        }
    }

    // MARK: Tokens

    /// Everything that a token shows by itself.
    mutating func checkToken(_ issuance: Issuance, _ place: Place, _ issue: Exploration.Issue) {
        let start = starts[place.start]
        let witness = place.facts.witness
        let identified = witness.identifiedBy.map { policy[$0].location }
        for claim in issuance.claims {
            for text in [claim.value.stringValue].compactMap(\.self)
                + (claim.value.arrayValue ?? []).compactMap(\.stringValue)
            where text.contains("@") && witness.typed.contains(text.lowercased())
                && !place.facts.proved.contains(text.lowercased()) && !isProvedClaim(claim.id, witness)
            {
                result.note(.unverified, [claim.name], place.trail, at: origin(of: claim.id, witness))
            }
        }
        checkFields(witness, place)
        let account = issuance.objectID.flatMap { place.tenancy.directory[$0] }
        let isOwn = issue.owner == .own
        if start.person.record["accountEnabled"] == false, start.after == nil, isOwn {
            // The directory itself refuses a disabled account only where it checks the password.
            let isSocial = start.person.record["providers"] != nil || start.person.record["password"] == nil
            result.note(isSocial ? .disabledSocial : .disabled, [start.person.words], place.trail, at: identified)
        }
        if isOwn, !place.facts.isProved, start.session == nil {
            result.note(.unproved, [], place.trail, at: identified)
        }
        if let after = start.after, start.session == nil, !place.facts.providers.isEmpty,
            result.issues[after].facts.providers == place.facts.providers,
            place.tenancy.directory.count > start.count, start.administered == nil
        {
            result.note(
                .madeAgain, [place.facts.providers.sorted().joined(separator: ", ")], place.trail,
                at: writers[place.start].map { policy[$0].location } ?? identified)
        }
        guard let account else { return }
        // Nobody but its owner knows the password of the other account or reads the codes that go to it.
        if issue.owner == .other, let owner = account.person, start.session == nil, place.facts.handedOver.isEmpty,
            start.request.isUsual,
            !account.signInNames.contains(where: { place.facts.proved.contains($0.value.lowercased()) })
        {
            result.note(.strangersAccount, [start.person.name, owner], place.trail, at: identified)
        }
        if let password = witness.newPassword, account.password != password {
            let page = witness.passwordPage.map { policy[$0] }
            result.note(.passwordNotKept, [page?.id ?? ""], place.trail, at: page?.location)
        }
        if start.session == nil { compare(issuance, with: account, place) }
        if let subject = issuance.subject, subject.contains("@"), start.session == nil {
            let claim = policy.relyingParty.outputClaims.first { output in
                policy.relyingParty.subjectNaming.map { sameID($0.claimType, output.wireName) } ?? false
            }
            result.note(
                .subjectChanges, [claim.map { policy[$0.claim].id } ?? "an address"], place.trail, at: claim?.location)
        }
    }

    /// Fields that nothing has taken until the token.
    private mutating func checkFields(_ witness: Witness, _ place: Place) {
        let issued = policy.relyingParty.outputClaims.map(\.claim)
        for (claim, page) in witness.untaken {
            let type = policy[claim]
            // A password that nothing checks is a finding of its own, and the service itself compares the second entry.
            guard type.userInputType != .password, !issued.contains(claim),
                !purpose.deciding.contains(claim), !purpose.controlled.contains(claim)
            else {
                continue
            }
            let profile = policy[page]
            result.note(
                .fieldUnused, [type.id, profile.id], place.trail,
                at: profile.outputClaims.first { $0.claim == claim }?.location ?? profile.location)
        }
    }

    /// Whether a code proved the claim that the value of a claim was entered in.
    private func isProvedClaim(_ id: String, _ witness: Witness) -> Bool {
        guard let claim = policy.claimType(id) else { return false }
        return witness.verified.contains(claim) || witness[claim]?.claim.map(witness.verified.contains) ?? false
    }

    /// The output claim of the page, or the profile, where the value of a claim came in.
    private func origin(of id: String, _ witness: Witness) -> SourceLocation? {
        guard let claim = policy.claimType(id), let source = witness[claim], let handle = source.profile else {
            return nil
        }
        let profile = policy[handle]
        return profile.outputClaims.first { $0.claim == source.claim }?.location ?? profile.location
    }

    /// Claims of a token that differ from what the account has under the attribute that they are written to.
    private mutating func compare(_ issuance: Issuance, with account: Account, _ place: Place) {
        for issued in issuance.claims {
            guard let claim = policy.claimType(issued.id), let attribute = attributes[claim],
                let kept = place.tenancy.directory.value(attribute, of: account, as: policy[claim].dataType)
            else { continue }
            let value = kept.json(as: policy[claim].dataType)
            guard case .string(let text) = value, case .string(let given) = issued.value, text != given,
                // The provider hands over an address of another account, which says nothing about this one.
                !place.facts.handedOver.contains(given.lowercased())
            else { continue }
            let witness = place.facts.witness
            result.note(
                .accountDiffers, [issued.name, "\"\(given)\"", "\(attribute) is \"\(text)\""], place.trail,
                at: origin(of: issued.id, witness) ?? output(issued.name))
        }
    }

    private func output(_ name: String) -> SourceLocation? {
        policy.relyingParty.outputClaims.first { $0.wireName == name }?.location
    }

    /// The attribute of each claim that is written to one attribute, or read from one.
    static func attributes(of policy: ResolvedPolicy) -> [ClaimTypeHandle: String] {
        var names: [ClaimTypeHandle: Set<String>] = [:]
        for profile in policy.profiles where profile.handler == .directory {
            for claim in profile.persistedClaims + profile.outputClaims
            where claim.defaultValue == nil || !claim.alwaysUseDefaultValue {
                names[claim.claim, default: []].insert(claim.wireName.lowercased())
            }
        }
        let own: Set<String> = ["objectid", "newclaimsprincipalcreated", "userprincipalname"]
        return names.compactMapValues { $0.count == 1 && own.isDisjoint(with: $0) ? $0.first : nil }
    }

    // MARK: Afterwards

    /// Compares tokens with each other: what a failure, or an empty answer, has changed.
    mutating func compareTokens() {
        for issue in result.issues where starts.indices.contains(issue.start) && starts[issue.start].isUsual {
            let witness = issue.facts.witness
            for handle in witness.ignored.handles {
                guard let whole = twin(of: issue, where: { $0.ran.contains(handle) && !$0.ignored.contains(handle) })
                else { continue }
                result.note(
                    .failureIgnored, [policy[handle].id], issue.trail, other: whole.trail,
                    at: place(of: handle) ?? policy[handle].location)
            }
            for handle in witness.emptied.handles where !witness.ignored.contains(handle) {
                let decisive = policy[handle].outputClaims.filter { purpose.deciding.contains($0.claim) }
                guard let claim = decisive.first,
                    let whole = twin(of: issue, where: { $0.ran.contains(handle) && !$0.emptied.contains(handle) })
                else { continue }
                result.note(
                    .emptyAnswerPasses, [policy[handle].id, policy[claim.claim].id], issue.trail, other: whole.trail,
                    at: claim.location)
            }
        }
    }

    /// A token with the same claims, of the same person.
    private func twin(of issue: Exploration.Issue, where holds: (Witness) -> Bool) -> Exploration.Issue? {
        result.issues.first { $0.start == issue.start && $0.claims == issue.claims && holds($0.facts.witness) }
    }

    /// Where a page or a display control names a profile.
    private func place(of handle: ProfileHandle) -> SourceLocation? {
        for profile in policy.profiles {
            if let found = profile.validationProfiles.first(where: { $0.profile == handle && $0.continueOnError }) {
                return found.location
            }
        }
        return nil
    }

    /// Refreshes after the account's tokens were revoked.
    mutating func checkRevocation() {
        guard
            let journey = policy.relyingParty.journey(endpoint: "Token")
                ?? policy.tokenIssuer?.refreshJourney.flatMap({ policy.journey($0) })
        else { return }
        for issue in result.issues {
            guard let identity = issue.refresh, let id = GUID(identity.identity),
                issue.tenancy.directory[id] != nil
            else { continue }
            var tenancy = issue.tenancy
            let later = now + .hours(2)
            tenancy.directory.revokeRefreshTokens(of: id, at: now + .hours(1))
            var request = RequestFacts(
                correlationID: GUID.derived(from: "exploration"),
                host: "\(environment.tenantDomain.prefix { $0 != "." }).b2clogin.com",
                tenantSegment: environment.tenantDomain, policyID: policy.id,
                clientID: GUID.derived(from: "app").description, redirectURI: "https://app.example.test/")
            request.refresh = identity
            let call = JourneyCall(policy: policy, request: request, now: later, environment: environment)
            var refresh = Journey(.refresh, policy: policy, random: SeededGenerator(seed: limits.seed))
            var trace: [TraceEntry] = []
            let stop = refresh.advance(.begin, in: &tenancy, call, trace: &trace)
            if case .issue = stop {
                result.note(.refreshIgnoresRevocation, [], issue.trail, at: policy[journey].location)
            }
            // One account of each policy is enough: the journey is the same for all.
            if case .callout = stop { continue }
            return
        }
    }
}
