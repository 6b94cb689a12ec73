import ScenarioRunner
import Synchronization
import Testing

/// A run in a task that is cancelled.
struct CancellationTests {
    @Test func `what has not begun does not run, and finally does`() async throws {
        let scenario = try Running.scenario(
            """
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios", "cases": { "one": {}, "two": {} },
              "steps": [ { "acquireToken": {}, "user": "ada" } ], "finally": [ { "advanceClock": "PT1M" } ] }
            """)
        let running = Mutex<Task<RunReport, Never>?>(nil)
        let task = Task {
            while running.withLock({ $0 == nil }) { await Task.yield() }
            return await Runner.run([scenario], options: RunOptions(seed: 7, policies: Running.policies)) { _ in
                running.withLock { $0?.cancel() }
            }
        }
        running.withLock { $0 = task }
        let report = await task.value
        #expect(report.scenarios.map(\.status) == [.notRun, .notRun] && !report.isGood)
        #expect(report.scenarios.map(\.reason) == ["cancelled before its end", "cancelled before it"])
        #expect(report.scenarios.first?.steps.map(\.status) == [.notRun, .passed])
    }
}
