/// An instant in UTC of the years 0 to 9999, exact to the millisecond.
///
/// Instants come from scripts, tokens and requests. What is beyond the range is held at its end, so that no calculation
/// traps and everything that is written, such as a row of a state file, can be read again.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// 0000-01-01T00:00:00Z.
    public static let earliest = Timestamp(milliseconds: -62_167_219_200_000)
    /// 9999-12-31T23:59:59.999Z.
    public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z; values beyond the range are held at its end.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    }

    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z; values beyond the range are held at its end.
    public init(seconds: Int64) {
        self.init(milliseconds: TimeSpan.saturating(seconds, times: 1000))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(milliseconds: try container.decode(Int64.self, forKey: .milliseconds))
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
