/// What a browser does with a request that a page's script makes to another origin (Fetch, sections 3.2 and 4.8): which
/// requests it asks permission for in advance, and which answers the script may read.
public struct CrossOrigin: Sendable, Hashable {
    /// The origin of the page, such as `https://app.contoso.test`.
    public var origin: String

    public init(origin: String) {
        self.origin = origin
    }

    /// Whether an address belongs to another origin than the page.
    public func isForeign(_ url: WebURL) -> Bool { url.origin != origin }

    /// The request that asks for permission; `nil` for a request that the browser sends without asking.
    public func preflight(for request: RequestMessage) -> RequestMessage? {
        let method = request.method.uppercased()
        let names = unsafeNames(request)
        guard !Self.simpleMethods.contains(method) || !names.isEmpty else { return nil }
        var headers: Headers = ["Accept": "*/*", "Origin": origin, "Access-Control-Request-Method": method]
        if !names.isEmpty { headers.append("Access-Control-Request-Headers", names.joined(separator: ",")) }
        return RequestMessage(method: "OPTIONS", url: request.url, headers: headers)
    }

    /// Why the answer to a preflight does not permit a request; `nil` if it does.
    public func refusal(toPreflight answer: ResponseMessage, for request: RequestMessage) -> String? {
        if let refusal = refusal(toRead: answer) { return refusal }
        guard (200...299).contains(answer.status) else {
            return "the preflight (OPTIONS) is answered with the status \(answer.status), not with 200 to 299"
        }
        let method = request.method.uppercased()
        let methods = Self.list(answer, "Access-Control-Allow-Methods")
        if !Self.simpleMethods.contains(method), !methods.contains(method), !methods.contains("*") {
            return "`Access-Control-Allow-Methods` of the preflight does not have `\(method)`"
        }
        let allowed = Self.list(answer, "Access-Control-Allow-Headers").map { $0.lowercased() }
        for name in unsafeNames(request) {
            // The token is never among what `*` stands for (Fetch, section 4.8: non-wildcard request-header name).
            if allowed.contains(name) || (allowed.contains("*") && name != "authorization") { continue }
            return "`Access-Control-Allow-Headers` of the preflight does not have `\(name)`"
        }
        return nil
    }

    /// Why the script may not read an answer; `nil` if it may.
    public func refusal(toRead answer: ResponseMessage) -> String? {
        let fields = answer.headers.all("Access-Control-Allow-Origin")
        guard let allowed = fields.first else { return "the answer has no `Access-Control-Allow-Origin`" }
        guard fields.count == 1 else { return "the answer has more than one `Access-Control-Allow-Origin`" }
        guard allowed != "*", allowed != origin else { return nil }
        return "`Access-Control-Allow-Origin` is `\(allowed)`, not `\(origin)`"
    }

    /// An answer as the script sees it: of the header fields only those that need no permission, and those that the
    /// answer exposes.
    public func readable(_ answer: ResponseMessage) -> ResponseMessage {
        let exposed = Self.list(answer, "Access-Control-Expose-Headers").map { $0.lowercased() }
        guard !exposed.contains("*") else { return answer }
        var seen = answer
        seen.headers = Headers()
        for field in answer.headers.fields {
            let name = field.name.lowercased()
            if Self.readableNames.contains(name) || exposed.contains(name) {
                seen.headers.append(field.name, field.value)
            }
        }
        return seen
    }

    /// Whether only the browser sets a header field, so that a page's script cannot (Fetch, forbidden request-header).
    public static func isForbidden(_ name: String) -> Bool {
        let name = name.lowercased()
        return forbiddenNames.contains(name) || name.hasPrefix("sec-") || name.hasPrefix("proxy-")
            || name.hasPrefix("access-control-request-")
    }

    /// The names of fields that need permission, in lower case and in order.
    private func unsafeNames(_ request: RequestMessage) -> [String] {
        var names: Set<String> = []
        for field in request.headers.fields where !Self.isSafe(field) && !Self.isForbidden(field.name) {
            names.insert(field.name.lowercased())
        }
        return names.sorted()
    }

    private static func isSafe(_ field: HeaderField) -> Bool {
        guard field.value.utf8.count <= 128 else { return false }
        switch field.name.lowercased() {
        case "accept", "accept-language", "content-language": return true
        case "content-type":
            let headers: Headers = ["Content-Type": field.value]
            return headers.mediaType.map(simpleTypes.contains) ?? false
        default: return false
        }
    }

    private static func list(_ answer: ResponseMessage, _ name: String) -> [String] {
        answer.headers.all(name).flatMap { $0.split(separator: ",") }.map { item in
            let start = item.drop { $0 == " " || $0 == "\t" }
            return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }

    private static let simpleMethods = ["GET", "HEAD", "POST"]
    private static let simpleTypes = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]
    private static let readableNames = [
        "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
    ]
    private static let forbiddenNames = [
        "accept-charset", "accept-encoding", "connection", "content-length", "cookie", "cookie2", "date", "dnt",
        "expect", "host", "keep-alive", "origin", "referer", "set-cookie", "te", "trailer", "transfer-encoding",
        "upgrade", "via",
    ]
}
