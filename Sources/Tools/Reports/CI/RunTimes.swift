import Determinism
import ScenarioRunner
import Synchronization

/// How long a run and its scenarios took on the wall clock.
///
/// World time is part of a report and the same in each run; wall time is not, so only texts for people, JUnit XML and
/// Markdown have it.
public final class RunTimes: Sendable {
    private struct Key: Hashable {
        var file: String
        var title: String
    }

    private struct State {
        var started: [Key: TimeSpan] = [:]
        var elapsed: [Key: TimeSpan] = [:]
    }

    private let now: @Sendable () -> TimeSpan
    private let start: TimeSpan
    private let state = Mutex(State())

    /// - Parameter now: Time since any fixed moment, on a clock that never goes back.
    public init(now: @escaping @Sendable () -> TimeSpan) {
        self.now = now
        start = now()
    }

    /// Times of a run that is over.
    ///
    /// - Parameter total: Wall time of the whole run.
    public convenience init(_ scenarios: [(scenario: ScenarioReport, time: TimeSpan)], total: TimeSpan) {
        let clock = Mutex(TimeSpan.zero)
        // The first call is the start, all others are the end.
        self.init(now: {
            clock.withLock { time in
                defer { time = total }; return time
            }
        })
        state.withLock { state in
            for (scenario, time) in scenarios { state.elapsed[Key(file: scenario.file, title: scenario.title)] = time }
        }
    }

    /// Takes an event of the runner.
    public func take(_ event: RunEvent) {
        let time = now()
        state.withLock { state in
            switch event {
            case .started(let file, let title): state.started[Key(file: file, title: title)] = time
            case .finished(let scenario):
                let key = Key(file: scenario.file, title: scenario.title)
                guard let started = state.started.removeValue(forKey: key) else { return }
                state.elapsed[key] = time - started
            }
        }
    }

    /// The time since the start of the run.
    public var total: TimeSpan { now() - start }

    /// The time of a scenario; zero for one that did not run.
    public func time(of scenario: ScenarioReport) -> TimeSpan {
        state.withLock { $0.elapsed[Key(file: scenario.file, title: scenario.title)] ?? .zero }
    }
}
