import AuthorityHosting
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import Testing

/// Page templates that a tenant file finds on the disk.
@Suite struct PageFilesTests {
    private func files(_ pages: JSONValue, _ texts: [String: String]) throws -> PageFiles {
        let tenant = try Tenant(json: ["name": "contoso", "pages": pages])
        return PageFiles(tenant, folder: "project") { path in texts[path].map { Array($0.utf8) } }
    }

    private func answer(_ files: PageFiles, _ address: String) async throws -> ResponseMessage {
        let url = try #require(WebURL(address))
        return try await files.respond(to: .get(url), ExchangeContext(from: .browser))
    }

    @Test(arguments: [
        ("https://cdn.example/b2c/signin.html", "text/html; charset=utf-8", "page"),
        ("https://cdn.example/b2c/signin.html?ui=de#top", "text/html; charset=utf-8", "page"),
        ("https://cdn.example/b2c/css/main.css", "text/css; charset=utf-8", "style"),
        ("https://cdn.example/b2c/with%20blank.svg", "image/svg+xml", "blank"),
        // The longer address counts.
        ("https://cdn.example/b2c/new/signin.html", "text/html; charset=utf-8", "new page"),
    ])
    func `an address has the file of its folder`(_ address: String, type: String, text: String) async throws {
        let files = try files(
            ["https://cdn.example/b2c": "pages/", "https://cdn.example/b2c/new/": "/elsewhere"],
            [
                "project/pages/signin.html": "page", "project/pages/css/main.css": "style",
                "project/pages/with blank.svg": "blank", "/elsewhere/signin.html": "new page",
            ])
        let found = try await answer(files, address)
        #expect(found.status == 200 && found.text == text)
        #expect(found.headers["Content-Type"] == type && found.headers["Cache-Control"] == "no-cache")
        #expect(found.headers["Access-Control-Allow-Origin"] == "*")
        #expect(files.missing(for: address) == nil)
    }

    @Test(arguments: [
        ("https://cdn.example/b2c/signup.html", "project/pages/signup.html"),
        ("https://cdn.example/b2c/../../secret.html", "project/pages/../../secret.html"),
        ("https://cdn.example/b2c/%2e%2e/secret.html", "project/pages/../secret.html"),
        ("https://cdn.example/b2c/", "project/pages/"),
    ])
    func `a file that does not exist, or is outside of the folder, is named`(_ address: String, path: String)
        async throws
    {
        let files = try files(
            ["https://cdn.example/b2c/": "pages"],
            ["project/secret.html": "secret", "project/pages/../secret.html": "secret", "secret.html": "secret"])
        #expect(files.missing(for: address) == path)
        let answer = try await answer(files, address)
        #expect(answer.status == 404 || answer.text.isEmpty)
        #expect(!answer.text.contains("secret"))
    }

    @Test func `other addresses are not its own`() throws {
        let files = try files(["https://cdn.example/b2c/": "pages"], [:])
        for address in [
            "https://cdn.example/b2cx/a.html", "https://other.example/b2c/a.html", "~/tenant/default/a.cshtml",
        ] {
            #expect(files.path(for: address) == nil && files.missing(for: address) == nil, "\(address)")
        }
        // What a claims resolver stands for only a sign-in says.
        #expect(files.missing(for: "https://cdn.example/b2c/{Culture:LanguageName}/a.html") == nil)
    }
}
