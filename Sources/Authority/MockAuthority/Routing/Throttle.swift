import Determinism
import TenantFiles

/// Counts requests in windows of the configured length, by caller's address.
struct Throttle: Sendable {
    private var windows: [String: (start: Timestamp, count: Int)] = [:]

    /// Counts a request; the time until the next window if it is one too many.
    mutating func count(_ address: String, _ settings: ThrottleSettings, at now: Timestamp) -> TimeSpan? {
        if windows.count > 10_000 { windows.removeAll() }
        var window = windows[address] ?? (now, 0)
        if now - window.start >= settings.per { window = (now, 0) }
        window.count += 1
        windows[address] = window
        return window.count > settings.requests ? window.start + settings.per - now : nil
    }
}

extension Authority {
    /// The gateway's refusal, which comes before B2C itself sees the request. Its body was never recorded; it is left
    /// empty, and `Retry-After` counts to the end of the window (unverified).
    mutating func throttled(_ call: Call) -> Reply? {
        guard let settings = configuration.tenant.authority.throttle,
            let wait = throttle.count(call.exchange.remoteAddress, settings, at: call.now)
        else { return nil }
        let why = "more than \(settings.requests) requests in \(settings.per.iso8601) (authority.throttle)"
        refuse(call, why)
        let seconds = max(1, (wait + .milliseconds(999)).wholeSeconds)
        return .send(
            Draft(
                status: 429, fields: [.init(name: "Retry-After", value: String(seconds))],
                headers: .service(gatewayRequestID: gatewayID()), refusal: why), after: .zero)
    }
}
