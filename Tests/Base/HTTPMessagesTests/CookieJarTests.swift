import Determinism
import HTTPMessages
import Testing

private let now = Timestamp(seconds: 1_768_478_400)

private func url(_ text: String) throws -> WebURL { try #require(WebURL(text)) }

private let page = CookieContext()

@Suite struct CookieJarTests {
    @Test func `names and values of B2C come back byte for byte`() throws {
        let host = try url("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize")
        let attributes = "; domain=contoso.b2clogin.com; path=/; SameSite=None; secure; HttpOnly"
        let pairs = [
            "x-ms-cpim-cache|2l3io3ed2eop2vq5tcrnuw_0=m1.aB+/c==.d.0.e",
            "x-ms-cpim-sso:contoso.onmicrosoft.com/B2C_1_susi_0=m1.\"quoted\" value, with=signs",
            "x-ms-cpim-trans=eyJUX0RJQyI6W119",
            "x-ms-cpim-csrf=\"stays quoted\"",
        ]
        var jar = CookieJar()
        for pair in pairs { #expect(jar.store(pair + attributes, from: host, at: now, context: page) == nil) }
        #expect(jar.header(for: host, at: now, context: page).header == pairs.joined(separator: "; "))
        #expect(jar.all[0].name == "x-ms-cpim-cache|2l3io3ed2eop2vq5tcrnuw_0")
        #expect(jar.all[0].httpOnly && jar.all[0].secure && jar.all[0].sameSite == Cookie.SameSite.none)
        // B2C deletes with an empty value and a date long past.
        let gone = "x-ms-cpim-trans=; expires=Sat, 16-Jan-2016 12:00:00 GMT" + attributes
        #expect(jar.store(gone, from: host, at: now, context: page) == nil)
        #expect(jar.all.map(\.name).contains("x-ms-cpim-trans") == false && jar.all.count == 3)
    }

    @Test func `cookies go to their domain and path`() throws {
        var jar = CookieJar()
        let site = try url("https://login.contoso.com/a/b/c")
        for (field, refusal) in [
            ("host=1", nil), ("wide=1; Domain=.Contoso.com; Path=/", nil), ("deep=1; path=/a/b", nil),
            ("odd=1; path=relative", nil), ("empty=1; domain=", nil), ("x=1; domain=fabrikam.com", .invalid),
            ("x=1; domain=com", .invalid), ("x=1; domain=n.contoso.com", .invalid), ("noequals", .invalid),
            ("=x", .invalid), ("a\u{1}=x", .invalid), ("long=" + String(repeating: "x", count: 4093), .invalid),
            ("fits=" + String(repeating: "x", count: 4092) + "; path=/fits", nil),
        ] as [(String, CookieRefusal?)] {
            #expect(jar.store(field, from: site, at: now, context: page) == refusal, "\(field.prefix(30))")
        }
        func names(_ text: String) throws -> String? {
            jar.header(for: try url(text), at: now, context: page).header?.replacing("=1", with: "")
        }
        #expect(try names("https://login.contoso.com/a/b/x") == "host; deep; odd; empty; wide")
        #expect(try names("https://login.contoso.com/a/b") == "host; deep; odd; empty; wide")
        #expect(try names("https://login.contoso.com/a/bc") == "wide")
        #expect(try names("https://login.contoso.com") == "wide")
        #expect(try names("https://x.contoso.com/a/b/") == "wide")
        #expect(try names("https://contoso.com/") == "wide")
        #expect(try names("https://evilcontoso.com/") == nil)
        #expect(try names("https://fabrikam.com/") == nil)
    }

    @Test func `addresses and single labels match themselves alone`() throws {
        var jar = CookieJar()
        let local = try url("http://localhost:3000/")
        let address = try url("http://127.0.0.1:3000/")
        #expect(jar.store("a=1; domain=localhost; secure", from: local, at: now, context: page) == nil)
        #expect(jar.store("b=1; domain=127.0.0.1", from: address, at: now, context: page) == nil)
        #expect(jar.store("c=1; domain=0.0.1", from: address, at: now, context: page) == .invalid)
        #expect(jar.header(for: local, at: now, context: page).header == "a=1")
        #expect(jar.header(for: try url("http://x.localhost/"), at: now, context: page).header == nil)
        // Ports do not separate cookies.
        #expect(jar.header(for: try url("http://127.0.0.1:1/"), at: now, context: page).header == "b=1")
    }

    @Test func `cookies expire`() throws {
        var jar = CookieJar()
        let site = try url("https://contoso.com/")
        for field in [
            "session=1", "hour=1; max-age=3600", "both=1; Max-Age=60; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
            "date=1; expires=Thu, 15 Jan 2026 12:30:00 GMT", "bad=1; expires=never; max-age=x", "gone=1; max-age=0",
            "gone2=1; max-age=-5", "huge=1; max-age=99999999999999999999",
        ] {
            #expect(jar.store(field, from: site, at: now, context: page) == nil)
        }
        func names(after span: TimeSpan) -> String? {
            jar.header(for: site, at: now + span, context: page).header?.replacing("=1", with: "")
        }
        #expect(names(after: .zero) == "session; hour; both; date; bad; huge")
        #expect(names(after: .seconds(59)) == "session; hour; both; date; bad; huge")
        #expect(names(after: .minutes(1)) == "session; hour; date; bad; huge")
        #expect(names(after: .minutes(30)) == "session; hour; bad; huge")
        #expect(names(after: .days(40_000)) == "session; bad; huge")
        jar.endSession()
        #expect(names(after: .zero) == "hour; both; date; huge")
        // Setting again keeps the place, deleting takes it out.
        #expect(jar.store("hour=2", from: site, at: now + .minutes(1), context: page) == nil)
        #expect(jar.store("date=; max-age=0", from: site, at: now, context: page) == nil)
        #expect(names(after: .zero) == "hour=2; both; huge")
        jar.removeAll()
        #expect(jar.all.isEmpty)
    }

    @Test(arguments: [
        ("Thu, 15 Jan 2026 12:00:00 GMT", 1_768_478_400), ("Thursday, 15-Jan-26 12:00:00 GMT", 1_768_478_400),
        ("Thu Jan 15 12:00:00 2026", 1_768_478_400), ("15 january 2026 12:00:00", 1_768_478_400),
        ("Wed, 31-Dec-69 23:59:59 GMT", 3_155_759_999), ("Thu, 01-Jan-70 00:00:00 GMT", 0),
    ])
    func `dates are read in every old form`(text: String, seconds: Int64) throws {
        var jar = CookieJar()
        let site = try url("https://contoso.com/")
        let past = Timestamp(seconds: seconds) - .seconds(1)
        #expect(jar.store("a=1; expires=\(text)", from: site, at: past, context: page) == nil)
        #expect(jar.all.first?.expires == Timestamp(seconds: seconds))
    }

    @Test(arguments: [
        "15 Jan 2026", "32 Jan 2026 12:00:00", "15 Jan 2026 25:00:00", "15 Foo 2026 12:00:00", "15 Jan 1600 12:00:00",
        "",
    ])
    func `other texts are not dates`(text: String) throws {
        var jar = CookieJar()
        #expect(
            jar.store("a=1; expires=\(text)", from: try url("https://contoso.com/"), at: now, context: page) == nil)
        #expect(jar.all.first.map { $0.expires == nil } == true)
    }

    @Test func `secure cookies need secure addresses`() throws {
        var jar = CookieJar()
        let safe = try url("https://contoso.com/")
        let plain = try url("http://contoso.com/")
        #expect(jar.store("s=1; secure", from: plain, at: now, context: page) == .secure)
        #expect(jar.store("s=1; secure", from: safe, at: now, context: page) == nil)
        #expect(jar.store("s=2", from: plain, at: now, context: page) == .secure)
        let answer = jar.header(for: plain, at: now, context: page)
        #expect(answer.header == nil)
        #expect(answer.withheld.map(\.name) == ["s"] && answer.withheld.map(\.reason) == [.secure])
        #expect(jar.store("__Secure-a=1", from: safe, at: now, context: page) == .invalid)
        #expect(
            jar.store("__Host-a=1; secure; path=/; domain=contoso.com", from: safe, at: now, context: page) == .invalid)
        #expect(jar.store("__Host-a=1; secure; path=/", from: safe, at: now, context: page) == nil)
    }

    @Test func `a disabled jar keeps nothing`() throws {
        var jar = CookieJar()
        let site = try url("https://contoso.com/")
        #expect(jar.store("a=1", from: site, at: now, context: page) == nil)
        jar.enabled = false
        #expect(jar.store("b=1", from: site, at: now, context: page) == .disabled)
        let answer = jar.header(for: site, at: now, context: page)
        #expect(answer.header == nil && answer.withheld.map(\.reason) == [.disabled])
    }

    @Test func `third-party cookies in a frame are blocked if the browser says so`() throws {
        let authority = try url("https://contoso.b2clogin.com/")
        let app = try url("https://app.fabrikam.com/")
        let own = try url("https://www.fabrikam.com/")
        let frame = CookieContext(topLevelSite: app, isTopLevelNavigation: false, initiator: app)
        var jar = CookieJar(thirdParty: .block)
        let field = "sso=1; secure; SameSite=None"
        #expect(jar.store(field, from: authority, at: now, context: frame) == .thirdParty)
        #expect(jar.store(field, from: authority, at: now, context: page) == nil)
        #expect(jar.header(for: authority, at: now, context: frame).withheld.map(\.reason) == [.thirdParty])
        #expect(jar.header(for: authority, at: now, context: page).header == "sso=1")
        // A sibling host is the same site.
        #expect(jar.store("own=1; SameSite=Lax", from: own, at: now, context: frame) == nil)
        #expect(jar.header(for: own, at: now, context: frame).header == "own=1")
        jar.thirdParty = .allow
        #expect(jar.header(for: authority, at: now, context: frame).header == "sso=1")
    }

    @Test(arguments: [
        ("app.contoso.co.uk", "login.contoso.co.uk", true), ("a.co.uk", "b.co.uk", false),
        ("a.azurewebsites.net", "b.azurewebsites.net", false), ("localhost", "localhost", true),
        ("10.0.0.1", "11.0.0.1", false), ("contoso.com", "login.contoso.com", true),
        ("a.z6.web.core.windows.net", "b.z6.web.core.windows.net", true),
    ])
    func `sites are compared by registrable domain`(a: String, b: String, same: Bool) throws {
        let frame = CookieContext(topLevelSite: try url("https://\(a)/"), isTopLevelNavigation: false)
        var jar = CookieJar(thirdParty: .block)
        let refusal = jar.store("x=1", from: try url("https://\(b)/"), at: now, context: frame)
        #expect(refusal == (same ? nil : .thirdParty))
    }

    struct SameSiteCase: Sendable {
        var name: String
        var context: CookieContext
        /// Names that go along two hours after they were set.
        var sent: [String]
    }

    static let authority = WebURL(scheme: "https", host: "contoso.b2clogin.com", path: "/")
    static let app = WebURL(scheme: "https", host: "app.fabrikam.com", path: "/")
    static let sameSiteCases = [
        SameSiteCase(name: "typed", context: CookieContext(), sent: ["none", "lax", "strict", "absent"]),
        SameSiteCase(
            name: "own page", context: CookieContext(method: "POST", initiator: authority),
            sent: ["none", "lax", "strict", "absent"]),
        SameSiteCase(name: "link", context: CookieContext(initiator: app), sent: ["none", "lax", "absent"]),
        SameSiteCase(name: "form post", context: CookieContext(method: "POST", initiator: app), sent: ["none"]),
        SameSiteCase(
            name: "frame", context: CookieContext(topLevelSite: app, isTopLevelNavigation: false, initiator: app),
            sent: ["none"]),
        SameSiteCase(
            name: "own page's script in a foreign tab",
            context: CookieContext(topLevelSite: app, isTopLevelNavigation: false, initiator: authority),
            sent: ["none"]),
        SameSiteCase(
            name: "not enforced",
            context: CookieContext(
                topLevelSite: app, isTopLevelNavigation: false, initiator: app, enforceSameSite: false),
            sent: ["none", "lax", "strict", "absent"]),
    ]

    @Test(arguments: sameSiteCases)
    func `SameSite decides where a cookie goes`(test: SameSiteCase) {
        var jar = CookieJar()
        for field in ["none=1; secure; SameSite=None", "lax=1; samesite=LAX", "strict=1; SameSite=Strict", "absent=1"] {
            #expect(jar.store(field, from: Self.authority, at: now, context: page) == nil)
        }
        let answer = jar.header(for: Self.authority, at: now + .hours(2), context: test.context)
        #expect(answer.header == test.sent.map { $0 + "=1" }.joined(separator: "; "), "\(test.name)")
        #expect(answer.withheld.count == 4 - test.sent.count)
        #expect(answer.withheld.allSatisfy { $0.reason == .sameSite })
    }

    @Test func `young cookies go with a foreign form post`() {
        var jar = CookieJar()
        #expect(jar.store("state=1", from: Self.app, at: now, context: page) == nil)
        let post = CookieContext(method: "POST", initiator: Self.authority)
        #expect(jar.header(for: Self.app, at: now + .minutes(2), context: post).header == "state=1")
        #expect(jar.header(for: Self.app, at: now + .seconds(121), context: post).header == nil)
    }

    @Test func `SameSite counts when a cookie is stored`() {
        var jar = CookieJar()
        let frame = CookieContext(topLevelSite: Self.app, isTopLevelNavigation: false, initiator: Self.app)
        #expect(jar.store("a=1; SameSite=None", from: Self.authority, at: now, context: page) == .sameSite)
        #expect(jar.store("a=1", from: Self.authority, at: now, context: frame) == .sameSite)
        #expect(jar.store("a=1; SameSite=None; Secure", from: Self.authority, at: now, context: frame) == nil)
        var lenient = frame
        lenient.enforceSameSite = false
        #expect(jar.store("b=1; SameSite=Lax", from: Self.authority, at: now, context: lenient) == nil)
    }

    @Test func `jars do not grow without bound`() {
        var jar = CookieJar()
        for n in 0..<500 { #expect(jar.store("c\(n)=1", from: Self.app, at: now, context: page) == nil) }
        #expect(jar.all.count == 180)
        #expect(jar.all.last?.name == "c499")
    }
}
