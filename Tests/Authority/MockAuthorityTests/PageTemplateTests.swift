import B2CProtocol
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles
import Testing

/// The service's own page templates, and the error page in them.
@Suite struct PageTemplateTests {
    private func file(_ name: String) throws -> ResponseMessage {
        var world = try TestWorld()
        return world.send(.get(try #require(WebURL("https://\(TestWorld.host)/static/\(name)"))))
    }

    /// Structure, classes and ids by which style sheets and tests find their way.
    static let templates: [(path: String, look: String, parts: [String])] = [
        (
            "tenant/templates/AzureBlue/unified.cshtml", "ocean-blue",
            ["id=\"background_branding_container\"", "unified_container", "panel-default", "panel-body", "companyLogo"]
        ),
        ("tenant/templates/AzureBlue/selfAsserted.cshtml", "ocean-blue", ["self_asserted_container", "col-lg-6"]),
        ("tenant/templates/azureblue/multifactor-1.0.0.cshtml", "ocean-blue", ["phonefactor_container"]),
        ("tenant/templates/MSA/unified.cshtml", "slate-gray", ["unified_container", "data-tenant-branding-logo"]),
        ("tenant/templates/MSA/exception.cshtml", "slate-gray", ["self_asserted_container"]),
        ("tenant/templates/MSA/idpSelector.cshtml", "slate-gray", ["unified_container"]),
        (
            "tenant/default/unified.cshtml", "classic",
            ["id=\"panel\"", "panel_layout_row", "id=\"panel_center\"", "inner_container", "api_container"]
        ),
        ("tenant/default/updateProfile.cshtml", "classic", ["id=\"background_branding_container\""]),
        ("tenant/default/phoneFactor.cshtml", "classic", ["id=\"panel_left\"", "id=\"panel_right\""]),
        ("tenant/templates/Elsewhere/selfAsserted.cshtml", "ocean-blue", ["self_asserted_container"]),
    ]

    @Test(arguments: templates.indices) func `each file has its template`(_ index: Int) throws {
        let row = Self.templates[index]
        let response = try file(row.path)
        #expect(response.status == 200)
        #expect(response.text.contains("<body class=\"harness-page \(row.look)\">"))
        #expect(response.text.contains("<div id=\"api\" role=\"main\"></div>"))
        for part in row.parts { #expect(response.text.contains(part), "\(part)") }
    }

    /// Every picture that a template or the style sheet names is there, and is a picture.
    @Test func `pictures are served`() throws {
        var names: Set<String> = []
        for template in PageTemplate.allCases {
            let page = try file("tenant/\(template.folder)/unified.cshtml").text
            for part in page.components(separatedBy: "src=\"/static/").dropFirst() {
                names.insert(String(part.prefix { $0 != "\"" }))
            }
        }
        for part in try file("harness/page.css").text.components(separatedBy: "url(").dropFirst() {
            names.insert("harness/" + part.prefix { $0 != ")" && $0 != " " })
        }
        #expect(names.count > 12 && names.contains("harness/idp/facebook.svg"))
        for name in names {
            let response = try file(name)
            #expect(response.status == 200, "\(name)")
            #expect(response.headers["Content-Type"] == "image/svg+xml; charset=utf-8", "\(name)")
            #expect(!response.text.contains("<script") && !response.text.contains("http://www.w3.org/1999/xlink"))
        }
        #expect(try file("harness/idp/nobody.svg").status == 404)
    }

    @Test(
        arguments: [
            (nil, "templates/AzureBlue", "ocean-blue"), ("oceanBlue", "templates/AzureBlue", "ocean-blue"),
            ("slateGray", "templates/MSA", "slate-gray"), ("classic", "default", "classic"),
        ] as [(String?, String, String)])
    func `a user flow has the template that its setting names`(setting: String?, folder: String, look: String) throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["pageTemplate": setting.map { .string($0) } ?? .null]]])
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        #expect(page.remoteResource == "https://\(TestWorld.host)/static/tenant/\(folder)/unified.cshtml")
        let error = try world.authorize("ios", [("client_id", "00000000-0000-0000-0000-000000000000")]).text
        #expect(error.contains("<body class=\"harness-page \(look)\">"))
        #expect(error.contains("/static/tenant/\(folder)/exception.cshtml"))
    }

    /// The portal has one or the other: custom page content takes the template's place.
    @Test func `custom page content wins`() throws {
        var world = try TestWorld(patch: [
            "policies": ["susi": ["pageTemplate": "classic", "template": ["url": "https://static.contoso.test/a"]]]
        ])
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        #expect(page.remoteResource == "https://static.contoso.test/a")
    }

    /// Clients that sign in without a browser read both objects; one looks for the end of the second at its first
    /// closing brace.
    @Test(arguments: ["00000000-0000-0000-0000-000000000000", "a}b{c", "</script><b>", "\u{2028}\"quoted\""])
    func `the error page has the frame of the others`(client: String) throws {
        var world = try TestWorld()
        let text = try world.authorize("ios", [("client_id", client)]).text
        let settings = try #require(PageSettings.read(html: text))
        #expect(settings.api == "GlobalException")
        #expect(settings.csrf.isEmpty && settings.transId.isEmpty)
        #expect(settings.tenantPath == "/contoso.onmicrosoft.com/B2C_1_susi")
        let start = try #require(text.firstRange(of: "var GLOBALEX = "))
        let object = text[start.upperBound...].prefix { $0 != "}" } + "}"
        let error = try JSONParser.parse(String(object))
        #expect(error["ErrorCode"] == "AADB2C90018")
        #expect(error["Detail"]?.stringValue?.hasPrefix("AADB2C90018: ") == true)
        #expect(error["Detail"]?.stringValue?.contains(client) == true)
        let id = try #require(error["CorrelationId"]?.stringValue)
        #expect(text.contains("Correlation ID: \(id)"))
        #expect(!text.contains("</script><b>"))
    }

    static let unknown = [
        "/contoso.onmicrosoft.com/B2C_1_absent/oauth2/v2.0/authorize", "/contoso.onmicrosoft.com/B2C_1_susi/nothing",
        "/fabrikam.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize", "/static/nothing.png", "/x",
    ]

    @Test(arguments: unknown) func `an address that is not served is a page for a browser`(path: String) throws {
        var world = try TestWorld()
        let url = try #require(WebURL("https://\(TestWorld.host)\(path)"))
        let browser = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"] as Headers
        let page = world.send(.get(url, headers: browser))
        #expect(page.status == 404)
        #expect(page.text.contains("data-name=\"GlobalException\"") && page.text.contains("There is nothing at this"))
        #expect(page.headers["X-Frame-Options"] == "DENY")
        var german = browser
        german["Accept-Language"] = "de"
        #expect(world.send(.get(url, headers: german)).text.contains("Unter dieser Adresse gibt es nichts."))
        // Programs get what the service answers.
        for accept in [nil, "*/*", "application/json", "image/png", "text/html;q=0"] as [String?] {
            let plain = world.send(.get(url, headers: accept.map { ["Accept": $0] as Headers } ?? [:]))
            #expect(plain.status == 404)
            #expect(plain.text.contains("<h2>404 - File or directory not found.</h2>"), "\(accept ?? "-")")
        }
    }

    /// A path comes into the page as text.
    @Test func `nothing of the address runs in the page`() throws {
        var world = try TestWorld()
        let url = try #require(WebURL("https://\(TestWorld.host)/contoso.onmicrosoft.com/B2C_1_%3Cimg%20src=x%3E%22/x"))
        let page = world.send(.get(url, headers: ["Accept": "text/html"]))
        #expect(page.status == 404 && !page.text.contains("<img src=x"))
    }

    @Test func `the script says when the main button is ready`() throws {
        let script = try file("harness/page.js").text
        #expect(script.contains("\"aria-disabled\": String(unproven.size > 0)"))
        #expect(script.contains("id + \"_ver_wait\""))
    }
}

extension String {
    /// The parts between occurrences of a text.
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
