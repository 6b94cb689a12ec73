import AuthorityHosting
import B2CProtocol
import HTTPMessages

/// What somebody who starts the server is told: the addresses, and how to reach them without name mapping.
enum Welcome {
    static func lines(url: String, tenant compiled: CompiledTenant, seed: UInt64) -> [String] {
        let tenant = compiled.tenant
        var lines = ["tenant \(tenant.domain), seed \(seed)", "start page \(url)/"]
        for policy in compiled.policies {
            lines.append("  \(url)/\(tenant.domain)/\(policy.id)/v2.0/.well-known/openid-configuration")
        }
        var others: [String] = []
        for api in tenant.apis {
            if let base = WebURL(api.baseUrl), let host = base.host {
                others.append("  API \(api.name): \(url)\(LocalAddress.prefix)\(host)\(base.path)")
            }
        }
        for provider in tenant.providers where provider.type != .saml {
            if let base = WebURL(provider.issuer), let host = base.host {
                others.append("  provider \(provider.name): \(url)\(LocalAddress.prefix)\(host)\(base.path)")
            }
        }
        others.append("  Microsoft Graph: \(url)\(LocalAddress.prefix)graph.microsoft.com/v1.0/me")
        lines.append("hosts \(tenant.hosts.joined(separator: ", ")) are answered by name; the others are at")
        return lines + others
    }
}
