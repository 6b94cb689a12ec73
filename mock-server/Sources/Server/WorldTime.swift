import Determinism
import Synchronization

/// The true time of one world: the system's, moved by as much as the control interface said, or frozen at an instant.
///
/// A world that a runner made is frozen from its first instant on: only the runner moves it.
final class WorldTime: WallClock {
    /// What it makes of the system's clock.
    struct Clock: Sendable, Equatable {
        /// What is added to the system's clock.
        var offset = TimeSpan.zero
        /// The instant at which it stands; `nil` while it runs.
        var frozen: Timestamp?
    }

    private struct State {
        var setting: Clock
        /// The setting that `takeChange` returned last.
        var told: Clock

        init(_ setting: Clock) {
            self.setting = setting
            told = setting
        }
    }

    let system: any WallClock
    private let state: Mutex<State>

    /// A clock that runs with the system's.
    init(_ setting: Clock = Clock(), system: any WallClock = RealTime()) {
        self.system = system
        state = Mutex(State(setting))
    }

    /// A clock that stands until it is moved.
    init(frozenAt instant: Timestamp, system: any WallClock = RealTime()) {
        self.system = system
        state = Mutex(State(Clock(offset: instant - system.now(), frozen: instant)))
    }

    /// The setting, if it is another than when it was last asked.
    func takeChange() -> Clock? {
        state.withLock { state in
            guard state.setting != state.told else { return nil }
            state.told = state.setting
            return state.setting
        }
    }

    func now() -> Timestamp {
        let running = system.now()
        return state.withLock { $0.setting.frozen ?? running + $0.setting.offset }
    }

    var isFrozen: Bool { state.withLock { $0.setting.frozen != nil } }

    /// How far it is ahead of the system's clock.
    var offset: TimeSpan { now() - system.now() }

    /// Moves on by the span; a negative one moves it back.
    func advance(by span: TimeSpan) {
        state.withLock { state in
            state.setting.offset = state.setting.offset + span
            state.setting.frozen = state.setting.frozen.map { $0 + span }
        }
    }

    /// Moves on to the instant; one that has passed changes nothing.
    func advance(to target: Timestamp) {
        let running = system.now()
        state.withLock { state in
            let now = state.setting.frozen ?? running + state.setting.offset
            guard target > now else { return }
            state.setting.offset = target - running
            if state.setting.frozen != nil { state.setting.frozen = target }
        }
    }

    /// Shows this instant from now on, whether it is earlier or later.
    func set(_ instant: Timestamp) {
        let running = system.now()
        state.withLock { state in
            state.setting.offset = instant - running
            if state.setting.frozen != nil { state.setting.frozen = instant }
        }
    }

    /// Runs ahead of the system's clock by the span from now on, or behind it.
    func setSkew(_ skew: TimeSpan) { set(system.now() + skew) }

    /// Runs with the system's clock again, whatever was done to it.
    func runWithSystem() {
        state.withLock { $0.setting = Clock() }
    }

    /// Stops, or runs on from its present time.
    func freeze(_ frozen: Bool) {
        let running = system.now()
        state.withLock { state in
            if frozen, state.setting.frozen == nil { state.setting.frozen = running + state.setting.offset }
            if !frozen, let instant = state.setting.frozen {
                state.setting.offset = instant - running
                state.setting.frozen = nil
            }
        }
    }

    /// Lets a span pass: moves a clock that stands still, and waits for one that runs.
    func pass(_ span: TimeSpan) async {
        guard span > .zero else { return }
        if isFrozen {
            advance(by: span)
        } else {
            try? await Task.sleep(for: .milliseconds(span.milliseconds))
        }
    }
}
