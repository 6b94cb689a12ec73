import B2CProtocol
import Diagnostics
import Testing

@testable import Validation

struct RedirectURITests {
    static let single: [(String, RedirectPlatform, [String])] = [
        ("msauth.com.contoso.app://auth", .native, []),
        ("https://app.contoso.example/signin", .web, []),
        ("http://localhost:3000/", .spa, []),
        ("http://127.0.0.1/", .native, []),
        ("msauth://code/msauth.com.contoso.app%3A%2F%2Fauth", .native, []),
        ("https://app.contoso.example", .web, ["B2C-URI-020"]),
        ("https://app.contoso.example/a#b", .spa, ["B2C-URI-003"]),
        ("https://*.contoso.example/", .web, ["B2C-URI-004"]),
        ("http://[::1]:3000/", .spa, ["B2C-URI-005", "B2C-URI-006"]),
        ("http://app.contoso.example/", .web, ["B2C-URI-006"]),
        ("msauth.com.contoso.app://auth", .web, ["B2C-URI-007"]),
        ("/signin", .web, ["B2C-URI-002"]),
        ("my_app://auth", .native, ["B2C-URI-010"]),
        (" https://app.contoso.example/", .web, ["B2C-URI-018"]),
        ("https://app.contoso.example/\t", .web, ["B2C-URI-018"]),
        ("msauth://code/msauth.com.contoso.app://auth", .native, ["B2C-URI-011"]),
        ("msauth://code/msauth.com.contoso.app%253A%252F%252Fauth", .native, ["B2C-URI-011"]),
    ]

    @Test(arguments: single)
    func `one URI`(uri: String, platform: RedirectPlatform, rules: [String]) {
        let found = RedirectURICheck.findings(uri, platform: platform).map(\.diagnostic.rule)
        #expect(found.sorted() == rules)
    }

    @Test(arguments: [
        ("http://[::1]:3000/x", "http://127.0.0.1:3000/x"),
        ("https://a.example/x#y", "https://a.example/x"),
        ("http://a.example/", "https://a.example/"),
        ("https://a.example", "https://a.example/"),
        ("msauth://code/msauth.a.b://auth", "msauth://code/msauth.a.b%3A%2F%2Fauth"),
        (" https://a.example/ ", "https://a.example/"),
    ])
    func `a corrected URI is named, and is better`(uri: String, corrected: String) throws {
        let platform: RedirectPlatform = uri.hasPrefix("ms") ? .native : .web
        let findings = RedirectURICheck.findings(uri, platform: platform)
        let offered = try #require(findings.compactMap(\.corrected).first)
        #expect(offered == corrected)
        #expect(RedirectURICheck.findings(offered, platform: platform).count < findings.count)
    }

    private func together(_ uris: [(String, RedirectPlatform)], clientID: String? = nil) -> [String] {
        RedirectURIs.findings(uris.map { PlacedURI(uri: $0.0, platform: $0.1) }, clientID: clientID)
            .map(\.diagnostic.rule)
    }

    @Test func `URIs of one app are held against each other`() {
        #expect(together([("https://a.example/x", .web), ("https://a.example/x", .spa)]) == ["B2C-URI-015"])
        #expect(together([("https://a.example/x", .web), ("https://a.example/X/", .web)]) == ["B2C-URI-017"])
        #expect(together([("http://localhost:1/", .spa), ("http://localhost:2/", .web)]) == ["B2C-URI-014"])
        #expect(together([("http://localhost/a", .spa), ("http://localhost/b", .web)]).isEmpty)
        #expect(together([("http://localhost:1/y", .spa), ("http://LOCALHOST/y/", .web)]).isEmpty)
        let many = (0...100).map { ("https://a.example/\($0)", RedirectPlatform.web) }
        #expect(together(many) == ["B2C-URI-016"])
    }

    @Test func `the Authenticator's URI needs its partner`() {
        let tail = ("msauth://code/msauth.com.a%3A%2F%2Fauth", RedirectPlatform.native)
        #expect(together([tail, ("msauth.com.a://auth", .native)]).isEmpty)
        #expect(together([tail, ("msauth.com.b://auth", .native)]) == ["B2C-URI-011"])
    }

    @Test func `the client id of an msal scheme is the app's`() {
        let id = "11111111-2222-3333-4444-555555555555"
        #expect(together([("msal\(id)://auth", .native)], clientID: id.uppercased()).isEmpty)
        #expect(
            together([("msal\(id)://auth", .native)], clientID: "99999999-2222-3333-4444-555555555555")
                == ["B2C-URI-012"])
    }

    @Test func `what an app sends must be registered as it is`() throws {
        let registered = [PlacedURI(uri: "https://a.example/signin", platform: .web)]
        func rules(_ uri: String) -> [Finding] {
            RedirectURIs.agreement(sent: uri, at: nil, registered: registered, where: "the app")
        }
        #expect(rules("https://a.example/signin").isEmpty)
        let slash = try #require(rules("https://a.example/Signin/").first)
        #expect(slash.diagnostic.message.contains("only as \"https://a.example/signin\""))
        #expect(slash.corrected == "https://a.example/signin")
        #expect(rules("https://b.example/other/way").first?.diagnostic.rule == "B2C-URI-013")
    }
}
