/// `@unchecked`: an `EVP_PKEY` is counted and locks itself; after parsing it is only read.
final class OpenSSLPrivateKey: RSAPrivateKey, @unchecked Sendable {
    private let key: OpaquePointer
    private let library: LibCrypto

    init?(pem: String, library: LibCrypto) {
        let bytes = Array(pem.utf8)
        let key = bytes.withUnsafeBytes { buffer -> OpaquePointer? in
            guard let count = Int32(exactly: buffer.count), let bio = library.newBIO(buffer.baseAddress, count) else {
                return nil
            }
            defer { _ = library.freeBIO(bio) }
            return library.readPrivateKey(bio, nil, nil, nil)
        }
        guard let key else { return nil }
        self.key = key
        self.library = library
    }

    deinit {
        library.freeKey(key)
    }

    func sign(_ bytes: [UInt8]) -> [UInt8] {
        guard let context = library.newContext() else { return [] }
        defer { library.freeContext(context) }
        guard library.signInit(context, nil, library.sha256(), nil, key) == 1 else { return [] }
        return bytes.withUnsafeBufferPointer { input in
            var length = 0
            guard library.sign(context, nil, &length, input.baseAddress, input.count) == 1 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: length) { output, count in
                var written = length
                let succeeded = library.sign(context, output.baseAddress, &written, input.baseAddress, input.count)
                count = succeeded == 1 ? written : 0
            }
        }
    }
}

/// `@unchecked`: as for the private key.
final class OpenSSLPublicKey: RSAPublicKey, @unchecked Sendable {
    private let key: OpaquePointer
    private let library: LibCrypto

    init?(der: [UInt8], library: LibCrypto) {
        let key = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            return library.readPublicKey(nil, &cursor, buffer.count)
        }
        guard let key else { return nil }
        self.key = key
        self.library = library
    }

    deinit {
        library.freeKey(key)
    }

    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        guard let context = library.newContext() else { return false }
        defer { library.freeContext(context) }
        guard library.verifyInit(context, nil, library.sha256(), nil, key) == 1 else { return false }
        return signature.withUnsafeBufferPointer { signature in
            bytes.withUnsafeBufferPointer { bytes in
                library.verify(context, signature.baseAddress, signature.count, bytes.baseAddress, bytes.count) == 1
            }
        }
    }
}
