import HTTPMessages
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// Puts the front on the network: HTTP/1.1, and over TLS also HTTP/2.
struct HTTPEdge: Sendable {
    let front: any Answering
    let limits: Limits
    let logger: Logger

    /// A service that listens at an address.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - tls: Certificates; nil: in the clear.
    ///   - onReady: Told the port once connections are taken.
    func listener(
        host: String, port: Int, tls: TLSConfiguration?, onReady: @escaping @Sendable (Int) async -> Void
    ) throws -> any Service {
        let scheme = tls == nil ? "http" : "https"
        let streams = HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestMarker()], idleTimeout: .seconds(Int64(limits.idle)),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.fieldSize, maxHeaderListSize: limits.headerSize,
                maxHeaderFieldCount: limits.fieldCount))
        let limits = self.limits
        let builder = HTTPServerBuilder { responder in
            guard let tls else {
                return GuardedChannel(
                    base: HTTP1Channel(responder: responder, configuration: streams), limits: limits)
            }
            return GuardedChannel(
                base: try SecureChannel(
                    tls: tls, plain: HTTP1Channel(responder: responder, configuration: streams), limits: limits),
                limits: limits)
        }
        return try builder.buildServer(
            configuration: ServerConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
            responder: { request, writer, channel in
                try await self.respond(to: request, writer, channel, scheme: scheme)
            },
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) })
    }

    // MARK: One request

    private func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel, scheme: String
    ) async throws {
        let isStream = RequestMarker.isStream(channel)
        var incoming = incoming(request, channel, scheme: scheme, isStream: isStream)
        let limit = incoming.target.hasPrefix("/_b2c") ? limits.controlBodySize : limits.bodySize
        let isHead = incoming.method == "HEAD"
        if let problem = problem(request, limit: limit) {
            front.refused(incoming, status: problem.status)
            try await write(problem, writer, isStream: isStream, isHead: isHead)
            return
        }
        if request.headers[.expect]?.asciiLowercased == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        do {
            incoming.body = try await body(of: request, limit: limit)
        } catch is TooLarge {
            front.refused(incoming, status: 413)
            try await write(
                Front.problem(413, "the body is larger than \(limit) bytes"), writer, isStream: isStream,
                isHead: isHead)
            return
        }
        switch await front.answer(incoming) {
        case .message(let message):
            try await write(message, writer, isStream: isStream, isHead: isHead)
        case .stream(let status, let headers, let chunks):
            var body = try await writer.writeHead(head(status, headers, length: nil))
            try await body.write(ByteBuffer())
            for await chunk in chunks { try await body.write(ByteBuffer(bytes: chunk)) }
            try await body.finish(nil)
        case .drop:
            // On a connection for many requests only this one ends.
            channel.close(promise: nil)
        }
    }

    private func incoming(
        _ request: Request, _ channel: any Channel, scheme: String, isStream: Bool
    ) -> IncomingRequest {
        var headers = Headers()
        headers.fields.reserveCapacity(request.headers.count + 1)
        var cookies: [String] = []
        for field in request.headers {
            // HTTP/2 may send the cookies one by one (RFC 9113, section 8.2.3).
            if field.name == .cookie {
                cookies.append(field.value)
            } else {
                headers.append(field.name.rawName, field.value)
            }
        }
        if !cookies.isEmpty { headers.append("Cookie", cookies.joined(separator: "; ")) }
        let target = request.head.path ?? ""
        var peer = ""
        if target.hasPrefix("/_b2c") {
            peer = (isStream ? channel.parent?.remoteAddress : channel.remoteAddress)?.ipAddress ?? ""
        }
        return IncomingRequest(
            method: request.method.rawValue, scheme: scheme, host: request.head.authority ?? "", target: target,
            headers: headers, body: [], peer: peer, isLoopback: Self.isLoopback(peer))
    }

    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }

    /// What is wrong with a head, before its body is read.
    private func problem(_ request: Request, limit: Int) -> ResponseMessage? {
        if request.headers[values: .init("Host") ?? .accept].count > (request.head.authority == nil ? 1 : 0),
            request.headers[.init("Host") ?? .accept] != request.head.authority
        {
            return Front.problem(400, "there is more than one Host field")
        }
        if let text = request.headers[.contentLength] {
            guard let length = Int(text), length >= 0 else {
                return Front.problem(400, "Content-Length is no number")
            }
            if length > limit { return Front.problem(413, "the body is larger than \(limit) bytes") }
        }
        if let encoding = request.headers[.contentEncoding], encoding.asciiLowercased != "identity" {
            return Front.problem(415, "bodies are not taken in content encoding \(encoding)")
        }
        return nil
    }

    private struct TooLarge: Error {}

    private func body(of request: Request, limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in request.body {
            guard bytes.count + part.readableBytes <= limit else { throw TooLarge() }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    // MARK: Writing

    private func write(
        _ message: ResponseMessage, _ writer: consuming ResponseWriter, isStream: Bool, isHead: Bool
    ) async throws {
        let allowsBody = message.status >= 200 && message.status != 204 && message.status != 304
        // Over HTTP/2 the end of the stream tells the length. With both, libcurl resets a stream whose body it has whole
        // before the empty frame at its end, and the server takes too many resets for an attack.
        let length = isStream || !allowsBody ? nil : message.body.count
        let head = head(message.status, message.headers, length: length)
        if isHead || !allowsBody || message.body.isEmpty {
            try await writer.writeResponse(head)
        } else {
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: message.body)))
        }
    }

    /// The names that answers of the authority have, read once: a page has some thirty fields.
    private static let names: [String: HTTPField.Name] = Dictionary(
        uniqueKeysWithValues: [
            "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods",
            "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Allow", "Cache-Control",
            "Content-Security-Policy-Report-Only", "Content-Type", "Date", "Expires", "Location", "Pragma", "Public",
            "Set-Cookie", "Strict-Transport-Security", "Vary", "X-Build", "X-Content-Type-Options", "X-Frame-Options",
            "X-Request-ID", "X-UA-Compatible", "X-XSS-Protection", "x-ms-gateway-requestid",
        ].compactMap { text in HTTPField.Name(text).map { (text, $0) } })

    private func head(_ status: Int, _ headers: Headers, length: Int?) -> HTTPResponse {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.fields.count + 1)
        for field in headers.fields {
            guard let name = Self.names[field.name] ?? HTTPField.Name(field.name), name != .contentLength else {
                continue
            }
            fields.append(HTTPField(name: name, value: field.value))
        }
        if let length { fields.append(HTTPField(name: .contentLength, value: String(length))) }
        return HTTPResponse(status: .init(code: (100...999).contains(status) ? status : 500), headerFields: fields)
    }
}
