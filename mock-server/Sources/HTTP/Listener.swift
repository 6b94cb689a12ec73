import CommandKit
import NIOCore
import NIOPosix

/// Takes connections at one port until it ends.
struct Listener: Sendable {
    /// The port, also when the system chose it.
    let port: Int
    /// It has the port of the listener before it at another address.
    var isTwin = false
    private let channel: any Channel
    private let connections: NIOLoopBound<ConnectionLimit>

    /// Listens.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - connections: How many may be open at a time; more wait in the queue of the system.
    ///   - edge: Sets up each connection.
    ///   - say: Prints a line: why no connection can be taken now.
    /// - Throws: `IOError` when the system does not allow it, such as a port in use.
    static func open(
        host: String, port: Int, connections: Int, _ edge: EdgeChannel,
        say: @escaping @Sendable (String) -> Void = { Machine.error.write($0 + "\n") }
    ) async throws -> Listener {
        let group = MultiThreadedEventLoopGroup.singleton
        let loop = group.next()
        let channel = try await ServerBootstrap(group: loop, childGroup: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Each read takes one connection, so that the limit is exact.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionLimit(connections, say: say))
                }
            }
            .childChannelInitializer { edge.setUp($0) }
            .bind(host: host, port: port).get()
        let limit = try await channel.eventLoop.submit {
            NIOLoopBound(
                try channel.pipeline.syncOperations.handler(type: ConnectionLimit.self), eventLoop: channel.eventLoop)
        }.get()
        return Listener(port: channel.localAddress?.port ?? port, channel: channel, connections: limit)
    }

    /// Stops listening, closes idle connections, and returns when the others have finished their answers.
    ///
    /// What is still open after the time, or when the task is cancelled, is closed.
    func end(within time: TimeAmount) async {
        let ended = channel.eventLoop.makePromise(of: Void.self)
        channel.close(promise: nil)
        channel.eventLoop.execute { connections.value.quiesce(ended) }
        let closing = channel.eventLoop.scheduleTask(in: time) { connections.value.closeAll() }
        await withTaskCancellationHandler {
            try? await ended.futureResult.get()
        } onCancel: {
            channel.eventLoop.execute { connections.value.closeAll() }
        }
        closing.cancel()
    }

    /// Ends all of them side by side.
    static func end(_ listeners: [Listener], within time: TimeAmount) async {
        await withDiscardingTaskGroup { group in
            for listener in listeners { group.addTask { await listener.end(within: time) } }
        }
    }
}
