import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Testing

/// A tenant, a device, a client and an authority that answers as told.
struct Stage {
    let time: VirtualTime
    let authority: FakeAuthority
    let lane: Lane
    let tenant: Tenant
    let keychain: Keychain
    let client: PublicClient

    static let susi = "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi"
    static let susiGUID = "https://contoso.b2clogin.com/tfp/\(FakeAuthority.tenantID)/B2C_1_susi"
    static let read = "https://contoso.onmicrosoft.com/tasks/read"
    static let write = "https://contoso.onmicrosoft.com/tasks/write"
    static let home = "\(FakeAuthority.person)-b2c_1_susi.\(FakeAuthority.tenantID)"
    static let editHome = "\(FakeAuthority.person)-b2c_1_edit_profile.\(FakeAuthority.tenantID)"
    static let start = Timestamp(seconds: 1_768_478_400)

    static let contoso: JSONValue = [
        "name": "contoso", "id": .string(FakeAuthority.tenantID),
        "policies": [
            "susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"],
            "edit": ["id": "B2C_1_edit_profile", "type": "profileEditing"],
            "reset": ["id": "B2C_1_reset", "type": "passwordReset"],
        ],
        "apis": ["tasks": ["scopes": ["read", "write"]]],
        "apps": [
            "app": [
                "client": ["kind": "msal-ios", "policy": "susi", "scopes": [.string(read)]],
                "platform": ["bundleId": "com.contoso.tasks", "teamId": "TEAM123456"],
            ]
        ],
    ]

    static let workforce: JSONValue = [
        "name": "contoso", "id": .string(FakeAuthority.tenantID), "kind": "workforce",
        "apps": [
            "app": [
                "client": ["kind": "msal-ios", "scopes": ["User.Read"]],
                "platform": ["bundleId": "com.contoso.tasks", "teamId": "TEAM123456"],
            ]
        ],
    ]

    /// - Parameters:
    ///   - patch: Over the tenant file (RFC 7396).
    ///   - name: The client's name in the script.
    init(
        _ file: JSONValue = Stage.contoso, patch: JSONValue = [:], keychain: Keychain = Keychain(), seed: UInt64 = 1,
        name: String = "app"
    ) throws {
        time = VirtualTime(Stage.start)
        authority = FakeAuthority(time)
        let turnstile = Turnstile(time: time)
        lane = Lane(id: .main, transport: authority, turnstile: turnstile, time: time)
        tenant = try Tenant(json: file.merging(patch: patch))
        self.keychain = keychain
        let app = try #require(tenant.app(named: "app"))
        client = PublicClient(
            name: name, app: app, tenant: tenant,
            device: DeviceState(name: "device", settings: tenant.device, clock: SkewedClock(time, since: Stage.start)),
            keychain: keychain, random: SeededGenerator(seed: seed, stream: "client/app"))
    }

    /// A patch over the app's `client` settings.
    static func client(_ patch: JSONValue) -> JSONValue { ["apps": ["app": ["client": patch]]] }

    /// A patch over the app's `platform` settings.
    static func platform(_ patch: JSONValue) -> JSONValue { ["apps": ["app": ["platform": patch]]] }

    /// How the browser comes back.
    enum Callback {
        case code(String)
        case error(String, description: String? = nil, subError: String? = nil)
        /// Query items besides the right state.
        case items([(String, String)])
        /// A query as text; `{state}` stands for the right state.
        case query(String)
        case end(BrowseEnd)
    }

    func end(_ session: InteractiveSession, _ callback: Callback) throws -> BrowseEnd {
        var items = FormItems()
        items.append("state", session.state)
        switch callback {
        case .end(let end): return end
        case .query(let text):
            let url = WebURL(session.redirectURI + "/?" + text.replacing("{state}", with: session.state))
            return .callback(try #require(url), form: nil)
        case .code(let code): items.append("code", code)
        case .error(let error, let description, let subError):
            items.append("error", error)
            if let description { items.append("error_description", description) }
            if let subError { items.append("suberror", subError) }
        case .items(let more):
            for (name, value) in more { items.append(name, value) }
        }
        return .callback(try #require(WebURL(session.redirectURI + "/?" + items.percentEncoded)), form: nil)
    }

    /// An interactive call to its end.
    func acquire(
        _ parameters: InteractiveParameters = InteractiveParameters(), _ callback: Callback = .code("the-code")
    ) async throws -> ClientOutcome {
        switch try await client.acquireToken(parameters, lane: lane) {
        case .finished(let outcome): return outcome
        case .browse(_, let session):
            return try await client.finish(session, try end(session, callback), lane: lane)
        }
    }

    /// The request an interactive call sends the browser off with.
    func browse(_ parameters: InteractiveParameters = InteractiveParameters()) async throws -> BrowseRequest {
        let step = try await client.acquireToken(parameters, lane: lane)
        guard case .browse(let request, let session) = step else {
            Issue.record("the call ended before the browser")
            throw StageError.noBrowser
        }
        _ = try await client.finish(session, .userClosed, lane: lane)
        return request
    }

    func silent(_ parameters: SilentParameters = SilentParameters()) async throws -> ClientOutcome {
        try await client.acquireTokenSilent(parameters, lane: lane)
    }

    /// Signs Ada in and forgets the requests that took.
    @discardableResult
    func signIn(_ parameters: InteractiveParameters = InteractiveParameters()) async throws -> JSONValue {
        let outcome = try await acquire(parameters)
        authority.forget()
        return try #require(outcome.result, "\(String(describing: outcome.error))")
    }

    func signOut(_ parameters: SignOutParameters, _ callback: Callback = .items([])) async throws -> ClientOutcome {
        switch try await client.signOut(parameters, lane: lane) {
        case .finished(let outcome): return outcome
        case .browse(_, let session):
            return try await client.finish(session, try end(session, callback), lane: lane)
        }
    }

    /// The cache's records.
    func cache() async throws -> JSONValue {
        try #require(await client.cacheContents().result)
    }
}

enum StageError: Error {
    case noBrowser
}

extension ClientOutcome {
    /// The outcome as a row of a table has it.
    var row: FailureOutcome? {
        if let error { return FailureOutcome(error) }
        return result == nil ? nil : .success
    }

    /// How many events of a type.
    func count(_ type: String) -> Int {
        events.filter { $0["type"]?.stringValue == type }.count
    }
}
