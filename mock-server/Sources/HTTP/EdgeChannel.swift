import NIOCore
import NIOHTTP1
import NIOSSL

/// How a connection is spoken: HTTP/1.1, in the clear or over TLS.
struct EdgeChannel: Sendable {
    private let service: RequestHandler.Service
    private let tls: NIOSSLContext?

    /// - Parameter tls: Certificates; nil: in the clear.
    init(_ service: RequestHandler.Service, tls: TLSConfiguration?) throws {
        self.service = service
        self.tls = try tls.map { tls in
            var tls = tls
            // A client that would rather speak HTTP/2 learns from it that HTTP/1.1 is what it gets (RFC 7301).
            tls.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: tls)
        }
    }

    /// Adds the handlers of a connection. They answer; no task belongs to it.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let watch = ConnectionGuard(limits: service.limits)
            try pipeline.addHandler(watch)
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = service.limits.fieldSize
            limits.maxHeaderListSize = service.limits.headerSize
            limits.maxHeaderFieldCount = service.limits.fieldCount
            var encoder = HTTPResponseEncoder.Configuration()
            encoder.automaticallySetFramingHeaders = false
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: true, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: encoder, withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(RequestHandler(service, watch: watch))
        }
    }
}
