import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOSSL
import Synchronization

/// A connection over TLS: HTTP/2 or HTTP/1.1, as the client chooses (ALPN).
///
/// Hummingbird has such a channel too, with limits for HTTP/2 that cannot be set: it ends a connection after some 200
/// control frames within 30 seconds, which libcurl sends within 200 requests.
struct SecureChannel: ServerChildChannel {
    typealias Part = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    typealias Streams = NIOHTTP2Handler.AsyncStreamMultiplexer<Unanswered>

    struct Value: ServerChildChannelValue {
        let negotiated: EventLoopFuture<NIONegotiatedHTTPVersion<Unanswered, Streams>>
        let channel: any Channel
    }

    private let context: NIOSSLContext
    private let plain: HTTP1Channel
    private let limits: Limits

    /// - Parameter plain: What speaks HTTP/1.1 once the connection is secure, and answers requests.
    init(tls: TLSConfiguration, plain: HTTP1Channel, limits: Limits) throws {
        var tls = tls
        tls.applicationProtocols = NIOHTTP2SupportedALPNProtocols
        context = try NIOSSLContext(configuration: tls)
        self.plain = plain
        self.limits = limits
    }

    private var configuration: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        let frames = 100_000
        configuration.connection.controlFrameRateLimit.maximumCount = frames
        configuration.connection.maximumConnectionGlitches = frames
        configuration.stream.streamErrorRateLimit.maximumCount = frames
        configuration.stream.streamResetFrameRateLimit.maximumCount = frames
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerSize + limits.targetLength),
        ]
        return configuration
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return channel.configureHTTP2AsyncSecureUpgrade { channel in
            plain.setup(channel: channel, logger: logger).map { Unanswered($0) }
        } http2ConnectionInitializer: { channel in
            setupStreams(channel, logger)
        }
        .map { Value(negotiated: $0, channel: channel) }
    }

    private func setupStreams(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Streams> {
        channel.eventLoop.makeCompletedFuture {
            let streams = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .server, configuration: configuration
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    try pipeline.addHandler(RequestMarker())
                    try pipeline.addHandler(
                        HTTPConnectionStateHandler(idleTimeout: .seconds(limits.idle), logger: logger))
                    return Unanswered(try Part(wrappingChannelSynchronously: stream))
                }
            }
            try channel.pipeline.syncOperations.addHandler(IdleStateHandler(allTimeout: .seconds(Int64(limits.idle))))
            try channel.pipeline.syncOperations.addHandler(StreamsGuard())
            return streams
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http1_1(let connection):
                if let part = connection.take() { await plain.handle(value: part, logger: logger) }
            case .http2(let streams):
                try await withThrowingDiscardingTaskGroup { group in
                    for try await stream in streams.inbound {
                        group.addTask {
                            if let part = stream.take() { await plain.handle(value: part, logger: logger) }
                        }
                    }
                }
            }
        } catch {
            logger.debug("a secure connection ended: \(error)")
        }
    }
}

/// A connection or stream that nobody has begun to answer.
///
/// NIO stops the process when one is let go of without having been used, and that happens to those which come while the
/// server ends: nobody asks for them any more. They are closed instead.
final class Unanswered: Sendable {
    private let part: Mutex<SecureChannel.Part?>

    init(_ part: SecureChannel.Part) {
        self.part = Mutex(part)
    }

    /// The connection, for whoever comes first.
    func take() -> SecureChannel.Part? {
        part.withLock { part in
            defer { part = nil }
            return part
        }
    }

    deinit {
        guard let part = take() else { return }
        Task { try? await part.executeThenClose { _, _ in } }
    }
}

/// Ends an HTTP/2 connection that is idle or broken, and at the end of the server.
private final class StreamsGuard: ChannelInboundHandler {
    typealias InboundIn = Any

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent, is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
