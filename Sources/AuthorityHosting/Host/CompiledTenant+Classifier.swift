import TenantFiles
import TrustFramework

extension CompiledTenant {
    /// Names what requests in a world of this tenant are about. It knows the addresses of its file and those that only
    /// its custom policies write down, so a world in process and one on a server say the same of a request.
    public var classifier: ExchangeClassifier {
        let known = ProviderAddresses.find(in: policies, of: tenant)
        return ExchangeClassifier(tenant: tenant, providers: known.flatMap { $0.endpoints.map(\.address) })
    }
}
