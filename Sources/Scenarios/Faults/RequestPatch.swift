import HTTPMessages
import JSON

/// Changes to a request before it leaves, or to a callback before it is handed over. In every patch `null` removes.
public struct RequestPatch: Hashable, Sendable {
    /// The whole address.
    public var url: WebURL?
    /// Another host, with a port if it has one.
    public var host: String?
    /// Another path.
    public var path: String?
    /// Another body, as text.
    public var body: String?
    /// Parameters to set or remove in the query.
    public var query: JSONObject?
    /// Of callbacks: parameters to set or remove in the fragment.
    public var fragment: JSONObject?
    /// Header fields to set or remove.
    public var headers: JSONObject?
    /// Members to set or remove in a form.
    public var form: JSONObject?
    /// Merge patch over the JSON body (RFC 7396).
    public var json: JSONValue?

    static let keys = ["url", "host", "path", "query", "fragment", "headers", "form", "json", "body"]

    init(filled value: JSONValue, at pointer: JSONPointer) throws(MalformedValue) {
        let reader = FilledObject(value, at: pointer, called: "request")
        try reader.allow(Self.keys)
        guard Self.keys.contains(where: reader.has) else { throw reader.fault("`request` changes nothing") }
        if let text = try reader.text("url") {
            guard let url = WebURL(text) else { throw reader.fault("`\(text)` is no URL", at: "url") }
            self.url = url
        }
        if let text = try reader.text("host") {
            guard let url = WebURL("https://\(text)/"), url.authority == text, url.userInfo == nil else {
                throw reader.fault("`\(text)` is no host", at: "host")
            }
            host = text
        }
        path = try reader.text("path")
        if let path, !path.hasPrefix("/") || path.contains(where: { "?# ".contains($0) }) {
            throw reader.fault("`\(path)` is no path: it begins with / and has no ?, # or space", at: "path")
        }
        body = try reader.text("body")
        query = try reader.object("query")
        fragment = try reader.object("fragment")
        headers = try reader.object("headers")
        form = try reader.object("form")
        json = reader.value("json")
        for (one, other) in [("url", "host"), ("url", "path"), ("form", "json"), ("form", "body"), ("json", "body")]
        where reader.has(one) && reader.has(other) {
            throw reader.fault("`\(one)` and `\(other)` exclude each other", at: other)
        }
    }

    /// The request with the changes made. What a change has no hold on (no form, no JSON body) stays as it is.
    public func applied(to message: RequestMessage) -> RequestMessage {
        var message = message
        message.url = applied(to: message.url)
        if let form, let old = message.form { message.body = Array(Self.patched(old, form).encoded.utf8) }
        if let json, let old = message.json { message.body = JSONWriter.compactBytes(old.merging(patch: json)) }
        if let body { message.body = Array(body.utf8) }
        for (name, value) in headers?.members ?? [] {
            message.headers[name] = value.isNull ? nil : Interpolation.text(of: value)
        }
        return message
    }

    /// The address with the changes made.
    public func applied(to address: WebURL) -> WebURL {
        var changed = url ?? address
        if let host, let other = WebURL("https://\(host)/") {
            changed.host = other.host
            changed.port = other.port
        }
        if let path { changed.path = path }
        if let query {
            let items = Self.patched(FormItems(parsing: changed.query ?? ""), query)
            changed.query = items.isEmpty ? nil : items.encoded
        }
        if let fragment {
            let items = Self.patched(FormItems(parsing: changed.fragment ?? ""), fragment)
            changed.fragment = items.isEmpty ? nil : items.encoded
        }
        return changed
    }

    /// The posted form of a callback with the changes made.
    public func applied(to items: FormItems?) -> FormItems? {
        guard let form, let items else { return items }
        return Self.patched(items, form)
    }

    static func patched(_ items: FormItems, _ patch: JSONObject) -> FormItems {
        var items = items
        for (name, value) in patch.members { items[name] = value.isNull ? nil : Interpolation.text(of: value) }
        return items
    }
}
