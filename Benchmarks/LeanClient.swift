import Foundation
import HTTPMessages
import JSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One HTTP/1.1 connection to this machine that costs next to nothing: one request at a time, its answer taken in parts
/// as they come.
///
/// It measures the server and not a client. It knows only what `mock-server` sends: `Content-Length`, no transfer
/// codings.
final class LeanConnection {
    /// What went wrong on the way.
    enum Fault: Error {
        case noConnection, closed, malformed
    }

    /// What to wait for with `poll`.
    let socketNumber: Int32
    private let host: String
    private var kept: [UInt8] = []
    private var scanned = 0
    private var answer: (head: LeanAnswer, start: Int)?
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter base: `http://localhost:9400` or with an address, without a path.
    init(_ base: String) throws(Fault) {
        guard let url = WebURL(base), let port = url.port.flatMap({ UInt16(exactly: $0) }) else {
            throw .noConnection
        }
        host = "localhost:\(port)"
        #if canImport(Darwin)
            let number = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var yes: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
        }
        socketNumber = number
        guard number >= 0, result == 0 else { throw .noConnection }
    }

    deinit { close(socketNumber) }

    /// Sends a request, whole.
    func send(_ request: LeanRequest) throws(Fault) {
        var text = "\(request.method) \(request.target) HTTP/1.1\r\nHost: \(host)\r\n"
        if !request.cookies.isEmpty { text += "Cookie: \(request.cookies)\r\n" }
        text += request.headers
        if let form = request.form {
            text += "Content-Type: \(request.type)\r\nContent-Length: \(form.utf8.count)\r\n\r\n"
            text += form
        } else {
            text += "\r\n"
        }
        try write(Array(text.utf8))
    }

    /// Sends a request and waits for the whole answer.
    func answer(to request: LeanRequest) throws(Fault) -> LeanAnswer {
        try send(request)
        while true {
            if let answer = try take() { return answer }
        }
    }

    private func write(_ bytes: [UInt8]) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socketNumber, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw .closed }
            rest = rest.dropFirst(count)
        }
    }

    /// Takes what has come, and waits when nothing has. The answer once it is whole.
    func take() throws(Fault) -> LeanAnswer? {
        let count = buffer.withUnsafeMutableBytes { recv(socketNumber, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw .closed }
        kept.append(contentsOf: buffer[..<count])
        if answer == nil {
            guard let end = headEnd(from: scanned) else {
                scanned = max(0, kept.count - 3)
                return nil
            }
            answer = (try Self.head(kept[..<end]), end + 4)
        }
        guard var whole = answer?.head, let start = answer?.start, kept.count >= start + whole.length else {
            return nil
        }
        whole.body = Array(kept[start..<(start + whole.length)])
        kept.removeFirst(start + whole.length)
        scanned = 0
        answer = nil
        return whole
    }

    private func headEnd(from start: Int) -> Int? {
        kept.withUnsafeBufferPointer { kept in
            var index = start
            while true {
                index = ByteSearch.offset(of: 13, in: kept, from: index)
                guard index + 3 < kept.count else { return nil }
                if kept[index + 1] == 10, kept[index + 2] == 13, kept[index + 3] == 10 { return index }
                index += 1
            }
        }
    }

    /// Reads the three fields that matter.
    private static func head(_ bytes: ArraySlice<UInt8>) throws(Fault) -> LeanAnswer {
        let read: LeanAnswer? = bytes.withUnsafeBufferPointer { bytes in
            // HTTP/1.1 200 OK
            guard bytes.count >= 12, let status = number(bytes[9..<12]) else { return nil }
            var answer = LeanAnswer(status: status)
            var start = ByteSearch.offset(of: 13, in: bytes, from: 0) + 2
            while start < bytes.count {
                let end = ByteSearch.offset(of: 13, in: bytes, from: start)
                // Names of equal length that nobody sends are not distinguished.
                switch bytes[start] | 0x20 {
                case UInt8(ascii: "l"): if let text = value(bytes, start..<end, 8) { answer.location = text }
                case UInt8(ascii: "s"): if let text = value(bytes, start..<end, 10) { answer.cookies.append(text) }
                case UInt8(ascii: "c"):
                    let colon = start + 14
                    if colon + 2 < end, bytes[colon] == 58, let length = number(bytes[(colon + 2)..<end]) {
                        answer.length = length
                    }
                default: break
                }
                start = end + 2
            }
            return answer
        }
        guard let read else { throw .malformed }
        return read
    }

    /// What follows a name of so many bytes and `: `; nil if the name has another length.
    private static func value(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, _ name: Int) -> String? {
        let colon = line.lowerBound + name
        guard colon + 2 <= line.upperBound, bytes[colon] == 58 else { return nil }
        return String(decoding: bytes[(colon + 2)..<line.upperBound], as: UTF8.self)
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for digit in digits {
            guard (48...57).contains(digit), number < 1_000_000_000 else { return nil }
            number = 10 * number + Int(digit - 48)
        }
        return number
    }
}

/// What a measuring client asks.
struct LeanRequest {
    var method = "GET"
    var target: String
    /// The value of `Cookie`; none if empty.
    var cookies = ""
    /// More fields, each with its line end.
    var headers = ""
    /// The body.
    var form: String?
    /// The media type of the body.
    var type = "application/x-www-form-urlencoded"
}

/// What a measuring client looks at in an answer.
struct LeanAnswer {
    var status: Int
    var location: String?
    /// The values of `Set-Cookie`.
    var cookies: [String] = []
    var length = 0
    var body: [UInt8] = []
}
