import Determinism
import TrustFramework

/// One `advance` while it runs: what may be read, and what is handed out.
struct Turn {
    var call: JourneyCall
    var trace: [TraceEntry]

    var policy: ResolvedPolicy { call.policy }
    var request: RequestFacts { call.request }
    var now: Timestamp { call.now }
}
