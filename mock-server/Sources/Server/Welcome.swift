import AuthorityHosting
import HTTPMessages
import MockAuthority
import TenantFiles
import TrustFramework

/// What somebody who starts the server is shown: where to sign in, as whom and for which app, the addresses, and how to
/// reach them without name mapping.
enum Welcome {
    /// Rows of a table that are shown; the start page and the inspector show all.
    private static let limit = 8

    /// - Parameters:
    ///   - isEmbedded: No tenant file was named.
    ///   - showsPasswords: Nobody but this machine can reach the server. The people of a tenant file are test people, and
    ///     somebody who starts a server wants to sign in.
    static func lines(
        url: String, tenant compiled: CompiledTenant, seed: UInt64, isEmbedded: Bool = false,
        showsPasswords: Bool = false
    ) -> [String] {
        let tenant = compiled.tenant
        var lines = ["tenant \(tenant.domain), seed \(seed)", "start page \(url)/"]
        if isEmbedded {
            lines[0] += " (embedded; `b2c init` writes it as a file, `b2c serve FILE` serves that)"
        }
        for policy in compiled.policies {
            lines.append("  \(url)/\(tenant.domain)/\(policy.id)/v2.0/.well-known/openid-configuration")
        }
        lines += signIns(url: url, compiled)
        lines += table("apps", tenant.apps.map { [$0.name, $0.registration.clientId] })
        lines += table("people", tenant.users.map { person($0, showsPasswords: showsPasswords) })
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
        let served = tenant.kind == .b2c ? "users" : "me"
        others.append("  Microsoft Graph: \(url)\(LocalAddress.prefix)\(GraphAPI.host)/v1.0/\(served)")
        if tenant.kind == .b2c {
            others.append(
                "  tokens for Graph: \(url)\(LocalAddress.prefix)\(InstanceDiscovery.host)/\(tenant.domain)/oauth2/v2.0/token"
            )
        }
        lines.append("hosts \(tenant.hosts.joined(separator: ", ")) are answered by name; the others are at")
        return lines + others
    }

    /// An address for each policy that has a page, as the first app that can take the answer.
    private static func signIns(url: String, _ compiled: CompiledTenant) -> [String] {
        let tenant = compiled.tenant
        let rows = compiled.policies.compactMap { policy -> [String]? in
            guard tenant.policies.first(where: { sameID($0.id, policy.id) })?.type != .ropc else { return nil }
            let base = "\(url)/\(tenant.domain)/\(policy.id)"
            return tenant.apps.lazy.compactMap { StartPage.signIn(base, as: $0) }.first.map { [policy.id, $0] }
        }
        return table("sign in", rows)
    }

    private static func person(_ user: UserRecord, showsPasswords: Bool) -> [String] {
        let name = user.email ?? user.username ?? user.phone ?? ""
        let note = user.registered ? "" : "signs up first"
        return [user.name, name, showsPasswords ? user.password ?? "" : "", note]
    }

    private static func table(_ title: String, _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let shown = rows.prefix(limit)
        let widths = (shown.first ?? []).indices.map { column in shown.map { $0[column].count }.max() ?? 0 }
        let lines = shown.map { row in
            var line = " "
            for (cell, width) in zip(row, widths) where width > 0 {
                line += " " + cell + String(repeating: " ", count: max(0, width - cell.count)) + " "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
        let more = rows.count > limit ? ["  and \(rows.count - limit) more: see the start page"] : []
        return [title] + lines + more
    }
}
