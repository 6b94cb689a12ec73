import Crypto

/// The SHA-2 hashes.
public enum SHA2 {
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        // Through pointers, which are concrete: the generic entry points iterate byte by byte when not specialised.
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { [UInt8]($0) }
    }

    public static func sha384(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA384()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { [UInt8]($0) }
    }

    public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { [UInt8]($0) }
    }

    /// HMAC (RFC 2104) with SHA-256, as in HS256.
    public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)).withUnsafeBytes { [UInt8]($0) }
    }
}

/// SHA-1, for what still prescribes it: authenticator codes.
public enum SHA1 {
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = Insecure.SHA1()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { [UInt8]($0) }
    }

    /// HMAC (RFC 2104) with SHA-1.
    public static func hmac(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        HMAC<Insecure.SHA1>.authenticationCode(for: bytes, using: SymmetricKey(data: key)).withUnsafeBytes {
            [UInt8]($0)
        }
    }
}

/// The `at_hash` and `c_hash` claims (OpenID Connect Core 1.0, section 3.3.2.11).
public enum TokenHash {
    /// The left half of the text's SHA-256 in base64url: the form that belongs to RS256 and HS256.
    public static func s256(_ text: String) -> String {
        Base64URL.encode(Array(SHA2.sha256(Array(text.utf8)).prefix(16)))
    }
}
