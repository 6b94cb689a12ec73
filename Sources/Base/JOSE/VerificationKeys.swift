import Synchronization

/// Public keys that have been parsed: parsing takes longer than verifying, and the same few keys come again and again.
enum VerificationKeys {
    private struct Entry {
        var n: String
        var e: String
        var key: any PublicKey
    }

    /// Most recent last. A run knows a handful of keys; a script that mints with ever new ones must not fill memory.
    private static let known = Mutex<[Entry]>([])
    private static let limit = 32

    static func key(for jwk: JWK) -> (any PublicKey)? {
        guard let n = jwk.n, let e = jwk.e, jwk.kty == "RSA" else { return nil }
        if let entry = known.withLock({ entries in entries.last { $0.n == n && $0.e == e } }) { return entry.key }
        guard let der = jwk.der, let key = SignatureProvider.selected.publicKey(der: der) else { return nil }
        known.withLock { entries in
            if entries.count >= limit { entries.removeFirst() }
            entries.append(Entry(n: n, e: e, key: key))
        }
        return key
    }
}
