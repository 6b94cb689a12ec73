import Determinism
import Foundation
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-01-15T12:00:00Z", 1_768_478_400_000),
        ("2026-01-15T12:00:00.25Z", 1_768_478_400_250),
        ("2026-01-15T12:00:00.123456789Z", 1_768_478_400_123),
        ("2026-01-15T13:00:00+01:00", 1_768_478_400_000),
        ("2026-01-15t06:30:00-05:30", 1_768_478_400_000),
        ("2000-02-29T00:00:00z", 951_782_400_000),
        ("1969-12-31T23:59:59.999Z", -1),
        ("1600-03-01T00:00:00Z", -11_670_912_000_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ])
    func `texts of RFC 3339 are read`(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-01-15", "2026-01-15T12:00:00", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-15T24:00:00Z", "2026-01-15T12:60:00Z", "2026-01-15T12:00:60Z",
        "2026-01-15T12:00:00.Z", "2026-01-15T12:00:00+1:00", "2026-01-15T12:00:00Zx", "2026-1-15T12:00:00Z",
        "２026-01-15T12:00:00Z", "2026-01-15T12:00:00+24:00", " 2026-01-15T12:00:00Z",
    ])
    func `other texts are refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `every form is written`() {
        let instant = Timestamp(seconds: 1_768_478_400)
        #expect(instant.rfc3339 == "2026-01-15T12:00:00Z")
        #expect(instant.b2cText == "2026-01-15 12:00:00Z")
        #expect(instant.httpDate == "Thu, 15 Jan 2026 12:00:00 GMT")
        #expect(instant.cookieDate == "Thu, 15-Jan-2026 12:00:00 GMT")
        #expect(instant.dotNetRoundTrip() == "2026-01-15T12:00:00.0000000Z")
        #expect(
            Timestamp(milliseconds: instant.milliseconds + 7).dotNetRoundTrip(rest: 42)
                == "2026-01-15T12:00:00.0070042Z")
        #expect(instant.dotNetRoundTrip(rest: .max) == "2026-01-15T12:00:00.0009999Z")
        #expect(Timestamp(milliseconds: 1_768_478_400_007).rfc3339 == "2026-01-15T12:00:00.007Z")
        #expect(Timestamp(milliseconds: -1).httpDate == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(Timestamp(milliseconds: -1).secondsSinceEpoch == -1)
    }

    @Test func `every day of eight centuries is read as it was written`() {
        for day in stride(from: Int64(-150_000), through: 150_000, by: 1) {
            let instant = Timestamp(milliseconds: day * 86_400_000 + 45_296_789)
            #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
        }
    }

    @Test func `HTTP dates are read as they were written`() {
        for seconds in stride(from: Int64(0), through: 4_000_000_000, by: 12_345_678) {
            let instant = Timestamp(seconds: seconds)
            #expect(Timestamp(httpDate: instant.httpDate) == instant)
        }
        #expect(Timestamp(httpDate: "Thursday, 15-Jan-26 12:00:00 GMT") == nil)
        #expect(Timestamp(httpDate: "Thu, 15 Jan 2026 12:00:00 UTC") == nil)
    }

    @Test func `arithmetic stops at the ends`() {
        let last = Timestamp(milliseconds: .max)
        let first = Timestamp(milliseconds: .min)
        #expect(last == .latest && first == .earliest)
        #expect(last + .seconds(1) == last && last + TimeSpan(milliseconds: .max) == last)
        #expect(first - .days(1) == first && first - TimeSpan(milliseconds: .min) == last)
        #expect(Timestamp(seconds: .max) == last && Timestamp(seconds: .min) == first)
        #expect(last - first == TimeSpan(milliseconds: 315_569_519_999_999))
        #expect(Timestamp(seconds: 100) - Timestamp(seconds: 40) == .minutes(1))
    }

    /// What is written is read again, so that a file with an instant at the end of the range is not damaged.
    @Test func `every instant has texts that are read again`() throws {
        for instant in [Timestamp.earliest, .latest, Timestamp(milliseconds: .max) + .days(1), Timestamp(seconds: 0)] {
            #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
            #expect(Timestamp(httpDate: instant.httpDate) == Timestamp(seconds: instant.secondsSinceEpoch))
            #expect(try JSONDecoder().decode(Timestamp.self, from: JSONEncoder().encode(instant)) == instant)
        }
        #expect(Timestamp.earliest.rfc3339 == "0000-01-01T00:00:00Z")
        #expect(Timestamp.latest.rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(rfc3339: "0000-01-01T00:00:00+23:59") == .earliest)
        #expect(Timestamp(rfc3339: "9999-12-31T23:59:59-23:59") == .latest)
        let stored = Data("{\"milliseconds\":\(Int64.max)}".utf8)
        #expect(try JSONDecoder().decode(Timestamp.self, from: stored) == .latest)
    }
}
