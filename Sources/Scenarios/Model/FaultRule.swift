import Determinism
import HTTPMessages
import JSON

/// A rule over exchanges: which one it meddles with, and how. Everything in it is filled in.
public struct FaultRule: Hashable, Sendable {
    /// The rule's place in the script.
    public var pointer: JSONPointer
    /// Matcher over the request record before any rule; `nil` meets every exchange but the handing over of a callback.
    public var match: JSONValue?
    /// How often it fires; `nil` always.
    public var times: Int?
    /// How many exchanges that match are let through first.
    public var skip: Int
    /// Whether it may stay unused.
    public var optional: Bool
    /// The transport fails so, as the network words of a script have it.
    public var network: TransportError?
    /// The answer comes so much later.
    public var delay: TimeSpan?
    /// Answers in place of the peer.
    public var respond: StandInResponse?
    /// Rewrites the real answer.
    public var response: ResponsePatch?

    /// Whether the rule is meant for an exchange with this request record.
    public func meets(_ record: JSONValue) -> Bool {
        guard let match else { return record["endpoint"]?.stringValue != "callback" }
        return Matcher.matches(record, match)
    }

    /// Reads a list of rules in which everything is filled in.
    ///
    /// - Parameter pointer: The list's place in the script.
    public static func rules(
        from value: JSONValue?, at pointer: JSONPointer = .root
    ) throws(MalformedValue) -> [FaultRule] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else {
            throw MalformedValue("`faults` must be a list of rules, not \(Wording.kind(value))")
        }
        var rules: [FaultRule] = []
        for (index, element) in elements.enumerated() {
            rules.append(try rule(from: element, at: index, in: pointer))
        }
        return rules
    }

    private static func rule(
        from value: JSONValue, at index: Int, in list: JSONPointer
    ) throws(MalformedValue) -> FaultRule {
        let reader = FilledObject(value, at: JSONPointer.root.appending(index), called: "fault rule")
        try reader.allow(known + FaultWords.notBuiltYet.keys)
        for (name, reason) in FaultWords.notBuiltYet.members where reader.has(name) {
            throw reader.fault("`\(name)` is not built yet: \(Interpolation.text(of: reason))", at: name)
        }
        var network: TransportError?
        if let word = try reader.text("network") {
            guard let error = TransportError.named(word) else {
                throw reader.fault("`\(word)` is no network failure", at: "network")
            }
            network = error
        }
        let rule = FaultRule(
            pointer: list.appending(index), match: reader.value("match"), times: try reader.count("times"),
            skip: try reader.count("skip") ?? 0, optional: try reader.flag("optional") ?? false, network: network,
            delay: try reader.span("delay"), respond: try reader.value("respond").map(StandInResponse.init(filled:)),
            response: try reader.value("response").map(ResponsePatch.init(filled:)))
        guard rule.network != nil || rule.delay != nil || rule.respond != nil || rule.response != nil else {
            throw reader.fault("the rule has no effect")
        }
        if rule.network != nil, rule.respond != nil {
            throw reader.fault("`network` and `respond` exclude each other", at: "respond")
        }
        return rule
    }

    private static let known = [
        "match", "times", "skip", "optional", "network", "delay", "respond", "response",
    ]
}

/// Words of fault rules that the language has and this version does not.
enum FaultWords {
    /// Key to what is missing.
    static let notBuiltYet = JSONObject([
        ("rate", "faults by chance"),
        ("request", "rewriting requests on their way"),
        ("claims", "patching the claims that the mock signs"),
        ("b2cError", "letting the mock refuse as for a code"),
        ("to", "handing a callback to another client"),
        ("copies", "handing over a callback several times or never"),
    ])

    /// What such a key means, one sentence.
    static func doc(of name: String) -> String {
        switch name {
        case "rate": "Fires with this probability, drawn from the seed."
        case "request": "Rewrites the request before it leaves."
        case "claims": "The mock signs with these claims patched."
        case "b2cError": "The mock refuses as for this code."
        case "to": "Of callbacks: delivered to another client."
        default: "Of callbacks: delivered so many times; 0 loses it."
        }
    }
}

/// An answer in place of the peer's.
public struct StandInResponse: Hashable, Sendable {
    /// HTTP status.
    public var status: Int
    /// Header fields in order.
    public var headers: [HeaderField]
    /// Body as text; a JSON body is written out.
    public var body: String

    init(filled value: JSONValue) throws(MalformedValue) {
        let reader = FilledObject(value, at: .root, called: "respond")
        try reader.allow(["status", "headers", "json", "body"])
        status = try reader.status("status") ?? 200
        headers = []
        for (name, text) in (try reader.object("headers"))?.members ?? [] {
            headers.append(HeaderField(name: name, value: Interpolation.text(of: text)))
        }
        if let json = reader.value("json") {
            guard !reader.has("body") else { throw reader.fault("`json` and `body` exclude each other", at: "body") }
            body = JSONWriter.compact(json)
            if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                headers.append(HeaderField(name: "Content-Type", value: "application/json; charset=utf-8"))
            }
        } else {
            body = try reader.text("body") ?? ""
        }
    }

    /// The answer as a message.
    public var message: ResponseMessage {
        var fields = Headers()
        for header in headers { fields.append(header.name, header.value) }
        return ResponseMessage(status: status, headers: fields, body: Array(body.utf8))
    }
}

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
            let items = Self.patched(FormItems(parsing: url.query ?? ""), locationQuery)
            url.query = items.items.isEmpty ? nil : items.encoded
        }
        if let locationFragment {
            let items = Self.patched(FormItems(parsing: url.fragment ?? ""), locationFragment)
            url.fragment = items.items.isEmpty ? nil : items.encoded
        }
        return url.description
    }

    private static func patched(_ items: FormItems, _ patch: JSONObject) -> FormItems {
        var items = items
        for (name, value) in patch.members { items[name] = value.isNull ? nil : Interpolation.text(of: value) }
        return items
    }
}
