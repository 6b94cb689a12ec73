import B2CProtocol
import Determinism
import TrustFramework

/// A policy being walked for one person.
///
/// The journey is a value: a stack of frames, a bag of claims, the codes it has sent and its own random stream. It
/// waits by being put aside, not by a suspended task, so at every stop it can be compared, stored and taken up again.
/// All changes are made by ``advance(_:in:_:trace:)``, which is one loop: the innermost frame gets an event and returns
/// what to do. Nothing recurses, and no frame holds code.
public struct Journey: Sendable, Hashable, Codable {
    public let entry: JourneyEntry
    /// Fingerprint of the policy whose handles the journey holds; it goes on with no other.
    public let fingerprint: String
    /// The claims so far.
    public internal(set) var claims = ClaimsBag()
    /// Order of the orchestration step under way, 1-based; 0 before the first. Part of a page's anti-forgery value.
    public internal(set) var step = 0
    /// Whether it has begun, and whether it is over.
    public internal(set) var hasBegun = false
    public internal(set) var isOver = false

    var frames: [Frame] = []
    var codes = OneTimeCodes()
    var random: SeededGenerator
    var sso = JourneySession()
    /// The claims exchange that the page on top has chosen, on its way to the steps below.
    var chosen: ClaimsExchangeID?
    /// What stood in the name field when the sign-up link was pressed.
    var hint: String?

    /// - Parameters:
    ///   - entry: Which endpoint runs it.
    ///   - policy: The policy to walk.
    ///   - random: A stream of its own; every identifier and code of the journey comes out of it.
    public init(_ entry: JourneyEntry, policy: ResolvedPolicy, random: SeededGenerator) {
        self.entry = entry
        self.fingerprint = policy.fingerprint
        self.random = random
    }

    /// So many moves end a journey: a policy may loop.
    static let moveLimit = 10_000

    /// Takes an event and runs the journey to its next stop.
    /// - Parameters:
    ///   - event: `.begin` first, then what the stops ask for.
    ///   - tenancy: Directory, sessions and outbox, changed in place.
    ///   - call: Policy, request and time.
    ///   - trace: What the journey did is appended.
    /// - Returns: Where it stopped. After `.refused` the journey is unchanged.
    public mutating func advance(
        _ event: JourneyEvent, in tenancy: inout Tenancy, _ call: JourneyCall, trace: inout [TraceEntry]
    ) -> JourneyStop {
        var begun: [JourneyTurn.Beginning]?
        return advance(event, in: &tenancy, call, trace: &trace, begun: &begun)
    }

    /// The same, and which steps began; `nil` stays `nil`: nobody wants to know.
    mutating func advance(
        _ event: JourneyEvent, in tenancy: inout Tenancy, _ call: JourneyCall, trace: inout [TraceEntry],
        begun: inout [JourneyTurn.Beginning]?
    ) -> JourneyStop {
        guard call.policy.fingerprint == fingerprint else {
            return .refused(.misfit("the journey belongs to another version of policy \(call.policy.id)"))
        }
        guard !isOver else { return .refused(.misfit("the journey is over")) }
        var turn = Turn(call: call, trace: trace, begun: begun)
        trace = []
        begun = nil
        turn.call.keepSignedIn = sso.keepSignedIn
        defer {
            trace = turn.trace
            begun = turn.begun
        }
        if case .finished(let result) = event { turn.exchange = result.exchange }

        var told = FrameInput.event(event)
        if case .begin = event {
            guard !hasBegun else { return .refused(.misfit("the journey has begun already")) }
            hasBegun = true
            switch begin(in: &tenancy, &turn) {
            case .success(.none): told = .started
            case .success(.some(let stop)):
                isOver = stop.isEnd
                return stop
            case .failure(let failure): return end(failure)
            }
        } else if !hasBegun {
            return .refused(.misfit("the journey has not begun"))
        }

        return walk(told, in: &tenancy, &turn)
    }

    /// Passes the event from frame to frame, until one stops.
    private mutating func walk(_ told: FrameInput, in tenancy: inout Tenancy, _ turn: inout Turn) -> JourneyStop {
        var told = told
        var walked: JourneyHandle?
        for _ in 0..<Self.moveLimit {
            guard let frame = frames.popLast() else { return end(told, of: walked.map { turn.policy[$0].id }) }
            if case .steps(let steps) = frame { walked = steps.journey }
            let (rest, move) = tell(frame, told, in: &tenancy, &turn)
            switch move {
            case .push(let child):
                frames.append(rest)
                frames.append(child)
                told = .started
            case .done(let result):
                if case .failure(let failure) = result, let fatal = failure.fatal { return end(fatal) }
                told = .child(result)
            case .wait(let stop):
                frames.append(rest)
                return stop
            case .become(let stack):
                frames = stack
                told = .started
            case .end(let stop):
                frames = []
                isOver = true
                return stop
            case .refuse(let failure):
                frames.append(frame)
                return .refused(failure)
            }
        }
        return end(
            JourneyFailure(
                .redirect(error: OAuthErrorName.serverError), code: .c90037,
                detail: "the journey made more than \(Self.moveLimit) moves without a stop"))
    }

    /// Which frame handles what; the frame comes back changed.
    private mutating func tell(
        _ frame: Frame, _ told: FrameInput, in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> (Frame, Move) {
        switch frame {
        case .steps(var frame):
            let move = tell(&frame, told, in: &tenancy, &turn)
            return (.steps(frame), move)
        case .page(var frame):
            let move = tell(&frame, told, in: &tenancy, &turn)
            return (.page(frame), move)
        case .list(var frame):
            let move = tell(&frame, told, &turn)
            return (.list(frame), move)
        case .profile(var frame):
            let move = tell(&frame, told, in: &tenancy, &turn)
            return (.profile(frame), move)
        }
    }

    private mutating func end(_ failure: JourneyFailure) -> JourneyStop {
        frames = []
        isOver = true
        return .failed(failure)
    }

    /// The stack ran empty.
    private mutating func end(_ told: FrameInput, of journey: String?) -> JourneyStop {
        if case .child(.failure(let failure)) = told { return end(failure.ending(for: entry)) }
        return end(
            JourneyFailure(
                .redirect(error: OAuthErrorName.serverError), code: .c90040, inserts: [journey ?? ""],
                detail: "the last orchestration step was passed and no step sends claims"))
    }
}

extension JourneyFailure {
    /// An event that does not fit the state of the journey: the page state is not the journey's.
    static func misfit(_ detail: String) -> JourneyFailure {
        JourneyFailure(.page, code: .c90046, detail: detail)
    }
}
