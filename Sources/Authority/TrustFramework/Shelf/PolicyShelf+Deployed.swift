import Diagnostics
import TenantFiles

/// Custom policies as they are once somebody has uploaded them.
extension PolicyShelf {
    /// A policy file as a tenant holds it: settings and tenant filled in, without byte order mark.
    public struct DeployedPolicy: Sendable {
        public var id: String
        public var bytes: [UInt8]
    }

    /// The custom policies of a tenant with their parents, each once, parents first. Those of a chain that cannot be read
    /// and the base that is built in are omitted.
    public func deployed(tenant: Tenant, folder: String) -> [DeployedPolicy] {
        var found: [DeployedPolicy] = []
        var known: Set<String> = []
        let values = (try? read.values(tenant: tenant, folder: folder)) ?? []
        for settings in tenant.policies where settings.type == .custom && settings.unsupported == nil {
            for (_, bytes) in ((try? files(of: settings, tenant: tenant, folder: folder)) ?? []).reversed() {
                let filled = Self.deployed(bytes, values, tenantDomain: tenant.domain)
                guard let id = PolicyReader.policyID(bytes: filled), known.insert(id.uppercased()).inserted else {
                    continue
                }
                found.append(DeployedPolicy(id: id, bytes: filled))
            }
        }
        return found
    }

    private static func deployed(
        _ read: [UInt8], _ values: [(name: String, value: String)], tenantDomain: String
    ) -> [UInt8] {
        var bytes = PolicySettingsText.filled(read, values)?.bytes ?? read
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return TenantPlaceholder.filled(bytes, tenantDomain) ?? bytes
    }

    /// The policies of a tenant whose custom policies are in other files.
    ///
    /// - Parameters:
    ///   - files: Files by their path as seen from the folder. They go before those of this shelf.
    ///   - folder: The folder of the tenant file.
    /// - Returns: A shelf with these files too, the policies that link, and why the others do not, by id.
    public func replaced(
        by files: [String: [UInt8]], tenant: Tenant, folder: String
    ) -> (shelf: PolicyShelf, policies: [ResolvedPolicy], faults: [(id: String, why: InvalidInput)]) {
        var over: [String: [UInt8]] = [:]
        for (path, bytes) in files { over[PolicyPath.resolve(path, in: folder)] = bytes }
        let shelf = PolicyShelf(files: read.overlaid(by: over))
        let (policies, faults) = shelf.loadWhatLinks(tenant: tenant, folder: folder)
        return (shelf, policies, faults)
    }
}
