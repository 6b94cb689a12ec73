import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import TestSupport
import Testing
import TrustFramework

/// A tenant with a base and one relying party, whose policies are managed over Graph.
struct PolicyStage {
    static let tenant: JSONValue = [
        "name": "contoso",
        "policies": [
            "susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"],
            "defaults": ["id": "B2C_1A_Defaults", "type": "custom", "file": "Defaults.xml"],
        ],
        "apps": [
            "ios": ["client": ["kind": "msal-ios", "policy": "susi"], "platform": ["bundleId": "com.a.b"]]
        ],
    ]
    static let writing = ["Policy.ReadWrite.TrustFramework"]
    static let list = "/beta/trustFramework/policies"

    let clock = TestClock()
    let network = VirtualNetwork()
    let compiled: CompiledTenant
    let environment: HostedEnvironment
    let directory: PolicyDirectory

    init(
        patch: JSONValue = [:], rules: PolicyUploadRules? = nil, store: any StateStore = MemoryStore()
    ) async throws {
        compiled = try CompiledTenant.compile(
            Self.tenant.merging(patch: patch),
            shelf: PolicyShelf(
                files: .texts(["Base.xml": try Self.template(.base), "Defaults.xml": try Self.template(.party)])))
        let seed = SeededGenerator(seed: 5)
        directory = PolicyDirectory(compiled, seed: seed, now: clock.now(), rules: rules)
        environment = HostedEnvironment(
            tenant: compiled.tenant, policies: compiled.policies, seed: seed, time: clock, network: network,
            callouts: network, store: store, directory: directory)
        await environment.attach()
    }

    // MARK: Policies

    enum File: String {
        case base = "B2C_1A_SampleBase"
        case party = "B2C_1A_Defaults"
    }

    private static let tier = "<ClaimType Id=\"tier\"><DataType>string</DataType></ClaimType>"
    private static let output =
        "<OutputClaim ClaimTypeReferenceId=\"tier\" DefaultValue=\"gold\" AlwaysUseDefaultValue=\"true\" />"

    /// A file as it lies in a folder: its tenant is not named, and it begins with a byte order mark.
    private static func template(_ file: File) throws -> String {
        let name = file == .base ? "Base" : "Defaults"
        let text = String(decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self)
        switch file {
        case .base:
            return "\u{FEFF}"
                + text.replacing(
                    "<ClaimsProviders>",
                    with: "<BuildingBlocks><ClaimsSchema>\(tier)</ClaimsSchema></BuildingBlocks><ClaimsProviders>")
        case .party:
            let end = "</OutputClaims>\n      <SubjectNamingInfo"
            return text.replacing(end, with: output + end)
        }
    }

    /// A policy of the tenant with other words in it.
    ///
    /// - Parameters:
    ///   - id: Another id.
    ///   - mode: The deployment mode.
    static func policy(
        _ file: File = .party, id: String? = nil, mode: String? = nil, _ changes: [(String, String)] = []
    ) throws -> String {
        var text = try template(file).replacing("yourtenant.onmicrosoft.com", with: "contoso.onmicrosoft.com")
        if text.hasPrefix("\u{FEFF}") { text.unicodeScalars.removeFirst() }
        if let id {
            text = text.replacing("PolicyId=\"\(file.rawValue)\"", with: "PolicyId=\"\(id)\"")
                .replacing("onmicrosoft.com/\(file.rawValue)\"", with: "onmicrosoft.com/\(id)\"")
        }
        if let mode { text = text.replacing(" PolicyId=", with: " DeploymentMode=\"\(mode)\" PolicyId=") }
        for (old, new) in changes { text = text.replacing(old, with: new) }
        return text
    }

    /// The base without the claim that the relying party sends.
    static func baseWithoutClaim() throws -> String { try policy(.base, [(tier, "")]) }

    /// A policy whose claim `tier` has another value.
    static func party(tier: String, id: String? = nil, mode: String? = nil) throws -> String {
        try policy(.party, id: id, mode: mode, [("DefaultValue=\"gold\"", "DefaultValue=\"\(tier)\"")])
    }

    // MARK: Graph

    /// A token of an app, or of a person with the same permissions.
    func token(_ permissions: [String] = PolicyStage.writing, isOfPerson: Bool = false) throws -> String {
        let now = clock.now().secondsSinceEpoch
        var claims: JSONObject = [
            "aud": "https://graph.microsoft.com", "exp": .integer(now + 3600), "nbf": .integer(now),
            "iss": .string("https://sts.windows.net/\(compiled.tenant.id)/"),
            "tid": .string(compiled.tenant.id.description),
        ]
        if isOfPerson {
            claims["scp"] = .string(permissions.joined(separator: " "))
        } else {
            claims["roles"] = .array(permissions.map { .string($0) })
        }
        let key = TestKeys.named("k1")
        return JWS.sign(header: ["alg": "RS256", "kid": .string(key.kid)], claims: claims, key: key)
    }

    func request(
        _ method: String, _ target: String, _ body: String = "", type: String = "application/xml; charset=utf-8",
        token: String? = nil
    ) throws -> RequestMessage {
        var request = RequestMessage(method: method, url: try url("https://graph.microsoft.com" + target))
        request.headers["Authorization"] = "Bearer " + (try token ?? self.token())
        if !body.isEmpty { request.headers["Content-Type"] = type }
        request.body = Array(body.utf8)
        return request
    }

    @discardableResult
    func send(
        _ method: String, _ target: String, _ body: String = "", type: String = "application/xml; charset=utf-8",
        token: String? = nil
    ) async throws -> ResponseMessage {
        try await network.send(
            try request(method, target, body, type: type, token: token), ExchangeContext())
    }

    @discardableResult
    func put(_ id: String, _ xml: String) async throws -> ResponseMessage {
        try await send("PUT", "\(Self.list)/\(id)/$value", xml)
    }

    func ids() async throws -> [String] {
        let list = try await send("GET", Self.list)
        return (list.json?["value"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    }

    // MARK: Sign-ins

    /// The claim `tier` of a sign-in at a policy, or the error that the app gets.
    func signIn(_ policy: String = "B2C_1A_Defaults") async throws -> String? {
        let app = try #require(compiled.tenant.app(named: "ios"))
        let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/\(policy)/oauth2/v2.0/"
        var authorize = try url(base + "authorize")
        authorize.queryItems = [
            "client_id": app.registration.clientId, "response_type": "code",
            "redirect_uri": app.client.redirectUri, "scope": "openid", "nonce": "n",
            "code_challenge": PKCE.challenge(WorkforceWorld.verifier), "code_challenge_method": "S256",
        ]
        let answer = try await network.send(.get(authorize), ExchangeContext())
        guard let location = answer.location else { return "HTTP \(answer.status)" }
        guard let code = location.queryItems["code"] else {
            let text = location.queryItems["error_description"] ?? "\(location)"
            return String(text.prefix { $0 != ":" })
        }
        let token = try await network.send(
            .post(
                url(base + "token"),
                form: [
                    "grant_type": "authorization_code", "client_id": app.registration.clientId, "code": code,
                    "redirect_uri": app.client.redirectUri, "code_verifier": WorkforceWorld.verifier,
                ]), ExchangeContext())
        let idToken = try #require(token.json?["id_token"]?.stringValue, "\(token.text)")
        return JWS(compact: idToken)?.claims?["tier"]?.stringValue
    }

    func advance(minutes: Int64) { clock.time.advance(by: .minutes(minutes)) }
}
