extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC: `2026-01-15T12:00:00Z`; with `.mmm` when the instant is not a whole second.
    public var rfc3339: String {
        let civil = self.civil
        var text = DigitWriter()
        text.date(civil, separator: "-")
        text.append("T")
        text.time(civil)
        if civil.millisecond != 0 {
            text.append(".")
            text.number(civil.millisecond, width: 3)
        }
        text.append("Z")
        return text.string
    }

    public var description: String { rfc3339 }

    /// The form at the end of B2C's error descriptions: `2026-01-15 12:00:00Z`.
    public var b2cText: String {
        let civil = self.civil
        var text = DigitWriter()
        text.date(civil, separator: "-")
        text.append(" ")
        text.time(civil)
        text.append("Z")
        return text.string
    }

    /// The round-trip form of .NET, with seven digits of the second: `2026-01-15T12:00:00.0000000Z`.
    ///
    /// - Parameter rest: What is beyond the millisecond, in units of 100 nanoseconds, below 10,000.
    public func dotNetRoundTrip(rest: Int = 0) -> String {
        let civil = self.civil
        var text = DigitWriter()
        text.date(civil, separator: "-")
        text.append("T")
        text.time(civil)
        text.append(".")
        text.number(civil.millisecond, width: 3)
        text.number(min(max(rest, 0), 9999), width: 4)
        text.append("Z")
        return text.string
    }

    /// The form of `Date` and `Expires`: `Thu, 15 Jan 2026 12:00:00 GMT` (RFC 9110, section 5.6.7).
    public var httpDate: String { httpDate(separator: " ") }

    /// The form in which System.Web writes the time of a cookie, with dashes: `Thu, 15-Jan-2026 12:00:00 GMT`.
    public var cookieDate: String { httpDate(separator: "-") }

    private func httpDate(separator: String) -> String {
        let civil = self.civil
        var text = DigitWriter()
        text.append(Timestamp.weekdays[weekday])
        text.append(", ")
        text.number(civil.day, width: 2)
        text.append(separator)
        text.append(Timestamp.months[civil.month - 1])
        text.append(separator)
        text.number(civil.year, width: 4)
        text.append(" ")
        text.time(civil)
        text.append(" GMT")
        return text.string
    }

    /// Day of the week, Sunday is 0.
    var weekday: Int {
        let days = CivilTime.floorDivide(milliseconds, 86_400_000)
        return Int(((days + 4) % 7 + 7) % 7)
    }

    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads an RFC 3339 date-time. The offset is required; digits of the fraction beyond the third are dropped; a
    /// leap second is refused, as Unix time has none.
    public init?(rfc3339 text: String) {
        var reader = DigitReader(text)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), reader.skip(":"),
            let second = reader.number(digits: 2)
        else { return nil }
        var millisecond = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            millisecond = fraction.milliseconds
        }
        var offset: Int64 = 0
        if !reader.skip("Z") && !reader.skip("z") {
            let negative = reader.skip("-")
            guard negative || reader.skip("+"), let hours = reader.number(digits: 2), hours <= 23, reader.skip(":"),
                let minutes = reader.number(digits: 2), minutes <= 59
            else { return nil }
            offset = Int64(hours * 60 + minutes) * 60_000 * (negative ? -1 : 1)
        }
        let civil = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
        guard reader.isAtEnd, let local = Timestamp(civil) else { return nil }
        self.init(milliseconds: local.milliseconds - offset)
    }

    /// Reads the preferred form of an HTTP date, `Thu, 15 Jan 2026 12:00:00 GMT`. The day of the week is not compared
    /// with the date.
    public init?(httpDate text: String) {
        var reader = DigitReader(text)
        guard let name = reader.letters(3), Timestamp.weekdays.contains(name), reader.skip(","), reader.skip(" "),
            let day = reader.number(digits: 2), reader.skip(" "),
            let monthName = reader.letters(3), let month = Timestamp.months.firstIndex(of: monthName),
            reader.skip(" "), let year = reader.number(digits: 4), reader.skip(" "),
            let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), reader.skip(":"),
            let second = reader.number(digits: 2), reader.skip(" "),
            reader.letters(3) == "GMT", reader.isAtEnd
        else { return nil }
        self.init(
            CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
    }
}
