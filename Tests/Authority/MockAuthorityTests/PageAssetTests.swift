import HTTPMessages
import JSON
import MockAuthority
import Testing

/// What browsers load besides the page itself, and the languages it speaks.
@Suite struct PageAssetTests {
    private func file(_ name: String) throws -> ResponseMessage {
        var world = try TestWorld()
        return world.send(.get(try #require(WebURL("https://\(TestWorld.host)/static/\(name)"))))
    }

    @Test(arguments: [
        ("harness/page.js", "application/javascript; charset=utf-8"), ("harness/page.css", "text/css; charset=utf-8"),
        ("tenant/templates/AzureBlue/unified.cshtml", "text/html; charset=utf-8"),
    ])
    func `assets are served to everybody`(name: String, type: String) throws {
        let response = try file(name)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == type)
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
    }

    /// Each is relied on by tests of live tenants (Microsoft docs: customize-ui-with-html; recorded pages).
    @Test(arguments: [
        "localAccountForm", "next", "createAccount", "forgotPassword", "rememberMe", "attributeVerification",
        "attributeList", "continue", "cancel", "requiredFieldMissing", "fieldIncorrect", "passwordEntryMismatch",
        "claimVerificationServerError", "_ver_but_send", "_ver_input", "_ver_but_verify", "_ver_but_resend",
        "_ver_but_edit", "_but_send_code", "_but_verify_code", "_but_send_new_code", "_but_change_claims",
        "countryCode", "localNumber", "verificationCode", "verifyCode", "verifyPhone", "retryCode", "codeVerification",
        "phonefactor_initial", "accountButton", "verifying_blurb",
    ])
    func `the script draws the elements that tests look for`(id: String) throws {
        let script = try file("harness/page.js").text
        // Some ids are put together from a prefix and an ending.
        let ending = id.split(separator: "_").last.map(String.init) ?? id
        #expect(script.contains("\"\(id)\"") || script.contains("\(id)\"") || script.contains("\"but_\(ending)\""))
    }

    /// The texts of the script for policies without any, language by language.
    private func ownTexts() throws -> [String: [String: String]] {
        let script = try file("harness/page.js").text
        var texts: [String: [String: String]] = [:]
        var language = ""
        for line in script.split(separator: "\n").prefix(while: { $0 != "};" }) {
            let parts = line.split(separator: ":", maxSplits: 1).map { String($0).trimming() }
            guard parts.count == 2 else { continue }
            if parts[1] == "{" {
                language = parts[0]
            } else {
                let value = try JSONParser.parse(parts[1].hasSuffix(",") ? String(parts[1].dropLast()) : parts[1])
                texts[language, default: [:]][parts[0]] = value.stringValue
            }
        }
        return texts
    }

    @Test func `the script speaks both languages whole`() throws {
        let texts = try ownTexts()
        let english = try #require(texts["en"])
        let german = try #require(texts["de"])
        #expect(english.count > 50)
        // A title that English has none for needs none in German either.
        let needed = english.filter { !$0.value.isEmpty }
        #expect(Set(needed.keys) == Set(german.keys))
        for (id, text) in needed {
            #expect(german[id] != text, "\(id)")
            #expect(german[id]?.contains("{0}") == text.contains("{0}"), "\(id)")
        }
    }

    @Test(arguments: [("de", "en"), ("", "de-AT,de;q=0.9,en;q=0.5"), ("fr de-CH en", "en")])
    func `the error page speaks the language that was asked for`(locales: String, header: String) throws {
        var world = try TestWorld()
        var url = try #require(
            WebURL("https://\(TestWorld.host)/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize"))
        url.queryItems = ["client_id": "00000000-0000-0000-0000-000000000000"]
        if !locales.isEmpty { url.queryItems.append("ui_locales", locales) }
        let response = world.send(.get(url, headers: ["Accept-Language": header]))
        #expect(response.text.contains("<html lang=\"de\">"))
        #expect(response.text.contains("Die Anmeldung hat nicht geklappt."))
        #expect(response.text.contains("AADB2C90018"))
        #expect(response.text.contains("Correlation ID: "))
    }

    /// The page loads a custom template of `api.error` itself; the page already contains its message.
    @Test func `the error page names its template`() throws {
        var world = try TestWorld(patch: [
            "policies": ["susi": ["template": ["url": "https://static.contoso.test/a?b=1&c"]]]
        ])
        var url = try #require(
            WebURL("https://\(TestWorld.host)/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize"))
        let plain = try #require(
            WebURL("https://\(TestWorld.host)/contoso.onmicrosoft.com/B2C_1_edit/oauth2/v2.0/authorize"))
        url.queryItems = ["client_id": "00000000-0000-0000-0000-000000000000"]
        let page = world.send(.get(url)).text
        #expect(page.contains("data-template=\"https://static.contoso.test/a?b=1&amp;c\""))
        #expect(page.contains("/static/harness/error.js") && page.contains("AADB2C90018"))
        let other = world.send(.get(plain)).text
        #expect(!other.contains("data-template") && !other.contains("error.js"))
        #expect(try file("harness/error.js").status == 200)
    }

    @Test func `pages fit a phone and hold no inline handlers`() throws {
        var world = try TestWorld()
        let page = try world.authorize().text
        let script = try file("harness/page.js").text
        for text in [page, script] {
            for handler in [" onclick=", " onload=", " onsubmit=", "javascript:"] {
                #expect(!text.contains(handler), "\(handler)")
            }
        }
        #expect(page.contains("width=device-width"))
    }
}

extension String {
    fileprivate func trimming() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
