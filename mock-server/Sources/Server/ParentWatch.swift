import CommandKit

/// Ends the server when the process that started it has ended, however that ended: nobody else would.
///
/// A process whose parent has ended gets another one. That holds on Linux and macOS, for a parent that was killed too,
/// and, unlike the signal of `prctl(PR_SET_PDEATHSIG)`, does not come when only the thread ends that started it.
struct ParentWatch: Sendable {
    /// How often it looks.
    static let pause = Duration.milliseconds(250)

    /// The process that started the server.
    let parent: Int32
    /// The process that counts as its parent now.
    var current: @Sendable () -> Int32 = { Machine.parentID }
    /// Waits between two looks.
    var rest: @Sendable () async throws -> Void = { try await Task.sleep(for: Self.pause) }

    /// Returns when the parent has ended, or when the task is cancelled.
    func wait() async {
        while !Task.isCancelled, current() == parent {
            do { try await rest() } catch { return }
        }
    }
}
