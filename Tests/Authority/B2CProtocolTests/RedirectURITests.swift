import B2CProtocol
import Testing

struct RedirectURITests {
    @Test(arguments: [
        // Character by character.
        ("msauth.com.contoso.app://auth", "msauth.com.contoso.app://auth", true),
        ("msauth.com.contoso.app://auth/", "msauth.com.contoso.app://auth", false),
        ("https://app.test/callback", "https://app.test/callback", true),
        ("https://app.test/Callback", "https://app.test/callback", false),
        ("https://APP.test/callback", "https://app.test/callback", false),
        ("https://app.test/callback/", "https://app.test/callback", false),
        ("https://app.test/callback?x=1", "https://app.test/callback", false),
        ("https://app.test:444/callback", "https://app.test/callback", false),
        // The port of a loopback address counts for nothing.
        ("http://localhost:8400/cb", "http://localhost/cb", true),
        ("http://localhost:8400/cb", "http://localhost:5000/cb", true),
        ("http://127.0.0.1:1/", "http://127.0.0.1/", true),
        ("http://localhost:8400/cb", "http://localhost:8400/other", false),
        ("http://localhost:8400/CB", "http://localhost/cb", false),
        ("http://localhost:8400", "http://127.0.0.1", false),
        ("https://localhost:8400/cb", "https://localhost/cb", false),
        ("http://[::1]:8400/cb", "http://[::1]/cb", false),
        ("http://localhost.evil.test:80/cb", "http://localhost/cb", false),
        ("urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob", true),
        ("not a uri", "not a uri", true), ("", "https://app.test", false),
    ])
    func `redirect URIs match as documented`(_ requested: String, _ registered: String, _ expected: Bool) {
        #expect(RedirectURIRules.matches(requested, registered: registered) == expected)
    }

    @Test(arguments: [
        ("msal1234://auth", "msal1234://auth/"), ("msauth.com.contoso.app://auth", "msauth.com.contoso.app://auth/"),
        ("https://app.test", "https://app.test/"), ("https://app.test/", "https://app.test/"),
        ("https://app.test/cb", "https://app.test/cb"), ("https://app.test?x=1", "https://app.test/?x=1"),
        ("com.contoso.app://oauth/callback", "com.contoso.app://oauth/callback"),
        ("urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob"), ("com.contoso:/cb", "com.contoso:/cb"),
    ])
    func `the answer goes to a path`(_ uri: String, _ target: String) {
        #expect(RedirectURIRules.responseTarget(uri) == target)
    }

    @Test(arguments: [
        ("msal1234://auth/?code=x&state=y", "msal1234://auth", true),
        ("msal1234://auth?code=x", "msal1234://auth", true),
        ("https://app.test/#code=x", "https://app.test", true),
        ("https://app.test/cb?code=x", "https://app.test/cb", true),
        ("https://app.test/cb2?code=x", "https://app.test/cb", false),
        ("http://localhost:5000/?code=x", "http://localhost", true),
    ])
    func `the answer is added to the redirect URI`(_ url: String, _ uri: String, _ expected: Bool) {
        #expect(RedirectURIRules.isAnswer(url, to: uri) == expected)
    }

    @Test(arguments: [
        ("https://app.test/cb", RedirectPlatform.web, []), ("http://localhost/cb", .web, []),
        ("http://127.0.0.1:3000", .spa, []), ("msauth.com.contoso.app://auth", .native, []),
        ("urn:ietf:wg:oauth:2.0:oob", .native, []), ("http://app.test/cb", .web, ["B2C-URI-006"]),
        ("http://app.test/cb", .native, ["B2C-URI-006"]), ("msauth.com.contoso.app://auth", .spa, ["B2C-URI-007"]),
        ("https://app.test/cb#x", .web, ["B2C-URI-003"]), ("https://*.test/cb", .web, ["B2C-URI-004"]),
        ("/callback", .web, ["B2C-URI-002"]), ("com.contoso.app:/cb", .native, ["B2C-URI-008"]),
        ("http://[::1]/cb", .native, ["B2C-URI-005", "B2C-URI-006"]),
    ])
    func `registrations are checked`(_ uri: String, _ platform: RedirectPlatform, _ rules: [String]) {
        let findings = RedirectURIRules.findings(uri, platform: platform)
        #expect(findings.map(\.rule) == rules)
        #expect(findings.allSatisfy { $0.remedy != nil })
    }

    @Test func `a redirect URI that is too long is refused`() {
        let long = "https://app.test/" + String(repeating: "a", count: 240)
        #expect(RedirectURIRules.findings(long, platform: .web).map(\.rule) == ["B2C-URI-001"])
    }
}
