import B2CProtocol
import HTTPMessages
import Testing

/// Which addresses leave the browser, for each kind of web session.
struct CallbackRuleTests {
    static let rows: [(rule: CallbackRule, url: String, taken: Bool)] = [
        // The system session looks at the scheme alone.
        (.scheme("msauth.com.contoso.tasks"), "msauth.com.contoso.tasks://auth?code=1", true),
        (.scheme("msauth.com.contoso.tasks"), "msauth.com.contoso.tasks://elsewhere?code=1", true),
        (.scheme("MSAUTH.com.contoso.tasks"), "msauth.com.contoso.tasks://auth", true),
        (.scheme("msauth.com.contoso.tasks"), "msauth.com.contoso.other://auth?code=1", false),
        (.scheme("msauth.com.contoso.tasks"), "https://auth/?code=1", false),
        // Safari compares the host too.
        (.schemeAndHost(scheme: "msauth.app", host: "auth"), "msauth.app://auth/?code=1", true),
        (.schemeAndHost(scheme: "msauth.app", host: "auth"), "msauth.app://other/?code=1", false),
        // An embedded view compares text.
        (.prefixIgnoringCase("msauth.app://AUTH"), "msauth.app://auth?code=1", true),
        (.prefixIgnoringCase("msauth.app://auth"), "msauth.app://aut", false),
        // A web app's page, whatever query and fragment follow.
        (.exact("https://app.contoso.test/callback"), "https://app.contoso.test/callback?code=1#x", true),
        (.exact("https://app.contoso.test"), "https://app.contoso.test/#code=1", true),
        (.exact("https://app.contoso.test/callback"), "https://app.contoso.test/Callback?code=1", false),
        (.exact("https://app.contoso.test/callback"), "https://app.contoso.test:8443/callback?code=1", false),
    ]

    @Test(arguments: rows)
    func `an address goes to the app or is fetched`(_ row: (rule: CallbackRule, url: String, taken: Bool)) throws {
        #expect(row.rule.takes(try #require(WebURL(row.url))) == row.taken)
    }
}
