import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Stands before everything else of a connection and closes one that sends too much before it has said what it wants, or
/// takes too long about it: a handshake that never ends, a request line without end, a body by drops.
final class ConnectionGuard: ChannelInboundHandler, ChannelOutboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the handlers behind it tell of the requests.
    enum Progress: Sendable {
        /// A request head was read whole.
        case head
        /// The body of the request was read whole.
        case end
        /// The connection carries many requests at once; their own protocol has its own limits.
        case multiplexed
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
        // By now the handlers behind have told of whatever was whole in it.
        if bytes > allowed { context.close(promise: nil) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let progress = event as? Progress else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        bytes = 0
        switch progress {
        case .head:
            deadline = .now() + .seconds(Int64(limits.body))
            allowed = limits.controlBodySize + limits.controlBodySize / 4
        case .end:
            // From here on the idle time of the connection counts.
            deadline = nil
            allowed = limits.headerSize + limits.targetLength + 65_536
        case .multiplexed:
            stop()
            allowed = .max
        }
        promise?.succeed(())
    }
}

/// Stands behind the HTTP decoder, tells the guard how requests come along, and turns what cannot be read as a request
/// into the error that is answered with 400.
final class RequestMarker: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    func handlerAdded(context: ChannelHandlerContext) {
        guard Self.isStream(context.channel) else { return }
        context.channel.parent?.pipeline.triggerUserOutboundEvent(ConnectionGuard.Progress.multiplexed, promise: nil)
    }

    /// Whether a channel is one request of a connection that carries many: its parent is the connection, whose parent is
    /// the listening socket.
    static func isStream(_ channel: any Channel) -> Bool { channel.parent?.parent != nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: context.triggerUserOutboundEvent(ConnectionGuard.Progress.head, promise: nil)
        case .end: context.triggerUserOutboundEvent(ConnectionGuard.Progress.end, promise: nil)
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isKnown = error is HTTPParserError || error is ChannelError || error is any CustomNIOError
        context.fireErrorCaught(isKnown ? error : HTTPParserError.unknown)
    }
}

/// Errors of sockets and TLS, after which there is nobody to answer.
private protocol CustomNIOError: Error {}
extension IOError: CustomNIOError {}

/// A channel with a guard before it, whose requests are answered on its own thread.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let limits: Limits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionGuard(limits: limits), position: .first)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}
