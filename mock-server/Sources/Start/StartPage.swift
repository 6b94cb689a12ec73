import AuthorityHosting
import HTTPMessages
import TenantFiles
import TrustFramework

/// The page at `/`: what this server plays, and where.
///
/// It is at the port of the sign-in pages, in whose origin scripts of templates run, and everybody who reaches the
/// port can read it. So it holds what is public there anyway: policies, apps, APIs, addresses. People are named only to callers
/// who may use the control API at this port, which no script of a page may, and their passwords only to such callers on this
/// machine. Client secrets are never in it.
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
    /// Whether their passwords are shown too: to the machine of the server alone.
    let showsPasswords: Bool

    /// The address at which the reader has reached the server, such as `http://localhost:9400`.
    let origin: String

    static let path = "/"

    var answer: ResponseMessage { PageText.answer(html, copies: true) }

    var html: String {
        PageText.page(
            tenant.tenant.name,
            """
            <h1>\(PageText.text(tenant.tenant.domain))</h1>
            <p>This is mock-server of b2c-harness. It plays \(kind) for tests: it is not a service of Microsoft, and \
            everything it signs is signed with public test keys.</p>
            \(inspectorLine)
            \(policies)
            \(people)
            \(apis)
            \(apps)
            \(settings)
            """)
    }

    private var kind: String {
        tenant.tenant.kind == .workforce ? "a Microsoft Entra directory tenant" : "an Azure AD B2C tenant"
    }

    private var inspectorLine: String {
        guard let inspector else { return "" }
        let address = PageText.text(inspector.address)
        let place =
            inspector.isElsewhere
            ? "inspector at <code>\(address)</code> on the machine of the server"
            : "<a href=\"\(address)\">inspector</a>"
        return """
            <p>Sign in below. The \(place) shows each request and the reason of each refusal, sent codes, people, clock and \
            faults.</p>
            """
    }

    // MARK: Policies

    private var policies: String {
        guard tenant.tenant.kind == .b2c else { return workforce }
        let rows = tenant.policies.map { policy in
            let base = SignInLink.base(policy.id, in: tenant.tenant)
            let settings = tenant.tenant.policies.first { sameID($0.id, policy.id) }
            let links =
                settings?.type == .ropc
                ? "<span class=\"quiet\">password grant only, no page</span>" : signIns(base, policy.id)
            return """
                <tr><th scope="row">\(PageText.text(policy.id))</th><td>\(PageText.text(settings?.type.rawValue ?? "custom"))</td>\
                <td>\(links)</td><td>\(PageText.link(base + "/v2.0/.well-known/openid-configuration", "discovery"))</td></tr>
                """
        }
        return PageText.table(
            "Policies", ["Policy", "Type", "Sign in as the app", "Metadata"], rows,
            none: "The tenant file has no policies.") + landingHint
    }

    private var workforce: String {
        let id = tenant.tenant.id.description
        let base = SignInLink.base("", in: tenant.tenant)
        return PageText.table(
            "Authority", ["Tenant", "Sign in as the app", "Metadata"],
            [
                """
                <tr><th scope="row">\(id)</th><td>\(signIns(base, id))</td>\
                <td>\(PageText.link(base + "/v2.0/.well-known/openid-configuration", "discovery"))</td></tr>
                """
            ], none: "")
    }

    /// A link for each app that has somewhere to take the answer.
    ///
    /// - Parameter policy: The id of the policy.
    private func signIns(_ base: String, _ policy: String) -> String {
        let links = tenant.tenant.apps.compactMap { app in
            SignInLink.address(base, as: app, SignInLink.Request(app: app.name, policy: policy, origin: origin))
                .map { PageText.link($0, app.name) }
        }
        return links.isEmpty
            ? "<span class=\"quiet\">no app has a redirect URI</span>" : links.joined(separator: "<br>")
    }

    /// What to do so that the tokens show here, where no app does it.
    private var landingHint: String {
        guard let url = WebURL(origin), tenant.tenant.kind == .b2c, !tenant.tenant.apps.isEmpty,
            tenant.tenant.apps.allSatisfy({ SignInLink.landing(of: $0, at: origin) == nil })
        else { return "" }
        let uri = WebURL(scheme: url.scheme, host: url.host, port: url.port, path: LandingPage.path).description
        return """
            <p class="quiet">A sign-in ends at the redirect URI of the app. To see the tokens here, add \
            <code>\(PageText.text(uri))</code> to the app's <code>registration.redirectUris.native</code>.</p>
            """
    }

    // MARK: Apps and people

    private var apps: String {
        let rows = tenant.tenant.apps.map { app in
            let uris = app.registration.redirectUris
            let all = uris.native + uris.spa + uris.web
            return """
                <tr><th scope="row">\(PageText.text(app.name))</th><td><code>\(PageText.text(app.registration.clientId))</code></td>\
                <td>\(all.map { "<code>\(PageText.text($0))</code>" }.joined(separator: "<br>"))</td></tr>
                """
        }
        return PageText.table(
            "Apps", ["App", "Client id", "Redirect URIs"], rows, none: "The tenant file has no apps.")
    }

    private var apis: String {
        let rows = tenant.tenant.apis.map { api in
            let scopes = api.scopeNames.map { "<code>\(PageText.text($0))</code>" }.joined(separator: "<br>")
            let address = WebURL(api.baseUrl).flatMap { base in
                base.host.map { "\(origin)\(LocalAddress.prefix)\($0)\(base.path)" }
            }
            return """
                <tr><th scope="row">\(PageText.text(api.name))</th><td><code>\(PageText.text(api.clientId))</code></td>\
                <td>\(scopes)</td><td><code>\(PageText.text(address ?? api.baseUrl))</code></td></tr>
                """
        }
        return PageText.table(
            "APIs", ["API", "Audience", "Scopes", "Address here"], rows, none: "The tenant file has no APIs.")
    }

    /// What to paste into the settings of an app, with the address at which the reader has reached the server.
    private var settings: String {
        let blocks = SettingsForm.allCases.compactMap { form in
            form.text(for: tenant, at: origin).map { text in
                PageText.copied("<code>\(form.file)</code> <span class=\"quiet\">\(form.rawValue)</span>", text)
            }
        }
        guard !blocks.isEmpty else { return "" }
        return "<h2>Settings of your app</h2>\(blocks.joined())\(PageText.copying)"
    }

    private var people: String {
        guard showsPeople else {
            return """
                <h2>People</h2><p class="quiet">They are shown on the machine of the server, if you type the address of this \
                page or open it in a new tab.</p>
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
            let password = showsPasswords ? "<td><code>\(PageText.text(user.password ?? ""))</code></td>" : ""
            return """
                <tr><th scope="row">\(PageText.text(user.name))</th>\
                <td>\(names.map { PageText.text($0) }.joined(separator: "<br>"))</td>\(password)<td>\(state)</td></tr>
                """
        }
        let columns = ["Person", "Signs in as"] + (showsPasswords ? ["Password"] : []) + ["At the start"]
        return PageText.table("People", columns, rows, none: "The tenant file has no people.")
    }
}
