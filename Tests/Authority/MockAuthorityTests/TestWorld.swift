import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TenantFiles
import Testing
import TrustFramework

@testable import MockAuthority

/// An authority with a clock and a browser's cookies, driven by request values.
struct TestWorld {
    var authority: Authority
    var now = Timestamp(seconds: 1_768_478_400)
    var jar = CookieJar()
    var tenantJSON: JSONValue
    var events: [AuthorityEvent] = []
    /// Answers call-outs; without it nobody does.
    var peer: (@Sendable (RequestMessage) -> ResponseMessage)?
    private var exchanges = 0

    static let host = "contoso.b2clogin.com"

    /// A tenant of a native, a single-page and a web app, one API and two people.
    static let tenant: JSONValue = [
        "name": "contoso",
        "policies": [
            "susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"],
            "edit": ["id": "B2C_1_edit", "type": "profileEditing"],
            "ropc": ["id": "B2C_1_ropc", "type": "ropc"],
        ],
        "apis": [
            "tasks": ["appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read", "write"]],
            "other": ["appIdUri": "https://contoso.onmicrosoft.com/other", "scopes": ["use"]],
        ],
        "apps": [
            "ios": [
                "registration": [
                    "clientId": "11111111-2222-4333-8444-555555555555",
                    "redirectUris": ["native": ["msauth.com.contoso.tasks://auth", "com.contoso.tasks://oauth/done"]],
                    "scopes": ["https://contoso.onmicrosoft.com/tasks/read"],
                    "implicit": ["idToken": true, "accessToken": true], "ropc": true,
                ],
                "client": ["kind": "msal-ios", "policy": "susi"],
                "platform": ["bundleId": "com.contoso.tasks"],
            ],
            "spa": [
                "registration": [
                    "clientId": "21111111-2222-4333-8444-555555555555",
                    "redirectUris": ["spa": ["https://tasks.contoso.test/"]],
                ],
                "client": ["kind": "msal-ios", "policy": "susi"],
            ],
            "web": [
                "registration": [
                    "clientId": "31111111-2222-4333-8444-555555555555",
                    "redirectUris": ["web": ["https://web.contoso.test/cb"]], "secrets": ["s3cret+/="],
                ],
                "client": ["kind": "msal-ios", "policy": "susi"],
            ],
            "off": [
                "registration": ["clientId": "41111111-2222-4333-8444-555555555555", "enabled": false],
                "client": ["kind": "msal-ios", "policy": "susi"],
            ],
        ],
        "users": [
            "ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"],
            "bob": ["email": "bob@example.test", "password": "Builder-1999", "displayName": "Bob"],
        ],
    ]

    /// A world for the tenant with a patch over it.
    init(patch: JSONValue = [:], seed: UInt64 = 1, custom: [ResolvedPolicy] = []) throws {
        tenantJSON = Self.tenant.merging(patch: patch)
        let tenant = try Tenant(json: tenantJSON)
        let policies = try PolicyLibrary.load(tenant: tenant) { _ in nil } + custom
        authority = Authority(tenant: tenant, policies: policies, seed: SeededGenerator(seed: seed), now: now)
    }

    var tenant: Tenant { authority.configuration.tenant }

    func clientID(_ app: String) -> String { tenant.app(named: app)?.registration.clientId ?? "" }

    /// Changes the running tenant.
    mutating func configure(_ patch: JSONValue) throws {
        tenantJSON = tenantJSON.merging(patch: patch)
        let tenant = try Tenant(json: tenantJSON)
        let policies = try PolicyLibrary.load(tenant: tenant) { _ in nil }
        _ = authority.handle(.command(.configure(tenant: tenant, policies: policies, patch: patch)), at: now)
    }

    // MARK: the wire

    /// One request with no cookies.
    mutating func send(_ request: RequestMessage) -> ResponseMessage {
        exchanges += 1
        var decision = authority.handle(.request(request, ExchangeID(String(exchanges))), at: now)
        while true {
            events += decision.events
            switch decision.reply {
            case .send(let draft, _): return render(draft)
            case .drop: return ResponseMessage(status: 0)
            case .answered: return ResponseMessage(status: 0)
            case .callOut(let id, let request, _):
                let result = peer.map { CalloutResult.answered($0(request)) } ?? .failed(.refused)
                decision = authority.handle(.calloutFinished(id, result), at: now)
            }
        }
    }

    /// One request of the browser, with its cookies.
    mutating func browse(_ request: RequestMessage) -> ResponseMessage {
        var request = request
        let context = CookieContext(method: request.method)
        if let header = jar.header(for: request.url, at: now, context: context).header {
            request.headers["Cookie"] = header
        }
        let response = send(request)
        for cookie in response.headers.all("Set-Cookie") {
            _ = jar.store(cookie, from: request.url, at: now, context: context)
        }
        return response
    }

    func url(
        _ endpoint: AuthorityEndpoint, policy: String = "B2C_1_susi", host: String = TestWorld.host,
        form: AuthorityForm = .path, query: FormItems = FormItems()
    ) throws -> WebURL {
        var url = try #require(
            WebURL(
                AuthorityURLs.endpoint(
                    endpoint, host: host, tenantSegment: "contoso.onmicrosoft.com", policy: policy, form: form)))
        if !query.isEmpty {
            url.query = [url.query, query.encoded].compactMap { $0 }.joined(separator: "&")
        }
        return url
    }

    /// Parameters of an authorization request of an app, with changes; a `nil` takes one away.
    func authorizeParameters(_ app: String = "ios", _ changes: [(String, String?)] = []) -> FormItems {
        var items: FormItems = [
            "client_id": clientID(app), "response_type": "code",
            "redirect_uri": authority.configuration.app(clientID(app))?.redirectURIs.first?.uri ?? "",
            "scope": "openid profile offline_access", "state": "st/1", "nonce": "n-0S6_WzA2Mj",
            "code_challenge": PKCE.challenge(Self.verifier), "code_challenge_method": "S256", "client_info": "1",
        ]
        for (name, value) in changes { items[name] = value }
        return items
    }

    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    mutating func authorize(
        _ app: String = "ios", policy: String = "B2C_1_susi", _ changes: [(String, String?)] = []
    ) throws -> ResponseMessage {
        browse(.get(try url(.authorize, policy: policy, query: authorizeParameters(app, changes))))
    }

    mutating func token(
        _ app: String = "ios", policy: String = "B2C_1_susi", headers: Headers = [:], _ members: [(String, String?)]
    ) throws -> ResponseMessage {
        var form: FormItems = ["client_id": clientID(app)]
        for (name, value) in members { form[name] = value }
        return send(.post(try url(.token, policy: policy), form: form, headers: headers))
    }

    // MARK: pages

    /// The page's script posts to a handler.
    mutating func post(_ page: PageSettings, _ path: String, _ form: FormItems) throws -> ResponseMessage {
        let text = "https://\(Self.host)\(page.tenantPath)/\(path)?tx=\(page.transId)&p=\(page.policy)"
        return browse(
            .post(
                try #require(WebURL(text)), form: form,
                headers: ["X-CSRF-TOKEN": page.csrf, "X-Requested-With": "XMLHttpRequest"]))
    }

    /// The page's script navigates.
    mutating func navigate(_ page: PageSettings, _ action: String, _ query: String = "") throws -> ResponseMessage {
        let before = query.isEmpty ? "" : query + "&"
        let text =
            "https://\(Self.host)\(page.tenantPath)/api/\(page.api)/\(action)?\(before)csrf_token=\(page.csrf)"
            + "&tx=\(page.transId)&p=\(page.policy)"
        return browse(.get(try #require(WebURL(text))))
    }

    /// Fills the sign-in page and leaves it.
    mutating func signIn(
        on response: ResponseMessage, _ email: String = "ada@example.test", _ password: String = "Analytical-1843",
        rememberMe: Bool = false
    ) throws -> ResponseMessage {
        let page = try #require(PageSettings.read(html: response.text), "no page: \(response.refusal ?? response.text)")
        let answer = try post(
            page, "SelfAsserted",
            ["request_type": "RESPONSE", try #require(page.fields.first).id: email, page.fields[1].id: password])
        let status = answer.json?["status"]?.stringValue
        try #require(status == "200", "\(answer.refusal ?? answer.text)")
        return try navigate(page, "confirmed", "rememberMe=\(rememberMe)")
    }

    /// A whole sign-in up to the code.
    mutating func code(_ app: String = "ios", policy: String = "B2C_1_susi", _ changes: [(String, String?)] = []) throws
        -> String
    {
        let response = try authorize(app, policy: policy, changes)
        let end = response.isRedirect ? response : try signIn(on: response)
        let location = try #require(end.location, "no redirect: \(end.refusal ?? end.text)")
        let items = location.fragment == nil ? location.queryItems : location.fragmentItems
        return try #require(items["code"], "\(location)")
    }

    /// A whole sign-in up to the tokens.
    mutating func tokens(
        _ app: String = "ios", policy: String = "B2C_1_susi", scope: String? = nil, _ changes: [(String, String?)] = []
    ) throws -> JSONValue {
        let code = try code(app, policy: policy, changes + (scope.map { [("scope", $0)] } ?? []))
        let response = try token(
            app, policy: policy,
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", Self.verifier),
                ("client_info", "1"),
            ])
        #expect(response.status == 200, "\(response.text)")
        return try #require(response.json)
    }

    /// Claims of a token whose signature the published keys confirm.
    mutating func verified(_ token: JSONValue?, policy: String = "B2C_1_susi") throws -> JSONObject {
        let text = try #require(token?.stringValue)
        let keys = send(.get(try url(.keys, policy: policy)))
        let set = try #require(keys.json.flatMap { JWKSet(json: $0) })
        let jws = try #require(JWS(compact: text))
        if case .failure(let error) = jws.verify(in: set) { Issue.record("\(error)") }
        return try #require(jws.claims)
    }
}

/// First AADB2C code of an error description.
func code(in description: String?) -> String? { description.flatMap { AADB2C.firstCode(in: $0) } }
