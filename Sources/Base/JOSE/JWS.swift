import Diagnostics
import JSON

/// A signed token in compact form (RFC 7515), read or about to be written.
public struct JWS: Hashable, Sendable {
    /// The protected header.
    public let header: JSONObject
    /// The payload's bytes.
    public let payload: [UInt8]
    /// Empty for `alg` `none`.
    public let signature: [UInt8]
    /// What the signature is over: both parts as they were written.
    private let signingInput: [UInt8]

    /// Reads three parts in base64url, the first a JSON object. Nothing is verified.
    public init?(compact: String) {
        var compact = compact
        let parts = compact.withUTF8 {
            text -> (header: [UInt8], payload: [UInt8], signature: [UInt8], input: [UInt8])? in
            let dot = UInt8(ascii: ".")
            let first = ByteSearch.offset(of: dot, in: text)
            let second = ByteSearch.offset(of: dot, in: text, from: first + 1)
            guard second < text.count, ByteSearch.offset(of: dot, in: text, from: second + 1) == text.count,
                let header = Base64URL.decode(UnsafeBufferPointer(rebasing: text[..<first])),
                let payload = Base64URL.decode(UnsafeBufferPointer(rebasing: text[(first + 1)..<second])),
                let signature = Base64URL.decode(UnsafeBufferPointer(rebasing: text[(second + 1)...]))
            else { return nil }
            return (header, payload, signature, Array(text[..<second]))
        }
        guard let parts, let header = JWS.object(parts.header) else { return nil }
        self.header = header
        payload = parts.payload
        signature = parts.signature
        signingInput = parts.input
    }

    /// The payload as a JSON object; `nil` when it is none. Read at each use.
    public var claims: JSONObject? { JWS.object(payload) }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        do throws(InvalidInput) {
            return try JSONParser.parse(bytes).objectValue
        } catch {
            return nil
        }
    }

    // MARK: Writing

    /// The compact form, signed with RS256. The header is written as it is given, `alg` and `kid` included.
    public static func sign(header: JSONObject, claims: JSONObject, key: SigningKey) -> String {
        compact(header, JSONWriter.compactBytes(claims)) { key.sign($0) }
    }

    /// The compact form with an HMAC under a secret: what a server must refuse where RS256 is agreed.
    public static func signHS256(header: JSONObject, claims: JSONObject, secret: [UInt8]) -> String {
        compact(header, JSONWriter.compactBytes(claims)) { SHA2.hmacSHA256(key: secret, $0) }
    }

    /// The compact form with an empty signature, as goes with `alg` `none`.
    public static func unsigned(header: JSONObject, claims: JSONObject) -> String {
        compact(header, JSONWriter.compactBytes(claims)) { _ in [] }
    }

    /// The same with any payload and signature.
    public static func compact(_ header: JSONObject, _ payload: [UInt8], signature: ([UInt8]) -> [UInt8]) -> String {
        let head = JSONWriter.compactBytes(header)
        var text: [UInt8] = []
        text.reserveCapacity((head.count + payload.count) * 4 / 3 + 360)
        Base64URL.append(head, to: &text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &text)
        let signature = signature(text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The compact form of what was read.
    public var compact: String {
        String(decoding: signingInput, as: UTF8.self) + "." + Base64URL.encode(signature)
    }

    // MARK: Verifying

    /// Whether this is an RS256 token with the signature of that key. The header's `kid` is not looked at, any `alg`
    /// but RS256 is refused.
    public func verify(with key: JWK) -> Bool {
        guard header["alg"]?.stringValue == "RS256", let key = VerificationKeys.key(for: key) else { return false }
        return key.isValid(signature, for: signingInput)
    }

    /// Finds the key by the header's `kid` and verifies; a token without `kid` may be signed by any RSA key of the set.
    public func verify(in set: JWKSet) -> Result<Void, JOSEError> {
        let algorithm = header["alg"]?.stringValue
        guard algorithm == "RS256" else {
            return .failure(.unsupportedAlgorithm(algorithm ?? "no algorithm"))
        }
        guard let kid = header["kid"]?.stringValue else {
            return set.keys.contains { verify(with: $0) } ? .success(()) : .failure(.unknownKey(kid: nil))
        }
        var isKnown = false
        for place in set.keys.indices where set.keys[place].kid == kid {
            isKnown = true
            if verify(with: set.keys[place]) { return .success(()) }
        }
        return .failure(isKnown ? .badSignature : .unknownKey(kid: kid))
    }

    /// Whether this is an HS256 token under that secret.
    public func verifyHS256(secret: [UInt8]) -> Bool {
        guard header["alg"]?.stringValue == "HS256" else { return false }
        return SHA2.hmacSHA256(key: secret, signingInput) == signature
    }
}
