import Synchronization

/// Something that knows the time. Code that needs the time is given one of these.
public protocol WallClock: Sendable {
    func now() -> Timestamp
}

/// The true time of one world. It stands still until somebody moves it, and never goes back.
///
/// It is shared by everything in its world, so it is a class with a lock, not a value.
public final class VirtualTime: Sendable {
    private let instant: Mutex<Timestamp>

    public init(_ start: Timestamp) {
        instant = Mutex(start)
    }

    public var now: Timestamp { instant.withLock { $0 } }

    /// Moves on by the span; a negative one changes nothing.
    public func advance(by span: TimeSpan) {
        guard span > .zero else { return }
        instant.withLock { $0 += span }
    }

    /// Moves on to the instant; one that has passed changes nothing.
    public func advance(to target: Timestamp) {
        instant.withLock { $0 = max($0, target) }
    }
}

extension VirtualTime {
    /// The same as a clock.
    public var clock: any WallClock { SkewedClock(self, since: now) }
}

/// The clock on somebody's wall: true time, put forward or back by `skew`, running `rate` times as fast since `since`.
public struct SkewedClock: WallClock {
    private enum Base: Sendable {
        case virtual(VirtualTime)
        case other(any WallClock)

        var now: Timestamp {
            switch self {
            case .virtual(let time): time.now
            case .other(let clock): clock.now()
            }
        }
    }

    private let base: Base
    public let skew: TimeSpan
    public let rate: Double
    public let since: Timestamp

    /// - Parameters:
    ///   - skew: How much the clock is ahead; negative when it is behind.
    ///   - rate: 1 for a good clock, 2 for one that runs twice as fast. Not a finite number counts as 1.
    ///   - since: The true time at which the clock differed by `skew` alone; the rate counts from there.
    public init(_ base: VirtualTime, skew: TimeSpan = .zero, rate: Double = 1, since: Timestamp) {
        self.init(base: .virtual(base), skew: skew, rate: rate, since: since)
    }

    /// The same over any other clock, such as a system's.
    public init(_ base: any WallClock, skew: TimeSpan = .zero, rate: Double = 1, since: Timestamp) {
        self.init(base: .other(base), skew: skew, rate: rate, since: since)
    }

    private init(base: Base, skew: TimeSpan, rate: Double, since: Timestamp) {
        self.base = base
        self.skew = skew
        self.rate = rate.isFinite ? rate : 1
        self.since = since
    }

    public func now() -> Timestamp {
        let trueTime = base.now
        guard rate != 1 else { return trueTime + skew }
        let passed = TimeSpan.seconds((trueTime - since).seconds * rate)
        return since + passed + skew
    }
}
