import AuthorityHosting
import HTTPMessages
import JOSE
import TenantFiles
import TrustFramework

/// The page at `/`: what this server plays, and where.
///
/// It stands at the port of the sign-in pages, in whose origin scripts of templates run, and everybody who reaches the
/// port can read it. So it holds what is public there anyway: policies, apps, addresses. People are named only to callers
/// who may use the control API at this port, which no script of a page may; secrets are never in it.
struct StartPage {
    /// Where the inspector is.
    struct Inspector: Sendable {
        let address: String
        /// The address is one of the server's machine, and the reader may be at another.
        var isElsewhere = false
    }

    let tenant: CompiledTenant
    /// `nil` where there is none.
    let inspector: Inspector?
    /// Whether the tenant's people are shown.
    let showsPeople: Bool

    static let path = "/"

    /// The answer, with the fields that keep it out of frames and out of reach of other origins.
    var answer: ResponseMessage {
        .html(
            200, html,
            headers: [
                "Content-Security-Policy": Self.policy, "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
            ])
    }

    /// No script, nothing from elsewhere, and the one style sheet of the page (W3C CSP3).
    static let policy =
        "default-src 'none'; style-src 'sha256-\(Base64.encode(SHA2.sha256(Array(style.utf8))))'; img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    var html: String {
        let tenant = self.tenant.tenant
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(Self.text(tenant.name)) - mock-server</title>
            <style>\(Self.style)</style></head>
            <body><main>
            <h1>\(Self.text(tenant.domain))</h1>
            <p>This is mock-server of b2c-harness. It plays \(kind) for tests: it is not a service of Microsoft, and \
            everything it signs is signed with public test keys.</p>
            \(inspectorLine)
            \(policies)
            \(apps)
            \(people)
            </main></body></html>
            """
    }

    private var kind: String {
        tenant.tenant.kind == .workforce ? "a Microsoft Entra directory tenant" : "an Azure AD B2C tenant"
    }

    private var inspectorLine: String {
        guard let inspector else { return "" }
        let address = Self.text(inspector.address)
        let place =
            inspector.isElsewhere
            ? "inspector at <code>\(address)</code> on the machine of the server"
            : "<a href=\"\(address)\">inspector</a>"
        return """
            <p>What happens here shows the \(place): requests and the reasons of \
            refusals, sent codes, people, clock and faults.</p>
            """
    }

    // MARK: Policies

    private var policies: String {
        guard tenant.tenant.kind == .b2c else { return workforce }
        let rows = tenant.policies.map { policy in
            let base = "/\(tenant.tenant.domain)/\(policy.id)"
            let settings = tenant.tenant.policies.first { sameID($0.id, policy.id) }
            let links =
                settings?.type == .ropc
                ? "<span class=\"quiet\">password grant only, no page</span>" : signIns(base)
            return """
                <tr><th scope="row">\(Self.text(policy.id))</th><td>\(Self.text(settings?.type.rawValue ?? "custom"))</td>\
                <td>\(links)</td><td>\(Self.link(base + "/v2.0/.well-known/openid-configuration", "discovery"))</td></tr>
                """
        }
        return Self.table("Policies", ["Policy", "Type", "Sign in as the app", "Metadata"], rows, none: "no policies")
    }

    private var workforce: String {
        let base = "/\(tenant.tenant.id)"
        return Self.table(
            "Authority", ["Tenant", "Sign in as the app", "Metadata"],
            [
                """
                <tr><th scope="row">\(tenant.tenant.id)</th><td>\(signIns(base))</td>\
                <td>\(Self.link(base + "/v2.0/.well-known/openid-configuration", "discovery"))</td></tr>
                """
            ], none: "")
    }

    /// A link for each app that has somewhere to take the answer.
    private func signIns(_ base: String) -> String {
        let links = tenant.tenant.apps.compactMap { app in
            Self.signIn(base, as: app).map { Self.link($0, app.name) }
        }
        return links.isEmpty
            ? "<span class=\"quiet\">no app has a redirect URI</span>" : links.joined(separator: "<br>")
    }

    /// The address at which a person signs in to an app; `nil` for one that has nowhere to take the answer.
    ///
    /// - Parameter base: The address of the policy.
    static func signIn(_ base: String, as app: AppSettings) -> String? {
        guard app.registration.enabled, let redirect = app.redirectURI else { return nil }
        // The state tells the app that nobody there has asked for the answer.
        let query: FormItems = [
            "client_id": app.registration.clientId, "redirect_uri": redirect, "response_type": "code",
            "scope": "openid", "state": "start-page", "nonce": "start-page", "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        return "\(base)/oauth2/v2.0/authorize?\(query.encoded)"
    }

    /// Of the verifier `start-page-start-page-start-page-start-page` (RFC 7636).
    private static let challenge = Base64URL.encode(
        SHA2.sha256(Array("start-page-start-page-start-page-start-page".utf8)))

    // MARK: Apps and people

    private var apps: String {
        let rows = tenant.tenant.apps.map { app in
            let uris = app.registration.redirectUris
            let all = uris.native + uris.spa + uris.web
            return """
                <tr><th scope="row">\(Self.text(app.name))</th><td><code>\(Self.text(app.registration.clientId))</code></td>\
                <td>\(all.map { "<code>\(Self.text($0))</code>" }.joined(separator: "<br>"))</td></tr>
                """
        }
        return Self.table("Apps", ["App", "Client id", "Redirect URIs"], rows, none: "no apps")
    }

    private var people: String {
        guard showsPeople else {
            return """
                <h2>People</h2><p class="quiet">They are shown to somebody who opens this page on the machine of the \
                server, in a new tab.</p>
                """
        }
        let rows = tenant.tenant.users.map { user in
            let names = [user.email, user.username, user.phone].compactMap { $0 }
            let state: String =
                if !user.registered {
                    "no account yet"
                } else if !user.accountEnabled {
                    "disabled"
                } else if user.locked {
                    "locked"
                } else {
                    "has an account"
                }
            return """
                <tr><th scope="row">\(Self.text(user.name))</th>\
                <td>\(names.map(Self.text).joined(separator: "<br>"))</td><td>\(state)</td></tr>
                """
        }
        return Self.table("People", ["Person", "Signs in as", "At the start"], rows, none: "no people")
            + "<p class=\"quiet\">Their passwords are in the tenant file; the inspector shows them too.</p>"
    }

    // MARK: Writing

    private static func table(_ title: String, _ columns: [String], _ rows: [String], none: String) -> String {
        guard !rows.isEmpty else { return "<h2>\(title)</h2><p class=\"quiet\">The tenant file has \(none).</p>" }
        let head = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return """
            <h2>\(title)</h2><div class="wide"><table><thead><tr>\(head)</tr></thead><tbody>\(rows.joined())</tbody>\
            </table></div>
            """
    }

    private static func link(_ address: String, _ words: String) -> String {
        "<a href=\"\(text(address))\">\(text(words))</a>"
    }

    /// For the content of an element or a quoted attribute.
    private static func text(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let style = """
        body{margin:0;background:#eef2f6;color:#1b1b1b;\
        font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}\
        main{box-sizing:border-box;max-width:60rem;margin:0 auto;padding:1.5rem 1rem;background:#fff;min-height:100vh}\
        @media(min-width:40rem){main{padding:2rem}}\
        h1{font-size:1.5rem;margin:0 0 .5rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.75rem 0 .5rem}\
        p{margin:0 0 .75rem}a{color:#0b5cad}.quiet{color:#555}.wide{overflow-x:auto}\
        table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;\
        border-bottom:1px solid #dde3e9}thead th{font-weight:600;font-size:.85rem;color:#555}\
        code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
        """
}
