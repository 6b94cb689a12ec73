import Foundation
import Testing

/// Runs the tests of a suite on threads of their own, because they block: they wait until a command has ended.
///
/// Swift's own pool has one thread per core. A test that blocks there stops every other test of the process, and a
/// conversation over a socket in one of them runs into its deadline.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Why a command is not run: its test would block a thread that it shares with others.
    struct Missing: Error, CustomStringConvertible {
        var description: String { "a suite that runs commands must say @Suite(.blocking)" }
    }

    var isRecursive: Bool { true }

    /// Whether the current test may block.
    @TaskLocal static var isActive = false

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.shared) {
            try await Self.$isActive.withValue(true) { try await function() }
        }
    }
}

extension Trait where Self == BlockingTrait {
    /// Gives the tests of a suite threads on which they may block.
    static var blocking: Self { BlockingTrait() }
}

/// As many threads as there are cores; what finds none free waits.
private final class BlockingThreads: TaskExecutor {
    static let shared = BlockingThreads()

    private let jobs = OperationQueue()

    private init() { jobs.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
