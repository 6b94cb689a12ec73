#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Who signs and verifies. RSASSA-PKCS1-v1_5 has no randomness, so both give the same bytes.
public enum SignatureProvider: String, Sendable, Hashable, CaseIterable {
    case openSSL = "openssl"
    /// This package's own, for machines without OpenSSL.
    case builtIn = "built-in"

    /// The one that signs and verifies in this process: the one the environment variable `B2C_SIGNER` names (`openssl`
    /// or `built-in`), else OpenSSL where it is found.
    public static let selected: SignatureProvider = choice.provider

    /// What is wrong with `B2C_SIGNER`, for the command to print; `nil` when nothing is.
    public static let complaint: String? = choice.complaint

    /// The name of the one in use, with its version where it has one: `OpenSSL 3.0.19` or `built-in`.
    public static var current: String { selected.name }

    /// Those this machine has.
    public static var available: [SignatureProvider] {
        LibCrypto.shared == nil ? [.builtIn] : [.openSSL, .builtIn]
    }

    public var name: String {
        switch self {
        case .openSSL: LibCrypto.shared?.version ?? "OpenSSL (not found)"
        case .builtIn: rawValue
        }
    }

    private static let choice: (provider: SignatureProvider, complaint: String?) = {
        let best = available.first ?? .builtIn
        guard let wish = getenv("B2C_SIGNER").map({ String(cString: $0) }), !wish.isEmpty else { return (best, nil) }
        guard let wanted = SignatureProvider(rawValue: wish) else {
            return (best, "B2C_SIGNER is \"\(wish)\"; expected openssl or built-in. Using \(best.name).")
        }
        guard available.contains(wanted) else {
            return (best, "B2C_SIGNER asks for \(wish), which is not found here. Using \(best.name).")
        }
        return (wanted, nil)
    }()

    func privateKey(pem: String) -> (any PrivateKey)? {
        switch self {
        case .openSSL: LibCrypto.shared.flatMap { OpenSSLPrivateKey(pem: pem, library: $0) }
        case .builtIn: BuiltInPrivateKey(pem: pem)
        }
    }

    func publicKey(der: [UInt8]) -> (any PublicKey)? {
        switch self {
        case .openSSL: LibCrypto.shared.flatMap { OpenSSLPublicKey(der: der, library: $0) }
        case .builtIn: BuiltInPublicKey(der: der)
        }
    }
}

/// RS256, or ECDSA with SHA-256, with a key that has been parsed once and may be used by many threads at a time.
protocol PrivateKey: Sendable {
    /// Empty when the library fails, for which a parsed key gives it no cause but lack of memory.
    func sign(_ bytes: [UInt8]) -> [UInt8]
}

protocol PublicKey: Sendable {
    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool
}
