/// An instant in UTC, exact to the millisecond.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z; values beyond the range of milliseconds are held at
    ///   its end.
    public init(seconds: Int64) {
        milliseconds = TimeSpan.saturating(seconds, times: 1000)
    }

    /// The instant of calendar fields; `nil` when they name no moment of the years 0 to 9999.
    public init?(_ civil: CivilTime) {
        guard civil.isValid else { return nil }
        let seconds =
            civil.daysSinceEpoch * 86_400 + Int64(civil.hour) * 3600 + Int64(civil.minute) * 60 + Int64(civil.second)
        milliseconds = seconds * 1000 + Int64(civil.millisecond)
    }

    /// Whole seconds since 1970, rounded down: `exp`, `iat`, `nbf`, `auth_time` (RFC 7519 NumericDate).
    public var secondsSinceEpoch: Int64 {
        CivilTime.floorDivide(milliseconds, 1000)
    }

    /// The calendar fields.
    public var civil: CivilTime {
        let days = CivilTime.floorDivide(milliseconds, 86_400_000)
        var rest = Int(CivilTime.floorRemainder(milliseconds, 86_400_000))
        let date = CivilTime.date(daysSinceEpoch: days)
        let hour = rest / 3_600_000
        rest %= 3_600_000
        return CivilTime(
            year: date.year, month: date.month, day: date.day, hour: hour, minute: rest / 60_000,
            second: rest % 60_000 / 1000, millisecond: rest % 1000)
    }

    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.milliseconds < b.milliseconds
    }

    /// Later by the span; held at the ends of the range.
    public static func + (instant: Timestamp, span: TimeSpan) -> Timestamp {
        Timestamp(milliseconds: TimeSpan.saturating(instant.milliseconds, plus: span.milliseconds))
    }

    /// Earlier by the span; held at the ends of the range.
    public static func - (instant: Timestamp, span: TimeSpan) -> Timestamp {
        Timestamp(milliseconds: TimeSpan.saturating(instant.milliseconds, minus: span.milliseconds))
    }

    /// The span from `b` to `a`; held at the ends of the range.
    public static func - (a: Timestamp, b: Timestamp) -> TimeSpan {
        TimeSpan(milliseconds: TimeSpan.saturating(a.milliseconds, minus: b.milliseconds))
    }

    public static func += (instant: inout Timestamp, span: TimeSpan) {
        instant = instant + span
    }
}
