import B2CProtocol
import TrustFramework

/// One construct of a journey that is not finished. A journey is a stack of them, innermost last.
enum Frame: Sendable, Hashable, Codable {
    case steps(StepsFrame)
    case page(PageFrame)
    case list(ListFrame)
    case profile(ProfileFrame)
}

/// A list of orchestration steps: the user journey, or a sub journey that comes back.
struct StepsFrame: Sendable, Hashable, Codable {
    var journey: JourneyHandle
    /// Place of the next step in the list.
    var next = 0
    /// Place of the step that is under way.
    var current: Int?
    /// What the preconditions of that step decided.
    var decision: PreconditionDecision?
    /// The claims exchange that the last selection step chose.
    var chosen: ClaimsExchangeID?
    /// The user journey that a sub journey belongs to.
    var caller: JourneyHandle?

    init(journey: JourneyHandle, caller: JourneyHandle? = nil) {
        self.journey = journey
        self.caller = caller
    }
}

/// A list of technical profiles that run one after another: the validation profiles of a page, or an action of one of
/// its display controls.
struct ListFrame: Sendable, Hashable, Codable {
    enum Source: Sendable, Hashable, Codable {
        case validation(ProfileHandle)
        case action(DisplayControlHandle, Int)
    }

    var source: Source
    /// Place of the next profile.
    var next = 0
    /// Place of the profile that is under way.
    var current: Int?
    /// The page that called, whose metadata holds the texts of failures.
    var page: ProfileHandle?

    init(_ source: Source, page: ProfileHandle?) {
        self.source = source
        self.page = page
    }
}

/// One technical profile without a page of its own.
struct ProfileFrame: Sendable, Hashable, Codable {
    var profile: ProfileHandle
    /// Called by a page or a display control: no session provider takes part.
    var validation: Bool
    /// The page that called, if one did.
    var page: ProfileHandle?
    var memory: HandlerMemory = .none
    /// The keys of an `id_token_hint` are fetched: the profile is that of a `GetClaims` step.
    var checksHint = false
    /// Defaults of input claims that are in the bag while the profile runs.
    var held: [HeldClaim] = []
    /// The number of the exchange whose answer holds the claims.
    var exchange: String?
}

/// What a conversing handler remembers between two events. Closed on purpose: it is stored and must decode.
public enum HandlerMemory: Sendable, Hashable, Codable {
    case none
    /// How many attempts to call the service there are, with the one that is under way.
    case rest(attempt: Int)
    case provider(ProviderMemory)
    case hint(HintMemory)

    /// Whether claims come from the answer that is waited for, and not only keys or addresses.
    var expectsClaims: Bool {
        switch self {
        case .none, .hint: false
        case .rest: true
        case .provider(let memory): memory.stage == .token || memory.stage == .userInfo
        }
    }
}

/// What a frame reacts to.
enum FrameInput {
    case started
    /// The frame above is done.
    case child(Result<Void, ProfileFailure>)
    case event(JourneyEvent)
}

/// What a frame does about it.
enum Move {
    /// Stay, with this frame above.
    case push(Frame)
    /// Remove this frame, and pass the result to the frame below.
    case done(Result<Void, ProfileFailure>)
    /// Stay and stop.
    case wait(JourneyStop)
    /// Replace the whole stack: a sub journey that does not come back.
    case become([Frame])
    /// The journey is over.
    case end(JourneyStop)
    /// The event does not fit; nothing has changed.
    case refuse(JourneyFailure)

    static func failed(_ failure: ProfileFailure) -> Move { .done(.failure(failure)) }
    static var succeeded: Move { .done(.success(())) }
}
