import JSON
import TenantFiles
import Testing

@testable import MockServerCore

@Suite struct SecretLogTests {
    @Test(arguments: [
        ("/a?sig=Canary1&x=2", "/a?sig=***&x=2"), ("/a?api_key=Canary1", "/a?api_key=***"),
        ("/a?newPassword=Canary1&subscription-key=Canary2", "/a?newPassword=***&subscription-key=***"),
        ("/a?c%6Fde=Canary1", "/a?c%6Fde=***"), ("/a?login_hint=ada%40x.test", "/a?login_hint=***"),
        ("/a?p=B2C_1_susi", "/a?p=B2C_1_susi"),
        ("/callback/eyJhbGciOiJub25lIn0.eyJhIjoxfQ.", "/callback/***."),
        ("/a?q=eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln", "/a?q=***"), ("/a\u{9b}31m\u{202e}", "/a\\u{9b}31m\\u{202e}"),
    ])
    func `the access log shows no secret and nothing that a terminal obeys`(_ row: (target: String, shown: String)) {
        #expect(AccessLogMask.target(row.target) == row.shown)
    }

    /// A code is masked where it comes back under a name that says nothing.
    @Test func `a one-time code that went out is masked in what follows`() {
        let later: JSONValue = ["request": ["form": ["answer": "738112"]], "entry": ["text": "code 738112 is right"]]
        let shown = ControlMask.masked(later, TenantFile.outline(of: ["name": "contoso"]), codes: ["738112"])
        #expect(!JSONWriter.compact(shown).contains("738112"))
        let message: JSONValue = ["type": "message", "message": ["code": "738112", "text": "Your code is 738112"]]
        let alone = ControlMask.masked(message, TenantFile.outline(of: ["name": "contoso"]))
        #expect(!JSONWriter.compact(alone).contains("738112"))
    }
}
