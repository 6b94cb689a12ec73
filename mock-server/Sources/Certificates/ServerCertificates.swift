import Determinism
import NIOCore
import NIOSSL
import Synchronization

/// The certificates of a running server: one for all names it knows at its start, and one for every other name as it is
/// asked for, since worlds that are made later have hosts of their own.
final class ServerCertificates: Sendable {
    /// Names made on demand that are kept.
    static let limit = 1_000

    private struct Chain: Sendable {
        let certificates: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    private let authority: CertificateAuthority
    private let clock: any WallClock
    private let names: Set<String>
    private let first: Chain
    private let others = Mutex<[String: Chain]>([:])

    /// - Parameter clock: Certificates are good from a day before the time they are made.
    init(authority: CertificateAuthority, names: [String], clock: any WallClock) throws {
        self.authority = authority
        self.clock = clock
        var distinct: [String] = []
        for name in names.map({ $0.lowercased() }) where !distinct.contains(name) { distinct.append(name) }
        self.names = Set(distinct)
        first = try Self.chain(authority.leaf(for: distinct, now: clock.now()))
    }

    private static func chain(_ leaf: CertificateAuthority.Leaf) throws -> Chain {
        Chain(
            certificates: try leaf.chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            key: .privateKey(try NIOSSLPrivateKey(bytes: Array(leaf.privateKey.utf8), format: .pem)))
    }

    /// TLS 1.2 and 1.3 with these certificates.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.certificates, privateKey: first.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] values, promise in
            promise.completeWith(Result { try override(for: values.serverHostname) })
        }
        return configuration
    }

    private func override(for name: String?) throws -> NIOSSLContextConfigurationOverride {
        guard let name = name?.lowercased(), !names.contains(name), HostName.isValid(name), !name.contains(":"),
            name.utf8.count <= 253
        else { return .noChanges }
        let chain = try others.withLock { others -> Chain in
            if let known = others[name] { return known }
            if others.count >= Self.limit { others.removeAll() }
            let made = try Self.chain(authority.leaf(for: [name], now: clock.now()))
            others[name] = made
            return made
        }
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = chain.certificates
        override.privateKey = chain.key
        return override
    }
}
