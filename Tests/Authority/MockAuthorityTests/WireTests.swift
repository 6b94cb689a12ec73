import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

/// What published clients that sign in at real tenants send, and what of the answers they read.
@Suite struct WireTests {
    // MARK: tx

    /// Ways in which published clients write `tx`, from the page's own value and the transaction cookie's.
    enum TransactionText: String, CaseIterable, Sendable {
        case asIssued, cookieValue, padded, anyText, absent, ofNobody, empty

        func text(_ page: PageSettings, cookie: String) -> String? {
            switch self {
            case .asIssued: page.transId
            case .cookieValue: "StateProperties=" + cookie
            case .padded:
                "StateProperties="
                    + Base64.encode(Base64URL.decode(String(page.transId.dropFirst("StateProperties=".count))) ?? [])
            case .anyText: "whatever"
            case .absent: nil
            case .ofNobody: TransactionParameter.text(GUID(high: 1, low: 2))
            case .empty: ""
            }
        }
    }

    @Test(arguments: TransactionText.allCases) func `the transaction is the one of the cookies`(_ kind: TransactionText)
        throws
    {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        func url(_ path: String, _ query: FormItems, _ cookie: String) throws -> WebURL {
            var query = query
            if let tx = kind.text(page, cookie: cookie) { query.append("tx", tx) }
            query.append("p", page.policy)
            return try #require(WebURL("https://\(TestWorld.host)\(page.tenantPath)/\(path)?\(query.encoded)"))
        }
        func cookie() throws -> String {
            try #require(world.jar.all.first { $0.name == StateCookies.transactions }).value
        }
        let answer = world.browse(
            .post(
                try url("SelfAsserted", FormItems(), cookie()),
                form: [
                    "request_type": "RESPONSE", page.fields[0].id: "ada@example.test",
                    page.fields[1].id: "Analytical-1843",
                ], headers: ["X-CSRF-TOKEN": page.csrf]))
        #expect(answer.status == 200 && answer.json?["status"] == "200", "\(answer.refusal ?? answer.text)")
        let end = world.browse(
            .get(
                try url(
                    "api/\(page.api)/confirmed", ["rememberMe": "false", "csrf_token": page.csrf], cookie())))
        #expect(end.location?.queryItems["code"] != nil, "\(end.refusal ?? end.text)")
    }

    /// With two journeys in one browser `tx` still says which one a page is of; what it does not name is the current one.
    @Test(arguments: [false, true]) func `of two transactions the named one goes on`(_ isPadded: Bool) throws {
        var world = try TestWorld()
        var one = try #require(PageSettings.read(html: try world.authorize().text))
        let two = try #require(PageSettings.read(html: try world.authorize().text))
        if isPadded { one.transId += "=" }
        // The anti-forgery cookie is that of the second page: the first one's value does not fit it.
        let refused = try world.post(one, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(refused.status == 400 && refused.refusal?.contains("another tab") == true, "\(refused.refusal ?? "")")
        var unnamed = two
        unnamed.transId = "x"
        let taken = try world.post(unnamed, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(taken.status == 200)
    }

    /// Cookies still decide: neither without them nor with those of a journey that has ended does any `tx` help.
    @Test func `a transaction needs its cookies`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let jar = world.jar
        world.jar = CookieJar()
        let lost = try world.navigate(page, "confirmed")
        #expect(code(in: lost.text) == "AADB2C90046")
        world.jar = jar
        var list = try #require(world.jar.all.first { $0.name == StateCookies.transactions })
        list.value = "bm9uc2Vuc2U="
        world.jar.insert(list)
        let unreadable = try world.post(page, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(code(in: unreadable.text) == "AADB2C90212")
    }

    /// The journey in the cookies runs by its own policy, whichever policy's path the page's script posts to (inferred).
    @Test func `a path of another policy is refused`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        var elsewhere = page
        elsewhere.tenantPath = "/contoso.onmicrosoft.com/B2C_1_edit"
        let form: FormItems = [
            "request_type": "RESPONSE", page.fields[0].id: "ada@example.test", page.fields[1].id: "Analytical-1843",
        ]
        let posted = try world.post(elsewhere, "SelfAsserted", form)
        #expect(posted.json?["status"] == "200")
        let end = try world.navigate(elsewhere, "confirmed")
        let grant = try #require(end.location?.queryItems["code"], "\(end.refusal ?? end.text)")
        let members: [(String, String?)] = [
            ("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier),
        ]
        let refused = try world.token("ios", policy: "B2C_1_edit", members)
        #expect(code(in: refused.json?["error_description"]?.stringValue) == "AADB2C90088")
        let redeemed = try world.token("ios", members)
        #expect(redeemed.status == 200)
        elsewhere.tenantPath = "/contoso.onmicrosoft.com/B2C_1_none"
        let nowhere = try world.post(elsewhere, "SelfAsserted", form)
        #expect(nowhere.status == 404)
    }

    // MARK: redirects

    @Test(arguments: [
        ("https://a.test/cb?a=1&b='2'", "https://a.test/cb?a=1&amp;b=&#39;2&#39;"),
        ("HTTP://a.test/", "HTTP://a.test/"),
        ("msal1://auth/?state=x%2fy&code=a.b-c_d", "msal1%3a%2f%2fauth%2f%3fstate%3dx%252fy%26code%3da.b-c_d"),
        ("msauth.com.a.b://auth?x='", "msauth.com.a.b%3a%2f%2fauth%3fx%3d%27"),
        ("urn:ietf:wg:oauth:2.0:oob?code=1", "urn%3aietf%3awg%3aoauth%3a2.0%3aoob%3fcode%3d1"),
        ("/relative?a=b:c", "/relative?a=b:c"), ("httpsx://a", "httpsx%3a%2f%2fa"),
    ]) func `the body of a redirect says Object moved`(_ location: String, _ shown: String) {
        #expect(
            String(decoding: objectMoved(to: location), as: UTF8.self)
                == "<html><head><title>Object moved</title></head><body>\r\n<h2>Object moved to <a href=\"\(shown)\">here</a>"
                + ".</h2>\r\n</body></html>\r\n")
    }

    @Test func `a redirect to an app has its address encoded in the body`() throws {
        var world = try TestWorld()
        let end = try world.signIn(on: try world.authorize())
        let location = try #require(end.headers["Location"])
        #expect(location.hasPrefix("msauth.com.contoso.tasks://auth/?state=st%2f1&client_info="))
        #expect(
            end.text.contains("href=\"msauth.com.contoso.tasks%3a%2f%2fauth%2f%3fstate%3dst%252f1%26client_info%3d"))
        #expect(end.text.contains("%26code%3d"))
    }

    // MARK: cookies

    /// `m1.<16>.<22>==.0.<base64>`: strict base64 with padding in every part that is long enough.
    @Test(arguments: 0..<20) func `cookies are sealed`(_ seed: UInt64) throws {
        var world = try TestWorld(seed: seed)
        let first = try world.authorize()
        let end = try world.signIn(on: first)
        let names = ["x-ms-cpim-cache|", "x-ms-cpim-sso:"]
        let values = [first, end].flatMap { $0.headers.all("Set-Cookie") }.compactMap { cookie in
            names.contains { cookie.hasPrefix($0) } && !cookie.contains("=; domain=contoso.b2clogin.com; expires=")
                ? cookie.split(separator: "=", maxSplits: 1)[1].split(separator: ";")[0] : nil
        }
        #expect(values.count == 2)
        for value in values {
            let parts = value.split(separator: ".").map(String.init)
            #expect(parts.count == 5 && parts[0] == "m1" && parts[3] == "0", "\(value)")
            #expect(parts[1].count == 16 && Base64.decode(parts[1])?.count == 12, "\(value)")
            #expect(
                parts[2].hasSuffix("==") && Base64.decode(parts[2]).map { Base64.encode($0) } == parts[2], "\(value)")
            #expect(
                parts[4].hasSuffix("=") && Base64.decode(parts[4]).map { Base64.encode($0) } == parts[4], "\(value)")
            #expect(Base64.decode(parts[2])?.count == 16)
        }
    }

    /// What the service routes by comes once, and the region again after an hour, also from the token endpoint.
    @Test func `cookies route and are not repeated`() throws {
        func names(_ response: ResponseMessage) -> Set<String> {
            Set(response.headers.all("Set-Cookie").compactMap { $0.split(separator: "=").first.map(String.init) })
                .intersection(["slice", "dc", "geo"].map { "x-ms-cpim-" + $0 })
        }
        var world = try TestWorld()
        let first = try world.authorize()
        #expect(names(first).count == 3)
        let cookies = first.headers.all("Set-Cookie")
        let attributes = "; domain=contoso.b2clogin.com; path=/; SameSite=None; secure; HttpOnly"
        #expect(cookies.contains("x-ms-cpim-slice=001-000" + attributes))
        #expect(cookies.contains("x-ms-cpim-dc=DB3" + attributes))
        #expect(
            cookies.contains(
                "x-ms-cpim-geo=EU; domain=contoso.b2clogin.com; expires=Thu, 15-Jan-2026 13:00:00 GMT; path=/; "
                    + "SameSite=None; secure; HttpOnly"))
        #expect(names(try world.authorize()).isEmpty)
        world.now += .hours(2)
        #expect(names(try world.authorize()) == ["x-ms-cpim-geo"])
        #expect(names(try world.token("ios", [("grant_type", "authorization_code")])) == ["x-ms-cpim-geo"])
    }

    @Test func `cookies have their order and times at the end`() throws {
        var world = try TestWorld()
        let end = try world.signIn(on: try world.authorize(), rememberMe: false)
        let cookies = end.headers.all("Set-Cookie")
        #expect(
            cookies.map { String($0.prefix { $0 != "|" && $0 != ":" && $0 != "=" }) } == [
                "x-ms-cpim-sso", "x-ms-cpim-cache", "x-ms-cpim-trans",
            ])
        for cookie in cookies.dropFirst() {
            // Ten years before the world's clock, 15 January 2026.
            #expect(cookie.contains("=; domain=contoso.b2clogin.com; expires=Fri, 15-Jan-2016 12:00:00 GMT; path=/"))
        }
    }

    // MARK: pages

    @Test func `the time of the anti-forgery token has seven digits`() throws {
        for wait in [TimeSpan.zero, .milliseconds(7)] {
            var world = try TestWorld()
            world.now += wait
            let page = try #require(PageSettings.read(html: try world.authorize().text))
            let parts = String(decoding: try #require(Base64.decode(page.csrf)), as: UTF8.self).split(separator: ";")
            let start = wait == .zero ? "2026-01-15T12:00:00.000" : "2026-01-15T12:00:00.007"
            #expect(parts[1].hasPrefix(start) && parts[1].count == 28 && parts[1].hasSuffix("Z"), "\(parts[1])")
            #expect(parts[1].dropLast().suffix(7).allSatisfy { $0.isNumber })
            #expect(!page.csrf.contains("+") && !page.csrf.contains("/"))
        }
    }

    /// The report address names the domain, also when the request came under the tenant's id.
    @Test func `the address for reports names the domain`() throws {
        var world = try TestWorld()
        let query = world.authorizeParameters().encoded
        let id = world.tenant.id
        let url = try #require(WebURL("https://\(TestWorld.host)/\(id)/B2C_1_susi/oauth2/v2.0/authorize?\(query)"))
        let page = world.browse(.get(url))
        #expect(
            page.headers["Content-Security-Policy-Report-Only"]?.hasSuffix(
                "; report-uri /contoso.onmicrosoft.com/B2C_1_susi/client/cspreport?p=B2C_1_susi") == true)
        #expect(PageSettings.read(html: page.text)?.tenantPath == "/\(id)/B2C_1_susi")
    }

    @Test func `a page has its comments`() throws {
        var world = try TestWorld()
        let html = try world.authorize().text
        let comments = html.matches(of: #/<!-- ([A-Za-z]+): /#).map { String($0.output.1) }
        #expect(
            comments == ["Build", "StateVersion", "DeploymentMode", "CorrelationId", "DataCenter", "Slice"])
    }

    @Test func `a page in development has three more comments`() throws {
        var world = try TestWorld()
        let url = try world.url(.authorize, query: world.authorizeParameters())
        let decision = world.authority.handle(.request(.get(url), ExchangeID("1")), at: world.now)
        guard case .send(let draft, _) = decision.reply, case .page(let page) = draft.body else {
            Issue.record("no page")
            return
        }
        let development = PageDraft(
            page: page.page, transactionID: page.transactionID, pageViewID: page.pageViewID,
            antiForgery: page.antiForgery, target: page.target, isProduction: false)
        let text = String(decoding: development.html(), as: UTF8.self)
        let comments = text.matches(of: #/<!-- ([A-Za-z]+): /#).map { String($0.output.1) }
        #expect(
            comments == [
                "Build", "StateVersion", "DeploymentMode", "CorrelationId", "DataCenter", "Slice", "ContentDefinition",
                "TechnicalProfile", "OrchestrationStep",
            ])
        #expect(text.contains("<!-- DeploymentMode: Development -->"))
    }

    @Test func `fields have all members`() throws {
        var world = try TestWorld()
        let html = try world.authorize().text
        let start = try #require(html.firstRange(of: "var SA_FIELDS = ")).upperBound
        let text = html[start...].prefix { $0 != "\n" }.dropLast()
        let fields = try #require(try JSONParser.parse(Array(text.utf8))["AttributeFields"]?.arrayValue)
        for field in fields {
            #expect(
                field.objectValue?.keys.filter { !["PRE", "PAT", "PAT_DESC", "INPUT_VALIDATION"].contains($0) } == [
                    "UX_INPUT_TYPE", "USER_INPUT_TYPE", "IS_TEXT", "IS_EMAIL", "IS_PASSWORD", "IS_DATE", "IS_RADIO",
                    "IS_DROP", "IS_TEXT_IN_PARAGRAPH", "IS_CHECK_MULTI", "IS_LINK", "VERIFY", "DN", "ID", "U_HELP",
                    "DAY_PRE", "MONTH_PRE", "YEAR_PRE", "IS_REQ", "IS_RDO", "OPTIONS",
                ])
            #expect(field["DAY_PRE"] == "0" && field["OPTIONS"] == .array([]) && field["IS_LINK"] == .bool(false))
        }
        #expect(fields.last?["IS_PASSWORD"] == .bool(true))
        #expect(fields.last?["IS_TEXT"] == .bool(false))
    }

    @Test(arguments: [
        ("Grüße", "Gr&#252;&#223;e"), ("ASCII & <b>", "ASCII &amp; &lt;b&gt;"), ("Łódź", "&#321;&#243;d&#378;"),
        ("don’t", "don’t"), ("日本", "&#26085;&#26412;"), ("👍", "&#128077;"), ("«a»", "&#171;a&#187;"), ("", ""),
    ]) func `other letters are entities`(_ text: String, _ shown: String) {
        #expect(HTML.entities(text) == shown)
    }

    @Test func `German content has entities`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["languages": ["en", "de"]]]])
        let page = try world.authorize("ios", [("ui_locales", "de")])
        let content = try #require(page.text.firstRange(of: "var CONTENT = ")).upperBound
        let literal = page.text[content...].prefix { $0 != "\n" }
        #expect(literal.contains("&#252;"))
        #expect(!literal.unicodeScalars.contains { $0.value > 0x7F && $0.properties.isAlphabetic })
    }

    @Test func `a page has the settings that clients read`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        #expect(page.config("includePasswordRequirements") == "true")
        #expect(page.config("announceVerCompleteMsg") == "True")
        #expect(page.trimSpacesInPassword)
    }

    // MARK: tokens

    /// What is sent where a code or a refresh token is expected, and the refusal.
    @Test(
        arguments: ["code", "refresh_token"],
        [
            ("garbage", "AADB2C90090"), ("eyJraWQi.abc", "AADB2C90090"), (" ", "AADB2C90090"), ("....", "AADB2C90090"),
            ("a.b.c.d.e.f", "AADB2C90090"), ("eyJhbGciOiJub25lIn0.e30.", "AADB2C90090"), ("e30.b.c.d.e", "AADB2C90090"),
            ("eyJraWQiOiJ4In0.b.c.d.e", "AADB2C90090"), ("", "AADB2C90083"), ("header.cut", "AADB2C90085"),
        ]) func `what is not a grant is refused`(_ parameter: String, _ row: (sent: String, code: String)) throws
    {
        var world = try TestWorld()
        let real = try world.code()
        let header = real.prefix { $0 != "." }
        let sent = row.sent == "header.cut" ? "\(header).b.c.d.e" : row.sent
        let type = parameter == "code" ? "authorization_code" : "refresh_token"
        let response = try world.token("ios", [("grant_type", type), (parameter, sent)])
        #expect(response.status == 400)
        let description = try #require(response.json?["error_description"]?.stringValue)
        #expect(code(in: description) == row.code, "\(description)")
        if row.code == "AADB2C90090" {
            #expect(response.json?["error"] == "invalid_grant")
            #expect(
                description.hasPrefix(
                    "AADB2C90090: The provided JWE is not a valid 5 segment token.\r\nCorrelation ID: "))
        }
    }

    /// It is the one of the authorization request, or none. Of a native app also what is before `://`, and the
    /// percent-decoded form.
    @Test(arguments: [
        ("ios", "msauth.com.contoso.tasks://auth", true), ("ios", "msauth.com.contoso.tasks", true),
        ("ios", nil, true), ("ios", "", true), ("ios", "http://evil.test", false),
        ("ios", "com.contoso.tasks://oauth/done", false), ("ios", "com.contoso.tasks", false),
        ("ios", "msauth.com.contoso.tasks://", false), ("ios", "msauth.com.contoso.tasks://auth/", false),
        ("ios", "MSAUTH.com.contoso.tasks://auth", false), ("ios", "no uri at all", false),
        ("android", "msauth://com.contoso.tasks/k%41=%3D", true), ("android", "msauth://com.contoso.tasks/kA==", true),
        ("android", "msauth", true), ("android", "msauth://com.contoso.tasks/kA=%3D", false),
        ("spa", "https://tasks.contoso.test/", true), ("spa", "https://tasks.contoso.test/other", false),
        ("spa", nil, true), ("spa", "https", false), ("spa", "https://tasks.contoso.test", false),
        ("web", "https://web.contoso.test/second", false), ("web", "https", false), ("web", nil, true),
    ]) func `the redirect URI of the token request is compared`(_ app: String, _ uri: String?, _ isTaken: Bool) throws {
        var world = try TestWorld(
            patch: [
                "apps": [
                    "android": [
                        "registration": [
                            "clientId": "51111111-2222-4333-8444-555555555555",
                            "redirectUris": ["native": ["msauth://com.contoso.tasks/k%41=%3D"]],
                        ], "client": ["kind": "msal-android", "policy": "susi"],
                    ],
                    "spa": [
                        "registration": [
                            "redirectUris": [
                                "spa": ["https://tasks.contoso.test/", "https://tasks.contoso.test/other"]
                            ]
                        ]
                    ],
                    "web": [
                        "registration": [
                            "redirectUris": ["web": ["https://web.contoso.test/cb", "https://web.contoso.test/second"]]
                        ]
                    ],
                ]
            ])
        let grant = try world.code(app)
        let response = try world.token(
            app,
            [
                ("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier),
                ("redirect_uri", uri), ("client_secret", app == "web" ? "s3cret+/=" : nil),
            ])
        #expect(response.status == (isTaken ? 200 : 400), "\(response.text)")
        if !isTaken { #expect(response.json?["error"] == "redirect_uri_mismatch") }
    }

    /// Only a single-page app gets a refresh token that it did not ask for.
    @Test(arguments: [("spa", true), ("ios", false), ("web", false)])
    func `single-page apps alone get a refresh token without offline_access`(_ app: String, _ isGiven: Bool) throws {
        var world = try TestWorld()
        let grant = try world.code(app, [("scope", "openid")])
        let secret: (String, String?) = ("client_secret", app == "web" ? "s3cret+/=" : nil)
        let tokens = try world.token(
            app,
            [("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier), secret])
        let refresh = tokens.json?["refresh_token"]?.stringValue
        #expect((refresh != nil) == isGiven, "\(tokens.text)")
        guard isGiven else { return }
        #expect(tokens.json?["refresh_token_expires_in"] == .integer(86_400))
        #expect(tokens.json?["scope"]?.stringValue?.contains("offline_access") == false)
        world.now += .hours(1)
        let renewed = try world.token(app, [("grant_type", "refresh_token"), ("refresh_token", refresh)])
        #expect(renewed.status == 200)
        #expect(renewed.json?["refresh_token_expires_in"] == .integer(82_800))
    }

    /// It takes both requests: the authorization's scope, and that of the token request where it has one.
    @Test(
        arguments: [
            ("openid offline_access", "openid offline_access", true), ("openid offline_access", nil, true),
            ("openid", "openid offline_access", false), ("openid offline_access", "openid", false),
            ("openid", nil, false),
        ] as [(String, String?, Bool)])
    func `a refresh token needs offline_access in both requests`(
        _ authorized: String, _ asked: String?, _ isGiven: Bool
    ) throws {
        var world = try TestWorld()
        let grant = try world.code("ios", [("scope", authorized)])
        let tokens = try world.token(
            "ios",
            [
                ("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier),
                ("scope", asked),
            ])
        #expect(tokens.status == 200)
        #expect((tokens.json?["refresh_token"] != nil) == isGiven, "\(tokens.text)")
    }

    // MARK: parameters

    /// The values of a parameter that comes again are one, with a comma between them.
    @Test(arguments: [
        ("client_id", "x", "AADB2C90018"), ("response_type", "code", "AADB2C90013"),
        ("scope", "openid", "AADB2C90117"), ("prompt", "login", "AADB2C90043"),
        ("redirect_uri", "msauth.com.contoso.tasks://auth", "AADB2C90006"),
    ]) func `a parameter that comes again is refused`(_ name: String, _ second: String, _ wanted: String) throws {
        for method in ["GET", "POST"] {
            var world = try TestWorld()
            var parameters = world.authorizeParameters("ios", [("prompt", "login")])
            parameters.append(name, second)
            let response = world.browse(
                method == "GET"
                    ? .get(try world.url(.authorize, query: parameters))
                    : .post(try world.url(.authorize), form: parameters))
            let said = response.location?.queryItems["error_description"] ?? response.text
            #expect(code(in: said) == wanted, "\(method): \(response.refusal ?? "")")
        }
    }

    @Test func `a state that comes again is joined`() throws {
        var world = try TestWorld()
        var parameters = world.authorizeParameters("ios")
        parameters.append("state", "two")
        let page = world.browse(.get(try world.url(.authorize, query: parameters)))
        let end = try world.signIn(on: page)
        #expect(end.location?.queryItems["state"] == "st/1,two")
    }

    @Test func `a parameter that comes again at the token endpoint is refused`() throws {
        var world = try TestWorld()
        let form: FormItems = FormItems([
            ("grant_type", "refresh_token"), ("grant_type", "refresh_token"), ("client_id", world.clientID("ios")),
        ])
        let response = world.send(.post(try world.url(.token), form: form))
        #expect(code(in: response.json?["error_description"]?.stringValue) == "AADB2C90086")
    }

    // MARK: methods

    /// What the `Allow` fields do not name is refused, at every endpoint.
    @Test(arguments: ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get"])
    func `a method that is not allowed is refused`(
        _ method: String
    ) throws {
        var world = try TestWorld()
        for endpoint in [AuthorityEndpoint.discovery, .keys, .authorize, .token, .logout, .selfAsserted] {
            var request = RequestMessage.get(try world.url(endpoint, query: world.authorizeParameters()))
            request.method = method
            let response = world.send(request)
            #expect(response.status == 405, "\(endpoint)")
            #expect(response.headers.all("Allow") == ["OPTIONS", "TRACE", "GET", "HEAD", "POST"])
            #expect(response.headers.all("Set-Cookie").isEmpty && response.body.isEmpty)
            #expect(response.refusal != nil)
        }
    }

    @Test func `HEAD is answered like GET`() throws {
        var world = try TestWorld()
        var request = RequestMessage.get(try world.url(.discovery))
        request.method = "HEAD"
        #expect(world.send(request).status == 200)
    }

    // MARK: anti-forgery

    /// Where the value of a page request is.
    enum ValuePlace: String, Sendable, CaseIterable {
        case header, query, both, none
        /// The one that the page's script does not use with this kind of request is old.
        case oldElsewhere
    }

    @Test(arguments: ["GET", "POST"], ValuePlace.allCases) func `a navigation needs the anti-forgery token`(
        _ method: String, _ place: ValuePlace
    ) throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let filled = try world.post(
            page, "SelfAsserted",
            [
                "request_type": "RESPONSE", try #require(page.fields.first).id: "ada@example.test",
                page.fields[1].id: "Analytical-1843",
            ])
        #expect(filled.json?["status"] == "200")
        let query = place == .header || place == .none ? "" : "&csrf_token=\(page.csrf)"
        let url = try #require(
            WebURL(
                "https://\(TestWorld.host)\(page.tenantPath)/api/\(page.api)/confirmed?rememberMe=false\(query)"
                    + "&tx=\(page.transId)&p=\(page.policy)"))
        var request = method == "GET" ? RequestMessage.get(url) : .post(url, form: FormItems())
        switch place {
        case .header, .both: request.headers["X-CSRF-TOKEN"] = page.csrf
        case .oldElsewhere: request.headers["X-CSRF-TOKEN"] = "old"
        case .query, .none: break
        }
        let response = world.browse(request)
        #expect((response.status == 302) == (place != .none), "\(response.refusal ?? "")")
    }

    @Test(arguments: ValuePlace.allCases) func `a post needs the anti-forgery token`(_ place: ValuePlace) throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let value =
            switch place {
            case .header, .none: ""
            case .query, .both: "&csrf_token=\(page.csrf)"
            case .oldElsewhere: "&csrf_token=old"
            }
        let url = try #require(
            WebURL(
                "https://\(TestWorld.host)\(page.tenantPath)/SelfAsserted?tx=\(page.transId)&p=\(page.policy)\(value)"))
        let form: FormItems = [
            "request_type": "RESPONSE", try #require(page.fields.first).id: "ada@example.test",
            page.fields[1].id: "Analytical-1843",
        ]
        let hasHeader = place != .query && place != .none
        let response = world.browse(.post(url, form: form, headers: hasHeader ? ["X-CSRF-TOKEN": page.csrf] : [:]))
        #expect(response.status == (place == .none ? 400 : 200), "\(response.refusal ?? "")")
    }

    // MARK: addresses

    /// Discovery answers in the style in which it was asked.
    @Test(arguments: ["te", "tfp", "TE"]) func `addresses have the style of the request`(_ prefix: String) throws {
        var world = try TestWorld()
        let base = "https://\(TestWorld.host)/\(prefix)/contoso.onmicrosoft.com/B2C_1_susi"
        let url = try #require(WebURL(base + "/v2.0/.well-known/openid-configuration"))
        let document = try #require(world.send(.get(url)).json)
        for name in ["authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri"] {
            let address = try #require(document[name]?.stringValue)
            #expect(
                address.hasPrefix(
                    "https://\(TestWorld.host)/\(prefix.lowercased())/contoso.onmicrosoft.com/b2c_1_susi/"))
            let read = try #require(WebURL(address))
            #expect(B2CAddress.parse(read)?.form == (prefix == "tfp" ? .tfp : .te))
        }
        let keys = try #require(WebURL(document["jwks_uri"]?.stringValue ?? ""))
        #expect(world.send(.get(keys)).json?["keys"]?.arrayValue?.isEmpty == false)
    }
}
