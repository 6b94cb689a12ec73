import Foundation
import HTTPMessages
import JSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One HTTP/1.1 connection to this machine that costs next to nothing: a blocking socket, one request at a time.
///
/// It measures the server and not a client. It knows only what `mock-server` sends: `Content-Length`, no transfer
/// codings.
final class LeanConnection {
    /// What went wrong on the way.
    enum Fault: Error {
        case noConnection, closed, malformed
    }

    private let socketNumber: Int32
    private let host: String
    private var kept: [UInt8] = []
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

    /// Sends a request and reads the answer, whole.
    func send(
        _ method: String, _ target: String, cookies: String = "", headers: String = "", form: String? = nil
    ) throws(Fault) -> LeanAnswer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        if !cookies.isEmpty { text += "Cookie: \(cookies)\r\n" }
        text += headers
        if let form {
            text += "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(form.utf8.count)\r\n\r\n"
            text += form
        } else {
            text += "\r\n"
        }
        try write(Array(text.utf8))
        return try read()
    }

    private func write(_ bytes: [UInt8]) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socketNumber, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw .closed }
            rest = rest.dropFirst(count)
        }
    }

    private func more() throws(Fault) {
        let count = buffer.withUnsafeMutableBytes { recv(socketNumber, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw .closed }
        kept.append(contentsOf: buffer[..<count])
    }

    private func read() throws(Fault) -> LeanAnswer {
        var scanned = 0
        while true {
            if let end = headEnd(from: scanned) {
                var answer = try Self.head(kept[..<end])
                let whole = end + 4 + answer.length
                while kept.count < whole { try more() }
                answer.body = Array(kept[(end + 4)..<whole])
                kept.removeFirst(whole)
                return answer
            }
            scanned = max(0, kept.count - 3)
            try more()
        }
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

    private static func head(_ bytes: ArraySlice<UInt8>) throws(Fault) -> LeanAnswer {
        var answer: LeanAnswer?
        for line in bytes.split(separator: 13) {
            let line = line.first == 10 ? line.dropFirst() : line
            guard answer != nil else {
                // HTTP/1.1 200 OK
                guard line.count >= 12, let status = Int(String(decoding: line.dropFirst(9).prefix(3), as: UTF8.self))
                else { throw .malformed }
                answer = LeanAnswer(status: status)
                continue
            }
            // Names of equal length that nobody sends are not told apart.
            guard let colon = line.firstIndex(of: 58) else { throw .malformed }
            let name = line[..<colon]
            guard let first = name.first.map({ $0 | 0x20 }) else { throw .malformed }
            func value() -> String { String(decoding: line[(colon + 1)...].drop { $0 == 32 }, as: UTF8.self) }
            switch (name.count, first) {
            case (8, UInt8(ascii: "l")): answer?.location = value()
            case (10, UInt8(ascii: "s")): answer?.cookies.append(value())
            case (14, UInt8(ascii: "c")): answer?.length = Int(value()) ?? 0
            default: break
            }
        }
        guard let answer else { throw .malformed }
        return answer
    }
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
