import AzureSignIn
import Determinism

/// From when to when a log is asked for.
public struct LogRange: Hashable, Sendable {
    /// The first moment.
    public var since: Timestamp
    /// The first moment after it.
    public var until: Timestamp

    /// How far back a log is asked for by default.
    public static let standard = "1h"

    public init(since: Timestamp, until: Timestamp) {
        self.since = since
        self.until = until
    }

    /// Reads the options: `30m`, `1h`, `2d`, `PT1H` ago, or a moment such as `2026-11-02T09:00:00Z`, `2026-11-02T09:00Z` or
    /// `2026-11-02` (UTC).
    ///
    /// - Parameters:
    ///   - since: `nil`: an hour before the end.
    ///   - until: `nil`: now.
    public init(since: String?, until: String?, now: Timestamp) throws(AzureProblem) {
        let end = try until.map { text throws(AzureProblem) in try Self.moment(text, "--until", before: now) } ?? now
        // Without a moment of its own the beginning is relative to the end.
        let start = try Self.moment(since ?? Self.standard, "--since", before: since == nil ? end : now)
        guard start < end else {
            throw AzureProblem(
                .usage, "--since (\(start.rfc3339)) is not before --until (\(end.rfc3339))",
                remedy: "Give an earlier --since. Times without an offset are UTC.")
        }
        self.since = start
        self.until = end
    }

    private static func moment(
        _ text: String, _ option: String, before now: Timestamp
    ) throws(AzureProblem) -> Timestamp {
        if let span = span(text) { return now - span }
        for tail in ["", "Z", ":00Z", "T00:00:00Z"] {
            if let time = Timestamp(rfc3339: text + tail) { return time }
        }
        if text.hasSuffix("Z"), let time = Timestamp(rfc3339: text.dropLast() + ":00Z") { return time }
        throw AzureProblem(
            .usage, "\(option) is \"\(text)\", which is neither a time span nor a moment",
            remedy: "Give one such as 30m, 1h, 2d or 2026-11-02T09:00:00Z.")
    }

    /// A whole number with a unit, or an ISO 8601 duration.
    private static func span(_ text: String) -> TimeSpan? {
        if text.hasPrefix("P") { return TimeSpan(iso8601: text).flatMap { $0 > .zero ? $0 : nil } }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count > 0,
            text.dropLast().allSatisfy(\.isNumber)
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : .seconds(seconds)
    }

    /// Half of it, and the other half; `nil` if it cannot be divided.
    var halves: (LogRange, LogRange)? {
        let length = until - since
        guard length > .milliseconds(1) else { return nil }
        let middle = since + .milliseconds(length.milliseconds / 2)
        return (LogRange(since: since, until: middle), LogRange(since: middle, until: until))
    }

    /// For messages.
    public var shown: String { "\(since.rfc3339) and \(until.rfc3339)" }
}
