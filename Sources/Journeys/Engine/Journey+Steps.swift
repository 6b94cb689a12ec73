import B2CProtocol
import TrustFramework

extension Journey {
    /// A list of orchestration steps.
    mutating func tell(
        _ frame: inout StepsFrame, _ told: Told, in tenancy: inout Tenancy, _ turn: inout Turn
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
                if step.type == .getClaims, let failure = takeHint(step, &turn) { return .failed(failure) }
                note(step, of: journey, because: because(step, frame), &turn)
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
            let verdict = Preconditions.judge(step.preconditions, claims, turn)
            if verdict.skips {
                // What was chosen on an earlier page is no choice among the exchanges after this one.
                if step.type.isSelection { frame.chosen = nil }
                note(step, of: journey, skippedBy: verdict, &turn)
                continue
            }
            self.step = step.order
            frame.current = place
            frame.because = verdict.because
            if let move = run(step, &frame, of: journey, because: verdict.because, in: &tenancy, &turn) {
                return move
            }
            frame.current = nil
        }
        return .succeeded
    }

    /// Starts a step; `nil` when it is over at once.
    private mutating func run(
        _ step: OrchestrationStep, _ frame: inout StepsFrame, of journey: UserJourney, because: String,
        in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move? {
        switch step.type {
        case .combinedSignInAndSignUp, .claimsProviderSelection:
            guard let place = frame.current else { return nil }
            return .push(.page(PageFrame(selection: StepPlace(journey: frame.journey, step: place))))
        case .claimsExchange:
            guard let exchange = exchange(of: step, frame) else {
                return .failed(
                    .policyFault(
                        .c90051, [], detail: "step \(step.order) has several claims exchanges and none was chosen"))
            }
            return .push(self.frame(for: exchange.profile, turn))
        case .sendClaims:
            return issue(step, of: journey, because: because, in: &tenancy, &turn)
        case .getClaims:
            if let issuer = step.issuer, turn.policy[issuer].hintMetadata != nil, turn.request.idTokenHint != nil {
                return .push(.profile(ProfileFrame(profile: issuer, validation: false, checksHint: true)))
            }
            if let failure = takeHint(step, &turn) { return .failed(failure) }
            note(step, of: journey, because: because, &turn)
            return nil
        case .invokeSubJourney:
            guard let sub = step.subJourneys.first else {
                return .failed(.notSimulated("a sub-journey step without candidate", at: step.location))
            }
            if turn.policy[sub].subJourneyType == .transfer {
                note(step, of: journey, because: because, &turn)
                return .become([.steps(StepsFrame(journey: sub))])
            }
            return .push(.steps(StepsFrame(journey: sub)))
        case .noop:
            note(step, of: journey, because: because, &turn)
            return nil
        case .consentScreen, .reviewScreen, .userDialog:
            return .failed(.notSimulated("orchestration step type \(step.type.rawValue)", at: step.location))
        }
    }

    /// The claims exchange to run: the one chosen before, else the only one.
    private func exchange(of step: OrchestrationStep, _ frame: StepsFrame) -> OrchestrationStep.Exchange? {
        if let chosen = frame.chosen, let exchange = step.exchange(chosen) { return exchange }
        return step.exchanges.count == 1 ? step.exchanges.first : nil
    }

    /// A page for a profile that shows one, else the profile.
    func frame(for profile: ProfileHandle, _ turn: Turn) -> Frame {
        turn.policy[profile].handler.showsPage
            ? .page(PageFrame(profile: profile))
            : .profile(ProfileFrame(profile: profile, validation: false))
    }

    private func because(_ step: OrchestrationStep, _ frame: StepsFrame) -> String {
        if step.type.isSelection, let chosen { return "chose \(chosen)" }
        if step.type == .claimsExchange, step.exchanges.count > 1, let chosen = frame.chosen {
            return "chose \(chosen)"
        }
        return frame.because
    }

    /// A step that ran: none of its preconditions held.
    func note(_ step: OrchestrationStep, of journey: UserJourney, because: String, _ turn: inout Turn) {
        trace(step, of: journey, PreconditionDecision(), because: because, &turn)
    }

    private func note(
        _ step: OrchestrationStep, of journey: UserJourney, skippedBy verdict: Preconditions.Verdict,
        _ turn: inout Turn
    ) {
        trace(step, of: journey, verdict.decision, because: verdict.because, &turn)
    }

    private func trace(
        _ step: OrchestrationStep, of journey: UserJourney, _ decision: PreconditionDecision, because: String,
        _ turn: inout Turn
    ) {
        turn.trace.append(
            .step(
                TraceEntry.StepTrace(
                    journey: journey.id, handle: journey.handle, step: step.order, stepType: step.type.rawValue,
                    ran: decision.skippedBy == nil, decision: decision, because: because,
                    claims: TracedClaims(claims, in: turn.policy))))
    }
}
