import NIOCore

/// Something that runs beside the listeners until its task is cancelled. When it throws, the server ends with that error.
protocol Watch: Sendable {
    func run() async throws
}

/// A server from the first connection to the last.
struct Lifetime: Sendable {
    var listeners: [Listener]
    var watches: [any Watch] = []
    /// How long connections have to finish their answers when the server stops: a stream of events has no end.
    var grace = TimeAmount.seconds(3)

    /// Serves until `stop` returns, then ends the listeners, and the watches after them.
    ///
    /// - Parameter stop: Also returns when its task is cancelled.
    /// - Throws: The error of a watch. Every connection is closed at once then.
    func run(until stop: @escaping @Sendable () async -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for watch in watches {
                group.addTask {
                    try await watch.run()
                    return false
                }
            }
            group.addTask {
                await stop()
                await Listener.end(listeners, within: grace)
                return true
            }
            defer { group.cancelAll() }
            while let hasEnded = try await group.next(), !hasEnded {}
        }
    }
}
