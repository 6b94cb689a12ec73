import CommandKit

/// Ends the server when the process that started it has ended, however that ended: nobody else would.
///
/// A process whose parent has ended gets another one. That holds on Linux and macOS, for a parent that was killed too,
/// and, unlike the signal of `prctl(PR_SET_PDEATHSIG)`, does not come when only the thread ends that started it.
struct ParentWatch: Sendable {
    /// How often it looks.
    static let pause = Duration.milliseconds(250)

    /// The process that was the server's parent at the first look.
    let parent: Int32
    /// The process that started the server, by its own word: it may have ended before the first look, or have started the
    /// server by way of another program. `nil`: it did not say.
    var starter: Int32?
    /// The temporary folder of that process, which goes with it.
    var folder: String?
    /// The process that counts as its parent now.
    var current: @Sendable () -> Int32 = { Machine.parentID }
    /// Whether there is such a process.
    var isRunning: @Sendable (Int32) -> Bool = Machine.isRunning
    /// Waits between two looks.
    var rest: @Sendable () async throws -> Void = { try await Task.sleep(for: Self.pause) }

    /// What the environment says of the process that started this one.
    static func ofEnvironment() throws -> ParentWatch {
        let starter = try EnvironmentOption.number(Machine.parentVariable, as: Int32.self)
        if let starter, starter <= 0 {
            throw Failure.usage("\(Machine.parentVariable) is \(starter), expected the id of a process")
        }
        return ParentWatch(
            parent: Machine.firstParentID, starter: starter, folder: Machine.environment("B2C_PARENT_FOLDER"))
    }

    private var hasEnded: Bool {
        if current() != parent { return true }
        guard let starter, starter != parent else { return false }
        // The system's first process takes those whose parent has ended.
        return parent == 1 || !isRunning(starter)
    }

    /// Returns when the parent has ended, or when the task is cancelled.
    func wait() async {
        while !Task.isCancelled, !hasEnded {
            do { try await rest() } catch { return }
        }
    }

    /// Removes the folder if nobody else can any more. It must have a name that the kits give.
    func cleanUp() {
        guard let folder, FilePath.name(folder).hasPrefix("b2c-"), hasEnded else { return }
        FileSystem.removeFolder(folder)
    }
}
