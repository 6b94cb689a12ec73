import CCrypto
import JSON

/// Texts that only the holder of an RSA key can read: compact JWE (RFC 7516, section 3.1). They are made, never opened.
public enum JWE {
    /// How the content's key is encrypted (RFC 7518, section 4.3).
    public enum KeyAlgorithm: String, CaseIterable, Sendable {
        case rsaOAEP = "RSA-OAEP"
        case rsaOAEP256 = "RSA-OAEP-256"
    }

    /// How the content is encrypted (RFC 7518, section 5).
    public enum ContentEncryption: String, CaseIterable, Sendable {
        case a256GCM = "A256GCM"
        case a256CBCHS512 = "A256CBC-HS512"
    }

    /// Encrypts a content.
    ///
    /// - Parameters:
    ///   - contentType: The header `cty`, such as `JWT`; `nil`: the header has none.
    ///   - key: The recipient's public key; its `kid` goes into the header.
    ///   - generator: Draws the content's key, the initialization vector and the padding.
    /// - Throws: ``JOSEError/unsupportedKey(_:)`` for a key that is not RSA or too short.
    public static func encrypt(
        _ content: [UInt8], contentType: String? = nil, for key: JWK, algorithm: KeyAlgorithm = .rsaOAEP256,
        encryption: ContentEncryption = .a256GCM, using generator: inout some RandomNumberGenerator
    ) throws(JOSEError) -> String {
        guard let der = key.der, let numbers = DER.numbers(publicKey: der) else {
            throw .unsupportedKey("a JWE is for an RSA key, and this is not one")
        }
        var header: JSONObject = ["alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue)]
        if let contentType { header.append("cty", .string(contentType)) }
        if let kid = key.kid { header.append("kid", .string(kid)) }
        let head = Base64URL.encode(JSONWriter.compactBytes(header))
        func drawn(_ count: Int) -> [UInt8] { (0..<count).map { _ in generator.next() } }
        let contentKey = drawn(encryption == .a256GCM ? 32 : 64)
        let vector = drawn(encryption == .a256GCM ? 12 : 16)
        guard
            let padded = padded(
                contentKey, length: numbers.modulus.count, hash: algorithm == .rsaOAEP ? SHA1.hash : SHA2.sha256,
                drawn: drawn),
            let sealedKey = power(padded, numbers.exponent, modulo: numbers.modulus)
        else { throw .unsupportedKey("the RSA key is too short for \(algorithm.rawValue)") }
        let (text, tag) =
            switch encryption {
            case .a256GCM: gcm(content, contentKey, vector, authenticated: Array(head.utf8))
            case .a256CBCHS512: cbc(content, contentKey, vector, authenticated: Array(head.utf8))
            }
        return ([head] + [sealedKey, vector, text, tag].map { Base64URL.encode($0) }).joined(separator: ".")
    }

    // MARK: the content's key

    /// EME-OAEP without a label (RFC 8017, section 7.1.1); `nil` where the key is too short.
    private static func padded(
        _ message: [UInt8], length: Int, hash: ([UInt8]) -> [UInt8], drawn: (Int) -> [UInt8]
    ) -> [UInt8]? {
        let empty = hash([])
        guard length >= message.count + 2 * empty.count + 2 else { return nil }
        let zeros = [UInt8](repeating: 0, count: length - message.count - 2 * empty.count - 2)
        /// MGF1 (RFC 8017, appendix B.2.1) over a seed, laid over bytes.
        func masked(_ bytes: [UInt8], by seed: [UInt8]) -> [UInt8] {
            var mask: [UInt8] = []
            var counter: UInt8 = 0
            while mask.count < bytes.count {
                mask += hash(seed + [0, 0, 0, counter])
                counter += 1
            }
            return zip(bytes, mask).map { $0 ^ $1 }
        }
        let seed = drawn(empty.count)
        let block = masked(empty + zeros + [1] + message, by: seed)
        return [0] + masked(seed, by: block) + block
    }

    private static func power(_ base: [UInt8], _ exponent: [UInt8], modulo modulus: [UInt8]) -> [UInt8]? {
        var isDone = false
        let result = withNumbers([base, exponent, modulus]) { numbers in
            [UInt8](unsafeUninitializedCapacity: modulus.count) { output, count in
                isDone = b2c_power(numbers[0], numbers[1], numbers[2], output.baseAddress)
                count = isDone ? modulus.count : 0
            }
        }
        return isDone ? result : nil
    }

    // MARK: the content

    /// AES-256 in Galois/Counter Mode (NIST SP 800-38D).
    private static func gcm(
        _ content: [UInt8], _ key: [UInt8], _ vector: [UInt8], authenticated: [UInt8]
    ) -> (text: [UInt8], tag: [UInt8]) {
        func counter(_ number: UInt32) -> [UInt8] { block(vector + bigEndian(number), key) }
        var text: [UInt8] = []
        for (index, start) in stride(from: 0, to: content.count, by: 16).enumerated() {
            let part = content[start..<min(start + 16, content.count)]
            text += zip(part, counter(UInt32(index) + 2)).map { $0 ^ $1 }
        }
        func whole(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16) }
        let lengths = bigEndian(UInt64(authenticated.count) * 8) + bigEndian(UInt64(text.count) * 8)
        let blocks = whole(authenticated) + whole(text) + lengths
        let hash = [UInt8](unsafeUninitializedCapacity: 16) { output, count in
            b2c_ghash(block([UInt8](repeating: 0, count: 16), key), blocks, blocks.count / 16, output.baseAddress)
            count = 16
        }
        return (text, zip(hash, counter(1)).map { $0 ^ $1 })
    }

    /// AES-256 in CBC mode with HMAC SHA-512 (RFC 7518, section 5.2.2.1).
    private static func cbc(
        _ content: [UInt8], _ key: [UInt8], _ vector: [UInt8], authenticated: [UInt8]
    ) -> (text: [UInt8], tag: [UInt8]) {
        let rest = 16 - content.count % 16
        let padded = content + [UInt8](repeating: UInt8(rest), count: rest)
        var text: [UInt8] = []
        var last = vector
        for start in stride(from: 0, to: padded.count, by: 16) {
            last = block(zip(padded[start..<start + 16], last).map { $0 ^ $1 }, Array(key[32...]))
            text += last
        }
        let input = authenticated + vector + text + bigEndian(UInt64(authenticated.count) * 8)
        return (text, Array(SHA2.hmacSHA512(key: Array(key[..<32]), input).prefix(32)))
    }

    /// One block encrypted.
    private static func block(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { output, count in
            b2c_aes256_encrypt(key, bytes, output.baseAddress)
            count = 16
        }
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
