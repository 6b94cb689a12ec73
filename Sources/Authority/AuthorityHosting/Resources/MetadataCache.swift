import B2CProtocol
import Determinism
import JOSE
import TenantFiles

/// What an API has read of discovery documents and keys, and when it must read again.
struct MetadataCache: Sendable {
    /// The documents as one reading found them.
    struct Documents: Sendable {
        var readAt: Timestamp
        /// Each issuer once, in the order of the documents.
        var issuers: [String] = []
        var keys = JWKSet(keys: [])
    }

    private(set) var addresses: [String]
    private var reading: KeyReading
    private var lifetime: TimeSpan
    private(set) var documents: Documents?

    init(_ validation: APIValidation, tenant: Tenant) {
        addresses = Self.addresses(validation, tenant)
        reading = validation.keys
        lifetime = validation.keysLifetime
    }

    mutating func configure(_ validation: APIValidation, tenant: Tenant) {
        let before = addresses
        addresses = Self.addresses(validation, tenant)
        reading = validation.keys
        lifetime = validation.keysLifetime
        if addresses != before { documents = nil }
    }

    /// The documents of the policies that the settings name; a plain directory has one document for all its tenants.
    private static func addresses(_ validation: APIValidation, _ tenant: Tenant) -> [String] {
        if tenant.kind == .workforce {
            return [
                AuthorityURLs.endpoint(
                    .discovery, host: tenant.host, tenantSegment: "common", policy: nil, form: .path)
            ]
        }
        return validation.metadata.compactMap { name in
            tenant.policy(named: name).map { policy in
                AuthorityURLs.endpoint(
                    .discovery, host: tenant.host, tenantSegment: tenant.domain, policy: policy.id, form: .path)
            }
        }
    }

    var hasKeys: Bool { documents != nil }

    /// Whether a token signed by this key may only be checked after reading the documents.
    func mustRead(kid: String?, at now: Timestamp) -> Bool {
        guard let documents else { return true }
        switch reading {
        case .atStart: return false
        case .everyTime: return true
        case .onUnknown:
            if now >= documents.readAt + lifetime { return true }
            return kid.map { documents.keys[kid: $0] == nil } ?? false
        }
    }

    mutating func keep(_ read: Documents) {
        documents = read
    }

    mutating func forget() {
        documents = nil
    }
}
