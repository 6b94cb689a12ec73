import Determinism
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The machine's clock.
struct SystemClock: WallClock {
    func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// The true time of one world: the system's, moved by as much as the control interface said, or frozen at an instant.
///
/// A world that a runner made is frozen from its first instant on: only the runner moves it.
final class WorldTime: WallClock {
    private struct State {
        /// What is added to the system's clock.
        var offset: TimeSpan
        /// The instant at which it stands; `nil` while it runs.
        var frozen: Timestamp?
    }

    private let system: any WallClock
    private let state: Mutex<State>

    /// A clock that runs with the system's.
    init(system: any WallClock = SystemClock()) {
        self.system = system
        state = Mutex(State(offset: .zero, frozen: nil))
    }

    /// A clock that stands until it is moved.
    init(frozenAt instant: Timestamp, system: any WallClock = SystemClock()) {
        self.system = system
        state = Mutex(State(offset: instant - system.now(), frozen: instant))
    }

    func now() -> Timestamp {
        let running = system.now()
        return state.withLock { $0.frozen ?? running + $0.offset }
    }

    var isFrozen: Bool { state.withLock { $0.frozen != nil } }

    /// How far it is ahead of the system's clock.
    var offset: TimeSpan { now() - system.now() }

    /// Moves on by the span; a negative one moves it back.
    func advance(by span: TimeSpan) {
        state.withLock { state in
            state.offset = state.offset + span
            state.frozen = state.frozen.map { $0 + span }
        }
    }

    /// Moves on to the instant; one that has passed changes nothing.
    func advance(to target: Timestamp) {
        let running = system.now()
        state.withLock { state in
            let now = state.frozen ?? running + state.offset
            guard target > now else { return }
            state.offset = target - running
            if state.frozen != nil { state.frozen = target }
        }
    }

    /// Shows this instant from now on, be it earlier or later.
    func set(_ instant: Timestamp) {
        let running = system.now()
        state.withLock { state in
            state.offset = instant - running
            if state.frozen != nil { state.frozen = instant }
        }
    }

    /// Runs with the system's clock again, whatever was done to it.
    func runWithSystem() {
        state.withLock { $0 = State(offset: .zero, frozen: nil) }
    }

    /// Stops, or runs on from where it stands.
    func freeze(_ frozen: Bool) {
        let running = system.now()
        state.withLock { state in
            if frozen, state.frozen == nil { state.frozen = running + state.offset }
            if !frozen, let instant = state.frozen {
                state.offset = instant - running
                state.frozen = nil
            }
        }
    }

    /// Lets a span pass: in the clock where it stands still, in earnest where it runs.
    func pass(_ span: TimeSpan) async {
        guard span > .zero else { return }
        if isFrozen {
            advance(by: span)
        } else {
            try? await Task.sleep(for: .milliseconds(span.milliseconds))
        }
    }
}
