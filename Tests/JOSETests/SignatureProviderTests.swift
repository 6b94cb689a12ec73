import Determinism
import JOSE
import Testing

@Suite struct SignatureProviderTests {
    @Test func `one provider is always available`() {
        #expect(SignatureProvider.available.contains(.swiftCrypto))
        #expect(SignatureProvider.available.contains(SignatureProvider.selected))
        #expect(SignatureProvider.current == SignatureProvider.selected.name)
        #expect(SignatureProvider.swiftCrypto.name == "swift-crypto")
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
}
