import JSON

/// What a rule of a script asks of the peer itself, beside the request. A mock does it; a real service cannot be asked.
public struct PeerOrders: Hashable, Sendable {
    /// Merge patch (RFC 7396) over the claims of an ID token that the answer holds.
    public var idTokenClaims: JSONObject?
    /// The same over the claims of an access token.
    public var accessTokenClaims: JSONObject?
    /// The request is refused in this way.
    public var refusal: RefusalOrders?

    public init(
        idTokenClaims: JSONObject? = nil, accessTokenClaims: JSONObject? = nil, refusal: RefusalOrders? = nil
    ) {
        self.idTokenClaims = idTokenClaims
        self.accessTokenClaims = accessTokenClaims
        self.refusal = refusal
    }

    /// Whether nothing is asked.
    public var isEmpty: Bool { claims == nil && refusal == nil }

    /// The patches as a script has them: `{"idToken": ..., "accessToken": ...}`.
    public var claims: JSONObject? {
        guard idTokenClaims != nil || accessTokenClaims != nil else { return nil }
        var object = JSONObject()
        if let idTokenClaims { object["idToken"] = .object(idTokenClaims) }
        if let accessTokenClaims { object["accessToken"] = .object(accessTokenClaims) }
        return object
    }
}

/// How a request is to be refused: the effect `b2cError` of a fault rule.
public struct RefusalOrders: Hashable, Sendable {
    /// Where the peer is told.
    public enum Delivery: String, Sendable, CaseIterable {
        case redirect, page, json
    }

    /// The code, whether the service is known to have it or not: `AADB2C90035`.
    public var code: String
    /// `nil`: where the service tells it.
    public var delivery: Delivery?
    /// A text in place of the code's own.
    public var description: String?

    public init(code: String, delivery: Delivery? = nil, description: String? = nil) {
        self.code = code
        self.delivery = delivery
        self.description = description
    }

    /// As the effect is written.
    public var json: JSONValue {
        var object: JSONObject = ["code": .string(code)]
        if let delivery { object["delivery"] = .string(delivery.rawValue) }
        if let description { object["description"] = .string(description) }
        return .object(object)
    }
}
