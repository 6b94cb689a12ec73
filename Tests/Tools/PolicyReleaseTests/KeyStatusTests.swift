import Determinism
import PolicyRelease
import Testing

/// Which key of a set is active, which is next, and when there is none.
@Suite struct KeyStatusTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    /// A key by its days from now.
    private static func key(_ kid: String, from begin: Int64? = nil, to end: Int64? = nil, isEnabled: Bool = true)
        -> PolicyKey
    {
        PolicyKey(
            kid: kid, use: .signature, kind: .rsa, activates: begin.map { now + .days($0) },
            expires: end.map { now + .days($0) }, isEnabled: isEnabled)
    }

    /// A set and what is expected of it; days count from now.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var keys: [PolicyKey]
        var active: String?
        var next: String?
        var nextDay: Int64?
        var gapDay: Int64?
        var resumesDay: Int64?

        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "no key", keys: [], gapDay: 0),
        Case(name: "one key without dates", keys: [key("a")], active: "a"),
        Case(name: "it ends", keys: [key("a", to: 45)], active: "a", gapDay: 45),
        Case(
            name: "the next takes over before the end",
            keys: [key("a", from: -300, to: 20), key("b", from: 10, to: 400)],
            active: "a", next: "b", nextDay: 10, gapDay: 400),
        Case(
            name: "the next comes too late", keys: [key("a", to: 10), key("b", from: 20)], active: "a", next: "b",
            nextDay: 20, gapDay: 10, resumesDay: 20),
        Case(
            name: "the date that passed last wins, whatever the order",
            keys: [key("b", from: -1), key("a", from: -30)],
            active: "b"),
        Case(
            name: "a key without date is the safety net", keys: [key("net"), key("a", from: -30, to: 5)], active: "a",
            next: "net", nextDay: 5),
        Case(
            name: "a future key beside the safety net", keys: [key("net"), key("b", from: 3)], active: "net", next: "b",
            nextDay: 3),
        Case(name: "of two without date the first one", keys: [key("a"), key("b")], active: "a"),
        Case(name: "expired", keys: [key("a", to: -1)], gapDay: 0),
        Case(name: "it expires at this moment", keys: [key("a", to: 0)], gapDay: 0),
        Case(name: "it begins at this moment", keys: [key("a", from: 0)], active: "a"),
        Case(name: "disabled", keys: [key("a", isEnabled: false)], gapDay: 0),
        Case(
            name: "a disabled key does not take over", keys: [key("a", to: 9), key("b", from: 5, isEnabled: false)],
            active: "a", gapDay: 9),
        Case(
            name: "not yet active", keys: [key("a", from: 2, to: 30)], next: "a", nextDay: 2, gapDay: 0, resumesDay: 2),
        Case(
            name: "after the later key ends the earlier one is used again",
            keys: [key("a", from: -30), key("b", from: -1, to: 7)], active: "b", next: "a", nextDay: 7),
    ]

    @Test(arguments: cases)
    func `the status follows the documented rules`(_ sample: Case) {
        let status = KeyStatus(KeySet(id: "B2C_1A_K", keys: sample.keys), now: Self.now)
        func day(_ moment: Timestamp?) -> Int64? { moment.map { ($0 - Self.now).milliseconds / 86_400_000 } }
        #expect(status.active?.kid == sample.active)
        #expect(status.next?.key.kid == sample.next)
        #expect(day(status.next?.begins) == sample.nextDay)
        #expect(day(status.gap) == sample.gapDay)
        #expect(day(status.resumes) == sample.resumesDay)
        #expect(status.daysToGap(now: Self.now) == sample.gapDay)
    }

    @Test(
        arguments: [
            ([], "it has no keys"),
            ([key("a", to: -1)], "all its keys have expired"),
            ([key("a", isEnabled: false)], "all its keys are disabled"),
            ([key("a", to: -1), key("b", isEnabled: false)], "its keys have expired or are disabled"),
            ([key("a", from: 1)], "its next key becomes active on 2027-01-16T08:00:00Z"),
        ] as [([PolicyKey], String)])
    func `a set without active key has a reason`(keys: [PolicyKey], reason: String) {
        #expect(KeyStatus(KeySet(id: "B2C_1A_K", keys: keys), now: Self.now).reason == reason)
    }

    @Test func `an expired key that is disabled too counts as expired`() {
        let set = KeySet(
            id: "B2C_1A_K", keys: [Self.key("a", to: -1, isEnabled: false), Self.key("b", isEnabled: false)])
        let status = KeyStatus(set, now: Self.now)
        #expect(status.expired.map(\.kid) == ["a"])
        #expect(status.disabled.map(\.kid) == ["b"])
    }
}
