import Clients
import HTTPMessages
import JSON
import TenantFiles
import Testing
import Verbs

/// MSAL for Android: what it checks before anything is sent, which authorities it takes, whose account a call is for,
/// and how its errors are called.
@Suite struct AndroidTests {
    private func stage(
        client: JSONValue = [:], platform: JSONValue = [:]
    ) throws -> Stage {
        let android: JSONValue = ["kind": "msal-android"]
        let signed: JSONValue = ["signatureHash": "Ab+C/="]
        return try Stage(patch: [
            "apps": ["app": ["client": android.merging(patch: client), "platform": signed.merging(patch: platform)]]
        ])
    }

    @Test func `redirect URI and intent filter follow from package and signing key`() async throws {
        let stage = try stage()
        let app = try #require(stage.tenant.app(named: "app"))
        #expect(app.platform.os == .android)
        #expect(app.client.redirectUri == "msauth://com.contoso.tasks/Ab%2BC%2F%3D")
        #expect(
            app.platform.manifest
                == ManifestFilter {
                    $0.scheme = "msauth"
                    $0.host = "com.contoso.tasks"
                    $0.path = "/Ab+C/="
                })
        #expect(await stage.client.createClient().result == [:])
        let bare = try Tenant(json: ["name": "contoso", "apps": ["a": ["client": ["kind": "msal-android"]]]])
        #expect(bare.app(named: "a")?.platform.signatureHash?.count == 28)
    }

    struct Start: Sendable, CustomTestStringConvertible {
        var name: String
        var client: JSONValue = [:]
        var platform: JSONValue = [:]
        /// Exception and code; `nil` when the client is created.
        var fails: (domain: String, code: String)?
        var says: [String] = []

        var testDescription: String { name }
    }

    static let starts: [Start] = [
        Start(
            name: "path percent-encoded", platform: ["manifest": ["path": "/Ab%2BC%2F%3D"]],
            fails: ("MsalClientException", "app_manifest_validation_error"),
            says: ["percent-encoded", "android:host=\"com.contoso.tasks\"", "android:path=\"/Ab+C/=\""]),
        Start(
            name: "hash of another key in the configuration",
            client: ["redirectUri": "msauth://com.contoso.tasks/Zz%3D"], platform: ["manifest": ["path": "/Ab+C/="]],
            fails: ("MsalClientException", "app_manifest_validation_error"),
            says: ["signed this build wants msauth://com.contoso.tasks/Ab%2BC%2F%3D"]),
        Start(
            name: "another package", platform: ["manifest": ["host": "com.contoso.other"]],
            fails: ("MsalClientException", "app_manifest_validation_error")),
        Start(name: "host in other letter case", platform: ["manifest": ["host": "COM.contoso.tasks"]]),
        Start(name: "filter for every path", platform: ["manifest": ["path": ""]]),
        Start(
            name: "scheme in other letter case", platform: ["manifest": ["scheme": "MSAUTH"]],
            fails: ("MsalClientException", "app_manifest_validation_error")),
        Start(name: "hash not encoded in the URI", client: ["redirectUri": "msauth://com.contoso.tasks/Ab+C/="]),
        Start(
            name: "hash not encoded, and a broker",
            client: [
                "redirectUri": "msauth://com.contoso.tasks/Ab+C/=", "useBroker": true,
            ], fails: ("MsalClientException", "redirect_uri_validation_error"), says: ["Ab%2BC%2F%3D"]),
        Start(
            name: "hash of another key everywhere, and a broker",
            client: ["redirectUri": "msauth://com.contoso.tasks/Zz%3D", "useBroker": true],
            fails: ("MsalClientException", "redirect_uri_validation_error")),
        Start(name: "scheme of its own, and a broker", client: ["redirectUri": "msal123://auth", "useBroker": true]),
        Start(
            name: "web view instead of a browser", platform: ["manifest": ["path": "/x"], "webview": "wkWebView"]),
        Start(name: "not looked at", platform: ["manifest": ["path": "/x"], "precheck": false]),
        Start(
            name: "no host", client: ["redirectUri": "msauth:"],
            fails: ("java.lang.IllegalArgumentException", "IllegalArgumentException"),
            says: ["msauth://com.contoso.tasks/Ab%2BC%2F%3D"]),
        Start(
            name: "one account and three policies", client: ["accountMode": "single"],
            fails: (
                "MsalClientException", "SingleAccountPublicClientApplication cannot be used with multiple B2C policies."
            )),
        Start(
            name: "one account and one policy",
            client: ["accountMode": "single", "knownAuthorities": [.string(Stage.susi)]]),
    ]

    @Test(arguments: starts)
    func `the configuration is checked when the client is created, and nothing is sent`(row: Start) async throws {
        let stage = try stage(client: row.client, platform: row.platform)
        let outcome = await stage.client.createClient()
        #expect(outcome.error?.domain == row.fails?.domain)
        #expect(outcome.error?.code == row.fails.map { .text($0.code) })
        #expect((outcome.error == nil) == (row.fails == nil))
        if row.fails != nil { #expect(outcome.error?.kind == .configuration) }
        for text in row.says { #expect(outcome.error?.description?.contains(text) == true, "\(text)") }
        #expect(stage.authority.requests.isEmpty)
    }

    @Test func `the list of clouds is read once a process, then the host must be in the configuration`() async throws {
        let stage = try stage()
        _ = try await stage.signIn()
        _ = try await stage.acquire()
        #expect(stage.authority.requests.allSatisfy { !$0.url.path.hasSuffix("/discovery/instance") })
        let other = try self.stage(client: ["knownAuthorities": ["https://other.b2clogin.com/tfp/x/y"]])
        let refused = try await other.acquire()
        #expect(refused.error?.domain == "MsalClientException" && refused.error?.code == "unknown_authority")
        #expect(other.authority.requests.map(\.url.path) == ["/common/discovery/instance"])
        // Any authority on the host will do.
        let host = try self.stage(client: ["knownAuthorities": ["https://contoso.b2clogin.com/tfp/x/y"]])
        #expect(try await host.acquire().error == nil)
        let offline = try self.stage()
        offline.authority.change { $0.instanceAnswers = [.fail(.offline), .fail(.offline), .fail(.reset)] }
        #expect(try await offline.acquire().error?.code == "device_network_not_available")
    }

    @Test func `an account that is not in the cache ends a silent call at once`() async throws {
        let stage = try stage()
        let account = try await stage.signIn()["account", "identifier"]?.stringValue
        for choice in [AccountChoice.none, .identifier(Stage.editHome)] {
            let outcome = try await stage.silent(SilentParameters(account: choice))
            #expect(outcome.error?.kind == .noAccount)
            #expect(outcome.error?.domain == "MsalClientException" && outcome.error?.code == "no_account_found")
            #expect(outcome.error?.description?.contains(try #require(account)) == true)
        }
        #expect(stage.authority.requests.isEmpty)
        #expect(try await stage.silent().error == nil)
        #expect(await stage.client.currentAccount().error?.code == "notOffered")
    }

    @Test func `an app for one account takes calls for that one alone`() async throws {
        let stage = try stage(client: ["accountMode": "single", "knownAuthorities": [.string(Stage.susi)]])
        #expect(try await stage.silent().error?.code == "no_current_account")
        #expect(try await stage.signOut(SignOutParameters()).error?.code == "no_current_account")
        let account = try #require(try await stage.signIn()["account", "identifier"]?.stringValue)
        #expect(try await stage.acquire().error?.code == "current_account_mismatch")
        #expect(
            try await stage.acquire(InteractiveParameters(account: .identifier(account))).error == nil)
        #expect(
            try await stage.acquire(InteractiveParameters(account: .identifier(Stage.editHome))).error?.code
                == "current_account_mismatch")
        #expect(try await stage.silent().error == nil)
        #expect(await stage.client.currentAccount().result?["current", "identifier"]?.stringValue == account)
        #expect(await stage.client.accounts().error?.code == "notOffered")
        #expect(try await stage.signOut(SignOutParameters()).error == nil)
        #expect(try await stage.acquire().error == nil)
    }

    @Test func `signIn of an app for one account fails while an account is signed in`() async throws {
        let stage = try stage(client: ["accountMode": "single", "knownAuthorities": [.string(Stage.susi)]])
        try await stage.signIn(InteractiveParameters(isSignIn: true))
        for hint in [nil, "somebody@example.test"] {
            let error = try await stage.acquire(InteractiveParameters(loginHint: hint, isSignIn: true)).error
            #expect(error?.domain == "MsalClientException" && error?.code == "invalid_parameter")
            #expect(error?.kind == .configuration && error?.thrown == nil)
        }
        #expect(stage.authority.requests.isEmpty)
        #expect(try await stage.signOut(SignOutParameters()).error == nil)
        #expect(try await stage.acquire(InteractiveParameters(isSignIn: true)).error == nil)
    }

    @Test func `Java's own exceptions are thrown, those of the library are handed to the listener`() async throws {
        let java = try stage(client: ["redirectUri": "msauth:"])
        #expect(await java.client.createClient().error?.thrown == true)
        let called = try await java.acquire()
        #expect(called.error?.thrown == true && called.count("completion") == 0)
        let own = try stage(client: ["accountMode": "single"])
        let told = try await own.acquire()
        #expect(told.error?.thrown == nil && told.count("completion") == 1)
    }

    static let failures: [(Stage.Callback, FakeAuthority.Answer, domain: String, code: ClientError.Code)] = [
        (.error("access_denied", description: "AADB2C90091: x"), .tokens([:]), "MsalServiceException", "access_denied"),
        (.end(.userClosed), .tokens([:]), "MsalUserCancelException", "user_cancelled"),
        (.query("state=wrong&code=x"), .tokens([:]), "MsalClientException", "state_mismatch"),
        (
            .code("x"), .json(400, ["error": "invalid_grant", "error_description": "AADB2C90080: x"]),
            "MsalUiRequiredException", "invalid_grant"
        ),
        (
            .code("x"), .json(400, ["error": "invalid_request", "error_description": "AADB2C90079: x"]),
            "MsalServiceException", "invalid_request"
        ),
        (.code("x"), .raw(200, "no JSON"), "MsalClientException", "json_parse_failure"),
        (.code("x"), .fail(.reset), "MsalClientException", "io_error"),
        (.code("x"), .raw(503, ""), "MsalServiceException", "service_not_available"),
    ]

    @Test(arguments: failures.indices)
    func `errors have the exceptions and codes of the library`(index: Int) async throws {
        let row = Self.failures[index]
        let stage = try stage()
        stage.authority.change { $0.tokenAnswer = row.1 }
        let error = try await stage.acquire(InteractiveParameters(), row.0).error
        #expect(error?.domain == row.domain && error?.code == row.code)
        #expect(error?.internalCode == nil)
    }

    @Test func `a second interactive call ends the first, which hears of it when its browser is done`() async throws {
        let stage = try stage()
        guard
            case .browse(_, let first) = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane),
            case .browse(_, let second) = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
        else { throw StageError.noBrowser }
        #expect(await stage.client.isCancelled(first))
        #expect(await !stage.client.isCancelled(second))
        let ended = try await stage.client.finish(first, try stage.end(first, .code("x")), lane: stage.lane)
        #expect(ended.error?.domain == "MsalClientException" && ended.error?.code == "auth_cancelled_by_sdk")
        #expect(try await stage.client.finish(second, try stage.end(second, .code("y")), lane: stage.lane).error == nil)
    }

    @Test func `pages show in a Custom Tab, and the system hands over what the filter takes`() async throws {
        let right = try await (try stage()).browse()
        #expect(right.callback == .exact("msauth://com.contoso.tasks/Ab%2BC%2F%3D"))
        let wrong = try await (try stage(platform: ["manifest": ["path": "/x"], "precheck": false])).browse()
        #expect(wrong.callback == nil)
    }
}
