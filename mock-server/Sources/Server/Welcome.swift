import AuthorityHosting
import HTTPMessages
import MockAuthority
import TenantFiles
import TrustFramework

/// What the person who starts the server reads: where to sign in and as which person, apps, APIs and addresses. Lines fit 80
/// columns unless a name of the tenant is longer.
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
        var lines = ["tenant \(tenant.domain), seed \(seed)"]
        if isEmbedded { lines.append("embedded: `b2c init` writes it as a file, `b2c serve FILE` serves a file") }
        lines.append("start page \(url)/")
        lines.append("authority  \(url)\(SignInLink.base("POLICY", in: tenant))/v2.0")
        lines.append("metadata   the authority, then /.well-known/openid-configuration")
        if tenant.kind == .b2c {
            lines += table(
                "policies",
                compiled.policies.map { policy in
                    let type = tenant.policies.first { sameID($0.id, policy.id) }?.type
                    return [policy.id, type?.rawValue ?? ""]
                })
        }
        lines += table("people", tenant.users.map { person($0, showsPasswords: showsPasswords) })
        lines += table("apps", tenant.apps.map { [$0.name, $0.registration.clientId] })
        lines += table("APIs", tenant.apis.flatMap(api))
        let names = tenant.hosts.count == 1 ? "is answered by its name" : "are answered by their names"
        lines.append("\(tenant.hosts.joined(separator: ", ")) \(names); other hosts are at")
        lines.append("\(url)\(LocalAddress.prefix)...")
        return lines + others(tenant)
    }

    /// Audience and scopes, which an API checks and an app asks for.
    private static func api(_ api: APISettings) -> [[String]] {
        [[api.name, "audience", api.clientId]] + api.scopeNames.map { ["", "scope", $0] }
    }

    /// What is at this server besides the authority, by its path there.
    private static func others(_ tenant: Tenant) -> [String] {
        var rows: [(path: String, name: String)] = []
        for api in tenant.apis {
            guard let base = WebURL(api.baseUrl), let host = base.host else { continue }
            rows.append((host + base.path, "API \(api.name)"))
        }
        for provider in tenant.providers where provider.type != .saml {
            guard let base = WebURL(provider.issuer), let host = base.host else { continue }
            rows.append((host + base.path, "provider \(provider.name)"))
        }
        rows.append(("\(GraphAPI.host)/v1.0/\(tenant.kind == .b2c ? "users" : "me")", "Microsoft Graph"))
        if tenant.kind == .b2c {
            rows.append(("\(InstanceDiscovery.host)/\(tenant.domain)/oauth2/v2.0/token", "tokens for Graph"))
        }
        // A name that does not fit beside a long path is on a line of its own.
        let width = rows.map(\.path.count).filter { $0 <= 48 }.max() ?? 0
        return rows.flatMap { path, name in
            path.count <= width
                ? ["  \(path)\(String(repeating: " ", count: width - path.count))  \(name)"]
                : ["  \(path)", String(repeating: " ", count: width + 4) + name]
        }
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
