import Determinism
import Exchanges
import HTTPMessages
import MockAuthority

/// How an exchange goes on, whichever kind of authority decided it.
enum HostedReply: Sendable {
    case send(HostedDraft, after: TimeSpan)
    case drop(after: TimeSpan)
    case callOut(CalloutID, RequestMessage, timeout: TimeSpan)
    case answered(ControlAnswer)

    init(_ reply: Reply) {
        switch reply {
        case .send(let draft, let after): self = .send(.b2c(draft), after: after)
        case .drop(let after): self = .drop(after: after)
        case .callOut(let id, let request, let timeout): self = .callOut(id, request, timeout: timeout)
        case .answered(let answer): self = .answered(answer)
        }
    }

    init(_ reply: WorkforceReply) {
        switch reply {
        case .send(let draft): self = .send(.workforce(draft), after: .zero)
        case .answered(let answer): self = .answered(answer)
        }
    }
}

/// A decided reply that is neither rendered nor signed.
enum HostedDraft: Sendable {
    case b2c(Draft)
    case workforce(WorkforceDraft)

    /// What came of the orders of a fault rule, if there were any.
    var obeyed: ChangeEffect? {
        if case .b2c(let draft) = self { draft.obeyed } else { nil }
    }

    /// Writes and signs it: pure, and the costly part of an answer.
    func rendered() -> ResponseMessage {
        switch self {
        case .b2c(let draft): render(draft)
        case .workforce(let draft): render(draft)
        }
    }
}
