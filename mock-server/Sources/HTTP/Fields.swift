import HTTPMessages
import NIOHTTP1

/// The header fields of a request as they came, and what they say about the request itself.
struct RequestFields {
    /// All but `Host` and what belongs to the connection.
    var headers = Headers()
    /// The first `Host`.
    var host = ""
    var expectsContinue = false
    private var hosts = 0
    private var length: String?
    private var encoding: String?

    init(_ fields: HTTPHeaders) {
        headers.fields.reserveCapacity(fields.count)
        var cookies: String?
        for (name, value) in fields {
            switch name.utf8.count {
            case 4 where name.equalsIgnoringASCIICase("Host"):
                if hosts == 0 { host = value }
                hosts += 1
                continue
            case 6 where name.equalsIgnoringASCIICase("Cookie"):
                // A proxy that has HTTP/2 on its other side may pass the cookies on one by one (RFC 9113, section 8.2.3).
                cookies = cookies.map { "\($0); \(value)" } ?? value
                continue
            case 6 where name.equalsIgnoringASCIICase("Expect"):
                expectsContinue = value.equalsIgnoringASCIICase("100-continue")
            case 14 where name.equalsIgnoringASCIICase("Content-Length"):
                length = value
            case 16 where name.equalsIgnoringASCIICase("Content-Encoding"):
                encoding = value
            case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
                continue
            default: break
            }
            headers.append(name, value)
        }
        if let cookies { headers.append("Cookie", cookies) }
    }

    /// What is wrong with a request before its body is read.
    ///
    /// - Parameters:
    ///   - limit: Bytes that the body may have.
    ///   - incoming: The request without its body.
    func problem(limit: Int, of incoming: IncomingRequest) -> ResponseMessage? {
        func problem(_ status: Int, _ text: String) -> ResponseMessage {
            Front.problem(status, text, for: incoming)
        }
        // RFC 9112, section 3.2.
        if hosts > 1 { return problem(400, "there is more than one Host field") }
        if let length {
            guard let bytes = Int(length), bytes >= 0 else {
                return problem(400, "Content-Length is not a number")
            }
            if bytes > limit { return Front.tooLarge(limit: limit, for: incoming) }
        }
        if let encoding, !encoding.equalsIgnoringASCIICase("identity") {
            return problem(415, "bodies are not taken in content encoding \(encoding)")
        }
        return nil
    }
}

/// The header fields of an answer as they may be sent.
enum ResponseFields {
    /// Fields whose name is not a token are omitted, and what would end a line is a space (RFC 9110, section 5.5). Where the
    /// body ends is for the sender to say.
    static func list(_ headers: Headers) -> [(String, String)] {
        var list: [(String, String)] = []
        list.reserveCapacity(headers.fields.count + 2)
        for field in headers.fields where HeaderRules.isToken(field.name) {
            switch field.name.utf8.count {
            case 14 where field.name.equalsIgnoringASCIICase("Content-Length"): continue
            case 17 where field.name.equalsIgnoringASCIICase("Transfer-Encoding"): continue
            default: break
            }
            let value = field.value
            let isWhole = HeaderRules.isValue(value)
            list.append(
                (
                    field.name,
                    isWhole
                        ? value : String(decoding: value.utf8.map { HeaderRules.isValue($0) ? $0 : 32 }, as: UTF8.self)
                )
            )
        }
        return list
    }
}
