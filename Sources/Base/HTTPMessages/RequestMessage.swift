import Diagnostics
import JSON

/// An HTTP request as a value, whole.
public struct RequestMessage: Hashable, Sendable {
    /// In the spelling sent; methods are case-sensitive.
    public var method: String
    public var url: WebURL
    public var headers: Headers
    public var body: [UInt8]
    /// The technical profile that asks, for messages to people. Not on the wire.
    public var profile: String?

    public init(method: String, url: WebURL, headers: Headers = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    public static func get(_ url: WebURL, headers: Headers = [:]) -> RequestMessage {
        RequestMessage(method: "GET", url: url, headers: headers)
    }

    /// A form post; the content type is set unless `headers` has one.
    public static func post(_ url: WebURL, form: FormItems, headers: Headers = [:]) -> RequestMessage {
        var message = RequestMessage(method: "POST", url: url, headers: headers, body: form.encodedBytes)
        if message.headers["Content-Type"] == nil {
            message.headers.append("Content-Type", "application/x-www-form-urlencoded")
        }
        return message
    }

    /// A JSON post; the content type is set unless `headers` has one.
    public static func post(_ url: WebURL, json: JSONValue, headers: Headers = [:]) -> RequestMessage {
        var message = RequestMessage(method: "POST", url: url, headers: headers, body: JSONWriter.compactBytes(json))
        if message.headers["Content-Type"] == nil {
            message.headers.append("Content-Type", "application/json")
        }
        return message
    }

    /// The body's items when the content type says that it is a form. Read again at each use.
    public var form: FormItems? {
        guard headers.mediaType == "application/x-www-form-urlencoded" else { return nil }
        return FormItems(parsing: body)
    }

    /// The body as JSON when the content type says so and it is. Read again at each use.
    public var json: JSONValue? {
        guard let type = headers.mediaType, MediaType.isJSON(type) else { return nil }
        return MediaType.json(body)
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

enum MediaType {
    static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    static func json(_ body: [UInt8]) -> JSONValue? {
        do throws(InvalidInput) {
            return try JSONParser.parse(body)
        } catch {
            return nil
        }
    }
}
