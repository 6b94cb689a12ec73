/// A length of time, exact to the millisecond, of either sign.
public struct TimeSpan: Hashable, Comparable, Sendable, Codable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static let zero = TimeSpan(milliseconds: 0)

    public static func milliseconds(_ n: Int64) -> TimeSpan { TimeSpan(milliseconds: n) }
    public static func seconds(_ n: Int64) -> TimeSpan { TimeSpan(milliseconds: saturating(n, times: 1000)) }
    public static func minutes(_ n: Int64) -> TimeSpan { TimeSpan(milliseconds: saturating(n, times: 60_000)) }
    public static func hours(_ n: Int64) -> TimeSpan { TimeSpan(milliseconds: saturating(n, times: 3_600_000)) }
    public static func days(_ n: Int64) -> TimeSpan { TimeSpan(milliseconds: saturating(n, times: 86_400_000)) }

    // Disfavoured so that a literal such as `.seconds(30)` means the exact form above instead of being ambiguous.
    /// Rounded to the nearest millisecond; not a number gives zero, what is out of range its end.
    @_disfavoredOverload
    public static func seconds(_ n: Double) -> TimeSpan {
        let product = (n * 1000).rounded()
        guard !product.isNaN else { return .zero }
        if let exact = Int64(exactly: product) { return TimeSpan(milliseconds: exact) }
        return TimeSpan(milliseconds: product > 0 ? .max : .min)
    }

    /// With fractions of a second.
    public var seconds: Double { Double(milliseconds) / 1000 }

    /// Whole seconds, rounded towards zero: `expires_in` and other members in seconds.
    public var wholeSeconds: Int64 { milliseconds / 1000 }

    /// For people, in the largest unit, rounded down: `10 minutes`.
    public var inWords: String {
        let seconds = wholeSeconds.magnitude
        let units: [(length: UInt64, name: String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
        let unit = units.first { seconds >= $0.length } ?? (1, "second")
        let count = seconds / unit.length
        return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    }

    public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.milliseconds < b.milliseconds }

    public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: saturating(a.milliseconds, plus: b.milliseconds))
    }

    public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: saturating(a.milliseconds, minus: b.milliseconds))
    }

    public static func * (a: TimeSpan, n: Int64) -> TimeSpan {
        TimeSpan(milliseconds: saturating(a.milliseconds, times: n))
    }

    public static prefix func - (a: TimeSpan) -> TimeSpan { .zero - a }

    // Spans come from scripts and from peers, so arithmetic on them must not trap.

    static func saturating(_ a: Int64, times b: Int64) -> Int64 {
        let (value, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? ((a < 0) == (b < 0) ? .max : .min) : value
    }

    static func saturating(_ a: Int64, plus b: Int64) -> Int64 {
        let (value, overflow) = a.addingReportingOverflow(b)
        return overflow ? (b < 0 ? .min : .max) : value
    }

    static func saturating(_ a: Int64, minus b: Int64) -> Int64 {
        let (value, overflow) = a.subtractingReportingOverflow(b)
        return overflow ? (b < 0 ? .max : .min) : value
    }
}

extension TimeSpan: CustomStringConvertible {
    public var description: String { iso8601 }

    /// The shortest ISO 8601 duration of days, hours, minutes and seconds: `PT5M`, `-P1D`, `P1DT2H3.5S`, `PT0S`.
    public var iso8601: String {
        let total = milliseconds.magnitude
        let days = total / 86_400_000
        let hours = total / 3_600_000 % 24
        let minutes = total / 60_000 % 60
        let rest = total % 60_000
        var date = ""
        if days > 0 { date = "\(days)D" }
        var time = ""
        if hours > 0 { time += "\(hours)H" }
        if minutes > 0 { time += "\(minutes)M" }
        if rest > 0 || total == 0 {
            var text = DigitWriter()
            text.number(Int(rest / 1000), width: 1)
            var fraction = Int(rest % 1000)
            if fraction > 0 {
                var width = 3
                while fraction % 10 == 0 {
                    fraction /= 10
                    width -= 1
                }
                text.append(".")
                text.number(fraction, width: width)
            }
            time += text.string + "S"
        }
        return (milliseconds < 0 ? "-P" : "P") + date + (time.isEmpty ? "" : "T" + time)
    }

    /// Reads an ISO 8601 duration with a sign in front: `PT5M`, `-P1D`, `P2W`, `P1DT2H3.5S`, `PT24H1M`.
    ///
    /// Years and months are refused, for they have no fixed length; so is a fraction finer than a millisecond, or of
    /// anything but seconds.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        let negative = reader.skip("-")
        if !negative { _ = reader.skip("+") }
        guard reader.skip("P"), !reader.isAtEnd else { return nil }
        var total: Int64 = 0
        var inTime = false
        var lastUnit = -1
        var unitsInPart = 0
        let units: [(letter: Character, time: Bool, milliseconds: Int64)] = [
            ("W", false, 604_800_000), ("D", false, 86_400_000), ("H", true, 3_600_000), ("M", true, 60_000),
            ("S", true, 1000),
        ]
        while !reader.isAtEnd {
            if !inTime, reader.skip("T") {
                inTime = true
                unitsInPart = 0
                continue
            }
            guard let count = reader.number() else { return nil }
            var fraction: Int64 = 0
            var hasFraction = false
            if reader.skip(".") || reader.skip(",") {
                guard let digits = reader.fraction(), digits.exact else { return nil }
                fraction = Int64(digits.milliseconds)
                hasFraction = true
            }
            var found: Int?
            for (index, unit) in units.enumerated() where unit.time == inTime && index > lastUnit {
                if reader.skip(unit.letter) {
                    found = index
                    break
                }
            }
            guard let found, !hasFraction || units[found].letter == "S" else { return nil }
            let (product, tooLarge) = count.multipliedReportingOverflow(by: units[found].milliseconds)
            let (sum, overflow) = total.addingReportingOverflow(product)
            let (whole, overflowAgain) = sum.addingReportingOverflow(fraction)
            guard !tooLarge && !overflow && !overflowAgain else { return nil }
            total = whole
            lastUnit = found
            unitsInPart += 1
        }
        guard unitsInPart > 0 else { return nil }
        milliseconds = negative ? -total : total
    }
}
