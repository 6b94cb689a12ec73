import Testing

/// What goes over the wire, whole lines, in each version.
struct TranscriptTests {
    private static let input =
        #"{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}"#
    private static let object = #"{"type":"object"}"#
    private static let hints =
        #""readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false"#

    /// The list of tools before 2025-03-26, before 2025-06-18, and since then.
    private static let plainTools = #"""
        "tools":[{"name":"quick","description":"Says a text.","inputSchema":\#(input)},
        {"name":"slow","description":"Waits.","inputSchema":\#(object)},
        {"name":"failing","description":"Fails.","inputSchema":\#(object)}]
        """#.replacing("\n", with: "")
    private static let annotatedTools = #"""
        "tools":[{"name":"quick","description":"Says a text.","inputSchema":\#(input),
        "annotations":{"title":"Quick",\#(hints)}},
        {"name":"slow","description":"Waits.","inputSchema":\#(object),"annotations":{"title":"Slow",\#(hints)}},
        {"name":"failing","description":"Fails.","inputSchema":\#(object),"annotations":{"title":"Failing",\#(hints)}}]
        """#.replacing("\n", with: "")
    private static let tools = #"""
        "tools":[{"name":"quick","title":"Quick","description":"Says a text.","inputSchema":\#(input),
        "outputSchema":\#(object),"annotations":{"title":"Quick",\#(hints)}},
        {"name":"slow","title":"Slow","description":"Waits.","inputSchema":\#(object),"outputSchema":\#(object),
        "annotations":{"title":"Slow",\#(hints)}},
        {"name":"failing","title":"Failing","description":"Fails.","inputSchema":\#(object),"outputSchema":\#(object),
        "annotations":{"title":"Failing",\#(hints)}}]
        """#.replacing("\n", with: "")

    /// What `quick` and `failing` answer before 2025-06-18, and since then.
    private static let plainCalls = [
        #""content":[{"type":"text","text":"{\"said\":\"hi\"}"},{"type":"text","text":"All of it: b2c://report/1"}],"#
            + #""isError":false"#,
        #""content":[{"type":"text","text":"{\"verdict\":\"It failed.\"}"}],"isError":true"#,
    ]
    private static let calls = [
        #""content":[{"type":"text","text":"{\"said\":\"hi\"}"},{"type":"resource_link","uri":"b2c://report/1","#
            + #""name":"report","description":"All of it","mimeType":"text/plain"}],"#
            + #""structuredContent":{"said":"hi"},"isError":false"#,
        #""content":[{"type":"text","text":"{\"verdict\":\"It failed.\"}"}],"#
            + #""structuredContent":{"verdict":"It failed."},"isError":true"#,
    ]

    private static func result(_ id: Int, _ members: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":{\#(members)}}"#
    }

    private static func greeting(_ version: String, completes: Bool = true, title: String = #""title":"Fake","#)
        -> String
    {
        result(
            0,
            #""protocolVersion":"\#(version)","capabilities":{"tools":{"listChanged":false},"#
                + #""resources":{"listChanged":false},"prompts":{"listChanged":false}"#
                + (completes ? #","completions":{}"# : "")
                + #"},"serverInfo":{"name":"fake",\#(title)"version":"1.0"},"instructions":"Use it.""#)
    }

    private static let missing = #"message":"there is no resource b2c://no","data":{"uri":"b2c://no"}}}"#

    /// The same lines in each version with a handshake.
    @Test(arguments: [
        ("2024-11-05", greeting("2024-11-05", completes: false, title: ""), plainTools, plainCalls),
        ("2025-03-26", greeting("2025-03-26", title: ""), annotatedTools, plainCalls),
        ("2025-06-18", greeting("2025-06-18"), tools, calls), ("2025-11-25", greeting("2025-11-25"), tools, calls),
        ("2026-07-28", greeting("2025-11-25"), tools, calls), ("1999-01-01", greeting("2025-11-25"), tools, calls),
    ])
    func `a connection with a handshake`(_ version: String, greeting: String, tools: String, calls: [String]) async {
        let answers = await FakeServer().answers([
            request(9, "ping"), initialize(version), #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            request(1, "tools/list"), request(2, "tools/call", params: #""name":"quick","arguments":{"text":"hi"}"#),
            request(3, "tools/call", params: #""name":"failing""#),
            request(4, "resources/read", params: #""uri":"b2c://docs/0""#),
            request(5, "resources/read", params: #""uri":"b2c://no""#), request(6, "server/discover"),
        ])
        let agreed = version.hasPrefix("2024") || version.hasPrefix("2025") ? version : "2025-11-25"
        #expect(
            answers == [
                Self.result(9, ""), greeting, Self.result(1, tools), Self.result(2, calls[0]),
                Self.result(3, calls[1]),
                Self.result(4, #""contents":[{"uri":"b2c://docs/0","mimeType":"text/plain","text":"Page"}]"#),
                #"{"jsonrpc":"2.0","id":5,"error":{"code":-32002,""# + Self.missing,
                #"{"jsonrpc":"2.0","id":6,"error":{"code":-32601,"#
                    + #""message":"version \#(agreed) of this server has no method server/discover"}}"#,
            ])
    }

    private static let meta =
        #""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","title":"Fake","version":"1.0"}}"#
    private static let complete = #""resultType":"complete","#
    private static let lasting = #","ttlMs":300000,"cacheScope":"public","# + meta
    private static let passing = #","ttlMs":0,"cacheScope":"private","# + meta

    @Test func `requests without a handshake`() async {
        let answers = await FakeServer().answers([
            request(1, "server/discover", meta: stateless), request(2, "tools/list", meta: stateless),
            request(3, "tools/call", params: #""name":"quick","arguments":{"text":"hi"}"#, meta: stateless),
            request(4, "resources/list", meta: stateless),
            request(5, "resources/read", params: #""uri":"b2c://docs/0""#, meta: stateless),
            request(6, "resources/read", params: #""uri":"b2c://no""#, meta: stateless),
            request(7, "ping", meta: stateless), request(8, "resources/templates/list", meta: stateless),
            request(9, "prompts/get", params: #""name":"review","arguments":{"folder":"f"}"#, meta: stateless),
        ])
        let versions = #"["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]"#
        #expect(
            answers == [
                Self.result(
                    1,
                    Self.complete + #""supportedVersions":\#(versions),"capabilities":{"tools":{},"resources":{},"#
                        + #""prompts":{},"completions":{}},"instructions":"Use it.""# + Self.lasting),
                Self.result(2, Self.complete + Self.tools + Self.lasting),
                Self.result(3, Self.complete + Self.calls[0] + "," + Self.meta),
                Self.result(
                    4,
                    Self.complete + #""resources":[{"uri":"b2c://docs/0","name":"page 0","title":"Page","#
                        + #""mimeType":"text/plain","size":4}]"# + Self.passing),
                Self.result(
                    5,
                    Self.complete + #""contents":[{"uri":"b2c://docs/0","mimeType":"text/plain","text":"Page"}]"#
                        + Self.passing),
                #"{"jsonrpc":"2.0","id":6,"error":{"code":-32602,""# + Self.missing,
                #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"#
                    + #""message":"version 2026-07-28 of this server has no method ping"}}"#,
                Self.result(
                    8,
                    Self.complete + #""resourceTemplates":[{"uriTemplate":"b2c://rules/{id}","name":"rule","#
                        + #""title":"Rule"}]"# + Self.lasting),
                Self.result(
                    9,
                    Self.complete + #""description":"Reviews a folder.","messages":[{"role":"user","#
                        + #""content":{"type":"text","text":"Review f for everything."}}],"# + Self.meta),
            ])
    }

    @Test func `one connection has requests of both kinds`() async {
        let call = #""name":"failing""#
        let answers = await FakeServer().answers([
            initialize("2024-11-05"), request(1, "tools/call", params: call),
            request(2, "tools/call", params: call, meta: stateless), request(3, "tools/call", params: call),
        ])
        #expect(
            answers.dropFirst() == [
                Self.result(1, Self.plainCalls[1]), Self.result(2, Self.complete + Self.calls[1] + "," + Self.meta),
                Self.result(3, Self.plainCalls[1]),
            ])
    }

    @Test func `a list has pages`() async throws {
        let fake = FakeServer(resources: 250)
        var (cursor, sizes): (String?, [Int]) = (nil, [])
        for id in 1...3 {
            let params = cursor.map { #""cursor":"\#($0)""# } ?? ""
            let lines = await fake.answers([request(id, "resources/list", params: params, meta: stateless)])
            let line = try #require(lines.last)
            sizes.append(line.matches(of: /b2c:\/\/docs\//).count)
            cursor = line.firstMatch(of: /"nextCursor":"([^"]*)"/).map { String($0.1) }
            #expect(line.contains(#"b2c://docs/\#(id * 100 - 100)""#))
        }
        #expect(sizes == [100, 100, 50] && cursor == nil)
    }

    @Test(arguments: [
        (
            #""ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"focus","value":"a"}"#,
            #"{"values":["review/focus/a"],"total":1,"hasMore":false}"#
        ),
        (
            #""ref":{"type":"ref/resource","uri":"b2c://rules/{id}"},"argument":{"name":"id","value":""}"#,
            #"{"values":["# + (0..<100).map { "\"R\($0)\"" }.joined(separator: ",") + #"],"total":150,"hasMore":true}"#
        ),
    ])
    func `arguments are completed`(_ params: String, completion: String) async {
        let answers = await FakeServer().answers([
            initialize("2025-06-18"), request(1, "completion/complete", params: params),
        ])
        #expect(answers.last == Self.result(1, #""completion":"# + completion))
    }

    @Test func `a message stays on one line, whatever its texts are`() async throws {
        let text = #"a\nb\r\u0000\u0085\u2028\u2029\ud83d\ude00"#
        let lines = await FakeServer().answers([
            request(1, "tools/call", params: #""name":"quick","arguments":{"text":"\#(text)"}"#, meta: stateless)
        ])
        let line = try #require(lines.last)
        #expect(line.contains(#""said":"a\nb\r\u0000\u0085\u2028\u2029\#u{1F600}""#))
        #expect(!line.contains { $0.isNewline })
    }
}
