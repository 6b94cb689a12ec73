import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import Testing

/// A directory tenant behind its host, and one browser.
final class WorkforceWorld {
    private(set) var json: JSONValue
    private(set) var tenant: Tenant
    let host: AuthorityHost
    let clock = TestClock()
    var jar = CookieJar()

    static let clientID = "11111111-2222-4333-8444-555555555555"
    static let redirect = "msauth.com.contoso.graph://auth"
    static let verifier = "0123456789012345678901234567890123456789012"

    static let tenant: JSONValue = [
        "name": "contoso", "kind": "workforce",
        "apis": ["tasks": ["appIdUri": "https://tasks.contoso.test/", "scopes": ["read", "write"]]],
        "apps": [
            "graph": [
                "registration": [
                    "clientId": .string(clientID), "redirectUris": ["native": [.string(redirect)]],
                    "scopes": ["User.Read", "https://tasks.contoso.test/read"],
                ],
                "client": ["kind": "msal-ios"],
            ],
            "web": [
                "registration": [
                    "clientId": "21111111-2222-4333-8444-555555555555", "secrets": ["s3cret"],
                    "redirectUris": ["web": ["https://web.contoso.test/cb"]],
                ],
                "client": ["kind": "msal-ios"],
            ],
            "spa": [
                "registration": [
                    "clientId": "31111111-2222-4333-8444-555555555555",
                    "redirectUris": ["spa": ["https://spa.contoso.test/"]],
                ],
                "client": ["kind": "msal-ios"],
            ],
            "off": [
                "registration": ["clientId": "41111111-2222-4333-8444-555555555555", "enabled": false],
                "client": ["kind": "msal-ios"],
            ],
        ],
        "users": [
            "ada": ["email": "ada@contoso.test", "password": "Analytical-1843", "displayName": "Ada"],
            "bob": ["email": "bob@contoso.test", "password": "Builder-1999", "displayName": "Bob"],
            "pat": [
                "email": "pat@outlook.test", "password": "Personal-1", "displayName": "Pat", "homeTenant": "personal",
            ],
            "fay": [
                "email": "fay@fabrikam.test", "password": "Fabric-1", "displayName": "Fay", "homeTenant": "fabrikam",
            ],
            "nobody": ["registered": false, "email": "nobody@contoso.test", "password": "x"],
        ],
    ]

    init(_ patch: JSONValue = [:], seed: UInt64 = 1) throws {
        json = Self.tenant.merging(patch: patch)
        tenant = try Tenant(json: json)
        host = AuthorityHost(
            tenant: tenant, policies: [], seed: SeededGenerator(seed: seed), clock: clock, callouts: VirtualNetwork())
    }

    func configure(_ patch: JSONValue) async throws {
        json = json.merging(patch: patch)
        tenant = try Tenant(json: json)
        #expect(await host.command(.configure(tenant: tenant, policies: [], patch: patch)) == .done)
    }

    func person(_ name: String) throws -> WorkforceIdentity {
        try #require(tenant.workforceIdentities.first { $0.user.name == name })
    }

    // MARK: the wire

    func send(_ request: RequestMessage, from party: Party = .client) async throws -> ResponseMessage {
        try await host.respond(to: request, ExchangeContext(from: party))
    }

    /// One request of the browser, with its cookies.
    func browse(_ request: RequestMessage) async throws -> ResponseMessage {
        var request = request
        let context = CookieContext(method: request.method)
        if let header = jar.header(for: request.url, at: clock.now(), context: context).header {
            request.headers["Cookie"] = header
        }
        let response = try await send(request, from: .browser)
        for cookie in response.headers.all("Set-Cookie") {
            let refused = jar.store(cookie, from: request.url, at: clock.now(), context: context)
            #expect(refused == nil)
        }
        return response
    }

    func address(_ path: String, _ query: FormItems = FormItems()) throws -> WebURL {
        var address = try url("https://login.microsoftonline.com" + path)
        address.queryItems = query
        return address
    }

    func authorizeURL(_ segment: String = "common", _ changes: [(String, String?)] = []) throws -> WebURL {
        var query: FormItems = [
            "client_id": Self.clientID, "response_type": "code", "redirect_uri": Self.redirect,
            "scope": "User.Read openid profile offline_access", "code_challenge": PKCE.challenge(Self.verifier),
            "code_challenge_method": "S256", "state": "s1", "client_info": "1",
        ]
        for (name, value) in changes { query[name] = value }
        return try address("/\(segment)/oauth2/v2.0/authorize", query)
    }

    func authorize(_ segment: String = "common", _ changes: [(String, String?)] = []) async throws -> ResponseMessage {
        try await browse(.get(authorizeURL(segment, changes)))
    }

    /// Fills the form of a page and presses a button.
    func press(_ page: ResponseMessage, _ action: String = "accept", _ fields: FormItems = [:]) async throws
        -> ResponseMessage
    {
        let text = page.text
        let target = try #require(Self.between("action=\"", "\"", in: text))
        var form: FormItems = ["ctx": try #require(Self.between("name=\"ctx\" value=\"", "\"", in: text))]
        form.append(contentsOf: fields)
        form.append("action", action)
        return try await browse(.post(address(target), form: form))
    }

    func signIn(
        _ page: ResponseMessage, _ name: String = "ada@contoso.test", _ password: String = "Analytical-1843"
    ) async throws -> ResponseMessage {
        try await press(page, "accept", ["username": name, "password": password])
    }

    static func between(_ start: String, _ end: String, in text: String) -> String? {
        guard let first = text.firstRange(of: start) else { return nil }
        let rest = text[first.upperBound...]
        guard let last = rest.firstRange(of: end) else { return nil }
        return String(rest[..<last.lowerBound])
    }

    func token(_ segment: String = "common", _ changes: [(String, String?)], headers: Headers = [:]) async throws
        -> ResponseMessage
    {
        var form: FormItems = ["client_id": Self.clientID, "client_info": "1"]
        for (name, value) in changes { form[name] = value }
        return try await send(.post(address("/\(segment)/oauth2/v2.0/token"), form: form, headers: headers))
    }

    /// Redeems the code of an answer.
    func redeem(
        _ answer: ResponseMessage, _ segment: String = "common", _ changes: [(String, String?)] = [],
        headers: Headers = [:]
    ) async throws -> ResponseMessage {
        let code = try #require(answer.location?.queryItems["code"], "\(answer.refusal ?? answer.text)")
        let standard: [(String, String?)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Self.redirect),
            ("code_verifier", Self.verifier), ("scope", "User.Read openid profile offline_access"),
        ]
        return try await token(segment, standard + changes, headers: headers)
    }

    func refresh(
        _ token: String, _ segment: String = "common", _ changes: [(String, String?)] = []
    ) async throws -> ResponseMessage {
        let standard: [(String, String?)] = [
            ("grant_type", "refresh_token"), ("refresh_token", token),
            ("scope", "User.Read openid profile offline_access"),
        ]
        return try await self.token(segment, standard + changes)
    }

    /// Signs somebody in and redeems the code.
    func tokens(
        _ name: String = "ada", at segment: String = "common", scope: String? = nil
    ) async throws -> JSONValue {
        let user = try #require(tenant.user(named: name))
        let changes: [(String, String?)] = scope.map { [("scope", $0)] } ?? []
        let page = try await authorize(segment, changes + [("prompt", "login")])
        var answer = try await signIn(page, user.email ?? "", user.password ?? "")
        if answer.text.contains("content=\"consent\"") { answer = try await press(answer) }
        let response = try await redeem(answer, segment, changes)
        #expect(response.status == 200, "\(response.text)")
        return try #require(response.json)
    }

    static func claims(_ members: JSONValue, _ name: String = "id_token") throws -> JSONObject {
        try #require(JWS(compact: members[name]?.stringValue ?? "")?.claims)
    }

    /// The AADSTS number at the head of an error.
    static func code(_ response: ResponseMessage) -> String? {
        let text =
            response.location?.queryItems["error_description"]
            ?? response.json?["error_description"]?.stringValue ?? response.text
        guard let start = text.firstRange(of: "AADSTS") else { return nil }
        return String(text[start.upperBound...].prefix { $0.isNumber })
    }
}
