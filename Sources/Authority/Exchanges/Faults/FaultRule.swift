import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// A rule over exchanges: which one it meddles with, and how. Everything in it is filled in.
public struct FaultRule: Hashable, Sendable {
    /// The rule's place in the script.
    public var pointer: JSONPointer
    /// The rule as written, for those who show it.
    public var json: JSONValue
    /// Matcher over the request record before any rule; `nil` meets every exchange but the handing over of a callback.
    public var match: JSONValue?
    /// How often it fires; `nil` always.
    public var times: Int?
    /// How many exchanges that match are let through first.
    public var skip: Int
    /// The probability with which it fires once the other conditions hold; `nil` is certainty.
    public var rate: Double?
    /// Whether it may stay unused.
    public var optional: Bool
    /// The transport fails so, as the network words of a script have it.
    public var network: TransportError?
    /// The answer comes so much later; a callback reaches the app so much later.
    public var delay: TimeSpan?
    /// Rewrites the request before it leaves, or the callback before it is handed over.
    public var request: RequestPatch?
    /// Answers in place of the peer.
    public var respond: StandInResponse?
    /// Rewrites the real answer.
    public var response: ResponsePatch?
    /// What the mock is asked to do with the request; a real service cannot be asked.
    public var orders: PeerOrders?
    /// Of callbacks: the client that gets it instead.
    public var to: String?
    /// How often the request is sent, or the callback handed over; 0 loses a callback.
    public var copies: Int?

    static let networkPart: JSONPointer = "/network"
    static let delayPart: JSONPointer = "/delay"
    static let respondPart: JSONPointer = "/respond"
    static let toPart: JSONPointer = "/to"
    static let copiesPart: JSONPointer = "/copies"

    /// Every change that the rule makes, by its place in the rule: `/request/form/client_secret`. Each has to change
    /// something.
    public var parts: [JSONPointer] {
        var parts: [JSONPointer] = []
        if network != nil { parts.append(Self.networkPart) }
        if delay != nil { parts.append(Self.delayPart) }
        parts += request?.parts ?? []
        if respond != nil { parts.append(Self.respondPart) }
        parts += response?.parts ?? []
        parts += orders?.parts ?? []
        if to != nil { parts.append(Self.toPart) }
        if copies != nil { parts.append(Self.copiesPart) }
        return parts
    }

    /// A callback after the rule has changed it: what is handed over, which client gets it, and how often.
    ///
    /// - Parameter client: The client that gets it without the rule.
    /// - Returns: The callback, and for each part of the rule whether it changed something.
    public func applied(
        toCallback url: WebURL, _ form: FormItems?, client: String
    ) -> (url: WebURL, form: FormItems?, client: String, copies: Int, effect: ChangeEffect) {
        var effect = ChangeEffect()
        let changed = request?.applied(toCallback: url, form, &effect) ?? (url: url, form: form)
        if let to {
            effect.note(Self.toPart, isChange: !sameText(to, client), else: "`\(client)` is the one who gets it anyway")
        }
        if let copies {
            effect.note(Self.copiesPart, isChange: copies != 1, else: "once is how often it is handed over anyway")
        }
        if let delay { effect.note(Self.delayPart, isChange: delay > .zero, else: "it lets no time pass") }
        return (changed.url, changed.form, to ?? client, copies ?? 1, effect)
    }

    /// Whether the rule applies to an exchange with this request record.
    ///
    /// A rule that patches claims meets only exchanges whose answer can hold a token.
    public func meets(_ record: JSONValue) -> Bool {
        let endpoint = record["endpoint"]?.stringValue ?? ""
        if orders?.claims != nil, !FaultWords.signing.contains(endpoint) { return false }
        guard let match else { return endpoint != FaultWords.callback }
        return Matcher.matches(record, match)
    }

    /// Whether the match names the handing over of a callback.
    package static func isForCallbacks(_ match: JSONValue?) -> Bool {
        match?["endpoint"]?.stringValue == FaultWords.callback
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
        let place = JSONPointer.root.appending(index)
        let reader = FilledObject(value, at: place, called: "fault rule")
        try reader.allow(FaultWords.conditions + FaultWords.effects)
        guard FaultWords.effects.contains(where: reader.has) else { throw reader.fault("the rule has no effect") }
        for (kept, keeper) in FaultWords.clashes where reader.has(kept) && reader.has(keeper) {
            throw reader.fault("`\(keeper)` and `\(kept)` exclude each other", at: kept)
        }
        let match = reader.value("match")
        for name in FaultWords.effects where reader.has(name) {
            if let problem = FaultWords.misplaced(name, match: match) { throw reader.fault(problem, at: name) }
        }
        if try reader.count("copies") == 0, !isForCallbacks(match) {
            throw reader.fault("`copies` can be 0 for the callback only: that loses it", at: "copies")
        }
        return FaultRule(
            pointer: list.appending(index), json: value, match: match, times: try reader.count("times"),
            skip: try reader.count("skip") ?? 0, rate: try rate(reader), optional: try reader.flag("optional") ?? false,
            network: try network(reader), delay: try reader.span("delay"),
            request: try reader.value("request").map { value throws(MalformedValue) in
                try RequestPatch(filled: value, at: place.appending("request"))
            },
            respond: try reader.value("respond").map { value throws(MalformedValue) in
                try StandInResponse(filled: value, at: place.appending("respond"))
            },
            response: try reader.value("response").map { value throws(MalformedValue) in
                try ResponsePatch(filled: value, at: place.appending("response"))
            }, orders: try orders(reader),
            to: try reader.text("to"), copies: try reader.count("copies"))
    }

    private static func network(_ reader: FilledObject) throws(MalformedValue) -> TransportError? {
        guard let word = try reader.text("network") else { return nil }
        guard let error = TransportError.named(word) else {
            throw reader.fault("`\(word)` is not a network failure", at: "network")
        }
        return error
    }

    private static func rate(_ reader: FilledObject) throws(MalformedValue) -> Double? {
        guard let value = reader.value("rate") else { return nil }
        guard let rate = value.doubleValue, rate > 0, rate <= 1 else {
            throw reader.fault("`rate` must be a number above 0 and up to 1, not \(Wording.json(value))", at: "rate")
        }
        return rate
    }

    private static func orders(_ reader: FilledObject) throws(MalformedValue) -> PeerOrders? {
        var orders = PeerOrders()
        if let claims = try reader.object("claims") {
            let inner = FilledObject(.object(claims), at: .root, called: "claims")
            try inner.allow(["idToken", "accessToken"])
            orders.idTokenClaims = try inner.object("idToken")
            orders.accessTokenClaims = try inner.object("accessToken")
            guard orders.claims != nil else {
                throw reader.fault("`claims` patches `idToken`, `accessToken` or both", at: "claims")
            }
        }
        if let refusal = reader.value("b2cError") {
            orders.refusal = try RefusalOrders.read(refusal, fault: { reader.fault($0, at: "b2cError") })
        }
        return orders.isEmpty ? nil : orders
    }
}

extension RefusalOrders {
    /// Reads `b2cError`: a code, or an object with `code`, `delivery` and `description`.
    static func read(
        _ value: JSONValue, fault: (String) -> MalformedValue
    ) throws(MalformedValue) -> RefusalOrders {
        let inner: FilledObject
        if value.stringValue != nil {
            inner = FilledObject(["code": value], at: .root, called: "b2cError")
        } else {
            inner = FilledObject(value, at: .root, called: "b2cError")
            try inner.allow(["code", "delivery", "description"])
        }
        guard let code = try inner.text("code") else { throw fault("`b2cError` needs a `code` such as AADB2C90035") }
        guard AADB2C.firstCode(in: code) == code else {
            throw fault("`\(code)` is not a code of the service; codes look like AADB2C90035")
        }
        var delivery: RefusalOrders.RefusalDelivery?
        if let word = try inner.text("delivery") {
            guard let known = RefusalOrders.RefusalDelivery(rawValue: word) else {
                throw fault("`delivery` is redirect, page or json, not `\(word)`")
            }
            delivery = known
        }
        return RefusalOrders(code: code, delivery: delivery, description: try inner.text("description"))
    }
}
