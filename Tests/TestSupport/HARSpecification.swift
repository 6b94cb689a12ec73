import JSON

/// The rules of HTTP Archive 1.2 for what a writer may write, table by table of its text (softwareishard.com, HAR 1.2
/// Spec): which members each object has, of what type, which are required; names of others begin with `_`. That
/// `params` and `text` of a body exclude each other is not checked: no browser keeps to it.
public enum HARSpecification {
    private enum Kind {
        case text, number, flag, instant
        case object(String)
        case list(String)
    }

    private struct Member {
        var name: String
        var kind: Kind
        var isRequired = true
    }

    private static func must(_ name: String, _ kind: Kind) -> Member { Member(name: name, kind: kind) }
    private static func may(_ name: String, _ kind: Kind) -> Member {
        Member(name: name, kind: kind, isRequired: false)
    }

    private static let objects: [String: [Member]] = [
        "file": [must("log", .object("log"))],
        "log": [
            must("version", .text), must("creator", .object("creator")), may("browser", .object("creator")),
            may("pages", .list("page")), must("entries", .list("entry")),
        ],
        "creator": [must("name", .text), must("version", .text)],
        "page": [
            must("startedDateTime", .instant), must("id", .text), must("title", .text),
            must("pageTimings", .object("pageTimings")),
        ],
        "pageTimings": [may("onContentLoad", .number), may("onLoad", .number)],
        "entry": [
            may("pageref", .text), must("startedDateTime", .instant), must("time", .number),
            must("request", .object("request")), must("response", .object("response")), must("cache", .object("cache")),
            must("timings", .object("timings")), may("serverIPAddress", .text), may("connection", .text),
        ],
        "request": [
            must("method", .text), must("url", .text), must("httpVersion", .text), must("cookies", .list("cookie")),
            must("headers", .list("pair")), must("queryString", .list("pair")), may("postData", .object("postData")),
            must("headersSize", .number), must("bodySize", .number),
        ],
        "response": [
            must("status", .number), must("statusText", .text), must("httpVersion", .text),
            must("cookies", .list("cookie")), must("headers", .list("pair")), must("content", .object("content")),
            must("redirectURL", .text), must("headersSize", .number), must("bodySize", .number),
        ],
        "cookie": [
            must("name", .text), must("value", .text), may("path", .text), may("domain", .text),
            may("expires", .instant),
            may("httpOnly", .flag), may("secure", .flag),
        ],
        "pair": [must("name", .text), must("value", .text)],
        "postData": [must("mimeType", .text), may("params", .list("param")), may("text", .text)],
        "param": [must("name", .text), may("value", .text), may("fileName", .text), may("contentType", .text)],
        "content": [
            must("size", .number), may("compression", .number), must("mimeType", .text), may("text", .text),
            may("encoding", .text),
        ],
        "cache": [may("beforeRequest", .object("cacheState")), may("afterRequest", .object("cacheState"))],
        "cacheState": [
            may("expires", .instant), must("lastAccess", .instant), must("eTag", .text), must("hitCount", .number),
        ],
        "timings": [
            may("blocked", .number), may("dns", .number), may("connect", .number), must("send", .number),
            must("wait", .number), must("receive", .number), may("ssl", .number),
        ],
    ]

    /// What is wrong with an archive; empty: nothing.
    public static func problems(in file: JSONValue) -> [String] {
        var problems: [String] = []
        check(file, "file", "", &problems)
        let log = file["log"]
        if log?["version"]?.stringValue != "1.2" { problems.append("/log/version is not 1.2") }
        let pages = (log?["pages"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        if Set(pages).count != pages.count { problems.append("two pages have one id") }
        var last = ""
        for (index, entry) in (log?["entries"]?.arrayValue ?? []).enumerated() {
            let place = "/log/entries/\(index)"
            if let page = entry["pageref"]?.stringValue, !pages.contains(page) {
                problems.append("\(place)/pageref: no such page")
            }
            checkTimes(entry, place, &problems)
            if entry["request", "url"]?.stringValue?.contains("#") ?? false {
                problems.append("\(place): a fragment in the URL")
            }
            let start = (entry["pageref"]?.stringValue ?? "") + (entry["startedDateTime"]?.stringValue ?? "")
            if start.hasPrefix(String(last.prefix(7))), start < last {
                problems.append("\(place): entries are not in order")
            }
            last = start
        }
        return problems
    }

    /// `time` is the sum of the timings, those that do not apply (-1) left out, `ssl` being part of `connect`.
    private static func checkTimes(_ entry: JSONValue, _ place: String, _ problems: inout [String]) {
        let timings = entry["timings"]?.objectValue?.members ?? []
        let sum = timings.filter { $0.key != "ssl" && !$0.key.hasPrefix("_") }.compactMap(\.value.doubleValue)
            .filter { $0 >= 0 }.reduce(0, +)
        if sum != entry["time"]?.doubleValue { problems.append("\(place): time is not the sum of the timings") }
    }

    private static func check(_ value: JSONValue, _ name: String, _ place: String, _ problems: inout [String]) {
        guard let object = value.objectValue else {
            problems.append("\(place) is not an object")
            return
        }
        let members = objects[name] ?? []
        for member in members where member.isRequired && object[member.name] == nil {
            problems.append("\(place)/\(member.name) is missing")
        }
        for (key, value) in object.members where !key.hasPrefix("_") {
            if key == "comment" {
                if value.stringValue == nil { problems.append("\(place)/comment is not text") }
                continue
            }
            guard let member = members.first(where: { $0.name == key }) else {
                problems.append("\(place)/\(key) is not in the specification and does not begin with _")
                continue
            }
            check(value, member.kind, "\(place)/\(key)", &problems)
        }
    }

    private static func check(_ value: JSONValue, _ kind: Kind, _ place: String, _ problems: inout [String]) {
        switch kind {
        case .text: if value.stringValue == nil { problems.append("\(place) is not text") }
        case .number: if value.doubleValue == nil { problems.append("\(place) is not a number") }
        case .flag: if value.boolValue == nil { problems.append("\(place) is neither true nor false") }
        case .instant: if !isInstant(value.stringValue ?? "") { problems.append("\(place) is not an ISO 8601 time") }
        case .object(let name): check(value, name, place, &problems)
        case .list(let name):
            guard let elements = value.arrayValue else {
                problems.append("\(place) is not an array")
                return
            }
            for (index, element) in elements.enumerated() { check(element, name, "\(place)/\(index)", &problems) }
        }
    }

    /// `YYYY-MM-DDThh:mm:ss.sTZD`, as the text has it.
    private static func isInstant(_ text: String) -> Bool {
        let pattern = Array("0000-00-00T00:00:00.")
        let characters = Array(text)
        guard characters.count > pattern.count else { return false }
        for (index, wanted) in pattern.enumerated() {
            guard wanted == "0" ? characters[index].isNumber : characters[index] == wanted else { return false }
        }
        return text.hasSuffix("Z") || text.dropLast(5).last.map { "+-".contains($0) } ?? false
            || text.dropLast(6).last.map { "+-".contains($0) } ?? false
    }
}
