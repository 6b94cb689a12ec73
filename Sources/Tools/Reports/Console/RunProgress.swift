import ScenarioRunner
import Synchronization

/// Shows the progress of a run: on a terminal one line that is rewritten, elsewhere a plain line for each
/// scenario, in the order of files and cases whatever finishes first.
public final class RunProgress: Sendable {
    /// How it is shown.
    public enum Manner: Sendable {
        /// One line of at most so many columns, rewritten.
        case terminal(columns: Int)
        /// A line a scenario; with its steps when verbose.
        case lines(verbose: Bool)
        /// Not at all.
        case silent
    }

    private struct State {
        var next = 0
        var finished: [RunKey: ScenarioReport] = [:]
        var count = 0
        var failed = 0
        var isOver = false
    }

    private let order: [RunKey]
    private let manner: Manner
    private let maxFailures: Int?
    private let report: ConsoleReport
    private let redaction: Redaction
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - order: all runs in the order of the report.
    ///   - maxFailures: what follows so many failures counts as not run, so it is not shown either; `nil`: everything is.
    ///   - redaction: takes secrets out of what is shown.
    ///   - write: puts a piece of text out.
    public init(
        order: [RunKey], manner: Manner, maxFailures: Int?, style: Style, redaction: Redaction,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.order = order
        self.manner = manner
        self.maxFailures = maxFailures
        self.redaction = redaction
        self.write = write
        report = ConsoleReport(style: style)
    }

    /// Takes an event of the runner.
    public func take(_ event: RunEvent) {
        switch (event, manner) {
        case (_, .silent):
            break
        case (.started(_, let title), .terminal(let columns)):
            state.withLock { state in
                guard !state.isOver else { return }
                write(bar(state, title, columns))
            }
        case (.finished(let scenario), .terminal(let columns)):
            state.withLock { state in
                guard !state.isOver else { return }
                state.count += 1
                if !scenario.status.isGood, scenario.status != .notRun { state.failed += 1 }
                write(bar(state, scenario.title, columns))
            }
        case (.started, .lines):
            break
        case (.finished(let scenario), .lines(let verbose)):
            state.withLock { state in
                state.finished[RunKey(scenario)] = scenario
                while !state.isOver, state.next < order.count,
                    let next = state.finished.removeValue(forKey: order[state.next])
                {
                    state.next += 1
                    let shown = redaction.redacted(next)
                    var lines = [report.line(shown)]
                    if verbose { lines += report.steps(shown) }
                    write(lines.joined(separator: "\n") + "\n")
                    if !next.status.isGood { state.failed += 1 }
                    if let maxFailures, state.failed >= maxFailures { state.isOver = true }
                }
            }
        }
    }

    /// Takes the rewritten line away before the report is written.
    public func end() {
        state.withLock { state in
            state.isOver = true
            if case .terminal = manner { write("\r\u{1b}[K") }
        }
    }

    private func bar(_ state: State, _ title: String, _ columns: Int) -> String {
        let failed = state.failed > 0 ? ", \(state.failed) failed" : ""
        let line = "\(state.count)/\(order.count)\(failed)  \(Shown.text(redaction.redacted(title)))"
        return "\r\u{1b}[K" + String(line.unicodeScalars.prefix(max(columns - 1, 20)).map(Character.init))
    }
}
