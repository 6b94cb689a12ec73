import AuthorityHosting
import B2CProtocol
import Exchanges
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import TrustFramework

/// The page at which a sign-in from the start page ends: it redeems the code, and shows the tokens with the origin of each
/// claim.
///
/// It is an app's own page as jwt.ms is: an app answers here if this address is among its redirect URIs. Those of the embedded
/// tenant have it.
struct LandingPage {
    static let path = "/signed-in"

    let world: ServerWorld
    /// The request that brought the answer.
    let url: WebURL
    /// `nil` where there is none.
    let inspector: StartPage.Inspector?

    /// The answer to the browser.
    func answer() async -> ResponseMessage {
        let items = url.queryItems
        if let error = items["error"] { return refused(error, items["error_description"] ?? "") }
        guard let code = items["code"] else { return nothing }
        guard let request = SignInLink.Request(state: items["state"] ?? ""), let app = app(request) else {
            return foreign(items)
        }
        return await signedIn(code, request, app)
    }

    private func app(_ request: SignInLink.Request) -> AppSettings? {
        world.tenant.tenant.apps.first { sameText($0.name, request.app) }
    }

    // MARK: Ends

    private func signedIn(_ code: String, _ request: SignInLink.Request, _ app: AppSettings) async -> ResponseMessage {
        let origin = SignInLink.isOwn(request.origin, beside: url) ? request.origin : url.origin
        let address = "\(origin)\(SignInLink.base(request.policy, in: world.tenant.tenant))/oauth2/v2.0/token"
        guard let form = SignInLink.redemption(of: code, for: app, at: url), let target = WebURL(address) else {
            return foreign(url.queryItems)
        }
        var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        if form.isOfPage { headers["Origin"] = url.origin }
        let delivery = await world.delivery(
            of: RequestMessage(method: "POST", url: target, headers: headers, body: Array(form.items.encoded.utf8)))
        guard case .success(let message) = delivery.outcome, let json = try? JSONParser.parse(message.body) else {
            return refused("no answer", "a fault rule, or the network, kept the answer of \(address)")
        }
        if let error = json["error"]?.stringValue {
            let text = json["error_description"]?.stringValue ?? ""
            let isSpent = error == "invalid_grant"
            return refused(
                error, text,
                more: isSpent ? "A code is good once: this page cannot be loaded again. Sign in again." : "")
        }
        return PageText.answer(
            PageText.page("signed in", tokens(json, for: code, of: request, app: app, origin: origin)))
    }

    private func refused(_ error: String, _ description: String, more: String = "") -> ResponseMessage {
        let code = AADB2C.firstCode(in: description)
        return PageText.answer(
            PageText.page(
                error,
                """
                <h1>Not signed in: \(PageText.text(error))</h1>
                <p class="bad">\(PageText.text(description))</p>
                \(more.isEmpty ? "" : "<p>\(more)</p>")
                <h2>What it means</h2>\(PageText.command("b2c explain \(code ?? error)"))
                \(next(""))
                """))
    }

    private var nothing: ResponseMessage {
        PageText.answer(
            PageText.page(
                "signed in",
                """
                <h1>Nothing to show</h1>
                <p>A sign-in that ends here brings a code. An answer behind <code>#</code> stays in the browser: use \
                <code>response_type=code</code>.</p>
                \(next(""))
                """))
    }

    /// A code that another program has asked for: it alone has the verifier.
    private func foreign(_ items: FormItems) -> ResponseMessage {
        let rows = items.items.map { Self.row($0.name, $0.value, nil) }
        return PageText.answer(
            PageText.page(
                "signed in",
                """
                <h1>The answer of a sign-in</h1>
                <p>It was not asked for by the start page, so only the program that sent the request can redeem the code.</p>
                \(PageText.table("Parameters", ["Name", "Value"], rows, none: ""))
                \(next(""))
                """))
    }

    // MARK: Tokens

    private func tokens(
        _ json: JSONValue, for code: String, of request: SignInLink.Request, app: AppSettings, origin: String
    ) -> String {
        let policy = world.tenant.policies.first { sameID($0.id, request.policy) }
        let origins = ClaimOrigins(world.journal, code: code, policy: policy)
        let idToken = Self.claims(json["id_token"]?.stringValue)
        let name = idToken?["name"]?.stringValue ?? idToken?["sub"]?.stringValue ?? "Somebody"
        return """
            <h1>\(PageText.text(name)) is signed in</h1>
            <p>\(PageText.text(request.policy)) has answered to the app <code>\(PageText.text(app.name))</code>, and this page has \
            redeemed the code.</p>
            \(claims("ID token", idToken, origins))
            \(claims("Access token", Self.claims(json["access_token"]?.stringValue), origins))
            \(json["refresh_token"] == nil ? "" : "<p class=\"quiet\">There is a refresh token too; only the authority can read it.</p>")
            \(commands(using: json, of: request, app: app, origin: origin))
            \(requests)
            \(next(Self.claims(json["access_token"]?.stringValue)?["aud"]?.stringValue ?? ""))
            """
    }

    /// The claims of a token; `nil`: it cannot be read.
    private static func claims(_ token: String?) -> JSONObject? {
        guard let parts = token?.split(separator: "."), parts.count == 3, let bytes = Base64URL.decode(String(parts[1]))
        else { return nil }
        return (try? JSONParser.parse(bytes))?.objectValue
    }

    private func claims(_ title: String, _ claims: JSONObject?, _ origins: ClaimOrigins) -> String {
        guard let claims else { return "" }
        let rows = claims.members.map { name, value in
            Self.row(name, Self.shown(name, value), origins.origin(of: name, value))
        }
        return PageText.table(title, ["Claim", "Value", "Comes from"], rows, none: "no claims")
    }

    private static func row(_ name: String, _ value: String, _ origin: String?) -> String {
        let last = origin.map { "<td class=\"quiet\">\(PageText.text($0))</td>" } ?? ""
        return """
            <tr><th scope="row"><code>\(PageText.text(name))</code></th><td><code>\(PageText.text(value))</code></td>\(last)</tr>
            """
    }

    /// A value as text; instants also as people read them.
    private static func shown(_ name: String, _ value: JSONValue) -> String {
        let text = value.stringValue ?? JSONWriter.compact(value)
        guard ["exp", "iat", "nbf", "auth_time"].contains(name), let seconds = value.intValue else { return text }
        return "\(text) (\(SignInLink.instant(seconds)))"
    }

    // MARK: What to do next

    private func commands(
        using json: JSONValue, of request: SignInLink.Request, app: AppSettings, origin: String
    ) -> String {
        var lines: [String] = []
        let base = "\(origin)\(SignInLink.base(request.policy, in: world.tenant.tenant))"
        lines.append("curl -s '\(base)/v2.0/.well-known/openid-configuration'")
        if let token = json["access_token"]?.stringValue, let api = api(of: json) {
            lines.append("curl -s -H 'Authorization: Bearer \(token)' \\\n  '\(origin)\(api)'")
        }
        if let refresh = json["refresh_token"]?.stringValue {
            lines.append(
                "curl -s '\(base)/oauth2/v2.0/token' \\\n  -d grant_type=refresh_token -d client_id=\(app.registration.clientId) \\\n"
                    + "  -d scope='openid offline_access' \\\n  -d refresh_token='\(refresh)'")
        }
        return "<h2>The same from a terminal</h2>" + lines.map { PageText.command($0) }.joined()
    }

    /// The path at this server of the API that an access token is for.
    private func api(of json: JSONValue) -> String? {
        guard let audience = Self.claims(json["access_token"]?.stringValue)?["aud"]?.stringValue,
            let api = world.tenant.tenant.apis.first(where: { $0.clientId == audience || $0.appIdUri == audience }),
            let base = WebURL(api.baseUrl), let host = base.host
        else { return nil }
        let route = api.routes.first?.path ?? "/"
        return "\(LocalAddress.prefix)\(host)\(base.path == "/" ? "" : base.path)\(route)"
    }

    /// The last requests, newest last.
    private var requests: String {
        let entries = world.journal.page(since: 0, limit: Journal.mostEntries, types: ["request"]).entries.suffix(8)
        let rows = entries.compactMap { entry -> String? in
            guard case .exchange(let exchange) = entry.content else { return nil }
            let status = exchange.response.map { String($0.status) } ?? exchange.networkError?.word ?? "no answer"
            return """
                <tr><td><code>\(PageText.text(exchange.request.method))</code></td>\
                <td><code>\(PageText.text(exchange.request.url.path))</code></td>\
                <td>\(PageText.text(status))</td><td>\(PageText.text(exchange.response?.refusal ?? ""))</td></tr>
                """
        }
        return PageText.table("The last requests", ["Method", "Path", "Status", "Refused because"], rows, none: "none")
    }

    private func next(_ audience: String) -> String {
        let place = inspector.map { inspector in
            inspector.isElsewhere
                ? "<li>Each request with its reasons: the inspector at <code>\(PageText.text(inspector.address))</code> on the machine of the server.</li>"
                : "<li>Each request with its reasons: \(PageText.link(inspector.address, "the inspector")).</li>"
        }
        let token =
            audience.isEmpty
            ? "" : "<li>A token that your API must refuse: <code>b2c token --as ada --expired</code>.</li>"
        return """
            <h2>Next</h2><ul>
            <li>\(PageText.link("/", "Sign in again")), as another person or at another policy.</li>
            \(place ?? "")
            <li>Set the authority of your own app to this server: docs/protect-an-api.md.</li>
            \(token)
            <li>Make a test of it: <code>b2c init</code>, then <code>b2c run</code>.</li>
            </ul>
            """
    }
}
