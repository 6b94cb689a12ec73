import Determinism
import TrustFramework

/// One `advance` while it runs: what may be read, and what is handed out.
struct Turn {
    var call: JourneyCall
    var trace: [TraceEntry]
    /// The number of the exchange whose end this event reports.
    var exchange: String?
    /// The steps that began; `nil` unless the turn is recorded.
    var begun: [JourneyTurn.Beginning]?

    var policy: ResolvedPolicy { call.policy }
    var request: RequestFacts { call.request }
    var now: Timestamp { call.now }
}
