import HTTPMessages
import Testing

@Suite struct WebURLTests {
    struct Parts: Sendable, CustomTestStringConvertible {
        var text: String
        var scheme: String
        var host: String?
        var port: Int?
        var path = ""
        var query: String?
        var fragment: String?
        var testDescription: String { text }
    }

    @Test(arguments: [
        Parts(text: "https://contoso.b2clogin.com", scheme: "https", host: "contoso.b2clogin.com"),
        Parts(
            text: "https://contoso.b2clogin.com:8443/t.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?p=a&b=%20#x=y",
            scheme: "https", host: "contoso.b2clogin.com", port: 8443,
            path: "/t.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize", query: "p=a&b=%20", fragment: "x=y"),
        Parts(text: "msauth.com.contoso.app://auth", scheme: "msauth.com.contoso.app", host: "auth"),
        Parts(
            text: "msauth.com.contoso.app://auth/?state=a&code=b", scheme: "msauth.com.contoso.app", host: "auth",
            path: "/", query: "state=a&code=b"),
        Parts(
            text: "msal90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6://auth", scheme: "msal90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6",
            host: "auth"),
        Parts(
            text: "urn:ietf:wg:oauth:2.0:oob", scheme: "urn", host: nil, path: "ietf:wg:oauth:2.0:oob"),
        Parts(text: "com.app:/oauth", scheme: "com.app", host: nil, path: "/oauth"),
        Parts(text: "com.app:///oauth", scheme: "com.app", host: "", path: "/oauth"),
        Parts(text: "https://host?#", scheme: "https", host: "host", query: "", fragment: ""),
        Parts(text: "https://host#a?b/c", scheme: "https", host: "host", fragment: "a?b/c"),
        Parts(text: "http://[::1]:3000/cb", scheme: "http", host: "[::1]", port: 3000, path: "/cb"),
        Parts(text: "https://h/a|b{c}^\\é", scheme: "https", host: "h", path: "/a|b{c}^\\é"),
        Parts(text: "mailto:ada@contoso.com", scheme: "mailto", host: nil, path: "ada@contoso.com"),
    ])
    func `a URL is written as it was read`(parts: Parts) throws {
        let url = try #require(WebURL(parts.text))
        #expect(url.scheme == parts.scheme)
        #expect(url.host == parts.host)
        #expect(url.port == parts.port)
        #expect(url.path == parts.path)
        #expect(url.query == parts.query)
        #expect(url.fragment == parts.fragment)
        #expect(url.description == parts.text)
    }

    @Test(arguments: [
        "", "auth", "//host/a", "/path", "?q", "1http://x", "://x", "ht tp://x", "https://ho st/", "https://h:99999/",
        "https://h:8a/", "https://[::1/", "https://[::1]x/", "https://h/\u{7f}", "https://h/a\nb", "B2C_1_x:y",
    ])
    func `other texts are refused`(text: String) {
        #expect(WebURL(text) == nil)
    }

    /// Texts that are not URLs come back unchanged, with as much of them read as possible.
    @Test(arguments: [
        Parts(
            text: "https://{Settings:Host}/x?y#z", scheme: "https", host: "{settings:host}", path: "/x", query: "y",
            fragment: "z"),
        Parts(text: "https://{Settings:Host}:8080", scheme: "https", host: "{settings:host}:8080", path: ""),
        Parts(text: "{Settings:Base}/x", scheme: "", host: nil, path: "{Settings:Base}/x"),
        Parts(text: "@url@/x?q=1", scheme: "", host: nil, path: "@url@/x", query: "q=1"),
        Parts(text: "://x", scheme: "", host: nil, path: "://x"),
        Parts(text: "https://h/a", scheme: "https", host: "h", path: "/a"),
    ])
    func `a text that is not a URL is kept`(parts: Parts) {
        let url = WebURL(verbatim: parts.text)
        #expect(url.description == parts.text)
        #expect(url.scheme == parts.scheme)
        #expect(url.host == parts.host)
        #expect(url.path == parts.path)
        #expect(url.query == parts.query)
        #expect(url.fragment == parts.fragment)
    }

    @Test func `letter case is kept, but does not count`() throws {
        let a = try #require(WebURL("MSAuth.com.Contoso.App://Auth/Path"))
        let b = try #require(WebURL("msauth.com.contoso.app://auth/Path"))
        #expect(a == b && Set([a, b]).count == 1)
        #expect(a.description == "MSAuth.com.Contoso.App://Auth/Path")
        #expect(a.scheme == "msauth.com.contoso.app" && a.host == "auth")
        #expect(WebURL("https://h/a") != WebURL("https://h/A"))
        var changed = a
        changed.host = "OTHER"
        changed.scheme = "HTTPS"
        #expect(changed.description == "https://other/Path")
    }

    @Test func `origins have their port`() throws {
        func origin(_ text: String) -> String? { WebURL(text)?.origin }
        #expect(origin("https://Contoso.com:443/a?b#c") == "https://contoso.com")
        #expect(origin("http://contoso.com:80/") == "http://contoso.com")
        #expect(origin("http://contoso.com:443/") == "http://contoso.com:443")
        #expect(origin("msauth.x://auth") == "null")
        #expect(WebURL("https://h")?.effectivePort == 443)
        #expect(WebURL("http://h")?.effectivePort == 80)
        #expect(WebURL("https://h:1")?.effectivePort == 1)
        #expect(WebURL("app://h")?.effectivePort == 0)
        let url = try #require(WebURL("https://u:p@Host:8443/x"))
        #expect(url.userInfo == "u:p" && url.host == "host" && url.authority == "Host:8443")
        #expect(url.description == "https://u:p@Host:8443/x")
        let app = try #require(WebURL("app://a"))
        #expect(!app.hasSameOrigin(as: app) && url.hasSameOrigin(as: url))
    }

    @Test(arguments: [
        ("http://localhost:3000", true), ("http://app.localhost", true), ("http://127.0.0.1", true),
        ("http://127.1.2.3", true), ("http://[::1]:1", true), ("http://127.0.0.1.evil.com", false),
        ("http://localhost.evil.com", false), ("http://10.0.0.1", false), ("urn:x", false),
    ])
    func `loopback addresses are recognized`(text: String, expected: Bool) {
        #expect(WebURL(text)?.isLoopback == expected)
    }

    @Test func `request targets are path and query`() {
        #expect(WebURL("https://h")?.requestTarget == "/")
        #expect(WebURL("https://h?a=b#c")?.requestTarget == "/?a=b")
        #expect(WebURL("https://h/a/?")?.requestTarget == "/a/?")
    }

    @Test func `query items are read`() throws {
        var url = try #require(WebURL("https://h/a?state=x+y%7c&p=B2C_1_susi&p=2&empty=&bare"))
        #expect(url.queryItems["state"] == "x y|")
        #expect(url.queryItems["p"] == "B2C_1_susi" && url.queryItems.all("p") == ["B2C_1_susi", "2"])
        #expect(url.queryItems["empty"] == "" && url.queryItems["bare"] == "" && url.queryItems["none"] == nil)
        url.queryItems["state"] = "a b&c"
        #expect(url.description == "https://h/a?state=a+b%26c&p=B2C_1_susi&p=2&empty=&bare=")
        url.queryItems = [:]
        #expect(url.query == nil)
        let callback = try #require(WebURL("msauth.com.contoso.app://auth/#error=access_denied&state=1%2b"))
        #expect(callback.fragmentItems.json == ["error": "access_denied", "state": "1+"])
    }

    /// RFC 3986, section 5.4.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ])
    func `references resolve as RFC 3986 says`(reference: String, expected: String) throws {
        let base = try #require(WebURL("http://a/b/c/d;p?q"))
        #expect(base.resolving(reference)?.description == expected)
    }

    @Test func `references that B2C sends resolve`() throws {
        let base = try #require(WebURL("https://contoso.b2clogin.com"))
        #expect(base.resolving("a/b")?.description == "https://contoso.b2clogin.com/a/b")
        #expect(base.resolving("B2C_1_susi/api?p=1")?.path == "/B2C_1_susi/api")
        #expect(base.resolving("msauth.com.x://auth/?code=1")?.description == "msauth.com.x://auth/?code=1")
        #expect(base.resolving("https://h/a b") == nil)
        #expect(WebURL("urn:a:b")?.resolving("c") == nil)
        #expect(WebURL("urn:a:b")?.resolving("#c")?.description == "urn:a:b#c")
    }
}
