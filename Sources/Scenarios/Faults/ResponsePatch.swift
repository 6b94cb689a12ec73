import HTTPMessages
import JSON

/// Changes to a real answer. In every patch `null` removes.
public struct ResponsePatch: Hashable, Sendable {
    /// Another HTTP status.
    public var status: Int?
    /// Another body, as text.
    public var body: String?
    /// Header fields to set or remove.
    public var headers: JSONObject?
    /// Merge patch over the JSON body (RFC 7396).
    public var json: JSONValue?
    /// Parameters to set or remove in the query of the Location header.
    public var locationQuery: JSONObject?
    /// Parameters to set or remove in the fragment of the Location header.
    public var locationFragment: JSONObject?

    init(filled value: JSONValue) throws(MalformedValue) {
        let reader = FilledObject(value, at: .root, called: "response")
        try reader.allow(["status", "headers", "json", "body", "location"])
        status = try reader.status("status")
        body = try reader.text("body")
        headers = try reader.object("headers")
        json = reader.value("json")
        if let location = reader.value("location") {
            let inner = FilledObject(location, at: .root, called: "location")
            try inner.allow(["query", "fragment"])
            locationQuery = try inner.object("query")
            locationFragment = try inner.object("fragment")
        }
        if json != nil, body != nil { throw reader.fault("`json` and `body` exclude each other", at: "body") }
    }

    /// The answer with the changes made. What a change has no hold on (no JSON body, no Location) stays as it is.
    public func applied(to message: ResponseMessage) -> ResponseMessage {
        var message = message
        if let status { message.status = status }
        if let body { message.body = Array(body.utf8) }
        if let json, let old = message.json { message.body = JSONWriter.compactBytes(old.merging(patch: json)) }
        if let location = message.headers["Location"] { message.headers["Location"] = rewritten(location) }
        for (name, value) in headers?.members ?? [] {
            message.headers[name] = value.isNull ? nil : Interpolation.text(of: value)
        }
        return message
    }

    private func rewritten(_ location: String) -> String {
        guard var url = WebURL(location) else { return location }
        if let locationQuery {
            let items = RequestPatch.patched(FormItems(parsing: url.query ?? ""), locationQuery)
            url.query = items.items.isEmpty ? nil : items.encoded
        }
        if let locationFragment {
            let items = RequestPatch.patched(FormItems(parsing: url.fragment ?? ""), locationFragment)
            url.fragment = items.items.isEmpty ? nil : items.encoded
        }
        return url.description
    }
}
