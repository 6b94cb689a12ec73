import NIOCore

/// Is the first handler of a connection and closes one that sends too much before it has said what it wants, or
/// takes too long about it: a handshake that never ends, a request line without end, a body by drops.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What the handlers behind it report about the requests.
    enum Progress {
        /// A request head was read whole.
        case head
        /// The body of the request was read whole.
        case end
        /// The answer is written, but the other end does not take it.
        case waiting
        /// The answer is gone.
        case answered
    }

    private let limits: Limits
    private var bytes = 0
    private var allowed: Int
    private var deadline: NIODeadline?
    private var watch: RepeatedTask?

    init(limits: Limits) {
        self.limits = limits
        allowed = limits.headerSize + limits.targetLength + 65_536
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = .now() + .seconds(Int64(limits.firstHead))
        let period = TimeAmount.milliseconds(Int64(max(1, min(limits.firstHead, limits.body))) * 250)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let channel = context.channel
        watch = context.eventLoop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in
            if let deadline = bound.value.deadline, deadline < .now() { channel.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    private func stop() {
        watch?.cancel()
        watch = nil
        deadline = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // By now the handlers behind have passed on whatever was whole in it.
        if bytes > allowed {
            context.close(promise: nil)
        } else if bytes < 65_536 {
            // While a request is answered nothing is read behind here. To stop listening to the socket and to begin
            // again costs two system calls a request; a client that sends on meanwhile is read ahead a little.
            context.read()
        }
    }

    /// Takes note of how a request comes along. Called on the thread of the connection.
    func note(_ progress: Progress) {
        bytes = 0
        switch progress {
        case .head:
            deadline = .now() + .seconds(Int64(limits.body))
            allowed = limits.controlBodySize + limits.controlBodySize / 4
        case .end:
            // An answer may take its time.
            deadline = nil
            allowed = limits.headerSize + limits.targetLength + 65_536
        case .waiting:
            deadline = .now() + .seconds(Int64(limits.body))
        case .answered:
            deadline = .now() + .seconds(Int64(limits.idle))
        }
    }
}
