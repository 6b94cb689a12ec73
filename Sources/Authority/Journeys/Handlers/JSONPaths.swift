import JSON
import TrustFramework

/// JSON answers as claims under partner names.
enum JSONPaths {
    /// Members at the top under their names; those of nested objects also as `address.city`, elements as `list[0]`.
    static func flatten(_ json: JSONValue, resolvesPaths: Bool = true, into claims: inout PartnerClaims) {
        guard case .object(let object) = json else { return }
        for member in object.members {
            if let value = ClaimValue(free: member.value) { claims.append(member.key, value) }
        }
        guard resolvesPaths else { return }
        for member in object.members { nested(member.value, member.key, 0, into: &claims) }
    }

    private static func nested(_ json: JSONValue, _ path: String, _ depth: Int, into claims: inout PartnerClaims) {
        guard depth < 16 else { return }
        switch json {
        case .object(let object):
            for member in object.members { add(member.value, "\(path).\(member.key)", depth, into: &claims) }
        case .array(let elements):
            for (place, element) in elements.enumerated() { add(element, "\(path)[\(place)]", depth, into: &claims) }
        default: break
        }
    }

    private static func add(_ json: JSONValue, _ path: String, _ depth: Int, into claims: inout PartnerClaims) {
        if let value = ClaimValue(free: json) { claims.append(path, value) }
        nested(json, path, depth + 1, into: &claims)
    }
}
