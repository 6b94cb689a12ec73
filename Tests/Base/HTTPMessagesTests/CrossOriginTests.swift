import HTTPMessages
import Testing

/// What a browser asks in advance, and what it keeps from a page of another origin.
struct CrossOriginTests {
    static let page = CrossOrigin(origin: "https://app.contoso.test")
    static let url = WebURL(scheme: "https", host: "api.contoso.test", path: "/tasks")

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var method = "GET"
        var headers: Headers = [:]
        /// `Access-Control-Request-Headers`; `nil`: no preflight.
        var asks: String?
    }

    static let rows = [
        Row(testDescription: "a plain read"),
        Row(testDescription: "a form", method: "POST", headers: ["Content-Type": "application/x-www-form-urlencoded"]),
        Row(testDescription: "a charset", method: "POST", headers: ["Content-Type": "text/plain; charset=utf-8"]),
        Row(
            testDescription: "JSON", method: "POST", headers: ["Content-Type": "application/json"], asks: "content-type"
        ),
        Row(testDescription: "a token", headers: ["Authorization": "Bearer x"], asks: "authorization"),
        Row(
            testDescription: "names in order", method: "POST",
            headers: ["X-B": "1", "Content-Type": "application/json", "Authorization": "Bearer x"],
            asks: "authorization,content-type,x-b"),
        Row(testDescription: "safe fields", headers: ["Accept": "application/json", "Accept-Language": "de"]),
        Row(
            testDescription: "a long safe field", headers: ["Accept": String(repeating: "a", count: 129)],
            asks: "accept"),
        Row(testDescription: "another method", method: "DELETE", asks: ""),
    ]

    @Test(arguments: rows) func `a request asks for permission where it needs it`(_ row: Row) {
        let request = RequestMessage(method: row.method, url: Self.url, headers: row.headers)
        let preflight = Self.page.preflight(for: request)
        guard let asks = row.asks else {
            #expect(preflight == nil)
            return
        }
        #expect(preflight?.method == "OPTIONS" && preflight?.url == Self.url)
        #expect(preflight?.headers["Origin"] == "https://app.contoso.test")
        #expect(preflight?.headers["Access-Control-Request-Method"] == row.method)
        #expect(preflight?.headers["Access-Control-Request-Headers"] == (asks.isEmpty ? nil : asks))
    }

    static let own: HeaderField = HeaderField(name: "Access-Control-Allow-Origin", value: "https://app.contoso.test")

    @Test(
        arguments: [
            (204, ["Access-Control-Allow-Methods": "PUT", "Access-Control-Allow-Headers": "X-A, Authorization"], nil),
            (200, ["Access-Control-Allow-Methods": "*", "Access-Control-Allow-Headers": "authorization,x-a"], nil),
            (
                401, ["Access-Control-Allow-Methods": "PUT", "Access-Control-Allow-Headers": "authorization,x-a"],
                "status 401"
            ),
            (
                302, ["Access-Control-Allow-Methods": "PUT", "Access-Control-Allow-Headers": "authorization,x-a"],
                "status 302"
            ),
            (204, ["Access-Control-Allow-Headers": "authorization,x-a"], "`PUT`"),
            (
                204, ["Access-Control-Allow-Methods": "put", "Access-Control-Allow-Headers": "authorization,x-a"],
                "`PUT`"
            ),
            (204, ["Access-Control-Allow-Methods": "PUT"], "`authorization`"),
            // The token needs its name there.
            (204, ["Access-Control-Allow-Methods": "PUT", "Access-Control-Allow-Headers": "*"], "`authorization`"),
            (204, ["Access-Control-Allow-Methods": "PUT", "Access-Control-Allow-Headers": "*, authorization"], nil),
        ] as [(Int, [String: String], String?)])
    func `a preflight permits what it names`(_ status: Int, _ fields: [String: String], _ refusal: String?) {
        let request = RequestMessage(
            method: "PUT", url: Self.url, headers: ["Authorization": "Bearer x", "X-A": "1"])
        var answer = ResponseMessage(status: status)
        answer.headers.fields = [Self.own] + fields.map { HeaderField(name: $0.key, value: $0.value) }
        let found = Self.page.refusal(toPreflight: answer, for: request)
        #expect((found == nil) == (refusal == nil), "\(found ?? "")")
        if let refusal { #expect(found?.contains(refusal) == true, "\(found ?? "")") }
    }

    @Test(
        arguments: [
            (["*"], true), (["https://app.contoso.test"], true), ([], false), (["https://app.contoso.test/"], false),
            (["http://app.contoso.test"], false), (["https://APP.contoso.test"], false), (["null"], false),
            (["https://app.contoso.test", "https://app.contoso.test"], false),
        ] as [([String], Bool)])
    func `an answer may be read by the origin that it names`(_ values: [String], _ isReadable: Bool) {
        var answer = ResponseMessage(status: 200)
        for value in values { answer.headers.append("Access-Control-Allow-Origin", value) }
        #expect((Self.page.refusal(toRead: answer) == nil) == isReadable)
    }

    @Test func `a script reads the fields that the answer exposes`() {
        var answer = ResponseMessage(
            status: 401, headers: ["Content-Type": "text/plain", "WWW-Authenticate": "Bearer", "X-A": "1"])
        #expect(Self.page.readable(answer).headers.fields.map(\.name) == ["Content-Type"])
        answer.headers.append("Access-Control-Expose-Headers", "x-a")
        #expect(Self.page.readable(answer).headers.fields.map(\.name) == ["Content-Type", "X-A"])
    }

    @Test(arguments: [
        ("Origin", true), ("cookie", true), ("Sec-Fetch-Mode", true), ("Access-Control-Request-Headers", true),
        ("Authorization", false), ("X-Origin", false), ("Content-Type", false),
    ])
    func `some fields only the browser sets`(_ name: String, _ isForbidden: Bool) {
        #expect(CrossOrigin.isForbidden(name) == isForbidden)
    }
}
