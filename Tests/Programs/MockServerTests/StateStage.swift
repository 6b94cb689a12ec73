import AuthorityHosting
import B2CProtocol
import Browser
import Determinism
import Foundation
import HTTPMessages
import JSON
import Testing

@testable import MockServerCore

/// A clock that a test moves.
final class TestTime: WallClock {
    let time = VirtualTime(Timestamp(seconds: 1_768_478_400))

    func now() -> Timestamp { time.now }
}

/// A server with a state file, without sockets, that can be ended and started again.
final class StateStage {
    static let tenant: JSONValue = [
        "name": "contoso",
        "policies": [
            "susi": [
                "id": "B2C_1_susi", "type": "signUpOrSignIn", "emailVerification": "legacy",
                "tokens": ["refreshTokenReuse": "reject"],
            ]
        ],
        "apps": [
            "desk": [
                "registration": [
                    "clientId": "11111111-2222-4333-8444-555555555555",
                    "redirectUris": ["native": ["com.contoso.tasks://oauth/done"]],
                ],
                "client": [
                    "kind": "appauth", "policy": "susi", "redirectUri": "com.contoso.tasks://oauth/done",
                ],
            ]
        ],
        "users": [
            "ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"],
            "bob": ["email": "bob@example.test", "password": "Builder-1999", "displayName": "Bob"],
        ],
    ]
    static let clientID = "11111111-2222-4333-8444-555555555555"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    let folder: String
    var path: String { folder + "/state.db" }
    let clock = TestTime()
    /// The tenant file of the next start.
    var tenant: JSONValue
    private(set) var file: StateFile
    private(set) var world: ServerWorld
    private(set) var front: Front

    init(tenant: JSONValue = StateStage.tenant) async throws {
        folder = NSTemporaryDirectory() + "b2c-state-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.tenant = tenant
        (file, world, front) = try await Self.start(folder + "/state.db", tenant, clock)
    }

    deinit {
        file.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func start(
        _ path: String, _ json: JSONValue, _ clock: TestTime
    ) async throws -> (StateFile, ServerWorld, Front) {
        let compiled = try CompiledTenant.compile(json)
        let file = try StateFile.open(path, for: compiled.tenant, seed: nil, drawn: 7, system: clock)
        let tenant = try TenantLoading.tenant(file.kept.tenant, over: compiled, kept: path)
        let world = await ServerWorld(
            name: Worlds.defaultName, seed: Serving.generator(file.seed), tenant: tenant, file: compiled,
            time: file.time, store: file, kept: file.kept.authority, uploads: file.kept.tenant.uploads)
        let worlds = Worlds(default: world)
        let front = Front(
            worlds: worlds, desk: ControlAPI(worlds: worlds), gate: ControlGate(hosts: tenant.tenant.hosts),
            access: AccessLog(write: nil))
        return (file, world, front)
    }

    /// Ends the server and starts it again with the same file.
    func restart() async throws {
        file.close()
        (file, world, front) = try await Self.start(path, tenant, clock)
    }

    // MARK: The control interface

    @discardableResult
    func control(
        _ method: String, _ path: String, _ body: JSONValue? = nil, expect status: Int = 200,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let answer = try #require(
            await send(
                method, "\(ControlAPI.prefix)\(path)", host: "localhost", body: body.map(JSONWriter.compact) ?? "",
                type: "application/json"))
        #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
        return answer.json ?? .null
    }

    /// Everybody in the directory, with secrets.
    func users() async throws -> JSONObject {
        try #require(try await control("GET", "/users?secrets=show")["users"]?.objectValue)
    }

    // MARK: A browser

    /// Cookies by name.
    var cookies: [String: String] = [:]

    func send(
        _ method: String, _ target: String, host: String = "contoso.b2clogin.com", body: String = "",
        type: String = "application/x-www-form-urlencoded", token: String? = nil
    ) async -> ResponseMessage? {
        var headers: Headers = [:]
        if !body.isEmpty { headers["Content-Type"] = type }
        if let token { headers["X-CSRF-TOKEN"] = token }
        let sent = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !sent.isEmpty, host != "localhost" { headers["Cookie"] = sent.joined(separator: "; ") }
        let answer = await front.answer(
            IncomingRequest(
                method: method, scheme: host == "localhost" ? "http" : "https", host: host, target: target,
                headers: headers, body: Array(body.utf8), peer: "127.0.0.1", isLoopback: true))
        guard case .message(let message) = answer else { return nil }
        for field in message.headers.all("Set-Cookie") {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { cookies[pair[0]] = pair[1] } else if let name = pair.first { cookies[name] = nil }
        }
        return message
    }

    private static let base = "/contoso.onmicrosoft.com/B2C_1_susi"

    func authorize(prompt: String? = nil) async throws -> ResponseMessage {
        var items: FormItems = [
            "client_id": Self.clientID, "response_type": "code", "redirect_uri": "com.contoso.tasks://oauth/done",
            "scope": "openid offline_access \(Self.clientID)", "nonce": "n", "state": "s",
            "code_challenge": PKCE.challenge(Self.verifier), "code_challenge_method": "S256",
        ]
        if let prompt { items["prompt"] = prompt }
        return try #require(await send("GET", Self.base + "/oauth2/v2.0/authorize?" + items.encoded))
    }

    func post(_ page: PageSettings, _ form: FormItems) async throws -> JSONValue {
        let answer = try #require(
            await send(
                "POST", "\(Self.base)/SelfAsserted?tx=\(page.transId)&p=B2C_1_susi", body: form.encoded,
                token: page.csrf))
        return try #require(answer.json)
    }

    func navigate(_ page: PageSettings, _ action: String) async throws -> ResponseMessage {
        try #require(
            await send(
                "GET",
                "\(Self.base)/api/\(page.api)/\(action)csrf_token=\(page.csrf)&tx=\(page.transId)&p=B2C_1_susi"))
    }

    /// What the sign-in page says to a name and a password: its status, or the error's code.
    func type(_ email: String, _ password: String) async throws -> (page: PageSettings, answer: JSONValue) {
        cookies = [:]
        let page = try #require(PageSettings.read(html: try await authorize().text))
        let form: FormItems = ["request_type": "RESPONSE", page.fields[0].id: email, page.fields[1].id: password]
        return (page, try await post(page, form))
    }

    /// A code from a sign-in with a password.
    func signIn(_ email: String = "ada@example.test", _ password: String = "Analytical-1843") async throws -> String {
        let (page, answer) = try await type(email, password)
        try #require(answer["status"] == "200", "\(answer)")
        let end = try await navigate(page, "confirmed?rememberMe=false&")
        return try #require(end.location?.queryItems["code"], "\(end.refusal ?? end.text)")
    }

    /// A code from a sign-up.
    func signUp(_ email: String, _ password: String) async throws -> String {
        cookies = [:]
        let first = try #require(PageSettings.read(html: try await authorize().text))
        let page = try #require(PageSettings.read(html: try await navigate(first, "unified?local=signup&").text))
        _ = try await post(
            page, ["request_type": "VERIFICATION_REQUEST", "claim_id": "email", "claim_value": email])
        let inbox = try await control("GET", "/inbox")
        let code = try #require(inbox["messages"]?.arrayValue?.last?["code"]?.stringValue)
        _ = try await post(
            page,
            [
                "request_type": "VALIDATION_REQUEST", "claim_id": "email", "claim_value": email, "user_input": code,
            ])
        let answer = try await post(
            page,
            [
                "request_type": "RESPONSE", "email": email, "newPassword": password, "reenterPassword": password,
                "displayName": "New",
            ])
        try #require(answer["status"] == "200", "\(answer)")
        let end = try await navigate(page, "confirmed?")
        return try #require(end.location?.queryItems["code"], "\(end.refusal ?? end.text)")
    }

    func token(_ form: FormItems) async throws -> JSONValue {
        var form = form
        form["client_id"] = Self.clientID
        let answer = try #require(await send("POST", Self.base + "/oauth2/v2.0/token", body: form.encoded))
        return try #require(answer.json)
    }

    func redeem(_ code: String) async throws -> JSONValue {
        try await token([
            "grant_type": "authorization_code", "code": code, "code_verifier": Self.verifier,
            "redirect_uri": "com.contoso.tasks://oauth/done",
        ])
    }

    func refresh(_ token: String) async throws -> JSONValue {
        try await self.token(["grant_type": "refresh_token", "refresh_token": token])
    }

    /// The refresh token of an answer.
    static func refreshToken(
        _ answer: JSONValue, at location: SourceLocation = #_sourceLocation
    ) throws -> String {
        try #require(answer["refresh_token"]?.stringValue, "\(answer)", sourceLocation: location)
    }
}
