import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import Verbs

/// A request of a script, with what the app would send.
struct WrittenRequest {
    var url: WebURL
    var opened: OpenedRequest?
    var form: FormItems?
}

extension StepCall {
    /// Makes the request that a script writes.
    func written(_ request: WireRequest, app: AppSettings) async throws(StepProblem) -> WrittenRequest {
        if let text = request.url {
            guard var url = WebURL(text) else { throw StepProblem("`\(text)` is not a URL") }
            if let query = request.query { url.queryItems = Self.patched(url.queryItems.pairs, query) }
            return WrittenRequest(url: url, form: request.form.map { Self.patched([], $0) })
        }
        guard let endpoint = request.endpoint else { throw StepProblem("a request needs `url` or `endpoint`") }
        var (url, policy) = try await address(of: endpoint, request, app: app)
        let redirect = try Self.sentRedirect(of: app)
        var (items, opened) = await defaults(of: endpoint, app, redirectURI: redirect)
        if !request.defaults { items = [] }
        var written = WrittenRequest(url: url, opened: opened)
        if endpoint == .token {
            if let from = request.from { items = try await redeeming(from, items) }
            written.form = Self.patched(items, request.form)
            items = []
        } else if let form = request.form {
            written.form = Self.patched([], form)
        }
        let query = Self.patched(url.queryItems.pairs + items, request.query)
        if !query.isEmpty { url.queryItems = query }
        written.url = url
        if var opened {
            opened.url = url
            opened.state = query["state"]
            opened.nonce = query["nonce"]
            opened.redirectURI = query["redirect_uri"]
            opened.policy = policy
            if query["code_challenge"] == nil { opened.codeVerifier = nil }
            written.opened = opened
        }
        return written
    }

    /// The address of an endpoint, in the authority form of the app, and the id of its policy.
    private func address(
        of endpoint: WireEndpoint, _ request: WireRequest, app: AppSettings
    ) async throws(StepProblem) -> (WebURL, String?) {
        let tenant = await world.tenant.tenant
        let host = request.host ?? tenant.host
        if tenant.kind == .workforce {
            guard let url = WebURL("https://\(host)/common\(endpoint.path)") else {
                throw StepProblem("`\(host)` is not a host")
            }
            return (url, nil)
        }
        guard let name = request.policy ?? app.client.policy,
            let policy = tenant.policy(named: name) ?? tenant.policy(id: name)
        else {
            throw StepProblem(
                "no policy is named for the endpoint `\(endpoint.rawValue)`, and the app has no policy of its own")
        }
        let authority = AuthorityURLs.authority(
            host: host, tenantSegment: tenant.domain, policy: policy.id, form: app.client.authorityForm)
        var text = authority + endpoint.path
        // A policy in the query moves behind the endpoint's path.
        if let mark = authority.firstIndex(of: "?") { text = authority[..<mark] + endpoint.path + authority[mark...] }
        guard let url = WebURL(text) else { throw StepProblem("`\(text)` is not a URL") }
        return (url, policy.id)
    }

    /// Members that the app itself would send.
    private func defaults(
        of endpoint: WireEndpoint, _ app: AppSettings, redirectURI: String
    ) async -> (items: [(String, String)], opened: OpenedRequest?) {
        let client = app.client
        switch endpoint {
        case .authorize:
            var random = await world.draw("open")
            let state = random.guid().description
            let nonce = random.guid().description
            let verifier = PKCE.verifier(&random)
            var scopes = client.scopes
            for scope in ["openid", "profile", "offline_access"] where !scopes.contains(scope) { scopes.append(scope) }
            let items = [
                ("client_id", client.clientId), ("redirect_uri", redirectURI), ("response_type", client.responseType),
                ("scope", scopes.joined(separator: " ")), ("state", state), ("nonce", nonce),
                ("code_challenge", PKCE.challenge(verifier)), ("code_challenge_method", "S256"),
            ]
            return (items, OpenedRequest(url: Self.nowhere, codeVerifier: verifier))
        case .token:
            var items = [("client_id", client.clientId)]
            if let secret = client.clientSecret { items.append(("client_secret", secret)) }
            items.append(("redirect_uri", redirectURI))
            items.append(("scope", (client.scopes + ["openid", "offline_access"]).joined(separator: " ")))
            return (items, nil)
        case .logout:
            return ([("client_id", client.clientId), ("post_logout_redirect_uri", redirectURI)], nil)
        case .discovery, .keys, .userinfo: return ([], nil)
        }
    }

    private static let nowhere = WebURL(scheme: "https", host: "localhost", path: "/")

    /// Items that redeem the code of a step, before those of the app.
    private func redeeming(
        _ step: String, _ items: [(String, String)]
    ) async throws(StepProblem) -> [(String, String)] {
        guard let source = await world.opened[step], let code = source.response["code"]?.stringValue else {
            throw StepProblem(
                "`from`: the step `\(step)` did not receive a code; `from` needs a step whose browser came back with one"
            )
        }
        var filled = [("grant_type", "authorization_code"), ("code", code)]
        if let verifier = source.codeVerifier { filled.append(("code_verifier", verifier)) }
        if let uri = source.redirectURI { filled.append(("redirect_uri", uri)) }
        return filled + items.filter { $0.0 != "redirect_uri" }
    }

    /// Items with a script's members over them: a value wins, null removes.
    private static func patched(_ items: [(String, String)], _ patch: JSONObject?) -> FormItems {
        var form = FormItems()
        for (name, value) in items { form.append(name, value) }
        let known = Set(items.map { ExactText($0.0) })
        for member in patch?.members ?? [] {
            let value = member.value.isNull ? nil : Interpolation.text(of: member.value)
            if known.contains(ExactText(member.key)) {
                form[member.key] = value
            } else if let value {
                form.append(member.key, value)
            }
        }
        return form
    }

    /// What the app's own library sends: a script plays the app as it is, so that the service refuses what it would refuse.
    static func sentRedirect(of app: AppSettings) throws(StepProblem) -> String {
        do {
            return try app.sentRedirect.get().uri
        } catch {
            throw StepProblem(error.reason)
        }
    }

    /// The header fields of a step. Only now are the values known that `{{...}}` stands for.
    static func headers(_ fields: JSONObject) throws(StepProblem) -> Headers {
        var headers = Headers()
        for member in fields.members where !member.value.isNull {
            headers.append(member.key, Interpolation.text(of: member.value))
        }
        if let problem = headers.problem { throw StepProblem("headers: \(problem)") }
        return headers
    }
}

extension FormItems {
    fileprivate var pairs: [(String, String)] { items.map { ($0.name, $0.value) } }
}

extension World {
    /// A generator for one purpose; each call gets another.
    func draw(_ purpose: String) -> SeededGenerator {
        drawn += 1
        return seed.stream("\(purpose) \(drawn)")
    }

    func keep(opened request: OpenedRequest, as id: String) { opened[id] = request }
}
