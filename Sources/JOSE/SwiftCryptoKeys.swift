import Crypto
import CryptoExtras
import Foundation

/// The copy of BoringSSL that swift-crypto carries: there on every machine.
final class SwiftCryptoPrivateKey: RSAPrivateKey {
    private let key: _RSA.Signing.PrivateKey

    init?(pem: String) {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
        self.key = key
    }

    func sign(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        guard let signature = try? key.signature(for: hash.finalize(), padding: .insecurePKCS1v1_5) else { return [] }
        return signature.withUnsafeBytes { [UInt8]($0) }
    }
}

final class SwiftCryptoPublicKey: RSAPublicKey {
    private let key: _RSA.Signing.PublicKey

    init?(der: [UInt8]) {
        guard let key = try? _RSA.Signing.PublicKey(derRepresentation: der) else { return nil }
        self.key = key
    }

    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: hash.finalize(), padding: .insecurePKCS1v1_5)
    }
}
