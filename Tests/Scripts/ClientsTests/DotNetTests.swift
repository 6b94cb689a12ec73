import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Testing

@testable import Clients

/// MSAL.NET: what sets it apart, in the words of its sources. Whole sign-ins are in scenarios/sign-in/msal-dotnet.json.
@Suite struct DotNetTests {
    private func stage(_ client: JSONValue = [:], platform: JSONValue = [:]) throws -> Stage {
        let kind: JSONValue = ["kind": "msal-dotnet"]
        return try Stage(patch: Stage.client(kind.merging(patch: client)).merging(patch: Stage.platform(platform)))
    }

    /// A sign-in whose answer is posted, as the library asks for.
    private func signIn(_ stage: Stage, _ fields: FormItems = ["code": "x"]) async throws -> ClientOutcome {
        switch try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane) {
        case .finished(let outcome): return outcome
        case .browse(_, let session):
            var form = fields
            if form["state"] == nil { form["state"] = session.state }
            let url = try #require(WebURL(session.redirectURI))
            return try await stage.client.finish(session, .callback(url, form: form), lane: stage.lane)
        }
    }

    struct Refresh: Sendable {
        var answer: FakeAuthority.Answer
        var domain: String
        var code: String
        /// How many requests are sent, and whether the same call is then held back.
        var requests = 1
        var holdsBack = false
    }

    static let refreshes = [
        Refresh(
            answer: .json(400, ["error": "invalid_grant"]), domain: "MsalUiRequiredException", code: "invalid_grant",
            holdsBack: true),
        Refresh(
            answer: .json(400, ["error": "interaction_required"]), domain: "MsalUiRequiredException",
            code: "interaction_required", holdsBack: true),
        Refresh(
            answer: .json(400, ["error": "invalid_grant", "suberror": "client_mismatch"]),
            domain: "MsalServiceException", code: "invalid_grant"),
        Refresh(
            answer: .json(400, ["error": "unauthorized_client"]), domain: "MsalServiceException",
            code: "unauthorized_client"),
        Refresh(
            answer: .raw(503, ""), domain: "MsalServiceException", code: "service_not_available", requests: 2,
            holdsBack: true),
        Refresh(
            answer: .raw(503, "", ["Retry-After": "30"]), domain: "MsalServiceException",
            code: "service_not_available", holdsBack: true),
        Refresh(answer: .raw(429, ""), domain: "MsalServiceException", code: "request_throttled", holdsBack: true),
        Refresh(answer: .raw(404, ""), domain: "MsalServiceException", code: "not_found"),
        Refresh(answer: .fail(.timeout), domain: "MsalServiceException", code: "request_timeout", requests: 2),
        Refresh(
            answer: .fail(.offline), domain: "System.Net.Http.HttpRequestException", code: "HttpRequestException"),
        Refresh(answer: .raw(200, "no JSON"), domain: "MsalClientException", code: "json_parse_failed"),
    ]

    @Test(arguments: refreshes.indices)
    func `a refused refresh throws its error, is sent so often, and may hold the next back`(index: Int) async throws {
        let row = Self.refreshes[index]
        let stage = try stage()
        #expect(try await signIn(stage).error == nil)
        stage.authority.forget()
        stage.authority.change { $0.tokenAnswer = row.answer }
        let error = try await stage.silent(SilentParameters(forceRefresh: true)).error
        #expect(error?.domain == row.domain && error?.code == .text(row.code), "\(error as Any)")
        #expect(stage.authority.tokenRequests.count == row.requests)
        stage.authority.forget()
        let again = try await stage.silent(SilentParameters(forceRefresh: true)).error
        #expect((stage.authority.tokenRequests.isEmpty) == row.holdsBack, "\(again as Any)")
        #expect(again?.code == .text(row.code))
        let held = row.domain.replacing("Msal", with: "MsalThrottled")
        #expect(again?.domain == (row.holdsBack ? held : row.domain), "\(again as Any)")
    }

    static let addresses: [(uri: String, webview: String, sent: String?)] = [
        ("http://localhost:8080/signin", "default", "http://localhost:8080/signin"),
        ("http://127.0.0.1:8080", "default", "http://127.0.0.1:8080"),
        ("https://localhost:8080", "default", nil), ("msal1://auth", "default", nil),
        ("msal1://auth", "wkWebView", "msal1://auth"),
    ]

    @Test(arguments: addresses)
    func `the system's browser needs an http address of this machine`(
        _ row: (uri: String, webview: String, sent: String?)
    ) async throws {
        let stage = try stage(["redirectUri": .string(row.uri)], platform: ["webview": .string(row.webview)])
        #expect(await stage.client.createClient().error == nil)
        switch try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane) {
        case .browse(let request, _): #expect(request.url.queryItems["redirect_uri"] == row.sent)
        case .finished(let outcome):
            #expect(row.sent == nil)
            #expect(outcome.error?.domain == "MsalClientException" && outcome.error?.code == "loopback_redirect_uri")
        }
    }

    @Test func `without a port the library chooses one, drops the path, and the same seed chooses the same`()
        async throws
    {
        var ports: [Int] = []
        for _ in 0..<2 {
            let stage = try stage(["redirectUri": "http://localhost/signin"])
            guard
                case .browse(_, let session) = try await stage.client.acquireToken(
                    InteractiveParameters(), lane: stage.lane)
            else { throw StageError.noBrowser }
            let url = try #require(WebURL(session.redirectURI))
            #expect(url.path.isEmpty || url.path == "/")
            ports.append(try #require(url.port))
        }
        #expect(ports[0] == ports[1] && (49_152...65_535).contains(ports[0]))
    }

    static let answers: [(fields: FormItems, domain: String, code: String)] = [
        (["error": "access_denied"], "MsalServiceException", "access_denied"),
        (["error": "server_error", "state": "other"], "MsalServiceException", "server_error"),
        (["error": "login_required"], "MsalUiRequiredException", "no_prompt_failed"),
        (["code": "x", "state": "other"], "MsalClientException", "state_mismatch"),
        (["client_info": "x"], "MsalServiceException", "authentication_failed"),
    ]

    @Test(arguments: answers.indices)
    func `an error is read before the state`(index: Int) async throws {
        let row = Self.answers[index]
        let error = try await signIn(try stage(), row.fields).error
        #expect(error?.domain == row.domain && error?.code == .text(row.code), "\(error as Any)")
    }

    @Test func `an answer in the query is refused: the library asks for a posted form`() async throws {
        let stage = try stage()
        let error = try await stage.acquire().error
        #expect(error?.domain == "MsalClientException" && error?.code == "authentication_failed")
        #expect(stage.authority.tokenRequests.isEmpty)
    }

    @Test func `tokens are kept under the tenant's name with sorted scopes, and requests name the library`()
        async throws
    {
        let stage = try stage(["scopes": [.string(Stage.write), .string(Stage.read)]])
        #expect(try await signIn(stage).error == nil)
        let token = try await stage.cache()["accessTokens"]?[0]
        #expect(token?["realm"] == "contoso.onmicrosoft.com")
        #expect(token?["target"] == .string("\(Stage.read) \(Stage.write)"))
        let sent = try #require(stage.authority.tokenRequests.last)
        #expect(sent.headers["x-client-SKU"] == "MSAL.NetCore" && sent.headers["x-client-OS"] != nil)
        #expect(sent.headers["X-AnchorMailbox"] == nil)
        #expect(try await stage.silent().result?["fromCache"] == true)
    }

    @Test func `a directory's authority is looked up, a B2C one is not`() async throws {
        let b2c = try stage()
        _ = try await signIn(b2c)
        #expect(!b2c.authority.requests.contains { $0.url.path.hasSuffix("/discovery/instance") })
        #expect(ClientKind.msalDotNet.behaviour.authorityCheck(of: .aad) == .discovery)
    }
}
