import Determinism
import Testing

@testable import JOSE

@Suite struct SignatureProviderTests {
    @Test func `one provider is always available`() {
        #expect(SignatureProvider.available.contains(.builtIn))
        #expect(SignatureProvider.available.contains(SignatureProvider.selected))
        #expect(SignatureProvider.current == SignatureProvider.selected.name)
        #expect(SignatureProvider.builtIn.name == "built-in")
        if SignatureProvider.available.contains(.openSSL) {
            #expect(SignatureProvider.openSSL.name.hasPrefix("OpenSSL "))
        }
    }

    @Test func `all providers sign alike`() throws {
        var random = SeededGenerator(seed: 1)
        for index in 0..<TestKeys.count {
            let message = random.bytes(index * 97)
            let signatures = try SignatureProvider.available.map { provider in
                try SigningKey(name: provider.name, pem: TestKeys.key(index).pem, provider: provider).sign(message)
            }
            #expect(Set(signatures).count == 1)
            #expect(signatures[0].count == 256)
        }
    }

    @Test(arguments: SignatureProvider.available)
    func `a signature is valid for its key and bytes alone`(provider: SignatureProvider) throws {
        let message = Array("message".utf8)
        let signature = TestKeys.key(0).sign(message)
        let modulus = try #require(TestKeys.key(0).jwk.n.flatMap { Base64URL.decode($0) })
        let key = try #require(TestKeys.key(0).jwk.der.flatMap { provider.publicKey(der: $0) })
        let other = try #require(TestKeys.key(1).jwk.der.flatMap { provider.publicKey(der: $0) })
        #expect(key.isValid(signature, for: message))
        #expect(!key.isValid(signature, for: message + [0]) && !key.isValid(signature, for: []))
        #expect(!other.isValid(signature, for: message))
        let wrong: [[UInt8]] = [
            [], [0], modulus, [0] + signature, Array(signature.dropFirst()), [UInt8](repeating: 0, count: 256),
            [UInt8](repeating: 0, count: 255) + [1], [UInt8](repeating: 0xff, count: 256),
            signature.dropLast() + [signature[255] ^ 1],
        ]
        for bytes in wrong { #expect(!key.isValid(bytes, for: message), "\(bytes.prefix(4))") }
    }

    /// Bytes without a key, or with one that nothing can be computed with: an even modulus, an exponent or a modulus of 0, a
    /// modulus with no room for the hash, one of 20,000 bits, and an exponent that would take seconds.
    @Test(arguments: SignatureProvider.available)
    func `odd public keys verify nothing`(provider: SignatureProvider) {
        let keys: [[UInt8]] = [
            [], [0x30], [0x30, 0], DER.publicKey(modulus: [0xff, 0xfe], exponent: [3]),
            DER.publicKey(modulus: [], exponent: [3]), DER.publicKey(modulus: [0xff], exponent: []),
            DER.publicKey(modulus: [UInt8](repeating: 0xff, count: 61), exponent: [1, 0, 1]),
            DER.publicKey(modulus: [UInt8](repeating: 0xff, count: 2500), exponent: [1, 0, 1]),
            DER.publicKey(modulus: [UInt8](repeating: 0xfe, count: 256), exponent: [1, 0, 1]),
            DER.publicKey(
                modulus: [UInt8](repeating: 0xff, count: 2048), exponent: [UInt8](repeating: 0xff, count: 2048)),
        ]
        for der in keys {
            for length in [0, 1, 2, 61, 256, 2048, 2500] {
                let valid = provider.publicKey(der: der)?.isValid([UInt8](repeating: 1, count: length), for: [1])
                #expect(valid != true)
            }
        }
    }

    /// A modulus of 2,048 bits whose other numbers are not those of a key.
    @Test func `a private key whose numbers do not belong together does not sign`() throws {
        let read = try #require(PEM.read(TestKeys.key(0).pem))
        let numbers = try #require(DER.numbers(privateKey: read.bytes, pkcs8: true))
        #expect(numbers.count == 8)
        for index in 1..<8 where index != 2 {
            for change: [UInt8] in [[], [1], [UInt8](repeating: 0xff, count: 300), numbers[index].dropLast() + [1]] {
                guard change != numbers[index] else { continue }
                var changed = numbers
                changed[index] = change
                let body = DER.unsignedInteger([0]) + changed.flatMap { DER.unsignedInteger($0.isEmpty ? [0] : $0) }
                let pem = PEM.write("RSA PRIVATE KEY", DER.element(DER.sequence, body))
                #expect((SignatureProvider.builtIn.privateKey(pem: pem)?.sign([1, 2, 3]) ?? []) == [], "\(index)")
            }
        }
    }
}
