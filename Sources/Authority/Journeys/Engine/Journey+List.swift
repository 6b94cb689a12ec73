import B2CProtocol
import TrustFramework

extension Journey {
    /// The validation profiles of a page, or those of one action of a display control.
    mutating func tell(_ frame: inout ListFrame, _ told: FrameInput, _ turn: inout Turn) -> Move {
        let list = profiles(of: frame.source, turn)
        switch told {
        case .event:
            return .refuse(.misfit("validation is under way"))
        case .child(let result):
            if let current = frame.current, list.indices.contains(current) {
                let item = list[current]
                switch result {
                case .failure(let failure) where failure.fatal != nil || !item.continueOnError:
                    return .failed(failure)
                case .success where !item.continueOnSuccess:
                    return .succeeded
                default: break
                }
            }
            frame.current = nil
        case .started:
            break
        }
        while list.indices.contains(frame.next) {
            let item = list[frame.next]
            frame.current = frame.next
            frame.next += 1
            let decision = PreconditionDecision(item.preconditions, claims, turn)
            if decision.skippedBy != nil {
                note(
                    turn.policy[item.profile], validation: true, skipped: .preconditions(item.preconditions, decision),
                    &turn)
                continue
            }
            return .push(.profile(ProfileFrame(profile: item.profile, validation: true, page: frame.page)))
        }
        return .succeeded
    }

    private func profiles(of source: ListFrame.Source, _ turn: Turn) -> [ValidationProfile] {
        switch source {
        case .validation(let profile):
            return turn.policy[profile].validationProfiles
        case .action(let control, let action):
            let actions = turn.policy[control].actions
            return actions.indices.contains(action) ? actions[action].profiles : []
        }
    }
}
