import Determinism
import HTTPMessages
import JSON
import Testing

@Suite struct MessageTests {
    let url = WebURL(scheme: "https", host: "contoso.b2clogin.com", path: "/token")

    @Test func `headers keep order, spelling and repetition`() {
        var headers: Headers = ["Allow": "OPTIONS", "Set-Cookie": "a=1", "allow": "GET", "X-Y": "z"]
        #expect(headers["ALLOW"] == "OPTIONS" && headers.all("Allow") == ["OPTIONS", "GET"])
        #expect(headers["X-Z"] == nil)
        headers.append("set-cookie", "b=2")
        #expect(headers.json == ["allow": ["OPTIONS", "GET"], "set-cookie": ["a=1", "b=2"], "x-y": "z"])
        headers["ALLOW"] = "POST"
        headers["x-y"] = nil
        headers["New"] = "n"
        #expect(headers.fields.map(\.name) == ["Allow", "Set-Cookie", "set-cookie", "New"])
        #expect(headers["allow"] == "POST")
    }

    static let fields: [(name: String, value: String, words: String?)] = [
        ("X-Y", "plain", nil), ("X-Y", "", nil), ("X-Y", "with\ttab", nil), ("X-Y", "größe ✓", nil),
        ("x!#$%&'*+-.^_`|~9", "v", nil), ("X-Y", "a\r\nX-Admin: 1", "carriage return (U+000D)"),
        ("X-Y", "a\nb", "line feed (U+000A)"), ("X-Y", "\0", "null character (U+0000)"),
        ("X-Y", "a\u{7f}", "(U+007F)"), ("X-Y", "a\u{8}", "(U+0008)"), ("", "v", "name"), ("X Y", "v", "`X Y`"),
        ("X:Y", "v", "`X:Y`"), ("X\r\nY", "v", "`X??Y`"), ("Größe", "v", "name"),
    ]

    @Test(arguments: fields.indices) func `a header field holds visible characters alone`(_ index: Int) {
        let row = Self.fields[index]
        let problem = HeaderField(name: row.name, value: row.value).problem
        #expect((problem == nil) == (row.words == nil), "\(problem ?? "")")
        if let words = row.words { #expect(problem?.contains(words) == true, "\(problem ?? "")") }
        #expect(problem?.utf8.allSatisfy { $0 >= 32 } ?? true)
        var headers: Headers = ["A": "1"]
        headers.append(row.name, row.value)
        #expect(headers.problem == problem)
    }

    @Test func `a form request has its fields`() {
        let request = RequestMessage.post(url, form: ["grant_type": "authorization_code", "code": "a b"])
        #expect(request.method == "POST" && request.text == "grant_type=authorization_code&code=a+b")
        #expect(request.form == ["grant_type": "authorization_code", "code": "a b"])
        #expect(request.json == nil)
        let charset = RequestMessage.post(
            url, form: ["a": "1"],
            headers: ["content-type": "Application/X-WWW-form-urlencoded ; charset=utf-8", "Accept": "x"])
        #expect(charset.form == ["a": "1"] && charset.headers.all("Content-Type").count == 1)
        var untyped = request
        untyped.headers = [:]
        #expect(untyped.form == nil)
        #expect(RequestMessage.get(url).form == nil)
    }

    @Test func `a JSON request has its fields`() {
        let request = RequestMessage.post(url, json: ["a": [1, nil]])
        #expect(request.json == ["a": [1, nil]] && request.form == nil)
        var broken = request
        broken.body = Array("{".utf8)
        #expect(broken.json == nil)
    }

    @Test func `a response has its fields`() {
        let json = ResponseMessage.json(400, ["error": "invalid_grant"])
        #expect(json.headers["content-type"] == "application/json; charset=utf-8")
        #expect(json.json?["error"] == "invalid_grant" && json.text == #"{"error":"invalid_grant"}"#)
        #expect(ResponseMessage.html(200, "<p>{}").json == nil)
        #expect(ResponseMessage.text(200, " {\"a\": 1}").json == ["a": 1])
        #expect(ResponseMessage.json(200, "text").json == "text")
        #expect(ResponseMessage.text(200, "5").json == nil)
        let typed = ResponseMessage.json(200, [:], headers: ["Content-Type": "text/json; charset=utf-8"])
        #expect(typed.headers.all("Content-Type") == ["text/json; charset=utf-8"])
        #expect(typed.headers.mediaType == "text/json")
    }

    @Test func `redirects lead to their target`() {
        let app = ResponseMessage.redirect("msauth.com.contoso.app://auth/?code=a")
        #expect(app.status == 302 && app.isRedirect && app.location?.host == "auth")
        let relative = ResponseMessage.redirect("/next?x")
        #expect(relative.location == nil)
        #expect(relative.location(relativeTo: url)?.description == "https://contoso.b2clogin.com/next?x")
        #expect(ResponseMessage.json(200, [:]).location == nil)
    }

    @Test func `failures have words`() {
        for failure in TransportError.scriptable { #expect(TransportError.named(failure.word) == failure) }
        #expect(
            TransportError.scriptable.map(\.word)
                == ["offline", "refused", "reset", "dns", "timeout", "tls", "truncated"])
        #expect(TransportError.named("other") == nil && TransportError.named("cancelled") == nil)
        #expect("\(TransportError.other("no route"))" == "no route")
    }

    /// Answers with what it was asked, or not at all.
    private struct Echo: Transport {
        func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage
        {
            guard context.device != "off" else { throw .offline }
            return .text(200, request.url.path)
        }
    }

    @Test func `lanes hand down their surroundings`() async throws {
        let time = VirtualTime(Timestamp(seconds: 0))
        let turnstile = Turnstile(time: time)
        let lane = Lane(id: .main, transport: Echo(), turnstile: turnstile, time: time)
        let answer = try await lane.transport.send(.get(url), ExchangeContext(lane: lane.id))
        #expect(answer.text == "/token")
        await #expect(throws: TransportError.offline) {
            try await lane.transport.send(.get(url), ExchangeContext(lane: lane.id, device: "off"))
        }
        try await lane.turn()
        try await lane.pause(.seconds(2))
        #expect(time.now == Timestamp(seconds: 2))
        #expect(lane.branch(1).id == LaneID(path: [1]))
    }
}
