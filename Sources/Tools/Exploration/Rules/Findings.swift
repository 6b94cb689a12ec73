import Diagnostics
import JSON
import TrustFramework

/// Findings about single paths, and about what no path does.
extension Exploration {
    /// That an exploration was cut: what it does not report may still be there.
    func incomplete() -> [ExplorationFinding] {
        guard let cut else { return [] }
        return [ExplorationFinding(rule: .cut, names: [cut, String(unvisited)], remedy: advice)]
    }

    /// Steps, precondition sides and profiles that no path reaches. An exploration that was cut has not seen everything,
    /// so it does not say what cannot be reached.
    func unreached() -> [ExplorationFinding] {
        guard cut == nil else { return [] }
        var found: [ExplorationFinding] = []
        var silent: Set<ProfileHandle> = []
        let undecided = undecidedClaims
        for journey in coverage.journeys() {
            for step in policy[journey].steps {
                let key = Coverage.StepKey(journey: journey, order: step.order)
                let place = words(step, of: journey)
                guard coverage.ran.contains(key) else {
                    let finding = ExplorationFinding(rule: .stepNeverRuns, names: [place], location: step.location)
                    found.append(settled(finding, isDecided(step.preconditions, undecided)))
                    silent.formUnion(step.exchanges.map(\.profile))
                    continue
                }
                for (index, precondition) in step.preconditions.enumerated()
                where coverage.held[key]?.contains(index) != true {
                    let finding = ExplorationFinding(
                        rule: .preconditionNeverSkips,
                        names: [place, String(index + 1), precondition.words(in: policy)],
                        location: precondition.location)
                    found.append(settled(finding, isDecided([precondition], undecided)))
                }
                for exchange in step.exchanges where !coverage.profiles.contains(exchange.profile) {
                    let enabled = policy[exchange.profile].enabled
                    guard enabled != .never, enabled != .false, silent.insert(exchange.profile).inserted else {
                        continue
                    }
                    found.append(
                        ExplorationFinding(
                            rule: .profileNeverRuns, names: [policy[exchange.profile].id, place],
                            location: exchange.location))
                }
            }
        }
        for profile in policy.profiles where coverage.profiles.contains(profile.handle) {
            for validation in profile.validationProfiles where !coverage.profiles.contains(validation.profile) {
                let enabled = policy[validation.profile].enabled
                guard enabled != .never, enabled != .false else { continue }
                found.append(
                    ExplorationFinding(
                        rule: .validationNeverRuns, names: [policy[validation.profile].id, profile.id],
                        location: validation.location))
            }
        }
        return found
    }

    func words(_ step: OrchestrationStep, of journey: JourneyHandle) -> String {
        "step \(step.order) (\(step.type.rawValue)) of \(policy[journey].id)"
    }

    func stuck() -> [ExplorationFinding] {
        guard cut == nil else { return [] }
        let undecided = undecidedClaims
        return pages.filter { !$0.isLeft }.map { page in
            let refusals = page.refusals.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
            let finding = ExplorationFinding(
                rule: .pageNeverLeft, names: [page.name, refusals.isEmpty ? "" : ": it answers \(refusals)"],
                trail: page.trail, location: page.location)
            return settled(finding, isDecided(page: page.name, undecided))
        }
    }

    func noticed() -> [ExplorationFinding] {
        notices.map { notice in
            ExplorationFinding(
                rule: notice.rule, names: notice.names, people: notice.people, trail: notice.trail, other: notice.other,
                location: notice.location, isMild: notice.isMild)
        }
    }

    // MARK: Tokens

    /// A second factor that some paths prove, and a path that reaches a token without.
    func skippedFactor() -> [ExplorationFinding] {
        let fresh = issues.filter { !$0.hasSession }
        /// Whether a service decides who needs the factor, as conditional access does.
        func isAdaptive(_ factor: String, _ issue: Issue) -> Bool {
            let claims = policy.profile(factor).flatMap { step(of: $0) }?.preconditions.flatMap(\.claims) ?? []
            return claims.contains { issue.facts.witness[$0]?.kind == .service }
        }
        // A proof that some people sign in with is not a second factor for the others.
        let firsts = fresh.reduce(into: Set<String>()) { $0.formUnion($1.facts.firstProofs) }
        guard let proved = fresh.first(where: { !$0.facts.factors.subtracting(firsts).isEmpty }),
            let factor = proved.facts.factors.subtracting(firsts).sorted().first,
            let bare = fresh.first(where: {
                $0.facts.factors.isEmpty && !$0.facts.isProvedAgain && !isAdaptive(factor, $0)
            })
        else { return [] }
        let location = policy.profile(factor).flatMap { step(of: $0) }?.location
        return [
            ExplorationFinding(
                rule: .factorSkipped, names: [factor], trail: bare.trail, other: proved.trail, location: location)
        ]
    }

    /// The first step that runs a profile, in the journeys of the policy.
    func step(of profile: ProfileHandle) -> OrchestrationStep? {
        for journey in coverage.journeys() {
            for step in policy[journey].steps
            where step.exchanges.contains(where: { $0.profile == profile })
                || step.selections.contains(where: { $0.profile == profile })
            {
                return step
            }
        }
        return nil
    }

    /// Claims that the first token of an account has and the next one has not.
    func lostClaims() -> [ExplorationFinding] {
        var found: [ExplorationFinding] = []
        var known: Set<String> = []
        for issue in issues where issue.isAgain && !issue.hasSession && !issue.facts.isFaulted && !issue.facts.hasGap {
            guard let after = starts[issue.start].after else { continue }
            guard issues[after].facts.providers == issue.facts.providers else { continue }
            for name in issues[after].claims.keys where issue.claims[name] == nil && known.insert(name).inserted {
                found.append(
                    ExplorationFinding(
                        rule: .claimLost, names: [name], trail: issue.trail, location: reader(issue.facts.witness, name)
                    ))
            }
        }
        return found
    }

    /// The profile of a path that read the account last, else the output claim of the relying party.
    func reader(_ witness: PathEvidence, _ name: String) -> SourceLocation? {
        let readers = witness.ran.handles.map { policy[$0] }.filter {
            $0.handler == .directory && sameID($0.metadata["Operation"] ?? "", "Read")
        }
        if let reader = readers.last { return reader.location }
        if let handle = witness.identifiedBy { return policy[handle].location }
        return policy.relyingParty.outputClaims.first { $0.wireName == name }?.location
    }

    /// Refresh tokens of which none gives a token, though nothing has happened to the accounts.
    func neverRefreshed() -> [ExplorationFinding] {
        let plain = renewals.filter {
            // A policy may delete the account: its token must not work.
            starts[$0.start].entry == .refresh && starts[$0.start].administered == nil && !$0.isFaulted
                && !starts[$0.start].isAccountGone
        }
        guard cut == nil, let first = plain.first, plain.allSatisfy({ $0.claims == nil }) else { return [] }
        if case .notSimulated = first.failure?.kind { return [] }
        return [
            ExplorationFinding(
                rule: .noToken, names: [" with a refresh token: \(first.reason)"], trail: first.trail,
                location: first.location)
        ]
    }

    func neverIssued() -> [ExplorationFinding] {
        guard cut == nil else { return [] }
        guard !issues.isEmpty else {
            let finding = ExplorationFinding(
                rule: .noToken, names: [""], trail: ends.last?.trail,
                location: policy[policy.relyingParty.defaultJourney].location)
            return [settled(finding, undecidedClaims.isEmpty)]
        }
        let names = Set(issues.flatMap(\.claims.keys))
        return policy.relyingParty.outputClaims.compactMap { claim in
            guard !names.contains(claim.wireName), claim.defaultValue == nil else { return nil }
            if let subject = policy.relyingParty.subjectNaming, sameID(subject.claimType, claim.wireName) { return nil }
            return ExplorationFinding(
                rule: .claimNeverIssued, names: [claim.wireName, policy[claim.claim].id], location: claim.location)
        }
    }
}
