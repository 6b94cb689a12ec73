import Determinism
import HTTPMessages
import JOSE
import JSON

/// One entry of a HAR file.
struct HAREntry {
    private let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    /// The entry as an exchange; `nil` where it has no request that went over the web.
    ///
    /// - Parameter previous: When the entry before began, which stands for a time that cannot be read.
    func exchange(place: String, after previous: Timestamp) -> CapturedExchange? {
        guard let request = json["request"], let method = request["method"]?.stringValue, !method.isEmpty,
            let address = request["url"]?.stringValue, var url = Self.url(address),
            !["data", "blob", "about", "chrome-extension", "moz-extension", "file", "ws", "wss"].contains(url.scheme)
        else { return nil }
        if url.fragment == nil, let fragment = request["_fragment"]?.stringValue { url.fragment = fragment }
        let started = json["startedDateTime"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? previous
        var message = RequestMessage(method: method.uppercased(), url: url, headers: Self.headers(request))
        let post = Self.body(request, &message.headers)
        message.body = post.bytes
        var exchange = CapturedExchange(started: started, request: message, response: nil, place: place)
        exchange.lacksRequestBody = post.isMissing
        readResponse(into: &exchange)
        for name in ["id_token", "access_token"] {
            guard let token = json["_tokens"]?[name], let claims = token["claims"]?.objectValue else { continue }
            exchange.tokens[name] = CapturedExchange.Token(
                header: token["header"]?.objectValue ?? JSONObject(), claims: claims)
        }
        return exchange
    }

    // MARK: Request

    /// An address as tools write it, blanks and angle brackets not always escaped.
    private static func url(_ text: String) -> WebURL? {
        if let url = WebURL(text) { return url }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar.value <= 0x20 || scalar.value == 0x7F {
                escaped += "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return WebURL(escaped)
    }

    /// The fields of a message without the pseudo fields of HTTP/2 (RFC 9113 section 8.3); cookies from their own list
    /// where the tool left the field out.
    private static func headers(_ message: JSONValue) -> Headers {
        var headers = Headers()
        for field in message["headers"]?.arrayValue ?? [] {
            guard let name = field["name"]?.stringValue, !name.isEmpty, !name.hasPrefix(":") else { continue }
            headers.append(name, field["value"]?.stringValue ?? "")
        }
        return headers
    }

    private static func body(_ request: JSONValue, _ headers: inout Headers) -> (bytes: [UInt8], isMissing: Bool) {
        let size = request["bodySize"]?.intValue ?? -1
        // Nobody posts nothing to B2C: a size that is not known is that of a body that is missing.
        let isMissing = size > 0 || (size < 0 && request["method"]?.stringValue?.uppercased() == "POST")
        guard let post = request["postData"], !post.isNull else { return ([], isMissing) }
        if headers["Content-Type"] == nil, let type = post["mimeType"]?.stringValue, !type.isEmpty {
            headers["Content-Type"] = type
        }
        if let text = post["text"]?.stringValue, !text.isEmpty {
            let isEncoded = (post["encoding"] ?? post["_encoding"])?.stringValue?.lowercased() == "base64"
            return (isEncoded ? Base64.decode(text) ?? [] : Array(text.utf8), false)
        }
        var form = FormItems()
        for parameter in post["params"]?.arrayValue ?? [] {
            guard let name = parameter["name"]?.stringValue else { continue }
            form.append(name, parameter["value"]?.stringValue ?? "")
        }
        return form.isEmpty ? ([], isMissing) : (Array(form.encoded.utf8), false)
    }

    // MARK: Response

    private func readResponse(into exchange: inout CapturedExchange) {
        let response = json["response"] ?? .null
        guard let status = response["status"]?.intValue, (100...599).contains(status) else {
            exchange.failure =
                response["_error"]?.stringValue ?? json["_error"]?.stringValue
                ?? response["statusText"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } ?? "no answer"
            return
        }
        var headers = Self.headers(response)
        if headers["Location"] == nil, let target = response["redirectURL"]?.stringValue, !target.isEmpty {
            headers["Location"] = target
        }
        let content = response["content"] ?? .null
        let type = content["mimeType"]?.stringValue ?? ""
        if headers["Content-Type"] == nil, !type.isEmpty, type != "x-unknown" { headers["Content-Type"] = type }
        var body: [UInt8] = []
        let isWanted = !Self.isDecoration(headers.mediaType ?? type)
        if let text = content["text"]?.stringValue {
            if content["encoding"]?.stringValue?.lowercased() == "base64" {
                if let decoded = Base64.decode(text) {
                    body = isWanted ? decoded : []
                } else {
                    exchange.lacksResponseBody = true
                }
            } else if isWanted {
                body = Array(text.utf8)
            }
        }
        if body.isEmpty, isWanted, status == 200 || status >= 400 {
            let size = content["size"]?.intValue ?? 0
            if content["text"]?.stringValue == nil || size > 0 {
                exchange.lacksResponseBody = size != 0 || !type.isEmpty
            }
        }
        exchange.response = ResponseMessage(
            status: Int(status), headers: headers, body: body, refusal: json["_refusal"]?.stringValue)
    }

    /// What a flow can be understood without.
    private static func isDecoration(_ type: String) -> Bool {
        let type = type.lowercased()
        return ["image/", "font/", "audio/", "video/"].contains { type.hasPrefix($0) }
            || type.contains("css") || type.contains("javascript") || type.contains("wasm") || type.contains("font")
    }
}
