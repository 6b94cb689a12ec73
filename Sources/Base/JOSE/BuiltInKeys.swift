import CCrypto

/// RSA of this package's own, in C: there on every machine.
final class BuiltInPrivateKey: PrivateKey {
    /// Modulus, exponents, primes and what follows of them, in the order of RFC 8017, appendix A.1.2.
    private let numbers: [[UInt8]]

    init?(pem: String) {
        guard let block = PEM.read(pem),
            let numbers = DER.numbers(privateKey: block.bytes, pkcs8: block.label == "PRIVATE KEY"), numbers.count == 8
        else { return nil }
        self.numbers = numbers
    }

    func sign(_ bytes: [UInt8]) -> [UInt8] {
        guard let message = DER.padded(bytes, length: numbers[0].count) else { return [] }
        return withNumbers(numbers + [message]) { numbers in
            var key = B2CPrivateKey(
                modulus: numbers[0], exponent: numbers[1], p: numbers[3], q: numbers[4], dp: numbers[5],
                dq: numbers[6], inverse: numbers[7])
            return [UInt8](unsafeUninitializedCapacity: numbers[0].count) { output, count in
                count = b2c_rsa_private(numbers[8], &key, output.baseAddress) ? numbers[0].count : 0
            }
        }
    }
}

final class BuiltInPublicKey: PublicKey {
    private let modulus: [UInt8]
    private let exponent: [UInt8]

    init?(der: [UInt8]) {
        guard let numbers = DER.numbers(publicKey: der), !numbers.exponent.isEmpty,
            // OpenSSL's limits: a key of 16,384 bits with an exponent as long would take seconds.
            numbers.modulus.count <= 3072 / 8 || numbers.exponent.count <= 64 / 8
        else { return nil }
        (modulus, exponent) = numbers
    }

    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        // A signature is as long as the modulus, and less (RFC 8017, section 8.2.2).
        guard signature.count == modulus.count, signature.lexicographicallyPrecedes(modulus),
            let message = DER.padded(bytes, length: modulus.count)
        else { return false }
        return message
            == withNumbers([signature, exponent, modulus]) { numbers in
                [UInt8](unsafeUninitializedCapacity: modulus.count) { output, count in
                    count = b2c_power(numbers[0], numbers[1], numbers[2], output.baseAddress) ? modulus.count : 0
                }
            }
    }
}

/// Numbers as the C functions take them, for the time of a call.
func withNumbers<Result>(_ numbers: [[UInt8]], _ body: ([B2CNumber]) -> Result) -> Result {
    numbers.flatMap { $0 }.withUnsafeBufferPointer { bytes in
        var start = 0
        return body(
            numbers.map { number in
                defer { start += number.count }
                return B2CNumber(bytes: bytes.baseAddress.map { $0 + start }, count: number.count)
            })
    }
}
