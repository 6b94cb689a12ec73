import Diagnostics
import JSON
import TenantFiles

/// All that a user flow depends on besides its own settings: two flows with equal settings in equal surroundings compile
/// to the same policy. The compiler sees nothing else of a tenant, so a kept policy is never a stale one.
struct FlowSurroundings: Hashable, Sendable {
    /// The short name of the tenant, `contoso`.
    var name: String
    /// Its initial domain, `contoso.onmicrosoft.com`.
    var domain: String
    /// The identity providers.
    var providers: [ProviderSettings]
    /// `authority.defaults.resetSharesVerificationControl`: no other of the defaults changes what is compiled.
    var resetSharesVerificationControl: Bool
    /// The types of custom attributes by name in lower case, as the first person who has one has it.
    var customAttributes: [String: DataType]

    init(of tenant: Tenant) {
        name = tenant.name
        domain = tenant.domain
        providers = tenant.providers
        resetSharesVerificationControl = tenant.authority.defaults.resetSharesVerificationControl
        customAttributes = [:]
        for user in tenant.users {
            for (name, value) in user.attributes.members where AttributeCatalog.isCustom(name) {
                let name = name.lowercased()
                guard customAttributes[name] == nil else { continue }
                switch value {
                case .bool: customAttributes[name] = .boolean
                case .integer: customAttributes[name] = .int
                default: customAttributes[name] = .string
                }
            }
        }
    }

    /// The identity provider of that name.
    func provider(named name: String) -> ProviderSettings? { providers.first { sameText($0.name, name) } }
}
