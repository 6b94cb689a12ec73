import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// How a connection is spoken: HTTP/1.1 in the clear, and over TLS HTTP/2 or HTTP/1.1 as the client chooses (ALPN).
///
/// The limits for HTTP/2 are set here: NIO's own end a connection after some 200 control frames within 30 seconds, which
/// libcurl sends within 200 requests.
struct EdgeChannel: Sendable {
    private let service: RequestHandler.Service
    private let tls: NIOSSLContext?

    /// - Parameter tls: Certificates; nil: in the clear.
    init(_ service: RequestHandler.Service, tls: TLSConfiguration?) throws {
        self.service = service
        self.tls = try tls.map { tls in
            var tls = tls
            tls.applicationProtocols = NIOHTTP2SupportedALPNProtocols
            return try NIOSSLContext(configuration: tls)
        }
    }

    /// Adds the handlers of a connection. They answer; no task belongs to it.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
        let watch = ConnectionGuard(limits: service.limits)
        do {
            try channel.pipeline.syncOperations.addHandler(watch)
            guard let tls else {
                try addHTTP1(channel, watch)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        let bound = NIOLoopBound(watch, eventLoop: channel.eventLoop)
        return channel.configureHTTP2SecureUpgrade { channel in
            channel.eventLoop.makeCompletedFuture { try addHTTP2(channel, bound.value) }
        } http1ChannelConfigurator: { channel in
            channel.eventLoop.makeCompletedFuture { try addHTTP1(channel, bound.value) }
        }
    }

    private func addHTTP1(_ channel: any Channel, _ watch: ConnectionGuard) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = service.limits.fieldSize
        limits.maxHeaderListSize = service.limits.headerSize
        limits.maxHeaderFieldCount = service.limits.fieldCount
        var encoder = HTTPResponseEncoder.Configuration()
        encoder.automaticallySetFramingHeaders = false
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: encoder, withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(RequestHandler(service, watch: watch))
    }

    private func addHTTP2(_ channel: any Channel, _ watch: ConnectionGuard) throws {
        watch.note(.multiplexed)
        let service = service
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        var streams = NIOHTTP2Handler.StreamConfiguration()
        let frames = 100_000
        connection.controlFrameRateLimit.maximumCount = frames
        connection.maximumConnectionGlitches = frames
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(
                parameter: .maxHeaderListSize, value: service.limits.headerSize + service.limits.targetLength),
        ]
        streams.streamErrorRateLimit.maximumCount = frames
        streams.streamResetFrameRateLimit.maximumCount = frames
        let pipeline = channel.pipeline.syncOperations
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: streams
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(AuthorityCheck())
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                try pipeline.addHandler(RequestHandler(service, watch: nil))
            }
        }
        try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(Int64(service.limits.idle))))
        try pipeline.addHandler(StreamsGuard())
    }
}

/// Refuses a stream whose `Host` is not its `:authority` (RFC 9113, section 8.3.1), of which the handlers behind see one.
private final class AuthorityCheck: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .headers(let frame) = unwrapInboundIn(data), let authority = frame.headers.first(name: ":authority"),
            frame.headers["host"].contains(where: { $0 != authority })
        {
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        } else {
            context.fireChannelRead(data)
        }
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
