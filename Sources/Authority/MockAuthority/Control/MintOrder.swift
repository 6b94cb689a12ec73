import Determinism
import Exchanges
import JOSE
import JSON

extension MintOrder {
    func carryOut(keys: KeyRing, at now: Timestamp) -> ControlAnswer {
        var claims = JSONObject()
        var header = JSONObject()
        if let from {
            guard let jws = JWS(compact: from), let copied = jws.claims else {
                return .refused("the token to copy from is not a JSON web token")
            }
            claims = copied
            header = jws.header
        }
        let signing: SigningKey
        if let key {
            let published = keys.rings.flatMap(\.published).first { $0.key.name == key }
            // A key of another name must not come out as one that the tenant publishes: the pool of test keys is small.
            signing =
                published?.key
                ?? TestKeys.named(key, avoiding: keys.rings.flatMap(\.published).map(\.key.kid))
        } else if let kid = header["kid"]?.stringValue, let known = keys.publishedKey(kid: kid) {
            signing = known
        } else if let ring = keys.ring("service") {
            signing = ring.use
        } else {
            return .refused("the tenant has no key set to sign with")
        }
        if let lifetime {
            claims["iat"] = .integer(now.secondsSinceEpoch)
            claims["nbf"] = .integer(now.secondsSinceEpoch)
            claims["exp"] = .integer((now + lifetime).secondsSinceEpoch)
        }
        header["alg"] = .string(algorithm.rawValue)
        header["kid"] = algorithm == .none ? nil : .string(signing.kid)
        header["typ"] = "JWT"
        claims = JSONValue.object(claims).merging(patch: self.claims).objectValue ?? claims
        header = JSONValue.object(header).merging(patch: self.header).objectValue ?? header
        return .value(["token": .string(altered(sign(header, claims, signing)))])
    }

    private func sign(_ header: JSONObject, _ claims: JSONObject, _ key: SigningKey) -> String {
        switch algorithm {
        case .rs256: JWS.sign(header: header, claims: claims, key: key)
        // The confusion attack: the public key's text as the secret.
        case .hs256: JWS.signHS256(header: header, claims: claims, secret: Array(key.publicKeyPEM.utf8))
        case .none: JWS.unsigned(header: header, claims: claims)
        }
    }

    private func altered(_ token: String) -> String {
        guard let tamper else { return token }
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return token }
        switch tamper {
        case .payload:
            guard let bytes = Base64URL.decode(parts[1]),
                var claims = (try? JSONParser.parse(bytes))?.objectValue
            else { return token }
            claims["tampered"] = true
            parts[1] = Base64URL.encode(JSONWriter.compactBytes(claims))
        case .signature:
            guard var bytes = Base64URL.decode(parts[2]), !bytes.isEmpty else { return token }
            bytes[0] ^= 0x01
            parts[2] = Base64URL.encode(bytes)
        }
        return parts.joined(separator: ".")
    }
}
