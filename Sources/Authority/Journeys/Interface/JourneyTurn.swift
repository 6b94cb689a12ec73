import Determinism
import TrustFramework

/// One ``Journey/advance(_:in:_:trace:)`` with everything around it: its event, where it began, what it did, and where
/// it stopped. Material for a record of the journey; the journey itself keeps none of it.
public struct JourneyTurn: Sendable {
    /// A step that began to run.
    public struct Beginning: Sendable, Hashable {
        /// The journey or sub-journey of the step.
        public var journey: JourneyHandle
        /// Place of the step in the journey's list.
        public var place: Int
        /// How many entries the trace had before.
        public var entries: Int

        public init(journey: JourneyHandle, place: Int, entries: Int) {
            self.journey = journey
            self.place = place
            self.entries = entries
        }
    }

    /// Which endpoint runs the journey.
    public let entry: JourneyEntry
    /// What happened to it. A posted form contains what was typed, passwords too.
    public let event: JourneyEvent
    /// Policy, request and time.
    public let call: JourneyCall
    /// The steps under way before, outermost first: several within a sub-journey.
    public let open: [Beginning]
    /// The technical profile whose page was showing before; `nil` if there was none.
    public let page: ProfileHandle?
    /// The claims before.
    public let before: TracedClaims
    /// The claims after.
    public let after: TracedClaims
    /// What it did.
    public let trace: [TraceEntry]
    /// Steps that began to run, in order.
    public let begun: [Beginning]
    public let stop: JourneyStop

    /// A request that was refused before its journey began.
    public init(refused failure: JourneyFailure, entry: JourneyEntry, call: JourneyCall) {
        self.entry = entry
        event = .begin
        self.call = call
        open = []
        page = nil
        before = TracedClaims([], in: call.policy)
        after = before
        trace = []
        begun = []
        stop = .failed(failure)
    }

    /// Passes an event to a journey and records what it does.
    ///
    /// - Parameters:
    ///   - journey: It runs to its next stop.
    ///   - tenancy: Directory, sessions and outbox, changed in place.
    public init(
        _ event: JourneyEvent, of journey: inout Journey, in tenancy: inout Tenancy, _ call: JourneyCall
    ) {
        entry = journey.entry
        self.event = event
        self.call = call
        open = journey.openSteps
        page = journey.openPage
        before = TracedClaims(journey.claims, in: call.policy)
        var trace: [TraceEntry] = []
        var begun: [Beginning]? = []
        stop = journey.advance(event, in: &tenancy, call, trace: &trace, begun: &begun)
        self.trace = trace
        self.begun = begun ?? []
        after = TracedClaims(journey.claims, in: call.policy)
    }
}

extension Journey {
    fileprivate var openSteps: [JourneyTurn.Beginning] {
        frames.compactMap { frame in
            guard case .steps(let steps) = frame, let place = steps.current else { return nil }
            return JourneyTurn.Beginning(journey: steps.journey, place: place, entries: 0)
        }
    }

    fileprivate var openPage: ProfileHandle? {
        for case .page(let page) in frames.reversed() { return page.profile }
        return nil
    }
}
