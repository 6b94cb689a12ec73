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

    var json: JSONValue {
        let start = record["at"]?.stringValue ?? ""
        let time = elapsed(since: start)
        var entry: JSONObject = [
            "pageref": .string(page), "startedDateTime": .string(HARText.instant(start)), "time": .integer(time),
            "request": .object(request), "response": .object(response), "cache": .object(JSONObject()),
            "timings": ["send": 0, "wait": .integer(time), "receive": 0],
        ]
        for name in ["step", "number", "from", "client", "endpoint", "policy", "blocked", "refusal", "tokens"] {
            entry["_\(name)"] = record[name]
        }
        for name in ["frame", "altered"] where record[name] == .bool(true) { entry["_\(name)"] = true }
        return .object(entry)
    }

    /// Milliseconds of the world's time until the answer.
    private func elapsed(since start: String) -> Int64 {
        guard let from = Timestamp(rfc3339: start), let arrived = record["arrived"]?.stringValue,
            let to = Timestamp(rfc3339: arrived)
        else { return 0 }
        return max(0, (to - from).milliseconds)
    }

    // MARK: Request

    private var request: JSONObject {
        let address = HARText.url(record["url"]?.stringValue ?? "")
        let hash = address.firstIndex(of: "#")
        let url = String(address[..<(hash ?? address.endIndex)])
        let query = url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } ?? ""
        var request: JSONObject = [
            "method": .string(record["method"]?.stringValue ?? "GET"), "url": .string(url), "httpVersion": "HTTP/1.1",
            "cookies": .array(cookies(record["headers", "cookie"])),
            "headers": .array(HARText.fields(record["headers"])),
            "queryString": .array(HARText.pairs(FormItems(parsing: query))), "headersSize": -1,
        ]
        let body = record["body"]?.stringValue ?? ""
        if body.isEmpty {
            request["bodySize"] = 0
        } else {
            request["postData"] = .object(postData(body))
            request["bodySize"] = -1
        }
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

    private func cookies(_ header: JSONValue?) -> [JSONValue] {
        HARText.all(header).flatMap { $0.split(separator: ";") }.map { pair in
            let pair = pair.drop { $0 == " " }
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            return [
                "name": .string(String(pair[..<equals])),
                "value": .string(equals == pair.endIndex ? "" : String(pair[pair.index(after: equals)...])),
            ]
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
        var response: JSONObject = [
            "status": .integer(status), "statusText": .string(HARText.reason(status)),
            "httpVersion": .string(status == 0 ? "unknown" : "HTTP/1.1"),
            "cookies": .array(HARText.all(answer["headers", "set-cookie"]).map { HARText.setCookie($0) }),
            "headers": .array(HARText.fields(answer["headers"])), "content": .object(content),
            "redirectURL": .string(HARText.url(HARText.first(answer["headers", "location"]) ?? "")), "headersSize": -1,
            "bodySize": .integer(status == 0 || !body.isEmpty ? -1 : 0),
        ]
        if status == 0 {
            let why = answer["networkError"]?.stringValue ?? record["blocked"]?.stringValue.map { "blocked: \($0)" }
            response["_error"] = .string(why ?? "not answered: handed to the app")
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

    /// An address in which labels of secrets may stand: what may not stand in a URL is escaped.
    static func url(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ": result += "%20"
            case "<": result += "%3C"
            case ">": result += "%3E"
            case "\"": result += "%22"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
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
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0) }
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
        var text = text.drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        return text
    }

    private static func halves(_ text: Substring) -> (String, String) {
        guard let equals = text.firstIndex(of: "=") else { return (String(text), "") }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
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
