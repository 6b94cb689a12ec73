/// A moment on the proleptic Gregorian calendar in UTC, field by field.
///
/// The calendar is computed here and not by Foundation: its calendars read the system's locale and time zone.
public struct CivilTime: Hashable, Sendable {
    /// The year; 1 BC is 0.
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 59; leap seconds do not exist in Unix time.
    public var second: Int
    /// 0 to 999.
    public var millisecond: Int

    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// Whether every field is in range and the day exists in that month.
    public var isValid: Bool {
        (0...9999).contains(year) && (1...12).contains(month)
            && day >= 1 && day <= CivilTime.daysInMonth(month, of: year)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
            && (0...999).contains(millisecond)
    }

    /// The number of days in a month; 0 when there is no such month.
    public static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: 31
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 0
        }
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    // Years are counted from March, so the leap day is the last of its year, and in eras of 400 years, which all have
    // the same number of days.
    static let daysPerEra: Int64 = 146_097
    static let daysFromMarchOfYear0ToUnixEpoch: Int64 = 719_468

    static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
        a / b - (a % b < 0 ? 1 : 0)
    }

    /// From 0 up to and without `b`, which is positive.
    static func floorRemainder(_ a: Int64, _ b: Int64) -> Int64 {
        let remainder = a % b
        return remainder < 0 ? remainder + b : remainder
    }

    /// Days since 1970-01-01 of the date; the fields must be in range.
    var daysSinceEpoch: Int64 {
        let year = Int64(self.year) - (month <= 2 ? 1 : 0)
        let era = CivilTime.floorDivide(year, 400)
        let yearOfEra = year - era * 400
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * CivilTime.daysPerEra + dayOfEra - CivilTime.daysFromMarchOfYear0ToUnixEpoch
    }

    /// The date of a day counted from 1970-01-01.
    static func date(daysSinceEpoch days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + daysFromMarchOfYear0ToUnixEpoch
        let era = floorDivide(shifted, daysPerEra)
        let dayOfEra = shifted - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(day))
    }
}
