import HTTPMessages
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a loopback peer does with a request.
public enum LoopbackReply: Sendable {
    case response(ResponseMessage)
    /// These bytes, then the end of the connection.
    case raw([UInt8])
    /// The end of the connection without an answer.
    case drop
    /// Nothing, for as long as the caller holds the connection.
    case silence
}

/// A small HTTP/1.1 server on a free loopback port, over POSIX sockets, for tests of clients. A thread serves one
/// connection; connections stay open.
public final class LoopbackServer: Sendable {
    public typealias Handler = @Sendable (RequestMessage) -> LoopbackReply

    public let port: Int
    private let handler: Handler
    private let accepted = Mutex<Int>(0)

    /// The server stays until the process ends: a test's last mention of one is often before the answer has come.
    ///
    /// - Parameter handler: Called with the request as received; its URL has the `Host` field's name.
    public init(_ handler: @escaping Handler) throws {
        self.handler = handler
        let (listener, port) = try Self.bound()
        guard listen(listener, 64) == 0 else { throw LoopbackProblem("no listening") }
        self.port = port
        Self.thread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                accepted.withLock { $0 += 1 }
                Self.thread { [handler = self.handler] in
                    Self.serve(connection, handler)
                }
            }
        }
    }

    /// A socket on a free loopback port. Nothing here closes it: a number that came back could be in use by somebody
    /// else while a thread still waits on it.
    private static func bound() throws -> (socket: Int32, port: Int) {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw LoopbackProblem("no socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else { throw LoopbackProblem("no port") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// How many connections were made.
    public var connections: Int { accepted.withLock { $0 } }

    /// A port on which nothing listens, and nothing else can: it is taken until the process ends.
    public static func closedPort() throws -> Int { try bound().port }

    // MARK: One connection

    private static func serve(_ connection: Int32, _ handler: Handler) {
        // The descriptor is shut down, never closed: tests are short, and no number comes back under another thread.
        var reader = Reader(connection: connection)
        while let request = reader.next() {
            switch handler(request) {
            case .response(let response):
                guard write(Self.bytes(of: response, isHead: request.method == "HEAD"), to: connection) else { return }
            case .raw(let bytes):
                _ = write(bytes, to: connection)
                shutdown(connection, Int32(SHUT_RDWR))
                return
            case .drop:
                shutdown(connection, Int32(SHUT_RDWR))
                return
            case .silence:
                _ = reader.next()
                return
            }
        }
        shutdown(connection, Int32(SHUT_RDWR))
    }

    /// The response as it goes over the wire.
    public static func bytes(of response: ResponseMessage, isHead: Bool = false) -> [UInt8] {
        var text = "HTTP/1.1 \(response.status) Answer\r\n"
        for field in response.headers.fields { text += "\(field.name): \(field.value)\r\n" }
        let isFramed = response.headers["Content-Length"] != nil || response.headers["Transfer-Encoding"] != nil
        if !isFramed, response.status != 204, response.status != 304 {
            text += "Content-Length: \(response.body.count)\r\n"
        }
        return Array((text + "\r\n").utf8) + (isHead ? [] : response.body)
    }

    private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        let work = LoopbackThread(body)
        work.start()
    }

    /// Reads requests off a connection.
    private struct Reader {
        let connection: Int32
        var buffer: [UInt8] = []

        mutating func next() -> RequestMessage? {
            var end = headEnd()
            while end == nil {
                // A TLS greeting is not a request, and no empty line would ever end it.
                guard more(), buffer.first != 0x16 else { return nil }
                end = headEnd()
            }
            guard let end else { return nil }
            let lines = String(decoding: buffer[..<end], as: UTF8.self).split(
                separator: "\r\n", omittingEmptySubsequences: true)
            buffer.removeFirst(end + 4)
            guard let first = lines.first else { return nil }
            let parts = first.split(separator: " ")
            guard parts.count == 3 else { return nil }
            var headers = Headers()
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                headers.append(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
            }
            let length = Int(headers["Content-Length"] ?? "") ?? 0
            while buffer.count < length {
                guard more() else { return nil }
            }
            let body = Array(buffer.prefix(length))
            buffer.removeFirst(length)
            guard let url = WebURL("http://\(headers["Host"] ?? "localhost")\(parts[1])") else { return nil }
            return RequestMessage(method: String(parts[0]), url: url, headers: headers, body: body)
        }

        private func headEnd() -> Int? {
            guard buffer.count >= 4 else { return nil }
            return buffer.indices.dropLast(3).first {
                buffer[$0] == 13 && buffer[$0 + 1] == 10 && buffer[$0 + 2] == 13 && buffer[$0 + 3] == 10
            }
        }

        private mutating func more() -> Bool {
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return false }
            buffer += piece[..<count]
            return true
        }
    }
}

/// What kept a server from starting.
public struct LoopbackProblem: Error {
    public var text: String

    init(_ text: String) { self.text = text }
}
