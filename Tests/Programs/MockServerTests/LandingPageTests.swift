import AuthorityHosting
import B2CProtocol
import HTTPMessages
import JSON
import Testing

@testable import MockServerCore

/// The page at which a sign-in from the start page ends.
struct LandingPageTests {
    private func stage(_ tenant: JSONValue? = nil) async throws -> Stage {
        let tenant = try tenant ?? StarterTenant.compiled().json
        let stage = try await Stage(controls: true, tenant: tenant)
        stage.front.consolePort.withLock { $0 = 9401 }
        return stage
    }

    /// Presses the link of the start page and lets Ada sign in.
    ///
    /// - Returns: The path and query to which the authority sends the browser, as this server gets them.
    private func signIn(_ stage: Stage, at host: String, as app: String = "ios", cancels: Bool = false) async throws
        -> (target: String, host: String)
    {
        let page = try #require(await stage.send("/", host: host)).text
        let link = try #require(
            page.split(separator: "\"").first { $0.contains("/B2C_1_susi/oauth2") && $0.contains("app%3D\(app)%26") })
        let url = "http://\(host)" + link.replacing("&amp;", with: "&")
        var call: JSONObject = ["url": .string(url), "person": "ada"]
        if cancels { call["cancel"] = true }
        let answer = try #require(
            await stage.send(
                "/_b2c/v1/sign-ins?secrets=show", method: "POST", host: host,
                headers: ["Content-Type": "application/json"], body: JSONWriter.compact(.object(call))))
        let json = try JSONParser.parse(answer.body)
        let callback = try #require(json["callback", "url"]?.stringValue.flatMap { WebURL($0) }, "\(answer.text)")
        #expect(callback.path == LandingPage.path)
        return (callback.path + "?" + (callback.query ?? ""), callback.authority)
    }

    @Test(arguments: [("localhost:9400", "ios"), ("127.0.0.1:9400", "ios"), ("localhost:9402", "spa")])
    func `a sign-in from the start page ends with its tokens`(_ host: String, _ app: String) async throws {
        let stage = try await stage()
        let (target, landing) = try await signIn(stage, at: host, as: app)
        let page = try #require(await stage.send(target, host: landing))
        #expect(page.status == 200 && page.text.contains("<h1>Ada is signed in</h1>"), "\(page.text)")
        for part in [
            "<h2>ID token</h2>", "<h2>Access token</h2>", "<code>read</code>",
            // The issuer is that of the start page's address, which the reader's API reads its metadata from.
            "http://\(host)/", "displayName, from AAD-UserRead", "the app or API that the token is for",
            "curl -s -H", "grant_type=refresh_token", "http://localhost:9401/_b2c/",
        ] {
            #expect(page.text.contains(part), "\(part) is not in \(page.text)")
        }
        #expect(!page.text.contains("<script") && page.headers["Content-Security-Policy"]?.contains("script") == false)
        #expect(page.headers["Cache-Control"] == "no-store")
        let again = try #require(await stage.send(target, host: landing))
        #expect(
            again.text.contains("A code is good once") && again.text.contains("b2c explain AADB2C"), "\(again.text)")
    }

    @Test func `an app with a secret, or a page, redeems as such`() async throws {
        for (platform, secrets) in [("web", ["site-secret-1"]), ("spa", [])] as [(String, [String])] {
            let tenant: JSONValue = [
                "name": "contoso", "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"]],
                "apps": [
                    "site": [
                        "client": ["kind": platform == "web" ? "web" : "msal-browser", "policy": "susi"],
                        "registration": [
                            "redirectUris": [platform: ["http://localhost/signed-in"]],
                            "secrets": .array(secrets.map { .string($0) }),
                        ],
                    ]
                ],
                "users": ["ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"]],
            ]
            let stage = try await stage(tenant)
            let (target, landing) = try await signIn(stage, at: "localhost:9400", as: "site")
            let page = try #require(await stage.send(target, host: landing))
            #expect(page.text.contains("Ada is signed in"), "\(platform): \(page.text)")
        }
    }

    @Test func `a person who cancels lands with the error and its command`() async throws {
        let stage = try await stage()
        let (target, landing) = try await signIn(stage, at: "localhost:9400", cancels: true)
        let page = try #require(await stage.send(target, host: landing))
        #expect(page.text.contains("access_denied") && page.text.contains("b2c explain AADB2C90091"), "\(page.text)")
    }

    @Test(arguments: ["/signed-in", "/signed-in?code=a&state=mine", "/signed-in?code=%3Cb%3E&state=from%3Dstart-page"])
    func `an answer that the start page did not ask for is shown as it is`(_ target: String) async throws {
        let page = try #require(await stage().send(target))
        #expect(page.status == 200 && !page.text.contains("is signed in") && !page.text.contains("<b>"))
    }

    @Test func `a tenant whose apps do not have the page learns what to add`() async throws {
        let page = try #require(await stage(Stage.tenant).send("/", host: "localhost:9477")).text
        #expect(page.contains("<code>http://localhost:9477/signed-in</code>"))
        let own = try #require(await stage().send("/")).text
        #expect(!own.contains("registration.redirectUris"))
    }
}
