import CCrypto

/// The SHA-2 hashes.
public enum SHA2 {
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, count: 32, b2c_sha256) }

    public static func sha384(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, count: 48, b2c_sha384) }

    public static func sha512(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, count: 64, b2c_sha512) }

    /// HMAC (RFC 2104) with SHA-256, as in HS256.
    public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        authenticationCode(key: key, bytes, hash: sha256)
    }

    /// HMAC (RFC 2104) with SHA-512, as in HS512.
    public static func hmacSHA512(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        authenticationCode(key: key, bytes, block: 128, hash: sha512)
    }
}

/// SHA-1, for what still prescribes it: authenticator codes.
public enum SHA1 {
    public static func hash(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, count: 20, b2c_sha1) }

    /// HMAC (RFC 2104) with SHA-1.
    public static func hmac(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        authenticationCode(key: key, bytes, hash: hash)
    }
}

private func digest(
    _ bytes: [UInt8], count: Int, _ hash: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Void
) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { output, written in
        bytes.withUnsafeBufferPointer { hash($0.baseAddress, $0.count, output.baseAddress) }
        written = count
    }
}

/// HMAC with a hash that takes blocks of so many bytes.
private func authenticationCode(
    key: [UInt8], _ bytes: [UInt8], block: Int = 64, hash: ([UInt8]) -> [UInt8]
) -> [UInt8] {
    let short = key.count > block ? hash(key) : key
    let padded = short + [UInt8](repeating: 0, count: block - short.count)
    return hash(padded.map { $0 ^ 0x5c } + hash(padded.map { $0 ^ 0x36 } + bytes))
}

/// The `at_hash` and `c_hash` claims (OpenID Connect Core 1.0, section 3.3.2.11).
public enum TokenHash {
    /// The left half of the text's SHA-256 in base64url: the form that belongs to RS256 and HS256.
    public static func s256(_ text: String) -> String {
        Base64URL.encode(Array(SHA2.sha256(Array(text.utf8)).prefix(16)))
    }
}
