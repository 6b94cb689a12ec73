import B2CProtocol
import TrustFramework

extension Journey {
    /// A list of orchestration steps.
    mutating func tell(
        _ frame: inout StepsFrame, _ told: FrameInput, in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move {
        let journey = turn.policy[frame.journey]
        switch told {
        case .event:
            return .refuse(.misfit("the journey is between two steps"))
        case .child(.failure(let failure)):
            return .failed(failure)
        case .child(.success):
            if let current = frame.current, journey.steps.indices.contains(current) {
                let step = journey.steps[current]
                if step.type.isSelection { frame.chosen = chosen }
                var out: [TracedClaim] = []
                if step.type == .getClaims, let failure = takeHint(step, &out, turn) { return .failed(failure) }
                note(step, of: journey, decision: frame.decision, chosen: chosen(at: step, frame), out: out, &turn)
            }
            chosen = nil
            frame.current = nil
        case .started:
            break
        }
        while journey.steps.indices.contains(frame.next) {
            let place = frame.next
            let step = journey.steps[place]
            frame.next += 1
            let decision = PreconditionDecision(step.preconditions, claims, turn)
            if decision.skippedBy != nil {
                // A choice on an earlier page does not apply to the exchanges after this one.
                if step.type.isSelection { frame.chosen = nil }
                note(step, of: journey, decision: decision, &turn)
                continue
            }
            self.step = step.order
            frame.current = place
            turn.begun?.append(
                JourneyTurn.Beginning(journey: frame.journey, place: place, entries: turn.trace.count))
            frame.decision = decision
            if let move = run(step, &frame, of: journey, decision: decision, in: &tenancy, &turn) {
                return move
            }
            frame.current = nil
        }
        return .succeeded
    }

    /// Starts a step; `nil` when it is over at once.
    private mutating func run(
        _ step: OrchestrationStep, _ frame: inout StepsFrame, of journey: UserJourney, decision: PreconditionDecision,
        in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move? {
        switch step.type {
        case .combinedSignInAndSignUp, .claimsProviderSelection:
            guard let place = frame.current else { return nil }
            return .push(.page(PageFrame(selection: StepLocation(journey: frame.journey, step: place))))
        case .claimsExchange:
            guard let exchange = exchange(of: step, frame) else {
                return .failed(
                    .policyFault(
                        .c90051, [], detail: "step \(step.order) has several claims exchanges and none was chosen"))
            }
            return .push(self.frame(for: exchange.profile, turn))
        case .sendClaims:
            let caller = frame.caller.map { turn.policy[$0] } ?? journey
            return issue(
                step, by: step.issuer ?? caller.defaultIssuer, of: journey, decision: decision, in: &tenancy, &turn)
        case .getClaims:
            if let issuer = step.issuer, turn.policy[issuer].hintMetadata != nil, turn.request.idTokenHint != nil {
                return .push(.profile(ProfileFrame(profile: issuer, validation: false, checksHint: true)))
            }
            var out: [TracedClaim] = []
            if let failure = takeHint(step, &out, turn) { return .failed(failure) }
            note(step, of: journey, decision: decision, out: out, &turn)
            return nil
        case .invokeSubJourney:
            guard let sub = step.subJourneys.first else {
                return .failed(.notSimulated("a sub-journey step without candidate", at: step.location))
            }
            let next = StepsFrame(journey: sub, caller: frame.caller ?? frame.journey)
            if turn.policy[sub].subJourneyType == .transfer {
                note(step, of: journey, decision: decision, &turn)
                return .become([.steps(next)])
            }
            return .push(.steps(next))
        case .noop:
            note(step, of: journey, decision: decision, &turn)
            return nil
        case .consentScreen, .reviewScreen, .userDialog:
            return .failed(.notSimulated("orchestration step type \(step.type.rawValue)", at: step.location))
        }
    }

    /// The claims exchange to run: the one chosen before, else the only one.
    private func exchange(of step: OrchestrationStep, _ frame: StepsFrame) -> OrchestrationStep.ClaimsExchange? {
        if let chosen = frame.chosen, let exchange = step.exchange(chosen) { return exchange }
        return step.exchanges.count == 1 ? step.exchanges.first : nil
    }

    /// A page for a profile that shows one, else the profile.
    func frame(for profile: ProfileHandle, _ turn: Turn) -> Frame {
        turn.policy[profile].handler.showsPage
            ? .page(PageFrame(profile: profile))
            : .profile(ProfileFrame(profile: profile, validation: false))
    }

    /// The claims exchange that was chosen on the page of a step, or by which a step with several was decided.
    private func chosen(at step: OrchestrationStep, _ frame: StepsFrame) -> ClaimsExchangeID? {
        if step.type.isSelection, let chosen { return chosen }
        return step.type == .claimsExchange && step.exchanges.count > 1 ? frame.chosen : nil
    }

    /// Writes the record of a step, when it is left or skipped.
    func note(
        _ step: OrchestrationStep, of journey: UserJourney, decision: PreconditionDecision?,
        chosen: ClaimsExchangeID? = nil, out: [TracedClaim] = [], _ turn: inout Turn
    ) {
        turn.trace.append(
            .step(
                TraceEntry.StepTrace(
                    handle: journey.handle, element: step, decision: decision, chosen: chosen,
                    claims: TracedClaims(claims, in: turn.policy), out: TracedClaims(out, in: turn.policy))))
    }
}
