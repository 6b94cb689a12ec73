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

    init(filled value: JSONValue, at pointer: JSONPointer) throws(MalformedValue) {
        let reader = FilledObject(value, at: pointer, called: "response")
        try reader.allow(["status", "headers", "json", "body", "location"])
        status = try reader.status("status")
        body = try reader.text("body")
        headers = try reader.headers()
        json = reader.value("json")
        if let location = reader.value("location") {
            let inner = FilledObject(location, at: pointer.appending("location"), called: "location")
            try inner.allow(["query", "fragment"])
            locationQuery = try inner.object("query")
            locationFragment = try inner.object("fragment")
        }
        if json != nil, body != nil { throw reader.fault("`json` and `body` exclude each other", at: "body") }
    }

    // MARK: Changing

    /// The patch's place in its rule.
    static let place: JSONPointer = "/response"
    private static let location = place.appending("location")

    /// Every part of the patch by its place in the rule.
    var parts: [JSONPointer] {
        var parts: [JSONPointer] = []
        if status != nil { parts.append(Self.place.appending("status")) }
        if body != nil { parts.append(Self.place.appending("body")) }
        if let json { parts += ChangeEffect.leaves(of: json, at: Self.place.appending("json")) }
        for (part, patch) in locationPatches { parts += MessageParts.of(patch, at: part) }
        if let headers { parts += MessageParts.of(headers, at: Self.place.appending("headers")) }
        return parts.isEmpty ? [Self.place] : parts
    }

    private var locationPatches: [(part: JSONPointer, patch: JSONObject)] {
        [("query", locationQuery), ("fragment", locationFragment)].compactMap { key, patch in
            patch.map { (Self.location.appending(key), $0) }
        }
    }

    /// The answer with the changes made, and what came of each. What a change has no hold on (no JSON body, no Location)
    /// stays as it is.
    public func applied(to message: ResponseMessage, _ effect: inout ChangeEffect) -> ResponseMessage {
        var message = message
        if parts == [Self.place] { effect.idle(Self.place, ChangeEffect.empty) }
        if let status {
            effect.note(
                Self.place.appending("status"), isChange: status != message.status,
                else: "the status is \(status) already"
            )
            message.status = status
        }
        if let body {
            let bytes = Array(body.utf8)
            effect.note(Self.place.appending("body"), isChange: bytes != message.body, else: ChangeEffect.already)
            message.body = bytes
        }
        if let json {
            message.body =
                MessageParts.patched(
                    message.json, json, at: Self.place.appending("json"),
                    ifNotJSON: "the answer has no JSON body (status \(message.status))", &effect) ?? message.body
        }
        if !locationPatches.isEmpty {
            if let location = message.headers["Location"], let url = WebURL(location) {
                message.headers["Location"] = rewritten(url, &effect) ?? location
            } else {
                let why = "the answer leads nowhere: it has no Location (status \(message.status))"
                for (part, patch) in locationPatches { MessageParts.idle(patch, at: part, why, &effect) }
            }
        }
        if let headers {
            message.headers = MessageParts.patched(
                message.headers, headers, at: Self.place.appending("headers"), &effect)
        }
        return message
    }

    /// The address with the changes made; `nil` where nothing changed.
    private func rewritten(_ address: WebURL, _ effect: inout ChangeEffect) -> String? {
        var url = address
        var changes = false
        for (part, patch) in locationPatches {
            let isQuery = part.tokens.last == "query"
            let old = FormItems(parsing: (isQuery ? url.query : url.fragment) ?? "")
            guard let items = MessageParts.patched(old, patch, at: part, &effect) else { continue }
            changes = true
            let text = items.isEmpty ? nil : items.encoded
            if isQuery { url.query = text } else { url.fragment = text }
        }
        return changes ? url.description : nil
    }
}
