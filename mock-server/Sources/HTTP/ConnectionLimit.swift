import CommandKit
import NIOCore

/// Stops taking connections when enough are open, and goes on when one of them closes. At the end it waits for the last one.
final class ConnectionLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    /// Prints a line.
    private let say: (String) -> Void
    /// The system gives no connection, and that was said.
    private var isTroubled = false
    private var open: [ObjectIdentifier: any Channel] = [:]
    private var context: ChannelHandlerContext?
    /// The listening socket is not read until a connection closes.
    private var isFull = false
    private var isClosing = false
    /// Kept from the time when no more connections are taken.
    private var ended: EventLoopPromise<Void>?

    init(_ limit: Int, say: @escaping (String) -> Void) {
        self.limit = limit
        self.say = say
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        isTroubled = false
        open[ObjectIdentifier(channel)] = channel
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        channel.closeFuture.hop(to: context.eventLoop).whenComplete { _ in bound.value.forget(channel) }
        context.fireChannelRead(data)
        // It was taken while the listener closed.
        if isClosing || ended != nil { channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError { pause(context, FileSystem.Problem(errno: error.errnoCode)) }
        context.fireErrorCaught(error)
    }

    /// Stops for a moment if the machine gives no connection: the same one is there again at once, and without a pause the
    /// thread would do nothing else.
    private func pause(_ context: ChannelHandlerContext, _ problem: FileSystem.Problem) {
        guard problem.isOfMachine else { return }
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.scheduleTask(in: .milliseconds(100)) { _ = channel.setOption(.autoRead, value: true) }
        guard !isTroubled else { return }
        isTroubled = true
        say("mock-server: no connection can be taken now: \(problem.text). Clients wait, and the server tries again")
    }

    func read(context: ChannelHandlerContext) {
        if open.count < limit {
            context.read()
        } else {
            isFull = true
        }
    }

    private func forget(_ channel: any Channel) {
        open[ObjectIdentifier(channel)] = nil
        if open.isEmpty { ended?.succeed() }
        guard isFull, open.count < limit else { return }
        isFull = false
        context?.read()
    }

    /// Asks each connection to end after the answer that it is at, now that the listener closes. Called once, on the thread of
    /// the listener.
    ///
    /// - Parameter ended: Kept when none is open.
    func quiesce(_ ended: EventLoopPromise<Void>) {
        self.ended = ended
        for channel in open.values { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        if open.isEmpty { ended.succeed() }
    }

    /// Closes every connection, also those that are still to come. Called on the thread of the listener.
    func closeAll() {
        isClosing = true
        for channel in open.values { channel.close(promise: nil) }
    }
}
