import Determinism
import HTTPMessages
import JSON

/// One entry of an archive, made of the record of one request.
struct HAREntryText {
    private let record: JSONValue
    private let page: String

    init(record: JSONValue, page: String) {
        self.record = record
        self.page = page
    }

    /// When the request left, in the world's time; `nil` if the record has no time.
    var at: Timestamp? { record["at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } }

    /// Milliseconds of the world's time until the answer; at least one.
    var time: Int64 {
        guard let at, let arrived = record["arrived"]?.stringValue, let to = Timestamp(rfc3339: arrived) else {
            return 1
        }
        return max(1, (to - at).milliseconds)
    }

    /// The entry, which begins at `began` in the archive's time.
    func json(began: Timestamp) -> JSONValue {
        var entry: JSONObject = [
            "pageref": .string(page), "startedDateTime": .string(HARText.instant(began.rfc3339)),
            "time": .integer(time), "request": .object(request), "response": .object(response),
            "cache": .object(JSONObject()), "timings": ["send": 0, "wait": .integer(time), "receive": 0],
            "_resourceType": .string(resourceType),
        ]
        if let at, at != began { entry["_at"] = .string(HARText.instant(at.rfc3339)) }
        for name in ["step", "number", "from", "client", "endpoint", "policy", "blocked", "refusal", "tokens"] {
            entry["_\(name)"] = record[name]
        }
        for name in ["frame", "altered"] where record[name] == .bool(true) { entry["_\(name)"] = true }
        return .object(entry)
    }

    /// The word by which browsers' tools sort requests.
    private var resourceType: String {
        if record["method"] == "OPTIONS", record["headers", "access-control-request-method"] != nil {
            return "preflight"
        }
        guard record["from"] == "browser" else { return "fetch" }
        return record["headers", "x-requested-with"] == nil ? "document" : "xhr"
    }

    // MARK: Request

    private var request: JSONObject {
        let address = HARText.url(record["url"]?.stringValue ?? "")
        let hash = address.firstIndex(of: "#")
        let url = String(address[..<(hash ?? address.endIndex)])
        let query = url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } ?? ""
        let method = record["method"]?.stringValue ?? "GET"
        var request: JSONObject = [
            "method": .string(method), "url": .string(url), "httpVersion": "HTTP/1.1",
            "cookies": .array(cookies(record["headers", "cookie"])),
            "headers": .array(HARText.fields(record["headers"])),
            "queryString": .array(HARText.pairs(FormItems(parsing: query))),
            "headersSize": .integer(headersSize("\(method) \(url) HTTP/1.1", record["headers"])),
        ]
        let body = record["body"]?.stringValue ?? ""
        if !body.isEmpty { request["postData"] = .object(postData(body)) }
        request["bodySize"] = .integer(Int64(body.utf8.count))
        if let hash { request["_fragment"] = .string(String(address[address.index(after: hash)...])) }
        return request
    }

    /// The body: its text, and the parameters of a form. The format's text calls the two exclusive; every browser writes
    /// both, and readers, browsers' own among them, show nothing of a form without `text`.
    private func postData(_ body: String) -> JSONObject {
        var data: JSONObject = ["mimeType": .string(HARText.first(record["headers", "content-type"]) ?? "")]
        if record["form"] != nil { data["params"] = .array(HARText.pairs(FormItems(parsing: body))) }
        data["text"] = .string(body)
        return data
    }

    /// Bytes of a message before its body, as HTTP/1.1 writes it (RFC 9112 section 2.1).
    private func headersSize(_ start: String, _ headers: JSONValue?) -> Int64 {
        let fields = (headers?.objectValue?.members ?? []).flatMap { member in
            HARText.all(member.value).map { member.key.utf8.count + $0.utf8.count + ": \r\n".utf8.count }
        }
        return Int64(start.utf8.count + fields.reduce(0, +) + "\r\n\r\n".utf8.count)
    }

    private func cookies(_ header: JSONValue?) -> [JSONValue] {
        HARText.all(header).flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.map { pair in
            let (name, value) = HARText.halves(Substring(pair.drop { $0 == 0x20 }))
            return ["name": .string(name), "value": .string(value)]
        }
    }

    // MARK: Response

    private var response: JSONObject {
        let answer = record["response"] ?? .null
        let status = answer["status"]?.intValue ?? 0
        let body = answer["body"]?.stringValue ?? ""
        let type = HARText.first(answer["headers", "content-type"]) ?? (status == 0 ? "x-unknown" : "")
        var content: JSONObject = ["size": .integer(Int64(body.utf8.count)), "mimeType": .string(type)]
        if !body.isEmpty { content["text"] = .string(body) }
        let reason = HARText.reason(status)
        var response: JSONObject = [
            "status": .integer(status), "statusText": .string(reason),
            "httpVersion": .string(status == 0 ? "unknown" : "HTTP/1.1"),
            "cookies": .array(HARText.all(answer["headers", "set-cookie"]).map { HARText.setCookie($0) }),
            "headers": .array(HARText.fields(answer["headers"])), "content": .object(content),
            "redirectURL": .string(HARText.url(HARText.first(answer["headers", "location"]) ?? "")),
            "headersSize": -1, "bodySize": -1,
        ]
        if status == 0 {
            let why = answer["networkError"]?.stringValue ?? record["blocked"]?.stringValue.map { "blocked: \($0)" }
            // Browsers' tools show the text of a status where there is no status, and nothing of `_error`.
            response["statusText"] = .string(why ?? "handed to the app")
            response["_error"] = .string(why ?? "not answered: handed to the app")
        } else {
            let size = headersSize("HTTP/1.1 \(status) \(reason)", answer["headers"])
            response["headersSize"] = .integer(size)
            response["bodySize"] = .integer(Int64(body.utf8.count))
        }
        return response
    }
}

/// Texts as the format wants them.
enum HARText {
    /// An instant with milliseconds, as every writer of archives has them.
    static func instant(_ text: String) -> String {
        guard text.last == "Z", !text.contains(".") else { return text }
        return text.dropLast() + ".000Z"
    }

    /// An address that may have labels of secrets: what a URL may not have is escaped.
    static func url(_ text: String) -> String {
        guard text.utf8.contains(where: { escape($0) != nil }) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let escape = escape(byte) { result += escape.utf8 } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case 0x20: "%20"
        case UInt8(ascii: "<"): "%3C"
        case UInt8(ascii: ">"): "%3E"
        case UInt8(ascii: "\""): "%22"
        default: nil
        }
    }

    /// The values of a header field in a record, which has a list where the field is repeated.
    static func all(_ value: JSONValue?) -> [String] {
        switch value {
        case .array(let values): values.compactMap(\.stringValue)
        case .string(let text): [text]
        default: []
        }
    }

    static func first(_ value: JSONValue?) -> String? { all(value).first }

    static func fields(_ headers: JSONValue?) -> [JSONValue] {
        (headers?.objectValue?.members ?? []).flatMap { member in
            all(member.value).map { pair(member.key, $0) }
        }
    }

    static func pairs(_ items: FormItems) -> [JSONValue] { items.items.map { pair($0.name, $0.value) } }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }

    /// A cookie as a server sets it, with its attributes (RFC 6265 section 4.1).
    static func setCookie(_ text: String) -> JSONValue {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { trimmed(Substring($0)) }
        let (name, value) = halves(parts.first ?? "")
        var cookie: JSONObject = ["name": .string(name), "value": .string(value)]
        cookie["httpOnly"] = false
        cookie["secure"] = false
        for part in parts.dropFirst() {
            let (attribute, value) = halves(part)
            switch attribute.lowercased() {
            case "path": cookie["path"] = .string(value)
            case "domain": cookie["domain"] = .string(value)
            case "expires":
                if let time = Timestamp(httpDate: value) { cookie["expires"] = .string(instant(time.rfc3339)) }
            case "httponly": cookie["httpOnly"] = true
            case "secure": cookie["secure"] = true
            case "samesite": cookie["_sameSite"] = .string(value)
            default: continue
            }
        }
        return .object(cookie)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var bytes = text.utf8.drop { $0 == 0x20 }
        while bytes.last == 0x20 { bytes.removeLast() }
        return Substring(bytes)
    }

    /// What is before the first `=` and behind it.
    static func halves(_ text: Substring) -> (String, String) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (String(text), "") }
        return (String(text[..<equals]), String(text[text.utf8.index(after: equals)...]))
    }

    /// The usual words of a status (RFC 9110 section 15, RFC 6585).
    static func reason(_ status: Int64) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 415: "Unsupported Media Type"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: ""
        }
    }
}
