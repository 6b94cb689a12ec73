#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// OpenSSL's libcrypto, found when the program runs.
///
/// It signs RS256 several times as fast as the built-in arithmetic. Resolving it here means that no headers are needed to
/// build and that nothing is missed where it is absent.
///
/// `@unchecked`: function pointers are not known to be `Sendable`; these are constants.
final class LibCrypto: @unchecked Sendable {
    typealias NewBIO = @convention(c) (UnsafeRawPointer?, Int32) -> OpaquePointer?
    typealias FreeBIO = @convention(c) (OpaquePointer?) -> Int32
    typealias ReadPrivateKey =
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?)
        -> OpaquePointer?
    typealias ReadPublicKey =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    typealias FreeKey = @convention(c) (OpaquePointer?) -> Void
    typealias NewContext = @convention(c) () -> OpaquePointer?
    typealias CopyContext = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
    typealias FreeContext = @convention(c) (OpaquePointer?) -> Void
    typealias Hash = @convention(c) () -> OpaquePointer?
    typealias Initialise =
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?)
        -> Int32
    typealias SignFunction =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>, UnsafePointer<UInt8>?, Int
        ) -> Int32
    typealias Verify =
        @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int) -> Int32
    typealias Version = @convention(c) (Int32) -> UnsafePointer<CChar>?

    /// Name and number: `OpenSSL 3.0.19`.
    let version: String
    let newBIO: NewBIO
    let freeBIO: FreeBIO
    let readPrivateKey: ReadPrivateKey
    let readPublicKey: ReadPublicKey
    let freeKey: FreeKey
    let newContext: NewContext
    let copyContext: CopyContext
    let freeContext: FreeContext
    let sha256: Hash
    let signInit: Initialise
    let sign: SignFunction
    let verifyInit: Initialise
    let verify: Verify

    /// The library, looked for once; `nil` where there is none.
    static let shared = LibCrypto()

    private init?() {
        guard let handle = LibCrypto.open() else { return nil }
        func symbol<T>(_ name: String, _ type: T.Type) -> T? {
            dlsym(handle, name).map { unsafeBitCast($0, to: type) }
        }
        guard let version = symbol("OpenSSL_version", Version.self)?(0),
            let newBIO = symbol("BIO_new_mem_buf", NewBIO.self),
            let freeBIO = symbol("BIO_free", FreeBIO.self),
            let readPrivateKey = symbol("PEM_read_bio_PrivateKey", ReadPrivateKey.self),
            let readPublicKey = symbol("d2i_PUBKEY", ReadPublicKey.self),
            let freeKey = symbol("EVP_PKEY_free", FreeKey.self),
            let newContext = symbol("EVP_MD_CTX_new", NewContext.self),
            let copyContext = symbol("EVP_MD_CTX_copy_ex", CopyContext.self),
            let freeContext = symbol("EVP_MD_CTX_free", FreeContext.self),
            let sha256 = symbol("EVP_sha256", Hash.self),
            let signInit = symbol("EVP_DigestSignInit", Initialise.self),
            let sign = symbol("EVP_DigestSign", SignFunction.self),
            let verifyInit = symbol("EVP_DigestVerifyInit", Initialise.self),
            let verify = symbol("EVP_DigestVerify", Verify.self)
        else { return nil }
        self.version = String(cString: version).split(separator: " ").prefix(2).joined(separator: " ")
        self.newBIO = newBIO
        self.freeBIO = freeBIO
        self.readPrivateKey = readPrivateKey
        self.readPublicKey = readPublicKey
        self.freeKey = freeKey
        self.newContext = newContext
        self.copyContext = copyContext
        self.freeContext = freeContext
        self.sha256 = sha256
        self.signInit = signInit
        self.sign = sign
        self.verifyInit = verifyInit
        self.verify = verify
    }

    /// The copy that is loaded already, else one of the usual places. Never an unversioned name: on macOS that is a
    /// system library whose loading ends the process.
    private static func open() -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            let names = [
                "libcrypto.3.dylib", "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
                "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
            ]
        #else
            let names = ["libcrypto.so.3", "libcrypto.so.1.1"]
        #endif
        for flags in [RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL] {
            for name in names {
                if let handle = dlopen(name, flags) { return handle }
            }
        }
        return nil
    }
}
