import NIOCore

/// Runs the tasks of a connection on the thread that reads and writes it.
///
/// Without it each request changes threads a dozen times, between the loop that has the socket and the pool that runs
/// tasks; over loopback that costs more than answering does. Actors without an executor of their own run here too.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
