import Synchronization

/// Counts the items that calls look at while a test asks for it: twice the accounts must take twice the steps.
final class StepCount: Sendable {
    /// The counter of the task; none outside of tests.
    @TaskLocal static var current: StepCount?

    private let steps = Mutex(0)

    var total: Int { steps.withLock { $0 } }

    func add(_ more: Int) { steps.withLock { $0 += more } }

    static func add(_ more: Int = 1) { current?.add(more) }
}
