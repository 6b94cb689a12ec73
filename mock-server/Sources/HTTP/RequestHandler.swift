import HTTPMessages
import NIOCore
import NIOHTTP1

/// Takes the requests of one connection and answers them on the thread that reads and writes it.
///
/// It follows NIO's pipelining handler, which keeps the next request back until this one is
/// answered and ends the connection when the server does.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Who answers, and what one request may be.
    struct Service: Sendable {
        var front: any Answering
        var limits: Limits
        /// `https` where the connection is secure, else `http`.
        var scheme: String
        /// Whether it is the console's port.
        var isConsole = false
    }

    private let service: Service
    /// What watches the connection.
    private let watch: ConnectionGuard
    private var context: ChannelHandlerContext?
    private var executor: LoopExecutor?

    /// The request that is being read; nil between requests, and when it is answered already and its rest dropped.
    private var incoming: IncomingRequest?
    private var head: HTTPRequestHead?
    /// Bytes that the body may have.
    private var limit = 0
    /// From the decision what to answer until the last of it is written.
    private var isAnswering = false
    /// The end of an answer, which waits until the other end has taken what came before it.
    private var pendingEnd: End?
    /// Answers that are not with the socket yet.
    private var unsent = 0
    /// Nothing more is answered on this connection after the answer that is being made.
    private var isLast = false
    /// The other end sends nothing more.
    private var inputIsClosed = false
    /// What came was not HTTP; nothing that comes after it is read.
    private var isMalformed = false
    /// Sends pieces for as long as there are any.
    private var stream: Task<Void, Never>?

    init(_ service: Service, watch: ConnectionGuard) {
        self.service = service
        self.watch = watch
    }

    // MARK: What comes

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        executor = LoopExecutor(context.eventLoop)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        context = nil
        incoming = nil
        stream?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isMalformed else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Input after the last request is ignored (RFC 9112, section 9.6).
            if !isLast { begin(head, context) }
        case .body(let part):
            guard incoming != nil else { return }
            if (incoming?.body.count ?? 0) + part.readableBytes > limit {
                if let incoming {
                    refuse(Front.tooLarge(limit: limit, for: incoming))
                }
            } else {
                incoming?.body.append(contentsOf: part.readableBytesView)
            }
        case .end:
            // What was refused early may be answered already.
            watch.note(incoming == nil && !isAnswering ? .answered : .end)
            guard let incoming else { return }
            self.incoming = nil
            isAnswering = true
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let front = service.front
            guard !Front.isControl(incoming.target) else {
                // What the control API writes out may be large: the other connections of this thread do not wait for it.
                let loop = context.eventLoop
                Task {
                    let answer = await front.answer(incoming)
                    loop.execute { bound.value.write(answer) }
                }
                return
            }
            Task(executorPreference: executor) {
                let answer = await front.answer(incoming)
                bound.value.write(answer)
            }
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        watch.note(.head)
        self.head = head
        isLast = !head.isKeepAlive
        let read = RequestFields(head.headers)
        var peer = ""
        if Front.isControl(head.uri) || Front.isStart(head.uri) {
            peer = context.channel.remoteAddress?.ipAddress ?? ""
        }
        let incoming = IncomingRequest(
            method: head.method.rawValue, scheme: service.scheme, host: read.host, target: head.uri,
            headers: read.headers, body: [], peer: peer, isLoopback: HTTPEdge.isLoopback(peer),
            isConsole: service.isConsole)
        self.incoming = incoming
        var problem: ResponseMessage?
        // Who may not call sends no body of 32 MB first.
        switch service.front.admission(incoming, service.limits) {
        case .body(let limit):
            self.limit = limit
            problem = read.problem(limit: limit, of: incoming)
        case .refused(let refusal):
            limit = 0
            problem = refusal
        }
        if let problem {
            // A sender that waits for a sign to go on does not send the body now.
            if read.expectsContinue { isLast = true }
            refuse(problem)
        } else if read.expectsContinue, head.version != .http1_0 {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: head.version, status: .continue))), promise: nil)
        }
    }

    /// Answers before the request is whole; what is left of it is dropped as it comes.
    private func refuse(_ problem: ResponseMessage) {
        guard let incoming, let context else { return }
        self.incoming = nil
        isAnswering = true
        service.front.refused(incoming, status: problem.status)
        // Not at once: many refused requests in one piece would be answered one within the other.
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.write(.message(problem)) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        inputIsClosed = true
        if stream == nil {
            closeIfOver()
        } else {
            // It has no end that could be waited for.
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        // Of sockets: there is nobody to answer.
        case is IOError, is ChannelError: context.close(promise: nil)
        // Of TLS, such as a handshake that is cut off. The pipelining handler takes an answer without a request only to
        // what the decoder could not read.
        case _ where !(error is HTTPParserError): context.close(promise: nil)
        default:
            // The decoder calls it an error too when something comes after the last request.
            guard !isMalformed, incoming != nil || !isLast else { return }
            isMalformed = true
            isLast = true
            incoming = nil
            // What is answered already is not answered again.
            guard !isAnswering else { return }
            isAnswering = true
            head = nil
            write(.message(Front.problem(400, "what came cannot be read as an HTTP request")))
        }
    }

    // MARK: What goes

    /// How the other end knows where a body ends.
    private enum Framing {
        case length(Int)
        case chunks
        /// There is no body, or it ends with the connection.
        case none
    }

    /// Whether it has to be found out when the end of an answer is with the socket: where it is more than a sign of ours.
    private enum End {
        case silent, told
    }

    private func write(_ answer: ServerAnswer) {
        guard let context else { return }
        switch answer {
        case .drop:
            context.close(promise: nil)
        case .message(let message):
            let allowsBody = message.status >= 200 && message.status != 204 && message.status != 304
            let framing = !allowsBody ? Framing.none : .length(message.body.count)
            let hasBody = allowsBody && !message.body.isEmpty && head?.method != .HEAD
            let sent = sending(context)
            writeHead(
                status: message.status, message.headers, framing: framing, to: context, sent: hasBody ? nil : sent)
            if hasBody {
                let buffer = context.channel.allocator.buffer(bytes: message.body)
                context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: sent)
            }
            writeEnd(.silent)
        case .stream(let status, let headers, let chunks):
            let isHead = head?.method == .HEAD
            if head?.version == .http1_0 { isLast = true }
            writeHead(
                status: status, headers, framing: isLast || isHead ? .none : .chunks, to: context, sent: nil)
            if isHead {
                writeEnd(.told)
                return
            }
            context.flush()
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let channel = context.channel
            stream = Task(executorPreference: executor) {
                for await chunk in chunks {
                    let part = HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(bytes: chunk)))
                    // It returns when the other end has room for more.
                    guard (try? await channel.writeAndFlush(part)) != nil else { return }
                }
                bound.value.streamEnded()
            }
        }
    }

    private func streamEnded() {
        stream = nil
        writeEnd(.told)
    }

    private func writeHead(
        status: Int, _ headers: Headers, framing: Framing, to context: ChannelHandlerContext,
        sent: EventLoopPromise<Void>?
    ) {
        var fields = ResponseFields.list(headers)
        switch framing {
        case .length(let length): fields.append(("Content-Length", String(length)))
        case .chunks: fields.append(("Transfer-Encoding", "chunked"))
        case .none: break
        }
        if isLast {
            fields.append(("Connection", "close"))
        } else if head?.version == .http1_0 {
            fields.append(("Connection", "keep-alive"))
        }
        let status = HTTPResponseStatus(statusCode: (100...999).contains(status) ? status : 500)
        context.write(
            wrapOutboundOut(
                .head(
                    HTTPResponseHead(
                        version: head?.version ?? .http1_1, status: status, headers: HTTPHeaders(fields)))),
            promise: sent)
    }

    private func writeEnd(_ end: End) {
        guard let context else { return }
        guard context.channel.isWritable else {
            pendingEnd = end
            watch.note(.waiting)
            context.flush()
            return
        }
        isAnswering = false
        watch.note(.answered)
        // Within this the next request may begin.
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: end == .told ? sending(context) : nil)
        closeIfOver()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if let end = pendingEnd, context.channel.isWritable {
            pendingEnd = nil
            writeEnd(end)
        }
        context.fireChannelWritabilityChanged()
    }

    /// Told once the last of an answer is with the socket, or is lost.
    private func sending(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        unsent += 1
        let sent = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        sent.futureResult.whenComplete { _ in
            bound.value.unsent -= 1
            bound.value.closeIfOver()
        }
        return sent
    }

    /// Closes a connection on which nothing more is to come or to be answered. Where the other end may still send, only
    /// half of it: a connection that is closed with something unread takes back the answer.
    private func closeIfOver() {
        guard !isAnswering, unsent == 0 else { return }
        if inputIsClosed {
            context?.close(promise: nil)
        } else if isLast, incoming == nil {
            context?.close(mode: .output, promise: nil)
        }
    }
}
