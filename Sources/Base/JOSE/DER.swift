import Determinism

/// The little of DER (X.690) that keys and certificates need.
package struct DERReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The contents of the next element when it has that tag.
    package mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
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

    /// The next element as a time of either kind (RFC 5280, section 4.1.2.5).
    mutating func time() -> Timestamp? {
        let text: String
        if let short = element(DER.shortTime).map({ String(decoding: $0, as: UTF8.self) }) {
            text = (short < "50" ? "20" : "19") + short
        } else {
            guard let long = element(DER.longTime) else { return nil }
            text = String(decoding: long, as: UTF8.self)
        }
        let letters = Array(text)
        guard letters.count == 15, letters.last == "Z" else { return nil }
        let date = [letters[..<4], letters[4..<6], letters[6..<8]].map { String($0) }.joined(separator: "-")
        let time = [letters[8..<10], letters[10..<12], letters[12...]].map { String($0) }.joined(separator: ":")
        return Timestamp(rfc3339: "\(date)T\(time)")
    }
}

package enum DER {
    package static let boolean: UInt8 = 0x01
    package static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    package static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    package static let text: UInt8 = 0x0c
    static let shortTime: UInt8 = 0x17
    static let longTime: UInt8 = 0x18
    package static let sequence: UInt8 = 0x30
    package static let set: UInt8 = 0x31
    /// AlgorithmIdentifier of rsaEncryption (RFC 8017, appendix A.1): 1.2.840.113549.1.1.1 and NULL.
    static let rsaEncryption: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    package static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
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

    package static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(sequence, elements.flatMap { $0 }) }

    package static func unsignedInteger(_ magnitude: some Collection<UInt8>) -> [UInt8] {
        let needsZero = (magnitude.first ?? 0x80) >= 0x80
        return element(integer, (needsZero ? [0] : []) + magnitude)
    }

    /// - Parameter unused: How many of the last bits do not count.
    package static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(bitString, [unused] + bytes) }

    /// An object identifier by its numbers.
    package static func identifier(_ numbers: [Int]) -> [UInt8] {
        let encoded = [numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2)
        return element(
            objectIdentifier,
            encoded.flatMap { number in
                var digits = [UInt8(number & 0x7f)]
                var rest = number >> 7
                while rest > 0 {
                    digits.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
                    rest >>= 7
                }
                return digits
            })
    }

    /// A time to the second, with two digits for the year until 2049 (RFC 5280, section 4.1.2.5).
    package static func time(_ instant: Timestamp) -> [UInt8] {
        let digits = Timestamp(seconds: instant.secondsSinceEpoch).rfc3339.utf8.filter { (0x30...0x39).contains($0) }
        let isShort = (1950..<2050).contains(instant.civil.year)
        return element(isShort ? shortTime : longTime, digits.dropFirst(isShort ? 2 : 0) + [UInt8(ascii: "Z")])
    }

    /// EMSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 9.2); `nil` where the length has no room for it.
    static func padded(_ bytes: [UInt8], length: Int) -> [UInt8]? {
        let algorithm = sequence(identifier([2, 16, 840, 1, 101, 3, 4, 2, 1]), element(0x05, []))
        let digest = sequence(algorithm, element(octetString, SHA2.sha256(bytes)))
        guard length >= digest.count + 11 else { return nil }
        return [0, 1] + [UInt8](repeating: 0xff, count: length - digest.count - 3) + [0] + digest
    }

    /// SubjectPublicKeyInfo of an RSA key (RFC 5280, section 4.1.2.7).
    static func publicKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let key = element(sequence, unsignedInteger(modulus) + unsignedInteger(exponent))
        return element(sequence, rsaEncryption + element(bitString, [0] + key))
    }

    /// Modulus and exponent of an RSA key in a SubjectPublicKeyInfo.
    package static func numbers(publicKey bytes: [UInt8]) -> (modulus: [UInt8], exponent: [UInt8])? {
        var outer = DERReader(bytes[...])
        guard let body = outer.element(sequence) else { return nil }
        var reader = DERReader(body)
        guard let algorithm = reader.element(sequence), element(sequence, Array(algorithm)) == rsaEncryption,
            let key = reader.element(bitString), key.first == 0
        else { return nil }
        outer = DERReader(key.dropFirst())
        guard let body = outer.element(sequence) else { return nil }
        reader = DERReader(body)
        guard let modulus = reader.unsignedInteger(), let exponent = reader.unsignedInteger() else { return nil }
        return (modulus, exponent)
    }

    /// The numbers of an RSA private key in PKCS #8 (RFC 5208) or PKCS #1 (RFC 8017) form, modulus and public exponent first.
    static func numbers(privateKey bytes: [UInt8], pkcs8: Bool) -> [[UInt8]]? {
        var outer = DERReader(bytes[...])
        guard let body = outer.element(sequence) else { return nil }
        var reader = DERReader(body)
        guard reader.unsignedInteger() != nil else { return nil }
        if pkcs8 {
            guard let algorithm = reader.element(sequence), element(sequence, Array(algorithm)) == rsaEncryption,
                let inner = reader.element(octetString)
            else { return nil }
            return numbers(privateKey: Array(inner), pkcs8: false)
        }
        var numbers: [[UInt8]] = []
        while let number = reader.unsignedInteger() { numbers.append(number) }
        return numbers.count < 2 ? nil : numbers
    }
}
