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
            guard let url = WebURL(text) else { throw reader.fault("`\(text)` is not a URL", at: "url") }
            self.url = url
        }
        if let text = try reader.text("host") {
            guard let url = WebURL("https://\(text)/"), url.authority == text, url.userInfo == nil else {
                throw reader.fault("`\(text)` is not a host", at: "host")
            }
            host = text
        }
        path = try reader.text("path")
        if let path, !path.hasPrefix("/") || path.contains(where: { "?# ".contains($0) }) {
            throw reader.fault("`\(path)` is not a path: it begins with / and has no ?, # or space", at: "path")
        }
        body = try reader.text("body")
        query = try reader.object("query")
        fragment = try reader.object("fragment")
        headers = try reader.headers()
        form = try reader.object("form")
        json = reader.value("json")
        for (one, other) in [("url", "host"), ("url", "path"), ("form", "json"), ("form", "body"), ("json", "body")]
        where reader.has(one) && reader.has(other) {
            throw reader.fault("`\(one)` and `\(other)` exclude each other", at: other)
        }
    }

    // MARK: Changing

    /// The patch's place in its rule.
    static let place: JSONPointer = "/request"

    /// Every part of the patch by its place in the rule.
    var parts: [JSONPointer] {
        var parts: [JSONPointer] = []
        for (key, isThere) in [
            ("url", url != nil), ("host", host != nil), ("path", path != nil), ("body", body != nil),
        ]
        where isThere {
            parts.append(Self.place.appending(key))
        }
        for (key, patch) in [("query", query), ("fragment", fragment), ("headers", headers), ("form", form)] {
            if let patch { parts += MessageParts.of(patch, at: Self.place.appending(key)) }
        }
        if let json { parts += ChangeEffect.leaves(of: json, at: Self.place.appending("json")) }
        return parts
    }

    /// The request with the changes made, and what came of each. What a change has no hold on (no form, no JSON body)
    /// stays as it is.
    public func applied(to message: RequestMessage, _ effect: inout ChangeEffect) -> RequestMessage {
        var message = message
        if let fragment {
            MessageParts.idle(fragment, at: Self.place.appending("fragment"), "a fragment is never sent", &effect)
        }
        message.url = changed(message.url, takesFragment: false, &effect)
        if let form {
            let part = Self.place.appending("form")
            if let old = message.form {
                if let new = MessageParts.patched(old, form, at: part, &effect) {
                    message.body = Array(new.encoded.utf8)
                }
            } else {
                MessageParts.idle(form, at: part, "the \(message.method) request has no form", &effect)
            }
        }
        if let json {
            message.body =
                MessageParts.patched(
                    message.json, json, at: Self.place.appending("json"),
                    ifNotJSON: "the \(message.method) request has no JSON body", &effect) ?? message.body
        }
        if let body {
            let bytes = Array(body.utf8)
            effect.note(Self.place.appending("body"), isChange: bytes != message.body, else: ChangeEffect.already)
            message.body = bytes
        }
        if let headers {
            message.headers = MessageParts.patched(
                message.headers, headers, at: Self.place.appending("headers"), &effect)
        }
        return message
    }

    /// A callback with the changes made: its address, and its form if it is posted.
    public func applied(
        toCallback address: WebURL, _ form: FormItems?, _ effect: inout ChangeEffect
    ) -> (url: WebURL, form: FormItems?) {
        let why = "a callback is handed over as an address"
        if let headers { MessageParts.idle(headers, at: Self.place.appending("headers"), why, &effect) }
        if let json {
            for part in ChangeEffect.leaves(of: json, at: Self.place.appending("json")) { effect.idle(part, why) }
        }
        if body != nil { effect.idle(Self.place.appending("body"), why) }
        var posted = form
        if let patch = self.form {
            let part = Self.place.appending("form")
            if let form {
                posted = MessageParts.patched(form, patch, at: part, &effect) ?? form
            } else {
                MessageParts.idle(patch, at: part, "the callback is not a form post", &effect)
            }
        }
        return (changed(address, takesFragment: true, &effect), posted)
    }

    /// The address with the changes made.
    private func changed(_ address: WebURL, takesFragment: Bool, _ effect: inout ChangeEffect) -> WebURL {
        var changed = address
        if let url {
            effect.note(
                Self.place.appending("url"), isChange: !sameText(url.description, address.description),
                else: ChangeEffect.already)
            changed = url
        }
        if let host, let other = WebURL("https://\(host)/") {
            let before = changed.authority
            changed.host = other.host
            changed.port = other.port
            effect.note(
                Self.place.appending("host"), isChange: !sameText(changed.authority, before),
                else: ChangeEffect.already)
        }
        if let path {
            effect.note(
                Self.place.appending("path"), isChange: !sameText(path, changed.path), else: ChangeEffect.already)
            changed.path = path
        }
        if let query {
            let old = FormItems(parsing: changed.query ?? "")
            if let items = MessageParts.patched(old, query, at: Self.place.appending("query"), &effect) {
                changed.query = items.isEmpty ? nil : items.encoded
            }
        }
        if let fragment, takesFragment {
            let old = FormItems(parsing: changed.fragment ?? "")
            if let items = MessageParts.patched(old, fragment, at: Self.place.appending("fragment"), &effect) {
                changed.fragment = items.isEmpty ? nil : items.encoded
            }
        }
        return changed
    }
}
