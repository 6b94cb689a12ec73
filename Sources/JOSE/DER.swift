/// The little of DER (X.690) that RSA keys in PEM files need.
struct DERReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The contents of the next element when it has that tag.
    mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard index + 2 <= bytes.endIndex, bytes[index] == tag else { return nil }
        var position = index + 1
        var length = Int(bytes[position])
        position += 1
        if length >= 0x80 {
            let count = length & 0x7f
            guard (1...4).contains(count), position + count <= bytes.endIndex else { return nil }
            length = bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
            position += count
        }
        guard length <= bytes.endIndex - position else { return nil }
        index = position + length
        return bytes[position..<index]
    }

    /// The next element as a non-negative number, without zeros in front.
    mutating func unsignedInteger() -> [UInt8]? {
        guard let contents = element(DER.integer), let first = contents.first, first < 0x80 else { return nil }
        return Array(contents.drop { $0 == 0 })
    }
}

enum DER {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let sequence: UInt8 = 0x30
    /// AlgorithmIdentifier of rsaEncryption (RFC 8017, appendix A.1): 1.2.840.113549.1.1.1 and NULL.
    static let rsaEncryption: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        if contents.count < 0x80 {
            length = [UInt8(contents.count)]
        } else {
            var rest = contents.count
            while rest > 0 {
                length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
                rest >>= 8
            }
            length.insert(0x80 | UInt8(length.count), at: 0)
        }
        return [tag] + length + contents
    }

    static func unsignedInteger(_ magnitude: [UInt8]) -> [UInt8] {
        let needsZero = (magnitude.first ?? 0x80) >= 0x80
        return element(integer, (needsZero ? [0] : []) + magnitude)
    }

    /// SubjectPublicKeyInfo of an RSA key (RFC 5280, section 4.1.2.7).
    static func publicKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let key = element(sequence, unsignedInteger(modulus) + unsignedInteger(exponent))
        return element(sequence, rsaEncryption + element(bitString, [0] + key))
    }

    /// Modulus and exponent of an RSA private key in PKCS #8 (RFC 5208) or PKCS #1 (RFC 8017) form.
    static func publicPart(privateKey bytes: [UInt8], pkcs8: Bool) -> (modulus: [UInt8], exponent: [UInt8])? {
        var outer = DERReader(bytes[...])
        guard let body = outer.element(sequence) else { return nil }
        var reader = DERReader(body)
        guard reader.unsignedInteger() != nil else { return nil }
        if pkcs8 {
            guard let algorithm = reader.element(sequence), element(sequence, Array(algorithm)) == rsaEncryption,
                let inner = reader.element(octetString)
            else { return nil }
            return publicPart(privateKey: Array(inner), pkcs8: false)
        }
        guard let modulus = reader.unsignedInteger(), let exponent = reader.unsignedInteger() else { return nil }
        return (modulus, exponent)
    }
}
