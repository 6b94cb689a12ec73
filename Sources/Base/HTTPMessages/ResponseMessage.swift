import Determinism
import JSON

/// An HTTP response as a value, whole.
public struct ResponseMessage: Hashable, Sendable {
    public var status: Int
    public var headers: Headers
    public var body: [UInt8]
    /// Why a mock refused, in its own words. It is for the report and never goes on the wire.
    public var refusal: String?

    public init(status: Int, headers: Headers = [:], body: [UInt8] = [], refusal: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.refusal = refusal
    }

    public static func json(_ status: Int, _ value: JSONValue, headers: Headers = [:]) -> ResponseMessage {
        make(status, type: "application/json; charset=utf-8", body: JSONWriter.compactBytes(value), headers: headers)
    }

    public static func html(_ status: Int, _ html: String, headers: Headers = [:]) -> ResponseMessage {
        make(status, type: "text/html; charset=utf-8", body: Array(html.utf8), headers: headers)
    }

    public static func text(_ status: Int, _ text: String, headers: Headers = [:]) -> ResponseMessage {
        make(status, type: "text/plain; charset=utf-8", body: Array(text.utf8), headers: headers)
    }

    /// 302 with the unchanged address.
    public static func redirect(_ url: String, headers: Headers = [:]) -> ResponseMessage {
        var message = ResponseMessage(status: 302, headers: headers)
        message.headers["Location"] = url
        return message
    }

    private static func make(_ status: Int, type: String, body: [UInt8], headers: Headers) -> ResponseMessage {
        var message = ResponseMessage(status: status, headers: headers, body: body)
        if message.headers["Content-Type"] == nil { message.headers.append("Content-Type", type) }
        return message
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON: of any JSON type when the content type says JSON, else when it is an object or an array.
    /// Clients read error bodies whatever their content type. Read again at each use.
    public var json: JSONValue? {
        let first = body.first { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
        let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        guard looksLikeJSON || (headers.mediaType.map { MediaType.isJSON($0) } ?? false) else { return nil }
        return MediaType.json(body)
    }

    /// The `Location` field where it is an absolute URL.
    public var location: WebURL? {
        headers["Location"].flatMap { WebURL($0) }
    }

    /// The `Location` field as the address it means when it answers a request to `url` (RFC 9110, section 10.2.2).
    public func location(relativeTo url: WebURL) -> WebURL? {
        headers["Location"].flatMap { url.resolving($0) }
    }

    /// How long the peer asks to be left alone: `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); never
    /// less than nothing. nil: it does not say.
    public func retryAfter(at now: Timestamp) -> TimeSpan? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Int64(text) { return .seconds(max(0, seconds)) }
        return CookieRules.date(text).map { max(.zero, $0 - now) }
    }

    /// A status that sends a browser elsewhere.
    public var isRedirect: Bool {
        [301, 302, 303, 307, 308].contains(status)
    }
}
