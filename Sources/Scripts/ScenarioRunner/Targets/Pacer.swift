import Determinism
import TenantFiles

/// Keeps the runner below a rate of requests, over all scenarios of a run.
actor Pacer {
    /// The longest pause that a target is granted: what asks for more is not waited for.
    static let longestPause = TimeSpan.minutes(5)

    private let settings: PacingSettings
    /// When the last requests go out, at most as many as may go out in one span.
    private var sent: [Timestamp] = []
    private var heldUntil: Timestamp?

    init(_ settings: PacingSettings) {
        self.settings = settings
    }

    /// When the next request may leave, given the time now. The place is taken.
    func place(at now: Timestamp) -> Timestamp {
        var instant = max(now, heldUntil ?? now)
        if sent.count >= settings.requests, let first = sent.first { instant = max(instant, first + settings.per) }
        if let last = sent.last { instant = max(instant, last) }
        sent.append(instant)
        if sent.count > settings.requests { sent.removeFirst(sent.count - settings.requests) }
        return instant
    }

    /// How much longer the target has asked to be left alone than anybody waits; nil: it has not.
    func refusal(at now: Timestamp) -> TimeSpan? {
        guard let heldUntil, heldUntil - now > Self.longestPause else { return nil }
        return heldUntil - now
    }

    /// Nothing leaves before then: the tenant has asked for a pause.
    func hold(until instant: Timestamp) { heldUntil = max(heldUntil ?? instant, instant) }
}

/// Lets one scenario at a time act as a person. All people of a scenario are taken at once, so nobody waits in a circle.
actor PersonGate {
    private var busy: Set<String> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter(_ people: [String]) async {
        while !busy.isDisjoint(with: people) {
            await withCheckedContinuation { waiting.append($0) }
        }
        busy.formUnion(people)
    }

    func leave(_ people: [String]) {
        busy.subtract(people)
        let woken = waiting
        waiting = []
        for continuation in woken { continuation.resume() }
    }
}
