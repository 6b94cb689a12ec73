import HTTPMessages
import JSON

/// What a rule of a script asks of the peer itself, beside the request. A mock does it; a real service cannot be asked.
public struct PeerOrders: PeerInstructions, Hashable {
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

    /// What came of the claims: the tokens that the answer holds are changed where a patch says something new.
    ///
    /// - Parameter claims: The claims of a token of the answer before the patch, by the word of the patch; `nil` where the
    ///   answer holds no such token.
    public func effect(over claims: (_ token: String) -> JSONObject?) -> ChangeEffect {
        var effect = ChangeEffect()
        for (token, patch) in self.claims?.members ?? [] {
            let place = JSONPointer(tokens: ["claims", token])
            if let old = claims(token) {
                effect.merge(patch, over: .object(old), at: place)
            } else {
                let name = token == "idToken" ? "ID token" : "access token that the mock signs"
                for part in ChangeEffect.leaves(of: patch, at: place) { effect.idle(part, "the answer has no \(name)") }
            }
        }
        return effect
    }

    /// Every part of the orders, by its place in the rule.
    public var parts: [JSONPointer] {
        var parts = (claims?.members ?? []).flatMap { token, patch in
            ChangeEffect.leaves(of: patch, at: JSONPointer(tokens: ["claims", token]))
        }
        if refusal != nil { parts.append(Self.refusalPart) }
        return parts
    }

    /// The place of the refusal in the rule.
    public static let refusalPart: JSONPointer = JSONPointer(tokens: ["b2cError"])

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
    /// How the refusal reaches the app.
    public enum RefusalDelivery: String, Sendable, CaseIterable {
        case redirect, page, json
    }

    /// The code, whether the service is known to have it or not: `AADB2C90035`.
    public var code: String
    /// `nil`: where the service reports it.
    public var delivery: RefusalDelivery?
    /// A text in place of the code's own.
    public var description: String?

    public init(code: String, delivery: RefusalDelivery? = nil, description: String? = nil) {
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
