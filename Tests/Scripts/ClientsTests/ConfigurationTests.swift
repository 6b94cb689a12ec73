import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Testing

@testable import Clients

/// What a developer can get wrong: parameters, authorities, redirect URI, Info.plist, entitlements.
@Suite struct ConfigurationTests {
    // MARK: Parameters

    static let parameterPlays: [String: @Sendable () async throws -> ClientOutcome] = [
        "P1.openid": { try await scopes(["openid"]) },
        "P1.profile": { try await scopes([Stage.read, "Profile"]) },
        "P1.offline": { try await scopes(["offline_access"]) },
        "P1.email": { try await scopes([Stage.read, "email"]) },
        "P2.aad": { try await scopes(nil, Stage.workforce) },
        "P2.b2c": { try await scopes(nil, Stage.contoso) },
        "P3": { try await scopes([]) },
        "P4": {
            let other = AuthorityChoice(url: "https://login.microsoftonline.com/common", kind: .aad)
            return try await Stage().acquire(InteractiveParameters(authority: other))
        },
        "P5.none": { try await Stage(patch: Stage.platform(["presenter": "none"])).acquire() },
        "P5.window": { try await presenter("withoutWindow", ["kind": "msal-macos"], [:]) },
        "P5.v1": { try await presenter("none", ["kind": "msal-macos"], ["apiLevel": 1]) },
        "P6": {
            try await Stage().acquire(
                InteractiveParameters(extraQueryParameters: [("claims", "{}")], claimsRequest: "{}"))
        },
        "P7.browser": {
            let stage = try Stage(patch: Stage.platform(["presenter": "none"]))
            let account = MSALAccount(identifier: Stage.home, environment: "contoso.b2clogin.com")
            return try await stage.signOut(SignOutParameters(account: .object(account), fromBrowser: true))
        },
        "P7.account": { try await Stage().signOut(SignOutParameters(account: .none)) },
        "P7.client": {
            let stage = try Stage()
            var app = try #require(stage.tenant.app(named: "app"))
            app.client.clientId = ""
            let device = DeviceState(
                name: "device", settings: stage.tenant.device, clock: SkewedClock(stage.time, since: Stage.start))
            await stage.client.configure(app: app, tenant: stage.tenant, device: device)
            return await stage.client.createClient()
        },
    ]

    /// - Parameter names: `nil` for the client id.
    private static func scopes(_ names: [String]?, _ file: JSONValue = Stage.contoso) async throws -> ClientOutcome {
        let stage = try Stage(file)
        let clientID = try #require(stage.tenant.app(named: "app")).client.clientId
        return try await stage.acquire(InteractiveParameters(scopes: names ?? [clientID]))
    }

    private static func presenter(
        _ kind: JSONValue, _ client: JSONValue, _ platform: JSONValue
    ) async throws -> ClientOutcome {
        let settings: JSONValue = [
            "apps": ["app": ["client": client, "platform": platform.merging(patch: ["presenter": kind])]]
        ]
        return try await Stage(patch: settings).acquire()
    }

    @Test func `every row has a play, and every play a row`() {
        #expect(Set(FailureTables.parameters.map(\.id)) == Set(Self.parameterPlays.keys))
        #expect(Set(FailureTables.unconverted.map(\.id)) == Set(Self.unconvertedPlays.keys))
    }

    @Test(arguments: FailureTables.parameters)
    func `what a developer passes wrongly ends as the table says`(row: FailureRow) async throws {
        let play = try #require(Self.parameterPlays[row.id])
        let outcome = try await play()
        #expect(outcome.row == row.outcome, "\(row.id) \(row.input): \(String(describing: outcome.error))")
        if case .msal = row.outcome { #expect(outcome.error?.kind == .configuration) }
    }

    @Test func `without scopes the request carries the reserved ones, and silently any token will do`() async throws {
        let stage = try Stage()
        let request = try await stage.browse(InteractiveParameters(scopes: []))
        #expect(request.url.queryItems["scope"] == "openid profile offline_access")
        try await stage.signIn()
        #expect(try await stage.silent(SilentParameters(scopes: [])).row == .success)
        #expect(stage.authority.requests.isEmpty)
    }

    // MARK: Errors without converter

    static let unconvertedPlays: [String: @Sendable () async throws -> ClientOutcome] = [
        "U1.scheme": { try await workforceAuthority("http://login.microsoftonline.com/common") },
        "U1.path": { try await workforceAuthority("https://login.microsoftonline.com/") },
        "U1.tfp": { try await workforceAuthority("https://login.microsoftonline.com/tfp/a/b") },
        "U2": { try await workforceAuthority("https://login.contoso.test/adfs") },
        "U3": { try await Stage().client.accounts(AccountFilter(username: "  ")) },
        "U4.accounts": { try await denied().client.accounts() },
        "U4.current": { try await denied().client.currentAccount() },
        "U4.silent": { try await denied().silent() },
        "U5": {
            let stage = try Stage()
            var app = try #require(stage.tenant.app(named: "app"))
            app.platform.teamId = ""
            let device = DeviceState(
                name: "device", settings: stage.tenant.device, clock: SkewedClock(stage.time, since: Stage.start))
            await stage.client.configure(app: app, tenant: stage.tenant, device: device)
            return await stage.client.createClient()
        },
    ]

    private static func workforceAuthority(_ url: JSONValue) async throws -> ClientOutcome {
        try await Stage(Stage.workforce, patch: Stage.client(["authority": url])).client.createClient()
    }

    private static func denied() throws -> Stage {
        try Stage(patch: Stage.platform(["keychainGroups": ["another.group"]]))
    }

    @Test(arguments: FailureTables.unconverted)
    func `errors that no converter sees stay as they are`(row: FailureRow) async throws {
        let play = try #require(Self.unconvertedPlays[row.id])
        let outcome = try await play()
        #expect(outcome.row == row.outcome, "\(row.id) \(row.input): \(String(describing: outcome.error))")
    }

    // MARK: Redirect URI and Info.plist

    struct Redirect: Sendable, CustomTestStringConvertible {
        var name: String
        var uri: String?
        var schemes: [String]
        var queries = ["msauthv2", "msauthv3"]
        var authority = Stage.susi
        var kind = MSALAuthority.Kind.b2c
        var apiLevel = 2
        var os = OperatingSystem.ios
        var precheck = true
        /// The URI used and whether a broker could answer to it, or the numbers of the error.
        var outcome: Outcome
        var testDescription: String { name }

        enum Outcome: Sendable, Equatable {
            case uses(String, broker: Bool)
            case fails(FailureOutcome)
        }
    }

    static let standard = "msauth.com.contoso.tasks://auth"
    static let common = "https://login.microsoftonline.com/common"
    static let own = ["msauth.com.contoso.tasks"]

    static let redirects: [Redirect] = [
        Redirect(name: "none, scheme registered", uri: nil, schemes: own, outcome: .uses(standard, broker: true)),
        Redirect(
            name: "none, legacy scheme registered, B2C", uri: nil, schemes: ["msalCLIENT"],
            outcome: .uses("msalCLIENT://auth", broker: false)),
        Redirect(
            name: "none, legacy scheme registered, AAD", uri: nil, schemes: ["msalCLIENT"], authority: common,
            kind: .aad,
            outcome: .fails(.msal(-50000, -42011))),
        Redirect(name: "none, nothing registered", uri: nil, schemes: [], outcome: .fails(.msal(-50000, -42001))),
        Redirect(
            name: "fragment", uri: standard + "#x", schemes: own, outcome: .fails(.msal(-50000, -42008))),
        Redirect(name: "scheme not registered", uri: standard, schemes: [], outcome: .fails(.msal(-50000, -42001))),
        Redirect(
            name: "https needs no scheme", uri: "https://contoso.test/auth", schemes: [],
            outcome: .uses("https://contoso.test/auth", broker: false)),
        Redirect(name: "standard", uri: standard, schemes: own, outcome: .uses(standard, broker: true)),
        Redirect(
            name: "host is the bundle id", uri: "custom://com.contoso.tasks", schemes: ["custom"],
            outcome: .uses("custom://com.contoso.tasks", broker: true)),
        Redirect(
            name: "other form, B2C", uri: "custom://auth", schemes: ["custom"],
            outcome: .uses("custom://auth", broker: false)),
        Redirect(
            name: "other form, AAD", uri: "custom://auth", schemes: ["custom"], authority: common, kind: .aad,
            outcome: .fails(.msal(-50000, -42011))),
        Redirect(
            name: "other form, AAD, version 1", uri: "custom://auth", schemes: ["custom"], authority: common,
            kind: .aad,
            apiLevel: 1, outcome: .uses("custom://auth", broker: false)),
        Redirect(
            name: "other form, consumers", uri: "custom://auth", schemes: ["custom"],
            authority: "https://login.microsoftonline.com/consumers", kind: .aad,
            outcome: .uses("custom://auth", broker: false)),
        Redirect(
            name: "another bundle id, AAD", uri: "msauth.com.other://auth", schemes: ["msauth.com.other"],
            authority: common, kind: .aad, outcome: .fails(.msal(-50000, -42011))),
        Redirect(
            name: "host missing, AAD", uri: "msauth.com.contoso.tasks://", schemes: own, authority: common, kind: .aad,
            outcome: .fails(.msal(-50000, -42011))),
        Redirect(
            name: "out of band, AAD", uri: "urn:ietf:wg:oauth:2.0:oob", schemes: ["urn"], authority: common, kind: .aad,
            outcome: .fails(.msal(-50000, -42011))),
        Redirect(
            name: "web address, AAD", uri: "https://contoso.test", schemes: [], authority: common, kind: .aad,
            outcome: .fails(.msal(-50000, -42011))),
        Redirect(
            name: "one query scheme missing, also for B2C", uri: standard, schemes: own, queries: ["msauthv2"],
            outcome: .fails(.msal(-50000, -42001))),
        Redirect(
            name: "query schemes do not matter without a broker", uri: "custom://auth", schemes: ["custom"],
            queries: [],
            outcome: .uses("custom://auth", broker: false)),
        Redirect(
            name: "checks switched off", uri: "custom://auth#x", schemes: [], queries: [], authority: common,
            kind: .aad,
            precheck: false, outcome: .uses("custom://auth#x", broker: false)),
        Redirect(
            name: "macOS looks for a scheme only", uri: "custom://auth", schemes: [], queries: [], authority: common,
            kind: .aad, os: .macos, outcome: .uses("custom://auth", broker: false)),
        Redirect(
            name: "macOS, no scheme", uri: "auth", schemes: [], os: .macos, outcome: .fails(.msal(-50000, -42011))),
        Redirect(name: "macOS, none", uri: nil, schemes: [], os: .macos, outcome: .uses(standard, broker: true)),
    ]

    @Test(arguments: redirects)
    func `the redirect URI is checked when the client is created`(row: Redirect) throws {
        let platform = PlatformSettings {
            $0.os = row.os
            $0.apiLevel = row.apiLevel
            $0.bundleId = "com.contoso.tasks"
            $0.teamId = "T"
            $0.urlSchemes = row.schemes
            $0.querySchemes = row.queries
            $0.precheck = row.precheck
        }
        let url = try #require(WebURL(row.authority))
        let authority = row.kind == .b2c ? MSALAuthority.b2c(url) : try MSALAuthority.aad(url).get()
        let found: Redirect.Outcome
        switch RedirectVerifier.verify(row.uri, clientID: "CLIENT", platform: platform, authority: authority) {
        case .success(let verified): found = .uses(verified.uri, broker: verified.isBrokerCapable)
        case .failure(let error): found = .fails(FailureOutcome(ErrorConverter.convert(error, correlationID: nil)))
        }
        #expect(found == row.outcome)
    }

    @Test func `an app that could not be created gives that error at every call, without a request`() async throws {
        let stage = try Stage(patch: Stage.platform(["urlSchemes": []]))
        #expect(await stage.client.createClient().row == .msal(-50000, -42001))
        #expect(try await stage.acquire().row == .msal(-50000, -42001))
        #expect(try await stage.silent().row == .msal(-50000, -42001))
        #expect(await stage.client.accounts().row == .msal(-50000, -42001))
        #expect(stage.authority.requests.isEmpty)
    }

    @Test func `device information is for apps of directory tenants that a broker could answer to`() async throws {
        #expect(await (try Stage().client.deviceInformation()).row == .msal(-50000, -42714))
        #expect(await (try Stage(Stage.workforce).client.deviceInformation()).result == ["deviceMode": "private"])
        let shared = try Stage(Stage.workforce, patch: ["device": ["mode": "shared"]])
        #expect(await shared.client.deviceInformation().result == ["deviceMode": "shared"])
    }

    @Test func `a sandboxed macOS app without the network entitlement reaches nobody`() async throws {
        let stage = try Stage(
            patch: ["apps": ["app": ["client": ["kind": "msal-macos"], "platform": ["networkEntitlement": false]]]])
        #expect(try await stage.acquire().row == .foreign("NSURLErrorDomain", -1003))
        #expect(stage.authority.requests.isEmpty)
    }

    // MARK: Switched-on checks

    struct Check: Sendable, CustomTestStringConvertible {
        var name: String
        var checks: JSONValue
        var claims: JSONObject = [:]
        var outcome: FailureOutcome
        var testDescription: String { name }
    }

    static let now = Stage.start.secondsSinceEpoch
    static let issuer = JSONValue.string(Stage.susi + "/v2.0/")

    static let checks: [Check] = [
        Check(name: "issuer wrong", checks: ["issuer": true], outcome: .msal(-50000, -42600)),
        Check(name: "issuer right", checks: ["issuer": true], claims: ["iss": issuer], outcome: .success),
        Check(name: "audience missing", checks: ["audience": true], outcome: .msal(-50000, -42600)),
        Check(
            name: "expired", checks: ["expiry": true], claims: ["exp": .integer(now - 301)],
            outcome: .msal(-50000, -42600)),
        Check(
            name: "expired within tolerance", checks: ["expiry": true], claims: ["exp": .integer(now - 299)],
            outcome: .success),
        Check(
            name: "not valid yet", checks: ["expiry": true],
            claims: ["exp": .integer(now + 3600), "nbf": .integer(now + 301)], outcome: .msal(-50000, -42600)),
        Check(
            name: "issued too long ago", checks: ["issuedAtWindow": "PT10M"], claims: ["iat": .integer(now - 601)],
            outcome: .msal(-50000, -42600)),
        Check(
            name: "issued just now", checks: ["issuedAtWindow": "PT10M"], claims: ["iat": .integer(now + 599)],
            outcome: .success),
        Check(name: "nonce required and missing", checks: ["nonce": "required"], outcome: .msal(-50000, -42600)),
        Check(name: "nonce missing, checked if present", checks: ["nonce": "ifPresent"], outcome: .success),
        Check(name: "at_hash missing, checked if present", checks: ["atHash": "ifPresent"], outcome: .success),
        Check(
            name: "at_hash wrong", checks: ["atHash": "ifPresent"], claims: ["at_hash": "x"],
            outcome: .msal(-50000, -42600)),
        Check(name: "policy claim right", checks: ["policyClaim": "tfp"], outcome: .success),
        Check(name: "policy claim missing", checks: ["policyClaim": "acr"], outcome: .msal(-50000, -42600)),
        Check(name: "issuer of the metadata, host", checks: ["discoveryIssuer": "host"], outcome: .success),
        Check(name: "issuer of the metadata, exact", checks: ["discoveryIssuer": "exact"], outcome: .success),
        Check(name: "state not compared", checks: ["state": false], outcome: .success),
    ]

    @Test(arguments: checks)
    func `checks the library does not make can be switched on`(row: Check) async throws {
        let stage = try Stage(patch: Stage.client(["checks": row.checks]))
        let token = FakeAuthority.idToken(policy: "B2C_1_susi", extra: row.claims)
        stage.authority.change { $0.tokenAnswer = .tokens(["id_token": .string(token)]) }
        let callback: Stage.Callback = row.checks["state"] == false ? .query("code=c&state=b3RoZXI") : .code("c")
        let outcome = try await stage.acquire(InteractiveParameters(), callback)
        #expect(outcome.row == row.outcome, "\(String(describing: outcome.error))")
    }
}
