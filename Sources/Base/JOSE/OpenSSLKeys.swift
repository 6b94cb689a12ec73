/// A context made ready for one key. Each operation begins with a copy of it: making another one ready looks algorithms up
/// by name, under a lock that all threads share.
///
/// `@unchecked`: after it was made it is only copied from, which reads it and counts up what it refers to.
private final class ReadyContext: @unchecked Sendable {
    private let context: OpaquePointer
    private let library: LibCrypto

    init?(_ key: OpaquePointer, _ initialise: LibCrypto.Initialise, library: LibCrypto) {
        guard let context = library.newContext() else { return nil }
        guard initialise(context, nil, library.sha256(), nil, key) == 1 else {
            library.freeContext(context)
            return nil
        }
        self.context = context
        self.library = library
    }

    deinit {
        library.freeContext(context)
    }

    /// A copy for one operation, to be freed by the caller.
    func copy() -> OpaquePointer? {
        guard let copy = library.newContext() else { return nil }
        guard library.copyContext(copy, context) == 1 else {
            library.freeContext(copy)
            return nil
        }
        return copy
    }
}

/// `@unchecked`: an `EVP_PKEY` is counted and locks itself; after parsing it is only read.
final class OpenSSLPrivateKey: PrivateKey, @unchecked Sendable {
    private let key: OpaquePointer
    private let ready: ReadyContext
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
        guard let ready = ReadyContext(key, library.signInit, library: library) else {
            library.freeKey(key)
            return nil
        }
        self.ready = ready
        self.key = key
        self.library = library
    }

    deinit {
        library.freeKey(key)
    }

    func sign(_ bytes: [UInt8]) -> [UInt8] {
        guard let context = ready.copy() else { return [] }
        defer { library.freeContext(context) }
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
final class OpenSSLPublicKey: PublicKey, @unchecked Sendable {
    private let key: OpaquePointer
    private let ready: ReadyContext
    private let library: LibCrypto

    init?(der: [UInt8], library: LibCrypto) {
        let key = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            return library.readPublicKey(nil, &cursor, buffer.count)
        }
        guard let key else { return nil }
        guard let ready = ReadyContext(key, library.verifyInit, library: library) else {
            library.freeKey(key)
            return nil
        }
        self.ready = ready
        self.key = key
        self.library = library
    }

    deinit {
        library.freeKey(key)
    }

    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        guard let context = ready.copy() else { return false }
        defer { library.freeContext(context) }
        return signature.withUnsafeBufferPointer { signature in
            bytes.withUnsafeBufferPointer { bytes in
                library.verify(context, signature.baseAddress, signature.count, bytes.baseAddress, bytes.count) == 1
            }
        }
    }
}
