import CommandKit
import Synchronization

/// Gives memory back to the system when the server has become idle: what a load or a reset has freed otherwise stays with
/// the process.
struct MemoryKeeper: Watch {
    /// How long nothing may come before it is called idle.
    static let pause = Duration.seconds(5)

    let front: Front
    var giveBack: @Sendable () -> Void = Machine.giveBackMemory

    func run() async {
        var idleness = Idleness()
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.pause) } catch { return }
            if idleness.hasBegun(answered: front.answered.load(ordering: .relaxed)) { giveBack() }
        }
    }

    /// Shows when a pause begins after something was answered: once for each pause, since a second look finds nothing.
    struct Idleness {
        private var last = 0
        private var isIdle = true

        /// - Parameter answered: How many requests were answered so far.
        mutating func hasBegun(answered: Int) -> Bool {
            defer { last = answered }
            guard answered == last else {
                isIdle = false
                return false
            }
            defer { isIdle = true }
            return !isIdle
        }
    }
}
