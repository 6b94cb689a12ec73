import B2CProtocol
import Diagnostics
import JSON
import Synchronization
import TrustFramework

/// A tenant with its policies compiled: what a world is made of. Immutable, so scenarios share it.
public final class CompiledTenant: Sendable {
    /// The file's text as it stands, before defaults.
    public let json: JSONValue
    /// The file decoded.
    public let tenant: Tenant
    /// Its policies, linked; none for a plain directory tenant.
    public let policies: [ResolvedPolicy]

    private init(json: JSONValue, tenant: Tenant, policies: [ResolvedPolicy]) {
        self.json = json
        self.tenant = tenant
        self.policies = policies
    }

    /// Decodes and compiles. Policies that cannot be played are left out: the reader has refused every script that
    /// names one.
    ///
    /// - Throws: Everything that is wrong with the text.
    public static func compile(_ json: JSONValue) throws(InvalidInput) -> CompiledTenant {
        let tenant = try Tenant(json: json)
        var policies: [ResolvedPolicy] = []
        var findings: [Diagnostic] = []
        if tenant.kind == .b2c {
            for settings in tenant.policies where settings.unsupported == nil && settings.type != .custom {
                do throws(InvalidInput) {
                    policies.append(try UserFlowCompiler.compile(settings, tenant: tenant))
                } catch {
                    findings += error.diagnostics
                }
            }
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return CompiledTenant(json: json, tenant: tenant, policies: policies)
    }

    /// The same tenant after a merge patch over its file. What the patch does not touch is not compiled again.
    public func patched(_ patch: JSONValue) throws(InvalidInput) -> CompiledTenant {
        let changed = json.merging(patch: patch)
        let touchesPolicies = patch.objectValue?.keys.contains {
            ["policies", "providers", "name", "id", "hosts", "keySets", "kind", "apps", "apis"].contains($0)
        }
        if touchesPolicies ?? true { return try Self.compile(changed) }
        return CompiledTenant(json: changed, tenant: try Tenant(json: changed), policies: policies)
    }
}

/// Compiled tenants by their text: a suite of a hundred scripts over one tenant file compiles it once.
public final class TenantShelf: Sendable {
    private let known = Mutex<[JSONValue: Result<CompiledTenant, InvalidInput>]>([:])

    public init() {}

    /// The tenant of a text; compiled when it is asked for the first time.
    ///
    /// - Throws: Everything that is wrong with the text.
    public func tenant(_ json: JSONValue) throws(InvalidInput) -> CompiledTenant {
        if let found = known.withLock({ $0[json] }) { return try found.get() }
        let made: Result<CompiledTenant, InvalidInput>
        do throws(InvalidInput) { made = .success(try CompiledTenant.compile(json)) } catch { made = .failure(error) }
        known.withLock { $0[json] = made }
        return try made.get()
    }
}
