import Determinism
import Testing

@Suite struct TimeSpanTests {
    @Test(arguments: [
        ("PT5M", 300_000, "PT5M"), ("-PT5M", -300_000, "-PT5M"), ("P1D", 86_400_000, "P1D"),
        ("-P1D", -86_400_000, "-P1D"), ("P1DT2H3.5S", 93_603_500, "P1DT2H3.5S"), ("P7D", 604_800_000, "P7D"),
        ("P2W", 1_209_600_000, "P14D"), ("PT24H1M", 86_460_000, "P1DT1M"), ("PT61M", 3_660_000, "PT1H1M"),
        ("+PT0S", 0, "PT0S"), ("PT0.001S", 1, "PT0.001S"), ("PT1,25S", 1250, "PT1.25S"), ("PT90S", 90_000, "PT1M30S"),
        ("PT1.5000S", 1500, "PT1.5S"),
    ])
    func `time spans are read and written`(text: String, milliseconds: Int64, canonical: String) throws {
        let span = try #require(TimeSpan(iso8601: text))
        #expect(span.milliseconds == milliseconds)
        #expect(span.iso8601 == canonical)
        #expect(TimeSpan(iso8601: canonical) == span)
    }

    @Test(arguments: [
        "", "P", "PT", "P1DT", "5M", "PT5", "P1Y", "P1M", "P1MT1S", "PT1S1M", "PT1M1M", "PT1.5M", "PT.5S", "PT1.S",
        "P1H", "PT1D", "PT0.0001S", "P1D2W", "pt5m", "PT5M ", "--PT5M", "PT99999999999999999999S",
        "P999999999999999999D", "PTT5M",
    ])
    func `other texts are refused`(text: String) {
        #expect(TimeSpan(iso8601: text) == nil)
    }

    @Test func `arithmetic stops at the ends`() {
        #expect(TimeSpan.days(.max).milliseconds == .max)
        #expect(TimeSpan.hours(.min).milliseconds == .min)
        #expect((-TimeSpan(milliseconds: .min)).milliseconds == .max)
        #expect(TimeSpan.seconds(Double.infinity).milliseconds == .max)
        #expect(TimeSpan.seconds(Double.nan) == .zero)
        #expect(TimeSpan.seconds(1.0005).milliseconds == 1001)
        #expect(TimeSpan(milliseconds: .min).iso8601.hasPrefix("-P"))
        #expect(TimeSpan.minutes(2) * 3 == .minutes(6))
    }
}
