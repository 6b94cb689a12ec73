import B2CProtocol
import HTTPMessages
import JSON
import MockAuthority
import Testing

@Suite struct ErrorDeliveryTests {
    /// .NET encoding: lower-case hex, plus for space, CRLF at the end of each of three lines.
    @Test func `redirected errors are encoded`() throws {
        var world = try TestWorld()
        let response = try world.authorize("ios", [("prompt", "none"), ("response_mode", "fragment")])
        let location = try #require(response.headers["Location"])
        #expect(
            location.hasPrefix(
                "msauth.com.contoso.tasks://auth/#error=interaction_required&error_description=AADB2C90077%3a+"))
        #expect(location.contains("%0d%0aCorrelation+ID%3a+"))
        #expect(location.contains("%0d%0aTimestamp%3a+2026-01-15+12%3a00%3a00Z%0d%0a&state=st%2f1"))
        #expect(response.text.contains("Object moved"))
    }

    @Test func `errors come by form post`() throws {
        var world = try TestWorld()
        let response = try world.authorize("ios", [("prompt", "none"), ("response_mode", "form_post")])
        #expect(response.status == 200)
        #expect(response.text.contains("<title>Logging in...</title>"))
        #expect(response.text.contains("id='auto' method='post' action='msauth.com.contoso.tasks://auth/'"))
        #expect(response.text.contains("name='error' value='interaction_required'"))
        #expect(response.text.contains("id='state_id' name='state' value='st/1'"))
    }

    /// The registered URI without a path gets a slash; one with a path stays as it is.
    @Test(arguments: [
        ("msauth.com.contoso.tasks://auth", "msauth.com.contoso.tasks://auth/?error="),
        ("com.contoso.tasks://oauth/done", "com.contoso.tasks://oauth/done?error="),
    ]) func `URIs without a path get a slash`(_ uri: String, _ start: String) throws {
        var world = try TestWorld()
        let response = try world.authorize("ios", [("prompt", "none"), ("redirect_uri", uri)])
        #expect(response.headers["Location"]?.hasPrefix(start) == true)
    }

    @Test func `the error page shows id and time`() throws {
        var world = try TestWorld()
        let response = try world.authorize("ios", [("client_id", "nobody")])
        #expect(response.text.contains("Correlation ID: "))
        #expect(response.text.contains("Timestamp: 2026-01-15 12:00:00Z"))
        #expect(response.text.contains("error-page-detail"))
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    }
}
