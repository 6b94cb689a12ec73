import Determinism
import Testing

@Suite struct ClockTests {
    let start = Timestamp(seconds: 1_768_478_400)

    @Test func `time never goes back`() {
        let time = VirtualTime(start)
        time.advance(by: .minutes(5))
        time.advance(by: -TimeSpan.minutes(10))
        time.advance(to: start)
        #expect(time.now == start + .minutes(5))
        time.advance(to: start + .hours(1))
        #expect(time.now == start + .hours(1))
    }

    @Test func `clocks differ by skew and rate`() {
        let time = VirtualTime(start)
        let ahead = SkewedClock(time, skew: .minutes(11), since: start)
        let fast = SkewedClock(time, skew: -TimeSpan.seconds(30), rate: 2, since: start)
        let broken = SkewedClock(time, rate: .nan, since: start)
        #expect(ahead.now() == start + .minutes(11))
        #expect(fast.now() == start - .seconds(30))
        time.advance(by: .hours(1))
        #expect(ahead.now() == start + .minutes(71))
        #expect(fast.now() == start + .hours(2) - .seconds(30))
        #expect(broken.now() == start + .hours(1))
    }
}
