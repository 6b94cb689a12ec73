import HTTPMessages
import Markup
import Testing

@testable import Browser

/// The little of HTML that pages without B2C's settings need.
struct PlainPageTests {
    @Test(
        arguments: [
            ("<!DOCTYPE html>\n<!-- Build: 1 -->\n<!--\n Slice: 001-000 \n--><html>", ["Build: 1", "Slice: 001-000"]),
            ("<!-- a --><script>x</script><!-- b -->", ["a"]),
            ("<!-- <script> --><!-- b --><script></script>", ["<script>", "b"]),
            ("<!-- a --><!-- b", ["a"]),
            (
                "<!-- ü --><meta name=\"b2c-harness-page\" content=\"A: 1; B: &quot;2&quot;\">",
                ["ü", "A: 1", "B: \"2\""]
            ),
            ("<!", []), ("", []),
            (String(repeating: " ", count: 4090) + "<!-- a -->", []),
        ] as [(String, [String])])
    func `comments before the first script are read at the start of a page`(_ html: String, _ notes: [String]) {
        #expect(HTMLScanner.leadingNotes(html) == notes)
    }

    @Test func `a form is read with labels, values and buttons`() throws {
        let html = HTMLScanner(
            """
            <!DOCTYPE html><!-- Build: 1 --><html lang='de'><body>
            <form id="login" METHOD=post action="/login?next=%2Fa&amp;b=1">
            <label for="user">E-mail &amp; name</label><input id="user" name="username" type="email" required value="a&quot;b">
            <input type="hidden" name="token" value="x=1">
            <script>var a = "<input name='ghost'>";</script>
            <select name="country"><option value="de">Germany<option value="at" selected>Austria</select>
            <button type="submit" name="action" value="accept" id="go">Sign in</button>
            </form></body></html>
            """)
        let form = try #require(PlainForm.first(in: html))
        #expect(html.comments == ["Build: 1"])
        #expect(form.method == "POST")
        #expect(form.action == "/login?next=%2Fa&b=1")
        #expect(form.inputs.map(\.name) == ["username", "token", "country"])
        #expect(form.inputs[0].label == "E-mail & name")
        #expect(form.inputs[0].value == "a\"b")
        #expect(form.inputs[0].required)
        #expect(form.inputs[2].value == "at")
        #expect(form.hidden["token"] == "x=1")
        #expect(form.buttons.map(\.id) == ["go"])
    }

    @Test func `nothing that is cut short stops the scanner`() {
        let page = "<form action='/x'><input name=a value=\"b&#x41;\"><!-- c --><button value='go'>Go</button></form>"
        for end in page.indices {
            let html = HTMLScanner(String(page[..<end]))
            #expect(html.tags.count <= 5)
            _ = PlainForm.first(in: html)
        }
    }
}

/// The service's error page, which draws what it says with its script.
struct GlobalExceptionPageTests {
    @Test func `the error page of the service is read from its data script`() throws {
        let url = try #require(
            WebURL("https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_x/oauth2/v2.0/authorize"))
        let html = """
            <!DOCTYPE html><html><head><title>Error</title><script>var CP = {"list":[]};
            var SETTINGS = {"remoteResource":"https://h/exception.cshtml","api":"GlobalException","config":{}};
            var GLOBALEX = {"CorrelationId":"1","Detail":"AADB2C90006: The redirect URI is not registered."};
            </script></head><body></body></html>
            """
        guard case .page(let page) = ShownPage.read(.html(200, html), at: url) else {
            Issue.record("it is read as a form that posts itself")
            return
        }
        #expect(page.record.name == "error")
        #expect(page.record.b2cCode == "AADB2C90006")
        #expect(page.record.error == "AADB2C90006: The redirect URI is not registered.")
        if case .message = page.content {} else { Issue.record("there is nothing to fill in on an error page") }
    }
}

/// The names of answers that are not pages of a policy.
struct PageNameTests {
    private static let service = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi"

    @Test(
        arguments: [
            (ResponseMessage.json(200, ["keys": []]), "\(service)/discovery/v2.0/keys", "document"),
            (.json(404, ["error": "not_found"]), "https://api.contoso.test/tasks", "error"),
            (.text(200, "AADB2C90006"), "https://other.test/", "document"),
            (.text(503, "AADB2C90006: no"), "https://other.test/", "error"),
            (.html(200, "<html><body><h1>Welcome</h1></body></html>"), "https://other.test/", "document"),
            (.html(200, "<html><body>You are signed out.</body></html>"), "\(service)/oauth2/v2.0/logout", "signedOut"),
            (.html(200, "<html><body>Bye</body></html>"), "\(service)/oauth2/v2.0/LOGOUT?x=1", "signedOut"),
            (.html(200, "<div id=\"api\" data-name=\"SignedOut\"></div>"), "https://other.test/", "signedOut"),
            (.html(404, "<html><body>no</body></html>"), "https://other.test/", "error"),
        ] as [(ResponseMessage, String, String)])
    func `an answer has the name of what it is`(_ answer: ResponseMessage, _ url: String, _ name: String) throws {
        guard case .page(let page) = ShownPage.read(answer, at: try #require(WebURL(url))) else {
            Issue.record("it posts itself")
            return
        }
        #expect(page.record.name == name)
        #expect(page.failure == nil)
        if answer.text.contains("AADB2C90006: ") { #expect(page.record.b2cCode == "AADB2C90006") }
    }
}
